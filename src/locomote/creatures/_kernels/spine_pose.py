"""The trunk as it is seen: girdles rise, pitch and turn with their feet, and the bones between follow in a curve.

What is seen stays apart from what is planned: it is laid over the guiding body and gives way as far as a leg that
stands would otherwise not reach its foot.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels import gait_layout as g
from locomote.creatures._kernels import layout as c
from locomote.creatures._kernels.body_pose import EAGERNESS, ROOM, SOON, BodyTrunk
from locomote.creatures._kernels.bounce import heave
from locomote.creatures._kernels.girdles import in_girdle, turned_in
from locomote.creatures._kernels.leg_fold import Folds, way_at
from locomote.creatures._kernels.spine_layout import (
    CHAIN,
    HEAVE,
    HEAVING,
    NODE_LOCAL_X,
    NODE_LOCAL_Z,
    NODE_X,
    NODE_YAW,
    NODE_Z,
    Spine,
)
from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, about_up, conjugate, exp, multiply, quaternion, rotate, store
from locomote.math.vector import Floats, Vector, add, norm, soft_max, spring, subtract, vector, wrapped
from locomote.world._kernels.map_layout import MapArrays
from locomote.world._kernels.map_reading import cell_of, cell_top

HIGHEST = 0.2  # of the hips' height: the most that a girdle rises or falls with the steps
STEEPEST = 0.5  # rad that a girdle pitches with its feet, at most
EASING = math.log(2.0) / 0.12  # 1/s at which effects are faded in and out
SETTLING = math.log(2.0) / 0.1  # 1/s at which the feet's stances are followed when the gait changes
ROUNDED = 0.03  # of the hips' height over which a girdle is held back softly
LOOKS_ASIDE = math.radians(30.0)  # rad that the head turns ahead of the body, at most
LOOKS_AHEAD = 0.35  # s: it looks to where the body will face then
LOOKING = math.log(2.0) / 0.12  # 1/s
CAREFUL = 0.98  # of the share of the effects that the legs seem to allow
_ACROSS = 3  # places under a girdle where the ground is looked at

_HEAVE, _SLOPE, _YAW = 0, 1, 2


@part
def ease_effects(dt: float, row: Floats, gait: Floats, feet: Floats, disks: Floats) -> None:
    """Move the shares of all effects, and what is known of the stances, towards what they should be."""
    share = 1.0 - math.exp(-EASING * dt)
    for k in range(c.EFFECTS):
        row[c.BOUNCE + k] += share * (row[c.WANTED_BOUNCE + k] - row[c.BOUNCE + k])
    row[c.LIVELY] += share * (gait[g.RUNNING] - row[c.LIVELY])
    share = 1.0 - math.exp(-SETTLING * dt)
    for f in range(feet.shape[0]):
        start, duration = disks[g.LIVE, f, 0, g.START], disks[g.LIVE, f, 0, g.DURATION]
        duty = 1.0 - duration
        middle = start + duration + 0.5 * duty
        off = middle - feet[f, c.MIDDLE]
        off -= math.floor(off + 0.5)
        feet[f, c.MIDDLE] += share * off
        feet[f, c.DUTY] += share * (duty - feet[f, c.DUTY])


@part
def pose_trunk(
    dt: float,
    turn: Quaternion,
    row: Floats,
    gait: Floats,
    feet: Floats,
    nodes: Floats,
    swells: Floats,
    folds: Folds,
    trunk: BodyTrunk,
    hip_height: float,
    spine: Spine,
    maps: MapArrays,
    girdles: Floats,
    frames: Floats,
    stretches: Floats,
) -> None:
    """Fill ``frames (T, 7)``: the rotation of each joint of the trunk and where it has the middle of the body.

    ``stretches (F, 4)`` is room to see how far the legs would have to reach.
    """
    _look(dt, row)
    _move_girdles(dt, row, gait, feet, nodes, swells, folds, trunk, hip_height, spine, maps, girdles)
    _bend(1.0, turn, row, nodes, spine, girdles, frames)
    if _stretch(feet, folds, spine, frames, stretches[:, :2]):
        return
    _bend(0.0, turn, row, nodes, spine, girdles, frames)
    _stretch(feet, folds, spine, frames, stretches[:, 2:])
    share = CAREFUL * _allowed(feet, folds, stretches)
    if share > 0.0:
        _bend(share, turn, row, nodes, spine, girdles, frames)
        if not _stand_firm(feet, folds, spine, frames, stretches):
            _bend(0.0, turn, row, nodes, spine, girdles, frames)


@inline
def _look(dt: float, row: Floats) -> None:
    """Turn the head towards where the body will soon face."""
    turning, facing = LOOKS_AHEAD * row[c.WANTED_TURN], wrapped(row[c.WANTED_YAW] - row[c.YAW])
    aside = facing if row[c.BY_YAW] > 0.0 else turning
    aside = row[c.FLEX] * min(max(aside, -LOOKS_ASIDE), LOOKS_ASIDE)
    row[c.HEAD_YAW] += (1.0 - math.exp(-LOOKING * dt)) * (aside - row[c.HEAD_YAW])


@part
def _move_girdles(
    dt: float,
    row: Floats,
    gait: Floats,
    feet: Floats,
    nodes: Floats,
    swells: Floats,
    folds: Folds,
    trunk: BodyTrunk,
    hip_height: float,
    spine: Spine,
    maps: MapArrays,
    girdles: Floats,
) -> None:
    """Heave, slope and yaw of each girdle, as its feet have them."""
    count = girdles.shape[0]
    sine, cosine = math.sin(row[c.YAW]), math.cos(row[c.YAW])
    for k in range(count):
        girdles[k, _HEAVE] = girdles[k, _SLOPE] = girdles[k, _YAW] = 0.0
    for f in range(feet.shape[0]):
        foot, k = feet[f], spine.carriers[f]
        x, z = turned_in(foot[c.FOOT_X] - row[c.X], foot[c.FOOT_Z] - row[c.Z], sine, cosine)
        ahead = in_girdle(x, z, foot)[1] - foot[c.SPACING_Z]
        weight = spine.weights[f]
        girdles[k, _SLOPE] += weight * math.atan(ahead / folds.drops[f])
        if spine.levers[f] != 0.0:
            girdles[k, _YAW] -= weight * ahead / spine.levers[f]
        turns = gait[g.NEEDLE] - foot[c.MIDDLE]
        girdles[k, _HEAVE] += weight * heave(turns, foot[c.DUTY], gait[g.PERIOD])
    most, soft = HIGHEST * hip_height, ROUNDED * hip_height
    bounce = row[c.LIVELY] * row[c.BOUNCE] * gait[g.BOUNCE]
    for k in range(count):
        slope = row[c.NOD] * gait[g.NOD] * girdles[k, _SLOPE]
        girdles[k, _SLOPE] = min(max(slope, -STEEPEST), STEEPEST)
        girdles[k, _YAW] = row[c.SWAY] * gait[g.SWAY] * math.atan(girdles[k, _YAW])
        up = most * math.tanh(bounce * girdles[k, _HEAVE] / most)
        lowest = row[c.FLOOR] - row[c.Y]
        if count >= CHAIN:
            lowest = _over_its_ground(dt, k, row, feet, nodes, swells, trunk, spine, maps)
            up += swells[k, HEAVE]
        room = math.inf
        for f in range(feet.shape[0]):
            if spine.carriers[f] == k:
                room = min(room, feet[f, c.HIGHEST] - row[c.Y])
        if room < math.inf:
            up = -soft_max(-up, -max(room, 0.0), soft)
        girdles[k, _HEAVE] = max(up, min(lowest, 0.0) if count < CHAIN else lowest)


@inline
def _over_its_ground(
    dt: float,
    k: int,
    row: Floats,
    feet: Floats,
    nodes: Floats,
    swells: Floats,
    trunk: BodyTrunk,
    spine: Spine,
    maps: MapArrays,
) -> float:
    """Let a girdle of a long body follow its own feet; the lowest that it may be, over the plane of all feet."""
    joint = spine.girdles[k]
    node = nodes[spine.nodes[joint]]
    sine, cosine = math.sin(row[c.YAW]), math.cos(row[c.YAW])
    across, along = turned_in(node[NODE_X] - row[c.X], node[NODE_Z] - row[c.Z], sine, cosine)
    plane = row[c.Y] + math.tan(row[c.PITCH]) * along + math.tan(row[c.ROLL]) * across
    level = 0.0
    for f in range(feet.shape[0]):
        if spine.carriers[f] == k:
            tread = feet[f, c.FOOT_Y] if feet[f, c.STATE] == c.STANDING else feet[f, c.GOAL_Y]
            level += spine.weights[f] * tread
    own = level + trunk.height - plane
    swells[k, HEAVE], swells[k, HEAVING] = spring(swells[k, HEAVE], swells[k, HEAVING], own, 0.0, 0.5 * EAGERNESS, dt)
    ground = -math.inf
    yaw = row[c.YAW] + node[NODE_YAW]
    for i in range(_ACROSS):
        w = trunk.half_width * (2.0 * i / (_ACROSS - 1) - 1.0)
        line, column = cell_of(node[NODE_X] + w * math.cos(yaw), node[NODE_Z] - w * math.sin(yaw), maps)
        ground = max(ground, cell_top(line, column, maps)[0])
    lowest: float = ground + trunk.belly - plane
    return lowest


@part
def _bend(
    share: float, turn: Quaternion, row: Floats, nodes: Floats, spine: Spine, girdles: Floats, frames: Floats
) -> None:
    """Bend the trunk by a share of what its girdles ask for, from joint to joint."""
    count = spine.joints.shape[0]
    # First in the frame of the body, from the root on; the last three numbers are places of the joints.
    for j in range(count):
        behind, ahead = girdles[spine.behind[j]], girdles[spine.ahead[j]]
        slopes, head = spine.slopes[j], spine.heads[j]
        slope = (
            slopes[0] * behind[_HEAVE]
            + slopes[1] * behind[_SLOPE]
            + slopes[2] * ahead[_HEAVE]
            + slopes[3] * ahead[_SLOPE]
        )
        sway = (1.0 - spine.shares[j]) * behind[_YAW] + spine.shares[j] * ahead[_YAW]
        own = (1.0 - head) * share
        yaw = nodes[spine.nodes[j], NODE_YAW] + own * sway + head * row[c.HEAD_YAW]
        bent = multiply(about_up(yaw), exp((-own * math.atan(slope), 0.0, 0.0)))
        store(frames[j], bent)
        place = vector(spine.offsets[j])
        parent = spine.parents[j]
        if parent >= 0:
            off = subtract(place, vector(spine.offsets[parent]))
            place = add(vector(frames[parent, 4:]), rotate(quaternion(frames[parent]), off))
        frames[j, 4], frames[j, 5], frames[j, 6] = place
    shift = _misplaced(share, nodes, spine, girdles, frames)
    centre = row[c.X], row[c.Y], row[c.Z]
    for j in range(count):
        bent = quaternion(frames[j])
        place = add(vector(frames[j, 4:]), shift)
        middle = subtract(place, rotate(bent, vector(spine.offsets[j])))
        store(frames[j], multiply(turn, bent))
        frames[j, 4], frames[j, 5], frames[j, 6] = add(centre, rotate(turn, middle))


@inline
def _misplaced(share: float, nodes: Floats, spine: Spine, girdles: Floats, frames: Floats) -> Vector:
    """By how much the girdles are, on the average, away from where the line of the trunk and their feet want them."""
    count = girdles.shape[0]
    x, y, z = 0.0, 0.0, 0.0
    for k in range(count):
        joint = spine.girdles[k]
        node = nodes[spine.nodes[joint]]
        x += node[NODE_LOCAL_X] - frames[joint, 4]
        y += spine.offsets[joint, 1] + share * girdles[k, _HEAVE] - frames[joint, 5]
        z += node[NODE_LOCAL_Z] - frames[joint, 6]
    return x / count, y / count, z / count


@part
def _stretch(feet: Floats, folds: Folds, spine: Spine, frames: Floats, stretches: Floats) -> bool:
    """Fill ``stretches (F, 2)``: how far feet are from their hips, and the cosines of the hips' turns; all in reach?"""
    fits = True
    for f in range(feet.shape[0]):
        frame = frames[spine.girdles[spine.carriers[f]]]
        goal = feet[f, c.FOOT_X], feet[f, c.FOOT_Y], feet[f, c.FOOT_Z]
        away = rotate(conjugate(quaternion(frame)), subtract(goal, vector(frame[4:])))
        away = subtract(away, vector(folds.hips[f]))
        distance = norm(away)
        way = way_at(f, distance, folds)
        aimed = (away[0] * way[0] + away[1] * way[1] + away[2] * way[2]) / distance
        stretches[f, 0], stretches[f, 1] = distance, aimed
        near, far, aim = _limits(f, feet[f], folds)
        if not near <= distance <= far or aimed < aim:
            fits = False
    return fits


