"""The launch of a jump: where the body leaves the ground and lands, and what its motion lacks for that."""

from __future__ import annotations

import math

from locomote.human._kernels import footplants as plants
from locomote.human._kernels.cycle_pose import PoseBuffers
from locomote.human._kernels.model import LEG_SHARE, Model
from locomote.human._kernels.pose import centre_of_mass, pose_whole
from locomote.human._kernels.scratch import Scratch
from locomote.human._kernels.stance import foot_of, sole_point
from locomote.human._kernels.state import People, Walker
from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.constants import GRAVITY
from locomote.math.records import Records
from locomote.math.vector import copy_into, smooth_step

MOMENT = 1e-3  # s, over which rates are taken
GIVES = 0.75  # times sqrt(hip height / gravity), in which a body gives way after touch-down at most
LANDS_AHEAD = 0.3  # hip heights from the hip to a foot that lands; if it is more the body is brought along,
# times sqrt(hip height / gravity): flights from which on it is, at all and fully
SHORT_HOP, LONG_HOP = 0.33, 0.5
BROUGHT_FASTER = 0.35  # of its speed in flight at most, that it is brought faster than its gait


@part
def launch(n: int, people: People, model: Model, scratch: Scratch) -> None:
    """Find what the motion of a jump that has just begun lacks for a flight: where the body leaves and lands."""
    row: Walker = people.walkers[n]
    feet, frame = people.feet[n], scratch.frame
    ahead: Walker = scratch.walkers[0]
    jump, other = row.jump, ahead.jump
    jump.take_off.up = jump.take_off.ahead = jump.touch.up = jump.touch.ahead = 0.0
    jump.kick.up = jump.kick.ahead = jump.catch.up = jump.catch.ahead = 0.0
    size = row.leg.value / LEG_SHARE
    jump.give = min(jump.landing, GIVES * math.sqrt(size / GRAVITY))
    jump.brought = brought = jump.lower = 0.0
    copy_into(scratch.cached, people.cache[n])
    flight = jump.flight
    off, land = jump.support, jump.support + flight
    if jump.leg >= 0:
        # The other foot lands the length of the jump ahead of the one that takes off.
        goal = feet[jump.leg].goal
        line = jump.beyond
        line.x, line.z = math.sin(row.yaw), math.cos(row.yaw)
        line.place = goal[0] * line.x + goal[2] * line.z + jump.length * size
    lower = 0.0
    for event in range(2):
        first, second = (off - MOMENT, off) if event == 0 else (land, land + MOMENT)
        before = after = (0.0, 0.0)
        for k in range(2):
            scratch.walkers[0] = people.walkers[n]
            other.time = first if k == 0 else second
            ahead.cycles = jump.start + leap.cycles_since(other)
            ahead.held = -1
            pose_whole(ahead, scratch.cached, people.bones[n], model, frame)
            if k == 0:
                before = centre_of_mass(ahead, model.masses, frame)
                if event == 1 and jump.leg >= 0:
                    brought = _brought(row, land, model, frame)
            else:
                after = centre_of_mass(ahead, model.masses, frame)
                if event == 0:
                    lower = _too_high(ahead, feet, model, frame)
        at = after if event == 0 else before
        place, lack = (jump.take_off, jump.kick) if event == 0 else (jump.touch, jump.catch)
        place.up, place.ahead = at
        lack.up, lack.ahead = (before[0] - after[0]) / MOMENT, (before[1] - after[1]) / MOMENT
    jump.brought = brought
    jump.touch.ahead += brought
    jump.lower = lower
    jump.take_off.up -= lower
    mean = (jump.touch.up - jump.take_off.up) / flight
    jump.kick.up += mean + 0.5 * GRAVITY * flight
    jump.catch.up += mean - 0.5 * GRAVITY * flight
    mean = (jump.touch.ahead - jump.take_off.ahead) / flight
    jump.kick.ahead += mean
    jump.catch.ahead += mean
    jump.launched = True
    if jump.leg >= 0:
        return
    for leg in range(feet.shape[0]):  # both feet are in the stance from which they leave now
        feet[leg].count = math.floor(row.cycles - row.contact_phases[2 * leg])


@inline
def _brought(row: Walker, land: float, model: Model, frame: PoseBuffers) -> float:
    """How far a body that lands on one foot at the time ``land`` of its jump, as in ``frame``, is brought towards it.

    With its foot far ahead it could only land low, as in a lunge.
    """
    jump = row.jump
    line = jump.beyond
    size = row.leg.value / LEG_SHARE
    hip = frame.positions[model.legs[1 - jump.leg, 0]]
    at = hip[0] * line.x + hip[2] * line.z + row.speed.value * (land - jump.time)
    beyond = line.place - size * model.sole[1, 2] - at - LANDS_AHEAD * size
    # In a short hop the legs are hurried enough.
    flight = jump.flight / math.sqrt(size / GRAVITY)
    long = smooth_step((flight - SHORT_HOP) / (LONG_HOP - SHORT_HOP))
    brought: float = min(beyond, long * BROUGHT_FASTER * row.speed.value * jump.flight)
    return max(0.0, brought)


@inline
def _too_high(row: Walker, feet: Records, model: Model, frame: PoseBuffers) -> float:
    """How far the toes of the feet that take off are above the ground in ``frame``, that of their toe-off.

    Where they are the legs could reach the ground only at full stretch, and with their feet upright.
    """
    size, leg = row.leg.value / LEG_SHARE, row.jump.leg
    high = 0.0
    for k in range(feet.shape[0]):
        if leg >= 0 and k != leg:
            continue
        source = foot_of(k, row, model, frame)
        pose = plants.FootPose(source.ankle, source.turn, source.toes, 0.0, 0.0)
        low = min(sole_point(1, pose, size, model.sole)[1], sole_point(2, pose, size, model.sole)[1])
        high = max(high, low - row.y - feet[k].level_height)
    return high
