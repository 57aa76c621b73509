"""Pendulums that turn the joints of skeletons: where the animation puts their bars, and the pose that comes of it."""

from __future__ import annotations

from typing import NamedTuple

from locomote.math._compile import inline, kernel, part
from locomote.math.quaternion import Quaternion, conjugate, multiply, quaternion, rotate, store
from locomote.math.vector import Floats, Ints, add, vector
from locomote.pendulums._kernels.layout import DEFLECTION, Swing
from locomote.pendulums._kernels.step import LOST, advance, forget_lanes, push_all
from locomote.pendulums._kernels.swing import fraction

_FASTEST = 100.0  # m/s; who is faster was put elsewhere


class Rig(NamedTuple):
    """A skeleton and which of its joints swing."""

    parents: Ints  # (J,)
    offsets: Floats  # (J, 3)
    needed: Ints  # (K,) the joints that swing and all above them, from the root on
    nodes: Ints  # (J,) the pendulum of a joint, or -1
    joints: Ints  # (P,)
    bars: Floats  # (P, 4) the frame of a bar in that of its joint


class Memory(NamedTuple):
    """What is known of N characters between their poses, and scratch."""

    animated: Floats  # (N, P, 4) local rotations as they were animated
    written: Floats  # (N, P, 4) as they were left
    shares: Floats  # (N, P) how much of its swing a joint shows
    roots: Floats  # (N, 3) where the characters were
    anchors: Floats  # (N, P, 3)
    frames: Floats  # (N, P, 4)
    world: Floats  # (J, 7) scratch


@kernel
def swing_joints(
    dt: float, roots: Floats, rotations: Floats, pushes: Floats, rig: Rig, memory: Memory, swing: Swing
) -> None:
    """Bring the pendulums of ``rotations (N, J, 4)`` on to that pose and turn its joints as they swing.

    ``pushes (0 or N, P, 3)``, metres, move tips before. Who was put elsewhere takes its swings along.
    """
    find_bars(dt, roots, rotations, rig, memory, swing.calm)
    forget_lanes(swing)
    push_all(pushes, swing)
    advance(dt, memory.anchors, memory.frames, swing)
    turn_joints(rotations, rig, memory, swing)


@part
def find_bars(dt: float, roots: Floats, rotations: Floats, rig: Rig, memory: Memory, calm: Floats) -> None:
    """Fill anchors and frames of the bars from a pose; who was put elsewhere counts as lost."""
    world, farthest = memory.world, _FASTEST * dt
    for n in range(rotations.shape[0]):
        far = 0.0
        for i in range(3):
            far = max(far, abs(roots[n, i] - memory.roots[n, i]))
            memory.roots[n, i] = roots[n, i]
        if not far <= farthest:
            calm[n] = LOST
        for m in range(rig.needed.shape[0]):
            j = rig.needed[m]
            b, parent = rig.nodes[j], rig.parents[j]
            turn = quaternion(rotations[n, j])
            if b >= 0:
                # A joint that is as it was left has not been animated anew.
                if turn != quaternion(memory.written[n, b]):
                    store(memory.animated[n, b], turn)
                turn = quaternion(memory.animated[n, b])
            place = vector(roots[n])
            if parent >= 0:
                carrier = quaternion(world[parent, 3:])
                place = add(vector(world[parent]), rotate(carrier, vector(rig.offsets[j])))
                turn = multiply(carrier, turn)
            world[j, 0], world[j, 1], world[j, 2] = place
            store(world[j, 3:], turn)
            if b >= 0:
                memory.anchors[n, b, 0], memory.anchors[n, b, 1], memory.anchors[n, b, 2] = place
                store(memory.frames[n, b], multiply(turn, quaternion(rig.bars[b])))


@part
def turn_joints(rotations: Floats, rig: Rig, memory: Memory, swing: Swing) -> None:
    """Write the local rotations of the joints that swing."""
    count = rig.joints.shape[0]
    for n in range(rotations.shape[0]):
        for b in range(count):
            turn = quaternion(memory.animated[n, b])
            f, share = swing.links[1, b], memory.shares[n, b]
            own = quaternion(swing.state[n * count + b, DEFLECTION:])
            carried = (1.0, 0.0, 0.0, 0.0)
            if f >= 0:
                carried = quaternion(swing.state[n * count + f, DEFLECTION:])
            if share > 0.0 and own != carried:
                extra = multiply(conjugate(carried), own)
                if share < 1.0:
                    extra = fraction(extra, share)
                turn = _turned(turn, extra, quaternion(memory.frames[n, b]), quaternion(rig.bars[b]))
            store(rotations[n, rig.joints[b]], turn)
            store(memory.written[n, b], turn)


@inline
def _turned(local: Quaternion, extra: Quaternion, frame: Quaternion, bar: Quaternion) -> Quaternion:
    """The local rotation of a joint that is turned by ``extra`` in the world; its bar's frame says how it stands."""
    joint = multiply(frame, conjugate(bar))
    x, y, z = rotate(conjugate(joint), (extra[1], extra[2], extra[3]))
    return multiply(local, (extra[0], x, y, z))
