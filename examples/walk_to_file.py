"""A person starts, walks a curve, breaks into a run and stops, into a file for any other program.

Run: python examples/walk_to_file.py [file, such as walk.glb, walk.bvh or walk.usda]
"""

import sys

import locomote as lm
from locomote.human.scenes import Plan, Schedule, walk

plan = Plan(
    speed=Schedule(times=(0, 1, 2.5, 5, 7, 9, 11), values=(0, 0, 1.4, 1.4, 3.2, 3.2, 0)),
    turn_rate=Schedule(times=(2, 3, 5, 6), values=(0, 0.3, 0.3, 0)),
    seconds=12,
)
motion = walk(lm.human.HumanModel.default(), plan, leg_length=0.9, seed=0)

figures = lm.measure(motion)
print(f"{figures.path_length:.1f} m in {figures.duration:.1f} s, {figures.steps} steps")
for time, x, z in zip(motion.times[::60], *motion.root_positions[::60, [0, 2]].T, strict=True):
    print(f"{time:4.1f} s  x {x:5.2f} m  z {z:5.2f} m")

if len(sys.argv) > 1:
    lm.save(motion, sys.argv[1])
    print(f"saved as {sys.argv[1]}")
