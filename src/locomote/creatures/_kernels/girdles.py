"""Legs hang on girdles, and girdles are where the bent trunk has them: places in the plan, seen from either side.

A foot's row says where the frame of its girdle is in that of the body: ahead, aside and turned.
"""

from __future__ import annotations

from locomote.creatures._kernels.layout import CARRIER_COSINE, CARRIER_SINE, CARRIER_X, CARRIER_Z
from locomote.math._compile import inline
from locomote.math.vector import Floats, Pair


@inline
def in_body(x: float, z: float, foot: Floats) -> Pair:
    """A place in the frame of a foot's girdle, seen from the body."""
    sine, cosine = foot[CARRIER_SINE], foot[CARRIER_COSINE]
    return foot[CARRIER_X] + cosine * x + sine * z, foot[CARRIER_Z] + cosine * z - sine * x


@inline
def in_girdle(x: float, z: float, foot: Floats) -> Pair:
    """A place in the frame of the body, seen from a foot's girdle."""
    sine, cosine = foot[CARRIER_SINE], foot[CARRIER_COSINE]
    x, z = x - foot[CARRIER_X], z - foot[CARRIER_Z]
    return cosine * x - sine * z, sine * x + cosine * z


@inline
def turned_out(x: float, z: float, sine: float, cosine: float) -> Pair:
    """A difference in the plan in a frame that is turned so, seen from the world."""
    return cosine * x + sine * z, cosine * z - sine * x


@inline
def turned_in(x: float, z: float, sine: float, cosine: float) -> Pair:
    """A difference in the plan of the world, seen from a frame that is turned so."""
    return cosine * x - sine * z, sine * x + cosine * z
