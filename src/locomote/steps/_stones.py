"""Foot plans over stones: a sequence of given places, left and right in turn."""

from __future__ import annotations

import math

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.steps._foothold_search import Places, best_way
from locomote.steps._plan import FootPlan

EDGE = 0.09  # m that the ball of a foot keeps to the edge of a stone, where the stone is large enough
APART = 0.12  # m between places on one stone
OFF_CENTRE = 0.1  # what it costs to stand at the edge; a step that is quite wrong costs 1
LARGEST = 5.0  # m, radius of a stone


def plan_over_stones(
    stones: rot.ArrayLike,
    start: rot.ArrayLike | FootPlan,
    goal: rot.ArrayLike,
    *,
    radius: rot.ArrayLike = 0.0,
    leg_length: float = 0.9,
) -> FootPlan:
    """The plan of the most comfortable way over stones, to a stance at the goal.

    Feet stand on the middle of a stone, or elsewhere on one with a radius above 9 cm. Steps are chosen by length,
    width, turn and rise, feet do not cross, times are free. A start or goal on a stone is as high as it.

    Parameters
    ----------
    stones : (M, 3) m, or (M, 2) as (x, z)
    start : (2,) or (3,) m, with firm ground for both feet; or a plan, which then goes on
    goal : (2,) or (3,) m, likewise
    radius : m, of the stones, number or (M,)
    leg_length : m
    """
    centres = _points("stones", stones)
    radii = np.broadcast_to(np.asarray(radius, dtype=np.float64), len(centres))
    if not np.all((radii >= 0.0) & (radii <= LARGEST)):
        raise LocomoteError(f"radius: expected metres from 0 to {LARGEST:g} for every stone")
    if not (math.isfinite(leg_length) and leg_length > 0.0):
        raise LocomoteError(f"leg_length: expected metres above 0, got {leg_length!r}")
    points, owners, costs = _footholds(centres, radii)
    places = Places(points, costs, lambda i: f"stone {owners[i] + 1}")
    begin = start if isinstance(start, FootPlan) else _on(_end("start", start), centres, radii)
    return best_way(places, begin, _on(_end("goal", goal), centres, radii), leg_length)


def _footholds(centres: FloatArray, radii: FloatArray) -> tuple[FloatArray, list[int], FloatArray]:
    """Places for a foot on stones: the middle, and rings around it as far as there is room."""
    points, owners, costs = [], [], []
    for index, (centre, radius) in enumerate(zip(centres, radii.tolist(), strict=True)):
        room = max(0.0, radius - EDGE)
        rings = math.ceil(room / APART)
        for ring in range(rings + 1):
            out = room * ring / max(rings, 1)
            for angle in math.tau * np.arange(max(1, 6 * ring)) / max(1, 6 * ring):
                points.append(centre + out * np.array([math.sin(angle), 0.0, math.cos(angle)]))
                owners.append(index)
                costs.append(OFF_CENTRE * (out / radius) ** 2 if radius > 0.0 else 0.0)
    return np.array(points), owners, np.array(costs)


def _points(name: str, values: rot.ArrayLike) -> FloatArray:
    points = np.asarray(values, dtype=np.float64)
    if points.ndim != 2 or points.shape[1] not in (2, 3) or not len(points):
        raise LocomoteError(f"{name}: expected at least one place (x, z) or (x, y, z), got shape {points.shape}")
    bad = ~np.all(np.isfinite(points), axis=1)
    if np.any(bad):
        raise LocomoteError(f"{name}: number {int(np.flatnonzero(bad)[0]) + 1} is not finite")
    return points if points.shape[1] == 3 else np.insert(points, 1, 0.0, axis=1)


def _end(name: str, value: rot.ArrayLike) -> tuple[FloatArray, bool]:
    """A place, and whether its height was said."""
    point = np.asarray(value, dtype=np.float64)
    if point.shape not in ((2,), (3,)) or not np.all(np.isfinite(point)):
        raise LocomoteError(f"{name}: expected a place (x, z) or (x, y, z), got {value!r}")
    return (point, True) if len(point) == 3 else (np.insert(point, 1, 0.0), False)


def _on(end: tuple[FloatArray, bool], centres: FloatArray, radii: FloatArray) -> FloatArray:
    """A place at the height of the stone that it lies on, unless its height was said."""
    point, said = end
    gaps = np.hypot(*(centres - point)[:, [0, 2]].T)
    under = np.flatnonzero(gaps <= np.maximum(radii, EDGE))
    if not said and len(under):
        point = point.copy()
        point[1] = centres[under, 1].max()
    return point
