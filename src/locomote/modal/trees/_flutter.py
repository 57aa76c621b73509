"""Twigs that tremble: what the lowest modes leave out, as a few quick patterns that grow with the wind (WND-13)."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from locomote.modal.trees._kernels.product import in_rows, move_nodes
from locomote.modal.trees._species import REFERENCE, Species
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

_PATTERNS = 6
_HERTZ = (2.2, 5.5)  # of the slowest and of the quickest pattern in a light wind
_QUICKER = 0.04  # by which they are quicker for each m/s
_TWIG = 4  # branches from a tip back to where nothing trembles
_ASTRAY = 0.6  # by which a branch's direction of trembling differs from its parent's

Floats32 = npt.NDArray[np.float32]


class Flutter:
    """State of the patterns of every tree."""

    def __init__(self, species: Species, count: int, amplitude: float, random: np.random.Generator) -> None:
        self.amplitude = amplitude
        self.rates = 2.0 * np.pi * np.geomspace(*_HERTZ, _PATTERNS)
        self.phases = random.uniform(-np.pi, np.pi, (count, _PATTERNS))
        self.strengths = np.zeros(count)
        shapes = _patterns(species, random)
        self.shapes: Floats32 = in_rows(shapes)

    def advance(self, dt: float, speeds: FloatArray) -> None:
        """Bring the patterns on in a wind of ``speeds (K,)`` m/s."""
        self.phases += dt * self.rates * (1.0 + _QUICKER * speeds[:, None])
        self.strengths[:] = self.amplitude * speeds / REFERENCE

    def sizes(self, trees: IntArray) -> FloatArray:
        """How much of each pattern there is now in some trees ``(R, PATTERNS)``, m."""
        return np.asarray(self.strengths[trees, None] * np.sin(self.phases[trees]))

    def add(self, trees: IntArray, out: Floats32) -> None:
        """Add the trembling of some trees ``(R,)`` to the places ``(R, 3 n)`` of their nodes."""
        more = np.empty_like(out)
        move_nodes(np.zeros(out.shape[1], dtype=np.float32), self.sizes(trees), self.shapes, more)
        out += more


def _patterns(species: Species, random: np.random.Generator) -> FloatArray:
    """Displacements ``(PATTERNS, N, 3)``: 1 m at the tips all in all, none at the thick branches."""
    from_tip = np.full(len(species), _TWIG)
    from_tip[species.tips] = 0
    for n in range(len(species) - 1, 0, -1):
        p = species.parents[n]
        from_tip[p] = max(from_tip[p] if from_tip[p] < _TWIG else 0, min(from_tip[n] + 1, _TWIG))
    ways = random.normal(size=(len(species), _PATTERNS, 3))
    for n, p in enumerate(species.parents[1:], start=1):
        ways[n] = (1.0 - _ASTRAY) * ways[p] + _ASTRAY * ways[n]
    ways /= np.linalg.norm(ways, axis=2, keepdims=True)
    share = (1.0 - from_tip / _TWIG)[:, None, None] / np.sqrt(0.5 * _PATTERNS)
    out: FloatArray = np.swapaxes(share * ways, 0, 1)
    return out
