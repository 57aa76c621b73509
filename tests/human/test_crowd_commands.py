"""What a crowd is told: targets reached in time, ranges, errors, gaits, headings, starts and stops."""

from __future__ import annotations

import logging

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd
from locomote.human._manners import no_manners
from tests.human.state_table import state_table
from tests.human.toy import toy_model

FRAME = 1.0 / 60.0


@pytest.fixture(scope="module")
def model():
    return toy_model()


@pytest.mark.feature("PCA-037")
def test_parameters_go_straight_to_their_targets_and_may_be_interrupted(model):
    crowd = Crowd(model, 2, speed=1.0, gait=0.0, style="plain", leg_length=0.8)
    crowd.command(speed=[2.0, 0.5], turn_rate=0.4, gait=0.5, style="stooping", leg_length=1.0, within=2.0)
    seen = []
    for frame in range(180):
        if frame == 60:  # in the middle of all ramps
            crowd.command(speed=1.1, gait=0.1, style="swinging", leg_length=0.7, within=1.0)
        row = [crowd.speeds[0], crowd.speeds[1], crowd.gaits[0], crowd.leg_lengths[0], crowd.turn_rates[0]]
        seen.append(row + list(crowd.styles[0]))
        crowd.step(FRAME)
    seen = np.array(seen)
    times = np.arange(180) * FRAME
    mid = [1.5, 0.75, 0.25, 0.9, 0.2, 0.5, 0.0, 0.5]  # halfway, at 1 s
    first = [1.0, 1.0, 0.0, 0.8, 0.0, 1.0, 0.0, 0.0]
    last = [1.1, 1.1, 0.1, 0.7, None, 0.0, 1.0, 0.0]
    for column in range(8):
        knots = ([0, 1, 2, 3], [first[column], mid[column], last[column], last[column]])
        if last[column] is None:  # the turn rate was left alone and goes on to its target at 2 s
            knots = ([0, 2, 3], [0.0, 0.4, 0.4])
        np.testing.assert_allclose(seen[:, column], np.interp(times, *knots), atol=1e-9)
    np.testing.assert_allclose(crowd.speeds, 1.1, atol=0)


def test_arrival_inside_a_step_is_exact(model):
    crowd = Crowd(model, 1, speed=1.0)
    crowd.command(speed=1.7, within=0.33)
    crowd.step(0.2)
    np.testing.assert_allclose(crowd.speeds, 1.0 + 0.7 * 0.2 / 0.33)
    crowd.step(0.2)
    assert crowd.speeds[0] == 1.7


def test_a_repeated_command_does_not_start_anew(model):
    once, often = Crowd(model, 1, style="plain"), Crowd(model, 1, style="plain")
    once.command(speed=1.2)
    for _ in range(120):
        often.command(speed=1.2)
        once.step(FRAME)
        often.step(FRAME)
    assert once.speeds[0] == often.speeds[0] == 1.2


def test_heading_is_reached_in_time_by_the_short_way(model):
    crowd = Crowd(model, 4, speed=1.0, heading=[0.0, 3.0, -3.0, 0.5])
    crowd.command(heading=[1.0, -3.0, 3.0, 0.5], within=1.5)
    turned = np.zeros(4)
    before, rate = crowd.headings, np.zeros(4)
    for _ in range(120):
        crowd.step(FRAME)
        turned += (crowd.headings - before + np.pi) % (2 * np.pi) - np.pi
        before = crowd.headings
        assert np.max(np.abs(crowd.turn_rates - rate)) < 0.1  # smooth, from nothing to nothing
        rate = crowd.turn_rates
    short = 2.0 * np.pi - 6.0
    np.testing.assert_allclose(turned, [1.0, short, -short, 0.0], atol=1e-9)
    np.testing.assert_allclose(crowd.turn_rates, 0.0)


def test_a_turn_rate_takes_over_from_a_heading(model):
    crowd = Crowd(model, 1, speed=1.0)
    crowd.command(heading=2.0, within=2.0)
    for _ in range(30):
        crowd.step(FRAME)
    crowd.command(turn_rate=-0.5)
    for _ in range(120):
        crowd.step(FRAME)
    np.testing.assert_allclose(crowd.turn_rates, -0.5)


def test_a_crowd_told_where_to_head_every_frame_arrives(model):
    crowd = Crowd(model, 1, speed=1.3)
    for _ in range(180):
        crowd.command(heading=1.2)
        crowd.step(FRAME)
    np.testing.assert_allclose(crowd.headings, 1.2, atol=1e-6)


