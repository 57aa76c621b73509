"""Root motion: the way of a body given to a joint above it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.clips._travel import Travel
from locomote.formats._gltf_sample import local_pose
from locomote.mannequin import default_body
from locomote.motion import Motion
from locomote.skeleton import Skeleton

NAME = "root"


def free_root(motion: Motion) -> bool:
    """Whether the first joint is a node above the body: not its pelvis, and without any skin."""
    body = motion.body
    if motion.skeleton.roles.root == 0 or body is None:
        return False
    return not np.any((body.joints == 0) & (body.weights > 0.0))


def on_free_root(motion: Motion, travel: Travel) -> Motion:
    """A motion that goes its way with its first joint at rest in the frame of that way; the others stay where they are.

    Parameters
    ----------
    motion : travelling
    travel : its way
    """
    positions, turns = motion.world()
    rest, rest_turns = motion.skeleton.rest_pose()
    positions[:, 0] = travel.places + rot.rotate(travel.turns, rest[0])
    turns[:, 0] = rot.multiply(travel.turns, rest_turns[0])
    moved, local = local_pose(motion.skeleton.parents, positions, turns)
    return replace(motion, root_positions=positions[:, 0], rotations=rot.continuous(local), translations=moved)


def under_root(motion: Motion, travel: Travel) -> Motion:
    """A motion that goes its way, on a skeleton with one more joint on the ground above all others.

    Parameters
    ----------
    motion : travelling
    travel : its way
    """
    old = motion.skeleton
    name = NAME if NAME not in old.names else NAME + "_motion"
    skeleton = Skeleton(
        names=(name, *old.names),
        parents=np.concatenate([[-1], old.parents + 1]),
        offsets=np.concatenate([np.zeros((1, 3)), old.offsets]),
        rest_rotations=np.concatenate([rot.identity(1), old.rest_rotations]),
        end_parents=old.end_parents + 1,
        end_offsets=old.end_offsets,
    )
    body = default_body(old) if motion.body is None else motion.body
    body = replace(
        body,
        joints=body.joints + 1,
        bind_positions=np.concatenate([np.zeros((1, 3)), body.bind_positions]),
        bind_rotations=np.concatenate([rot.identity(1), body.bind_rotations]),
        source=None,
    )
    within = travel.taken_out(motion)
    moved = np.tile(skeleton.offsets, (len(motion), 1, 1))
    if motion.translations is not None:
        moved[:, 1:] = motion.translations
    moved[:, 0], moved[:, 1] = travel.places, within.root_positions
    return Motion(
        skeleton=skeleton,
        fps=motion.fps,
        root_positions=travel.places,
        rotations=np.concatenate([travel.turns[:, None], within.rotations], axis=1),
        translations=moved,
        name=motion.name,
        body=body,
    )
