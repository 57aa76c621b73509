"""What to do about an obstacle ahead: go on, step over it, jump, get round it, or stop.

``laws (3, 7)`` holds what is known of jumps from a walk, from a run and from a stand (the columns below), in metres and
seconds for a leg of `REFERENCE_LEG`. A law in leg lengths serves every size: the take-off speed is ``slope l +
intercept`` with all but the slope grown with the leg.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Ints

# Actions
GO_ON, STEP_OVER, JUMP_WALKING, JUMP_RUNNING, GET_ROUND, STOP_AND_JUMP, STOP = range(7)

# Columns of `laws`: take-off speed over jump length and the band around it, range of lengths, and how high the feet
# rise in the shortest and in the longest jump.
SLOPE, INTERCEPT, BAND, SHORTEST, LONGEST, LOW_APEX, HIGH_APEX = range(7)
WALKING, RUNNING, STANDING = range(3)
REFERENCE_LEG = 0.88  # m
LAWS = np.array(
    [
        [0.97, -0.04, 0.10, 0.3, 1.6, 0.10, 0.32],
        [1.16, -0.13, 0.15, 0.5, 2.0, 0.15, 0.48],
        [0.0, 0.0, 0.0, 0.2, 1.2, 0.10, 0.32],
    ]
)

# Columns of a request. The distance is the way that is left to the body until it must take off.
LENGTH, WIDTH, HEIGHT, DISTANCE, SPEED, RUN, LEG, STEP_LENGTH, LIMIT = range(9)
FRONT_MARGIN, LANDING_MARGIN, MAY_JUMP, MAY_GET_ROUND = range(9, 13)
REQUEST_COLUMNS = 13

RUNS_FROM = 0.5  # share of running, from which a jump is one from a run
FLAT = 0.15  # m of height that count as none, for the reference leg
HIGHEST = 0.4  # m that are jumped at most, for that leg
CLEARANCE = 0.05  # m between the feet at the top of a jump and the obstacle, for that leg
SHORT = 0.6  # of a step: what is shorter is stepped over
BODY = 0.35  # m from the middle of a body to what it passes
SLACK = 1e-9  # that rounding may take from a comparison


class Decision(NamedTuple):
    """What to do, how long the jump is, and with which speed it begins."""

    action: int
    length: float  # m, 0 without a jump
    speed: float  # m/s at the take-off, at the stop, or now


@inline
def take_off_speed(length: float, kind: int, leg: float, laws: Floats) -> float:
    """The usual speed before a jump of this length."""
    speed: float = laws[kind, SLOPE] * length + laws[kind, INTERCEPT] * leg / REFERENCE_LEG
    return speed


@inline
def jump_length(speed: float, kind: int, leg: float, laws: Floats) -> float:
    """The usual length of a jump with this speed."""
    length: float = (speed - laws[kind, INTERCEPT] * leg / REFERENCE_LEG) / laws[kind, SLOPE]
    return length


@inline
def _needed(length: float, height: float, kind: int, scale: float, laws: Floats) -> float:
    """The shortest jump of a kind over an obstacle, or infinity."""
    law = laws[kind]
    out: float = max(length, scale * law[SHORTEST])
    if height > scale * FLAT:
        top = height / scale + CLEARANCE
        share = (top - law[LOW_APEX]) / (law[HIGH_APEX] - law[LOW_APEX])
        out = max(out, scale * (law[SHORTEST] + share * (law[LONGEST] - law[SHORTEST])))
    if out > scale * law[LONGEST] + SLACK or height > scale * HIGHEST + SLACK:
        return math.inf
    return out


@part
def decide(request: Floats, laws: Floats) -> Decision:
    """What to do about one obstacle (columns above)."""
    speed, leg, distance = request[SPEED], request[LEG], request[DISTANCE]
    scale = leg / REFERENCE_LEG
    if request[LENGTH] <= 0.0 or distance + request[LENGTH] < 0.0:
        return Decision(GO_ON, 0.0, speed)
    if request[HEIGHT] <= scale * FLAT and request[LENGTH] < SHORT * request[STEP_LENGTH]:
        return Decision(STEP_OVER, 0.0, speed)
    if request[MAY_JUMP] > 0.0 and distance >= 0.0:
        wanted = request[LENGTH] + request[FRONT_MARGIN] + request[LANDING_MARGIN]
        kind = RUNNING if request[RUN] >= RUNS_FROM else WALKING
        length = _needed(wanted, request[HEIGHT], kind, scale, laws)
        if kind == WALKING and length == math.inf:
            kind = RUNNING
            length = _needed(wanted, request[HEIGHT], kind, scale, laws)
        if length < math.inf:
            start = take_off_speed(length, kind, leg, laws)
            if start < speed:
                # Nobody brakes before a jump: jump further; only who is too fast for any jump slows down.
                length = min(jump_length(speed, kind, leg, laws), scale * laws[kind, LONGEST])
                start = min(speed, take_off_speed(length, kind, leg, laws) + scale * laws[kind, BAND])
            gain = abs(start * start - speed * speed)
            if gain <= 2.0 * distance * request[LIMIT] + SLACK:
                return Decision(JUMP_RUNNING if kind == RUNNING else JUMP_WALKING, length, start)
    return _avoid(request, scale, laws)


@inline
def _avoid(request: Floats, scale: float, laws: Floats) -> Decision:
    """Get round the obstacle; where that is impossible or, close to it, harder than stopping: stop."""
    speed, distance = request[SPEED], request[DISTANCE]
    if request[MAY_GET_ROUND] > 0.0:
        # Accelerations: to the side by half the width and a body on the way that is left, and to a stand on it.
        aside = 2.0 * (0.5 * request[WIDTH] + BODY) * speed * speed
        if distance >= request[STEP_LENGTH] or not 0.5 * speed * speed * distance < aside:
            return Decision(GET_ROUND, 0.0, speed)
    if request[MAY_JUMP] > 0.0:
        wanted = request[LENGTH] + request[FRONT_MARGIN] + request[LANDING_MARGIN]
        length = _needed(wanted, request[HEIGHT], STANDING, scale, laws)
        if length < math.inf:
            return Decision(STOP_AND_JUMP, length, 0.0)
    return Decision(STOP, 0.0, 0.0)


@kernel
def decide_many(requests: Floats, laws: Floats, actions: Ints, jumps: Floats) -> None:
    """Decide for every row of ``requests (N, 13)``: ``actions (N,)``, and lengths and speeds as ``jumps (N, 2)``."""
    for n in range(requests.shape[0]):
        decision = decide(requests[n], laws)
        actions[n] = decision.action
        jumps[n, 0], jumps[n, 1] = decision.length, decision.speed
