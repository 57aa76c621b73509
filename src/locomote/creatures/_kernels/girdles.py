"""Legs hang on girdles, and girdles are where the bent trunk has them: places in the plan, seen from either side.

A foot's row says where the frame of its girdle is in that of the body: ahead, aside and turned.
"""

from __future__ import annotations

from locomote.creatures._kernels.state import FootState
from locomote.math._compile import inline
from locomote.math.vector import Pair


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
