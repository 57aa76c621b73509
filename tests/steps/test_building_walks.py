"""What the database is for: walks over plans, with the steps of clips and of styles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.formats import load
from locomote.rotations import FloatArray
from locomote.samples import performer
from locomote.steps._database import StepDatabase
from locomote.steps._detecting import plan_from_motion
from locomote.steps._walking import Walk, trace

CLIPS = ("side/cmu_69_42", "walk/cmu_16_15", "turn/cmu_91_01", "side/cmu_41_02")


def missed(walk: Walk) -> FloatArray:
    """How far the ball of the foot is from every plant in the middle of its stance, m; at the end of the last one."""
    balls = [leg.ball for leg in walk.motion.skeleton.roles.legs]
    positions = walk.motion.joint_positions()
    out = np.full(len(walk.plan), np.inf)
    for k, (side, place) in enumerate(zip(walk.plan.sides, walk.plan.places, strict=True)):
        frames = np.flatnonzero(walk.stands[side] == k)
        if len(frames):
            # The walk ends soon after the last landing, when that foot has just come down from its heel.
            frame = frames[-1] if k == len(out) - 1 else frames[len(frames) // 2]
            out[k] = np.linalg.norm(positions[frame, balls[side]] - place)
    return out


@pytest.mark.feature("STR-02")
@pytest.mark.parametrize(("speed", "turn_rate"), [(0.8, 0.0), (1.2, 0.3)])
def test_a_performed_walk_is_walked_again(speed: float, turn_rate: float) -> None:
    sample = performer(speed=speed, seconds=7.0, fps=60.0, turn_rate=turn_rate)
    plan = plan_from_motion(sample.motion)
    # Every foot that stands within the clip has its plant, where its ball rests while all of it is down.
    balls = [leg.ball for leg in sample.motion.skeleton.roles.legs]
    positions, times = sample.motion.joint_positions(), sample.motion.times
    for side in range(2):
        for start, end in sample.contacts[side].ball:
            if start < 0.5 or end > sample.motion.duration - 0.5:
                continue
            rests = positions[(times > start) & (times < end), balls[side]].mean(axis=0)
            away = np.linalg.norm(plan.places[plan.sides == side] - rests, axis=1)
            assert np.count_nonzero(away < 0.01) == 1
    walk = trace([plan], leg_length=sample.motion.skeleton.leg_length())[0]
    assert missed(walk).max() < 1e-3


@pytest.mark.data
@pytest.mark.feature("STR-02")
@pytest.mark.parametrize("name", CLIPS)
def test_a_recorded_walk_is_walked_again(data: Path, name: str) -> None:
    motion = load(data / "human" / f"{name}.bvh.xz", drop_tpose=True)
    plan = plan_from_motion(motion)
    assert len(plan) >= 8
    walk = trace([plan], leg_length=motion.skeleton.leg_length())[0]
    assert missed(walk).max() < 1e-3


@pytest.mark.feature("STR-28")
def test_styles_walk_the_same_plan_differently() -> None:
    plan = plan_from_motion(performer(speed=0.9, seconds=6, fps=60).motion)
    walks = [trace([plan], database=StepDatabase.default(style))[0] for style in ("plain", "sad", "crouched", "old")]
    for walk in walks:
        assert missed(walk).max() < 1e-3
    heights = [walk.motion.root_positions[:, 1].mean() for walk in walks]
    assert heights[2] < heights[0] - 0.05  # who crouches is lower
    bends = [np.median(np.abs(walk.motion.rotations[:, 1:6, 1])) for walk in walks]
    assert len({round(float(bend), 3) for bend in bends}) == 4  # and every style holds its trunk in its own way
