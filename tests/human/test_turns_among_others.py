"""Walkers who give way to others turn as they are told where nobody is in their way."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.human import Crowd, HumanModel


@pytest.mark.parametrize("speed", [0.6, 1.3, 3.0])
@pytest.mark.parametrize("told", [{"turn_rate": 0.5}, {"heading": 0.35}, {"heading": -1.5}])
def test_who_heeds_others_turns_as_one_alone(told: dict[str, float], speed: float) -> None:
    model = HumanModel.default()
    heedful = Crowd(model, 2, speed=speed, avoid=True, positions=[[0.0, 0.0, 0.0], [30.0, 0.0, 0.0]])
    alone = Crowd(model, 1, speed=speed)
    heedful.command(**told, who=0)
    alone.command(**told)
    for _ in range(180):
        heedful.step(1.0 / 60.0)
        alone.step(1.0 / 60.0)
    assert heedful.headings[0] == pytest.approx(alone.headings[0], abs=1e-6)
    np.testing.assert_allclose(heedful.positions[0], alone.positions[0], atol=1e-6)


def test_who_turns_still_gives_way() -> None:
    model = HumanModel.default()
    places = [[0.0, 0.0, 0.0], [0.0, 0.0, 6.0]]
    crowd = Crowd(model, 2, speed=1.3, heading=[0.0, np.pi], avoid=True, positions=places)
    crowd.command(turn_rate=[0.05, -0.05])
    nearest = np.inf
    for _ in range(300):
        crowd.step(1.0 / 60.0)
        nearest = min(nearest, float(np.hypot(*(crowd.positions[0] - crowd.positions[1])[[0, 2]])))
    assert nearest > 0.4
