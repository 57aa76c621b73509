"""One frame of many creatures, stage by stage, in an order that never changes."""

from __future__ import annotations

import math

from locomote.creatures._kernels import gait_layout as g
from locomote.creatures._kernels import layout as c
from locomote.creatures._kernels.body_pose import BodyTrunk, carry_body
from locomote.creatures._kernels.drive import drive_body, find_push, next_turn
from locomote.creatures._kernels.feet import give_back, move_feet, plan_feet
from locomote.creatures._kernels.foot_plan import Manner, make_bench
from locomote.creatures._kernels.foot_roll import Soles, ankle_goal, pitch_in_reach, roll_feet, turn_foot
from locomote.creatures._kernels.gait_disks import natural_gait, turn_disks
from locomote.creatures._kernels.gait_layout import GaitArrays
from locomote.creatures._kernels.leg_fold import Folds, reach_for
from locomote.creatures._kernels.spine_layout import Spine
from locomote.creatures._kernels.spine_pose import ease_effects, pose_trunk, turn_trunk
from locomote.math._compile import inline, kernel, part
from locomote.math.quaternion import quaternion, rotate
from locomote.math.vector import Floats, Ints, add, vector
from locomote.world._kernels.map_layout import MapArrays

_STILL, _TURNING = 0.02, 0.05  # m/s and rad/s below which a creature stands
_SHOVED = 0.1  # m/s from which on a creature that is thrown off its way steps
_GIVES_UP = 0.5  # share of feet without a way at which a creature stops


@kernel
def step_creatures(
    dt: float,
    first: int,
    last: int,
    rows: Floats,
    gait_rows: Floats,
    disks: Floats,
    swinging: Ints,
    feet: Floats,
    curves: Floats,
    nodes: Floats,
    swells: Floats,
    gaits: GaitArrays,
    folds: Folds,
    soles: Soles,
    trunk: BodyTrunk,
    spine: Spine,
    manner: Manner,
    maps: MapArrays,
    root_positions: Floats,
    rotations: Floats,
    places: Floats,
    trace: Ints,
) -> None:
    """Advance creatures ``first`` to ``last`` by ``dt``; ``trace`` takes down the stages of the first of all."""
    bench = make_bench(feet.shape[1], curves.shape[2], nodes.shape[1], swells.shape[1], spine.joints.shape[0])
    for n in range(first, last):
        row, gait = rows[n], gait_rows[n]
        noted = trace if n == 0 else trace[:0]
        _note(noted, c.COMMAND)
        wanted = row[c.WANTED_SPEED]
        if row[c.STUCK] >= _GIVES_UP * feet.shape[1]:
            row[c.WANTED_SPEED] = 0.0
        speed = row[c.SPEED] / math.sqrt(9.81 * manner.hip_height)
        if row[c.AUTO_GAIT] > 0.0:
            gait[g.WANTED] = natural_gait(speed, int(gait[g.WANTED]), gaits)
        _note(noted, c.GAIT)
        turning = next_turn(row[c.YAW], row[c.TURN], dt, row)[1]
        shove = math.sqrt(row[c.SHOVE_X] ** 2 + row[c.SHOVE_Z] ** 2)
        moving = max(abs(row[c.SPEED]), abs(wanted)) > _STILL or abs(turning) > _TURNING or shove > _SHOVED
        pace = abs(speed) + (abs(turning) * manner.radius + shove) / math.sqrt(9.81 * manner.hip_height)
        turn_disks(dt, pace, manner.time_unit, moving, gait, disks[n], gaits, swinging[n], bench.left, bench.stance)
        ease_effects(dt, row, gait, feet[n], disks[n])
        _note(noted, c.BODY)
        find_push(dt, row, feet[n], bench.left, bench.stance)
        drive_body(dt, row, feet[n], nodes[n], folds, spine, bench.before)
        _note(noted, c.PLAN)
        flies = gaits.flights[int(gait[g.GAIT])] > 0
        plan_feet(dt, flies, row, gait, feet[n], curves[n], swinging[n], folds, trunk, manner, maps, bench)
        _note(noted, c.FEET)
        move_feet(dt, row, feet[n], curves[n], folds, maps)
        _note(noted, c.HEIGHT)
        roll_feet(dt, manner.hip_height, row, feet[n], bench.left, bench.stance, soles, maps)
        turn = carry_body(dt, row, feet[n], trunk, folds, soles, maps)
        pose_trunk(
            dt,
            turn,
            row,
            gait,
            feet[n],
            nodes[n],
            swells[n],
            folds,
            trunk,
            manner.hip_height,
            spine,
            maps,
            bench.girdles,
            bench.frames,
            bench.stretches,
        )
        turn_trunk(spine, bench.frames, root_positions[n], rotations[n])
        _note(noted, c.LEGS)
        if row[c.VISIBLE] > 0.0:
            _pose_legs(feet[n], soles, spine, bench.frames, rotations[n], places[n])
            row[c.REACHED] += feet.shape[1]
        _note(noted, c.FEEDBACK)
        give_back(row, feet[n], folds)
        row[c.WANTED_SPEED] = wanted


@part
def _pose_legs(feet: Floats, soles: Soles, spine: Spine, frames: Floats, rotations: Floats, places: Floats) -> None:
    """Pose all legs of a creature so that their tips, or the ankles of feet that roll, are where its feet are."""
    for f in range(feet.shape[0]):
        frame = frames[spine.girdles[spine.carriers[f]]]
        goal = feet[f, c.FOOT_X], feet[f, c.FOOT_Y], feet[f, c.FOOT_Z]
        centre, turn = vector(frame[4:]), quaternion(frame)
        if soles.rolls[f] > 0:
            hip = add(centre, rotate(turn, vector(soles.legs.hips[f])))
            feet[f, c.SOLE_POSED] = pitch_in_reach(f, feet[f], hip, soles)
            goal = ankle_goal(f, feet[f], soles)
        feet[f, c.ERROR] = reach_for(f, goal, centre, turn, soles.legs, rotations, places[f])
        if soles.rolls[f] > 0:
            turn_foot(f, feet[f], turn, soles, rotations)


@inline
def _note(trace: Ints, stage: int) -> None:
    for k in range(trace.shape[0]):
        if trace[k] < 0:
            trace[k] = stage
            break
