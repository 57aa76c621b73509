"""How high a body is carried and how it tilts: along its feet, and above everything that lies under it."""

from __future__ import annotations

import math

from locomote.creatures._kernels.girdles import in_body, turned_in
from locomote.creatures._kernels.model import BodyTrunk, Limbs
from locomote.creatures._kernels.state import STANDING, CreatureState, FootState
from locomote.math._compile import inline, part
from locomote.math.constants import GRAVITY
from locomote.math.quaternion import Quaternion, about_up, exp, multiply, rotate
from locomote.math.records import Records
from locomote.math.vector import Vector, smooth_step, spring
from locomote.world._kernels.map_layout import MapArrays
from locomote.world._kernels.map_reading import cell_of, cell_top

EAGERNESS = 10.0  # 1/s of the spring of the height: a half-life of 0.17 s
PITCHING, ROLLING = 10.0, 8.0  # 1/s of the springs of the tilt: what lies under single feet, legs take up
LEANING = 0.3  # rad towards which a body rolls on the steepest ground
HARDEST = 0.5 * GRAVITY  # m/s2 of the same springs; what legs need comes on top
RISING = 2.5  # 1/s of the spring with which a body that was let down comes up again: not within a stride
FORESIGHT = 0.15  # s ahead for which standing legs are to reach
COMFORT = 0.05  # of its height that a body is let down before feet that stay behind step
LOWEST = 0.9  # of the height of a hip at rest: the lowest to which it is let down for feet that stay behind
LANDING = 0.95  # of the height of a hip at rest: the lowest to which it is let down for a foot that comes down
GATHERED = 0.7  # of the spread of its hips, to which that of feet counts at least
STEEPEST = 0.9  # rad that a body tilts, at most
STRETCH = 0.985  # of a leg's span that a standing leg is drawn out, at most
SOON = 0.3  # s before a foot comes down from which on the body lets it reach the ground
ROOM = 0.15  # of a leg's span that it may be short of its foot so long before it comes down or after it lifted
CROUCH = 0.85  # of the height of a hip at rest: a body is let down no further for a foot to lie flat
_SAMPLES = 7  # places along each of three lines under the body
_TOUCHES = 1e-6  # m
_SOONER = 0.1  # s ahead for which the ground under the body is looked at as the body will be tilted
_SUDDEN = 0.07  # s; sooner than that a body does not come up
_AHEAD = 4  # more of them, at most, ahead of it


@inline
def turn_of(row: CreatureState) -> Quaternion:
    """The rotation of a body."""
    return multiply(about_up(row.yaw), multiply(exp((-row.pitch, 0.0, 0.0)), exp((0.0, 0.0, row.roll))))


