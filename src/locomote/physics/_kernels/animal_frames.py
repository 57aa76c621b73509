"""Where the parts of a simulated animal are and how they are turned; what its frames are to be."""

from __future__ import annotations

from locomote.math._compile import inline
from locomote.math.quaternion import Quaternion, conjugate, exp, multiply, quaternion, rotate
from locomote.math.vector import Floats, Vector, add, vector
from locomote.physics._kernels.animal_legs import knot
from locomote.physics._kernels.animal_model import (
    KNOTS,
    MORE_PITCH,
    MORE_ROLL,
    PITCH,
    AnimalBody,
    AnimalState,
    Asked,
    Views,
)


@inline
def frame_origin(body: AnimalBody, views: Views, frame: int) -> Vector:
    link = body.frames[frame]
    return add(vector(views.places[link]), rotate(quaternion(views.turns[link]), vector(body.origins[frame])))


@inline
def turned(body: AnimalBody, views: Views, link: int) -> Quaternion:
    """The rotation of a body from rest."""
    return multiply(quaternion(views.turns[link]), conjugate(quaternion(body.rest[link])))


@inline
def wanted_turn(params: Floats, asked: Asked, state: AnimalState, frame: int) -> Quaternion:
    """The rotation of a frame from rest that is wanted."""
    pitch = knot(params, PITCH + KNOTS * frame, KNOTS, state.clock[0], True) + asked.frames[frame, MORE_PITCH]
    yaw = (0.0, asked.yaw[frame], 0.0)
    return multiply(exp(yaw), multiply(exp((-pitch, 0.0, 0.0)), exp((0.0, 0.0, asked.frames[frame, MORE_ROLL]))))


@inline
def turn_rate(views: Views, link: int) -> Vector:
    return views.rates[link, 0], views.rates[link, 1], views.rates[link, 2]


@inline
def add_to(row: Floats, torque: Vector) -> None:
    row[0] += torque[0]
    row[1] += torque[1]
    row[2] += torque[2]
