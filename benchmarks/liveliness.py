"""What it costs that creatures look alive: bounce of girdles and bend of trunks, beside a whole step."""

from __future__ import annotations

import numpy as np
from numba import njit

from _kernels import best_seconds
from _page import write_page
from locomote.creatures import Crowd
from locomote.creatures._kernels import spine_pose
from locomote.creatures._kernels.drive import find_push
from locomote.creatures._kernels.scratch import make_scratch, make_trunk_scratch
from locomote.creatures._kernels.spine_guide import BodyMove, bend_line
from locomote.creatures._kernels.state import Creatures, OneCreature
from locomote.creatures._kernels.trunk_reach import stretch_legs

COUNT = 100
DT = 1 / 60  # s
# The source: a step of one eight-legged character takes 0.51 ms on each of four threads, with 9 % more for its bounce.
# Its spine, 30 to 40 % more, is that of a character on four legs, of which no time is told: only shares are compared.
SOURCE, SOURCE_LEGS = 4.0 * 510.0, 8  # microseconds of a core
SOURCE_BOUNCE = 0.09
METHOD = """
One thread, {count} creatures that walk round in circles on level ground, best of several runs. *Bounce* is all that is
worked out from the gait for each girdle: the shares of the effects, who pushes off, heights, pitches and turns of the
girdles. *Spine* is the line of the trunk that follows the front, the curve of bones through the girdles, whether all
legs still reach, and the rotations of the joints. The source's bounce takes {bounce:.0%} of a step of a body on eight
legs, {source_bounce:.0f} microseconds of a core (four threads of an i7 for 0.51 ms); its spine 30 to 40 % of a step of
a body on four, of which no time is told. At most 2 % and 10 % of a step were wanted.
""".strip()


@njit(nogil=True, inline="always")
def _one_of(crowd, n):  # type: ignore[no-untyped-def]
    return OneCreature(
        *(crowd.rows[n], crowd.gaits[n], crowd.disks[n], crowd.swinging[n]),
        *(crowd.feet[n], crowd.curves[n], crowd.nodes[n], crowd.girdles[n]),
    )


@njit(nogil=True)
def _bounces(times, crowd, drops, height, spine, scratch, room):  # type: ignore[no-untyped-def]
    for _ in range(times):
        for n in range(len(crowd.rows)):
            one = _one_of(crowd, n)
            spine_pose.ease_effects(DT, one.row, one.gait, one.feet, one.disks)
            find_push(DT, one.row, one.feet, scratch.times)
            spine_pose.move_girdles(DT, one, drops, height, spine, room.girdles)


@njit(nogil=True)
def _spines(times, crowd, limbs, spine, room, roots, rotations):  # type: ignore[no-untyped-def]
    for _ in range(times):
        for n in range(len(crowd.rows)):
            one = _one_of(crowd, n)
            if one.nodes.shape[0] > 1:
                bend_line(BodyMove(0.0, 0.0, 0.0, 0.0, 0.0), one.row, one.feet, one.nodes, spine)
            still = (1.0, 0.0, 0.0, 0.0)
            spine_pose._bend(1.0, still, one.row, one.nodes, spine, room.girdles, room.frames)
            stretch_legs(one.row, one.feet, limbs, spine, room.frames, room.reaches)
            spine_pose.turn_trunk(spine, room.frames, roots[n], rotations[n])


def _copy_of(crowd: Crowd) -> Creatures:
    state = crowd._rows, crowd._gait_rows, crowd._disks, crowd._swinging
    return Creatures(*(a.copy() for a in (*state, crowd._feet, crowd._curves, crowd._nodes, crowd._girdles)))


def measure(name: str) -> list[str]:
    """A row of the table: microseconds a creature."""
    crowd = Crowd(name, COUNT, speed=0.8 * float(np.sqrt(9.81 * Crowd(name).creature.morphology.hip_height)), seed=0)
    crowd.command(turn_rate=0.3)
    for _ in range(120):
        crowd.step(DT)
    whole = 1e6 * best_seconds(lambda: crowd.step(DT)) / COUNT
    creature, spine = crowd.creature, crowd.creature.spine
    feet = len(creature.morphology.legs)
    scratch = make_scratch(feet, crowd._curves.shape[2], len(spine.places))
    room = make_trunk_scratch(len(spine.girdles), len(spine.joints), feet)
    scratch.times.left[:] = scratch.times.stance[:] = 1.0
    for rows in (room.girdles, room.frames):
        rows[:] = np.zeros(1, rows.dtype)
    poses = crowd.poses.copy()
    times = 10
    height = creature.morphology.hip_height
    limbs, state = creature.limbs, _copy_of(crowd)
    bounce = best_seconds(lambda: _bounces(times, state, limbs.drops, height, spine, scratch, room))
    bend = best_seconds(lambda: _spines(times, state, limbs, spine, room, poses.root_positions, poses.rotations))
    bounce, bend = 1e6 * bounce / COUNT / times, 1e6 * bend / COUNT / times
    return [
        f"{name}: {feet} legs, {len(spine.girdles)} girdles, {len(spine.joints)} joints of the trunk",
        f"{whole:.2f}",
        f"{bounce:.2f} ({bounce / whole:.0%})",
        f"{bend:.2f} ({bend / whole:.0%})",
        f"{SOURCE * SOURCE_BOUNCE / bounce:.0f}x" if feet == SOURCE_LEGS else "",
    ]


def main() -> None:
    header = [
        "creature",
        "whole step, µs",
        "bounce, µs",
        "spine, µs",
        "bounce, the source's over it (eight legs)",
    ]
    rows = [measure(name) for name in ("wolf", "lizard", "spider", "centipede")]
    method = METHOD.format(
        count=COUNT,
        bounce=SOURCE_BOUNCE,
        source_bounce=SOURCE * SOURCE_BOUNCE,
    )
    write_page("liveliness", "Creatures that look alive", method, [("One creature, one frame", header, rows)])


if __name__ == "__main__":
    main()
