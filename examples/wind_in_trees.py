"""A small wood in gusts, somebody who walks through it and brushes a bush, and a tree for other programs.

Run: python examples/wind_in_trees.py [film, such as wood.webp]
"""

import sys

import numpy as np

import locomote as lm
from locomote.modal.trees import Forest, Species

FPS, SECONDS = 30, 4
wind = lm.world.Wind.gusty([(0.0, 3.0), (4.0, 8.0)], heading=np.pi / 2, gust=6.0)

oaks = Forest(Species.grow("oak", nodes=80), [(-6.0, 4.0), (5.5, 6.0), (-7.0, 12.0)], sizes=[0.6, 0.7, 0.8])
bush = Forest(Species.grow("bush", nodes=120, modes=40), [(0.35, 2.4)])
walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, speed=1.2).record(seconds=SECONDS, fps=FPS)

bodies = walk.joint_positions()
speeds = np.gradient(bodies, 1.0 / FPS, axis=0)
touched, farthest = 0, 0.0
rest = bush.nodes()
for frame in range(len(walk)):
    touched += bush.brush(bodies[frame], speeds[frame], radii=0.12)
    bush.step(1.0 / FPS, wind)
    farthest = max(farthest, float(np.abs(bush.nodes() - rest).max()))
trees = oaks.record(SECONDS, FPS, wind)
print(f"{len(oaks)} oaks, slowest mode {oaks.species.frequencies[0]:.2f} Hz")
print(f"the walker touched {touched} branches of the bush and bent them by up to {farthest:.2f} m")

lm.save(trees[0], "oak.glb")
if len(sys.argv) > 1:
    lm.draw.film_together([walk, *trees], sys.argv[1], follow=False, view="high")
