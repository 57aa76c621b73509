"""A jump, from the plant of the foot that takes off, or from the crouch of a standing body, to the end of the landing.

A jump is one row of numbers, with the columns below, a part of the state of a character. Its clock is the time since
it began; the count of cycles of the character follows from it, so that feet and body know of no other clock. The
motion of the jump itself is a *unit* over ``u`` from 0 to 1, in which the last toe-off and the first touch-down have
fixed places.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline
from locomote.math.vector import Floats, smooth_step

# Columns of a jump.
STATE = 0  # NONE, COMING, UNDER_WAY, or STEPPING: no jump, but feet that land on lines
LEG = 1  # that takes off, -1 for both
COUNT = 2  # the cycle of that leg, counted from its strikes, in which it does
FROM = 3  # cycles of the character when the jump began
TIME = 4  # s since then
SUPPORT, FLIGHT, LANDING = 5, 6, 7  # s
OFF, LAND, END = 8, 9, 10  # cycles since the beginning: toe-off, touch-down, end
UNIT = 11  # which motion: STANDING, or one of those from a single foot
LENGTH, AIR = (
    12,
    13,
)  # hip heights; flight in seconds * sqrt(gravity / hip height), as far as the motion knows it
SHARE = 14  # of the jump's own motion; the rest is that of the gait
HOLD = 15  # u until which it counts fully
TEMPO = 16  # of the unit at toe-off, in units of its mean over the flight; before the jump, for SUPPORT = FLIGHT
SPEED = 17  # m/s in flight, of a standing jump
PUSH, SETTLE = 18, 19  # s before toe-off and after touch-down, in which it gains and loses that speed
LAUNCHED = 20  # 1: the eight numbers below are known
TAKE_OFF, TOUCH = 21, 23  # centre of mass at toe-off and touch-down: m up, m ahead of the reference
KICK, CATCH = 25, 27  # m/s up and ahead that the motion lacks at toe-off and at touch-down
AFTER = 29  # what is to come back afterwards: speed, share of running, whether the speed decides on it (3)
LINES = 32  # two feet that are to land on a line: leg, count, place along the heading, heading x, heading z (5 each)
SUNK = 42  # m by which the body had sunk for its legs when it left the ground
AHEAD = 43  # m by which the place of the take-off foot is ahead of the body when it lands
CLEAR = 44  # m of height under the feet in the middle of the jump
SLANT = 45  # m by which the line of the take-off foot goes on ahead for every metre to the left
SIDE = 46  # m to the left of the origin, across the heading: where that line has its place
POSED = 47  # hip heights of length, as far as the motion knows it
GIVE = 48  # s after touch-down, in which the body gives way to its fall; 0: as long as the landing
BROUGHT = 49  # m by which the body is further ahead at touch-down, nearer to the foot that lands
# m by which the body is lower at toe-off than its motion has it, so that its toes are on the ground
LOWER = 50
COLUMNS = 51

NONE, COMING, UNDER_WAY, STEPPING = 0.0, 1.0, 2.0, 3.0
BOTH = 2.0  # in place of a leg of the second of LINES: either foot in the last stance before the body stands
STANDING = 0.0
U_OFF, U_LAND = 0.35, 0.55  # places of the last toe-off and the first touch-down in a unit
STEEPEST = 2.8  # of the mean, slope of the clocks at the ends of a flight; beyond 3 they could go back
BEND = 0.02  # u: one of the 50 pieces of the spline of a unit; so far before and after its toe-off the spline bends
LEAST_TEMPO = 0.5  # below which the clock bends sooner, or it would take too much of the flight
RISE_UNTIL, FALL_FROM = 0.15, 0.72  # u: a standing jump grows out of standing, and goes back to it


@inline
def total(jump: Floats) -> float:
    """The duration of a jump, s."""
    seconds: float = jump[SUPPORT] + jump[FLIGHT] + jump[LANDING]
    return seconds


@inline
def flown(jump: Floats) -> float:
    """How much of the flight is over: below 0 before toe-off, above 1 after touch-down."""
    share: float = (jump[TIME] - jump[SUPPORT]) / jump[FLIGHT]
    return share


@inline
def _eased(x: float, first: float, last: float) -> float:
    """The cubic from 0 to 1 with these slopes at its ends."""
    return x * (first + x * (3.0 - 2.0 * first - last + x * (first + last - 2.0)))


@inline
def cycles_since(jump: Floats) -> float:
    """Cycles of the character since the jump began."""
    off, land, end = jump[OFF], jump[LAND], jump[END]
    x, usual = flown(jump), (end - land) / jump[LANDING]
    if x >= 1.0:
        count: float = land + usual * (jump[TIME] - jump[SUPPORT] - jump[FLIGHT])
        return count
    # Before a short flight it hurries more and more, out of the pace at which it goes on after the landing.
    mean = off / jump[SUPPORT]
    slow = mean if jump[UNIT] == STANDING else min(usual, mean)
    if x <= 0.0:
        count = jump[TIME] * (slow + (mean - slow) * jump[TIME] / jump[SUPPORT])
        return count
    way = (land - off) / jump[FLIGHT]
    first, last = min(STEEPEST, (2.0 * mean - slow) / way), min(STEEPEST, usual / way)
    count = off + (land - off) * _eased(x, first, last)
    return count


@inline
def straight_time(jump: Floats) -> float:
    """Where in its unit a jump would be if its clock went on after toe-off as it does before."""
    u: float = U_OFF * jump[TIME] / jump[SUPPORT]
    return u


@inline
def unit_time(jump: Floats) -> float:
    """Where in its unit a jump is, 0 to 1.

    A unit takes another share of its time for the support than for the flight, so that its poses change faster in ``u``
    after toe-off than before, or slower. Their spline has no corner there but bends; where the clock had one all joints
    would be jerked. The time is a parabola over ``u`` there.
    """
    since = jump[TIME] - jump[SUPPORT]
    tempo, mean = min(STEEPEST, jump[TEMPO]), (U_LAND - U_OFF) / jump[FLIGHT]
    before, after = U_OFF / jump[SUPPORT], tempo * mean
    bend = BEND * min(1.0, tempo / LEAST_TEMPO, before / after)
    u: float = straight_time(jump)
    if since >= jump[FLIGHT]:
        u = U_LAND + (1.0 - U_LAND) * (since - jump[FLIGHT]) / jump[LANDING]
    elif after * since >= bend:
        left, rest = jump[FLIGHT] - bend / after, U_LAND - U_OFF - bend
        x = (since - bend / after) / left
        u = U_OFF + bend + rest * _eased(x, after * left / rest, mean * left / rest)
    elif before * since > -bend:
        t, slow = since + bend / before, 1.0 / before
        u = U_OFF - bend + 2.0 * t / (slow + math.sqrt(slow * slow + (1.0 / after - slow) * t / bend))
    return min(1.0, max(0.0, u))


@inline
def weight(jump: Floats) -> float:
    """How much of the pose is the jump's own."""
    u = unit_time(jump)
    if jump[UNIT] == STANDING:
        return smooth_step(u / RISE_UNTIL) * smooth_step((1.0 - u) / (1.0 - FALL_FROM))
    last = U_LAND if jump[HOLD] < U_LAND else 1.0
    share: float = jump[SHARE] * smooth_step(u / U_OFF) * smooth_step((last - u) / (last - jump[HOLD]))
    return share