@part
def carry_body(
    dt: float, row: CreatureState, feet: Records, trunk: BodyTrunk, limbs: Limbs, maps: MapArrays
) -> Quaternion:
    """Move the height and tilt of a body towards what its feet and the ground under it ask for; its rotation."""
    sine, cosine = math.sin(row.yaw), math.cos(row.yaw)
    level, ahead, aside = _plane_of_feet(row, feet, limbs, sine, cosine)
    ahead, aside = trunk.tilt * ahead, trunk.tilt * aside
    steepest = math.tan(STEEPEST)
    pitch = math.atan(min(max(ahead, -steepest), steepest))
    roll = LEANING * math.tanh(aside / LEANING)
    row.pitch, row.pitching = spring(row.pitch, row.pitching, pitch, 0.0, PITCHING, dt)
    row.roll, row.rolling = spring(row.roll, row.rolling, roll, 0.0, ROLLING, dt)
    pitched, rolled = math.tan(row.pitch), math.tan(row.roll)
    floor, ahead_floor, push_floor = _highest_below(row, trunk, pitched, rolled, sine, cosine, maps)
    before, rising = row.y, row.rising
    height = level + trunk.height
    turn = turn_of(row)
    climb = pitched * row.speed if trunk.tilt > 0.0 else 0.0
    low, high, push, pull = _in_reach(turn, climb, row, feet, limbs)
    least, soon, rises_in, sinks_in = _soon_in_reach(turn, climb, row, feet, limbs)
    pull = min(pull, _push(soon + sinks_in * climb, sinks_in, row))
    row.comfort = max(height - COMFORT * trunk.height, low)
    soon = min(soon, high)
    for f in range(feet.shape[0]):
        soon = min(soon, feet[f].soon_highest)
    push = max(push, push_floor, _push(min(least, soon) + rises_in * climb, rises_in, row))
    need = max(height - soon, 0.0)
    row.crouch, row.crouching = spring(row.crouch, row.crouching, need, 0.0, RISING, dt)
    if row.crouch < need:
        row.crouch, row.crouching = need, 0.0
    height = min(height - row.crouch, _ankles_in_reach(turn, row, feet, limbs))
    height = max(height, min(low, high), min(least, soon), min(ahead_floor, high))
    climb *= max(1.0 - row.crouch / (COMFORT * trunk.height), 0.0)  # what holds it down does not climb along
    row.y, row.rising = spring(row.y, row.rising, height, climb, EAGERNESS, dt)
    # What legs at their limits will ask for must be there in time; the spring alone would be late.
    eager, hardest = row.rising - rising, HARDEST * dt
    if push_floor > 0.0:
        pull = max(pull, push_floor)
    wanted = min(max(min(max(eager, -hardest), hardest), dt * push), dt * pull)
    if wanted != eager:
        row.y, row.rising = before + (rising + 0.5 * wanted) * dt, rising + wanted
    # The body goes through nothing, and first of all what stands must stay in reach: legs do not stretch. Where they
    # have held it down in what it should not touch, it comes up softly.
    lowest = max(low, floor)
    low = min(lowest, row.y) if before < row.lowest - _TOUCHES else lowest
    row.floor, row.lowest = floor, lowest
    if not low <= row.y <= high:
        row.y = min(max(row.y, low), high)
        # It goes on as that goes; what came at once is no speed.
        most = GRAVITY * dt
        row.rising = min(max((row.y - before) / dt, rising - most), rising + most) if dt > 0.0 else 0.0
    return turn


@inline
def _plane_of_feet(
    row: CreatureState, feet: Records, limbs: Limbs, sine: float, cosine: float
) -> tuple[float, float, float]:
    """Height under the centre and slopes ahead and to the left of the plane nearest to where the feet tread."""
    count = feet.shape[0]
    s_s, s_w, w_w, s_1, w_1, y_1, s_y, w_y = 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    long, wide, middle = 0.0, 0.0, 0.0
    for f in range(count):
        foot: FootState = feet[f]
        y = foot.y
        if foot.state != STANDING:
            share = foot.swung / max(foot.swung + foot.duration - foot.elapsed, 1e-6)
            y = foot.began_y + smooth_step(share) * (foot.goal_y - foot.began_y)
        dx, dz = foot.x - row.x, foot.z - row.z
        w, s = turned_in(dx, dz, sine, cosine)
        s_1, w_1, y_1 = s_1 + s, w_1 + w, y_1 + y
        s_s, s_w, w_w = s_s + s * s, s_w + s * w, w_w + w * w
        s_y, w_y = s_y + s * y, w_y + w * y
        x, z = limbs.hips[f, 0], limbs.hips[f, 2]
        long, wide, middle = long + z * z / count, wide + x * x / count, middle + z / count
    s_m, w_m, y_m = s_1 / count, w_1 / count, y_1 / count
    s_s, s_w, w_w = s_s / count - s_m * s_m, s_w / count - s_m * w_m, w_w / count - w_m * w_m
    s_y, w_y = s_y / count - s_m * y_m, w_y / count - w_m * y_m
    # A little stiffness: feet in one line say nothing of the slope across it.
    stiff = 1e-3 * (s_s + w_w) + 1e-9
    # Gathered under the body, as at a gallop, they say little: every bump would be a hill.
    s_s, w_w = max(s_s, GATHERED * (long - middle * middle)) + stiff, max(w_w, GATHERED * wide) + stiff
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
) -> Vector:
    """The lowest that the centre may be for the ground under the body, along its slope: now, and soon.

    The third is the acceleration upwards with which it is so high in time.
    """
    highest, ahead_highest, near, push = -math.inf, -math.inf, -math.inf, -math.inf
    tilted, pace = ahead + _SOONER * row.pitching, max(row.speed, 1e-6)
    apart = 2.0 * trunk.half_length / (_SAMPLES - 1)
    way = max(min(SOON * row.speed / apart, 1.0 * _AHEAD), -1.0 * _AHEAD)
    first, last = min(math.floor(way), 0), _SAMPLES + max(math.ceil(way), 0)
    for k in range(first, last):
        s = apart * k - trunk.half_length
        behind = min(k - 1, _SAMPLES - 1)  # what lies here will soon be under the place behind it
        s_behind = apart * behind - trunk.half_length
        soon = -math.inf
        for line in range(-1, 2):
            w = line * trunk.half_width
            x, z = row.x + s * sine + w * cosine, row.z + s * cosine - w * sine
            line_row, column = cell_of(x, z, maps)
            top = cell_top(line_row, column, maps)[0]
            over = top - ahead * s - aside * w
            ahead_highest = max(ahead_highest, over)
            if 0 <= k < _SAMPLES:
                highest = max(highest, over)
            soon = max(soon, top - tilted * s_behind - aside * w + trunk.belly)
        if k > _SAMPLES:
            left = min((k - behind - 1) * apart / pace, SOON)
            push = max(push, _push(soon, left, row))
        elif k > 0:
            near = max(near, soon)
    return highest + trunk.belly, ahead_highest + trunk.belly, max(push, _push(near, 0.0, row))


