"""The line of a trunk in the plan: the front girdle leads, every node behind it goes where the one ahead has been."""

from __future__ import annotations

import math
from typing import NamedTuple

from locomote.creatures._kernels.girdles import turned_out
from locomote.creatures._kernels.model import Spine
from locomote.creatures._kernels.state import CreatureState, GirdleFrame, SpineNode
from locomote.math._compile import inline, kernel, part
from locomote.math.records import Records
from locomote.math.vector import Pair, wrapped

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


class BodyMove(NamedTuple):
    """How a body moves in a frame."""

    dt: float  # s
    way: float  # m ahead
    step: float  # rad by which it turns
    dx: float  # m by which it is moved besides, in the world
    dz: float


@part
def bend_line(move: BodyMove, row: CreatureState, feet: Records, nodes: Records, spine: Spine) -> None:
    """Let the line of a trunk follow its body."""
    yaw = row.yaw
    sine, cosine = math.sin(yaw), math.cos(yaw)
    x, z = turned_out(spine.places[0, 0], spine.places[0, 2], sine, cosine)
    ahead: SpineNode = nodes[0]
    old_x, old_z = ahead.x + move.dx, ahead.z + move.dz
    ahead.x, ahead.z = row.x + x, row.z + z
    for k in range(1, nodes.shape[0]):
        node: SpineNode = nodes[k]
        far_x, far_z = node.x + move.dx, node.z + move.dz
        node.x, node.z = _behind(ahead.x, ahead.z, spine.lengths[k - 1], old_x, old_z, far_x, far_z)
        ahead, old_x, old_z = node, far_x, far_z
    _limit(move, yaw, row.effects.flex * spine.limit, nodes, spine)
    _turn_joints(yaw, nodes, spine)
    carry_feet(feet, nodes, spine)


@inline
def _limit(move: BodyMove, yaw: float, most: float, nodes: Records, spine: Spine) -> None:
    """Keep every bend within ``most``, from the front back; what the front cannot take turns all that is behind."""
    dt, way, step, count = move.dt, move.way, move.step, nodes.shape[0]
    length = 0.0
    for k in range(count - 1):
        length += spine.lengths[k]
    pace = min(abs(way) / max(BRISK * length * dt, 1e-9), 1.0) if dt > 0.0 else 0.0
    easing = math.exp(-RELAXING * pace * dt)
    still = (1.0 - pace) * max(0.0, 1.0 - abs(step) / max(STILL * dt, 1e-9)) if dt > 0.0 else 0.0
    every = math.exp(-spine.straightens * still * dt)
    if way < 0.0:
        every *= easing  # backwards there is no path to follow: a bent line would fold up
    ahead = yaw
    for k in range(1, count):
        front, node = nodes[k - 1], nodes[k]
        off_x, off_z = front.x - node.x, front.z - node.z
        bend = wrapped(math.atan2(off_x, off_z) - ahead) * every
        if k == count - 1 and k > 1:
            bend *= easing
        ahead += min(max(bend, -most), most)
        node.yaw = ahead  # of the piece ahead of the node, until the joints are turned
    for k in range(1, count):
        front, node, piece = nodes[k - 1], nodes[k], spine.lengths[k - 1]
        node.x = front.x - piece * math.sin(node.yaw)
        node.z = front.z - piece * math.cos(node.yaw)


@inline
def _turn_joints(yaw: float, nodes: Records, spine: Spine) -> None:
    """Turn the joint of each node with the pieces of the line that hang on it, from the yaw of the body."""
    count = nodes.shape[0]
    last = nodes[count - 1].yaw
    after = 0.0
    for k in range(count):
        piece = after  # of the piece behind the node ahead, which the loop would overwrite
        after = nodes[k + 1].yaw if k + 1 < count else last
        turned, number = 0.0, 0
        for side in range(2):
            if spine.drives[k, side] == k - 1:
                turned, number = turned + piece, number + 1
            elif spine.drives[k, side] == k:
                turned, number = turned + after, number + 1
        if number == 0:
            turned, number = (yaw if k == 0 else last), 1
        nodes[k].yaw = turned / number - yaw


@part
def carry_feet(feet: Records, nodes: Records, spine: Spine) -> None:
    """Tell every foot where its girdle is, by the turns of the joints along the line."""
    x, z = spine.places[0, 0], spine.places[0, 2]
    for k in range(nodes.shape[0]):
        if k > 0:
            # The bone between two nodes turns with the joint that it hangs on.
            driver = k if spine.drives[k, 0] == k - 1 or spine.drives[k, 1] == k - 1 else k - 1
            off_x = spine.places[k, 0] - spine.places[k - 1, 0]
            off_z = spine.places[k, 2] - spine.places[k - 1, 2]
            turn = nodes[driver].yaw
            off_x, off_z = turned_out(off_x, off_z, math.sin(turn), math.cos(turn))
            x, z = x + off_x, z + off_z
        node: SpineNode = nodes[k]
        node.local_x, node.local_z = x, z
    # Legs of one girdle follow one another, mostly: what was found for the last one is used again.
    last, back_x, back_z, sine, cosine = -1, 0.0, 0.0, 0.0, 1.0
    for f in range(feet.shape[0]):
        k = spine.nodes[spine.girdles[spine.carriers[f]]]
        node = nodes[k]
        if k != last:
            sine, cosine = math.sin(node.yaw), math.cos(node.yaw)
            back_x, back_z = turned_out(spine.places[k, 0], spine.places[k, 2], sine, cosine)
            last = k
        frame: GirdleFrame = feet[f].carrier
        frame.x, frame.z = node.local_x - back_x, node.local_z - back_z
        frame.sine, frame.cosine = sine, cosine


@kernel
def straighten_all(rows: Records, nodes: Records, feet: Records, spine: Spine) -> None:
    """Lay the lines of trunks ``(N, M)`` straight along their bodies."""
    for n in range(rows.shape[0]):
        row: CreatureState = rows[n]
        sine, cosine = math.sin(row.yaw), math.cos(row.yaw)
        for k in range(nodes.shape[1]):
            x, z = turned_out(spine.places[k, 0], spine.places[k, 2], sine, cosine)
            node: SpineNode = nodes[n, k]
            node.x, node.z, node.yaw = row.x + x, row.z + z, 0.0
            node.local_x, node.local_z = spine.places[k, 0], spine.places[k, 2]
        for f in range(feet.shape[1]):
            feet[n, f].carrier.cosine = 1.0
