from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.formats import load
from locomote.human.fitting._importing import import_motion
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.samples import performer
from locomote.skeleton import Skeleton
from locomote.steps._limbs import Limbs, from_limbs, knee_roll, place_knee, to_limbs

CLIPS = ("side/cmu_69_42", "walk/cmu_132_20", "walk/cmu_07_12", "turn/cmu_91_01", "other/cmu_136_09")
KNEES = [COMMON.index("LeftLeg"), COMMON.index("RightLeg")]
TOES = [COMMON.index("LeftToeBase"), COMMON.index("RightToeBase")]
HIP, ROOT = np.zeros(3), np.array([-0.095, 0.06, 0.0])


def moved(roots: FloatArray, rotations: FloatArray) -> FloatArray:
    """The largest distance of any joint or end site from where it was after a round trip."""
    limbs = to_limbs(COMMON, roots, rotations)
    before = Motion(COMMON, 1.0, roots, rotations)
    after = Motion(COMMON, 1.0, roots, from_limbs(COMMON, limbs))
    away = [
        a - b
        for a, b in (
            (after.joint_positions(), before.joint_positions()),
            (after.end_positions(), before.end_positions()),
        )
    ]
    return np.linalg.norm(np.concatenate(away, axis=1), axis=-1)


@pytest.mark.data
@pytest.mark.feature("STR-16")
@pytest.mark.parametrize("name", CLIPS)
def test_recorded_poses_come_back(data: Path, name: str) -> None:
    capture = import_motion(load(data / "human" / f"{name}.bvh.xz", drop_tpose=True))
    assert moved(capture.root, capture.rotations).max() * capture.hip_height < 1e-5


@pytest.mark.feature("STR-16")
def test_performed_poses_come_back_with_plain_hinges() -> None:
    capture = import_motion(performer(speed=1.2, turn_rate=0.4, seconds=2, fps=60).motion)
    assert moved(capture.root, capture.rotations).max() < 1e-7
    turns = from_limbs(COMMON, to_limbs(COMMON, capture.root, capture.rotations))
    assert np.abs(turns[:, KNEES + TOES, 2:]).max() < 1e-9  # they only bend about x
    assert np.all(turns[:, KNEES, 1] > 0.0)  # and knees only one way


def test_feet_may_be_moved_without_stretching_a_bone() -> None:
    capture = import_motion(performer(speed=1.2, seconds=1, fps=60).motion)
    limbs = to_limbs(COMMON, capture.root, capture.rotations)
    lifted = Limbs(limbs.roots, limbs.rotations, limbs.feet + np.array([0.02, 0.05, -0.03]), limbs.knee_rolls)
    again = to_limbs(COMMON, limbs.roots, from_limbs(COMMON, lifted))
    np.testing.assert_allclose(again.feet, lifted.feet, atol=1e-9)
    np.testing.assert_allclose(again.knee_rolls, lifted.knee_rolls, atol=1e-6)


@given(
    roll=st.floats(-3.0, 3.0),
    down=st.floats(0.3, 0.9),
    side=st.floats(-0.3, 0.3),
    ahead=st.floats(-0.3, 0.3),
)
def test_a_knee_is_where_its_roll_says(roll: float, down: float, side: float, ahead: float) -> None:
    ankle = np.array([side, -down, ahead])
    ankle *= min(1.0, 0.9 / float(np.linalg.norm(ankle)))
    knee, hinge = place_knee(HIP, ROOT, ankle, np.array(roll), 0.46, 0.45)
    assert np.linalg.norm(knee - HIP) == pytest.approx(0.46)
    assert np.linalg.norm(knee - ankle) == pytest.approx(0.45)
    assert abs(hinge @ ankle) < 1e-9
    assert knee_roll(HIP, ROOT, knee, ankle, ankle + np.array([0.0, 0.0, 0.1])) == pytest.approx(roll, abs=1e-6)


def test_the_foot_tells_the_turn_of_a_stretched_leg() -> None:
    ankle, ball = np.array([0.0, -0.9, 0.0]), np.array([0.0, -0.95, 0.13])
    forward = knee_roll(HIP, ROOT, np.array([0.0, -0.45, 0.2]), ankle, ball)
    for wrong in ([0.005, -0.45, 0.0], [-0.005, -0.45, -0.002]):
        steady = knee_roll(HIP, ROOT, np.array(wrong), ankle, ball, leg_length=0.9)
        assert steady == pytest.approx(float(forward), abs=1e-6)


def test_poses_may_have_any_leading_axes() -> None:
    capture = import_motion(performer(speed=1.0, seconds=1, fps=24).motion)
    flat = to_limbs(COMMON, capture.root[:24], capture.rotations[:24])
    deep = to_limbs(COMMON, capture.root[:24].reshape(4, 6, 3), capture.rotations[:24].reshape(4, 6, -1, 4))
    np.testing.assert_allclose(deep.feet.reshape(flat.feet.shape), flat.feet, atol=1e-12)
    turns = from_limbs(COMMON, deep)
    assert turns.shape == (4, 6, len(COMMON), 4)
    np.testing.assert_allclose(rot.angle(turns[0, 0, 0]), rot.angle(capture.rotations[0, 0]), atol=1e-12)


def test_a_body_without_two_legs_is_refused() -> None:
    stick = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]))
    with pytest.raises(SkeletonError, match="one left and one right leg"):
        to_limbs(stick, np.zeros((1, 3)), rot.identity(1, 2))