def test_only_those_meant_obey(model):
    crowd = Crowd(model, 5, speed=1.0)
    crowd.command(speed=2.0, within=0.0, who=2)
    crowd.command(speed=[0.5, 0.6], within=0.0, who=np.array([True, False, False, False, True]))
    crowd.command(speed=1.5, within=0.0, who=slice(3, 4))
    np.testing.assert_allclose(crowd.speeds, [0.5, 1.0, 2.0, 1.5, 0.6])
    crowd.command(speed=3.0, who=[])
    for who in ([7], np.array([True]), [0.5], "all"):
        with pytest.raises(LocomoteError, match="who"):
            crowd.command(speed=1.0, who=who)


def test_the_gait_follows_the_speed_with_hysteresis(model):
    crowd = Crowd(model, 1, speed=1.0, style="plain")
    hips = 0.9 / 0.925
    seen = {}
    for way, target in (("up", 3.0), ("down", 1.0)):
        crowd.command(speed=target, within=10.0)
        before = crowd.gaits[0]
        for _ in range(640):
            crowd.step(FRAME)
            if crowd.gaits[0] != before and way not in seen:
                seen[way] = crowd.speeds[0] ** 2 / (9.81 * hips)
        assert crowd.gaits[0] == (1.0 if way == "up" else 0.0)
    assert 0.55 < seen["up"] < 0.65
    assert 0.35 < seen["down"] < 0.45


def test_a_change_of_gait_takes_less_than_a_step(model):
    crowd = Crowd(model, 1, speed=2.0, style="plain")
    crowd.command(speed=3.0)
    cycles = []
    for _ in range(180):
        crowd.step(FRAME)
        if 0.0 < crowd.gaits[0] < 1.0:
            cycles.append(crowd.cycles[0])
    assert len(cycles) > 3
    assert cycles[-1] - cycles[0] < 0.5


def test_a_gait_may_be_forced_and_freed(model):
    crowd = Crowd(model, 1, speed=1.2, gait="run")
    assert crowd.gaits[0] == 1.0
    crowd.command(gait=0.25, within=0.0)
    assert crowd.gaits[0] == 0.25
    crowd.command(gait="auto")
    for _ in range(60):
        crowd.step(FRAME)
    assert crowd.gaits[0] == 0.0


def test_standing_is_still_and_stopping_ends_in_it(model):
    crowd = Crowd(model, 8, speed=[0.4, 0.8, 1.0, 1.2, 1.4, 1.8, 2.2, 3.5], seed=3, lively=0.0, manners=no_manners(8))
    for _ in range(20):
        crowd.step(FRAME)
    crowd.command(speed=0.0)
    for _ in range(500):
        crowd.step(FRAME)
    assert np.all(crowd.speeds == 0.0)
    still = crowd.poses.copy()
    crowd.step(1.0)
    np.testing.assert_array_equal(still.rotations, crowd.poses.rotations)
    np.testing.assert_array_equal(still.root_positions, crowd.poses.root_positions)
    standing = Crowd(model, 8, style=crowd.styles, lively=0.0).poses
    assert np.max(np.abs(still.rotations[:, 1:] - standing.rotations[:, 1:])) < 1e-6


def test_a_stop_brings_the_feet_together_in_the_phase_of_standing(model):
    """When the speed is gone, hardly any of the cycle is left to the phase nearest to standing."""
    crowd = Crowd(model, 40, speed=np.linspace(0.8, 2.0, 40), seed=5, gait="walk")
    crowd.step(FRAME)
    crowd.command(speed=0.0)
    before_rest = crowd.cycles
    for _ in range(500):
        moving = crowd.speeds > 0.0
        before_rest[moving] = crowd.cycles[moving]
        crowd.step(FRAME)
    off = crowd.cycles - before_rest  # what is made up when the character stands
    assert np.percentile(off, 90) < 0.05


def test_turning_on_the_spot_moves_the_feet(model):
    crowd = Crowd(model, 1, style="plain")
    place = crowd.positions
    crowd.command(turn_rate=1.0)
    lifted = 0.0
    ball = crowd.poses.skeleton.index("LeftToeBase")
    for _ in range(240):
        lifted = max(lifted, float(crowd.step(FRAME).joint_positions()[0, ball, 1]))
    np.testing.assert_allclose(crowd.positions, place, atol=1e-9)
    assert lifted > 0.02


