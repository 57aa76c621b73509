"""What it costs that creatures look alive: bounce of girdles and bend of trunks, beside a whole step."""

from __future__ import annotations

from typing import Any

import numpy as np

from locomote.creatures import Crowd
from locomote.creatures._kernels import spine_pose
from locomote.creatures._kernels.drive import find_push
from locomote.creatures._kernels.scratch import make_scratch, make_trunk_scratch
from locomote.creatures._kernels.spine_guide import BodyMove, bend_line
from locomote.creatures._kernels.state import Creatures, OneCreature
from locomote.creatures._kernels.trunk_reach import stretch_legs
from locomote.math._compile import kernel
from locomote_lab.clock import SECONDS, best_seconds

COUNT = 100
DT = 1 / 60  # s
KINDS = ("wolf", "lizard", "spider", "centipede")
# The source: a step of one eight-legged character takes 0.51 ms on each of four threads, with 9 % more for its bounce.
# Its spine, 30 to 40 % more, is that of a character on four legs, of which no time is told: only shares are compared.
SOURCE, SOURCE_LEGS = 4.0 * 510.0, 8  # microseconds of a core
SOURCE_BOUNCE = 0.09
SOURCE_SPINE = "30 to 40%"
TIMES = 10  # that every creature is worked out in one call
Table = tuple[str, list[str], list[list[str]]]


@kernel
def _bounces(crowd: Creatures, drops: Any, height: float, spine: Any, scratch: Any, room: Any) -> None:
    for _ in range(TIMES):
        for n in range(len(crowd.rows)):
            one = OneCreature(
                *(crowd.rows[n], crowd.gaits[n], crowd.disks[n], crowd.swinging[n]),
                *(crowd.feet[n], crowd.curves[n], crowd.nodes[n], crowd.girdles[n]),
            )
            spine_pose.ease_effects(DT, one.row, one.gait, one.feet, one.disks)
            find_push(DT, one.row, one.feet, scratch.times)
            spine_pose.move_girdles(DT, one, drops, height, spine, room.girdles)


@kernel
def _spines(crowd: Creatures, limbs: Any, spine: Any, room: Any, roots: Any, rotations: Any) -> None:
    for _ in range(TIMES):
        for n in range(len(crowd.rows)):
            one = OneCreature(
                *(crowd.rows[n], crowd.gaits[n], crowd.disks[n], crowd.swinging[n]),
                *(crowd.feet[n], crowd.curves[n], crowd.nodes[n], crowd.girdles[n]),
            )
            if one.nodes.shape[0] > 1:
                bend_line(BodyMove(0.0, 0.0, 0.0, 0.0, 0.0), one.row, one.feet, one.nodes, spine)
            still = (1.0, 0.0, 0.0, 0.0)
            spine_pose._bend(1.0, still, one.row, one.nodes, spine, room.girdles, room.frames)
            stretch_legs(one.row, one.feet, limbs, spine, room.frames, room.reaches)
            spine_pose.turn_trunk(spine, room.frames, roots[n], rotations[n])


def _copy_of(crowd: Crowd) -> Creatures:
    return Creatures(
        crowd._rows.copy(),
        crowd._gait_rows.copy(),
        crowd._disks.copy(),
        crowd._swinging.copy(),
        crowd._feet.copy(),
        crowd._curves.copy(),
        crowd._nodes.copy(),
        crowd._girdles.copy(),
    )


def row_of(name: str, seconds: float = SECONDS) -> list[str]:
    """A row of the table: microseconds of one of a hundred creatures of a kind.

    Parameters
    ----------
    name : of a built-in creature
    seconds : spent on each figure
    """
    crowd = Crowd(name, COUNT, speed=0.8 * float(np.sqrt(9.81 * Crowd(name).creature.morphology.hip_height)), seed=0)
    crowd.command(turn_rate=0.3)
    for _ in range(120):
        crowd.step(DT)
    whole = 1e6 * best_seconds(lambda: crowd.step(DT), seconds) / COUNT
    creature, spine = crowd.creature, crowd.creature.spine
    feet = len(creature.morphology.legs)
    scratch = make_scratch(feet, crowd._curves.shape[2], len(spine.places))
    room = make_trunk_scratch(len(spine.girdles), len(spine.joints), feet)
    scratch.times.left[:] = scratch.times.stance[:] = 1.0
    for rows in (room.girdles, room.frames):
        rows[:] = np.zeros(1, rows.dtype)
    poses = crowd.poses.copy()
    height = creature.morphology.hip_height
    limbs, state = creature.limbs, _copy_of(crowd)
    bounce = best_seconds(lambda: _bounces(state, limbs.drops, height, spine, scratch, room), seconds)
    bend = best_seconds(lambda: _spines(state, limbs, spine, room, poses.root_positions, poses.rotations), seconds)
    bounce, bend = 1e6 * bounce / COUNT / TIMES, 1e6 * bend / COUNT / TIMES
    return [
        f"{name}: {feet} legs, {len(spine.girdles)} girdles, {len(spine.joints)} joints of the trunk",
        f"{whole:.2f}",
        f"{bounce:.2f} ({bounce / whole:.0%})",
        f"{bend:.2f} ({bend / whole:.0%})",
        f"{SOURCE_BOUNCE:.0%}" if feet == SOURCE_LEGS else "",
        SOURCE_SPINE if feet == 4 else "",
        f"{SOURCE * SOURCE_BOUNCE / bounce:.0f}x" if feet == SOURCE_LEGS else "",
    ]


def table(kinds: tuple[str, ...] = KINDS, seconds: float = SECONDS) -> Table:
    """What effects cost of a step, the source's shares beside ours."""
    head = ["creature", "whole step, µs", "bounce, µs", "spine, µs", "source: bounce", "source: spine"]
    head += ["bounce, the source's over it (eight legs)"]
    return "One creature, one frame", head, [row_of(name, seconds) for name in kinds]
