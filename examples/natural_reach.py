"""One hand of a walker is dragged to the hip for a second: the body follows as bodies do, the feet stay on their way.

Run: python examples/natural_reach.py [picture, such as natural.png] [motion file, such as natural.glb]
"""

import sys

import numpy as np

import locomote as lm
from locomote.spaces import Handle, PoseSpace

# A space of the poses of somebody who walks, slowly and fast: 15 numbers a pose in place of 66 angles.
model = lm.human.HumanModel.default()
clips = [lm.human.Crowd(model, 1, seed=0, speed=speed).record(seconds=4) for speed in (0.8, 1.2, 1.6)]
space = PoseSpace.fit(clips, 15)
print(f"{len(space)} directions carry {100 * space.variance.cumulative[14]:.1f} % of the variance")
print(f"95 % are in the first {space.variance.count(0.95)}")

# Head and feet stay on the tracks that they have; the right hand is dragged up and out.
walk = clips[1]
places = walk.joint_positions()
share = np.exp(-0.5 * ((walk.times - 2.0) / 0.35) ** 2)[:, None]
hand = places[:, walk.skeleton.index("RightHand")] + share * np.array([-0.25, 0.35, 0.15])
handles = [Handle(name, places[:, walk.skeleton.index(name)]) for name in ("Head", "LeftFoot", "RightFoot")]
handles.append(Handle("RightHand", hand))
done = space.reach(handles, walk, exact=True)

missed = dict(zip(("head", "left foot", "right foot", "right hand"), 1000 * done.error.max(axis=0), strict=True))
print("at most off by, mm:", ", ".join(f"{name} {value:.1f}" for name, value in missed.items()))
still = np.flatnonzero(share[:, 0] < 1e-3)
turned = np.degrees(lm.rotations.distance(done.pose.rotations[still], walk.rotations[still]).max())
print(f"where nothing is dragged no joint turns by more than {turned:.2f} degrees")

# A pose alone: the search begins at the mean pose.
alone = space.reach([Handle("LeftHand", space.mean.joint_positions()[0, walk.skeleton.index("LeftHand")] + 0.1)])
print(f"one pose: {1000 * alone.error[0, 0]:.1f} mm off after {alone.rounds[0]} rounds")

space.save("walkers.npz")
assert len(PoseSpace.load("walkers.npz")) == 15

if len(sys.argv) > 1:
    lm.draw.strobe(done.pose[60:180], sys.argv[1], poses=6, view="three-quarter")
if len(sys.argv) > 2:
    lm.save(done.pose, sys.argv[2])
