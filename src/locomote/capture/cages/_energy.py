"""What a pose of a cage costs in a field: one energy, its slope by hand, and the two fits that make it small."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.optimize import minimize

from locomote import rotations as rot
from locomote.capture.cages._fields import Field, Grid, field_of, filled_by
from locomote.capture.cages._green import bind
from locomote.capture.cages._prior import PosePrior
from locomote.capture.cages._rig import CageRig
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

_STEP = 0.1  # m: what one unit of the pelvis is to the search, beside one standard deviation of a latent point
_BURIED = 1.2  # voxels: skin deeper inside of other skin is not seen
_MEMORY = 12  # steps that L-BFGS remembers


@dataclass(frozen=True)
class Settings:
    """How a cage is fitted.

    Parameters
    ----------
    voxel : m, of the fields
    points : of the skin that are compared with a field
    soft : m from the surface, beyond which the cost grows no faster
    inside : what a point within the surface costs beside one as far outside: a hull is never smaller than the body
    prior : weight of the latent prior
    local : whether quads are adjusted one by one after the latent fit
    pull : weight of the way of a quad from the latent pose, in that step
    rounds : of the latent fit and of the local one, at most
    carried : how much of the last frame's velocity the next one begins with
    """

    voxel: float = 0.02
    points: int = 1200
    soft: float = 0.05
    inside: float = 0.5
    prior: float = 1e-4
    local: bool = True
    pull: float = 0.12
    rounds: tuple[int, int] = (22, 20)
    carried: float = 0.8


class Pose(NamedTuple):
    """A pose of a cage while it is tracked."""

    place: FloatArray  # (3,) m, of the pelvis
    turn: FloatArray  # (4,)
    latent: FloatArray  # (q,)
    state: FloatArray  # (D,) of the other quads: that of the latent point, then adjusted


class Fit:
    """The energy of one rig with one prior."""

    def __init__(self, rig: CageRig, prior: PosePrior, settings: Settings, seed: int = 0) -> None:
        from locomote.capture._kernels.cage_shape import CageWork

        self.prior, self.settings = prior, settings
        self.latent = prior.latent
        self.cage = prior.states.cage
        self.layers = np.ascontiguousarray(_seen_skin(rig, settings, seed))
        quads, rows = len(rig.names), len(rig.vertices) + len(rig.faces)
        self._work = CageWork(
            np.zeros((4, 3)),
            np.empty((quads, 3)),
            np.empty((quads, 3, 3)),
            np.empty((rows, 3)),
            np.empty((rows, 3)),
            np.empty((quads, 6)),
        )
        self._scratch = np.empty((3, 3))
        self._slopes = np.empty((len(self.layers), 3))
        self._by_pelvis, self._by_state = np.empty(6), np.empty(6 * (quads - 1))

    def points(self, pose: Pose, every: int = 1) -> FloatArray:
        """Where the compared points of the skin are, ``(P, 3)`` m."""
        self._begin(pose)
        self._shape(np.zeros(6), pose.state)
        return np.asarray(self.layers[::every] @ self._work.layers)

    def data(self, pelvis: FloatArray, state: FloatArray, field: Field, every: int = 1) -> float:
        """The cost of the points in a field; its slopes by pelvis and state are left in `slopes`."""
        from locomote.capture._kernels.cage_shape import pull_cage
        from locomote.capture._kernels.volumes import field_energy

        self._shape(pelvis, state)
        layers = self.layers[::every]
        points = layers @ self._work.layers
        slopes = self._slopes[: len(points)]
        cost = field_energy(
            points, field.values, field.origin, field.voxel, self.settings.soft, self.settings.inside, slopes
        )
        np.matmul(layers.T, slopes, out=self._work.pulls)
        pull_cage(pelvis, state, self.cage, self._work, self._by_pelvis, self._by_state)
        return float(cost)

    @property
    def slopes(self) -> tuple[FloatArray, FloatArray]:
        """By pelvis ``(6,)`` and by state ``(D,)``, of the last `data`."""
        return self._by_pelvis, self._by_state

    def latent_fit(self, pose: Pose, field: Field, rounds: int, every: int = 1) -> tuple[Pose, float]:
        """Pelvis and latent point together; the pose, and its energy."""
        self._begin(pose)

        def energy(unknowns: FloatArray) -> tuple[float, FloatArray]:
            pelvis, x = _STEP * unknowns[:6], unknowns[6:]
            cost = self.data(pelvis, self.latent.state(x), field, every)
            unlikely, slope = self.latent.penalty(x)
            pulled = self.latent.pulled(x, self._by_state) + self.settings.prior * slope
            return cost + self.settings.prior * unlikely, np.concatenate([_STEP * self._by_pelvis, pulled])

        found, value = _least(energy, np.concatenate([np.zeros(6), pose.latent]), rounds)
        return self._moved(pose, _STEP * found[:6], found[6:], self.latent.state(found[6:])), value

    def local_fit(self, pose: Pose, field: Field, rounds: int) -> tuple[Pose, float]:
        """Every quad by itself, each pulled back to where the latent pose has it (CAG-09)."""
        self._begin(pose)
        rest, scale = pose.state, _STEP

        def energy(unknowns: FloatArray) -> tuple[float, FloatArray]:
            pelvis, off = scale * unknowns[:6], scale * unknowns[6:]
            cost = self.data(pelvis, rest + off, field) + self.settings.pull * float(off @ off)
            by_state = self._by_state + 2.0 * self.settings.pull * off
            return cost, scale * np.concatenate([self._by_pelvis, by_state])

        found, value = _least(energy, np.zeros(6 + len(rest)), rounds)
        return self._moved(pose, scale * found[:6], pose.latent, rest + scale * found[6:]), value

    def _begin(self, pose: Pose) -> None:
        self._work.begin[0] = pose.place
        self._work.begin[1:] = rot.to_matrix(pose.turn)

    def _shape(self, pelvis: FloatArray, state: FloatArray) -> None:
        from locomote.capture._kernels.cage_shape import shape_cage

        shape_cage(pelvis, state, self.cage, self._work, self._scratch)

    def _moved(self, pose: Pose, pelvis: FloatArray, latent: FloatArray, state: FloatArray) -> Pose:
        turn = rot.canonical(rot.normalize(rot.multiply(rot.exp(pelvis[3:] / self.cage.lever), pose.turn)))
        return Pose(pose.place + pelvis[:3], turn, latent, state)


def _least(energy: Any, start: FloatArray, rounds: int) -> tuple[FloatArray, float]:
    options: Any = {"maxiter": rounds, "maxfun": rounds + 5, "maxcor": _MEMORY, "ftol": 1e-7, "gtol": 1e-8}
    done = minimize(energy, start, jac=True, method="L-BFGS-B", options=options)
    return np.asarray(done.x, dtype=np.float64), float(done.fun)


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
