"""Fitting reads people whatever their zero pose, and refuses those who lie or are of no size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import SkeletonError
from locomote.formats import load
from locomote.formats._doubts import knee_bends, trunk_tilts
from locomote.human.fitting._importing import import_motion
from tests import made_rigs as made

WALK = made.walker(2.0)


@pytest.mark.parametrize("axis", [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, 1.0)])
def test_a_zero_pose_along_one_axis_makes_the_same_person(axis: made.Point) -> None:
    plain, flat = (import_motion(m).motion() for m in (WALK, made.along_one_axis(WALK, axis)))
    apart = np.linalg.norm(plain.joint_positions() - flat.joint_positions(), axis=-1)
    assert apart.mean() < 0.03
    assert apart.max() < 0.12


@pytest.mark.data
@pytest.mark.parametrize("clip", ["walk/bandai_nc_ds1_walk_sad_001", "run/bandai_nc_ds1_run_normal_001"])
def test_recorded_zero_poses_without_sense(data: Path, clip: str) -> None:
    motion = load(data / "human" / f"{clip}.bvh.xz")
    person = import_motion(motion).motion()
    tilts = [trunk_tilts(m.skeleton.roles, m.joint_positions()) for m in (motion, person)]
    assert np.abs(tilts[0] - tilts[1]).max() < 6.0
    for leg in person.skeleton.roles.legs:
        assert knee_bends(person.skeleton.roles, leg, person.joint_positions()).min() > -3.0


def test_who_lies_or_has_no_size_is_refused() -> None:
    with pytest.raises(SkeletonError, match="degrees off upright"):
        import_motion(WALK.moved(rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.5 * np.pi)))
    with pytest.raises(SkeletonError, match="height 140"):
        import_motion(WALK.scaled(140.0 / made_height()))


def made_height() -> float:
    from locomote.formats._doubts import standing_height

    return standing_height(WALK.skeleton.roles, WALK.joint_positions())
