"""What is asked for: where which foot is to stand, in order."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import overload

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

LEFT, RIGHT = 0, 1
SIDES = ("left", "right")
FEWEST = 3  # plants: where both feet stand, and one step

# Limits of one step in leg lengths (hip to ankle).
REACH = 1.5  # between the foot that stands and the one that lands, in space
RISE = 0.75  # between the heights of the two
NEAREST = 0.022  # that feet may stand to one another
CROSSING = 0.5  # that a foot may land beyond the other one, on the other side of it

SHORTEST_TIME = 0.1  # s between two feet that come down
_SURE = 0.1  # leg lengths between the feet, across, from which on they say where the body faces
_MOST_TURN = math.radians(60.0)  # of the body in a step, as far as only the places of the feet tell


@dataclass(frozen=True, eq=False)
class FootPlan:
    """Plants in order, metres in the world; the first two are where the feet stand at the beginning.

    A place is that of the ball of the foot. Yaws (radians, where the foot points) and times (seconds at which the foot
    comes down) may be NaN: free.

    >>> plan = FootPlan.of([LEFT, RIGHT, LEFT], [(0.1, 0), (-0.1, 0), (0.1, 0.6)])
    >>> plan.mirrored().places[:, 0].tolist()
    [-0.1, 0.1, -0.1]
    """

    sides: IntArray  # (P,) LEFT or RIGHT
    places: FloatArray  # (P, 3)
    yaws: FloatArray  # (P,)
    times: FloatArray  # (P,)

    def __len__(self) -> int:
        return len(self.sides)

    @staticmethod
    def of(sides: IntArray | list[int], places: rot.ArrayLike) -> FootPlan:
        """A plan that leaves yaws and times free; places are (x, z) or (x, y, z)."""
        sides, places = np.asarray(sides, dtype=np.int64), np.asarray(places, dtype=np.float64)
        if places.ndim == 2 and places.shape[1] == 2:
            places = np.insert(places, 1, 0.0, axis=1)
        free = np.full(len(sides), np.nan)
        return FootPlan(sides, places, free, free.copy())

    @overload
    def __getitem__(self, which: int) -> tuple[int, FloatArray, float, float]: ...
    @overload
    def __getitem__(self, which: slice) -> FootPlan: ...
    def __getitem__(self, which: int | slice) -> FootPlan | tuple[int, FloatArray, float, float]:
        """Some of the plants as a plan, or one as (side, place, yaw, time)."""
        if isinstance(which, slice):
            return FootPlan(self.sides[which], self.places[which], self.yaws[which], self.times[which])
        return (
            int(self.sides[which]),
            self.places[which],
            float(self.yaws[which]),
            float(self.times[which]),
        )

    def durations(self) -> FloatArray:
        """Seconds from plant to plant for every step ``(P - 2,)``; NaN where a time is free."""
        out: FloatArray = np.diff(self.times)[1:]
        if len(out):
            out[0] = self.times[2] - np.fmax(self.times[0], self.times[1])
        return out

    def mirrored(self) -> FootPlan:
        """The plan in a mirror across x = 0: left is right."""
        return FootPlan(1 - self.sides, self.places * (-1.0, 1.0, 1.0), -self.yaws, self.times)

    def moved(self, yaw: float = 0.0, offset: rot.ArrayLike = (0.0, 0.0, 0.0)) -> FootPlan:
        """The plan turned about the world's origin, then shifted."""
        places = rot.rotate(rot.from_yaw(yaw), self.places) + np.asarray(offset, dtype=np.float64)
        return replace(self, places=places, yaws=self.yaws + yaw)

    def delayed(self, seconds: float) -> FootPlan:
        """The plan with all times later by so much."""
        return replace(self, times=self.times + seconds)


def check(plan: FootPlan, leg_length: float = 0.9) -> None:
    """Refuse a plan that no one could walk; the error names the plant, counted from 1, and what would be right."""
    if not (math.isfinite(leg_length) and leg_length > 0.0):
        raise LocomoteError(f"leg_length: expected metres above 0, got {leg_length!r}")
    _check_arrays(plan)
    if plan.sides[0] == plan.sides[1]:
        raise LocomoteError(
            f"plant 2: the {SIDES[plan.sides[0]]} foot again; the first two plants are where both feet stand"
        )
    _check_times(plan)
    _check_steps(plan, leg_length)


def _check_arrays(plan: FootPlan) -> None:
    count = len(plan)
    shapes = [plan.sides.shape, plan.places.shape, plan.yaws.shape, plan.times.shape]
    if shapes != [(count,), (count, 3), (count,), (count,)]:
        raise LocomoteError(f"plan: expected arrays (P,), (P, 3), (P,), (P,), got {shapes}")
    if count < FEWEST:
        raise LocomoteError(
            f"plan: {count} plants, expected at least {FEWEST}: where both feet stand, and a step"
        )
    bad = ~np.isin(plan.sides, (LEFT, RIGHT))
    if np.any(bad):
        raise LocomoteError(
            f"{_first(bad)}: side {plan.sides[bad][0]}, expected {LEFT} (left) or {RIGHT} (right)"
        )
    bad = ~np.all(np.isfinite(plan.places), axis=1)
    if np.any(bad):
        raise LocomoteError(f"{_first(bad)}: its place {plan.places[bad][0].tolist()} is not finite")
    for name, values in (("yaw", plan.yaws), ("time", plan.times)):
        if np.any(np.isinf(values)):
            raise LocomoteError(f"{_first(np.isinf(values))}: {name} is infinite; NaN leaves it free")


