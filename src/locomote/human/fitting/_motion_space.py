"""The motion space: few components that keep what is typical of every performer and drop what differs between cycles.

Components of the raw cycles spend themselves on the noise between cycles and lose the small fixed habits of each
performer. So curves, offsets and slopes are fitted in all components first; the fitted movements then span the space.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from locomote.human.fitting._pooling import Person, Pooled, cycle_weights, fit_pooled
from locomote.math.components import Components, principal_components
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

COMPONENTS = 39
MOST_CYCLES = 6  # of one performer and gait in the first analysis, so that nobody dominates
FIRST_SHARE = 0.999  # of the variance that the first analysis keeps
SPEEDS = 3  # fitted movements of each performer and gait that span the space

Gait = tuple[Pooled, dict[str, Person]]


def balanced(subjects: Sequence[str], gaits: Sequence[str], speeds: FloatArray) -> IntArray:
    """Indices of at most `MOST_CYCLES` cycles of each performer and gait, spread over their speeds."""
    names, labels = np.asarray(subjects), np.asarray(gaits)
    chosen: list[int] = []
    for name, gait in sorted(set(zip(names.tolist(), labels.tolist(), strict=True))):
        mine = np.flatnonzero((names == name) & (labels == gait))
        mine = mine[np.argsort(speeds[mine], kind="stable")]
        places = np.linspace(0, len(mine) - 1, MOST_CYCLES).round().astype(int)
        chosen += mine[np.unique(places)].tolist()
    return np.array(chosen, dtype=np.int64)


def fit_gaits(
    subjects: Sequence[str],
    clips: Sequence[str],
    gaits: Sequence[str],
    speeds: FloatArray,
    scores: FloatArray,
) -> dict[str, Gait]:
    """For every gait its pooled model and what it knows of every performer."""
    names, takes, labels = np.asarray(subjects), np.asarray(clips), np.asarray(gaits)
    out: dict[str, Gait] = {}
    for gait in sorted(set(labels.tolist())):
        rows = np.flatnonzero(labels == gait)
        weights = cycle_weights(takes[rows].tolist())
        pooled = fit_pooled(gait, names[rows].tolist(), speeds[rows], scores[rows], weights)
        people = {}
        for name in sorted(set(names[rows].tolist())):
            mine = names[rows] == name
            people[name] = pooled.person(speeds[rows][mine], scores[rows][mine], weights[mine])
        out[gait] = (pooled, people)
    return out


def motion_space(
    subjects: Sequence[str],
    clips: Sequence[str],
    gaits: Sequence[str],
    speeds: FloatArray,
    vectors: FloatArray,
    count: int = COMPONENTS,
) -> Components:
    """The ``count`` components of the fitted movements of all performers; ``vectors (n, P)`` are weighted cycles."""
    first = principal_components(vectors[balanced(subjects, gaits, speeds)], FIRST_SHARE)
    fitted = fit_gaits(subjects, clips, gaits, speeds, first.scores(vectors))
    scores = [
        pooled.coordinates(person, np.linspace(person.slowest, person.fastest, SPEEDS))
        for pooled, people in fitted.values()
        for person in people.values()
    ]
    # The first components are orthonormal, so their coordinates are analysed in place of the long vectors.
    inner = principal_components(np.concatenate(scores))
    basis = inner.basis[:count] @ first.basis
    return Components(first.vectors(inner.mean), basis, inner.shares)
