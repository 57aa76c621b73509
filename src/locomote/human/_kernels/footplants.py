"""Feet that stay where they are put: one foot of any leg, planted or on its way to where it will be planted.

A `Foot` corrects a *source*: the foot as the motion of the body has it,
given by ankle, rotation and bend of the toes. What the foot does beyond its source is an offset of seven numbers:
shift of the ankle (3), turn (3, a rotation vector in the world), bend of the toes.

- *Planted*: the foot stands on one place of the ground and rolls there as its source does: over the heel while the
  toes are up, over the ball while the heel is up, at last over the tip of the toes. The offset follows from that.
- *Swinging*: the offset goes from what it was at lift-off to what it must be at the landing foreseen, in both cases
  together with its rate.

A place is kept in the frame of the piece of ground that it is on: a foot on a moving platform moves with it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.human._kernels.state import LOOKS, Foot
from locomote.math._compile import inline, part, strict
from locomote.math.quaternion import (
    Quaternion,
    conjugate,
    exp,
    from_axes,
    log,
    multiply,
    quaternion,
    rotate,
    store,
)
from locomote.math.vector import (
    Floats,
    Vector,
    add,
    cross,
    scale,
    smooth_step,
    soft_max,
    subtract,
    unit,
    vector,
)


class FootPose(NamedTuple):
    """What a foot is to do."""

    ankle: Vector
    turn: Quaternion  # of the foot, in the world
    toes: float  # rad, how far the toes are bent up against the foot
    pitch: float  # rad, of the sole over the ground, of a planted foot
    toe_pitch: float  # rad, of the toes over the ground, of a planted foot


DEAD_PITCH = math.radians(3.0)  # a foot whose source is pitched less than this beyond its level stands flat
SOFT_PITCH = math.radians(3.0)  # over which it begins to roll
DEAD_TOES = 0.02  # rad: toes whose ball the source lifts by less lie on the ground
SOFT_TOE_PITCH = 0.1  # rad over which they begin to roll
MORE_TOES = 1.3  # times as far as the ball of the source rises: they begin late
MOST_TOE_PITCH = 1.0  # rad
TOES_AFTER = 0.3  # rad by which the heel is up before toes roll
HEEL_DOWN = 0.25  # s in which a heel comes down that was up at the landing
LIFT_WIDTH = 0.3  # of a way, before and after a moment at which a foot must be lifted
HIGH_LIFT = 0.2  # hip heights, of a lift from which on toes that hang down are raised, and as much more until
LEVELLED = 0.7  # of that is gone
HELD_BACK = 0.85  # of a way up, for which a foot is held back
SOON_BACK = 0.75  # exponent: it is held back most early on its way
LATE_AHEAD = 1.5  # the same of one that is held ahead on its way down: it is so most late on its way
STEEP_UP = 0.8  # of a way, in which a foot changes its height upwards
FADE = 0.12  # s in which the rate of the offset at lift-off fades, and in which that at the landing grows
MOST_LEVEL_PITCH = math.radians(8.0)  # of a source that still counts as standing flat
MOST_LEVEL = 0.05  # hip heights, between the sole of such a source and its floor
SOFT_RISE = 0.08  # rad over which a heel begins to rise for the height of its source
MOST_HEEL_RISE = 1.1  # rad by which a heel rises further than its source's to spare the body from sinking


@inline
def rolled(pitch: float, level: float) -> float:
    """The pitch of a planted foot or its toes: none near the ``level`` of the source, nearly the source's far from it.

    It grows smoothly and nowhere faster than the source's, so that the foot changes over from its heel to its ball
    without a jerk.
    """
    beyond = max(0.0, abs(pitch - level) - DEAD_PITCH)
    return math.copysign(math.sqrt(beyond * beyond + SOFT_PITCH * SOFT_PITCH) - SOFT_PITCH, pitch - level)


@inline
def level(foot: Foot, source: FootSource, size: float, sole: Floats) -> None:
    """Take a source for that of a foot that stands flat."""
    foot.level_pitch = max(-MOST_LEVEL_PITCH, min(MOST_LEVEL_PITCH, source.pitch))
    heel = rotate(source.turn, vector(sole[0]))
    ball = rotate(source.turn, vector(sole[1]))
    over = source.height + size * min(heel[1], ball[1])
    foot.level_height = max(-MOST_LEVEL * size, min(MOST_LEVEL * size, over))


@inline
def pitch_of(turn: Quaternion) -> float:
    """How far a foot points up, rad."""
    return math.asin(max(-1.0, min(1.0, rotate(turn, (0.0, 0.0, 1.0))[1])))


class FootSource(NamedTuple):
    """A foot as the motion of the body has it."""

    ankle: Vector
    turn: Quaternion  # of the foot, in the world
    toes: float  # rad, how far the toes are bent up against the foot
    pitch: float  # rad, how far the foot points up
    height: float  # m, of the ankle over the level on which the body was recorded


@inline
def source_of(ankle: Floats, turn: Floats, toe_rotation: Floats, level: float) -> FootSource:
    """The source from ankle and rotation of the foot in the world and the local rotation of the toes."""
    q = quaternion(turn)
    toes = -2.0 * math.atan2(toe_rotation[1], toe_rotation[0])
    return FootSource(vector(ankle), q, toes, pitch_of(q), ankle[1] - level)


@inline
def planted_pose(foot: Foot, source: FootSource, late: float, stood: float, size: float, sole: Floats) -> FootPose:
    """A foot that stands on its place; ``late`` is 0 before the middle of the stance and 1 well after it.

    It landed ``stood`` seconds ago.

    ``sole`` holds heel and ball in the frame of the ankle and the tip of the toes in that of the ball, for ``size`` 1.
    """
    pitch = rolled(source.pitch, foot.level_pitch)
    if foot.overhangs or foot.tiptoe > 0.0:
        down = 1.0 - smooth_step(stood / HEEL_DOWN)
        pitch = (1.0 - down) * min(pitch, 0.0) - down * foot.tiptoe
    flat = quaternion(foot.flat_turn)
    place, ball = vector(foot.goal), scale(vector(sole[1]), size)
    toe_pitch = 0.0
    if late > 0.0:
        pitch = min(pitch, (1.0 - late) * pitch)  # late in the stance the toes are down
        # The toes roll as far as it takes for the ball to rise as the source's does.
        raised = source.height - foot.level_height + rotate(source.turn, ball)[1]
        beyond = MORE_TOES * max(0.0, raised / (size * sole[2, 2]) - DEAD_TOES)
        beyond = math.sqrt(beyond * beyond + SOFT_TOE_PITCH * SOFT_TOE_PITCH) - SOFT_TOE_PITCH
        toe_pitch = -late * (MOST_TOE_PITCH - soft_max(MOST_TOE_PITCH - beyond, 0.0, 0.5 * MOST_TOE_PITCH))
        after = TOES_AFTER * foot.alike
        down = -soft_max(-pitch - after, 0.0, 0.5 * after + 1e-9)
        toe_pitch = min(0.0, soft_max(toe_pitch, down, 1e-9 - 0.3 * down))
        # The ankle of the source may be higher than this foot lets it be: the heel rises further, not the body sinks.
        lifted = -size * sole[2, 2] * math.sin(toe_pitch)
        short = source.height - foot.level_height - lifted + ball[1] * math.cos(pitch) + ball[2] * math.sin(pitch)
        pitch -= late * min(MOST_HEEL_RISE, soft_max(0.0, short, SOFT_RISE * ball[2]) / ball[2])
    turn = _pitched(flat, pitch)
    if pitch > 0.0:
        heel = scale(vector(sole[0]), size)
        ankle = subtract(add(place, rotate(flat, subtract(heel, ball))), rotate(turn, heel))
        return FootPose(ankle, turn, 0.0, pitch, 0.0)
    if toe_pitch < 0.0:
        tip = scale(vector(sole[2]), size)
        place = add(place, subtract(rotate(flat, tip), rotate(_pitched(flat, toe_pitch), tip)))
    return FootPose(subtract(place, rotate(turn, ball)), turn, toe_pitch - pitch, pitch, toe_pitch)


@inline
def _pitched(turn: Quaternion, pitch: float) -> Quaternion:
    """A rotation pitched upwards about its own axis to the side."""
    return multiply(turn, (math.cos(0.5 * pitch), -math.sin(0.5 * pitch), 0.0, 0.0))


@inline
def foresee(foot: Foot, source: FootSource, size: float) -> None:
    """Keep the source at the landing, and the size of the body."""
    foot.landing_size = size
    seen = foot.arrival
    seen.ankle[0], seen.ankle[1], seen.ankle[2] = source.ankle
    store(seen.turn, source.turn)
    seen.toes, seen.pitch, seen.height = source.toes, source.pitch, source.height


@part
def aim(foot: Foot, sole: Floats) -> None:
    """The offset that brings the source foreseen at the landing to the place of the foot."""
    seen, size = foot.arrival, foot.landing_size
    source = FootSource(vector(seen.ankle), quaternion(seen.turn), seen.toes, seen.pitch, seen.height)
    set_offset(foot.aim, planted_pose(foot, source, 0.0, 0.0, size, sole), source)


@part
def aim_rate(foot: Foot, after: FootSource, size: float, dt: float, sole: Floats) -> None:
    """The rate of the offset at the landing, from source and size ``dt`` after it; to be called after `aim`."""
    rate = foot.aim_rate
    set_offset(rate, planted_pose(foot, after, 0.0, dt, size, sole), after)
    for i in range(7):
        rate[i] = rate_of(rate[i], foot.aim[i], dt)


@strict
def rate_of(now: float, before: float, dt: float) -> float:
    """A change a second; the difference is rounded by itself, wherever its numbers come from."""
    return (now - before) / dt


@inline
def set_offset(out: Floats, pose: FootPose, source: FootSource) -> None:
    out[0], out[1], out[2] = subtract(pose.ankle, source.ankle)
    out[3], out[4], out[5] = log(multiply(pose.turn, conjugate(source.turn)))
    out[6] = pose.toes - source.toes


@inline
def begin_way(foot: Foot, duration: float) -> None:
    """Begin a new way to the landing from the present offset and its rate."""
    for i in range(7):
        foot.start[i], foot.start_rate[i] = foot.offset[i], foot.rate[i]
    foot.elapsed, foot.duration = 0.0, duration


@inline
def set_out_there(foot: Foot, higher: float) -> None:
    """Begin a way with the offset of its end, over ground so much ``higher``: a foot that has not been seen before."""
    for i in range(7):
        foot.start[i], foot.start_rate[i] = foot.aim[i], 0.0
    foot.start[1] += higher
    foot.arch = foot.back[0] = foot.back[1] = foot.lifted = 0.0


@inline
def swing(foot: Foot, source: FootSource, dt: float) -> FootPose:
    """The pose of a swinging foot, ``dt`` further on its way."""
    foot.elapsed += dt
    foot.swung += dt
    before = foot.rate
    for i in range(7):
        before[i] = foot.offset[i]
    pose = offset_pose(foot, source, foot.elapsed)
    if dt > 0.0:
        for i in range(7):
            foot.rate[i] = rate_of(foot.offset[i], before[i], dt)
    return pose


@inline
def offset_pose(foot: Foot, source: FootSource, t: float) -> FootPose:
    """The pose of a foot ``t`` seconds on its way, when its source is as given; sets its offset.

    The offset goes from start to aim, with the rate that it has at each, and over the arch.
    """
    duration, offset = foot.duration, foot.offset
    share = smooth_step(t / duration)
    leaving, arriving = _fading(t, duration), _fading(duration - t, duration)
    start, start_rate = foot.start, foot.start_rate
    end, end_rate = foot.aim, foot.aim_rate
    for i in range(7):
        offset[i] = start[i] + share * (end[i] - start[i]) + leaving * start_rate[i] - arriving * end_rate[i]
    u = t / duration
    if end[1] > start[1]:
        offset[1] += (smooth_step(u / STEEP_UP) - share) * (end[1] - start[1])  # upwards first and then on
    offset[1] += foot.arch * bump(u)
    lift = lift_at(foot, u) if foot.lifted > 0.0 else 0.0
    offset[1] += lift
    back = 0.0
    if u > 0.0 and (foot.back[0] != 0.0 or foot.back[1] != 0.0):
        back = bump(u**LATE_AHEAD) if foot.leads else bump((u / HELD_BACK) ** SOON_BACK)
    offset[0] -= back * foot.back[0]
    offset[2] -= back * foot.back[1]
    turn = multiply(exp((offset[3], offset[4], offset[5])), source.turn)
    high = lift / foot.landing_size - HIGH_LIFT
    if high > 0.0:
        # A leg does not fold up any further: the toes come up instead.
        turn = _pitched(turn, LEVELLED * smooth_step(high / HIGH_LIFT) * max(0.0, -pitch_of(turn)))
        offset[3], offset[4], offset[5] = log(multiply(turn, conjugate(source.turn)))
    ankle = add(source.ankle, (offset[0], offset[1], offset[2]))
    return FootPose(ankle, turn, source.toes + offset[6], 0.0, 0.0)


@part
def lift_at(foot: Foot, u: float) -> float:
    """How far a foot is lifted at a share of its way: a smooth line that is nowhere below what is needed."""
    total = 0.0
    for i in range(LOOKS - 1):
        need = foot.lifts[i]
        if need <= 0.0:
            continue
        at = (i + 1.0) / LOOKS
        off = (u - at) / min(LIFT_WIDTH, at if u < at else 1.0 - at)
        if abs(off) < 1.0:
            near = need * (1.0 - off * off) ** 2 / foot.lifted
            near *= near
            near *= near
            total += near * near  # a sum of high powers is about the power of the largest
    lift: float = foot.lifted * math.sqrt(math.sqrt(math.sqrt(total)))
    return lift


@inline
def bump(u: float) -> float:
    """A smooth hill from 0 to 1 of height 1."""
    u = min(1.0, max(0.0, u))
    return 16.0 * u * u * (1.0 - u) * (1.0 - u)


@inline
def _fading(t: float, duration: float) -> float:
    """What a rate of 1 that fades adds up to after ``t`` seconds; in the end nothing."""
    fade = min(FADE, duration)
    return t * (1.0 - t / fade) ** 2 if t < fade else 0.0


@inline
def flat_rotation(yaw: float, ahead: float, aside: float) -> Quaternion:
    """The rotation of a foot that lies on ground that rises by ``ahead`` a metre forwards and ``aside`` to its left."""
    s, c = math.sin(yaw), math.cos(yaw)
    forward = unit((s, ahead, c), (s, 0.0, c))
    left = (c, aside, -s)
    up = unit(cross(forward, left), (0.0, 1.0, 0.0))
    return from_axes(cross(up, forward), up, forward)
