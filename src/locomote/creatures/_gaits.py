"""Gaits: when each foot of a creature swings, at every speed.

A gait is a disk for each foot (see `_kernels.model`), known at some speeds and interpolated between them. Speeds
are in units of sqrt(g h) and times in units of sqrt(h / g), with h the height of the hips, so that one gait serves
small and large animals alike.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from locomote.creatures._kernels.model import LIVES, GaitArrays
from locomote.errors import FormatError, LocomoteError
from locomote.rotations import ArrayLike, FloatArray

STRONGEST = 4.0  # peak force of a foot over the weight it carries, beyond which a gait is not plausible
LONGEST = 0.95  # turns, of a swing: a foot that hardly ever stands carries nothing
VERSION = 1
USUAL = np.array([*np.ones(LIVES - 1), 0.0])  # all motions of the body as they come; nothing but frogs hops
# Of the bounce that the feet alone would give: what is usual in gaits without and with flight.
BOUNCES = (0.5, 0.85)


@dataclass(frozen=True, eq=False)
class Gait:
    """The swings of F feet at M speeds, up to K of them in a cycle.

    ``starts`` are in turns of the cycle (any whole number may be added), ``durations`` likewise; a swing that is not
    there has the duration 0, at all speeds or at none.
    """

    name: str
    feet: tuple[str, ...]
    speeds: FloatArray  # (M,) over sqrt(g h), rising
    periods: FloatArray  # (M,) over sqrt(h / g)
    starts: FloatArray  # (M, F, K)
    durations: FloatArray  # (M, F, K)
    lift: FloatArray  # (M,) step height over h
    lives: FloatArray | None = None  # (M, LIVES) motions of the body, against what is usual, in the order of `GaitLife`

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        set_field(self, "feet", tuple(self.feet))
        knots, feet = len(np.atleast_1d(self.speeds)), len(self.feet)
        set_field(self, "lives", _all_lives(self.lives, knots))
        starts = np.asarray(self.starts, dtype=np.float64)
        if starts.ndim != 3:
            raise LocomoteError(f"gait {self.name!r}: starts must be (speeds, feet, swings), got {starts.shape}")
        shapes: dict[str, tuple[int, ...]] = {"speeds": (knots,), "periods": (knots,), "lift": (knots,)}
        shapes |= dict.fromkeys(("starts", "durations"), (knots, feet, starts.shape[2]))
        shapes["lives"] = (knots, LIVES)
        for what, shape in shapes.items():
            values = np.array(getattr(self, what), dtype=np.float64)
            if values.shape != shape or not np.all(np.isfinite(values)):
                raise LocomoteError(f"gait {self.name!r}: {what} must be finite and {shape}, got {values.shape}")
            if what == "starts":
                values = _unwrapped(values)
            values.setflags(write=False)
            set_field(self, what, values)
        self._check()

    def _check(self) -> None:
        if not len(self.feet) or not len(self.speeds):
            raise LocomoteError(f"gait {self.name!r} needs at least one foot and one speed")
        if self.speeds[0] < 0.0 or np.any(np.diff(self.speeds) <= 0.0):
            raise LocomoteError(f"gait {self.name!r}: speeds must rise from 0 or more, got {self.speeds}")
        if np.any(self.periods <= 0.0) or np.any(self.lift < 0.0):
            raise LocomoteError(f"gait {self.name!r}: periods must be above 0 and lifts not below it")
        if np.any(self.durations < 0.0) or np.any(self.durations.sum(axis=2) > LONGEST):
            raise LocomoteError(f"gait {self.name!r}: the swings of a foot must last 0 to {LONGEST} of the cycle")
        there = self.durations > 0.0
        if np.any(there != there[:1]):
            raise LocomoteError(f"gait {self.name!r}: a swing must be there at all speeds or at none")

    @classmethod
    def at_one_speed(
        cls,
        name: str,
        feet: Sequence[str],
        touch_downs: ArrayLike,
        duty: ArrayLike,
        period: float,
        lift: float = 0.1,
        speed: float = 0.0,
    ) -> Gait:
        """A gait by the phases at which its feet land and the share of the cycle for which they stand.

        Parameters
        ----------
        name, feet : names of the gait and of its feet
        touch_downs, duty : (F,) turns of the cycle, and share of it, number or (F,)
        period : over sqrt(h / g), with h the height of the hips
        lift, speed : step height over h, and speed over sqrt(g h)
        """
        swing = 1.0 - np.broadcast_to(np.asarray(duty, dtype=np.float64), (len(feet),))
        starts = (np.asarray(touch_downs, dtype=np.float64) - swing) % 1.0
        one = (
            np.array([speed]),
            np.array([period]),
            starts[None, :, None],
            swing[None, :, None],
            np.array([lift]),
        )
        return cls(name, tuple(feet), *one)

    def duty(self) -> FloatArray:
        """The share of the cycle for which each foot stands, ``(M, F)``."""
        return np.asarray(1.0 - self.durations.sum(axis=2), dtype=np.float64)

    def touch_downs(self) -> FloatArray:
        """The phases at which the feet land, ``(M, F, K)``, in [0, 1)."""
        return (self.starts + self.durations) % 1.0

    def feet_down(self, phases: ArrayLike, knot: int = 0) -> FloatArray:
        """How many feet stand at each phase, at one of the speeds.

        Parameters
        ----------
        phases : turns of the cycle, any shape
        knot : which of the speeds
        """
        since = (np.asarray(phases, dtype=np.float64)[..., None, None] - self.starts[knot]) % 1.0
        swings = (since < self.durations[knot]).any(axis=-1)
        return np.asarray(len(self.feet) - swings.sum(axis=-1), dtype=np.float64)

    def fewest_down(self) -> int:
        """The fewest feet that ever stand at once, at any speed. They can only grow fewer where a swing begins."""
        fewest = len(self.feet)
        for knot in range(len(self.speeds)):
            begins = self.starts[knot][self.durations[knot] > 0.0]
            if len(begins):
                fewest = min(fewest, int(self.feet_down(begins + 1e-9, knot).min()))
        return fewest

    @property
    def flies(self) -> bool:
        """Whether all feet are ever in the air at once."""
        return self.fewest_down() == 0

    def forces(self) -> FloatArray:
        """How hard each foot presses over the weight it carries, at each speed ``(M, F)``.

        A foot that carries its share of the body over the whole cycle while it stands for a part of it presses by
        one over its duty, evenly; the acceleration that it gives the body is so many times that of gravity.
        """
        return np.asarray(1.0 / self.duty(), dtype=np.float64)

    def peak_force(self) -> float:
        """The largest of the `forces`."""
        return float(self.forces().max())

    def plausible(self, limit: float = STRONGEST) -> bool:
        """Whether no foot has to press harder than ``limit`` times the weight it carries."""
        return self.peak_force() <= limit

    def complaint(self, limit: float = STRONGEST) -> str:
        """What makes the gait implausible, in one line; nothing where it is plausible."""
        if self.plausible(limit):
            return ""
        forces = self.forces()
        knot, foot = np.unravel_index(int(forces.argmax()), forces.shape)
        return (
            f"gait {self.name!r}: foot {self.feet[foot]} stands for {1.0 / forces[knot, foot]:.2g} of the cycle and "
            f"presses {forces[knot, foot]:.2g} times the weight it carries; {limit:g} times is plausible"
        )

    def at(self, speed: float) -> Gait:
        """The same gait as it is gone at one speed over sqrt(g h)."""

        def between(values: FloatArray) -> FloatArray:
            flat = values.reshape(len(values), -1)
            columns = [np.interp(abs(speed), self.speeds, column) for column in flat.T]
            return np.array(columns).reshape(1, *values.shape[1:])

        known = (self.periods, self.starts, self.durations, self.lift, np.asarray(self.lives))
        return Gait(self.name, self.feet, np.array([abs(speed)]), *map(between, known))

    def mirrored(self) -> Gait:
        """The same gait with left and right exchanged: feet whose names begin with L and R."""
        other = {"L": "R", "R": "L"}
        names = [other.get(foot[:1], foot[:1]) + foot[1:] for foot in self.feet]
        missing = [name for name in names if name not in self.feet]
        if missing:
            raise LocomoteError(f"gait {self.name!r} has no foot {missing[0]!r} to mirror; its feet: {self.feet}")
        order = [self.feet.index(name) for name in names]
        return replace(self, starts=self.starts[:, order], durations=self.durations[:, order])

    def ordered(self, feet: Sequence[str]) -> Gait:
        """The same gait with its feet in another order."""
        if sorted(feet) != sorted(self.feet):
            raise LocomoteError(f"gait {self.name!r} is for the feet {self.feet}, not {tuple(feet)}")
        order = [self.feet.index(foot) for foot in feet]
        return replace(self, feet=tuple(feet), starts=self.starts[:, order], durations=self.durations[:, order])

    def as_dict(self) -> dict[str, Any]:
        """Plain lists and numbers, as they are saved."""
        return {
            "version": VERSION,
            "name": self.name,
            "feet": list(self.feet),
            "speeds": self.speeds.tolist(),
            "periods": self.periods.tolist(),
            "starts": (self.starts % 1.0).tolist(),
            "durations": self.durations.tolist(),
            "lift": self.lift.tolist(),
            "lives": np.asarray(self.lives).tolist(),
        }

    def save(self, path: str | Path) -> None:
        """Write the gait as JSON."""
        Path(path).write_text(json.dumps(self.as_dict(), indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Gait:
        """Read a gait that `save` wrote, or that was written by hand."""
        try:
            told = json.loads(Path(path).read_text(encoding="utf-8"))
        except ValueError as error:
            raise FormatError(path, f"not JSON: {error}") from None
        if not isinstance(told, dict) or told.get("version") != VERSION:
            raise FormatError(path, f"not a gait of version {VERSION}")
        names = ("name", "feet", "speeds", "periods", "starts", "durations", "lift")
        missing = [name for name in names if name not in told]
        if missing:
            raise FormatError(path, f"lacks {', '.join(missing)}")
        try:
            return cls(
                str(told["name"]),
                tuple(map(str, told["feet"])),
                *(np.array(told[n], float) for n in (*names[2:], "lives") if n in told),
            )
        except (LocomoteError, TypeError, ValueError) as error:
            raise FormatError(path, str(error)) from None


def _all_lives(given: FloatArray | None, knots: int) -> FloatArray:
    """The shares of all motions of the body: those that are not given are as usual."""
    known = np.ones((knots, 0)) if given is None else np.asarray(given, dtype=np.float64)
    if known.ndim != 2 or known.shape[1] >= LIVES:
        return known
    usual = np.tile(USUAL[known.shape[1] :], (len(known), 1))
    return np.concatenate([known, usual], axis=1)


def _unwrapped(starts: FloatArray) -> FloatArray:
    """Starts in [0, 1) at the first speed, and from there the short way from speed to speed."""
    out = starts % 1.0
    for m in range(1, len(out)):
        out[m] = out[m - 1] + (starts[m] - out[m - 1] + 0.5) % 1.0 - 0.5
    return out


@dataclass(frozen=True, eq=False)
class GaitSet:
    """The gaits of a creature. The first ones are its natural gaits, by rising speed; others are on demand.

    ``natural`` holds, for each natural gait, the signed speeds over sqrt(g h) at which it is left for the slower and
    for the faster one; ranges overlap, so that a creature near a limit does not change to and fro.
    """

    gaits: tuple[Gait, ...]
    natural: tuple[tuple[float, float], ...] = field(default=((-np.inf, np.inf),))

    def __post_init__(self) -> None:
        object.__setattr__(self, "gaits", tuple(self.gaits))
        if not self.gaits:
            raise LocomoteError("a set of gaits needs at least one")
        for gait in self.gaits[1:]:
            if gait.feet != self.gaits[0].feet:
                raise LocomoteError(
                    f"gaits of one set must share their feet; {gait.name!r} has {gait.feet}, "
                    f"{self.gaits[0].name!r} has {self.gaits[0].feet}"
                )
        names = [gait.name for gait in self.gaits]
        if len(set(names)) < len(names):
            raise LocomoteError(f"gaits of one set need different names, got {', '.join(names)}")
        if len(self.natural) > len(self.gaits):
            raise LocomoteError(f"{len(self.natural)} ranges of speed for {len(self.gaits)} gaits")
        for (_, high), (low, _) in zip(self.natural[:-1], self.natural[1:], strict=True):
            if not low <= high:
                raise LocomoteError(f"natural gaits leave a gap of speeds between {high} and {low}")

    def __len__(self) -> int:
        return len(self.gaits)

    def index(self, name: str) -> int:
        """The number of a gait by its name."""
        for i, gait in enumerate(self.gaits):
            if gait.name == name:
                return i
        raise LocomoteError(f"no gait {name!r}; the gaits are: {', '.join(gait.name for gait in self.gaits)}")

    def with_gait(self, gait: Gait) -> GaitSet:
        """The same set with one more gait on demand, or with the gait of that name replaced."""
        others = list(self.gaits)
        places = [i for i, known in enumerate(others) if known.name == gait.name]
        if places:
            others[places[0]] = gait
        else:
            others.append(gait)
        return replace(self, gaits=tuple(others))

    @cached_property
    def arrays(self) -> GaitArrays:
        """The gaits as kernels read them; knots that a gait lacks repeat its last one."""
        knots = max(len(gait.speeds) for gait in self.gaits)
        swings = max(gait.starts.shape[2] for gait in self.gaits)
        count, feet = len(self.gaits), len(self.gaits[0].feet)
        sectors = np.zeros((count, knots, feet, swings, 2))
        tables, lives = np.zeros((3, count, knots)), np.zeros((count, knots, LIVES))
        for i, gait in enumerate(self.gaits):
            take = np.minimum(np.arange(knots), len(gait.speeds) - 1)
            tables[:, i] = gait.speeds[take], gait.periods[take], gait.lift[take]
            lives[i] = np.asarray(gait.lives)[take]
            lives[i, :, 0] *= BOUNCES[int(gait.flies)]
            sectors[i, :, :, : gait.starts.shape[2], 0] = gait.starts[take]
            sectors[i, :, :, : gait.starts.shape[2], 1] = gait.durations[take]
        flights = np.array([gait.flies for gait in self.gaits], dtype=np.int64)
        natural = np.array(self.natural, dtype=np.float64).reshape(-1, 2)
        return GaitArrays(tables[0], tables[1], sectors, tables[2], lives, flights, natural)
