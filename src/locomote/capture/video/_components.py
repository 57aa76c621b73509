"""Principal components of silhouettes: the coordinates in which a gait goes round (AGV-04, AGV-05)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.math.components import NO_SHARE, principal_components
from locomote.rotations import FloatArray

KEPT = 12


@dataclass(frozen=True, eq=False)
class ImageComponents:
    """Images as ``mean + scores * spread @ axes``; scores have mean 0 and variance 1.

    Parameters
    ----------
    scores : (F, c) coordinates of every frame, of one size in every direction
    axes : (c, h, w) orthonormal images
    mean : (h, w) the mean image
    spread : (c,) standard deviation of each coordinate before it was made 1
    shares : (F,) of the variance, of all components there are, the largest first
    """

    scores: FloatArray
    axes: FloatArray
    mean: FloatArray
    spread: FloatArray
    shares: FloatArray

    def images(self, scores: FloatArray) -> FloatArray:
        """The images ``(n, h, w)`` of coordinates ``(n, c)``."""
        out: FloatArray = self.mean + np.tensordot(scores * self.spread, self.axes, axes=1)
        return out

    def report(self, count: int = 4) -> str:
        """What share of the variance the first components carry, and all of them so far, per cent."""
        shares = 100.0 * self.shares[:count]
        sums = np.cumsum(shares)
        return ", ".join(
            f"PC{k + 1} {share:.1f} % ({so_far:.1f})"
            for k, (share, so_far) in enumerate(zip(shares, sums, strict=True))
        )


def image_components(images: npt.ArrayLike, count: int | None = KEPT) -> ImageComponents:
    """The principal components of images.

    Parameters
    ----------
    images : (F, h, w), any numbers
    count : how many are kept, at most; all without it
    """
    given = np.asarray(images, dtype=np.float64)
    if given.ndim != 3 or len(given) < 2:
        raise LocomoteError(f"images: expected two or more of one size, (F, h, w); got {given.shape}")
    flat = given.reshape(len(given), -1)
    if not np.any(np.ptp(flat, axis=0) > 0.0):
        raise LocomoteError(f"all {len(given)} images are alike: nothing moves")
    found = principal_components(flat)
    real = int(np.sum(found.shares > NO_SHARE))
    kept = min(real, len(found.basis), len(given) if count is None else count)
    basis = found.basis[:kept]
    raw = (flat - found.mean) @ basis.T
    spread = raw.std(axis=0)
    shape = given.shape[1:]
    return ImageComponents(raw / spread, basis.reshape(kept, *shape), found.mean.reshape(shape), spread, found.shares)
