"""Walkers find their way: to places with headings, along paths, round boxes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.navigation._kernels import steering
from locomote.navigation._kernels.steering import (
    ASIDE_BELOW,
    ASIDE_CHANGE,
    FASTEST_ASIDE,
    follow,
    nearer,
    reached,
    steer_to_pose,
    step_aside,
    way_points,
    wrapped,
)

RATE = 30.0
LIMIT = 0.7  # m/s^2
TRIALS = ((2, 1, 1), (3, 2.6, 6), (5, 2, 3), (10, 2.6, 6), (2, 2.6, 6))  # distance, length, width

place = st.floats(-20.0, 20.0)
angle = st.floats(-3.0, 3.0)
size = st.floats(0.4, 6.0)


def moved(x: float, z: float, yaw: float, speed: float, turn: float) -> tuple[float, float, float]:
    """One frame further along an arc, as a walker goes."""
    half = 0.5 * turn / RATE
    way = speed / RATE * (math.sin(half) / half if half else 1.0)
    return x + way * math.sin(yaw + half), z + way * math.cos(yaw + half), yaw + turn / RATE


def frame(yaw: float) -> tuple[np.ndarray, np.ndarray]:
    """Heading and left; left is up x heading."""
    heading = np.array([math.sin(yaw), 0.0, math.cos(yaw)])
    return heading, np.cross([0.0, 1.0, 0.0], heading)


def go_round(distance, length, width, cruise=1.2, yaw=0.3, half_body=steering.HALF_BODY):
    """Walk round a box; gives the way in the box's frame (aside, ahead), the speeds and the misses at the targets."""
    heading, left = frame(yaw)
    x, z, facing, speed = 1.0, -2.0, yaw, cruise
    start = np.array([x, 0.0, z])
    centre = start + (distance + 0.5 * length) * heading
    *targets, _ = way_points(x, z, yaw, centre[0], centre[2], length, width, 0.5, half_body, 0.0)
    way, speeds, misses = [], [], []
    for tx, tz in targets:
        for _ in range(2000):
            before = speed
            speed, turn = steer_to_pose(x, z, facing, speed, tx, tz, yaw, cruise, LIMIT, 1.0 / RATE)
            assert abs(speed - before) <= LIMIT / RATE + 1e-12
            x, z, facing = moved(x, z, facing, speed, turn)
            offset = np.array([x, 0.0, z]) - centre
            way.append((offset @ left, offset @ heading))
            speeds.append(speed)
            if reached(x, z, tx, tz, yaw):
                misses.append((math.hypot(x - tx, z - tz), abs(math.degrees(wrapped(facing - yaw)))))
                break
    return np.array(way), np.array(speeds), np.array(misses)


def clearance(way: np.ndarray, length: float, width: float) -> float:
    outside = np.maximum(np.abs(way) - 0.5 * np.array([width, length]), 0.0)
    return float(np.hypot(*outside.T).min())


