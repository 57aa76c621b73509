"""When heels, balls and toes of the feet stand on the floor, from the heights of one cycle (PCA-052 to PCA-054).

Every point touches the floor in about the same part of the cycle, so only a window of phases is searched. The threshold
lies between the lowest height in the window and the mean height at its ends, so that neither the size of the body nor
the level of the floor matters. A footplant begins when the point has come down to the threshold and ends when it leaves
it. Where the point crosses it more than once, the time that it spends above counts, before and after the middle part of
the window, in which the point surely stands: there is always one footplant for every point and cycle, and it changes
steadily with the cycle. A foot rolls at last over the tip of its toes: the end of that footplant is the toe-off.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.human._encoding import CHANNELS, Encoding
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human.fitting._stride import BALLS, LEGS, STRIKE_PHASE
from locomote.human_skeleton import COMMON, SHANK, THIGH, TOE_LENGTH, heel_offset
from locomote.motion import Motion
from locomote.rotations import FloatArray

EFFECTORS = ("left heel", "left ball", "left toe", "right heel", "right ball", "right toe")
PER_FOOT = len(EFFECTORS) // 2


class HeightWindow(NamedTuple):
    """Where to look for a footplant: phases after the foot's own strike at the slowest and the fastest speed."""

    begin: tuple[float, float]
    latest_start: tuple[float, float]
    earliest_end: tuple[float, float]
    end: tuple[float, float]
    # Where the thresholds lie between the lowest height in the window (0) and the mean height at its ends (1).
    start_delta: float
    end_delta: float


# Searched for on recorded cycles: near the events of the contact detector, slow at both ends (docs/performance). The
# swinging heel of a walker skims the floor before it strikes and says little by its height: its window begins where it
# comes to rest. No setting meets both the recorded heel-offs of walkers and those of the synthetic performer, whose
# heels rise at once; this one meets the recorded ones.
# Toes come down with the ball. They leave up to half a frame before the recorded toe-off, where they are still slow;
# the last part of their windows begins late: toes of recorded feet bend too little, rise with the ball and come back.
WINDOWS = (  # walk, run; heel, ball, toe
    (
        HeightWindow((0.03, 0.04), (0.09, 0.09), (0.30, 0.26), (0.70, 0.55), 0.33, 0.11),
        HeightWindow((0.08, 0.11), (0.17, 0.17), (0.52, 0.41), (0.73, 0.55), 0.28, 0.40),
        HeightWindow((0.08, 0.11), (0.17, 0.17), (0.70, 0.575), (0.765, 0.637), 0.28, 0.21),
    ),
    (
        HeightWindow((-0.02, -0.02), (0.04, 0.04), (0.17, 0.11), (0.41, 0.23), 0.07, 0.125),
        HeightWindow((0.04, 0.05), (0.095, 0.095), (0.34, 0.21), (0.60, 0.30), 0.165, 0.10),
        HeightWindow((0.04, 0.05), (0.095, 0.095), (0.41, 0.23), (0.49, 0.49), 0.165, 0.124),
    ),
)
WINDOW_SPEEDS = ((0.67, 2.78), (1.67, 6.11))  # hip heights a second: slowest and fastest walk and run
EDGE = 1.0  # how soft the threshold is, as a share of it: a hard one makes footplants jump with the speed
POINTS = 20  # intervals into which each part of a window is divided

FIXED_HEIGHT = 0.03  # hip heights over the floor, below which the usual detector sees a contact
FIXED_SPEED = 0.5  # hip heights a second

_FEET = [COMMON.index(name) for name in ("LeftFoot", "RightFoot")]
_HEEL = heel_offset(THIGH + SHANK)
_TIP = np.array([0.0, 0.0, TOE_LENGTH])  # hip heights, from the ball of the foot
_FLAT = 1e-9  # hip heights; a threshold so low means that nothing moves
_GRID = np.linspace(0.0, 1.0, POINTS + 1)
_STRIKES = np.repeat(STRIKE_PHASE, PER_FOOT)  # of the effectors
_BOUNDS = np.array([[window[:4] for window in gait] * 2 for gait in WINDOWS])  # (2, 6, 4, 2)
_DELTAS = np.array([[window[4:] for window in gait] * 2 for gait in WINDOWS])  # (2, 6, 2)


