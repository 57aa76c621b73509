"""Where the legs of a creature will be in the plan while one of its feet steps: none may be crossed."""

from __future__ import annotations

import math

from locomote.creatures._kernels.anchors import goal_now
from locomote.creatures._kernels.drive import look_ahead
from locomote.creatures._kernels.girdles import in_body, turned_out
from locomote.creatures._kernels.model import Limbs
from locomote.creatures._kernels.scratch import Scratch
from locomote.creatures._kernels.state import STANDING, SWING, FootState, OneCreature
from locomote.creatures._kernels.swing_window import MOST_PASSED
from locomote.math._compile import inline
from locomote.math.vector import Vector
from locomote.world._kernels.map_layout import MapArrays
from locomote.world._kernels.map_reading import velocity_at

_LEAVING = 1.3  # of its swing, after which a foot finds the place free of one that lifts
_JUST = 0.05  # s before a landing; a leg that lifts later may still be there
_PASSED = 0.25  # of its swing, in which a foot leaves the place of one that is still to land behind it


@inline
def place_ahead(local_x: float, local_z: float, ahead: Vector, foot: FootState) -> tuple[float, float]:
    """Where a place in the frame of a foot's girdle will be in the world, by (x, z, yaw) of the body then."""
    x, z = in_body(local_x, local_z, foot)
    x, z = turned_out(x, z, math.sin(ahead[2]), math.cos(ahead[2]))
    return ahead[0] + x, ahead[1] + z


@inline
def hip_ahead(f: int, ahead: Vector, foot: FootState, limbs: Limbs) -> tuple[float, float]:
    """Where a hip will be in the plan, by (x, z, yaw) of the body then."""
    return place_ahead(limbs.hips[f, 0], limbs.hips[f, 2], ahead, foot)


@inline
def place_legs(own: int, down: Vector, one: OneCreature, limbs: Limbs, maps: MapArrays, scratch: Scratch) -> int:
    """Fill the legs of the scratch in the plan as they will be when a foot comes down; bits of those in the air.

    ``down`` is (x, z, yaw) of the body then. NaN stands for a leg that will have left the ground.
    """
    legs, parting, times = scratch.legs.landing, scratch.legs.parting, scratch.times
    left, stance = times.left[own], times.stance[own]
    feet, swinging = one.feet, one.swinging
    late = look_ahead(left + stance, one.row)
    passed = 0
    for f in range(feet.shape[0]):
        foot: FootState = feet[f]
        legs[f, 0, 0], legs[f, 0, 1] = hip_ahead(f, down, foot, limbs)
        standing = f == own or foot.state == STANDING
        place, slot = (foot.x, foot.y, foot.z), foot.anchor.support
        if not standing:
            place, slot = goal_now(foot, maps), foot.goal_anchor.support
        vx, vz = velocity_at(slot, place[0], place[2], maps)  # it goes with what it stands on
        legs[f, 1, 0], legs[f, 1, 1] = place[0] + left * vx, place[2] + left * vz
        stays = times.left[f]
        if not standing or (swinging[f] == SWING and foot.served):
            stays += times.stance[f]  # it has still to come down, or did so before its time
        if f != own and stays < left - _JUST:
            legs[f, 0, 0] = math.nan  # it will have stepped away
        # The body turns while both stand: legs that do not cross when one comes down may do so later.
        share = min(max((stays - left) / max(stance, 1e-6), 0.0), 1.0)
        then = (
            down[0] + share * (late[0] - down[0]),
            down[1] + share * (late[1] - down[1]),
            down[2] + share * (late[2] - down[2]),
        )
        parting[f, 0, 0], parting[f, 0, 1] = hip_ahead(f, then, foot, limbs)
        parting[f, 1, 0], parting[f, 1, 1] = legs[f, 1, 0] + share * stance * vx, legs[f, 1, 1] + share * stance * vz
        parting[f, 2, 0], parting[f, 2, 1] = hip_ahead(own, then, feet[own], limbs)
        if math.isnan(legs[f, 0, 0]):
            parting[f, 0, 0] = math.nan
        # One that is about to step away, or comes down when this foot has gone by, is not in its way.
        aside = stays < _LEAVING * left if standing else times.left[f] > _PASSED * left
        if aside and f < MOST_PASSED:
            passed |= 1 << f
    return passed
