"""The hierarchy of the source for well-recorded one-foot jumps: one space of all, one in it for every performer.

A performer's coordinates in their own space are a straight line over the jump's length (PCA-020, PCA-021). Every level
is affine, so the whole flattens to a pose that is affine in length.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote.human._encoding import CHANNELS, channel_weights
from locomote.human.jumps import _timeline as timeline
from locomote.math.components import Components, principal_components
from locomote.rotations import FloatArray

COMPONENTS = 9  # of the space of all jumps of a kind
OWN_SHARE = 0.9  # of a performer's variance that their own space keeps ...
OWN_COMPONENTS = 3  # ... with no more components than these
ENOUGH_PERFORMERS, ENOUGH_JUMPS = 3, 6  # that the hierarchy asks for


@dataclass(frozen=True, eq=False)
class Hierarchy:
    """Spaces of one kind of jump; vectors are weighted channels of whole units."""

    main: Components
    own: dict[str, Components]  # by performer, in coordinates of the main space
    lines: dict[str, FloatArray]  # (2, b): offset and slope of a performer's coordinates over the length

    def unit(self, length: float, weights: dict[str, float]) -> FloatArray:
        """The poses ``(SAMPLES, CHANNELS)`` for a mixture of performers, level by level."""
        total = sum(weights.values())
        scores = sum(
            (w / total) * self.own[name].vectors(self.lines[name][0] + length * self.lines[name][1])
            for name, w in weights.items()
        )
        return unweighted(self.main.vectors(np.asarray(scores)))

    def flattened(self) -> FloatArray:
        """Offset and slope ``(2, SAMPLES, CHANNELS)`` over the length of the even mixture of all performers."""
        scores = np.zeros((2, len(self.main.basis)))
        for name, own in self.own.items():
            scores += np.stack([own.vectors(self.lines[name][0]), self.lines[name][1] @ own.basis])
        scores /= len(self.own)
        return np.stack([unweighted(self.main.vectors(scores[0])), unweighted(scores[1] @ self.main.basis)])


def is_enough(subjects: Sequence[str]) -> bool:
    """Whether jumps of these performers carry the hierarchy."""
    often = [name for name in set(subjects) if list(subjects).count(name) >= ENOUGH_JUMPS]
    return len(often) >= ENOUGH_PERFORMERS


def fit_hierarchy(subjects: Sequence[str], lengths: FloatArray, poses: FloatArray) -> Hierarchy:
    """Fit the spaces to ``poses (n, SAMPLES, CHANNELS)``; performers with few jumps shape the main space only."""
    vectors = (poses * channel_weights()).reshape(len(poses), -1)
    main = principal_components(vectors)
    main = Components(main.mean, main.basis[:COMPONENTS], main.shares)
    scores = main.scores(vectors)
    names = np.asarray(subjects)
    own, lines = {}, {}
    for name in sorted(set(names.tolist())):
        mine = names == name
        if mine.sum() < ENOUGH_JUMPS:
            continue
        space = principal_components(scores[mine], OWN_SHARE)
        space = Components(space.mean, space.basis[:OWN_COMPONENTS], space.shares)
        design = np.stack([np.ones(mine.sum()), lengths[mine]], axis=1)
        own[name] = space
        lines[name] = np.linalg.lstsq(design, space.scores(scores[mine]), rcond=None)[0]
    return Hierarchy(main, own, lines)


def unweighted(vector: FloatArray) -> FloatArray:
    """A vector of the main space as channels ``(SAMPLES, CHANNELS)``."""
    return vector.reshape(timeline.SAMPLES, CHANNELS) / channel_weights()
