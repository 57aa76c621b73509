"""A walk on the stage, seen by six cameras as ragged silhouettes, followed by a body in a cage and saved as a motion.

Run: python examples/track_hulls.py [motion file, such as tracked.glb] [picture, such as tracked.png]
"""

import sys

import numpy as np
from scipy.ndimage import gaussian_filter

import locomote as lm
from locomote.capture import camera_ring, stage
from locomote.capture.cages import CageRig, Hulls, PosePrior, Settings, Tracker, errors_of, gait_curves

walk = lm.samples.performer(speed=1.3, seconds=1.2, fps=30.0).motion[6:]
middle = walk.root_positions.mean(axis=0)
cameras = camera_ring(6, radius=3.6, target=(middle[0], 0.9, middle[2]), size=(240, 240), opening=np.radians(48.0))
random = np.random.default_rng(0)


def ragged(masks):
    """Silhouettes as films give them: with edges that flicker."""
    noise = gaussian_filter(random.standard_normal(masks.shape), (0.0, 2.0, 2.0))
    return gaussian_filter(masks.astype(float), (0.0, 1.0, 1.0)) > 0.5 + np.clip(noise, -0.3, 0.3)


silhouettes = [ragged(stage.silhouettes(walk, camera)) for camera in cameras]

# The body that is looked for, and how such bodies move: walks at other speeds.
rig = CageRig.of(walk)
print(f"a cage of {len(rig.vertices)} corners and {len(rig.faces)} triangles, {len(rig.names)} quads that move")
others = [lm.samples.performer(speed=speed, seconds=1.2, fps=15.0).motion for speed in (0.8, 1.1, 1.6)]
prior = PosePrior.of(rig, others, dimensions=8)

track = Tracker(rig, prior, Settings(voxel=0.025)).follow(Hulls(silhouettes, cameras), fps=30.0)
errors = errors_of(track.motion.joint_positions(), walk.joint_positions())
print(f"joints are off by {errors.mean:.0f} mm in the mean, {errors.worst:.0f} in the worst frame")
for note in track.notes:
    print(note)
swing = np.ptp(gait_curves(track.motion).wrists, axis=0)
print(f"the wrists swing by {swing[0]:.2f} and {swing[1]:.2f} m")

lm.save(track.motion, sys.argv[1] if len(sys.argv) > 1 else "tracked.glb")
if len(sys.argv) > 2:
    lm.draw.strobe(track.motion, sys.argv[2], poses=5, contacts=False)
