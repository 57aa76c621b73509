"""Clean the feet of a clip: ``python clean_clip.py walk.bvh clean.bvh``.

Without arguments a synthetic walk is made to skate, and then cleaned.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np

import locomote as lm


def main() -> None:
    if len(sys.argv) == 3:
        motion = lm.load(sys.argv[1])
    else:
        walk = lm.samples.performer(speed=1.3).motion
        sway = 0.02 * np.sin(3.0 * walk.times)[:, None] * (1.0, 0.5, 1.0)
        motion = replace(walk, root_positions=walk.root_positions + sway)
    done = lm.clean(motion)
    if len(sys.argv) == 3:
        lm.save(done.motion, sys.argv[2])
    print(f"planted feet drift {done.before.drift_p95:.1f} mm -> {done.after.drift_p95:.1f} mm")
    print(f"penetration {done.before.penetration:.1f} mm -> {done.after.penetration:.1f} mm")
    print(f"joints moved by {done.mean_change:.1f} mm on average")


if __name__ == "__main__":
    main()
