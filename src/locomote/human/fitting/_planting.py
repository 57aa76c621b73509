"""Planted feet brought to rest on the floor by small corrections of the pelvis' path.

Recorded feet creep by a centimetre or two while they bear weight: solved skeletons stretch, headings are known to a
degree only. What creeps in the cycles creeps in all that is made of them, so the path of the pelvis is corrected: the
travel is turned until planted balls do not drift sideways, and the sway is changed as far as it takes to hold them.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.human.fitting._calibration import FLOOR_PERCENTILE, lowest_foot_points
from locomote.human.fitting._cycles import Unit, face_ahead
from locomote.human.fitting._stride import STANCE, STRIKE_PHASE, ball_path, path_per_cycle
from locomote.rotations import FloatArray

ROUNDS = 3
HARMONICS = 6  # of the correction: the pelvis moves smoothly


def planted(unit: Unit) -> Unit:
    """The unit with a path of the pelvis on which the balls of the feet rest in stance."""
    for _ in range(ROUNDS):
        unit = _straightened(unit)
        balls = ball_path(unit.root, unit.rotations)
        unit = replace(unit, root=unit.root + sway(balls, unit.gait))
    lift = grounding(lowest_foot_points(unit.root, unit.rotations), unit.gait)
    return replace(unit, root=unit.root + lift[:, None] * [0.0, 1.0, 0.0])


def grounding(lowest: FloatArray, gait: str) -> FloatArray:
    """The change ``(..., S)`` of the pelvis' height that puts the lowest points of the feet ``(..., S)`` on the floor.

    A walker always touches the floor; a runner flies for a part of the cycle, so that a run is shifted as a whole.
    """
    samples = lowest.shape[-1]
    if gait == "run":
        shift: FloatArray = -np.percentile(lowest, FLOOR_PERCENTILE, axis=-1, keepdims=True)
        return np.broadcast_to(shift, lowest.shape)
    spectrum = np.fft.rfft(-lowest, axis=-1)
    spectrum[..., HARMONICS + 1 :] = 0.0
    return np.fft.irfft(spectrum, samples, axis=-1)


def sway(balls: FloatArray, gait: str) -> FloatArray:
    """The smooth change ``(..., S, 3)`` of the pelvis that takes away the creep of ``balls (..., S, 2, 3)``."""
    velocity, stance = _creep(balls, gait)
    samples = len(stance)
    # In flight the pelvis keeps its recorded velocity.
    wanted = -np.sum(velocity * stance[..., None], axis=-2)
    spectrum = np.fft.rfft(wanted, axis=-2)
    order = np.arange(spectrum.shape[-2])
    keep = (order > 0) & (order <= HARMONICS)
    factor = np.where(keep, 1.0 / (2j * np.pi * np.maximum(order, 1)), 0.0)
    change = np.fft.irfft(spectrum * factor[:, None], samples, axis=-2)
    return np.stack([change[..., 0], np.zeros(change.shape[:-1]), change[..., 1]], axis=-1)


def _creep(balls: FloatArray, gait: str) -> tuple[FloatArray, FloatArray]:
    """Velocities ``(..., S, 2, 2)`` of the balls over the floor, x and z, per cycle; stance ``(S, 2)`` is 1 or 0."""
    samples = balls.shape[-3]
    forth, back = np.roll(balls, -1, axis=-3), np.roll(balls, 1, axis=-3)
    velocity = 0.5 * samples * (forth - back)[..., [0, 2]]
    velocity[..., 1] += path_per_cycle(balls, gait)[..., None, None]
    return velocity, _stance(gait, samples)


def _stance(gait: str, samples: int) -> FloatArray:
    """1 where the ball of the left and of the right foot is planted, else 0, ``(S, 2)``."""
    start, stop = STANCE[gait]
    phase = (np.arange(samples)[:, None] / samples - np.array(STRIKE_PHASE)) % 1.0
    out: FloatArray = ((phase >= start) & (phase <= stop)).astype(np.float64)
    return out


def _straightened(unit: Unit) -> Unit:
    """Turn the whole movement until planted feet have no common drift to the side."""
    balls = ball_path(unit.root, unit.rotations)
    velocity, stance = _creep(balls, unit.gait)
    drift = float(np.sum(velocity[..., 0] * stance) / np.sum(stance))
    turn = rot.from_yaw(float(np.arctan2(drift, path_per_cycle(balls, unit.gait))))
    turns = unit.rotations.copy()
    turns[:, 0] = rot.multiply(turn, turns[:, 0])
    face_ahead(turns)
    return replace(unit, root=rot.rotate(turn, unit.root), rotations=turns)
