"""What quads say about the skeleton: its joints, and a motion of it."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.capture.cages._rig import CageRig, Quads
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

TRUNK_QUADS = ("pelvis", "waist", "chest", "neck", "head base")


def joints_of(rig: CageRig, quads: Quads) -> FloatArray:
    """Joints carried rigidly by their quads, ``(F, J, 3)`` m; exact where the quads are those of a motion.

    Joints without a quad of their own (fingers, most of the spine) go with the nearest one.

    Parameters
    ----------
    rig : in whose cage
    quads : of F frames
    """
    own = _quads_of_joints(rig)
    off = rig.stance.positions - rig.centres[own]
    return quads.places[..., own, :] + rot.rotate(quads.turns[..., own, :], off)


def motion_of(rig: CageRig, quads: Quads, fps: float, name: str = "") -> Motion:
    """A motion of the skeleton, its bones as long as they are, from tracked quads.

    Bones of limbs lie along the lines between their joints; how they are turned about themselves is told by the quads.

    Parameters
    ----------
    rig : in whose cage
    quads : of F frames
    fps : frames a second
    name : of the motion
    """
    skeleton = rig.skeleton
    turned = _turns(rig, quads)
    world = rot.multiply(turned, rig.stance.turns)
    inner = skeleton.parents >= 0
    local = world.copy()
    local[:, inner] = rot.multiply(rot.inverse(world[:, skeleton.parents[inner]]), world[:, inner])
    root = joints_of(rig, quads)[:, skeleton.roles.root]
    motion = Motion(skeleton, fps, root, rot.canonical(local), name=name, body=rig.body)
    shift = root - motion.joint_positions()[:, skeleton.roles.root]  # where the pelvis is not joint 0
    return Motion(skeleton, fps, root + shift, motion.rotations, name=name, body=rig.body)


def _turns(rig: CageRig, quads: Quads) -> FloatArray:
    """Of every joint from the stance, in the world, ``(F, J, 4)``."""
    skeleton, roles = rig.skeleton, rig.skeleton.roles
    out = np.tile(rot.IDENTITY, (len(quads.places), len(skeleton), 1))
    known = set()
    for q, (carrier, pair, share) in enumerate(zip(rig.carriers, rig.pairs, rig.shares, strict=True)):
        if share == 1.0 and pair[1] == carrier and rig.names[q] not in ("waist", "chest", "neck"):
            out[:, carrier] = quads.turns[:, q]
            known.add(int(carrier))
    for joint in (*roles.spine, *roles.neck):
        if joint not in known:
            out[:, joint] = _trunk_turn(rig, quads, joint)
            known.add(joint)
    places = joints_of(rig, quads)
    limbs = [(leg.hip, leg.knee, leg.ankle) for leg in roles.legs]
    for upper, middle, lower in limbs + [(arm.shoulder, arm.elbow, arm.wrist) for arm in roles.arms]:
        out[:, upper] = _along(rig, out[:, upper], places, upper, middle)
        bend = quads.turns[:, int(np.flatnonzero(rig.carriers == middle)[0])]
        half = rot.multiply(rot.inverse(out[:, upper]), bend)
        out[:, middle] = _along(rig, rot.multiply(bend, half), places, middle, lower)
        known.add(middle)
    for j in range(1, len(skeleton)):
        if j not in known:
            out[:, j] = out[:, skeleton.parents[j]]
    if roles.root != 0:  # joints above the pelvis stay as they are to it
        for j in skeleton.ancestors(roles.root)[1:]:
            out[:, j] = out[:, roles.root]
    return out


def _along(rig: CageRig, turns: FloatArray, places: FloatArray, joint: int, after: int) -> FloatArray:
    """Turns whose bone lies along the line between two joints."""
    bone = rot.rotate(turns, rig.stance.positions[after] - rig.stance.positions[joint])
    return rot.multiply(rot.between(bone, places[:, after] - places[:, joint]), turns)


def _trunk_turn(rig: CageRig, quads: Quads, joint: int) -> FloatArray:
    """The turn of a bone of spine or neck, at its middle between the quads of the trunk."""
    stance, skeleton = rig.stance, rig.skeleton
    rows = [rig.names.index(name) for name in TRUNK_QUADS]
    heights = rig.centres[rows] @ stance.up
    line = [skeleton.roles.root, *skeleton.roles.spine, *skeleton.roles.neck]
    ends = [j for j in skeleton.children(joint) if j in line or j == skeleton.roles.head] or [joint]
    height = 0.5 * float((stance.positions[joint] + stance.positions[ends[0]]) @ stance.up)
    at = float(np.interp(height, heights, np.arange(len(rows))))
    k = min(int(at), len(rows) - 2)
    a, b = quads.turns[:, rows[k]], quads.turns[:, rows[k + 1]]
    return rot.slerp(a, b, np.full(len(a), at - k))


def _quads_of_joints(rig: CageRig) -> IntArray:
    """The quad that carries each joint: its own, or the nearest."""
    away = np.linalg.norm(rig.stance.positions[:, None] - rig.centres[None], axis=2)
    away += np.where(rig.carriers[None] == np.arange(len(away))[:, None], -10.0, 0.0)
    out: IntArray = np.argmin(away, axis=1)
    return out
