"""A push of pendulums: tips are moved, fathers are dragged along from the leaves up, other masses stay."""

from __future__ import annotations

import math

from locomote.math._compile import inline, part
from locomote.math.quaternion import Quaternion, between, conjugate, multiply, quaternion, rotate
from locomote.math.vector import Floats, Vector, add, dot, mix, norm, scale, subtract, unit, vector
from locomote.pendulums._kernels import lanes
from locomote.pendulums._kernels import layout as at
from locomote.pendulums._kernels.lanes import LANES
from locomote.pendulums._kernels.layout import Swing
from locomote.pendulums._kernels.swing import bar_of, half_lean, lean

_UP = (0.0, 1.0, 0.0)
_NO_ARM = 1e-9  # m; a father cannot be turned by a son that hangs this near to the father's own anchor
_AT_TIP = 1e-12  # square of the share of its length that a son may hang off its father's tip and count as there


@part
def drag(first: int, pushes: Floats, swing: Swing) -> bool:
    """Find out how far every tip of one character is to move, ``swing.moves``; whether any is.

    The character's pendulums begin at ``first`` of the state; ``pushes (P, 3)`` are what moves their tips, m.
    """
    links, state, moves = swing.links, swing.state, swing.moves
    count = links.shape[1]
    any_moves = False
    for b in range(count):
        pushed = pushes[b, 0] != 0.0 or pushes[b, 1] != 0.0 or pushes[b, 2] != 0.0
        for i in range(3):
            moves[b, at.DRAG + i] = 0.0
        moves[b, at.DRAG_WEIGHT], moves[b, at.MOVED] = 0.0, 1.0 if pushed else 0.0
        any_moves = any_moves or pushed
    if not any_moves:
        return False
    for k in range(count - 1, -1, -1):
        b = links[0, k]
        own = moves[b]
        if own[at.MOVED] == 0.0:
            continue
        wanted = vector(own[at.DRAG :])
        if swing.shared and own[at.DRAG_WEIGHT] > 0.0:
            wanted = scale(wanted, 1.0 / own[at.DRAG_WEIGHT])
        wanted = add(wanted, vector(pushes[b]))
        own[at.DRAG], own[at.DRAG + 1], own[at.DRAG + 2] = wanted
        f = links[1, b]
        if f >= 0:
            row, setting, to = state[first + b], swing.settings[links[2, b]], moves[f]
            anchor = vector(row[at.ANCHOR :])
            tip = add(vector(row[at.TIP :]), wanted)
            dragged = _dragged(setting, quaternion(row[at.TARGET :]), anchor, tip)
            induced = _at_tip(state[first + f], anchor, dragged)
            induced = mix(vector(to[at.DRAG :]), 1.0, induced, setting[at.WEIGHT])
            to[at.DRAG], to[at.DRAG + 1], to[at.DRAG + 2] = induced
            to[at.DRAG_WEIGHT] += setting[at.WEIGHT]
            to[at.MOVED] = 1.0
    return True


@part
def give_way(first: int, swing: Swing) -> None:
    """Move the tips of one character as `drag` found; all other masses stay where they are."""
    links, levels, moves = swing.links, swing.levels, swing.moves
    picked, eight = swing.picked, swing.eight
    for level in range(levels.shape[0] - 1):
        k = levels[level]
        while k < levels[level + 1]:
            count = 0
            twisted = False
            while k < levels[level + 1] and count < LANES:
                b = links[0, k]
                f = links[1, b]
                k += 1
                if moves[b, at.MOVED] == 0.0 and (f < 0 or moves[f, at.MOVED] == 0.0):
                    continue
                row = swing.state[first + b]
                moves[b, at.MOVED] = 1.0
                picked[0, count], picked[2, count] = first + b, links[2, b]
                picked[1, count] = -1 if f < 0 else first + f
                for i in range(3):
                    mass = row[at.TIP + i] + moves[b, at.DRAG + i]
                    eight[(lanes.MASS + i) * LANES + count] = mass
                twisted = twisted or row[at.TWIST] != 0.0
                count += 1
            if count > 0:
                _give_way(count, twisted, swing)


@inline
def _give_way(count: int, twisted: bool, swing: Swing) -> None:
    state, picked, eight = swing.state, swing.picked, swing.eight
    lanes.load(count, swing)
    for lane in range(count):
        row = state[picked[0, lane]]
        for k in range(at.ANIMATED_ANCHOR, at.DEFLECTION):
            eight[k * LANES + lane] = row[k]
    lanes.hang(swing.relative, eight)
    lanes.stay_behind(eight)
    lanes.place(twisted, eight)
    for lane in range(count):
        row = state[picked[0, lane]]
        for k in range(at.TWIST):
            row[k] = eight[k * LANES + lane]
        for k in range(at.RESTING, at.ANIMATED_ANCHOR):
            row[k] = eight[k * LANES + lane]
        for k in range(at.DEFLECTION, at.STATE):
            row[k] = eight[k * LANES + lane]


@inline
def _dragged(settings: Floats, target: Quaternion, anchor: Vector, tip: Vector) -> Vector:
    """Where the anchor of a bar goes whose tip is pulled: it follows on the line to the tip.

    A bar at the edge of its cone gives way no more and takes its father along.
    """
    bar = subtract(tip, anchor)
    length = norm(bar)
    if dot(bar_of(target), bar) < settings[at.CONE_COSINE] * length:
        x, z = lean(rotate(conjugate(target), bar), (0.0, 0.0))
        share = settings[at.CONE] / max(math.sqrt(x * x + z * z), settings[at.CONE])
        cosine, sine = half_lean(share * x, share * z)
        direction = bar_of(multiply(target, (cosine, sine * share * z, 0.0, -sine * share * x)))
        return mix(tip, 1.0, direction, -settings[at.LENGTH])
    return mix(tip, 1.0, bar, -settings[at.LENGTH] / max(length, _NO_ARM))


@inline
def _at_tip(father: Floats, point: Vector, goal: Vector) -> Vector:
    """How the father's tip moves when a point of the father goes to ``goal``, all turned and stretched alike."""
    pivot, tip = vector(father[at.ANCHOR :]), vector(father[at.TIP :])
    before, bar, off = subtract(point, pivot), subtract(tip, pivot), subtract(point, tip)
    if dot(off, off) <= _AT_TIP * dot(bar, bar):
        return subtract(goal, point)
    after = subtract(goal, pivot)
    arm = norm(before)
    if arm < _NO_ARM:
        return 0.0, 0.0, 0.0
    turn = between(unit(before, _UP), unit(after, _UP))
    return subtract(scale(rotate(turn, bar), norm(after) / arm), bar)
