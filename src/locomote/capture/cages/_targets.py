"""What a cage is fitted to, frame by frame: silhouettes of several cameras, or meshes that have nothing in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from locomote.capture.cages._evidence import Evidence, InField, InOutlines
from locomote.capture.cages._fields import Field, Grid, field_of, filled_by
from locomote.capture.cages._outlines import Outline, gathered, lenses_of, majority, outline_of
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
_MARGIN = 0.25  # m around a body in which fields are made
_KEPT = 64  # outlines that are kept, of the frames looked at last

Masks = npt.NDArray[np.bool_]
Box = tuple[FloatArray, FloatArray]  # lowest and highest corner, m


class Seen(NamedTuple):
    """What there is of one frame."""

    evidence: Evidence | None  # None: nothing to be fitted to
    used: npt.NDArray[np.bool_]  # (C,) cameras that counted; (1,) for meshes
    why: str = ""  # there is nothing


class Target(Protocol):
    """A stream of frames."""

    def __len__(self) -> int: ...

    @property
    def sources(self) -> int:
        """How many cameras there are; 1 for meshes."""

    def volume(self, frame: int, voxel: float) -> Field | None:
        """The field of all that is seen, without knowing where the body is."""

    def seen(self, frame: int, points: FloatArray, voxel: float) -> Seen:
        """What there is of a frame, given where points of the body are expected."""


@dataclass(frozen=True, eq=False)
class Hulls:
    """Silhouettes of several cameras, and the visual hulls that they leave of space.

    A body is looked for in the hull of a frame, and then fitted to the silhouettes themselves.

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
        Pixels to each side over which every pixel goes with the majority, against ragged edges.
    """

    masks: Sequence[Masks]
    cameras: Sequence[Camera]
    reject: bool = True
    smooth: int = 3
    _lenses: FloatArray = field(init=False, repr=False)
    _kinds: IntArray = field(init=False, repr=False)
    _outlines: dict[tuple[int, int], Outline | None] = field(init=False, repr=False, default_factory=dict)

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
        object.__setattr__(self, "_lenses", lenses_of(cameras))
        kinds = np.array([(one.width, one.height, int(one.perspective)) for one in cameras], dtype=np.int64)
        object.__setattr__(self, "_kinds", kinds)

    def __len__(self) -> int:
        return len(self.masks[0])

    @property
    def sources(self) -> int:
        """How many cameras."""
        return len(self.cameras)

    def volume(self, frame: int, voxel: float) -> Field | None:
        """The field of the hull, from silhouettes that agree with each other.

        Parameters
        ----------
        frame : number of it
        voxel : m
        """
        told = self._told(frame)
        box = self._box(frame, told)
        if box is None:
            return None
        grid = Grid.around(box[0] - _MARGIN, box[1] + _MARGIN, voxel)
        return field_of(self._carved(frame, told, grid), grid)

    def seen(self, frame: int, points: FloatArray, voxel: float) -> Seen:
        """The silhouettes; cameras that contradict the expected points are left out.

        Parameters
        ----------
        frame : number of it
        points : (P, 3) m, of the body as it is expected
        voxel : m, of fields
        """
        used = self._told(frame)
        if used.sum() < LEAST_CAMERAS:
            return Seen(None, used, f"{int(used.sum())} of {len(used)} cameras see something")
        if self.reject:
            used = self._believed(frame, used, points)
        chosen = np.flatnonzero(used).tolist()
        outlines = [one for one in (self._outline(c, frame) for c in chosen) if one is not None]
        return Seen(InOutlines(gathered(outlines, [self.cameras[c] for c in chosen])), used)

    def _box(self, frame: int, told: Masks) -> Box | None:
        """A box around where the rays through the middles of the silhouettes pass each other."""
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
        places = np.argwhere(self._carved(frame, told, grid))
        if len(places) < 8:
            return None
        return grid.origin + _COARSE * (places.min(axis=0) - 2), grid.origin + _COARSE * (places.max(axis=0) + 2)

    def _told(self, frame: int) -> Masks:
        return np.array(
            [
                np.count_nonzero(one[frame]) > _EMPTY * one[frame].size and self._outline(c, frame) is not None
                for c, one in enumerate(self.masks)
            ]
        )

    def _outline(self, camera: int, frame: int) -> Outline | None:
        key = (camera, frame)
        if key not in self._outlines:
            while len(self._outlines) >= _KEPT:
                del self._outlines[next(iter(self._outlines))]
            self._outlines[key] = outline_of(self.masks[camera][frame], self.smooth)
        return self._outlines[key]

    def _believed(self, frame: int, told: Masks, points: FloatArray) -> Masks:
        """Those cameras that have about as much of the expected body in their silhouettes as the best one."""
        missed = np.full(len(self.cameras), np.inf)
        for c in np.flatnonzero(told).tolist():
            camera, outline = self.cameras[c], self._outline(c, frame)
            assert outline is not None
            spots = camera.pixels(points)
            inside = np.all((spots >= 0.0) & (spots < (camera.width, camera.height)), axis=1)
            if inside.any():
                missed[c] = float(np.mean(outline.at(spots[inside]) > NEAR_MASK * camera.height / 400.0))
        order = np.argsort(missed, kind="stable")
        good = missed <= missed[order[0]] + LIAR
        good[order[:LEAST_CAMERAS]] = True
        return np.asarray(good & told & np.isfinite(missed)) if np.isfinite(missed).sum() >= LEAST_CAMERAS else told

    def _carved(self, frame: int, used: Masks, grid: Grid) -> npt.NDArray[np.uint8]:
        from locomote.capture._kernels.volumes import carve

        out = np.empty(grid.shape, dtype=np.uint8)
        # Beside the pictures of some cameras, the others leave bits of space that nobody denies.
        least = max(LEAST_CAMERAS, int(np.ceil(_WITNESSES * np.count_nonzero(used))))
        high, wide = int(self._kinds[:, 1].max()), int(self._kinds[:, 0].max())
        masks = np.zeros((len(self.cameras), high, wide), dtype=np.bool_)
        for c in np.flatnonzero(used).tolist():
            mask = self.masks[c][frame]
            masks[c, : mask.shape[0], : mask.shape[1]] = majority(mask, self.smooth)
        carve(grid.origin, grid.voxel, self._lenses, self._kinds, masks, used, least, out)
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

    def volume(self, frame: int, voxel: float) -> Field | None:
        """The field of a mesh.

        Parameters
        ----------
        frame : number of it
        voxel : m
        """
        box = self._box(frame)
        return None if box is None else self._field(frame, box, box, voxel)

    def seen(self, frame: int, points: FloatArray, voxel: float) -> Seen:
        """The field of the mesh around a body.

        Parameters
        ----------
        frame : number of it
        points : (P, 3) m, of the body as it is expected
        voxel : m
        """
        box = self._box(frame)
        if box is None:
            return Seen(None, np.zeros(1, dtype=bool), "the mesh is empty")
        found = self._field(frame, (points.min(axis=0), points.max(axis=0)), box, voxel)
        if found is None:
            return Seen(None, np.zeros(1, dtype=bool), "the mesh encloses nothing")
        return Seen(InField(found), np.ones(1, dtype=bool))

    def _box(self, frame: int) -> Box | None:
        """Around a mesh."""
        vertices, faces = (np.asarray(one) for one in self.meshes[frame])
        if not len(faces):
            return None
        used = vertices[np.unique(faces)]
        return used.min(axis=0), used.max(axis=0)

    def _field(self, frame: int, body: Box, box: Box, voxel: float) -> Field | None:
        vertices, faces = (np.asarray(one) for one in self.meshes[frame])
        low, high = body[0] - _MARGIN, body[1] + _MARGIN
        # What is far from everything expected still has to be on the grid: columns must be seen to their ends.
        grid = Grid.around(np.minimum(low, box[0] - voxel), np.maximum(high, box[1] + voxel), voxel)
        if np.prod(grid.shape) > 2e7:
            grid = Grid.around(low, high, voxel)
        return field_of(filled_by(vertices, faces.astype(np.int64), grid), grid)
