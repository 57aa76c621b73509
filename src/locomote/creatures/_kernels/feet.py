"""What the feet of a creature do in a frame: lift, swing along their curves, come down, stand and are carried."""

from __future__ import annotations

import math

from locomote.creatures._kernels.anchors import goal_now, hold_to, still_there
from locomote.creatures._kernels.drive import held_up, lands_short, left_behind, look_ahead, overstretched, reaches
from locomote.creatures._kernels.foot_plan import is_clear, plan_foot, swing_time
from locomote.creatures._kernels.foresight import NEAR, SOON_MET, met_within
from locomote.creatures._kernels.gait_disks import StepTimes
from locomote.creatures._kernels.model import BodyTrunk, Limbs, Manner
from locomote.creatures._kernels.other_legs import place_ahead
from locomote.creatures._kernels.scratch import Scratch
from locomote.creatures._kernels.state import (
    BEGIN,
    BLOCKED_GOAL,
    BLOCKED_WAY,
    CARRIED_OFF,
    DURATION,
    GAIT_STEP,
    LIVE,
    MUST_STEP,
    OVERSTRETCHED,
    OWN_STEP,
    SETTLING,
    SPACED,
    SPED,
    STANCE,
    STANDING,
    SWING,
    SWINGING,
    TURNED,
    CreatureState,
    FootState,
    OneCreature,
)
from locomote.creatures._kernels.swing_curve import haste_at, hastened, swing_at, swing_on
from locomote.math._compile import inline, kernel, part
from locomote.math.constants import GRAVITY
from locomote.math.records import Records
from locomote.math.vector import Floats, Vector, vector, wrapped
from locomote.world._kernels.map_growth import FootBox
from locomote.world._kernels.map_layout import CELL, SAFE, MapArrays
from locomote.world._kernels.map_reading import anchored, changed_since, surface

_TURNED = math.radians(5.0)  # rad by which the wanted yaw must change for a new plan
_TURNS = 0.1  # rad/s, of the wanted rate of turning
_FASTER, _FASTER_SHARE = 0.05, 0.1  # m/s and share by which the wanted speed must
_SPACED = 0.5  # cells by which the place of a foot under the body must
_LATE = 0.1  # of a swing: what is left when only a blocked way is a reason to plan again
_YOUNG = 2  # frames for which a plan is kept, if its way is free
_MOVED = 0.04  # m that the ground under a goal may have moved up or down
_RETIMED = 0.2  # of the planned time by which a landing may come sooner or later
_AGAIN = 0.12  # s for another try
_NEXT = 2.0  # frames in which a foot comes down that counts as standing for one that cannot wait
_SHY, _WAITS = 0.01, 0.12  # of its span that a leg may be short as its foot comes down, and s that it waits
_FAR = 0.05  # of its span: a foot that is further out of its leg's reach does not come down
_LAST = 0.035  # s before it comes down from which on a foot out of its leg's reach steps nearer
_EARLY = 2.0  # of a step of its own accord: a foot that lifts early lands with its gait if that takes no longer
_EARLY_FLYING, _OUT_OF_STEP = 3.0, 0.65  # the same of one that flies, whose foot would lift only after such a share
_FASTEST, _QUICK = 3.0, 2.0  # of the speed of its body, and of the root of gravity times its leg: how fast a foot goes
_STILL = 0.02  # m/s; slower bodies stand
_SOON = 0.3  # s ahead at which a body at rest looks for feet that are out of place
_ASTRAY = 0.12  # of a leg's length from its place that a foot of a body at rest is left


