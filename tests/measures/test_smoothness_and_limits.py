"""Accelerations, pops, bone lengths and joint limits on motions made for the purpose."""

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.measures.limits import flexion_degrees, limits
from locomote.measures.smoothness import smoothness
from locomote.motion import Motion
from locomote.samples import human_skeleton
from locomote.skeleton import Skeleton

PAIR = Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.array([[0, 0, 0], [0, 1, 0], [0, 1, 0]]))


def still(frames: int = 20, **changes: object) -> Motion:
    return Motion(PAIR, 100.0, np.zeros((frames, 3)), rot.identity(frames, 3), **changes)  # type: ignore[arg-type]


def test_free_fall_shows_gravity() -> None:
    t = np.arange(50) / 100.0
    root = np.stack([0 * t, -0.5 * 9.81 * t**2, 2.0 * t], axis=1)
    motion = Motion(PAIR, 100.0, root, rot.identity(50, 3))
    found = smoothness(motion, motion.joint_positions())
    assert found.peak_acceleration == pytest.approx(9.81, rel=1e-6)
    assert found.pop_frames == ()
    assert found.by_joint == pytest.approx({"a": 9.81, "b": 9.81, "c": 9.81})


def test_a_jump_of_one_frame_is_a_pop_there() -> None:
    root = np.zeros((40, 3))
    root[17] = (0.3, 0, 0)
    motion = Motion(PAIR, 100.0, root, rot.identity(40, 3))
    found = smoothness(motion, motion.joint_positions())
    assert found.pop_frames == (16, 17, 18)
    assert found.peak_acceleration == pytest.approx(2 * 0.3 * 100**2)


def test_bone_drift_needs_moving_joints() -> None:
    assert smoothness(still(), still().joint_positions()).bone_drift == 0.0
    moved = np.tile(PAIR.offsets, (20, 1, 1))
    moved[10:, 2, 1] = 1.007
    motion = still(translations=moved)
    assert smoothness(motion, motion.joint_positions()).bone_drift == pytest.approx(7.0)


@pytest.mark.parametrize("degrees", [-40.0, -10.0, 20.0, 90.0, 150.0])
def test_flexion_is_signed_by_the_side_it_bends_to(degrees: float) -> None:
    angle = np.radians(degrees)
    top, middle = np.array([[0.0, 1.0, 0.0]]), np.array([[0.0, 0.5, 0.0]])
    low = middle + 0.5 * np.array([[0.0, -np.cos(angle), -np.sin(angle)]])  # backwards for positive angles
    back = np.array([[0.0, 0.0, -1.0]])
    assert flexion_degrees(top, middle, low, back)[0] == pytest.approx(degrees)


@pytest.mark.parametrize(("degrees", "violations"), [(30.0, 0), (-30.0, 10)])
def test_a_knee_bent_forwards_is_counted(degrees: float, violations: int) -> None:
    skeleton = human_skeleton()
    turns = rot.identity(10, len(skeleton))
    knee = skeleton.roles.leg("left").knee
    turns[:, knee] = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(degrees))
    motion = Motion(skeleton, 60.0, np.zeros((10, 3)), turns)
    positions, world = motion.world()
    found = limits(motion, positions, world)
    assert found.violations == violations
    if violations:
        assert found.worst == pytest.approx(15.0, abs=0.5)
        assert found.worst_joint == skeleton.names[knee]
