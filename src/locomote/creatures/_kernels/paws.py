"""Fore feet that bend at the wrist: the hand points where its course has it, and the leg above reaches for the wrist.

A hand comes down pointing ahead, stays so until the body is over it, rolls over its digits as the leg is left behind,
folds back under the forearm as it is brought forward and opens again before it lands. Its digits lie flat while it
stands and follow it in the air. Whatever the hand does, the tip of the leg is where the foot is.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.foot_roll import stood, swung
from locomote.creatures._kernels.gait_disks import StepTimes
from locomote.creatures._kernels.leg_fold import reach_for
from locomote.creatures._kernels.model import COURSE, Paws
from locomote.creatures._kernels.state import STANDING, CreatureState, FootState
from locomote.math._compile import inline, part
from locomote.math.quaternion import (
    Quaternion,
    about_up,
    between,
    conjugate,
    multiply,
    normalize,
    quaternion,
    rotate,
    store,
)
from locomote.math.records import Records
from locomote.math.vector import Floats, Vector, add, norm, spring, subtract, unit, vector, wrapped

LONG = 0.6  # of the hips' height: the way of the body over a foot at which its hand goes all of its course
BACKWARDS = 0.55  # of its course that a hand goes when the body goes backwards
EAGER = 110.0  # 1/s of the spring of the pitch
TURNS = 12.0  # 1/s at which a hand in the air turns to where its girdle faces
FOLLOWS = 0.6  # of the pitch of the hand that its digits have in mid-air
OPENS = 1.3  # rad by which a hand is turned at most to make a folded leg longer
DRAWN = 0.995  # of the span from hip to wrist
HALVINGS = 8


@inline
def roll_paws(dt: float, hip_height: float, row: CreatureState, feet: Records, times: StepTimes, paws: Paws) -> None:
    """Move how hands point and turn towards what the gait asks for."""
    share = 1.0 - math.exp(-TURNS * dt) if dt > 0.0 else 1.0
    for f in range(feet.shape[0]):
        if paws.bends[f] == 0:
            continue
        foot: FootState = feet[f]
        sole, left, stance = foot.sole, times.left[f], times.stance[f]
        amount = min(abs(row.speed) * stance / (LONG * hip_height), 1.0)
        if foot.state == STANDING:
            gone = stood(left, stance, sole)
            sole.stood += dt
            part_of = 0
        else:
            sole.stood = 0.0
            yaw = row.yaw + math.atan2(foot.carrier.sine, foot.carrier.cosine)
            sole.yaw += share * wrapped(yaw - sole.yaw)
            gone = swung(foot)
            part_of = 1
        if row.speed < 0.0:
            gone, amount = 1.0 - gone, BACKWARDS * amount
        wanted = amount * _course(gone, paws.courses[part_of])
        sole.pitch, sole.pitching = spring(sole.pitch, sole.pitching, wanted, 0.0, EAGER, dt)


@inline
def _course(share: float, course: Floats) -> float:
    """The pitch at a share of a stance or swing."""
    place = min(max(share, 0.0), 1.0) * (COURSE - 1)
    k = min(int(place), COURSE - 2)
    value: float = course[k] + (place - k) * (course[k + 1] - course[k])
    return value


class PawBones(NamedTuple):
    """What a hand is made of, m: see `Paws`; and how near and far from its hip the wrist may be."""

    digits: Vector
    wrist: Vector
    near: float
    far: float


class PawPose(NamedTuple):
    """How a hand and its digits are turned from rest, laid level, and where the wrist is from the foot."""

    hand: Quaternion
    digits: Quaternion
    wrist: Vector


@inline
def _posed(hand: Quaternion, digits: Quaternion, paw: PawBones) -> PawPose:
    return PawPose(hand, digits, add(rotate(digits, paw.digits), rotate(hand, paw.wrist)))


@inline
def _pitched(pitch: float, follows: float, paw: PawBones) -> PawPose:
    """A hand that points so far ahead of rest; its digits by a share of that."""
    half, less = -0.5 * pitch, -0.5 * follows * pitch
    hand = math.cos(half), math.sin(half), 0.0, 0.0
    digits = math.cos(less), math.sin(less), 0.0, 0.0
    return _posed(hand, digits, paw)


@inline
def _between(a: Quaternion, b: Quaternion, share: float) -> Quaternion:
    """A rotation between two that are less than half a turn apart."""
    rest = 1.0 - share
    mixed = (
        rest * a[0] + share * b[0],
        rest * a[1] + share * b[1],
        rest * a[2] + share * b[2],
        rest * a[3] + share * b[3],
    )
    return normalize(mixed)


@part
def _in_reach(pitch: float, follows: float, away: Vector, paw: PawBones) -> PawPose:
    """The pose of a hand nearest to its course at which the leg above reaches the wrist; ``away`` is from foot to hip.

    Where the leg is too short the whole hand rises onto its tip and points to the hip; where it is folded too far the
    hand opens.
    """
    wanted = _pitched(pitch, follows, paw)
    distance = norm(subtract(away, wanted.wrist))
    if paw.near <= distance <= paw.far:
        return wanted
    rest = add(paw.digits, paw.wrist)
    up = between(unit(rest, (0.0, 1.0, 0.0)), unit(away, (0.0, 1.0, 0.0)))
    towards = math.atan2(rest[2], rest[1]) - math.atan2(away[2], away[1])
    opened = pitch + (OPENS if pitch > towards else -OPENS)
    low, high, best = 0.0, 1.0, wanted
    for k in range(HALVINGS + 1):
        share = 1.0 if k == 0 else 0.5 * (low + high)
        if distance > paw.far:
            tried = _posed(_between(wanted.hand, up, share), _between(wanted.digits, up, share), paw)
        else:
            tried = _pitched(pitch + share * (opened - pitch), follows, paw)
        apart = norm(subtract(away, tried.wrist))
        if paw.near <= apart <= paw.far or k == 0:
            high, best = share, tried
        else:
            low = share
    return best


@inline
def reach_with_paw(
    f: int,
    row: CreatureState,
    foot: FootState,
    centre: Vector,
    turn: Quaternion,
    paws: Paws,
    rotations: Floats,
    places: Floats,
) -> float:
    """Pose a leg with a wrist so that its tip is at its foot, as far as it can be; the distance left."""
    legs, sole = paws.legs, foot.sole
    level = multiply(about_up(sole.yaw), (math.cos(0.5 * row.pitch), -math.sin(0.5 * row.pitch), 0.0, 0.0))
    place = foot.x, foot.y, foot.z
    hip = add(centre, rotate(turn, vector(legs.hips[f])))
    follows = 0.0
    if foot.state != STANDING:
        sine = math.sin(math.pi * swung(foot))
        follows = FOLLOWS * sine * sine
    away = rotate(conjugate(level), subtract(hip, place))
    near, far = legs.spans[f, 0] / DRAWN, DRAWN * legs.spans[f, 1]
    pose = _in_reach(sole.pitch, follows, away, PawBones(vector(paws.digits[f]), vector(paws.wrists[f]), near, far))
    goal = add(place, rotate(level, pose.wrist))
    error = reach_for(f, goal, centre, turn, legs, rotations, places)
    above = multiply(turn, conjugate(quaternion(legs.hip_parents[f])))
    count = legs.counts[f]
    for i in range(count):
        above = multiply(above, quaternion(rotations[legs.joints[f, i]]))
    hand, digits = multiply(level, pose.hand), multiply(level, pose.digits)
    bent = multiply(hand, quaternion(paws.turns[f, 0]))
    store(rotations[paws.joints[f, 0]], multiply(conjugate(above), bent))
    store(rotations[paws.joints[f, 1]], multiply(conjugate(bent), multiply(digits, quaternion(paws.turns[f, 1]))))
    knuckles = subtract(vector(places[count]), rotate(hand, vector(paws.wrists[f])))
    tip = subtract(knuckles, rotate(digits, vector(paws.digits[f])))
    places[count + 1, 0], places[count + 1, 1], places[count + 1, 2] = knuckles
    places[count + 2, 0], places[count + 2, 1], places[count + 2, 2] = tip
    return error
