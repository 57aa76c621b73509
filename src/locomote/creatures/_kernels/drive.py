"""Where the body of a creature goes: it follows its commands, and where it will be if they stay as they are."""

from __future__ import annotations

import math

from locomote.creatures._kernels.body_pose import LANDING, STRETCH
from locomote.creatures._kernels.gait_disks import StepTimes
from locomote.creatures._kernels.girdles import BodyTurn, in_body, in_girdle, tilted_in, tilted_out, turn_now
from locomote.creatures._kernels.leg_fold import way_at
from locomote.creatures._kernels.model import Limbs, Spine
from locomote.creatures._kernels.scratch import LegReach
from locomote.creatures._kernels.spine_guide import BodyMove, bend_line
from locomote.creatures._kernels.state import STANDING, CreatureState, FootState
from locomote.math._compile import inline, part
from locomote.math.constants import GRAVITY
from locomote.math.records import Records
from locomote.math.vector import Pair, Vector, vector, wrapped

SPEED_RATE = math.log(2.0) / 0.15  # 1/s: half of a small change of speed is made in 0.15 s
HARDEST_PUSH, HARDEST_BRAKE = 0.6 * GRAVITY, 0.8 * GRAVITY  # m/s2 that feet give a body, forwards and back
YAW_RATE = math.log(2.0) / 0.1  # 1/s
FASTEST_TURN = math.radians(120.0)  # rad/s
_LOOKS = 4  # pieces in which the way ahead is summed
_CROUCH = 0.85  # of the height of a hip at rest: the lowest to which it is let down to reach further
_FRAMES = 1.2  # frames before a foot would hold the body back in which it steps instead
_TIGHT = 0.02  # of a leg's span: what must be left of its reach, or it should step
_STEADYING = math.log(2.0) / 0.2  # 1/s at which a creature that was shoved comes to a stop
_PATIENCE = 0.2  # s that a change of speed waits for a foot that pushes
_SAME = 0.02  # m/s
_YIELDING = 0.1  # s of its way ahead of the end of a leg's reach from which on the body slows


@inline
def next_turn(yaw: float, turn: float, dt: float, row: CreatureState) -> Pair:
    """The angle by which a body turns within ``dt`` from a yaw and a rate of turning, and the rate after it."""
    if dt <= 0.0:
        return 0.0, turn
    if row.by_yaw:
        off = wrapped(row.wanted_yaw - yaw)
        most = FASTEST_TURN * dt
        step = min(max(off * (1.0 - math.exp(-YAW_RATE * dt)), -most), most)
        return step, step / dt
    after = row.wanted_turn + (turn - row.wanted_turn) * math.exp(-YAW_RATE * dt)
    return 0.5 * (turn + after) * dt, after


@inline
def next_speed(speed: float, dt: float, row: CreatureState) -> float:
    """The speed after ``dt``."""
    wanted = row.wanted_speed
    off = speed - wanted
    brakes = speed * off > 0.0  # it gets slower, whichever way it goes
    hardest = HARDEST_BRAKE if brakes else HARDEST_PUSH
    # As fast as feet can push until the rest fades by itself.
    rest = hardest / SPEED_RATE
    evenly = max(abs(off) - rest, 0.0) / hardest
    if dt < evenly:
        return speed - math.copysign(hardest * dt, off)
    return wanted + math.copysign(min(abs(off), rest), off) * math.exp(-SPEED_RATE * (dt - evenly))


@part
def look_ahead(seconds: float, row: CreatureState) -> Vector:
    """(x, z, yaw) of the body so many seconds from now, as it was told to go."""
    x, z, yaw, speed, turn = row.x, row.z, row.yaw, row.speed, row.turn
    lead = row.lead
    x, z = x + lead * math.sin(yaw), z + lead * math.cos(yaw)
    dt = seconds / _LOOKS
    for _ in range(_LOOKS):
        step, turn = next_turn(yaw, turn, dt, row)
        after = next_speed(speed, dt, row)
        way, middle = 0.5 * (speed + after) * dt, yaw + 0.5 * step
        x, z, yaw, speed = x + way * math.sin(middle), z + way * math.cos(middle), yaw + step, after
    x, z = x - lead * math.sin(yaw), z - lead * math.cos(yaw)
    if row.shove_x != 0.0 or row.shove_z != 0.0:
        thrown = (1.0 - math.exp(-_STEADYING * seconds)) / _STEADYING
        x, z = x + thrown * row.shove_x, z + thrown * row.shove_z
    return x, z, yaw


