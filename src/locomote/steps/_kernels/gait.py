"""Ordinary walking between the plants: the fitted gait of people, led over the plants of a chain.

Recorded steps differ in person from one to the next. Where a plan is walked as people walk, pelvis, upper body and the
swings of the feet are those of one person: a cycle of the human model in the time of the landings, carried along so
that its standing feet come to lie on the plants. Steps that are no ordinary walking keep what was recorded.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, part
from locomote.math.vector import Floats, smooth_step, wrapped
from locomote.steps._kernels.blend import FEET, FOOT_ROWS, JOINTS, KNEE, PITCH, ROLL, ROOT, ROWS, TOES, YAW
from locomote.steps._kernels.fit import CLEARANCE, MOST_KNEE, ROLL_DOWN, rolled_ball
from locomote.steps._kernels.gait_course import GaitCourse, lay_course, mixed, phase_at, pose_at, row_of
from locomote.steps._kernels.layout import BodyMeasures, ChosenSteps, MadeWalks, PlayedChains

HEEL_DOWN = 0.15  # of the cycle after its strike, in which a foot rolls down from its heel
AT_REST = 0.4  # of a swing at either end, in which it is brought out of rest, or to it
MOMENT = 0.02  # s, to tell how fast a foot goes
HEEL_UP = 0.20  # from which on it may be raised, wholly after HEEL_DOWN more


@part
def walk_ordinarily(
    chain: int,
    played: PlayedChains,
    body: BodyMeasures,
    fps: float,
    course: GaitCourse,
    made: MadeWalks,
) -> None:
    """Bring the frames of a chain, as far as it walks ordinarily, to the gait; planted feet stay on their plants."""
    chosen, sides, gait = played.chosen, played.plants.sides, played.gait
    first, last = played.plants.firsts[chain], played.plants.firsts[chain + 1]
    if gait.share <= 0.0 or not lay_course(first, last, played, body.size, course):
        return
    at = played.frame_firsts[chain]
    count = played.frame_firsts[chain + 1] - at
    p = first + 2  # whose foot comes down next, or came down last
    done = -1  # plant to whose swing the poses at its ends belong
    for n in range(count):
        time = n / fps
        while p + 1 < last and time >= chosen.lands[p]:
            p += 1
        k = p - first
        u = (time - course.times[k - 1]) / (course.times[k] - course.times[k - 1])
        share = mixed(course.shares, k, smooth_step(u))
        made.gait[at + n] = share
        if share <= 0.0:
            continue
        swinging = chosen.lifts[p] <= time < chosen.lands[p]
        if swinging and done != p:
            for end in range(2):
                moment = chosen.lifts[p] if end == 0 else chosen.lands[p]
                pose_at(moment, k, gait, body.size, course, course.rows[1 + end])
                pose_at(moment + (0.5 - end) * MOMENT, k, gait, body.size, course, course.rows[3 + end])
            done = p
        pose_at(time, k, gait, body.size, course, course.rows[0])
        pose = course.rows[0]
        for foot in range(2):
            plant = made.stands[foot, at + n]
            if plant >= 0:
                since = phase_at(time, k, course) - course.phases[row_of(plant, first, chosen)]
                down = since / HEEL_DOWN
                if plant < first + 2:
                    down = 1.0
                elif plant == last - 1:  # it comes to rest there
                    down = (time - chosen.lands[plant]) / (ROLL_DOWN * chosen.finals[plant])
                _stand_on(plant, foot, smooth_step(down), since, chosen, body.sole.heel, pose)
            elif foot == sides[p]:
                done_share = (time - chosen.lifts[p]) / (chosen.lands[p] - chosen.lifts[p])
                _swing(p, foot, done_share, chosen, body, course.rows)
        _mix(n, share, pose, made.frames)
        for foot in range(2):
            plant = made.stands[foot, at + n]
            if plant >= 0:
                r = FEET + FOOT_ROWS * foot
                x, y, z = chosen.places[plant, 0], chosen.places[plant, 1], chosen.places[plant, 2]
                frames = made.frames
                frames[r + YAW, n] = chosen.foot_yaws[plant]
                ball = rolled_ball(x, y, z, chosen.foot_yaws[plant], frames[r + PITCH, n], body.sole.heel)
                frames[r, n], frames[r + 1, n], frames[r + 2, n] = ball


@inline
def _stand_on(plant: int, foot: int, down: float, phase: float, chosen: ChosenSteps, heel: float, pose: Floats) -> None:
    """A foot of the gait on a plant, ``down`` from its heel strike and so long of the cycle after it."""
    r = FEET + FOOT_ROWS * foot
    pitch, toes = pose[r + PITCH], pose[r + TOES]
    if pitch < 0.0:
        pitch *= 1.0 - down
        toes = min(toes * (1.0 - down), -pitch)
    else:
        pitch *= smooth_step((phase - HEEL_UP) / HEEL_DOWN)
        toes = -pitch
    _turn(r, chosen.foot_yaws[plant], 1.0, pose)
    pose[r + PITCH], pose[r + TOES], pose[r + ROLL] = pitch, toes, 0.0
    x, y, z = chosen.places[plant, 0], chosen.places[plant, 1], chosen.places[plant, 2]
    pose[r], pose[r + 1], pose[r + 2] = rolled_ball(x, y, z, chosen.foot_yaws[plant], pitch, heel)


@inline
def _turn(r: int, yaw: float, share: float, pose: Floats) -> None:
    """Turn a foot towards a yaw; the knee goes with it."""
    off = share * wrapped(yaw - pose[r + YAW])
    pose[r + YAW] += off
    pose[r + KNEE] -= min(max(off, -MOST_KNEE), MOST_KNEE)


@part
def _swing(p: int, foot: int, u: float, chosen: ChosenSteps, body: BodyMeasures, rows: Floats) -> None:
    """A swinging foot of the gait, led from the plant that it left to that on which it comes down."""
    pose, r = rows[0], FEET + FOOT_ROWS * foot
    old, new = chosen.starts[p], chosen.places[p]
    pitch = min(rows[2, r + PITCH], 0.0)
    goal = rolled_ball(new[0], new[1], new[2], chosen.foot_yaws[p], pitch, body.sole.heel)
    share, time = smooth_step(u), chosen.lands[p] - chosen.lifts[p]
    # It leaves out of rest, and comes to rest along the ground; its height goes on as it rolls down from its heel.
    off, on = u * max(1.0 - u / AT_REST, 0.0) ** 2, (1.0 - u) * max(1.0 - (1.0 - u) / AT_REST, 0.0) ** 2
    for axis in range(3):
        left, comes = chosen.places[old, axis] - rows[1, r + axis], goal[axis] - rows[2, r + axis]
        pose[r + axis] += left + share * (comes - left)
        pose[r + axis] -= off * time * (rows[3, r + axis] - rows[1, r + axis]) / (0.5 * MOMENT)
        if axis != 1:
            pose[r + axis] += on * time * (rows[2, r + axis] - rows[4, r + axis]) / (0.5 * MOMENT)
    # Sole and toes are those of a standing foot at either end.
    off_old = wrapped(chosen.foot_yaws[old] - rows[1, r + YAW])
    off_new = wrapped(chosen.foot_yaws[p] - rows[2, r + YAW])
    _turn(r, pose[r + YAW] + off_old + share * (off_new - off_old), 1.0, pose)
    pitch_old, pitch_new = max(rows[1, r + PITCH], 0.0) - rows[1, r + PITCH], pitch - rows[2, r + PITCH]
    pose[r + PITCH] += pitch_old + share * (pitch_new - pitch_old)
    toes_old = -max(rows[1, r + PITCH], 0.0) - rows[1, r + TOES]
    toes_new = min(rows[2, r + TOES], -pitch) - rows[2, r + TOES]
    pose[r + TOES] += toes_old + share * (toes_new - toes_old)
    pose[r + ROLL] *= 16.0 * (u * (1.0 - u)) ** 2
    arch = 16.0 * (u * (1.0 - u)) ** 2
    ground = chosen.places[old, 1] + share * (new[1] - chosen.places[old, 1])
    pitch = pose[r + PITCH]
    low = min(body.sole.heel * math.sin(pitch), -body.sole.toes * math.sin(pitch + pose[r + TOES]))
    low = pose[r + 1] + min(low, 0.0) - ground
    pose[r + 1] += max(arch * CLEARANCE * body.size - low, 0.0)


@part
def _mix(n: int, share: float, pose: Floats, frames: Floats) -> None:
    """Bring a frame to a pose by a share."""
    for j in range(JOINTS):
        near = 0.0
        for c in range(4):
            near += frames[4 * j + c, n] * pose[4 * j + c]
        sign, square = -1.0 if near < 0.0 else 1.0, 0.0
        for c in range(4):
            value = frames[4 * j + c, n] + share * (sign * pose[4 * j + c] - frames[4 * j + c, n])
            frames[4 * j + c, n] = value
            square += value * value
        scale = 1.0 / math.sqrt(square)
        for c in range(4):
            frames[4 * j + c, n] *= scale
    for r in range(ROOT, ROWS):
        off = pose[r] - frames[r, n]
        kind = (r - FEET) % FOOT_ROWS
        if r >= FEET and kind in (YAW, KNEE):
            off = wrapped(off)
        frames[r, n] += share * off
