"""A jump, from the plant of the foot that takes off, or from the crouch of a standing body, to the end of the landing.

A `Jump` is a part of the state of a walker. Its clock is the time since it began; the count of cycles of the
walker follows from it, so that feet and body know of no other clock. The motion of the jump itself is a *unit* over
``u`` from 0 to 1, in which the last toe-off and the first touch-down have fixed places.
"""

from __future__ import annotations

import math

from locomote.human._kernels.state import STANDING_UNIT, UNDER_WAY, Jump
from locomote.math._compile import inline
from locomote.math.vector import smooth_step

U_OFF, U_LAND = 0.35, 0.55  # places of the last toe-off and the first touch-down in a unit
STEEPEST = 2.8  # of the mean, slope of the clocks at the ends of a flight; beyond 3 they could go back
BEND = 0.02  # u: one of the 50 pieces of the spline of a unit; so far before and after its toe-off the spline bends
LEAST_TEMPO = 0.5  # below which the clock bends sooner, or it would take too much of the flight
RISE_UNTIL, FALL_FROM = 0.15, 0.72  # u: a standing jump grows out of standing, and goes back to it


@inline
def total(jump: Jump) -> float:
    """The duration of a jump, s."""
    seconds: float = jump.support + jump.flight + jump.landing
    return seconds


@inline
def flown(jump: Jump) -> float:
    """How much of the flight is over: below 0 before toe-off, above 1 after touch-down."""
    share: float = (jump.time - jump.support) / jump.flight
    return share


@inline
def _eased(x: float, first: float, last: float) -> float:
    """The cubic from 0 to 1 with these slopes at its ends."""
    return x * (first + x * (3.0 - 2.0 * first - last + x * (first + last - 2.0)))


@inline
def cycles_since(jump: Jump) -> float:
    """Cycles of the character since the jump began."""
    off, land, end = jump.off, jump.land, jump.end
    x, usual = flown(jump), (end - land) / jump.landing
    if x >= 1.0:
        count: float = land + usual * (jump.time - jump.support - jump.flight)
        return count
    # Before a short flight it hurries more and more, out of the pace at which it goes on after the landing.
    mean = off / jump.support
    slow = mean if jump.unit == STANDING_UNIT else min(usual, mean)
    if x <= 0.0:
        count = jump.time * (slow + (mean - slow) * jump.time / jump.support)
        return count
    way = (land - off) / jump.flight
    first, last = min(STEEPEST, (2.0 * mean - slow) / way), min(STEEPEST, usual / way)
    count = off + (land - off) * _eased(x, first, last)
    return count


@inline
def straight_time(jump: Jump) -> float:
    """Where in its unit a jump would be if its clock went on after toe-off as it does before."""
    u: float = U_OFF * jump.time / jump.support
    return u


@inline
def unit_time(jump: Jump) -> float:
    """Where in its unit a jump is, 0 to 1.

    A unit takes another share of its time for the support than for the flight, so that its poses change faster in ``u``
    after toe-off than before, or slower. Their spline has no corner there but bends; where the clock had one all joints
    would be jerked. The time is a parabola over ``u`` there.
    """
    since = jump.time - jump.support
    tempo, mean = min(STEEPEST, jump.tempo), (U_LAND - U_OFF) / jump.flight
    before, after = U_OFF / jump.support, tempo * mean
    bend = BEND * min(1.0, tempo / LEAST_TEMPO, before / after)
    u: float = straight_time(jump)
    if since >= jump.flight:
        u = U_LAND + (1.0 - U_LAND) * (since - jump.flight) / jump.landing
    elif after * since >= bend:
        left, rest = jump.flight - bend / after, U_LAND - U_OFF - bend
        x = (since - bend / after) / left
        u = U_OFF + bend + rest * _eased(x, after * left / rest, mean * left / rest)
    elif before * since > -bend:
        t, slow = since + bend / before, 1.0 / before
        u = U_OFF - bend + 2.0 * t / (slow + math.sqrt(slow * slow + (1.0 / after - slow) * t / bend))
    return min(1.0, max(0.0, u))


@inline
def weight(jump: Jump) -> float:
    """How much of the pose is the jump's own."""
    u = unit_time(jump)
    if jump.unit == STANDING_UNIT:
        return smooth_step(u / RISE_UNTIL) * smooth_step((1.0 - u) / (1.0 - FALL_FROM))
    last = U_LAND if jump.hold < U_LAND else 1.0
    share: float = jump.share * smooth_step(u / U_OFF) * smooth_step((last - u) / (last - jump.hold))
    return share


@inline
def travelled(jump: Jump) -> float:
    """How far a standing jump has carried its reference, m."""
    t, push, settle = jump.time - jump.support, jump.push, jump.settle
    way = push * _risen(1.0 + t / push) if t < 0.0 else 0.5 * push + t
    if t > jump.flight:
        way = 0.5 * push + jump.flight + settle * (0.5 - _risen(1.0 - (t - jump.flight) / settle))
    carried: float = jump.speed * way
    return carried


@inline
def speed_now(jump: Jump) -> float:
    """The speed of the reference of a standing jump, m/s."""
    t = jump.time - jump.support
    share = smooth_step(1.0 + t / jump.push) * smooth_step(1.0 - (t - jump.flight) / jump.settle)
    speed: float = jump.speed * share
    return speed


@inline
def _risen(x: float) -> float:
    """The integral of the smooth step from 0 to ``x <= 1``."""
    x = max(0.0, x)
    return x * x * x * (1.0 - 0.5 * x)


@inline
def spring_back(jump: Jump) -> tuple[float, float]:
    """How far the body is moved, up and ahead, so that it leaves the ground and lands at the speeds of its flight."""
    x = flown(jump)
    if x <= 0.0:
        s = jump.time / jump.support
        way = -jump.support * s * s * (1.0 - s)
        return way * jump.kick.up - smooth_step(s) * jump.lower, way * jump.kick.ahead
    if x >= 1.0:
        since = jump.time - jump.support - jump.flight
        s, give = since / jump.landing, jump.give if jump.give > 0.0 else jump.landing
        down, left = max(0.0, 1.0 - since / give), (1.0 - s) * (1.0 - s)
        ahead = since * left * jump.catch.ahead + left * (1.0 + 2.0 * s) * jump.brought
        return since * down * down * jump.catch.up, ahead
    return 0.0, x * jump.brought


@inline
def fall_at_landing(jump: Jump, gravity: float) -> float:
    """The speed with which a body that has been launched comes down at touch-down, m/s."""
    flight = jump.flight
    speed: float = 0.5 * gravity * flight - (jump.touch.up - jump.take_off.up) / flight
    return max(0.0, speed)


@inline
def pushes(jump: Jump, leg: int) -> bool:
    """Whether a leg pushes the body off the ground alone; two of them are stretched more slowly."""
    return bool(jump.state == UNDER_WAY and flown(jump) <= 0.0 and jump.leg == leg)


@inline
def flies(jump: Jump) -> bool:
    """Whether the body is in the air."""
    return bool(jump.state == UNDER_WAY and 0.0 < flown(jump) < 1.0)


@inline
def lands(jump: Jump) -> bool:
    """Whether the body is on the ground again after its flight."""
    return bool(jump.state == UNDER_WAY and flown(jump) >= 1.0)
