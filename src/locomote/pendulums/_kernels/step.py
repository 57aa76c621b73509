"""Trees of pendulums, one step for any number of characters: pushes from the leaves up, swings from the root down.

Fathers come before their sons. Every pendulum has an animated anchor and an animated frame whose +Y is its bar;
its deflection is the rotation, in the world, from the animated bar to the real one.
"""

from __future__ import annotations

from locomote.math._compile import inline, kernel, part
from locomote.math.quaternion import conjugate, log, multiply, quaternion
from locomote.math.vector import Floats, Ints
from locomote.pendulums._kernels import lanes
from locomote.pendulums._kernels import layout as at
from locomote.pendulums._kernels.lanes import LANES
from locomote.pendulums._kernels.push import drag, give_way

LIVE, FOUND, LOST = (
    0.0,
    1.0,
    2.0,
)  # whether a character's speed was known before the step, its place alone, neither


@kernel
def step_pendulums(
    links: Ints,
    levels: Ints,
    settings: Floats,
    manner: tuple[bool, bool, bool],
    dt: float,
    anchors: Floats,
    frames: Floats,
    pushes: Floats,
    twists: Floats,
    calm: Floats,
    state: Floats,
    moves: Floats,
    hands: Ints,
    bench: Floats,
) -> None:
    """Bring ``state (N * P, STATE)`` on by ``dt``.

    ``links (3, P)``: an order, level by level from the roots, the fathers, and which of ``settings (K, SETTINGS)``
    is each one's; ``levels (L + 1,)``: where the levels begin in that order. ``anchors (N, P, 3)`` and
    ``frames (N, P, 4)`` are the animation's at the end of the step; ``pushes (0 or N, P, 3)`` and
    ``twists (0 or N, P)`` move tips and turn bars at its beginning. ``manner``: whether pushes of sons that meet are
    divided by the sum of their weights; whether masses stay behind by geometry alone; whether only what deviates
    from the animation swings anything. ``calm (N,)``: `LIVE`, `FOUND` or `LOST`; who is not live is taken along
    without a kick, and is live a step or two later. ``moves``, ``hands`` and ``bench`` are scratch.
    """
    shared, literal, relative = manner
    for lane in range(LANES):
        hands[3, lane] = -1
    count = links.shape[1]
    for n in range(pushes.shape[0]):
        if drag(n * count, links, settings, shared, pushes[n], state, moves):
            give_way(n * count, links, levels, settings, relative, state, moves, hands, bench)
    for n in range(twists.shape[0]):
        for b in range(count):
            state[n * count + b, at.TWIST] += twists[n, b]
    advance(links, levels, settings, literal, relative, dt, anchors, frames, calm, state, hands, bench)


@part
def advance(
    links: Ints,
    levels: Ints,
    settings: Floats,
    literal: bool,
    relative: bool,
    dt: float,
    anchors: Floats,
    frames: Floats,
    calm: Floats,
    state: Floats,
    hands: Ints,
    bench: Floats,
) -> None:
    """Swing the pendulums of all characters, a few at a time, level by level from the roots down."""
    pace = 1.0 / dt if dt > 0.0 and not literal else 0.0
    for first in range(0, anchors.shape[0], LANES):
        last = min(first + LANES, anchors.shape[0])
        for level in range(levels.shape[0] - 1):
            n, k = first, levels[level]
            left = (last - first) * (levels[level + 1] - k)
            while left > 0:
                taken = min(left, LANES)
                left -= taken
                for lane in range(taken):
                    _fetch(lane, n, links[0, k], pace, dt > 0.0, links, anchors, frames, calm, hands, bench)
                    # Pendulums of one kind come one after the other.
                    n += 1
                    if n == last:
                        n, k = first, k + 1
                _advance(taken, literal, relative, dt, settings, state, hands, bench)
        for n in range(first, last):
            calm[n] = FOUND if calm[n] == LOST or dt == 0.0 else LIVE


@inline
def _fetch(
    lane: int,
    n: int,
    b: int,
    pace: float,
    passes: bool,
    links: Ints,
    anchors: Floats,
    frames: Floats,
    calm: Floats,
    hands: Ints,
    bench: Floats,
) -> None:
    """Bring the animation of pendulum ``b`` of character ``n`` to a lane, and say where it comes from."""
    count, f = links.shape[1], links[1, b]
    hands[0, lane], hands[2, lane] = n * count + b, links[2, b]
    hands[1, lane] = -1 if f < 0 else n * count + f
    for i in range(3):
        bench[(at.ANIMATED_ANCHOR + i) * LANES + lane] = anchors[n, b, i]
    for i in range(4):
        bench[(at.ANIMATED_FRAME + i) * LANES + lane] = frames[n, b, i]
    bench[lanes.PACE * LANES + lane] = 0.0 if calm[n] == LOST else pace
    bench[lanes.KICK * LANES + lane] = -1.0 if calm[n] == LIVE and passes else 0.0


@inline
def _advance(
    count: int,
    literal: bool,
    relative: bool,
    dt: float,
    settings: Floats,
    state: Floats,
    hands: Ints,
    bench: Floats,
) -> None:
    lanes.load(count, hands, settings, state, bench)
    for lane in range(count):
        row = state[hands[0, lane]]
        for k in range(at.TWIST_RATE, at.RESTING):
            bench[k * LANES + lane] = row[k]
        for k in range(3):
            bench[(lanes.WAS_RESTING + k) * LANES + lane] = row[at.RESTING + k]
    lanes.hang(relative, bench)
    if literal:
        for lane in range(count):
            row = state[hands[0, lane]]
            lanes.put_vector(bench, lanes.MASS, lane, (row[at.TIP], row[at.TIP + 1], row[at.TIP + 2]))
        lanes.stay_behind(bench)
    lanes.feel(bench)
    twisted = False
    for lane in range(count):
        if bench[(lanes.SETTING + at.TWIST_LIMIT) * LANES + lane] > 0.0:
            _turn(lane, relative or dt == 0.0, 1.0 / dt, state[hands[0, lane]], bench)
            twisted = True
    lanes.place(twisted, bench)
    for lane in range(count):
        row = state[hands[0, lane]]
        for k in range(at.STATE):
            row[k] = bench[k * LANES + lane]


@part
def _turn(lane: int, relative: bool, per_second: float, row: Floats, bench: Floats) -> None:
    """Step the spring of a twist and keep it in its range; a frame that begins to turn leaves it behind."""
    off, rate = bench[at.TWIST * LANES + lane], bench[at.TWIST_RATE * LANES + lane]
    if not relative:
        was, target = quaternion(row[at.TARGET :]), lanes.get_turn(bench, at.TARGET, lane)
        spin = per_second * log(multiply(conjugate(was), target))[1]
        rate -= spin - bench[at.SPIN * LANES + lane]
        bench[at.SPIN * LANES + lane] = spin
    own = lanes.SETTING
    twist = bench[(own + at.KEEP) * LANES + lane] * off + bench[(own + at.GAIN) * LANES + lane] * rate
    rate = bench[(own + at.PULL) * LANES + lane] * off + bench[(own + at.HOLD) * LANES + lane] * rate
    most = bench[(own + at.TWIST_LIMIT) * LANES + lane]
    if abs(twist) > most:
        twist = most if twist > 0.0 else -most
        if rate * twist > 0.0:
            rate = 0.0
    bench[at.TWIST * LANES + lane], bench[at.TWIST_RATE * LANES + lane] = twist, rate
