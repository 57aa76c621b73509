"""How bodies of a kind differ: a mean shape and the components of what was fitted (ANA-06, ANA-14)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.capture.bodies._clusters import rotations_of
from locomote.capture.bodies._fit import Fit
from locomote.errors import LocomoteError
from locomote.math.components import principal_components
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

ROUNDS, ENDS = 100, 1e-12  # of the mean, and its relative change at which it stands


@dataclass(frozen=True, eq=False)
class ShapeModel:
    """Shapes of all bones of a kind of body together: mean and components, in the bind pose of the template."""

    bones: IntArray  # (V,)
    mean: FloatArray  # (V, 3) m
    components: FloatArray  # (K, V, 3) m, each for one standard deviation

    @classmethod
    def of(cls, fits: Sequence[Fit], keep: int | None = None) -> ShapeModel:
        """The model of bodies that were fitted with the same template.

        Parameters
        ----------
        fits : two or more
        keep : how many components at most; all that there are without it
        """
        if len(fits) < 2:
            raise LocomoteError(f"a shape model of {len(fits)} bodies: expected two or more")
        template = fits[0].template
        if any(other.template is not template for other in fits):
            raise LocomoteError("a shape model: bodies were fitted with different templates")
        if keep is not None and not 1 <= keep < len(fits):
            raise LocomoteError(f"keep: {len(fits)} bodies have 1 to {len(fits) - 1} components, got {keep}")
        bones, mean = template.bones, np.array(template.body.vertices, dtype=np.float64)
        for _ in range(ROUNDS):  # the mean to which bones are aligned is that of aligned bones
            aligned = np.array([align(each.vertices, mean, bones) for each in fits])
            before, mean = mean, aligned.mean(axis=0)
            if np.abs(mean - before).max() <= ENDS * np.abs(mean).max():
                break
        found = principal_components(aligned.reshape(len(fits), -1))
        basis = found.basis[:keep]
        spread = np.sqrt(found.shares[: len(basis)] * np.sum((aligned - mean) ** 2) / (len(fits) - 1))
        return cls(bones, mean, (spread[:, None] * basis).reshape(-1, *mean.shape))

    def project(self, vertices: npt.ArrayLike, most: float = np.inf) -> FloatArray:
        """The shape of the model nearest to ``vertices (V, 3)``, with each bone where it is there.

        Parameters
        ----------
        vertices : (V, 3) m
        most : standard deviations of a component, at most
        """
        given = np.asarray(vertices, dtype=np.float64)
        if given.shape != self.mean.shape or not np.all(np.isfinite(given)):
            raise LocomoteError(f"vertices: expected finite {self.mean.shape}, got {given.shape}")
        off = (align(given, self.mean, self.bones) - self.mean).ravel()
        flat = self.components.reshape(len(self.components), -1)
        weights = np.clip(flat @ off / np.maximum(np.sum(flat**2, axis=1), 1e-300), -most, most)
        return align(self.shape(weights), given, self.bones)

    def shape(self, weights: npt.ArrayLike) -> FloatArray:
        """Vertices ``(V, 3)``, m, for standard deviations ``weights (K,)`` of the components; more exaggerates."""
        told = np.asarray(weights, dtype=np.float64)
        if told.shape != (len(self.components),) or not np.all(np.isfinite(told)):
            raise LocomoteError(f"weights: expected {len(self.components)} finite numbers, got shape {told.shape}")
        return np.asarray(self.mean + np.tensordot(told, self.components, 1))

    def sample(self, seed: int = 0) -> FloatArray:
        """Vertices ``(V, 3)``, m, of a body drawn at random."""
        return self.shape(np.random.default_rng(seed).standard_normal(len(self.components)))


def align(vertices: FloatArray, goal: FloatArray, bones: IntArray) -> FloatArray:
    """Vertices with every bone moved rigidly so that it lies best on that of ``goal (V, 3)``."""
    out = vertices.copy()
    for bone in np.unique(bones):
        mine = bones == bone
        middle, there = vertices[mine].mean(axis=0), goal[mine].mean(axis=0)
        turn = rotations_of((goal[mine] - there).T @ (vertices[mine] - middle))
        out[mine] = there + (vertices[mine] - middle) @ turn.T
    return out
