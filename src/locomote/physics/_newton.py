"""Newton and Euler on every segment of a body: what its motion needs of forces and of torques at the joints."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.masses import Masses
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

_ORDER = 2  # of the Butterworth filter, which runs forwards and backwards: four in all, and no delay
_UP = np.array([0.0, 1.0, 0.0])
_SHORTEST = 10  # frames; fewer say nothing of accelerations


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
        raise LocomoteError(f"{len(motion)} frames: accelerations need at least {_SHORTEST}")
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
