"""Every recorded clip, read, written and read again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from locomote.body import Body
from locomote.formats import load, save
from locomote.formats.bvh import added_rest_frames
from locomote.motion import Motion
from locomote.skeleton import Skeleton

TENTH_OF_A_MILLIMETRE = 1e-4
FRAMES = 24  # of each clip, spread over its length
FOLDERS = [f"human/{kind}" for kind in ("walk", "run", "turn", "side", "jump", "other")] + ["animal"]
KINDS = ("*.bvh.xz", "*.ik.mot.xz")


def points(motion: Motion) -> np.ndarray:
    """Joints and end sites by name: BVH lists a tree depth first, whatever the order was."""
    names = motion.skeleton.names
    joints = sorted(range(len(names)), key=lambda joint: names[joint])
    ends = sorted(range(len(motion.skeleton.end_parents)), key=lambda end: names[motion.skeleton.end_parents[end]])
    return np.concatenate([motion.joint_positions()[:, joints], motion.end_positions()[:, ends]], axis=1)


def unit_of(motion: Motion) -> str:
    return motion.notes[0].split()[1]


@pytest.mark.data
@pytest.mark.parametrize("folder", FOLDERS)
def test_all_clips_keep_every_joint_in_every_format(data: Path, tmp_path: Path, folder: str) -> None:
    found = [path for kind in KINDS for path in sorted((data / folder).glob(kind))]
    assert found
    for path in found:
        motion = load(path)
        if path.name.endswith(".bvh.xz"):
            is_cmu = path.name.startswith("cmu")
            assert unit_of(motion) == ("cmu" if is_cmu else "cm"), path
            assert (added_rest_frames(motion.rotations) > 0) == is_cmu, path
        part = motion[:: max(1, len(motion) // FRAMES)]
        part = replace(part, body=one_triangle(part.skeleton))  # capsules cost more than all the rest
        expected = points(part)
        for name in ("again.bvh", "again.npz", "again.glb", "again.usdc"):
            save(part, tmp_path / name)
            again = load(tmp_path / name)
            assert again.fps == motion.fps, (path, name)
            worst = np.max(np.linalg.norm(points(again) - expected, axis=-1))
            assert worst < (1e-12 if name.endswith("npz") else TENTH_OF_A_MILLIMETRE), (path, name)
            if not name.endswith("usdc"):  # USD allows fewer characters in names
                assert sorted(again.skeleton.names) == sorted(motion.skeleton.names), (path, name)
            if name.endswith("bvh"):
                assert unit_of(again) == "m", path


@pytest.mark.data
def test_no_clip_is_left_out(data: Path) -> None:
    for kind in KINDS:
        swept = sum(len(list((data / folder).glob(kind))) for folder in FOLDERS)
        assert swept == len(list(data.rglob(kind))) > 0


def one_triangle(skeleton: Skeleton) -> Body:
    positions, turns = skeleton.rest_pose()
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (3, 1))
    corners = np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0], [0.0, 0.1, 0.0]])
    return Body(corners, np.array([[0, 1, 2]]), np.zeros((3, 4), dtype=np.int64), weights, positions, turns)


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
