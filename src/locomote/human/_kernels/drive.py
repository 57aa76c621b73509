"""The course of a walking person: what was asked for, and where that leads, from one moment to the next.

A character is one row of ``state`` (float64, the columns below). `advance` moves its parameters along their ramps,
turns and shifts it, and counts its cycles. The same function looks ahead: on a copy of the row it gives what will be.

``timing (K, 2, T, 6)`` holds, for every style, walk and run, and T speeds, the frequency of the cycle, its integral
over the speed, and the phases at which the feet land and leave: left strike, left off, right strike, right off.
``numbers`` holds centre speeds (2), slowest speeds (2), an exponent, the phase that is nearest to standing (so is the
one half a cycle later), fastest speeds (2), then the T speeds.
"""

from __future__ import annotations

import math

from locomote.human.jumps._kernels import jump as leap
from locomote.math._compile import inline, part
from locomote.math.vector import Floats

# Columns of the state. A ramp takes three: value, target, seconds left.
X, Y, Z, YAW, CYCLES = 0, 1, 2, 3, 4
SPEED, TURN, RUN, LEG = 5, 8, 11, 14  # ramps: m/s, rad/s, 0 walk to 1 run, m
STYLE_LEFT = 17  # s until the style weights arrive
STEERING = 18  # 1: turn to the heading below in the seconds left of TURN
HEADING = 19
AUTO = 20  # 1: the speed decides between walk and run
FREE_STOP = 21  # 1: the time to stop may be changed so that the feet come together
STRIDE_SPEED = 22  # m/s at which the legs move: follows the speed, and is not 0 while turning on the spot
FREQUENCY, PACE = 23, 36  # cycles/s: of a steady walk, and in the last step
STALE = 24  # 1: the row of the cache is out of date
HELD = 25  # which control points the cache has (see `cycle_pose.sample`), negative for none
STRIKE_OFF = 26  # phases: left strike, left off, right strike, right off
NEWS = 30  # 1: a command changed the course since the feet planned their way
GROUND, GROUND_RATE = 31, 32  # m, m/s: the height of the ground that the body goes by
TOE_OUT = 33  # rad by which the left and the right foot are set down further outwards
WIDER = 35  # m by which each foot is set down further from the middle
TILT = 37  # rad by which the trunk leans forwards, uphill
SINK, SINK_RATE = 38, 39  # m, m/s: how far the body has sunk for the feet that are to land
PROFILE = 40  # m/s, five coefficients of the speed over the share of its time that is over
PROFILE_TIME, PROFILE_DURATION = 45, 46  # s; without a duration there is no profile
STEEP, STEEP_AHEAD = 47, 48  # rise of the ground a metre that the body goes by, and that it comes to
# 1: its second and third coefficient are the gains of two ramps, one as steep as the other
PROFILE_RAMPS = 49
KEEP_OFF = 50  # direction x, z and place along it: beyond there no foot is set down; a direction of 0 is none
ASIDE = 53  # m/s, x and z: how fast the body steps aside, besides what it goes along its yaw
JUMP = 55  # the columns of `jump`
WEIGHTS = JUMP + leap.COLUMNS  # K style weights, then their K targets

SLOWEST, EXPONENT, REST, FASTEST, GRID = 2, 4, 5, 6, 8  # places in `numbers`

INSTANT = 1e-9  # s that rounding may leave of a ramp
GRAVITY = 9.81  # m/s^2
LEG_SHARE = 0.925  # of the hip height, from hip to ankle
REFERENCE_HIP_HEIGHT = 0.9  # m, of the body whose speeds the model knows
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
CLIMB = 0.4  # m/s, upwards or downwards, that a body on steep ground does not reach
STEEPER = 1.0  # 1/s, how fast it takes to ground that is steeper or less steep
SHORTER = 0.5  # more of the frequency on ground as steep as stairs, so that steps are shorter
STAIRS = 0.6  # rise a metre of such ground
END_OF_CHANGE = 0.05  # s that a change of gait may lack when a jump begins
JUMP_AIR = 0.18  # cycles that the flight of a jump takes the place of, at most
JUMP_LANDING = 0.4  # cycles after touch-down, in which the body comes back to its gait
RESTORING = 0.7  # m/s^2, with which a character goes back to its speed after a jump


