"""The body of an animal as MuJoCo's model: joints, masses, shapes and what feels the ground."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote import rotations as rot
from locomote.creatures import Morphology
from locomote.errors import MissingExtra
from locomote.physics._animal_map import GAINS
from locomote.physics._animal_parts import bone_of
from locomote.physics._kernels import animal_model as am
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    import mujoco

    from locomote.physics._animal import Animal

_log = logging.getLogger("locomote")

GRAVITY = 9.81
STEP = 0.001  # s
FRICTION = 1.0
NAMES = ("L1", "R1", "L2", "R2")
_DAMPING = {
    "knee": GAINS[am.KNEE_DAMP],
    "ankle": GAINS[am.ANKLE_DAMP],
    "roll": 2.0,
    "paw": 0.5,
    "spine": 6.0,
    "neck": 3.0,
    "tail": 0.3,
    "hip": 0.5,
}
_ARMATURE = 0.004  # kg m2 of a joint, at the dog's size
_PAW_HALF = 0.025, 0.012  # half width and height of a dog's paw, m


def load_mujoco() -> Any:
    """MuJoCo, or one line that says how to get it."""
    try:
        import mujoco
    except ImportError:
        raise MissingExtra("mujoco", "physics", "a simulated animal") from None
    if mujoco.get_mju_user_warning() is None:  # it would write a file of them
        mujoco.set_mju_user_warning(_note)
    return mujoco


def _note(text: str) -> None:
    """Warnings of MuJoCo go to the log, unless somebody else takes them."""
    _log.debug("MuJoCo: %s", text)


class Builder:
    """Puts the model together."""

    def __init__(self, animal: Animal) -> None:
        self.animal, self.creature, self.parts = animal, animal.morphology, animal.parts
        self.mujoco = load_mujoco()
        self.scale = animal.size
        self.length = animal.length

    def build(self, friction: float) -> mujoco.MjSpec:
        spec = self.mujoco.MjSpec()
        spec.option.gravity = [0.0, -GRAVITY, 0.0]
        spec.option.timestep = STEP
        spec.option.integrator = self.mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.option.cone = self.mujoco.mjtCone.mjCONE_ELLIPTIC
        spec.option.iterations = 10
        spec.compiler.boundmass, spec.compiler.boundinertia = 1e-4, 1e-6
        spec.compiler.balanceinertia, spec.compiler.degree = True, False
        bodies = {-1: spec.worldbody}
        skeleton, masses = self.creature.skeleton, self.animal.masses
        for j, name in enumerate(skeleton.names):
            at = skeleton.offsets[j] if j else self.creature.rest_pose[0][0]
            body = bodies[int(skeleton.parents[j])].add_body(name=name, pos=at, quat=skeleton.rest_rotations[j])
            bodies[j] = body
            if masses.mass[j] > 0.0:
                inertia = masses.inertia[j]
                body.mass, body.ipos, body.explicitinertial = masses.mass[j], masses.centre[j], True
                body.fullinertia = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
            self._joints(body, j, name)
            self._shape(body, j, friction)
        for leg, foot in zip(self.parts.legs, NAMES, strict=True):
            self._paw(spec, bodies[[j for j in leg if j >= 0][-1]], leg, foot, friction)
        return spec

    def _joints(self, body: Any, j: int, name: str) -> None:
        ball, hinge = self.mujoco.mjtJoint.mjJNT_BALL, self.mujoco.mjtJoint.mjJNT_HINGE
        parts, armature = self.parts, _ARMATURE * self.scale * self.length
        if j == 0:
            body.add_freejoint(name="root")
            return
        turn = self.creature.rest_pose[1][j]

        def axis(world: tuple[float, float, float]) -> FloatArray:
            return np.asarray(rot.rotate(rot.inverse(turn), np.array(world)))

        def damping(of: str) -> list[float]:
            return [_DAMPING[of] * self.scale * self.animal.tempo, 0.0, 0.0]

        for leg in parts.legs:
            if j == leg[am.THIGH]:
                body.add_joint(name=name, type=ball, armature=armature, damping=damping("hip"))
            elif j == leg[am.SHANK]:
                body.add_joint(name=name, type=hinge, axis=axis((1, 0, 0)), armature=armature, damping=damping("knee"),
                               range=self._range(leg), limited=1)  # fmt: skip
            elif j == leg[am.META]:
                body.add_joint(name=name, type=hinge, axis=axis((1, 0, 0)), armature=armature, damping=damping("ankle"))
                body.add_joint(name=f"{name} roll", type=hinge, axis=axis((0, 0, 1)), armature=armature,
                               damping=damping("roll"))  # fmt: skip
            elif j == leg[am.PAW]:
                body.add_joint(name=name, type=hinge, axis=axis((1, 0, 0)), armature=0.25 * armature,
                               damping=damping("paw"))  # fmt: skip
        for joints, of in ((parts.spine, "spine"), (parts.neck, "neck"), (parts.tail, "tail")):
            if j in joints and not (of == "spine" and self.animal.rigid_spine):
                body.add_joint(name=name, type=ball, armature=0.25 * armature, damping=damping(of))

    def _range(self, leg: tuple[int, ...]) -> list[float]:
        """How far a knee bends: never through; rad from rest."""
        upper, lower = (_in_plane(self.creature, leg[k], leg[k + 1]) for k in (0, 1))
        bent = float(np.arctan2(lower[1], -lower[0]) - np.arctan2(upper[1], -upper[0]))  # towards the front
        # Turning by t about +X changes the bend by -t: it stays on its side, and ends at 150 degrees.
        away, straight = np.radians(150.0) - abs(bent), abs(bent) - np.radians(4.0)
        return [-away, straight] if bent > 0.0 else [-straight, away]

    def _shape(self, body: Any, j: int, friction: float) -> None:
        """Trunk, head and bones that touch the ground when it lies; no part touches another."""
        bone = bone_of(self.creature, j)
        length = float(np.linalg.norm(bone))
        legs = [leg for leg in self.parts.legs if j in leg]
        if j in [leg[k] for leg in legs for k in (am.PAW,)] or length < 1e-3 * self.length:
            return
        trunk = j in self.parts.frames or j in self.parts.spine
        radius = (0.075 if trunk else 0.045 if j in self.parts.neck else 0.015) * self.length
        end = np.zeros(3) if length <= 2.0 * radius and trunk else bone
        low = np.array([0.0, -0.05 if trunk else 0.0, 0.0]) * self.length
        kind = self.mujoco.mjtGeom.mjGEOM_CAPSULE
        if not np.any(end):
            end = np.array([0.0, 0.0, 0.01]) * self.length
        fromto = [*low, *(end + low)]
        body.add_geom(type=kind, size=[radius, 0.0, 0.0], fromto=fromto, contype=0, conaffinity=1,
                      friction=[0.6 * friction, 0.005, 0.0001], mass=0.0)  # fmt: skip

    def _paw(self, spec: Any, body: Any, leg: tuple[int, ...], foot: str, friction: float) -> None:
        """A box that stands, and what feels the ground under it."""
        last = [j for j in leg if j >= 0][-1]
        position, turn = (self.creature.rest_pose[k][last] for k in (0, 1))
        index = self.parts.order[NAMES.index(foot)]
        tip = self.creature.rest_feet[index]
        wide, high = (v * self.length for v in _PAW_HALF)
        long = 0.5 * max(float(tip[2] - position[2]), 0.03 * self.length) + 0.01 * self.length
        at = np.array([tip[0], tip[1] + high, tip[2] - long + 0.01 * self.length])
        local = rot.rotate(rot.inverse(turn), at - position)
        box = self.mujoco.mjtGeom.mjGEOM_BOX
        body.add_geom(name=f"paw {foot}", type=box, size=[wide, high, long], pos=local, quat=rot.inverse(turn),
                      contype=0, conaffinity=1, friction=[friction, 0.005, 0.0001], mass=0.0)  # fmt: skip
        site = body.add_site(name=f"paw {foot}", type=box, size=[2 * wide, 2 * high + 0.01, 1.5 * long], pos=local,
                             quat=rot.inverse(turn))  # fmt: skip
        spec.add_sensor(name=f"touch {foot}", type=self.mujoco.mjtSensor.mjSENS_TOUCH,
                        objtype=self.mujoco.mjtObj.mjOBJ_SITE, objname=site.name)  # fmt: skip


def _in_plane(creature: Morphology, upper: int, lower: int) -> FloatArray:
    """A bone at rest, seen from the side: up and forward."""
    places = creature.rest_pose[0]
    return np.asarray((places[lower] - places[upper])[[1, 2]])
