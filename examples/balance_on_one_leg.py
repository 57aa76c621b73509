"""Somebody on one leg whose hand is dragged about and who is pushed: the foot stays, the body makes up for it.

Run: python examples/balance_on_one_leg.py [film, such as balance.webp] [motion file, such as balance.glb]
"""

import sys

import numpy as np

import locomote as lm

try:
    import proxsuite  # noqa: F401
except ImportError:
    print("needs the extra physics: pip install 'locomote[physics]'")
    sys.exit()

# A space of everyday poses: 15 numbers a pose. Any recorded motion makes one, too.
poses = lm.spaces.PoseDatabase.default()
clip = lm.Motion(poses.skeleton, 30.0, poses.root_positions, poses.rotations)
space = lm.spaces.PoseSpace.fit(clip, 15, metric="kinetic")

person = lm.physics.Balanced(space, mass=70.0)
person.stand(on="left")
person.record(seconds=2.5)
print("stands on:", ", ".join(person.support))

hand = person.poses.joint_positions()[0, space.skeleton.index("RightHand")].copy()
foot = person.poses.joint_positions()[0, space.skeleton.index("LeftFoot")].copy()


def drag(seconds: float) -> None:
    """The right hand goes round; after two seconds somebody pushes from the side."""
    circle = np.array([0.2 * np.sin(3.0 * seconds), 0.4 + 0.25 * np.sin(2.0 * seconds), 0.3])
    person.reach("RightHand", hand + circle)
    if abs(seconds - 2.0) < 0.005:
        person.push((60.0, 0.0, 0.0), at="Spine2", seconds=0.2)


motion = person.record(seconds=5.0, each=drag)
moved = np.linalg.norm(motion.joint_positions()[:, space.skeleton.index("LeftFoot")] - foot, axis=1).max()
print(f"the foot that stands moved by {1000 * moved:.1f} mm")
print(f"angular momentum at the end: {np.linalg.norm(person.angular_momentum):.3f} kg m2/s")
print(f"force of the ground: {person.contact_forces.sum(axis=0).round(0)} N")
print(f"help from outside: {np.linalg.norm(person.helper_force):.1f} N")

if len(sys.argv) > 1:
    lm.draw.film(motion, sys.argv[1], view="three-quarter")
if len(sys.argv) > 2:
    lm.save(motion, sys.argv[2])
