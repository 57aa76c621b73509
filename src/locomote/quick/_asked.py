"""What the lines take: values over time, ways, worlds and rigs, checked."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.human.scenes._path import Route
from locomote.human.scenes._schedule import Schedule
from locomote.motion import Motion
from locomote.world import Ground

FPS = 60.0
LONGEST = 3600.0  # s

OverTime = float | Mapping[float, float]
Rig = Motion | str | os.PathLike[str]
World = str | os.PathLike[str] | Ground
Places = Sequence[float] | Sequence[Sequence[float]]


def schedule(what: str, value: OverTime, low: float, high: float) -> Schedule:
    """What is constant, or told at moments.

    Parameters
    ----------
    what : its name, for errors
    value : a number, or numbers by seconds
    low, high : between which they lie
    """
    told = value if isinstance(value, Mapping) else {0.0: value}
    try:
        times, values = tuple(map(float, told)), tuple(map(float, told.values()))
    except (TypeError, ValueError):
        raise LocomoteError(f"{what} {value!r}: expected a number, or numbers by seconds: {{0: 0, 2: 1.4}}") from None
    for one in values:
        if not low <= one <= high:
            raise LocomoteError(f"{what} {one:g}: expected {low:g} to {high:g}")
    try:
        return Schedule(times, values)
    except LocomoteError as error:
        raise LocomoteError(f"{what}: {error}") from None


def duration(seconds: float) -> float:
    """How long something lasts, seconds."""
    if not (isinstance(seconds, (int, float)) and 0.0 < seconds <= LONGEST):
        raise LocomoteError(f"seconds {seconds!r}: expected more than 0, up to {LONGEST:g}")
    return float(seconds)


def way(to: Sequence[Any] | None) -> tuple[tuple[float, float] | None, Route | None]:
    """A place to go to, or a route to go along."""
    if to is None:
        return None, None
    try:
        places = np.asarray(to, dtype=np.float64)
    except (TypeError, ValueError):
        places = np.empty(0)
    if places.shape == (2,) and np.isfinite(places).all():
        return (float(places[0]), float(places[1])), None
    if places.ndim != 2 or places.shape[1] != 2:
        raise LocomoteError(f"to: expected a place (x, z) or a list of them, in metres, instead of {to!r}")
    return None, Route(places)


def rig_of(onto: Rig | None) -> Motion | None:
    """The rig that something goes onto."""
    return onto if onto is None or isinstance(onto, Motion) else load(onto)
