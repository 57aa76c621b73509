"""Vibrations laid over the rest pose of many characters, several of them at a time.

A gait of any number of vibrations of one harmonic is, at every joint, a sine and a cosine: two rotation vectors. Lanes
lie side by side, so that the compiler does several characters with one instruction.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel
from locomote.math.quaternion import about_up, conjugate, multiply, quaternion
from locomote.math.vector import Floats, Ints

LANES = 8
_EVEN = tuple((-1.0) ** k / math.factorial(2 * k) for k in range(8))  # of cosines, in powers of the square
_ODD = tuple((-1.0) ** k / math.factorial(2 * k + 1) for k in range(8))  # of sines over their angle


class Played(NamedTuple):
    """A gait of J joints with H harmonics, for the kernel."""

    parents: Ints  # (J,)
    offsets: Floats  # (J, 3) m, of the joints in the frames of their parents
    rest: Floats  # (J, 4) local rotations
    waves: Floats  # (H, 2, J, 3) rad, rotation vectors that go with the sine and the cosine
    postures: Floats  # (J, 3) rad
    hinges: Floats  # (J, 3) axes; 0 for ball joints
    limits: Floats  # (J, 2) rad from rest, lowest and highest; of ball joints the second alone
    soft: float  # rad that a limit gives way
    harmonics: Floats  # (H,) times the frequency
    root: Floats  # (H, 2, 6) how the root turns, rad, and goes, m
    root_posture: Floats  # (6,)
    steady: Ints  # (J,) 1: it is held as it is at rest, whatever carries it
    facing: Floats  # (J, 4) rotations of the rest pose, in the world


class Placed(NamedTuple):
    """N characters: where they are and in which moment of their gait."""

    phases: Floats  # (N,) rad
    amplitudes: Floats  # (N,)
    places: Floats  # (N, 3) m, of the roots at rest
    yaws: Floats  # (N,) rad


class PlayScratch(NamedTuple):
    """The room for one block of characters."""

    waves: Floats  # (H, 2, LANES)
    vector: Floats  # (6, LANES)
    local: Floats  # (4, LANES)
    turns: Floats  # (J, 4, LANES) in the world
    places: Floats  # (J, 3, LANES)


def play_scratch(joints: int, harmonics: int) -> PlayScratch:
    """New room to work in."""
    return PlayScratch(
        np.zeros((harmonics, 2, LANES)),
        np.zeros((6, LANES)),
        np.zeros((4, LANES)),
        np.zeros((joints, 4, LANES)),
        np.zeros((joints, 3, LANES)),
    )


@kernel
def play(
    gait: Played, placed: Placed, rotations: Floats, roots: Floats, positions: Floats, scratch: PlayScratch
) -> None:
    """Fill ``rotations (N, J, 4)``, ``roots (N, 3)`` and ``positions (N, J, 3)`` of N characters."""
    count, joints = placed.phases.shape[0], gait.parents.shape[0]
    for first in range(0, count, LANES):
        used = min(LANES, count - first)
        for lane in range(LANES):
            n = first + min(lane, used - 1)
            for h in range(gait.harmonics.shape[0]):
                angle = gait.harmonics[h] * placed.phases[n]
                scratch.waves[h, 0, lane] = placed.amplitudes[n] * math.sin(angle)
                scratch.waves[h, 1, lane] = placed.amplitudes[n] * math.cos(angle)
        _root(first, used, gait, placed, scratch)
        for j in range(1, joints):
            if gait.steady[j] > 0:
                _hold(j, first, used, gait, placed, scratch)
            else:
                _joint(j, gait, scratch)
            _hang(j, gait, scratch)
            for lane in range(used):
                for k in range(4):
                    rotations[first + lane, j, k] = scratch.local[k, lane]
        for j in range(joints):
            for lane in range(used):
                for k in range(3):
                    positions[first + lane, j, k] = scratch.places[j, k, lane]
        for lane in range(used):
            for k in range(4):
                rotations[first + lane, 0, k] = scratch.turns[0, k, lane]
            for k in range(3):
                roots[first + lane, k] = scratch.places[0, k, lane]


@inline
def _joint(j: int, gait: Played, scratch: PlayScratch) -> None:
    """The local rotation of a joint, in all lanes."""
    vector, local, waves = scratch.vector, scratch.local, scratch.waves
    for k in range(3):
        still = gait.postures[j, k]
        for lane in range(LANES):
            vector[k, lane] = still
    for h in range(gait.harmonics.shape[0]):
        for k in range(3):
            sine, cosine = gait.waves[h, 0, j, k], gait.waves[h, 1, j, k]
            for lane in range(LANES):
                vector[k, lane] += sine * waves[h, 0, lane] + cosine * waves[h, 1, lane]
    x, y, z = gait.hinges[j, 0], gait.hinges[j, 1], gait.hinges[j, 2]
    low, high, soft = gait.limits[j, 0], gait.limits[j, 1], gait.soft
    if x == 0.0 and y == 0.0 and z == 0.0:
        for lane in range(LANES):
            a, b, c = vector[0, lane], vector[1, lane], vector[2, lane]
            angle = math.sqrt(a * a + b * b + c * c)
            share = within(angle, -high, high, soft) / max(angle, 1e-12)
            vector[0, lane], vector[1, lane], vector[2, lane] = share * a, share * b, share * c
    else:
        for lane in range(LANES):
            angle = x * vector[0, lane] + y * vector[1, lane] + z * vector[2, lane]
            angle = within(angle, low, high, soft)
            vector[0, lane], vector[1, lane], vector[2, lane] = x * angle, y * angle, z * angle
    w, i, g, k4 = gait.rest[j, 0], gait.rest[j, 1], gait.rest[j, 2], gait.rest[j, 3]
    for lane in range(LANES):
        a, b, c = vector[0, lane], vector[1, lane], vector[2, lane]
        square = 0.25 * (a * a + b * b + c * c)
        cosine, sine = _half(square)
        a, b, c = sine * a, sine * b, sine * c
        local[0, lane] = w * cosine - i * a - g * b - k4 * c
        local[1, lane] = w * a + i * cosine + g * c - k4 * b
        local[2, lane] = w * b - i * c + g * cosine + k4 * a
        local[3, lane] = w * c + i * b - g * a + k4 * cosine


@inline
def within(angle: float, low: float, high: float, soft: float) -> float:
    """An angle held by soft limits: what exceeds one by d becomes d s / (d + s), less than s and smooth there."""
    over, under = max(angle - high, 0.0), max(low - angle, 0.0)
    return angle - over * over / (over + soft) + under * under / (under + soft)


@inline
def _half(square: float) -> tuple[float, float]:
    """Cosine of half an angle, and half the sine of it over that half, by its square: up to a turn, to 1e-10."""
    cosine = _EVEN[0] + square * (
        _EVEN[1]
        + square * (_EVEN[2] + square * (_EVEN[3] + square * (_EVEN[4] + square * (_EVEN[5] + square * _EVEN[6]))))
    )
    sine = _ODD[0] + square * (
        _ODD[1] + square * (_ODD[2] + square * (_ODD[3] + square * (_ODD[4] + square * (_ODD[5] + square * _ODD[6]))))
    )
    return cosine, 0.5 * sine


@inline
def _hold(j: int, first: int, used: int, gait: Played, placed: Placed, scratch: PlayScratch) -> None:
    """The local rotation with which a joint faces as at rest: what shapes hold for small turns alone, made exact."""
    rest, parent = quaternion(gait.facing[j]), gait.parents[j]
    for lane in range(LANES):
        facing = multiply(about_up(placed.yaws[first + min(lane, used - 1)]), rest)
        turns = scratch.turns
        above = turns[parent, 0, lane], turns[parent, 1, lane], turns[parent, 2, lane], turns[parent, 3, lane]
        q = multiply(conjugate(above), facing)
        scratch.local[0, lane], scratch.local[1, lane] = q[0], q[1]
        scratch.local[2, lane], scratch.local[3, lane] = q[2], q[3]


@inline
def _hang(j: int, gait: Played, scratch: PlayScratch) -> None:
    """Where a joint is in the world, and how it is turned, in all lanes."""
    turns, places, local = scratch.turns, scratch.places, scratch.local
    parent = gait.parents[j]
    x, y, z = gait.offsets[j, 0], gait.offsets[j, 1], gait.offsets[j, 2]
    for lane in range(LANES):
        w, a, b, c = turns[parent, 0, lane], turns[parent, 1, lane], turns[parent, 2, lane], turns[parent, 3, lane]
        tx, ty, tz = 2.0 * (b * z - c * y), 2.0 * (c * x - a * z), 2.0 * (a * y - b * x)
        places[j, 0, lane] = places[parent, 0, lane] + x + w * tx + b * tz - c * ty
        places[j, 1, lane] = places[parent, 1, lane] + y + w * ty + c * tx - a * tz
        places[j, 2, lane] = places[parent, 2, lane] + z + w * tz + a * ty - b * tx
        p, q, r, s = local[0, lane], local[1, lane], local[2, lane], local[3, lane]
        turns[j, 0, lane] = w * p - a * q - b * r - c * s
        turns[j, 1, lane] = w * q + a * p + b * s - c * r
        turns[j, 2, lane] = w * r - a * s + b * p + c * q
        turns[j, 3, lane] = w * s + a * r - b * q + c * p


@inline
def _root(first: int, used: int, gait: Played, placed: Placed, scratch: PlayScratch) -> None:
    """Turn and move the roots: as the vibrations have them, about where the characters are."""
    for lane in range(LANES):
        n = first + min(lane, used - 1)
        half_yaw = 0.5 * placed.yaws[n]
        c_yaw, s_yaw = math.cos(half_yaw), math.sin(half_yaw)
        for k in range(6):
            value = gait.root_posture[k]
            for h in range(gait.harmonics.shape[0]):
                value += gait.root[h, 0, k] * scratch.waves[h, 0, lane] + gait.root[h, 1, k] * scratch.waves[h, 1, lane]
            scratch.vector[k, lane] = value
        a, b, c = scratch.vector[0, lane], scratch.vector[1, lane], scratch.vector[2, lane]
        cosine, sine = _half(0.25 * (a * a + b * b + c * c))
        a, b, c = sine * a, sine * b, sine * c
        # Turned to where it faces, then by the vibration, then as at rest.
        w, i, g, k4 = (
            c_yaw * cosine - s_yaw * b,
            c_yaw * a + s_yaw * c,
            c_yaw * b + s_yaw * cosine,
            c_yaw * c - s_yaw * a,
        )
        p, q, r, s = gait.rest[0, 0], gait.rest[0, 1], gait.rest[0, 2], gait.rest[0, 3]
        scratch.turns[0, 0, lane] = w * p - i * q - g * r - k4 * s
        scratch.turns[0, 1, lane] = w * q + i * p + g * s - k4 * r
        scratch.turns[0, 2, lane] = w * r - i * s + g * p + k4 * q
        scratch.turns[0, 3, lane] = w * s + i * r - g * q + k4 * p
        cos_yaw, sin_yaw = c_yaw * c_yaw - s_yaw * s_yaw, 2.0 * c_yaw * s_yaw
        x, y, z = scratch.vector[3, lane], scratch.vector[4, lane], scratch.vector[5, lane]
        scratch.places[0, 0, lane] = placed.places[n, 0] + cos_yaw * x + sin_yaw * z
        scratch.places[0, 1, lane] = placed.places[n, 1] + y
        scratch.places[0, 2, lane] = placed.places[n, 2] + cos_yaw * z - sin_yaw * x
