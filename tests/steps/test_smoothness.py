"""The course of the pelvis: no break in its velocity, wherever steps meet and whatever the rate of frames."""

from __future__ import annotations

import math

import numpy as np
import pytest

from locomote.steps._kernels.pelvis import LEAST_WINDOW, ROOT_MARGIN
from locomote.steps._walking import Options, Walk, trace

from .test_walking import in_hull_plans, random_plan

FAST = 1000.0  # frames a second
LARGEST = 20.0  # m/s2; people reach about 10


def accelerations(walk: Walk) -> np.ndarray:
    """Of the pelvis ``(F - 2,)``, m/s2."""
    velocity = np.diff(walk.motion.root_positions, axis=0) * walk.motion.fps
    return np.asarray(np.linalg.norm(np.diff(velocity, axis=0), axis=1) * walk.motion.fps)


def window_ends(walk: Walk) -> list[int]:
    """Frames at which the fitted course of the pelvis begins and ends."""
    out = []
    lifts, lands = walk.lifts, walk.lands
    for p in range(2, len(lifts) + 1):
        start = lifts[2] if p == 2 else lands[p - 1]
        stop = lands[-1] if p == len(lifts) else lifts[p]
        margin = max(ROOT_MARGIN, 0.5 * (LEAST_WINDOW - stop + start))
        if p > 2:
            out.append(math.floor(max(start - margin, 0.5 * (lifts[p - 1] + lands[p - 1])) * walk.motion.fps))
        if p < len(lifts):
            out.append(math.ceil(min(stop + margin, 0.5 * (lifts[p] + lands[p])) * walk.motion.fps))
    return out


@pytest.mark.parametrize("fps", [60.0, 240.0, FAST])
def test_single_steps_have_no_break_at_lift_and_landing(fps: float) -> None:
    # A break in the velocity would show as an acceleration that grows with the rate of frames.
    for walk in trace(in_hull_plans(60), fps=fps):
        assert accelerations(walk).max() < LARGEST


@pytest.mark.feature("STR-20")
@pytest.mark.parametrize("kind", ["forwards", "turning", "backwards"])
def test_where_the_pelvis_is_fitted_its_velocity_goes_on_and_feet_are_left_alone(kind: str) -> None:
    plan = random_plan(kind, 12, 3)
    (fitted,) = trace([plan], fps=FAST)
    (raw,) = trace([plan], fps=FAST, options=Options(fit_root=False))
    velocity = np.diff(fitted.motion.root_positions, axis=0) * FAST
    speed = float(np.median(np.linalg.norm(velocity, axis=1)))
    for at in window_ends(fitted):
        before = 1.5 * velocity[at - 1] - 0.5 * velocity[at - 2]
        after = 1.5 * velocity[at] - 0.5 * velocity[at + 1]
        assert np.linalg.norm(after - before) < 0.01 * speed
    # Feet: the same balls on the same places, in the air and on the ground.
    assert accelerations(raw).max() > accelerations(fitted).max()
    balls = [fitted.motion.skeleton.index(name) for name in ("LeftToeBase", "RightToeBase")]
    feet = [walk.motion.joint_positions()[:, balls] for walk in (fitted, raw)]
    np.testing.assert_allclose(feet[0], feet[1], atol=1e-6)
