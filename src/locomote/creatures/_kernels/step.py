"""One frame of many creatures, stage by stage, in an order that never changes."""

from __future__ import annotations

import math

from locomote.creatures._kernels.body_pose import carry_body
from locomote.creatures._kernels.carriage import carry_on
from locomote.creatures._kernels.chain_ground import follow_ground
from locomote.creatures._kernels.drive import drive_body, find_push, next_turn
from locomote.creatures._kernels.feet import give_back, move_feet, plan_feet
from locomote.creatures._kernels.foot_roll import ankle_goal, pitch_in_reach, roll_feet, turn_foot
from locomote.creatures._kernels.gait_disks import GaitPace, turn_disks
from locomote.creatures._kernels.gait_sectors import natural_gait
from locomote.creatures._kernels.head_hold import hold_head
from locomote.creatures._kernels.leg_fold import reach_for
from locomote.creatures._kernels.model import CHAIN, CreatureBody, Manner
from locomote.creatures._kernels.paws import reach_with_paw, roll_paws
from locomote.creatures._kernels.scratch import JointFrame, make_scratch, make_trunk_scratch
from locomote.creatures._kernels.spine_pose import bend_trunk, ease_effects, look_round, move_girdles, turn_trunk
from locomote.creatures._kernels.state import (
    BODY,
    COMMAND,
    FEEDBACK,
    FEET,
    GAIT,
    HEIGHT,
    LEGS,
    PLAN,
    CreaturePoses,
    Creatures,
    CreatureState,
    FootState,
    OneCreature,
)
from locomote.creatures._kernels.synergy import go_with_feet, move_others
from locomote.math._compile import inline, kernel
from locomote.math.constants import GRAVITY
from locomote.math.quaternion import quaternion, rotate
from locomote.math.records import Records
from locomote.math.vector import Floats, Ints, add, vector
from locomote.world._kernels.map_layout import MapArrays

_STILL, _TURNING = 0.02, 0.05  # m/s and rad/s below which a creature stands
_SHOVED = 0.1  # m/s from which on a creature that is thrown off its way steps
_SHORT = 1e-6  # m
_GIVES_UP = 0.5  # share of feet without a way at which a creature stops


@kernel
def step_creatures(
    dt: float,
    first: int,
    last: int,
    creatures: Creatures,
    body: CreatureBody,
    maps: MapArrays,
    poses: CreaturePoses,
    trace: Ints,
) -> None:
    """Advance creatures ``first`` to ``last`` by ``dt``; ``trace`` takes down the stages of the first of all."""
    limbs, soles, paws, neck = body.limbs, body.soles, body.paws, body.neck
    trunk, spine, manner = body.trunk, body.spine, body.manner
    count = creatures.feet.shape[1]
    scratch = make_scratch(count, creatures.curves.shape[2], creatures.nodes.shape[1])
    room = make_trunk_scratch(creatures.girdles.shape[1], spine.joints.shape[0], count)
    rolls = False
    for f in range(count):
        rolls = rolls or soles.rolls[f] > 0
    for n in range(first, last):
        one = OneCreature(
            creatures.rows[n],
            creatures.gaits[n],
            creatures.disks[n],
            creatures.swinging[n],
            creatures.feet[n],
            creatures.curves[n],
            creatures.nodes[n],
            creatures.girdles[n],
        )
        row, gait, feet = one.row, one.gait, one.feet
        noted = trace if n == 0 else trace[:0]
        _note(noted, COMMAND)
        wanted = row.wanted_speed
        if row.stuck >= _GIVES_UP * count:
            row.wanted_speed = 0.0
        speed = row.speed / math.sqrt(GRAVITY * manner.hip_height)
        if row.auto_gait:
            gait.wanted = natural_gait(speed, gait.wanted, body.gaits)
        _note(noted, GAIT)
        pace = _pace(dt, speed, wanted, row, manner)
        gait.noise.amount = row.effects.vary
        turn_disks(dt, pace, gait, one.disks, one.swinging, scratch.times, body.gaits)
        ease_effects(dt, row, gait, feet, one.disks)
        _note(noted, BODY)
        find_push(dt, row, feet, scratch.times)
        drive_body(dt, row, feet, one.nodes, limbs, spine, scratch.nodes, room.reaches)
        _note(noted, PLAN)
        flies = body.gaits.flights[gait.current] > 0
        plan_feet(dt, flies, one, limbs, trunk, manner, maps, scratch)
        _note(noted, FEET)
        move_feet(dt, row, feet, one.curves, limbs, manner.boxes, maps, scratch.places)
        _note(noted, HEIGHT)
        if rolls:
            roll_feet(dt, manner.hip_height, row, feet, scratch.times, soles, maps)
        roll_paws(dt, manner.hip_height, row, feet, scratch.times, paws)
        turn = carry_body(dt, row, feet, trunk, limbs, maps)
        look_round(dt, row)
        if creatures.girdles.shape[1] >= CHAIN:
            follow_ground(dt, one, trunk, spine, maps, room.girdles)
        move_girdles(dt, one, limbs.drops, manner.hip_height, spine, room.girdles)
        carry_on(dt, manner.hip_height, one, spine, room.girdles)
        go_with_feet(one, manner.hip_height, body.synergy, room)
        bend_trunk(dt, turn, one, limbs, spine, room)
        if neck.holds > 0:
            hold_head(dt, row, gait, feet, neck, spine, room.frames)
        turn_trunk(spine, room.frames, poses.root_positions[n], poses.rotations[n])
        _note(noted, LEGS)
        if row.visible:
            _pose_legs(row, feet, body, room.frames, poses.rotations[n], poses.places[n])
            move_others(row, body.synergy, room.ways, poses.rotations[n])
            row.reached += count
        _note(noted, FEEDBACK)
        give_back(row, feet, limbs)
        row.wanted_speed = wanted


