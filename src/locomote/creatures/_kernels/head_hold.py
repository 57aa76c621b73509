"""Birds hold the head still in space while the body goes on below it, then thrust it ahead: once a step.

The thrust is about the moment in which a foot comes down. The head is held where the body will be below it in the
middle of the hold; where the neck is too short for the way of the body, it is held less.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels.model import Neck, Spine
from locomote.creatures._kernels.scratch import JointFrame
from locomote.creatures._kernels.state import CreatureState, FootState, GaitState, HeadState
from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, multiply, quaternion, rotate, store
from locomote.math.records import Records
from locomote.math.two_bone import solve_limb
from locomote.math.vector import Vector, add, mix, norm, spring, subtract, vector

THRUST = 0.5  # of a step
HARDEST = 60.0  # lengths of the neck a second squared with which a head is thrust, at most
HELD, LET_GO = 0.9, 0.5  # of the way of the body that the neck can make up for: up to here all, from there on nothing
DRAWN, DRAWN_SOFTLY = (
    0.985,
    0.045,
)  # of its length that a neck is drawn out, and over which it stops: none snaps straight
FOLDED_SOFTLY = 0.12  # the same over which it stops to fold: where it folds it would swing about
BACK = 0.07  # of the length of the neck that a head is held behind where it is at rest, so that it can go ahead
SETTLES = 1.68 / 0.15  # 1/s of the spring with which the head begins and ceases to be held: a half-life of 0.15 s


@part
def hold_head(
    dt: float, row: CreatureState, gait: GaitState, feet: Records, neck: Neck, spine: Spine, frames: Records
) -> None:
    """Turn the joints of the neck so that the head is where it is held; the frames of the trunk are known."""
    head: HeadState = row.head
    natural = _place(neck.joints[2], spine, frames)
    phase = _phase_of_step(gait, feet)
    step = 0.5 * gait.eased_period
    speed = max(abs(row.speed), abs(row.wanted_speed))  # who is about to go faster lets go before
    way = speed * (1.0 - THRUST) * step
    makes_up = min(neck.room / max(way, 1e-6), HELD)
    wanted = row.lively * min(row.effects.head, 1.0) * max(makes_up - LET_GO, 0.0) / (HELD - LET_GO)
    # Two even pushes, on and back, take it over the way of a step; at high rates of steps it is held less.
    wanted = min(wanted, HARDEST * neck.far * THRUST * THRUST * step / max(4.0 * speed, 1e-6))
    head.pace, head.pacing = spring(head.pace, head.pacing, row.speed, 0.0, SETTLES, dt)
    head.share, head.sharing = spring(head.share, head.sharing, wanted, 0.0, SETTLES, dt)
    if head.share < 1e-3 and wanted < 1e-3:
        head.share = head.sharing = 0.0
        head.x, head.y, head.z = natural
        head.from_x, head.from_y, head.from_z = natural
        return
    if phase >= THRUST:  # held
        head.from_x, head.from_y, head.from_z = head.x, head.y, head.z
    else:
        left = (0.5 * (1.0 + THRUST) - phase) * step  # s to the middle of the hold that comes
        ahead = left * head.pace - math.copysign(BACK * neck.far, row.speed)
        x, z = ahead * math.sin(row.yaw), ahead * math.cos(row.yaw)
        start = head.from_x, head.from_y, head.from_z
        share = _thrust(phase / THRUST)
        soon = natural[0] + x, natural[1], natural[2] + z
        head.x, head.y, head.z = mix(start, 1.0 - share, soon, share)
    goal = mix(natural, 1.0 - head.share, _held_at(head), head.share)
    _bend_neck(goal, neck, spine, frames)


@inline
def _thrust(t: float) -> float:
    """The share of a thrust after a share of its time: evenly faster, then evenly slower."""
    return 2.0 * t * t if t < 0.5 else 1.0 - 2.0 * (1.0 - t) * (1.0 - t)


@inline
def _held_at(head: HeadState) -> Vector:
    """Where a head is held."""
    return head.x, head.y, head.z


@inline
def _phase_of_step(gait: GaitState, feet: Records) -> float:
    """0 to 1 from the beginning of one thrust to the next; the middle of a thrust is when a foot comes down."""
    foot: FootState = feet[0]
    turns = 2.0 * (gait.needle - foot.middle + 0.5 * foot.duty) + 0.5 * THRUST
    return turns - math.floor(turns)


@inline
def _place(joint: int, spine: Spine, frames: Records) -> Vector:
    """Where a joint of the trunk is in the world."""
    frame: JointFrame = frames[joint]
    return add(vector(frame.middle), rotate(quaternion(frame.turn), vector(spine.offsets[joint])))


@inline
def _bend_neck(goal: Vector, neck: Neck, spine: Spine, frames: Records) -> None:
    """Bring the head to a goal: the neck turns where it begins and where it folds, and the head keeps its pose."""
    base, fold, head = neck.joints[0], neck.joints[1], neck.joints[2]
    first, middle, last = (_place(base, spine, frames), _place(fold, spine, frames), _place(head, spine, frames))
    lower, upper = subtract(middle, first), subtract(last, middle)
    nearest = abs(norm(lower) - norm(upper))
    up, low = solve_limb(lower, upper, _drawn(subtract(goal, first), nearest, neck.far), (0.0, 0.0, 0.0), 0.0)
    place = first
    for j in range(base, head + 1):
        if j > base:
            above: JointFrame = frames[spine.parents[j]]
            off = subtract(vector(spine.offsets[j]), vector(spine.offsets[spine.parents[j]]))
            place = add(place, rotate(quaternion(above.turn), off))
        if j < head:
            _turn(up if j < fold else low, frames[j])
        frame: JointFrame = frames[j]
        centre = subtract(place, rotate(quaternion(frame.turn), vector(spine.offsets[j])))
        frame.middle[0], frame.middle[1], frame.middle[2] = centre


@inline
def _drawn(reach: Vector, near: float, far: float) -> Vector:
    """A reach from the base of the neck, short of straight and of folded flat."""
    distance, soft = norm(reach), DRAWN_SOFTLY * far
    most, least = DRAWN * far - soft, near + (1.0 - DRAWN + FOLDED_SOFTLY) * far
    if least <= distance <= most or distance < 1e-9:
        return reach
    end = most
    if distance < least:
        end, soft = least, FOLDED_SOFTLY * far
    share = (end + soft * math.tanh((distance - end) / soft)) / distance
    return share * reach[0], share * reach[1], share * reach[2]


@inline
def _turn(by: Quaternion, frame: JointFrame) -> None:
    store(frame.turn, multiply(by, quaternion(frame.turn)))
