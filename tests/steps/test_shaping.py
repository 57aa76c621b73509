"""Walks on ground that is not level, and arms that swing more or less."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.steps._plan import LEFT, FootPlan
from locomote.steps._walking import Options, Walk, trace
from locomote.world import Ground
from locomote_lab.steps.metrics import sole_points


def straight(plants: int = 10, length: float = 0.5) -> FootPlan:
    sides = np.arange(plants) % 2
    z = length * np.maximum(np.arange(plants) - 1, 0)
    return FootPlan.of(sides, np.stack([np.where(sides == LEFT, 0.11, -0.11), z], axis=1))


def gaps(walk: Walk, ground: Ground) -> FloatArray:
    """Of heel, ball and tip above the ground ``(F, 2, 3)``."""
    positions, world = walk.motion.world()
    points = sole_points(walk, positions, world)
    under = ground.heights(points.reshape(-1, 3)).reshape(points.shape[:-1])
    return np.asarray(points[..., 1] - under)


def slopes() -> list[Ground]:
    up, down, across = Ground(), Ground(), Ground()
    up.add_ramp((0.0, -1.0), 8.0, 0.0, 1.6, width=4.0)
    down.add_ramp((0.0, -1.0), 8.0, 1.6, 0.0, width=4.0)
    across.add_ramp((-2.0, 2.0), 4.0, 0.0, 0.8, yaw=np.pi / 2, width=12.0)
    return [up, down, across]


@pytest.mark.parametrize("ground", slopes(), ids=["up", "down", "across"])
def test_feet_lie_flat_on_slopes(ground: Ground) -> None:
    (walk,) = trace([straight()], ground=ground)
    over = gaps(walk, ground)
    for side in range(2):
        standing = walk.stands[side] >= 0
        assert over[standing, side].min() > -2e-3
        # Some time in every stance the whole sole is on the ground, whatever its slope.
        for plant in range(2, len(walk.plan) - 1):
            frames = walk.stands[side] == plant
            if np.any(frames):
                assert np.abs(over[frames, side]).max(axis=1).min() < 5e-3
        assert over[~standing, side].min() > -2e-3
    # Places are met as on level ground.
    balls = [leg.ball for leg in walk.motion.skeleton.roles.legs]
    positions = walk.motion.joint_positions()
    for side in range(2):
        for plant in range(2, len(walk.plan) - 1):
            frames = np.flatnonzero(walk.stands[side] == plant)
            if len(frames):
                at = frames[len(frames) // 2]
                assert np.linalg.norm(positions[at, balls[side]] - walk.places[plant]) < 1e-6


def test_feet_swing_over_what_lies_between() -> None:
    ground = Ground()
    ground.add_box((0.0, 1.5), (2.0, 0.1), 0.18)
    plan = FootPlan.of([0, 1, 0, 1, 0, 1], [(0.1, 0.5), (-0.1, 0.5), (0.1, 1.2), (-0.1, 1.85), (0.1, 2.4), (-0.1, 2.4)])
    (walk,) = trace([plan], ground=ground)
    assert gaps(walk, ground).min() > -1e-3
    (through,) = trace([plan])
    assert gaps(through, ground).min() < -0.05
    feet = np.diff(walk.motion.joint_positions()[:, [leg.ball for leg in walk.motion.skeleton.roles.legs]], axis=0)
    assert np.linalg.norm(np.diff(feet, axis=0), axis=-1).max() * 60.0 < 2.0  # lifted smoothly


def test_level_ground_changes_nothing() -> None:
    (on,), (without,) = trace([straight()], ground=Ground()), trace([straight()])
    ball = without.motion.joint_positions()
    # In mid-swing a foot may be kept a little higher than it would be.
    assert np.abs(on.motion.joint_positions() - ball).max() < 0.04
    np.testing.assert_allclose(on.motion.root_positions, without.motion.root_positions, atol=1e-3)


def test_arms_swing_as_far_as_they_are_told() -> None:
    reach = []
    for gain in (0.0, 0.5, 1.0, 1.5):
        (walk,) = trace([straight(12)], options=Options(arm_gain=gain))
        motion = walk.motion
        hand = motion.joint_positions()[:, motion.skeleton.index("LeftHand")] - motion.root_positions
        reach.append(float(np.ptp(hand[:, 2])))
    assert reach[0] < reach[1] < reach[2] < reach[3]
    assert reach[3] > 1.2 * reach[2]
    with pytest.raises(LocomoteError, match="arm_gain"):
        Options(arm_gain=3.0)
