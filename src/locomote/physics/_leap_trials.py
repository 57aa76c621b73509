"""Trials of leaps (QUA-25): one leap measured, and a dictionary of them that grows by trial."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from locomote.physics._animal import Animal
from locomote.physics._animal_build import FRICTION
from locomote.physics._driving import CHUNK
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._leap_book import LeapBook, Leapt
from locomote.physics._leaps import HIGH, LOW, Launch, Leap, launch_of
from locomote.physics._one_dog import OneDog, Place
from locomote.rotations import FloatArray

TAKES, LATER = 3, 0.77  # stands out of which a leap must come out alike, each so many s later
ALIKE = 0.08  # of its height, or of its distance and this in m
LONGEST = 3.0  # s of a leap
AFTER = 1.2  # s for which it has to stay on its feet
LEVEL = np.radians(25.0)  # rad of pitch at most, when it lands
LEAST, BACKWARDS = 0.55, -0.05  # m: what does not rise higher is no leap; nor what goes back
CELL = 0.1  # m of height and distance within which one leap, the easiest, is kept
TURNED, SPREAD, CROSSED = 0.3, 0.12, 0.2  # share of numbers that change, by how much of their range; how often two mix


@cache
def stands() -> tuple[OneDog, list[tuple[Any, ...]]]:
    """A dog of this process, and stands to leap from."""
    dog, found = OneDog(Animal.of(), GaitLibrary.default(), None, FRICTION), []
    dog.begin(Place(0.0, 0.0, 0.0), 0.0)
    for _ in range(TAKES):
        dog.advance(round(1000.0 * LATER))
        found.append(dog.remember())
    return dog, found


def try_leap(launch: Launch, take: int = 0) -> Leapt | None:
    """One leap out of a stand; None if it ends badly."""
    dog, starts = stands()
    dog.recall(starts[take])
    leap = Leap(launch)
    dog.do("leap", leap)
    watch = Watch(dog)
    for _ in range(round(LONGEST / CHUNK)):
        dog.advance(round(1000.0 * CHUNK))
        if dog.skill is not leap:
            break
        watch.look(leap)
        if watch.lost:
            return None
    if dog.skill is not None or not watch.flight or abs(watch.pitch) > LEVEL:
        return None
    for _ in range(round(AFTER / CHUNK)):
        dog.advance(round(1000.0 * CHUNK))
        if dog.simulation.fallen:
            return None
    return watch.told(launch)


class Watch:
    """Measures a leap from outside: by the centre of mass and the loads under the feet."""

    def __init__(self, dog: OneDog) -> None:
        self.sim = dog.simulation
        self.flight: list[FloatArray] = []  # places of the centre of mass, m
        self.top, self.effort, self.pitch = 0.0, 0.0, 0.0
        self.landed = False

    @property
    def lost(self) -> bool:
        """Whether it rolled over."""
        return self.sim.tilt > 0.6 * np.pi or not self.sim.sound

    def look(self, leap: Leap) -> None:
        """After every moment."""
        sim = self.sim
        middle = sim.data.subtree_com[1].copy()
        self.top = max(self.top, float(middle[1]))
        self.effort += float(np.square(sim.views.torques).sum()) * CHUNK
        if leap.stage in ("launch", "fly") and not np.any(sim.views.touch > 1.0):
            self.flight.append(middle)
        if leap.stage == "land" and not self.landed:
            self.landed = True
            rear, front = sim.frames
            self.pitch = float(np.arctan2(front[1] - rear[1], np.linalg.norm((front - rear)[[0, 2]])))

    def told(self, launch: Launch) -> Leapt:
        """What was measured."""
        yaw = self.sim.asked.yaw[1]
        way = float((self.flight[-1] - self.flight[0]) @ np.array([np.sin(yaw), 0.0, np.cos(yaw)]))
        return Leapt(launch, self.top, way, self.effort)


def proven(launch: Launch, better: Callable[[Leapt], bool]) -> Leapt | None:
    """A leap that comes out alike from several stands; tried further only if the first is ``better``."""
    first = try_leap(launch)
    if first is None or first.height < LEAST or first.distance < BACKWARDS or not better(first):
        return None
    takes = [first]
    for take in range(1, TAKES):
        again = try_leap(launch, take)
        if (
            again is None
            or abs(again.height - first.height) > ALIKE * first.height
            or abs(again.distance - first.distance) > ALIKE * max(first.distance, 1.0)
        ):
            return None
        takes.append(again)
    return Leapt(launch, *np.mean([take[1:] for take in takes], axis=0).tolist())


def cell_of(leap: Leapt) -> tuple[int, int]:
    """Leaps of one cell are alike; the easiest is kept."""
    return round(leap.height / CELL), round(leap.distance / CELL)


def grow(
    book: LeapBook | None = None, trials: int = 1000, seed: int = 0, progress: Callable[[int, int], None] | None = None
) -> LeapBook:
    """Leaps found by changing those that are known, and by mixing them.

    Parameters
    ----------
    book : to begin with; one leap without it
    trials : leaps to try
    seed : the same seed gives the same search
    progress : called with the trials done and the leaps known
    """
    random = np.random.default_rng(seed)
    low, high = np.array(LOW), np.array(HIGH)
    begin = [proven(Launch(), lambda _: True)] if book is None else [book[k] for k in range(len(book))]
    known = {cell_of(leap): leap for leap in begin if leap is not None}
    tried = dict.fromkeys(known, 0)

    def better(leap: Leapt) -> bool:
        there = known.get(cell_of(leap))
        return there is None or leap.effort < 0.97 * there.effort

    for trial in range(trials if known else 0):
        cells = list(known)
        # What is high or far, and was seldom tried, leads on.
        worth = np.array([(1.0 + 0.5 * max(c[0] - 6, 0) + 0.2 * max(c[1], 0)) / (1.0 + tried[c]) for c in cells])
        cell = cells[int(random.choice(len(cells), p=worth / worth.sum()))]
        tried[cell] += 1
        values = np.array(known[cell].launch)
        if random.random() < CROSSED:
            other = np.array(known[cells[int(random.integers(len(cells)))]].launch)
            values = values + random.uniform(-0.3, 1.0) * (other - values)
        else:
            turned = random.random(len(values)) < TURNED
            turned[int(random.integers(len(values)))] = True
            values = values + turned * random.normal(0.0, SPREAD, len(values)) * (high - low)
        found = proven(launch_of(values), better)
        if found is not None and better(found):
            known[cell_of(found)] = found
            tried[cell_of(found)] = 0
        if progress is not None:
            progress(trial + 1, len(known))
    return LeapBook.of([known[cell] for cell in sorted(known)])
