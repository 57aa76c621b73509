"""Recorded poses: what is kept of many, and how they are stored."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.spatial import cKDTree

import locomote as lm
from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.spaces import PoseDatabase
from locomote.spaces.posing._choosing import choose_poses


@pytest.fixture(scope="module")
def database() -> PoseDatabase:
    return PoseDatabase.default()


def test_what_ships_is_small_and_heads_along_z(database: PoseDatabase) -> None:
    path = Path(lm.__file__).parent / "assets" / "poses.npz"
    assert path.stat().st_size <= 1_000_000
    assert len(database) > 5000
    assert 0.0 < database.radius < 0.25
    assert np.abs(rot.swing_twist(database.rotations[:, 0], (0.0, 1.0, 0.0))[1][:, 2]).max() < 1e-3


@pytest.mark.feature("POS-01")
def test_a_pose_is_its_vectors_and_its_root(database: PoseDatabase) -> None:
    known, rig = database.arrays
    joints = np.flatnonzero(rig.columns > 0)
    vectors = known.vectors.reshape(len(database), -1, 3)
    turns = np.broadcast_to(rig.mean, database.rotations.shape).copy()
    turns[:, joints] = rot.multiply(rig.mean[joints], rot.exp(vectors))
    turns[:, 0] = known.roots[:, 3:]
    back = Motion(database.skeleton, 1.0, known.roots[:, :3], turns)
    away = np.linalg.norm(vectors, axis=-1)
    fine = np.all(away < np.pi - 1e-3, axis=1)
    assert fine.mean() > 0.99
    truth = database.poses.joint_positions()
    assert np.abs(back.joint_positions()[fine] - truth[fine]).max() < 1e-9


def test_a_file_gives_back_the_poses(database: PoseDatabase, tmp_path: Path) -> None:
    database.save(tmp_path / "poses.npz")
    again = PoseDatabase.load(tmp_path / "poses.npz")
    assert again.skeleton.names == database.skeleton.names
    assert again.radius == database.radius
    assert rot.distance(again.rotations, database.rotations).max() < 1e-4
    assert np.abs(again.root_positions - database.root_positions).max() < 1e-4


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no archive", None])
def test_damaged_files_are_told(damage: bytes | None, tmp_path: Path, database: PoseDatabase) -> None:
    path = tmp_path / "poses.npz"
    if damage is None:
        database.save(path)
        data = path.read_bytes()
        path.write_bytes(data[: len(data) // 2])
    else:
        path.write_bytes(damage)
    with pytest.raises(LocomoteError, match=r"poses\.npz"):
        PoseDatabase.load(path)


def test_a_file_of_another_kind_is_told(tmp_path: Path) -> None:
    walk = lm.samples.performer(speed=1.0, seconds=0.2).motion
    lm.spaces.PoseSpace.fit([walk], k=2).save(tmp_path / "space.npz")
    with pytest.raises(LocomoteError, match="is not a locomote pose database"):
        PoseDatabase.load(tmp_path / "space.npz")


@pytest.mark.feature("POS-02")
def test_representatives_are_real_and_near_to_all() -> None:
    rng = np.random.default_rng(0)
    centres = rng.normal(size=(40, 2, 3))
    poses = (centres[rng.integers(40, size=20000)] + 0.05 * rng.normal(size=(20000, 2, 3))).astype(np.float32)
    poses[77] += 3.0  # one that no cluster would keep
    kept, radius = choose_poses(poses, 200, seed=1)
    assert len(kept) == 200
    assert len(np.unique(kept)) == len(kept)
    assert 77 in kept
    flat = poses.reshape(len(poses), -1).astype(float) / np.sqrt(2.0)
    away = cKDTree(flat[kept]).query(flat)[0]
    assert radius == pytest.approx(away.max(), rel=1e-3)
    chance = cKDTree(flat[rng.choice(len(flat), 200, replace=False)]).query(flat)[0]
    assert away.max() < 0.5 * chance.max()
    assert np.mean(away**2) < np.mean(chance**2)
    assert np.array_equal(kept, choose_poses(poses, 200, seed=1)[0])


def test_a_database_of_own_clips() -> None:
    walk, run = (lm.samples.performer(speed=v, seconds=1.0).motion for v in (1.2, 3.0))
    own = PoseDatabase.of([walk, run], count=50)
    assert 25 < len(own) <= 50
    assert np.isfinite(own.radius)
    with pytest.raises(LocomoteError, match="at least one"):
        PoseDatabase.of([])
    with pytest.raises(LocomoteError, match="count 0"):
        PoseDatabase.of([walk], count=0)
    with pytest.raises(LocomoteError, match="at least 2 poses"):
        PoseDatabase.of([walk[:1]])
