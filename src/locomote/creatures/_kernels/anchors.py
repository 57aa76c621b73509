"""Places that move with what they lie on: a footprint is kept in the frame of the thing under it."""

from __future__ import annotations

from locomote.creatures._kernels.state import Anchor, FootState
from locomote.math._compile import inline
from locomote.math.vector import Vector
from locomote.world._kernels.map_layout import MapArrays
from locomote.world._kernels.map_reading import anchored, generation, local_of


@inline
def hold_to(anchor: Anchor, slot: int, place: Vector, maps: MapArrays) -> None:
    """Remember a place of the world as the thing of a slot sees it; -1 for the ground."""
    anchor.support, anchor.born = slot, generation(slot, maps)
    anchor.x, anchor.y, anchor.z = local_of(slot, place[0], place[1], place[2], maps)


@inline
def still_there(anchor: Anchor, maps: MapArrays) -> bool:
    """Whether what a place lies on exists as it did."""
    return bool(generation(anchor.support, maps) == anchor.born)


@inline
def goal_now(foot: FootState, maps: MapArrays) -> Vector:
    """Where the footprint that a foot swings to is by now: it moves with what it lies on."""
    anchor = foot.goal_anchor
    if anchor.support < 0 or not still_there(anchor, maps):
        return foot.goal_x, foot.goal_y, foot.goal_z
    return anchored(anchor.support, anchor.x, anchor.y, anchor.z, maps)
