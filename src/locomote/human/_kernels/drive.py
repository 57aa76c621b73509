"""The course of a walking person: what was asked for, and where that leads, from one moment to the next.

`advance` moves the parameters of a `Walker` along their ramps, turns and shifts it, and counts its cycles. The same
function looks ahead: on a copy of the row and of its style weights it gives what will be.
"""

from __future__ import annotations

import math

from locomote.human._kernels.liveliness import live_on
from locomote.human._kernels.model import LEG_SHARE, REFERENCE_HIP_HEIGHT, Timing
from locomote.human._kernels.state import BOTH_FEET, COMING, STANDING_UNIT, STEPPING, UNDER_WAY, Ramp, Walker
from locomote.human._kernels.timing import mean_frequency, set_timing
from locomote.human.jumps._kernels.jump_course import begin_jump, end_steps, follow_jump, go_on
from locomote.math._compile import inline, part
from locomote.math.constants import GRAVITY
from locomote.math.vector import Floats, smooth_step, spring

INSTANT = 1e-9  # s that rounding may leave of a ramp
RUN_ABOVE = 0.55  # Froude numbers v^2 / (g hip height) between which the gait is kept
WALK_BELOW = 0.45
GAIT_CHANGE = 0.3  # cycles that a change of gait takes
BEGIN_RUN = 0.26  # phase, and half a cycle later, from which a walk may become a run
BEGIN_WALK = 0.34  # and a run a walk
BEGIN_WINDOW = 0.12  # cycles for which it still may
AT_ONCE_BELOW = 1.0  # m/s, at which there is no step worth waiting for
MARCH = 0.2  # m: stride speed for each rad/s of turning on the spot
LEAST_MARCH = 0.3  # rad/s; the feet of a body that turns slower on the spot follow one by one
MOST_MARCH = 0.3  # m/s
MARCH_HURRY = 0.8  # more of the frequency when turning on the spot: short quick steps
STEP_TURN = 0.65  # rad that a step turns the body at most on the spot, unless the steps would be too quick
MOST_MARCH_FREQUENCY = 1.1  # cycles/s
EAGERNESS = 2.0  # sqrt(m/s)/s, how fast the root of the stride speed may change: legs do not jump
MOST_HURRY = 1.5  # of the frequency, while the stride speed is behind the speed
STOP_STEERING = (0.75, 1.35)  # bounds of the factor on the frequency that brings the feet together at a stop
OVER_REST = 0.05  # cycles past the phase nearest to standing that do not matter
CLIMB = 0.35  # m/s, upwards or downwards, that a body on steep ground does not reach
STEEPER = 1.0  # 1/s, how fast it takes to ground that is steeper or less steep
SHORTER = 0.35  # more of the frequency on ground as steep as stairs, so that steps are shorter
TURN_SLOWING = 0.13  # (s/rad)^2, see `turning_share`
BANK = 0.5  # of the angle at which gravity and turning balance, by which a body leans into a turn
MOST_LEAN = (0.08, 0.25)  # rad, walking and running
LEANING = 6.0  # 1/s, how fast it does
UPRIGHT = 1e-5  # rad, and rad/s, that are none
STEP_EASING = 0.15  # cycles before and after a long step over something, in which its rhythm comes and goes
LONG_UNTIL = 0.65  # cycles after the strike before it, at which it is over
STAIRS = 0.6  # rise a metre of such ground


@inline
def advance(row: Walker, weights: Floats, dt: float, timing: Timing) -> bool:
    """Go on by ``dt`` along the course; returns whether the motion of the body is another one then."""
    under_way = row.jump.state == UNDER_WAY
    if row.steep != row.steep_ahead:
        row.steep += max(-STEEPER * dt, min(STEEPER * dt, row.steep_ahead - row.steep))
    way = go_on(row, dt) if under_way else _way(row, dt)
    changed = _parameters(row, weights, dt)
    if changed:
        set_timing(row, weights[0], timing)
    turn = _turn(row, dt)
    _lean(row, dt)
    live_on(row, dt)
    _travel(row, way, turn, dt)
    if under_way:
        changed |= follow_jump(row, weights[0], dt, timing)
    else:
        _count(row, weights, dt, timing)
        if row.jump.state == COMING:
            changed |= begin_jump(row, weights[0], timing)
        elif row.jump.state == STEPPING:
            end_steps(row)
    return changed


@inline
def _way(row: Walker, dt: float) -> float:
    """How far the character goes in this step, m; moves its speed along."""
    duration = row.profile.duration
    if duration <= 0.0:
        return dt * slowed(_ramp(row.speed, dt), row.steep) * turning_share(row)
    return _way_of_profile(row, dt)


@inline
def knee_of(profile: Floats) -> float:
    """The share of the time after which the first of two ramps, one as steep as the other, is over."""
    first, second = abs(profile[1]), abs(profile[2])
    share: float = first / (first + second) if first + second > 0.0 else 0.5
    return share


