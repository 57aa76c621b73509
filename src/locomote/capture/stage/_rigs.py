"""A virtual capture rig: several cameras, who of them sees all of an animal, and the visual hull of what they see.

What a rig of real cameras would give of a motion, before any of them is bought: in how many seconds enough of them
have the whole animal in their pictures (ROD-12), and how near its hull comes to the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.capture._cameras import camera_ring
from locomote.capture.markers._triangulation import LEAST_VIEWS, Usable, usable
from locomote.capture.markers._views import View
from locomote.capture.stage._silhouettes import Masks, silhouettes
from locomote.capture.stage._surfaces import Surface, surface_of
from locomote.draw._camera import Camera
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray

_FINEST = 40  # voxels along the longest side of a hull unless told
_BESIDE = 3  # voxels of space around a body


class Hull(NamedTuple):
    """The space that all silhouettes leave, as voxels."""

    filled: npt.NDArray[np.bool_]  # (X, Y, Z)
    origin: FloatArray  # (3,) m, the middle of the first voxel
    voxel: float  # m

    @property
    def volume(self) -> float:
        """How much space it takes, m^3."""
        return float(np.count_nonzero(self.filled)) * self.voxel**3

    def contains(self, points: ArrayLike) -> npt.NDArray[np.bool_]:
        """Whether points are in it, ``(P,)``.

        Parameters
        ----------
        points : (P, 3) m
        """
        at = np.rint((np.asarray(points, dtype=np.float64) - self.origin) / self.voxel).astype(np.int64)
        inside = np.all((at >= 0) & (at < self.filled.shape), axis=-1)
        x, y, z = np.where(inside[..., None], at, 0).T
        return np.asarray(inside & self.filled[x, y, z])


@dataclass(frozen=True, eq=False)
class Footage:
    """What a rig sees of a motion.

    Parameters
    ----------
    cameras : the C cameras
    masks : (C, F, H, W) silhouettes
    whole : (C, F) whether a camera has all of the body in its picture
    usable : how many do, in which frames that is enough, and how many seconds these are
    least : cameras that are enough
    """

    cameras: Sequence[Camera]
    masks: Sequence[Masks]
    whole: npt.NDArray[np.bool_]
    usable: Usable
    least: int

    def __len__(self) -> int:
        return int(self.whole.shape[1])

    def hull(self, frame: int, voxel: float | None = None) -> Hull:
        """The visual hull in one frame, by the cameras that see all of the body; refused where those are too few.

        No part of the body that is wider than a pixel is outside of it: a voxel is left out only if no pixel near the
        place where a camera sees it is in the silhouette.

        Parameters
        ----------
        frame : its number
        voxel : m; a fortieth of the longest side of the body unless given
        """
        if not 0 <= frame < len(self):
            raise LocomoteError(f"frame {frame}: the footage has {len(self)}, from 0")
        used = self.whole[:, frame]
        if used.sum() < self.least:
            raise LocomoteError(
                f"frame {frame}: {int(used.sum())} of {len(used)} cameras see all of the body, {self.least} are needed"
            )
        chosen = [(self.cameras[c], np.asarray(self.masks[c][frame])) for c in np.flatnonzero(used).tolist()]
        low, high = _box(chosen)
        if voxel is None:
            voxel = float(np.max(high - low)) / _FINEST
        if not 0.0 < voxel < np.inf:
            raise LocomoteError(f"voxel {voxel:g}: expected metres above 0")
        return _carved(chosen, low - _BESIDE * voxel, high + _BESIDE * voxel, voxel)


@dataclass(frozen=True, eq=False)
class CaptureRig:
    """Cameras that stand still around a field.

    Parameters
    ----------
    cameras : in perspective, with pictures of one size
    least : of them that must see all of an animal, for its hull to be one
    """

    cameras: Sequence[Camera]
    least: int = LEAST_VIEWS

    def __post_init__(self) -> None:
        if not 2 <= self.least <= len(self.cameras):
            raise LocomoteError(
                f"a rig of {len(self.cameras)} cameras, of which {self.least} must see: expected 2 to all"
            )
        if any(not camera.perspective for camera in self.cameras):
            raise LocomoteError("a rig: expected cameras in perspective")

    @classmethod
    def around(
        cls, field: float, count: int = 8, size: tuple[int, int] = (640, 480), least: int = LEAST_VIEWS
    ) -> CaptureRig:
        """A ring of cameras, every other one higher, that look at a field on the floor and just see all of it.

        Parameters
        ----------
        field : m, how wide it is
        count : of cameras
        size : width and height of their pictures, pixels
        least : of them that must see all of an animal
        """
        if not 0.0 < field < np.inf:
            raise LocomoteError(f"field {field:g}: expected metres above 0")
        middle, far = (0.0, 0.15 * field, 0.0), 3.5 * field
        opening = 2.0 * float(np.arctan2(0.5 * field, far - 0.5 * field))
        low, high = (camera_ring(count, far, height * field, middle, size, opening) for height in (0.8, 2.0))
        return cls([(low, high)[k % 2][k] for k in range(count)], least)

    def watch(self, subject: Motion | Surface | tuple[FloatArray, IntArray], fps: float = 0.0) -> Footage:
        """What the cameras see of a body that moves.

        Parameters
        ----------
        subject : a motion, drawn as `meshes` has it, or its surface
        fps : frames a second of a surface; a motion has its own
        """
        rate = subject.fps if isinstance(subject, Motion) else fps
        if not 0.0 < rate < np.inf:
            raise LocomoteError(f"fps {rate:g}: a surface needs its frames a second")
        surface = surface_of(subject)
        views = [View.of(camera) for camera in self.cameras]
        whole = np.array([np.all(view.sees(surface.vertices), axis=1) for view in views])
        masks = [silhouettes(surface, camera) for camera in self.cameras]
        return Footage(self.cameras, masks, whole, usable(views, surface.vertices, rate, self.least), self.least)


def _box(chosen: Sequence[tuple[Camera, Masks]]) -> tuple[FloatArray, FloatArray]:
    """Corners of a box that holds the hull: for each direction, what the cones of all cameras have in common."""
    from scipy.optimize import linprog

    rows, bounds = [], []
    for camera, mask in chosen:
        y, x = np.nonzero(mask)
        corners = [(x.min(), y.min()), (x.max() + 1, y.min()), (x.max() + 1, y.max() + 1), (x.min(), y.max() + 1)]
        rays = [camera.axes[2] + u * camera.axes[0] + v * camera.axes[1] for u, v in corners]
        for k in range(4):  # planes through the eye, inwards
            normal = np.cross(rays[k], rays[(k + 1) % 4])
            normal = normal / np.linalg.norm(normal) * np.sign(normal @ (rays[(k + 2) % 4] + rays[(k + 3) % 4]))
            rows.append(-normal)
            bounds.append(float(-normal @ camera.eye))
    ends = [
        linprog(sign * np.eye(3)[axis], A_ub=np.array(rows), b_ub=np.array(bounds), bounds=[(None, None)] * 3)
        for sign in (1.0, -1.0)
        for axis in range(3)
    ]
    if not all(end.success for end in ends):
        raise LocomoteError("the silhouettes of the cameras have nothing in common")
    return np.array([end.fun for end in ends[:3]]), -np.array([end.fun for end in ends[3:]])


def _carved(chosen: Sequence[tuple[Camera, Masks]], low: FloatArray, high: FloatArray, voxel: float) -> Hull:
    """What the silhouettes leave of a box, each made larger by half of the diagonal of a voxel."""
    from scipy.ndimage import distance_transform_edt

    from locomote.capture._kernels.volumes import carve

    middle = 0.5 * (low + high)
    shape = tuple(int(n) for n in np.ceil((high - low) / voxel) + 1.0)
    masks = []
    for camera, mask in chosen:
        # Of the part of the box that is nearest to the camera, a metre across covers the most pixels.
        near = np.linalg.norm(middle - camera.eye) - 0.5 * np.linalg.norm(high - low)
        pixels = 0.5 * np.sqrt(3.0) * voxel / max(float(near), voxel) / np.linalg.norm(camera.axes[0])
        pixels *= np.linalg.norm(camera.axes[2]) / _ahead(camera)  # what is beside the middle of a picture is wider
        masks.append(distance_transform_edt(~mask) <= pixels + 1.5)
    lenses = np.array([np.concatenate([camera.eye[None], camera.inverse]) for camera, _ in chosen])
    kinds = np.array([(camera.width, camera.height, 1) for camera, _ in chosen], dtype=np.int64)
    out = np.empty(shape, dtype=np.uint8)
    used = np.ones(len(chosen), dtype=np.bool_)
    carve(low, voxel, np.ascontiguousarray(lenses), kinds, np.array(masks), used, len(chosen), out)
    return Hull(out.astype(np.bool_), low, voxel)


def _ahead(camera: Camera) -> float:
    """How far ahead the plane of the pixels is, by the axes' own measure."""
    normal = np.cross(camera.axes[0], camera.axes[1])
    return float(abs(camera.axes[2] @ normal) / np.linalg.norm(normal))
