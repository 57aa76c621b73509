"""Newton and Euler on every segment of a body: what its motion needs of forces and of torques at the joints."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.masses import Masses
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

_ORDER = 2  # of the Butterworth filter, which runs forwards and backwards: four in all, and no delay
_UP = np.array([0.0, 1.0, 0.0])
_SHORTEST = 10  # frames; fewer say nothing of accelerations
_DIFFER, _MOST = 0.1, 0.5  # of the table: how much the parts of people weigh more or less, usually and at most
_NOISE = 0.09  # body weights, of what a flight seems to need in one frame along one axis
_NOT_MASSES = 0.2  # body weights in the mean; a flight that needs more is not one that other masses would explain
_SPIKE = 3.0  # times the median of what is missing: such frames are slips of the recording


class SegmentMotion(NamedTuple):
    """How the segments of a body move, in the world."""

    positions: FloatArray  # (F, J, 3) m, of the joints
    turns: FloatArray  # (F, J, 4) of the joints
    centres: FloatArray  # (F, J, 3) m, of the segments
    accelerations: FloatArray  # (F, J, 3) m/s2, of the centres
    spins: FloatArray  # (F, J, 3) rad/s
    spin_ups: FloatArray  # (F, J, 3) rad/s2


class Loads(NamedTuple):
    """What a motion needs."""

    force: FloatArray  # (F, 3) N from the world, against gravity and inertia
    moment: FloatArray  # (F, 3) N m, the same about the origin
    torques: FloatArray  # (F, J, 3) N m in the world at the joints, without any contact; that of the root is nothing


def smooth(values: FloatArray, fps: float, cutoff: float | None) -> FloatArray:
    """Values ``(F, ...)`` without what is faster than ``cutoff`` Hz, and without delay."""
    from scipy.signal import butter, sosfiltfilt

    if cutoff is None or cutoff >= 0.45 * fps:
        return values
    sections = butter(_ORDER, cutoff, fs=fps, output="sos")
    flat = values.reshape(len(values), -1)
    pad = min(len(values) - 1, int(2.0 * fps / cutoff))
    out: FloatArray = sosfiltfilt(sections, flat, axis=0, padlen=pad).reshape(values.shape)
    return out


def derivatives(values: FloatArray, fps: float) -> tuple[FloatArray, FloatArray]:
    """First and second derivative over time of values ``(F, ...)``: parabolas through three frames."""
    first = np.gradient(values, 1.0 / fps, axis=0, edge_order=2)
    second = np.empty_like(values)
    second[1:-1] = (values[2:] - 2.0 * values[1:-1] + values[:-2]) * fps**2
    second[0], second[-1] = second[1], second[-2]
    return first, second


def segment_motion(motion: Motion, masses: Masses, cutoff: float | None) -> SegmentMotion:
    """How segments move, from centres and rotations that are smoothed first.

    Parameters
    ----------
    motion : of at least 10 frames
    masses : of its skeleton
    cutoff : Hz; what is faster is taken for noise. None: nothing is
    """
    if len(motion) < _SHORTEST:
        raise LocomoteError(f"accelerations need at least {_SHORTEST} frames, got {len(motion)}")
    if len(masses.mass) != len(motion.skeleton):
        raise LocomoteError(f"masses of {len(masses.mass)} joints for a skeleton of {len(motion.skeleton)}")
    positions, turns = motion.world()
    centres = smooth(masses.centres(positions, turns), motion.fps, cutoff)
    _, accelerations = derivatives(centres, motion.fps)
    turns = rot.normalize(smooth(rot.continuous(turns), motion.fps, cutoff))
    first, second = derivatives(turns, motion.fps)
    back = rot.inverse(turns)
    # For unit quaternions the spin is 2 q' q*, and its change 2 q'' q* less the part along w.
    spins, spin_ups = (2.0 * rot.multiply(d, back)[..., 1:] for d in (first, second))
    return SegmentMotion(positions, turns, centres, accelerations, spins, spin_ups)


def loads(skeleton: Skeleton, masses: Masses, moving: SegmentMotion) -> Loads:
    """Forces and torques that a motion needs, gravity included.

    Parameters
    ----------
    skeleton, masses : of the body
    moving : how its segments move
    """
    force = masses.mass[:, None] * (moving.accelerations + _UP * GRAVITY)
    turn = rot.to_matrix(moving.turns)
    inertia = turn @ masses.inertia @ np.swapaxes(turn, -1, -2)
    spin_up = np.einsum("fjab,fjb->fja", inertia, moving.spin_ups)
    moment = spin_up + np.cross(moving.spins, np.einsum("fjab,fjb->fja", inertia, moving.spins))
    moment += np.cross(moving.centres, force)  # about the origin, so that those of a subtree add up
    for j in range(len(skeleton) - 1, 0, -1):
        force[:, skeleton.parents[j]] += force[:, j]
        moment[:, skeleton.parents[j]] += moment[:, j]
    torques = moment - np.cross(moving.positions, force)
    torques[:, 0] = 0.0
    return Loads(force[:, 0], moment[:, 0], torques)


def masses_by_flight(skeleton: Skeleton, masses: Masses, moving: SegmentMotion, flies: npt.NDArray[np.bool_]) -> Masses:
    """Masses of a person in which trunk, arms, thighs, shanks and feet weigh what explains its flights best.

    In flight the centre of mass falls as all things fall, however limbs swing. Where it does not quite, people differ
    from the table: by some 10 % a part, and not in the whole.

    Parameters
    ----------
    skeleton, masses : of the person
    moving : how its segments move
    flies : (F,) the frames in which it surely flies
    """
    part = _parts(skeleton)
    own = masses.mass * (part == np.arange(part.max() + 1)[:, None])
    pulls = np.einsum("pj,fjc->fcp", own, moving.accelerations[flies]) / (masses.total * GRAVITY)
    missing = pulls.sum(axis=2) + _UP
    size = np.linalg.norm(missing, axis=1)
    if size.mean() > _NOT_MASSES:
        return masses
    calm = size <= _SPIKE * np.median(size)
    pulls, missing = pulls[calm], missing[calm]
    # More or less by what is missing, as near to the table as may be, and the same in all: that row weighs much.
    rows = np.concatenate([pulls.reshape(-1, len(own)) / _NOISE, np.eye(len(own)) / _DIFFER])
    wanted = np.concatenate([-missing.reshape(-1) / _NOISE, np.zeros(len(own))])
    shares = own.sum(axis=1) / masses.total
    rows, wanted = np.concatenate([rows, 1e4 * shares[None]]), np.append(wanted, 0.0)
    factor = 1.0 + np.clip(np.linalg.lstsq(rows, wanted, rcond=None)[0], -_MOST, _MOST)[part]
    factor *= masses.total / (factor @ masses.mass)
    return replace(masses, mass=factor * masses.mass, inertia=factor[:, None, None] * masses.inertia)


def _parts(skeleton: Skeleton) -> IntArray:
    """Which part of a person each joint belongs to: trunk, arm, thigh, shank or foot."""
    first = {arm.shoulder: 1 for arm in skeleton.roles.arms}
    for leg in skeleton.roles.legs:
        first.update({leg.hip: 2, leg.knee: 3, leg.ankle: 4})
    out = np.zeros(len(skeleton), dtype=np.int64)
    for j in range(1, len(skeleton)):
        out[j] = first.get(j, out[skeleton.parents[j]])
    return out
