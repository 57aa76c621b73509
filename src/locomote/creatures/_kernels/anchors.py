"""Places that move with what they lie on: a footprint is kept in the frame of the thing under it."""

from __future__ import annotations

from locomote.creatures._kernels.state import Anchor
from locomote.math._compile import inline
from locomote.math.vector import Vector
from locomote.world._kernels.map_layout import MapArrays
from locomote.world._kernels.map_reading import generation, local_of


@inline
def hold_to(anchor: Anchor, slot: int, place: Vector, maps: MapArrays) -> None:
    """Remember a place of the world as the thing of a slot sees it; -1 for the ground."""
    anchor.support, anchor.born = slot, generation(slot, maps)
    anchor.x, anchor.y, anchor.z = local_of(slot, place[0], place[1], place[2], maps)


@inline
def still_there(anchor: Anchor, maps: MapArrays) -> bool:
    """Whether what a place lies on exists as it did."""
    return bool(generation(anchor.support, maps) == anchor.born)
