"""Feet that stand: the legs of decoded poses bent so that a foot is where the file says it was, the compiled part."""

from __future__ import annotations

import math

from locomote.formats._lmz_bands import smooth_context
from locomote.formats._lmz_coder import Bytes, Numbers, Whole, finish_encoder, start_decoder, start_encoder
from locomote.formats._lmz_numbers import get_number, put_number
from locomote.math._compile import inline, kernel, part
from locomote.math.quaternion import (
    Quaternion,
    conjugate,
    exp,
    log,
    multiply,
    normalize,
    quaternion,
    rotate,
    store,
)
from locomote.math.two_bone import solve_limb
from locomote.math.vector import Floats, Vector, add, norm, scale, smooth_step, subtract, vector

HIP, KNEE, ANKLE, BALL = 0, 1, 2, 3
_STRETCH = 0.9999  # of a leg's length that it may have
_MOST_SINK = 0.05  # m
NUMBERS = 11  # the ball's place, the rotations of foot and toes as quaternions


@inline
def _part_of(turn: Quaternion, share: float) -> Quaternion:
    return exp(scale(log(turn), share))


@part
def _bend(
    t: int,
    leg: Whole,
    ankle_goal: Vector,
    foot: Quaternion,
    toes: Quaternion,
    parents: Whole,
    places: Floats,
    turns: Floats,
    rotations: Floats,
) -> None:
    """Bend one leg of one frame so that its ankle is at a place, and foot and toes are turned as told, in the world."""
    hip, knee, ankle, ball = leg[HIP], leg[KNEE], leg[ANKLE], leg[BALL]
    at = vector(places[t, hip])
    thigh = subtract(vector(places[t, knee]), at)
    shank = subtract(vector(places[t, ankle]), vector(places[t, knee]))
    up, low = solve_limb(thigh, shank, subtract(ankle_goal, at), (0.0, 0.0, 0.0), 0.0)
    upper = multiply(up, quaternion(turns[t, hip]))
    lower = multiply(low, quaternion(turns[t, knee]))
    above = conjugate(quaternion(turns[t, parents[hip]]))
    store(rotations[t, hip], normalize(multiply(above, upper)))
    store(rotations[t, knee], normalize(multiply(conjugate(upper), lower)))
    store(rotations[t, ankle], normalize(multiply(conjugate(lower), foot)))
    if ball != ankle:
        store(rotations[t, ball], normalize(multiply(conjugate(foot), toes)))


@kernel
def needed_sink(
    first: int, legs: Whole, contacts: Whole, goals: Floats, skeleton: tuple[Whole, Floats], places: Floats, out: Floats
) -> None:
    """Fill ``out (F,)``: by how much the body must come down for its legs to reach, m; arguments as in `plant`."""
    offsets = skeleton[1]
    for k in range(contacts.shape[0]):
        leg = legs[contacts[k, 0]]
        reach = _STRETCH * (norm(vector(offsets[leg[KNEE]])) + norm(vector(offsets[leg[ANKLE]])))
        start = contacts[k, 1] - first
        for t in range(max(start, 0), min(contacts[k, 2] - first, out.shape[0])):
            goal = goals[contacts[k, 5] + t - start]
            ankle_goal = vector(goal)
            if leg[BALL] != leg[ANKLE]:
                foot = normalize(quaternion(goal[3:7]))
                ankle_goal = subtract(ankle_goal, rotate(foot, vector(offsets[leg[BALL]])))
            way = subtract(vector(places[t, leg[HIP]]), ankle_goal)
            room = reach * reach - way[0] * way[0] - way[2] * way[2]
            if room > 0.0:
                out[t] = max(out[t], min(way[1] - math.sqrt(room), _MOST_SINK))


@kernel
def plant(
    first: int,
    legs: Whole,
    contacts: Whole,
    goals: Floats,
    skeleton: tuple[Whole, Floats],
    places: Floats,
    turns: Floats,
    rotations: Floats,
) -> None:
    """Change ``rotations (F, J, 4)`` of frames from ``first`` on so that feet in contact are at their goals.

    ``legs (L, 4)`` are joints; ``contacts (K, 6)`` the leg, the frames from where up to where, over how many frames
    before and after its correction fades, and its first row in ``goals (N, 11)``; ``skeleton`` parents and offsets;
    ``places`` and ``turns`` where the joints are in the world as decoded.
    """
    parents, offsets = skeleton
    frames = rotations.shape[0]
    for k in range(contacts.shape[0]):
        leg = legs[contacts[k, 0]]
        ankle, ball = leg[ANKLE], leg[BALL]
        start, stop = contacts[k, 1] - first, contacts[k, 2] - first
        for t in range(max(start - contacts[k, 3], 0), min(stop + contacts[k, 4], frames)):
            held = min(max(t, start), stop - 1)
            if held < 0 or held >= frames:
                continue
            goal = goals[contacts[k, 5] + held - start]
            foot, toes = normalize(quaternion(goal[3:7])), normalize(quaternion(goal[7:11]))
            ankle_goal = vector(goal)
            if ball != ankle:
                ankle_goal = subtract(ankle_goal, rotate(foot, vector(offsets[ball])))
            if held != t:  # beside the contact what is left of its correction fades
                far = start - t if t < start else t - stop + 1
                share = 1.0 - smooth_step(far / (contacts[k, 3 if t < start else 4] + 1.0))
                off = scale(subtract(ankle_goal, vector(places[held, ankle])), share)
                foot_off = multiply(foot, conjugate(quaternion(turns[held, ankle])))
                toes_off = multiply(toes, conjugate(quaternion(turns[held, ball])))
                ankle_goal = add(vector(places[t, ankle]), off)
                foot = multiply(_part_of(foot_off, share), quaternion(turns[t, ankle]))
                toes = multiply(_part_of(toes_off, share), quaternion(turns[t, ball]))
            _bend(t, leg, ankle_goal, foot, toes, parents, places, turns, rotations)


@kernel
def encode_rows(rows: Numbers, contexts: Whole, sizes: Whole, state: Whole, out: Bytes) -> int:
    """Write whole numbers ``(N, D)``; ``sizes (2, D)`` is memory to work in."""
    start_encoder(state)
    sizes[:] = 0
    for t in range(rows.shape[0]):
        for c in range(rows.shape[1]):
            put_number(state, out, contexts, smooth_context(sizes[0], sizes[1], c), int(rows[t, c]))
            sizes[0, c] = abs(int(rows[t, c]))
        for c in range(rows.shape[1]):
            sizes[1, c] = sizes[0, c]
    return finish_encoder(state, out)


@kernel
def decode_rows(rows: Numbers, contexts: Whole, sizes: Whole, state: Whole, data: Bytes) -> None:
    """Read whole numbers ``(N, D)``; ``sizes (2, D)`` is memory to work in."""
    start_decoder(state, data)
    sizes[:] = 0
    for t in range(rows.shape[0]):
        for c in range(rows.shape[1]):
            value = get_number(state, data, contexts, smooth_context(sizes[0], sizes[1], c))
            rows[t, c] = min(max(value, -(1 << 30)), 1 << 30)
            sizes[0, c] = abs(value)
        for c in range(rows.shape[1]):
            sizes[1, c] = sizes[0, c]
