"""Mixtures of Gaussians of colours, fitted by expectation and maximisation."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from locomote.rotations import FloatArray

ROUNDS = 30
LEAST = 4.0  # squared units of colour: no component is sharper than the noise of a camera
SAMPLES = 4000  # pixels that are looked at


@dataclass(frozen=True, eq=False)
class ColourMixture:
    """What colours something has: weights ``(k,)``, means ``(k, 3)`` and covariances ``(k, 3, 3)``."""

    weights: FloatArray
    means: FloatArray
    covariances: FloatArray

    @classmethod
    def of(cls, colours: FloatArray, count: int, seed: int = 0) -> ColourMixture:
        """The mixture of ``count`` Gaussians that explains colours ``(N, 3)`` best."""
        from scipy.cluster.vq import kmeans2

        random = np.random.default_rng(seed)
        seen = sampled(colours, random)
        means, _ = (
            kmeans2(seen, count, minit="++", seed=random, missing="warn") if count > 1 else (seen.mean(0)[None], 0)
        )
        spread = np.cov(seen.T) / count + LEAST * np.eye(3)
        mixture = cls(np.full(count, 1.0 / count), means, np.tile(spread, (count, 1, 1)))
        for _ in range(ROUNDS):
            mixture = mixture._maximised(seen, mixture._shares(seen))
        return mixture

    def in_any_light(self, spread: float) -> ColourMixture:
        """The mixture of the same things where light differs: the first of the three colours is lightness."""
        covariances = self.covariances.copy()
        covariances[:, 0, 0] += spread**2
        return replace(self, covariances=covariances)

    def log_likelihood(self, colours: FloatArray) -> FloatArray:
        """Of colours ``(..., 3)``."""
        out: FloatArray = np.logaddexp.reduce(self._parts(colours), axis=-1)
        return out

    def drifted(self, colours: FloatArray, rate: float) -> ColourMixture:
        """The mixture moved a little towards what is seen now."""
        now = self._maximised(colours, self._shares(colours))
        mixed = {
            name: (1.0 - rate) * getattr(self, name) + rate * getattr(now, name)
            for name in ("weights", "means", "covariances")
        }
        return replace(self, **mixed)

    def _parts(self, colours: FloatArray) -> FloatArray:
        precisions = np.linalg.inv(self.covariances)
        off = colours[..., None, :] - self.means
        distances = np.einsum("...ki,kij,...kj->...k", off, precisions, off)
        scale = np.log(np.maximum(self.weights, 1e-12)) - 0.5 * np.linalg.slogdet(2.0 * np.pi * self.covariances)[1]
        out: FloatArray = scale - 0.5 * distances
        return out

    def _shares(self, colours: FloatArray) -> FloatArray:
        parts = self._parts(colours)
        out: FloatArray = np.exp(parts - np.logaddexp.reduce(parts, axis=-1)[:, None])
        return out

    def _maximised(self, colours: FloatArray, shares: FloatArray) -> ColourMixture:
        sizes = shares.sum(axis=0)
        alive = sizes > 1.0
        safe = np.where(alive, sizes, 1.0)[:, None]
        means = np.where(alive[:, None], shares.T @ colours / safe, self.means)
        off = colours[:, None] - means
        spread = np.einsum("nk,nki,nkj->kij", shares, off, off) / safe[..., None] + LEAST * np.eye(3)
        return ColourMixture(
            np.where(alive, sizes, 0.0) / max(float(sizes[alive].sum()), 1e-12),
            means,
            np.where(alive[:, None, None], spread, self.covariances),
        )


def sampled(colours: FloatArray, random: np.random.Generator) -> FloatArray:
    """Some of the colours ``(N, 3)``, if there are many."""
    if len(colours) <= SAMPLES:
        return colours
    return colours[random.choice(len(colours), SAMPLES, replace=False)]
