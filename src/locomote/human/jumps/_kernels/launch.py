"""The launch of a jump: where the body leaves the ground and lands, and what its motion lacks for that."""

from __future__ import annotations

import math

from locomote.human._kernels import drive
from locomote.human._kernels import footplants as plants
from locomote.human._kernels.cycle_pose import PoseBuffers
from locomote.human._kernels.pose import Floats32, Model, centre_of_mass, pose_whole
from locomote.human._kernels.stance import foot_of, sole_point
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.vector import Floats, copy_into, smooth_step

MOMENT = 1e-3  # s, over which rates are taken
GIVES = 0.75  # times sqrt(hip height / gravity), in which a body gives way after touch-down at most
LANDS_AHEAD = 0.3  # hip heights from the hip to a foot that lands; if it is more the body is brought along,
# times sqrt(hip height / gravity): flights from which on it is, at all and fully
SHORT_HOP, LONG_HOP = 0.33, 0.5
BROUGHT_FASTER = 0.35  # of its speed in flight at most, that it is brought faster than its gait


@part
def launch(
    row: Floats,
    feet: Floats,
    cached: Floats32,
    model: Model,
    scratch: Floats,
    copy: Floats32,
    frame: PoseBuffers,
) -> None:
    """Find what the motion of a jump that has just begun lacks for a flight: where the body leaves and lands.

    ``scratch``, ``copy`` and ``frame`` are room for a row, its cache and a pose.
    """
    jump, other = row[drive.JUMP : drive.JUMP + leap.COLUMNS], scratch[drive.JUMP : drive.JUMP + leap.COLUMNS]
    for k in range(leap.TAKE_OFF, leap.AFTER):
        jump[k] = 0.0
    size = row[drive.LEG] / drive.LEG_SHARE
    jump[leap.GIVE] = min(jump[leap.LANDING], GIVES * math.sqrt(size / drive.GRAVITY))
    jump[leap.BROUGHT] = brought = jump[leap.LOWER] = 0.0
    copy_into(copy, cached)
    flight = jump[leap.FLIGHT]
    off, land = jump[leap.SUPPORT], jump[leap.SUPPORT] + flight
    if jump[leap.LEG] >= 0.0:
        # The other foot lands the length of the jump ahead of the one that takes off.
        goal = feet[int(jump[leap.LEG]), plants.GOAL : plants.GOAL + 3]
        line = jump[leap.LINES + 5 : leap.LINES + 10]
        line[3], line[4] = math.sin(row[drive.YAW]), math.cos(row[drive.YAW])
        line[2] = goal[0] * line[3] + goal[2] * line[4] + jump[leap.LENGTH] * size
    lower = 0.0
    for event in range(2):
        first, second = (off - MOMENT, off) if event == 0 else (land, land + MOMENT)
        before = after = (0.0, 0.0)
        for k in range(2):
            copy_into(scratch, row)
            other[leap.TIME] = first if k == 0 else second
            scratch[drive.CYCLES] = jump[leap.FROM] + leap.cycles_since(other)
            scratch[drive.HELD] = -1.0
            pose_whole(scratch, copy, model, frame)
            if k == 0:
                before = centre_of_mass(scratch, model.masses, frame)
                if event == 1 and jump[leap.LEG] >= 0.0:
                    brought = _brought(row, land, model, frame)
            else:
                after = centre_of_mass(scratch, model.masses, frame)
                if event == 0:
                    lower = _too_high(scratch, feet, model, frame)
        at = after if event == 0 else before
        place, lack = (leap.TAKE_OFF, leap.KICK) if event == 0 else (leap.TOUCH, leap.CATCH)
        for k in range(2):
            jump[place + k], jump[lack + k] = at[k], (before[k] - after[k]) / MOMENT
    jump[leap.BROUGHT] = brought
    jump[leap.TOUCH + 1] += brought
    jump[leap.LOWER] = lower
    jump[leap.TAKE_OFF] -= lower
    for k in range(2):
        mean = (jump[leap.TOUCH + k] - jump[leap.TAKE_OFF + k]) / flight
        jump[leap.KICK + k] += mean + (0.5 * drive.GRAVITY * flight if k == 0 else 0.0)
        jump[leap.CATCH + k] += mean - (0.5 * drive.GRAVITY * flight if k == 0 else 0.0)
    jump[leap.LAUNCHED] = 1.0
    if jump[leap.LEG] >= 0.0:
        return
    for leg in range(feet.shape[0]):  # both feet are in the stance from which they leave now
        feet[leg, plants.COUNT] = math.floor(row[drive.CYCLES] - row[drive.STRIKE_OFF + 2 * leg])


@inline
def _brought(row: Floats, land: float, model: Model, frame: PoseBuffers) -> float:
    """How far a body that lands on one foot at the time ``land`` of its jump, as in ``frame``, is brought towards it.

    With its foot far ahead it could only land low, as in a lunge.
    """
    jump = row[drive.JUMP : drive.JUMP + leap.COLUMNS]
    line = jump[leap.LINES + 5 : leap.LINES + 10]
    size = row[drive.LEG] / drive.LEG_SHARE
    hip = frame.positions[model.legs[1 - int(jump[leap.LEG]), 0]]
    at = hip[0] * line[3] + hip[2] * line[4] + row[drive.SPEED] * (land - jump[leap.TIME])
    beyond = line[2] - size * model.sole[1, 2] - at - LANDS_AHEAD * size
    # In a short hop the legs are hurried enough.
    flight = jump[leap.FLIGHT] / math.sqrt(size / drive.GRAVITY)
    long = smooth_step((flight - SHORT_HOP) / (LONG_HOP - SHORT_HOP))
    brought: float = min(beyond, long * BROUGHT_FASTER * row[drive.SPEED] * jump[leap.FLIGHT])
    return max(0.0, brought)


@inline
def _too_high(row: Floats, feet: Floats, model: Model, frame: PoseBuffers) -> float:
    """How far the toes of the feet that take off are above the ground in ``frame``, that of their toe-off.

    Where they are the legs could reach the ground only at full stretch, and with their feet upright.
    """
    size, leg = row[drive.LEG] / drive.LEG_SHARE, int(row[drive.JUMP + leap.LEG])
    high = 0.0
    for k in range(feet.shape[0]):
        if leg >= 0 and k != leg:
            continue
        source = foot_of(k, row, model, frame)
        pose = plants.FootPose(source.ankle, source.turn, source.toes, 0.0, 0.0)
        low = min(sole_point(1, pose, size, model.sole)[1], sole_point(2, pose, size, model.sole)[1])
        high = max(high, low - row[drive.Y] - feet[k, plants.LEVEL_HEIGHT])
    return high