@inline
def advance(row: Floats, dt: float, timing: Floats, numbers: Floats) -> bool:
    """Go on by ``dt`` along the course; returns whether the motion of the body is another one then."""
    under_way = row[JUMP + leap.STATE] == leap.UNDER_WAY
    if row[STEEP] != row[STEEP_AHEAD]:
        row[STEEP] += max(-STEEPER * dt, min(STEEPER * dt, row[STEEP_AHEAD] - row[STEEP]))
    way = _leap(row, dt) if under_way else _way(row, dt)
    changed = _parameters(row, dt, timing.shape[0])
    if changed:
        set_timing(row, timing, numbers)
    turn = _turn(row, dt)
    _travel(row, way, turn, dt)
    if under_way:
        changed |= _follow_jump(row, dt, timing, numbers)
    else:
        _count(row, dt, timing, numbers)
        if row[JUMP + leap.STATE] == leap.COMING:
            changed |= _begin_jump(row, timing, numbers)
        elif row[JUMP + leap.STATE] == leap.STEPPING:
            _end_steps(row)
    return changed


@inline
def _way(row: Floats, dt: float) -> float:
    """How far the character goes in this step, m; moves its speed along."""
    duration = row[PROFILE_DURATION]
    if duration <= 0.0:
        return dt * slowed(_ramp(row, SPEED, dt), row[STEEP])
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
def _way_of_profile(row: Floats, dt: float) -> float:
    duration, before = row[PROFILE_DURATION], row[PROFILE_TIME]
    after = min(before + dt, duration)
    u, last = after / duration, before / duration
    c = row[PROFILE : PROFILE + 5]
    way: float = 0.0
    speed: float = 0.0
    if row[PROFILE_RAMPS] > 0.0:
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
    row[SPEED] = speed = max(0.0, speed)
    row[PROFILE_TIME] = after
    way *= duration
    if before + dt >= duration - INSTANT:
        row[SPEED + 1], row[SPEED + 2], row[PROFILE_DURATION] = speed, 0.0, 0.0
        way += speed * (before + dt - after)
    return way


@part
def _leap(row: Floats, dt: float) -> float:
    """The clock of a jump goes on; returns how far the character goes."""
    jump = row[JUMP : JUMP + leap.COLUMNS]
    if jump[leap.UNIT] != leap.STANDING:
        jump[leap.TIME] += dt
        way: float = row[SPEED] * dt
        return way
    before = leap.travelled(jump)
    jump[leap.TIME] += dt
    row[SPEED] = row[SPEED + 1] = leap.speed_now(jump)
    return leap.travelled(jump) - before


@part
def _begin_jump(row: Floats, timing: Floats, numbers: Floats) -> bool:
    """Begin a jump that is coming if its foot has landed; returns whether that ended a change of gait."""
    jump = row[JUMP : JUMP + leap.COLUMNS]
    leg = int(jump[leap.LEG])
    start, ends_change = row[CYCLES], False
    if leg >= 0:
        start = jump[leap.COUNT] + row[STRIKE_OFF + 2 * leg]
        if row[CYCLES] < start:
            return False
        if 0.0 < row[RUN + 2] < END_OF_CHANGE:
            # Feet count their cycles frame by frame, and may land by a part of one before the run-up is over.
            row[RUN], row[RUN + 2], ends_change = row[RUN + 1], 0.0, True
            set_timing(row, timing, numbers)
        other = row[STRIKE_OFF + 2 * (1 - leg)] - row[STRIKE_OFF + 2 * leg]
        jump[leap.LAND] = other - math.floor(other)
        jump[leap.END] = min(0.95, jump[leap.LAND] + JUMP_LANDING)
        jump[leap.SUPPORT] = (jump[leap.LAND] - JUMP_AIR) / row[FREQUENCY]
        jump[leap.OFF] = jump[leap.LAND] - _cycles_in_air(jump, row[FREQUENCY])
        jump[leap.LANDING] = (jump[leap.END] - jump[leap.LAND]) / row[FREQUENCY]
        jump[leap.TEMPO] *= jump[leap.FLIGHT] / jump[leap.SUPPORT]
        jump[leap.TIME] = (row[CYCLES] - start) / row[FREQUENCY]
    elif row[STRIDE_SPEED] > 0.0 or row[SPEED] > 0.0:
        return False  # the body must have come to rest
    jump[leap.STATE], jump[leap.FROM], jump[leap.LAUNCHED] = leap.UNDER_WAY, start, 0.0
    row[SPEED + 1], row[SPEED + 2], row[PROFILE_DURATION] = row[SPEED], 0.0, 0.0
    row[NEWS] = 1.0
    _time_feet(row)
    return ends_change


