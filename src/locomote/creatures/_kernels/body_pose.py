"""How high a body is carried and how it tilts: along its feet, and above everything that lies under it."""

from __future__ import annotations

import math

from locomote.creatures._kernels.girdles import in_body, turned_in
from locomote.creatures._kernels.model import BodyTrunk, Folds, Soles
from locomote.creatures._kernels.state import STANDING, CreatureState, FootState
from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, about_up, exp, multiply, rotate
from locomote.math.records import Records
from locomote.math.vector import Vector, smooth_step, spring
from locomote.world._kernels.map_layout import MapArrays
from locomote.world._kernels.map_reading import cell_of, cell_top

EAGERNESS = 20.0  # 1/s of the springs of height and tilt: a half-life of 0.08 s
STEEPEST = 0.9  # rad that a body tilts, at most
STRETCH = 0.985  # of a leg's span that a standing leg is drawn out, at most
SOON = 0.15  # s before a foot comes down from which on the body lets it reach the ground
ROOM = 0.15  # of a leg's span that it may be short of its foot so long before it comes down or after it lifted
CROUCH = 0.85  # of the height of a hip at rest: a body is let down no further for a foot to lie flat
_SAMPLES = 7  # places along each of three lines under the body


@inline
def turn_of(row: CreatureState) -> Quaternion:
    """The rotation of a body."""
    return multiply(about_up(row.yaw), multiply(exp((-row.pitch, 0.0, 0.0)), exp((0.0, 0.0, row.roll))))


@part
def carry_body(
    dt: float, row: CreatureState, feet: Records, trunk: BodyTrunk, folds: Folds, soles: Soles, maps: MapArrays
) -> Quaternion:
    """Move the height and tilt of a body towards what its feet and the ground under it ask for; its rotation."""
    sine, cosine = math.sin(row.yaw), math.cos(row.yaw)
    level, ahead, aside = _plane_of_feet(row, feet, sine, cosine)
    ahead, aside = trunk.tilt * ahead, trunk.tilt * aside
    steepest = math.tan(STEEPEST)
    pitch = math.atan(min(max(ahead, -steepest), steepest))
    roll = math.atan(min(max(aside, -steepest), steepest))
    row.pitch, row.pitching = spring(row.pitch, row.pitching, pitch, 0.0, EAGERNESS, dt)
    row.roll, row.rolling = spring(row.roll, row.rolling, roll, 0.0, EAGERNESS, dt)
    pitched, rolled = math.tan(row.pitch), math.tan(row.roll)
    floor = _highest_below(row, trunk, pitched, rolled, sine, cosine, maps) + trunk.belly
    before = row.y
    height = max(level + trunk.height, floor)
    turn = turn_of(row)
    low, high = _in_reach(turn, row, feet, folds, soles)
    height = min(max(height, low), high, _soon_in_reach(turn, row, feet, folds))
    height = min(height, _ankles_in_reach(turn, row, feet, folds, soles))
    climb = ahead * row.speed if trunk.tilt > 0.0 else 0.0
    row.y, row.rising = spring(row.y, row.rising, height, climb, EAGERNESS, dt)
    row.floor = floor
    # The body goes through nothing, and first of all what stands must stay in reach: legs do not stretch.
    low = max(low, floor)
    if not low <= row.y <= high:
        row.y = min(max(row.y, low), high)
        row.rising = (row.y - before) / dt if dt > 0.0 else 0.0
    return turn


@inline
def _plane_of_feet(row: CreatureState, feet: Records, sine: float, cosine: float) -> tuple[float, float, float]:
    """Height under the centre and slopes ahead and to the left of the plane nearest to where the feet tread."""
    count = feet.shape[0]
    s_s, s_w, w_w, s_1, w_1, y_1, s_y, w_y = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    for f in range(count):
        foot: FootState = feet[f]
        y = foot.y
        if foot.state != STANDING:
            share = foot.elapsed / max(foot.duration, 1e-6)
            y = foot.began_y + smooth_step(share) * (foot.goal_y - foot.began_y)
        dx, dz = foot.x - row.x, foot.z - row.z
        w, s = turned_in(dx, dz, sine, cosine)
        s_1, w_1, y_1 = s_1 + s, w_1 + w, y_1 + y
        s_s, s_w, w_w = s_s + s * s, s_w + s * w, w_w + w * w
        s_y, w_y = s_y + s * y, w_y + w * y
    s_m, w_m, y_m = s_1 / count, w_1 / count, y_1 / count
    s_s, s_w, w_w = s_s / count - s_m * s_m, s_w / count - s_m * w_m, w_w / count - w_m * w_m
    s_y, w_y = s_y / count - s_m * y_m, w_y / count - w_m * y_m
    # A little stiffness: feet in one line say nothing of the slope across it.
    stiff = 1e-3 * (s_s + w_w) + 1e-9
    s_s, w_w = s_s + stiff, w_w + stiff
    volume = s_s * w_w - s_w * s_w
    ahead, aside = (w_w * s_y - s_w * w_y) / volume, (s_s * w_y - s_w * s_y) / volume
    return y_m - ahead * s_m - aside * w_m, ahead, aside


