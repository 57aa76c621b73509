"""Eight pendulums side by side: what hangs on what stands already is worked out for all of them at once.

The array ``eight`` holds every quantity of them in a row of its own, at places known when it is compiled: the compiler
turns each loop over the lanes into a few wide instructions. Lanes that are not needed hold what was there before.
"""

from __future__ import annotations

import math

from locomote.math._compile import inline, part, strict
from locomote.math.fused import apart, beyond, fma, fnma, from_to, multiply, rotate, rotate_back
from locomote.math.quaternion import Quaternion
from locomote.math.vector import Floats, Vector, scale
from locomote.pendulums._kernels import layout as at
from locomote.pendulums._kernels.layout import Swing
from locomote.pendulums._kernels.swing import across_bar, bar_of, bends, fraction, half_lean, lean

LANES = 8
_STILL = 1e-40  # square of rad and of rad/s

# Rows of the array. The first ones mirror the columns of the state; then come the settings and what the father gives.
SETTING = at.STATE
FATHER_TURN = SETTING + at.SETTINGS  # 4
FATHER_FROM = FATHER_TURN + 4  # 3: where it is animated to hang
FATHER_TO = FATHER_FROM + 3  # 3: where it hangs
MASS = FATHER_TO + 3  # 3: where the mass of the bar is, after a push
BAR = MASS + 3  # 4: the rotation of the bar
WAS_RESTING = BAR + 4  # 3: where the tip would have rested before
PACE = WAS_RESTING + 3  # 1 / s: one over the step, or 0 for a bar that is taken along as it is
KICK = PACE + 1  # -1, or 0 for a bar whose speed was not known before
ROWS = KICK + 1


@inline
def get_vector(eight: Floats, row: int, lane: int) -> Vector:
    """Three rows of a lane."""
    return eight[row * LANES + lane], eight[(row + 1) * LANES + lane], eight[(row + 2) * LANES + lane]


@inline
def put_vector(eight: Floats, row: int, lane: int, v: Vector) -> None:
    """Write three rows of a lane."""
    eight[row * LANES + lane] = v[0]
    eight[(row + 1) * LANES + lane] = v[1]
    eight[(row + 2) * LANES + lane] = v[2]


@inline
def get_turn(eight: Floats, row: int, lane: int) -> Quaternion:
    """Four rows of a lane."""
    return (
        eight[row * LANES + lane],
        eight[(row + 1) * LANES + lane],
        eight[(row + 2) * LANES + lane],
        eight[(row + 3) * LANES + lane],
    )


@inline
def put_turn(eight: Floats, row: int, lane: int, q: Quaternion) -> None:
    """Write four rows of a lane."""
    eight[row * LANES + lane] = q[0]
    eight[(row + 1) * LANES + lane] = q[1]
    eight[(row + 2) * LANES + lane] = q[2]
    eight[(row + 3) * LANES + lane] = q[3]


@inline
def _setting(eight: Floats, column: int, lane: int) -> float:
    return float(eight[(SETTING + column) * LANES + lane])


@part
def load(count: int, swing: Swing) -> None:
    """Bring swings, rates and twists of ``count`` pendulums to the lanes, and what fathers and settings say.

    ``picked (4, LANES)``: where they are in the state, where their fathers are (-1: none), which settings are theirs,
    and which settings are in the lanes.
    """
    state, picked, eight = swing.state, swing.picked, swing.eight
    for lane in range(count):
        row = state[picked[0, lane]]
        for k in range(at.TWIST + 1):
            eight[k * LANES + lane] = row[k]
        f = picked[1, lane]
        if f < 0:
            put_turn(eight, FATHER_TURN, lane, (1.0, 0.0, 0.0, 0.0))
            put_vector(eight, FATHER_FROM, lane, (0.0, 0.0, 0.0))
            put_vector(eight, FATHER_TO, lane, (0.0, 0.0, 0.0))
        else:
            father = state[f]
            for k in range(4):
                eight[(FATHER_TURN + k) * LANES + lane] = father[at.DEFLECTION + k]
            for k in range(3):
                eight[(FATHER_FROM + k) * LANES + lane] = father[at.ANIMATED_ANCHOR + k]
                eight[(FATHER_TO + k) * LANES + lane] = father[at.ANCHOR + k]
        if picked[3, lane] != picked[2, lane]:
            picked[3, lane] = picked[2, lane]
            own = swing.settings[picked[2, lane]]
            for k in range(at.SETTINGS):
                eight[(SETTING + k) * LANES + lane] = own[k]


