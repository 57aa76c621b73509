"""Laws of a single foot: what it stands on stays, its way keeps to its ends, its place goes with the ground."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.human._kernels import footplants as feet
from locomote.human._kernels.foothold import UNEVEN, foothold
from locomote.human._kernels.moving_ground import follow, put
from locomote.human._kernels.state import LOOKS, PLANTED, Foot
from locomote.human_skeleton import COMMON, TOE_LENGTH, heel_offset, hip_height
from locomote.math.records import zeros
from locomote.world import Ground
from locomote.world._kernels import ground as ground_kernel

SOLE = np.array(
    [heel_offset(1.0) / hip_height(1.0), COMMON.offsets[COMMON.index("LeftToeBase")], [0.0, 0.0, TOE_LENGTH]]
)
angle = st.floats(-1.2, 1.2)
place = st.tuples(*[st.floats(-5.0, 5.0)] * 3)
seven = st.lists(st.floats(-0.5, 0.5), min_size=7, max_size=7)


def floats(values) -> tuple[float, ...]:
    return tuple(float(v) for v in values)


def source(pitch: float, toes: float, yaw: float, ankle=(0.0, 0.1, 0.0)) -> feet.FootSource:
    turn = rot.multiply(rot.from_yaw(yaw), rot.exp([-pitch, 0.0, 0.0]))
    return feet.FootSource(floats(ankle), floats(turn), toes, pitch, float(ankle[1]))


def standing_foot(at, yaw: float, ahead: float, aside: float) -> np.void:
    foot = zeros(Foot, 1)[0]
    foot["state"], foot["piece"] = PLANTED, -1
    put(foot, floats(at), feet.flat_rotation(yaw, ahead, aside), -1, 0.0, np.zeros((0, 12)))
    return foot


def points_of(pose: feet.FootPose, size: float) -> np.ndarray:
    """Heel, ball and tip of a posed foot."""
    heel, ball = (np.array(pose.ankle) + rot.rotate(pose.turn, size * SOLE[k]) for k in range(2))
    toes = rot.multiply(pose.turn, rot.exp([-pose.toes, 0.0, 0.0]))
    return np.array([heel, ball, ball + rot.rotate(toes, size * SOLE[2])])


def twin_rolled(pitch: np.ndarray, level: float) -> np.ndarray:
    beyond = np.maximum(np.abs(pitch - level) - feet.DEAD_PITCH, 0.0)
    return np.sign(pitch - level) * (np.hypot(beyond, feet.SOFT_PITCH) - feet.SOFT_PITCH)


@given(st.floats(-0.14, 0.14))
def test_a_foot_rolls_no_more_than_its_source_and_never_faster(level):
    pitch = np.linspace(-1.5, 1.5, 3001)
    out = np.array([feet.rolled(p, level) for p in pitch])
    np.testing.assert_allclose(out, twin_rolled(pitch, level), atol=1e-12)
    rate = np.diff(out) / np.diff(pitch)
    assert np.all(rate >= -1e-9)
    assert np.all(rate <= 1.0 + 1e-9)
    assert np.max(np.abs(np.diff(rate))) < 0.025  # no corner: the rate changes by little in a thousandth of a radian
    assert np.all(out[np.abs(pitch - level) < feet.DEAD_PITCH] == 0.0)


@given(
    place,
    angle,
    st.floats(-0.5, 0.5),
    st.floats(-0.3, 0.3),
    angle,
    angle,
    st.sampled_from([0.0, 0.3, 1.0]),
    st.floats(0.4, 1.4),
)
@settings(max_examples=200)
def test_what_a_planted_foot_stands_on_stays(at, yaw, ahead, aside, pitch, toes, late, size):
    """The heel or the ball or the tip is exactly where the flat foot has it, and nothing is in the ground."""
    foot = standing_foot(at, yaw, ahead, aside)
    flat = foot["flat_turn"]
    # The height of a source whose lowest point is on the floor.
    lowest = min(rot.rotate(rot.exp([-pitch, 0.0, 0.0]), size * SOLE[k])[1] for k in range(2))
    pose = feet.planted_pose(foot, source(pitch, toes, yaw, (0.0, -lowest, 0.0)), late, 1.0, size, SOLE)
    points = points_of(pose, size)
    ball = np.array(at)
    at_rest = np.array(
        [
            ball + rot.rotate(flat, size * (SOLE[0] - SOLE[1])),
            ball,
            ball + rot.rotate(flat, size * SOLE[2]),
        ]
    )
    off = np.linalg.norm(points - at_rest, axis=1)
    if pose.pitch > 0.0:
        assert off[0] < 1e-12
    elif pose.toe_pitch == 0.0:
        assert np.all(off[1:] < 1e-12)
    else:
        assert off[2] < 1e-12
    if pose.pitch == 0.0:
        assert np.all(off < 1e-12)
    over = (points - ball) @ rot.rotate(flat, np.array([0.0, 1.0, 0.0]))
    assert np.min(over) > -1e-12


@given(place, angle, st.floats(0.05, 0.5), st.floats(0.0, 0.4), st.floats(-0.3, 0.4))
def test_a_heel_that_is_up_at_the_landing_comes_down_over_the_ball(at, yaw, tiptoe, stood, pitch):
    foot = standing_foot(at, yaw, 0.0, 0.0)
    foot["tiptoe"] = tiptoe
    landing = feet.planted_pose(foot, source(pitch, 0.0, yaw), 0.0, 0.0, 1.0, SOLE)
    assert landing.pitch == pytest.approx(-tiptoe)
    pose = feet.planted_pose(foot, source(pitch, 0.0, yaw), 0.0, stood, 1.0, SOLE)
    assert pose.pitch <= 0.0
    np.testing.assert_allclose(points_of(pose, 1.0)[1], at, atol=1e-12)
    if stood >= feet.HEEL_DOWN:
        assert pose.pitch == pytest.approx(min(0.0, float(twin_rolled(np.array([pitch]), 0.0)[0])))


@given(st.lists(st.floats(0.0, 0.3), min_size=LOOKS - 1, max_size=LOOKS - 1))
def test_a_foot_is_lifted_as_far_as_it_must_be_and_from_the_ground_to_the_ground(needs):
    foot = zeros(Foot, 1)[0]
    foot["lifts"] = needs
    foot["lifted"] = most = max(needs)
    if most < 1e-3:
        return
    lifts = np.array([feet.lift_at(foot, (i + 1.0) / LOOKS) for i in range(LOOKS - 1)])
    assert np.all(lifts >= np.array(needs) - 1e-12)
    assert np.max(lifts) < 1.45 * most
    assert feet.lift_at(foot, 0.0) == feet.lift_at(foot, 1.0) == 0.0


@given(seven, seven, seven, seven, st.floats(0.08, 1.0))
def test_a_way_keeps_value_and_rate_at_both_ends(start, start_rate, aim, aim_rate, duration):
    still = source(0.0, 0.0, 0.0)

    def offset_at(t: float) -> np.ndarray:
        foot = zeros(Foot, 1)[0]
        foot["offset"], foot["rate"], foot["aim"], foot["aim_rate"] = start, start_rate, aim, aim_rate
        feet.begin_way(foot, duration)
        with np.errstate(invalid="ignore"):  # a foot of no size
            feet.swing(foot, still, t)
        return foot["offset"].copy()

    h = 1e-6
    np.testing.assert_allclose(offset_at(0.0), start, atol=1e-12)
    np.testing.assert_allclose(offset_at(duration), aim, atol=1e-12)
    np.testing.assert_allclose((offset_at(h) - offset_at(0.0)) / h, start_rate, atol=2e-3)
    np.testing.assert_allclose((offset_at(duration) - offset_at(duration - h)) / h, aim_rate, atol=2e-3)


@given(st.floats(-3.0, 3.0), st.floats(-0.7, 0.7), st.floats(-0.7, 0.7))
def test_a_flat_foot_lies_in_the_plane_of_the_ground(yaw, ahead, aside):
    flat = feet.flat_rotation(yaw, ahead, aside)
    forward, up = (rot.rotate(flat, np.array(axis)) for axis in ((0.0, 0.0, 1.0), (0.0, 1.0, 0.0)))
    assert abs(math.remainder(math.atan2(forward[0], forward[2]) - yaw, 2.0 * math.pi)) < 1e-9
    s, c = math.sin(yaw), math.cos(yaw)
    along, left = np.array([s, ahead, c]), np.array([c, aside, -s])
    assert abs(up @ along) < 1e-9
    assert abs(up @ left) < 1e-9
    assert up[1] > 0.0


@given(place, angle, st.integers(0, 10**6))
def test_a_place_goes_with_its_piece_of_ground(at, yaw, seed):
    draw = np.random.default_rng(seed)
    ground = Ground()
    ground.add_platform((0.0, 0.0), (20.0, 20.0), 0.5, yaw=draw.uniform(-3, 3))
    pieces = ground.arrays[0]
    foot = zeros(Foot, 1)[0]
    put(foot, floats(at), feet.flat_rotation(yaw, 0.1, 0.0), 0, 0.0, pieces)

    def seen() -> np.ndarray:
        """The place and the foot's rotation as somebody on the piece sees them."""
        back = rot.from_yaw(-pieces[0, ground_kernel.YAW])
        here = rot.rotate(back, foot["goal"] - pieces[0, :3])
        return np.concatenate([here, rot.canonical(rot.multiply(back, foot["flat_turn"]))])

    before = seen()
    for _ in range(5):
        ground.move(0, position=draw.uniform(-3, 3, 3), yaw=draw.uniform(-3, 3))
        follow(foot, pieces)
        np.testing.assert_allclose(seen(), before, atol=1e-9)


