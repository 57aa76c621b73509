"""What it costs that creatures look alive: bounce of girdles and bend of trunks, beside a whole step."""

from __future__ import annotations

import numpy as np
from numba import njit

from _kernels import best_seconds
from _page import write_page
from locomote.creatures import Crowd
from locomote.creatures._kernels import spine_pose
from locomote.creatures._kernels.drive import find_push
from locomote.creatures._kernels.spine_guide import bend_line

COUNT = 100
DT = 1 / 60  # s
# The source: a step of one eight-legged character takes 0.51 ms on four threads, with 9 % more for the bounce and 30 to
# 40 % more for the spine.
SOURCE = 510.0  # microseconds
SOURCE_BOUNCE, SOURCE_SPINE = 0.09, 0.35
METHOD = """
One thread, {count} creatures that walk round in circles on level ground, best of several runs. *Bounce* is all that is
worked out from the gait for each girdle: the shares of the effects, who pushes off, heights, pitches and turns of the
girdles. *Spine* is the line of the trunk that follows the front, the curve of bones through the girdles, whether all
legs still reach, and the rotations of the joints. The source's figures are {bounce:.0%} and 30 to 40 % of a step of
0.51 ms (eight legs, four threads of an i7): {source_bounce:.0f} and about {source_spine:.0f} microseconds; twenty times
cheaper was wanted.
""".strip()


@njit(nogil=True)
def _bounces(times, rows, gaits, feet, disks, nodes, swells, folds, trunk, height, spine, maps, girdles, waits):  # type: ignore[no-untyped-def]
    for _ in range(times):
        for n in range(len(rows)):
            spine_pose.ease_effects(DT, rows[n], gaits[n], feet[n], disks[n])
            find_push(DT, rows[n], feet[n], waits, waits)
            spine_pose._move_girdles(
                DT,
                rows[n],
                gaits[n],
                feet[n],
                nodes[n],
                swells[n],
                folds,
                trunk,
                height,
                spine,
                maps,
                girdles,
            )


@njit(nogil=True)
def _spines(times, rows, feet, nodes, folds, spine, girdles, frames, stretches, roots, rotations):  # type: ignore[no-untyped-def]
    for _ in range(times):
        for n in range(len(rows)):
            if nodes.shape[1] > 1:
                bend_line(DT, 0.0, 0.0, 0.0, 0.0, rows[n], feet[n], nodes[n], spine)
            spine_pose._bend(1.0, (1.0, 0.0, 0.0, 0.0), rows[n], nodes[n], spine, girdles, frames)
            spine_pose._stretch(feet[n], folds, spine, frames, stretches)
            spine_pose.turn_trunk(spine, frames, roots[n], rotations[n])


def measure(name: str) -> list[str]:
    """A row of the table: microseconds a creature."""
    crowd = Crowd(name, COUNT, speed=0.8 * float(np.sqrt(9.81 * Crowd(name).creature.morphology.hip_height)), seed=0)
    crowd.command(turn_rate=0.3)
    for _ in range(120):
        crowd.step(DT)
    whole = 1e6 * best_seconds(lambda: crowd.step(DT)) / COUNT
    creature, spine = crowd.creature, crowd.creature.spine
    girdles, frames = np.zeros((len(spine.girdles), 3)), np.empty((len(spine.joints), 7))
    height, feet = creature.morphology.hip_height, crowd._feet
    poses = crowd.poses.copy()
    times = 10
    bounce = best_seconds(
        lambda: _bounces(
            times,
            *(
                crowd._rows.copy(),
                crowd._gait_rows,
                feet.copy(),
                crowd._disks,
                crowd._nodes,
                crowd._swells.copy(),
            ),
            *(
                creature.folds,
                creature.trunk,
                height,
                spine,
                crowd.maps.arrays,
                girdles,
                np.ones(feet.shape[1]),
            ),
        )
    )
    bend = best_seconds(
        lambda: _spines(
            times,
            *(crowd._rows, feet.copy(), crowd._nodes.copy(), creature.folds, spine, girdles, frames),
            *(np.empty((feet.shape[1], 2)), poses.root_positions, poses.rotations),
        )
    )
    bounce, bend = 1e6 * bounce / COUNT / times, 1e6 * bend / COUNT / times
    return [
        f"{name}: {feet.shape[1]} legs, {len(spine.girdles)} girdles, {len(spine.joints)} joints of the trunk",
        f"{whole:.2f}",
        f"{bounce:.2f} ({bounce / whole:.0%})",
        f"{bend:.2f} ({bend / whole:.0%})",
        f"{SOURCE * SOURCE_BOUNCE / bounce:.0f}x",
        f"{SOURCE * SOURCE_SPINE / bend:.0f}x",
    ]


def main() -> None:
    header = [
        "creature",
        "whole step, µs",
        "bounce, µs",
        "spine, µs",
        "bounce, beside the source",
        "spine, beside it",
    ]
    rows = [measure(name) for name in ("wolf", "lizard", "spider", "centipede")]
    method = METHOD.format(
        count=COUNT,
        bounce=SOURCE_BOUNCE,
        source_bounce=SOURCE * SOURCE_BOUNCE,
        source_spine=SOURCE * SOURCE_SPINE,
    )
    write_page("liveliness", "Creatures that look alive", method, [("One creature, one frame", header, rows)])


if __name__ == "__main__":
    main()
