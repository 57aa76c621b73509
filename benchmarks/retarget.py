"""Recorded walks and runs on every two-legged rig: knees, feet and floor: docs/performance/retarget.md.

Run with the folder of recorded motion: python benchmarks/retarget.py ../shared/data
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np

import locomote as lm
from _page import write_page
from locomote.measures.limits import bend_degrees
from locomote.rotations import FloatArray

RIGS = (
    "mesh2motion_human_skeleton.glb",
    "khronos_CesiumMan.glb",
    "khronos_RiggedFigure.glb",
    "quaternius_Velociraptor.glb",
    "mjcf/dm_humanoid_CMU.xml",
)
EVERY = 4  # of the clips
MOST_FRAMES = 1200
KNEE = 1.5  # times the source's 99.9th percentile that no knee may exceed
HEAD = [
    "rig",
    "clips",
    "fastest knee over the source's p99.9: median, worst",
    "clips over 1.5",
    "drift median, mm: source, result",
    "drift p95, mm: source, result",
    "penetration, mm: source, result",
]


def knee_speeds(motion: lm.Motion) -> FloatArray:
    """Degrees a frame, of both knees."""
    places, legs = motion.joint_positions(), motion.skeleton.roles.legs
    bends = [bend_degrees(*(places[:, j] for j in (leg.hip, leg.knee, leg.ankle))) for leg in legs]
    return np.abs(np.diff(np.stack(bends, axis=1), axis=0))


def main() -> None:
    data = Path(sys.argv[1])
    clips = [p for part in ("walk", "run") for p in sorted((data / "human" / part).glob("*.bvh.xz"))][::EVERY]
    motions = [lm.load(path, drop_tpose=True)[:MOST_FRAMES] for path in clips]
    fast = [np.percentile(knee_speeds(motion), 99.9) for motion in motions]
    sources = [lm.measure(motion) for motion in motions]
    rows = []
    for name in RIGS:
        rig = lm.load(data / "rigs" / name)
        results = [lm.retarget(motion, rig, froude=False) for motion in motions]
        ratios = np.array([knee_speeds(result).max() / limit for result, limit in zip(results, fast, strict=True)])
        figures = [lm.measure(result) for result in results]

        def pair(figure: str, figures: list[lm.Measures] = figures) -> str:
            values = (np.median([getattr(one, figure) or 0.0 for one in group]) for group in (sources, figures))
            return ", ".join(f"{value:.1f}" for value in values)

        rows.append(
            [
                name,
                str(len(clips)),
                f"{np.median(ratios):.2f}, {ratios.max():.2f}",
                str(int(np.sum(ratios > KNEE))),
                pair("drift_median"),
                pair("drift_p95"),
                pair("penetration"),
            ]
        )
    method = (
        f"Every fourth recorded walk and run ({len(clips)} clips, at most {MOST_FRAMES} frames) onto every two-legged "
        "rig of the data, in the source's time. Knees: the fastest bending from one frame to the next over the 99.9th "
        "percentile of the source's. Drift and penetration are those of `lm.measure`, on contacts found in each motion "
        "itself; the median over the clips. The velociraptor is 3.8 times as large as the people."
    )
    write_page("retarget", "Retargeting", method, [("", HEAD, rows)])


if __name__ == "__main__":
    main()
