"""A four-legged body in MuJoCo whose contact forces are known: truth for two to four feet on the ground.

It stands, sways, lifts one leg after the other, and trots on the spot, held by springs at its joints.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._pose import local_rotations
from locomote.masses import Masses
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg, Roles, Skeleton

GRAVITY = 9.81
FPS = 100.0
_STEPS = 10  # of the simulation a frame
_TRUNK = (0.12, 0.09, 0.32)  # m, half sizes: to the sides, up, ahead
_BONE = 0.22  # m, of thigh and shank
_STANCE = 0.36  # m from the hip down to the foot
_SPRING, _DAMPER = 400.0, 12.0  # N m/rad and N m s/rad at every joint
_FOOT = 0.02  # m, radius
_LEGS = (("left", 0), ("right", 0), ("left", 1), ("right", 1))  # side and row, from the front
_TRUNK_MASS, _THIGH_MASS, _SHANK_MASS = 18.0, 1.6, 0.7  # kg


class Simulated(NamedTuple):
    """A motion and its truth."""

    motion: Motion
    masses: Masses
    force: FloatArray  # (F, 4, 3) N, of the ground on each foot


def _model(mujoco: Any) -> Any:
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, -GRAVITY, 0.0]
    spec.option.timestep = 1.0 / (FPS * _STEPS)
    floor = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=[5, 5, 0.1], friction=[0.9, 0.01, 0.001])
    floor.quat = [np.sqrt(0.5), -np.sqrt(0.5), 0.0, 0.0]  # its normal is z in MuJoCo, and here y
    trunk = spec.worldbody.add_body(name="trunk", pos=[0, _STANCE + _FOOT, 0])
    trunk.add_joint(type=mujoco.mjtJoint.mjJNT_FREE)
    box = mujoco.mjtGeom.mjGEOM_BOX
    trunk.add_geom(type=box, size=_TRUNK, mass=_TRUNK_MASS, contype=0, conaffinity=0)
    capsule, hinge = mujoco.mjtGeom.mjGEOM_CAPSULE, mujoco.mjtJoint.mjJNT_HINGE
    for side, row in _LEGS:
        name = f"{side}{row}"
        x, z = (_TRUNK[0] if side == "left" else -_TRUNK[0]), (_TRUNK[2] - 0.06) * (1 if row == 0 else -1)
        thigh = trunk.add_body(name=f"{name}_hip", pos=[x, 0, z])
        for axis, what in (([0, 0, 1], "roll"), ([1, 0, 0], "pitch")):
            thigh.add_joint(name=f"{name}_{what}", type=hinge, axis=axis, damping=0.0)
        thigh.add_geom(
            type=capsule, fromto=[0, 0, 0, 0, -_BONE, 0], size=[0.03, 0, 0], mass=_THIGH_MASS, contype=0, conaffinity=0
        )
        shank = thigh.add_body(name=f"{name}_knee", pos=[0, -_BONE, 0])
        shank.add_joint(name=f"{name}_knee", type=hinge, axis=[1, 0, 0], damping=0.0)
        shank.add_geom(
            type=capsule, fromto=[0, 0, 0, 0, -_BONE, 0], size=[0.02, 0, 0], mass=_SHANK_MASS, contype=0, conaffinity=0
        )
        shank.add_geom(name=name, type=mujoco.mjtGeom.mjGEOM_SPHERE, pos=[0, -_BONE, 0], size=[_FOOT, 0, 0], mass=1e-6)
        for what in ("roll", "pitch", "knee"):
            motor = spec.add_actuator(name=f"{name}_{what}", target=f"{name}_{what}")
            motor.trntype = mujoco.mjtTrn.mjTRN_JOINT
            motor.set_to_position(kp=_SPRING, kv=_DAMPER)
    return spec.compile()


def _goals(seconds: float, t: float) -> FloatArray:
    """Where each foot shall be from its hip ``(4, 3)``: a sway, legs lifted in turn, a trot on the spot."""
    ease = min(1.0, t / 0.5)
    # The feet go opposite to the trunk.
    sway = ease * np.array([0.025 * np.sin(4.0 * t), 0.012 * np.sin(5.3 * t), 0.03 * np.sin(3.1 * t)])
    feet = np.tile([0.0, -_STANCE, 0.0], (4, 1)) - sway
    part = t / seconds
    if 0.3 < part < 0.7:  # one leg after the other, the trunk leant away from it
        turn = (part - 0.3) / 0.1
        leg, phase = int(turn), turn % 1.0
        lean = np.sin(np.pi * phase) ** 2
        side, row = _LEGS[leg]
        feet -= lean * np.array([-0.05 if side == "left" else 0.05, 0.0, -0.06 if row == 0 else 0.06])
        feet[leg, 1] += 0.06 * max(0.0, np.sin(np.pi * (phase - 0.25) / 0.5)) if 0.25 < phase < 0.75 else 0.0
    elif part >= 0.7:  # a trot on the spot
        beat = 4.0 * (t - 0.7 * seconds)
        pair = [0, 3] if beat % 1.0 < 0.5 else [1, 2]
        feet[pair, 1] += 0.02 * np.sin(np.pi * (beat % 0.5) / 0.5) ** 2
    return feet


def _angles(foot: FloatArray) -> tuple[float, float, float]:
    """Roll, pitch and knee that put a foot at a place from its hip."""
    roll = np.arctan2(foot[0], -foot[1])
    down, ahead = float(np.hypot(foot[0], foot[1])), float(foot[2])
    reach = min(float(np.hypot(down, ahead)), 1.999 * _BONE)
    knee = 2.0 * np.arccos(reach / (2.0 * _BONE))
    pitch = -np.arctan2(ahead, down) - 0.5 * knee
    return float(roll), float(pitch), float(knee)


def simulate(seconds: float = 10.0) -> Simulated:
    """Run the simulation."""
    import mujoco

    model = _model(mujoco)
    data = mujoco.MjData(model)
    for side, row in _LEGS:
        for what, value in zip(("roll", "pitch", "knee"), _angles(np.array([0, -_STANCE, 0])), strict=True):
            data.qpos[model.joint(f"{side}{row}_{what}").qposadr[0]] = value
    names = ["trunk"] + [f"{s}{r}_{j}" for s, r in _LEGS for j in ("hip", "knee")]
    feet = [model.geom(f"{s}{r}").id for s, r in _LEGS]
    roots, turns, force = [], [], []
    for frame in range(int(seconds * FPS)):
        felt = np.zeros((4, 3))
        for step in range(_STEPS):
            t = (frame + step / _STEPS) / FPS
            data.ctrl[:] = np.concatenate([_angles(foot) for foot in _goals(seconds, t)])
            mujoco.mj_step(model, data)
            felt += _felt(mujoco, model, data, feet) / _STEPS
        mujoco.mj_kinematics(model, data)
        roots.append(data.body("trunk").xpos.copy())
        turns.append([data.body(name).xquat.copy() for name in names])
        force.append(felt)
    skeleton = _skeleton()
    world = rot.continuous(np.array(turns))
    local = local_rotations(skeleton, world)
    motion = Motion(skeleton, FPS, np.array(roots), local, name="simulated")
    return Simulated(motion, _masses(model, names), np.array(force))


def _felt(mujoco: Any, model: Any, data: Any, feet: list[int]) -> FloatArray:
    """The force of the ground on each foot."""
    out, each = np.zeros((4, 3)), np.zeros(6)
    for i in range(data.ncon):
        contact = data.contact[i]
        mujoco.mj_contactForce(model, data, i, each)
        push = contact.frame.reshape(3, 3).T @ each[:3]  # on the second body of the pair
        for leg, foot in enumerate(feet):
            if foot in contact.geom:
                out[leg] += push if contact.geom[1] == foot else -push
    return out


def _skeleton() -> Skeleton:
    names, parents, offsets = ["trunk"], [-1], [[0.0, _STANCE + _FOOT, 0.0]]
    legs = []
    for side, row in _LEGS:
        x, z = (_TRUNK[0] if side == "left" else -_TRUNK[0]), (_TRUNK[2] - 0.06) * (1 if row == 0 else -1)
        hip = len(names)
        names += [f"{side}{row}_hip", f"{side}{row}_knee"]
        parents += [0, hip]
        offsets += [[x, 0.0, z], [0.0, -_BONE, 0.0]]
        tip = (0.0, -_BONE, 0.0)
        legs.append(Leg(side, row, hip, hip + 1, hip + 1, hip + 1, hip + 1, tip, (hip, hip + 1)))
    knees = [leg.knee for leg in legs]
    skeleton = Skeleton(
        tuple(names),
        np.array(parents),
        np.array(offsets),
        end_parents=np.array(knees),
        end_offsets=np.tile([0.0, -_BONE, 0.0], (4, 1)),
    )
    return skeleton.with_roles(Roles(root=0, legs=tuple(legs)))


def _masses(model: Any, names: list[str]) -> Masses:
    bodies = [model.body(name) for name in names]
    turn = rot.to_matrix(np.array([body.iquat for body in bodies]))
    inertia = turn @ np.array([np.diag(body.inertia) for body in bodies]) @ np.swapaxes(turn, 1, 2)
    mass = np.array([float(body.mass[0]) for body in bodies])
    return Masses(mass, np.array([body.ipos for body in bodies]), inertia)
