"""How far a joint may turn, told by six angles: an ellipsoid of rotation vectors, other on either side (ANA-08)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray

LEAST = 1e-6  # rad; an angle that is given as 0 leaves so much play
ROUNDS = 60  # of Newton's method, which ends far earlier
ENDS = 1e-15  # relative change of the multiplier


@dataclass(frozen=True)
class EllipsoidLimit:
    """Rotations ``exp(r)`` from rest with ``(x/a)^2 + (y/b)^2 + (z/c)^2 <= 1``; a, b, c depend on the signs of r.

    Parameters
    ----------
    low
        The widest angles about -x, -y and -z of the joint's own frame, above 0, rad.
    high
        The same about +x, +y and +z.

    Examples
    --------
    >>> knee = EllipsoidLimit(low=(0.1, 0.1, 0.1), high=(2.4, 0.1, 0.1))
    >>> bool(knee.allows((2.3, 0.0, 0.0))), bool(knee.allows((-0.2, 0.0, 0.0)))
    (True, False)
    """

    low: tuple[float, float, float]
    high: tuple[float, float, float]

    def __post_init__(self) -> None:
        for name in ("low", "high"):
            angles = np.array(getattr(self, name), dtype=np.float64)
            if angles.shape != (3,) or not np.all(np.isfinite(angles)) or np.any(angles < 0.0):
                raise LocomoteError(f"ellipsoid limit, {name}: expected three angles from 0 rad on, got {angles}")
            object.__setattr__(self, name, tuple(float(angle) for angle in angles))

    @property
    def angles(self) -> FloatArray:
        """``(2, 3)``: low, then high, rad."""
        return np.array([self.low, self.high])

    def allows(self, turns: ArrayLike) -> np.bool_ | np.ndarray:
        """Whether rotation vectors ``(..., 3)`` from rest, rad, are within the limit."""
        return beyond(np.asarray(turns, dtype=np.float64), self.angles) <= 1.0

    def nearest(self, turns: ArrayLike) -> FloatArray:
        """The rotation vectors within the limit that are nearest to ``turns (..., 3)``, rad.

        A rotation by more than half a turn the other way is the same rotation: the nearer of both counts.
        """
        return nearest_within(np.asarray(turns, dtype=np.float64), self.angles)

    def normal(self, turns: ArrayLike) -> FloatArray:
        """Unit vectors ``(..., 3)`` that lead out of the limit at ``turns (..., 3)``, rad; 0 at rest."""
        r = np.asarray(turns, dtype=np.float64)
        slope = r / _octant(r, self.angles) ** 2
        size = np.linalg.norm(slope, axis=-1, keepdims=True)
        return np.asarray(slope / np.where(size > 0.0, size, 1.0))


def beyond(turns: FloatArray, angles: FloatArray) -> FloatArray:
    """How far out rotation vectors ``(..., 3)`` are: above 1 outside of limits ``angles (..., 2, 3)``."""
    return np.asarray(np.sum((turns / _octant(turns, angles)) ** 2, axis=-1))


def nearest_within(turns: FloatArray, angles: FloatArray) -> FloatArray:
    """The nearest rotation vectors within limits; ``turns (..., 3)``, ``angles (..., 2, 3)``, rad."""
    size = np.linalg.norm(turns, axis=-1, keepdims=True)
    around = np.where(size > 0.0, turns * (1.0 - 2.0 * np.pi / np.where(size > 0.0, size, 1.0)), turns)
    near, far = _closest(turns, angles), _closest(around, angles)
    nearer = np.linalg.norm(far - around, axis=-1) < np.linalg.norm(near - turns, axis=-1)
    return np.where(nearer[..., None], far, near)


def _octant(turns: FloatArray, angles: FloatArray) -> FloatArray:
    return np.maximum(np.where(turns < 0.0, angles[..., 0, :], angles[..., 1, :]), LEAST)


def _closest(turns: FloatArray, angles: FloatArray) -> FloatArray:
    """The closest points of the ellipsoids: Newton's method on the multiplier rises to its root from below."""
    radii = _octant(turns, angles)
    squares, reach = radii**2, radii * np.abs(turns)
    t = np.maximum(np.max(reach - squares, axis=-1), 0.0)
    for _ in range(ROUNDS):
        share = reach / (t[..., None] + squares)
        over = np.sum(share**2, axis=-1) - 1.0
        step = over / (2.0 * np.sum(share**2 / (t[..., None] + squares), axis=-1) + 1e-300)
        t = np.where(over > 0.0, t + step, t)
        if np.all((over <= 0.0) | (step <= ENDS * t)):
            break
    return np.asarray(np.where((t > 0.0)[..., None], turns * squares / (t[..., None] + squares), turns))


def joint_turns(parents: FloatArray, children: FloatArray, rest: FloatArray) -> FloatArray:
    """Rotation vectors from rest, rad, of joints between bodies turned by ``parents`` and ``children (..., 4)``."""
    local = rot.multiply(rot.inverse(parents), children)
    return rot.log(rot.multiply(rot.inverse(rest), local))