@inline
def travelled(jump: Floats) -> float:
    """How far a standing jump has carried its reference, m."""
    t, push, settle = jump[TIME] - jump[SUPPORT], jump[PUSH], jump[SETTLE]
    way = push * _risen(1.0 + t / push) if t < 0.0 else 0.5 * push + t
    if t > jump[FLIGHT]:
        way = 0.5 * push + jump[FLIGHT] + settle * (0.5 - _risen(1.0 - (t - jump[FLIGHT]) / settle))
    carried: float = jump[SPEED] * way
    return carried


@inline
def speed_now(jump: Floats) -> float:
    """The speed of the reference of a standing jump, m/s."""
    t = jump[TIME] - jump[SUPPORT]
    share = smooth_step(1.0 + t / jump[PUSH]) * smooth_step(1.0 - (t - jump[FLIGHT]) / jump[SETTLE])
    speed: float = jump[SPEED] * share
    return speed


@inline
def _risen(x: float) -> float:
    """The integral of the smooth step from 0 to ``x <= 1``."""
    x = max(0.0, x)
    return x * x * x * (1.0 - 0.5 * x)


@inline
def spring_back(jump: Floats) -> tuple[float, float]:
    """How far the body is moved, up and ahead, so that it leaves the ground and lands at the speeds of its flight."""
    x = flown(jump)
    if x <= 0.0:
        s = jump[TIME] / jump[SUPPORT]
        way = -jump[SUPPORT] * s * s * (1.0 - s)
        return way * jump[KICK] - smooth_step(s) * jump[LOWER], way * jump[KICK + 1]
    if x >= 1.0:
        since = jump[TIME] - jump[SUPPORT] - jump[FLIGHT]
        s, give = since / jump[LANDING], jump[GIVE] if jump[GIVE] > 0.0 else jump[LANDING]
        down, left = max(0.0, 1.0 - since / give), (1.0 - s) * (1.0 - s)
        ahead = since * left * jump[CATCH + 1] + left * (1.0 + 2.0 * s) * jump[BROUGHT]
        return since * down * down * jump[CATCH], ahead
    return 0.0, x * jump[BROUGHT]


@inline
def fall_at_landing(jump: Floats, gravity: float) -> float:
    """The speed with which a body that has been launched comes down at touch-down, m/s."""
    flight = jump[FLIGHT]
    speed: float = 0.5 * gravity * flight - (jump[TOUCH] - jump[TAKE_OFF]) / flight
    return max(0.0, speed)


@inline
def pushes(jump: Floats, leg: int) -> bool:
    """Whether a leg pushes the body off the ground alone; two of them are stretched more slowly."""
    return bool(jump[STATE] == UNDER_WAY and flown(jump) <= 0.0 and jump[LEG] == leg)


@inline
def flies(jump: Floats) -> bool:
    """Whether the body is in the air."""
    return bool(jump[STATE] == UNDER_WAY and 0.0 < flown(jump) < 1.0)


@inline
def lands(jump: Floats) -> bool:
    """Whether the body is on the ground again after its flight."""
    return bool(jump[STATE] == UNDER_WAY and flown(jump) >= 1.0)
