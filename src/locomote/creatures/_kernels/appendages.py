"""Tails, antennae and other parts of creatures that swing: after the body was posed, on any ground."""

from __future__ import annotations

from typing import NamedTuple

from locomote.math._compile import kernel, part
from locomote.math.vector import Floats
from locomote.pendulums._kernels import layout as at
from locomote.pendulums._kernels.joints import Memory, Rig, find_bars, turn_joints
from locomote.pendulums._kernels.layout import Swing
from locomote.pendulums._kernels.push import give_way
from locomote.pendulums._kernels.step import advance, forget_lanes
from locomote.world._kernels.map_layout import MapArrays
from locomote.world._kernels.map_reading import surface

_LIFT = 15.0  # rad/s at which a bar that sank into the ground is lifted


class Lying(NamedTuple):
    """How the P pendulums of a creature lie on the ground."""

    rise: float  # m above the root of the body: what is higher is a wall, on which no tail is laid
    clearances: Floats  # (P,) m that tips stay above the ground; negative for those that go through it


@kernel
def swing_appendages(
    dt: float,
    roots: Floats,
    rotations: Floats,
    lying: Lying,
    rig: Rig,
    memory: Memory,
    swing: Swing,
    maps: MapArrays,
) -> None:
    """Bring what swings on to the pose ``rotations (N, J, 4)`` of the bodies and turn its joints.

    Who was put elsewhere takes its swings along.
    """
    find_bars(dt, roots, rotations, rig, memory, swing.calm)
    forget_lanes(swing)
    advance(dt, memory.anchors, memory.frames, swing)
    _stay_above(dt, roots, lying, swing, maps)
    turn_joints(rotations, rig, memory, swing)


@part
def _stay_above(dt: float, roots: Floats, lying: Lying, swing: Swing, maps: MapArrays) -> None:
    """Lift the masses that sank into the ground; they lie on it and swing no further."""
    count = swing.links.shape[1]
    for n in range(swing.calm.shape[0]):
        if _sunk(n * count, dt, roots[n, 1] + lying.rise, lying.clearances, swing, maps):
            give_way(n * count, swing)


@part
def _sunk(first: int, dt: float, roof: float, clearances: Floats, swing: Swing, maps: MapArrays) -> bool:
    """Write down how far each tip of one creature is to be lifted; whether any is. What is above ``roof`` is none."""
    sunk = False
    for b in range(swing.links.shape[1]):
        row, own = swing.state[first + b], swing.moves[b]
        for i in range(at.PUSH):
            own[i] = 0.0
        if clearances[b] < 0.0:
            continue
        height = surface(row[at.TIP], row[at.TIP + 2], maps)[0] + clearances[b]
        if row[at.TIP + 1] < height < roof:
            # Not at once: where the ground has edges, a tail would leap.
            most = _LIFT * dt * swing.settings[swing.links[2, b], at.LENGTH]
            own[at.DRAG + 1], own[at.MOVED] = min(height - row[at.TIP + 1], most), 1.0
            row[at.SWING_RATE], row[at.SWING_RATE + 1] = 0.0, 0.0
            sunk = True
    return sunk