def test_the_body_leans_into_the_curve(model):
    crowd = Crowd(model, 2, speed=2.0, style="plain", phases=0.2, positions=(0.0, 0.0, 0.0))
    crowd.command(turn_rate=[0.8, -0.8], within=0.0)
    for _ in range(60):
        poses = crowd.step(FRAME)
    head = poses.joint_positions()[:, poses.skeleton.index("Head")] - crowd.positions
    left = np.stack([np.cos(crowd.headings), -np.sin(crowd.headings)], axis=-1)
    aside = np.sum(head[:, [0, 2]] * left, axis=-1)
    assert aside[0] - aside[1] > 0.1  # turning left leans to the left


def test_nobody_is_thrown_aside_when_a_turn_begins(model):
    crowd = Crowd(model, 2, speed=1.5, style="plain", positions=(0.0, 0.0, 0.0), lively=0.0)
    head, places = crowd.poses.skeleton.index("Head"), []
    for frame in range(90):
        if frame == 30:
            crowd.command(turn_rate=[0.0, 1.5], within=0.0)
        places.append(crowd.step(FRAME).joint_positions()[:, head])
    jolts = np.abs(np.diff(places, 2, axis=0))[28:40].max(axis=(0, 2)) / FRAME**2
    assert jolts[1] < jolts[0] + 10.0  # m/s^2; the way itself bends by 1.5 * 1.5 m/s^2 at once


@pytest.mark.parametrize("field", ["speed", "turn_rate", "heading", "gait", "leg_length", "within"])
@pytest.mark.parametrize("value", [np.nan, np.inf, [1.0, np.nan], "fast", [1.0, 2.0, 3.0]])
def test_nonsense_is_an_error_that_names_the_field(model, field, value):
    crowd = Crowd(model, 2)
    asked = {field: value} if field != "within" else {"speed": 1.0, "within": value}
    before = state_table(crowd._people)
    with pytest.raises(LocomoteError, match=field):
        crowd.command(**asked)
    np.testing.assert_array_equal(state_table(crowd._people), before)


def test_more_nonsense(model):
    crowd = Crowd(model, 2)
    before = state_table(crowd._people)
    for asked, word in (
        ({"gait": "gallop"}, "gait"),
        ({"style": "nobody"}, "plain, swinging, stooping"),
        ({"style": [1.0, 2.0]}, "style"),
        ({"style": {"plain": -1.0}}, "style"),
        ({"style": np.ones((3, 3))}, "style"),
        ({"turn_rate": 1.0, "heading": 1.0}, "turn_rate and heading"),
        ({"speed": 1.0, "turn_rate": np.nan}, "turn_rate"),
    ):
        with pytest.raises(LocomoteError, match=word):
            crowd.command(**asked)
        np.testing.assert_array_equal(state_table(crowd._people), before)


def test_styles_by_name_mixture_and_row(model):
    crowd = Crowd(model, 3, style=["plain", "swinging", "stooping"])
    np.testing.assert_allclose(crowd.styles, np.eye(3))
    crowd.command(style={"plain": 1.0, "stooping": 3.0}, within=0.0)
    np.testing.assert_allclose(crowd.styles, [[0.25, 0.0, 0.75]] * 3)
    crowd.command(style=2.0 * np.eye(3)[::-1], within=0.0)
    np.testing.assert_allclose(crowd.styles, np.eye(3)[::-1])
    crowd.command(style=[1.0, 1.0, 2.0], within=0.0, who=0)
    np.testing.assert_allclose(crowd.styles[0], [0.25, 0.25, 0.5])


def test_what_is_out_of_range_is_clamped_and_said_once(model, caplog):
    crowd = Crowd(model, 2)
    with caplog.at_level(logging.WARNING, logger="locomote"):
        for _ in range(3):
            crowd.command(speed=1e9, turn_rate=-1e6, gait=7.0, leg_length=80.0, within=0.0)
            crowd.command(speed=-5.0, within=-3.0)
            crowd.step(FRAME)
    said = [record.getMessage().split()[0] for record in caplog.records]
    assert sorted(said) == ["gait", "leg_length", "speed", "turn_rate", "within"]
    assert np.all(np.isfinite(crowd.poses.joint_positions()))
    np.testing.assert_allclose(crowd.leg_lengths, 1.5)
    np.testing.assert_allclose(crowd.gaits, 1.0)
    np.testing.assert_allclose(crowd.speeds, 0.0)


def test_a_slower_gait_slows_down(model):
    crowd = Crowd(model, 1, speed=4.0)
    crowd.command(gait="walk")
    for _ in range(300):
        crowd.step(FRAME)
    np.testing.assert_allclose(crowd.speeds, 2.4 * np.sqrt(1.0 / 0.925), rtol=1e-9)
