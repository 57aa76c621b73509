"""The forces under the feet of a walk and of a jump, and whether a body could do them.

Run: python examples/forces_of_a_clip.py [motion file] [table, such as forces.csv] [film, such as forces.webp]
"""

import sys

import numpy as np

import locomote as lm

person = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=3, speed=1.4)
walk = lm.load(sys.argv[1]) if len(sys.argv) > 1 else person.record(seconds=4, fps=60)
found = lm.physics.forces(walk, mass=70.0)
print(f"{found.masses.total:.0f} kg; on each foot at most {np.round(found.force[..., 1].max(axis=0))} N")
report = found.plausibility()
print(f"missing: {report.residual:.3f} body weights in the mean; friction up to {report.friction_peak:.2f}")

# The same walk three times as fast: nobody could.
hurried = lm.Motion(walk.skeleton, 3.0 * walk.fps, walk.root_positions, walk.rotations)
for line in lm.physics.forces(hurried, mass=70.0).plausibility().warnings:
    print("hurried:", line)

if len(sys.argv) > 2:
    found.save(sys.argv[2])
if len(sys.argv) > 3:
    lm.draw.film(walk, sys.argv[3], arrows=found.arrows())