def effector_paths(encoding: Encoding, units: FloatArray) -> FloatArray:
    """Positions ``(..., S, 6, 3)`` of the `EFFECTORS` over cycles ``(..., S, C)``, hip heights."""
    root, turns = encoding.decode(units.reshape(-1, CHANNELS), LEGS)
    return foot_paths(root, turns).reshape(*units.shape[:-1], len(EFFECTORS), 3)


def foot_paths(root: FloatArray, rotations: FloatArray) -> FloatArray:
    """Positions ``(F, 6, 3)`` of the `EFFECTORS` in poses of the common skeleton, hip heights."""
    positions, world = Motion(COMMON, 1.0, root, rotations).world()
    heels = positions[:, _FEET] + rot.rotate(world[:, _FEET], _HEEL)
    balls = positions[:, BALLS]
    tips = balls + rot.rotate(world[:, BALLS], _TIP)
    return np.stack([heels, balls, tips], axis=2).reshape(len(root), len(EFFECTORS), 3)


def search_windows(speed: npt.ArrayLike, run: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Windows ``(..., 6, 4)`` of phases and threshold places ``(..., 6, 2)`` at a speed (hip heights a second).

    ``run`` is the share of running; between walk and run everything is mixed linearly.
    """
    speed, run = np.broadcast_arrays(np.asarray(speed, dtype=np.float64), np.asarray(run, dtype=np.float64))
    slowest, fastest = np.array(WINDOW_SPEEDS).T
    fast = np.clip((speed[..., None] - slowest) / (fastest - slowest), 0.0, 1.0)[..., None, None]
    phases = (1.0 - fast) * _BOUNDS[..., 0] + fast * _BOUNDS[..., 1]  # (..., 2, 6, 4)
    share = run[..., None, None]
    windows = (1.0 - share) * phases[..., 0, :, :] + share * phases[..., 1, :, :]
    deltas = (1.0 - share) * _DELTAS[0] + share * _DELTAS[1]
    return windows + _STRIKES[:, None], deltas


def find_footplants(heights: FloatArray, speed: npt.ArrayLike, run: npt.ArrayLike) -> FloatArray:
    """Phases ``(..., 6, 2)`` of start and end of every effector's footplant, from heights ``(..., S, 6)`` over a cycle.

    ``speed`` (hip heights a second) and ``run`` (share of running) may differ from cycle to cycle. Those of the right
    foot start near phase 0, those of the left near 0.5; ends may lie beyond 1.
    """
    windows, deltas = search_windows(speed, run)
    first, last = windows[..., :-1, None], windows[..., 1:, None]
    parts = _sampled(heights, first + (last - first) * _GRID)  # (..., 6, 3, n): landing, standing, leaving
    lowest = parts.min(axis=(-2, -1))
    reach = 0.5 * (parts[..., 0, 0] + parts[..., 2, -1]) - lowest
    threshold = np.maximum(deltas * reach[..., None], _FLAT)
    share = _share_above((parts[..., ::2, :] - lowest[..., None, None]) / threshold[..., None])
    share[..., 1] = 1.0 - share[..., 1]
    out: FloatArray = windows[..., ::2] + share * (windows[..., 1::2] - windows[..., ::2])
    return out


def fixed_footplants(
    paths: FloatArray,
    way: float,
    frequency: float,
    height: float = FIXED_HEIGHT,
    speed: float = FIXED_SPEED,
) -> npt.NDArray[np.bool_]:
    """Whether effectors on ``paths (S, 6, 3)`` are below a height and slower than a speed over the floor, ``(S, 6)``.

    The usual detector, to compare with (PCA-053): on one cycle it may find none or several footplants of a point.
    ``way`` is that of the body per cycle in hip heights, ``frequency`` in cycles a second.
    """
    out: npt.NDArray[np.bool_] = (paths[..., 1] < height) & (floor_speeds(paths, way, frequency) < speed)
    return out


def cyclic_intervals(mask: npt.NDArray[np.bool_]) -> FloatArray:
    """Where ``mask (S,)`` over a cycle holds without a break: phases ``(n, 2)``, ends beyond 1 where it wraps."""
    if mask.all():
        return np.array([[0.0, 1.0]])
    starts = np.flatnonzero(mask & ~np.roll(mask, 1))
    ends = np.flatnonzero(~mask & np.roll(mask, 1))
    ends = np.roll(ends, -1) if len(ends) and ends[0] < starts[0] else ends
    return np.stack([starts, np.where(ends < starts, ends + len(mask), ends)], axis=1) / len(mask)


def floor_speeds(paths: FloatArray, way: npt.ArrayLike, frequency: npt.ArrayLike) -> FloatArray:
    """Speeds ``(..., S, 6)`` over the floor of effectors on ``paths (..., S, 6, 3)``, hip heights a second."""
    samples = paths.shape[-3]
    velocity = 0.5 * samples * (np.roll(paths, -1, axis=-3) - np.roll(paths, 1, axis=-3))
    velocity[..., 2] += np.asarray(way)[..., None, None]
    out: FloatArray = np.linalg.norm(velocity, axis=-1) * np.asarray(frequency)[..., None, None]
    return out


def footplant_table(model: HumanModel) -> FloatArray:
    """Footplants ``(K, 2, T, 6, 2)`` of every style, gait and speed of ``model.frequency_speeds``.

    They are constant below the slowest speed of a gait, where it shrinks to standing, and beyond its fastest.
    """
    gaits = []
    for g in (0, 1):
        common = model.frequency_speeds * REFERENCE_HIP_HEIGHT
        known, rows = np.unique(np.clip(common, model.slowest[g], model.speed_limits[g, 1]), return_inverse=True)
        found = [_of_styles(model, g, float(s)) for s in known]
        gaits.append(np.stack(found, axis=1)[:, rows])
    return np.stack(gaits, axis=1)


def with_footplants(model: HumanModel) -> HumanModel:
    """The model with the table of its footplants."""
    return replace(model, footplants=footplant_table(model))


def _of_styles(model: HumanModel, gait: int, speed: float) -> FloatArray:
    """Footplants ``(K, 6, 2)`` of every style at a speed on the common skeleton, m/s."""
    cycles = model.mean + np.tensordot(model.coordinates(gait, speed), model.basis, axes=1)
    heights = effector_paths(model.encoding, cycles)[..., 1]
    return find_footplants(heights, np.full(len(cycles), speed / REFERENCE_HIP_HEIGHT), float(gait))


def _sampled(heights: FloatArray, phases: FloatArray) -> FloatArray:
    """Heights ``(..., 6, 3, n)`` at any ``phases (..., 6, 3, n)``, from samples ``(..., S, 6)`` of a cycle."""
    samples = heights.shape[-2]
    at = (phases % 1.0) * samples
    before = at.astype(np.int64)
    mix = at - before
    rows = np.swapaxes(heights, -1, -2)[..., None, :]
    left = np.take_along_axis(rows, before % samples, axis=-1)  # a phase just below 0 may round up to 1
    right = np.take_along_axis(rows, (before + 1) % samples, axis=-1)
    out: FloatArray = left + mix * (right - left)
    return out


def _share_above(heights: FloatArray) -> FloatArray:
    """The share of the last axis on which the line through the values is above 1, with a soft edge."""
    x = (heights - 1.0) / EDGE + 0.5
    held = np.clip(x, 0.0, 1.0)
    area = held * (x - 0.5 * held)  # the integral of the clipped line
    step = np.diff(x, axis=-1)
    level = np.abs(step) < 1e-9
    mean = np.where(level, held[..., 1:], np.diff(area, axis=-1) / np.where(level, 1.0, step))
    out: FloatArray = np.mean(mean, axis=-1)
    return out