def _check_times(plan: FootPlan) -> None:
    """Times that are given increase; the feet that stand at the beginning may have stood there for ever."""
    latest, which = -math.inf, -1
    for i, time in enumerate(plan.times.tolist()):
        if math.isnan(time):
            continue
        if i >= 2 and time < latest + SHORTEST_TIME:
            raise LocomoteError(
                f"plant {i + 1}: comes down at {time:g} s, expected at least {SHORTEST_TIME:g} s after "
                f"plant {which + 1} at {latest:g} s"
            )
        if time > latest:
            latest, which = time, i


def _check_steps(plan: FootPlan, leg: float) -> None:
    stands = {int(plan.sides[0]): 0, int(plan.sides[1]): 1}  # side -> plant
    _check_pair(plan, 1, 0, leg)
    face = _first_facing(plan, leg)
    for i in range(2, len(plan)):
        side = int(plan.sides[i])
        support, start = stands[1 - side], stands[side]
        _check_pair(plan, i, support, leg)
        face = _facing(plan, i, support, face)
        beyond = _to_left(plan.places[i] - plan.places[support], face) * (1.0 if side == RIGHT else -1.0)
        if beyond > CROSSING * leg:
            raise LocomoteError(
                f"plant {i + 1}: the {SIDES[side]} foot lands {beyond:.2f} m beyond the {SIDES[1 - side]} foot "
                f"of plant {support + 1}; feet cross by at most {CROSSING * leg:.2f} m"
            )
        face = _turned(plan, i, support, start, face, leg)
        stands[side] = i


def _check_pair(plan: FootPlan, i: int, support: int, leg: float) -> None:
    way = plan.places[i] - plan.places[support]
    far, rise = float(np.linalg.norm(way)), float(way[1])
    where = f"plant {i + 1}: the {SIDES[plan.sides[i]]} foot"
    if far > REACH * leg:
        raise LocomoteError(
            f"{where} is {far:.2f} m from plant {support + 1}, expected at most {REACH * leg:.2f} m "
            f"for legs of {leg:g} m"
        )
    if abs(rise) > RISE * leg:
        raise LocomoteError(
            f"{where} is {abs(rise):.2f} m {'above' if rise > 0 else 'below'} plant {support + 1}, "
            f"expected at most {RISE * leg:.2f} m for legs of {leg:g} m"
        )
    if far < NEAREST * leg:
        raise LocomoteError(
            f"{where} lands on plant {support + 1}, where the other foot stands; expected at least "
            f"{100.0 * NEAREST * leg:.0f} cm between them"
        )


def _first_facing(plan: FootPlan, leg: float) -> float:
    """Where the body faces at the beginning, as far as places tell: square to the line between the feet.

    Feet that stand one before the other do not tell; then the first step does, whose swing passes the other foot.
    """
    left, right = (plan.places[np.flatnonzero(plan.sides[:2] == side)[0]] for side in (LEFT, RIGHT))
    face = _facing_of(left - right)
    start, support = (0, 1) if plan.sides[0] == plan.sides[2] else (1, 0)
    across = _across(plan, 2, support, start, leg)
    passing = _facing_of(across)
    sure = math.hypot(across[0], across[2]) > _SURE * leg
    return passing if sure and abs(math.remainder(passing - face, math.tau)) < 0.5 * math.pi else face


def _facing(plan: FootPlan, i: int, support: int, face: float) -> float:
    """Where the body faces when a foot lands: where the feet point if that is asked for."""
    yaws = plan.yaws[[i, support]]
    if not np.any(np.isfinite(yaws)):
        return face
    return math.atan2(float(np.nansum(np.sin(yaws))), float(np.nansum(np.cos(yaws))))


def _turned(plan: FootPlan, i: int, support: int, start: int, face: float, leg: float) -> float:
    """The facing after a step, as far as it says anything."""
    across = _across(plan, i, support, start, leg)
    sure = min(1.0, math.hypot(across[0], across[2]) / (_SURE * leg))
    turn = sure * math.remainder(_facing_of(across) - face, math.tau)
    return face + min(max(turn, -_MOST_TURN), _MOST_TURN)


def _across(plan: FootPlan, i: int, support: int, start: int, leg: float) -> FloatArray:
    """The way to the left between the course of the swinging foot and the foot that stands."""
    course = (plan.places[i] - plan.places[start]) * (1.0, 0.0, 1.0)
    across: FloatArray = plan.places[support] - 0.5 * (plan.places[start] + plan.places[i])
    length = float(np.linalg.norm(course))
    if length > _SURE * leg:
        across = across - across @ course / length**2 * course
    return across if plan.sides[i] == RIGHT else -across


def _facing_of(to_the_left: FloatArray) -> float:
    """The yaw of a body whose left side is in a direction."""
    return math.atan2(-to_the_left[2], to_the_left[0])


def _to_left(way: FloatArray, face: float) -> float:
    """How far a way goes to the left of a facing."""
    return float(way[0] * math.cos(face) - way[2] * math.sin(face))


def _first(bad: np.typing.NDArray[np.bool_]) -> str:
    return f"plant {int(np.flatnonzero(bad)[0]) + 1}"
