"""Recorded walks and runs onto every rig at hand: they stand, they bend the right way, they go on."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from locomote.contacts import detect
from locomote.errors import SkeletonError
from locomote.formats import load, save
from locomote.motion import Motion
from locomote.retargeting import retarget
from locomote.retargeting._reference import reference_pose
from locomote.retargeting._soles import find_soles, sole_points

PEOPLE = (
    "khronos_CesiumMan.glb",
    "khronos_RiggedFigure.glb",
    "mesh2motion_human_skeleton.glb",
    "quaternius_Velociraptor.glb",
)
ANIMALS = (
    "khronos_Fox.glb",
    "mesh2motion_quadruped.glb",
    "quaternius_Wolf.glb",
    "quaternius_Horse.glb",
    "quaternius_Cow.glb",
    "quaternius_Frog.glb",
)
CLIPS = {"walk": "walk/cmu_07_01", "run": "run/cmu_09_01", "zero pose": "run/bandai_nc_ds1_run_normal_001"}

pytestmark = pytest.mark.data


@lru_cache
def person(data: Path, clip: str) -> Motion:
    return load(data / "human" / f"{CLIPS[clip]}.bvh.xz", drop_tpose=True)


@lru_cache
def dog(data: Path) -> Motion:
    return load(data / "animal" / "labrador_dog_quad_walkrun_001.bvh.xz")[300:600]


@lru_cache
def rig(data: Path, name: str) -> Motion:
    return load(data / "rigs" / name, **({"unit": "cm"} if name == "khronos_Fox.glb" else {}))


def check(source: Motion, target: Motion) -> Motion:
    result = retarget(source, target)
    skeleton = result.skeleton
    positions = result.joint_positions()
    assert skeleton is target.skeleton
    assert result.body is target.body
    assert np.all(np.isfinite(positions))

    # The body covers as much ground in its own size as the source in its.
    reference = reference_pose("target", skeleton, target)
    pace = [
        np.linalg.norm(np.ptp(motion.joint_positions()[:, motion.skeleton.roles.root][:, [0, 2]], axis=0))
        for motion in (source, result)
    ]
    ratio = pace[1] / pace[0]
    height = reference.positions[:, 1].max() - reference.positions[:, 1].min()
    assert 0.1 * height < ratio < 2.0 * height

    # Knees stay on the side on which the leg is built.
    for leg in skeleton.roles.legs:
        bend = reference.bend(leg)
        if abs(bend) > 0.03:
            hip, knee, ankle = (positions[:, j] for j in (leg.hip, leg.knee, leg.ankle))
            line = ankle - hip
            along = np.sum((knee - hip) * line, axis=1, keepdims=True) / np.sum(line**2, axis=1, keepdims=True)
            facing = np.diff(positions[:, skeleton.roles.root], axis=0).mean(axis=0)
            side = (knee - hip - along * line) @ (facing / np.linalg.norm(facing))
            assert np.mean(np.sign(side) == np.sign(bend)) > 0.9

    # Feet reach the ground and do not go through it.
    crouched = skeleton.roles.legs[0].detached_foot is not None and height < 2.0  # the frog's hocks lie on the ground
    if target.body is not None and not crouched:
        world = result.world()
        lows = np.array([target.body.posed(world[0][f], world[1][f])[:, 1].min() for f in range(0, len(result), 25)])
        assert np.median(lows) > -0.03 * height
        assert np.median(lows) < 0.03 * height
    return result


@pytest.mark.parametrize("clip", CLIPS)
@pytest.mark.parametrize("name", PEOPLE)
def test_people(data: Path, name: str, clip: str) -> None:
    check(person(data, clip), rig(data, name))


@pytest.mark.parametrize("name", ANIMALS)
def test_animals(data: Path, name: str) -> None:
    check(dog(data), rig(data, name))


@pytest.mark.parametrize("name", [name for name in PEOPLE + ANIMALS if name != "khronos_Fox.glb"])
def test_a_standing_foot_rolls_and_never_slides(data: Path, name: str) -> None:
    source = person(data, "walk") if name in PEOPLE else dog(data)
    target = rig(data, name)
    result = retarget(source, target, froude=False)
    roles = result.skeleton.roles
    reference = reference_pose("target", result.skeleton, target)
    soles = find_soles(result.skeleton, roles, reference, target.body)
    points = sole_points(result, reference, roles, soles, result.world()[1])[..., [0, 2]]
    factor = result.skeleton.leg_length() / source.skeleton.leg_length()
    contacts = detect(source)
    for i, leg in enumerate(contacts.legs):
        own = points[:, roles.legs.index(roles.leg(leg.side, leg.row))]
        for start, stop in contacts.intervals(i):
            if start == 0 or stop == len(source):
                continue
            middle = slice(start + (stop - start) // 3, stop - (stop - start) // 3)
            # At every instant some point of the sole stands still: heel, ball or toe.
            slid = np.linalg.norm(np.diff(own[middle], axis=0), axis=-1).min(axis=1).sum()
            assert slid < 0.005 * factor


def test_onto_itself(data: Path) -> None:
    walk = person(data, "walk")
    again = retarget(walk, walk.skeleton, feet=False)
    np.testing.assert_allclose(again.joint_positions(), walk.joint_positions(), atol=1e-6)
    lab = dog(data)
    below = [j for j in range(len(lab.skeleton)) if lab.skeleton.roles.root in lab.skeleton.ancestors(j)]
    again = retarget(lab, lab, feet=False)
    np.testing.assert_allclose(again.joint_positions()[:, below], lab.joint_positions()[:, below], atol=1e-4)


@pytest.mark.parametrize("name", ["khronos_CesiumMan.glb", "quaternius_Velociraptor.glb"])
def test_the_mesh_is_written_and_read_again(data: Path, tmp_path: Path, name: str) -> None:
    result = retarget(person(data, "walk"), rig(data, name))
    save(result, tmp_path / "out.glb")
    again = load(tmp_path / "out.glb")
    np.testing.assert_allclose(again.joint_positions(), result.joint_positions(), atol=1e-4)
    assert again.body is not None
    assert len(again.body.vertices) == len(rig(data, name).body.vertices)  # type: ignore[union-attr]


def test_a_person_does_not_go_onto_a_horse(data: Path) -> None:
    with pytest.raises(SkeletonError, match="the source has 2 legs and the target 4"):
        retarget(person(data, "walk"), rig(data, "quaternius_Horse.glb"))


def test_a_zero_pose_without_sense_needs_a_motion(data: Path) -> None:
    with pytest.raises(SkeletonError, match="give a motion of it instead"):
        retarget(person(data, "walk"), person(data, "zero pose").skeleton)
    check(person(data, "walk"), person(data, "zero pose"))
