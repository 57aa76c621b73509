"""A climber in MuJoCo whose forces at the holds are known: joints are springs that follow a climb, grips hold on."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._pose import local_rotations
from locomote.human_skeleton import COMMON
from locomote.masses import Masses
from locomote.motion import Motion
from locomote.physics import Climb, Grips, climb
from locomote.rotations import FloatArray

GRAVITY = 9.81
_STEPS = 10  # of the simulation a frame
_SPRING = 3.0  # N m/rad a kilogram of what hangs on a joint, and at least
_LEAST_SPRING = 20.0
_DAMPER = 0.12  # s, of the spring
_ARMATURE = 0.01  # kg m2 at every joint, which keeps small segments from trembling
FEET = [[0.28 if k % 2 == 0 else -0.28, 0.35 + 0.32 * k, 0.5] for k in range(8)]
HANDS = [[0.3 if k % 2 == 0 else -0.3, 1.55 + 0.3 * k, 0.5] for k in range(8)]
START = {"left foot": 0, "right foot": 1, "left hand": 8, "right hand": 9}
MOVES = [("left hand", 10), ("right foot", 3), ("right hand", 11), ("left foot", 2)]
MOVES += [("left hand", 12), ("right foot", 5), ("right hand", 13), ("left foot", 4)]


class SimulatedClimb(NamedTuple):
    """A climb as it was simulated, and its truth."""

    motion: Motion
    masses: Masses
    grips: Grips
    force: FloatArray  # (F, 4, 3) N on each hand and foot


def simulate_climb(mass: float = 80.0) -> SimulatedClimb:
    """Let a body follow an authored climb of eight moves."""
    import mujoco

    skeleton = COMMON.scaled(0.93)
    masses = Masses.of(skeleton, mass)
    authored = climb(skeleton, [*FEET, *HANDS], START, MOVES, mass=masses, pause=0.8)
    model = _model(mujoco, authored, masses)
    data = mujoco.MjData(model)
    return _run(mujoco, model, data, authored, masses)


def _model(mujoco: Any, authored: Climb, masses: Masses) -> Any:
    """The body: balls where a segment has mass; others are stiff, as the climb has them in its first frame."""
    skeleton, first = authored.motion.skeleton, authored.motion.rotations[0]
    spec = mujoco.MjSpec()
    spec.option.gravity = [0.0, -GRAVITY, 0.0]
    spec.option.timestep = 1.0 / (authored.motion.fps * _STEPS)
    spec.compiler.balanceinertia = True
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    beyond = _beyond(authored, masses)
    bodies = {-1: spec.worldbody}
    for j, name in enumerate(skeleton.names):
        at = authored.motion.root_positions[0] if j == 0 else skeleton.offsets[j]
        turn = first[j] if j == 0 or masses.mass[j] == 0.0 else [1.0, 0.0, 0.0, 0.0]
        body = bodies[int(skeleton.parents[j])].add_body(name=name, pos=at, quat=turn)
        if masses.mass[j] > 0.0:
            inertia = masses.inertia[j]
            body.mass, body.ipos, body.explicitinertial = masses.mass[j], masses.centre[j], True
            body.fullinertia = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
            kind = mujoco.mjtJoint.mjJNT_FREE if j == 0 else mujoco.mjtJoint.mjJNT_BALL
            damper = _DAMPER * _spring(beyond[j]) if j else 0.0
            body.add_joint(name=name, type=kind, damping=damper, armature=_ARMATURE if j else 0.0)
        bodies[j] = body
    for limb, joint in enumerate(authored.grips.joints):
        hold = spec.worldbody.add_body(name=f"hold{limb}", mocap=True)
        hold.pos = authored.motion.joint_positions()[0, joint]
        tie = spec.add_equality(name=f"grip{limb}")
        tie.type, tie.objtype = mujoco.mjtEq.mjEQ_CONNECT, mujoco.mjtObj.mjOBJ_BODY
        tie.name1, tie.name2 = f"hold{limb}", skeleton.names[joint]
        tie.data[:6] = 0.0  # the joint itself, at the hold
    return spec.compile()


def _run(mujoco: Any, model: Any, data: Any, authored: Climb, masses: Masses) -> SimulatedClimb:
    motion, grips = authored.motion, authored.grips
    skeleton = motion.skeleton
    moving = [j for j in range(1, len(skeleton)) if masses.mass[j] > 0.0]
    beyond = _beyond(authored, masses)
    data.qpos[:3], data.qpos[3:7] = motion.root_positions[0], motion.rotations[0, 0]
    for j in moving:
        at = model.joint(skeleton.names[j]).qposadr[0]
        data.qpos[at : at + 4] = motion.rotations[0, j]
    roots, turns, force = [], [], []
    held = np.asarray(grips.holds, dtype=bool)
    for frame in range(len(motion)):
        felt = np.zeros((4, 3))
        for limb, joint in enumerate(grips.joints):
            if held[frame, limb] and not data.eq_active[limb]:  # it holds on where it is, without a jerk
                data.mocap_pos[limb] = data.body(skeleton.names[joint]).xpos
            data.eq_active[limb] = held[frame, limb]
        for _ in range(_STEPS):
            for j in moving:
                joint = model.joint(skeleton.names[j])
                q, dof = joint.qposadr[0], joint.dofadr[0]
                off = rot.log(rot.multiply(rot.inverse(motion.rotations[frame, j]), data.qpos[q : q + 4]))
                data.qfrc_applied[dof : dof + 3] = -_spring(beyond[j]) * off
            mujoco.mj_step(model, data)
            felt += _felt(mujoco, data, held[frame]) / _STEPS
        mujoco.mj_kinematics(model, data)
        roots.append(data.body(skeleton.names[0]).xpos.copy())
        turns.append([data.body(name).xquat.copy() for name in skeleton.names])
        force.append(felt)
    world = rot.continuous(np.array(turns))
    local = local_rotations(skeleton, world)
    made = Motion(skeleton, motion.fps, np.array(roots), local, name="simulated climb")
    return SimulatedClimb(made, masses, grips, np.array(force))


def _beyond(authored: Climb, masses: Masses) -> FloatArray:
    """The mass that each joint carries, with its own segment, kg."""
    beyond = masses.mass.copy()
    parents = authored.motion.skeleton.parents
    for j in range(len(parents) - 1, 0, -1):
        beyond[parents[j]] += beyond[j]
    return beyond


def _spring(beyond: float) -> float:
    """N m/rad of a joint that carries so many kilograms."""
    return max(_SPRING * float(beyond), _LEAST_SPRING)


def _felt(mujoco: Any, data: Any, held: FloatArray) -> FloatArray:
    """The force of each hold on the body; rows of ties come in the order of the limbs that hold on."""
    out = np.zeros((4, 3))
    row = 0
    for limb in range(4):
        if held[limb]:
            out[limb] = -data.efc_force[row : row + 3]
            row += 3
    return out
