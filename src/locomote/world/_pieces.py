"""Flat pieces of ground as rows of numbers, in the columns of `locomote.world._kernels.ground_layout`."""

from __future__ import annotations

import numpy as np

from locomote.rotations import FloatArray
from locomote.world._kernels.ground_layout import (
    COLUMNS,
    HALF_LENGTH,
    HALF_WIDTH,
    SLOPE_X,
    SLOPE_Z,
    TURN,
    VX,
    VZ,
    YAW,
    X,
    Y,
    Z,
)

PLACE, VELOCITY, MOTION = slice(X, Z + 1), slice(VX, VZ + 1), slice(VX, TURN + 1)


def level(centre: FloatArray, size: FloatArray, top: float, yaw: float) -> FloatArray:
    """A level rectangle about a place ``(x, z)``; ``size`` is across and along."""
    row = np.zeros(COLUMNS)
    row[[X, Y, Z, YAW]] = centre[0], top, centre[1], yaw
    row[[HALF_WIDTH, HALF_LENGTH]] = 0.5 * size
    return row


def sloping(start: FloatArray, yaw: float, width: float, length: float, low: float, high: float) -> FloatArray:
    """A rectangle that begins at ``start`` with the height ``low`` and ends, along ``yaw``, with ``high``."""
    row = level(ahead(start, yaw, 0.5 * length), np.array([width, length]), 0.5 * (low + high), yaw)
    row[SLOPE_Z] = (high - low) / length
    return row


def stairs(
    start: FloatArray,
    yaw: float,
    width: float,
    count: int,
    rise: float,
    tread: float,
    landing: float,
    base: float,
    down: bool,
) -> list[FloatArray]:
    """Steps from ``base`` up to a landing ``count`` rises higher, or from the landing down to ``base``."""
    lengths = [tread] * (count - 1) + [landing]
    tops = [base + rise * (k + 1) for k in range(count)]
    if down:
        lengths, tops = lengths[::-1], tops[::-1]
    rows, gone = [], 0.0
    for length, top in zip(lengths, tops, strict=True):
        middle = ahead(start, yaw, gone + 0.5 * length)
        rows.append(level(middle, np.array([width, length]), top, yaw))
        gone += length
    return rows


def ahead(start: FloatArray, yaw: float, distance: float) -> FloatArray:
    """The place ``(x, z)`` so far along ``yaw``."""
    out: FloatArray = start + distance * np.array([np.sin(yaw), np.cos(yaw)])
    return out


def corners(row: FloatArray) -> FloatArray:
    """The four corners of the top ``(4, 3)``, counter-clockwise from above."""
    sine, cosine = np.sin(row[YAW]), np.cos(row[YAW])
    x = row[HALF_WIDTH] * np.array([-1.0, -1.0, 1.0, 1.0])
    z = row[HALF_LENGTH] * np.array([-1.0, 1.0, 1.0, -1.0])
    y = row[Y] + row[SLOPE_X] * x + row[SLOPE_Z] * z
    return np.stack([row[X] + cosine * x + sine * z, y, row[Z] + cosine * z - sine * x], axis=1)
