"""A walk onto rigs with the traits of many makers: it stands, goes on and bends its knees, or is refused in a line."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from locomote.errors import LocomoteError, SkeletonError
from locomote.formats._doubts import doubts, knee_bends, trunk_tilts
from locomote.motion import Motion
from locomote.retargeting import retarget
from locomote.skeleton import Skeleton
from tests import made_rigs as made
from tests.made_gltf import Trait, scene_of
from tests.roles.bodies import human

WALK = made.walker(2.5)
TWO_LEGS: dict[str, Skeleton] = {
    **{name: skeleton for name, (skeleton, _) in {**made.ROBOTS, **made.PEOPLE}.items()},
    "mixamo": human("mixamo")[0],
    "silent": human("silent")[0],
    "no feet": made.built((*made.MIDDLE, *made.LEG[:2], *made.ARM), {"shin_*": (0.0, -0.42, -0.02)}),
}


def check_walker(result: Motion, source: Motion = WALK) -> None:
    """Upright, on its feet, with knees that bend backwards, and as far as its legs are long."""
    roles, positions = result.skeleton.roles, result.joint_positions()
    assert np.all(np.isfinite(positions))
    assert doubts(result) == []
    if roles.neck or roles.head is not None:
        assert trunk_tilts(roles, positions).max() < 20.0
    size = result.skeleton.leg_length()
    for leg in roles.legs:
        if leg.ankle != leg.knee:
            bends = knee_bends(roles, leg, positions)
            assert bends.min() > -8.0
            assert 30.0 < bends.max() < 100.0
    feet = positions[:, [joint for leg in roles.legs for joint in (leg.ankle, leg.toe)]]
    low = np.concatenate([feet, result.end_positions()], axis=1)[..., 1].min(axis=1)
    assert np.ptp(low) < 0.1 * size
    gone = [np.linalg.norm((m.root_positions[-1] - m.root_positions[0])[[0, 2]]) for m in (result, source)]
    assert gone[0] / gone[1] == pytest.approx(size / source.skeleton.leg_length(), rel=0.3)


@pytest.mark.parametrize("name", TWO_LEGS)
def test_a_walk_onto_two_legs(name: str) -> None:
    check_walker(retarget(WALK, TWO_LEGS[name]))


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)])
def test_a_zero_pose_along_one_axis_is_not_believed(axis: made.Point) -> None:
    flat = made.along_one_axis(WALK, axis)
    names = WALK.skeleton.names
    np.testing.assert_allclose(made.placed(flat, names), made.placed(WALK, names), atol=1e-9)
    onto = retarget(WALK, flat, feet=False)
    back = retarget(flat, WALK.skeleton, feet=False)
    for result in (onto, back):
        apart = np.linalg.norm(made.placed(result, names) - made.placed(WALK, names), axis=-1)
        assert np.median(apart) < 0.03
        assert apart.max() < 0.12
        check_walker(result)


def test_a_stoop_is_not_taken_for_how_a_body_is_built() -> None:
    from locomote import rotations as rot

    bent = WALK.rotations.copy()
    spine = WALK.skeleton.index("Spine")
    bent[:, spine] = rot.multiply(bent[:, spine], rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.radians(30.0)))
    stooped = replace(WALK, rotations=bent)
    wanted = trunk_tilts(stooped.skeleton.roles, stooped.joint_positions())
    result = retarget(made.along_one_axis(stooped), WALK.skeleton, feet=False)
    got = trunk_tilts(result.skeleton.roles, result.joint_positions())
    assert np.median(wanted) > 15.0
    assert np.abs(got - wanted).max() < 6.0


@pytest.mark.parametrize("feet", [False, True])
def test_a_robot_dog_stands_on_its_feet(feet: bool) -> None:
    dog, robot = made.trotting(), made.robot_dog(("HIP", "THIGH", "SHANK"), 0.0, feet)
    result = retarget(dog, robot)
    assert result.skeleton is robot
    paws = result.joint_positions()[:, [leg.toe for leg in robot.roles.legs]] if feet else result.end_positions()
    knees = result.joint_positions()[:, [leg.knee for leg in robot.roles.legs]]
    lowest = paws[..., 1].min(axis=1)
    assert np.ptp(lowest) < 0.06
    assert (knees[..., 1] - lowest[:, None]).min() > 0.08
    assert result.root_positions[-1, 2] > 1.0


def test_a_leg_of_one_bone_is_refused() -> None:
    rows = (*made.MIDDLE, ("leg_*", "pelvis", (0.1, 0.9, 0.0)), ("foot_*", "leg_*", (0.1, 0.0, 0.0)), *made.ARM)
    for ends in ({}, {"foot_*": (0.0, 0.0, 0.15)}):
        stilts = made.built(rows, ends)
        with pytest.raises(SkeletonError, match="leg of the target has one bone") as refused:
            retarget(WALK, stilts)
        assert "\n" not in str(refused.value)
        still = Motion(stilts, 30.0, np.tile(stilts.offsets[0], (30, 1)), np.tile(stilts.rest_rotations, (30, 1, 1)))
        with pytest.raises(SkeletonError, match="leg of the source has one bone"):
            retarget(still, WALK.skeleton)


@pytest.mark.parametrize("factor", [0.02, 60.0])
def test_a_body_of_no_size_is_refused(factor: float) -> None:
    with pytest.raises(SkeletonError, match="m tall; load it with its unit"):
        retarget(WALK, WALK.skeleton.scaled(factor))
    assert np.all(np.isfinite(retarget(WALK, WALK.skeleton.scaled(factor), scale=factor).joint_positions()))


TRAITS = [
    Trait(up=up, unit=unit, armature_scale=scale, mesh_turn=turn, mesh_scale=0.01 if turn else 1.0)
    for up, unit, scale, turn in product(("y", "z"), (1.0, 0.01), (1.0, 0.01), (False, True))
]
TEN = ["links", "one ankle", "camel", "thighs", "numbers", "twist within", "copies", "japanese", "mixamo", "silent"]


@pytest.mark.parametrize("name", TEN)
def test_ten_rigs_by_axis_unit_scale_and_turn(name: str) -> None:
    skeleton = TWO_LEGS[name]
    walking, short = retarget(WALK, skeleton)[:40], WALK[:120]
    truth = retarget(short, scene_of(walking, TRAITS[0]).read(fps=WALK.fps))
    check_walker(truth, short)
    for trait in TRAITS:
        rig = scene_of(walking, trait).read(fps=WALK.fps)
        if trait.unit != 1.0:
            with pytest.raises(LocomoteError, match="m tall") as refused:
                retarget(short, rig)
            assert "\n" not in str(refused.value)
            rig = scene_of(walking, trait).read(fps=WALK.fps, unit=trait.unit)
        result = retarget(short, rig)
        np.testing.assert_allclose(made.placed(result, skeleton.names), made.placed(truth, skeleton.names), atol=2e-4)
