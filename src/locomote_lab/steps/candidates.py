"""How many recorded steps could stand in for those around a query, and what choosing among them is good for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._blending import body, default_database, pack
from locomote.steps._database import StepDatabase, difference, features
from locomote.steps._plan import LEFT
from locomote.steps._walking import CANDIDATES, MODES, Options, Walk
from locomote.steps.building._build import parameters, supporting_frame

ELSEWHERE = np.radians(60.0)  # of the supporting foot from where it points, beyond which a step faces elsewhere
MANY = 5  # alternatives


class Candidates(NamedTuple):
    """Shares are of 1; triples are those of plain corners, of substitutes one by one, and of the best four."""

    steps: int
    inside: float  # share of the steps that lie in the hull
    neighbours: int
    mean: float  # alternatives of a neighbour
    none: float  # share of the neighbours without any
    many: float  # of the others, those with more than MANY
    replaced: float  # of the others, those changed for a better one
    replaced_of_all: float
    loss: float  # by which the weight of a substitute is smaller than that of its corner, at most
    blends: tuple[float, float, float]  # difference of the blend from the query, mean
    heaviest: tuple[float, float, float]  # weight of the step most like the query, median
    opposite: tuple[float, float, float]  # weight of steps that face elsewhere, mean


def candidates(walks: Sequence[Walk], database: StepDatabase | None = None) -> Candidates:
    """The numbers over all steps of some walks."""
    steps = default_database() if database is None else database
    queries = np.concatenate([queries_of(walk) for walk in walks])
    simplex, _ = steps.tetrahedra.locate(queries[:, :3])
    inside = simplex >= 0
    queries, simplex = queries[inside], simplex[inside]
    counts = alternatives(steps, simplex)
    chosen = [choices(steps, queries, how) for how in CANDIDATES]
    (plain, plain_weights), (singly, singly_weights) = chosen[0], chosen[1]
    changed = plain != singly
    others = counts > 0
    loss = plain_weights[changed] / np.maximum(singly_weights[changed], 1e-9)
    blends, heaviest, opposite = [], [], []
    for corners, weights in chosen:
        unlike = difference(
            features(queries[:, None, :3], queries[:, None, 3:6], queries[:, None, 6:]),
            steps.features[corners],
        )
        blends.append(float(np.mean(np.sum(weights * unlike, axis=1))))
        heaviest.append(float(np.median(np.take_along_axis(weights, np.argmin(unlike, axis=1)[:, None], 1))))
        away = np.abs(_wrapped(steps.yaws[corners, 0] - queries[:, None, 3])) > ELSEWHERE
        opposite.append(float(np.mean(np.sum(weights * away, axis=1))))
    return Candidates(
        len(inside),
        float(inside.mean()),
        counts.size,
        float(counts.mean()),
        float(np.mean(~others)),
        float(np.mean(counts[others] > MANY)) if others.any() else 0.0,
        float(changed.sum() / max(others.sum(), 1)),
        float(changed.mean()),
        float(loss[singly_weights[changed] > 1e-6].max(initial=1.0)),
        (blends[0], blends[1], blends[2]),
        (heaviest[0], heaviest[1], heaviest[2]),
        (opposite[0], opposite[1], opposite[2]),
    )


def queries_of(walk: Walk, durations: FloatArray | None = None) -> FloatArray:
    """What was asked for at every step of a walk ``(P - 2, 9)``, as steps of the right foot in hip heights.

    Yaws are those of the feet on their plants, durations those of an ordinary step.
    """
    person = body(float(walk.motion.skeleton.leg_length()))
    usual = default_database().durations.mean(axis=0) if durations is None else durations
    latest: dict[int, int] = {}
    out = []
    for p, side in enumerate(walk.plan.sides.tolist()):
        if p >= 2:
            support, start = latest[1 - side], latest[side]
            feet = walk.places[[support, start, p]]
            sign = np.array([-1.0, -1.0, 1.0]) if side == LEFT else np.ones(3)
            turn = supporting_frame(feet[0], feet[1], side)
            yaws = (1.0 if side != LEFT else -1.0) * _wrapped(walk.foot_yaws[[support, start, p]] + turn)
            out.append(
                np.concatenate([sign * parameters(feet[0], feet[1], feet[2], side) / person.measures.size, yaws, usual])
            )
        latest[side] = p
    return np.array(out)


def alternatives(steps: StepDatabase, simplex: IntArray) -> IntArray:
    """How many steps ``(Q, 4)`` lie in the region beyond each corner of tetrahedra, besides the corner."""
    out = np.zeros((len(simplex), 4), dtype=np.int64)
    for row, s in enumerate(simplex):
        t = steps.tetrahedra.transforms[s]
        first = (steps.params - t[3]) @ t[:3].T
        coordinates = np.column_stack([first, 1.0 - first.sum(axis=1)])
        coordinates[steps.tetrahedra.simplices[s]] = 1.0
        for k in range(4):
            out[row, k] = np.sum(np.all(np.delete(coordinates, k, axis=1) <= 0.0, axis=1))
    return out


def choices(
    steps: StepDatabase, queries: FloatArray, how: str, options: Options | None = None
) -> tuple[IntArray, FloatArray]:
    """The steps ``(Q, 4)`` that are chosen for queries ``(Q, 9)``, and their weights."""
    from locomote.steps._kernels.choose import StepWishes, choose_batch

    options = Options() if options is None else options
    count = len(queries)
    corners, weights, turns = np.zeros((count, 4), dtype=np.int64), np.zeros((count, 4)), np.zeros((count, 4))
    wishes = StepWishes(
        options.location, options.orientation, options.timing, options.soft,
        CANDIDATES.index(how), MODES.index(options.mode), options.most,
    )  # fmt: skip
    choose_batch(np.ascontiguousarray(queries), pack(steps).steps, wishes, corners, turns, weights, np.zeros(count))
    return corners, turns


def _wrapped(angles: FloatArray) -> FloatArray:
    out: FloatArray = (angles + np.pi) % (2.0 * np.pi) - np.pi
    return out
