"""What one watches in figures: how much feet skate, the prints they leave behind, and limbs that jump."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.measures.body import RATE, BodyEvents, events_of
from locomote.rotations import FloatArray
from locomote.skeleton import Roles

BoolArray = npt.NDArray[np.bool_]

WINDOW = 1.0  # s over which skating is averaged
WATCHED = 2.0  # s of a body that are judged
MOST_PRINTS = 250  # of a group left on the floor; then the oldest go


@dataclass(frozen=True)
class Skating:
    """The read-out: figures of all feet that stand now."""

    standing: int  # feet
    speed: float  # mm/s, mean over the points that stand and the last second
    drift: float  # mm, the farthest that a standing point is from where it came down

    def __str__(self) -> str:
        return f"feet: skate **{self.speed:.2f} mm/s**, drift **{self.drift:.2f} mm**"


class SkateMeter:
    """Watches points of feet ``(N, L, P, 3)``; a point that stands should stay where it came down."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew: other characters, or the same ones put elsewhere."""
        self._points: FloatArray | None = None
        self._standing: BoolArray | None = None
        self._landed: FloatArray | None = None
        self._speed = 0.0
        self.reading = Skating(0, 0.0, 0.0)

    def watch(self, points: FloatArray, standing: BoolArray, dt: float) -> Skating:
        """One frame: where the points are, and which stand ``(N, L, P)``."""
        level = points[..., [0, 2]]
        before, stood = self._points, self._standing
        if before is None or stood is None or self._landed is None or before.shape != level.shape:
            self._landed, self._speed = level.copy(), 0.0
            moved, stands = np.zeros(level.shape[:-1]), standing
        else:
            stands = standing & stood
            self._landed = np.where(stands[..., None], self._landed, level)
            moved = np.linalg.norm(level - before, axis=-1)
            if np.any(stands) and dt > 0.0:
                share = min(1.0, dt / WINDOW)
                self._speed += share * (1000.0 * float(moved[stands].mean()) / dt - self._speed)
        self._points, self._standing = level.copy(), standing.copy()
        drifts = np.linalg.norm(level - self._landed, axis=-1)[stands]
        feet = int(np.count_nonzero(np.any(standing, axis=-1)))
        self.reading = Skating(feet, self._speed, 1000.0 * float(drifts.max(initial=0.0)))
        return self.reading


class BodyMeter:
    """Watches one body frame by frame, and tells the worst single frames of the last seconds."""

    def __init__(self) -> None:
        self._places: deque[FloatArray] = deque(maxlen=round(WATCHED * RATE))

    def forget(self) -> None:
        """Begin anew: another body, or the same one put elsewhere."""
        self._places.clear()

    def watch(self, joints: FloatArray, dt: float) -> None:
        """One frame: where the joints ``(J, 3)`` are, ``dt`` s after the last; only 60 frames a second are judged."""
        if abs(dt * RATE - 1.0) > 1e-3:
            self.forget()
        self._places.append(joints.copy())

    def events(self, roles: Roles, leg_length: float) -> BodyEvents:
        """What the eye sees of it; leg length in m."""
        return events_of(np.array(self._places), roles, leg_length)


class FootprintTrail:
    """Footprints: a place, a direction and a size for each foot that has come down, the newest last.

    ``groups`` says for each foot of a body to which group its prints belong, such as 0 for left and 1 for right.
    """

    def __init__(self, groups: Sequence[int]) -> None:
        self.groups = np.asarray(groups, dtype=np.int64)
        self._down: BoolArray | None = None
        self.changed = False
        self.clear()

    def clear(self) -> None:
        """Sweep the floor."""
        count = int(self.groups.max(initial=0)) + 1
        self.rows: list[FloatArray] = [np.zeros((0, 5)) for _ in range(count)]  # x, y, z, yaw, size
        self.changed = True

    def forget(self) -> None:
        """Other characters: no print for feet that stand already."""
        self._down = None

    def watch(self, places: FloatArray, yaws: FloatArray, down: BoolArray, sizes: FloatArray) -> None:
        """One frame: middles of the feet ``(N, L, 3)``, where they point ``(N, L)``, which lie flat, sizes ``(N,)``."""
        if self._down is not None and self._down.shape == down.shape:
            new = down & ~self._down
            for group in range(len(self.rows)):
                who, feet = np.nonzero(new & (self.groups == group))
                if len(who):
                    rows = np.column_stack([places[who, feet], yaws[who, feet], sizes[who]])
                    self.rows[group] = np.concatenate([self.rows[group], rows])[-MOST_PRINTS:]
                    self.changed = True
        self._down = down.copy()
