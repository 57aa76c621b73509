"""The line of a trunk in the plan: the front girdle leads, every node behind it goes where the one ahead has been."""

from __future__ import annotations

import math

from locomote.creatures._kernels import layout as c
from locomote.creatures._kernels.girdles import turned_out
from locomote.creatures._kernels.spine_layout import (
    NODE_LOCAL_X,
    NODE_LOCAL_Z,
    NODE_X,
    NODE_YAW,
    NODE_Z,
    Spine,
)
from locomote.math._compile import inline, kernel, part
from locomote.math.vector import Floats, Pair, wrapped

RELAXING = math.log(2.0) / 0.25  # 1/s at which the last piece of the line falls in with the one ahead of it
BRISK = 0.5  # lengths of the line a second at which it does so in full
STILL = 0.2  # rad/s; bodies that turn less than this and do not walk straighten


@inline
def _behind(x: float, z: float, length: float, old_x: float, old_z: float, far_x: float, far_z: float) -> Pair:
    """Where a node at a fixed length from (x, z) is on the piece from where the one ahead was to where it was itself.

    Where the circle does not meet the piece, it is drawn or pushed straight.
    """
    way_x, way_z = far_x - old_x, far_z - old_z
    from_x, from_z = old_x - x, old_z - z
    a = way_x * way_x + way_z * way_z
    b = from_x * way_x + from_z * way_z
    rest = b * b - a * (from_x * from_x + from_z * from_z - length * length)
    if a > 0.0 and rest >= 0.0:
        share = (math.sqrt(rest) - b) / a
        if 0.0 <= share <= 1.0:
            return old_x + share * way_x, old_z + share * way_z
    off_x, off_z = far_x - x, far_z - z
    off = max(math.sqrt(off_x * off_x + off_z * off_z), 1e-12)
    return x + length * off_x / off, z + length * off_z / off


@part
def bend_line(
    dt: float,
    way: float,
    step: float,
    dx: float,
    dz: float,
    row: Floats,
    feet: Floats,
    nodes: Floats,
    spine: Spine,
) -> None:
    """Let the line of a trunk follow its body: it went ``way`` ahead, turned by ``step``, was moved by (dx, dz)."""
    count = nodes.shape[0]
    yaw = row[c.YAW]
    sine, cosine = math.sin(yaw), math.cos(yaw)
    x, z = turned_out(spine.places[0, 0], spine.places[0, 2], sine, cosine)
    old_x, old_z = nodes[0, NODE_X] + dx, nodes[0, NODE_Z] + dz
    nodes[0, NODE_X], nodes[0, NODE_Z] = row[c.X] + x, row[c.Z] + z
    for k in range(1, count):
        far_x, far_z = nodes[k, NODE_X] + dx, nodes[k, NODE_Z] + dz
        nodes[k, NODE_X], nodes[k, NODE_Z] = _behind(
            nodes[k - 1, NODE_X], nodes[k - 1, NODE_Z], spine.lengths[k - 1], old_x, old_z, far_x, far_z
        )
        old_x, old_z = far_x, far_z
    _limit(dt, way, step, yaw, row, nodes, spine)
    _turn_joints(yaw, nodes, spine)
    carry_feet(feet, nodes, spine)


@inline
def _limit(dt: float, way: float, step: float, yaw: float, row: Floats, nodes: Floats, spine: Spine) -> None:
    """Keep every bend within its limit, from the front back; what the front cannot take turns all that is behind."""
    count = nodes.shape[0]
    length = 0.0
    for k in range(count - 1):
        length += spine.lengths[k]
    pace = min(abs(way) / max(BRISK * length * dt, 1e-9), 1.0) if dt > 0.0 else 0.0
    easing = math.exp(-RELAXING * pace * dt)
    still = (1.0 - pace) * max(0.0, 1.0 - abs(step) / max(STILL * dt, 1e-9)) if dt > 0.0 else 0.0
    every = math.exp(-spine.straightens * still * dt)
    if way < 0.0:
        every *= easing  # backwards there is no path to follow: a bent line would fold up
    ahead, most = yaw, row[c.FLEX] * spine.limit
    for k in range(1, count):
        off_x, off_z = nodes[k - 1, NODE_X] - nodes[k, NODE_X], nodes[k - 1, NODE_Z] - nodes[k, NODE_Z]
        bend = wrapped(math.atan2(off_x, off_z) - ahead) * every
        if k == count - 1 and k > 1:
            bend *= easing
        ahead += min(max(bend, -most), most)
        nodes[k, NODE_YAW] = ahead  # of the piece ahead of the node, until the joints are turned
    for k in range(1, count):
        piece = spine.lengths[k - 1]
        nodes[k, NODE_X] = nodes[k - 1, NODE_X] - piece * math.sin(nodes[k, NODE_YAW])
        nodes[k, NODE_Z] = nodes[k - 1, NODE_Z] - piece * math.cos(nodes[k, NODE_YAW])


