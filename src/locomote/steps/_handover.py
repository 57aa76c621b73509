"""A walker handed over to a crowd: how its motion fades into that of the crowd."""

from __future__ import annotations

from locomote.motion import Motion, Poses
from locomote.rotations import FloatArray
from locomote.steps._blending import body
from locomote.steps._easing import Ease, away, rows_of
from locomote.steps._live_pose import live_pose


def fading(leg_length: float, rows: FloatArray, rates: FloatArray, now: Poses, soon: Poses, seconds: float) -> Fading:
    """How a motion, its pose as ``rows`` with their changes a second, fades into that of a crowd.

    The first walker of the crowd has pose ``now``, and ``soon`` so many seconds later. All feet stand.
    """
    first, second = (rows_of(leg_length, p.root_positions[0], p.rotations[0]) for p in (now, soon))
    new = first, away(first, second) / seconds
    return Fading(leg_length, Ease.from_to((rows, rates), new, (True, True), body(leg_length).measures.sole))


class Fading:
    """What is left of a walker's own motion on that of the crowd which goes on for it."""

    def __init__(self, leg_length: float, ease: Ease) -> None:
        self._body = body(leg_length)
        self._leg_length = leg_length
        self._ease = ease
        self._time = 0.0

    def onto(
        self, root: FloatArray, rotations: FloatArray, dt: float
    ) -> tuple[FloatArray, FloatArray, FloatArray] | None:
        """Root ``(3,)``, rotations and joints of the crowd's pose with what is left; None when nothing is."""
        self._time += dt
        if self._ease.over(self._time):
            return None
        person = self._body
        rows = self._ease.onto(rows_of(self._leg_length, root, rotations), self._time, person.measures.sole)
        roots, turns = live_pose(rows, person)
        joints = Motion(person.skeleton, 1.0, roots, turns).joint_positions()
        return roots[0], turns[0], joints[0]
