"""Feet that stand: pinned to the floor while the source's feet touch it, eased in and out between."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._carriage import carriage
from locomote.cleaning._easing import bridged
from locomote.cleaning._legs import BoolArray, allowed_reach, needed_sink, reach, smooth_cover
from locomote.cleaning._pose import lowered, shifted
from locomote.contacts import Floor
from locomote.contacts.feet import ADULT_LEG
from locomote.contacts.records import runs
from locomote.motion import Motion
from locomote.retargeting._ground import GroundFit
from locomote.retargeting._knees import paced_knees
from locomote.retargeting._transfer import LATERAL, Side
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

ROLLING = 0.012  # of the leg's length; the ball counts as down when it is no higher over the lowest point

FLAT = 0.02  # of the leg's length, between heel and ball; a foot tilted less may stand on both
LEAST_SOLE = 0.03  # of the leg's length; a shorter foot has no heading to keep
PIVOT = np.radians(15.0)  # a foot that turns further from its usual heading pivots, and may

LEVEL: FloatArray = np.array([1.0, 0.0, 1.0])


def plant_feet(
    motion: Motion,
    side: Side,
    standing: BoolArray,
    ground: GroundFit,
    floor: Floor,
    points: FloatArray,
    bending: float,
) -> Motion:
    """The motion with its feet pinned where ``standing (F, L)`` holds.

    ``points (F, L, 3, 3)`` are heel, ball and toe of every foot in the motion as it is; ``bending`` is the most that a
    knee of a two-legged body may bend in a frame, rad.
    """
    legs = side.roles.legs
    size = side.skeleton.leg_length()
    positions = motion.joint_positions()
    world = motion.world()[1]
    goals = np.empty((len(motion), len(legs), 3))
    feet: dict[int, FloatArray] = {}
    for i, leg in enumerate(legs):
        ankle, touch = positions[:, leg.ankle], touch_heights(side, ground, leg)
        held = standing[:, i] if len(legs) == 2 else np.zeros(len(motion), dtype=bool)  # paws turn on the floor
        turn = _held_heading(points[:, i], held, touch, floor, size)
        turned = ankle[:, None] + rot.rotate(turn[:, None], points[:, i] - ankle[:, None])
        goals[:, i] = _ankle_goals(turned, ankle, standing[:, i], touch, floor, size)
        feet |= {j: rot.multiply(turn, world[:, j]) for j in leg.chain[leg.chain.index(leg.ankle) :]}
    if len(legs) == 2:
        motion = shifted(motion, carriage(motion, legs, goals, size / ADULT_LEG))
    hips = motion.joint_positions()[:, [leg.hip for leg in legs]]
    reaches = np.stack([allowed_reach(positions, leg) for leg in legs], axis=1)
    sink = smooth_cover(needed_sink(hips, goals, reaches, standing), motion.fps)
    motion = lowered(motion, sink)
    if len(legs) == 2:
        more, goals = paced_knees(motion.joint_positions(), legs, goals, standing, bending, motion.fps)
        motion = lowered(motion, more)
    hinges = np.stack([_hinge(side, leg) for leg in legs])
    return reach(motion, legs, goals, hinges, feet)


def _held_heading(points: FloatArray, standing: BoolArray, touch: FloatArray, floor: Floor, size: float) -> FloatArray:
    """By how much a foot is turned ``(F, 4)`` to keep its heading while it stands on heel and ball.

    Recorded feet turn a little on the floor, about some point beneath them: pinned at one end the other would slide.
    """
    line = (points[:, 1] - points[:, 0]) * LEVEL
    heights = floor.heights(points) - touch
    flat = np.abs(heights[:, 0] - heights[:, 1]) <= FLAT * size
    flat &= standing & (np.linalg.norm(line, axis=1) > LEAST_SOLE * size)
    turn, known = np.zeros((len(points), 1)), np.zeros(len(points), dtype=bool)
    for start, stop in runs(flat):
        yaw = np.unwrap(np.arctan2(line[start:stop, 0], line[start:stop, 2]))
        away = np.median(yaw) - yaw
        if np.max(np.abs(away)) < PIVOT:
            turn[start:stop, 0], known[start:stop] = away, True
    return rot.from_yaw(bridged(turn, known)[:, 0])


def _hinge(side: Side, leg: Leg) -> FloatArray:
    """The axis of the knee in the frame of the hip, by the build of the leg."""
    sign = -1.0 if side.bends_back(leg) else 1.0
    return sign * rot.rotate(rot.inverse(side.reference.rotations[leg.hip]), LATERAL)


def touch_heights(side: Side, ground: GroundFit, leg: Leg) -> FloatArray:
    """The heights over the ground, (3,), of heel, ball and toe of a foot that stands flat."""
    if side.soles:
        points = side.soles[side.roles.legs.index(leg)].points
        under: FloatArray = points[:, 1] - side.reference.positions[leg.ankle, 1]
        return under + float(ground.heights[leg.ankle])
    toe_over_ball = float(side.reference.toe_end(leg)[1] - side.reference.ball(leg)[1])
    ball = ground.heights[leg.ball]
    if leg.ball == leg.ankle:
        ball = ground.heights[leg.ankle] + float((side.reference.ball(leg) - side.reference.positions[leg.ankle])[1])
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
        for start, stop in runs(standing):
            shift[start:stop] = _standing_shift(points[start:stop], heights[start:stop], size)
        shift = bridged(shift, standing)
    # Down onto the floor in contact, up from it anywhere: the lowest of the three points decides.
    through = np.max(touch - floor.heights(points + shift[:, None]), axis=1)
    lift = bridged(through[:, None], standing)[:, 0] if np.any(standing) else np.zeros(len(ankle))
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
