"""The arrays of one who balances and the solution of a step: no memory is made that grows with time."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from locomote import rotations as rot
from locomote.math._compile import prepared
from locomote.math.constants import GRAVITY
from locomote.physics._features import STRICT, USER
from locomote.physics._kernels import balance_step as kernels
from locomote.physics._kernels.balance_step import Body, How, make_pushes, make_system
from locomote.physics._kernels.contact_rows import Touch, make_bounds
from locomote.physics._kernels.reduced_dynamics import look
from locomote.physics._kernels.wishes import ROWS, make_wishes
from locomote.physics._limits import ranges_of
from locomote.physics._qp import Programme
from locomote.physics._reduced import ReducedBody
from locomote.physics._standing import CORNERS, Soles, soles_of, touching_points
from locomote.rotations import FloatArray
from locomote.spaces._kernels.geodesics import geodesic_poses

MOST_WISHES, MOST_PUSHES = 24, 4
Solver: TypeAlias = Callable[["Engine", float, int], FloatArray]  # engine, step in s, equalities: velocities


class Engine:
    """A body in a space, what is asked of it, and what it touches.

    Parameters
    ----------
    body : that moves
    normal : (3,) of the ground, a plane through the origin
    friction : of everything with the ground
    include : (k,) coordinates of a pose within the ranges of the joints
    """

    def __init__(self, body: ReducedBody, normal: FloatArray, friction: float, include: FloatArray) -> None:
        self.reduced, self.soles = body, soles_of(body.space.skeleton)
        n, k = body.unknowns, len(body.space)
        self.body = Body(body.tree, body.state(), body.work())
        self.wishes, self.count = make_wishes(MOST_WISHES, k), 0
        self.touch = _touch(body, self.soles, normal, friction)
        self.ranges = ranges_of(body, include)
        self.bounds = make_bounds(len(self.touch.bodies), 2, len(body.joints), n, ROWS * MOST_WISHES)
        self.pushes = make_pushes(MOST_PUSHES, n)
        self.pushes.gravity[1] = -GRAVITY
        self.system = make_system(n)
        self.programme, self.first = Programme(n), Programme(n)
        how = How(0.01, 0.5, 0.0, 0.0, 0, USER)
        self._prepare = prepared(
            *(
                kernels.prepare,
                how,
                self.body,
                self.pushes,
                self.wishes,
                self.touch,
                self.ranges,
                self.bounds,
                self.system,
            )
        )
        self._finish = prepared(kernels.finish, 0.01, self.body, self.system.gradient, self.system)
        skeleton = body.space.skeleton
        self._mean = body.space.mean_rotations.copy()
        light = np.array([not _carries(body, j) for j in range(len(skeleton))])
        self._mean[light] = skeleton.rest_rotations[light]
        self._directions = np.ascontiguousarray(np.where(light[:, None, None], 0.0, body.space.by_joint))
        self.light = light
        self.loose: FloatArray | None = None  # (J, 4) rotations of joints that move no mass, such as toes
        self.left: FloatArray | None = None  # (J, 4) rotations that another space had beyond this one
        self.shifted = np.zeros(3)  # m, of the root likewise
        self.faded = 0.0  # how much of these is still there
        self._places = np.zeros((1, 3))
        self._rotations = np.zeros((1, len(skeleton), 4))

    def look(self) -> None:
        """Bring what is known of the pose up to date."""
        look(self.body.tree, self.body.state, self.pushes.gravity, self.body.work)

    def step(
        self, h: float, share: float, damping: float, carried: float, strict: bool, solve: Solver | None = None
    ) -> None:
        """One step.

        Parameters
        ----------
        h : s
        share : of control, 0 to 1
        damping : 1/s
        carried : of the weight, by muscles and support
        strict : wishes of balance come before those of users
        solve : what finds the velocities; without it, wishes may push the root
        """
        how = How(h, share, damping, carried, self.count if share > 0.0 else 0, USER)
        self._prepare(how, self.body, self.pushes, self.wishes, self.touch, self.ranges, self.bounds, self.system)
        equal = int(self.system.counts[0])
        levels = self.wishes.levels[: how.wishes]
        if strict and (levels == USER).any() and (levels == STRICT).any():
            kernels.weigh_again(how._replace(level=USER - 1), self.body, self.pushes, self.wishes, self.system)
            before = self._solved(self.first, equal) if solve is None else solve(self, h, equal)
            equal = kernels.keep_level(equal, self.wishes, self.count, before, self.bounds)
            kernels.weigh_again(how, self.body, self.pushes, self.wishes, self.system)
        found = self._solved(self.programme, equal) if solve is None else solve(self, h, equal)
        self._finish(h, self.body, found, self.system)

    def _solved(self, programme: Programme, equal: int) -> FloatArray:
        bounds, system, above = self.bounds, self.system, int(self.system.counts[1])
        return programme.solve(
            system.matrix,
            system.gradient,
            bounds.equal[:equal],
            bounds.level[:equal],
            bounds.above[:above],
            bounds.least[:above],
        )

    def publish(self) -> tuple[FloatArray, FloatArray]:
        """Place of the root ``(1, 3)`` and local rotations ``(1, J, 4)``, in arrays that the next call overwrites."""
        state = self.body.state
        geodesic_poses(self._mean, self._directions, state.x[None], False, self._rotations)
        self._rotations[0, 0], self._places[0] = state.turn, state.place
        if self.loose is not None:
            self._rotations[0, self.light] = self.loose[self.light]
        if self.left is not None:
            part = self.faded * self.faded * (3.0 - 2.0 * self.faded)
            share = np.full(len(self.left), part)
            self._rotations[0] = rot.multiply(self._rotations[0], rot.slerp(rot.identity(len(share)), self.left, share))
            self._places[0] += part * self.shifted
        return self._places, self._rotations

    def angular_momentum(self) -> FloatArray:
        """About the centre of mass, ``(3,)`` kg m2/s, at the pose before the last step and the velocities after it."""
        state, work = self.body.state, self.body.work
        about = np.cross(work.centre - work.places[0], state.p[3:6])
        out: FloatArray = rot.rotate(work.rotations[0], state.p[:3]) - about
        return out

    def corners(self, foot: int) -> FloatArray:
        """How far the corners of a sole are above the ground, ``(4,)`` m, before the last step."""
        return self.touch.gaps[CORNERS * foot : CORNERS * foot + CORNERS]

    def place_of(self, joint: int) -> FloatArray:
        """Where a joint is, ``(3,)`` m, as last looked at."""
        b, point = self.reduced.point(joint)
        work = self.body.work
        out: FloatArray = work.places[b] + rot.rotate(work.rotations[b], point)
        return out


def _carries(body: ReducedBody, joint: int) -> bool:
    """Whether a joint or what hangs on it has mass."""
    skeleton = body.space.skeleton
    return any(body.masses.mass[j] > 0.0 and joint in skeleton.ancestors(j) for j in range(joint, len(skeleton)))


def _touch(body: ReducedBody, soles: Soles, normal: FloatArray, friction: float) -> Touch:
    points = touching_points(body, soles)
    count = len(points.bodies)
    # Flesh around a point: the ground is as much higher for it.
    ground = np.concatenate([points.radii[:, None] * normal, np.broadcast_to(normal, (count, 3))], axis=1)
    feet = [body.point(joint, middle) for joint, middle in zip(soles.joints, soles.middles, strict=True)]
    return Touch(
        points.bodies,
        points.points,
        ground,
        np.ones(count, dtype=np.int64),
        np.array([friction]),
        np.zeros(count),
        np.zeros((count, 3)),
        np.array([b for b, _ in feet]),
        np.array([point for _, point in feet]),
        np.zeros((2, 3)),
        np.zeros(2, dtype=np.int64),
    )
