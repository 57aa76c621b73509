"""A creature from the file of any rig: skinned meshes, bare skeletons, robots and simulated animals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.creatures._morphology import Morphology
from locomote.creatures.rigging._legs_by_shape import find_legs, find_plane, no_legs
from locomote.creatures.rigging._mapping import assemble, direction, named_limb
from locomote.creatures.rigging._pruning import pruned, rebuilt
from locomote.creatures.rigging._rest_pose import upright, with_bent_knees
from locomote.creatures.rigging._soles import on_sole, with_skin_ends
from locomote.creatures.rigging._trunk_by_shape import find_trunk
from locomote.errors import LocomoteError
from locomote.formats import _files, load, mjcf, urdf
from locomote.formats._own_rig import OwnRig
from locomote.formats._rigid import RigidModel
from locomote.ik._limits import JointLimits
from locomote.motion import Motion
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import Skeleton

_MODELS = {".xml": mjcf.read_model, ".urdf": urdf.read_model}
HUGE, CENTIMETRE = 15.0, 0.01  # m; a larger body comes from a file in centimetres
SAME_PLACE = 1e-5  # of the body's size; joints so near to each other are in one place


def read_rig(
    path: Path,
    legs: Sequence[tuple[str, str]] | None,
    forward: str | ArrayLike | None,
    height: float | None,
) -> Morphology:
    """What `Morphology.from_rig` does."""
    if height is not None and not (np.isfinite(height) and height > 0.0):
        raise LocomoteError(f"{path}: height must be a positive number of metres, got {height}")
    stem, extension, _ = _files.split_name(path)
    aim = None if forward is None else direction(forward)
    limits: JointLimits | None = None  # of every joint, where the file gives them
    motion: Motion | None = None
    if extension in _MODELS:
        skeleton, limits = _unwelded(_MODELS[extension](path))
        body = None
    else:
        motion = load(path)
        skeleton, body = pruned(motion.skeleton, motion.body)
        if body is not None:
            skeleton = with_skin_ends(skeleton, body)
    plane = find_plane(skeleton, aim)
    limbs = find_legs(skeleton, plane) if legs is None else [named_limb(skeleton, *leg) for leg in legs]
    if not limbs:
        raise no_legs(skeleton, str(path))
    trunk = find_trunk(skeleton, limbs, plane, aim)
    if body is not None:
        limbs = [on_sole(limb, body, limb.length(skeleton)) for limb in limbs]
    if limits is not None:
        limbs = [replace(limb, limits=limits[limb.joints]) for limb in limbs]
    skeleton = with_bent_knees(upright(skeleton, limbs, trunk.forward), limbs, trunk.forward)
    creature = assemble(skeleton, limbs, body, trunk.head, trunk.tail, trunk.forward, stem)
    if legs is None:
        creature = _in_order(creature)
    factor = 1.0
    if height is not None:
        factor = height / _height(creature)
    elif np.ptp(creature.rest_pose[0], axis=0).max() > HUGE:
        factor = CENTIMETRE
    creature = creature if factor == 1.0 else creature.scaled(factor)
    return creature if motion is None else _tied(creature, motion, factor)


def _tied(creature: Morphology, rig: Motion, factor: float) -> Morphology:
    """The creature with a body that knows its file, so that motions can be written into the nodes of that."""
    if creature.body is None or rig.body is None or rig.body.source is None:
        return creature
    joints = np.array([rig.skeleton.index(name) for name in creature.skeleton.names])
    return creature.with_body(replace(creature.body, source=OwnRig.behind(rig, joints, creature.body, factor)))


def _unwelded(model: RigidModel) -> tuple[Skeleton, JointLimits]:
    """The joints of a model that turn, in its pose: what is welded to its parent becomes part of it.

    Of two joints in one place only the outer one stays.
    """
    zero = model.skeleton
    posed = replace(zero, rest_rotations=_within_limits(model))
    positions, turns = posed.rest_pose()
    size = max(float(np.linalg.norm(np.ptp(positions, axis=0))), 1e-12)
    fixed = (model.swing == 0.0) & np.all(model.twist == 0.0, axis=1)
    fixed[0] = False
    keep = ~fixed
    ends: dict[int, FloatArray] = {}
    for j in range(1, len(zero)):
        below = zero.children(j)
        if not below and fixed[j]:
            ends[j] = positions[j]
        if len(below) == 1 and np.linalg.norm(zero.offsets[below[0]]) < SAME_PLACE * size:
            keep[j] = False
    for parent, offset in zip(zero.end_parents, zero.end_offsets, strict=True):
        ends[int(parent)] = positions[parent] + rot.rotate(turns[parent], offset)
    parents = zero.parents.tolist()
    skeleton, _, order = rebuilt(posed, None, parents, keep, ends)
    rest = rebuilt(zero, None, parents, keep, {})[0].rest_rotations
    return skeleton, JointLimits(rest, model.axes[order], model.swing[order], model.twist[order])


def _within_limits(model: RigidModel) -> FloatArray:
    """The model's pose with every hinge inside its range: at zero some knees would bend the wrong way."""
    rest = model.skeleton.rest_rotations
    swing, twist = rot.swing_twist(rot.multiply(rot.inverse(rest), model.pose), model.axes)
    angle = np.sum(rot.log(rot.canonical(twist)) * model.axes, axis=1)
    inside = np.clip(angle, model.twist[:, 0], model.twist[:, 1])
    inside[0] = angle[0]
    return rot.multiply(rest, rot.multiply(swing, rot.from_axis_angle(model.axes, inside)))


def _in_order(creature: Morphology) -> Morphology:
    """Legs from front to back, left before right."""
    order = sorted(range(len(creature)), key=lambda f: (creature.legs[f].rank, -creature.legs[f].side))
    return replace(
        creature,
        legs=tuple(creature.legs[f] for f in order),
        girdles=tuple(creature.girdles[f] for f in order),
    )


def _height(creature: Morphology) -> float:
    """How high a creature at rest is above the ground."""
    top = creature.rest_pose[0][:, 1].max()
    if creature.body is not None:
        top = creature.body.posed(*creature.rest_pose)[:, 1].max()
    return float(top)