@given(
    st.floats(-0.1, 3.0),
    st.floats(-0.4, 0.4),
    st.floats(0.08, 0.2),
    st.floats(0.28, 0.32),
    st.booleans(),
    st.floats(0.7, 1.1),
)
@settings(max_examples=300)
def test_a_foot_on_stairs_stands_on_a_tread_and_not_in_a_riser(z, yaw, rise, tread, down, size):
    ground = Ground()
    ground.add_stairs((0.0, 0.0), 8, rise, tread, down=down, landing=1.0)
    ball, flat, _, _, _ = foothold(0.1, z, yaw, size, SOLE, 0.0, ground.arrays)
    assert abs(ball[1] - ground.heights((ball[0], ball[2]))) < 1e-9
    along = np.linspace(size * (SOLE[0, 2] - SOLE[1, 2]), size * SOLE[2, 2], 40)
    sole = np.array(ball) + along[:, None] * rot.rotate(flat, np.array([0.0, 0.0, 1.0]))
    assert np.max(-ground.height_above(sole)) < 1e-9
    assert abs(rot.rotate(flat, np.array([0.0, 0.0, 1.0]))[1]) < 1e-9  # level, as the tread is


@given(st.integers(0, 10**6), st.floats(-3.0, 3.0))
def test_a_foot_on_a_plane_lies_flat_on_it_where_it_was_to_stand(seed, yaw):
    draw = np.random.default_rng(seed)
    slope = draw.uniform(-0.5, 0.5)
    ground = Ground(-100.0)
    ground.add_ramp((0.0, -20.0), 40.0, -20.0 * slope, 20.0 * slope, width=40.0)
    x, z = draw.uniform(-3, 3, 2)
    ball, flat, piece, _, _ = foothold(x, z, yaw, 0.97, SOLE, 0.0, ground.arrays)
    assert piece == 0
    np.testing.assert_allclose(ball, [x, slope * z, z], atol=1e-9)
    up = rot.rotate(flat, np.array([0.0, 1.0, 0.0]))
    np.testing.assert_allclose(up, ground.normal((x, z)), atol=1e-9)