@inline
def _highest_below(
    row: CreatureState,
    trunk: BodyTrunk,
    ahead: float,
    aside: float,
    sine: float,
    cosine: float,
    maps: MapArrays,
) -> float:
    """The highest ground under the body, measured under its centre along the body's slope."""
    highest = -math.inf
    for line in range(-1, 2):
        w = line * trunk.half_width
        for k in range(_SAMPLES):
            s = trunk.half_length * (2.0 * k / (_SAMPLES - 1) - 1.0)
            x, z = row.x + s * sine + w * cosine, row.z + s * cosine - w * sine
            line_row, column = cell_of(x, z, maps)
            top = cell_top(line_row, column, maps)[0]
            highest = max(highest, top - ahead * s - aside * w)
    return highest


@inline
def _in_reach(turn: Quaternion, row: CreatureState, feet: Records, folds: Folds, soles: Soles) -> tuple[float, float]:
    """The lowest and highest that the centre may be with all standing feet in reach; the highest counts most."""
    low, high = -math.inf, math.inf
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        foot.highest = math.inf
        if foot.state != STANDING:
            continue
        x, y, z = rotate(turn, _hip(f, foot, folds))
        dx, dz = foot.x - row.x - x, foot.z - row.z - z
        aside = dx * dx + dz * dz
        near, far = (soles.legs.spans[f, 0] + soles.ankles[f, 1]) / STRETCH, STRETCH * folds.spans[f, 1]
        if far * far > aside:
            foot.highest = foot.y + math.sqrt(far * far - aside) - y
            high = min(high, foot.highest)
        if near * near > aside:
            low = max(low, foot.y + math.sqrt(near * near - aside) - y)
    return min(low, high), high


@inline
def _hip(f: int, foot: FootState, folds: Folds) -> Vector:
    """Where a hip is in the frame of the body."""
    x, z = in_body(folds.hips[f, 0], folds.hips[f, 2], foot)
    return x, folds.hips[f, 1], z


@inline
def _soon_in_reach(turn: Quaternion, row: CreatureState, feet: Records, folds: Folds) -> float:
    """The highest that the centre may be with the feet in reach that come down next; what those in the air leave."""
    high = math.inf
    ahead_x, ahead_z = row.speed * math.sin(row.yaw), row.speed * math.cos(row.yaw)
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        left = foot.duration - foot.elapsed
        if foot.state == STANDING:
            continue
        x, y, z = rotate(turn, _hip(f, foot, folds))
        if foot.swung < SOON:
            dx, dz = foot.x - row.x - x, foot.z - row.z - z
            far = folds.spans[f, 1]
            room = far * far - dx * dx - dz * dz
            if room > 0.0:
                slack = ROOM * far * foot.swung / SOON
                foot.highest = foot.y + math.sqrt(room) - y + slack
        if left > SOON:
            continue
        dx = foot.goal_x - row.x - x - left * ahead_x
        dz = foot.goal_z - row.z - z - left * ahead_z
        far = STRETCH * folds.spans[f, 1]
        room = far * far - dx * dx - dz * dz
        if room > 0.0:
            top = foot.goal_y + math.sqrt(room) - y
            high = min(high, top)
            slack = ROOM * folds.spans[f, 1] * max(left, 0.0) / SOON
            foot.highest = min(foot.highest, top + slack)
    return high


@inline
def _ankles_in_reach(turn: Quaternion, row: CreatureState, feet: Records, folds: Folds, soles: Soles) -> float:
    """The highest that the centre may be for feet ahead to roll as they should; those behind roll on."""
    high = math.inf
    sine, cosine = math.sin(row.yaw), math.cos(row.yaw)
    for f in range(feet.shape[0]):
        if soles.rolls[f] == 0:
            continue
        foot: FootState = feet[f]
        left, on_x, on_y, on_z = 0.0, foot.x, foot.y, foot.z
        if foot.state != STANDING:
            left, on_x, on_y, on_z = foot.duration - foot.elapsed, foot.goal_x, foot.goal_y, foot.goal_z
        if left > SOON:
            continue
        x, y, z = rotate(turn, _hip(f, foot, folds))
        dx, dz = on_x + foot.sole.ankle_x - row.x - x, on_z + foot.sole.ankle_z - row.z - z
        aside, ahead = turned_in(dx, dz, sine, cosine)
        ahead = max(ahead - max(left, 0.0) * row.speed, 0.0)
        far = STRETCH * soles.legs.spans[f, 1]
        room = far * far - ahead * ahead - aside * aside
        if room > 0.0:
            top = on_y + max(foot.sole.ankle_y + math.sqrt(room), CROUCH * folds.drops[f]) - y
            high = min(high, top)
            slack = ROOM * folds.spans[f, 1] * max(left, 0.0) / SOON
            foot.highest = min(foot.highest, top + slack)
    return high
