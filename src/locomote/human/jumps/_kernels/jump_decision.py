"""What to do about an obstacle ahead: go on, step over it, jump, get round it, or stop.

``laws (3,)`` holds what is known of jumps from a walk, from a run and from a stand, in metres and seconds for a leg of
`REFERENCE_LEG`. A law in leg lengths serves every size: the take-off speed is ``slope l + intercept`` with all but the
slope grown with the leg.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.math._compile import inline, kernel, part
from locomote.math.records import Record, Records, zeros
from locomote.math.vector import Floats, Ints

# Actions
GO_ON, STEP_OVER, JUMP_WALKING, JUMP_RUNNING, GET_ROUND, STOP_AND_JUMP, STOP = range(7)

WALKING, RUNNING, STANDING = range(3)  # rows of `laws`
REFERENCE_LEG = 0.88  # m

RUNS_FROM = 0.5  # share of running, from which a jump is one from a run
FLAT = 0.15  # m of height that count as none, for the reference leg
HIGHEST = 0.4  # m that are jumped at most, for that leg
CLEARANCE = 0.05  # m between the feet at the top of a jump and the obstacle, for that leg
STEPPED = 0.28  # m of height that who walks steps over, for that leg
SHORT = 0.9  # of a step: what is shorter is stepped over by who walks,
SHORT_RUNNING = 0.6  # and by who runs
BODY = 0.35  # m from the middle of a body to what it passes
SLACK = 1e-9  # that rounding may take from a comparison


class JumpLaw(Record):
    """How people jump: speed over length, range of lengths, and how high the feet rise."""

    slope: float  # take-off speed over jump length
    intercept: float  # m/s
    band: float  # m/s around it
    shortest: float  # m
    longest: float
    low_apex: float  # m that the feet rise in the shortest
    high_apex: float  # and in the longest jump


# Of the source.
LAWS = zeros(JumpLaw, 3)
LAWS[WALKING] = 0.97, -0.04, 0.10, 0.3, 1.6, 0.10, 0.32
LAWS[RUNNING] = 1.16, -0.13, 0.15, 0.5, 2.0, 0.15, 0.48
LAWS[STANDING] = 0.0, 0.0, 0.0, 0.2, 1.2, 0.10, 0.32


class Obstruction(NamedTuple):
    """An obstacle ahead, and what the walker is like that comes to it."""

    length: float  # m
    width: float
    height: float
    distance: float  # m that are left to the body until it must take off
    speed: float  # m/s
    run: float  # share of running
    leg: float  # m
    step_length: float  # m
    limit: float  # m/s^2
    front_margin: float  # m
    landing_margin: float
    may_jump: bool
    may_get_round: bool


class Decision(NamedTuple):
    """What to do, how long the jump is, and with which speed it begins."""

    action: int
    length: float  # m, 0 without a jump
    speed: float  # m/s at the take-off, at the stop, or now


@inline
def take_off_speed(length: float, kind: int, leg: float, laws: Records) -> float:
    """The usual speed before a jump of this length."""
    speed: float = laws[kind].slope * length + laws[kind].intercept * leg / REFERENCE_LEG
    return speed


@inline
def jump_length(speed: float, kind: int, leg: float, laws: Records) -> float:
    """The usual length of a jump with this speed."""
    length: float = (speed - laws[kind].intercept * leg / REFERENCE_LEG) / laws[kind].slope
    return length


@inline
def _needed(length: float, height: float, kind: int, scale: float, laws: Records) -> float:
    """The shortest jump of a kind over an obstacle, or infinity."""
    law: JumpLaw = laws[kind]
    out: float = max(length, scale * law.shortest)
    if height > scale * FLAT:
        top = height / scale + CLEARANCE
        share = (top - law.low_apex) / (law.high_apex - law.low_apex)
        out = max(out, scale * (law.shortest + share * (law.longest - law.shortest)))
    if out > scale * law.longest + SLACK or height > scale * HIGHEST + SLACK:
        return math.inf
    return out


@part
def decide(request: Obstruction, laws: Records) -> Decision:
    """What to do about one obstacle."""
    speed, leg, distance = request.speed, request.leg, request.distance
    scale = leg / REFERENCE_LEG
    if request.length <= 0.0 or distance + request.length < 0.0:
        return Decision(GO_ON, 0.0, speed)
    walks = request.run < RUNS_FROM
    high, short = (STEPPED, SHORT) if walks else (FLAT, SHORT_RUNNING)
    if request.height <= scale * high and request.length < short * request.step_length:
        return Decision(STEP_OVER, 0.0, speed)
    if request.may_jump and distance >= 0.0:
        wanted = request.length + request.front_margin + request.landing_margin
        kind = RUNNING if request.run >= RUNS_FROM else WALKING
        length = _needed(wanted, request.height, kind, scale, laws)
        if kind == WALKING and length == math.inf:
            kind = RUNNING
            length = _needed(wanted, request.height, kind, scale, laws)
        if length < math.inf:
            start = take_off_speed(length, kind, leg, laws)
            if start < speed:
                # Nobody brakes before a jump: jump further; only who is too fast for any jump slows down.
                length = min(jump_length(speed, kind, leg, laws), scale * laws[kind].longest)
                start = min(speed, take_off_speed(length, kind, leg, laws) + scale * laws[kind].band)
            gain = abs(start * start - speed * speed)
            if gain <= 2.0 * distance * request.limit + SLACK:
                return Decision(JUMP_RUNNING if kind == RUNNING else JUMP_WALKING, length, start)
    return _avoid(request, scale, laws)


@inline
def _avoid(request: Obstruction, scale: float, laws: Records) -> Decision:
    """Get round the obstacle; where that is impossible or, close to it, harder than stopping: stop."""
    speed, distance = request.speed, request.distance
    if request.may_get_round:
        # Accelerations: to the side by half the width and a body on the way that is left, and to a stand on it.
        aside = 2.0 * (0.5 * request.width + BODY) * speed * speed
        if distance >= request.step_length or not 0.5 * speed * speed * distance < aside:
            return Decision(GET_ROUND, 0.0, speed)
    if request.may_jump:
        wanted = request.length + request.front_margin + request.landing_margin
        length = _needed(wanted, request.height, STANDING, scale, laws)
        if length < math.inf:
            return Decision(STOP_AND_JUMP, length, 0.0)
    return Decision(STOP, 0.0, 0.0)


@kernel
def decide_many(requests: Floats, laws: Records, actions: Ints, jumps: Floats) -> None:
    """Decide for every row of ``requests (N, 13)``, the fields of `Obstruction`.

    Filled in are ``actions (N,)``, and lengths and speeds as ``jumps (N, 2)``.
    """
    for n in range(requests.shape[0]):
        q = requests[n]
        decision = decide(
            Obstruction(q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7], q[8], q[9], q[10], q[11] > 0.0, q[12] > 0.0),
            laws,
        )
        actions[n] = decision.action
        jumps[n, 0], jumps[n, 1] = decision.length, decision.speed
