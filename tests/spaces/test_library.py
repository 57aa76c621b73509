"""Libraries of packed clips: what clips share, any pose at hand, bounds kept."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.errors import FormatError, LocomoteError, SkeletonError
from locomote.formats import load
from locomote.motion import Motion
from locomote.samples import performer
from locomote.spaces import Library, compression_loss, fit_basis
from tests.formats.test_lmz import FILES, largest_error, tumbling


def walks() -> list[Motion]:
    speeds = (0.8, 1.0, 1.2, 1.4, 1.6)
    return [replace(performer(speed=v, seconds=12.0).motion.resampled(60.0), name=f"walk {v}") for v in speeds]


@pytest.fixture(scope="module")
def clips() -> list[Motion]:
    return walks()


@pytest.fixture(scope="module")
def library(clips: list[Motion]) -> Library:
    return Library.of([*clips, tumbling(40, 1)], error=0.005)


def test_every_clip_keeps_the_error(library: Library, clips: list[Motion], tmp_path: Path) -> None:
    library.save(tmp_path / "all.lmz")
    again = Library.load(tmp_path / "all.lmz")
    assert again.names == (*(clip.name for clip in clips), "tumble")
    for clip in [*clips, tumbling(40, 1)]:
        assert largest_error(clip, again[clip.name].motion(), shell=0.03 if clip.name != "tumble" else 0.0) <= 0.005
        assert again[clip.name].fps == clip.fps
    assert (tmp_path / "all.lmz").stat().st_size == library.bytes_shared() + sum(c.size for c in library)


def test_a_basis_makes_clips_smaller_and_may_come_from_others(clips: list[Motion]) -> None:
    basis = fit_basis(clips[:-1])
    alone = Library.of(clips[-1:], error=0.005, bases=[])
    shared = Library.of(clips[-1:], error=0.005, bases=[basis])
    assert shared[0].size < 0.9 * alone[0].size
    assert largest_error(clips[-1], shared[0].motion()) <= 0.005


def test_a_basis_that_does_not_fit_is_not_used(clips: list[Motion]) -> None:
    """Directions that mix all joints at random are worse than none."""
    basis = fit_basis(clips[:-1])
    mixed = np.linalg.qr(np.random.default_rng(1).normal(size=basis.turn.shape))[0]
    shared = Library.of(clips[-1:], error=0.005, bases=[basis._replace(turn=mixed)])
    alone = Library.of(clips[-1:], error=0.005, bases=[])
    assert shared[0].size == alone[0].size
    assert largest_error(clips[-1], shared[0].motion()) <= 0.005


@pytest.mark.parametrize("frame", [0, 1, 333, 700, -1])
def test_any_pose_is_that_of_the_whole_clip(library: Library, frame: int, tmp_path: Path) -> None:
    library.save(tmp_path / "all.lmz")
    whole = load(tmp_path / "all.lmz", animation="walk 1.2")
    pose = Library.load(tmp_path / "all.lmz")["walk 1.2"].poses(frame)
    np.testing.assert_allclose(pose.rotations[0], whole.rotations[frame], atol=1e-12)
    np.testing.assert_allclose(pose.root_positions[0], whole.root_positions[frame], atol=1e-12)


def test_a_span_is_read_without_the_rest() -> None:
    """A clip of many stretches, all but those around the span destroyed."""
    parts = [performer(speed=1.3, seconds=40.0).motion.resampled(60.0)]
    library = Library.of(parts, error=0.005, bases=[])
    whole = library[0].motion()
    packed = library[0]._packed
    stretch = packed.shape.stretch
    assert packed.shape.stretches >= 3
    library[0]._packed = packed._replace(streams=(packed.streams[0], *(b"\x55" for _ in packed.streams[1:])))
    span = library[0].motion(100, stretch // 2)
    np.testing.assert_allclose(span.rotations, whole.rotations[100 : stretch // 2], atol=1e-12)
    assert largest_error(library[0].motion(), whole) > 0.01


def test_many_poses_come_in_the_order_asked_for(library: Library) -> None:
    clip = library["walk 0.8"]
    whole, frames = clip.motion(), [650, 3, 3, 511, 512]
    np.testing.assert_allclose(clip.poses(frames).rotations, whole.rotations[frames], atol=1e-12)


def test_a_clip_of_many_is_named(library: Library, tmp_path: Path) -> None:
    library.save(tmp_path / "all.lmz")
    assert load(tmp_path / "all.lmz", animation=1).name == "walk 1.0"
    with pytest.raises(LocomoteError, match=r"holds 6 clips, say which by animation=: walk 0\.8, "):
        load(tmp_path / "all.lmz")
    with pytest.raises(LocomoteError, match=r"no clip 'run'; there is: walk 0\.8"):
        library["run"]
    with pytest.raises(LocomoteError, match="no clip 6; the last is 5"):
        library[6]
    with pytest.raises(IndexError, match="frames are 0 to"):
        library[0].poses(10**6)


@pytest.mark.parametrize("version", [1, 2])
def test_libraries_of_every_version_are_read_and_written_again(version: int, tmp_path: Path) -> None:
    """With a basis and planted feet, each written by the first version that could; clips keep their coding."""
    Library.load(FILES / f"walks_v{version}.lmz").save(tmp_path / "again.lmz")
    library = Library.load(tmp_path / "again.lmz")
    assert library.names == ("walk 1.0", "walk 1.4")
    for clip, speed in zip(library, (1.0, 1.4), strict=True):
        true = performer(speed=speed, seconds=4.0).motion.resampled(30.0)
        assert clip._packed.feet is not None
        assert largest_error(clip.motion(), true, shell=0.03) <= 0.01


def test_what_cannot_be_a_library(clips: list[Motion], tmp_path: Path) -> None:
    with pytest.raises(LocomoteError, match=r"different names: walk 0\.8"):
        Library.of([clips[0], clips[0]])
    with pytest.raises(LocomoteError, match="no clips"):
        Library.of([])
    with pytest.raises(SkeletonError, match="same joints"):
        fit_basis([clips[0], tumbling(9, 0)])
    (tmp_path / "a.lmz").write_bytes(b"LMZ\x01")
    with pytest.raises(FormatError, match=r"a\.lmz: ends too early"):
        Library.load(tmp_path / "a.lmz")


@pytest.mark.feature("PGA-15")
def test_ratios_in_bytes_and_in_numbers(library: Library, clips: list[Motion]) -> None:
    clip = library["walk 1.2"]
    assert clip.ratio == pytest.approx(40 * len(clip.skeleton) * len(clip) / clip.size)
    kept = clip._packed.numbers(0, clip._packed.shape.stretches)
    assert clip.count_ratio == pytest.approx(3 * (len(clip.skeleton) + 1) * len(clip) / np.sum(kept != 0))
    assert clip.ratio > 40 * clips[2].skeleton.offsets.shape[0] / (3 * 4 * (len(clip.skeleton) + 1)) * clip.count_ratio


@pytest.mark.feature("PGA-14")
def test_losses_by_their_definitions() -> None:
    source = performer(speed=1.2, seconds=3.0).motion
    shifted = replace(source, root_positions=source.root_positions + np.array([0.03, 0.0, 0.04]))
    loss = compression_loss(source, shifted)
    assert loss.largest_error == pytest.approx(0.05)
    assert loss.mean_error == pytest.approx(0.05)
    places = source.joint_positions()
    spread = np.sqrt(np.sum((places - places.mean(axis=0)) ** 2))
    assert loss.distortion == pytest.approx(100.0 * 0.05 * np.sqrt(places.shape[0] * places.shape[1]) / spread)
    assert loss.distortion_root == pytest.approx(0.0, abs=1e-9)
    assert loss.angle_error == pytest.approx(0.0, abs=1e-6)
    assert loss.skate_added == pytest.approx(0.0, abs=1e-3)
    turns = source.rotations.copy()
    turns[:, 3] = lm.rotations.multiply(turns[:, 3], lm.rotations.exp((0.0, 0.22, 0.0)))
    bent = compression_loss(source, replace(source, rotations=turns))
    assert bent.angle_error == pytest.approx(0.22 / len(source.skeleton))
    sliding = source.root_positions + 0.1 * source.times[:, None] * (1.0, 0.0, 0.0)
    assert compression_loss(source, replace(source, root_positions=sliding)).skate_added > 0.05
