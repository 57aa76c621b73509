# SPDX-License-Identifier: GPL-3.0-or-later
"""Armatures as locomote's skeletons, and poses of skeletons as the turns that Blender gives to bones.

Blender is z up and looks along -y: our (x, y, z) is its (x, -z, y). Places count from the armature's object.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import locomote as lm
from locomote import rotations as rot

TO_BLENDER = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])  # of places and turns
LEAST_BONE = 1e-3  # m; Blender throws away bones without a length
SHORT_BONE = 0.05  # m, of a bone on which nothing hangs
UNEVEN = 1e-3  # of an object's scale from one axis to another


class Rig(NamedTuple):
    """An armature that is to be posed."""

    object: Any  # Blender's
    skeleton: lm.Skeleton  # a joint for every bone, turned as the bone is; in our axes, metres
    scale: float  # metres in the world for a unit of the armature


def rig_of(armature: Any, names: list[str] | None = None) -> Rig:
    """An armature as a skeleton.

    Parameters
    ----------
    armature : Blender's object
    names : of the bones, parents first; those of the largest tree of bones unless given
    """
    _, turn, scales = armature.matrix_world.decompose()
    scale = float(scales[0])
    if scale <= 0.0 or max(abs(float(each) / scale - 1.0) for each in scales) > UNEVEN:
        raise lm.LocomoteError(f"{armature.name}: its scale differs between axes: apply it (Ctrl A, Scale)")
    bones = _largest_tree(armature) if names is None else [armature.data.bones[name] for name in names]
    if not bones:
        raise lm.LocomoteError(f"{armature.name} has no bones")
    back = rot.multiply(rot.inverse(TO_BLENDER), np.array(turn))
    places = np.array([rot.rotate(back, scale * np.array(bone.head_local)) for bone in bones])
    turns = np.array([rot.multiply(back, np.array(bone.matrix_local.to_quaternion())) for bone in bones])
    number = {bone.name: j for j, bone in enumerate(bones)}
    parents = np.array([-1 if bone.parent is None else number[bone.parent.name] for bone in bones])
    offsets, local = places.copy(), turns.copy()
    above = parents[1:]
    offsets[1:] = rot.rotate(rot.inverse(turns[above]), places[1:] - places[above])
    local[1:] = rot.multiply(rot.inverse(turns[above]), turns[1:])
    ends = [j for j in range(len(bones)) if j not in above]
    lengths = np.array([[0.0, scale * bones[j].length, 0.0] for j in ends]).reshape(-1, 3)
    skeleton = lm.Skeleton(tuple(number), parents, offsets, rot.normalize(local), np.array(ends), lengths)
    return Rig(armature, skeleton, scale)


def _largest_tree(armature: Any) -> list[Any]:
    """The bones of the tree with most of them, parents first; what steers a rig often hangs beside it."""
    trees = []
    for root in (bone for bone in armature.data.bones if bone.parent is None):
        tree = [root]
        for bone in tree:
            tree.extend(bone.children)
        trees.append(tree)
    return max(trees, key=len, default=[])


def new_armature(bpy: Any, name: str, skeleton: lm.Skeleton) -> Rig:
    """An armature made for a skeleton, bones from joint to joint, linked to the scene's collection."""
    places = rot.rotate(TO_BLENDER, skeleton.rest_pose()[0])
    data = bpy.data.armatures.new(name)
    made = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(made)
    bpy.context.view_layer.objects.active = made
    bpy.ops.object.mode_set(mode="EDIT")
    bones: list[Any] = []
    for j, parent in enumerate(skeleton.parents):
        bone = data.edit_bones.new(skeleton.names[j])
        bone.head, bone.tail = tuple(places[j]), tuple(_tail(skeleton, places, j))
        bone.parent = bones[parent] if parent >= 0 else None
        bones.append(bone)
    names = [bone.name for bone in bones]  # Blender shortens names and makes them differ
    bpy.ops.object.mode_set(mode="OBJECT")
    return rig_of(made, names)


def _tail(skeleton: lm.Skeleton, places: Any, joint: int) -> Any:
    """Towards the first joint that hangs on it, else its end; a short way up where there is none."""
    for child in skeleton.children(joint):
        if np.linalg.norm(places[child] - places[joint]) > LEAST_BONE:
            return places[child]
    turn = rot.multiply(TO_BLENDER, skeleton.rest_pose()[1][joint])
    for end in np.flatnonzero(skeleton.end_parents == joint):
        if np.linalg.norm(skeleton.end_offsets[end]) > LEAST_BONE:
            return places[joint] + rot.rotate(turn, skeleton.end_offsets[end])
    return places[joint] + (0.0, 0.0, SHORT_BONE)


def turned_as(rig: Rig, motion: lm.Motion) -> lm.Motion:
    """A motion of the same joints on the rig's skeleton, whose joints are turned as bones are."""
    theirs, ours = motion.skeleton.rest_pose()[1], rig.skeleton.rest_pose()[1]
    bones = rot.multiply(rot.inverse(theirs), ours)  # how a bone lies in its joint
    above = rig.skeleton.parents[1:]
    local = rot.multiply(motion.rotations, bones)
    local[:, 1:] = rot.multiply(rot.inverse(bones[above]), local[:, 1:])
    moved = motion.translations
    if moved is not None:
        moved = np.concatenate([moved[:, :1], rot.rotate(rot.inverse(bones[above]), moved[:, 1:])], axis=1)
    return lm.Motion(
        rig.skeleton, motion.fps, motion.root_positions, local, translations=moved, name=motion.name, notes=motion.notes
    )


class Basis(NamedTuple):
    """What Blender's bones are given: turns and ways against the rest pose, each in the bone's own frame."""

    rotations: Any  # (F, J, 4) wxyz
    locations: dict[int, Any]  # (F, 3) in units of the armature, of the joints that move against their parents


def basis(rig: Rig, motion: lm.Motion) -> Basis:
    """The poses of a motion on the rig's skeleton as Blender counts them."""
    rest = rig.skeleton.rest_rotations
    back = rot.inverse(rest)
    turns = rot.continuous(rot.multiply(back, motion.rotations))
    ways = {0: motion.root_positions - rig.skeleton.offsets[0]}
    if motion.translations is not None:
        moves = np.abs(motion.translations - rig.skeleton.offsets).max(axis=(0, 2)) > 1e-9
        ways |= {j: motion.translations[:, j] - rig.skeleton.offsets[j] for j in np.flatnonzero(moves).tolist() if j}
    return Basis(turns, {j: rot.rotate(back[j], way) / rig.scale for j, way in ways.items()})


def pose(rig: Rig, shown: Basis, frame: int = 0) -> None:
    """Put the bones as they are in one frame."""
    for j, name in enumerate(rig.skeleton.names):
        bone = rig.object.pose.bones[name]
        bone.rotation_mode = "QUATERNION"
        bone.rotation_quaternion = tuple(shown.rotations[frame, j])
        if j in shown.locations:
            bone.location = tuple(shown.locations[j][frame])
