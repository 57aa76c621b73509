"""The motion of a skeleton from markers: made-up ones of a walk, with skin that slides, noise and gaps."""

from __future__ import annotations

import numpy as np

import locomote as lm
from locomote.capture import markers, stage

walk = lm.samples.performer(speed=1.3, seconds=2.0).motion
seen, attached = stage.markers(walk, slide=0.005, noise=0.0005, seed=1)
first, second = attached.names[:2]
gaps = {first: [(20, 40)], second: [(50, 60)]}
seen = stage.markers(walk, attached, slide=0.005, noise=0.0005, gaps=gaps, seed=1).markers

found = markers.solve(seen, markers.subject(walk), attached)
away = np.linalg.norm(found.motion.joint_positions() - walk.joint_positions(), axis=-1)
print(f"{len(attached)} markers, off by {1e3 * found.rms:.1f} mm; joints off by {1e3 * away.mean():.1f} mm in the mean")
for gap in found.gaps:
    print("gap:", gap)

live = markers.Solver(markers.subject(walk), attached, seen.fps)
for frame in seen.positions[:30]:
    pose = live.step(frame)
print(f"live, frame 30: the root is at {np.round(pose.root_positions[0], 3)} m")
