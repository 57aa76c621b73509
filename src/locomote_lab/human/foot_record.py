"""A drive of a crowd as the feet saw it: joints, the points of the soles, what stood, and the ground under it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.human._crowd import Crowd
from locomote.human._recording import check_seconds
from locomote.human_skeleton import COMMON, TOE_LENGTH, heel_offset, hip_height
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.world import Ground
from locomote.world._kernels.ground_layout import BASE, YAW, X, Z

BoolArray = npt.NDArray[np.bool_]
Drive = Callable[[Crowd, float], None]  # told the crowd and the time before every step

HIPS, KNEES, ANKLES, BALLS = (
    [COMMON.index(side + part) for side in ("Left", "Right")] for part in ("UpLeg", "Leg", "Foot", "ToeBase")
)
POINTS = ("heel", "ball", "tip")
HEEL, BALL, TIP = range(3)


@dataclass(frozen=True, eq=False)
class FootRecord:
    """``F`` frames of ``N`` characters, the first of them before any step; two feet, left and right, three points."""

    fps: float
    joints: FloatArray  # (F, N, J, 3) world, from the rotations
    knee_bends: FloatArray  # (F, N, 2) rad about the hinge, positive as knees bend
    points: FloatArray  # (F, N, 2, 3, 3) heel, ball and tip in the world
    on_ground: FloatArray  # (F, N, 2, 3, 3) the same in the frame of the piece of ground that the foot stands on
    heights: FloatArray  # (F, N, 2, 3) of the points over the ground, negative below it
    planted: BoolArray  # (F, N, 2, 3)
    cycles: FloatArray  # (F, N)
    sizes: FloatArray  # (F, N) m, hip heights

    @property
    def standing(self) -> BoolArray:
        """Whether a foot stands on any of its points, ``(F, N, 2)``."""
        out: BoolArray = np.logical_or.reduce(self.planted, axis=-1)
        return out


def record_feet(crowd: Crowd, seconds: float, drive: Drive | None = None, fps: float = 60.0) -> FootRecord:
    """Step a crowd for so long, with the commands of ``drive``, and keep what its feet do."""
    check_seconds(seconds, fps)
    frames = math.floor(seconds * fps + 1e-6) + 1
    count = len(crowd)
    out = FootRecord(
        fps,
        np.empty((frames, count, len(COMMON), 3)),
        np.empty((frames, count, 2)),
        np.empty((frames, count, 2, 3, 3)),
        np.empty((frames, count, 2, 3, 3)),
        np.empty((frames, count, 2, 3)),
        np.empty((frames, count, 2, 3), dtype=np.bool_),
        np.empty((frames, count)),
        np.empty((frames, count)),
    )
    pieces = np.full((count, 2), BASE)
    stood: BoolArray = np.zeros((count, 2), dtype=np.bool_)
    for frame in range(frames):
        if frame > 0:
            if drive is not None:
                drive(crowd, (frame - 1) / fps)
            crowd.ground.advance(1.0 / fps)
            crowd.step(1.0 / fps)
        joints, bends, points = _pose(crowd)
        planted = crowd.planted
        stands: BoolArray = np.logical_or.reduce(planted, axis=-1)
        # A stance is measured on the piece of ground on which it began.
        places = crowd.footholds if crowd.holds_feet else points[:, :, BALL]
        pieces = np.where(stands & stood, pieces, crowd.ground.pieces_at(places))
        stood = stands
        out.joints[frame], out.knee_bends[frame], out.points[frame] = joints, bends, points
        out.on_ground[frame] = _in_frame_of(crowd.ground, pieces, points)
        out.heights[frame] = crowd.ground.height_above(points)
        out.planted[frame] = planted
        out.cycles[frame] = crowd.cycles
        out.sizes[frame] = hip_height(1.0) * crowd.leg_lengths
    return out


def _pose(crowd: Crowd) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Joints, knee bends and foot points, from what a rig is given: root, rotations, size and bones."""
    from locomote.math.fk import forward_kinematics

    poses, legs = crowd.poses, crowd.leg_lengths
    sizes = hip_height(1.0) * legs
    joints = np.empty((len(crowd), len(COMMON), 3))
    world = np.empty((len(crowd), len(COMMON), 4))
    assert poses.scales is not None
    local = poses.scales[:, None, None] * (poses.skeleton.offsets if poses.offsets is None else poses.offsets)
    forward_kinematics(COMMON.parents, local, poses.root_positions, poses.rotations, joints, world)
    bends: FloatArray = rot.log(poses.rotations[:, KNEES])[..., 0]
    heel = legs[:, None, None] * heel_offset(1.0)
    tip = sizes[:, None, None] * np.array([0.0, 0.0, TOE_LENGTH])
    points = np.stack(
        [
            joints[:, ANKLES] + rot.rotate(world[:, ANKLES], heel),
            joints[:, BALLS],
            joints[:, BALLS] + rot.rotate(world[:, BALLS], tip),
        ],
        axis=2,
    )
    return joints, bends, points


def _in_frame_of(ground: Ground, pieces: IntArray, points: FloatArray) -> FloatArray:
    """Points ``(N, 2, 3, 3)`` seen from the piece of ground ``(N, 2)`` of each foot; the base stands still."""
    if not ground.moves:
        return points
    rows = ground.arrays[0]
    row = rows[np.maximum(pieces, 0)][:, :, None]
    local = rot.rotate(rot.from_yaw(-row[..., YAW]), points - row[..., X : Z + 1])
    out: FloatArray = np.where((pieces < 0)[..., None, None], points, local)
    return out