@part
def find_push(dt: float, row: CreatureState, feet: Records, times: StepTimes) -> None:
    """How far the speed may change now: feet push in the second half of their stance."""
    pushing, expected, count = 0, 0.0, feet.shape[0]
    for f in range(count):
        foot: FootState = feet[f]
        expected += 0.5 * foot.duty
        if foot.state == STANDING and not foot.served and times.left[f] < 0.5 * times.stance[f]:
            pushing += 1
    waits = pushing == 0 and abs(row.wanted_speed - row.speed) > _SAME
    row.idle = row.idle + dt if waits else 0.0
    share = pushing / max(expected, 1e-6)
    # Standing feet may always push off, and who has waited for long waits no longer.
    if row.lively < 0.5 or row.idle > _PATIENCE:
        share = 1.0
    row.push = 1.0 + row.effects.pushing * (share - 1.0)


@part
def drive_body(
    dt: float,
    row: CreatureState,
    feet: Records,
    nodes: Records,
    limbs: Limbs,
    spine: Spine,
    nodes_before: Records,
    reaches_before: Records,
) -> None:
    """Move a body over the plan, no further than the legs that stand can reach.

    ``nodes_before (M,)`` and ``reaches_before (F,)`` is room to remember where the line and the feet were.
    """
    step, row.turn = next_turn(row.yaw, row.turn, dt, row)
    after = next_speed(row.speed, row.push * dt, row)
    hardest = dt * (HARDEST_BRAKE if abs(after) < abs(row.speed) else HARDEST_PUSH)
    after = min(max(after, row.speed - hardest), row.speed + hardest)
    way = 0.5 * (row.speed + after) * dt
    brakes, row.speed = abs(row.speed) - abs(after), after
    thrown = (1.0 - math.exp(-_STEADYING * dt)) / _STEADYING
    dx = row.pull_x * dt + thrown * row.shove_x
    dz = row.pull_z * dt + thrown * row.shove_z
    _calm(dt, row)
    x, z, yaw = row.x, row.z, row.yaw
    for k in range(nodes.shape[0]):
        nodes_before[k] = nodes[k]
    turn = turn_now(row, yaw)
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        if foot.state == STANDING:
            reach: LegReach = reaches_before[f]
            reach.distance, reach.aimed, _ = _stretch(f, (foot.x, foot.y, foot.z), turn, row, foot, limbs)
    _move(BodyMove(dt, way, step, dx, dz), row, feet, nodes, spine)
    turn = BodyTurn((math.sin(row.yaw), math.cos(row.yaw)), turn.pitch, turn.roll)
    freed = row.held + HARDEST_PUSH * dt / max(abs(row.speed), _SAME)
    was_held = row.held
    row.held = held = min(_in_reach(dt, turn, row, feet, limbs, reaches_before), freed)
    # A foot that holds it back brakes for it: it does not brake twice.
    row.speed += math.copysign(min(max((was_held - held) * abs(after), 0.0), max(brakes, 0.0)), after)
    if held < 1.0:
        row.x, row.z, row.yaw = x, z, yaw
        for k in range(nodes.shape[0]):
            nodes[k] = nodes_before[k]
        _move(BodyMove(held * dt, held * way, held * step, held * dx, held * dz), row, feet, nodes, spine)


@inline
def _calm(dt: float, row: CreatureState) -> None:
    """Let a shove die away."""
    decay = math.exp(-_STEADYING * dt)
    row.shove_x, row.shove_z = decay * row.shove_x, decay * row.shove_z
    if abs(row.shove_x) + abs(row.shove_z) < 1e-4:
        row.shove_x = row.shove_z = 0.0


@part
def _move(move: BodyMove, row: CreatureState, feet: Records, nodes: Records, spine: Spine) -> None:
    """Move a body along its heading, turned about what leads it, and the line of its trunk after it."""
    yaw, lead = row.yaw, row.lead
    middle, after = yaw + 0.5 * move.step, yaw + move.step
    row.x += move.way * math.sin(middle) + move.dx + lead * (math.sin(yaw) - math.sin(after))
    row.z += move.way * math.cos(middle) + move.dz + lead * (math.cos(yaw) - math.cos(after))
    row.yaw = wrapped(after)
    if nodes.shape[0] > 1:
        bend_line(move, row, feet, nodes, spine)


@inline
def _in_reach(
    dt: float, turn: BodyTurn, row: CreatureState, feet: Records, limbs: Limbs, reaches_before: Records
) -> float:
    """The share of a movement with which every standing foot stays in reach of its hip.

    It falls as softly as feet brake, and only for a foot that may not step instead.
    """
    held, soft, nimble = 1.0, 1.0, row.nimble
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        if foot.state != STANDING:
            continue
        now, will, rise = _stretch(f, (foot.x, foot.y, foot.z), turn, row, foot, limbs)
        most, aim = level_reach(f, _CROUCH, rise, foot.y, row, limbs), limbs.aims[f]
        before: LegReach = reaches_before[f]
        was, aimed = before.distance, before.aimed
        foot.slack = min(most - now, (will - aim) * limbs.spans[f, 1])
        if nimble > 0 and not foot.lost:
            nimble -= 1 if overstretched(f, dt, row, foot, limbs) else 0
            continue
        if foot.lifts <= dt and not foot.lost:
            continue  # it lifts before the frame is over
        if now > was:
            held, soft = _leave(most - was, now - was, dt, foot.lifts, held, soft)
        if will < aimed:
            held, soft = _leave(aimed - aim, aimed - will, dt, foot.lifts, held, soft)
    return min(held, max(soft, row.held - HARDEST_BRAKE * dt / max(abs(row.speed), _SAME)))


