"""What somebody who balances may be asked for: small frozen classes, each a wish for a velocity that undoes a miss.

``gain`` is how fast a miss is undone, 1/s; ``strength`` how hard, N for each m/s that is missing (N m for each rad/s):
together a spring of ``gain * strength`` N/m with a damper of ``strength`` N s/m, whatever the time step.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.ik._chains import joint_index
from locomote.physics._kernels.contact_rows import Touch
from locomote.physics._kernels.wishes import CENTRE, GAZE, MOMENTUM, POINT, TURN, Wishes
from locomote.physics._reduced import ReducedBody

Triple: TypeAlias = tuple[float, float, float]
STRICT, SOFT, USER = 0, 1, 2  # levels: balance, what helps it, what users want
_STANDS, _ALONE = 15.0, 50.0  # times as much counts that a foot lies flat which stands, with the other or alone
_LEVEL, _UPRIGHT, _ALL = (1.0, 0.0, 1.0), (0.0, 1.0, 0.0), (1.0, 1.0, 1.0)  # axes of the world that count


@dataclass(frozen=True)
class Reach:
    """A point of a joint at a place in the world, m."""

    joint: str | int
    position: Triple
    point: Triple = (0.0, 0.0, 0.0)  # m, in the frame of the joint
    strength: float = 150.0
    gain: float = 6.0


@dataclass(frozen=True)
class Orientation:
    """A joint turned so in the world, w x y z."""

    joint: str | int
    rotation: tuple[float, float, float, float]
    strength: float = 10.0
    gain: float = 6.0


@dataclass(frozen=True)
class Gaze:
    """The head looks at a place in the world, m, its side level; nothing is asked where that is straight above."""

    target: Triple
    strength: float = 300.0
    gain: float = 6.0


@dataclass(frozen=True)
class CentreOfMass:
    """The centre of mass at the height that is asked for."""

    strength: float = 8000.0
    gain: float = 4.0


@dataclass(frozen=True)
class Support:
    """The centre of mass over the middle of the feet that stand."""

    strength: float = 5000.0
    gain: float = 4.0


@dataclass(frozen=True)
class AngularMomentum:
    """No angular momentum about the centre of mass; strength in N m for each kg m2/s, times kg m2."""

    strength: float = 250.0


@dataclass(frozen=True)
class HeadOverSupport:
    """The head over the middle of the feet that stand: a cheap way to stay upright."""

    strength: float = 60.0
    gain: float = 3.0


@dataclass(frozen=True)
class Upright:
    """The hips level, and facing where they did."""

    strength: float = 40.0
    gain: float = 3.0


@dataclass(frozen=True)
class Foot:
    """A foot that does not stand: where it goes, and flat."""

    strength: float = 800.0
    gain: float = 8.0
    flat: float = 10.0  # N m s/rad


@dataclass(frozen=True)
class Posture:
    """The pose from which nobody strays without need; strength in 1/s, of the inertia of each coordinate."""

    strength: float = 5.0
    gain: float = 1.5


Feature: TypeAlias = Reach | Orientation | Gaze


def write(feature: object, row: int, wishes: Wishes, body: ReducedBody, level: int = USER) -> None:
    """Put a feature into a row of the table of wishes; targets that move are written by whoever moves them."""
    roles = body.space.skeleton.roles
    wishes.rates[row] = 0.0
    wishes.levels[row] = level
    match feature:
        case Reach():
            put(row, wishes, POINT, _ALL, feature)
            wishes.bodies[row], wishes.points[row] = body.point(feature.joint, feature.point)
            wishes.targets[row, :3] = checked(feature.position, "position")
        case Orientation():
            put(row, wishes, TURN, _ALL, feature)
            joint = joint_index(body.space.skeleton, feature.joint)
            wishes.bodies[row], wishes.frames[row] = body.owner[joint], body.turns[joint]
            wishes.targets[row] = rot.normalize(np.asarray(feature.rotation))
        case Gaze():
            if roles.head is None:
                raise LocomoteError("this skeleton has no head that could look")
            put(row, wishes, GAZE, _ALL, feature)
            wishes.bodies[row], wishes.points[row] = body.point(roles.head)
            # In the rest pose the head looks where the body faces.
            facing = rot.from_yaw(np.arctan2(roles.forward[0], roles.forward[2]))
            rest = body.space.skeleton.rest_pose()[1][roles.head]
            wishes.frames[row] = rot.multiply(body.turns[roles.head], rot.multiply(rot.inverse(rest), facing))
            wishes.targets[row, :3] = checked(feature.target, "target")
        case CentreOfMass():
            put(row, wishes, CENTRE, _UPRIGHT, feature)
        case Support():
            put(row, wishes, CENTRE, _LEVEL, feature)
        case AngularMomentum():
            put(row, wishes, MOMENTUM, _ALL, feature)
        case HeadOverSupport():
            put(row, wishes, POINT, _LEVEL, feature)
            wishes.bodies[row], wishes.points[row] = body.point(roles.root if roles.head is None else roles.head)
        case Upright():
            put(row, wishes, TURN, _ALL, feature)
            wishes.bodies[row], wishes.frames[row] = 0, rot.IDENTITY
        case _:
            raise LocomoteError(f"{feature!r} is not a feature of balance")


def write_foot(feature: Foot, row: int, wishes: Wishes, touch: Touch, foot: int) -> None:
    """Two rows for a foot: the place of the middle of its sole, and how it is turned."""
    for at, kind in ((row, POINT), (row + 1, TURN)):
        put(at, wishes, kind, _ALL, feature)
        wishes.levels[at], wishes.bodies[at] = SOFT, touch.feet[foot]
        wishes.points[at], wishes.frames[at] = touch.soles[foot], rot.IDENTITY
        wishes.rates[at] = 0.0


def switch_foot(feature: Foot, row: int, wishes: Wishes, lifted: bool, alone: bool) -> None:
    """Where a foot is needs no wish while it stands; that it lies flat does, more so if it stands alone."""
    wishes.strengths[row] = feature.strength if lifted else 0.0
    wishes.strengths[row + 1] = feature.flat * (1.0 if lifted else _ALONE if alone else _STANDS)


def put(row: int, wishes: Wishes, kind: int, axes: Triple, feature: object) -> None:
    """Kind, strength and gain of a row."""
    wishes.kinds[row] = kind
    wishes.strengths[row] = getattr(feature, "strength", 0.0) * np.array(axes)
    wishes.gains[row] = getattr(feature, "gain", 0.0), 0.0


def checked(values: object, what: str) -> Triple:
    """Three finite numbers."""
    out = np.asarray(values, dtype=np.float64)
    if out.shape != (3,) or not np.isfinite(out).all():
        raise LocomoteError(f"{what}: expected three finite numbers, got {values!r}")
    return float(out[0]), float(out[1]), float(out[2])
