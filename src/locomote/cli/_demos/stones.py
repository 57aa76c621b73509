"""What ``locomote demo stones`` shows: feet that stand exactly where they are told."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from locomote.cli._demos.people import FPS, Show
from locomote.human._model import HumanModel
from locomote.rotations import FloatArray
from locomote.steps import FootPlan, plan_across, plan_along, plan_over_stones, trace
from locomote.world import Ground, Obstacles

STONE = 0.34  # m, side of a stone
WATER = -0.25  # m, height of the water below the banks
BANK = 1.2  # m before the water and behind it
ARC = ((0.0, 0.0), (0.0, 2.2), (1.2, 3.4), (2.8, 3.0), (2.6, 1.2))


def water(model: HumanModel, seconds: float) -> Show:
    """Over a stream from stone to stone."""
    stones = _line(np.random.default_rng(2), 9, lift=0.05)
    far = float(stones[-1, 2]) + 0.5
    ground = Ground(WATER)
    ground.add_box((0.0, 0.4 - 0.5 * BANK), (3.0, BANK), 0.0)
    ground.add_box((0.0, far - 0.2 + 0.5 * BANK), (3.0, BANK), 0.0)
    _place_stones(ground, stones)
    stream = Obstacles()
    stream.add_puddle((0.0, 0.5 * far + 0.1), far - 0.6, 3.0)
    plan = plan_over_stones(stones, (0.0, 0.0), (0.0, far + 0.2), leg_length=0.9)
    text = (
        f"{len(stones)} stones in a stream: the planner chooses which foot goes on which one, and the feet stand on "
        "them to a tenth of a millimetre, blended from a few hundred recorded steps."
    )
    return _show("water", "Stepping stones", text, plan, ground, stream, "three-quarter")


def posts(model: HumanModel, seconds: float) -> Show:
    """A choice of stones of uneven height, in no order."""
    random = np.random.default_rng(7)
    stones = np.column_stack(
        [random.uniform(-1.1, 1.1, 60), random.uniform(-0.12, 0.12, 60), random.uniform(0.5, 5.2, 60)]
    )
    apart = [i for i, stone in enumerate(stones) if np.all(_gaps(stones[:i], stone) > 1.2 * STONE)]
    stones = stones[apart]
    ground = Ground(WATER)
    for middle in (-0.35, 6.15):
        ground.add_box((0.0, middle), (3.0, BANK), 0.0)
    _place_stones(ground, stones)
    plan = plan_over_stones(stones, (0.0, 0.0), (0.0, 5.9))
    text = f"{len(stones)} stones of uneven height, in no order: the most comfortable way is found in milliseconds."
    return _show("posts", "Uneven stones", text, plan, ground, None, "three-quarter")


def stairs(model: HumanModel, seconds: float) -> Show:
    """Footholds found on stairs, and past what lies there."""
    ground = Ground()
    ground.add_stairs((0.0, 1.0), 4, landing=1.1)
    ground.add_stairs((0.0, 1.0 + 3 * 0.29 + 1.1), 4, down=True, landing=0.3, base=0.0)
    plan = plan_across((0.0, 0.0), (0.0, 5.2), ground=ground, around=0.6)
    text = "Places on stairs where the ball of a foot finds room, one tread after the other, up and down."
    return _show("steps-stairs", "Stairs", text, plan, ground, None, "side")


def round_a_bend(model: HumanModel, seconds: float) -> Show:
    """Along a path with a sharp corner."""
    plan = plan_along(ARC, 1.1, model=model)
    text = "Along a path at 1.1 m/s: natural steps on either side of the line, and a turn on the spot at its corner."
    return _show("path", "A path with exact feet", text, plan, None, None, "high")


STONE_SHOWS: tuple[Callable[[HumanModel, float], Show], ...] = (water, posts, stairs, round_a_bend)


def _line(random: np.random.Generator, count: int, lift: float) -> FloatArray:
    """An irregular line of stones, left and right of it in turn."""
    i = np.arange(count)
    return np.column_stack(
        [
            np.where(i % 2, 0.11, -0.11) + random.uniform(-0.08, 0.08, count),
            random.uniform(-lift, lift, count),
            0.75 + 0.52 * i + random.uniform(-0.08, 0.08, count),
        ]
    )


def _gaps(stones: FloatArray, stone: FloatArray) -> FloatArray:
    out: FloatArray = np.hypot(*(stones - stone)[:, [0, 2]].T)
    return out


def _place_stones(ground: Ground, stones: FloatArray) -> None:
    for x, y, z in stones:
        ground.add_box((x, z), (STONE, STONE), y)


def _show(
    name: str,
    title: str,
    text: str,
    plan: FootPlan,
    ground: Ground | None,
    obstacles: Obstacles | None,
    view: str,
) -> Show:
    (made,) = trace([plan], fps=FPS, ground=ground)
    motion = replace(made.motion, name=name)
    return Show(name, title, text, [motion], view=view, ground=ground, obstacles=obstacles)
