"""Every recorded clip, read, written and read again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.formats import load, save
from locomote.formats.bvh import added_rest_frames
from locomote.motion import Motion

TENTH_OF_A_MILLIMETRE = 1e-4


def clips(data: Path) -> list[Path]:
    return sorted((data / "human").glob("*/*.bvh.xz")) + sorted((data / "animal").glob("labrador*.bvh.xz"))


def points(motion: Motion) -> np.ndarray:
    return np.concatenate([motion.joint_positions(), motion.end_positions()], axis=1)


def unit_of(motion: Motion) -> str:
    return motion.notes[0].split()[1]


@pytest.mark.data
def test_all_clips_keep_every_joint(data: Path, tmp_path: Path) -> None:
    found = clips(data)
    assert len(found) > 500
    for path in found:
        motion = load(path)
        is_cmu = path.name.startswith("cmu")
        assert unit_of(motion) == ("cmu" if is_cmu else "cm"), path
        assert (added_rest_frames(motion.rotations) > 0) == is_cmu, path
        part = motion[:: max(1, len(motion) // 40)]
        expected = points(part)
        for name in ("again.bvh", "again.npz"):
            save(part, tmp_path / name)
            again = load(tmp_path / name)
            assert again.skeleton.names == motion.skeleton.names
            assert again.fps == motion.fps
            worst = np.max(np.linalg.norm(points(again) - expected, axis=-1))
            assert worst < (TENTH_OF_A_MILLIMETRE if name.endswith("bvh") else 1e-12), (path, name)
            if name.endswith("bvh"):
                assert unit_of(again) == "m", path


@pytest.mark.data
@pytest.mark.parametrize("clip", ["human/walk/cmu_07_01", "animal/labrador_dog_jump_002"])
def test_whole_clips_keep_every_joint(data: Path, tmp_path: Path, clip: str) -> None:
    motion = load(data / f"{clip}.bvh.xz")
    for options in ({}, {"unit": "cm", "order": "xzy"}, {"unit": "mm", "up": "z", "order": "zxy"}):
        save(motion, tmp_path / "again.bvh", **options)
        back = {key: value for key, value in options.items() if key != "order"}
        again = load(tmp_path / "again.bvh", **back)
        assert len(again) == len(motion)
        assert np.max(np.abs(points(again) - points(motion))) < TENTH_OF_A_MILLIMETRE


@pytest.mark.data
@pytest.mark.parametrize(
    "clip",
    ["human/walk/cmu_07_01", "human/walk/bandai_nc_ds1_walk_normal_001", "animal/labrador_dog_jump_002"],
)
def test_recorded_bodies_in_a_tpose(data: Path, tmp_path: Path, clip: str) -> None:
    motion = load(data / f"{clip}.bvh.xz")[::20]
    save(motion, tmp_path / "again.bvh", rest="tpose")
    again = load(tmp_path / "again.bvh")
    assert np.max(np.abs(points(again) - points(motion))) < TENTH_OF_A_MILLIMETRE
    roles, at = motion.skeleton.roles, again.skeleton.rest_pose()[0]
    assert roles.legs
    for leg in roles.legs:
        np.testing.assert_allclose(at[leg.hip, [0, 2]], at[leg.ankle, [0, 2]], atol=1e-6)
        assert at[leg.ankle, 1] < at[leg.hip, 1] - 0.3
    for arm in roles.arms:
        np.testing.assert_allclose(at[arm.shoulder, 1:], at[arm.wrist, 1:], atol=1e-6)
        assert (at[arm.wrist, 0] - at[arm.shoulder, 0] > 0.3) == (arm.side == "left")
