"""Loops of people and creatures at their seams, and ways put back: docs/performance/clips.md.

Run with the folder of recorded motion and rigs: python benchmarks/clips.py ../shared/data
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

from _page import write_page
from locomote import rotations as rot
from locomote.clips import Clip, creature_clips, person_clips
from locomote.creatures import NAMES
from locomote.rotations import FloatArray

PEOPLE = ("idle", "walk", "run", "walk_left", "walk_right")
CREATURES = PEOPLE[1:]
HUMAN_RIGS = ("mesh2motion_human_skeleton.glb", "khronos_CesiumMan.glb")
ANIMALS = ("khronos_Fox.glb", "quaternius_Horse.glb", "quaternius_Spider.glb", "quaternius_Wolf.glb")
NEAR = 2  # frames on either side of the seam
HEAD = [
    "who", "loop", "frames", "pose, mm", "velocity, %", "acceleration near the seam beside elsewhere",
    "put back, mm",
]  # fmt: skip
METHOD = """Loops of `locomote clips` at 60 frames a second, in place. Pose: how far any joint is in the last frame
from where it is in the first. Velocity: told from the last four frames and from the first four by differences of
third order, neither knowing that it is a loop; the largest difference over the joints, beside the fastest joint of
the loop. Cycles of small animals have ten frames, in which differences of lower order cannot tell velocities to a
hundredth. Acceleration: the largest of any joint within two frames of the seam, beside the largest in all other
frames of the loop. Put back: the loop in place on its way as the side file tells it, beside the travelling clip,
largest distance of joints."""


def one_sided(places: FloatArray, fps: float) -> FloatArray:
    """Velocities at the first of some places, from it and the three after it."""
    out: FloatArray = (-11.0 * places[0] + 18.0 * places[1] - 9.0 * places[2] + 2.0 * places[3]) * fps / 6.0
    return out


def row(who: str, clip: Clip) -> list[str]:
    places, fps = clip.motion.joint_positions(), clip.motion.fps
    fastest = np.linalg.norm(np.diff(places, axis=0), axis=-1).max() * fps
    apart = np.linalg.norm(one_sided(places, fps) + one_sided(places[::-1], fps), axis=-1).max()
    around = places[:-1]
    bends = np.linalg.norm(np.roll(around, -1, axis=0) - 2.0 * around + np.roll(around, 1, axis=0), axis=-1).max(axis=1)
    near = np.arange(-NEAR, NEAR + 1) % len(around)
    told = clip.told()["travel"]
    way = np.stack([told["x"], np.zeros(len(told["x"])), told["z"]], axis=1)
    back = rot.rotate(rot.from_yaw(np.array(told["yaw"]))[:, None], places) + way[:, None]
    off = np.linalg.norm(back - clip.travelling().joint_positions(), axis=-1).max()
    return [
        who,
        clip.name,
        str(len(around)),
        f"{1000.0 * np.linalg.norm(places[-1] - places[0], axis=-1).max():.4f}",
        f"{100.0 * apart / fastest:.2f}",
        f"{bends[near].max() / np.delete(bends, near).max():.2f}",
        f"{1000.0 * off:.4f}",
    ]


def main() -> None:
    rigs = Path(sys.argv[1]) / "rigs"
    rows = [row("person", clip) for clip in person_clips(PEOPLE, seed=3)]
    for name in HUMAN_RIGS:
        rows += [row(name, clip) for clip in person_clips(PEOPLE, seed=3, onto=rigs / name)]
    for name in NAMES:
        rows += [row(name, clip) for clip in creature_clips(name, CREATURES)]
    for name in ANIMALS:
        rows += [row(name, clip) for clip in creature_clips(rigs / name, CREATURES)]
    figures = np.array([[float(cell) for cell in one[3:]] for one in rows])
    limits = np.array([0.1, 1.0, 1.5, 0.1])
    holds = [f"{int(n)} of {len(rows)}" for n in (figures <= limits).sum(axis=0)]
    summary = [
        ["largest", *(f"{value:g}" for value in figures.max(axis=0))],
        ["asked for", *(f"{value:g}" for value in limits)],
        ["hold", *holds],
    ]
    write_page("clips", "Loops at their seams", METHOD, [("All loops", ["", *HEAD[3:]], summary), ("", HEAD, rows)])


if __name__ == "__main__":
    main()
