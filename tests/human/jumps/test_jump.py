"""The clock of a jump: monotone, smooth, and its ways and speeds belong together."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.interpolate import make_interp_spline

from locomote.human._kernels.state import STANDING_UNIT, UNDER_WAY, Jump
from locomote.human.jumps._kernels import jump as leap
from locomote.math.records import zeros

seconds = st.floats(0.15, 0.9)


@st.composite
def jumps(draw, standing=None):
    """A row of a jump under way."""
    out = zeros(Jump, 1)[0]
    on_both = draw(st.booleans()) if standing is None else standing
    out["state"], out["leg"] = UNDER_WAY, -1 if on_both else 1
    out["unit"] = STANDING_UNIT if on_both else 2
    out["support"], out["flight"], out["landing"] = (draw(seconds) for _ in range(3))
    out["off"] = draw(st.floats(0.2, 0.5))
    out["land"] = out["off"] + draw(st.floats(0.05, 0.3))
    out["end"] = out["land"] + draw(st.floats(0.1, 0.5))
    out["share"], out["hold"], out["tempo"] = (
        draw(st.floats(0.0, 1.0)),
        0.345,
        draw(st.floats(0.1, 4.0)),
    )
    out["speed"] = draw(st.floats(0.1, 3.0))
    out["push"], out["settle"] = 0.9 * out["support"], 0.9 * out["landing"]
    out["kick"], out["catch"] = (tuple(draw(st.floats(-3.0, 3.0)) for _ in range(2)) for _ in range(2))
    return out


def over_time(function, jump, count=400):
    """A function of a jump from its beginning to its end, and the times."""
    times = np.linspace(0.0, leap.total(jump), count)
    values = []
    for time in times:
        jump["time"] = time
        values.append(function(jump))
    return times, np.array(values)


@given(jumps())
def test_clocks_never_go_back_and_pass_their_marks(jump):
    for clock, marks in (
        (leap.cycles_since, (0.0, jump["off"], jump["land"], jump["end"])),
        (leap.unit_time, (0.0, leap.U_OFF, leap.U_LAND, 1.0)),
    ):
        times, values = over_time(clock, jump)
        assert np.diff(values).min() >= -1e-12
        at = np.cumsum([0.0, jump["support"], jump["flight"], jump["landing"]])
        np.testing.assert_allclose(np.interp(at, times, values), marks, atol=0.02)
        # No leap: nowhere faster than the steepest that a flight allows.
        widest = max(np.diff(marks) / np.diff(at))
        assert np.diff(values).max() <= 3.0 * widest * times[1] + 1e-9


@given(jumps())
def test_clocks_have_no_corner_at_toe_off(jump):
    moment = 1e-6

    for clock in (leap.cycles_since, leap.unit_time):
        values = []
        for k in (-1, 0, 1):
            jump["time"] = jump["support"] + k * moment
            values.append(clock(jump))
        before, after = np.diff(values) / moment
        steepest = leap.STEEPEST * (jump["land"] - jump["off"]) / jump["flight"]
        if clock is leap.cycles_since and before > 0.99 * steepest:
            continue  # it could go back
        assert before == pytest.approx(after, rel=1e-2)


def test_what_moves_evenly_in_a_recording_does_so_through_toe_off():
    # As recorded: a support of 0.25 s takes 0.35 of a unit, a flight of 0.49 s only 0.2 of it.
    jump = zeros(Jump, 1)[0]
    jump["state"], jump["unit"], jump["leg"] = UNDER_WAY, 3, 0
    jump["support"], jump["flight"], jump["landing"] = 0.25, 0.49, 0.4
    jump["tempo"] = 1.0
    marks = np.cumsum([0.0, 0.25, 0.49, 0.4])
    nodes = np.linspace(0.0, 1.0, 51)
    way = np.interp(nodes, [0.0, leap.U_OFF, leap.U_LAND, 1.0], marks)  # 1 m/s
    knots = np.concatenate([[0.0] * 3, 0.5 * (nodes[1:-2] + nodes[2:-1]), [1.0] * 3])
    played = make_interp_spline(nodes, way, k=2, t=knots)
    times, u = over_time(leap.unit_time, jump, 1141)
    speeds = np.diff(played(u)) / np.diff(times)
    around = np.abs(times[1:] - 0.25) < 0.1
    assert np.abs(speeds[around] - 1.0).max() < 0.25


@given(jumps())
def test_the_own_motion_grows_and_fades_smoothly(jump):
    _, weights = over_time(leap.weight, jump)
    assert weights.min() >= 0.0
    assert weights.max() <= 1.0
    assert max(weights[0], weights[-1]) < 1e-9
    assert np.abs(np.diff(weights)).max() < 0.1
    jump["time"] = jump["support"]
    share = 1.0 if jump["unit"] == STANDING_UNIT else jump["share"]
    assert leap.weight(jump) == pytest.approx(share, abs=0.01)


@given(jumps(standing=True))
def test_the_way_of_a_standing_jump_is_the_integral_of_its_speed(jump):
    times, ways = over_time(leap.travelled, jump)
    _, speeds = over_time(leap.speed_now, jump)
    summed = np.concatenate([[0.0], np.cumsum(0.5 * (speeds[1:] + speeds[:-1]) * np.diff(times))])
    np.testing.assert_allclose(ways, summed, atol=2e-3 * jump["speed"])
    assert max(speeds[0], speeds[-1]) < 1e-6
    in_flight = (times > jump["support"]) & (times < jump["support"] + jump["flight"])
    np.testing.assert_allclose(speeds[in_flight], jump["speed"], rtol=1e-9)


@given(jumps())
def test_spring_back_adds_the_speeds_that_are_lacking_and_nothing_in_the_end(jump):
    moment, off = 1e-6, jump["support"]
    land = off + jump["flight"]

    def at(time):
        jump["time"] = time
        return np.array(leap.spring_back(jump))

    for time in (0.0, off, land, leap.total(jump)):
        np.testing.assert_allclose(at(time), 0.0, atol=1e-9)
    before, after = (at(off) - at(off - moment)) / moment, (at(land + moment) - at(land)) / moment
    np.testing.assert_allclose(before, jump["kick"].tolist(), atol=1e-3)
    np.testing.assert_allclose(after, jump["catch"].tolist(), atol=1e-3)


@given(jumps())
def test_a_body_that_is_brought_along_comes_back_by_the_end_of_its_landing(jump):
    jump["kick"] = jump["catch"] = 0.0, 0.0
    jump["brought"] = 0.2
    _, ways = over_time(lambda jump: leap.spring_back(jump)[1], jump)
    assert max(abs(ways[0]), abs(ways[-1])) < 1e-9
    assert ways.max() <= 0.2 + 1e-12
    jump["time"] = jump["support"] + jump["flight"]
    assert leap.spring_back(jump)[1] == pytest.approx(0.2)


@given(jumps())
def test_a_body_that_is_lower_at_toe_off_gets_there_by_and_by(jump):
    jump["kick"] = jump["catch"] = 0.0, 0.0
    jump["lower"] = 0.05
    times, ways = over_time(lambda jump: leap.spring_back(jump)[0], jump)
    support = times <= jump["support"]
    assert ways[0] == 0.0
    assert np.diff(ways[support]).max() <= 0.0
    jump["time"] = jump["support"]
    assert leap.spring_back(jump)[0] == pytest.approx(-0.05)
    jump["time"] -= 1e-6
    assert leap.spring_back(jump)[0] == pytest.approx(-0.05, abs=1e-9)  # at no other speed


@given(jumps())
def test_a_body_gives_way_no_longer_than_it_is_said(jump):
    jump["give"] = 0.5 * jump["landing"]
    jump["time"] = jump["support"] + jump["flight"] + 0.51 * jump["landing"]
    assert leap.spring_back(jump)[0] == 0.0
