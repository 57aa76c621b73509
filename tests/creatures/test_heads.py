"""Birds hold the head still in space and thrust it ahead, once a step."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.creatures import Crowd
from locomote.rotations import FloatArray

DT = 1.0 / 120.0


def seen(crowd: Crowd, seconds: float) -> tuple[FloatArray, float, int]:
    """Speeds of the head in space (m/s), the mean speed of the body, and how many feet came down."""
    head = crowd.creature.morphology.head
    places, bodies, landings = [], [], 0
    was = crowd.planted[0].copy()
    for _ in range(round(seconds / DT)):
        poses = crowd.step(DT)
        places.append(poses.joint_positions()[0, head].copy())
        bodies.append(crowd.positions[0].copy())
        landings += int(np.count_nonzero(crowd.planted[0] & ~was))
        was = crowd.planted[0].copy()
    speeds = np.linalg.norm(np.diff(places, axis=0), axis=1) / DT
    gone = float(np.linalg.norm(bodies[-1] - bodies[0])) / (DT * (len(bodies) - 1))
    return speeds, gone, landings


@pytest.mark.parametrize("speed", [0.3, 0.5, 0.7])
def test_the_head_is_held_still_and_thrust_once_a_step(speed: float) -> None:
    crowd = Crowd("bird", speed=speed, seed=1)
    seen(crowd, 2.0)
    speeds, gone, landings = seen(crowd, 10.0)
    held = speeds < 0.15 * gone
    assert 0.45 < held.mean() < 0.65
    assert float(np.median(speeds[held])) < 0.02 * gone
    thrusts = int(np.count_nonzero(held[:-1] & ~held[1:]))
    assert abs(thrusts - landings) <= 1
    assert speeds[~held].max() < 5.0 * gone  # a thrust, no jump


def test_one_that_runs_or_is_told_so_carries_its_head_along() -> None:
    still = Crowd("bird", speed=0.5, seed=1)
    still.liven(head=0.0)
    running = Crowd("bird", speed=3.0, seed=1)
    for crowd in (still, running):
        seen(crowd, 2.0)
        speeds, gone, _ = seen(crowd, 3.0)
        assert speeds.min() > 0.5 * gone
