"""A crowd that starts to walk, some of whom begin to run; and one of them as a motion file.

Run: python examples/crowd.py [number of people] [file to save the motion of one in, such as runner.bvh]
"""

import sys
import time

import numpy as np

import locomote as lm

count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
model = lm.human.HumanModel.default()
crowd = lm.human.Crowd(model, count, seed=1, leg_length=np.random.default_rng(0).normal(0.88, 0.05, count))

crowd.command(speed=1.3, heading=np.linspace(-0.5, 0.5, count))
runners = np.arange(count) % 10 == 0
begun = time.perf_counter()
for frame in range(600):
    if frame == 240:
        crowd.command(speed=3.0, who=runners)
    poses = crowd.step(1 / 60)
spent = time.perf_counter() - begun

print(f"{count} people, 10 s at 60 frames/s in {spent:.2f} s: {1e6 * spent / 600 / count:.2f} us a person and frame")
print(f"mean speed {crowd.speeds.mean():.2f} m/s, {np.sum(crowd.gaits > 0.5)} of them run")
print(f"head of the first one: {np.round(poses.joint_positions()[0, poses.skeleton.index('Head')], 2)} m")

if len(sys.argv) > 2:
    lm.save(crowd.record(seconds=5.0, fps=60, who=0), sys.argv[2])
    print(f"saved as {sys.argv[2]}")
