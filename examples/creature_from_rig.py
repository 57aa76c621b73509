"""A rig of your own walks: its legs are found by its shape, or named; then a gait of your own.

Run: python examples/creature_from_rig.py [rig, such as beast.glb] [motion file, such as walk.glb]
"""

import sys
from pathlib import Path

import numpy as np

import locomote as lm

if len(sys.argv) > 1:
    rig = Path(sys.argv[1])
else:  # no rig at hand: one of the built-in creatures, as a file
    rig = Path("beast.glb")
    lm.save(lm.creatures.Crowd("wolf").record(seconds=0.1), rig)

creature = lm.creatures.Creature.from_rig(rig, height=0.9)  # legs=[("hip_l", "toe_l"), ...], forward="-x"
legs = creature.morphology.legs
print(f"{creature.name}: {len(legs)} legs: {', '.join(leg.name for leg in legs)}")
print(f"hips at {creature.morphology.hip_height:.2f} m; gaits: {[gait.name for gait in creature.gaits.gaits]}")

crowd = lm.creatures.Crowd(creature)
crowd.command(speed=0.7)
for _ in range(120):
    crowd.step(1 / 60)
print(f"{crowd.gaits[0]}: {crowd.speeds[0]:.2f} m/s, a period of {crowd.periods[0]:.2f} s")

feet = creature.gaits.gaits[0].feet
one_by_one = lm.creatures.Gait.at_one_speed("one by one", feet, np.arange(len(feet)) / len(feet), 0.85, 4.0)
crowd.command(gait=one_by_one, within=1.0)
motion = crowd.record(seconds=4)
print(f"{crowd.gaits[0]}: {crowd.planted[0].sum()} of {len(feet)} feet stand at the end")

if len(sys.argv) > 2:
    lm.save(motion, sys.argv[2])
