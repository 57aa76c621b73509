"""The artist's poses, one for each key frame, from any file of a rig that the package reads."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from os import PathLike
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.errors import FormatError, LocomoteError, SkeletonError
from locomote.motion import Motion

LEGS = 4


def read_poses(paths: str | PathLike[str] | Sequence[str | PathLike[str]]) -> Motion:
    """Key poses in the order of their frames: the frames of one file, or one file a key (its last frame counts).

    Parameters
    ----------
    paths : of any format that `locomote.load` reads; all of one rig
    """
    from locomote.formats import load

    files = [paths] if isinstance(paths, (str, PathLike)) else list(paths)
    if not files:
        raise LocomoteError("key poses: no file given")
    poses = [load(path) for path in files]
    if len(poses) == 1:
        return poses[0]
    first = poses[0]
    for path, pose in zip(files, poses, strict=True):
        if pose.skeleton.names != first.skeleton.names:
            raise FormatError(Path(path), f"another rig than that of {files[0]}: {len(pose.skeleton)} other joints")
    return replace(
        first,
        root_positions=np.concatenate([pose.root_positions[-1:] for pose in poses]),
        rotations=np.concatenate([pose.rotations[-1:] for pose in poses]),
        translations=None,
    )


def faced_ahead(poses: Motion) -> Motion:
    """The same poses, turned together so that the body faces +Z on the whole, its lowest place on the ground."""
    from locomote.capture.video._feet import feet_of

    feet = feet_of(poses.skeleton)
    joints = poses.joint_positions()
    hips = joints[:, [foot.hip for foot in feet]]  # left fore, right fore, left hind, right hind
    ahead = (hips[:, :2].mean(axis=1) - hips[:, 2:].mean(axis=1)).mean(axis=0)
    yaw = float(np.arctan2(ahead[0], ahead[2]))
    tips = np.stack([foot.places(poses) for foot in feet], axis=1)
    floor = float(np.percentile(tips[..., 1].min(axis=1), 25))
    turned = poses.moved(rot.from_yaw(-yaw), (0.0, 0.0, 0.0))
    return turned.moved(rot.IDENTITY, (0.0, -floor, 0.0))


def rows_of_four(sides: Sequence[str], rows: Sequence[int], what: str) -> tuple[int, int, int, int]:
    """The numbers of four legs: left and right in front, left and right behind."""
    order: list[int] = []
    for row in sorted(set(rows)):
        for side in ("left", "right"):
            order += [k for k in range(len(rows)) if rows[k] == row and sides[k] == side]
    if len(order) != LEGS or len(rows) != LEGS or len(set(rows)) != 2:
        raise SkeletonError(f"{what}: expected two pairs of legs, found {len(rows)} legs in {len(set(rows))} rows")
    return order[0], order[1], order[2], order[3]