@inline
def _in_reach(
    turn: Quaternion, climb: float, row: CreatureState, feet: Records, limbs: Limbs
) -> tuple[float, float, float, float]:
    """The lowest and highest that the centre may be with all standing feet in reach; ``climb`` is in m/s.

    What is foreseen is told as it is for a body that has not yet climbed. Then the accelerations upwards that keep
    legs from being folded or drawn out too far soon: the least and the most.
    """
    low, high, push, pull = -math.inf, math.inf, -math.inf, math.inf
    sine, cosine = math.sin(row.yaw), math.cos(row.yaw)
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        foot.highest = foot.soon_highest = math.inf
        if foot.state != STANDING:
            continue
        x, y, z = rotate(turn, _hip(f, foot, limbs))
        dx, dz = foot.x - row.x - x, foot.z - row.z - z
        aside = dx * dx + dz * dz
        near, far = (limbs.ankle_spans[f, 0] + limbs.ankles[f, 1]) / STRETCH, STRETCH * limbs.spans[f, 1]
        soon = min(FORESIGHT, foot.lifts)
        ahead = soon * row.speed * row.held
        soon_x, soon_z = dx - ahead * sine, dz - ahead * cosine
        soon_aside = soon_x * soon_x + soon_z * soon_z
        if near * near > aside:
            low = max(low, foot.y + math.sqrt(near * near - aside) - y)
        if near * near > soon_aside:
            push = max(push, _push(foot.y + math.sqrt(near * near - soon_aside) - y, soon, row))
        if far * far > aside:
            foot.highest = foot.y + math.sqrt(far * far - aside) - y
            high = min(high, foot.highest)
            if limbs.rolls[f] > 0:
                continue  # such feet roll on
            room = math.sqrt(max(far * far - soon_aside, 0.0))
            up = climb + row.pitching * limbs.hips[f, 2] + row.rolling * limbs.hips[f, 0]
            foot.soon_highest = foot.y + max(room, min(LOWEST * limbs.drops[f], far)) - y - soon * up
            top = foot.y + max(room, min(CROUCH * limbs.drops[f], far)) - y - soon * (up - climb)
            pull = min(pull, _push(top, soon, row))
    return low, high, push, pull


@inline
def _push(height: float, left: float, row: CreatureState) -> float:
    """The even acceleration with which the centre is so high in ``left`` seconds."""
    left = max(left, _SUDDEN)
    push: float = 2.0 * (height - row.y - left * row.rising) / (left * left)
    return push


