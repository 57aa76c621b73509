"""Trees of pendulums, one step for any number of characters: pushes from the leaves up, swings from the root down.

Fathers come before their sons. Every pendulum has an animated anchor and an animated frame whose +Y is its bar;
its deflection is the rotation, in the world, from the animated bar to the real one.
"""

from __future__ import annotations

import math

from locomote.kernels import pendulum_layout as at
from locomote.kernels._compile import inline, kernel, part
from locomote.kernels.pendulum_swing import across_bar, bar_rotation, bends, fraction, lean
from locomote.kernels.quaternion import (
    Quaternion,
    between,
    conjugate,
    log,
    multiply,
    quaternion,
    rotate,
    store,
)
from locomote.kernels.vector import Floats, Ints, Vector, add, mix, norm, scale, subtract, unit, vector

_UP = (0.0, 1.0, 0.0)
_NO_TURN = (1.0, 0.0, 0.0, 0.0)
_NO_ARM = 1e-9  # m; a father cannot be turned by a son that hangs this near to the father's own anchor


@kernel
def step_pendulums(
    parents: Ints,
    settings: Floats,
    weights: Floats,
    shared: bool,
    literal: bool,
    relative: bool,
    dt: float,
    anchors: Floats,
    frames: Floats,
    pushes: Floats,
    twists: Floats,
    state: Floats,
    deflections: Floats,
    moved: Floats,
) -> None:
    """Bring ``state (N, P, STATE)`` and ``deflections (N, P, 4)`` on by ``dt``.

    ``settings (1 or N, P, SETTINGS)``; ``anchors (N, P, 3)`` and ``frames (N, P, 4)`` are the animation's at the end
    of the step; ``pushes (0 or N, P, 3)`` and ``twists (0 or N, P)`` move tips and turn bars at its beginning.
    ``weights (P,)`` weigh the pushes of sons that meet in a father, ``shared`` divides by their sum. ``literal``:
    masses stay behind by geometry alone. ``relative``: only what deviates from the animation swings anything.
    ``moved (P, 5)`` is scratch.
    """
    per_character = settings.shape[0] > 1
    for n in range(state.shape[0]):
        own = settings[n if per_character else 0]
        if pushes.shape[0] > 0:
            _push(parents, own, weights, shared, relative, pushes[n], state[n], deflections[n], moved)
        if twists.shape[0] > 0:
            for b in range(parents.shape[0]):
                state[n, b, at.TWIST] += twists[n, b]
        for b in range(parents.shape[0]):
            row = state[n, b]
            was_target = quaternion(row[at.TARGET :])
            was_resting, was_velocity = vector(row[at.RESTING :]), vector(row[at.VELOCITY :])
            row[at.ANIMATED_ANCHOR], row[at.ANIMATED_ANCHOR + 1], row[at.ANIMATED_ANCHOR + 2] = vector(
                anchors[n, b]
            )
            store(row[at.ANIMATED_FRAME :], quaternion(frames[n, b]))
            _hang(b, parents[b], own[b], relative, state[n], deflections[n])
            target = quaternion(row[at.TARGET :])
            if literal:
                _stay_behind(row, target, vector(row[at.TIP :]))
                _swing(own[b], row, 0.0, 0.0)
            else:
                velocity = scale(subtract(vector(row[at.RESTING :]), was_resting), 1.0 / dt)
                row[at.VELOCITY], row[at.VELOCITY + 1], row[at.VELOCITY + 2] = velocity
                back = conjugate(target)
                x, z = row[at.SWING], row[at.SWING + 1]
                bend = bends(x, z)
                kick = across_bar(x, z, bend, rotate(back, subtract(velocity, was_velocity)))
                row[at.SWING_RATE] -= kick[0] / own[b, at.LENGTH]
                row[at.SWING_RATE + 1] -= kick[1] / own[b, at.LENGTH]
                drift = across_bar(x, z, bend, rotate(back, velocity))
                _swing(own[b], row, -own[b, at.TRAIL] * drift[0], -own[b, at.TRAIL] * drift[1])
            if own[b, at.TWIST_LIMIT] > 0.0:
                if not relative:
                    spin = log(multiply(conjugate(was_target), target))[1] / dt
                    row[at.TWIST_RATE] -= spin - row[at.SPIN]
                    row[at.SPIN] = spin
                _turn(own[b], row)
            _place(b, own[b], row, deflections[n])


