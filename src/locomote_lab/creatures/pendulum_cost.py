"""Trees of pendulums: the source's scenes, and what one pendulum costs in a crowd."""

from __future__ import annotations

import time

import numpy as np

from locomote import rotations as rot
from locomote.creatures import Crowd
from locomote.creatures._appendages import Appendages
from locomote.motion import Poses
from locomote.pendulums import Cloth, Pendulums, Spring, SwingingJoints, Tree
from locomote.skeleton import Skeleton
from locomote.world import Maps
from locomote_lab.clock import SECONDS, best_seconds

DT = 1 / 60  # s
TARGET = 0.1  # microseconds for one pendulum of a batch
SPRING = Spring.settling(0.5, 0.4)
KINDS = ("ant", "wolf", "lizard")
Table = tuple[str, list[str], list[list[str]]]


def chains(count: int, links: int) -> Tree:
    """Some chains that hang on the animation."""
    parents = np.concatenate([np.r_[-1, np.arange(links - 1) + links * c] for c in range(count)])
    return Tree.build(parents, np.full(count * links, 0.1), SPRING)


def scene(tree: Tree, characters: int, pushed: list[int], seconds: float = SECONDS) -> tuple[float, Pendulums]:
    """Microseconds for a step of all, with anchors that move and some tips that are pushed.

    Parameters
    ----------
    tree : of each character
    characters : how many
    pushed : the tips that are, of each
    seconds : spent on the figure
    """
    random = np.random.default_rng(0)
    shape = (characters, len(tree))
    anchors = 0.1 * random.normal(size=(*shape, 3))
    frames = rot.normalize(random.normal(size=(*shape, 4)))
    pendulums = Pendulums(tree, anchors, frames)
    other = anchors + 0.01
    pushes = None
    if pushed:
        pushes = np.zeros((*shape, 3))
        pushes[:, pushed] = 0.001
    for k in range(30):  # swinging, as in use: bars at rest cost less
        pendulums.step(DT, other if k % 2 else anchors, frames, pushes)

    def both() -> None:
        pendulums.step(DT, other, frames, pushes)
        pendulums.step(DT, anchors, frames, pushes)

    return 0.5e6 * best_seconds(both, seconds), pendulums


def cloth(seconds: float = SECONDS) -> tuple[float, int]:
    """Microseconds for a step of a cloth that is pulled all the time, and how many pendulums that takes."""
    sheet = Cloth(20, 25)

    def step() -> None:
        for column in (9, 12, 15):
            sheet.pull(10, column, (0.0, 0.0, 0.005))
        sheet.step(DT)

    return 1e6 * best_seconds(step, seconds), sheet.pendulums


def overlay_scene(seconds: float = SECONDS) -> tuple[float, float]:
    """Microseconds of a frame of a body of 92 joints with two hits: its world pose alone; all, with its reaction."""
    random = np.random.default_rng(1)
    parents = np.array([-1] + [0 if j % 23 == 1 else j - 1 for j in range(1, 92)])
    names = tuple(f"joint_{j}" for j in range(92))
    ends = [j for j in range(92) if j not in parents]
    skeleton = Skeleton(
        names,
        parents,
        0.1 * random.normal(size=(92, 3)),
        end_parents=np.array(ends),
        end_offsets=np.full((len(ends), 3), 0.05),
    )
    tree = Tree.from_skeleton(skeleton, spring=SPRING, inherit=0.0)
    joints = SwingingJoints(skeleton, tree, overlay=True)
    clip = rot.normalize(random.normal(size=(2, 1, 92, 4)))
    poses = Poses(skeleton, np.zeros((1, 3)), clip[0].copy())
    pushes = np.zeros((1, len(tree), 3))
    pushes[0, [20, 70]] = 0.001

    def react() -> None:
        for frame in clip:
            np.copyto(poses.rotations, frame)
            joints.step(DT, poses, pushes)

    def pose() -> None:
        for frame in clip:
            np.copyto(poses.rotations, frame)
            poses.joint_positions()

    return 0.5e6 * best_seconds(pose, seconds), 0.5e6 * best_seconds(react, seconds)


