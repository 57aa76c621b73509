"""The rest of a body goes with its feet as its natural vibrations have it: trunk, girdles, arms, folds of legs.

The fit of vibrations to steps is linear: what each foot does in the first harmonic of its steps, by when it stands and
how far the body goes meanwhile, tells how large each vibration is at every moment. So one table serves all gaits, all
speeds, and the way from one gait to another. Where the feet really go, over crates or in turns, their legs make up for.
"""

from __future__ import annotations

import math

from locomote.creatures._kernels.model import Synergy
from locomote.creatures._kernels.scratch import GirdlePose, JointFrame, TrunkScratch
from locomote.creatures._kernels.state import CreatureState, FootState, OneCreature
from locomote.math._compile import inline, part
from locomote.math.quaternion import exp, multiply, quaternion, store
from locomote.math.vector import Floats

FIRST = 0.8  # of half the way of a foot: its first harmonic, where it goes back evenly and returns faster


@part
def go_with_feet(one: OneCreature, hip_height: float, synergy: Synergy, room: TrunkScratch) -> None:
    """How the trunk's joints turn, and its girdles go, with the feet: laid over what the steps do."""
    frames, girdles, ways = room.frames, room.girdles, room.ways
    for j in range(frames.shape[0]):
        frame: JointFrame = frames[j]
        frame.sway[0] = frame.sway[1] = frame.sway[2] = 0.0
    if synergy.turns.shape[0] == 0:
        return
    _find_ways(one, hip_height, synergy.farthest, ways)
    for j in range(frames.shape[0]):
        frame = frames[j]
        for k in range(3):
            frame.sway[k] = _sum(synergy.turns[j, k], ways)
    for g in range(girdles.shape[0]):
        girdle: GirdlePose = girdles[g]
        girdle.aside += _sum(synergy.shifts[g, 0], ways)
        girdle.heave += _sum(synergy.shifts[g, 1], ways)
        girdle.ahead += _sum(synergy.shifts[g, 2], ways)


@inline
def move_others(row: CreatureState, synergy: Synergy, ways: Floats, rotations: Floats) -> None:
    """Turn the joints that are neither trunk nor leg: arms."""
    for x in range(synergy.joints.shape[0]):
        share = row.allowed
        vector = (
            share * _sum(synergy.bends[x, 0], ways),
            share * _sum(synergy.bends[x, 1], ways),
            share * _sum(synergy.bends[x, 2], ways),
        )
        store(rotations[synergy.joints[x]], multiply(quaternion(synergy.rests[x]), exp(vector)))


@inline
def _find_ways(one: OneCreature, hip_height: float, far: float, ways: Floats) -> None:
    """What each foot does in the first harmonic of its steps, m from its place under the body: aside, up, ahead."""
    row, gait = one.row, one.gait
    rise = 0.5 * row.lively * gait.lift * hip_height
    for f in range(one.feet.shape[0]):
        foot: FootState = one.feet[f]
        angle = 2.0 * math.pi * (gait.needle - foot.middle)
        half = FIRST * 0.5 * row.speed * gait.eased_period * foot.duty
        ways[3 * f] = 0.0
        ways[3 * f + 1] = -rise * math.cos(angle)
        ways[3 * f + 2] = -row.lively * far * math.tanh(half / far) * math.sin(angle)


@inline
def _sum(weights: Floats, ways: Floats) -> float:
    total = 0.0
    for k in range(ways.shape[0]):
        total += weights[k] * ways[k]
    return total
