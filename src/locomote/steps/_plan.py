"""What is asked for: where which foot is to stand, in order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, overload

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
        """A plan that leaves yaws and times free.

        Parameters
        ----------
        sides : (P,) LEFT or RIGHT
        places : (P, 2) m as (x, z), or (P, 3)
        """
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
        """The plan turned about the world's origin, then shifted.

        Parameters
        ----------
        yaw, offset : rad and (3,) m
        """
        places = rot.rotate(rot.from_yaw(yaw), self.places) + np.asarray(offset, dtype=np.float64)
        return replace(self, places=places, yaws=self.yaws + yaw)

    def delayed(self, seconds: float) -> FootPlan:
        """The plan with all times later by so much."""
        return replace(self, times=self.times + seconds)


def check(plan: FootPlan, leg_length: float = 0.9) -> None:
    """Refuse a plan that no one could walk; the error names the plant, counted from 1, and what would be right.

    Parameters
    ----------
    plan, leg_length : what is to be walked, and m
    """
    check_all([plan], leg_length)


def check_all(plans: Sequence[FootPlan], leg_length: float = 0.9) -> None:
    """`check` many plans for legs of one length, in less time."""
    if not (math.isfinite(leg_length) and leg_length > 0.0):
        raise LocomoteError(f"leg_length: expected metres above 0, got {leg_length!r}")
    for plan in plans:
        _check_arrays(plan)
        if plan.sides[0] == plan.sides[1]:
            raise LocomoteError(
                f"plant 2: the {SIDES[plan.sides[0]]} foot again; the first two plants are where both feet stand"
            )
        _check_times(plan)
    if plans:
        _check_steps(plans, leg_length)


def _check_arrays(plan: FootPlan) -> None:
    count = len(plan)
    shapes = [plan.sides.shape, plan.places.shape, plan.yaws.shape, plan.times.shape]
    if shapes != [(count,), (count, 3), (count,), (count,)]:
        raise LocomoteError(f"plan: expected arrays (P,), (P, 3), (P,), (P,), got {shapes}")
    if count < FEWEST:
        raise LocomoteError(f"plan: {count} plants, expected at least {FEWEST}: where both feet stand, and a step")
    bad = (plan.sides != LEFT) & (plan.sides != RIGHT)
    if np.any(bad):
        raise LocomoteError(f"{_first(bad)}: side {plan.sides[bad][0]}, expected {LEFT} (left) or {RIGHT} (right)")
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


def _check_steps(plans: Sequence[FootPlan], leg: float) -> None:
    steps = _steps(plans, leg)
    end = 0
    for plan in plans:
        begin, end = end, end + len(plan)
        bad = np.flatnonzero(steps.pair_is_bad[begin:end])
        stop = int(bad[0]) if len(bad) else len(plan)
        _check_crossing(plan, steps, begin, begin + stop, leg)
        if stop < len(plan):
            _refuse_pair(plan, stop, int(steps.supports[begin + stop]) - begin, leg)


def _check_crossing(plan: FootPlan, steps: _Steps, begin: int, end: int, leg: float) -> None:
    """No foot lands far beyond the other one; what the body faces goes from step to step."""
    face = steps.first_facing(begin)
    sides, ways = plan.sides.tolist(), steps.ways[begin:end].tolist()
    some = slice(begin, end)
    turns, sure, yaws = (
        steps.passing[some].tolist(),
        steps.sure[some].tolist(),
        steps.asked_yaws[some].tolist(),
    )
    for i in range(2, end - begin):
        if not math.isnan(yaws[i]):
            face = yaws[i]
        x, _, z = ways[i]
        side = sides[i]
        beyond = x * math.cos(face) - z * math.sin(face)  # to the left
        beyond = beyond if side == RIGHT else -beyond
        if beyond > CROSSING * leg:
            raise LocomoteError(
                f"plant {i + 1}: the {SIDES[side]} foot lands {beyond:.2f} m beyond the {SIDES[1 - side]} foot "
                f"of plant {steps.supports[begin + i] - begin + 1}; feet cross by at most {CROSSING * leg:.2f} m"
            )
        turn = sure[i] * math.remainder(turns[i] - face, math.tau)
        face += min(max(turn, -_MOST_TURN), _MOST_TURN)


class _Steps(NamedTuple):
    """What places and yaws say about each plant ``(P,)`` of plans in a row; the first of a plan has no step."""

    is_right: np.typing.NDArray[np.bool_]
    supports: IntArray  # the plant of the other foot
    ways: FloatArray  # (P, 3) m, from there
    pair_is_bad: np.typing.NDArray[np.bool_]  # too far, too high or too near
    passing: FloatArray  # rad, where the body faces by the course of the swinging foot past the other one
    sure: FloatArray  # 0..1, how far that is to be believed
    asked_yaws: FloatArray  # rad, where the feet point if that is asked for; else NaN

    def first_facing(self, begin: int) -> float:
        """Where the body faces at the beginning of a plan, as far as places tell: square to the line between the feet.

        Feet that stand one before the other do not tell; then the first step does, whose swing passes the other foot.
        """
        x, _, z = self.ways[begin + 1].tolist()
        face = math.atan2(z, -x) if self.is_right[begin + 1] else math.atan2(-z, x)
        passing = float(self.passing[begin + 2])
        agree = abs(math.remainder(passing - face, math.tau)) < 0.5 * math.pi
        return passing if self.sure[begin + 2] >= 1.0 and agree else face


def _steps(plans: Sequence[FootPlan], leg: float) -> _Steps:
    """All steps at once."""
    places = np.concatenate([plan.places for plan in plans])
    is_right = np.concatenate([plan.sides for plan in plans]) == RIGHT
    # The latest plant of either foot up to each; both feet stand on the first two of every plan.
    order = np.arange(len(places))
    left, right = (np.maximum.accumulate(np.where(which, order, 0)) for which in (~is_right, is_right))
    before = np.maximum(order - 1, 0)
    supports = np.where(is_right, left[before], right[before])
    starts = np.where(is_right, right[before], left[before])
    ways = places - places[supports]
    far, rise = np.sqrt(np.sum(ways * ways, axis=1)), np.abs(ways[:, 1])
    bad = (far > REACH * leg) | (rise > RISE * leg) | (far < NEAREST * leg)
    bad[np.cumsum([0, *(len(plan) for plan in plans[:-1])])] = False
    # The way to the left between the course of the swinging foot and the foot that stands.
    course = places - places[starts]
    course[:, 1] = 0.0
    across = places[supports] - 0.5 * (places[starts] + places)
    length = np.sqrt(np.sum(course * course, axis=1))
    along = np.sum(across * course, axis=1) / np.maximum(length, _SURE * leg) ** 2
    across -= np.where(length > _SURE * leg, along, 0.0)[:, None] * course
    across[~is_right] *= -1.0
    passing = np.arctan2(-across[:, 2], across[:, 0])
    sure = np.minimum(np.hypot(across[:, 0], across[:, 2]) / (_SURE * leg), 1.0)
    # Where the feet point, the mean of both.
    yaws = np.concatenate([plan.yaws for plan in plans])
    asked = np.isfinite(yaws)
    yaws = np.where(asked, yaws, 0.0)
    sines, cosines = np.where(asked, np.sin(yaws), 0.0), np.where(asked, np.cos(yaws), 0.0)
    facing = np.arctan2(sines + sines[supports], cosines + cosines[supports])
    return _Steps(is_right, supports, ways, bad, passing, sure, np.where(asked | asked[supports], facing, np.nan))


def _refuse_pair(plan: FootPlan, i: int, support: int, leg: float) -> None:
    """Say why a foot cannot stand there while the other one stands on its plant."""
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
    raise LocomoteError(
        f"{where} lands on plant {support + 1}, where the other foot stands; expected at least "
        f"{100.0 * NEAREST * leg:.0f} cm between them"
    )


def _first(bad: np.typing.NDArray[np.bool_]) -> str:
    return f"plant {int(np.flatnonzero(bad)[0]) + 1}"
