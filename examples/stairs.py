"""A person climbs stairs and goes down a slope with feet that stay where they are put, into a film if wanted.

Run: python examples/stairs.py [film, such as stairs.webp] [motion file, such as stairs.glb]
"""

import math
import sys

import locomote as lm

ground = lm.world.Ground()
ground.add_stairs((0, 1.2), count=4, rise=0.17, tread=0.29, landing=1.2)
ground.add_slope((0, 3.2), length=3.0, angle=math.radians(-12.8), landing=0.2, base=0.0)

crowd = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=0, speed=0.7, ground=ground)
print(f"the feet stand at or go to {crowd.footholds[0].round(2).tolist()} m")
soon = crowd.predict(seconds=0.5)
print(f"in half a second the pelvis will be at {soon.root_positions[0].round(2)} m")

steps = 0
flying = crowd.landings[0] > 0.0
for frame in range(12 * 60):
    crowd.step(1 / 60)
    for side, foot in zip(("left", "right"), range(2), strict=True):
        if flying[foot] and crowd.planted[0, foot].any():
            steps += 1
            x, y, z = crowd.footholds[0, foot]
            print(f"{(frame + 1) / 60:5.2f} s  {side:5}  height {y:.2f} m  z {z:.2f} m")
    flying = ~crowd.planted[0].any(axis=1)
print(f"{steps} steps, {crowd.positions[0, 2]:.1f} m")

if len(sys.argv) > 1:
    again = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=0, speed=0.7, ground=ground)
    motion = again.record(seconds=12)
    lm.draw.film(motion, sys.argv[1], ground=ground)
    if len(sys.argv) > 2:
        lm.save(motion, sys.argv[2])
