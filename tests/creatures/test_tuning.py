from __future__ import annotations

import numpy as np
import pytest

from locomote.creatures import Creature, Crowd, Fitness, Gait, Watch, fitness_of, tune_gait
from locomote.creatures._cma_es import minimise
from locomote.creatures._tuning import HARMONICS, _Body
from locomote.errors import LocomoteError


@pytest.mark.feature("LEG-62")
@pytest.mark.parametrize("name", ["wolf", "horse", "ant", "spider", "lizard", "bird", "robot"])
@pytest.mark.parametrize("speed", [0.2, 0.6, 1.4])  # over sqrt(g h)
def test_tuning_lowers_the_fitness_against_the_gait_it_would_take(name: str, speed: float) -> None:
    kind = Creature.build(name)
    metres = speed * np.sqrt(9.81 * kind.morphology.hip_height)
    tuned = tune_gait(kind, metres)
    assert tuned.fitness.total < 0.95 * tuned.before.total
    assert tuned.fitness.reach < 0.2  # every foot in reach of its leg
    assert tuned.fitness.crossing < 0.2
    assert tuned.gait.plausible()
    assert tuned.gait.feet == kind.gaits.gaits[0].feet
    again = tune_gait(kind, metres)
    assert np.array_equal(again.gait.starts, tuned.gait.starts)
    assert np.array_equal(again.spacing, tuned.spacing)


def test_a_wolf_is_found_to_trot_and_an_ant_to_step_in_waves() -> None:
    lands = dict(zip(*_lands("wolf", 1.0), strict=True))
    diagonal = [abs((lands[a] - lands[b] + 0.5) % 1.0 - 0.5) for a, b in (("L1", "R2"), ("R1", "L2"))]
    assert max(diagonal) < 0.1
    assert abs((lands["L1"] - lands["R1"]) % 1.0 - 0.5) < 0.15
    lands = dict(zip(*_lands("ant", 0.3), strict=True))
    for rank in "123":  # left and right in turn
        assert abs((lands["L" + rank] - lands["R" + rank]) % 1.0 - 0.5) < 0.15


def _lands(name: str, speed: float) -> tuple[tuple[str, ...], list[float]]:
    gait = tune_gait(name, speed).gait
    return gait.feet, gait.touch_downs()[0, :, 0].tolist()


def test_a_creature_goes_by_its_tuned_gait() -> None:
    crowd = Crowd("wolf")
    tuned = tune_gait(crowd.creature, 1.0)
    crowd.command(speed=1.0, gait=tuned.gait, spacing=tuned.spacing)
    for _ in range(120):
        crowd.step(1 / 60)
    watch = Watch(crowd)
    for _ in range(120):
        crowd.step(1 / 60)
        watch.look(1 / 60)
    figures = watch.figures()
    assert crowd.gaits == ["tuned"]
    assert figures.speed == pytest.approx(1.0, rel=0.03)
    assert figures.stance_slip < 1.0
    assert figures.crossings == 0


def test_the_bounce_is_that_of_half_sines_of_force() -> None:
    body = _Body(Creature.build("wolf"), 2.0, None)
    lands, duty, period = np.array([[0.0, 0.1, 0.45, 0.6]]), np.array([[0.45, 0.5, 0.4, 0.35]]), 2.2
    steps = 40_000
    phases = np.arange(steps) / steps
    push = np.zeros(steps)
    for foot in range(4):
        since = (phases - lands[0, foot]) % 1.0
        share = since / duty[0, foot]
        push += 0.25 * np.where(share < 1.0, 0.5 * np.pi / duty[0, foot] * np.sin(np.pi * share), 0.0)
    assert push.mean() == pytest.approx(1.0, abs=1e-3)
    waves = np.fft.rfft(push - push.mean())
    k = np.arange(1, HARMONICS + 1)
    waves[1:] *= -((period / (2.0 * np.pi * np.arange(1, len(waves)))) ** 2)
    waves[k[-1] + 1 :] = 0.0
    height = np.fft.irfft(waves, steps)
    moved = body._moves(lands, duty, np.array([period]), np.full((1, 4), 0.25))
    assert moved[0] == pytest.approx(np.ptp(height), rel=0.02)


def test_each_part_of_the_fitness_says_what_is_wrong() -> None:
    wolf = Creature.build("wolf")
    feet = wolf.gaits.gaits[0].feet
    trot = Gait.at_one_speed("g", feet, [0.0, 0.5, 0.5, 0.0], 0.5, 1.9)
    good = fitness_of(wolf, 1.8, trot)
    assert fitness_of(wolf, 1.8, _with(trot, period=5.0)).reach > good.reach + 10.0
    assert fitness_of(wolf, 1.8, _with(trot, duty=0.3)).force > 2.0 * good.force
    assert fitness_of(wolf, 1.8, _with(trot, duty=0.3)).flight > good.flight == 0.0
    assert fitness_of(wolf, 1.8, _with(trot, lands=[0.0, 0.5, 0.0, 0.5])).tilt > good.tilt + 0.05
    assert fitness_of(wolf, 1.8, _with(trot, lands=[0.0] * 4)).bounce > good.bounce + 1.0
    assert fitness_of(wolf, 1.8, _with(trot, period=0.9)).swing > 3.0 * good.swing
    assert isinstance(good, Fitness)
    for speed in (0.0, float("nan")):
        with pytest.raises(LocomoteError, match="other than 0"):
            tune_gait(wolf, speed)
    with pytest.raises(LocomoteError, match="bounce"):
        tune_gait(wolf, 1.0, bounce=-1.0)


def _with(gait: Gait, lands: list[float] | None = None, duty: float | None = None, period: float | None = None) -> Gait:
    return Gait.at_one_speed(
        gait.name,
        gait.feet,
        gait.touch_downs()[0, :, 0] if lands is None else lands,
        gait.duty()[0] if duty is None else duty,
        float(gait.periods[0]) if period is None else period,
    )


def test_evolution_goes_down_a_crooked_valley() -> None:
    def banana(x: np.ndarray) -> np.ndarray:
        return np.sum(100.0 * (x[:, 1:] - x[:, :-1] ** 2) ** 2 + (1.0 - x[:, :-1]) ** 2, axis=1)

    start = np.array([-1.0, 1.5, -0.5, 2.0])
    place, cost = minimise(banana, start, np.full(4, 0.5), 400, seed=1)
    assert cost < 1e-6
    assert np.allclose(place, 1.0, atol=1e-2)
    _, unmoved = minimise(lambda x: np.sum(x**2, axis=1), np.zeros(3), np.ones(3), 5, seed=1)
    assert unmoved == 0.0  # never worse than the start
