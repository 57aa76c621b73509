"""A cycle of motion through key poses: continuous, at any phase (AGV-06, AGV-13, AGV-14)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal, get_args

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.capture.video._weights import (
    ALPHA,
    circle,
    gaussian_weights,
    straight_weights,
    switching_weights,
    trigonometric_weights,
)
from locomote.errors import LocomoteError
from locomote.ik import reach
from locomote.motion import Motion, Poses
from locomote.rotations import ArrayLike, FloatArray
from locomote.skeleton import Skeleton

Method = Literal["gaussian", "switching", "trigonometric", "slerp"]
METHODS = get_args(Method)
LEAST_KEYS = {"gaussian": 2, "switching": 8, "trigonometric": 3, "slerp": 2}
FEW = 6  # keys: recorded gaits between fewer are nearer to a trigonometric polynomial, between more to Gaussians
LEAST_GAP = 1e-3  # turns between two keys


@dataclass(frozen=True, eq=False)
class PoseCycle:
    """Key poses round a cycle, and how poses between them are made.

    Rotations are interpolated in the tangent space at the keys' mean, heights of the root beside them. From six keys on
    paws are led along curves of their own, by the same weights: where limbs bend otherwise in two keys, a paw between
    them would leave its way. Not so with "slerp", which is what other programs do.

    Parameters
    ----------
    skeleton : J joints
    phases : (m,) turns of the whole cycle, rising, from 0 and below 1
    rotations : (m, J, 4) of the key poses, local
    heights : (m,) m, of the root over the ground
    method : "gaussian", "switching" (for gaits of two alike halves), "trigonometric" or "slerp"
    body : the skin
    """

    skeleton: Skeleton
    phases: FloatArray
    rotations: FloatArray
    heights: FloatArray
    method: Method = "gaussian"
    body: Body | None = None

    def __post_init__(self) -> None:
        count = len(np.atleast_1d(self.phases))
        shapes = {"phases": (count,), "rotations": (count, len(self.skeleton), 4), "heights": (count,)}
        for name, shape in shapes.items():
            values = np.array(getattr(self, name), dtype=np.float64)
            if values.shape != shape or not np.all(np.isfinite(values)):
                raise LocomoteError(f"key poses: {name} must be finite and {shape}, got {values.shape}")
            values.setflags(write=False)
            object.__setattr__(self, name, values)
        if self.method not in METHODS:
            raise LocomoteError(f"method {self.method!r}: expected one of {', '.join(METHODS)}")
        if count < LEAST_KEYS[self.method]:
            raise LocomoteError(f"{count} key poses: {self.method} needs {LEAST_KEYS[self.method]} or more")
        gaps = np.diff(self.phases, append=self.phases[0] + 1.0)
        if self.phases[0] < 0.0 or self.phases[-1] >= 1.0 or gaps.min() < LEAST_GAP:
            raise LocomoteError(f"key poses: phases must rise from 0 to below 1, got {np.round(self.phases, 3)}")

    def __len__(self) -> int:
        return len(self.phases)

    @classmethod
    def of(cls, poses: Motion, phases: ArrayLike, method: Method | None = None) -> PoseCycle:
        """A cycle through the frames of a motion, one for each phase; they are put into the order of the cycle.

        Parameters
        ----------
        poses : the key poses
        phases : of each, turns of the whole cycle
        method : between them; by how many they are unless given
        """
        turns = np.asarray(phases, dtype=np.float64) % 1.0
        if turns.shape != (len(poses),):
            raise LocomoteError(f"{len(poses)} poses for {turns.size} keys: one pose for each key is needed")
        order = np.argsort(turns)
        return cls(
            poses.skeleton,
            turns[order],
            poses.rotations[order],
            poses.root_positions[order, 1],
            best_method(len(order)) if method is None else method,
            poses.body,
        )

    @cached_property
    def _tangents(self) -> tuple[FloatArray, FloatArray]:
        """The keys' mean ``(J, 4)``, and their rotation vectors from it ``(m, J, 3)``."""
        mean = rot.mean(self.rotations)
        return mean, rot.log(rot.multiply(rot.inverse(mean), self.rotations))

    def weights(self, phases: ArrayLike) -> FloatArray:
        """How much of each key is in the poses at some phases, ``(n, m)``."""
        at = np.asarray(phases, dtype=np.float64)
        if self.method == "gaussian":
            return gaussian_weights(circle(at), circle(self.phases), _narrow(len(self))).weights
        ways = {"switching": switching_weights, "trigonometric": trigonometric_weights, "slerp": straight_weights}
        return ways[self.method](at, self.phases)

    def poses(self, phases: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Local rotations ``(n, J, 4)`` and heights of the root ``(n,)`` m at phases ``(n,)`` in turns."""
        weights = self.weights(np.atleast_1d(np.asarray(phases, dtype=np.float64)))
        heights: FloatArray = weights @ self.heights
        if self.method == "slerp":
            return self._between(weights), heights
        mean, vectors = self._tangents
        rotations = rot.multiply(mean, rot.exp(np.tensordot(weights, vectors, axes=1)))
        return (self._led(rotations, heights, weights) if len(self) >= FEW else rotations), heights

    @cached_property
    def _paws(self) -> list[tuple[list[int], FloatArray]]:
        """The joints of each leg from the hip to the paw, and where the paw is in the keys, ``(m, 3)`` m."""
        places = self._standing(self.rotations, self.heights).joint_positions()
        out = []
        for leg in self.skeleton.roles.legs:
            path = self.skeleton.ancestors(leg.toe)
            if leg.hip in path and leg.hip != leg.toe:
                out.append((path[: path.index(leg.hip) + 1][::-1], places[:, leg.toe]))
        return out

    def _standing(self, rotations: FloatArray, heights: FloatArray) -> Poses:
        roots = np.zeros((len(heights), 3))
        roots[:, 1] = heights
        return Poses(self.skeleton, roots, rotations)

    def _led(self, rotations: FloatArray, heights: FloatArray, weights: FloatArray) -> FloatArray:
        """Rotations with which paws are where their curves have them, ``(n, J, 4)``."""
        poses = self._standing(rotations, heights)
        for chain, places in self._paws:
            poses = reach(poses, chain, weights @ places).pose
        return poses.rotations

    def _between(self, weights: FloatArray) -> FloatArray:
        two = np.sort(np.argsort(weights, axis=1)[:, -2:], axis=1)
        rows = np.arange(len(weights))
        first, second = self.rotations[two[:, 0]], self.rotations[two[:, 1]]
        share = weights[rows, two[:, 1]]
        return rot.slerp(first, second, np.broadcast_to(share[:, None], first.shape[:-1]))

    def motion(self, phases: ArrayLike, fps: float) -> Motion:
        """The poses at some phases as a motion on the spot.

        Parameters
        ----------
        phases : (n,) turns of the whole cycle, one for each frame
        fps : frames a second
        """
        turns, heights = self.poses(phases)
        roots = np.zeros((len(heights), 3))
        roots[:, 1] = heights
        return Motion(self.skeleton, fps, roots, rot.continuous(turns), body=self.body)


def _narrow(count: int) -> float:
    """The width of Gaussians on the circle: as wide as the keys are apart, from 4 keys on."""
    return ALPHA * max(1.0, count / 4.0)


def best_method(keys: int) -> Method:
    """What errs least with so many keys: a trigonometric polynomial where they are few, otherwise Gaussians."""
    return "trigonometric" if LEAST_KEYS["trigonometric"] <= keys < FEW else "gaussian"
