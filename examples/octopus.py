"""A lifeless octopus: nothing is animated but the roots of its arms, which are pulled now and then; the rest follows.

Run: python examples/octopus.py [film, such as octopus.webp] [motion file, such as octopus.glb]
"""

import sys

import numpy as np

import locomote as lm
from locomote import rotations as rot
from locomote.creatures.mesh import ball, body_of, tube
from locomote.pendulums import Spring, SwingingJoints, Tree

ARMS, LINKS = 8, 18
HIGH = 1.05  # m, where the arms leave the body
REACH = 0.85  # m, of an arm
FPS, SECONDS = 60, 8
PULL = 0.035  # m that a root is drawn in
PULSE = 0.35  # s that a pull takes
PAUSE = 1.4  # s between two pulls of an arm, on average


def arm_line(azimuth: float) -> np.ndarray:
    """The joints of an arm and its tip: outwards from under the body, hanging more and more, curled up at the end."""
    along = np.linspace(0.0, 1.0, LINKS + 1)
    slope = np.radians(-20.0 - 62.0 * np.sin(np.pi * np.minimum(along * 1.15, 1.0)) + 75.0 * along**3)
    step = REACH / LINKS
    out = 0.07 + np.concatenate([[0.0], np.cumsum(step * np.cos(slope[:-1]))])
    up = HIGH + np.concatenate([[0.0], np.cumsum(step * np.sin(slope[:-1]))])
    return np.stack([out * np.cos(azimuth), up, out * np.sin(azimuth)], axis=1)


def octopus() -> tuple[lm.Skeleton, lm.Body]:
    """A skeleton of 146 joints and its skin."""
    names, parents = ["mantle", "head"], [-1, 0]
    places = [np.array([0.0, HIGH, 0.0]), np.array([0.0, HIGH + 0.1, 0.02])]
    lines, ends = [], []
    for arm in range(ARMS):
        line = arm_line(2.0 * np.pi * (arm + 0.5) / ARMS)
        for link in range(LINKS):
            parents.append(0 if link == 0 else len(names) - 1)
            names.append(f"arm_{arm + 1}_{link + 1}")
            places.append(line[link])
        lines.append(line)
        ends.append(line[-1] - line[-2])
    up = np.array(parents)
    offsets = np.array(places) - np.where(up[:, None] >= 0, np.array(places)[up], 0.0)
    last = [2 + LINKS * (arm + 1) - 1 for arm in range(ARMS)]
    skeleton = lm.Skeleton(
        tuple(names),
        up,
        offsets,
        end_parents=np.array([*last, 1]),
        end_offsets=np.array([*ends, [0.0, 0.25, -0.1]]),
    )
    pieces = [
        ball(1, (0.0, HIGH + 0.2, -0.06), (0.125, 0.125, 0.2), along=(0.0, 0.8, -0.45), around=20),
        ball(0, (0.0, HIGH + 0.02, 0.0), (0.1, 0.1, 0.1), along=(0.0, 1.0, 0.001), around=16),
    ]
    for x in (-1.0, 1.0):
        pieces.append(ball(1, (0.085 * x, HIGH + 0.1, 0.055), (0.03, 0.035, 0.03), around=10))
    for arm, line in enumerate(lines):
        first = 2 + LINKS * arm
        away = line[-1] - line[0]
        side = np.cross([away[0], 0.0, away[2]], [0.0, 1.0, 0.0])
        inner = np.concatenate([[line[0] - 0.5 * (line[1] - line[0])], line])
        bones = [first, *range(first, first + LINKS)]
        stations = [
            (0.0, 0.045, 0.045),
            (3.0, 0.04, 0.035),
            (10.0, 0.024, 0.021),
            (LINKS + 1.0, 0.004, 0.004),
        ]
        pieces.append(
            tube(inner, bones, stations, side / np.linalg.norm(side), around=8, rings=3, corner=0.3, blend=0.5)
        )
    return skeleton, body_of(skeleton, pieces)


def swim(skeleton: lm.Skeleton, body: lm.Body, seed: int = 3) -> lm.Motion:
    """Pull the root of an arm towards the middle at random times; all else is passive."""
    arms = [name for name in skeleton.names if name.startswith("arm")]
    spring = Spring.settling(1.3, 0.9)
    tree = Tree.from_skeleton(skeleton, arms, spring, drag=1.0, inherit=0.8, cone=0.4)
    joints = SwingingJoints(skeleton, tree)
    roots = np.arange(ARMS) * LINKS
    azimuths = 2.0 * np.pi * (np.arange(ARMS) + 0.5) / ARMS
    inwards = np.stack([-np.cos(azimuths), np.full(ARMS, -0.5), -np.sin(azimuths)], axis=1)
    random = np.random.default_rng(seed)
    next_pull = random.exponential(PAUSE, ARMS)
    pushes = np.zeros((1, len(tree), 3))
    frames = SECONDS * FPS + 1
    places, turns = np.empty((frames, 3)), np.empty((frames, len(skeleton), 4))
    poses = lm.Poses(skeleton, np.array([[0.0, HIGH, 0.0]]), rot.identity(1, len(skeleton)))
    speed = 0.0
    for frame in range(frames):
        time = frame / FPS
        phase = (time - next_pull) / PULSE
        pulling = (phase >= 0.0) & (phase < 1.0)
        # A pull begins and ends gently; together the pulls thrust the body upwards, and it sinks again.
        strength = np.where(pulling, np.sin(np.pi * np.clip(phase, 0.0, 1.0)) ** 2, 0.0)
        pushes[0, roots] = (2.0 * PULL / (PULSE * FPS)) * strength[:, None] * inwards
        next_pull = np.where(phase >= 1.0, time + random.exponential(PAUSE, ARMS), next_pull)
        speed += (0.5 * strength.sum() - 2.0 * (poses.root_positions[0, 1] - HIGH) - 1.5 * speed - 0.25) / FPS
        poses.root_positions[0, 1] += speed / FPS
        joints.step(0.0 if frame == 0 else 1.0 / FPS, poses, pushes)
        places[frame], turns[frame] = poses.root_positions[0], poses.rotations[0]
    return lm.Motion(skeleton, FPS, places, turns, name="octopus", body=body)


skeleton, body = octopus()
motion = swim(skeleton, body)
moved = np.ptp(motion.end_positions()[:, :ARMS], axis=0)
farthest = np.linalg.norm(moved, axis=1).max()
print(f"{len(skeleton)} joints, {len(body.vertices)} vertices; tips move by up to {farthest:.2f} m")
if len(sys.argv) > 1:
    lm.draw.film(
        motion, sys.argv[1], view="three-quarter", contacts=False, fps=30.0, size=(300, 250), seconds=6.0, quality=15
    )
if len(sys.argv) > 2:
    lm.save(motion, sys.argv[2])
