"""Postures of recorded steps: stoops and crouches are evened out, feet and movement stay."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.steps._blending import default_database
from locomote.steps._database import PLAIN, StepDatabase
from locomote.steps.building._postures import evened

SPINE, NECK = COMMON.index("Spine"), COMMON.index("Neck")


def leans(steps: StepDatabase) -> np.ndarray:
    """Angles (deg) of the line from pelvis to neck from the vertical, the mean over each step."""
    count, samples = steps.roots.shape[:2]
    motion = Motion(COMMON, 60.0, steps.roots.reshape(-1, 3), steps.rotations.reshape(-1, len(COMMON), 4))
    positions = motion.joint_positions().reshape(count, samples, -1, 3)
    up = positions[:, :, NECK] - positions[:, :, 0]
    angles = np.degrees(np.arctan2(np.hypot(up[..., 0], up[..., 2]), up[..., 1]))
    return np.asarray(angles.mean(axis=1))


def stooped(steps: StepDatabase, which: int) -> StepDatabase:
    """The same steps, but one bends forward and crouches."""
    rotations, roots = steps.rotations.copy(), steps.roots.copy()
    bend = rot.from_axis_angle([1.0, 0.0, 0.0], np.radians(35.0))
    rotations[which, :, SPINE] = rot.multiply(bend, rotations[which, :, SPINE])
    roots[which, :, 1] -= 0.08
    return replace(steps, rotations=rotations, roots=roots)


def test_a_stoop_becomes_an_ordinary_step() -> None:
    steps = default_database().taken(np.arange(0, 450, 3))
    out = evened(stooped(steps, 7))
    assert leans(stooped(steps, 7))[7] > 20.0
    assert leans(out)[7] < 8.0
    low = out.roots[7, :, 1].mean() - steps.roots[7, :, 1].mean()
    assert abs(low) < 0.015
    # Places and feet are not touched, and within the step the trunk moves as it did.
    assert np.array_equal(out.params, steps.params)
    assert np.array_equal(out.feet, steps.feet)
    for rotations in (out.rotations, steps.rotations):
        assert np.all(np.isfinite(rotations))
    steps_of = [
        np.linalg.norm(rot.log(rot.multiply(rot.inverse(q[7, :-1, SPINE]), q[7, 1:, SPINE])), axis=-1)
        for q in (out.rotations, steps.rotations)
    ]
    np.testing.assert_allclose(steps_of[0], steps_of[1], atol=1e-9)


def test_what_is_even_stays() -> None:
    steps = default_database()
    again = evened(steps)
    assert np.abs(leans(again) - leans(steps)).max() < 3.0
    assert np.abs(again.roots - steps.roots).max() < 0.02


def test_shipped_steps_stand_upright_and_styles_keep_theirs() -> None:
    every = StepDatabase.default(None)
    plain, crouched = every.only(PLAIN), every.only("crouched")
    assert leans(plain).max() < 13.0
    heights = [np.median(steps.roots[..., 1]) for steps in (plain, crouched)]
    assert heights[1] < heights[0] - 0.01
    assert plain.roots[:, :, 1].mean(axis=1).min() > 0.95
