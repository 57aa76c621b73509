"""Spine, neck and tail of a simulated animal: springs, and what carries their weight (QUA-13, 14, 15)."""

from __future__ import annotations

from locomote.math._compile import inline
from locomote.math.quaternion import conjugate, exp, log, multiply, rotate
from locomote.math.vector import Floats, add, cross, scale, subtract, vector
from locomote.physics._kernels.animal_frames import add_to, turned, wanted_turn
from locomote.physics._kernels.animal_legs import knot
from locomote.physics._kernels.animal_model import (
    FRONT,
    KNOTS,
    NECK,
    NECK_GAIN,
    SPINE,
    TAIL,
    AnimalBody,
    AnimalState,
    Asked,
    Views,
)

G = 9.81
UP = (0.0, 1.0, 0.0)


@inline
def hold_back(body: AnimalBody, views: Views, params: Floats, asked: Asked, state: AnimalState) -> None:
    """Spine, neck and tail: springs, and what carries their weight (QUA-13, 14, 15)."""
    links = body.spine.shape[0]
    whole = log(multiply(conjugate(wanted_turn(params, asked, state, 0)), wanted_turn(params, asked, state, FRONT)))
    each = scale(add(whole, vector(asked.bend)), 1.0 / max(links, 1))
    k_spine = body.gains[SPINE] * asked.stiff[1]
    # What is limp is not carried either.
    held, held_neck, held_tail = min(asked.stiff[1], 1.0), min(asked.stiff[0], 1.0), min(asked.stiff[4], 1.0)
    for s in range(links):
        link, sign = body.spine[s, 0], body.spine[s, 1]
        if body.ball_dofs[link] < 0:
            continue
        axes = turned(body, views, link)
        relative = multiply(conjugate(turned(body, views, body.parents[link])), axes)
        error = log(multiply(conjugate(relative), exp(scale(each, float(sign)))))
        add_to(state.torques[link], scale(rotate(axes, error), k_spine))
        # Links between the frames are carried from both ends.
        for other in range(links):
            mass, w = body.masses[body.spine[other, 0]], body.spans[other]
            if body.spine[other, 0] == body.frames[0] or body.spine[other, 0] == body.frames[FRONT]:
                continue
            arm = subtract(vector(views.centres[body.spine[other, 0]]), vector(views.places[link]))
            share = held * (1.0 - w) if other >= s else -held * w
            add_to(state.torques[link], scale(cross(arm, UP), share * float(sign) * mass * G))
    last = body.neck.shape[0] - 1
    yaw = exp((0.0, asked.yaw[FRONT], 0.0))
    for n in range(last + 1):
        link = body.neck[n]
        begin = NECK + KNOTS * (1 if n == last else 0)
        pitch = knot(params, begin, KNOTS, state.clock[0], True)
        want = multiply(yaw, exp((-pitch, 0.0, 0.0)))
        error = log(multiply(want, conjugate(turned(body, views, link))))
        add_to(state.torques[link], scale(error, body.gains[NECK_GAIN] * asked.stiff[0]))
        for m in range(n, last + 1):
            arm = subtract(vector(views.centres[body.neck[m]]), vector(views.places[link]))
            add_to(state.torques[link], scale(cross(arm, UP), held_neck * body.masses[body.neck[m]] * G))
    for n in range(body.tail.shape[0]):
        link = body.tail[n]
        axes = turned(body, views, link)
        error = log(multiply(conjugate(axes), turned(body, views, body.parents[link])))
        add_to(state.torques[link], scale(rotate(axes, error), body.gains[TAIL] * asked.stiff[4]))
        for m in range(n, body.tail.shape[0]):
            arm = subtract(vector(views.centres[body.tail[m]]), vector(views.places[link]))
            add_to(state.torques[link], scale(cross(arm, UP), held_tail * body.masses[body.tail[m]] * G))