@inline
def _on_ramps(profile: Floats, knee: float, u: float) -> float:
    """The speed on two ramps."""
    if u < knee:
        speed: float = profile[0] + profile[1] * u / knee
    else:
        speed = profile[0] + profile[1] + profile[2] * (u - knee) / max(1.0 - knee, 1e-12)
    return speed


@part
def _way_of_profile(row: Walker, dt: float) -> float:
    duration, before = row.profile.duration, row.profile.time
    after = min(before + dt, duration)
    u, last = after / duration, before / duration
    c = row.profile.coefficients
    way: float = 0.0
    speed: float = 0.0
    if row.profile.ramps:
        knee = knee_of(c)
        speed = _on_ramps(c, knee, u)
        if last < knee < u:
            low = c[0] + c[1]
            way = 0.5 * ((_on_ramps(c, knee, last) + low) * (knee - last) + (low + speed) * (u - knee))
        else:
            way = 0.5 * (_on_ramps(c, knee, last) + speed) * (u - last)
    else:
        for i in range(4, -1, -1):
            speed = speed * u + c[i]
        for i in range(5):
            way += c[i] * (u ** (i + 1) - last ** (i + 1)) / (i + 1)
    row.speed.value = speed = max(0.0, speed)
    row.profile.time = after
    way *= duration
    if before + dt >= duration - INSTANT:
        row.speed.target, row.speed.left, row.profile.duration = speed, 0.0, 0.0
        way += speed * (before + dt - after)
    return way


@inline
def _ramp(ramp: Ramp, dt: float) -> float:
    """Move a parameter along its ramp and return its mean over the step."""
    value, target, left = ramp.value, ramp.target, ramp.left
    if left <= 0.0 or dt == 0.0:
        return value
    if left <= dt + INSTANT:
        ramp.value, ramp.left = target, 0.0
        return (0.5 * (value + target) * left + target * (dt - left)) / dt
    new = value + (target - value) * dt / left
    ramp.value, ramp.left = new, left - dt
    return 0.5 * (value + new)


@inline
def turning_share(row: Walker) -> float:
    """Of its speed, that a body keeps which turns to a heading."""
    return 1.0 / (1.0 + TURN_SLOWING * row.turn.value**2) if row.steering else 1.0


@inline
def slowed(speed: float, steep: float) -> float:
    """The speed of a body on steep ground that would have the given one on level ground."""
    up = speed * steep / CLIMB
    return speed / math.sqrt(1.0 + up * up)


@inline
def _parameters(row: Walker, weights: Floats, dt: float) -> bool:
    """Move gait, size, style and stride speed along; returns whether the motion is another one now."""
    changed = bool(row.stale or row.run.left > 0.0 or row.leg.left > 0.0 or row.style_left > 0.0)
    row.stale = False
    if row.auto_gait:
        froude = (slowed(row.speed.value, row.steep) * turning_share(row)) ** 2 * LEG_SHARE / (GRAVITY * row.leg.value)
        wanted = row.run.target
        if froude > RUN_ABOVE:
            wanted = 1.0
        elif froude < WALK_BELOW:
            wanted = 0.0
        if wanted != row.run.target and _may_change(row, wanted, dt):
            row.run.target = wanted
            row.run.left = GAIT_CHANGE / max(row.frequency, 0.5)
    _ramp(row.run, dt)
    _ramp(row.leg, dt)
    if row.style_left > 0.0:
        share = min(1.0, dt / row.style_left)
        for k in range(weights.shape[1]):
            weights[0, k] += share * (weights[1, k] - weights[0, k])
        row.style_left = max(0.0, row.style_left - dt)
    wanted = _stride_speed(row)
    if wanted != row.stride_speed:
        root, reach = math.sqrt(row.stride_speed), EAGERNESS * dt
        off = math.sqrt(wanted) - root
        row.stride_speed = wanted if abs(off) <= reach else (root + math.copysign(reach, off)) ** 2
        changed = True
    return changed


@inline
def _stride_speed(row: Walker) -> float:
    """The speed at which the legs should move: that of the body, or enough to turn on the spot or step aside."""
    if row.jump.state == UNDER_WAY and row.jump.unit == STANDING_UNIT:
        return 0.0
    marching = MARCH * abs(row.turn.value) if abs(row.turn.value) > LEAST_MARCH else 0.0
    marching = max(marching, math.sqrt(row.aside[0] ** 2 + row.aside[1] ** 2))
    speed = slowed(row.speed.value, row.steep) * turning_share(row)
    wanted: float = max(speed, min(MOST_MARCH, marching))
    return wanted


