"""Long bodies are carried piece by piece: each girdle over its own feet and the ground under it."""

from __future__ import annotations

import math

from locomote.creatures._kernels.body_pose import EAGERNESS, SOON
from locomote.creatures._kernels.girdles import turned_in
from locomote.creatures._kernels.model import BodyTrunk, Spine
from locomote.creatures._kernels.scratch import GirdlePose
from locomote.creatures._kernels.state import STANDING, FootState, OneCreature, SpineNode
from locomote.math._compile import inline, part
from locomote.math.constants import GRAVITY
from locomote.math.records import Records
from locomote.math.vector import Pair, spring
from locomote.world._kernels.map_layout import MapArrays
from locomote.world._kernels.map_reading import cell_of, cell_top

_ACROSS = 3  # places under a girdle where the ground is looked at


@part
def follow_ground(
    dt: float, one: OneCreature, trunk: BodyTrunk, spine: Spine, maps: MapArrays, girdles: Records
) -> None:
    """Let the girdles of a long body follow their own feet; the lowest that each may be, over the plane of all feet."""
    row = one.row
    for k in range(girdles.shape[0]):
        girdles[k].tread = 0.0
    for f in range(one.feet.shape[0]):
        foot: FootState = one.feet[f]
        own: GirdlePose = girdles[spine.carriers[f]]
        own.tread += spine.weights[f] * (foot.y if foot.state == STANDING else foot.goal_y)
    tilt = math.tan(row.pitch), math.tan(row.roll)
    for k in range(girdles.shape[0]):
        girdle: GirdlePose = girdles[k]
        girdle.lowest = _over_its_ground(dt, k, girdle.tread, tilt, one, trunk, spine, maps)


@inline
def _over_its_ground(
    dt: float, k: int, tread: float, tilt: Pair, one: OneCreature, trunk: BodyTrunk, spine: Spine, maps: MapArrays
) -> float:
    """Let a girdle of a long body follow its own feet; the lowest that it may be, over the plane of all feet.

    ``tread`` is how high its feet tread, ``tilt`` the slopes of the body ahead and to the left.
    """
    row, girdle = one.row, one.girdles[k]
    node: SpineNode = one.nodes[spine.nodes[spine.girdles[k]]]
    sine, cosine = math.sin(row.yaw), math.cos(row.yaw)
    across, along = turned_in(node.x - row.x, node.z - row.z, sine, cosine)
    plane = row.y + tilt[0] * along + tilt[1] * across
    ground, soon = -math.inf, -math.inf
    yaw = row.yaw + node.yaw
    sine, cosine = math.sin(yaw), math.cos(yaw)
    for i in range(_ACROSS):
        w = trunk.half_width * (2.0 * i / (_ACROSS - 1) - 1.0)
        x, z = node.x + w * cosine, node.z - w * sine
        line, column = cell_of(x, z, maps)
        ground = max(ground, cell_top(line, column, maps)[0])
        line, column = cell_of(x + SOON * row.speed * sine, z + SOON * row.speed * cosine, maps)
        soon = max(soon, cell_top(line, column, maps)[0])
    # It rises before it comes to a ledge; what it would still touch it gives way to as fast as bodies do.
    before, rate = girdle.heave, girdle.heaving
    own = max(tread + trunk.height, max(ground, soon) + trunk.belly) - plane
    girdle.heave, girdle.heaving = spring(before, rate, own, 0.0, EAGERNESS, dt)
    least: float = ground + trunk.belly - plane
    if dt > 0.0:
        least = min(least, before + (rate + GRAVITY * dt) * dt)
    if girdle.heave < least:
        girdle.heave = least
        girdle.heaving = min(max((least - before) / dt, rate), rate + GRAVITY * dt) if dt > 0.0 else 0.0
    return least
