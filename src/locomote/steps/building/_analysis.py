"""Whether a database can serve plans by interpolation: coverage, density, tetrahedra, error of its blends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from locomote.human._model import REFERENCE_HIP_HEIGHT
from locomote.human_skeleton import COMMON
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._database import StepDatabase
from locomote.steps._tetrahedra import FEWEST_POINTS, FLAT, INSIDE, Tetrahedra

SMALLEST_STANCE = 0.15  # m between the feet that must exist
LONGEST_STEP = 1.0  # hip heights
SIMILAR = 0.15  # m; steps nearer than the size of a foot are alike
ENOUGH = 3  # steps
SIDEWAYS = 3.0  # a sidestep goes this much farther sideways than forwards
GRID = 0.10  # m between the places at which coverage is looked at
POSE_SAMPLES = slice(0, None, 6)  # of the timeline, at which poses are compared
SUGGESTIONS = 5
ENOUGH_FACES = 3  # behind which a step lies that may stand in for a corner
CHUNK = 256  # tetrahedra looked at together


class Check(NamedTuple):
    """One requirement; counts where there is no unit."""

    name: str
    measured: float
    required: float
    at_least: bool
    unit: str = "cm"

    @property
    def passed(self) -> bool:
        """Whether it is met."""
        return self.measured >= self.required if self.at_least else self.measured <= self.required


@dataclass(frozen=True, eq=False)
class Analysis:
    """What `analyse` finds, for steps of either foot; lengths in metres on the given hip height."""

    steps: int
    hip_height: float
    checks: tuple[Check, ...]
    sidesteps: int
    hull_volume: float  # m^3
    flattest: FloatArray  # (S,) degrees, the smallest dihedral angle of every tetrahedron
    alternatives: FloatArray  # (4,) share of the tetrahedra with another step beyond each corner
    pose_errors: FloatArray  # (N,) m, of every step blended from the others; NaN on the hull
    covered: tuple[float, float, float]  # share of the required range: in the hull, 1 step near, ENOUGH steps near
    missing: FloatArray  # (K, 3) m, parameters of steps that would fill the largest gaps


def analyse(steps: StepDatabase, hip_height: float = REFERENCE_HIP_HEIGHT) -> Analysis:
    """Check a database against what plans need (4.7 of the source's method).

    Parameters
    ----------
    steps, hip_height : the database, and m of who walks
    """
    start, end = widths(steps) * hip_height
    forward, sideways = movement(steps)
    side = np.abs(sideways) > SIDEWAYS * np.abs(forward)
    widest = LONGEST_STEP * hip_height
    return Analysis(
        len(steps),
        hip_height,
        tuple(_checks(start, end, side, widest)),
        int(np.sum(side)),
        steps.hull_volume() * hip_height**3,
        dihedral_angles(steps.params[steps.tetrahedra.simplices]).min(axis=1),
        _alternatives(steps),
        pose_errors(steps) * hip_height,
        coverage(steps.params * hip_height, widest),
        _gaps(steps, hip_height, widest),
    )


def widths(steps: StepDatabase) -> FloatArray:
    """The distance ``(2, N)`` between the feet at the start and at the end, hip heights."""
    p = steps.params
    return np.stack([np.abs(p[:, 0]), np.hypot(p[:, 1], p[:, 2])])


def movement(steps: StepDatabase) -> tuple[FloatArray, FloatArray]:
    """How far ``(N,)`` the swinging foot goes forwards and to the right, by the mean yaw of the feet."""
    facing = np.arctan2(np.sin(steps.yaws).mean(axis=1), np.cos(steps.yaws).mean(axis=1))
    x, z = steps.params[:, 1] - steps.params[:, 0], steps.params[:, 2]
    s, c = np.sin(facing), np.cos(facing)
    return s * x + c * z, s * z - c * x


def joint_places(steps: StepDatabase) -> FloatArray:
    """The joints ``(N, n, J, 3)`` of every step at some of its samples."""
    from locomote.motion import Motion

    roots, turns = steps.roots[:, POSE_SAMPLES], steps.rotations[:, POSE_SAMPLES]
    flat = Motion(COMMON, 1.0, roots.reshape(-1, 3), turns.reshape(-1, *turns.shape[2:]))
    return flat.joint_positions().reshape(*turns.shape[:3], 3)


def pose_errors(steps: StepDatabase, kept: IntArray | None = None, places: FloatArray | None = None) -> FloatArray:
    """The rms distance ``(N,)`` of the joints of every step from its blend of the ``kept`` ones without it.

    NaN where it lies outside of the others.
    """
    kept = np.arange(len(steps)) if kept is None else kept
    places = joint_places(steps) if places is None else places
    some = steps.taken(kept)
    out = np.full(len(steps), np.nan)
    near = some.tetrahedra.around()
    own = {int(k): row for row, k in enumerate(kept)}
    away = np.array([k for k in range(len(steps)) if k not in own], dtype=np.int64)
    if len(away):
        corners, weights = some.locate(steps.params[away])
        inside = corners[:, 0] >= 0
        for k, c, w in zip(away[inside], corners[inside], weights[inside], strict=True):
            out[k] = _error(places[k], places[kept[c]], w)
    for k, row in own.items():
        around = near[row]
        blend = _blend_without(some.params, row, around)
        if blend is not None:
            out[k] = _error(places[k], places[kept[blend[0]]], blend[1])
    return out


def coverage(params: FloatArray, widest: float) -> tuple[float, float, float]:
    """The shares of the required range, a grid in metres, in the hull and with one and ENOUGH steps near."""
    from scipy.spatial import cKDTree

    across = np.arange(-widest, widest + 1e-9, GRID)
    grid = np.stack(np.meshgrid(np.arange(SMALLEST_STANCE, widest + 1e-9, GRID), across, across), axis=-1)
    grid = grid.reshape(-1, 3)
    grid = grid[np.hypot(grid[:, 1], grid[:, 2]) <= widest]
    near = np.array([len(found) for found in cKDTree(params).query_ball_point(grid, SIMILAR)])
    inside = Tetrahedra.of(params).locate(grid)[0] >= 0
    return float(inside.mean()), float(np.mean(near >= 1)), float(np.mean(near >= ENOUGH))


def dihedral_angles(corners: FloatArray) -> FloatArray:
    """The six angles ``(S, 6)`` between the faces of tetrahedra ``(S, 4, 3)``, degrees."""
    normals = []
    for k in range(4):
        a, b, c = (corners[:, j] for j in range(4) if j != k)
        normal = np.cross(b - a, c - a)
        away = np.sum(normal * (corners[:, k] - a), axis=1, keepdims=True) > 0.0
        normal = np.where(away, -normal, normal)
        normals.append(normal / np.maximum(np.linalg.norm(normal, axis=1, keepdims=True), 1e-12))
    pairs = [(i, j) for i in range(4) for j in range(i)]
    cosines = np.stack([-np.sum(normals[i] * normals[j], axis=1) for i, j in pairs], axis=1)
    out: FloatArray = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
    return out


def circumspheres(corners: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Centres ``(S, 3)`` and radii of tetrahedra ``(S, 4, 3)``; infinite for flat ones."""
    a, b, c = (corners[:, k] - corners[:, 0] for k in (1, 2, 3))
    sides = (np.cross(b, c), np.cross(c, a), np.cross(a, b))
    volume = np.sum(a * sides[0], axis=1)
    flat = np.abs(volume) < FLAT
    pull = sum(np.sum(edge**2, axis=1)[:, None] * side for edge, side in zip((a, b, c), sides, strict=True))
    centre = 0.5 * pull / np.where(flat, 1.0, volume)[:, None]
    radius = np.where(flat, np.inf, np.linalg.norm(centre, axis=1))
    return corners[:, 0] + centre, radius


def _checks(start: FloatArray, end: FloatArray, side: Any, widest: float) -> list[Check]:
    checks = []
    for name, width in (("start", start), ("end", end)):
        small = int(np.sum(width <= SMALLEST_STANCE + SIMILAR))
        wide = int(np.sum(width >= widest - SIMILAR))
        checks += [
            Check(f"steps that {name} small", small, ENOUGH, True, ""),
            Check(f"steps that {name} wide", wide, ENOUGH, True, ""),
            Check(f"smallest {name}", 100.0 * width.min(), 100.0 * SMALLEST_STANCE, False),
            Check(f"widest {name}", 100.0 * width.max(), 100.0 * widest, True),
        ]
    for name, width in (("start", start[side]), ("end", end[side])):
        smallest = 100.0 * float(width.min(initial=np.inf))
        checks.append(Check(f"smallest {name} of a sidestep", smallest, 100.0 * SMALLEST_STANCE, False))
    beyond = int(np.sum(start >= end.max()))
    checks.append(Check(f"steps that start at least {100 * end.max():.0f} cm wide", beyond, ENOUGH, True, ""))
    return checks


def _alternatives(steps: StepDatabase) -> FloatArray:
    """The share of the tetrahedra with a step other than the corner in the region beyond each corner."""
    simplices, transforms = steps.tetrahedra.simplices, steps.tetrahedra.transforms
    found = np.zeros((len(simplices), 4), dtype=bool)
    for first in range(0, len(simplices), CHUNK):
        some = slice(first, first + CHUNK)
        turn, origin = transforms[some, :3], transforms[some, 3]
        weights = np.einsum("sij,nj->sni", turn, steps.params) - np.einsum("sij,sj->si", turn, origin)[:, None]
        negative = np.concatenate([weights, 1.0 - weights.sum(axis=2, keepdims=True)], axis=2) <= 0.0
        np.put_along_axis(negative, simplices[some, :, None], False, axis=1)
        beyond = negative.sum(axis=2, keepdims=True) - negative == ENOUGH_FACES
        found[some] = beyond.any(axis=1)
    out: FloatArray = found.mean(axis=0)
    return out


def _blend_without(params: FloatArray, row: int, around: IntArray) -> tuple[IntArray, FloatArray] | None:
    """The corners and weights at a step after it has been taken out: only its neighbours can be concerned."""
    if len(around) < FEWEST_POINTS:
        return None
    local = Tetrahedra.of(params[around])
    first = np.einsum("sij,sj->si", local.transforms[:, :3], params[row] - local.transforms[:, 3])
    weights = np.column_stack([first, 1.0 - first.sum(axis=1)])
    least = np.where(local.is_flat, -np.inf, weights.min(axis=1))
    best = int(np.argmax(least))
    if least[best] < -INSIDE:
        return None
    return around[local.simplices[best]], weights[best]


def _error(place: FloatArray, corners: FloatArray, weights: FloatArray) -> float:
    away = place - np.tensordot(weights, corners, axes=1)
    return float(np.sqrt(np.mean(np.sum(away**2, axis=-1))))


def _gaps(steps: StepDatabase, hip_height: float, widest: float) -> FloatArray:
    """Centres of the largest empty spheres in the required range."""
    centres, radii = circumspheres(steps.params[steps.tetrahedra.simplices] * hip_height)
    wanted = (centres[:, 0] >= SMALLEST_STANCE) & (centres[:, 0] <= widest)
    wanted &= (np.hypot(centres[:, 1], centres[:, 2]) <= widest) & np.isfinite(radii)
    wanted &= steps.tetrahedra.locate(centres / hip_height)[0] >= 0
    out: list[FloatArray] = []
    for k in np.flatnonzero(wanted)[np.argsort(-radii[wanted])]:
        if all(np.linalg.norm(centres[k] - other) > 2 * SIMILAR for other in out):
            out.append(centres[k])
        if len(out) == SUGGESTIONS:
            break
    return np.array(out).reshape(-1, 3)