@part
def plan_feet(
    dt: float,
    flies: bool,
    one: OneCreature,
    limbs: Limbs,
    trunk: BodyTrunk,
    manner: Manner,
    maps: MapArrays,
    scratch: Scratch,
) -> None:
    """Begin the swings that are due, and plan anew those that no longer fit."""
    row, gait, feet, swinging, left = one.row, one.gait, one.feet, one.swinging, scratch.times.left
    count = feet.shape[0]
    aloft, landing = 0, 0
    for f in range(count):
        if feet[f].state == SWINGING:
            aloft += 1
            landing += 1 if feet[f].duration - feet[f].elapsed <= _NEXT * dt else 0
        if swinging[f] == STANCE:
            feet[f].served = False
    for f in range(count):
        foot: FootState = feet[f]
        if foot.state == SWINGING:
            short = False
            foot.lifts = _until_lift(f, one, scratch.times)
            if foot.step == OWN_STEP:
                foot.served = swinging[f] == SWING
                left[f] = max(foot.duration - foot.elapsed, 0.0)
                if foot.age > _YOUNG and left[f] <= _LAST:
                    way = left[f] * row.speed * row.held
                    short = not reaches(f, goal_now(foot, maps), way, row, foot, limbs)
                    left[f] = _AGAIN if short else left[f]
            elif swinging[f] == STANCE:
                left[f] = 0.0
            why = _reason(left[f], row, foot, one.curves[f], maps)
            if why == 0 and short:
                why = OVERSTRETCHED
            elif why == 0 and foot.age >= _YOUNG and left[f] > dt and lands_short(f, left[f], row, foot, limbs):
                why = SPED
            if why > 0:
                plan_foot(f, why, one, limbs, trunk, manner, maps, scratch)
            elif foot.step == GAIT_STEP:
                foot.duration = foot.elapsed + left[f]
            foot.age += 1
            continue
        why, step = 0, GAIT_STEP
        if swinging[f] == SWING and not foot.served and (flies or aloft < count - 1 or count == 1):
            why = BEGIN
            foot.served = True
        elif foot.step == MUST_STEP and not foot.lost:
            why, step = CARRIED_OFF, OWN_STEP
        elif (
            overstretched(f, dt, row, foot, limbs)
            and (flies or 2 * aloft < count or (held_up(dt, row, foot) and aloft - landing < count - 1))
        ) or (left_behind(row, foot) and (flies or min(2 * aloft + 2, aloft + 3) <= count)):
            why, step = OVERSTRETCHED, OWN_STEP
        foot.lifts = left[f]
        if why > 0:
            if step == OWN_STEP:
                left[f] = swing_time(gait) if why == CARRIED_OFF else _until_landing(f, left[f], flies, one)
            foot.step = step
            if plan_foot(f, why, one, limbs, trunk, manner, maps, scratch):
                aloft += 1
    row.nimble = count if flies else max((count + 1) // 2 - aloft, 1 if aloft - landing < count - 1 else 0)
    if aloft == 0 and abs(row.wanted_speed) < _STILL and abs(row.speed) < _STILL and abs(row.turn) < 0.1:
        f = _astray(row, feet, limbs)
        if f >= 0:
            left[f] = swing_time(gait)
            scratch.times.stance[f] = left[f]
            feet[f].step = OWN_STEP
            plan_foot(f, SETTLING, one, limbs, trunk, manner, maps, scratch)


@inline
def _until_lift(f: int, one: OneCreature, times: StepTimes) -> float:
    """How long it is until a foot leaves the ground by its gait, s: that it lands on, where its swing has begun."""
    wait: float = times.left[f]
    return wait + float(times.stance[f]) if one.swinging[f] == SWING and one.feet[f].served else wait


@inline
def _until_landing(f: int, wait: float, flies: bool, one: OneCreature) -> float:
    """How long a foot swings that steps of its own accord: until its gait has it land, if it would lift soon.

    Who flies has time for that also where it would else come down about when its gait has it lift, time and again.
    """
    own = swing_time(one.gait)
    by_gait = wait + one.disks[LIVE, f, 0, DURATION] * one.gait.period
    most = _EARLY_FLYING if flies and wait > _OUT_OF_STEP * own else _EARLY
    return by_gait if by_gait < most * own else own


@inline
def _reason(left: float, row: CreatureState, foot: FootState, curve: Floats, maps: MapArrays) -> int:
    """Why a foot that swings, and comes down in ``left`` seconds, needs a new plan; 0 for none."""
    x, y, z = goal_now(foot, maps)
    if not still_there(foot.goal_anchor, maps):
        return BLOCKED_GOAL
    reach = 2.0 * maps.frame[CELL]
    low_x, high_x = min(foot.x, x) - reach, max(foot.x, x) + reach
    low_z, high_z = min(foot.z, z) - reach, max(foot.z, z) + reach
    if changed_since(foot.plan_version, low_x, low_z, high_x, high_z, maps):
        height, slot = surface(x, z, maps)
        if abs(height - y) > _MOVED or (slot >= 0 and maps.things[slot, SAFE] == 0.0):
            return BLOCKED_GOAL
        if not is_clear(curve, foot.gone, maps):
            return BLOCKED_WAY
        foot.plan_version = maps.clock[0]
    if foot.age < _YOUNG or left < _LATE * (foot.swung + left):
        return 0
    if row.by_yaw:
        if abs(wrapped(row.wanted_yaw - foot.plan_yaw)) > _TURNED:
            return TURNED
    elif abs(row.wanted_turn - foot.plan_yaw) > _TURNS:
        return TURNED
    if abs(row.wanted_speed - foot.plan_speed) > max(_FASTER, _FASTER_SHARE * abs(foot.plan_speed)):
        return SPED
    lands = foot.elapsed + left
    if abs(lands - foot.planned) > _RETIMED * foot.planned:
        return SPED
    off_x, off_z = foot.spacing_x - foot.plan_spacing_x, foot.spacing_z - foot.plan_spacing_z
    if math.sqrt(off_x * off_x + off_z * off_z) > _SPACED * maps.frame[CELL]:
        return SPACED
    return 0


@inline
def _astray(row: CreatureState, feet: Records, limbs: Limbs) -> int:
    """Of a body at rest, the foot furthest from its place; -1 if all are near enough."""
    soon = look_ahead(_SOON, row)
    worst, which = _ASTRAY, -1
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        if foot.lost:
            continue
        x, z = place_ahead(foot.spacing_x, foot.spacing_z, soon, foot)
        off = math.sqrt((foot.x - x) ** 2 + (foot.z - z) ** 2) / limbs.spans[f, 1]
        if off > worst:
            worst, which = off, f
    return which


@part
def move_feet(
    dt: float,
    row: CreatureState,
    feet: Records,
    curves: Floats,
    limbs: Limbs,
    boxes: Floats,
    maps: MapArrays,
    places: Floats,
) -> None:
    """Move the feet that swing along their curves, set down those that arrive, and carry those that stand.

    ``places (F, 3)`` is room for where the curves have the feet. All curves are read before anything else is done: they
    are what is seldom in the cache, and so they are fetched together.
    """
    for f in range(feet.shape[0]):
        if feet[f].state == SWINGING:
            places[f, 0], places[f, 1], places[f, 2] = _along(dt, row.speed, feet[f], curves[f], limbs.spans[f, 1])
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        before = foot.x, foot.y, foot.z
        if foot.state == SWINGING:
            _swing(f, vector(places[f]), row, foot, limbs, maps)
        else:
            _stand(row.yaw, boxes[f], foot, maps)
        if dt > 0.0:
            foot.vx = (foot.x - before[0]) / dt
            foot.vy = (foot.y - before[1]) / dt
            foot.vz = (foot.z - before[2]) / dt


@inline
def _along(dt: float, speed: float, foot: FootState, curve: Floats, span: float) -> Vector:
    """Where a foot comes along its curve."""
    left = max(foot.duration - foot.elapsed, _least_time(speed, foot, span))
    foot.duration = foot.elapsed + left
    foot.elapsed += dt
    foot.swung += dt
    foot.gone, foot.pace = swing_on(foot.gone, foot.pace, left - 1e-9, dt)
    return swing_at(curve, hastened(foot.gone, haste_at(speed, span)))


@inline
def _swing(f: int, place: Vector, row: CreatureState, foot: FootState, limbs: Limbs, maps: MapArrays) -> None:
    """Move a foot to its place on its curve, or with its goal, and set it down where it arrives."""
    x, y, z = place
    share = foot.gone
    goal = goal_now(foot, maps)
    part_of = share * share  # the goal may move; the curve follows it towards its end
    x += part_of * (goal[0] - foot.goal_x)
    y += part_of * (goal[1] - foot.goal_y)
    z += part_of * (goal[2] - foot.goal_z)
    if share >= 1.0 and not reaches(f, (x, y, z), 0.0, row, foot, limbs):
        foot.step = OWN_STEP  # the leg does not reach: it steps nearer
    elif share >= 1.0 and not _waits_for_body(foot, row, limbs.spans[f, 1]):
        y, slot = surface(x, z, maps)
        foot.state, foot.step = STANDING, GAIT_STEP
        foot.plan_version = maps.clock[0]
        hold_to(foot.anchor, slot, (x, y, z), maps)
    foot.x, foot.y, foot.z = x, y, z


@inline
def _least_time(speed: float, foot: FootState, span: float) -> float:
    """The time in which a foot can go the rest of its way: one that is to be down at once is not thrown there."""
    fastest = _FASTEST * abs(speed) + _QUICK * math.sqrt(GRAVITY * span)
    hardest = max(2.0 * fastest * fastest / span, 6.0 * foot.length / (foot.planned * foot.planned))
    now = 2.0 * foot.pace * foot.length
    # Of all ways to come to rest evenly it begins with 6 rest / time^2 - 4 speed / time.
    time: float = (math.sqrt(now * now + 6.0 * hardest * (1.0 - foot.gone) * foot.length) - now) / hardest
    return time


@inline
def _waits_for_body(foot: FootState, row: CreatureState, span: float) -> bool:
    """Whether a foot is at its goal before its leg reaches that: it comes down with the body, if that is soon.

    None draws the body down at once.
    """
    short = max(row.y - foot.highest, foot.lowest - row.y)
    return bool(short > _SHY * span and (short > _FAR * span or foot.elapsed < foot.planned + _WAITS))


@inline
def _stand(yaw: float, box: Floats, foot: FootState, maps: MapArrays) -> None:
    """A standing foot is where its support is; one whose support is gone, or that something comes at, steps anew."""
    anchor = foot.anchor
    if anchor.support >= 0:
        if still_there(anchor, maps):
            foot.x, foot.y, foot.z = anchored(anchor.support, anchor.x, anchor.y, anchor.z, maps)
        else:
            foot.step, foot.lost = MUST_STEP, False
    x, z = foot.x, foot.z
    if changed_since(foot.plan_version, x - NEAR, z - NEAR, x + NEAR, z + NEAR, maps):
        foot.plan_version = maps.clock[0]
        if met_within(SOON_MET, (x, foot.y, z), anchor.support, FootBox(box[0], box[1], yaw), maps):
            foot.step, foot.lost = MUST_STEP, False


@kernel
def plant_all(feet: Records, maps: MapArrays) -> None:
    """Set down all feet ``(N, F)`` where they are in the plan."""
    for n in range(feet.shape[0]):
        for f in range(feet.shape[1]):
            foot: FootState = feet[n, f]
            height, slot = surface(foot.x, foot.z, maps)
            foot.state, foot.y = STANDING, height
            foot.goal_x, foot.goal_y, foot.goal_z = foot.x, height, foot.z
            foot.plan_version = maps.clock[0]
            hold_to(foot.anchor, slot, (foot.x, height, foot.z), maps)


@part
def give_back(row: CreatureState, feet: Records, limbs: Limbs) -> None:
    """What the feet ask of the body: to come where they found room; and how many found none."""
    count = feet.shape[0]
    off_x, off_z, stuck, reach = 0.0, 0.0, 0, 0.0
    for f in range(count):
        foot: FootState = feet[f]
        off_x, off_z = off_x + foot.off_x / count, off_z + foot.off_z / count
        stuck += 1 if foot.lost else 0
        reach += limbs.spans[f, 1] / count
    row.stuck = stuck
    off = math.sqrt(off_x * off_x + off_z * off_z)
    pull_x, pull_z = 0.0, 0.0
    if off > 0.1 * reach:
        most = max(0.25 * abs(row.speed), 0.05) if abs(row.speed) > _STILL else 0.0
        amount = min(0.5 * off, most) / off
        pull_x, pull_z = amount * off_x, amount * off_z
    row.pull_x, row.pull_z = pull_x, pull_z
