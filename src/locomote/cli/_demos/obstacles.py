"""What ``locomote demo obstacles`` shows: one walker who meets all kinds of things, a crowd, and approaches."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from locomote.cli._demos.approaches import APPROACH_SHOWS
from locomote.cli._demos.people import FPS, Show, mean_style
from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.human._recording import record_all
from locomote.world import Obstacles

PEOPLE = 30  # in the crowd
ROOM = 5.0  # m from the middle to where the first of them begin
LATE = 34.0  # m along the course, where a puddle appears right before the walker


def course(model: HumanModel, seconds: float) -> Show:
    """One walker over and round one thing after the other."""
    obstacles = Obstacles()
    obstacles.add_puddle((0.0, 4.0), length=0.8, width=3.0)  # jumped out of the walk
    obstacles.add_puddle((0.0, 13.0), length=1.5, width=8.0)  # too long for that: it runs up to it
    obstacles.add_puddle((0.3, 19.5), length=2.2, width=0.8)  # too long altogether: it goes round
    obstacles.add_box((-0.2, 29.5), size=(0.4, 0.4), height=0.6)
    crowd = Crowd(model, 1, style=mean_style(model), speed=1.3, obstacles=obstacles)
    known = [(0.0, obstacles.copy())]  # from when on

    def appear(time: float) -> None:
        x, _, z = crowd.positions[0]
        if len(known) == 1 and z > LATE:
            crowd.allow(going_round=False)
            obstacles.add_puddle((x, z + 1.5), length=0.8, width=3.0)
            known.append((time, obstacles.copy()))

    def at(time: float) -> Obstacles:
        return [each for start, each in known if start <= time + 0.5 / FPS][-1]

    motion = replace(record_all(crowd, 7.5 * seconds, FPS, appear)[0], name="course")
    text = (
        "A short puddle is jumped out of the walk; a longer one makes it run first, and walk on afterwards. It goes "
        "round what is too long, and round a box. The last puddle appears too late: it stops, and jumps from both feet."
    )
    return Show(
        "course",
        "Over, faster over, round",
        text,
        [motion],
        view="rear-quarter",
        obstacles=at,
        size=(480, 270),
    )


def crowd_among_obstacles(model: HumanModel, seconds: float) -> Show:
    """Many people who cross a yard, each to the other side."""
    obstacles = Obstacles()
    for x, z, length, width in ((0.0, 1.5, 0.8, 2.2), (-3.0, -2.0, 0.7, 2.0), (3.2, -1.0, 2.0, 1.2)):
        obstacles.add_puddle((x, z), length, width)
    obstacles.add_box((2.0, 3.2), (0.9, 0.6), height=0.7, yaw=0.4)
    obstacles.add_disk((-1.8, 3.0), radius=0.3)
    obstacles.add_disk((0.6, -3.2), radius=0.3)
    random = np.random.default_rng(4)
    row = np.arange(PEOPLE) // 2
    side = 2.0 * (np.arange(PEOPLE) % 2) - 1.0  # half of them come from either end
    places = np.zeros((PEOPLE, 3))
    places[:, 0] = 2.0 * (row % 6) - 5.0 + random.uniform(-0.3, 0.3, PEOPLE) + 0.5 * side
    places[:, 2] = side * (ROOM + 2.0 * (row // 6) + random.uniform(-0.4, 0.4, PEOPLE))
    legs = random.uniform(0.78, 1.0, PEOPLE)
    people = Crowd(
        model,
        PEOPLE,
        seed=4,
        leg_length=legs,
        speed=1.25 * np.sqrt(legs / 0.9),
        heading=np.where(side > 0.0, math.pi, 0.0),
        positions=places,
        obstacles=obstacles,
        avoid=True,
    )
    people.allow(jumping=False)
    across = -side * (ROOM + random.uniform(0.0, 4.0, PEOPLE))
    people.go_to(places[:, 0] + random.uniform(-1.0, 1.0, PEOPLE), across)
    there = np.zeros(PEOPLE, dtype=bool)

    def stand(_time: float) -> None:
        new = people.arrived & ~there
        if new.any():
            people.command(speed=0.0, turn_rate=0.0, who=np.flatnonzero(new))
            there[new] = True

    motions = record_all(people, 4.0 * seconds, FPS, stand)
    motions = [replace(motion, name=f"{i + 1}") for i, motion in enumerate(motions)]
    text = "Everybody is told a place on the other side, and finds a way past the others, puddles, a box and bollards."
    return Show("yard", f"{PEOPLE} people cross a yard", text, motions, view="high", obstacles=obstacles, follow=False)


OBSTACLE_SHOWS: tuple[Callable[[HumanModel, float], Show], ...] = (
    course,
    crowd_among_obstacles,
    *APPROACH_SHOWS,
)
