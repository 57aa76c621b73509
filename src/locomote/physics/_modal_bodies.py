"""Bodies driven by their natural vibrations in MuJoCo: a worm that creeps, a loop that rolls.

Every hinge is a spring about a rest angle that moves with the vibrations, with the stiffness they were found with; what
comes of it on the ground nobody plans. Motion is in the plane of ahead and up.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.modal import PRESETS, Gait, Linkage, Modes
from locomote.modal._rows import rows_of
from locomote.physics._animal_build import GRAVITY, load_mujoco
from locomote.rotations import FloatArray

STEP = 0.0005  # s
DAMPING = 0.015  # N m s/rad, of every hinge
RADIUS = 1.0  # of half the length of a rod, how thick it is where it touches the ground
FRICTION = 1.0
# s, and damping ratio: soft contacts push along the ground, by which rod the tree of joints begins with.
HARD = 0.002, 1.0
SMOOTH = 1e-3  # friction up to which there is none
PRESSED = 1e-5  # m that it begins in the ground: both ends of every rod touch it
HARDEST = 1e3  # m/s beyond which a body has come apart
BODIES = {"ring": Linkage.ring, "chain": Linkage.chain}


class ModalCreature:
    """A linkage of hinges about +X that moves in a plane, driven by a gait of its vibrations.

    >>> worm = ModalCreature.preset("chain")  # doctest: +SKIP
    >>> worm.step(1.0)  # doctest: +SKIP

    Parameters
    ----------
    gait : of the vibrations of a linkage
    damping : N m s/rad, of every hinge
    friction : of the ground
    """

    def __init__(self, gait: Gait, damping: float = DAMPING, friction: float = FRICTION) -> None:
        linkage = gait.modes.linkage
        if any(len(link.axes) != 1 or abs(link.axes[0, 0]) < 1.0 - 1e-9 for link in linkage.links):
            raise LocomoteError("a body in a plane has hinges about +X alone; this linkage has others")
        if not (math.isfinite(damping) and damping >= 0.0 and math.isfinite(friction) and friction >= 0.0):
            raise LocomoteError(f"damping {damping:g} and friction {friction:g}: expected numbers, 0 or more")
        self.gait, self.damping = gait, float(damping)
        self._mujoco: Any = load_mujoco()
        self._model, self._data = self._build(friction)
        self._targets = _targets(gait)
        self.time = 0.0
        self._mujoco.mj_forward(self._model, self._data)

    @classmethod
    def preset(cls, name: str, damping: float = DAMPING) -> ModalCreature:
        """A body of the source with its gait.

        Parameters
        ----------
        name : "ring" or "chain"
        damping : N m s/rad, of every hinge
        """
        if name not in BODIES:
            raise LocomoteError(f"no body {name!r} that is driven by its vibrations; expected ring or chain")
        linkage = BODIES[name]()
        if name == "chain":
            linkage = linkage.begun_at(len(linkage) // 2)  # contacts are softest where the tree of joints begins
        return cls(PRESETS[name].on(Modes.of_linkage(linkage)), damping)

    @property
    def centre(self) -> FloatArray:
        """The centre of mass of all rods, ``(3,)`` m."""
        linkage = self.gait.modes.linkage
        return np.asarray(linkage.mass @ self.places / linkage.mass.sum())

    @property
    def places(self) -> FloatArray:
        """The centres of the rods, ``(B, 3)`` m."""
        return np.asarray(np.array(self._data.xpos[1:])[self._order])

    @property
    def ends(self) -> FloatArray:
        """The two ends of every rod, ``(B, 2, 3)`` m."""
        half = np.array(self._data.xmat[1:]).reshape(-1, 3, 3)[self._order] @ self._halves[:, :, None]
        return np.stack([self.places - half[:, :, 0], self.places + half[:, :, 0]], axis=1)

    @property
    def energy(self) -> float:
        """Of motion, height and hinges about their present rest angles, J."""
        data, model = self._data, self._model
        self._mujoco.mj_energyPos(model, data)
        self._mujoco.mj_energyVel(model, data)
        return float(data.energy.sum()) + 0.5 * float(self.gait.modes.linkage.stiffness @ self._off() ** 2)

    @property
    def gap(self) -> float:
        """How far the closed hinges of a loop have come apart, m."""
        ends = self.ends
        gaps = []
        for k in self._closing:
            link = self.gait.modes.linkage.links[k]
            both = np.linalg.norm(ends[link.parent][:, None] - ends[link.child][None], axis=2)
            gaps.append(float(both.min()))
        return max(gaps, default=0.0)

    def still(self) -> None:
        """Let the hinges keep their rest angles: nothing drives it any more."""
        self._targets = np.zeros_like(self._targets)

    def step(self, dt: float) -> FloatArray:
        """Advance by ``dt`` seconds, in whole steps of half a millisecond; the centres of the rods ``(B, 3)`` m."""
        if not 0.0 <= dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds, 0 or more")
        model, data, mujoco = self._model, self._data, self._mujoco
        until = self.time + dt
        while self.time < until - 0.5 * STEP:
            springs = -self.gait.modes.linkage.stiffness * self._off()
            torques = springs - self.damping * self._rates()
            data.qfrc_applied[self._hinges] = springs[self._tree]  # MuJoCo damps the hinges of the tree, implicitly
            data.xfrc_applied[:] = 0.0
            for k in self._closing:
                link = self.gait.modes.linkage.links[k]
                data.xfrc_applied[self._ids[link.child], 3] += torques[k] * link.axes[0, 0]
                data.xfrc_applied[self._ids[link.parent], 3] -= torques[k] * link.axes[0, 0]
            mujoco.mj_step(model, data)
            self.time += STEP
        if not np.all(np.abs(data.qvel) < HARDEST):
            raise LocomoteError("the body came apart; give its hinges more damping")
        return self.places

    def _off(self) -> FloatArray:
        """How far every hinge is from its present rest angle, ``(L,)`` rad."""
        waves = np.sin(2.0 * np.pi * self._targets[:, 0, 0] * self.time + self._targets[:, 1, 0])
        off: FloatArray = self._angles() - waves @ self._targets[:, 2]
        return off

    def _angles(self) -> FloatArray:
        """Of all hinges ``(L,)`` rad, by the turns of the rods; those of a loop all the way round it."""
        turns = np.zeros(len(self.gait.modes.linkage))
        linkage = self.gait.modes.linkage
        for k, index in enumerate(self._tree):
            link = linkage.links[index]
            inner, outer = (link.parent, link.child) if self._outwards[k] > 0.0 else (link.child, link.parent)
            turns[outer] = turns[inner] + self._outwards[k] * self._data.qpos[self._hinges[k]] * link.axes[0, 0]
        return np.array([(turns[link.child] - turns[link.parent]) * link.axes[0, 0] for link in linkage.links])

    def _rates(self) -> FloatArray:
        rates = np.zeros(len(self.gait.modes.linkage))
        linkage = self.gait.modes.linkage
        for k, index in enumerate(self._tree):
            link = linkage.links[index]
            inner, outer = (link.parent, link.child) if self._outwards[k] > 0.0 else (link.child, link.parent)
            rates[outer] = rates[inner] + self._outwards[k] * self._data.qvel[self._hinges[k]] * link.axes[0, 0]
        return np.array([(rates[link.child] - rates[link.parent]) * link.axes[0, 0] for link in linkage.links])

    def _build(self, friction: float) -> tuple[Any, Any]:
        mujoco, linkage = self._mujoco, self.gait.modes.linkage
        tree = linkage.tree
        self._tree, self._outwards, self._closing = tree.links, tree.outwards, [int(k) for k in tree.closing]
        self._halves = _halves(linkage)
        radius = RADIUS * float(np.linalg.norm(self._halves[0]))
        lowest = float((linkage.centre - np.abs(self._halves))[:, 1].min())
        lift = np.array([0.0, radius - PRESSED - lowest, 0.0])
        spec = mujoco.MjSpec()
        spec.option.gravity, spec.option.timestep = [0.0, -GRAVITY, 0.0], STEP
        spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        spec.option.enableflags |= int(mujoco.mjtEnableBit.mjENBL_ENERGY)
        spec.compiler.degree = False
        size = [0.0, 0.0, 1.0]
        self._friction = [max(friction, SMOOTH), 0.005, 0.0001]
        self._touch = 3 if friction > SMOOTH else 1  # dimensions of a contact
        floor = spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_PLANE, size=size, friction=self._friction)
        floor.condim, floor.solref = self._touch, list(HARD)
        floor.quat = [math.sqrt(0.5), -math.sqrt(0.5), 0.0, 0.0]  # its normal is up
        bodies = {0: self._body(spec.worldbody, linkage, 0, linkage.centre[0] + lift, radius)}
        for axis in ((0.0, 1.0, 0.0), (0.0, 0.0, 1.0)):
            bodies[0].add_joint(type=mujoco.mjtJoint.mjJNT_SLIDE, axis=list(axis))
        bodies[0].add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=[1.0, 0.0, 0.0])
        for index, sign in zip(tree.links, tree.outwards, strict=True):
            link = linkage.links[index]
            inner, outer = (link.parent, link.child) if sign > 0.0 else (link.child, link.parent)
            bodies[outer] = self._body(
                bodies[inner], linkage, outer, linkage.centre[outer] - linkage.centre[inner], radius
            )
            at = link.place - linkage.centre[outer]
            name = f"link {index}"
            hinge = bodies[outer].add_joint(name=name, type=mujoco.mjtJoint.mjJNT_HINGE, pos=at)
            hinge.axis, hinge.damping = sign * link.axes[0], [self.damping, 0.0, 0.0]
        for index in self._closing:
            link = linkage.links[index]
            closed = spec.add_equality(type=mujoco.mjtEq.mjEQ_CONNECT, objtype=mujoco.mjtObj.mjOBJ_BODY)
            closed.name1, closed.name2 = linkage.names[link.parent], linkage.names[link.child]
            closed.data[:3] = link.place - linkage.centre[link.parent]
            closed.solref = [2.0 * STEP, 1.0]
        model = spec.compile()
        kind = mujoco.mjtObj.mjOBJ_BODY
        self._ids = [mujoco.mj_name2id(model, kind, name) for name in linkage.names]
        self._order = np.array(self._ids) - 1
        joints = [mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, f"link {index}") for index in tree.links]
        self._hinges = np.array([model.jnt_dofadr[joint] for joint in joints])  # all joints have one number each
        return model, mujoco.MjData(model)

    def _body(self, above: Any, linkage: Linkage, body: int, place: FloatArray, radius: float) -> Any:
        """A rod that touches the ground and nothing else."""
        mujoco, inertia = self._mujoco, linkage.inertia[body]
        rod = above.add_body(name=linkage.names[body], pos=place)
        rod.mass, rod.explicitinertial, rod.ipos = linkage.mass[body], True, [0.0, 0.0, 0.0]
        rod.fullinertia = [*np.diag(inertia), inertia[0, 1], inertia[0, 2], inertia[1, 2]]
        ends = [*(-self._halves[body]), *self._halves[body]]
        geom = rod.add_geom(type=mujoco.mjtGeom.mjGEOM_CAPSULE, fromto=ends, size=[radius, 0.0, 0.0])
        geom.contype, geom.conaffinity, geom.friction, geom.condim = 0, 1, self._friction, self._touch
        geom.solref = list(HARD)
        return rod


def _halves(linkage: Linkage) -> FloatArray:
    """From the centre of every rod to its end ``(B, 3)`` m: along what it turns about most easily."""
    values, axes = np.linalg.eigh(linkage.inertia)
    lengths = np.sqrt(np.maximum(3.0 * values[:, 2] / linkage.mass, 0.0))
    return np.asarray(lengths[:, None] * axes[:, :, 0])


def _targets(gait: Gait) -> FloatArray:
    """Frequency, phase and amplitudes of all hinges of every channel ``(C, 3, L)``."""
    count = rows_of(gait.modes.linkage).turns.shape[0]
    rows = [
        np.stack(
            [
                np.full(count, channel.harmonic * gait.frequency),
                np.full(count, channel.phase),
                channel.amplitude * gait.modes.rates[channel.mode],
            ]
        )
        for channel in gait.channels
    ]
    return np.array(rows).reshape(-1, 3, count)