@inline
def _cycles_in_air(jump: Floats, frequency: float) -> float:
    """The part of a cycle that the flight of a jump takes the place of.

    In a short flight the legs would have to fly. They hurry before it, too: just so much that they leave the ground at
    the mean pace of the flight.
    """
    support = jump[leap.SUPPORT]
    even: float = (2.0 * jump[leap.LAND] / support - frequency) / (1.0 / jump[leap.FLIGHT] + 2.0 / support)
    return min(JUMP_AIR, even)


@part
def _end_steps(row: Floats) -> None:
    """Forget the lines of the feet when the last foot stands well beyond them."""
    jump = row[JUMP : JUMP + leap.COLUMNS]
    if row[CYCLES] > jump[leap.FROM] + jump[leap.END]:
        jump[leap.STATE] = leap.NONE
        _restore(row, jump)


@part
def _follow_jump(row: Floats, dt: float, timing: Floats, numbers: Floats) -> bool:
    """Count the cycles of a jump; returns whether it is over and the motion another one."""
    jump = row[JUMP : JUMP + leap.COLUMNS]
    before = row[CYCLES]
    over = jump[leap.TIME] - leap.total(jump)
    if over < -INSTANT:
        row[CYCLES] = jump[leap.FROM] + leap.cycles_since(jump)
        row[PACE] = (row[CYCLES] - before) / dt if dt > 0.0 else row[PACE]
        return False
    jump[leap.STATE] = leap.NONE
    standing = jump[leap.UNIT] == leap.STANDING
    row[CYCLES] = jump[leap.FROM] + jump[leap.END] + (0.0 if standing else over * row[FREQUENCY])
    row[PACE] = (row[CYCLES] - before) / dt if dt > 0.0 else row[PACE]
    _restore(row, jump)
    set_timing(row, timing, numbers)
    return True


@inline
def _restore(row: Floats, jump: Floats) -> None:
    """Go back to speed and gait as they were before a jump, or as told since."""
    wanted, run = jump[leap.AFTER], jump[leap.AFTER + 1]
    row[SPEED + 1], row[SPEED + 2] = wanted, abs(wanted - row[SPEED]) / RESTORING
    row[AUTO] = jump[leap.AFTER + 2]
    if row[AUTO] == 0.0 and run != row[RUN]:
        row[RUN + 1], row[RUN + 2] = run, max(row[SPEED + 2], 1.0 / max(row[FREQUENCY], 0.5))
    row[NEWS] = 1.0


@inline
def _time_feet(row: Floats) -> None:
    """The phases of the feet's contacts while a jump is under way."""
    jump, phases = row[JUMP : JUMP + leap.COLUMNS], row[STRIKE_OFF : STRIKE_OFF + 4]
    leg = int(jump[leap.LEG])
    if leg >= 0:
        phases[2 * leg + 1] = phases[2 * leg] + jump[leap.OFF]
        return
    start = jump[leap.FROM] - math.floor(jump[leap.FROM])
    for leg in range(2):
        phases[2 * leg], phases[2 * leg + 1] = start + jump[leap.LAND], start + 1.0 + jump[leap.OFF]


@inline
def _ramp(row: Floats, at: int, dt: float) -> float:
    """Move a parameter along its ramp and return its mean over the step."""
    value: float = row[at]
    target: float = row[at + 1]
    left: float = row[at + 2]
    if left <= 0.0 or dt == 0.0:
        return value
    if left <= dt + INSTANT:
        row[at], row[at + 2] = target, 0.0
        return (0.5 * (value + target) * left + target * (dt - left)) / dt
    new = value + (target - value) * dt / left
    row[at], row[at + 2] = new, left - dt
    return 0.5 * (value + new)


@inline
def slowed(speed: float, steep: float) -> float:
    """The speed of a body on steep ground that would have the given one on level ground."""
    up = speed * steep / CLIMB
    return speed / math.sqrt(1.0 + up * up)


@inline
def _parameters(row: Floats, dt: float, count: int) -> bool:
    """Move gait, size, style and stride speed along; returns whether the motion is another one now."""
    changed = bool(row[STALE] > 0.0 or row[RUN + 2] > 0.0 or row[LEG + 2] > 0.0 or row[STYLE_LEFT] > 0.0)
    row[STALE] = 0.0
    if row[AUTO] > 0.0:
        froude = slowed(row[SPEED], row[STEEP]) ** 2 * LEG_SHARE / (GRAVITY * row[LEG])
        wanted = row[RUN + 1]
        if froude > RUN_ABOVE:
            wanted = 1.0
        elif froude < WALK_BELOW:
            wanted = 0.0
        if wanted != row[RUN + 1] and _may_change(row, wanted, dt):
            row[RUN + 1] = wanted
            row[RUN + 2] = GAIT_CHANGE / max(row[FREQUENCY], 0.5)
    _ramp(row, RUN, dt)
    _ramp(row, LEG, dt)
    if row[STYLE_LEFT] > 0.0:
        share = min(1.0, dt / row[STYLE_LEFT])
        for k in range(WEIGHTS, WEIGHTS + count):
            row[k] += share * (row[k + count] - row[k])
        row[STYLE_LEFT] = max(0.0, row[STYLE_LEFT] - dt)
    wanted = _stride_speed(row)
    if wanted != row[STRIDE_SPEED]:
        root, reach = math.sqrt(row[STRIDE_SPEED]), EAGERNESS * dt
        off = math.sqrt(wanted) - root
        row[STRIDE_SPEED] = wanted if abs(off) <= reach else (root + math.copysign(reach, off)) ** 2
        changed = True
    return changed


