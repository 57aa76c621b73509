"""What recorded people do: the range of every figure of a body, by kind of motion and speed."""

from __future__ import annotations

import json
from bisect import bisect_right
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from locomote.errors import LocomoteError

FILE = Path(__file__).parents[1] / "assets" / "recorded_people.json"
PERCENTILES = (1, 5, 50, 95, 99)
# m/s between which people who walk or run are alike.
SPEEDS = {"walk": (0.0, 0.8, 1.1, 1.5, 2.2), "run": (1.0, 2.5, 3.5, 4.5, 6.0)}


class Range(NamedTuple):
    """Percentiles over recorded clips or people."""

    p1: float
    p5: float
    median: float
    p95: float
    p99: float


def kind_of(gait: str, speed: float) -> str:
    """The kind of motion of which there is a range: ``walk 1.1-1.5`` for a walk at 1.3 m/s.

    Parameters
    ----------
    gait : "walk" or "run"; others have no speeds
    speed : m/s
    """
    if gait not in SPEEDS:
        return gait
    edges = SPEEDS[gait]
    at = min(max(bisect_right(edges, speed), 1), len(edges) - 1)
    return f"{gait} {edges[at - 1]:g}-{edges[at]:g}"


def recorded_range(figure: str, gait: str, speed: float | None = None) -> Range | None:
    """The range of a figure over recorded people; None where there is none.

    Parameters
    ----------
    figure : a name such as "arm_swing"
    gait : "walk", "run", "turn", "jump" or "side"
    speed : m/s; without it people of all speeds
    """
    kinds = _table()
    kind = gait if speed is None else kind_of(gait, speed)
    if kind not in kinds:
        raise LocomoteError(f"no recorded people of the kind {kind!r}; there are: {', '.join(kinds)}")
    found = kinds[kind]["figures"].get(figure)
    return None if found is None else Range(*found)


def recorded_people(gait: str, speed: float) -> int:
    """How many people such a range is of.

    Parameters
    ----------
    gait, speed : as for `recorded_range`
    """
    return int(_table()[kind_of(gait, speed)]["people"])


@cache
def _table() -> dict[str, Any]:
    kinds: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))["kinds"]
    return kinds
