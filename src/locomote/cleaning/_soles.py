"""The foot as it stands flat: which way its sole faces, and how high its points are over the floor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.contacts import Contacts, Floor
from locomote.contacts.feet import ADULT_LEG, RESTING_SPEED, speeds
from locomote.contacts.records import BoolArray
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

HEEL, BALL, TOE = 0, 1, 2
LEAST_SOLE = 0.03  # of the leg's length; a shorter foot is one point and rolls over nothing
LEVEL_SHARE = 70.0  # per cent of the heights of resting balls; above the middle, for legs bend easier than they stretch
_FEW = 3  # frames; with fewer in which a foot rests flat, all of its contacts show how it stands


@dataclass(frozen=True, eq=False)
class FlatSole:
    """One foot. Without ``axes`` it is a point: paws, hooves, and feet that only ever touch with their toes."""

    leg: Leg
    size: float  # of the leg, beside that of an adult
    level: float  # m; height of the ball over the floor when the foot stands
    axes: FloatArray | None  # (4,) turns left, up and forward of the sole (x, y, z) into the ankle's frame
    toe_joint: int | None  # the joint at which the toes bend
    toe_flat: FloatArray  # (4,) of that joint against the ankle when the foot stands flat
    toe_level: float  # m; height of the tip of the toes over the floor then
    held: Mapping[int, FloatArray]  # joints between ankle and ball, which a rigid foot does not use: joint -> (4,)


def floor_turn(floor: Floor) -> FloatArray:
    """Turns the level ground into the floor."""
    return rot.between([0.0, 1.0, 0.0], [-floor.slope_x, 1.0, -floor.slope_z])


def find_soles(motion: Motion, contacts: Contacts) -> tuple[FlatSole, ...]:
    """The soles of all legs of a motion; both legs of a pair stand on one level."""
    soles = [_sole(motion, contacts, i) for i in range(len(contacts.legs))]
    over = contacts.floor.heights(contacts.points)
    slow = speeds(contacts.points[:, :, BALL], contacts.fps) < RESTING_SPEED * np.sqrt(soles[0].size)
    out = []
    for sole in soles:
        pair = [i for i, leg in enumerate(contacts.legs) if leg.row == sole.leg.row]
        balls = np.concatenate([over[contacts.toe[:, i] & slow[:, i], i, BALL] for i in pair])
        level = float(np.percentile(balls, LEVEL_SHARE)) if len(balls) else 0.0
        out.append(replace(sole, level=level, toe_level=level + sole.toe_level))
    return tuple(out)


def _flat(contacts: Contacts, leg: int, size: float) -> BoolArray:
    """Frames in which a foot rests on heel and ball, or else on whatever it has."""
    slow = speeds(contacts.points[:, leg, BALL], contacts.fps) < RESTING_SPEED * np.sqrt(size)
    for touching in (contacts.heel & contacts.toe, contacts.foot):
        resting: BoolArray = touching[:, leg] & slow
        if np.count_nonzero(resting) >= _FEW:
            return resting
    return contacts.foot[:, leg]


def _sole(motion: Motion, contacts: Contacts, i: int) -> FlatSole:
    leg = contacts.legs[i]
    length = motion.skeleton.chain_length(leg.hip, leg.ankle)
    world = motion.world()[1]
    flat = _flat(contacts, i, length / ADULT_LEG)
    ankle = world[:, leg.ankle]
    axes = None
    line = contacts.points[:, i, BALL] - contacts.points[:, i, HEEL]
    if np.any(flat) and float(np.median(np.linalg.norm(line, axis=1))) > LEAST_SOLE * length:
        back = rot.inverse(ankle[flat])
        forward = np.median(rot.rotate(back, line[flat]), axis=0)
        normal = rot.rotate(floor_turn(contacts.floor), [0.0, 1.0, 0.0])
        axes = _axes(forward, np.median(rot.rotate(back, normal), axis=0))
    toe_joint = leg.ball if leg.ball != leg.ankle else None
    toe_flat = rot.IDENTITY
    if toe_joint is not None and np.any(flat):
        toe_flat = rot.mean(rot.multiply(rot.inverse(ankle[flat]), world[flat, toe_joint]))
    between = leg.chain[leg.chain.index(leg.ankle) + 1 : leg.chain.index(leg.ball)]
    held = (
        {} if axes is None else {j: rot.mean(rot.multiply(rot.inverse(ankle[flat]), world[flat, j])) for j in between}
    )
    tip = contacts.points[flat, i, TOE] - contacts.points[flat, i, BALL]
    rise = float(np.median(tip[:, 1])) if len(tip) else 0.0
    if toe_joint is not None and axes is not None:
        # Exactly as high as the toes come to lie, not as they lay on average.
        straight = np.median(rot.rotate(rot.inverse(world[flat, toe_joint]), tip), axis=0)
        rise = float(rot.rotate(rot.inverse(axes), rot.rotate(toe_flat, straight))[1])
    return FlatSole(leg, length / ADULT_LEG, 0.0, axes, toe_joint, toe_flat, rise, held)


def _axes(forward: FloatArray, up: FloatArray) -> FloatArray:
    z = forward / np.linalg.norm(forward)
    y = up - z * (up @ z)
    y = y / np.linalg.norm(y)
    return rot.from_matrix(np.stack([np.cross(y, z), y, z], axis=-1))
