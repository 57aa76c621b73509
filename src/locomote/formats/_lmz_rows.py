"""The rows of a packed clip: how fine each is quantised, whole numbers and back."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.formats._lmz_coder import LARGEST, Numbers, Whole
from locomote.formats._lmz_wavelet import SMOOTH_GAIN
from locomote.math._compile import kernel
from locomote.math.vector import Floats
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

MOST_EXPONENT = 48  # quarter octaves by which a step may differ from the clip's
ROUNDING = 0.42  # a value counts from 0.58 of a step on: zeros are cheap
SHRINK = 0.03  # of a step: within a step small values are likelier
_REACH = 0.6  # of its spacing: how far to both sides a row heeds the steps of the pieces
_FINENESS = (16384, 13777, 11585, 9742)  # 2**14 over the fourth roots of 2


class Shape(NamedTuple):
    """How a clip is cut up."""

    frames: int
    levels: int
    piece: int  # frames with one step

    @property
    def pieces(self) -> int:
        """How many pieces there are; what is left over at the end belongs to the last."""
        return max(self.frames // self.piece, 1)

    @property
    def stretch(self) -> int:
        """How many frames are read at once."""
        return 8 << self.levels

    @property
    def stretches(self) -> int:
        """How many there are."""
        return -(-self.frames // self.stretch)


@kernel
def row_exponents(exponents: Whole, piece: int, levels: int, first: int, out: Whole) -> None:
    """Fill ``out``, for rows from ``first`` on: the finest step of the pieces that a row reaches."""
    for k in range(out.shape[0]):
        t = first + k
        level = 0
        while level < levels and (t >> level) & 1 == 0:
            level += 1
        reach = int(_REACH * (1 << level))
        last = exponents.shape[0] - 1
        begin, end = min(max(t - reach, 0) // piece, last), min((t + reach) // piece, last)
        least = exponents[begin]
        for p in range(begin + 1, end + 1):
            least = min(least, exponents[p])
        out[k] = least


def row_steps(shape: Shape, step: float, exponents: IntArray) -> tuple[FloatArray, IntArray]:
    """The step of every row in metres, and how many go into one length, as whole numbers for the coder."""
    rows = np.empty(shape.frames, dtype=np.int64)
    row_exponents(exponents, shape.piece, shape.levels, 0, rows)
    fineness = np.array(_FINENESS, dtype=np.int64)[rows % 4] << 12
    fineness = np.maximum(fineness >> np.clip(12 + rows // 4, 0, 62), 1)
    return step * 2.0 ** (rows / 4.0) / row_gains(shape), fineness


def row_gains(shape: Shape) -> FloatArray:
    """How much larger a row of the transform counts than it is."""
    levels = np.zeros(shape.frames)
    for level in range(1, shape.levels + 1):
        levels[:: 1 << level] = level
    smooth = np.zeros(shape.frames, dtype=bool)
    smooth[:: 1 << shape.levels] = True
    return SMOOTH_GAIN ** np.where(smooth, levels, levels - 1.0)


@kernel
def quantise(values: Floats, steps: Floats, rounding: float, numbers: Numbers) -> None:
    """Fill ``numbers (F, D)`` with how many steps of its row each value is; 0 below ``1 - rounding`` of a step."""
    for t in range(values.shape[0]):
        scale = 1.0 / steps[t]
        for c in range(values.shape[1]):
            size = int(min(math.floor(abs(values[t, c]) * scale + rounding), float(LARGEST)))
            numbers[t, c] = size if values[t, c] >= 0.0 else -size


@kernel
def restore(numbers: Numbers, steps: Floats, shrink: float, values: Floats) -> None:
    """Fill ``values (F, D)`` from numbers of steps, each a little nearer to 0, where small values are likelier."""
    for t in range(numbers.shape[0]):
        for c in range(numbers.shape[1]):
            n = numbers[t, c]
            if n > 0:
                values[t, c] = (n - shrink) * steps[t]
            elif n < 0:
                values[t, c] = (n + shrink) * steps[t]
            else:
                values[t, c] = 0.0
