"""Legs that fold: all joints between hip and tip bend together until the tip is as far as its goal, then the hip turns.

A leg of any number of bones is folded by one number. At 0 it is as at rest, towards -1 all its joints straighten,
towards 1 all bend further, each in its own sense and never beyond its limits: evenly, or some of them first, as the
vibrations of a body have it. The axes of all bends are parallel, so the leg stays in its plane. The distance from hip
to tip falls with that number, so every goal within reach has one answer, which moves smoothly with the goal and needs
no memory of the last frame.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels.model import TABLE, Folds, Limbs
from locomote.math._compile import inline
from locomote.math.quaternion import (
    Quaternion,
    between,
    conjugate,
    multiply,
    quaternion,
    rotate,
    store,
)
from locomote.math.vector import Floats, Pair, Vector, add, dot, mix, norm, subtract, unit, vector

_ROUNDS = 12  # of Newton's method, at most; one is usual
_SHORT = 3e-5  # a step of it after which another would change nothing that counts
_HALVINGS = 12  # of the range in which a leg is drawn out whose hip would turn too far


@inline
def _bend(leg: int, fold: float, folds: Folds, halves: Floats) -> None:
    """Fill rows 1 and on of ``halves (K + 1, 3)``: cosines and sines of half the angles of the joints at a fold."""
    side, amount = (0, -fold) if fold < 0.0 else (1, fold)
    for i in range(1, folds.counts[leg]):
        lead = folds.leads[leg, i, side]
        half = 0.5 * amount * folds.bends[leg, i, side] * (lead + (1.0 - lead) * amount)
        halves[i, 0], halves[i, 1] = math.cos(half), math.sin(half)


@inline
def _bend_rate(leg: int, i: int, side: int, amount: float, folds: Folds) -> float:
    """How fast a joint bends as the leg is folded or drawn out further, rad."""
    lead = folds.leads[leg, i, side]
    rate: float = folds.bends[leg, i, side] * (lead + 2.0 * (1.0 - lead) * amount)
    return rate


@inline
def _folded(leg: int, fold: float, folds: Folds, halves: Floats) -> Pair:
    """The squared distance of the tip from the hip at a fold to which the joints are bent, and how fast it grows."""
    side, rate_sign, amount = (0, -1.0, -fold) if fold < 0.0 else (1, 1.0, fold)
    x, y, z, cosine, sine = 0.0, 0.0, 0.0, 1.0, 0.0
    rate_x, rate_y, turned = 0.0, 0.0, 0.0
    for i in range(folds.counts[leg]):
        if i > 0:
            turned += rate_sign * _bend_rate(leg, i, side, amount, folds)
            cosine, sine = _on(cosine, sine, halves[i, 0], halves[i, 1])
        u, v = folds.bones[leg, i, 0], folds.bones[leg, i, 1]
        along, across = cosine * u - sine * v, sine * u + cosine * v
        x, y, z = x + along, y + across, z + folds.bones[leg, i, 2]
        rate_x, rate_y = rate_x - turned * across, rate_y + turned * along
    return x * x + y * y + z * z, 2.0 * (x * rate_x + y * rate_y)


@inline
def _on(cosine: float, sine: float, c: float, s: float) -> Pair:
    """Cosine and sine of an angle, turned on by twice that of which ``c`` and ``s`` are."""
    c, s = c * c - s * s, 2.0 * c * s
    return cosine * c - sine * s, sine * c + cosine * s


@inline
def _fold_to(leg: int, distance: float, folds: Folds, halves: Floats) -> None:
    """Bend the joints so that the tip is as far from the hip as asked, which must be within the leg's span."""
    nearest, farthest = folds.spans[leg, 0], folds.spans[leg, 1]
    place = (distance - nearest) / (farthest - nearest) * (TABLE - 1)
    index = min(max(int(place), 0), TABLE - 2)
    fold: float = folds.table[leg, index]
    fold += (place - index) * (folds.table[leg, index + 1] - fold)
    # The farther, the less folded; the table is a guess, so the answer may lie one place beside it.
    high, low = folds.table[leg, max(index - 1, 0)], folds.table[leg, min(index + 2, TABLE - 1)]
    before = fold
    for _ in range(_ROUNDS):
        _bend(leg, fold, folds, halves)
        square, rate = _folded(leg, fold, folds, halves)
        error = square - distance * distance
        if error > 0.0:
            low = max(low, fold)
        else:
            high = min(high, fold)
        step = fold - error / rate if rate < 0.0 else math.inf
        before, fold = fold, step if low <= step <= high else 0.5 * (low + high)
        if abs(fold - before) < _SHORT:
            break
    # The last step is so short that no sines are needed for it, unless the joints bend differently on its other side.
    if (fold < 0.0) != (before < 0.0) or abs(fold - before) >= _SHORT:
        _bend(leg, fold, folds, halves)
        return
    side, step, amount = (0, before - fold, -before) if fold < 0.0 else (1, fold - before, before)
    for i in range(1, folds.counts[leg]):
        half = 0.5 * step * _bend_rate(leg, i, side, amount, folds)
        c, s, less = halves[i, 0], halves[i, 1], 1.0 - 0.5 * half * half
        halves[i, 0], halves[i, 1] = less * c - half * s, less * s + half * c


