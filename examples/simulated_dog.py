"""A dog with weight that stands, trots, is pushed and goes on; then it is pushed too hard, and falls.

Run: python examples/simulated_dog.py [film, such as dog.webp] [motion file, such as dog.glb]
"""

import sys

import numpy as np

import locomote as lm

try:
    import mujoco  # noqa: F401
except ImportError:
    print("needs the extra physics: pip install 'locomote[physics]'")
    sys.exit()

dog = lm.physics.Dog()
print(f"{dog.animal.masses.total:g} kg, shoulders {dog.heights[0, 1]:.2f} m high")
print("gaits:", ", ".join(dog.library.gaits))


def lead(seconds: float) -> None:
    """It sets off; after two seconds somebody pushes its shoulders to the left."""
    dog.command(speed=1.2 if seconds > 0.5 else 0.0)
    if abs(seconds - 2.5) < 0.005:
        dog.push((60.0, 0.0, 0.0), seconds=0.1, at="shoulders")


motion = dog.record(seconds=4.0, each=lead)
way = np.linalg.norm(np.diff(motion.root_positions[:, [0, 2]], axis=0), axis=1).sum()
print(f"{way:.1f} m in {motion.duration:.1f} s: {dog.states[0]} at {dog.speeds[0]:.1f} m/s, {dog.gaits[0]}")

dog.push((900.0, 0.0, 0.0), seconds=0.3, at="hips")
dog.step(2.0)
print(f"pushed by 900 N: {dog.states[0]}")
dog.reset()
dog.step(0.5)
print(f"put on its feet again: {dog.states[0]}")

# Three of them at once, each with a speed of its own.
dogs = lm.physics.Dog(3)
dogs.command(speed=[0.0, 1.0, 1.4])
dogs.step(2.0)
print("ways of three:", dogs.positions[:, 2].round(1), "m")

if len(sys.argv) > 1:
    lm.draw.film(motion, sys.argv[1], view="three-quarter", contacts=False)
if len(sys.argv) > 2:
    lm.save(motion, sys.argv[2])
