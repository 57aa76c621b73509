"""What a pose of a cage costs in what is seen, and the two fits that make it cost least, by Gauss and Newton."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.capture.cages._evidence import Evidence
from locomote.capture.cages._fields import Grid, field_of, filled_by
from locomote.capture.cages._green import bind
from locomote.capture.cages._prior import PosePrior
from locomote.capture.cages._rig import CageRig
from locomote.capture.cages._settings import Settings
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

_STEP = 0.1  # m: what one unit of pelvis and quads is to the search, beside one standard deviation of a latent point
_BURIED = 1.2  # voxels: skin deeper inside of other skin is not seen
_DAMPING = (1e-3, 10.0, 0.3, 1e-5)  # of a step: at first, times after a bad one, times after a good one, at least
_TRIES = 4  # of a step, with more and more damping
_STILL = 1e-3  # of the cost: a round that gains less is the last one


class Pose(NamedTuple):
    """A pose of a cage while it is tracked."""

    place: FloatArray  # (3,) m, of the pelvis
    turn: FloatArray  # (4,)
    latent: FloatArray  # (q,)
    state: FloatArray  # (D,) of the other quads: that of the latent point, then adjusted


class Expanded(NamedTuple):
    """A cost about a pose: itself, its slope by the six numbers of the pelvis and N more, and its bend."""

    cost: float
    slope: FloatArray  # (6 + N,)
    bend: FloatArray  # (6 + N, 6 + N)


class _Unknowns(NamedTuple):
    """What a fit looks for beside the pelvis."""

    start: FloatArray  # (N,)
    state: Callable[[FloatArray], FloatArray]  # of the quads
    ways: Callable[[FloatArray], FloatArray]  # (N, D) in which the state goes
    penalty: Callable[[FloatArray], tuple[float, FloatArray]]  # and its slope
    stiffness: float  # the bend of the penalty, about


class Fit:
    """The energy of one rig with one prior."""

    def __init__(self, rig: CageRig, prior: PosePrior, settings: Settings, seed: int = 0) -> None:
        from locomote.capture._kernels.cage_shape import CageWork

        self.prior, self.settings = prior, settings
        self.latent = prior.latent
        self.cage = prior.states.cage
        self.layers = np.ascontiguousarray(_seen_skin(rig, settings, seed))
        self._sparser: dict[int, tuple[FloatArray, FloatArray]] = {}
        quads, rows = len(rig.names), len(rig.vertices) + len(rig.faces)
        self._work = CageWork(
            np.zeros((4, 3)),
            np.empty((quads, 3)),
            np.empty((quads, 3, 3)),
            np.empty((rows, 3)),
            np.empty((rows, 3)),
            np.empty((3, 3)),
        )
        self._tried = np.empty(6 * quads)

    def points(self, pose: Pose, every: int = 1) -> FloatArray:
        """Where the compared points of the skin are, ``(P, 3)`` m."""
        self._begin(pose)
        return self._points(np.zeros(6), pose.state, every)

    def cost(self, pose: Pose, seen: Evidence) -> float:
        """What a pose costs, priors apart, m: the mean over its points."""
        points = self.points(pose)
        seen.pair(points)
        return seen.energy(points, self.settings, np.empty((len(points), 3)), np.empty((len(points), 6)))

    def expanded(
        self, pelvis: FloatArray, state: FloatArray, ways: FloatArray, seen: Evidence, every: int = 1
    ) -> Expanded:
        """The cost about a pelvis ``(6,)`` and a state ``(D,)`` that may go along ``ways (N, D)``."""
        from locomote.capture._kernels.cage_shape import slope_cage

        points = self._points(pelvis, state, every)
        slopes, bends = np.empty((len(points), 3)), np.empty((len(points), 6))
        cost = seen.energy(points, self.settings, slopes, bends)
        count = 6 + len(ways)
        cage = np.empty((self.layers.shape[1], 3, count))
        slope_cage(pelvis, state, ways, self.cage, self._work, self._tried, cage)
        layers, light = self._layers(every)
        by = (light @ cage.reshape(len(cage), -1).astype(np.float32)).reshape(-1, 3, count)
        square = bends[:, [0, 3, 4, 3, 1, 5, 4, 5, 2]].reshape(-1, 3, 3).astype(np.float32)
        flat = by.reshape(-1, count)
        bend = flat.T @ (square @ by).reshape(-1, count)
        slope = cage.reshape(-1, count).T @ (layers.T @ slopes).reshape(-1)
        return Expanded(cost, slope, bend.astype(np.float64))

    def latent_fit(
        self, pose: Pose, seen: Evidence, rounds: int, every: int = 1, steady: float = 0.0
    ) -> tuple[Pose, float]:
        """Pelvis and latent point together (CAG-07, CAG-08); the pose, and its energy.

        Parameters
        ----------
        pose : to begin with
        seen : what it is fitted to
        rounds : at most
        every : how many-th of the points are compared
        steady : weight of the way from the latent point it begins with
        """
        weight = self.settings.prior

        def penalty(x: FloatArray) -> tuple[float, FloatArray]:
            unlikely, slope = self.latent.penalty(x)
            off = x - pose.latent
            return weight * unlikely + 0.5 * steady * float(off @ off), weight * slope + steady * off

        sought = _Unknowns(pose.latent, self.latent.state, self.latent.ways, penalty, weight + steady)
        pelvis, x, value = self._least(pose, seen, rounds, every, sought)
        return self._moved(pose, pelvis, x, self.latent.state(x)), value

    def local_fit(self, pose: Pose, seen: Evidence, rounds: int) -> tuple[Pose, float]:
        """Every quad by itself, each pulled back to where the latent pose has it (CAG-09)."""
        rest, stiffness = pose.state, 2.0 * self.settings.pull * _STEP**2
        ways = _STEP * np.eye(len(rest))
        sought = _Unknowns(
            np.zeros(len(rest)),
            lambda x: np.asarray(rest + _STEP * x),
            lambda _: ways,
            lambda x: (0.5 * stiffness * float(x @ x), stiffness * x),
            stiffness,
        )
        pelvis, x, value = self._least(pose, seen, rounds, 1, sought)
        return self._moved(pose, pelvis, pose.latent, rest + _STEP * x), value

    def _least(
        self, pose: Pose, seen: Evidence, rounds: int, every: int, sought: _Unknowns
    ) -> tuple[FloatArray, FloatArray, float]:
        """Pelvis and other unknowns at which the cost is least, and that cost."""
        damping, more, less, least = _DAMPING
        self._begin(pose)
        pelvis, x, value = np.zeros(6), sought.start, np.inf
        unit = np.concatenate([np.full(6, _STEP), np.ones(len(x))])
        for _ in range(rounds):
            state = sought.state(x)
            seen.pair(self._points(pelvis, state, every))
            here = self.expanded(pelvis, state, sought.ways(x), seen, every)
            unlikely, pull = sought.penalty(x)
            value = here.cost + unlikely
            slope, bend = unit * here.slope, unit[:, None] * here.bend * unit
            slope[6:] += pull
            diagonal = np.einsum("ii->i", bend)
            diagonal[6:] += sought.stiffness
            scale = diagonal + 1e-9
            for _ in range(_TRIES):
                step = np.linalg.solve(bend + damping * np.diag(scale), -slope)
                after = pelvis + _STEP * step[:6], x + step[6:]
                reached = self._data(after[0], sought.state(after[1]), seen, every) + sought.penalty(after[1])[0]
                if reached < value:
                    break
                damping *= more
            else:
                break
            gain, value = value - reached, reached
            (pelvis, x), damping = after, max(less * damping, least)
            if gain < _STILL * value:
                break
        return pelvis, x, value

    def _data(self, pelvis: FloatArray, state: FloatArray, seen: Evidence, every: int) -> float:
        points = self._points(pelvis, state, every)
        return seen.energy(points, self.settings, np.empty((len(points), 3)), np.empty((len(points), 6)))

    def _layers(self, every: int) -> tuple[FloatArray, FloatArray]:
        """Coordinates of the compared points, and once more in single precision, for bends."""
        if every not in self._sparser:
            some = np.ascontiguousarray(self.layers[::every])
            self._sparser[every] = some, some.astype(np.float32)
        return self._sparser[every]

    def _points(self, pelvis: FloatArray, state: FloatArray, every: int) -> FloatArray:
        from locomote.capture._kernels.cage_shape import shape_cage

        shape_cage(pelvis, state, self.cage, self._work)
        return np.asarray(self._layers(every)[0] @ self._work.layers)

    def _begin(self, pose: Pose) -> None:
        self._work.begin[0] = pose.place
        self._work.begin[1:] = rot.to_matrix(pose.turn)

    def _moved(self, pose: Pose, pelvis: FloatArray, latent: FloatArray, state: FloatArray) -> Pose:
        turn = rot.canonical(rot.normalize(rot.multiply(rot.exp(pelvis[3:] / self.cage.lever), pose.turn)))
        return Pose(pose.place + pelvis[:3], turn, latent, state)


def _seen_skin(rig: CageRig, settings: Settings, seed: int) -> FloatArray:
    """Coordinates ``(P, V + F)`` of points evenly over the skin that is inside of the cage and not under other skin."""
    vertices, faces = rig.stance.vertices, rig.body.triangles
    corners = vertices[faces]
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    random = np.random.default_rng(seed)
    count = 3 * settings.points
    chosen = np.searchsorted(np.cumsum(areas) / areas.sum(), (np.arange(count) + random.random(count)) / count)
    chosen = np.minimum(chosen, len(faces) - 1)
    points = np.einsum("pk,pkj->pj", random.dirichlet(np.ones(3), count), corners[chosen])
    grid = Grid.around(vertices.min(axis=0) - 0.1, vertices.max(axis=0) + 0.1, settings.voxel)
    field = field_of(filled_by(vertices, faces, grid), grid)
    if field is None:
        raise LocomoteError("the skin of the rig encloses nothing: it needs a closed mesh")
    points = points[np.abs(field.at(points)[0]) < _BURIED * settings.voxel]
    bound = bind(points, rig.vertices, rig.faces)
    rows = np.flatnonzero(bound.inside)
    if len(rows) < 50:
        raise LocomoteError(f"the skin of the rig: {len(rows)} points of it can be seen, too few to track it")
    rows = rows[np.unique(np.linspace(0, len(rows) - 1, settings.points).astype(int))]
    return np.asarray(bound.layers[random.permutation(rows)])
