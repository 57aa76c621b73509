"""Cycles in a form in which models are refitted quickly, and what is held back from them in a validation.

The cycles span a space of fewer dimensions than there are cycles. In coordinates of that space (a rotation of the
weighted channels) every analysis gives what it gives in the long vectors, at a fraction of the cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human._encoding import CHANNELS, MOVING, Encoding, channel_weights
from locomote.human._model import REFERENCE_HIP_HEIGHT
from locomote.human.fitting._cycles import LIMBS, SAMPLES, Unit
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

WALK_BIN = 0.25  # m/s; walking speeds are held back in bins of this width
RUN_GAP = 0.2  # m/s; running speeds further apart than this are two belt speeds
LEAST_KNOWN = 2  # cycles of the performer that must remain when a speed is held back
LEAST_CYCLES = 4  # of a performer who is held back whole
LEAST_SPREAD = 0.2  # m/s between the slowest and fastest cycle of a performer who is held back whole

_LIMB_CHANNELS = np.array([3 + 3 * MOVING.index(joint) + axis for joint in LIMBS for axis in range(3)])
_LIMB_MOVING = [MOVING.index(joint) for joint in LIMBS]
_SMALLEST = 1e-10  # of the largest eigenvalue; what is below is rounding


@dataclass(frozen=True, eq=False)
class Cycles:
    """The units of a corpus and their coordinates. Speeds are on the common skeleton, m/s."""

    units: tuple[Unit, ...]
    encoding: Encoding
    subjects: tuple[str, ...]
    clips: tuple[str, ...]
    gaits: tuple[str, ...]
    speeds: FloatArray  # (n,)
    coordinates: FloatArray  # (n, r)
    mean: FloatArray  # (S * C) channels
    basis: FloatArray  # (r, S * C) channels

    @staticmethod
    def of(units: Sequence[Unit]) -> Cycles:
        """The coordinates of all units, without loss."""
        if len(units) < 2:
            raise LocomoteError(f"a validation needs at least 2 cycles, got {len(units)}")
        encoding = Encoding.of(list(units))
        weights = np.tile(channel_weights(), SAMPLES)
        vectors = np.stack([encoding.encode(u.root, u.rotations).ravel() for u in units]) * weights
        mean = vectors.mean(axis=0)
        centred = vectors - mean
        values, left = np.linalg.eigh(centred @ centred.T)
        keep = values > _SMALLEST * values[-1]
        values, left = values[keep][::-1], left[:, keep][:, ::-1]
        return Cycles(
            units=tuple(units),
            encoding=encoding,
            subjects=tuple(u.subject for u in units),
            clips=tuple(u.clip for u in units),
            gaits=tuple(u.gait for u in units),
            speeds=np.array([u.normal_speed * REFERENCE_HIP_HEIGHT for u in units]),
            coordinates=left * np.sqrt(values),
            mean=mean / weights,
            basis=(left / np.sqrt(values)).T @ centred / weights,
        )

    def __len__(self) -> int:
        return len(self.units)

    def rows(self, subject: str | None = None, gait: str | None = None) -> IntArray:
        """Indices of the cycles of a performer, a gait, or both."""
        return np.array(
            [i for i, unit in enumerate(self.units) if subject in (None, unit.subject) and gait in (None, unit.gait)],
            dtype=np.int64,
        )

    def without(self, rows: IntArray) -> IntArray:
        """Indices of all cycles but these."""
        return np.setdiff1d(np.arange(len(self), dtype=np.int64), rows)

    def coordinates_of(self, frames: FloatArray) -> FloatArray:
        """Coordinates ``(r,)`` of the point of the space nearest to a cycle or pose ``(S or 1, C)``."""
        whole = np.broadcast_to(frames, (SAMPLES, CHANNELS)).ravel()
        weights = np.tile(channel_weights(), SAMPLES)
        out: FloatArray = (self.basis * weights) @ ((whole - self.mean) * weights)
        return out

    def frames(self, coordinates: FloatArray) -> FloatArray:
        """Channels ``(S, C)`` of one movement."""
        out: FloatArray = (self.mean + coordinates @ self.basis).reshape(SAMPLES, CHANNELS)
        return out

    def limbs(self, coordinates: FloatArray) -> FloatArray:
        """Rotations ``(..., S, L, 4)`` of the limb joints."""
        columns = (np.arange(SAMPLES)[:, None] * CHANNELS + _LIMB_CHANNELS).ravel()
        logs = self.mean[columns] + coordinates @ self.basis[:, columns]
        logs = logs.reshape(*coordinates.shape[:-1], SAMPLES, len(LIMBS), 3)
        return rot.multiply(self.encoding.centres[_LIMB_MOVING], rot.exp(logs))

    def distances(self, predicted: FloatArray, rows: IntArray) -> FloatArray:
        """The distance d_motion, rad^2, of movements ``(n, r)`` from the captured cycles ``rows (n,)``."""
        captured = np.stack([self.units[i].rotations[:, LIMBS] for i in rows])
        angles = rot.distance(self.limbs(predicted), captured)
        out: FloatArray = np.mean(angles**2, axis=(-2, -1))
        return out

    def errors(self, predicted: FloatArray, rows: IntArray) -> FloatArray:
        """The same as root mean square angles, degrees."""
        return np.degrees(np.sqrt(self.distances(predicted, rows)))


@dataclass(frozen=True, eq=False)
class Fold:
    """Cycles that a model may know, and cycles of one performer and gait that it must predict."""

    subject: str
    gait: str
    known: IntArray
    held: IntArray
    inside: bool = False  # the held speeds lie between speeds of the same performer and gait that are known
    shown: int = -1  # the one cycle of an unknown performer that may be looked at


def speed_folds(cycles: Cycles) -> list[Fold]:
    """One fold for every speed bin of every performer and gait with cycles at other speeds."""
    folds = []
    for gait in ("walk", "run"):
        for subject in sorted(set(cycles.subjects)):
            mine = cycles.rows(subject, gait)
            bins = speed_bins(cycles.speeds[mine], gait)
            for label in np.unique(bins):
                held, rest = mine[bins == label], mine[bins != label]
                if len(rest) < LEAST_KNOWN:
                    continue
                middle = float(cycles.speeds[held].mean())
                inside = bool(cycles.speeds[rest].min() < middle < cycles.speeds[rest].max())
                folds.append(Fold(subject, gait, cycles.without(held), held, inside))
    return folds


def subject_folds(cycles: Cycles) -> list[Fold]:
    """One fold for every performer and gait with enough cycles; the cycle of median speed may be shown."""
    folds = []
    for gait in ("walk", "run"):
        for subject in sorted(set(cycles.subjects)):
            mine = cycles.rows(subject, gait)
            if len(mine) < LEAST_CYCLES or np.ptp(cycles.speeds[mine]) < LEAST_SPREAD:
                continue
            off = np.abs(cycles.speeds[mine] - np.median(cycles.speeds[mine]))
            shown = int(mine[np.argmin(off)])
            held = mine[mine != shown]
            folds.append(Fold(subject, gait, cycles.without(cycles.rows(subject)), held, shown=shown))
    return folds


def gait_folds(cycles: Cycles) -> list[Fold]:
    """One fold for each gait of every performer with both."""
    folds = []
    for gait, other in (("walk", "run"), ("run", "walk")):
        for subject in sorted(set(cycles.subjects)):
            held = cycles.rows(subject, gait)
            if len(held) and len(cycles.rows(subject, other)):
                folds.append(Fold(subject, gait, cycles.without(held), held))
    return folds


def speed_bins(speeds: FloatArray, gait: str) -> IntArray:
    """A label for every cycle; cycles of one label are held back together."""
    if gait == "walk":
        return np.floor(speeds / WALK_BIN).astype(np.int64)
    order = np.argsort(speeds, kind="stable")
    labels = np.zeros(len(speeds), dtype=np.int64)
    labels[order[1:]] = np.cumsum(np.diff(speeds[order]) > RUN_GAP)
    return labels