@part
def hang(relative: bool, eight: Floats) -> None:
    """Find the anchors, target frames and resting tips from the fathers, which stand already."""
    for lane in range(LANES):
        anchor, frame = get_vector(eight, at.ANIMATED_ANCHOR, lane), get_turn(eight, at.ANIMATED_FRAME, lane)
        turn = get_turn(eight, FATHER_TURN, lane)
        start, to = get_vector(eight, FATHER_FROM, lane), get_vector(eight, FATHER_TO, lane)
        inherit, length = _setting(eight, at.INHERIT, lane), _setting(eight, at.LENGTH, lane)
        # A father that stands exactly as it is animated brings in no rounding.
        turned = turn[1] != 0.0 or turn[2] != 0.0 or turn[3] != 0.0
        shifted = turned or to[0] != start[0] or to[1] != start[1] or to[2] != start[2]
        moved = beyond(to, rotate(turn, apart(anchor, start, 1.0)), 1.0)
        hung = (
            moved[0] if shifted else anchor[0],
            moved[1] if shifted else anchor[1],
            moved[2] if shifted else anchor[2],
        )
        taken = multiply(fraction(turn, inherit), frame)
        bent = turned and inherit > 0.0
        target = (
            taken[0] if bent else frame[0],
            taken[1] if bent else frame[1],
            taken[2] if bent else frame[2],
            taken[3] if bent else frame[3],
        )
        put_vector(eight, at.ANCHOR, lane, hung)
        put_turn(eight, at.TARGET, lane, target)
        put_vector(eight, at.RESTING, lane, beyond(hung, bar_of(target), length))
    if relative:
        for lane in range(LANES):
            anchor, frame = (
                get_vector(eight, at.ANIMATED_ANCHOR, lane),
                get_turn(eight, at.ANIMATED_FRAME, lane),
            )
            resting, hung = get_vector(eight, at.RESTING, lane), get_vector(eight, at.ANCHOR, lane)
            target = get_turn(eight, at.TARGET, lane)
            length = _setting(eight, at.LENGTH, lane)
            off = apart(resting, beyond(anchor, bar_of(frame), length), 1.0)
            at_home = hung == anchor and target == frame
            put_vector(
                eight,
                at.RESTING,
                lane,
                (0.0 if at_home else off[0], 0.0 if at_home else off[1], 0.0 if at_home else off[2]),
            )


@part
def stay_behind(eight: Floats) -> None:
    """Lean the bars from their anchors towards where their masses are, and keep them in their cones."""
    for lane in range(LANES):
        target = get_turn(eight, at.TARGET, lane)
        away = rotate_back(target, apart(get_vector(eight, MASS, lane), get_vector(eight, at.ANCHOR, lane), 1.0))
        x, z = lean(away, (eight[at.SWING * LANES + lane], eight[(at.SWING + 1) * LANES + lane]))
        _keep_in_cone(eight, lane, x, z, eight[at.SWING_RATE * LANES + lane], eight[(at.SWING_RATE + 1) * LANES + lane])


@part
def feel(eight: Floats) -> None:
    """Step the springs about where the bars trail, kicked by every change of speed."""
    for lane in range(LANES):
        was = get_vector(eight, WAS_RESTING, lane)
        velocity = apart(get_vector(eight, at.RESTING, lane), was, eight[PACE * LANES + lane])
        sway, trail = _setting(eight, at.SWAY, lane), _setting(eight, at.TRAIL, lane)
        jerk = apart(velocity, get_vector(eight, at.VELOCITY, lane), eight[KICK * LANES + lane] * sway)
        put_vector(eight, at.VELOCITY, lane, velocity)
        x, z = eight[at.SWING * LANES + lane], eight[(at.SWING + 1) * LANES + lane]
        target, bend = get_turn(eight, at.TARGET, lane), bends(x, z)
        kicked = across_bar(x, z, bend, rotate_back(target, jerk))
        rest = across_bar(x, z, bend, rotate_back(target, scale(velocity, trail)))
        x_rate = eight[at.SWING_RATE * LANES + lane] + kicked[0]
        z_rate = eight[(at.SWING_RATE + 1) * LANES + lane] + kicked[1]
        _spring(eight, lane, x, z, x_rate, z_rate, rest[0], rest[1])


