from __future__ import annotations

import numpy as np
import pytest

from locomote.human.fitting._stride import ball_path, path_per_cycle, slip, stance_rows

from .synthetic import PEOPLE, fitted, units


@pytest.mark.parametrize("gait", ["walk", "run"])
def test_the_path_of_a_cycle_is_found_from_the_feet(gait: str) -> None:
    for unit in (u for u in units() if u.gait == gait):
        path = float(path_per_cycle(ball_path(unit.root, unit.rotations), gait))
        assert path == pytest.approx(unit.normal_speed * unit.duration, rel=0.03)


def test_a_wrong_path_is_seen_as_drift() -> None:
    unit = next(u for u in units() if u.gait == "walk")
    balls = ball_path(unit.root, unit.rotations)
    path = float(path_per_cycle(balls, "walk"))
    span = stance_rows("walk", len(balls)).shape[1] - 1
    _, right = slip(balls, "walk", path)
    _, wrong = slip(balls, "walk", 1.1 * path)
    assert wrong - right == pytest.approx(0.1 * path * span / len(balls), rel=0.2)


def test_synthesised_rhythm_is_the_recorded_one() -> None:
    ratios = fitted().report.cadence_ratios
    assert {name for name, _ in ratios} == set(PEOPLE)
    assert all(abs(ratio - 1.0) < 0.05 for ratio in ratios.values())


def test_rows_of_stance_follow_the_strikes() -> None:
    rows = stance_rows("walk", 50)
    left, right = rows
    assert np.all((left - right) % 50 == 25)