@inline
def _pace(dt: float, speed: float, wanted: float, row: CreatureState, manner: Manner) -> GaitPace:
    """What a body asks of its gait; ``speed`` in units of the gaits, ``wanted`` in m/s."""
    turning = next_turn(row.yaw, row.turn, dt, row)[1]
    shove = math.sqrt(row.shove_x**2 + row.shove_z**2)
    moving = max(abs(row.speed), abs(wanted)) > _STILL or abs(turning) > _TURNING or shove > _SHOVED
    pace = abs(speed) + (abs(turning) * manner.radius + shove) / math.sqrt(GRAVITY * manner.hip_height)
    return GaitPace(pace, manner.time_unit, moving, manner.longest / max(abs(row.speed), _STILL))


@inline
def _pose_legs(
    row: CreatureState, feet: Records, body: CreatureBody, frames: Records, rotations: Floats, places: Floats
) -> None:
    """Pose all legs of a creature so that their tips, or the ankles of feet that roll, are where its feet are."""
    soles, paws, spine = body.soles, body.paws, body.spine
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        frame: JointFrame = frames[spine.girdles[spine.carriers[f]]]
        goal = foot.x, foot.y, foot.z
        centre, turn = vector(frame.middle), quaternion(frame.turn)
        if paws.bends[f] > 0:
            foot.error = reach_with_paw(f, row, foot, centre, turn, paws, rotations, places[f])
            if foot.error > _SHORT:  # whatever the hand does, the leg as a whole may still reach
                foot.error = reach_for(f, goal, centre, turn, body.folds, rotations, places[f])
            continue
        if soles.rolls[f] > 0:
            hip = add(centre, rotate(turn, vector(soles.legs.hips[f])))
            foot.sole.posed = pitch_in_reach(f, foot, hip, soles)
            goal = ankle_goal(f, foot, soles)
        foot.error = reach_for(f, goal, centre, turn, soles.legs, rotations, places[f])
        if soles.rolls[f] > 0:
            turn_foot(f, foot, turn, soles, rotations)


@inline
def _note(trace: Ints, stage: int) -> None:
    for k in range(trace.shape[0]):
        if trace[k] < 0:
            trace[k] = stage
            break