@inline
def _stride_speed(row: Floats) -> float:
    """The speed at which the legs should move: that of the body, or enough to turn on the spot or step aside."""
    if row[JUMP + leap.STATE] == leap.UNDER_WAY and row[JUMP + leap.UNIT] == leap.STANDING:
        return 0.0
    marching = MARCH * abs(row[TURN]) if abs(row[TURN]) > LEAST_MARCH else 0.0
    marching = max(marching, math.sqrt(row[ASIDE] ** 2 + row[ASIDE + 1] ** 2))
    wanted: float = max(slowed(row[SPEED], row[STEEP]), min(MOST_MARCH, marching))
    return wanted


@inline
def _may_change(row: Floats, wanted: float, dt: float) -> bool:
    """Whether this is a moment of the step at which a change of gait drags the feet least."""
    begin = BEGIN_RUN if wanted > 0.0 else BEGIN_WALK
    halves = 2.0 * (row[CYCLES] - begin)
    since = 0.5 * (halves - math.floor(halves))
    at_once = row[STRIDE_SPEED] < AT_ONCE_BELOW or dt * row[FREQUENCY] > BEGIN_WINDOW
    return bool(at_once or since < BEGIN_WINDOW)


@inline
def _turn(row: Floats, dt: float) -> float:
    """How far the character turns in this step."""
    if row[STEERING] == 0.0:
        return dt * _ramp(row, TURN, dt)
    # The cubic that starts at the present turn rate and arrives at the heading with none.
    left: float = row[TURN + 2]
    way: float = row[HEADING] - row[YAW]
    if left <= dt + INSTANT:
        row[TURN], row[TURN + 1], row[TURN + 2], row[STEERING] = 0.0, 0.0, 0.0, 0.0
        return way
    t = dt / left
    rate: float = row[TURN] * left
    row[TURN] = (rate + t * (6.0 * way - 4.0 * rate + t * (3.0 * rate - 6.0 * way))) / left
    row[TURN + 2] = left - dt
    return t * (rate + t * (3.0 * way - 2.0 * rate + t * (rate - 2.0 * way)))


@inline
def _travel(row: Floats, way: float, turn: float, dt: float) -> None:
    """Go ``way`` metres along an arc that turns by ``turn``, and aside."""
    half = 0.5 * turn
    chord = way * (1.0 - half * half / 6.0 if abs(half) < 1e-4 else math.sin(half) / half)
    row[X] += chord * math.sin(row[YAW] + half) + dt * row[ASIDE]
    row[Z] += chord * math.cos(row[YAW] + half) + dt * row[ASIDE + 1]
    row[YAW] += turn


