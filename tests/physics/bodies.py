"""Bodies for the tests of geodesic dynamics: a person from synthetic motion, trees at random, and a twin in MuJoCo."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import locomote as lm
from locomote import rotations as rot
from locomote.masses import Masses
from locomote.physics._kernels.momentum_steps import Free, free_steps
from locomote.physics._kernels.reduced_dynamics import State, Work, look
from locomote.physics._reduced import ReducedBody
from locomote.rotations import FloatArray
from locomote.spaces import PoseSpace


@cache
def space(k: int = 12) -> PoseSpace:
    """Of somebody who walks and runs; no recorded motion is needed."""
    clips = [lm.samples.performer(speed=speed, seconds=2.0).motion for speed in (1.0, 1.8, 3.2)]
    return PoseSpace.fit(clips, k, metric="kinetic")


@cache
def everyday(k: int = 15) -> PoseSpace:
    """Of the poses that come with the package: sitting, reaching, dancing, climbing."""
    poses = lm.spaces.PoseDatabase.default()
    return PoseSpace.fit(lm.Motion(poses.skeleton, 30.0, poses.root_positions, poses.rotations), k, metric="kinetic")


@cache
def person(k: int = 12) -> ReducedBody:
    return ReducedBody.of(space(k), Masses.of(space(k).skeleton, 70.0))


def random_tree(seed: int, bodies: int = 13, k: int = 12) -> ReducedBody:
    """A tree of random shape, masses and directions: nothing like a person."""
    rng = np.random.default_rng(seed)
    parents = np.array([-1, *(int(rng.integers(0, j)) for j in range(1, bodies))])
    skeleton = lm.Skeleton(tuple(f"j{j}" for j in range(bodies)), parents, 0.3 * rng.normal(size=(bodies, 3)))
    turns = rot.exp(0.4 * rng.normal(size=(60, bodies, 3)))
    motion = lm.Motion(skeleton, 30.0, np.zeros((60, 3)), turns)
    roots = rng.normal(size=(bodies, 3, 3)) * 0.1
    spread = roots @ roots.swapaxes(1, 2) + 0.005 * np.eye(3)
    inertia = np.trace(spread, axis1=1, axis2=2)[:, None, None] * np.eye(3) - spread
    masses = Masses(rng.uniform(0.5, 5.0, bodies), 0.1 * rng.normal(size=(bodies, 3)), inertia)
    return ReducedBody.of(PoseSpace.fit(motion, k, metric="angle", joints=range(1, bodies)), masses)


def moving(body: ReducedBody, seed: int, speed: float = 1.0) -> State:
    """A state at random."""
    rng = np.random.default_rng(seed)
    state = body.state()
    state.turn[:] = rot.exp(rng.normal(size=3))
    state.place[:] = rng.normal(size=3)
    state.x[:] = rng.normal(size=len(state.x)) * body.space.deviations
    state.v[:] = speed * rng.normal(size=len(state.v))
    return state


def swept(body: ReducedBody, state: State, gravity: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> Work:
    work = body.work()
    look(body.tree, state, np.array(gravity), work)
    return work


def shifted(state: State, change: FloatArray) -> State:
    """The state at a pose that differs by ``change (6 + k,)``, its velocities the same."""
    turn = rot.multiply(state.turn, rot.exp(change[:3]))
    return State(turn, state.place + change[3:6], state.x + change[6:], state.v.copy(), state.p.copy())


def impulse(body: ReducedBody, state: State, joint: str | int, push: tuple[float, float, float]) -> FloatArray:
    """The generalised impulse ``(6 + k,)`` of a push, N s, at a joint."""
    work = swept(body, state)
    b, point = body.point(joint)
    arm = rot.rotate(work.rotations[b], point)
    moves = work.moves[b] + np.cross(work.turns[b], arm[:, None], axis=0)
    about = np.cross(work.places[b] + arm - state.place, push)
    return np.concatenate([rot.rotate(rot.inverse(state.turn), about), push, moves.T @ push])


def momentum_drift(body: ReducedBody, start: State, pushed: FloatArray, how: Free, seconds: float = 5.0) -> FloatArray:
    """The largest change of angular momentum, of its first value: about the centre, and as the integrator has it.

    The first is that of ``M(g_k) v_k+1`` at the pose ``g_k``; the second has half of the turn of the step in it.
    """
    state = shifted(start, np.zeros(len(start.v)))
    work, still, first, worst = body.work(), np.zeros(len(start.v)), None, np.zeros(2)
    for i in range(round(seconds / how.h)):
        before = State(*(part.copy() for part in state))
        free_steps(1, how, body.tree, state, np.zeros(3), pushed / how.h if i == 0 else still, work)
        spin, push = state.p[:3], state.p[3:6]
        about = rot.rotate(before.turn, spin) - np.cross(work.centre - before.place, push)
        w = how.h * state.v[:3]
        angle = max(float(np.linalg.norm(w)), 1e-6)
        twice = np.cross(w, np.cross(w, spin))
        half = spin + 0.5 * np.cross(w, spin) + (1.0 - 0.5 * angle / np.tan(0.5 * angle)) / angle**2 * twice
        own = rot.rotate(before.turn, half) + np.cross(state.place, push)
        now = np.array([about, own])
        first = now if first is None else first
        worst = np.maximum(worst, np.linalg.norm(now - first, axis=1) / np.linalg.norm(first, axis=1))
    return worst


class Twin:
    """The same bodies in MuJoCo, joined by balls, and how its velocities follow from ours."""

    def __init__(self, body: ReducedBody) -> None:
        import mujoco

        self.body, self.mujoco, tree = body, mujoco, body.tree
        spec: Any = mujoco.MjSpec()
        spec.option.gravity = (0.0, 0.0, 0.0)
        made: list[Any] = []
        for b, parent in enumerate(tree.parents):
            above = spec.worldbody if parent < 0 else made[parent]
            one = above.add_body(name=str(b), pos=tree.offsets[b] if parent >= 0 else np.zeros(3), quat=tree.mean[b])
            kind = mujoco.mjtJoint.mjJNT_FREE if parent < 0 else mujoco.mjtJoint.mjJNT_BALL
            one.add_joint(type=kind)
            one.explicitinertial = True
            one.mass = max(tree.mass[b], 1e-12)
            one.ipos = tree.centre[b]
            inertia = tree.inertia[b] if tree.mass[b] > 0.0 else 1e-12 * np.eye(3)
            one.fullinertia = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
            made.append(one)
        spec.compiler.boundmass, spec.compiler.boundinertia = 0.0, 0.0
        spec.compiler.balanceinertia = False
        self.model = spec.compile()
        self.data = mujoco.MjData(self.model)
        # MuJoCo has the bodies in an order of its own.
        ids = [self.model.body(str(b)).id for b in range(len(tree.mass))]
        self.velocities = self.model.body_dofadr[ids]
        self.turns = self.model.jnt_qposadr[self.model.body_jntadr[ids]]

    def rates(self, x: FloatArray) -> FloatArray:
        """How MuJoCo's velocities follow from ours, ``(nv, 6 + k)``."""
        tree = self.body.tree
        count, k = tree.directions.shape[0], tree.directions.shape[2]
        out = np.zeros((6 + 3 * (count - 1), 6 + k))
        out[:3, 3:6], out[3:6, :3] = np.eye(3), np.eye(3)
        for b in range(1, count):
            at = self.velocities[b]
            out[at : at + 3, 6:] = right_jacobian(tree.directions[b] @ x) @ tree.directions[b]
        return out

    def matrix_and_force(self, state: State) -> tuple[FloatArray, FloatArray]:
        """Our mass matrix and minus the forces of motion, from those of MuJoCo."""
        tree, data = self.body.tree, self.data
        data.qpos[:7] = np.concatenate([state.place, state.turn])
        for b in range(1, len(tree.mass)):
            data.qpos[self.turns[b] : self.turns[b] + 4] = rot.exp(tree.directions[b] @ state.x)
        rates, e = self.rates(state.x), 1e-6
        ahead, back = self.rates(state.x + e * state.v[6:]), self.rates(state.x - e * state.v[6:])
        data.qvel[:] = rates @ state.v
        self.mujoco.mj_forward(self.model, data)
        full = np.zeros((self.model.nv, self.model.nv))
        self.mujoco.mj_fullM(self.model, data, full)
        bias = data.qfrc_bias + full @ ((ahead - back) / (2.0 * e) @ state.v)
        return rates.T @ full @ rates, rates.T @ bias

    def flow(self, start: State, seconds: float, steps: int) -> State:
        """Where free motion leads, by the method of Runge and Kutta."""
        h, state = seconds / steps, shifted(start, np.zeros(len(start.v)))

        def slope(at: State) -> FloatArray:
            matrix, bias = self.matrix_and_force(at)
            out: FloatArray = -np.linalg.solve(matrix, bias)
            return out

        for _ in range(steps):
            a = slope(state)
            two = shifted(state, 0.5 * h * state.v)._replace(v=state.v + 0.5 * h * a)
            b = slope(two)
            three = shifted(state, 0.5 * h * two.v)._replace(v=state.v + 0.5 * h * b)
            c = slope(three)
            four = shifted(state, h * three.v)._replace(v=state.v + h * c)
            d = slope(four)
            way = (state.v + 2.0 * two.v + 2.0 * three.v + four.v) / 6.0
            state = shifted(state, h * way)._replace(v=state.v + h / 6.0 * (a + 2.0 * b + 2.0 * c + d))
        return state


def right_jacobian(w: FloatArray) -> FloatArray:
    """By its series, for an independent judge."""
    x, y, z = w
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    out, term = np.eye(3), np.eye(3)
    for n in range(1, 40):
        term = -term @ cross / (n + 1)
        out = out + term
    return out
