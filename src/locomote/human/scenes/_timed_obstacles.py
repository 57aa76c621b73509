"""Obstacles that come and go: where each stands, how it moves, and from when until when it is there."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike
from typing import Any

from locomote.errors import FormatError
from locomote.rotations import FloatArray
from locomote.world import Obstacles
from locomote.world import _tables as tables
from locomote.world._kernels.obstacle_layout import TURN, VX, VZ
from locomote.world._reading import build_obstacles

_BESIDE = ("obstacle", "height", "terrain", "box", "ramp", "slope", "stairs", "kerb", "platform", "shuttle")


@dataclass(frozen=True, eq=False)
class TimedObstacle:
    """One obstacle, from the moment at which it appears."""

    outline: FloatArray  # (V, 2) corners (x, z)
    height: float  # m
    velocity: FloatArray  # (2,) m/s
    turn_rate: float  # rad/s
    start: float = 0.0  # s
    end: float = math.inf  # s


class TimedObstacles:
    """Obstacles over time, as a file tells them; `at` shows them at one moment, `play` plays them forward."""

    def __init__(self, stays: Iterable[TimedObstacle] = ()) -> None:
        self.stays = tuple(stays)
        # Who vanishes makes room before another appears.
        ends = [(stay.end, 0, n) for n, stay in enumerate(self.stays) if stay.end < math.inf]
        starts = [(stay.start, 1, n) for n, stay in enumerate(self.stays)]
        self.events = sorted(ends + starts)

    @classmethod
    def read(cls, path: str | PathLike[str]) -> TimedObstacles:
        """The obstacles of a TOML file, which may describe a ground as well."""
        table = tables.read_table(path)
        tables.check_keys(path, "the obstacles", table, _BESIDE)
        return cls.build(path, table.get("obstacle", []))

    @classmethod
    def build(cls, path: str | PathLike[str], value: object) -> TimedObstacles:
        """The obstacles of a list of tables that stands in a file; ``from`` and ``until`` are seconds.

        Parameters
        ----------
        path : of the file, for errors
        value : the list
        """
        plain, times = value, []
        if isinstance(value, list) and all(isinstance(each, dict) for each in value):
            times = [_times(path, each, f"obstacle {i + 1}") for i, each in enumerate(value)]
            plain = [{k: v for k, v in each.items() if k not in ("from", "until")} for each in value]
        built = build_obstacles(path, plain)
        rows = built.arrays.table  # in the order of the file: none was taken away
        return cls(
            TimedObstacle(built.outline(one), built.height(one), row[VX : VZ + 1].copy(), float(row[TURN]), *when)
            for one, row, when in zip(built, rows, times, strict=True)
        )

    def __len__(self) -> int:
        return len(self.stays)

    @property
    def changes(self) -> bool:
        """Whether any obstacle appears, vanishes or moves."""
        return any(
            stay.start > 0.0 or stay.end < math.inf or stay.turn_rate != 0.0 or bool(stay.velocity.any())
            for stay in self.stays
        )

    def play(self) -> Played:
        """The obstacles at time 0, to be played forward."""
        return Played(self)

    def at(self, time: float) -> Obstacles:
        """The obstacles at a moment, seconds."""
        played = self.play()
        played.advance_to(time)
        return played.obstacles


class Played:
    """`obstacles` that are brought forward in time."""

    def __init__(self, appearing: TimedObstacles) -> None:
        self.obstacles = Obstacles()
        self._stays = appearing.stays
        self._events = list(appearing.events)
        self._ids: dict[int, int] = {}
        self.advance_to(0.0)

    def advance_to(self, time: float) -> None:
        """Let obstacles move, appear and vanish until a time that is not before the last one."""
        while self._events and self._events[0][0] <= time + 1e-6:
            when, appears, n = self._events.pop(0)
            self.obstacles.advance(max(0.0, when - self.obstacles.time))
            if not appears:
                self.obstacles.remove(self._ids.pop(n))
                continue
            stay = self._stays[n]
            self._ids[n] = self.obstacles.add_polygon(stay.outline, stay.height)
            self.obstacles.move(self._ids[n], velocity=stay.velocity, turn_rate=stay.turn_rate)
        self.obstacles.advance(max(0.0, time - self.obstacles.time))


def _times(path: str | PathLike[str], table: dict[str, Any], where: str) -> tuple[float, float]:
    """From when until when."""
    times = []
    for key, usual in (("from", 0.0), ("until", math.inf)):
        value = table.get(key, usual)
        if key in table and not (tables.is_number(value) and value >= 0.0):
            raise FormatError(path, f"{key}: expected seconds from 0 on instead of {value!r}", where)
        times.append(float(value))
    if not times[0] < times[1]:
        raise FormatError(path, f"until: expected a time after {times[0]:g} s instead of {times[1]:g}", where)
    return times[0], times[1]
