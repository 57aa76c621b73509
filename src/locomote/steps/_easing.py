"""Single poses as rows of a sheet: differences between them, and differences that fade away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.rotations import FloatArray
from locomote.steps._blending import UPPER, body, foot_angles
from locomote.steps._limbs import to_limbs

if TYPE_CHECKING:
    from locomote.steps._kernels.layout import SoleShape

EASE = 0.4  # s in which a difference fades
EASE_FEET = 0.25  # s, that of feet: soon after they lift they are on their own way
_MOMENT = 1e-4  # s, over which rates are taken


class Ease:
    """A difference between two motions that fades away, beginning with the speed it had."""

    def __init__(self, off: FloatArray | None = None, speed: FloatArray | None = None, begin: float = 0.0) -> None:
        self._off, self._speed, self._begin = off, speed, begin

    @classmethod
    def from_to(
        cls,
        old: tuple[FloatArray, FloatArray],
        new: tuple[FloatArray, FloatArray],
        stands: Sequence[bool],
        sole: SoleShape,
        begin: float = 0.0,
    ) -> Ease:
        """From one motion to another one, both given as rows and as their changes a second; ``stands`` of both feet."""
        off, speed = away(new[0], old[0]), old[1] - new[1]
        for side in range(2):
            # A foot turns about what it stands on; only what that leaves open fades.
            which = _changes(_ball(side))
            raised = [_raised(rows[_foot(side)], sole) for rows in (old[0], new[0])]
            off[which] -= raised[0] - raised[1]
            soon = [
                _raised(rows[_foot(side)] + _MOMENT * rates[_changes(_foot(side))], sole) for rows, rates in (old, new)
            ]
            turning = (soon[0] - soon[1] - raised[0] + raised[1]) / _MOMENT
            speed[which] = 0.0 if stands[side] else speed[which] - turning
            if stands[side]:
                # A foot that rolls off its heel comes to rest on the sole, and does not go on to its toes.
                pitch = _changes(_foot(side)).start + 1
                most = abs(off[pitch]) / EASE_FEET
                speed[pitch] = min(max(speed[pitch], -most), most)
        return cls(off, speed, begin)

    def over(self, time: float) -> bool:
        """Whether nothing is left."""
        return self._off is None or time - self._begin >= EASE

    def onto(self, rows: FloatArray, time: float, sole: SoleShape) -> FloatArray:
        """The pose ``rows`` with what is left of the difference; feet that stand do not slide."""
        from locomote.steps._kernels import blend as at

        if self._off is None or self._speed is None or self.over(time):
            return rows
        since, feet = time - self._begin, _changes(_ball(0)).start
        off = _fading(self._off, self._speed, since, EASE)
        off[feet:] = _fading(self._off[feet:], self._speed[feet:], since, EASE_FEET)
        out = rows.copy()
        turns = rot.multiply(rows[: at.ROOT].reshape(-1, 4), rot.exp(off[: 3 * at.JOINTS].reshape(-1, 3)))
        out[: at.ROOT] = turns.reshape(-1)
        out[at.ROOT :] += off[3 * at.JOINTS :]
        for side in range(2):
            out[_ball(side)] += _raised(out[_foot(side)], sole) - _raised(rows[_foot(side)], sole)
        return out


def _fading(off: FloatArray, speed: FloatArray, since: float, within: float) -> FloatArray:
    """A difference that begins with a speed and is gone ``within`` seconds."""
    u = min(max(since / within, 0.0), 1.0)
    out: FloatArray = off * ((1.0 - u) ** 2 * (1.0 + 2.0 * u)) + speed * (within * u * (1.0 - u) ** 2)
    return out


def _raised(foot: FloatArray, sole: SoleShape) -> FloatArray:
    """How far the ball of a foot that stands is from its place: over the heel with the toes up, or over their tips."""
    yaw, pitch, toes = float(foot[0]), float(foot[1]), float(foot[3])
    if pitch < 0.0:
        ahead, up = sole.heel * (math.cos(pitch) - 1.0), -sole.heel * math.sin(pitch)
    else:
        bent = max(pitch + toes, 0.0)
        ahead, up = sole.toes * (1.0 - math.cos(bent)), sole.toes * math.sin(bent)
    return np.array([ahead * math.sin(yaw), up, ahead * math.cos(yaw)])


def _ball(side: int) -> slice:
    from locomote.steps._kernels import blend as at

    first = at.FEET + at.FOOT_ROWS * side
    return slice(first, first + 3)


def _foot(side: int) -> slice:
    """Rows of yaw, pitch, roll and bend of the toes."""
    from locomote.steps._kernels import blend as at

    first = at.FEET + at.FOOT_ROWS * side
    return slice(first + at.YAW, first + at.TOES + 1)


def _changes(rows: slice) -> slice:
    """The same below the rotations in a difference, which has three numbers a joint instead of four."""
    from locomote.steps._kernels import blend as at

    return slice(rows.start - at.JOINTS, rows.stop - at.JOINTS)


def away(a: FloatArray, b: FloatArray) -> FloatArray:
    """From pose ``a`` to pose ``b``: rotation vectors, then differences; angles the short way."""
    from locomote.steps._kernels import blend as at

    turns = rot.log(rot.multiply(rot.inverse(a[: at.ROOT].reshape(-1, 4)), b[: at.ROOT].reshape(-1, 4)))
    rest = b[at.ROOT :] - a[at.ROOT :]
    for side in range(2):
        first = at.FEET - at.ROOT + at.FOOT_ROWS * side
        angles = rest[first + at.YAW : first + at.FOOT_ROWS]
        angles[:] = (angles + np.pi) % (2.0 * np.pi) - np.pi
    return np.concatenate([turns.reshape(-1), rest])


def between(a: FloatArray, b: FloatArray, share: float) -> FloatArray:
    """The pose a share of the way from ``a`` to ``b``."""
    from locomote.steps._kernels import blend as at

    p, q = a[: at.ROOT].reshape(-1, 4), b[: at.ROOT].reshape(-1, 4)
    near = np.where(np.sum(p * q, axis=1, keepdims=True) < 0.0, -1.0, 1.0)
    turns = rot.normalize((1.0 - share) * p + share * near * q)
    return np.concatenate([turns.reshape(-1), (1.0 - share) * a[at.ROOT :] + share * b[at.ROOT :]])


def rows_of(leg_length: float, root: FloatArray, rotations: FloatArray) -> FloatArray:
    """A pose of a person with legs of this length, root ``(3,)`` and rotations ``(J, 4)``, as rows."""
    from locomote.steps._kernels import blend as at

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
