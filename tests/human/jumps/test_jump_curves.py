"""Run-ups along a curve: the unrolled way is as long, ends in the same place and points the same way."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.human._kernels.state import Walker
from locomote.human.jumps._kernels import jump_curves as curves
from locomote.math.records import zeros

place, angle = st.floats(-20.0, 20.0), st.floats(-3.0, 3.0)
turn = st.floats(0.02, 0.25) | st.floats(-0.25, -0.02)
pace = st.floats(0.5, 3.0)


def walker(x, z, yaw, turning, then):
    row = zeros(Walker, 1)[0]
    row["x"], row["z"], row["yaw"] = x, z, yaw
    row["turn"]["value"], row["turn"]["target"] = turning, then
    return row


def pose_of(row):
    return row["x"], row["z"], row["yaw"]


def walked(x, z, yaw, speed, rates, dt):
    """In small steps, each with its turn rate."""
    for rate in rates:
        yaw += 0.5 * rate * dt
        x, z = x + speed * dt * math.sin(yaw), z + speed * dt * math.cos(yaw)
        yaw += 0.5 * rate * dt
    return x, z, yaw


@given(place, place, angle, turn, pace, st.floats(0.8, 6.0))
def test_a_straight_way_from_the_unrolled_place_ends_where_the_curve_does(x, z, yaw, turning, speed, eta):
    row = walker(x, z, yaw, turning, turning)
    there = curves.unroll(row, eta, speed)
    assert there == (x, z, yaw)
    dt = 1e-3
    times = np.arange(0.0, eta, dt) + 0.5 * dt
    # As told until shortly before the end, then evenly down to none.
    left = eta - times
    shares = np.clip((left - curves.ENDS + curves.STRAIGHTEN) / curves.STRAIGHTEN, 0.0, 1.0)
    true = walked(x, z, yaw, speed, turning * shares, dt)
    ours = walked(*pose_of(row), speed, np.zeros(len(times)), dt)
    np.testing.assert_allclose(ours[:2], true[:2], atol=0.02)
    assert ours[2] == pytest.approx(true[2], abs=1e-3)
    curves.put_back(row, there)
    assert pose_of(row) == there


@given(place, place, angle, pace, st.floats(0.0, 6.0))
def test_who_goes_straight_is_left_alone(x, z, yaw, speed, eta):
    row = walker(x, z, yaw, 0.0, 0.0)
    before = row.copy()
    curves.unroll(row, eta, speed)
    curves.end_turn_in_time(row, eta)
    assert row == before
    assert not curves.turns_evenly(row)


@given(turn)
def test_a_turn_is_held_until_shortly_before_the_foot_lands(turning):
    row = walker(0.0, 0.0, 0.0, turning, turning)
    assert curves.turns_evenly(row)
    curves.end_turn_in_time(row, curves.ENDS + 0.01)
    assert row["turn"]["target"] == turning
    curves.end_turn_in_time(row, curves.ENDS)
    assert (row["turn"]["target"], row["turn"]["left"]) == (0.0, curves.STRAIGHTEN)
    assert not curves.turns_evenly(row)
    curves.hold_turn(row, turning)
    assert curves.turns_evenly(row)
