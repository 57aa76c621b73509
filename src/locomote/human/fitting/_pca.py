"""Whether principal components of whole motions may be found in one scale for all variables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.math.components import principal_components
from locomote.rotations import FloatArray

LARGEST_RATIO = 20.0  # of the largest to the median deviation of a variable, before units must be reconsidered


@dataclass(frozen=True, eq=False)
class ScaleCheck:
    """Whether one scale fits all variables: the spread of their deviations, and both scree curves."""

    ratio: float  # largest over median standard deviation
    covariance: FloatArray  # (n,) shares of the variance
    correlation: FloatArray  # (n,) the same after every variable is divided by its deviation

    @property
    def warnings(self) -> tuple[str, ...]:
        """One line when a few variables drown the others."""
        if self.ratio <= LARGEST_RATIO:
            return ()
        first = [100.0 * float(shares[:3].sum()) for shares in (self.covariance, self.correlation)]
        return (
            f"the largest deviation of a variable is {self.ratio:.0f} times the median one; three components keep "
            f"{first[0]:.0f} % of the covariance and {first[1]:.0f} % of the correlation",
        )


def guard(samples: FloatArray) -> ScaleCheck:
    """Compare the deviations of the variables of ``samples (n, P)``; those that never change do not count."""
    deviations = samples.std(axis=0)
    alive = deviations > 1e-9 * max(float(deviations.max()), 1e-300)
    ratio = float(deviations.max() / np.median(deviations[alive])) if alive.any() else 1.0
    standard = samples[:, alive] / deviations[alive]
    return ScaleCheck(ratio, principal_components(samples).shares, principal_components(standard).shares)
