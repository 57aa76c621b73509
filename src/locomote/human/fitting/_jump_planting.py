"""Feet of standing jumps brought to rest before and after the flight by small shifts of the pelvis.

Recorded feet creep by a few centimetres on the common skeleton, and a mean pace is nobody's own.
"""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.human._encoding import MOVING, Encoding
from locomote.human.fitting._calibration import lowest_foot_points, sole_pitch
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._units import BALLS, mirrored_pose
from locomote.human_skeleton import COMMON, TOE_LENGTH
from locomote.motion import Motion
from locomote.rotations import FloatArray

BALLS_AHEAD = 0.084  # hip heights from the pelvis to the balls of the feet in the standing poses of the walking model
HEELS_UP, FEET_FLAT = 0.28, 0.62  # places on the timeline between which the balls of the feet need not rest
SMOOTHING = 1.5  # samples
ROUNDS = 3
RISEN, RISES_AGAIN = (
    0.14,
    0.76,
)  # places up to which a standing jump leaves the standing pose, and from which it returns

_TOE_CHANNELS = [3 + 3 * MOVING.index(ball) + axis for ball in BALLS for axis in range(3)]


def creep(root: FloatArray, rotations: FloatArray, way: FloatArray, length: float) -> FloatArray:
    """How far ``(SAMPLES, 3)`` feet are from where they ought to stand in a standing jump, smooth over the flight."""
    from scipy.ndimage import gaussian_filter1d  # slow to import, needed offline only

    balls = Motion(COMMON, 1.0, root, rotations).joint_positions()[:, BALLS].mean(axis=1)
    u = timeline.nodes()
    rests = (u <= HEELS_UP) | (u >= FEET_FLAT)
    landed = np.where(u < 0.5 * (HEELS_UP + FEET_FLAT), 0.0, length)
    away = np.stack(
        [balls[:, 0], lowest_foot_points(root, rotations), balls[:, 2] + way - BALLS_AHEAD - landed], axis=1
    )
    away = np.stack([np.interp(u, u[rests], column[rests]) for column in away.T], axis=1)
    out: FloatArray = gaussian_filter1d(away, SMOOTHING, axis=0, mode="nearest")
    return out


def with_toes_above_floor(root: FloatArray, rotations: FloatArray) -> FloatArray:
    """The rotations with toes bent up as far as it takes to keep their tips out of the floor."""
    positions, world = Motion(COMMON, 1.0, root, rotations).world()
    pitch = sole_pitch(world[:, BALLS])
    steepest = np.arcsin(np.clip(positions[:, BALLS, 1] / TOE_LENGTH, 0.0, 1.0))
    up = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), np.minimum(steepest - pitch, 0.0))
    out = rotations.copy()
    out[:, BALLS] = rot.multiply(rotations[:, BALLS], up)
    return out


def even_stand(stand: FloatArray, encoding: Encoding) -> FloatArray:
    """A standing pose ``(CHANNELS,)`` midway to its mirror image."""
    root, turns = encoding.decode(stand[None])
    image, mirrored = mirrored_pose(root, turns)
    half = rot.slerp(turns, mirrored, np.full(turns.shape[:2], 0.5))
    out: FloatArray = encoding.encode(0.5 * (root + image), half)[0]
    return out


def with_standing_ends(parts: FloatArray, stand: FloatArray) -> FloatArray:
    """The parts ``(3, SAMPLES, CHANNELS)`` of standing jumps that begin and end in the pose ``stand (CHANNELS,)``.

    Solved captures stand with knees bent by 20 to 30 degrees, which is the solver's fault and not how people stand.
    """
    u = timeline.nodes()
    x = np.clip(np.maximum((RISEN - u) / RISEN, (u - RISES_AGAIN) / (1.0 - RISES_AGAIN)), 0.0, 1.0)
    share = (x * x * (3.0 - 2.0 * x))[:, None]
    out: FloatArray = (1.0 - share) * parts
    out[0] += share * stand
    return out


def planted_parts(
    parts: FloatArray, support: FloatArray, landing: FloatArray, terms: FloatArray, encoding: Encoding
) -> FloatArray:
    """The parts ``(3, SAMPLES, CHANNELS)`` of standing jumps with feet that rest, as far as planes can make them.

    ``terms (n, 3)`` are the jumps (1, length, flight time) that are looked at.
    """
    out = parts.copy()
    for _ in range(ROUNDS):
        shifts, toes = [], []
        for one in terms:
            root, turns = encoding.decode(np.tensordot(one, out, axes=1))
            t = timeline.times(timeline.nodes(), float(support @ one), one[2], float(landing @ one))
            way = timeline.standing_travel(t, one[1], float(support @ one), one[2])
            away = creep(root, turns, way, one[1])
            shifts.append(away)
            toes.append(encoding.encode(root, with_toes_above_floor(root - away, turns))[:, _TOE_CHANNELS])
        found = np.linalg.lstsq(terms, np.reshape(shifts, (len(terms), -1)), rcond=None)[0]
        out[:, :, :3] -= found.reshape(3, len(parts[0]), 3)
        out[0][:, _TOE_CHANNELS] = np.mean(toes, axis=0)  # toes do as in the mean jump
    return out
