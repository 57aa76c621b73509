"""The trunk as it is seen: girdles rise, pitch and turn with their feet, and the bones between follow in a curve.

What is seen stays apart from what is planned: it is laid over the guiding body and gives way as far as a leg that
stands would otherwise not reach its foot.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels.bounce import thrown
from locomote.creatures._kernels.carriage import rolled
from locomote.creatures._kernels.girdles import in_girdle, turned_in
from locomote.creatures._kernels.model import CHAIN, Limbs, Spine
from locomote.creatures._kernels.scratch import GirdlePose, JointFrame, TrunkScratch
from locomote.creatures._kernels.state import (
    DURATION,
    LIVE,
    START,
    CreatureState,
    FootState,
    GaitState,
    GirdleState,
    OneCreature,
    SpineNode,
)
from locomote.creatures._kernels.trunk_reach import allowed_share, legs_fit, stand_firm, stretch_legs
from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, about_up, conjugate, exp, multiply, quaternion, rotate, store
from locomote.math.records import Records
from locomote.math.vector import Floats, Vector, add, decayed, scale, soft_max, spring, subtract, vector, wrapped

HIGHEST = 0.2  # of the hips' height: the most that a girdle rises or falls with the steps
HOPS = 4.0  # times as much for bodies that hop
STEEPEST = 0.5  # rad that a girdle pitches with its feet, at most
EASING = math.log(2.0) / 0.12  # 1/s at which effects are faded in and out
SETTLING = 1.68 / 0.1  # 1/s of the spring with which the feet's stances are followed when the gait changes
ROUNDED = 0.03  # of the hips' height over which a girdle is held back softly
FREED = 3.0  # 1/s of the spring with which a girdle that was held down comes up again: not within a stride
LESS_DEEP = 2.0  # of what the body is let down by which it bounces less far down, at most
CROUCHED = 0.05  # of the hips' height that the body is let down at which it bounces half as far
WINDING = 60.0  # 1/s of the spring with which a girdle turns after its feet
YIELDING = math.log(2.0) / 0.06  # 1/s at which effects give way to legs that will not reach
FORESIGHT = 0.15  # s ahead for which legs are to reach
LOOKS_ASIDE = math.radians(30.0)  # rad that the head turns ahead of the body, at most
LOOKS_AHEAD = 0.35  # s: it looks to where the body will face then
LOOKING = math.log(2.0) / 0.12  # 1/s
RECOVERING = math.log(2.0) / 1.5  # 1/s at which effects come back that legs have not allowed: not within a stride
GIVES_WAY = 0.85  # of the effects that is left, frame by frame, where legs do not reach with any share of them
CAREFUL = 0.98  # of the share of the effects that the legs seem to allow


@part
def ease_effects(dt: float, row: CreatureState, gait: GaitState, feet: Records, disks: Floats) -> None:
    """Move the shares of all effects, and what is known of the stances, towards what they should be."""
    share = 1.0 - math.exp(-EASING * dt)
    now, wanted = row.effects, row.wanted_effects
    now.bounce += share * (wanted.bounce - now.bounce)
    now.flex += share * (wanted.flex - now.flex)
    now.sway += share * (wanted.sway - now.sway)
    now.nod += share * (wanted.nod - now.nod)
    now.pushing += share * (wanted.pushing - now.pushing)
    now.roll += share * (wanted.roll - now.roll)
    now.head += share * (wanted.head - now.head)
    now.vary += share * (wanted.vary - now.vary)
    row.lively += share * ((1.0 if gait.running else 0.0) - row.lively)
    row.allowed += (1.0 - math.exp(-RECOVERING * dt)) * (1.0 - row.allowed)
    gait.eased_period, gait.easing = spring(gait.eased_period, gait.easing, gait.period, 0.0, SETTLING, dt)
    decay = math.exp(-SETTLING * dt)
    for f in range(feet.shape[0]):
        start, duration = disks[LIVE, f, 0, START], disks[LIVE, f, 0, DURATION]
        duty = 1.0 - duration
        middle = start + duration + 0.5 * duty
        foot: FootState = feet[f]
        off = middle - foot.middle
        off -= math.floor(off + 0.5)
        off, foot.shifting = decayed(-off, foot.shifting, SETTLING, decay, dt)
        foot.middle = middle + off
        off, foot.stretching = decayed(foot.duty - duty, foot.stretching, SETTLING, decay, dt)
        foot.duty = duty + off


@inline
def look_round(dt: float, row: CreatureState) -> None:
    """Turn the head towards where the body will soon face."""
    turning, facing = LOOKS_AHEAD * row.wanted_turn, wrapped(row.wanted_yaw - row.yaw)
    aside = facing if row.by_yaw else turning
    aside = row.effects.flex * min(max(aside, -LOOKS_ASIDE), LOOKS_ASIDE)
    row.head_yaw += (1.0 - math.exp(-LOOKING * dt)) * (aside - row.head_yaw)


@part
def move_girdles(dt: float, one: OneCreature, drops: Floats, hip_height: float, spine: Spine, girdles: Records) -> None:
    """Heave, slope and yaw of each girdle, as its feet have them; ``drops (F,)`` are those of its legs."""
    row, gait, feet, count = one.row, one.gait, one.feet, girdles.shape[0]
    sine, cosine = math.sin(row.yaw), math.cos(row.yaw)
    for k in range(count):
        fresh: GirdlePose = girdles[k]
        fresh.heave = fresh.slope = fresh.yaw = 0.0
        fresh.room = math.inf
    duty, push = 0.0, 1.0  # of the foot before, and its cosine
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        own: GirdlePose = girdles[spine.carriers[f]]
        x, z = turned_in(foot.x - row.x, foot.z - row.z, sine, cosine)
        ahead = in_girdle(x, z, foot)[1] - foot.spacing_z
        weight = spine.weights[f]
        own.slope += weight * math.atan(ahead / drops[f])
        if spine.levers[f] != 0.0:
            own.yaw -= weight * ahead / spine.levers[f]
        turns = gait.needle - foot.middle
        if foot.duty != duty:
            duty, push = foot.duty, math.cos(math.pi * foot.duty)
        own.heave += weight * thrown(turns, duty, push, gait.eased_period)
        own.room = min(own.room, foot.highest - row.y)
    effects, life = row.effects, gait.life
    most, soft = HIGHEST * (1.0 + HOPS * life.hop) * hip_height, ROUNDED * hip_height
    # Who is let down already does not bounce as far down.
    crouched = min(row.crouch / (CROUCHED * hip_height), 1.0)
    bounce = row.lively * effects.bounce * life.bounce * (1.0 - 0.5 * crouched)
    deepest = max(most - LESS_DEEP * row.crouch, ROUNDED * hip_height)
    for k in range(count):
        girdle: GirdlePose = girdles[k]
        slope = effects.nod * life.nod * girdle.slope
        girdle.slope = min(max(slope, -STEEPEST), STEEPEST)
        girdle.yaw = _turn_softly(dt, effects.sway * life.sway * math.atan(girdle.yaw), one.girdles[k])
        own_bounce = bounce * life.fore if k == 0 and count > 1 else bounce
        up = own_bounce * girdle.heave
        up = most * math.tanh(up / most) if up > 0.0 else deepest * math.tanh(up / deepest)
        lowest = row.floor - row.y
        if count >= CHAIN:
            lowest = girdle.lowest
            up += one.girdles[k].heave
        hold: GirdleState = one.girdles[k]
        need = soft_max(up - max(girdle.room, 0.0), 0.0, soft) if girdle.room < math.inf else 0.0
        hold.held, hold.holding = spring(hold.held, hold.holding, need, 0.0, FREED, dt)
        if hold.held < need:
            hold.held, hold.holding = need, max(hold.holding, 0.0)
        up -= hold.held
        girdle.heave = max(up, min(lowest, 0.0) if count < CHAIN else lowest)


@inline
def _turn_softly(dt: float, yaw: float, girdle: GirdleState) -> float:
    """The yaw of a girdle after one that its feet ask for: it lags behind nothing but their quickest moves."""
    if girdle.told_yaw == 0.0 or dt <= 0.0:
        girdle.yaw, girdle.yawing = yaw, 0.0
    else:
        told, rate = girdle.told_yaw, (yaw - girdle.told_yaw) / dt
        girdle.yaw, girdle.yawing = spring(girdle.yaw, girdle.yawing, told, rate, WINDING, dt)
    girdle.told_yaw = yaw
    return girdle.yaw


@part
def bend_trunk(dt: float, turn: Quaternion, one: OneCreature, limbs: Limbs, spine: Spine, room: TrunkScratch) -> None:
    """Fill the frames of the room: how each joint of the trunk is turned and where it has the middle of the body.

    The girdles have what they ask for as far as the legs reach, and less before legs would no longer reach: softly.
    """
    row, feet, nodes = one.row, one.feet, one.nodes
    ahead = FORESIGHT if one.gait.life.hop == 0.0 else 0.0  # who hops is elsewhere by then
    girdles, frames, reaches, calm = room.girdles, room.frames, room.reaches, room.calm_reaches
    _bend(row.allowed, turn, row, nodes, spine, girdles, frames)
    stretch_legs(row, feet, limbs, spine, frames, reaches)
    fits = legs_fit(0.0, dt, feet, limbs, reaches)
    if not fits or not legs_fit(ahead, dt, feet, limbs, reaches):
        _bend(0.0, turn, row, nodes, spine, girdles, frames)
        stretch_legs(row, feet, limbs, spine, frames, calm)
        soon = allowed_share(ahead, dt, feet, limbs, reaches, calm)
        share = 1.0 - (1.0 - math.exp(-YIELDING * dt)) * (1.0 - soon)
        firm = stand_firm(feet, limbs, calm)
        if not fits:
            now = CAREFUL * allowed_share(0.0, dt, feet, limbs, reaches, calm)
            share = min(
                share, now if firm else max(now, GIVES_WAY)
            )  # it is no help to legs that are out of reach anyway
        share *= row.allowed
        if share > 0.0:
            _bend(share, turn, row, nodes, spine, girdles, frames)
            stretch_legs(row, feet, limbs, spine, frames, reaches)
            if not fits and firm and not stand_firm(feet, limbs, reaches):
                share = 0.0
                _bend(0.0, turn, row, nodes, spine, girdles, frames)
                stretch_legs(row, feet, limbs, spine, frames, reaches)
        row.allowed = share
    for f in range(feet.shape[0]):
        feet[f].stretch, feet[f].aimed = reaches[f].distance, reaches[f].aimed


@part
def _bend(
    share: float, turn: Quaternion, row: CreatureState, nodes: Records, spine: Spine, girdles: Records, frames: Records
) -> None:
    """Bend the trunk by a share of what its girdles ask for, from joint to joint."""
    count = spine.joints.shape[0]
    # First in the frame of the body, from the root on; the frames hold the places of the joints meanwhile.
    for j in range(count):
        behind: GirdlePose = girdles[spine.behind[j]]
        ahead: GirdlePose = girdles[spine.ahead[j]]
        slopes, head = spine.slopes[j], spine.heads[j]
        slope = slopes[0] * behind.heave + slopes[1] * behind.slope + slopes[2] * ahead.heave + slopes[3] * ahead.slope
        side = spine.sways[j, 0] * behind.yaw + spine.sways[j, 1] * ahead.yaw
        own = (1.0 - head) * share
        yaw = nodes[spine.nodes[j]].yaw + own * side + head * row.head_yaw
        pitch = own * math.atan(slope) + share * spine.nods[j] * row.neck
        bent = multiply(about_up(yaw), (math.cos(0.5 * pitch), -math.sin(0.5 * pitch), 0.0, 0.0))
        roll = own * ((1.0 - spine.shares[j]) * behind.roll + spine.shares[j] * ahead.roll)
        if roll != 0.0:
            bent = rolled(bent, roll)
        frame: JointFrame = frames[j]
        sway = vector(frame.sway)
        if sway[0] != 0.0 or sway[1] != 0.0 or sway[2] != 0.0:
            bent = multiply(bent, exp(scale(sway, share)))
        store(frame.turn, bent)
        place = vector(spine.offsets[j])
        parent = spine.parents[j]
        if parent >= 0:
            above: JointFrame = frames[parent]
            off = subtract(place, vector(spine.offsets[parent]))
            place = add(vector(above.middle), rotate(quaternion(above.turn), off))
        frame.middle[0], frame.middle[1], frame.middle[2] = place
    shift = _misplaced(share, nodes, spine, girdles, frames)
    centre = row.x, row.y, row.z
    for j in range(count):
        frame = frames[j]
        bent = quaternion(frame.turn)
        place = add(vector(frame.middle), shift)
        middle = subtract(place, rotate(bent, vector(spine.offsets[j])))
        store(frame.turn, multiply(turn, bent))
        frame.middle[0], frame.middle[1], frame.middle[2] = add(centre, rotate(turn, middle))


@inline
def _misplaced(share: float, nodes: Records, spine: Spine, girdles: Records, frames: Records) -> Vector:
    """By how much the girdles are, on the average, away from where the line of the trunk and their feet want them."""
    count = girdles.shape[0]
    x, y, z = 0.0, 0.0, 0.0
    for k in range(count):
        joint = spine.girdles[k]
        node: SpineNode = nodes[spine.nodes[joint]]
        frame: JointFrame = frames[joint]
        x += node.local_x + share * girdles[k].aside - frame.middle[0]
        y += spine.offsets[joint, 1] + share * girdles[k].heave - frame.middle[1]
        z += node.local_z + share * girdles[k].ahead - frame.middle[2]
    return x / count, y / count, z / count


@part
def turn_trunk(spine: Spine, frames: Records, root_position: Floats, rotations: Floats) -> None:
    """Local rotations of the joints of the trunk, and where the root is."""
    first: JointFrame = frames[0]
    root = quaternion(first.turn)
    x, y, z = add(vector(first.middle), rotate(root, vector(spine.offsets[0])))
    root_position[0], root_position[1], root_position[2] = x, y, z
    store(rotations[spine.joints[0]], multiply(root, quaternion(spine.rests[0])))
    for j in range(1, spine.joints.shape[0]):
        above = conjugate(quaternion(frames[spine.parents[j]].turn))
        bent = multiply(above, quaternion(frames[j].turn))
        local = multiply(quaternion(spine.parent_rests[j]), multiply(bent, quaternion(spine.rests[j])))
        store(rotations[spine.joints[j]], local)
