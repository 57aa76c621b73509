"""A person crosses a stream on stones: which foot goes on which one is found, and the feet stand exactly there.

Run: python examples/stepping_stones.py [film, such as stones.webp] [motion file, such as stones.glb]
"""

import sys

import numpy as np

import locomote as lm
from locomote import steps

SIDE = 0.34  # m, of a stone

random = np.random.default_rng(2)
number = np.arange(8)
stones = np.column_stack(
    [
        np.where(number % 2, 0.11, -0.11) + random.uniform(-0.08, 0.08, 8),
        random.uniform(-0.05, 0.05, 8),
        0.75 + 0.52 * number + random.uniform(-0.08, 0.08, 8),
    ]
)
plan = steps.plan_over_stones(stones, start=(0, 0), goal=(0, 5.2))
for side, place in zip(plan.sides, plan.places, strict=True):
    print(
        f"{'left' if side == steps.LEFT else 'right':5}  x {place[0]:5.2f}  height {place[1]:5.2f}  z {place[2]:5.2f} m"
    )

ground = lm.world.Ground(-0.25)  # the water; banks and stones stand in it
ground.add_box((0, -0.2), (3, 1.2), top=0.0)
ground.add_box((0, 5.5), (3, 1.2), top=0.0)
for x, y, z in stones:
    ground.add_box((x, z), (SIDE, SIDE), top=y)

motion = steps.walk(plan, ground=ground)
print(f"{len(plan) - 2} steps in {motion.duration:.1f} s, to {motion.root_positions[-1].round(2)} m")

if len(sys.argv) > 1:
    lm.draw.film(motion, sys.argv[1], ground=ground, view="three-quarter")
if len(sys.argv) > 2:
    lm.save(motion, sys.argv[2])
