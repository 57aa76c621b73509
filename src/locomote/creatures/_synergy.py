"""A creature's trunk, arms and folds of legs, driven by its feet through its natural vibrations."""

from __future__ import annotations

import numpy as np

from locomote.creatures._gaits import Gait
from locomote.creatures._kernels.model import Spine, Synergy
from locomote.creatures._morphology import Morphology
from locomote.errors import LocomoteError
from locomote.masses import Masses, is_person
from locomote.modal import Gait as ModalGait
from locomote.modal import JointedBody, Modes, person_pose
from locomote.modal._rows import point_rows
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

CANDIDATES, EACH_LEG = 1000, 4
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
    body = _body_of(morphology, modes)
    amounts = _amounts(morphology, spine, modes)
    turned = modes.moves[modes.rigid :].reshape(len(amounts), -1, 6)[:, body.bodies, :3]  # of every joint, in the world
    shifted = _shifts(modes, spine.joints[spine.girdles])[modes.rigid :]
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
        np.ascontiguousarray(np.einsum("mjk,mf->jkf", modes.shapes[modes.rigid :][:, joints], amounts)),
        FARTHEST * float(np.mean(morphology.reaches)),
    )


def takes_of(morphology: Morphology, spine: Spine, modes: Modes) -> list[FloatArray]:
    """How the joints of each leg ``(K, 3)`` turn for each metre that its foot goes up, rad, in their own frames."""
    amounts = _amounts(morphology, spine, modes)
    return [
        np.einsum("mkx,m->kx", modes.shapes[modes.rigid :][:, list(leg.joints)], amounts[:, 3 * f + 1])
        for f, leg in enumerate(morphology.legs)
    ]


def _body_of(morphology: Morphology, modes: Modes) -> JointedBody:
    body = modes.body
    if body is None or len(body.skeleton) != len(morphology.skeleton):
        raise LocomoteError(f"modes: they must be those of the skeleton of {morphology.name or 'this creature'}")
    return body


def _amounts(morphology: Morphology, spine: Spine, modes: Modes) -> FloatArray:
    """How large each vibration is for each way of each foot ``(M, 3 F)``, rad/m: near the feet, with little effort.

    Feet are told in the frame of the body as it goes, which the root of the vibrations turns and moves in. In the air a
    body sinks and pitches as its legs rise; here legs bear it, and bounce says how high: those sums of vibrations count
    that leave the girdles at their height. All vibrations take part: the quick ones little, for they are stiff.
    """
    from scipy.linalg import null_space

    body = _body_of(morphology, modes)
    rows = np.concatenate(
        [
            point_rows(modes.linkage, body.body(leg.joints[-1]), point)
            for leg, point in zip(morphology.legs, morphology.rest_feet, strict=True)
        ]
    )
    borne = null_space(_shifts(modes, spine.joints[spine.girdles])[modes.rigid :, :, 1].T)
    weights = np.tile([ASIDE, UP, 1.0], len(morphology.legs))
    told = weights[:, None] * (rows @ modes.moves[modes.rigid :].T @ borne)
    stiff = modes.linkage.stiffness
    effort = EASY * body.leg_length**2 * (modes.rates[modes.rigid :] ** 2 @ (stiff / stiff.mean()))
    held = told.T @ told + (borne.T * effort) @ borne
    solved: FloatArray = borne @ np.linalg.solve(held, told.T * weights)
    return solved


def _shifts(modes: Modes, joints: IntArray) -> FloatArray:
    """Where joints go ``(M, G, 3)``, m for an amplitude of 1."""
    body = modes.body
    assert body is not None
    rows = [point_rows(modes.linkage, int(body.bodies[j]), body.world[0][j]) for j in joints]
    return np.stack([modes.moves @ each.T for each in rows], axis=1)
