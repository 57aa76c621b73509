"""Where many meet: a thousand people at one goal, one person among obstacles, ten thousand who avoid all of it.

    python benchmarks/jams.py

Processor time, so that other work on the machine counts for little; what is to be judged are ratios within the run.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Callable

import numpy as np

from _kernels import Table, from_tests
from _page import write_page
from human_step import FRAME, plain_step
from locomote.human import Crowd, HumanModel
from locomote.world import Obstacles

JAMMED, SIDE, SECONDS = 1000, 40.0, 40.0  # people, m on which they begin, s
SETTLED = 60  # frames before the clock starts
WORST = 2.5  # times the mean frame
ALONE = 25.0  # us a frame of one person among obstacles
MANY, THINGS, SQUARE = 10_000, 5000, 316.0
FREE = 4.3  # us of NumPy's pose on the machine for which the figures were given
OBSTACLES = 6.0  # us there, of a person with feet who avoids obstacles and others
TURNS, FRAMES = 8, 12  # a walker looks ahead every six frames
PLAIN = 3  # times that NumPy poses them in a turn


def jam_rows(model: HumanModel) -> list[list[str]]:
    rows = []
    for name, things in (("nothing else", 0), ("60 boxes", 60)):
        random = np.random.default_rng(0)
        obstacles = Obstacles()
        for place in random.uniform(-0.5 * SIDE, 0.5 * SIDE, (things, 2)):
            if np.hypot(*place) > 3.0:
                obstacles.add_box(place, random.uniform(0.5, 2.0, 2), 1.2, random.uniform(-3.0, 3.0))
        places = np.insert(_places(random, obstacles), 1, 0.0, axis=1)
        crowd = Crowd(model, JAMMED, positions=places, obstacles=obstacles, avoid=True)
        crowd.go_to(0.0, 0.0, speed=1.4)
        times = _frames(crowd, round(SECONDS / FRAME))
        mean, worst = float(times.mean()), float(times.max())
        figures = mean, float(np.percentile(times, 99)), worst, worst / mean
        rows.append([f"{JAMMED:,} to one goal, {name}", *(f"{each:.2f}" for each in figures), f"{WORST:g}"])
        print(rows[-1], flush=True)
    return rows


def _places(random: np.random.Generator, obstacles: Obstacles) -> np.ndarray:
    """Places of a body each, clear of one another and of obstacles."""
    spots = np.stack(np.meshgrid(*2 * [np.arange(-0.5 * SIDE, 0.5 * SIDE, 0.9)]), -1).reshape(-1, 2)
    if len(obstacles):
        spots = spots[obstacles.distances(spots) > 0.6]
    return np.asarray(spots[random.permutation(len(spots))[:JAMMED]])


def _frames(crowd: Crowd, count: int) -> np.ndarray:
    """Processor milliseconds of every frame."""
    for _ in range(SETTLED):
        crowd.step(FRAME)
    gc.collect()
    gc.disable()
    times = []
    for _ in range(count):
        start = time.process_time()
        crowd.step(FRAME)
        times.append(time.process_time() - start)
    gc.enable()
    return 1e3 * np.array(times)


def alone_rows(model: HumanModel) -> list[list[str]]:
    """One person who goes to and fro among boxes; one who only has them about; one without."""
    obstacles = Obstacles()
    random = np.random.default_rng(1)
    for place in random.uniform(-15.0, 15.0, (40, 2)):
        obstacles.add_box(place, random.uniform(0.4, 1.5, 2), 1.2, random.uniform(-3.0, 3.0))
    start = np.array([[0.0, 0.0, -18.0]])
    crowds = {
        "to a goal among 40 boxes": Crowd(model, 1, positions=start, obstacles=obstacles, avoid=True),
        "straight on, 40 boxes about": Crowd(model, 1, speed=1.4, positions=100.0 + start, obstacles=obstacles),
        "nothing about": Crowd(model, 1, speed=1.4),
    }
    best = dict.fromkeys(crowds, np.inf)
    goal = [18.0]

    def go() -> None:
        first = crowds["to a goal among 40 boxes"]
        if first.arrived.all() or first.blocked.all() or not first._ways.awake:
            goal[0] = -goal[0]
            first.go_to(0.0, goal[0], speed=1.4)

    goal[0] = -18.0
    go()
    for turn in range(40):
        for name, crowd in crowds.items():
            go()
            spent = _seconds(lambda crowd=crowd: _step(crowd, 100)) / 100  # type: ignore[misc]
            if turn > 1:
                best[name] = min(best[name], 1e6 * spent)
    limits = {"to a goal among 40 boxes": f"{ALONE:g}"}
    return [[name, f"{spent:.1f}", limits.get(name, "")] for name, spent in best.items()]


def many_rows(model: HumanModel) -> list[list[str]]:
    scene = from_tests("human.busy_square").Scene(model, MANY, THINGS, SQUARE)
    free = Crowd(model, MANY, speed=1.4, feet=False)
    best = {"obstacles and avoidance, with feet": np.inf, "NumPy, the pose alone": np.inf}

    def frames() -> None:
        for _ in range(FRAMES):
            scene.obstacles.advance(FRAME)
            scene.crowd.step(FRAME)

    for _ in range(SETTLED // FRAMES):
        frames()
    ours, numpy = best
    for _ in range(TURNS):
        best[ours] = min(best[ours], 1e6 * _seconds(frames) / FRAMES / MANY)
        # The first of them pays for memory that the next finds there.
        spent = min(_seconds(lambda: plain_step(model, free)) for _ in range(PLAIN))
        best[numpy] = min(best[numpy], 1e6 * spent / MANY)
    plain = best[numpy]
    limits = [f"{OBSTACLES / FREE:.2f}", ""]
    return [
        [name, f"{spent:.2f}", f"{spent / plain:.2f}", limit]
        for (name, spent), limit in zip(best.items(), limits, strict=True)
    ]


def _step(crowd: Crowd, count: int) -> None:
    for _ in range(count):
        crowd.step(FRAME)


def _seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


if __name__ == "__main__":
    human = HumanModel.default()
    method = (
        f"Processor time, one thread, frames of 1/60 s. The jam: {JAMMED:,} people on {SIDE:g} x {SIDE:g} m who all\n"
        f"want to stand at one place, each frame of {SECONDS:g} s by itself, the collection of garbage put off.\n"
        "Who is lost searches for a way, a few in every frame. One person: the least mean of 40 turns of 100 frames.\n"
        f"{MANY:,} people among {THINGS:,} obstacles on {SQUARE:g} x {SQUARE:g} m, a quarter of which move:\n"
        "everyone has a goal and heeds the others; with poses, feet and all, the least of\n"
        f"{TURNS} turns of {FRAMES} frames, beside NumPy's pose alone in the same run, the least of {PLAIN} in each\n"
        f"turn; to be reached are {OBSTACLES:g} us where that takes {FREE:g}."
    )
    tables: list[Table] = [
        (
            "A jam, ms a frame",
            ["", "mean", "99 of 100 below", "worst", "worst / mean", "to be reached"],
            jam_rows(human),
        ),
        ("One person, us a frame", ["", "us", "to be reached"], alone_rows(human)),
        (f"One of {MANY:,}, one frame", ["", "us", "of NumPy's time", "to be reached"], many_rows(human)),
    ]
    write_page("jams", "Jams", method, tables)
