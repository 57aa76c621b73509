"""Triangle meshes from scans: read, checked, faced outwards, with what is wrong about them told."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from locomote.body import vertex_normals
from locomote.errors import FormatError, LocomoteError, MissingExtra
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

SAME = 1e-7  # of a mesh's size: vertices that are nearer to each other are one

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles that face outwards, as far as that can be told; ``notes`` says what was mended and what is missing."""

    vertices: FloatArray  # (V, 3) m
    faces: IntArray  # (T, 3)
    notes: tuple[str, ...] = ()

    @property
    def normals(self) -> FloatArray:
        """Outward unit normals of the vertices, ``(V, 3)``."""
        return vertex_normals(self.vertices, self.faces)

    @property
    def size(self) -> float:
        """The diagonal of the box around it, m."""
        return float(np.linalg.norm(np.ptp(self.vertices, axis=0)))


def read_mesh(path: str | Path) -> Mesh:
    """A mesh from an ``.obj``, ``.ply``, ``.stl``, ``.off`` or ``.glb`` file, checked as `checked_mesh` does.

    Parameters
    ----------
    path
        A file of triangles, metres, Y up. Several objects in it are taken as one.
    """
    try:
        import trimesh
    except ImportError:
        raise MissingExtra("trimesh", "capture", "reading meshes") from None
    file = Path(path)
    if not file.is_file():
        raise FormatError(file, "no such file")
    try:
        loaded: Any = trimesh.load(file, force="mesh", process=False)
        vertices, faces = np.asarray(loaded.vertices), np.asarray(loaded.faces)
    except Exception as error:  # its readers raise whatever they meet
        raise FormatError(file, f"not a mesh that can be read ({type(error).__name__}: {error})") from None
    return checked_mesh(vertices, faces, str(file))


def checked_mesh(vertices: npt.ArrayLike, faces: npt.ArrayLike, what: str = "the mesh") -> Mesh:
    """A mesh that can be worked with: vertices welded, triangles of no area left out, all facing outwards.

    Holes and edges of more than two triangles are told in ``notes``; what is no mesh at all is refused.

    Parameters
    ----------
    vertices : (V, 3) m
    faces : (T, 3) numbers of vertices
    what : how errors speak of it
    """
    points, triangles = np.array(vertices, dtype=np.float64), np.array(faces, dtype=np.int64)
    if points.ndim != 2 or points.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
        raise LocomoteError(f"{what}: expected vertices (V, 3) and faces (T, 3), got {points.shape}, {triangles.shape}")
    if len(points) == 0 or len(triangles) == 0:
        raise LocomoteError(f"{what}: has no triangles")
    if triangles.min() < 0 or triangles.max() >= len(points):
        raise LocomoteError(f"{what}: a face names vertex {triangles.max()}, and there are {len(points)}")
    bad = np.flatnonzero(~np.isfinite(points).all(axis=1))
    if len(bad):
        raise LocomoteError(f"{what}: vertex {bad[0]} is not finite ({len(bad)} of them)")
    notes: list[str] = []
    points, triangles = _welded(points, triangles)
    triangles = _with_area(points, triangles, what, notes)
    turned, open_edges, crowded = _facing_out(points, triangles)
    if turned.any():
        triangles[turned] = triangles[turned][:, ::-1]
        notes.append(f"{turned.sum()} of {len(turned)} triangles faced inwards: turned")
    if open_edges:
        notes.append(f"{open_edges} open edges: it has holes")
    if crowded:
        notes.append(f"{crowded} edges of more than two triangles")
    return Mesh(points, triangles, tuple(notes))


def _welded(points: FloatArray, triangles: IntArray) -> tuple[FloatArray, IntArray]:
    """Vertices at the same place are one; those of no triangle are gone."""
    size = float(np.linalg.norm(np.ptp(points, axis=0)))
    cells = np.round((points - points.min(axis=0)) / max(SAME * size, 1e-300)).astype(np.int64)
    first, same = np.unique(cells, axis=0, return_index=True, return_inverse=True)[1:]
    triangles = same.reshape(-1)[triangles]
    used, numbers = np.unique(triangles, return_inverse=True)
    return points[first[used]], numbers.reshape(-1, 3)


def _with_area(points: FloatArray, triangles: IntArray, what: str, notes: list[str]) -> IntArray:
    a, b, c = (points[triangles[:, k]] for k in range(3))
    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    good = area > 0.0
    if not good.any():
        raise LocomoteError(f"{what}: none of its {len(triangles)} triangles has an area")
    if not good.all():
        notes.append(f"{np.sum(~good)} triangles without area: left out")
    kept: IntArray = triangles[good]
    return kept


def _facing_out(points: FloatArray, triangles: IntArray) -> tuple[Flags, int, int]:
    """Which triangles face inwards; how many edges are open, and how many belong to more than two triangles."""
    count = len(triangles)
    sides = triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2)
    owner = np.repeat(np.arange(count), 3)
    forward = sides[:, 0] < sides[:, 1]
    key = np.sort(sides, axis=1) @ np.array([len(points), 1])
    order = np.argsort(key, kind="stable")
    _, begins, sizes = np.unique(key[order], return_index=True, return_counts=True)
    first, second = order[begins[sizes == 2]], order[begins[sizes == 2] + 1]
    # Every triangle stands here twice, as it is and turned; neighbours that run along their edge the same way face
    # opposite sides, so that one is joined to the other turned. What is joined to a piece's first triangle is right.
    a, b = owner[first], owner[second]
    against = (forward[first] == forward[second]) * count
    ends = np.concatenate([a, a + count]), np.concatenate([b + against, b + count - against])
    pair = coo_array((np.ones(len(ends[0]), dtype=bool), ends), shape=(2 * count, 2 * count))
    side = connected_components(pair, directed=False)[1]
    piece = np.minimum(side[:count], side[count:])
    turned = side[:count] != piece
    a, b, c = (points[triangles[:, k]] - _middles(points, triangles, piece)[piece] for k in range(3))
    volume = np.where(turned, -1.0, 1.0) * np.einsum("ij,ij->i", a, np.cross(b, c))
    turned ^= np.bincount(piece, volume)[piece] < 0.0
    return turned, int(np.sum(sizes == 1)), int(np.sum(sizes > 2))


def _middles(points: FloatArray, triangles: IntArray, piece: IntArray) -> FloatArray:
    """The middle of the triangles of every piece; rows of numbers that no piece has are 0."""
    centres = points[triangles].mean(axis=1)
    many = np.maximum(np.bincount(piece), 1)
    return np.stack([np.bincount(piece, centres[:, k]) / many for k in range(3)], axis=1)
