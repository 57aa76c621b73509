"""Where the ball of a foot shall land: clear of the other foot, on a line it was given, off what is near."""

from __future__ import annotations

import math

from locomote.human._kernels.state import NO_JUMP, PLANTED, STEPPING, UNDER_WAY, Foot, Jump, Walker
from locomote.math._compile import inline, part
from locomote.math.quaternion import quaternion, rotate
from locomote.math.records import Records
from locomote.math.vector import Floats, Pair, vector

MOST_SHIFT = 0.3  # hip heights by which a foot is brought to a line
KEPT_OFF = 0.02  # m that a foot keeps from what must not be stepped on
STAND_SHIFT = 0.07  # the same of a foot that then stands, which would step back from further
APART = 0.1  # hip heights between the middle lines of two feet on the ground
SPARE = 0.01  # m before and behind what is stepped over
UNCROSSED = 0.05  # hip heights between two feet of a body that steps aside, across its heading
MOST_APART = 0.15  # hip heights that a foot goes to its side for that


@part
def apart(leg: int, x: float, z: float, yaw: float, side: float, size: float, feet: Records, sole: Floats) -> float:
    """How far a foot whose ball is to stand at ``(x, z)`` must go to its side to stay clear of those that stand."""
    s, c = math.sin(yaw), math.cos(yaw)
    behind, front = size * (sole[0, 2] - sole[1, 2]), size * sole[2, 2]
    away = 0.0
    for other in range(feet.shape[0]):
        stands: Foot = feet[other]
        if other == leg or stands.state != PLANTED:
            continue
        goal = vector(stands.goal)
        along = rotate(quaternion(stands.flat_turn), (0.0, 0.0, 1.0))
        for i in range(5):
            t = behind + 0.25 * i * (front - behind)
            for k in range(5):
                u = behind + 0.25 * k * (front - behind)
                # From a point of the foot that stands to a point of this one, ahead of it and to its side.
                dx, dz = x + t * s - goal[0] - u * along[0], z + t * c - goal[2] - u * along[2]
                ahead, aside = dx * s + dz * c, side * (dx * c - dz * s)
                if abs(ahead) < APART * size:
                    away = max(away, math.sqrt((APART * size) ** 2 - ahead * ahead) - aside)
    return min(away, MOST_APART * size)


@inline
def uncrossed(leg: int, x: float, z: float, across: Pair, side: float, size: float, feet: Records) -> float:
    """How far a foot must go to its side so that it is not beyond the other one; ``across`` is to the left."""
    other: Foot = feet[1 - leg]
    off: float = side * ((x - other.goal[0]) * across[0] + (z - other.goal[2]) * across[1])
    return max(0.0, UNCROSSED * size - off)


@inline
def to_line(
    leg: int, count: float, x: float, z: float, yaw: float, size: float, jump: Jump, sole: Floats
) -> tuple[float, float]:
    """The place of a ball, brought to the line on which the foot is to land in this cycle, if there is one."""
    leaves = leg == jump.before.leg and count == jump.before.count
    lands = leg == jump.beyond.leg and count == jump.beyond.count
    if jump.state == NO_JUMP or not (leaves or lands):
        return x, z
    line = jump.before if leaves else jump.beyond
    hx, hz = line.x, line.z
    off = line.place - x * hx - z * hz
    if leaves and jump.slant != 0.0:
        # Not the ball, but the toes have to stay before an oblique edge.
        toe = size * sole[2, 2]
        tip = (x + toe * math.sin(yaw)) * hz - (z + toe * math.cos(yaw)) * hx
        turned = math.sin(yaw) * hx + math.cos(yaw) * hz
        off += jump.slant * (tip - jump.side) + toe * (1.0 - turned)
    off = max(-MOST_SHIFT * size, min(MOST_SHIFT * size, off))
    return x + off * hx, z + off * hz


@inline
def to_stand(x: float, z: float, size: float, jump: Jump) -> tuple[float, float]:
    """The place of a ball, brought to where the body is to stand; not if it stops somewhere else."""
    line = jump.beyond
    off = line.place - x * line.x - z * line.z
    if abs(off) > STAND_SHIFT * size:
        return x, z
    return x + off * line.x, z + off * line.z


@inline
def off_what_is_near(x: float, z: float, yaw: float, size: float, line: Floats, sole: Floats) -> tuple[float, float]:
    """The place of a ball, brought back so that neither heel nor tip is beyond a line."""
    nx, nz = line[0], line[1]
    if nx == 0.0 and nz == 0.0:
        return x, z
    along = math.sin(yaw) * nx + math.cos(yaw) * nz
    farthest = x * nx + z * nz + size * max(along * (sole[0, 2] - sole[1, 2]), 0.0, along * sole[2, 2])
    back = min(MOST_SHIFT * size, max(0.0, farthest + KEPT_OFF - line[2]))
    return x - back * nx, z - back * nz


@inline
def goes_over(leg: int, lands: float, row: Walker, duration: float) -> bool:
    """Whether a foot goes over what the body jumps or steps over."""
    jump = row.jump
    if jump.clear <= 0.0:
        return False
    # The foot that lands beyond it, then the one that stood before it.
    before, beyond = jump.before, jump.beyond
    follows = (leg == beyond.leg and lands == beyond.count) or (leg == before.leg and lands == before.count + 1.0)
    flies = jump.state == UNDER_WAY and duration > jump.flight
    return bool(flies or (jump.state == STEPPING and follows))


@inline
def jumped_height(x: float, z: float, near: float, size: float, row: Walker, sole: Floats) -> float:
    """The height of what is jumped or stepped over, nearer than ``near`` to a place along the way.

    It lies between the feet that leave and land; often it is shorter than that.
    """
    jump = row.jump
    before, beyond = jump.before, jump.beyond
    if jump.clear <= 0.0 or jump.state == NO_JUMP or before.leg < 0:
        return -math.inf
    ahead = x * before.x + z * before.z
    ahead -= jump.slant * (x * before.z - z * before.x - jump.side)
    first, last = before.place + size * sole[2, 2], beyond.place - size * (sole[1, 2] - sole[0, 2])
    if jump.deep > 0.0:
        first, last = first + jump.margin - SPARE, min(last, first + jump.margin + jump.deep + SPARE)
    # Half of the way between two looks lies on either side.
    return jump.clear if first - 0.5 * near < ahead < last + 0.5 * near else -math.inf
