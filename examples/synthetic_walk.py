"""A walk without any data, and the truth about its steps.

Run: python examples/synthetic_walk.py [speed in m/s] [file to save the motion in, such as walk.bvh]
"""

import sys

import locomote as lm

speed = float(sys.argv[1]) if len(sys.argv) > 1 else 1.4
performance = lm.samples.performer(speed=speed, seconds=4.0)

print(f"{performance.gait} at {performance.speed:g} m/s")
print(f"step length {performance.step_length:.3f} m, width {performance.step_width:.3f} m")
print(f"cadence {performance.cadence:.1f} steps/min, duty factor {performance.duty_factor:.3f}")
for leg, contacts in zip(performance.motion.skeleton.roles.legs, performance.contacts, strict=True):
    steps = ", ".join(f"{start:.3f} to {end:.3f}" for start, end in contacts.foot)
    print(f"{leg.side} foot on the floor, seconds: {steps}")

if len(sys.argv) > 2:
    lm.save(performance.motion, sys.argv[2])
    print(f"saved as {sys.argv[2]}")
