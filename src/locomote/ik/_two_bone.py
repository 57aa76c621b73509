"""Limbs of two bones bring their ends to goals in closed form: legs and arms."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.ik._bodies import Body, Solution, arrays_of, positive, vectors, with_rotations
from locomote.ik._chains import Chain, limb_of
from locomote.rotations import ArrayLike, FloatArray

_STRAIGHT = 0.05  # of the limb's length; a knee nearer to the line hip to ankle has its side from the body's build


def two_bone(
    body: Body,
    limb: Chain,
    goal: ArrayLike,
    *,
    pole: ArrayLike | None = None,
    rotation: ArrayLike | None = None,
    softness: float = 0.0,
    tolerance: float = 1e-4,
) -> Solution[Body]:
    """Turn the two bones of a leg or arm so that its ankle or wrist comes to a goal, exactly where it can.

    The knee or elbow stays a hinge. It keeps the side it is bent to; a limb that is straight bends as its rest pose
    does, or else a knee forwards and an elbow back.

    Parameters
    ----------
    body
        A motion, or poses of several characters.
    limb
        A limb ("left arm", "right leg"; "left leg 1" in the second pair from the front), a `Leg` or `Arm` of
        ``skeleton.roles``, or three joints by name or number, such as hip, knee and ankle.
    goal
        World positions ``(3,)`` or ``(N, 3)``, m: one for all, or one for each frame or character.
    pole
        World directions ``(3,)`` or ``(N, 3)`` to which the knee or elbow bends, of any length; 0 keeps its side.
    rotation
        World rotations ``(4,)`` or ``(N, 4)`` for the foot or hand, or "keep" for those it has. Without them it goes
        along with its bone.
    softness
        Fraction of the limb's length, 0 to 1, over which it eases into full stretch, so that no knee snaps; goals
        there are not met exactly.
    tolerance
        The error that counts as success, m.

    Returns
    -------
    Solution
        ``pose, error, steps, success``; ``steps`` is 1 throughout. All joints but the three are unchanged.

    Raises
    ------
    SkeletonError
        There is no such joint or limb, or the joints are not one below the other.
    LocomoteError
        A number or a shape is wrong.
    """
    from locomote.math.two_bone import two_bone_ik

    arrays = arrays_of(body)
    count, parents = len(arrays), arrays.skeleton.parents
    upper, middle, end, side = limb_of(arrays.skeleton, limb)
    goals = arrays.goals("goal", goal)
    if not 0.0 <= softness <= 1.0:
        raise LocomoteError(f"softness {softness}: expected a fraction from 0 to 1")
    positions, world = arrays.world()
    hip, knee, ankle = (np.ascontiguousarray(positions[:, joint]) for joint in (upper, middle, end))
    bent, poles = _sides(hip, knee, ankle, rot.rotate(world[:, upper], side))
    if pole is not None:
        poles = vectors("pole", pole, count)
    swing, fold = np.empty((count, 4)), np.empty((count, 4))
    two_bone_ik(hip, bent, ankle, goals, poles, softness, swing, fold)
    swing = rot.multiply(swing, rot.between(knee - hip, bent - hip))
    fold = rot.multiply(fold, rot.between(ankle - knee, ankle - bent))

    # What lies between two of the joints (twist bones) goes along with its bone.
    carrier = rot.identity(count) if upper == 0 else world[:, parents[upper]]
    thigh = rot.multiply(swing, world[:, parents[middle]])
    shank = rot.multiply(fold, world[:, parents[end]])
    out = arrays.rotations
    out[:, upper] = _local(carrier, rot.multiply(swing, world[:, upper]))
    out[:, middle] = _local(thigh, rot.multiply(fold, world[:, middle]))
    if isinstance(rotation, str) and rotation == "keep":
        rotation = world[:, end]
    if rotation is not None:
        out[:, end] = _local(shank, vectors("rotation", rotation, count, 4))
    tips = hip + rot.rotate(swing, knee - hip) + rot.rotate(fold, ankle - knee)
    error = np.linalg.norm(tips - goals, axis=1) * arrays.scales
    steps = np.ones(count, dtype=np.int64)
    return Solution(with_rotations(body, out), error, steps, error <= positive("tolerance", tolerance))


def _local(carrier: FloatArray, turn: FloatArray) -> FloatArray:
    return rot.normalize(rot.multiply(rot.inverse(carrier), turn))


def _sides(hip: FloatArray, knee: FloatArray, ankle: FloatArray, build: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The knees, and the directions to which they bend: their own sides, or on a straight limb that of its build.

    A knee that is pushed through a little is given as one bent as much to its proper side, so that the limb is not
    twisted about itself when it must bend.
    """
    line = ankle - hip
    length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
    squared = np.maximum(np.sum(line * line, axis=1), 1e-24)[:, None]
    offset = knee - hip - line * np.sum((knee - hip) * line, axis=1)[:, None] / squared
    front = build - line * np.sum(build * line, axis=1)[:, None] / squared
    front = front / np.maximum(np.linalg.norm(front, axis=1), 1e-12)[:, None]
    least = np.maximum(_STRAIGHT * length, 1e-12)
    part = np.clip(np.linalg.norm(offset, axis=1) / least, 0.0, 1.0)
    own = (part * part * (3.0 - 2.0 * part))[:, None]  # 1 where the bend is clear
    poles = own * offset + (1.0 - own) * front * least[:, None]
    through = np.where(np.sum(poles * front, axis=1) > 0.0, np.sum(offset * front, axis=1), 0.0)
    return knee - 2.0 * np.minimum(through, 0.0)[:, None] * front, poles