def test_level_ground_is_taken_as_it_is():
    ball, flat, piece, _, _ = foothold(1.0, 2.0, 0.3, 1.0, SOLE, 0.0, Ground(0.7).arrays)
    assert (ball, piece) == ((1.0, 0.7, 2.0), -1)
    np.testing.assert_allclose(flat, rot.from_yaw(0.3))


def test_the_edge_of_a_step_is_a_hold_for_the_forefoot():
    """Far up a flight of narrow treads there is no room for a whole foot: the ball stands, the heel hangs over."""
    ground = Ground()
    ground.add_stairs((0.0, 0.0), 8, 0.18, 0.2, landing=1.0)
    ball, _, _, _, _ = foothold(0.0, 0.7, 0.0, 1.0, SOLE, 0.0, ground.arrays)
    assert ball[1] == pytest.approx(float(ground.heights((0.0, ball[2]))))
    tip = ball[2] + SOLE[2, 2]
    assert float(ground.heights((0.0, tip))) <= ball[1] + UNEVEN


@given(st.floats(-0.3, 0.3), st.floats(0.1, 0.55), st.booleans(), st.floats(0.6, 1.1))
def test_over_the_edge_of_a_ramp_the_ball_touches_the_ground_and_nothing_is_in_it(z, slope, down, size):
    """A crest: up the ramp and then level, or level and then down."""
    ground = Ground(-100.0)
    before, after = (0.0, -slope) if down else (slope, 0.0)
    ground.add_ramp((0.0, -3.0), 3.0, -3.0 * before, 0.0, width=10.0)
    ground.add_ramp((0.0, 0.0), 3.0, 0.0, 3.0 * after, width=10.0)
    ball, flat, _, _, _ = foothold(0.0, z, 0.0, size, SOLE, 0.0, ground.arrays)
    assert abs(ball[1] - ground.heights((ball[0], ball[2]))) < 1e-9
    along = np.linspace(size * (SOLE[0, 2] - SOLE[1, 2]), size * SOLE[2, 2], 40)
    sole = np.array(ball) + along[:, None] * rot.rotate(flat, np.array([0.0, 0.0, 1.0]))
    assert np.max(-ground.height_above(sole)) < 0.004 * size
