"""Single poses as rows of a sheet: differences between them, and differences that fade away."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.rotations import FloatArray
from locomote.steps.blending import UPPER, body, foot_angles
from locomote.steps.limbs import to_limbs

EASE = 0.3  # s in which a difference fades


class Ease:
    """A difference between two motions that fades away, beginning with the speed it had."""

    def __init__(
        self, off: FloatArray | None = None, speed: FloatArray | None = None, begin: float = 0.0
    ) -> None:
        self._off, self._speed, self._begin = off, speed, begin

    def onto(self, rows: FloatArray, time: float) -> FloatArray:
        """The pose ``rows`` with what is left of the difference."""
        from locomote.kernels import step_blend as at

        u = (time - self._begin) / EASE
        if self._off is None or self._speed is None or u >= 1.0:
            return rows
        u = max(u, 0.0)
        off = self._off * ((1.0 - u) ** 2 * (1.0 + 2.0 * u)) + self._speed * (EASE * u * (1.0 - u) ** 2)
        out = rows.copy()
        turns = rot.multiply(rows[: at.ROOT].reshape(-1, 4), rot.exp(off[: 3 * at.JOINTS].reshape(-1, 3)))
        out[: at.ROOT] = turns.reshape(-1)
        out[at.ROOT :] += off[3 * at.JOINTS :]
        return out


def away(a: FloatArray, b: FloatArray) -> FloatArray:
    """From pose ``a`` to pose ``b``: rotation vectors, then differences; angles the short way."""
    from locomote.kernels import step_blend as at

    turns = rot.log(rot.multiply(rot.inverse(a[: at.ROOT].reshape(-1, 4)), b[: at.ROOT].reshape(-1, 4)))
    rest = b[at.ROOT :] - a[at.ROOT :]
    for side in range(2):
        first = at.FEET - at.ROOT + at.FOOT_ROWS * side
        angles = rest[first + at.YAW : first + at.FOOT_ROWS]
        angles[:] = (angles + np.pi) % (2.0 * np.pi) - np.pi
    return np.concatenate([turns.reshape(-1), rest])


def between(a: FloatArray, b: FloatArray, share: float) -> FloatArray:
    """The pose a share of the way from ``a`` to ``b``."""
    from locomote.kernels import step_blend as at

    p, q = a[: at.ROOT].reshape(-1, 4), b[: at.ROOT].reshape(-1, 4)
    near = np.where(np.sum(p * q, axis=1, keepdims=True) < 0.0, -1.0, 1.0)
    turns = rot.normalize((1.0 - share) * p + share * near * q)
    return np.concatenate([turns.reshape(-1), (1.0 - share) * a[at.ROOT :] + share * b[at.ROOT :]])


def rows_of(leg_length: float, root: FloatArray, rotations: FloatArray) -> FloatArray:
    """A pose of a person with legs of this length, root ``(3,)`` and rotations ``(J, 4)``, as rows."""
    from locomote.kernels import step_blend as at

    limbs = to_limbs(body(leg_length).skeleton, root, rotations)
    out = np.empty(at.ROWS)
    out[: at.ROOT] = rotations[UPPER].reshape(-1)
    out[at.ROOT : at.FEET] = root
    angles = foot_angles(limbs.feet[:, None])
    for side in range(2):
        rows = out[at.FEET + at.FOOT_ROWS * side :]
        rows[:3] = limbs.feet[side, 1]
        rows[at.YAW : at.TOES + 1] = angles[side, 0]
        rows[at.KNEE] = limbs.knee_rolls[side]
    return out