@inline
def _limits(f: int, foot: Floats, folds: Folds) -> Vector:
    """How near and how far from its hip a foot may be, and the cosine of the hip's turn.

    A foot in mid-air may be out of its leg's reach for a while: it holds the trunk back only as it nears the ground.
    """
    spare = 0.0
    if foot[c.STATE] != c.STANDING and foot[c.FREE] == 0.0:
        off_ground = min(foot[c.SWUNG], foot[c.DURATION] - foot[c.ELAPSED])
        spare = ROOM * min(max(off_ground / SOON, 0.0), 1.0)
    return (1.0 - spare) * folds.spans[f, 0], (1.0 + spare) * folds.spans[f, 1], folds.aims[f] - spare


@inline
def _stand_firm(feet: Floats, folds: Folds, spine: Spine, frames: Floats, stretches: Floats) -> bool:
    """Whether all legs that stand reach their feet."""
    _stretch(feet, folds, spine, frames, stretches[:, :2])
    for f in range(feet.shape[0]):
        distance = stretches[f, 0]
        if feet[f, c.STATE] == c.STANDING and not folds.spans[f, 0] <= distance <= folds.spans[f, 1]:
            return False
    return True


@inline
def _allowed(feet: Floats, folds: Folds, stretches: Floats) -> float:
    """The share of the effects with which all legs reach that reach without any, and no other gets further off.

    Distances grow with the share as a hanging chain does, so what is allowed by the straight line between is allowed.
    """
    share = 1.0
    for f in range(stretches.shape[0]):
        distance, aimed = stretches[f, 0], stretches[f, 1]
        at_rest, aimed_at_rest = stretches[f, 2], stretches[f, 3]
        near, far, aim = _limits(f, feet[f], folds)
        near, far, aim = min(near, at_rest), max(far, at_rest), min(aim, aimed_at_rest)
        if distance > far:
            share = min(share, (far - at_rest) / (distance - at_rest))
        if distance < near:
            share = min(share, (at_rest - near) / (at_rest - distance))
        if aimed < aim:
            share = min(share, (aimed_at_rest - aim) / (aimed_at_rest - aimed))
    return share


@part
def turn_trunk(spine: Spine, frames: Floats, root_position: Floats, rotations: Floats) -> None:
    """Local rotations of the joints of the trunk, and where the root is."""
    root = quaternion(frames[0])
    x, y, z = add(vector(frames[0, 4:]), rotate(root, vector(spine.offsets[0])))
    root_position[0], root_position[1], root_position[2] = x, y, z
    store(rotations[spine.joints[0]], multiply(root, quaternion(spine.rests[0])))
    for j in range(1, spine.joints.shape[0]):
        above = conjugate(quaternion(frames[spine.parents[j]]))
        bent = multiply(above, quaternion(frames[j]))
        local = multiply(quaternion(spine.parent_rests[j]), multiply(bent, quaternion(spine.rests[j])))
        store(rotations[spine.joints[j]], local)
