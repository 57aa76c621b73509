"""How a controller finds the parts of an animal in MuJoCo's model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from locomote import rotations as rot
from locomote.physics._kernels import animal_model as am
from locomote.physics._kernels.animal_model import AnimalBody

if TYPE_CHECKING:
    from locomote.physics._animal import Animal

# N m/rad of hips, knees, ankles, paws, spine, neck, tail; frame and its damping; damping of hips; N m at most; share
# of a frame's torque by the spine. For a dog of 34 kg and 0.46 m; others by weight times height.
GAINS = (250.0, 200.0, 120.0, 30.0, 400.0, 60.0, 4.0, 350.0, 14.0, 8.0, 100.0, 0.0, 4.0, 2.0)


UNDER = (0.0492, 0.023)  # m before its hips that a foot of the dog stands in the middle of a stance, hind and fore

DOG_SPINE = 5  # joints of the back of the dog


def mapped(animal: Animal, model: Any) -> AnimalBody:
    import mujoco

    creature, parts = animal.morphology, animal.parts
    names = creature.skeleton.names
    places, turns = creature.rest_pose

    def number(joint: int) -> int:
        return int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, names[joint])) if joint >= 0 else -1

    def joint_of(name: str) -> int:
        return int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name))

    frames = [number(j) for j in parts.frames]
    leg_frame = np.array([1, 1, 0, 0])
    hips = places[[leg[0] for leg in parts.legs]]
    middles = np.stack([hips[2:].mean(axis=0), hips[:2].mean(axis=0)])
    origins = np.stack([rot.rotate(rot.inverse(turns[j]), middles[k] - places[j]) for k, j in enumerate(parts.frames)])
    dofs, angles, joints = (np.full((4, 5), -1) for _ in range(3))
    planes, metas, paws, tips = np.zeros((4, 5)), np.zeros((4, 3)), np.zeros((4, 3)), np.zeros((4, 3))
    for i, leg in enumerate(parts.legs):
        named = [names[leg[0]], names[leg[1]], names[leg[2]], f"{names[leg[2]]} roll"]
        named += [names[leg[3]]] if leg[3] >= 0 else []
        for k, name in enumerate(named):
            at = joint_of(name)
            dofs[i, k], angles[i, k], joints[i, k] = model.jnt_dofadr[at], model.jnt_qposadr[at], at
        last = [j for j in leg if j >= 0][-1]
        tip = creature.rest_feet[parts.order[i]]
        thigh, shank = places[leg[1]] - places[leg[0]], places[leg[2]] - places[leg[1]]
        planes[i] = [thigh[1], thigh[2], shank[1], shank[2], thigh[0] + shank[0]]
        end = places[leg[3]] if leg[3] >= 0 else tip
        metas[i], paws[i] = end - places[leg[2]], tip - end
        tips[i] = rot.rotate(rot.inverse(turns[last]), tip - places[last])
    bodies = model.nbody
    ball_dofs, rest = np.full(bodies, -1), np.tile([1.0, 0.0, 0.0, 0.0], (bodies, 1))
    for j in range(len(names)):
        rest[number(j)] = turns[j]
    for j in range(model.njnt):
        if model.jnt_type[j] == mujoco.mjtJoint.mjJNT_BALL:
            ball_dofs[model.jnt_bodyid[j]] = model.jnt_dofadr[j]
    rear = set(parts.spine) & set(creature.skeleton.ancestors(parts.frames[0]))
    spine = np.array([[number(j), -1 if j in rear else 1] for j in parts.spine], dtype=np.int64).reshape(-1, 2)
    gains = np.array(GAINS) * animal.size
    gains[am.SPINE_SHARE] = GAINS[am.SPINE_SHARE]  # of any size
    gains[[am.FRAME_DAMP, am.HIP_DAMP, am.KNEE_DAMP, am.ANKLE_DAMP]] *= animal.tempo
    gains[am.SPINE] *= len(parts.spine) / DOG_SPINE  # a back is as stiff as another, in however many joints it bends
    centre = animal.masses.centre_of_mass(places, turns)
    share = float(np.clip((centre[2] - middles[0, 2]) / (middles[1, 2] - middles[0, 2]), 0.1, 0.9))
    whole = float(middles[1, 2] - middles[0, 2])
    weights = rot.rotate(turns, animal.masses.centre) + places
    spans = np.clip([(weights[j, 2] - middles[0, 2]) / whole for j in parts.spine], 0.0, 1.0)
    return AnimalBody(
        frames=np.array(frames),
        origins=origins,
        frame_rest=turns[list(parts.frames)].copy(),
        shares=np.array([1.0 - share, share]),
        leg_frame=leg_frame,
        links=np.array([[number(j) for j in leg] for leg in parts.legs]),
        leg_dofs=dofs,
        leg_angles=angles,
        leg_joints=joints,
        hips=hips - middles[leg_frame],
        planes=planes,
        metas=metas,
        paws=paws,
        tips=tips,
        under=np.array(UNDER)[leg_frame] * animal.length,
        spine=spine,
        neck=np.array([number(j) for j in parts.neck], dtype=np.int64),
        tail=np.array([number(j) for j in parts.tail], dtype=np.int64),
        ball_dofs=ball_dofs,
        parents=np.array(model.body_parentid, dtype=np.int64),
        rest=rest,
        masses=np.array(model.body_mass),
        spans=np.asarray(spans, dtype=np.float64),
        gains=gains,
        height=float(middles[:, 1].mean()),
    )
