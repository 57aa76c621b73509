"""Poses that are put onto another body as they come: the same as a whole clip without the planting of feet."""

import numpy as np
import pytest

import locomote as lm
from locomote.errors import LocomoteError, SkeletonError
from locomote.human import Crowd, HumanModel
from locomote.motion import Motion
from locomote.retargeting import LiveRetarget
from locomote.skeleton import Skeleton
from tests.made_rigs import PEOPLE, along_one_axis, trotting, walker


@pytest.fixture(scope="module")
def walk() -> Motion:
    return Crowd(HumanModel.default(), 1, speed=1.4).record(seconds=2.0, fps=60)


@pytest.mark.parametrize("name", [name for name in PEOPLE if name != "japanese"])
def test_frames_one_by_one_are_the_clip(walk: Motion, name: str) -> None:
    target = PEOPLE[name][0]
    whole = lm.retarget(walk, target, feet=False)
    live = LiveRetarget(walk, target)
    for frame in (0, 40, 119):
        root, turns = live.follow(walk.root_positions[frame : frame + 1], walk.rotations[frame : frame + 1])
        joints = Motion(target, 1.0, root, turns).joint_positions()[0]
        assert np.linalg.norm(joints - whole.joint_positions()[frame], axis=-1).max() < 1e-6


def test_a_source_whose_rest_pose_means_nothing_stands_as_it_moves() -> None:
    walk, target = along_one_axis(walker()), PEOPLE["twist leaves"][0]
    whole = lm.retarget(walk, target, feet=False)
    live = LiveRetarget(walk, target).motion(walk)
    assert np.linalg.norm(live.joint_positions() - whole.joint_positions(), axis=-1).max() < 1e-3


def test_a_dog_follows_a_dog_of_another_size() -> None:
    trot = trotting()
    twice = LiveRetarget(trot, trot.skeleton.scaled(2.0)).motion(trot)
    assert np.abs(twice.joint_positions() - 2.0 * trot.joint_positions()).max() < 1e-6


def test_a_skeleton_alone_is_enough(walk: Motion) -> None:
    same = LiveRetarget(walk.skeleton, walk.skeleton).motion(walk)
    assert np.abs(same.joint_positions() - walk.joint_positions()).max() < 1e-6  # poses of crowds are float32


def test_what_does_not_fit_is_refused(walk: Motion) -> None:
    with pytest.raises(SkeletonError, match="as many legs"):
        LiveRetarget(walk, trotting().skeleton)
    with pytest.raises(LocomoteError, match="positive"):
        LiveRetarget(walk, walk.skeleton, scale=0.0)
    other = Skeleton(("a",), np.array([-1]), np.zeros((1, 3)))
    with pytest.raises(LocomoteError, match="other names"):
        LiveRetarget(walk, walk.skeleton).motion(
            Motion(other, 30.0, np.zeros((2, 3)), np.tile((1.0, 0, 0, 0), (2, 1, 1)))
        )
