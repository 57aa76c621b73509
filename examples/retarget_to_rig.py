"""Put a motion onto a rig: ``python retarget_to_rig.py walk.bvh hero.glb hero_walks.glb``.

Without arguments a synthetic walk goes onto a body of another size.
"""

from __future__ import annotations

import sys

import locomote as lm


def main() -> None:
    if len(sys.argv) == 4:
        motion, target = lm.load(sys.argv[1]), lm.load(sys.argv[2])
        result = lm.retarget(motion, target)
        lm.save(result, sys.argv[3])
    else:
        motion = lm.samples.performer(speed=1.4).motion
        result = lm.retarget(motion, lm.samples.human_skeleton(0.6))
    before, after = lm.measure(motion), lm.measure(result)
    print(f"speed {before.speed:.2f} m/s -> {after.speed:.2f} m/s")
    print(f"planted feet drift {before.drift_median:.1f} mm -> {after.drift_median:.1f} mm")


if __name__ == "__main__":
    main()
