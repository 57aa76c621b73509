"""Legs hang on girdles, and girdles are where the bent trunk has them: places in the plan, seen from either side.

A foot's row says where the frame of its girdle is in that of the body: ahead, aside and turned.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.state import CreatureState, FootState
from locomote.math._compile import inline
from locomote.math.vector import Pair, Vector


class BodyTurn(NamedTuple):
    """How a body is turned: sines and cosines of its yaw, pitch and roll."""

    yaw: Pair
    pitch: Pair
    roll: Pair


@inline
def turn_now(row: CreatureState, yaw: float) -> BodyTurn:
    """How a body is turned that faces so, as it is tilted now."""
    return BodyTurn(
        (math.sin(yaw), math.cos(yaw)),
        (math.sin(row.pitch), math.cos(row.pitch)),
        (math.sin(row.roll), math.cos(row.roll)),
    )


@inline
def tilted_in(x: float, y: float, z: float, turn: BodyTurn) -> Vector:
    """A difference in the world, seen from a body."""
    x, z = turned_in(x, z, turn.yaw[0], turn.yaw[1])
    (sine, cosine), (roll_sine, roll_cosine) = turn.pitch, turn.roll
    y, z = cosine * y - sine * z, cosine * z + sine * y
    return roll_cosine * x + roll_sine * y, roll_cosine * y - roll_sine * x, z


@inline
def tilted_out(x: float, y: float, z: float, turn: BodyTurn) -> Vector:
    """A difference in the frame of a body, seen from the world."""
    (sine, cosine), (roll_sine, roll_cosine) = turn.pitch, turn.roll
    x, y = roll_cosine * x - roll_sine * y, roll_cosine * y + roll_sine * x
    y, z = cosine * y + sine * z, cosine * z - sine * y
    x, z = turned_out(x, z, turn.yaw[0], turn.yaw[1])
    return x, y, z


@inline
def turned_out(x: float, z: float, sine: float, cosine: float) -> Pair:
    """A difference in the plan in a frame that is turned so, seen from the world."""
    return cosine * x + sine * z, cosine * z - sine * x


@inline
def turned_in(x: float, z: float, sine: float, cosine: float) -> Pair:
    """A difference in the plan of the world, seen from a frame that is turned so."""
    return cosine * x - sine * z, sine * x + cosine * z


@inline
def in_body(x: float, z: float, foot: FootState) -> Pair:
    """A place in the frame of a foot's girdle, seen from the body."""
    frame = foot.carrier
    sine, cosine = frame.sine, frame.cosine
    return frame.x + cosine * x + sine * z, frame.z + cosine * z - sine * x


@inline
def in_girdle(x: float, z: float, foot: FootState) -> Pair:
    """A place in the frame of the body, seen from a foot's girdle."""
    frame = foot.carrier
    return turned_in(x - frame.x, z - frame.z, frame.sine, frame.cosine)