class Timed:
    """The appendages of a crowd, with a clock."""

    def __init__(self, appendages: Appendages) -> None:
        self.appendages, self.seconds = appendages, 0.0

    def begin(self, dt: float) -> bool:
        """Make ready for a step, and start the clock anew."""
        start = time.perf_counter()
        swings = self.appendages.begin(dt)
        self.seconds = time.perf_counter() - start
        return swings

    def swing(self, dt: float, poses: Poses, maps: Maps, rows: tuple[int, int]) -> None:
        """Let them swing."""
        start = time.perf_counter()
        self.appendages.swing(dt, poses, maps, rows)
        self.seconds += time.perf_counter() - start


def walking(frames: int = 360, kinds: tuple[str, ...] = KINDS, count: int = 110) -> list[list[str]]:
    """Creatures with what swings on them: medians, as footholds are planned in some frames only."""
    rows, settled = [], frames // 6
    for name in kinds:
        crowd = Crowd(name, count, speed=1.0, seed=3)
        bars = count * len(crowd.appendages.joints)
        timed = Timed(crowd.appendages)
        crowd.appendages = timed  # type: ignore[assignment]
        whole, swings = [], []
        for _ in range(frames):
            start = time.perf_counter()
            crowd.step(DT)
            whole.append(time.perf_counter() - start)
            swings.append(timed.seconds)
        swing = 1e3 * float(np.median(swings[settled:]))
        body = 1e3 * float(np.median(np.array(whole[settled:]) - swings[settled:]))
        more = f"{100.0 * swing / body:+.1f} %"
        rows.append([f"{count} x {name}", str(bars), f"{body:.3f} ms", f"{swing:.3f} ms", more, "+10 %"])
    return rows


def scenes(seconds: float = SECONDS) -> list[list[str]]:
    """The source's scenes, its figures beside ours."""
    trees = [
        ("octopus: 8 tentacles, each root pulled", chains(8, 19), 1, list(range(0, 152, 19)), "0.30 ms"),
        ("110 characters with 3 trees of 5", chains(3, 5), 110, [], "3 ms"),
        ("1000 characters with 3 trees of 5", chains(3, 5), 1000, [], ""),
    ]
    rows = []
    for name, tree, characters, pushed, source in trees:
        taken, _ = scene(tree, characters, pushed, seconds)
        bars = len(tree) * characters
        rows.append([name, str(bars), f"{1e-3 * taken:.3f} ms", source, f"{taken / bars:.3f} µs"])
    taken, bars = cloth(seconds)
    what = "cloth of 20 by 25, 3 columns pulled"
    rows.append([what, str(bars), f"{1e-3 * taken:.3f} ms", "5 ms", f"{taken / bars:.3f} µs"])
    clip, taken = overlay_scene(seconds)
    what = f"92 joints over a clip, 2 hits; the pose alone {1e-3 * clip:.3f} ms"
    rows.append([what, "92", f"{1e-3 * taken:.3f} ms", "0.46 ms, 0.06 ms", f"{taken / 92:.3f} µs"])
    return rows


def tables(seconds: float = SECONDS, frames: int = 360, kinds: tuple[str, ...] = KINDS) -> list[Table]:
    """Scenes, creatures that walk, and how the cost grows with a chain.

    Parameters
    ----------
    seconds : spent on each figure
    frames : of creatures that walk
    kinds : which creatures do
    """
    growth = []
    for links in (10, 100, 1000, 10000):
        taken, _ = scene(chains(1, links), 1, [links - 1], seconds)
        growth.append([str(links), f"{1e-3 * taken:.4f} ms", f"{taken / links:.3f} µs"])
    return [
        ("Scenes", ["scene", "pendulums", "a step", "source", "one pendulum"], scenes(seconds)),
        (
            "On creatures that walk, a frame",
            ["creatures", "pendulums", "the bodies", "what swings", "more", "source"],
            walking(frames, kinds),
        ),
        ("One chain, longer and longer, its last tip pushed", ["links", "a step", "one link"], growth),
    ]
