from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.human.fitting._importing import import_motion
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.samples import performer


def directions(positions: np.ndarray, parents: list[int], children: list[int]) -> np.ndarray:
    bones = positions[:, children] - positions[:, parents]
    return bones / np.linalg.norm(bones, axis=-1, keepdims=True)


@pytest.mark.data
@pytest.mark.parametrize("clip", ["walk/cmu_16_15.bvh.xz", "run/treadmill_hamner_s02_run300.ik.mot.xz"])
def test_bones_keep_their_directions(data: Path, clip: str) -> None:
    options = {"drop_tpose": True} if ".bvh" in clip else {}
    motion = lm.load(data / "human" / clip, **options)
    taken = import_motion(motion)
    roles = motion.skeleton.roles
    own = Motion(COMMON, taken.fps, taken.root, taken.rotations).joint_positions()
    file = motion.joint_positions()
    for leg in roles.legs:
        name = leg.side.capitalize()
        common = [COMMON.index(name + part) for part in ("UpLeg", "Leg", "Foot")]
        chain = [leg.hip, leg.knee, leg.ankle]
        np.testing.assert_allclose(
            directions(own, common[:-1], common[1:]), directions(file, chain[:-1], chain[1:]), atol=1e-6
        )
    aside = 1e-6 if ".bvh" in clip else 0.05  # there the wrist hangs on a bone that turns about the forearm
    for arm in roles.arms:
        name = arm.side.capitalize()
        common = [COMMON.index(name + part) for part in ("Arm", "ForeArm", "Hand")]
        chain = [arm.shoulder, arm.elbow, arm.wrist]
        np.testing.assert_allclose(
            directions(own, common[:-1], common[1:]), directions(file, chain[:-1], chain[1:]), atol=aside
        )


@pytest.mark.data
@pytest.mark.parametrize("clip", ["walk/cmu_07_01.bvh.xz", "run/treadmill_hamner_s02_run300.ik.mot.xz"])
def test_knees_are_hinges_about_x_and_elbows_about_one_axis(data: Path, clip: str) -> None:
    options = {"drop_tpose": True} if ".bvh" in clip else {}
    taken = import_motion(lm.load(data / "human" / clip, **options))
    for side in ("Left", "Right"):
        knee = rot.log(taken.rotations[:, COMMON.index(f"{side}Leg")])
        assert np.degrees(np.abs(knee[:, 1:])).max() < 2.0
        elbow = rot.log(taken.rotations[:, COMMON.index(f"{side}ForeArm")])
        assert np.degrees(np.abs(elbow[:, [0, 2]])).max() < 6.0


def test_the_common_skeleton_is_taken_over_unchanged() -> None:
    motion = performer(1.2, leg_length=0.8, seconds=1.0).motion
    taken = import_motion(motion)
    assert taken.hip_height == pytest.approx(0.8 / 0.925)
    again = Motion(COMMON.scaled(taken.hip_height), taken.fps, taken.root * taken.hip_height, taken.rotations)
    legs = [COMMON.index(f"{side}{part}") for side in ("Left", "Right") for part in ("UpLeg", "Leg", "Foot", "ToeBase")]
    own = [motion.skeleton.index(COMMON.names[j]) for j in legs]
    np.testing.assert_allclose(again.joint_positions()[:, legs], motion.joint_positions()[:, own], atol=1e-3)


def test_a_given_hip_height_scales_the_path() -> None:
    motion = performer(1.2, seconds=1.0).motion
    plain, given = import_motion(motion), import_motion(motion, hip_height=1.2)
    assert given.hip_height == 1.2
    ratio = plain.hip_height / 1.2
    np.testing.assert_allclose(np.diff(given.root[:, 2]), ratio * np.diff(plain.root[:, 2]), atol=2e-3)


def test_what_is_no_person_is_refused() -> None:
    tail = lm.Skeleton(("a", "b", "c"), np.array([-1, 0, 1]), np.array([[0, 1, 0], [0, 1, 0], [0, 1, 0]]))
    motion = Motion(tail, 30.0, np.zeros((2, 3)), rot.identity(2, 3), name="snake")
    with pytest.raises(SkeletonError, match="snake: expected a person with two legs"):
        import_motion(motion)
