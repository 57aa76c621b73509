"""From one pose space into another in mid-movement: feet stay, velocities go on, what differs fades."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Poses
from locomote.physics._engine import Engine
from locomote.spaces._handles import Handle
from locomote.spaces._pose_space import PoseSpace
from locomote.spaces._reaching import Reach

_SOON = 1e-3  # s, over which velocities are taken


def check_swap(old: PoseSpace, new: PoseSpace) -> None:
    """Refuse spaces of other bodies."""
    ours, theirs = old.skeleton, new.skeleton
    if ours.names != theirs.names or not np.array_equal(ours.parents, theirs.parents):
        raise LocomoteError("a space can only be exchanged for one of a skeleton with the same joints")


def carry_over(old: Engine, new: Engine) -> None:
    """Put a body into the pose and velocity of another, feet in their places; what is left begins to fade."""
    skeleton, space = new.reduced.space.skeleton, new.reduced.space
    now = Poses(skeleton, *(array.copy() for array in old.publish()))
    held_at = now.joint_positions()[0]
    roles = skeleton.roles
    held = [roles.root, *(leg.ankle for leg in roles.legs), *(arm.wrist for arm in roles.arms)]
    handles = [Handle(joint, held_at[joint], weight=1.0 if joint in new.soles.joints else 0.1) for joint in held]
    if roles.head is not None:
        handles.append(Handle(roles.head, held_at[roles.head], weight=0.1))
    # Begun at a pose of the new space: what the old one has beyond it would be kept.
    turns = space.rotations(space.coordinates(now))
    turns[:, 0] = now.rotations[:, 0]
    start = Poses(skeleton, now.root_positions, turns)
    found = space.reach(handles, start, root="free", settings=Reach(prior=1e-5, rounds=20)).pose
    mine, theirs = new.body.state, old.body.state
    mine.x[:] = space.coordinates(found)[0]
    mine.turn[:], mine.place[:] = found.rotations[0, 0], found.root_positions[0]
    mine.v[:6] = theirs.v[:6]
    ahead = old.reduced.space.rotations(theirs.x + _SOON * theirs.v[6:])
    back = old.reduced.space.rotations(theirs.x - _SOON * theirs.v[6:])
    mine.v[6:] = (space.coordinates(ahead) - space.coordinates(back)) / (2.0 * _SOON)
    new.look()
    mine.p[:] = new.body.work.matrix @ mine.v
    touch, before = new.touch, old.touch
    touch.planted[:], touch.anchors[:], touch.active[:] = before.planted, before.anchors, before.active
    places, reached = new.publish()
    new.shifted = now.root_positions[0] - places[0]
    new.left, new.faded = rot.multiply(rot.inverse(reached[0]), now.rotations[0]), 1.0
