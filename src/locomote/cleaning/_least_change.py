"""Ways that change least, while knees bend and quicken as recorded: one least-squares problem over a clip."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from locomote.rotations import FloatArray

BEND = 0.1  # m, of an adult: a knee's distance from the line of hip and ankle, beside the other wishes
STRAIGHTEST = 0.9995  # of its length, from which on a leg is taken to bend on at the same rate
LEAST_SHIFT = 1e-6  # m; what would move less stays
LEAST_FALL = 1e-3  # of the cost, in a round that is worth another
_ROUNDS = 12
_HALVINGS = 6


class Stretch(NamedTuple):
    """One leg between the end that moves and the one that does not: all ``(F,)`` or ``(F, 3)``."""

    moves: FloatArray
    stays: FloatArray
    upper: FloatArray  # m
    lower: FloatArray
    bend: FloatArray  # m, as recorded


class Wish(NamedTuple):
    """Where something would go, and by how much it may do otherwise."""

    target: FloatArray  # (F, 3) m
    shift: FloatArray  # (F,) m, away from there
    sway: FloatArray  # (F,) m/s^2, of the way
    jolt: float  # m/s^2, of a knee's distance from the line of hip and ankle beyond its recorded acceleration


def least_change(wish: Wish, legs: Sequence[Stretch], fps: float, size: float) -> FloatArray:
    """The way ``(F, 3)`` that costs least; ``size`` is of the legs, beside those of an adult."""
    way = wish.target.copy()
    cost = _cost(way, wish, legs, fps, size)
    for _ in range(_ROUNDS):
        step = _step(way, wish, legs, fps, size)
        for _ in range(_HALVINGS):
            tried = _cost(way + step, wish, legs, fps, size)
            if tried < cost:
                break
            step = 0.5 * step
        else:
            break
        way, fall, cost = way + step, cost - tried, tried
        if fall < LEAST_FALL * cost:
            break
    return way if np.max(np.abs(way)) > LEAST_SHIFT else np.zeros_like(way)


def bend_of(distance: FloatArray, upper: FloatArray, lower: FloatArray) -> tuple[FloatArray, FloatArray]:
    """How far a knee is off the line of hip and ankle, and how that grows with their distance."""
    straight = STRAIGHTEST * (upper + lower)
    d = np.clip(distance, np.abs(upper - lower) + 1e-6, straight)
    along = (d**2 + upper**2 - lower**2) / (2.0 * d)
    off = np.sqrt(np.maximum(upper**2 - along**2, 1e-12))
    rate = -along * (1.0 - along / d) / off
    return off + rate * (distance - d), rate


def _residuals(way: FloatArray, leg: Stretch) -> tuple[FloatArray, FloatArray]:
    """By how much a knee bends otherwise than recorded, and how that grows with the way ``(F, 3)``."""
    line = leg.moves + way - leg.stays
    distance = np.linalg.norm(line, axis=1)
    bend, rate = bend_of(distance, leg.upper, leg.lower)
    return bend - leg.bend, (rate / np.maximum(distance, 1e-9))[:, None] * line


def _cost(way: FloatArray, wish: Wish, legs: Sequence[Stretch], fps: float, size: float) -> float:
    total = np.sum(((way - wish.target) / wish.shift[:, None]) ** 2)
    total += np.sum((_second(way, fps) / wish.sway[1:-1, None]) ** 2)
    for leg in legs:
        off = _residuals(way, leg)[0]
        total += np.sum((off / (BEND * size)) ** 2) + np.sum((_second(off, fps) / wish.jolt) ** 2)
    return float(total)


def _second(values: FloatArray, fps: float) -> FloatArray:
    out: FloatArray = np.diff(values, 2, axis=0) * fps**2
    return out


def _step(way: FloatArray, wish: Wish, legs: Sequence[Stretch], fps: float, size: float) -> FloatArray:
    """One step of Gauss and Newton."""
    from scipy.linalg import solveh_banded

    frames = len(way)
    near, smooth = wish.shift**-2, (fps**2 / wish.sway) ** 2
    blocks = np.zeros((3, frames, 3, 3))  # of the normal matrix: frame with itself, with the next, with the one after
    right = np.zeros((frames, 3))
    for axis in range(3):
        unit = np.zeros((frames, 3))
        unit[:, axis] = 1.0
        blocks[0, :, axis, axis] += near
        right[:, axis] += near * (way - wish.target)[:, axis]
        _add_second(blocks, right, unit, way[:, axis], smooth)
    for leg in legs:
        off, slopes = _residuals(way, leg)
        blocks[0] += (BEND * size) ** -2 * slopes[:, :, None] * slopes[:, None, :]
        right += (BEND * size) ** -2 * slopes * off[:, None]
        _add_second(blocks, right, slopes, off, np.full(frames, (fps**2 / wish.jolt) ** 2))
    bands = np.zeros((9, 3 * frames))
    for ahead in range(3):
        for row in range(3):
            for column in range(3):
                below = 3 * ahead + column - row
                if below >= 0:
                    bands[below, row::3][: frames - ahead] = blocks[ahead, : frames - ahead, row, column]
    step: FloatArray = solveh_banded(bands, -right.ravel(), lower=True).reshape(frames, 3)
    return step


def _add_second(
    blocks: FloatArray, right: FloatArray, slopes: FloatArray, values: FloatArray, second: FloatArray
) -> None:
    """Add the square of the second difference of a residual ``values (F,)`` with its ``slopes (F, 3)``."""
    weights = (1.0, -2.0, 1.0)
    inner = len(values) - 2
    if inner < 1:
        return
    bent, second = np.diff(values, 2), second[1:-1]
    for a in range(3):
        of = slopes[a : a + inner] * second[:, None]
        right[a : a + inner] += weights[a] * of * bent[:, None]
        for b in range(a, 3):
            to = slopes[b : b + inner]
            blocks[b - a, a : a + inner] += weights[a] * weights[b] * of[:, :, None] * to[:, None, :]
