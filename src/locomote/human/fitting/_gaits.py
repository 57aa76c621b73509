"""The fitted gaits as arrays over styles, and their strides set to those that were recorded.

Few components blur how far a cycle carries the body, because a stride matters little to the sum of squared angles. So
the recorded path per cycle gets its own pooled fit, and curve, offsets and slopes are moved along the direction in the
motion space in which performers lengthen their strides, as far as the stride of the synthesised cycle is off.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from locomote.human.fitting._motion_space import Gait, fit_gaits
from locomote.human.fitting._pooling import Person, Pooled, curve_basis
from locomote.rotations import FloatArray

GAITS = ("walk", "run")
# How much of a performer's offset in the one gait is believed in the other, which they never showed.
BORROWED = {"walk": 0.25, "run": 0.5}  # from running to walking, from walking to running
ROUNDS = 3
STEP = 0.05  # hip heights of stride, for the effect of a direction
GRID = {"walk": np.linspace(0.6, 2.2, 9), "run": np.linspace(1.8, 4.8, 7)}  # m/s, the trusted speeds

Path = Callable[[FloatArray, str], FloatArray]  # coordinates (n, m) and gait to the path per cycle (n,)


@dataclass(frozen=True, eq=False)
class Gaits:
    """Curve, offsets and slopes of both gaits for K styles in the form of the model file."""

    curve: FloatArray  # (2, 3, m)
    centre: FloatArray  # (2,) m/s
    offset: FloatArray  # (K, 2, m)
    slope: FloatArray  # (K, 2, m)
    ranges: FloatArray  # (K, 2, 2) m/s


def gather(fitted: dict[str, Gait], performers: Sequence[str]) -> Gaits:
    """The gaits of the named performers; one that somebody never showed is borrowed from the other."""
    count = fitted["walk"][0].curve.shape[1]
    curve = np.zeros((2, 3, count))
    offset, slope = (np.zeros((len(performers), 2, count)) for _ in range(2))
    ranges = np.zeros((len(performers), 2, 2))
    for g, gait in enumerate(GAITS):
        pooled, people = fitted[gait]
        curve[g, : len(pooled.curve)] = pooled.curve
        for k, name in enumerate(performers):
            person = people.get(name)
            if person is None:
                other = fitted[GAITS[1 - g]][1][name]
                offset[k, g] = BORROWED[gait] * other.offset
                ranges[k, g] = pooled.centre
                continue
            offset[k, g], slope[k, g] = person.offset, person.slope
            ranges[k, g] = person.slowest, person.fastest
    return Gaits(curve, np.array([fitted[gait][0].centre for gait in GAITS]), offset, slope, ranges)


def recorded_strides(
    subjects: Sequence[str], clips: Sequence[str], gaits: Sequence[str], speeds: FloatArray, paths: FloatArray
) -> dict[str, Gait]:
    """The pooled fit of the recorded path per cycle (hip heights), gait by gait, as of any other coordinate."""
    return fit_gaits(subjects, clips, gaits, speeds, paths[:, None])


def lengthening(
    subjects: Sequence[str], gaits: Sequence[str], scores: FloatArray, paths: FloatArray
) -> dict[str, FloatArray]:
    """For each gait how coordinates ``(m,)`` change with the path per cycle, from cycle to cycle of one performer."""
    names, labels = np.asarray(subjects), np.asarray(gaits)
    out = {}
    for gait in GAITS:
        moved, longer = [], []
        for name in sorted(set(subjects)):
            mine = (names == name) & (labels == gait)
            if mine.any():
                moved.append(scores[mine] - scores[mine].mean(axis=0))
                longer.append(paths[mine] - paths[mine].mean())
        change = np.concatenate(longer)
        out[gait] = change @ np.concatenate(moved) / max(float(change @ change), 1e-12)
    return out


def with_strides(
    gaits: Gaits,
    strides: dict[str, Gait],
    directions: dict[str, FloatArray],
    performers: Sequence[str],
    path: Path,
) -> Gaits:
    """The gaits with the strides of the performers; ``path`` measures that of synthesised cycles."""
    curve, offset, slope = gaits.curve.copy(), gaits.offset.copy(), gaits.slope.copy()
    for g, gait in enumerate(GAITS):
        pooled, people = strides[gait]
        grid = GRID[gait]
        basis = curve_basis(gait, grid)
        functions = basis.shape[1]
        direction = _scaled(directions[gait], basis.mean(axis=0) @ curve[g, :functions], gait, path)
        for _ in range(ROUNDS):
            missing = pooled.population(grid)[:, 0] - path(basis @ curve[g, :functions], gait)
            curve[g, :functions] += np.outer(np.linalg.lstsq(basis, missing, rcond=None)[0], direction)
        for k, name in enumerate(performers):
            slowest, fastest = gaits.ranges[k, g]
            own = np.linspace(slowest, fastest, 3) if name in people else grid
            known = people.get(name) or _borrowed(strides, gait, name, pooled)
            held = np.clip(own, slowest, fastest) - pooled.centre
            wanted = pooled.coordinates(known, own)[:, 0]
            sloped = name in people and fastest > slowest
            design = np.stack([np.ones_like(own), held], axis=1)[:, : 2 if sloped else 1]
            for _ in range(ROUNDS):
                now = curve_basis(gait, own) @ curve[g, :functions] + offset[k, g] + np.outer(held, slope[k, g])
                change = np.linalg.lstsq(design, wanted - path(now, gait), rcond=None)[0]
                offset[k, g] += change[0] * direction
                if sloped:
                    slope[k, g] += change[1] * direction
    return Gaits(curve, gaits.centre, offset, slope, gaits.ranges)


def _borrowed(strides: dict[str, Gait], gait: str, name: str, pooled: Pooled) -> Person:
    other = strides[GAITS[1 - GAITS.index(gait)]][1][name]
    return Person(BORROWED[gait] * other.offset, 0.0 * other.slope, pooled.centre, pooled.centre)


def _scaled(direction: FloatArray, at: FloatArray, gait: str, path: Path) -> FloatArray:
    """A direction scaled so that one step along it makes the path per cycle one hip height longer."""
    ends = np.stack([at - STEP * direction, at + STEP * direction])
    shorter, longer = path(ends, gait)
    out: FloatArray = direction * (2.0 * STEP / float(longer - shorter))
    return out
