"""The clip and the rig that come with the package: what they say they are, and that they go together."""

import numpy as np
import pytest

import locomote as lm
from locomote.samples._files import FOLDER

MOST = 400_000  # bytes of all sample files together: they are in every wheel


def test_the_clip_is_a_walk_with_feet_that_stay() -> None:
    clip = lm.samples.clip()
    figures = lm.measure(clip)
    assert (clip.duration, clip.fps) == (pytest.approx(4.0), 60.0)
    assert figures.speed == pytest.approx(1.3, rel=0.03)
    assert figures.drift_p95 < 2.0


def test_the_rig_is_somebody_else_in_another_rest_pose() -> None:
    rig, clip = lm.samples.rig(), lm.samples.clip()
    assert rig.body is not None
    assert len(rig.body.triangles) > 1000
    places = rig.skeleton.rest_pose()[0]
    arm = rig.skeleton.roles.arms[0]
    drop = places[arm.shoulder] - places[arm.wrist]
    assert 0.5 < np.arcsin(drop[1] / np.linalg.norm(drop)) < 1.2  # an A-pose, neither a T-pose nor arms that hang
    ratio = rig.skeleton.leg_length() / clip.skeleton.leg_length()
    assert ratio < 0.97 or ratio > 1.03


def test_the_clip_goes_onto_the_rig() -> None:
    moved = lm.retarget(lm.samples.clip(), lm.samples.rig())
    assert moved.body is not None
    assert lm.measure(moved).drift_p95 < 5.0


def test_input_files_are_where_they_are_said_to_be() -> None:
    assert lm.world.Ground.read(lm.samples.path("crates.toml")).heights([(0.0, 0.0)]) is not None
    with pytest.raises(lm.LocomoteError, match=r"crate.toml: no file of the package.* crates.toml"):
        lm.samples.path("crate.toml")


def test_they_are_small() -> None:
    assert sum(file.stat().st_size for file in FOLDER.iterdir()) < MOST
