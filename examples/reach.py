"""A person walks past a counter, takes a cup from it with the right hand, and walks on with it.

Run: python examples/reach.py [picture, such as reach.png] [motion file, such as reach.glb]
"""

import sys

import numpy as np

import locomote as lm
from locomote import rotations as rot

CUP = np.array([-0.47, 1.06, 2.4])  # m, where it stands
PALM = np.array([-0.08, -0.02, 0.0])  # m, in the frame of the right hand, whose fingers point along -X
OUT, HOLD, BACK = 0.6, 0.06, 0.7  # s that the hand goes out, waits before and after it takes the cup, and comes back
AHEAD = 0.25  # m from the shoulder forwards to the cup when it is taken
ARCH = 0.1  # m by which its way is raised over the edge of the counter

walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=0, speed=1.0).record(seconds=4.5)
skeleton = walk.skeleton
shoulder, hand = skeleton.index("RightArm"), skeleton.index("RightHand")


def palm_of(motion: lm.Motion) -> np.ndarray:
    positions, rotations = motion.world()
    return positions[:, hand] + rot.rotate(rotations[:, hand], PALM)


def eased(part: np.ndarray) -> np.ndarray:
    """From 0 to 1 without a jerk at either end."""
    t = np.clip(part, 0.0, 1.0)
    return t**3 * (10.0 - 15.0 * t + 6.0 * t**2)


# Long before and after, the goal is where the palm would be anyway. Once taken the cup comes along with the body.
own = palm_of(walk)
taken = int(np.argmax(walk.joint_positions()[:, shoulder, 2] > CUP[2] - AHEAD))
time = walk.times - walk.times[taken]
share = eased(1.0 + (time + HOLD) / OUT) * eased(1.0 - (time - HOLD) / BACK)
carried = eased(time / BACK)[:, None] * (walk.root_positions - walk.root_positions[taken])
goal = own + share[:, None] * (CUP + carried - own)
goal[:, 1] += 4.0 * ARCH * share * (1.0 - share)

limits = {
    "RightForeArm": lm.ik.JointLimit.hinge((0, 1, 0), 0.0, 2.6),
    "RightHand": lm.ik.JointLimit(axis=(1, 0, 0), swing=0.25, twist=(-0.2, 0.2)),
}
done = lm.ik.reach(walk, "right arm", goal, tip=PALM, limits=limits)

missed = np.linalg.norm(palm_of(done.pose)[taken] - CUP)
turned = np.degrees(rot.distance(done.rotations[1:], done.rotations[:-1]).max())
print(f"the palm is within {1000 * done.error.max():.1f} mm of its way, in at most {done.steps.max()} steps a frame")
print(f"at {walk.times[taken]:.2f} s it is {1000 * missed:.1f} mm from the cup")
print(f"no joint turns by more than {turned:.1f} degrees from one frame to the next")

first, last = taken - 45, taken + 55  # the part of the walk that is drawn


def things(seconds: float) -> lm.world.Obstacles:
    """The counter, and the cup on it or in the hand; the seconds count from the first frame that is drawn."""
    frame = first + round(seconds * walk.fps)
    at = CUP if frame < taken else palm_of(done.pose)[frame]
    out = lm.world.Obstacles()
    out.add_box((CUP[0] - 0.15, CUP[2]), (0.5, 0.9), height=CUP[1] - 0.06)
    out.add_disk((at[0], at[2]), radius=0.04, height=0.12, lift=at[1] - 0.06)
    return out


if len(sys.argv) > 1:
    lm.draw.strobe(done.pose[first:last], sys.argv[1], poses=6, view="three-quarter", obstacles=things)
if len(sys.argv) > 2:
    lm.save(done.pose, sys.argv[2])