@inline
def _may_change(row: Walker, wanted: float, dt: float) -> bool:
    """Whether this is a moment of the step at which a change of gait drags the feet least."""
    begin = BEGIN_RUN if wanted > 0.0 else BEGIN_WALK
    halves = 2.0 * (row.cycles - begin)
    since = 0.5 * (halves - math.floor(halves))
    at_once = row.stride_speed < AT_ONCE_BELOW or dt * row.frequency > BEGIN_WINDOW
    return bool(at_once or since < BEGIN_WINDOW)


@inline
def _turn(row: Walker, dt: float) -> float:
    """How far the character turns in this step."""
    if not row.steering:
        return dt * _ramp(row.turn, dt)
    # The cubic that starts at the present turn rate and arrives at the heading with none.
    left: float = row.turn.left
    way: float = row.heading - row.yaw
    if left <= dt + INSTANT:
        row.turn.value, row.turn.target, row.turn.left, row.steering = 0.0, 0.0, 0.0, False
        return way
    t = dt / left
    rate: float = row.turn.value * left
    row.turn.value = (rate + t * (6.0 * way - 4.0 * rate + t * (3.0 * rate - 6.0 * way))) / left
    row.turn.left = left - dt
    return t * (rate + t * (3.0 * way - 2.0 * rate + t * (rate - 2.0 * way)))


@inline
def _lean(row: Walker, dt: float) -> None:
    """Lean into a turn, by and by."""
    if row.turn.value == 0.0 and row.lean == 0.0 and row.lean_rate == 0.0:
        return
    balance = math.atan(row.speed.value * row.turn.value / GRAVITY)
    most = MOST_LEAN[0] + row.run.value * (MOST_LEAN[1] - MOST_LEAN[0])
    wanted = -most * math.tanh(BANK * balance / most)
    row.lean, row.lean_rate = spring(row.lean, row.lean_rate, wanted, 0.0, LEANING, dt)
    if abs(row.lean) + abs(row.lean_rate) < UPRIGHT and row.turn.value == 0.0:
        row.lean = row.lean_rate = 0.0


@inline
def _travel(row: Walker, way: float, turn: float, dt: float) -> None:
    """Go ``way`` metres along an arc that turns by ``turn``, and aside."""
    half = 0.5 * turn
    chord = way * (1.0 - half * half / 6.0 if abs(half) < 1e-4 else math.sin(half) / half)
    row.x += chord * math.sin(row.yaw + half) + dt * row.aside[0]
    row.z += chord * math.cos(row.yaw + half) + dt * row.aside[1]
    row.yaw += turn


@part
def _long_step(row: Walker) -> float:
    """By how much slower a body steps that goes over something with a long step."""
    since = row.cycles - row.jump.start
    share = smooth_step((since + STEP_EASING) / STEP_EASING) * smooth_step((LONG_UNTIL - since) / STEP_EASING)
    return 1.0 - (1.0 - row.jump.tempo) * share


@inline
def _count(row: Walker, weights: Floats, dt: float, timing: Timing) -> None:
    """Advance the count of cycles; it never goes back."""
    rest = timing.rest
    if row.stride_speed == 0.0:
        # Standing shows no phase: wait in the one nearest to it, or a little later.
        halves = math.ceil(2.0 * (row.cycles - rest - OVER_REST))
        row.cycles = max(row.cycles, 0.5 * halves + rest)
        row.pace = 0.0
        return
    if row.speed.target > 0.0 and row.jump.beyond.leg == BOTH_FEET:
        row.jump.beyond.leg = -1  # it goes on
    wanted = _stride_speed(row)
    way = dt * row.frequency * (1.0 + row.rhythm) * min(MOST_HURRY, wanted / row.stride_speed)
    way *= 1.0 + SHORTER * min(1.0, row.steep / STAIRS)
    if row.jump.state == STEPPING and row.jump.tempo > 0.0:
        way *= _long_step(row)
    if wanted > row.speed.value:
        # The more of the movement is turning, the quicker the steps, so that each turns the body by little.
        slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row.leg.value)
        least = min(MOST_MARCH_FREQUENCY * slow, 0.5 * abs(row.turn.value) / STEP_TURN)
        on_the_spot = 1.0 - row.speed.value / wanted
        way = max(way * (1.0 + MARCH_HURRY * on_the_spot), dt * least * on_the_spot)
    if row.speed.target == 0.0 and row.speed.left > 0.0 and row.run.left <= 0.0 and row.turn.value == 0.0:
        # Stopping: end in the phase nearest to standing.
        ahead = row.speed.left * mean_frequency(row, weights[0], timing)
        if ahead > 0.02:
            end = math.floor(2.0 * (row.cycles + ahead - rest) + 0.5) / 2.0 + rest
            if end <= row.cycles:
                end += 0.5
            factor = (end - row.cycles) / ahead
            if row.free_stop:
                row.free_stop = False
                row.speed.left *= min(2.0, max(0.5, factor))
            else:
                way *= min(STOP_STEERING[1], max(STOP_STEERING[0], factor))
    row.cycles += way
    row.pace = way / dt if dt > 0.0 else row.frequency
