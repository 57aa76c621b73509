"""Statistics of rotations: intrinsic means, and principal directions in the tangent space at the mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.math.components import Components, principal_components, smallest_count
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

WIDE = 2.8  # rad from the mean; farther out a rotation vector may flip to the other side
METRICS = ("angle", "reach", "kinetic")
_LEAST_LEVER = 0.02  # of the longest: joints without anything below them still count


@dataclass(frozen=True, eq=False)
class Variance:
    """How much of the variance of a set of poses each direction carries, the most important first."""

    shares: FloatArray  # (n,) of all directions found; their sum is 1
    total: float  # rad², of all joints together (in the metric of the space)

    @property
    def cumulative(self) -> FloatArray:
        """The share that the first 1, 2, ... directions carry together, ``(n,)``."""
        out: FloatArray = np.cumsum(self.shares)
        return out

    def count(self, share: float) -> int:
        """The least number of directions that carry a share of the variance.

        Parameters
        ----------
        share : 0 to 1
        """
        if not 0.0 < share <= 1.0:
            raise LocomoteError(f"share {share}: expected a number above 0 and up to 1")
        return smallest_count(self.shares, share)


def intrinsic_mean(rotations: FloatArray) -> FloatArray:
    """The mean of each joint ``(J, 4)`` of ``rotations (N, J, 4)``: the least sum of squared angles."""
    from locomote.math.quaternion import weighted_mean_batch  # imports Numba: only when somebody fits

    by_joint = np.ascontiguousarray(np.moveaxis(rotations, 0, 1))
    out = np.empty((len(by_joint), 4))
    weighted_mean_batch(by_joint, np.ones(by_joint.shape[:2]), out)
    return out


def tangents(mean: FloatArray, rotations: FloatArray) -> FloatArray:
    """Rotation vectors ``(..., J, 3)`` from the mean ``(J, 4)`` to ``rotations (..., J, 4)``, in the joints' frames."""
    return rot.log(rot.multiply(rot.inverse(mean), rotations))


def principal_directions(vectors: FloatArray, joints: IntArray, weights: FloatArray, count: int | None) -> Components:
    """Components of rotation vectors ``(N, J, 3)`` of some joints, whose squares count by ``weights (J,)`` squared."""
    chosen = vectors[:, joints] * weights[joints, None]
    found = principal_components(chosen.reshape(len(chosen), -1), count=count, dual=False)
    if count is not None and count > len(found.basis):
        raise LocomoteError(
            f"k = {count}: {len(chosen)} poses of {len(joints)} joints have at most {len(found.basis)} directions"
        )
    return found


def levers(skeleton: Skeleton, mean: FloatArray) -> FloatArray:
    """How far each joint moves what hangs on it, ``(J,)`` of the mean over all; for rotations weighed by their reach.

    The root of the sum of the squared distances to all joints and end sites below, in the mean pose.
    """
    from locomote.math.fk import forward_kinematics

    count = len(skeleton)
    places, turns = np.empty((1, count, 3)), np.empty((1, count, 4))
    forward_kinematics(skeleton.parents, skeleton.offsets[None], np.zeros((1, 3)), mean[None], places, turns)
    at = skeleton.end_parents
    ends = places[0, at] + rot.rotate(turns[0, at], skeleton.end_offsets)
    squares = np.zeros(count)
    for place, joint in [*zip(places[0], range(count), strict=True), *zip(ends, at.tolist(), strict=True)]:
        path = skeleton.ancestors(joint)
        squares[path] += np.sum((place - places[0, path]) ** 2, axis=-1)
    out = np.maximum(np.sqrt(squares), _LEAST_LEVER * np.sqrt(squares.max()))
    scaled: FloatArray = out / np.sqrt(np.mean(out**2)) if out.max() > 0.0 else np.ones(count)
    return scaled


def hefts(skeleton: Skeleton, mean: FloatArray) -> FloatArray:
    """How hard each joint is to turn, ``(J,)`` of the hardest; 0 where nothing heavy hangs on it.

    The root of the moment of inertia of all that hangs on it, the mean of those about three axes, in the mean pose.
    """
    from locomote.masses import Masses
    from locomote.math.fk import forward_kinematics

    count, masses = len(skeleton), Masses.of(skeleton)
    places, turns = np.empty((1, count, 3)), np.empty((1, count, 4))
    forward_kinematics(skeleton.parents, skeleton.offsets[None], np.zeros((1, 3)), mean[None], places, turns)
    centres = masses.centres(places[0], turns[0])
    moments = np.zeros(count)
    for j in np.flatnonzero(masses.mass):
        path = skeleton.ancestors(int(j))
        away = np.sum((centres[j] - places[0, path]) ** 2, axis=-1)
        moments[path] += 2.0 / 3.0 * masses.mass[j] * away + np.trace(masses.inertia[j]) / 3.0
    moments[0] = 0.0  # the root moves freely: it is not among the joints of a pose
    out: FloatArray = np.sqrt(moments / moments.max()) if moments.any() else moments
    return out


def captured_joints(skeleton: Skeleton) -> IntArray:
    """All joints but the root and the fingers: those are seldom recorded, and swing far where they are not."""
    fingers = set()
    for arm in skeleton.roles.arms:
        fingers |= {j for j in range(len(skeleton)) if j != arm.wrist and arm.wrist in skeleton.ancestors(j)}
    return np.array([j for j in range(1, len(skeleton)) if j not in fingers], dtype=np.int64)


def wide_notes(skeleton: Skeleton, vectors: FloatArray, joints: Sequence[int]) -> tuple[str, ...]:
    """One line for each joint that was seen so far from its mean that its statistics are not to be trusted."""
    widest = np.linalg.norm(vectors, axis=-1).max(axis=0)
    return tuple(
        f"{skeleton.names[j]} turns up to {np.degrees(widest[j]):.0f} degrees from its mean: its vectors may flip there"
        for j in joints
        if widest[j] > WIDE
    )
