"""Samples over time by levels: every second one is kept, the others are told by what they differ from a prediction.

The prediction is a cubic through four neighbours, for rotations in the tangent space at one of them (PGA-10). With all
details the samples come back; without the finest ones a smooth curve through those that are left.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray

INNER = (-1 / 16, 9 / 16, -1 / 16)  # weights of the neighbours before, after, and after that, seen from the left one
FIRST = (0.0, 6 / 8, -1 / 8)
LAST = (-1 / 8, 3 / 8, 0.0)
ONLY = (0.0, 1 / 2, 0.0)
BEYOND = (-1 / 2, 0.0, 0.0)  # for a sample after the last one that is kept


@dataclass(frozen=True, eq=False)
class Levels:
    """Samples by levels: the coarsest, and what each finer level adds. Details that were dropped are not there."""

    coarse: FloatArray  # (1, ..., 3 or 4) the first sample
    details: tuple[FloatArray, ...]  # from the coarsest on, (n, ..., 3); vectors in the frame of the prediction
    frames: int

    @property
    def dropped(self) -> int:
        """The number of finest levels that are not there."""
        return level_count(self.frames) - 1 - len(self.details)

    def without(self, count: int) -> Levels:
        """The same samples without the finest details.

        Parameters
        ----------
        count : levels to drop
        """
        if not 0 <= count <= len(self.details):
            raise LocomoteError(f"levels to drop {count}: expected 0 to {len(self.details)}")
        return replace(self, details=self.details[: len(self.details) - count])


def level_count(frames: int) -> int:
    """How many levels a number of frames has, the coarsest included."""
    return int(np.ceil(np.log2(frames))) + 1


def decompose(samples: ArrayLike) -> Levels:
    """Samples ``(F, ..., 3)`` of positions or ``(F, ..., 4)`` of rotations by levels."""
    values = np.asarray(samples, dtype=np.float64)
    if values.ndim < 2 or values.shape[-1] not in (3, 4) or not len(values):
        raise LocomoteError(f"samples: shape {values.shape}, expected (frames, ..., 3 or 4)")
    details, frames = [], len(values)
    while len(values) > 1:
        even, odd = values[::2], values[1::2]
        details.append(_difference(_predict(even, len(odd)), odd))
        values = even
    return Levels(values, tuple(details[::-1]), frames)


def compose(levels: Levels) -> FloatArray:
    """The samples of levels, as many as there were; details that are not there count as 0."""
    sizes = [levels.frames]
    while sizes[-1] > 1:
        sizes.append((sizes[-1] + 1) // 2)
    values = levels.coarse
    for i, size in enumerate(sizes[-2::-1]):
        guess = _predict(values, size // 2)
        odd = _add(guess, levels.details[i]) if i < len(levels.details) else guess
        finer = np.empty((size, *values.shape[1:]))
        finer[::2], finer[1::2] = values, odd
        values = finer
    return values


def decimated(samples: ArrayLike, drop: int) -> FloatArray:
    """Every ``2 ** drop``-th sample: what is left to store when so many levels are dropped."""
    return np.asarray(samples, dtype=np.float64)[:: 2**drop]


def refined(kept: ArrayLike, frames: int, drop: int) -> FloatArray:
    """All samples from those that `decimated` kept."""
    values = np.asarray(kept, dtype=np.float64)
    sizes = [frames]
    for _ in range(drop):
        sizes.append((sizes[-1] + 1) // 2)
    if len(values) != sizes[-1]:
        raise LocomoteError(f"{len(values)} samples kept, expected {sizes[-1]} of {frames} with {drop} levels dropped")
    coarse = decompose(values)
    return compose(Levels(coarse.coarse, coarse.details, frames))


def _predict(even: FloatArray, count: int) -> FloatArray:
    """What ``count`` samples between and after the even ones should be."""
    last = len(even) - 1
    left = even[:count]
    out = np.zeros((count, *even.shape[1:-1], 3))
    for i, weights in _weights(count, last):
        for step, weight in zip((-1, 1, 2), weights, strict=True):
            if weight != 0.0:
                out[i] += weight * _difference(left[i], even[i.start + step : i.stop + step])
    return _add(left, out)


def _weights(count: int, last: int) -> list[tuple[slice, tuple[float, float, float]]]:
    """Which samples are predicted by which weights; ``last`` is the index of the last even sample."""
    inside = min(count, last)
    parts = []
    if inside == 1 and last == 1:
        parts.append((slice(0, 1), ONLY))
    elif inside > 1 or last > 1:
        parts += [(slice(0, 1), FIRST), (slice(1, inside - 1), INNER), (slice(inside - 1, inside), LAST)]
    if count > last > 0:
        parts.append((slice(last, last + 1), BEYOND))
    return [(part, weights) for part, weights in parts if part.stop > part.start]


def _difference(base: FloatArray, values: FloatArray) -> FloatArray:
    return rot.log(rot.multiply(rot.inverse(base), values)) if base.shape[-1] == 4 else values - base


def _add(base: FloatArray, vectors: FloatArray) -> FloatArray:
    return rot.multiply(base, rot.exp(vectors)) if base.shape[-1] == 4 else base + vectors