@strict
def _spring(
    eight: Floats, lane: int, x: float, z: float, x_rate: float, z_rate: float, x_rest: float, z_rest: float
) -> None:
    keep, gain = _setting(eight, at.KEEP, lane), _setting(eight, at.GAIN, lane)
    pull, hold = _setting(eight, at.PULL, lane), _setting(eight, at.HOLD, lane)
    x_off, z_off = x - x_rest, z - z_rest
    _keep_in_cone(
        eight,
        lane,
        x_rest + fma(keep, x_off, gain * x_rate),
        z_rest + fma(keep, z_off, gain * z_rate),
        fma(pull, x_off, hold * x_rate),
        fma(pull, z_off, hold * z_rate),
    )


@strict
def _keep_in_cone(eight: Floats, lane: int, x: float, z: float, x_rate: float, z_rate: float) -> None:
    """Write a swing; a bar that left its cone is brought back onto it and does not go on outwards."""
    cone = _setting(eight, at.CONE, lane)
    square = fma(x, x, z * z)
    # What is left of a swing is dropped before numbers become so small that processors are slow with them.
    alive = square > _STILL or fma(x_rate, x_rate, z_rate * z_rate) > _STILL
    over = square > cone * cone
    angle = math.sqrt(max(square, 1e-300))
    x_out, z_out = x / angle, z / angle
    outwards = max(0.0, fma(x_rate, x_out, z_rate * z_out))
    outwards = outwards if over else 0.0
    x, z = (cone * x_out if over else x), (cone * z_out if over else z)
    eight[at.SWING * LANES + lane] = x if alive else 0.0
    eight[(at.SWING + 1) * LANES + lane] = z if alive else 0.0
    eight[at.SWING_RATE * LANES + lane] = fnma(outwards, x_out, x_rate) if alive else 0.0
    eight[(at.SWING_RATE + 1) * LANES + lane] = fnma(outwards, z_out, z_rate) if alive else 0.0


@part
def place(twisted: bool, eight: Floats) -> None:
    """Write the tips and deflections of bars that hang and lean; ``twisted`` where some are turned about themselves."""
    for lane in range(LANES):
        x, z = eight[at.SWING * LANES + lane], eight[(at.SWING + 1) * LANES + lane]
        cosine, sine = half_lean(x, z)
        target = get_turn(eight, at.TARGET, lane)
        put_turn(eight, BAR, lane, multiply(target, (cosine, sine * z, 0.0, -sine * x)))
    if twisted:
        for lane in range(LANES):
            _twist(lane, eight)
    for lane in range(LANES):
        bar, frame = get_turn(eight, BAR, lane), get_turn(eight, at.ANIMATED_FRAME, lane)
        length = _setting(eight, at.LENGTH, lane)
        put_vector(eight, at.TIP, lane, beyond(get_vector(eight, at.ANCHOR, lane), bar_of(bar), length))
        off = from_to(frame, bar)
        same = bar[0] == frame[0] and bar[1] == frame[1] and bar[2] == frame[2] and bar[3] == frame[3]
        put_turn(
            eight,
            at.DEFLECTION,
            lane,
            (
                1.0 if same else off[0],
                0.0 if same else off[1],
                0.0 if same else off[2],
                0.0 if same else off[3],
            ),
        )


@part
def _twist(lane: int, eight: Floats) -> None:
    """Turn a bar about itself. Not melted into the loop, where each lane would be rounded in its own way."""
    half = 0.5 * eight[at.TWIST * LANES + lane]
    turn = (math.cos(half), 0.0, math.sin(half), 0.0)
    put_turn(eight, BAR, lane, multiply(get_turn(eight, BAR, lane), turn))
