"""What the detector finds: contacts frame by frame, events, and who carries the body."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt

from locomote.contacts.floor import Floor
from locomote.errors import LocomoteError, SkeletonError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Leg

BoolArray = npt.NDArray[np.bool_]

EVENT_KINDS = ("heel_strike", "toe_strike", "heel_off", "toe_off")


@dataclass(frozen=True)
class Event:
    """One change of contact: ``frame`` is the first frame after it, ``time`` up to a frame earlier."""

    kind: str  # one of EVENT_KINDS
    leg: int  # index into Contacts.legs
    frame: int
    time: float  # seconds from the first frame


@dataclass(frozen=True, eq=False)
class Contacts:
    """Which foot touches the ground, for every frame.

    A foot lands with its heel before or together with its toe, and leaves with its heel before or together
    with its toe: where a recording does otherwise (landing on the forefoot), heel and toe events coincide.
    Contacts that the clip cuts have no event on the cut side.
    """

    fps: float
    legs: tuple[Leg, ...]
    points: FloatArray  # (F, L, 3, 3) world: heel, ball, toe
    heights: FloatArray  # (F, L, 3) over the floor; 0 is the height at which the point touches
    heel: BoolArray  # (F, L)
    toe: BoolArray  # (F, L) the ball or the toe touches
    floor: Floor
    events: tuple[Event, ...] = ()  # in the order of time
    belt_velocity: tuple[float, float, float] = (0.0, 0.0, 0.0)  # m/s of the ground
    tpose: int = 0  # frames at the beginning that were added to the recording and touch nothing

    def __repr__(self) -> str:
        what = f"{len(self.legs)} feet, {len(self.events)} events"
        return f"<Contacts: {len(self)} frames at {self.fps:g} per second, {what}>"

    def __len__(self) -> int:
        return len(self.heel)

    @cached_property
    def foot(self) -> BoolArray:
        """Whether any part of the foot touches, ``(F, L)``."""
        return self.heel | self.toe

    @cached_property
    def support(self) -> IntArray:
        """The number of feet on the ground, ``(F,)``."""
        count: IntArray = np.count_nonzero(self.foot, axis=1).astype(np.int64)
        return count

    @property
    def notes(self) -> tuple[str, ...]:
        """What was taken for granted, one line each."""
        out = []
        if self.tpose:
            which = "first frame" if self.tpose == 1 else f"first {self.tpose} frames"
            out.append(f"{which}: an added T pose, left out; keep_tpose=True (--keep-tpose) keeps it")
        if any(self.belt_velocity):
            x, _, z = self.belt_velocity
            out.append(f"a treadmill: the belt goes at {np.hypot(x, z):.2f} m/s, ({x:.2f}, 0, {z:.2f})")
        return tuple(out)

    def with_feet(self, points: FloatArray) -> Contacts:
        """The same times and floor with the feet elsewhere: those of another motion of the same length.

        Parameters
        ----------
        points : (F, L, 3, 3) m, heel, ball and toe of every leg in the world
        """
        if points.shape != self.points.shape:
            (frames, legs), (own, known) = points.shape[:2], self.points.shape[:2]
            raise LocomoteError(f"contacts of {own} frames and {known} legs, for a motion of {frames} and {legs}")
        if np.array_equal(points, self.points):
            return self
        # A point touches at the height at which it touched before.
        touching = self.floor.heights(self.points) - self.heights
        return replace(self, points=points, heights=self.floor.heights(points) - touching)

    def intervals(self, leg: int) -> IntArray:
        """The contacts of one leg as frames ``[start, stop)``, ``(K, 2)``."""
        return runs(self.foot[:, leg])

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Who carries a biped in every frame: "flight", "left", "right" or "double"."""
        left, right = self._left_and_right()
        return tuple(support_label(bool(a), bool(b)) for a, b in self.foot[:, [left, right]])

    def label_at(self, time: float) -> str:
        """Who carries a biped at any time, seconds, also between frames."""
        left, right = self._left_and_right()
        return support_label(self._touches_at(left, time), self._touches_at(right, time))

    def times(self, leg: int) -> FloatArray:
        """The contacts of one leg as exact times ``[strike, off)``, ``(K, 2)``; infinite where cut."""
        out = np.full(self.intervals(leg).shape, (-np.inf, np.inf))
        for column, kind in enumerate(("heel_strike", "toe_off")):
            exact = {e.frame: e.time for e in self.events if e.leg == leg and e.kind == kind}
            for k, frame in enumerate(self.intervals(leg)[:, column]):
                out[k, column] = exact.get(int(frame), out[k, column])
        return out

    @cached_property
    def _times(self) -> tuple[FloatArray, ...]:
        return tuple(self.times(leg) for leg in range(len(self.legs)))

    def _touches_at(self, leg: int, time: float) -> bool:
        spans = self._times[leg]
        return bool(np.any((spans[:, 0] <= time) & (time < spans[:, 1])))

    def _left_and_right(self) -> tuple[int, int]:
        sides = [leg.side for leg in self.legs]
        if sorted(sides) != ["left", "right"]:
            raise SkeletonError(f"support labels need one left and one right leg; the legs are: {sides}")
        return sides.index("left"), sides.index("right")


def support_label(left: bool, right: bool) -> str:
    """The name of a support phase of a biped."""
    return ("flight", "right", "left", "double")[2 * left + right]


def runs(mask: npt.ArrayLike) -> IntArray:
    """Where ``mask`` holds without a break: ``[start, stop)`` for each stretch, ``(K, 2)``."""
    padded = np.concatenate([[False], np.asarray(mask, dtype=bool), [False]])
    return np.flatnonzero(padded[1:] != padded[:-1]).reshape(-1, 2).astype(np.int64)
