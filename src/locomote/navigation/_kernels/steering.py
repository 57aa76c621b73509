"""How a walker finds its way: to a place, to a place with a heading, along a path, round a box.

A walker has a place (x, z), a yaw and a speed; at yaw 0 it looks along +Z and its left is +X. Every law here gives
the speed and the turn rate for the next ``dt``; the speed changes by at most ``limit`` m/s^2.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.math._compile import inline, part
from locomote.math.vector import Floats, Pair, wrapped

FASTEST_TURN = 2.5  # rad/s
APPROACH, QUICKNESS = (
    1.5,
    3.0,
)  # k1, k2 of the law: how early it swings into line, how quickly it follows that
CURVE_SLOWING = 0.4  # m^2, beta: the speed in a curve is 1 / (1 + beta curvature^2) of the cruising speed
LEAST_SHARE = 0.75  # of the cruising speed is kept in every curve on the way to a target
ASIDE, BEHIND = 0.7, 2.0  # rad off the heading, between which a walker slows down to turn
NEAREST = 0.3  # m; a target that is nearer bends the way no more than one at this distance
AT_TARGET = 0.05  # m
NEAR_TARGET = 0.3  # m within which a target counts as reached once its line has been passed
TURN_GAIN = 2.5  # 1/s, turn rate for each radian off the wanted direction
LOOK_AHEAD = 0.6  # s along a path
LEAST_LOOK = 0.4  # m
BRAKE = 2.5  # m/s^2, of one who must stop
SIDEWAYS = 1.5  # m/s^2 that a curve may cost
LEAST_RADIUS = 0.4  # m of the narrowest curve along a path
LENGTH_SHARE = 0.5  # delta: of a box's length that a way round keeps from its side
HALF_BODY = 0.25  # m from the middle of a walker to its side
TURN_TIME = 0.3  # s in which a walker turns to the wanted direction, if it can
FASTEST_ASIDE, ASIDE_BELOW = 0.3, 0.6  # m/s, sideways or back, and of those who are slower ahead than this
ASIDE_CHANGE = 2.5  # m/s^2
STILL = 0.02  # m/s; a slower wish is none
WILLING = 0.3  # m/s of a wish for which a walker turns at its full rate


class DriveLimits(NamedTuple):
    """What a walker can do."""

    accelerate: float  # m/s^2
    brake: float  # m/s^2
    turn: float  # rad/s
    turn_change: float  # rad/s^2
    sideways: float  # m/s^2, speed times turn rate


@inline
def nearer(value: float, wanted: float, reach: float) -> float:
    """``value`` moved towards ``wanted`` by at most ``reach``."""
    return min(value + reach, max(value - reach, wanted))


@inline
def steer_to_pose(
    x: float,
    z: float,
    yaw: float,
    speed: float,
    tx: float,
    tz: float,
    theading: float,
    cruise: float,
    limit: float,
    dt: float,
) -> Pair:
    """Speed and turn rate on a smooth way to a place that is to be reached with a heading (OBS-08)."""
    distance = math.hypot(tx - x, tz - z)
    sight = math.atan2(tx - x, tz - z) if distance > 1e-9 else theading
    theta, off = wrapped(theading - sight), wrapped(yaw - sight)
    bent = APPROACH * theta
    pull = QUICKNESS * (off + math.atan(bent)) + (1.0 + APPROACH / (1.0 + bent * bent)) * math.sin(off)
    curvature = -pull / max(distance, NEAREST)
    wanted = cruise * max(LEAST_SHARE, 1.0 / (1.0 + CURVE_SLOWING * curvature * curvature))
    speed = nearer(speed, wanted, limit * dt)
    return speed, min(FASTEST_TURN, max(-FASTEST_TURN, curvature * speed))


@inline
def reached(x: float, z: float, tx: float, tz: float, theading: float) -> bool:
    """Whether a walker is at a target, or has just passed the line across it."""
    dx, dz = tx - x, tz - z
    distance = math.hypot(dx, dz)
    ahead = dx * math.sin(theading) + dz * math.cos(theading)
    return bool(distance < AT_TARGET or (distance < NEAR_TARGET and ahead <= 0.0))


@part
def follow(
    x: float,
    z: float,
    yaw: float,
    speed: float,
    path: Floats,
    progress: float,
    cruise: float,
    end_speed: float,
    limit: float,
    dt: float,
) -> tuple[float, float, float]:
    """Speed and turn rate along a path ``(P, 2)`` of (x, z), and the progress: piece plus share of it.

    The caller keeps the progress, 0 at first; at P - 1 the path has been walked.
    """
    last = path.shape[0] - 1
    look = max(LEAST_LOOK, LOOK_AHEAD * speed)
    progress = _nearest(x, z, path, progress, look)
    piece = min(int(progress), last - 1)
    share = progress - piece
    wanted, way, aim_x, aim_z = cruise, 0.0, path[last, 0], path[last, 1]
    aimed = False
    braking = max(look, 0.5 * (speed * speed) / limit + speed * dt)
    while piece < last:
        ax, az = path[piece, 0], path[piece, 1]
        dx, dz = path[piece + 1, 0] - ax, path[piece + 1, 1] - az
        length = math.hypot(dx, dz)
        rest = (1.0 - share) * length
        if not aimed and way + rest >= look:
            at = share + (look - way) / length
            aim_x, aim_z, aimed = ax + at * dx, az + at * dz, True
        way += rest
        if way > braking:
            break
        piece, share = piece + 1, 0.0
        if piece < last:
            # A pursuer rounds a corner over its look-ahead; a smooth path turns over its pieces.
            ex, ez = path[piece + 1, 0] - path[piece, 0], path[piece + 1, 1] - path[piece, 1]
            turn = abs(math.atan2(ex * dz - ez * dx, dx * ex + dz * ez))
            bend = min(1.0 / LEAST_RADIUS, turn / max(0.5 * (length + math.hypot(ex, ez)), LEAST_LOOK))
            if bend > 1e-6:
                wanted = min(wanted, math.sqrt(SIDEWAYS / bend + 2.0 * limit * max(0.0, way - 0.5 * look)))
        else:
            wanted = min(wanted, math.sqrt(end_speed * end_speed + 2.0 * limit * max(0.0, way - speed * dt)))
    off = wrapped(math.atan2(aim_x - x, aim_z - z) - yaw)
    distance = max(0.1, math.hypot(aim_x - x, aim_z - z))
    curvature = 2.0 * (math.sin(off) if abs(off) < 0.5 * math.pi else math.copysign(1.0, off)) / distance
    curvature = min(1.0 / LEAST_RADIUS, max(-1.0 / LEAST_RADIUS, curvature))
    if abs(curvature) > 1e-6:
        wanted = min(wanted, math.sqrt(SIDEWAYS / abs(curvature)))
    speed = nearer(speed, wanted, limit * dt)
    return speed, min(FASTEST_TURN, max(-FASTEST_TURN, curvature * speed)), progress


@inline
def _nearest(x: float, z: float, path: Floats, progress: float, reach: float) -> float:
    """The progress of the nearest place of the path from here on, no further than ``reach`` along it."""
    last = path.shape[0] - 1
    piece = min(int(progress), last - 1)
    first = progress - piece
    best, least, way = progress, math.inf, 0.0
    while piece < last and way <= reach:
        ax, az = path[piece, 0], path[piece, 1]
        dx, dz = path[piece + 1, 0] - ax, path[piece + 1, 1] - az
        square = dx * dx + dz * dz
        share = ((x - ax) * dx + (z - az) * dz) / square if square > 0.0 else 1.0
        share = min(1.0, max(first, share))
        off = math.hypot(ax + share * dx - x, az + share * dz - z)
        if off < least:
            best, least = piece + share, off
        way += (1.0 - first) * math.sqrt(square)
        piece, first = piece + 1, 0.0
    return best


@inline
def way_points(
    x: float,
    z: float,
    yaw: float,
    cx: float,
    cz: float,
    length: float,
    width: float,
    delta: float,
    half_body: float,
    side: float,
) -> tuple[Pair, Pair, Pair, float]:
    """Where to pass a box, where to leave it, where to be back on the line, and the side (OBS-07).

    All three are to be reached with heading ``yaw``; the box lies across it. ``side`` is 1 left, -1 right, 0 the one
    that asks for the smaller shift. The second place, beside the box's far end, keeps the way back from its corner.
    """
    hx, hz = math.sin(yaw), math.cos(yaw)
    ahead = (cx - x) * hx + (cz - z) * hz
    aside = (cx - x) * hz - (cz - z) * hx
    if side == 0.0:
        side = 1.0 if aside <= 0.0 else -1.0
    shift = side * (0.5 * width + delta * length + half_body)
    beside = cx + shift * hz, cz - shift * hx
    leave = beside[0] + 0.5 * length * hx, beside[1] + 0.5 * length * hz
    return beside, leave, (x + 2.0 * ahead * hx, z + 2.0 * ahead * hz), side


@inline
def velocity_to_drive(
    vx: float, vz: float, yaw: float, speed: float, turning: float, dt: float, limits: DriveLimits
) -> Pair:
    """Speed and turn rate of a walker, who cannot go sideways, towards a wanted velocity."""
    wish = math.hypot(vx, vz)
    if wish < STILL:
        return max(0.0, speed - limits.brake * dt), nearer(turning, 0.0, limits.turn_change * dt)
    off = wrapped(math.atan2(vx, vz) - yaw)
    # A slow wish is turned to slowly: in a press its direction changes all the time.
    turn = off / max(TURN_TIME, dt) * min(1.0, wish / WILLING)
    # Whoever turns a little goes on; only for what is behind it a walker turns first.
    wanted = wish * min(1.0, max(0.0, (BEHIND - abs(off)) / (BEHIND - ASIDE)))
    speed = min(speed + limits.accelerate * dt, max(speed - limits.brake * dt, wanted))
    most = min(limits.turn, limits.sideways / max(speed, 0.1))
    return speed, nearer(turning, min(most, max(-most, turn)), limits.turn_change * dt)


@inline
def step_aside(
    vx: float, vz: float, yaw: float, speed: float, aside_x: float, aside_z: float, may: bool, dt: float
) -> Pair:
    """The velocity with which a walker steps aside or back, for what it wants but does not face; only if it is slow."""
    sine, cosine = math.sin(yaw), math.cos(yaw)
    ahead = max(0.0, vx * sine + vz * cosine)
    wx, wz = vx - ahead * sine, vz - ahead * cosine
    wish = math.sqrt(wx * wx + wz * wz)
    most = FASTEST_ASIDE * max(0.0, 1.0 - speed / ASIDE_BELOW) if may else 0.0
    share = min(1.0, most / wish) if wish > STILL else 0.0
    dx, dz = share * wx - aside_x, share * wz - aside_z
    change = math.sqrt(dx * dx + dz * dz)
    reach = min(1.0, ASIDE_CHANGE * dt / change) if change > 0.0 else 0.0
    return aside_x + reach * dx, aside_z + reach * dz


@inline
def nearest_on(polygon: Floats, x: float, z: float) -> tuple[float, float, bool]:
    """The point of a polygon's outline that is nearest to a place, and whether the place is inside.

    Its corners are in the order of `obstacle_layout`.
    """
    count = polygon.shape[0]
    bx, bz, least, inside = polygon[0, 0], polygon[0, 1], math.inf, count > 2
    for k in range(count):
        ax, az = polygon[k, 0], polygon[k, 1]
        after = k + 1 if k + 1 < count else 0
        ex, ez = polygon[after, 0] - ax, polygon[after, 1] - az
        square = ex * ex + ez * ez
        t = min(1.0, max(0.0, ((x - ax) * ex + (z - az) * ez) / square)) if square > 0.0 else 0.0
        dx, dz = ax + t * ex - x, az + t * ez - z
        if dx * dx + dz * dz < least:
            bx, bz, least = ax + t * ex, az + t * ez, dx * dx + dz * dz
        if ex * (z - az) - ez * (x - ax) >= 0.0:
            inside = False
    return bx, bz, inside