def random_boxes(count: int, seed: int) -> np.ndarray:
    boxes = np.random.default_rng(seed).uniform((2.0, 0.4, 1.0), (10.0, 2.6, 6.0), (count, 3))
    boxes[: count // 5, 0], boxes[: count // 5, 2] = 2.0, 6.0  # the nearest and widest are the hardest
    return boxes


@given(place, place, angle, place, place, size, size, st.floats(0.0, 1.0), st.sampled_from([-1.0, 1.0]))
@pytest.mark.feature("OBS-07")
def test_way_points_are_those_of_the_formulas(x, z, yaw, cx, cz, length, width, delta, side):
    heading, left = frame(yaw)
    start, centre = np.array([x, 0.0, z]), np.array([cx, 0.0, cz])
    for half_body in (0.0, 0.25):
        beside, leave, end, chosen = way_points(x, z, yaw, cx, cz, length, width, delta, half_body, side)
        wanted = centre + side * left * (0.5 * width + delta * length + half_body)
        mirrored = start + 2.0 * ((centre - start) @ heading) * heading
        np.testing.assert_allclose(beside, wanted[[0, 2]], atol=1e-9)
        np.testing.assert_allclose(leave, (wanted + 0.5 * length * heading)[[0, 2]], atol=1e-9)
        np.testing.assert_allclose(end, mirrored[[0, 2]], atol=1e-9)
        assert chosen == side


@given(angle, st.floats(0.01, 3.0), st.sampled_from([-1.0, 1.0]))
def test_a_box_is_passed_on_the_side_of_the_smaller_shift(yaw, aside, side):
    heading, left = frame(yaw)
    centre = 5.0 * heading + side * aside * left
    assert way_points(0.0, 0.0, yaw, centre[0], centre[2], 1.0, 2.0, 0.5, 0.25, 0.0)[3] == -side


@pytest.mark.feature("OBS-08")
@pytest.mark.parametrize("cruise", [0.8, 1.2, 1.6])
def test_both_targets_are_met_without_slowing_much(cruise):
    for box in (*TRIALS, *random_boxes(60, 1)):
        _, speeds, misses = go_round(*box, cruise=cruise)
        assert len(misses) == 3
        assert (misses <= (0.05, 5.0)).all()
        assert speeds.min() >= 0.7 * cruise


@pytest.mark.feature("OBS-09")
def test_the_way_round_keeps_clear_of_the_box():
    for box in (*TRIALS, *random_boxes(300, 2)):
        assert clearance(go_round(*box)[0], box[1], box[2]) >= 0.25


@pytest.mark.feature("PCA-082")
def test_the_way_round_keeps_a_body_radius_and_returns_to_its_line():
    for box in (*TRIALS, *random_boxes(100, 3)):
        way, _, misses = go_round(*box, half_body=0.35)
        assert clearance(way, box[1], box[2]) >= 0.35
        assert abs(way[-1, 0]) <= 0.05
        assert misses[-1, 1] <= 5.0


def test_targets_with_any_heading_are_reached():
    random = np.random.default_rng(4)
    for _ in range(200):
        bearing, heading = random.uniform(-math.pi, math.pi, 2)
        distance = random.uniform(2.0, 12.0)
        tx, tz = distance * math.sin(bearing), distance * math.cos(bearing)
        x = z = yaw = 0.0
        speed, slowest = 1.2, 1.2
        for _ in range(1500):
            speed, turn = steer_to_pose(x, z, yaw, speed, tx, tz, heading, 1.2, LIMIT, 1.0 / RATE)
            x, z, yaw = moved(x, z, yaw, speed, turn)
            slowest = min(slowest, speed)
            if reached(x, z, tx, tz, heading):
                break
        assert math.hypot(x - tx, z - tz) <= 0.10
        assert abs(wrapped(yaw - heading)) <= math.radians(5.0)
        assert slowest >= 0.7 * 1.2


@given(place, place, angle, st.floats(0.0, 3.0), angle)
def test_steering_is_the_same_in_every_frame_and_mirrored_in_a_mirror(tx, tz, yaw, speed, heading):
    plain = steer_to_pose(0.0, 0.0, yaw, speed, tx, tz, heading, 1.2, LIMIT, 0.02)
    turned_x, turned_z = tx * math.cos(0.7) + tz * math.sin(0.7), tz * math.cos(0.7) - tx * math.sin(0.7)
    turned = steer_to_pose(3.0, 4.0, yaw + 0.7, speed, 3.0 + turned_x, 4.0 + turned_z, heading + 0.7, 1.2, LIMIT, 0.02)
    mirrored = steer_to_pose(0.0, 0.0, -yaw, speed, -tx, tz, -heading, 1.2, LIMIT, 0.02)
    # At an angle of exactly half a turn both ways are as good; tiny rounding decides.
    sight = math.atan2(tx, tz)
    if math.hypot(tx, tz) > 1e-3 and min(math.pi - abs(wrapped(a - sight)) for a in (yaw, heading)) > 1e-6:
        np.testing.assert_allclose(turned, plain, atol=1e-6)
        np.testing.assert_allclose(mirrored, (plain[0], -plain[1]), atol=1e-6)
    assert abs(plain[1]) <= steering.FASTEST_TURN


def walk_path(path: np.ndarray, cruise: float, frames: int = 3000):
    """Follow a path from its start; gives the places, speeds and turn rates."""
    x, z = path[0]
    yaw, speed, progress = math.atan2(*(path[1] - path[0])), cruise, 0.0
    rows = []
    for _ in range(frames):
        before = progress
        speed, turn, progress = follow(x, z, yaw, speed, path, progress, cruise, 0.0, 1.0, 1.0 / RATE)
        assert progress >= before
        x, z, yaw = moved(x, z, yaw, speed, turn)
        rows.append((x, z, speed, turn))
        if math.hypot(x - path[-1, 0], z - path[-1, 1]) < 0.1:
            return np.array(rows)
    raise AssertionError("the path's end was not reached")


def test_a_smooth_path_is_followed_closely_and_curves_are_taken_slowly():
    s = np.linspace(0.0, 30.0, 301)
    path = np.stack([2.0 * np.sin(0.5 * s), s], axis=1)
    rows = walk_path(path, 2.5)
    off = np.sqrt(((rows[:, None, :2] - path[None]) ** 2).sum(2)).min(1)
    assert off.max() < 0.35
    assert (np.abs(rows[:, 2] * rows[:, 3]) <= steering.SIDEWAYS * 1.15).all()
    assert rows[:, 2].max() > 1.5


def test_corners_are_rounded_and_the_walker_stops_at_the_end():
    path = np.array([[0.0, 0.0], [0.0, 6.0], [6.0, 6.0], [6.0, 0.0], [2.0, 0.0], [2.0, -4.0]])
    rows = walk_path(path, 1.4)
    closest = np.sqrt(((rows[:, None, :2] - path[None, 1:5]) ** 2).sum(2)).min(0)
    assert (closest < 0.5).all()
    assert rows[-1, 2] < 0.6
    straight = np.abs(rows[:, 3]) < 1e-3
    assert rows[straight, 2].max() == pytest.approx(1.4)


@given(st.floats(-50.0, 50.0))
def test_angles_are_wrapped(a):
    assert -math.pi - 1e-9 <= wrapped(a) <= math.pi + 1e-9
    assert math.cos(wrapped(a)) == pytest.approx(math.cos(a), abs=1e-9)
    assert math.sin(wrapped(a)) == pytest.approx(math.sin(a), abs=1e-9)
    assert nearer(1.0, 1.0 + a, 0.5) == pytest.approx(1.0 + min(0.5, max(-0.5, a)))


@given(
    st.floats(-2.0, 2.0), st.floats(-2.0, 2.0), st.floats(-4.0, 4.0), st.floats(0.0, 2.0), st.floats(0.0, 0.3),
    st.floats(-4.0, 4.0), st.booleans(),
)  # fmt: skip
def test_only_who_is_slow_steps_aside_and_never_ahead(vx, vz, yaw, speed, aside, whither, may):
    before = np.array([aside * math.sin(whither), aside * math.cos(whither)])
    now, ahead = before, np.array([math.sin(yaw), math.cos(yaw)])
    for _ in range(60):
        new = np.array(step_aside(vx, vz, yaw, speed, *now, may, 1.0 / 60.0))
        assert np.hypot(*(new - now)) <= ASIDE_CHANGE / 60.0 + 1e-12
        now = new
    # After a second it has come to what it wants and does not face, as far as it may.
    wish = np.array([vx, vz]) - max(0.0, float(ahead @ [vx, vz])) * ahead
    most = FASTEST_ASIDE * max(0.0, 1.0 - speed / ASIDE_BELOW) if may and np.hypot(*wish) > 0.02 else 0.0
    assert np.hypot(*now) == pytest.approx(min(most, np.hypot(*wish)), abs=1e-9)
    assert now @ ahead < 1e-9
