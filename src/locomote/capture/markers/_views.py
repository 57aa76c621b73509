"""Cameras that measure: pinholes with lens distortion, found from known points or from a wand that all of them saw."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from locomote import rotations as rot
from locomote.draw._camera import Camera
from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray

_UNDISTORTING = 12  # rounds
_LEAST_POINTS = 6  # that tell a camera
_HELD = 3e-4  # rad
_NEAR = 1e-6  # m, in front of the eye


@dataclass(frozen=True, eq=False)
class View:
    """One camera, visible light or X-rays.

    Parameters
    ----------
    matrix
        (3, 3) focal lengths and the middle of the picture, pixels.
    rotation
        (4,) from the world into the camera, whose X is right, Y down and Z ahead.
    eye
        (3,) m, where it is.
    distortion
        (5,) radial k1, k2, tangential p1, p2, radial k3, as OpenCV has them.
    size
        Width and height of the picture, pixels.
    name
        What it is called.
    """

    matrix: FloatArray
    rotation: FloatArray
    eye: FloatArray
    distortion: FloatArray = field(default_factory=lambda: np.zeros(5))
    size: tuple[int, int] = (640, 480)
    name: str = ""

    @staticmethod
    def of(camera: Camera, name: str = "") -> View:
        """The view of a camera with which pictures are drawn.

        Parameters
        ----------
        camera
            In perspective.
        name
            What it is called.
        """
        if not camera.perspective:
            raise LocomoteError("a camera without perspective tells no depth: expected one with")
        right, down, corner = camera.axes
        lens = np.linalg.norm(right), np.linalg.norm(down)
        axes = np.stack([right / lens[0], down / lens[1], np.cross(right / lens[0], down / lens[1])])
        seen = axes @ corner
        middle = -seen[0] / seen[2], -seen[1] / seen[2]  # of a ray one metre ahead
        focal = seen[2] / lens[0], seen[2] / lens[1]
        matrix = np.array([[focal[0], 0.0, focal[0] * middle[0]], [0.0, focal[1], focal[1] * middle[1]], [0, 0, 1.0]])
        return View(matrix, rot.from_matrix(axes), np.array(camera.eye), size=(camera.width, camera.height), name=name)

    def pixels(self, points: ArrayLike) -> FloatArray:
        """Where points appear, ``(..., 2)`` pixels from the upper left corner; NaN behind the camera.

        Parameters
        ----------
        points
            ``(..., 3)`` m, world.
        """
        seen = rot.rotate(self.rotation, np.asarray(points, dtype=np.float64) - self.eye)
        depth = np.where(seen[..., 2:] > _NEAR, seen[..., 2:], np.nan)
        return self._bent(seen[..., :2] / depth) @ self.matrix[:2, :2].T + self.matrix[:2, 2]

    def rays(self, pixels: ArrayLike) -> FloatArray:
        """Right and down per metre ahead of the rays through pixels, ``(..., 2)``, without distortion.

        Parameters
        ----------
        pixels
            ``(..., 2)`` from the upper left corner.
        """
        inverse = np.linalg.inv(self.matrix[:2, :2])
        wanted = (np.asarray(pixels, dtype=np.float64) - self.matrix[:2, 2]) @ inverse.T
        out = wanted.copy()
        for _ in range(_UNDISTORTING if np.any(self.distortion) else 0):
            out = out + (wanted - self._bent(out))
        return out

    def sees(self, points: ArrayLike) -> FloatArray:
        """Whether points are in the picture, ``(...)``.

        Parameters
        ----------
        points
            ``(..., 3)`` m, world.
        """
        at = self.pixels(points)
        inside: FloatArray = np.all((at >= 0.0) & (at <= np.array(self.size)), axis=-1)
        return inside

    def _bent(self, plain: FloatArray) -> FloatArray:
        k1, k2, p1, p2, k3 = self.distortion
        x, y = plain[..., 0], plain[..., 1]
        far = x * x + y * y
        radial = 1.0 + far * (k1 + far * (k2 + far * k3))
        across = x * radial + 2.0 * p1 * x * y + p2 * (far + 2.0 * x * x)
        down = y * radial + p1 * (far + 2.0 * y * y) + 2.0 * p2 * x * y
        return np.stack([across, down], axis=-1)


def view_from_points(
    points: ArrayLike, pixels: ArrayLike, size: tuple[int, int] = (640, 480), distorted: bool = True, name: str = ""
) -> View:
    """A camera from points whose places are known, such as the corners of a frame or of a checkerboard in many places.

    Parameters
    ----------
    points
        (N, 3) m, not all in one plane.
    pixels
        (N, 2) where they appear; NaN where they do not.
    size
        Width and height of the picture, pixels.
    distorted
        Whether the lens is bent; X-ray images nearly always are.
    name
        What it is called.
    """
    from scipy.optimize import least_squares

    known, seen = np.asarray(points, dtype=np.float64), np.asarray(pixels, dtype=np.float64)
    if known.ndim != 2 or known.shape[1] != 3 or seen.shape != (len(known), 2):
        raise LocomoteError(f"expected points (N, 3) and pixels (N, 2), got {known.shape} and {seen.shape}")
    good = np.isfinite(known).all(axis=1) & np.isfinite(seen).all(axis=1)
    known, seen = known[good], seen[good]
    if len(known) < _LEAST_POINTS or np.linalg.svd(known - known.mean(axis=0))[1][2] < 1e-9:
        raise LocomoteError(f"a camera needs {_LEAST_POINTS} known points or more that are not all in one plane")
    begun = _linear(known, seen, size, name)
    bent = 5 if distorted else 0

    def misses(x: FloatArray) -> FloatArray:
        off = _changed(begun, x).pixels(known) - seen
        return np.asarray(np.nan_to_num(off, nan=1e3).ravel())

    found = least_squares(misses, np.zeros(10 + bent), x_scale="jac", method="trf")
    return _changed(begun, found.x)


def refine_views(views: Sequence[View], pixels: ArrayLike, wand: float) -> list[View]:
    """Cameras made better by a wand that is waved before all of them: its two ends are a known way apart.

    Where the cameras are, and how they are turned, is found anew; on the whole they stay where they were.

    Parameters
    ----------
    views
        V cameras as they are roughly known.
    pixels
        (V, F, 2, 2) the two ends in F frames; NaN where one was not seen.
    wand
        m, between its ends.
    """
    from scipy.optimize import least_squares
    from scipy.sparse import lil_matrix

    from locomote.capture.markers._triangulation import triangulate

    seen = np.asarray(pixels, dtype=np.float64)
    if len(views) < 2 or seen.ndim != 4 or seen.shape[0] != len(views) or seen.shape[2:] != (2, 2):
        raise LocomoteError(
            f"expected 2 views or more and pixels (views, frames, 2, 2), got {len(views)} and {seen.shape}"
        )
    if not 0.0 < wand < np.inf:
        raise LocomoteError(f"wand {wand}: expected metres above 0")
    ends = triangulate(views, seen).points
    there = np.isfinite(ends).all(axis=(1, 2))
    if there.sum() < 10:
        raise LocomoteError(f"the wand was seen whole by two cameras in {int(there.sum())} frames: expected 10 or more")
    ends, seen = ends[there], seen[:, there]
    count, each = len(ends), 6  # unknowns of a view: turn and eye
    known = np.isfinite(seen)
    first = each * len(views)
    scale = wand / 200.0  # m, that counts as one pixel
    far = float(np.linalg.norm(ends.mean(axis=(0, 1)) - views[0].eye))
    hold = np.tile([_HELD] * 3 + [_HELD * far] * 3, len(views))  # so do these, rad and m: pixels do not tell them all

    def split(x: FloatArray) -> tuple[list[View], FloatArray]:
        moved = [_moved(view, part) for view, part in zip(views, x[:first].reshape(-1, each), strict=True)]
        return moved, x[first:].reshape(count, 2, 3)

    def misses(x: FloatArray) -> FloatArray:
        moved, places = split(x)
        off = np.stack([view.pixels(places) for view in moved]) - np.nan_to_num(seen)
        length = np.linalg.norm(places[:, 0] - places[:, 1], axis=1) - wand
        held = x[:first] / hold
        return np.concatenate([np.where(known, np.nan_to_num(off, nan=1e3), 0.0).ravel(), length / scale, held])

    start = np.concatenate([np.zeros(first), ends.ravel()])
    pattern = lil_matrix((seen.size + count + first, len(start)), dtype=np.int8)
    rows = np.arange(seen.size).reshape(seen.shape)
    for v in range(len(views)):
        pattern[rows[v].ravel()[:, None], np.arange(each * v, each * v + each)] = 1
        for f in range(count):
            for end in range(2):
                at = first + 6 * f + 3 * end
                pattern[rows[v, f, end][:, None], np.arange(at, at + 3)] = 1
    for f in range(count):
        pattern[seen.size + f, first + 6 * f : first + 6 * f + 6] = 1
    pattern[seen.size + count + np.arange(first), np.arange(first)] = 1
    found = least_squares(misses, start, jac_sparsity=pattern, x_scale="jac", method="trf", max_nfev=60)
    return split(found.x)[0]


def _linear(points: FloatArray, pixels: FloatArray, size: tuple[int, int], name: str) -> View:
    """A pinhole by the direct linear transformation."""
    middle, spread = points.mean(axis=0), float(points.std()) or 1.0
    p = np.concatenate([(points - middle) / spread, np.ones((len(points), 1))], axis=1)
    centre, wide = np.array(size) / 2.0, float(max(size))
    q = (pixels - centre) / wide
    zero = np.zeros_like(p)
    rows = np.concatenate([np.hstack([p, zero, -q[:, :1] * p]), np.hstack([zero, p, -q[:, 1:] * p])])
    m = np.linalg.svd(rows)[2][-1].reshape(3, 4)
    if np.median(p @ m[2]) < 0.0:
        m = -m
    m = np.array([[wide, 0.0, centre[0]], [0.0, wide, centre[1]], [0.0, 0.0, 1.0]]) @ m
    eye = middle - spread * np.linalg.solve(m[:, :3], m[:, 3])
    # The rows of the matrix times the rotation: taken apart from below.
    q_, r_ = np.linalg.qr(np.flipud(m[:, :3]).T)
    upper, turn = np.fliplr(np.flipud(r_.T)), np.flipud(q_.T)
    signs = np.diag(np.sign(np.diag(upper)))
    upper, turn = upper @ signs, signs @ turn
    matrix = upper / upper[2, 2]
    matrix[0, 1] = 0.0
    return View(matrix, rot.from_matrix(turn), np.asarray(eye), size=size, name=name)


def _changed(view: View, x: FloatArray) -> View:
    """Turn, eye, logarithms of focal lengths, the middle of the picture and, if there, distortion."""
    moved = _moved(view, x[:6])
    matrix = moved.matrix.copy()
    matrix[0, 0] *= np.exp(x[6])
    matrix[1, 1] *= np.exp(x[7])
    matrix[:2, 2] += x[8:10] * max(view.size)
    return replace(moved, matrix=matrix, distortion=x[10:15] if len(x) > 10 else view.distortion)


def _moved(view: View, x: FloatArray) -> View:
    """Turn (rad) and eye (m)."""
    return replace(view, rotation=rot.multiply(rot.exp(x[:3]), view.rotation), eye=view.eye + x[3:6])
