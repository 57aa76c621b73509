"""Packed motion: what comes back is within the error that was asked for, on any body."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import FormatError, LocomoteError
from locomote.formats import lmz, load, save
from locomote.formats._lmz_chart import bytes_of, fit_chart, means_of
from locomote.formats._lmz_encode import encode_clip
from locomote.formats._lmz_file import kept, parse
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.samples import performer
from locomote.skeleton import Skeleton

FILES = Path(__file__).parent / "files"


def points(motion: Motion, shell: float = 0.0) -> FloatArray:
    """Joints, end sites, and points around the joints: ``(F, P, 3)``."""
    places, turns = motion.world()
    around = [places + rot.rotate(turns, shell * axis) for axis in np.eye(3)]
    return np.concatenate([places, motion.end_positions(), *around], axis=1)


def largest_error(a: Motion, b: Motion, shell: float = 0.0) -> float:
    return float(np.linalg.norm(points(a, shell) - points(b, shell), axis=-1).max())


def through(motion: Motion, folder: Path, **options: object) -> Motion:
    save(motion, folder / "clip.lmz", **options)
    return load(folder / "clip.lmz")


def tumbling(frames: int, seed: int, moving: bool = False, joints: int = 6) -> Motion:
    """A body of random bones that turns every way, joints past half a turn and more, the root upside down."""
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(0, j)) for j in range(1, joints))])
    skeleton = Skeleton(
        tuple(f"joint {j}" for j in range(joints)),
        parents,
        rng.normal(size=(joints, 3)) * 0.3,
        rest_rotations=rot.normalize(rng.normal(size=(joints, 4))),
        end_parents=np.array([joints - 1]),
        end_offsets=rng.normal(size=(1, 3)) * 0.2,
    )
    times = np.arange(frames)[:, None, None] / 30.0
    speeds, sizes = rng.uniform(0.5, 5.0, (1, joints, 3)), rng.uniform(0.0, 4.0, (1, joints, 3))
    turns = rot.exp(sizes * np.sin(speeds * times + rng.uniform(0.0, 6.0, (1, joints, 3))))
    roots = np.cumsum(rng.normal(size=(frames, 3)) * 0.02, axis=0)
    moved = None
    if moving:
        moved = skeleton.offsets + 0.1 * np.sin(speeds[..., :1] * times)
        moved[:, 0] = roots
    return Motion(skeleton, 29.97, roots, turns, moved, name="tumble")


@given(
    st.integers(1, 150), st.integers(0, 1000), st.sampled_from([1e-4, 0.003, 0.02]), st.booleans(), st.integers(1, 9)
)
@hypothesis.settings(max_examples=25)
def test_the_error_is_kept_on_any_body(
    tmp_path_factory: pytest.TempPathFactory, frames: int, seed: int, error: float, moving: bool, joints: int
) -> None:
    motion = tumbling(frames, seed, moving, joints)
    again = through(motion, tmp_path_factory.mktemp("lmz"), error=error)
    assert largest_error(motion, again) <= error
    assert len(again) == frames
    assert again.fps == motion.fps


def test_means_near_half_a_turn_come_back_as_they_were_kept() -> None:
    means = rot.exp(np.random.default_rng(0).normal(size=(100_000, 3)) * 3.0)
    kept = means_of(bytes_of(means))
    np.testing.assert_allclose(means_of(bytes_of(kept)), kept, atol=1e-12)
    assert rot.distance(kept, means).max() < 0.08


def test_rotations_are_kept_where_no_joint_shows_them(tmp_path: Path) -> None:
    """A leaf joint without an end site moves no other joint; a skin would see it twist."""
    motion = performer(speed=1.4).motion
    assert largest_error(motion, through(motion, tmp_path, error=0.005), shell=0.03) <= 0.005


def test_a_walk_becomes_small(tmp_path: Path) -> None:
    motion = performer(speed=1.4).motion.resampled(30.0)
    raw = 40 * len(motion.skeleton) * len(motion)
    through(motion, tmp_path, error=0.01)
    coarse = (tmp_path / "clip.lmz").stat().st_size
    again = through(motion, tmp_path, error=0.001)
    fine = (tmp_path / "clip.lmz").stat().st_size
    assert coarse < fine < raw / 20
    assert largest_error(motion, again) <= 0.001


def test_a_long_clip_tells_what_goes_together_in_its_limbs(tmp_path: Path) -> None:
    """And is smaller for it than a file that cannot."""
    motion = performer(speed=1.4, seconds=30.0).motion.resampled(30.0)
    again = through(motion, tmp_path, error=0.001)
    size = (tmp_path / "clip.lmz").stat().st_size
    assert largest_error(motion, again) <= 0.001
    skeleton = kept(motion.skeleton)
    packed = encode_clip(motion, fit_chart(replace(motion, skeleton=skeleton)), None, 0.001, False)
    assert size < 0.97 * len(packed)
    data = (tmp_path / "clip.lmz").read_bytes()
    clip = parse(data, tmp_path).clip(0)
    assert clip.chart.turn is not None
    assert not clip.chart.shared


def test_the_mean_can_be_asked_for(tmp_path: Path) -> None:
    motion = performer(speed=1.4).motion
    again = through(motion, tmp_path, error=0.005, mean=True)
    mean = float(np.linalg.norm(again.joint_positions() - motion.joint_positions(), axis=-1).mean())
    assert 0.0045 < mean <= 0.005


def test_everything_else_comes_back(tmp_path: Path) -> None:
    motion = tumbling(40, 3)
    walker = performer().motion
    roles = walker.skeleton.roles
    walker = replace(walker, skeleton=walker.skeleton.with_roles(roles), notes=("read somewhere",), name="wälk")
    for one in (motion, walker):
        again = through(one, tmp_path, error=0.01)
        assert again.name == one.name
        assert again.notes == one.notes
        assert again.skeleton.names == one.skeleton.names
        assert again.skeleton.given_roles == one.skeleton.given_roles
        np.testing.assert_array_equal(again.skeleton.parents, one.skeleton.parents)
        np.testing.assert_allclose(again.skeleton.offsets, one.skeleton.offsets, atol=1e-7)
        np.testing.assert_allclose(again.skeleton.rest_rotations, one.skeleton.rest_rotations, atol=1e-7)


def test_packing_again_changes_no_byte(tmp_path: Path) -> None:
    motion = performer().motion[:60]
    save(motion, tmp_path / "a.lmz", error=0.004)
    save(motion, tmp_path / "b.lmz", error=0.004)
    assert (tmp_path / "a.lmz").read_bytes() == (tmp_path / "b.lmz").read_bytes()


@pytest.mark.parametrize("error", [0.0, -1.0, 1e-7, float("nan"), float("inf")])
def test_errors_that_cannot_be_asked_for(error: float, tmp_path: Path) -> None:
    with pytest.raises(LocomoteError, match=r"error must be at least 1e-05 m"):
        save(performer().motion[:3], tmp_path / "a.lmz", error=error)


@pytest.mark.parametrize("name", ["performer_v1", "performer_v2", "performer_chains_v2"])
def test_files_of_every_version_are_read(name: str) -> None:
    """Each written by the first version that could: they must stay readable, and say the same."""
    assert (FILES / f"{name}.lmz").read_bytes()[3] == int(name[-1])
    motion = load(FILES / f"{name}.lmz")
    true = performer(speed=1.4).motion.resampled(30.0)[:90]
    assert motion.name == "performer"
    assert largest_error(motion, true) <= 0.01


def test_foreign_files() -> None:
    data = (FILES / "performer_v1.lmz").read_bytes()
    path = Path("a.lmz")
    with pytest.raises(FormatError, match=r"^a\.lmz: is not a packed motion"):
        lmz.read(b"PK\x03\x04" + data, path)
    with pytest.raises(FormatError, match=r"^a\.lmz: has version 9, .*a newer locomote reads it"):
        lmz.read(data[:3] + b"\x09" + data[4:], path)
    for size in (2, 4, 10, 60, len(data) - 1):
        with pytest.raises(FormatError, match=r"^a\.lmz: "):
            lmz.read(data[:size], path)


@pytest.mark.data
def test_a_recorded_dance_by_itself(data: Path, tmp_path: Path) -> None:
    """Without anything shared, 66 : 1 of the plain frames at 1 cm; what a file keeps beside them is a skeleton."""
    motion = load(data / "human" / "turn" / "cmu_69_13.bvh.xz", drop_tpose=True).resampled(30.0)
    through(motion, tmp_path, error=0.01)
    assert (tmp_path / "clip.lmz").stat().st_size < 40 * len(motion.skeleton) * len(motion) / 66