@part
def _push(
    parents: Ints,
    settings: Floats,
    weights: Floats,
    shared: bool,
    relative: bool,
    pushes: Floats,
    state: Floats,
    deflections: Floats,
    moved: Floats,
) -> None:
    """Move the tips by ``pushes (P, 3)``: fathers are dragged along, then all masses stay where they are."""
    count = parents.shape[0]
    for b in range(count):
        for k in range(5):
            moved[b, k] = 0.0
    for b in range(count - 1, -1, -1):
        # moved[b] holds the sum of the sons' drags, the sum of their weights, and whether anything moves b.
        if shared and moved[b, 3] > 0.0:
            for k in range(3):
                moved[b, k] /= moved[b, 3]
        own = vector(pushes[b])
        if own[0] != 0.0 or own[1] != 0.0 or own[2] != 0.0:
            moved[b, 0], moved[b, 1], moved[b, 2] = add(vector(moved[b]), own)
            moved[b, 4] = 1.0
        f = parents[b]
        if moved[b, 4] == 0.0 or f < 0:
            continue
        anchor = vector(state[b, at.ANCHOR :])
        tip = add(vector(state[b, at.TIP :]), vector(moved[b]))
        dragged = _dragged(settings[b], quaternion(state[b, at.TARGET :]), anchor, tip)
        induced = _at_tip(state[f], anchor, dragged)
        moved[f, 0] += weights[b] * induced[0]
        moved[f, 1] += weights[b] * induced[1]
        moved[f, 2] += weights[b] * induced[2]
        moved[f, 3] += weights[b]
        moved[f, 4] = 1.0
    for b in range(count):
        f = parents[b]
        if moved[b, 4] == 0.0 and (f < 0 or moved[f, 4] == 0.0):
            continue
        mass = add(vector(state[b, at.TIP :]), vector(moved[b]))
        moved[b, 4] = 1.0
        _hang(b, f, settings[b], relative, state, deflections)
        _stay_behind(state[b], quaternion(state[b, at.TARGET :]), mass)
        _limit(settings[b], state[b])
        _place(b, settings[b], state[b], deflections)


@inline
def _dragged(settings: Floats, target: Quaternion, anchor: Vector, tip: Vector) -> Vector:
    """Where the anchor of a bar goes whose tip is pulled: it follows on the line to the tip.

    A bar at the edge of its cone gives way no more and takes its father along.
    """
    bar = subtract(tip, anchor)
    x, z = lean(rotate(conjugate(target), bar), (0.0, 0.0))
    angle = math.sqrt(x * x + z * z)
    if angle > settings[at.CONE]:
        share = settings[at.CONE] / angle
        direction = rotate(multiply(target, bar_rotation(share * x, share * z, 0.0)), _UP)
    else:
        direction = unit(bar, _UP)
    return mix(tip, 1.0, direction, -settings[at.LENGTH])


@inline
def _at_tip(father: Floats, point: Vector, goal: Vector) -> Vector:
    """How the father's tip moves when a point of the father goes to ``goal``, all turned and stretched alike."""
    pivot = vector(father[at.ANCHOR :])
    before, after = subtract(point, pivot), subtract(goal, pivot)
    arm = norm(before)
    if arm < _NO_ARM:
        return 0.0, 0.0, 0.0
    turn = between(unit(before, _UP), unit(after, _UP))
    bar = subtract(vector(father[at.TIP :]), pivot)
    return subtract(scale(rotate(turn, bar), norm(after) / arm), bar)


