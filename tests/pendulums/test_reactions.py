"""Trees of skeletons, hits that a body recovers from, and parts that swing behind."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.pendulums import Hit, Spring, Tree, follow, overlay


@pytest.fixture(scope="module")
def walk() -> lm.Motion:
    return lm.samples.performer(speed=1.3).motion


@pytest.mark.feature("LEG-59")
def test_every_bone_of_a_skeleton_is_a_pendulum_of_its_length_and_direction(walk: lm.Motion) -> None:
    skeleton = walk.skeleton
    tree = Tree.from_skeleton(skeleton)
    positions, turns = skeleton.rest_pose()
    carriers = set(skeleton.parents[1:].tolist()) | set(skeleton.end_parents.tolist())
    assert set(tree.joints.tolist()) == carriers  # one each: the bones of this rig all have a length
    anchors, frames = tree.targets(positions, turns)
    assert np.allclose(anchors, positions[tree.joints])
    bars = tree.lengths[:, None] * rot.rotate(frames, np.array([0.0, 1.0, 0.0]))
    for b, joint in enumerate(tree.joints):
        ends = [positions[c] for c in skeleton.children(joint)]
        on_joint = np.flatnonzero(skeleton.end_parents == joint)
        ends = ends or [positions[joint] + rot.rotate(turns[joint], skeleton.end_offsets[e]) for e in on_joint]
        assert min(np.linalg.norm(anchors[b] + bars[b] - end) for end in ends) < 1e-12
        father = tree.parents[b]
        assert (father < 0 and joint == 0) or tree.joints[father] == skeleton.parents[joint]


@pytest.mark.feature("LEG-56")
def test_without_hits_the_motion_is_the_same_bit_for_bit(walk: lm.Motion) -> None:
    everything = Tree.from_skeleton(walk.skeleton, inherit=0.5)
    for motion in (overlay(walk), overlay(walk, tree=everything)):
        assert np.array_equal(motion.rotations, walk.rotations)
        assert np.array_equal(motion.root_positions, walk.root_positions)


def test_a_body_that_is_hit_reacts_and_recovers(walk: lm.Motion) -> None:
    skeleton = walk.skeleton
    head = skeleton.roles.head
    assert head is not None
    chest = skeleton.names[skeleton.roles.spine[-1]]
    spring = Spring.settling(0.6, 0.5)
    hit = overlay(walk, [Hit(0.5, chest, (0.15, 0.0, 0.0))], spring=spring)
    away = hit.joint_positions() - walk.joint_positions()
    at_hit = round(0.5 * walk.fps)
    assert np.array_equal(away[: at_hit + 1], np.zeros_like(away[: at_hit + 1]))
    assert away[at_hit : at_hit + round(0.3 * walk.fps), head, 0].max() > 0.05
    late = away[at_hit + round(1.2 * walk.fps) :]
    assert len(late) > 5
    assert np.max(np.abs(late)) < 0.02
    for leg in skeleton.roles.legs:
        assert np.array_equal(away[:, leg.ankle], np.zeros_like(away[:, leg.ankle]))
    bones = np.linalg.norm(hit.joint_positions()[:, 1:] - hit.joint_positions()[:, skeleton.parents[1:]], axis=-1)
    assert np.allclose(bones, np.linalg.norm(skeleton.offsets[1:], axis=1), atol=1e-9)


def test_the_joints_stand_where_the_pendulums_hang(walk: lm.Motion) -> None:
    """The last share of a short blow ends with the hit tip displaced about as far as it was pushed."""
    arm = walk.skeleton.roles.arms[0]
    name = walk.skeleton.names[arm.elbow]
    hit = overlay(walk, [Hit(0.5, name, (0.0, 0.0, 0.08), seconds=0.0)], spring=Spring.settling(5.0, 0.5))
    frame = int(np.floor(0.5 * walk.fps)) + 1
    moved = (hit.joint_positions() - walk.joint_positions())[frame, arm.wrist]
    assert np.linalg.norm(moved - [0.0, 0.0, 0.08]) < 0.03


def tailed(frames: int, fps: float) -> lm.Motion:
    """A body with a tail of four links that goes straight on, then stands."""
    offsets = np.array([[0.0, 0.6, 0.0], [0, 0, -0.2], [0, 0, -0.15], [0, 0, -0.15], [0, 0, -0.15]])
    skeleton = lm.Skeleton(
        ("body", "tail1", "tail2", "tail3", "tail4"), np.arange(5) - 1, offsets,
        end_parents=np.array([4]), end_offsets=np.array([[0.0, 0.0, -0.15]]),
    )  # fmt: skip
    roots = np.zeros((frames, 3))
    roots[:, 0] = np.minimum(np.arange(frames) / fps, 1.0)
    return lm.Motion(skeleton, fps, roots, rot.identity(frames, 5))


def test_a_tail_swings_on_when_its_body_stops_and_comes_to_rest() -> None:
    motion = tailed(300, 60.0)
    swung = follow(motion, ["tail1", "tail2", "tail3", "tail4"], spring=Spring.settling(0.8, 0.4))
    away = swung.joint_positions() - motion.joint_positions()
    assert np.array_equal(away[:, :2], np.zeros_like(away[:, :2]))
    assert away[55, 4, 0] < -0.01  # it trails the sideways walk
    assert away[60:80, 4, 0].max() > 0.05  # and goes on when the body stops
    assert np.max(np.abs(away[-1])) < 0.005


def test_a_turning_carrier_leaves_its_antenna_behind() -> None:
    motion = tailed(60, 60.0)
    turns = motion.rotations.copy()
    turns[30:, 0] = rot.from_yaw(0.3)
    still = replace(motion, root_positions=np.zeros((60, 3)), rotations=turns)
    swung = follow(still, ["tail1"], spring=Spring.settling(1.0, 0.5))
    # The mass stays 0.35 m behind the body while the root of the tail swings 0.2 m behind it to the side.
    staying = np.arctan2(0.2 * np.sin(0.3), 0.35 - 0.2 * np.cos(0.3)) + 0.3
    assert rot.angle(swung.rotations[30, 1]) == pytest.approx(staying, abs=0.03)


def test_what_cannot_swing_or_be_hit_is_named(walk: lm.Motion) -> None:
    foot = walk.skeleton.names[walk.skeleton.roles.legs[0].hip]
    with pytest.raises(LocomoteError, match="cannot be hit"):
        overlay(walk, [Hit(0.1, foot, (0.1, 0.0, 0.0))])
    with pytest.raises(LocomoteError, match="needs the joints"):
        follow(walk)
    with pytest.raises(lm.SkeletonError, match="no joint"):
        follow(walk, ["trunk of an elephant"])