@inline
def way_at(leg: int, distance: float, folds: Folds | Limbs) -> Vector:
    """The direction from the hip to the tip, in the body frame, of a leg that is folded only, not turned."""
    nearest, farthest = folds.spans[leg, 0], folds.spans[leg, 1]
    place = min(max((distance - nearest) / (farthest - nearest), 0.0), 1.0) * (TABLE - 1)
    index = min(int(place), TABLE - 2)
    part_of = place - index
    low, high = folds.ways[leg, index], folds.ways[leg, index + 1]
    return mix(vector(low), 1.0 - part_of, vector(high), part_of)


@inline
def reach_for(
    leg: int,
    goal: Vector,
    centre: Vector,
    turn: Quaternion,
    folds: Folds,
    rotations: Floats,
    places: Floats,
) -> float:
    """Pose one leg so that its tip is at a goal in the world, as far as it can be; the distance left.

    The body stands at ``centre``, turned by ``turn``. Fills the local ``rotations (J, 4)`` of the leg's joints and the
    world ``places (K + 1, 3)`` of its joints and tip.
    """
    hip = vector(folds.hips[leg])
    wanted = subtract(rotate(conjugate(turn), subtract(goal, centre)), hip)
    distance = norm(wanted)
    within = min(max(distance, folds.spans[leg, 0]), folds.spans[leg, 1])
    count = folds.counts[leg]
    # First in the axes of the leg: bends one after the other, by their half angles, which places hold meanwhile.
    _fold_to(leg, _turned_in_reach(leg, within, wanted, distance, folds), folds, places)
    x, y, z, cosine, sine, c, s = 0.0, 0.0, 0.0, 1.0, 0.0, 1.0, 0.0
    for i in range(count):
        if i > 0:
            axis = folds.hinges[leg, i]
            bend = c, s * axis[0], s * axis[1], s * axis[2]
            store(rotations[folds.joints[leg, i]], multiply(quaternion(folds.rests[leg, i]), bend))
            cosine, sine = _on(cosine, sine, c, s)
        c, s = places[i + 1, 0], places[i + 1, 1]
        u, v = folds.bones[leg, i, 0], folds.bones[leg, i, 1]
        x, y, z = x + cosine * u - sine * v, y + sine * u + cosine * v, z + folds.bones[leg, i, 2]
        places[i + 1, 0], places[i + 1, 1], places[i + 1, 2] = x, y, z
    # Then as the hip turns it.
    reached = unit(_in_body(leg, x, y, z, folds), (0.0, -1.0, 0.0))
    swing = between(reached, unit(wanted, reached))
    if swing[0] < math.cos(0.5 * folds.cones[leg]):
        half = math.acos(min(1.0, max(-1.0, swing[0])))
        swing = _shortened(swing, folds.cones[leg] / (2.0 * half))
    local = multiply(quaternion(folds.hip_parents[leg]), multiply(swing, quaternion(folds.hip_turns[leg])))
    store(rotations[folds.joints[leg, 0]], local)
    facing = multiply(turn, swing)
    base = add(centre, rotate(turn, hip))
    places[0, 0], places[0, 1], places[0, 2] = base
    for i in range(1, count + 1):
        in_body = _in_body(leg, places[i, 0], places[i, 1], places[i, 2], folds)
        places[i, 0], places[i, 1], places[i, 2] = add(base, rotate(facing, in_body))
    return norm(subtract(goal, vector(places[count])))


@inline
def _turned_in_reach(leg: int, within: float, wanted: Vector, distance: float, folds: Folds) -> float:
    """The farthest that a leg is drawn out with its hip turned no further than it may.

    Legs that hang on a collar-bone swing far aside as they straighten: drawn out in full they would miss their goal
    by much more than by its distance.
    """
    least = math.cos(folds.cones[leg]) * distance
    way = way_at(leg, within, folds)
    if dot(way, wanted) >= least * norm(way):
        return within
    near: float = folds.spans[leg, 0]
    far = within
    way = way_at(leg, near, folds)
    if dot(way, wanted) < least * norm(way):
        return within
    for _ in range(_HALVINGS):
        middle = 0.5 * (near + far)
        way = way_at(leg, middle, folds)
        if dot(way, wanted) >= least * norm(way):
            near = middle
        else:
            far = middle
    return near


@inline
def _in_body(leg: int, x: float, y: float, z: float, folds: Folds) -> Vector:
    axes = folds.axes[leg]
    return (
        x * axes[0, 0] + y * axes[1, 0] + z * axes[2, 0],
        x * axes[0, 1] + y * axes[1, 1] + z * axes[2, 1],
        x * axes[0, 2] + y * axes[1, 2] + z * axes[2, 2],
    )


@inline
def _shortened(q: Quaternion, share: float) -> Quaternion:
    """A share of a rotation."""
    sine = math.sqrt(q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    half = math.atan2(sine, q[0])
    factor = math.sin(share * half) / sine if sine > 0.0 else 0.0
    return math.cos(share * half), factor * q[1], factor * q[2], factor * q[3]
