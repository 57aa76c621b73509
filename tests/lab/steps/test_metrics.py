"""The numbers of walks say what they should."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.steps._plan import LEFT, FootPlan
from locomote.steps._walking import trace
from locomote_lab.steps.metrics import ablations, measure


def straight(plants: int = 8, length: float = 0.55) -> FootPlan:
    sides = np.arange(plants) % 2
    z = length * np.maximum(np.arange(plants) - 1, 0)
    return FootPlan.of(sides, np.stack([np.where(sides == LEFT, 0.11, -0.11), z], axis=1))


def test_a_walk_on_its_plan_has_no_errors_and_one_beside_it_has() -> None:
    done = trace([straight()])[0]
    m = measure(done)
    assert m.foot_error < 1e-6
    assert m.skate < 1e-4
    assert m.outside == 0.0
    assert 0.4 < m.duration < 0.9
    moved = type(done)(**{**done.__dict__, "motion": done.motion.moved(offset=(0.02, -0.01, 0.0))})
    off = measure(moved)
    assert off.foot_error == pytest.approx(np.hypot(0.02, 0.01), abs=1e-6)
    assert off.penetration == pytest.approx(0.01, abs=1e-6)


def test_every_part_left_out_shows() -> None:
    table = ablations([straight(8), straight(8, 0.7)])
    assert table["no filters"].joint_jerk > 1.05 * table["all"].joint_jerk
    assert table["no root fit"].root_jerk > table["all"].root_jerk
    assert all(m.skate < 1e-4 for m in table.values())
    assert set(table["all"].as_dict()) >= {"foot_error", "skate", "joint_jerk", "stretch", "late"}
