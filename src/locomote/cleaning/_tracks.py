"""One recorded foot over time."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._least_change import bend_of
from locomote.cleaning._legs import allowed_reach
from locomote.cleaning._soles import BALL, HEEL, TOE, FlatSole
from locomote.contacts import Contacts
from locomote.motion import Motion
from locomote.rotations import FloatArray


@dataclass(frozen=True, eq=False)
class FootTrack:
    """A foot and the hip above it, all in the world."""

    ankle: FloatArray  # (F, 3)
    turn: FloatArray  # (F, 4) of the ankle
    points: FloatArray  # (F, 3, 3) heel, ball, toe
    toe_turn: FloatArray  # (F, 4) of the toes against the ankle; identity where they do not bend
    hip: FloatArray  # (F, 3)
    reach: FloatArray  # (F,) how far the leg may be stretched
    upper: FloatArray  # (F,) m, from hip to knee
    lower: FloatArray  # (F,) m, from knee to ankle
    bend: FloatArray  # (F,) m, of the knee off the line from hip to ankle

    def cut(self, span: slice) -> FootTrack:
        """Some of the frames."""
        return FootTrack(
            self.ankle[span],
            self.turn[span],
            self.points[span],
            self.toe_turn[span],
            self.hip[span],
            self.reach[span],
            self.upper[span],
            self.lower[span],
            self.bend[span],
        )

    def below(self, way: FloatArray) -> FootTrack:
        """The same foot below a hip that is moved by ``way (F, 3)`` metres."""
        return replace(self, hip=self.hip + way)

    @property
    def tips(self) -> FloatArray:
        """From the ball to the tip of the toes, in the frame of the toes, ``(F, 3)``."""
        toes = rot.multiply(self.turn, self.toe_turn)
        return rot.rotate(rot.inverse(toes), self.points[:, TOE] - self.points[:, BALL])

    def local(self, point: int) -> FloatArray:
        """A point in the frame of the ankle, ``(F, 3)``."""
        return rot.rotate(rot.inverse(self.turn), self.points[:, point] - self.ankle)


def track(motion: Motion, contacts: Contacts, i: int, sole: FlatSole, straight: tuple[float, float]) -> FootTrack:
    """The recorded way of one foot, whose leg may be stretched as recorded, between two shares of its length.

    A foot with joints between ankle and ball is taken as rigid: the last of them leads, and the ankle is put where
    it would be if all of them were held as in a foot that stands flat.
    """
    positions, world = motion.world()
    leg = sole.leg
    ankle, turn, points = positions[:, leg.ankle], world[:, leg.ankle], contacts.points[:, i]
    for j in list(sole.held)[-1:]:
        back = rot.inverse(turn)
        arm = np.median(rot.rotate(back, positions[:, j] - ankle), axis=0)
        heel = rot.rotate(back, points[:, HEEL] - ankle)
        turn = rot.multiply(world[:, j], rot.inverse(sole.held[j]))
        ankle = positions[:, j] - rot.rotate(turn, arm)
        points = points.copy()
        points[:, HEEL] = ankle + rot.rotate(turn, heel)
    toes = rot.identity(len(motion))
    if sole.toe_joint is not None:
        toes = rot.multiply(rot.inverse(turn), world[:, sole.toe_joint])
    reach = allowed_reach(positions, leg, *straight)
    hip, knee = positions[:, leg.hip], positions[:, leg.knee]
    upper, lower = np.linalg.norm(knee - hip, axis=1), np.linalg.norm(positions[:, leg.ankle] - knee, axis=1)
    bend = bend_of(np.linalg.norm(ankle - hip, axis=1), upper, lower)[0]
    return FootTrack(ankle, turn, points, toes, hip, reach, upper, lower, bend)