@inline
def _count(row: Floats, dt: float, timing: Floats, numbers: Floats) -> None:
    """Advance the count of cycles; it never goes back."""
    rest = numbers[REST]
    if row[STRIDE_SPEED] == 0.0:
        # Standing shows no phase: wait in the one nearest to it, or a little later.
        halves = math.ceil(2.0 * (row[CYCLES] - rest - OVER_REST))
        row[CYCLES] = max(row[CYCLES], 0.5 * halves + rest)
        row[PACE] = 0.0
        return
    if row[SPEED + 1] > 0.0 and row[JUMP + leap.LINES + 5] == leap.BOTH:
        row[JUMP + leap.LINES + 5] = -1.0  # it goes on
    wanted = _stride_speed(row)
    way = dt * row[FREQUENCY] * min(MOST_HURRY, wanted / row[STRIDE_SPEED])
    way *= 1.0 + SHORTER * min(1.0, row[STEEP] / STAIRS)
    if wanted > row[SPEED]:
        # The more of the movement is turning, the quicker the steps, so that each turns the body by little.
        slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row[LEG])
        least = min(MOST_MARCH_FREQUENCY * slow, 0.5 * abs(row[TURN]) / STEP_TURN)
        on_the_spot = 1.0 - row[SPEED] / wanted
        way = max(way * (1.0 + MARCH_HURRY * on_the_spot), dt * least * on_the_spot)
    if row[SPEED + 1] == 0.0 and row[SPEED + 2] > 0.0 and row[RUN + 2] <= 0.0 and row[TURN] == 0.0:
        # Stopping: end in the phase nearest to standing.
        ahead = row[SPEED + 2] * _mean_frequency(row, timing, numbers)
        if ahead > 0.02:
            end = math.floor(2.0 * (row[CYCLES] + ahead - rest) + 0.5) / 2.0 + rest
            if end <= row[CYCLES]:
                end += 0.5
            factor = (end - row[CYCLES]) / ahead
            if row[FREE_STOP] > 0.0:
                row[FREE_STOP] = 0.0
                row[SPEED + 2] *= min(2.0, max(0.5, factor))
            else:
                way *= min(STOP_STEERING[1], max(STOP_STEERING[0], factor))
    row[CYCLES] += way
    row[PACE] = way / dt if dt > 0.0 else row[FREQUENCY]


@part
def set_timing(row: Floats, timing: Floats, numbers: Floats) -> None:
    """The frequency of the cycle and the phases of the feet's contacts, from the parameters."""
    # Bodies of different size move alike at the same Froude number.
    slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row[LEG])
    speed = row[STRIDE_SPEED] * slow
    frequency = a = b = c = d = 0.0
    for g in range(2):
        share = row[RUN] if g == 1 else 1.0 - row[RUN]
        if share <= 0.0:
            continue
        # Beyond its fastest speed a gait is not known.
        cell, t = cell_of(min(speed, numbers[FASTEST + g]) / REFERENCE_HIP_HEIGHT, numbers)
        for k in range(timing.shape[0]):
            weight = share * row[WEIGHTS + k]
            if weight == 0.0:
                continue
            low, high = timing[k, g, cell], timing[k, g, cell + 1]
            before, after = weight * (1.0 - t), weight * t
            frequency += before * low[0] + after * high[0]
            a += before * low[2] + after * high[2]
            b += before * low[3] + after * high[3]
            c += before * low[4] + after * high[4]
            d += before * low[5] + after * high[5]
    row[FREQUENCY] = slow * frequency
    phases = row[STRIKE_OFF : STRIKE_OFF + 4]
    phases[0], phases[1], phases[2], phases[3] = a, b, c, d
    if row[JUMP + leap.STATE] == leap.UNDER_WAY:
        _time_feet(row)


@inline
def cycles_to_rest(row: Floats, timing: Floats, numbers: Floats) -> float:
    """About the cycles that are left of a character that stops; infinity if it does not."""
    if row[STRIDE_SPEED] == 0.0:
        return 0.0
    if row[SPEED + 1] > 0.0 or row[SPEED + 2] <= 0.0:
        return math.inf
    left: float = row[SPEED + 2] * _mean_frequency(row, timing, numbers)
    return left


@part
def _mean_frequency(row: Floats, timing: Floats, numbers: Floats) -> float:
    """The mean frequency over the speeds from 0 to the present one."""
    slow = math.sqrt(LEG_SHARE * REFERENCE_HIP_HEIGHT / row[LEG])
    speed: float = row[SPEED] * slow / REFERENCE_HIP_HEIGHT
    if speed < 1e-9:
        return 0.0
    cell, t = cell_of(speed, numbers)
    width = numbers[GRID + cell + 1] - numbers[GRID + cell]
    total = 0.0
    for k in range(timing.shape[0]):
        weight = row[WEIGHTS + k]
        if weight == 0.0:
            continue
        for g in range(2):
            share = row[RUN] if g == 1 else 1.0 - row[RUN]
            low, high = timing[k, g, cell], timing[k, g, cell + 1]
            total += weight * share * (low[1] + width * t * (low[0] + 0.5 * t * (high[0] - low[0])))
    return slow * total / speed


@inline
def cell_of(speed: float, numbers: Floats) -> tuple[int, float]:
    """The interval of the table of frequencies that holds a speed, and the place in it; the ends hold on."""
    last = numbers.shape[0] - GRID - 2
    low, high = 0, last
    while low < high:
        middle = (low + high + 1) // 2
        if numbers[GRID + middle] <= speed:
            low = middle
        else:
            high = middle - 1
    start, stop = numbers[GRID + low], numbers[GRID + low + 1]
    return low, min(1.0, max(0.0, (speed - start) / (stop - start)))
