"""Is the motion still the same, bit for bit? SHA-1 sums of people, creatures, steps, pendulums, clean and retarget.

Only public names are used, so that the same script runs on any two states of the package:
``python3 tasks.py same REVISION`` compares the working tree with a revision on this machine.
Sums depend on the processor and on the versions of Numba and NumPy, so none are kept in the repository.

    python scripts/same_motion.py [--json FILE] [--only NAME ...] [--seconds 4]
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

import locomote as lm

FPS = 60
DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
CLIP = DATA / "human" / "walk" / "cmu_07_01.bvh.xz"
RIG = DATA / "rigs" / "mesh2motion_human_skeleton.glb"

Arrays = Iterator[np.ndarray]


def _digest(arrays: Arrays) -> str:
    sha = hashlib.sha1()
    for array in arrays:
        sha.update(np.ascontiguousarray(array).tobytes())
    return sha.hexdigest()


def _frames(crowd: lm.human.Crowd, frames: int, events: dict[int, Callable[[], object]] | None = None) -> Arrays:
    """Everything that a crowd says of itself, frame by frame; events happen before their frame."""
    for frame in range(frames):
        if events and frame in events:
            events[frame]()
        crowd.obstacles.advance(1 / FPS)
        crowd.ground.advance(1 / FPS)
        poses = crowd.step(1 / FPS)
        yield poses.root_positions
        yield poses.rotations
        yield poses.joint_positions()
        yield crowd.cycles
        yield crowd.planted
        yield np.array([len(state) for state in crowd.states])


def _of(motion: lm.Motion) -> Arrays:
    yield motion.root_positions
    yield motion.rotations


def people(frames: int) -> Arrays:
    """Speeds, gaits, styles, sizes, turns, starts and stops on the level; also without holding feet."""
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 6, seed=1)
    speeds = np.array([0.6, 1.2, 1.5, 2.6, 3.4, 0.0])
    yield from _frames(
        crowd,
        frames,
        {
            1: lambda: crowd.command(speed=speeds, turn_rate=[0.0, 0.5, -0.3, 0.0, 0.2, 0.8]),
            60: lambda: crowd.command(speed=2.5, who=[0, 1]),
            90: lambda: crowd.command(style=crowd.model.styles[0], leg_length=0.7, who=2),
            120: lambda: crowd.command(speed=0.0, who=[1, 3]),
            130: lambda: crowd.command(heading=1.5, toe_out=0.2, wider=0.04, who=0),
            150: lambda: crowd.command(gait="walk", who=4),
            200: lambda: crowd.command(speed=1.0, within=0.0),
        },
    )
    yield crowd.predict(0.71).rotations
    yield crowd.unit(2)
    loose = lm.human.Crowd(lm.human.HumanModel.default(), 3, seed=2, speed=1.3, feet=False)
    yield from _frames(loose, frames // 4)


def jumps(frames: int) -> Arrays:
    """Standing, walking and running jumps, exact and at once, and lines that are reached."""
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 6, seed=3, speed=[0.0, 1.3, 1.6, 3.0, 3.5, 1.4])
    yield from _frames(
        crowd,
        frames,
        {
            10: lambda: crowd.jump(1.0, who=[0, 1]),
            12: lambda: crowd.jump(policy="now", who=2),
            20: lambda: crowd.jump(1.8, foot="left", who=3),
            25: lambda: crowd.reach(4.0, speed=2.0, foot="right", who=4),
            30: lambda: crowd.reach(3.0, who=5),
        },
    )


def grounds(frames: int) -> Arrays:
    """Stairs, slopes, hills, platforms and a shuttle."""
    ground = lm.world.Ground.rough(4, (40.0, 40.0), 0.15, 3.0)
    ground.add_stairs((0, 1.2), count=5, rise=0.17, tread=0.29, landing=1.5)
    ground.add_slope((3, 1.0), length=3.0, angle=0.25, landing=1.0)
    ground.add_platform((-3, 1.5), (2.0, 2.5), top=0.25, velocity=(0.3, 0.0, 0.1), turn_rate=0.1)
    ground.add_shuttle((-6, 2.0), (2.0, 3.0), top=0.3, travel=(0.0, 0.2, 0.0), period=3.0)
    places = np.array([[0.0, 0.0], [3.0, 0.0], [-3.0, 0.5], [-6.0, 0.2], [6.0, 0.0]])
    starts = np.column_stack([places[:, 0], ground.heights(places), places[:, 1]])
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 5, seed=5, speed=0.9, positions=starts, ground=ground)
    yield from _frames(crowd, frames)


def ways(frames: int) -> Arrays:
    """Goals, paths, others, obstacles that lie, move and appear: avoidance, detours, jumps, halts."""
    obstacles = lm.world.Obstacles()
    obstacles.add_puddle((0, 4), length=0.9, width=6.0)
    obstacles.add_box((2.5, 5), (0.5, 1.0), height=1.5, velocity=(-0.4, 0.0))
    obstacles.add_wall((-4, 3), (-1, 3.4))
    obstacles.add_box((-6, 3), (0.4, 0.4), height=0.25)
    count = 12
    places = np.array([[1.1 * (n % 6) - 5.0, 0.0, -1.2 * (n // 6)] for n in range(count)])
    crowd = lm.human.Crowd(
        lm.human.HumanModel.default(),
        count,
        seed=6,
        obstacles=obstacles,
        avoid=True,
        positions=places,
        speed=1.2,
    )
    crowd.go_to(-places[:, 0], 9.0)
    path = [(-2, 0), (-2, 3), (0, 6), (3, 7)]
    yield from _frames(
        crowd,
        frames,
        {
            5: lambda: crowd.follow(path, who=[2, 3]),
            8: lambda: crowd.go_to(1.0, 6.0, heading=2.0, who=4),
            10: lambda: crowd.allow(jumping=False, who=[5, 6]),
            15: lambda: crowd.allow(jumping=False, going_round=False, who=7),
            20: lambda: crowd.release(who=8),
            60: lambda: obstacles.add_puddle(crowd.positions[0, [0, 2]] + [0.0, 2.0], 0.6, 1.0),
            70: lambda: crowd.meet([(0.0, 3.0), (1.0, 2.0)], (0.5, 0.0)),
            90: lambda: crowd.command(speed=2.6, who=[9, 10]),
        },
    )  # fmt: skip
    yield crowd.predict(0.5).rotations


def _crates(ground: lm.world.Ground) -> lm.world.Obstacles:
    random = np.random.default_rng(8)
    obstacles = lm.world.Obstacles()
    for n in range(60):
        x, z = random.uniform(-4, 4), random.uniform(-2, 6)
        side, high = random.uniform(0.2, 0.6), random.uniform(0.05, 0.2)
        moves = {"velocity": tuple(random.uniform(-0.15, 0.15, 2))} if n % 4 == 0 else {}
        obstacles.add_box((x, z), (side, side), height=high, yaw=random.uniform(0, 3), safe=n % 5 != 1, **moves)
    return obstacles


def _creature(name: str) -> Callable[[int], Arrays]:
    def frames_of(frames: int) -> Arrays:
        ground = lm.world.Ground.rough(7, (30.0, 30.0), 0.25, 2.5)
        obstacles = _crates(ground)
        crowd = lm.creatures.Crowd(name, 3, seed=9, ground=ground, obstacles=obstacles)
        unit = crowd.creature.morphology.hip_height**0.5
        crowd.command(speed=np.array([0.6, 1.2, 2.0]) * unit)
        other = crowd.creature.gaits.gaits[-1].name
        for frame in range(frames):
            if frame == 60:
                crowd.command(turn_rate=[0.4, -0.5, 0.2])
                crowd.push((0.3, 0.2), who=1)
            if frame == 90:
                crowd.command(gait=other, within=0.5, who=0)
                crowd.liven(bounce=1.3, sway=0.2, who=2)
            if frame == 120:
                crowd.go_to(1.5, 4.0, heading=0.5, who=[1, 2])
            if frame == 150:
                crowd.command(gait="random", burst=True, step_height=0.05, who=0)
                crowd.meet([(0.5, 3.0)], (0.1, 0.0), 0.4)
            obstacles.advance(1 / FPS)
            ground.advance(1 / FPS)
            poses = crowd.step(1 / FPS)
            yield poses.root_positions
            yield poses.rotations
            yield crowd.feet
            yield crowd.planted

    return frames_of


def steps(frames: int) -> Arrays:
    """Exact steps along a path and over stones, and a live stepper that goes over into a crowd."""
    yield from _of(lm.steps.walk(lm.steps.plan_along([(0, 0), (0, 3), (2, 5)], speed=1.1)))
    random = np.random.default_rng(2)
    number = np.arange(6)
    across = np.where(number % 2, 0.11, -0.11) + random.uniform(-0.08, 0.08, 6)
    stones = np.column_stack([across, random.uniform(-0.05, 0.05, 6), 0.75 + 0.52 * number])
    yield from _of(lm.steps.walk(lm.steps.plan_over_stones(stones, start=(0, 0), goal=(0, 4.2))))
    yield from _there_and_back()


def _there_and_back() -> Arrays:
    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 2, speed=1.1, phases=0.0)
    yield from _frames(crowd, 60)
    while np.any(crowd.landings[0] > 0.0):
        yield crowd.step(1 / FPS).rotations
    stepper, feet = lm.steps.Stepper.from_crowd(crowd), crowd.footholds[0]
    behind = int(np.argmin(feet[:, 2]))
    for n in range(6):
        side = behind if n % 2 == 0 else 1 - behind
        stepper.add(side, float(feet[side, 0]), float(feet[1 - behind, 2] + 0.55 * (n + 1)))
        for _ in range(25):
            yield stepper.step(1 / FPS).rotations
    while not stepper.stands:
        yield stepper.step(1 / FPS).rotations
    crowd.place(0, stepper.hand_back())
    yield from _frames(crowd, 60)


def pendulums(frames: int) -> Arrays:
    """Hits on a walking person, and a cloth that is pulled; creatures have tails and antennae."""
    walk = lm.samples.performer(speed=1.3).motion
    hits = [
        lm.pendulums.Hit(0.5, "Spine2", (0.18, 0.0, -0.1)),
        lm.pendulums.Hit(0.9, "Head", (0.0, 0.05, 0.1)),
    ]
    yield from _of(lm.pendulums.overlay(walk, hits=hits))
    cloth = lm.pendulums.Cloth(8, 9, 0.1)
    cloth.pull(4, 3, (0.02, 0.0, 0.1))
    for _ in range(60):
        yield cloth.step(1 / FPS).copy()


def _skating() -> lm.Motion:
    """A walk whose feet slide: the whole body sways."""
    walk = lm.samples.performer(speed=1.3).motion
    time_axis = np.arange(len(walk)) / walk.fps
    roots = walk.root_positions.copy()
    roots[:, 0] += 0.03 * np.sin(2.0 * np.pi * 1.3 * time_axis)
    roots[:, 1] += 0.01 * np.sin(2.0 * np.pi * 0.9 * time_axis)
    roots[:, 2] *= 1.05
    return lm.Motion(walk.skeleton, walk.fps, roots, walk.rotations, name="skating")


def clean(frames: int) -> Arrays:
    """A walk with sliding feet put right; a recorded one as well where there is one."""
    yield from _of(lm.clean(_skating()).motion)
    if CLIP.exists():
        yield from _of(lm.clean(lm.load(CLIP)).motion)


def retarget(frames: int) -> Arrays:
    """A walk on longer legs; on a rig where there is one."""
    walk = lm.samples.performer(speed=1.3).motion
    yield from _of(lm.retarget(walk, lm.samples.performer(speed=1.0, leg_length=1.05).motion))
    if RIG.exists():
        yield from _of(lm.retarget(walk, lm.load(RIG)))


PARTS: dict[str, Callable[[int], Arrays]] = {
    "people": people,
    "jumps": jumps,
    "grounds": grounds,
    "ways": ways,
    **{f"creature {name}": _creature(name) for name in lm.creatures.NAMES},
    "steps": steps,
    "pendulums": pendulums,
    "clean": clean,
    "retarget": retarget,
}


def main() -> None:
    """Print a sum for every part; with ``--json`` keep them."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", type=Path)
    parser.add_argument("--only", nargs="*", default=list(PARTS), help="parts, or beginnings of their names")
    parser.add_argument("--seconds", type=float, default=4.0)
    arguments = parser.parse_args()
    sums = {}
    for name, part in PARTS.items():
        if not any(name.startswith(wanted) for wanted in arguments.only):
            continue
        began = time.perf_counter()
        sums[name] = _digest(part(round(arguments.seconds * FPS)))
        print(f"{name:20} {sums[name]}  {time.perf_counter() - began:6.1f} s", flush=True)
    if arguments.json:
        arguments.json.write_text(json.dumps(sums, indent=1))
    print(f"locomote from {lm.__file__}", file=sys.stderr)


if __name__ == "__main__":
    main()
