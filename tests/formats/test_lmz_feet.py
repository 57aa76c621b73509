"""Planted feet of packed motion: they stay, whatever the error of the rest."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.contacts import Contacts, detect
from locomote.errors import LocomoteError
from locomote.formats import load, save
from locomote.formats._lmz_feet import Feet, feet_of, pack_feet, unpack_feet
from locomote.measures.plants import plants
from locomote.measures.skate import skate
from locomote.motion import Motion
from locomote.samples import performer
from locomote.spaces import Library
from tests.formats.test_lmz import largest_error


def through(motion: Motion, folder: Path, **options: object) -> Motion:
    save(motion, folder / "clip.lmz", **options)
    return load(folder / "clip.lmz")


def seen(source: Contacts, motion: Motion) -> Contacts:
    """The contacts of a source, with the feet where another motion has them."""
    now = detect(motion)
    return replace(source, points=now.points, heights=now.heights)


@pytest.mark.feature("PGA-16")
@pytest.mark.parametrize("fps", [30.0, 120.0])
@pytest.mark.parametrize("speed", [0.8, 1.6])
def test_planted_feet_stay(speed: float, fps: float, tmp_path: Path) -> None:
    walk = lm.clean(performer(speed=speed, seconds=5.0, fps=fps).motion).motion
    contacts = detect(walk)
    without = through(walk, tmp_path, error=0.01)
    small = (tmp_path / "clip.lmz").stat().st_size
    held = through(walk, tmp_path, error=0.01, contacts=contacts)
    assert (tmp_path / "clip.lmz").stat().st_size < 1.8 * small
    assert plants(seen(contacts, held)).drift_max < plants(contacts).drift_max + 1.0  # mm
    assert skate(seen(contacts, held)).contact <= 0.01 < skate(seen(contacts, without)).contact  # m/s
    assert plants(seen(contacts, without)).drift_max > plants(contacts).drift_max + 2.0
    assert largest_error(walk, held, shell=0.03) <= 0.01


@pytest.mark.data
@pytest.mark.feature("PGA-16")
@pytest.mark.parametrize("name", ["walk/cmu_35_28", "walk/cmu_132_46", "jump/cmu_118_02", "jump/cmu_13_11"])
def test_recorded_feet_do_not_skate(name: str, data: Path, tmp_path: Path) -> None:
    source = lm.clean(lm.load(data / "human" / f"{name}.bvh.xz", drop_tpose=True)).motion
    contacts = detect(source)
    held = through(source, tmp_path, error=0.01, contacts=contacts)
    assert skate(seen(contacts, held)).contact <= 0.01  # m/s
    assert plants(seen(contacts, held)).drift_p95 <= max(2.0, plants(contacts).drift_p95 + 1.0)  # mm
    assert largest_error(source, held, shell=0.03) <= 0.01


def test_a_span_has_the_same_feet() -> None:
    walk = replace(performer(speed=1.3, seconds=10.0).motion.resampled(60.0), name="walk")
    clip = Library.of([walk], error=0.01, bases=[], feet=True)[0]
    whole = clip.motion()
    np.testing.assert_allclose(clip.motion(200, 260).rotations, whole.rotations[200:260], atol=1e-9)
    np.testing.assert_allclose(clip.poses([210, 333]).rotations, whole.rotations[[210, 333]], atol=1e-9)


def feet() -> tuple[Feet, Motion]:
    walk = performer(speed=1.2, seconds=4.0, fps=60.0).motion
    found = feet_of(walk, detect(walk))
    assert found is not None
    return found, walk


def test_contacts_come_back() -> None:
    found, walk = feet()
    again = unpack_feet(pack_feet(found), walk.skeleton, len(walk), walk.fps)
    for a, b in zip(found, again, strict=True):
        np.testing.assert_array_equal(a, b)


def test_contacts_of_another_clip_are_refused(tmp_path: Path) -> None:
    walk = performer(seconds=2.0).motion
    with pytest.raises(LocomoteError, match="contacts are of"):
        save(walk[:-1], tmp_path / "a.lmz", contacts=detect(walk))


def test_damaged_contacts() -> None:
    found, walk = feet()
    data = bytearray(pack_feet(found))
    rng = np.random.default_rng(0)
    refused = 0
    for _ in range(300):
        hostile = data.copy()
        for at in rng.integers(0, 40, 2):
            hostile[at] = rng.integers(0, 256)
        try:
            again = unpack_feet(bytes(hostile), walk.skeleton, len(walk), walk.fps)
        except LocomoteError:
            refused += 1
            continue
        roots, turns = again.planted(walk.skeleton, 0, 3, walk.root_positions, walk.rotations)
        assert np.all(np.isfinite(turns))
        assert np.all(np.isfinite(roots))
    assert refused > 50
