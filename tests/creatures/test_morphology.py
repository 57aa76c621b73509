"""Creatures from a skeleton and the names of their hips and tips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.body import capsule_body
from locomote.creatures import Morphology
from locomote.errors import FormatError, LocomoteError, SkeletonError
from tests.creatures.bodies import CREATURES, Built, quadruped

HEADS = {"spider": "head", "wolf": "head", "ant": "head", "lizard": "head", "biped": "head"}
TAILS = {"wolf": "tail0", "lizard": "tail0"}
SPINES = {
    "spider": ("head", "thorax"),
    "ant": ("head", "thorax"),
    "wolf": ("head", "neck", "chest", "back", "pelvis"),
    "lizard": ("head", "neck", "chest", "back", "pelvis"),
    "robot": (),
    "biped": ("head", "chest", "pelvis"),
}


def mapped(name: str, built: Built) -> Morphology:
    return Morphology.from_names(built.skeleton(), built.legs, head=HEADS.get(name), tail=TAILS.get(name), name=name)


@pytest.mark.feature("LEG-01")
@pytest.mark.parametrize("name", CREATURES)
def test_a_creature_is_derived_from_names(name: str) -> None:
    built = CREATURES[name]()
    found = mapped(name, built)
    places = np.array(built.places)
    chains = [[built.names.index(f"{hip[:-2]}_{k}") for k in range(int(tip[-1]) + 1)] for hip, tip in built.legs]
    hips, feet = places[[c[0] for c in chains]], places[[c[-1] for c in chains]]
    middle = np.array([hips[:, 0].mean(), feet[:, 1].min(), hips[:, 2].mean()])
    assert len(found) == len(built.legs)
    assert [list(leg.joints) for leg in found.legs] == [c[:-1] for c in chains]
    assert np.abs(found.hips - (hips - middle)).max() < 1e-6
    assert np.abs(found.rest_feet - (feet - middle)).max() < 1e-6
    for lengths, chain in zip(found.segment_lengths, chains, strict=True):
        assert np.abs(lengths - np.linalg.norm(np.diff(places[chain], axis=0), axis=1)).max() < 1e-6
    assert np.abs(found.rest_pose[0] - (places - middle)).max() < 1e-6
    assert tuple(found.skeleton.names[j] for j in found.spine) == SPINES[name]
    for leg, girdle in zip(found.legs, found.girdles, strict=True):
        assert girdle in found.skeleton.ancestors(leg.hip)
    with pytest.raises(SkeletonError, match=r"no joint 'knee'; the joints are: .*" + built.names[-1]):
        Morphology.from_names(built.skeleton(), [(built.legs[0][0], "knee")])


@pytest.mark.parametrize("name", CREATURES)
def test_legs_know_their_side_and_row(name: str) -> None:
    found = mapped(name, CREATURES[name]())
    for leg, foot in zip(found.legs, found.rest_feet, strict=True):
        assert leg.side == (0 if abs(foot[0]) < 1e-6 else np.sign(foot[0]))
    if name != "robot":
        assert found.ranks == tuple(f // 2 for f in range(len(found)))
        assert found.sides == (1, -1) * (len(found) // 2)
    else:
        assert found.sides == (0, 1, 1, -1, -1)
        assert found.ranks == (0, 1, 2, 2, 1)


@pytest.mark.parametrize("forward", ["+x", "-x", "-z", (1.0, 0.0, 1.0)])
def test_a_creature_that_faces_elsewhere_is_turned(forward: object) -> None:
    built = quadruped()
    straight = mapped("wolf", built)
    aim = {"+x": (1, 0, 0), "-x": (-1, 0, 0), "-z": (0, 0, -1)}.get(str(forward), forward)
    turn = rot.from_yaw(np.arctan2(aim[0], aim[2]))  # type: ignore[index]
    built.places = [rot.rotate(turn, place) + np.array([3.0, 1.0, -2.0]) for place in built.places]
    skeleton = built.skeleton()
    body = capsule_body(skeleton)
    turned = Morphology.from_names(
        skeleton,
        built.legs,
        body=body,
        head="head",
        tail="tail0",
        forward=forward,  # type: ignore[arg-type]
    )
    assert np.abs(turned.rest_feet - straight.rest_feet).max() < 1e-9
    assert turned.spine == straight.spine
    assert turned.body is not None
    assert np.abs(turned.body.posed(*turned.rest_pose) - turned.body.vertices).max() < 1e-9
    assert np.abs(turned.body.bind_positions - turned.rest_pose[0]).max() < 1e-9


def test_wrong_names_are_told_with_the_right_ones() -> None:
    built = quadruped()
    skeleton = built.skeleton()
    with pytest.raises(SkeletonError, match="does not hang below the hip 'chest_l_0'; above it are: pelvis_l_2"):
        Morphology.from_names(skeleton, [("chest_l_0", "pelvis_l_3")])
    with pytest.raises(SkeletonError, match="is the root"):
        Morphology.from_names(skeleton, [("pelvis", "pelvis_l_3")])
    with pytest.raises(SkeletonError, match="has no length"):
        Morphology.from_names(skeleton, [("chest_l_0", "chest_l_0")])
    with pytest.raises(SkeletonError, match="at least one leg"):
        Morphology.from_names(skeleton, [])
    with pytest.raises(SkeletonError, match="expected \\+x"):
        Morphology.from_names(skeleton, built.legs, forward="up")
    with pytest.raises(SkeletonError, match="the legs are: left 1, right 1"):
        mapped("wolf", built).leg("left 9")


@pytest.mark.parametrize("name", CREATURES)
def test_the_rest_pose_is_within_the_limits(name: str) -> None:
    found = mapped(name, CREATURES[name]())
    for leg in found.legs:
        assert np.array_equal(leg.limits.rest, found.skeleton.rest_rotations[list(leg.joints)])
        assert np.allclose(np.linalg.norm(leg.limits.axes, axis=1), 1.0)
        assert np.all(leg.limits.twist[:, 0] <= 0.0)
        assert np.all(leg.limits.twist[:, 1] >= 0.0)
        assert leg.limits.swing[0] > 0.0
        assert np.all(leg.limits.swing[1:] == 0.0)


def test_a_bent_joint_bends_on_and_never_the_other_way() -> None:
    found = mapped("wolf", quadruped())
    positions, turns = found.rest_pose
    for leg, lengths in zip(found.legs, found.segment_lengths, strict=True):
        upper, knee, lower = leg.joints
        low, _ = leg.limits.twist[1]
        straight = rot.from_axis_angle(rot.rotate(turns[knee], leg.limits.axes[1]), low)
        ankle = positions[knee] + rot.rotate(straight, positions[lower] - positions[knee])
        assert np.linalg.norm(ankle - positions[upper]) == pytest.approx(lengths[0] + lengths[1], abs=1e-9)


@pytest.mark.parametrize("name", CREATURES)
def test_a_saved_creature_comes_back(name: str, tmp_path: Path) -> None:
    found = mapped(name, CREATURES[name]())
    found = found.with_body(capsule_body(found.skeleton))
    found.save(tmp_path / "creature.npz")
    back = Morphology.load(tmp_path / "creature.npz")
    for key in ("name", "head", "spine", "tail", "box", "thickness", "girdles", "sides", "ranks"):
        assert getattr(back, key) == getattr(found, key)
    for key in ("hips", "rest_feet", "reaches", "centre"):
        assert np.array_equal(getattr(back, key), getattr(found, key))
    for ours, theirs in zip(found.legs, back.legs, strict=True):
        assert np.array_equal(ours.limits.packed(), theirs.limits.packed())
    assert back.skeleton.roles == found.skeleton.roles
    assert found.body is not None
    assert back.body is not None
    assert np.array_equal(found.body.vertices, back.body.vertices)


def test_other_files_are_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(FormatError, match="not a whole file of a creature"):
        Morphology.load(tmp_path / "other.npz")
    with pytest.raises(LocomoteError, match="no such file"):
        Morphology.load(tmp_path / "none.npz")


def test_a_scaled_creature_is_larger_in_everything() -> None:
    found = mapped("wolf", quadruped())
    large = found.scaled(3.0)
    assert np.allclose(large.rest_feet, 3.0 * found.rest_feet)
    assert large.hip_height == pytest.approx(3.0 * found.hip_height)
    assert large.thickness == pytest.approx(3.0 * found.thickness)
    with pytest.raises(LocomoteError, match="positive"):
        found.scaled(0.0)


@pytest.mark.parametrize("name", CREATURES)
def test_the_skeleton_knows_the_same_legs(name: str) -> None:
    """What draws or measures motion goes by the roles of its skeleton."""
    found = mapped(name, CREATURES[name]())
    roles = found.skeleton.roles
    assert sorted(leg.chain for leg in roles.legs) == sorted(leg.joints for leg in found.legs)
    assert (roles.head, roles.tail, roles.forward) == (found.head, found.tail, (0.0, 0.0, 1.0))
    assert set(roles.spine) | set(roles.neck) <= set(found.spine)
    assert found.scaled(2.0).skeleton.roles.legs[0].toe_offset == pytest.approx(
        2.0 * np.array(roles.legs[0].toe_offset)
    )
    assert not {arm.shoulder for arm in roles.arms} & {leg.hip for leg in found.legs}
