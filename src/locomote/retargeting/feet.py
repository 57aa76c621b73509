"""Feet that stand: pinned to the floor while the source's feet touch it, eased in and out between."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise

import numpy as np

from locomote import rotations as rot
from locomote.contacts import Floor
from locomote.motion import Motion
from locomote.retargeting.ground import Ground
from locomote.retargeting.pose import with_world_rotations
from locomote.retargeting.standing import BoolArray
from locomote.retargeting.transfer import LATERAL, Side
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

ROLLING = 0.012  # of the leg's length; the ball counts as down when it is no higher over the lowest point
STRETCH = 0.998  # of its length; the body sinks before a standing leg is pulled straighter
SOFTNESS = 0.001  # of the leg's length, over which it eases into full stretch
SINK_SPREAD = 0.12  # s; how long before and after the body sinks
STRAIGHT_KNEE = (
    0.02  # of the leg's length; nearer to the line from hip to ankle the knee takes the leg's own side
)

LEVEL: FloatArray = np.array([1.0, 0.0, 1.0])


def plant_feet(
    motion: Motion, side: Side, standing: BoolArray, ground: Ground, floor: Floor, points: FloatArray
) -> Motion:
    """The motion with its feet pinned where ``standing (F, L)`` holds.

    ``points (F, L, 3, 3)`` are heel, ball and toe of every foot in the motion as it is.
    """
    legs = side.roles.legs
    size = side.skeleton.leg_length()
    positions = motion.joint_positions()
    goals = np.stack(
        [
            _ankle_goals(
                points[:, i],
                positions[:, leg.ankle],
                standing[:, i],
                _touch(side, ground, leg),
                floor,
                size,
            )
            for i, leg in enumerate(legs)
        ],
        axis=1,
    )
    sink = _sink(positions, goals, legs, standing, motion.fps)
    motion = replace(motion, root_positions=motion.root_positions - sink[:, None] * (1.0 - LEVEL))
    return _reach(motion, side, goals)


def _touch(side: Side, ground: Ground, leg: Leg) -> FloatArray:
    """The heights over the ground, (3,), of heel, ball and toe of a foot that stands flat."""
    if side.soles:
        points = side.soles[side.roles.legs.index(leg)].points
        under: FloatArray = points[:, 1] - side.reference.positions[leg.ankle, 1]
        return under + float(ground.heights[leg.ankle])
    toe_over_ball = float(side.reference.toe_end(leg)[1] - side.reference.ball(leg)[1])
    ball = ground.heights[leg.ball]
    if leg.ball == leg.ankle:
        ball = ground.heights[leg.ankle] + float(
            (side.reference.ball(leg) - side.reference.positions[leg.ankle])[1]
        )
    return np.array([ball, ball, ball + toe_over_ball])


def _ankle_goals(
    points: FloatArray,
    ankle: FloatArray,
    standing: BoolArray,
    touch: FloatArray,
    floor: Floor,
    size: float,
) -> FloatArray:
    """Where the ankle must be, ``(F, 3)``, for the foot to stand in its contacts and stay over the floor."""
    shift = np.zeros_like(ankle)
    heights = floor.heights(points) - touch
    if np.any(standing):
        for start, stop in _runs(standing):
            shift[start:stop] = _standing_shift(points[start:stop], heights[start:stop], size)
        shift = _bridged(shift, standing)
    # Down onto the floor in contact, up from it anywhere: the lowest of the three points decides.
    through = np.max(touch - floor.heights(points + shift[:, None]), axis=1)
    lift = _bridged(through[:, None], standing)[:, 0] if np.any(standing) else np.zeros(len(ankle))
    shift[:, 1] = np.maximum(lift, through)
    return ankle + shift


def _standing_shift(points: FloatArray, heights: FloatArray, size: float) -> FloatArray:
    """The horizontal shift, ``(n, 3)``, that holds the point still on which the foot stands.

    That is the ball while it is down, and the heel or the toe while the foot rolls over them.
    """
    ball_down = heights[:, 1] <= heights.min(axis=1) + ROLLING * size
    pivot = np.where(ball_down, 1, np.argmin(heights, axis=1))
    shift = np.zeros((len(points), 3))
    first = int(np.argmax(ball_down))
    anchor = points[pivot == pivot[first], pivot[first]].mean(axis=0)
    for frames in (range(first, len(points)), range(first - 1, -1, -1)):
        held, previous, place = pivot[first], first, anchor
        for t in frames:
            if pivot[t] != held:
                # The foot rolls over to its other end, which stays where it now is.
                held = pivot[t]
                place = points[previous, held] + shift[previous]
            shift[t] = (place - points[t, held]) * LEVEL
            previous = t
    return shift


def _runs(mask: BoolArray) -> list[tuple[int, int]]:
    edges = np.flatnonzero(np.diff(np.concatenate([[False], mask, [False]]).astype(np.int8)))
    return list(zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True))


def _bridged(values: FloatArray, known: BoolArray) -> FloatArray:
    """Values between the known frames, from one stretch to the next on a smooth step; held at the ends."""
    out = values.copy()
    runs = _runs(known)
    out[: runs[0][0]] = values[runs[0][0]]
    out[runs[-1][1] :] = values[runs[-1][1] - 1]
    for (_, stop), (start, _) in pairwise(runs):
        t = (np.arange(stop, start) - stop + 1.0) / (start - stop + 1.0)
        ease = (t * t * (3.0 - 2.0 * t))[:, None]
        out[stop:start] = (1.0 - ease) * values[stop - 1] + ease * values[start]
    return out


def _sink(
    positions: FloatArray, goals: FloatArray, legs: tuple[Leg, ...], standing: BoolArray, fps: float
) -> FloatArray:
    """How far the body must sink, ``(F,)``, for its standing legs to reach their goals."""
    from scipy.ndimage import gaussian_filter1d, maximum_filter1d

    need = np.zeros(len(positions))
    for i, leg in enumerate(legs):
        hip, knee, ankle = (positions[:, j] for j in (leg.hip, leg.knee, leg.ankle))
        length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
        reach = np.maximum(STRETCH * length, np.linalg.norm(ankle - hip, axis=1))
        away = hip - goals[:, i]
        level = np.hypot(away[:, 0], away[:, 2])
        allowed = np.sqrt(np.maximum(reach**2 - level**2, 0.0))
        need = np.maximum(need, np.where(standing[:, i], away[:, 1] - allowed, 0.0))
    if not np.any(need > 1e-9):
        return np.zeros(len(positions))
    width = max(1, round(SINK_SPREAD * fps))
    spread = maximum_filter1d(need, 2 * width + 1, mode="nearest")
    smooth: FloatArray = gaussian_filter1d(spread, 0.5 * width, mode="nearest")
    return smooth


def _reach(motion: Motion, side: Side, goals: FloatArray) -> Motion:
    """The legs turned so that the ankles come to the goals; the feet keep their rotation in the world."""
    from locomote.kernels.two_bone import two_bone_ik

    positions, world = motion.world()
    new: dict[int, FloatArray] = {}
    upper, lower = np.empty((len(motion), 4)), np.empty((len(motion), 4))
    for i, leg in enumerate(side.roles.legs):
        hip, knee, ankle = (np.ascontiguousarray(positions[:, j]) for j in (leg.hip, leg.knee, leg.ankle))
        poles = _poles(hip, knee, ankle, world[:, leg.hip], side, leg)
        two_bone_ik(hip, knee, ankle, np.ascontiguousarray(goals[:, i]), poles, SOFTNESS, upper, lower)
        for place, j in enumerate(leg.chain):
            if place < leg.chain.index(leg.knee):
                new[j] = rot.multiply(upper, world[:, j])
            elif place < leg.chain.index(leg.ankle):
                new[j] = rot.multiply(lower, world[:, j])
            else:
                new[j] = world[:, j]
    return with_world_rotations(motion, new)


def _poles(
    hip: FloatArray, knee: FloatArray, ankle: FloatArray, thigh_turn: FloatArray, side: Side, leg: Leg
) -> FloatArray:
    """Where the knees bend to: their present side, or on a straight leg the side of the leg's build."""
    line = ankle - hip
    squared = np.maximum(np.sum(line * line, axis=1, keepdims=True), 1e-12)
    offset = knee - hip - line * np.sum((knee - hip) * line, axis=1, keepdims=True) / squared
    length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
    back = rot.inverse(side.reference.rotations[leg.hip])
    lateral = rot.rotate(rot.multiply(thigh_turn, back), LATERAL)
    front = np.cross(line, lateral)
    front = front / np.maximum(np.linalg.norm(front, axis=1, keepdims=True), 1e-12)
    bend = side.reference.bend(leg)
    sign = -1.0 if bend < -STRAIGHT_KNEE else 1.0
    t = np.clip(np.linalg.norm(offset, axis=1) / (STRAIGHT_KNEE * length), 0.0, 1.0)
    own = (1.0 - t * t * (3.0 - 2.0 * t))[:, None]
    return np.ascontiguousarray(offset + own * sign * front * STRAIGHT_KNEE * length[:, None])
