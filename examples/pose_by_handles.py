"""A body is dragged by its hand, down to the floor and up again; then a walk is edited so that its hand waves.

Run: python examples/pose_by_handles.py [picture, such as pose.png] [motion file, such as wave.glb]
"""

import sys

import numpy as np

import locomote as lm
from locomote.spaces import Drag, Handle, PoseDatabase, Poser

walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=3, speed=1.2).record(seconds=4, fps=60)
skeleton = walk.skeleton
poser = Poser(PoseDatabase.default().onto(skeleton))
print(f"{len(poser.database)} recorded poses on {len(skeleton)} joints")

# Feet are held where they stand; the hand goes down to the floor and up above the head, a target for each frame.
sides = ("Left", 0.12), ("Right", -0.12)
feet = [Handle(f"{side}Foot", position=(x, 0.08, 0.0)) for side, x in sides]
feet += [Handle(f"{side}ToeBase", position=(x, 0.0, 0.13)) for side, x in sides]
s = np.linspace(0.0, 1.0, 120)
path = np.stack([-0.25 + 0.0 * s, 1.0 - 0.85 * np.sin(2 * np.pi * s), 0.35 + 0.0 * s], axis=1)
found = poser.follow([Handle("RightHand", position=path), *feet], fps=60)
print(
    f"the hand misses by {1000 * found.error[:, 0].max():.1f} mm at most, feet by {1000 * found.error[:, 1:].max():.1f}"
)
hips = found.pose.root_positions[:, 1]
print(f"the hips are {hips.min():.2f} to {hips.max():.2f} m high")

# A clip: at 2 s the hand is above the shoulder; half a second before and after, the walk is as it was.
hand = walk.joint_positions()[120, skeleton.index("RightHand")]
waving = lm.spaces.edit(walk, [Drag("RightHand", time=2.0, position=hand + np.array([-0.05, 0.65, 0.3]), window=0.5)])
turned = np.degrees(lm.rotations.distance(waving.rotations, walk.rotations).max(axis=1))
print(f"frames that changed: {np.flatnonzero(turned > 0.01)[0]} to {np.flatnonzero(turned > 0.01)[-1]} of {len(walk)}")

if len(sys.argv) > 1:
    lm.draw.strobe(found.pose, sys.argv[1], poses=9, contacts=False)
if len(sys.argv) > 2:
    lm.save(waving, sys.argv[2])