@inline
def _hip(f: int, foot: FootState, limbs: Limbs) -> Vector:
    """Where a hip is in the frame of the body."""
    x, z = in_body(limbs.hips[f, 0], limbs.hips[f, 2], foot)
    return x, limbs.hips[f, 1], z


@inline
def _soon_in_reach(
    turn: Quaternion, climb: float, row: CreatureState, feet: Records, limbs: Limbs
) -> tuple[float, float, float, float]:
    """The lowest and highest that the centre may be now with the feet in reach that come down next.

    Then how many seconds later it must be so high, and so low.
    """
    low, high, rises_in, sinks_in = -math.inf, math.inf, SOON, SOON
    ahead_x, ahead_z = row.speed * math.sin(row.yaw), row.speed * math.cos(row.yaw)
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        left = foot.duration - foot.elapsed
        if foot.state == STANDING:
            continue
        foot.lowest = -math.inf
        x, y, z = rotate(turn, _hip(f, foot, limbs))
        if foot.swung < SOON:
            dx, dz = foot.x - row.x - x, foot.z - row.z - z
            far = limbs.spans[f, 1]
            room = far * far - dx * dx - dz * dz
            if room > 0.0:
                slack = ROOM * far * foot.swung / SOON
                foot.highest = foot.y + math.sqrt(room) - y + slack
        if left > SOON:
            continue
        dx = foot.goal_x - row.x - x - left * ahead_x
        dz = foot.goal_z - row.z - z - left * ahead_z
        far = STRETCH * limbs.spans[f, 1]
        near, aside = (limbs.ankle_spans[f, 0] + limbs.ankles[f, 1]) / STRETCH, dx * dx + dz * dz
        if near * near > aside:
            least = foot.goal_y + math.sqrt(near * near - aside) - y - max(left, 0.0) * climb
            foot.lowest = least
            if least > low:
                low, rises_in = least, max(left, 0.0)
        y += max(left, 0.0) * climb
        room = math.sqrt(max(far * far - aside, 0.0))
        room = max(room, min(LANDING * limbs.drops[f], far))
        if room > 0.0:
            top = foot.goal_y + room - y
            if top < high:
                high, sinks_in = top, max(left, 0.0)
            slack = ROOM * limbs.spans[f, 1] * max(left, 0.0) / SOON
            foot.highest = min(foot.highest, top + slack)
    return low, high, rises_in, sinks_in


@inline
def _ankles_in_reach(turn: Quaternion, row: CreatureState, feet: Records, limbs: Limbs) -> float:
    """The highest that the centre may be for feet ahead to roll as they should; those behind roll on."""
    high = math.inf
    sine, cosine = math.sin(row.yaw), math.cos(row.yaw)
    for f in range(feet.shape[0]):
        if limbs.rolls[f] == 0:
            continue
        foot: FootState = feet[f]
        left, on_x, on_y, on_z = 0.0, foot.x, foot.y, foot.z
        if foot.state != STANDING:
            left, on_x, on_y, on_z = foot.duration - foot.elapsed, foot.goal_x, foot.goal_y, foot.goal_z
        if left > SOON:
            continue
        x, y, z = rotate(turn, _hip(f, foot, limbs))
        dx, dz = on_x + foot.sole.ankle_x - row.x - x, on_z + foot.sole.ankle_z - row.z - z
        aside, ahead = turned_in(dx, dz, sine, cosine)
        ahead = max(ahead - max(left, 0.0) * row.speed, 0.0)
        far = STRETCH * limbs.ankle_spans[f, 1]
        room = far * far - ahead * ahead - aside * aside
        if room > 0.0:
            top = on_y + max(foot.sole.ankle_y + math.sqrt(room), CROUCH * limbs.drops[f]) - y
            high = min(high, top)
            slack = ROOM * limbs.spans[f, 1] * max(left, 0.0) / SOON
            foot.highest = min(foot.highest, top + slack)
    return high