@inline
def _leave(room: float, step: float, dt: float, lifts: float, held: float, soft: float) -> Pair:
    """Shares of a movement that a foot leaves with so much room that a frame needs ``step`` of: now, and foreseen."""
    frames = max(min(_YIELDING, lifts) / max(dt, 1e-6), 1.0)
    return min(held, max(room / step, 0.0)), min(soft, max(room / (frames * step), 0.0))


@inline
def _stretch(f: int, place: Vector, turn: BodyTurn, row: CreatureState, foot: FootState, limbs: Limbs) -> Vector:
    """How far a place is from under a hip, the cosine of the angle by which the hip would be turned, and its height.

    The height is over the centre of the body, which tilts.
    """
    hip = vector(limbs.hips[f])
    out_x, out_z = in_body(hip[0], hip[2], foot)
    rise = tilted_out(out_x, hip[1], out_z, turn)[1]
    drop = place[1] - row.y
    x, y, z = tilted_in(place[0] - row.x, drop, place[2] - row.z, turn)
    x, z = in_girdle(x, z, foot)
    x, y, z = x - hip[0], y - hip[1], z - hip[2]
    square = x * x + y * y + z * z
    distance = math.sqrt(square)
    way = way_at(f, distance, limbs)
    level = math.sqrt(max(square - (drop - rise) * (drop - rise), 0.0))
    return level, (x * way[0] + y * way[1] + z * way[2]) / distance, rise


@inline
def level_reach(f: int, crouch: float, rise: float, ground: float, row: CreatureState, limbs: Limbs) -> float:
    """How far a foot on the ground may be from under its hip if that is let down to a share of its height at rest.

    ``rise`` is how high the hip is over the centre.
    """
    lowest = max(crouch * limbs.drops[f], min(limbs.spans[f, 0] / STRETCH, limbs.drops[f]))
    drop = min(row.y + rise - ground, lowest)
    drop = max(drop, row.floor + rise - ground)
    span = STRETCH * limbs.spans[f, 1]
    return math.sqrt(max(span * span - drop * drop, 1e-4 * span * span))


@inline
def reaches(f: int, place: Vector, way: float, row: CreatureState, foot: FootState, limbs: Limbs) -> bool:
    """Whether a foot may be set down at a place once the body has gone a way ahead, as it is tilted now."""
    turn = turn_now(row, row.yaw)
    seen = place[0] - way * turn.yaw[0], place[1], place[2] - way * turn.yaw[1]
    away, aimed, rise = _stretch(f, seen, turn, row, foot, limbs)
    return bool(away <= level_reach(f, LANDING, rise, place[1], row, limbs) and aimed >= limbs.aims[f])


@inline
def overstretched(f: int, dt: float, row: CreatureState, foot: FootState, limbs: Limbs) -> bool:
    """Whether a standing foot is about to be left behind."""
    return bool(foot.slack < max(_TIGHT * limbs.spans[f, 1], _FRAMES * dt * abs(row.speed)))


@inline
def held_up(dt: float, row: CreatureState, foot: FootState) -> bool:
    """Whether a standing foot would stop the body in the next frame."""
    return bool(foot.slack < _FRAMES * dt * abs(row.speed))


@inline
def lands_short(f: int, left: float, row: CreatureState, foot: FootState, limbs: Limbs) -> bool:
    """Whether a foot that comes down in ``left`` seconds would be out of its leg's reach, as the speed goes now."""
    if abs(row.wanted_speed - row.speed) < _SAME:
        return False
    # Whoever gets faster may have to wait for a foot that pushes.
    way = min(row.speed, 0.5 * (row.speed + next_speed(row.speed, left, row))) * left
    turn = turn_now(row, row.yaw)
    seen = foot.goal_x - way * turn.yaw[0], foot.goal_y, foot.goal_z - way * turn.yaw[1]
    away, _, rise = _stretch(f, seen, turn, row, foot, limbs)
    return away > level_reach(f, LANDING, rise, foot.goal_y, row, limbs)


@inline
def left_behind(row: CreatureState, foot: FootState) -> bool:
    """Whether a standing foot would draw the body down: it should rather step."""
    return bool(foot.soon_highest < row.comfort and foot.soon_highest < foot.highest)