@inline
def _turn_joints(yaw: float, nodes: Floats, spine: Spine) -> None:
    """Turn the joint of each node with the pieces of the line that hang on it, from the yaw of the body."""
    count = nodes.shape[0]
    last = nodes[count - 1, NODE_YAW]
    after = 0.0
    for k in range(count):
        piece = after  # of the piece behind the node ahead, which the loop would overwrite
        after = nodes[k + 1, NODE_YAW] if k + 1 < count else last
        turned, number = 0.0, 0
        for side in range(2):
            if spine.drives[k, side] == k - 1:
                turned, number = turned + piece, number + 1
            elif spine.drives[k, side] == k:
                turned, number = turned + after, number + 1
        if number == 0:
            turned, number = (yaw if k == 0 else last), 1
        nodes[k, NODE_YAW] = turned / number - yaw


@part
def carry_feet(feet: Floats, nodes: Floats, spine: Spine) -> None:
    """Tell every foot where its girdle is, by the turns of the joints along the line."""
    x, z = spine.places[0, 0], spine.places[0, 2]
    for k in range(nodes.shape[0]):
        if k > 0:
            # The bone between two nodes turns with the joint that it hangs on.
            driver = k if spine.drives[k, 0] == k - 1 or spine.drives[k, 1] == k - 1 else k - 1
            off_x = spine.places[k, 0] - spine.places[k - 1, 0]
            off_z = spine.places[k, 2] - spine.places[k - 1, 2]
            turn = nodes[driver, NODE_YAW]
            off_x, off_z = turned_out(off_x, off_z, math.sin(turn), math.cos(turn))
            x, z = x + off_x, z + off_z
        nodes[k, NODE_LOCAL_X], nodes[k, NODE_LOCAL_Z] = x, z
        sine, cosine = math.sin(nodes[k, NODE_YAW]), math.cos(nodes[k, NODE_YAW])
        back_x, back_z = turned_out(spine.places[k, 0], spine.places[k, 2], sine, cosine)
        for f in range(feet.shape[0]):
            if spine.nodes[spine.girdles[spine.carriers[f]]] == k:
                feet[f, c.CARRIER_X], feet[f, c.CARRIER_Z] = x - back_x, z - back_z
                feet[f, c.CARRIER_SINE], feet[f, c.CARRIER_COSINE] = sine, cosine


@kernel
def straighten_all(rows: Floats, nodes: Floats, feet: Floats, spine: Spine) -> None:
    """Lay the lines of trunks ``(N, M, NODE_COLUMNS)`` straight along their bodies."""
    for n in range(rows.shape[0]):
        sine, cosine = math.sin(rows[n, c.YAW]), math.cos(rows[n, c.YAW])
        for k in range(nodes.shape[1]):
            x, z = turned_out(spine.places[k, 0], spine.places[k, 2], sine, cosine)
            nodes[n, k, NODE_X], nodes[n, k, NODE_Z] = rows[n, c.X] + x, rows[n, c.Z] + z
            nodes[n, k, NODE_YAW] = 0.0
            nodes[n, k, NODE_LOCAL_X], nodes[n, k, NODE_LOCAL_Z] = spine.places[k, 0], spine.places[k, 2]
        for f in range(feet.shape[1]):
            feet[n, f, c.CARRIER_COSINE] = 1.0
