"""Recorded poses, each of a body that heads along +Z with its root above the origin."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError, SkeletonError
from locomote.formats import _files
from locomote.formats._archives import load_archive
from locomote.formats.native import skeleton_of, skeleton_parts
from locomote.motion import Motion, Poses, checked_motions
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton, checked_skeleton
from locomote.spaces import _statistics as statistics

if TYPE_CHECKING:
    from locomote.spaces._kernels.posing_bundles import DatabaseArrays, RigArrays

FORMAT = "locomote pose database"
VERSION = 1
ANGLE = 1e-4  # rad, the unit of rotation vectors in files
LENGTH = 1e-4  # m
LEAST = 2  # poses
LOOSE = 0.8  # of a joint's deviation over all poses, that it may turn beside what the nearest poses do
LOOSE_ROOT = np.array([0.15, 0.15, 0.15, 0.1, 0.1, 0.1])  # rad and m, of the root


@dataclass(frozen=True, eq=False)
class PoseDatabase:
    """Recorded poses on one skeleton, from which bodies learn how to follow their handles."""

    skeleton: Skeleton
    root_positions: FloatArray  # (N, 3) m; above the origin
    rotations: FloatArray  # (N, J, 4) local; the root heads along +Z
    radius: float = float("nan")  # m: every pose that this was chosen from has one of these as near, or nan

    def __post_init__(self) -> None:
        count, joints = len(self.root_positions), len(self.skeleton)
        for name, shape in (("root_positions", (count, 3)), ("rotations", (count, joints, 4))):
            values = np.ascontiguousarray(getattr(self, name), dtype=np.float64)
            if values.shape != shape or not np.isfinite(values).all():
                raise LocomoteError(f"{name}: expected finite numbers of shape {shape}, got {values.shape}")
            object.__setattr__(self, name, values)
        if count < LEAST:
            raise LocomoteError(f"a pose database needs at least {LEAST} poses, got {count}")

    def __len__(self) -> int:
        return len(self.root_positions)

    @classmethod
    def default(cls) -> PoseDatabase:
        """The poses that come with the package: of people who walk, sit, climb, dance, play, lie."""
        return cls.load(Path(__file__).parents[2] / "assets" / "poses.npz")

    @classmethod
    def of(
        cls,
        motions: Sequence[Motion],
        count: int = 6000,
        *,
        seed: int = 0,
        progress: Callable[[float], None] | None = None,
    ) -> PoseDatabase:
        """Representative poses of recorded motions.

        Parameters
        ----------
        motions : on the same joints; bone lengths are those of the first
        count : how many poses are kept at most
        seed : of the choice
        progress : is told the share that is done
        """
        motions = checked_motions(motions, "PoseDatabase.of")
        from locomote.spaces.posing._choosing import choose_poses

        if not motions:
            raise LocomoteError("motions: expected at least one")
        for motion in motions:
            if motion.skeleton.names != motions[0].skeleton.names:
                raise SkeletonError("the skeletons of the motions differ: retarget them onto one")
        places = np.concatenate([m.root_positions for m in motions])
        turns = np.concatenate([m.rotations for m in motions])
        poses = cls.headed(motions[0].skeleton, places, turns)
        about = poses.poses.joint_positions() - poses.root_positions[:, None]
        body = [0, *statistics.captured_joints(poses.skeleton)]
        chosen, radius = choose_poses(about[:, body].astype(np.float32), count, seed, progress)
        return replace(
            poses, root_positions=poses.root_positions[chosen], rotations=poses.rotations[chosen], radius=radius
        )

    @classmethod
    def headed(cls, skeleton: Skeleton, root_positions: FloatArray, rotations: FloatArray) -> PoseDatabase:
        """Poses as they are, each turned about the vertical to head along +Z and put above the origin.

        Parameters
        ----------
        skeleton : of all of them
        root_positions, rotations : (N, 3) m and (N, J, 4)
        """
        turns = rotations.copy()
        _, yaw = rot.swing_twist(turns[:, 0], (0.0, 1.0, 0.0))
        turns[:, 0] = rot.multiply(rot.inverse(yaw), turns[:, 0])
        return cls(skeleton, root_positions * np.array([0.0, 1.0, 0.0]), turns)

    def onto(self, body: Motion | Skeleton) -> PoseDatabase:
        """The same poses on another body with two legs, of any names, bones and proportions.

        Parameters
        ----------
        body : its skeleton, or a motion of it, which shows how it stands where its rest pose does not
        """
        from locomote.retargeting import retarget

        skeleton = body.skeleton if isinstance(body, Motion) else checked_skeleton(body, "a pose database")
        if skeleton.names == self.skeleton.names and np.array_equal(skeleton.offsets, self.skeleton.offsets):
            return self
        moved = retarget(Motion(self.skeleton, 30.0, self.root_positions, self.rotations), body, feet=False)
        if moved.translations is not None:
            raise SkeletonError("the body's feet are detached from its legs: poses turn joints only")
        return replace(self.headed(skeleton, moved.root_positions, moved.rotations), radius=self.radius)

    @property
    def vectors(self) -> FloatArray:
        """Rotation vectors of the joints that are posed, each from its mean, side by side, ``(N, D)`` rad."""
        return self.arrays[0].vectors

    @property
    def poses(self) -> Poses:
        """All of them."""
        return Poses(self.skeleton, self.root_positions, self.rotations)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the poses into one file, .npz; angles to 0.006 degrees, lengths to 0.1 mm."""
        told, bones = skeleton_parts(self.skeleton)
        header = {"format": FORMAT, "version": VERSION, "radius": self.radius, **told}
        arrays: dict[str, Any] = dict(bones)
        arrays |= {
            "vectors": np.rint(rot.log(self.rotations) / ANGLE).astype(np.int16),
            "heights": np.rint(self.root_positions[:, 1] / LENGTH).astype(np.int32),
            "header": np.frombuffer(json.dumps(header).encode("utf-8"), dtype=np.uint8),
        }
        with _files.atomic_path(Path(path)) as temporary, temporary.open("wb") as stream:
            np.savez_compressed(stream, **arrays)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> PoseDatabase:
        """Read poses that `save` wrote."""
        return load_archive(Path(path), FORMAT, VERSION, _database, "poses")

    @cached_property
    def arrays(self) -> tuple[DatabaseArrays, RigArrays]:
        """The poses as kernels take them."""
        from locomote.spaces._kernels.posing_bundles import ROOT, DatabaseArrays, RigArrays

        skeleton = self.skeleton
        places, world = Motion(skeleton, 30.0, self.root_positions, self.rotations).world()
        free = statistics.captured_joints(skeleton)
        mean = statistics.intrinsic_mean(self.rotations)
        vectors = statistics.tangents(mean, self.rotations)[:, free]
        columns = np.full(len(skeleton), -1)
        columns[0] = 0
        columns[free] = ROOT + 3 * np.arange(len(free))
        loose = LOOSE * np.sqrt(np.mean(vectors.reshape(len(self), -1) ** 2, axis=0))
        roles = skeleton.roles
        ends = [leg.ankle for leg in roles.legs] + [arm.wrist for arm in roles.arms]
        anchors = [0, *ends] + ([] if roles.head is None else [roles.head])
        database = DatabaseArrays(
            np.ascontiguousarray(places.transpose(1, 2, 0), dtype=np.float32),
            np.ascontiguousarray(world.transpose(1, 2, 0), dtype=np.float32),
            np.ascontiguousarray(vectors.reshape(len(self), -1)),
            np.concatenate([self.root_positions, self.rotations[:, 0]], axis=1),
        )
        soles = [(leg.ball, (0.0, 0.0, 0.0)) for leg in roles.legs] + [(leg.toe, leg.toe_offset) for leg in roles.legs]
        rig = RigArrays(
            np.array(skeleton.parents),
            np.array(skeleton.offsets),
            mean,
            columns,
            np.array(anchors),
            np.array([joint for joint, _ in soles], dtype=np.int64),
            np.array([point for _, point in soles]).reshape(-1, 3),
            np.concatenate([LOOSE_ROOT, loose]),
        )
        return database, rig


def _database(header: dict[str, Any], arrays: dict[str, Any]) -> PoseDatabase:
    heights = np.asarray(arrays["heights"], dtype=np.float64)
    places = np.zeros((len(heights), 3))
    places[:, 1] = heights * LENGTH
    vectors = np.asarray(arrays["vectors"], dtype=np.float64)
    return PoseDatabase(skeleton_of(header, arrays), places, rot.exp(vectors * ANGLE), float(header["radius"]))
