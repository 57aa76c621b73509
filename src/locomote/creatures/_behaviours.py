"""What small animals on four legs are watched for: gaits, circling, a tilted head, falling, weightlessness."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote._arguments import Who, rows_of
from locomote.creatures._creature import Creature
from locomote.creatures._crowd import FASTEST_TURN, Crowd
from locomote.creatures._morphology import Morphology
from locomote.errors import LocomoteError
from locomote.motion import Motion, Poses
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

_ROUND = 1.1  # rad to a hip height of way: how tightly an animal circles whose balance is lost
_TILT = np.radians(35.0)  # of a head
_WITHIN = 0.35  # s, in which one thing becomes another
_REACH = 0.6  # share of the way to straight legs in a fall
_SPREAD = np.radians(28.0)  # of legs to the side in a fall
_TUMBLE = (0.9, 0.5, 0.35)  # rad/s about its left, up and ahead, without weight
_SWIRL = (np.radians(35.0), 1.6)  # rad and turns a second of a tail that steers


class Behaviour(NamedTuple):
    """One thing to do."""

    froude: float = 0.0  # speed over the square root of gravity times hip height
    gait: str = "auto"
    circles: float = 0.0  # rad to a hip height of way, positive to the left; no faster than creatures turn
    tilt: float = 0.0  # rad of the head, positive with the left ear up
    air: float = 0.0  # 1 for the posture of an animal in the air
    height: float = 0.0  # hip heights above the ground
    tumble: float = 0.0  # times the usual


BEHAVIOURS: dict[str, Behaviour] = {
    "stand": Behaviour(),
    "walk": Behaviour(0.35),
    "trot": Behaviour(0.95),
    "bound": Behaviour(1.2, "bound"),
    "circle": Behaviour(0.35, circles=_ROUND),
    "tilted head": Behaviour(0.3, circles=0.15, tilt=_TILT),
    "free fall": Behaviour(air=1.0, height=6.0),
    "weightless": Behaviour(air=0.7, height=6.0, tumble=1.0),
}


class Behaving:
    """Creatures on four legs that do things by name; whatever they change to, nothing jumps.

    Parameters
    ----------
    creature
        A rat, a mouse, any other on four legs: its name, or a `Creature`.
    count
        How many.
    seed
        Of what no stride shares with the last.

    Examples
    --------
    >>> mice = Behaving("mouse", 2)
    >>> mice.behave("circle", who=0)
    >>> mice.behave("weightless", who=1)
    >>> mice.step(1 / 60).joint_positions().shape[0]
    2
    """

    def __init__(self, creature: Creature | str, count: int = 1, seed: int = 0) -> None:
        self.crowd = Crowd(creature, count, seed=seed)
        morphology = self.crowd.creature.morphology
        if len(morphology.legs) != 4 or morphology.head is None:
            raise LocomoteError(f"{morphology.name}: behaviours are those of animals with four legs and a head")
        self._air = _in_air(morphology)
        self._neck = _neck(morphology)
        self._told: list[Behaviour] = [BEHAVIOURS["stand"]] * count
        self._now = np.zeros((count, 3))  # tilt, posture in the air, height
        self._turned = rot.identity(count)  # by tumbling
        self._clock = 0.0

    def __len__(self) -> int:
        return len(self.crowd)

    def behave(self, name: str, who: Who = None) -> None:
        """Change to another behaviour.

        Parameters
        ----------
        name
            One of `BEHAVIOURS`.
        who
            All, one, a slice, indices or a mask.
        """
        if name not in BEHAVIOURS:
            raise LocomoteError(f"no behaviour {name!r}; there are: {', '.join(BEHAVIOURS)}")
        told = BEHAVIOURS[name]
        hip = self.crowd.creature.morphology.hip_height
        speed = told.froude * float(np.sqrt(9.81 * hip))
        turn = min(told.circles * speed / hip, FASTEST_TURN)
        self.crowd.command(speed=speed, turn_rate=turn, gait=told.gait, who=who)
        for row in np.asarray(rows_of(who, len(self))).tolist():
            self._told[row] = told

    def step(self, dt: float) -> Poses:
        """Go on by ``dt`` seconds; the poses are the caller's own.

        Parameters
        ----------
        dt
            s
        """
        poses = self.crowd.step(dt).copy()
        hip = self.crowd.creature.morphology.hip_height
        wanted = np.array([(one.tilt, one.air, one.height * hip) for one in self._told])
        most = dt / _WITHIN * np.maximum(np.abs(np.array([_TILT, 1.0, 6.0 * hip])), 1e-9)
        self._now += np.clip(wanted - self._now, -most, most)
        self._clock += dt
        tilt, air, height = self._now.T
        self._tumble(dt, air)
        turns = poses.rotations
        self._tilt_heads(turns, tilt)
        ease = air * air * (3.0 - 2.0 * air)
        posture = self._posture()
        turns[:, 1:] = rot.slerp(turns[:, 1:], np.broadcast_to(posture[1:], turns[:, 1:].shape), ease[:, None])
        turns[:, 0] = rot.multiply(
            turns[:, 0], rot.slerp(rot.identity(len(self)), self._turned, np.minimum(ease * 2.0, 1.0))
        )
        roots = poses.root_positions + np.array([0.0, 1.0, 0.0]) * height[:, None]
        return Poses(poses.skeleton, roots, rot.canonical(turns))

    def record(self, seconds: float, fps: float = 120.0, who: int = 0) -> Motion:
        """What one of them does, as a motion with its skin.

        Parameters
        ----------
        seconds, fps
            How long, and frames a second.
        who
            Which of them.
        """
        frames = [self.step(1.0 / fps) for _ in range(max(1, round(seconds * fps)))]
        roots = np.array([poses.root_positions[who] for poses in frames])
        turns = np.array([poses.rotations[who] for poses in frames])
        morphology = self.crowd.creature.morphology
        return Motion(morphology.skeleton, fps, roots, turns, name=morphology.name, body=morphology.body)

    def _tumble(self, dt: float, air: FloatArray) -> None:
        """Turn on who has no weight; who comes down again turns back."""
        spin = np.array([one.tumble for one in self._told])
        self._turned = rot.multiply(self._turned, rot.exp(dt * (spin * air)[:, None] * np.array(_TUMBLE)))
        back = np.where(spin > 0.0, 0.0, min(1.0, dt / _WITHIN * 4.0))
        self._turned = rot.slerp(self._turned, rot.identity(len(self)), back)

    def _tilt_heads(self, turns: FloatArray, tilt: FloatArray) -> None:
        """Turn neck and head about the way that the head looks, each by its share."""
        share = tilt / len(self._neck)
        for joint in self._neck.tolist():
            turns[:, joint] = rot.multiply(turns[:, joint], rot.exp(share[:, None] * np.array([0.0, 0.0, 1.0])))

    def _posture(self) -> FloatArray:
        """The posture in the air ``(J, 4)``, with a tail that goes round."""
        out = self._air.copy()
        size, rate = _SWIRL
        angle = 2.0 * np.pi * rate * self._clock
        for joint in self.crowd.creature.morphology.tail[:2]:
            swing = 0.5 * size * np.array([np.sin(angle), np.cos(angle), 0.0])
            out[joint] = rot.multiply(out[joint], rot.exp(swing))
        return out


def _in_air(morphology: Morphology) -> FloatArray:
    """Local rotations ``(J, 4)`` of an animal that falls: legs reach out and apart, the back is stretched."""
    skeleton = morphology.skeleton
    out = np.array(skeleton.rest_rotations)
    for leg in morphology.legs:
        limits = leg.limits
        for k, joint in enumerate(leg.joints):
            if k == 0:
                spread = np.array([0.0, 0.0, float(leg.side) * _SPREAD])
                out[joint] = rot.multiply(rot.exp(spread), out[joint])
            elif limits.swing[k] <= 0.0:
                out[joint] = rot.multiply(limits.rest[k], rot.exp(_REACH * limits.twist[k, 0] * 0.5 * limits.axes[k]))
    return out


def _neck(morphology: Morphology) -> IntArray:
    """The joints from the head down to the trunk's girdle, those that tilt a head."""
    skeleton = morphology.skeleton
    assert morphology.head is not None
    girdles = set(morphology.girdles)
    out = []
    for joint in skeleton.ancestors(morphology.head):
        if joint in girdles or joint == 0:
            break
        out.append(joint)
    return np.array(out, dtype=np.int64)
