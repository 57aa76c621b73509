"""A space of poses: a mean pose and the few directions in which recorded poses differ from it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError, SkeletonError
from locomote.ik._chains import joint_index
from locomote.motion import Motion, Poses, checked_motions
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import IntArray, Skeleton
from locomote.spaces import _statistics as statistics
from locomote.spaces._ellipsoids import joint_ellipsoids
from locomote.spaces._statistics import Variance

if TYPE_CHECKING:
    from locomote.spaces._handles import Handle
    from locomote.spaces._reaching import Reach, Reached

FORMS = ("sum", "product")


@dataclass(frozen=True, eq=False)
class PoseSpace:
    """Poses as few numbers: each joint is ``mean * exp(coordinates @ directions)``, the root apart.

    Made by `fit`. Coordinates are radians along ``directions``, of which the first carry the most variance.
    """

    skeleton: Skeleton
    mean_rotations: FloatArray  # (J, 4) intrinsic mean of each joint; the root's is the identity
    directions: FloatArray  # (k, J, 3) rotation vectors in the joints' frames
    deviations: FloatArray  # (k,) of the coordinates that were fitted
    weights: FloatArray  # (J,) how much a joint counts: directions are orthonormal where they are multiplied by it
    limit_centres: FloatArray  # (J, 3) of the ellipsoids that enclose what was seen of each joint
    limit_matrices: FloatArray  # (J, 3, 3)
    variance: Variance
    notes: tuple[str, ...] = field(default=())

    @classmethod
    def fit(
        cls,
        motions: Motion | Sequence[Motion],
        k: int | None = None,
        *,
        keep: float = 0.99,
        joints: Sequence[str | int] | None = None,
        metric: str = "reach",
    ) -> PoseSpace:
        """The space of recorded poses.

        Parameters
        ----------
        motions
            One or several on the same joints; bone lengths are those of the first.
        k
            Directions; as many as ``keep`` asks for without it.
        keep
            The share of the variance that the directions carry together, 0 to 1.
        joints
            Those that differ between poses, by name or number; all but the root and the fingers without it.
        metric
            "reach": a joint counts by how far it moves what hangs on it; "angle": all joints count alike; "kinetic": by
            the inertia of what hangs on it, and joints that move no mass keep their mean (for `physics.Balanced`).
        """
        clips = [motions] if isinstance(motions, Motion) else checked_motions(motions, "PoseSpace.fit")
        skeleton = _common_skeleton(clips)
        if metric not in statistics.METRICS:
            raise LocomoteError(f"metric {metric!r}: expected one of {', '.join(statistics.METRICS)}")
        free = _joints(skeleton, joints)
        rotations = np.concatenate([clip.rotations for clip in clips])
        mean = statistics.intrinsic_mean(rotations)
        mean[0] = rot.IDENTITY  # where a body goes and faces says nothing of its pose
        vectors = statistics.tangents(mean, rotations)
        vectors[:, [j for j in range(len(skeleton)) if j not in free]] = 0.0
        weights = np.ones(len(skeleton))
        if metric == "reach":
            weights = statistics.levers(skeleton, mean)
        elif metric == "kinetic":
            hefts = statistics.hefts(skeleton, mean)
            free = free[hefts[free] > 0.0]
            weights = np.where(hefts > 0.0, hefts, 1.0)
            vectors[:, [j for j in range(len(skeleton)) if j not in free]] = 0.0
        if k is not None and k < 1:
            raise LocomoteError(f"k = {k}: expected at least 1 direction")
        if len(free) == 0:
            raise LocomoteError("motions: a space needs a joint besides the root whose turning moves something")
        found = statistics.principal_directions(vectors, free, weights, k)
        total = float(np.mean(np.sum((vectors * weights[:, None]) ** 2, axis=(1, 2))))
        variance = Variance(found.shares, total)
        basis = found.basis[: variance.count(keep)] if k is None else found.basis
        directions = np.zeros((len(basis), len(skeleton), 3))
        directions[:, free] = basis.reshape(len(basis), -1, 3) / weights[free, None]
        return cls(
            skeleton,
            mean,
            directions,
            np.sqrt(np.maximum(found.shares[: len(basis)] * total, 0.0)),
            weights,
            *joint_ellipsoids(vectors),
            variance,
            statistics.wide_notes(skeleton, vectors, free.tolist()),
        )

    def __len__(self) -> int:
        """The number of directions."""
        return len(self.directions)

    @property
    def mean(self) -> Poses:
        """The mean pose, its root at the origin."""
        return self.pose(np.zeros((1, len(self))))

    def coordinates(self, pose: Motion | Poses | ArrayLike) -> FloatArray:
        """Coordinates of poses, ``(..., k)``: those of the nearest pose of the space in the tangent space at the mean.

        Parameters
        ----------
        pose : a motion, poses, or local rotations (..., J, 4)
        """
        rotations = self.rotations_of(pose)
        vectors = statistics.tangents(self.mean_rotations, rotations) * self.weights[:, None] ** 2
        out: FloatArray = np.einsum("...ja,kja->...k", vectors, self.directions)
        return out

    def rotations(self, coordinates: ArrayLike, form: str = "sum") -> FloatArray:
        """Local rotations ``(..., J, 4)`` of coordinates; that of the root is the identity.

        Parameters
        ----------
        coordinates : (..., k) rad
        form : "sum", of which `coordinates` is the inverse, or "product", one direction after the other
        """
        from locomote.spaces._kernels.geodesics import geodesic_poses

        x = self.checked_coordinates(coordinates)
        flat = np.ascontiguousarray(x.reshape(-1, len(self)))
        out = np.empty((len(flat), len(self.skeleton), 4))
        geodesic_poses(self.mean_rotations, self.by_joint, flat, _is_product(form), out)
        return out.reshape(*x.shape[:-1], *out.shape[1:])

    def pose(self, coordinates: ArrayLike, form: str = "sum") -> Poses:
        """Poses of coordinates, their roots at the origin.

        Parameters
        ----------
        coordinates : (k,) or (N, k) rad
        form : as for `rotations`
        """
        turns = self.rotations(np.atleast_2d(coordinates), form)
        return Poses(self.skeleton, np.zeros((len(turns), 3)), turns)

    def motion(self, coordinates: ArrayLike, like: Motion, form: str = "sum") -> Motion:
        """A motion of coordinates that goes where another one goes.

        Parameters
        ----------
        coordinates : (F, k) rad
        like : whose root, frame rate and name it has
        form : as for `rotations`
        """
        turns = self.rotations(coordinates, form)
        if turns.shape != like.rotations.shape:
            raise LocomoteError(f"coordinates: {turns.shape[:-2]} poses, expected {len(like)} as in the other motion")
        turns[:, 0] = like.rotations[:, 0]
        return Motion(self.skeleton, like.fps, like.root_positions, turns, name=like.name)

    def jacobian(
        self, coordinates: ArrayLike, joint: str | int, point: ArrayLike = (0.0, 0.0, 0.0), form: str = "sum"
    ) -> FloatArray:
        """How a point of a body moves with the coordinates, ``(N, 3, k)`` m/rad; the root is unturned.

        Parameters
        ----------
        coordinates : (k,) or (N, k) rad
        joint : that carries the point, by name or number
        point : (3,) m, in the frame of the joint
        form : as for `rotations`
        """
        from locomote.spaces._kernels.geodesics import point_jacobians

        x = np.ascontiguousarray(self.checked_coordinates(np.atleast_2d(coordinates)))
        path = np.array(self.skeleton.ancestors(_joints(self.skeleton, [joint])[0])[::-1], dtype=np.int64)
        out = np.zeros((len(x), 3, len(self)))
        point_jacobians(
            np.array(self.skeleton.parents),
            np.array(self.skeleton.offsets),
            self.mean_rotations,
            self.by_joint,
            x,
            rot.identity(len(x)),
            path,
            np.array(point, dtype=np.float64),
            _is_product(form),
            np.zeros((5, 3, len(self))),
            out,
        )
        return out

    def reach(
        self,
        handles: Sequence[Handle],
        start: Motion | Poses | None = None,
        *,
        previous: ArrayLike | None = None,
        root: str = "keep",
        settings: Reach | None = None,
        exact: bool = False,
    ) -> Reached:
        """Poses of the space that hold handles.

        What a start has beyond the space (fingers, small habits) is kept, and all of it where the handles ask nothing.

        Parameters
        ----------
        handles
            What is held, on any joints, and where.
        start
            A motion, whose frames are solved together, or poses, each solved for itself: whose root and bones they
            are and where the search begins. Without it the mean pose, its root at the origin.
        previous
            Coordinates of the pose before the first, ``(k,)`` or ``(N, k)`` rad, from which it shall differ little.
        root
            "keep" it where it is, or let it be "free".
        settings
            How strongly other things count beside the handles.
        exact
            Bend arms and legs at the end, so that points held on hands and feet are there exactly, if in reach.
        """
        from locomote.spaces import _reaching

        return _reaching.reach(self, handles, start, previous, root, settings or _reaching.Reach(), exact)

    def excess(self, coordinates: ArrayLike) -> FloatArray:
        """How far each joint is beyond the ellipsoid of what was recorded, ``(..., J)``; 0 inside, 1 at twice its size.

        Parameters
        ----------
        coordinates : (..., k) rad
        """
        vectors = np.einsum("...k,kja->...ja", self.checked_coordinates(coordinates), self.directions)
        off = vectors - self.limit_centres
        out: FloatArray = np.maximum(
            np.sqrt(np.einsum("...ja,jab,...jb->...j", off, self.limit_matrices, off)) - 1.0, 0.0
        )
        return out

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the space into one file, .npz."""
        from locomote.spaces import _files

        _files.save(self, Path(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PoseSpace:
        """Read a space that `save` wrote."""
        from locomote.spaces import _files

        return _files.load(Path(path))

    @cached_property
    def by_joint(self) -> FloatArray:
        """The directions as kernels take them, ``(J, 3, k)``."""
        return np.ascontiguousarray(np.moveaxis(self.directions, 0, 2))

    def rotations_of(self, pose: Motion | Poses | ArrayLike) -> FloatArray:
        """Local rotations ``(..., J, 4)`` of poses on the joints of this space."""
        if isinstance(pose, Motion | Poses):
            _same_joints(self.skeleton, pose.skeleton)
            return pose.rotations
        rotations = np.asarray(pose, dtype=np.float64)
        if rotations.ndim < 2 or rotations.shape[-2:] != (len(self.skeleton), 4):
            raise LocomoteError(f"rotations: shape {rotations.shape}, expected (..., {len(self.skeleton)}, 4)")
        return rotations

    def checked_coordinates(self, coordinates: ArrayLike) -> FloatArray:
        """Finite coordinates ``(..., k)``."""
        x = np.asarray(coordinates, dtype=np.float64)
        if x.ndim < 1 or x.shape[-1] != len(self):
            raise LocomoteError(f"coordinates: shape {x.shape}, expected (..., {len(self)}), one for each direction")
        if not np.isfinite(x).all():
            raise LocomoteError("coordinates: some are not finite")
        return x


def _is_product(form: str) -> bool:
    if form not in FORMS:
        raise LocomoteError(f"form {form!r}: expected one of {', '.join(FORMS)}")
    return form == "product"


def _common_skeleton(clips: Sequence[Motion]) -> Skeleton:
    if not clips:
        raise LocomoteError("motions: expected at least one")
    for clip in clips:
        _same_joints(clips[0].skeleton, clip.skeleton)
    if sum(len(clip) for clip in clips) < 2:
        raise LocomoteError("motions: a space needs at least two poses")
    return clips[0].skeleton


def _same_joints(ours: Skeleton, theirs: Skeleton) -> None:
    if ours.names != theirs.names or not np.array_equal(ours.parents, theirs.parents):
        odd = sorted(set(theirs.names) ^ set(ours.names))[:4]
        raise SkeletonError(
            f"the skeletons differ ({', '.join(odd) or 'in order'}): retarget the motion onto that of the space"
        )


def _joints(skeleton: Skeleton, joints: Sequence[str | int] | None) -> IntArray:
    if joints is None:
        return statistics.captured_joints(skeleton)
    return np.array(sorted({joint_index(skeleton, joint) for joint in joints}), dtype=np.int64)
