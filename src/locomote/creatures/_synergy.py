"""A creature's trunk and arms, driven by its feet through its natural vibrations."""

from __future__ import annotations

import numpy as np

from locomote.creatures._gaits import Gait
from locomote.creatures._kernels.model import Spine, Synergy
from locomote.creatures._morphology import Morphology
from locomote.errors import LocomoteError
from locomote.masses import Masses, is_person
from locomote.modal import Gait as ModalGait
from locomote.modal import Modes, person_pose
from locomote.modal._rows import point_rows
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

CANDIDATES, EACH_LEG = 20, 4  # of the lowest vibrations: so many, or so many a leg
EASY = 3e-3  # of the square of the legs' length: the weight of a joint of mean stiffness that turns by 1 rad
ASIDE, UP = 0.5, 0.5  # weights of ways aside and up, beside those ahead
FARTHEST = 0.6  # of the length of the legs: about as far as ways of feet count


def modes_of(morphology: Morphology) -> Modes:
    """The natural vibrations of a creature in its rest pose; people let their arms hang."""
    skeleton = morphology.skeleton
    rest = np.array(skeleton.rest_rotations)
    if is_person(skeleton):
        hanging = person_pose(skeleton, "standing")
        arms = [j for arm in skeleton.roles.arms for j in (arm.shoulder, arm.elbow, arm.wrist)]
        rest[arms] = hanging[arms]
    return Modes.of(skeleton, Masses.of(skeleton, body=morphology.body), rest=rest)


def played_by_modes(morphology: Morphology, gait: Gait, modes: Modes) -> ModalGait:
    """A gait of a creature made of its vibrations: the feet swing when they do in the middle of its speeds."""
    order = [leg.joints for leg in morphology.legs]
    middle = (gait.starts + 0.5 * gait.durations)[len(gait.speeds) // 2, :, 0]
    steps = [float(middle[order.index(leg.chain)]) for leg in morphology.skeleton.roles.legs]
    return ModalGait.fit(modes, steps)


def synergy_of(morphology: Morphology, spine: Spine, modes: Modes | None) -> Synergy:
    """How trunk and arms of a creature go with its feet; nothing without vibrations."""
    feet = 3 * len(morphology.legs)
    if modes is None:
        empty = np.zeros((0, 3, feet))
        return Synergy(empty, empty, np.zeros(0, dtype=np.int64), np.zeros((0, 4)), empty, 1.0)
    body = modes.body
    if body is None or len(body.skeleton) != len(morphology.skeleton):
        raise LocomoteError(f"modes: they must be those of the skeleton of {morphology.name or 'this creature'}")
    kept = np.arange(modes.rigid, min(len(modes), modes.rigid + max(CANDIDATES, EACH_LEG * len(morphology.legs))))
    amounts = _amounts(morphology, modes, kept)
    turned = modes.moves.reshape(len(modes), -1, 6)[kept][:, body.bodies, :3]  # of every joint, in the world
    shifted = _shifts(modes, spine.joints[spine.girdles], kept)
    limbs = {j for leg in morphology.legs for j in leg.joints}
    swinging = {*spine.joints.tolist(), *limbs, *morphology.tail}
    arms = [arm for arm in morphology.skeleton.roles.arms if arm.shoulder not in swinging]
    joints = sorted({j for arm in arms for j in (arm.clavicle, arm.shoulder, arm.elbow, arm.wrist) if j is not None})
    joints = [j for j in joints if j not in swinging]
    return Synergy(
        np.ascontiguousarray(np.einsum("mjk,mf->jkf", turned[:, spine.joints], amounts)),
        np.ascontiguousarray(np.einsum("mgk,mf->gkf", shifted, amounts)),
        np.array(joints, dtype=np.int64),
        np.ascontiguousarray(body.rest[joints]),
        np.ascontiguousarray(np.einsum("mjk,mf->jkf", modes.shapes[kept][:, joints], amounts)),
        FARTHEST * float(np.mean(morphology.reaches)),
    )


def _amounts(morphology: Morphology, modes: Modes, kept: IntArray) -> FloatArray:
    """How large each vibration is for each way of each foot ``(M, 3 F)``, rad/m: near the feet, with little effort.

    Feet are told in the frame of the body as it goes, which the root of the vibrations turns and moves in.
    """
    body = modes.body
    assert body is not None
    rows = np.concatenate(
        [
            point_rows(modes.linkage, body.body(leg.joints[-1]), point)
            for leg, point in zip(morphology.legs, morphology.rest_feet, strict=True)
        ]
    )
    weights = np.tile([ASIDE, UP, 1.0], len(morphology.legs))
    told = weights[:, None] * (rows @ modes.moves[kept].T)
    stiff = modes.linkage.stiffness
    effort = EASY * body.leg_length**2 * (modes.rates[kept] ** 2 @ (stiff / stiff.mean()))
    solved: FloatArray = np.linalg.solve(told.T @ told + np.diag(effort), told.T * weights)
    return solved


def _shifts(modes: Modes, joints: IntArray, kept: IntArray) -> FloatArray:
    """Where joints go ``(M, G, 3)``, m for an amplitude of 1."""
    body = modes.body
    assert body is not None
    rows = [point_rows(modes.linkage, int(body.bodies[j]), body.world[0][j]) for j in joints]
    return np.stack([modes.moves[kept] @ each.T for each in rows], axis=1)
