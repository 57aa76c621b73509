"""The phase of a gait in every frame: how far round its cycle a silhouette is (AGV-15).

No animal goes through its cycle at an even pace, and the angle of two coordinates slips where strides differ. Here the
mean cycle of the clip itself (a few harmonics of its coordinates) and the moment at which each frame is in it are found
in turns: first by dynamic programming over a phase that only goes on, then between its steps by least squares with an
even pace wished for.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import solveh_banded

from locomote.rotations import FloatArray

HARMONICS = 3
COORDINATES = 8  # of the images that are followed
STATES = 96  # phases of a cycle among which dynamic programming chooses
SLOWEST, FASTEST = 0.55, 1.7  # of the mean pace, from one frame to the next
ROUNDS = 6  # of cycle and phase in turns
STIFF = 3.0  # weight of an even pace against a frame's distance from the cycle
SHORTEST = 4  # frames of a cycle of silhouettes
LEAST_PEAK = 0.4  # of the highest peak of likeness: the first one so high is the period


def silhouette_period(coordinates: FloatArray) -> float:
    """Frames until the images come again: the first high peak of their likeness to later ones; 0 if they never do.

    Parameters
    ----------
    coordinates : (F, c) of the images, as large as what they show
    """
    frames = len(coordinates)
    lags = np.arange(1, max(SHORTEST + 2, frames * 2 // 3))
    likeness = np.array([_likeness(coordinates, int(lag)) for lag in lags])
    peaks = np.flatnonzero((likeness[1:-1] > likeness[:-2]) & (likeness[1:-1] >= likeness[2:])) + 1
    peaks = peaks[lags[peaks] >= SHORTEST]
    peaks = peaks[likeness[peaks] > 0.0]
    if not len(peaks):
        return 0.0
    first = int(peaks[likeness[peaks] >= LEAST_PEAK * likeness[peaks].max()][0])
    before, at, after = likeness[first - 1 : first + 2]
    return float(lags[first] + 0.5 * (before - after) / min(before - 2.0 * at + after, -1e-12))


def _likeness(coordinates: FloatArray, lag: int) -> float:
    now, later = coordinates[:-lag], coordinates[lag:]
    return float(np.sum(now * later) / np.sqrt(max(np.sum(now**2) * np.sum(later**2), 1e-300)))


def track_phase(coordinates: FloatArray, period: float) -> FloatArray:
    """The phase of every frame ``(F,)``, turns of the cycle of silhouettes; it never goes back.

    Parameters
    ----------
    coordinates : (F, c) of the images, as large as what they show
    period : frames of the cycle, about
    """
    seen = np.asarray(coordinates)[:, :COORDINATES]
    phase = np.arange(len(seen)) / period
    for _ in range(ROUNDS):
        curves = _fit(seen, phase)
        phase = _stepwise(seen, curves, phase)
        curves = _fit(seen, phase)
        phase = _refined(seen, curves, phase)
    return np.asarray(phase - np.floor(phase[0]), dtype=np.float64)


def _waves(phase: FloatArray) -> FloatArray:
    """The harmonics ``(..., 2 H + 1)`` at phases in turns."""
    angles = 2.0 * np.pi * np.arange(1, HARMONICS + 1) * phase[..., None]
    return np.concatenate([np.ones((*phase.shape, 1)), np.cos(angles), np.sin(angles)], axis=-1)


def _slopes(phase: FloatArray) -> FloatArray:
    """Their derivatives by the phase."""
    rates = 2.0 * np.pi * np.arange(1, HARMONICS + 1)
    angles = rates * phase[..., None]
    return np.concatenate([np.zeros((*phase.shape, 1)), -rates * np.sin(angles), rates * np.cos(angles)], axis=-1)


def _fit(seen: FloatArray, phase: FloatArray) -> FloatArray:
    """The mean cycle: amplitudes ``(2 H + 1, c)`` of the harmonics, drawn to 0 where a clip is short."""
    waves = _waves(phase)
    ridge = 1e-3 * len(seen) * np.eye(waves.shape[1])
    return np.asarray(np.linalg.solve(waves.T @ waves + ridge, waves.T @ seen), dtype=np.float64)


def _stepwise(seen: FloatArray, curves: FloatArray, phase: FloatArray) -> FloatArray:
    """The best phase of every frame among evenly spaced ones, each a likely step after the one before."""
    frames = len(seen)
    pace = (phase[-1] - phase[0]) / (frames - 1)
    cycle = _waves(np.arange(STATES) / STATES) @ curves
    costs = np.sum((seen[:, None] - cycle) ** 2, axis=-1)
    costs /= max(float(np.mean(costs.min(axis=1))), 1e-12)
    steps = np.arange(int(np.floor(SLOWEST * pace * STATES)), int(np.ceil(FASTEST * pace * STATES)) + 1)
    price = 0.5 * ((steps / STATES - pace) / (0.25 * pace)) ** 2
    total, back = costs[0].copy(), np.empty((frames, STATES), dtype=np.int64)
    states = np.arange(STATES)
    for f in range(1, frames):
        ways = total[(states[:, None] - steps) % STATES] + price
        back[f] = np.argmin(ways, axis=1)
        total = ways[states, back[f]] + costs[f]
    state = int(np.argmin(total))
    out = np.empty(frames)
    gone = 0
    for f in range(frames - 1, -1, -1):
        out[f] = -gone
        if f:
            step = int(steps[back[f, state]])
            gone += step
            state = (state - step) % STATES
    return (state + gone + out) / STATES


def _refined(seen: FloatArray, curves: FloatArray, phase: FloatArray) -> FloatArray:
    """Phases between the steps: near the cycle, at a pace that changes little from frame to frame."""
    frames = len(seen)
    pace = (phase[-1] - phase[0]) / (frames - 1)
    for _ in range(8):
        off = _waves(phase) @ curves - seen
        slope = _slopes(phase) @ curves
        noise = max(float(np.mean(np.sum(off**2, axis=-1))), 1e-12)
        weight = STIFF * noise / (0.25 * pace) ** 2
        # Second differences of the phase are wished to be 0.
        band = np.zeros((3, frames))
        band[2] = np.sum(slope**2, axis=-1) + 1e-9
        second = np.diff(phase, 2)
        force = np.sum(slope * off, axis=-1)
        for place, factor in ((0, 1.0), (1, -2.0), (2, 1.0)):
            band[2, place : frames - 2 + place] += weight * factor**2
            force[place : frames - 2 + place] += weight * factor * second
        band[1, 1 : frames - 1] += -2.0 * weight
        band[1, 2:frames] += -2.0 * weight
        band[0, 2:] += weight
        step = solveh_banded(band, -force)
        phase = phase + np.clip(step, -0.1, 0.1)
    least = 0.2 * pace
    ramp = least * np.arange(frames)
    return np.asarray(np.maximum.accumulate(phase - ramp) + ramp, dtype=np.float64)
