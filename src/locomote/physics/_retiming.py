"""Timing by effort: the path of a motion stays, how long its parts take is chosen."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.masses import Masses
from locomote.motion import Motion
from locomote.physics._grips import Grips, grip_forces
from locomote.physics._newton import SegmentMotion, segment_motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

FASTEST, SLOWEST = 0.3, 4.0  # times as long as before, at least and at most
CUTOFF = 6.0  # Hz; what is faster in a climb is noise
_ROUNDS = 60
_SETTLED = 1e-10


class Retimed(NamedTuple):
    """A motion with other timing."""

    motion: Motion
    factors: FloatArray  # (K,) how much longer each part takes
    effort: FloatArray  # (K,) (N m)2 s, of each part, now
    before: FloatArray  # (K,) and as given


def retime(
    motion: Motion,
    breaks: Sequence[int],
    grips: Grips,
    mass: float | Masses | None = None,
    *,
    haste: float = 0.0,
) -> Retimed:
    """Choose how long the parts of a motion take, so that the squares of its torques over time are least.

    Every part begins and ends at rest. Gravity costs the longer it is borne, inertia the faster things go: with
    torques of both known for the timing as given, the effort of any other follows without a new simulation.

    Parameters
    ----------
    motion : at rest at all breaks
    breaks : frames at which contacts change, from the first to the last
    grips : what holds on, and when
    mass : kg, or the masses of all segments
    haste : (N m)2 that a second is worth, besides
    """
    at = np.asarray(breaks, dtype=np.int64)
    if len(at) < 2 or at[0] != 0 or at[-1] != len(motion) - 1 or np.any(np.diff(at) < 3):
        raise LocomoteError(f"breaks: expected frames from 0 to {len(motion) - 1}, at least 3 apart, got {list(at)}")
    masses = mass if isinstance(mass, Masses) else Masses.of(motion.skeleton, mass, motion.body)
    parts = effort_parts(motion, at, grips, masses)
    factors = np.array([best_factor(held + haste, crossed, moved) for held, crossed, moved in parts])
    before, now = (effort_of(parts, each) for each in (np.ones(len(parts)), factors))
    return Retimed(stretched(motion, at, factors), factors, now, before)


def effort_parts(motion: Motion, breaks: IntArray, grips: Grips, masses: Masses) -> FloatArray:
    """Integrals ``(K, 3)`` over every part: of the squares of static torques, of their product with those of inertia
    and of the squares of these."""
    moving = segment_motion(motion, masses, CUTOFF)
    still = SegmentMotion(
        moving.positions, moving.turns, moving.centres, *(np.zeros_like(moving.centres) for _ in range(3))
    )
    _, both = grip_forces(motion, masses, grips, moving)
    _, static = grip_forces(motion, masses, grips, still)
    inertial = both - static
    each = np.stack([np.sum(a * b, axis=(1, 2)) for a, b in ((static, static), (static, inertial), (inertial,) * 2)])
    return np.array(
        [
            np.trapezoid(each[:, first : last + 1], dx=1.0 / motion.fps, axis=1)
            for first, last in itertools.pairwise(breaks)
        ]
    )


def effort_of(parts: FloatArray, factors: FloatArray) -> FloatArray:
    """The effort ``(K,)`` of parts ``(K, 3)`` that take so many times as long."""
    held, crossed, moved = np.asarray(parts).T
    out: FloatArray = factors * held + 2.0 * crossed / factors + moved / factors**3
    return out


def best_factor(held: float, crossed: float, moved: float) -> float:
    """The time of least effort, within the bounds, by golden section; never worse than 1."""
    a, b = np.log(FASTEST), np.log(SLOWEST)
    ratio = 0.5 * (np.sqrt(5.0) - 1.0)

    def cost(x: float) -> float:
        s = np.exp(x)
        return float(s * held + 2.0 * crossed / s + moved / s**3)

    for _ in range(_ROUNDS):
        left, right = b - ratio * (b - a), a + ratio * (b - a)
        a, b = (a, right) if cost(left) < cost(right) else (left, b)
        if b - a < _SETTLED:
            break
    found = min((0.5 * (a + b), np.log(FASTEST), np.log(SLOWEST), 0.0), key=cost)
    return float(np.exp(found))


def stretched(motion: Motion, breaks: IntArray, factors: FloatArray) -> Motion:
    """The same path, every part as many times as long."""
    lengths = np.diff(breaks) * factors
    ends = np.concatenate([[0.0], np.cumsum(lengths)])
    count = round(float(ends[-1])) + 1
    at = np.interp(np.linspace(0.0, ends[-1], count), ends, breaks.astype(float))
    return motion.sampled(at)
