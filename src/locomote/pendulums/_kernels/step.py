"""Trees of pendulums, one step for any number of characters: pushes from the leaves up, swings from the root down.

Fathers come before their sons. Every pendulum has an animated anchor and an animated frame whose +Y is its bar;
its deflection is the rotation, in the world, from the animated bar to the real one.
"""

from __future__ import annotations

from locomote.math._compile import inline, kernel, part
from locomote.math.quaternion import conjugate, log, multiply, quaternion
from locomote.math.vector import Floats
from locomote.pendulums._kernels import lanes
from locomote.pendulums._kernels import layout as at
from locomote.pendulums._kernels.lanes import LANES
from locomote.pendulums._kernels.layout import Swing
from locomote.pendulums._kernels.push import drag, give_way

# Whether a character's speed was known before the step, its place alone, neither.
LIVE, FOUND, LOST = 0.0, 1.0, 2.0


@kernel
def step_pendulums(dt: float, anchors: Floats, frames: Floats, pushes: Floats, twists: Floats, swing: Swing) -> None:
    """Bring the pendulums on by ``dt``.

    ``anchors (N, P, 3)`` and ``frames (N, P, 4)`` are the animation's at the end of the step; ``pushes (0 or N, P, 3)``
    and ``twists (0 or N, P)`` move tips and turn bars at its beginning. Who is not `LIVE` is taken along without a
    kick, and is live a step or two later.
    """
    forget_lanes(swing)
    push_all(pushes, swing)
    count = swing.links.shape[1]
    for n in range(twists.shape[0]):
        for b in range(count):
            swing.state[n * count + b, at.TWIST] += twists[n, b]
    advance(dt, anchors, frames, swing)


@inline
def forget_lanes(swing: Swing) -> None:
    """Let the lanes load all settings anew: they may have changed since the last step."""
    for lane in range(LANES):
        swing.picked[3, lane] = -1


@part
def push_all(pushes: Floats, swing: Swing) -> None:
    """Push the tips of all characters."""
    count = swing.links.shape[1]
    for n in range(pushes.shape[0]):
        if drag(n * count, pushes[n], swing):
            give_way(n * count, swing)


@part
def advance(dt: float, anchors: Floats, frames: Floats, swing: Swing) -> None:
    """Swing the pendulums of all characters, a few at a time, level by level from the roots down."""
    levels, calm = swing.levels, swing.calm
    pace = 1.0 / dt if dt > 0.0 and not swing.literal else 0.0
    for first in range(0, anchors.shape[0], LANES):
        last = min(first + LANES, anchors.shape[0])
        for level in range(levels.shape[0] - 1):
            n, k = first, levels[level]
            left = (last - first) * (levels[level + 1] - k)
            while left > 0:
                taken = min(left, LANES)
                left -= taken
                for lane in range(taken):
                    _fetch(lane, n, swing.links[0, k], pace, dt > 0.0, anchors, frames, swing)
                    # Pendulums of one kind come one after the other.
                    n += 1
                    if n == last:
                        n, k = first, k + 1
                _advance(taken, dt, swing)
        for n in range(first, last):
            calm[n] = FOUND if calm[n] == LOST or dt == 0.0 else LIVE


@inline
def _fetch(lane: int, n: int, b: int, pace: float, passes: bool, anchors: Floats, frames: Floats, swing: Swing) -> None:
    """Bring the animation of pendulum ``b`` of character ``n`` to a lane, and say where it comes from."""
    links, calm, picked, eight = swing.links, swing.calm, swing.picked, swing.eight
    count, f = links.shape[1], links[1, b]
    picked[0, lane], picked[2, lane] = n * count + b, links[2, b]
    picked[1, lane] = -1 if f < 0 else n * count + f
    for i in range(3):
        eight[(at.ANIMATED_ANCHOR + i) * LANES + lane] = anchors[n, b, i]
    for i in range(4):
        eight[(at.ANIMATED_FRAME + i) * LANES + lane] = frames[n, b, i]
    eight[lanes.PACE * LANES + lane] = 0.0 if calm[n] == LOST else pace
    eight[lanes.KICK * LANES + lane] = -1.0 if calm[n] == LIVE and passes else 0.0


@inline
def _advance(count: int, dt: float, swing: Swing) -> None:
    state, picked, eight = swing.state, swing.picked, swing.eight
    literal, relative = swing.literal, swing.relative
    lanes.load(count, swing)
    for lane in range(count):
        row = state[picked[0, lane]]
        for k in range(at.TWIST_RATE, at.RESTING):
            eight[k * LANES + lane] = row[k]
        for k in range(3):
            eight[(lanes.WAS_RESTING + k) * LANES + lane] = row[at.RESTING + k]
    lanes.hang(relative, eight)
    if literal:
        for lane in range(count):
            row = state[picked[0, lane]]
            lanes.put_vector(eight, lanes.MASS, lane, (row[at.TIP], row[at.TIP + 1], row[at.TIP + 2]))
        lanes.stay_behind(eight)
    lanes.feel(eight)
    twisted = False
    for lane in range(count):
        if eight[(lanes.SETTING + at.TWIST_LIMIT) * LANES + lane] > 0.0:
            _turn(lane, relative or dt == 0.0, 1.0 / dt, state[picked[0, lane]], eight)
            twisted = True
    lanes.place(twisted, eight)
    for lane in range(count):
        row = state[picked[0, lane]]
        for k in range(at.STATE):
            row[k] = eight[k * LANES + lane]


@part
def _turn(lane: int, relative: bool, per_second: float, row: Floats, eight: Floats) -> None:
    """Step the spring of a twist and keep it in its range; a frame that begins to turn leaves it behind."""
    off, rate = eight[at.TWIST * LANES + lane], eight[at.TWIST_RATE * LANES + lane]
    if not relative:
        was, target = quaternion(row[at.TARGET :]), lanes.get_turn(eight, at.TARGET, lane)
        spin = per_second * log(multiply(conjugate(was), target))[1]
        rate -= spin - eight[at.SPIN * LANES + lane]
        eight[at.SPIN * LANES + lane] = spin
    own = lanes.SETTING
    twist = eight[(own + at.KEEP) * LANES + lane] * off + eight[(own + at.GAIN) * LANES + lane] * rate
    rate = eight[(own + at.PULL) * LANES + lane] * off + eight[(own + at.HOLD) * LANES + lane] * rate
    most = eight[(own + at.TWIST_LIMIT) * LANES + lane]
    if abs(twist) > most:
        twist = most if twist > 0.0 else -most
        if rate * twist > 0.0:
            rate = 0.0
    eight[at.TWIST * LANES + lane], eight[at.TWIST_RATE * LANES + lane] = twist, rate