@inline
def _hang(b: int, f: int, settings: Floats, relative: bool, state: Floats, deflections: Floats) -> None:
    """Find a pendulum's anchor, target frame and resting tip from its father, which stands already."""
    row = state[b]
    anchor = vector(row[at.ANIMATED_ANCHOR :])
    frame = quaternion(row[at.ANIMATED_FRAME :])
    target, hung = frame, anchor
    if f >= 0:
        turn = quaternion(deflections[f])
        from_anchor, to_anchor = vector(state[f, at.ANIMATED_ANCHOR :]), vector(state[f, at.ANCHOR :])
        turned = turn[1] != 0.0 or turn[2] != 0.0 or turn[3] != 0.0
        # A father that stands exactly as it is animated brings in no rounding.
        if turned or norm(subtract(to_anchor, from_anchor)) > 0.0:
            hung = add(to_anchor, rotate(turn, subtract(anchor, from_anchor)))
        if turned:
            target = multiply(fraction(turn, settings[at.INHERIT]), frame)
    row[at.ANCHOR], row[at.ANCHOR + 1], row[at.ANCHOR + 2] = hung
    store(row[at.TARGET :], target)
    resting = mix(hung, 1.0, rotate(target, _UP), settings[at.LENGTH])
    if relative:
        resting = subtract(resting, mix(anchor, 1.0, rotate(frame, _UP), settings[at.LENGTH]))
    row[at.RESTING], row[at.RESTING + 1], row[at.RESTING + 2] = resting


@inline
def _stay_behind(row: Floats, target: Quaternion, mass: Vector) -> None:
    """Lean the bar from its anchor towards where its mass is."""
    away = rotate(conjugate(target), subtract(mass, vector(row[at.ANCHOR :])))
    row[at.SWING], row[at.SWING + 1] = lean(away, (row[at.SWING], row[at.SWING + 1]))


@inline
def _swing(settings: Floats, row: Floats, x_rest: float, z_rest: float) -> None:
    """Step the spring of both planes about where the bar rests, and keep the bar in its cone."""
    for k in range(2):
        rest = x_rest if k == 0 else z_rest
        off, rate = row[at.SWING + k] - rest, row[at.SWING_RATE + k]
        row[at.SWING + k] = rest + settings[at.KEEP] * off + settings[at.GAIN] * rate
        row[at.SWING_RATE + k] = settings[at.PULL] * off + settings[at.HOLD] * rate
    _limit(settings, row)


@inline
def _limit(settings: Floats, row: Floats) -> None:
    """Bring a bar that left its cone back onto it; it does not go on outwards."""
    x, z = row[at.SWING], row[at.SWING + 1]
    angle = math.sqrt(x * x + z * z)
    if angle <= settings[at.CONE]:
        return
    x, z = x / angle, z / angle
    row[at.SWING], row[at.SWING + 1] = settings[at.CONE] * x, settings[at.CONE] * z
    outwards = max(0.0, row[at.SWING_RATE] * x + row[at.SWING_RATE + 1] * z)
    row[at.SWING_RATE] -= outwards * x
    row[at.SWING_RATE + 1] -= outwards * z


@inline
def _turn(settings: Floats, row: Floats) -> None:
    """Step the spring of the twist and keep it in its range."""
    off, rate = row[at.TWIST], row[at.TWIST_RATE]
    twist = settings[at.KEEP] * off + settings[at.GAIN] * rate
    rate = settings[at.PULL] * off + settings[at.HOLD] * rate
    limit = settings[at.TWIST_LIMIT]
    if abs(twist) > limit:
        twist = limit if twist > 0.0 else -limit
        if rate * twist > 0.0:
            rate = 0.0
    row[at.TWIST], row[at.TWIST_RATE] = twist, rate


@inline
def _place(b: int, settings: Floats, row: Floats, deflections: Floats) -> None:
    """Write the tip and the deflection of a bar that hangs and leans."""
    frame, target = quaternion(row[at.ANIMATED_FRAME :]), quaternion(row[at.TARGET :])
    bar = target
    if row[at.SWING] != 0.0 or row[at.SWING + 1] != 0.0 or row[at.TWIST] != 0.0:
        bar = multiply(target, bar_rotation(row[at.SWING], row[at.SWING + 1], row[at.TWIST]))
    tip = mix(vector(row[at.ANCHOR :]), 1.0, rotate(bar, _UP), settings[at.LENGTH])
    row[at.TIP], row[at.TIP + 1], row[at.TIP + 2] = tip
    same = bar[0] == frame[0] and bar[1] == frame[1] and bar[2] == frame[2] and bar[3] == frame[3]
    store(deflections[b], _NO_TURN if same else multiply(bar, conjugate(frame)))
