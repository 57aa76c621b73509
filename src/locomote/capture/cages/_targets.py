"""What a cage is fitted to, frame by frame: silhouettes of several cameras, or meshes that have nothing in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from locomote.capture.cages._fields import Field, Grid, field_of, filled_by
from locomote.draw._camera import Camera
from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray

NEAR_MASK = 12.0  # pixels outside of a silhouette that a point of the predicted body may be, pictures 400 pixels high
LIAR = 0.03  # share of points further away by which a camera may be worse than the best one
LEAST_CAMERAS = 2
_EMPTY = 1e-4  # of a picture: a silhouette as small is none
_COARSE = 0.06  # m, of the first look at a scene
_WITNESSES = 0.75  # of the cameras must have a voxel in their pictures, where nobody is expected yet
_REACH = 1.4  # m around the middle of a body that is looked at first

Masks = npt.NDArray[np.bool_]


class Seen(NamedTuple):
    """What there is of one frame."""

    field: Field | None  # None: nothing to be fitted to
    used: npt.NDArray[np.bool_]  # (C,) cameras that counted; (1,) for meshes
    why: str = ""  # there is nothing


class Target(Protocol):
    """A stream of frames."""

    def __len__(self) -> int: ...

    @property
    def sources(self) -> int:
        """How many cameras there are; 1 for meshes."""

    def first(self, frame: int) -> tuple[FloatArray, FloatArray] | None:
        """Corners of a box around the body, without knowing where it is."""

    def seen(self, frame: int, points: FloatArray | None, low: FloatArray, high: FloatArray, voxel: float) -> Seen:
        """The field in a box, given where points of the body are expected."""


@dataclass(frozen=True, eq=False)
class Hulls:
    """Visual hulls: what the silhouettes of several cameras leave of space.

    Parameters
    ----------
    masks
        ``(C, F, H, W)`` true inside; pictures of several sizes as a sequence of ``(F, H, W)``. An empty silhouette is
        a camera that says nothing in this frame.
    cameras
        The C cameras, which do not move.
    reject
        Leave out cameras whose silhouettes miss more of the expected body than the best one does.
    smooth
        Pixels to each side over which every pixel goes with the majority: where cameras agree on what is inside, ragged
        edges would shave the hull from all sides.
    """

    masks: Sequence[Masks]
    cameras: Sequence[Camera]
    reject: bool = True
    smooth: int = 3
    _lenses: FloatArray = field(init=False, repr=False)
    _kinds: IntArray = field(init=False, repr=False)

    def __post_init__(self) -> None:
        cameras, masks = list(self.cameras), [np.asarray(one) for one in self.masks]
        if len(cameras) < LEAST_CAMERAS:
            raise LocomoteError(f"{len(cameras)} camera: a visual hull needs silhouettes of {LEAST_CAMERAS} or more")
        if len(masks) != len(cameras):
            raise LocomoteError(f"silhouettes of {len(masks)} cameras, and {len(cameras)} cameras")
        for c, (mask, camera) in enumerate(zip(masks, cameras, strict=True)):
            if mask.ndim != 3 or mask.shape[1:] != (camera.height, camera.width):
                wanted = (len(masks[0]), camera.height, camera.width)
                raise LocomoteError(f"silhouettes of camera {c}: shape {mask.shape}, expected {wanted}")
            if len(mask) != len(masks[0]) or not len(mask):
                raise LocomoteError(f"silhouettes of camera {c}: {len(mask)} frames, and {len(masks[0])} of the first")
        if not any(mask.any() for mask in masks):
            raise LocomoteError("the silhouettes of all cameras are empty in all frames")
        object.__setattr__(self, "masks", [np.ascontiguousarray(one, dtype=np.bool_) for one in masks])
        lenses = [np.concatenate([one.eye[None], one.inverse]) for one in cameras]
        object.__setattr__(self, "_lenses", np.ascontiguousarray(lenses))
        kinds = np.array([(one.width, one.height, int(one.perspective)) for one in cameras], dtype=np.int64)
        object.__setattr__(self, "_kinds", kinds)

    def __len__(self) -> int:
        return len(self.masks[0])

    @property
    def sources(self) -> int:
        """How many cameras."""
        return len(self.cameras)

    def first(self, frame: int) -> tuple[FloatArray, FloatArray] | None:
        """A box around where the rays through the middles of the silhouettes pass each other."""
        told = self._told(frame)
        if told.sum() < LEAST_CAMERAS:
            return None
        left, right = np.zeros((3, 3)), np.zeros(3)
        for c in np.flatnonzero(told).tolist():
            rows, columns = np.nonzero(self.masks[c][frame])
            camera = self.cameras[c]
            spot = np.array([columns.mean() + 0.5, rows.mean() + 0.5])
            ray = camera.axes[2] + (spot @ camera.axes[:2] if camera.perspective else 0.0)
            start = camera.eye + (0.0 if camera.perspective else spot @ camera.axes[:2])
            ray = ray / np.linalg.norm(ray)
            square = np.eye(3) - np.outer(ray, ray)
            left += square
            right += square @ start
        middle = np.linalg.solve(left + 1e-9 * np.eye(3), right)
        grid = Grid.around(middle - _REACH, middle + _REACH, _COARSE)
        places = np.argwhere(self._carved(frame, told, grid, strict=True))
        if len(places) < 8:
            return None
        return grid.origin + _COARSE * (places.min(axis=0) - 2), grid.origin + _COARSE * (places.max(axis=0) + 2)

    def seen(self, frame: int, points: FloatArray | None, low: FloatArray, high: FloatArray, voxel: float) -> Seen:
        """The field of the hull in a box; cameras that contradict the expected points are left out.

        Parameters
        ----------
        frame : number of it
        points : (P, 3) m, of the body as it is expected, or None
        low, high : (3,) m, corners of the box
        voxel : m
        """
        used = self._told(frame)
        if used.sum() < LEAST_CAMERAS:
            return Seen(None, used, f"{int(used.sum())} of {len(used)} cameras see something")
        if points is not None and self.reject:
            used = self._believed(frame, used, points)
        grid = Grid.around(low, high, voxel)
        found = field_of(self._carved(frame, used, grid, strict=points is None), grid)
        return Seen(found, used, "" if found is not None else "the silhouettes have nothing in common")

    def _told(self, frame: int) -> Masks:
        return np.array([np.count_nonzero(one[frame]) > _EMPTY * one[frame].size for one in self.masks])

    def _believed(self, frame: int, told: Masks, points: FloatArray) -> Masks:
        """Those cameras that have about as much of the expected body in their silhouettes as the best one."""
        from scipy.ndimage import distance_transform_edt

        missed = np.full(len(self.cameras), np.inf)
        for c in np.flatnonzero(told).tolist():
            camera, mask = self.cameras[c], self.masks[c][frame]
            spots = camera.pixels(points)
            whole = np.floor(spots).astype(int)
            inside = np.all((whole >= 0) & (whole < (camera.width, camera.height)), axis=1)
            if not inside.any():
                continue
            x, y = whole[inside].T
            rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
            top, left = min(rows[0], y.min()), min(columns[0], x.min())
            part = mask[top : max(rows[-1], y.max()) + 1, left : max(columns[-1], x.max()) + 1]
            away = distance_transform_edt(~part)[y - top, x - left]
            missed[c] = float(np.mean(away > NEAR_MASK * camera.height / 400.0))
        order = np.argsort(missed, kind="stable")
        good = missed <= missed[order[0]] + LIAR
        good[order[:LEAST_CAMERAS]] = True
        return np.asarray(good & told & np.isfinite(missed)) if np.isfinite(missed).sum() >= LEAST_CAMERAS else told

    def _carved(self, frame: int, used: Masks, grid: Grid, strict: bool) -> npt.NDArray[np.uint8]:
        from locomote.capture._kernels.volumes import carve

        out = np.empty(grid.shape, dtype=np.uint8)
        # Beside the pictures of some cameras, the others leave bits of space that nobody denies.
        least = max(LEAST_CAMERAS, int(np.ceil(_WITNESSES * np.count_nonzero(used))) if strict else 0)
        high, wide = int(self._kinds[:, 1].max()), int(self._kinds[:, 0].max())
        masks = np.zeros((len(self.cameras), high, wide), dtype=np.bool_)
        for c in np.flatnonzero(used).tolist():
            mask = self.masks[c][frame]
            masks[c, : mask.shape[0], : mask.shape[1]] = _majority(mask, self.smooth)
        carve(grid.origin, grid.voxel, self._lenses, self._kinds, masks, used, least, out)
        return out


def _majority(mask: Masks, reach: int) -> Masks:
    """Every pixel as most of those around it, of the part of a picture in which there are any."""
    from scipy.ndimage import uniform_filter

    if reach < 1:
        return mask
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    out = np.zeros_like(mask)
    box = np.s_[max(rows[0] - reach, 0) : rows[-1] + reach + 1, max(columns[0] - reach, 0) : columns[-1] + reach + 1]
    out[box] = uniform_filter(mask[box].astype(np.float32), 2 * reach + 1) > 0.5
    return out


@dataclass(frozen=True, eq=False)
class Meshes:
    """Meshes of a stream, each with vertices and triangles of its own; an empty one is a frame without a body.

    Parameters
    ----------
    meshes : (vertices (V, 3) m, faces (T, 3)) of every frame
    """

    meshes: Sequence[tuple[ArrayLike, ArrayLike]]

    def __post_init__(self) -> None:
        checked = []
        for f, (vertices, faces) in enumerate(self.meshes):
            points = np.array(vertices, dtype=np.float64).reshape(-1, 3)
            triangles = np.array(faces, dtype=np.int64).reshape(-1, 3)
            if len(triangles) and (triangles.min() < 0 or triangles.max() >= len(points)):
                raise LocomoteError(f"mesh {f}: a face names vertex {triangles.max()}, and there are {len(points)}")
            if not np.isfinite(points).all():
                raise LocomoteError(f"mesh {f}: vertex {int(np.argwhere(~np.isfinite(points))[0, 0])} is not finite")
            checked.append((points, triangles))
        if not any(len(triangles) for _, triangles in checked):
            raise LocomoteError(f"{len(checked)} meshes, and none has triangles")
        object.__setattr__(self, "meshes", checked)

    def __len__(self) -> int:
        return len(self.meshes)

    @property
    def sources(self) -> int:
        """One."""
        return 1

    def first(self, frame: int) -> tuple[FloatArray, FloatArray] | None:
        """The box around a mesh."""
        vertices, faces = (np.asarray(one) for one in self.meshes[frame])
        if not len(faces):
            return None
        used = vertices[np.unique(faces)]
        return used.min(axis=0), used.max(axis=0)

    def seen(self, frame: int, points: FloatArray | None, low: FloatArray, high: FloatArray, voxel: float) -> Seen:
        """The field of the mesh in a box.

        Parameters
        ----------
        frame : number of it
        points : (P, 3) m, of the body as it is expected, or None
        low, high : (3,) m, corners of the box
        voxel : m
        """
        vertices, faces = (np.asarray(one) for one in self.meshes[frame])
        if not len(faces):
            return Seen(None, np.zeros(1, dtype=bool), "the mesh is empty")
        box = self.first(frame)
        assert box is not None
        # What is far from everything expected still has to be on the grid: columns must be seen to their ends.
        grid = Grid.around(np.minimum(low, box[0] - voxel), np.maximum(high, box[1] + voxel), voxel)
        if np.prod(grid.shape) > 2e7:
            grid = Grid.around(low, high, voxel)
        found = field_of(filled_by(vertices, faces.astype(np.int64), grid), grid)
        return Seen(found, np.array([found is not None]), "" if found is not None else "the mesh encloses nothing")
