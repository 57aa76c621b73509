"""Principal components of vectors: what whole motions and poses are analysed with. Plain NumPy, nothing is compiled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

FloatArray = npt.NDArray[np.float64]

NO_SHARE = 1e-12  # of the variance: what is below is rounding


@dataclass(frozen=True, eq=False)
class Components:
    """``x ≈ mean + scores @ basis``; the rows of ``basis`` are orthonormal, the most important first."""

    mean: FloatArray  # (P,)
    basis: FloatArray  # (m, P)
    shares: FloatArray  # (n,) of the variance, of all components found

    def scores(self, x: FloatArray) -> FloatArray:
        """Coordinates ``(..., m)`` of vectors ``(..., P)``."""
        out: FloatArray = (x - self.mean) @ self.basis.T
        return out

    def vectors(self, scores: FloatArray) -> FloatArray:
        """Vectors ``(..., P)`` of coordinates ``(..., m)``."""
        out: FloatArray = self.mean + scores @ self.basis
        return out


def principal_components(
    samples: FloatArray, target: float = 1.0, *, count: int | None = None, dual: bool = True
) -> Components:
    """Components of ``samples (n, P)`` that keep at least the share ``target`` of the variance, and no more.

    Signs are fixed: the largest entry of every component is positive. ``count`` asks for so many components instead,
    rounding or not. ``dual`` solves the small problem of the products between samples, which is much faster where
    vectors are long; without it the samples themselves are decomposed.
    """
    mean = samples.mean(axis=0)
    centred = samples - mean
    if dual:
        variance, weights = np.linalg.eigh(centred @ centred.T)
        variance, weights = np.maximum(variance[::-1], 0.0), weights[:, ::-1]
    else:
        _, strengths, basis = np.linalg.svd(centred, full_matrices=False)
        variance = strengths**2
    shares = variance / max(float(variance.sum()), 1e-300)
    if count is None:
        count = min(smallest_count(shares, target), max(1, int(np.sum(shares > NO_SHARE))))
    if dual:
        basis = weights[:, :count].T @ centred / np.sqrt(np.maximum(variance[:count], 1e-300))[:, None]
    basis = basis[:count]
    if basis.size == 0:
        return Components(mean, basis, shares)
    largest = np.take_along_axis(basis, np.argmax(np.abs(basis), axis=1)[:, None], axis=1)
    return Components(mean, basis * np.where(largest < 0.0, -1.0, 1.0), shares)


def smallest_count(shares: FloatArray, target: float) -> int:
    """The least number of leading shares that add up to ``target``."""
    reached = int(np.searchsorted(np.cumsum(shares), target - 1e-12)) + 1
    return min(reached, len(shares))
