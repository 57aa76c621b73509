"""A city on a graphics card: people who start to walk, some of whom run and jump; what a frame takes.

Run: python examples/gpu_crowd.py [number of people]
"""

import sys
import time

import numpy as np

import locomote as lm

count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
try:
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), count, seed=1, speed=1.3, device="cuda")
except lm.LocomoteError as error:
    print(error)
    sys.exit()  # nothing to show on a machine without a card

crowd.command(speed=3.0, who=np.arange(count) % 10 == 0)
crowd.jump(1.0, who=np.arange(0, count, 1000))
for _ in range(60):
    crowd.step(1 / 60)
before = crowd.poses.root_positions  # waits until the card is done
begun = time.perf_counter()
for _ in range(120):
    poses = crowd.step(1 / 60)
heights = poses.on_device.joint_positions[:, poses.skeleton.index("Head"), 1]
highest = float(heights.max())  # worked out on the card
spent = (time.perf_counter() - begun) / 120

print(f"{count:,} people: {1e3 * spent:.2f} ms a frame, {1 / spent:,.0f} frames a second")
went = (poses.root_positions - before)[:, 2].mean()
print(f"the highest head is at {highest:.2f} m; on average they went {went:.2f} m in two seconds")
