"""Many kinds of creatures share one world: crowds of each, stepped one after the other.

Run: python examples/creature_kinds.py [folder for one motion file each]
"""

import sys
from pathlib import Path

import locomote as lm

ground = lm.world.Ground.rough(seed=6, size=(24, 24), amplitude=0.1, feature=2.5)
obstacles = lm.world.Obstacles()
obstacles.add_box((0, 2), (0.6, 0.4), height=0.08, velocity=(0.1, 0), safe=True)

crowds = []
for place, name in enumerate(lm.creatures.NAMES):
    crowd = lm.creatures.Crowd(name, 2, ground=ground, obstacles=obstacles, positions=[(place, 0), (place, -2)])
    crowd.command(speed=0.3)
    crowds.append(crowd)

together = lm.creatures.record_together(crowds, seconds=2.0, fps=60)
for crowd, motions in zip(crowds, together, strict=True):
    legs = len(crowd.creature.morphology.legs)
    print(f"{crowd.creature.name:10} {legs:2} legs, {crowd.gaits[0]:12} at {crowd.positions[0].round(2)}")
    if len(sys.argv) > 1:
        lm.save(motions[0], Path(sys.argv[1]) / f"{crowd.creature.name}.glb")
