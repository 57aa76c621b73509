"""Trials of leaps (QUA-25): each is tried out of several approaches at once, and numbers are searched that suit all."""

from __future__ import annotations

from functools import cache
from multiprocessing import get_context
from typing import Any, NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.math.constants import GRAVITY
from locomote.physics._animal import Animal
from locomote.physics._animal_build import FRICTION
from locomote.physics._driving import CHUNK
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._leap_book import LeapBook, Leapt
from locomote.physics._leaps import HIGH, LOW, Launch, Leap, flight_time, launch_of
from locomote.physics._one_dog import OneDog, Place
from locomote.physics._throwing import measured
from locomote.rotations import FloatArray

TAKES = 4  # approaches out of which a leap must come out alike
RUN_UP, APART = 4.0, 0.19  # s of trot before the first approach, and s between two
COMES, RESTS = 2.5, 4.0  # s of trot before it is stopped, and s in which it comes to stand
LONGEST, AFTER = 3.0, 1.2  # s of a leap, and s for which it has to stay on its feet
MISSES, FALLS = 10.0, 3.0  # cost of a metre that it is off, and of a fall
TILTS = 1.0  # cost of a rad of roll and of pitch, when it lands
WORST = 0.3  # share of the worst approach in a cost
SPREAD, SHARE = 0.1, 0.3  # of the range of a number by which it is varied, and of the numbers that are
WINNOWED = 3.9, 4.6, 5.2, 5.9, 6.6, 7.3  # s: approaches by which grown leaps are winnowed
OFF, FALLEN = 3, 2  # takes of all those that may be off by more than a tenth, and that may fall
JUDGED, RELIABLE = (1.1, 2.3), 0.8  # s: more approaches by which a leap is judged, and how many of all must succeed
LEAST = 0.05  # m that a distance may always be off
CORRECTS, MOST, LEANS = 0.7, 0.3, 0.025  # share of a miss that is made up for at once; rad at most; m for a m/s
LANDS = -0.08  # rad, nose up, at which it lands best: fore feet a little before the others
GOOD = 0.5  # cost of a leap that need not become better


class Tried(NamedTuple):
    """One leap out of one approach."""

    height: float  # m of the centre of mass, at most
    distance: float  # m through the air
    effort: float  # N^2 m^2 s
    tilt: float  # rad of pitch and roll together, when it lands
    pitch: float  # rad, nose up, when it lands
    fell: bool


@cache
def approaches(speed: float, later: float = 0.0) -> tuple[OneDog, list[tuple[Any, ...]]]:
    """A dog of this process, and what it remembers of some moments at a speed; of stands that it came to at 0.

    ``later``, s, gives others: leaps are judged out of approaches that they were not chosen by.
    """
    dog = OneDog(Animal.of(), GaitLibrary.default(), None, FRICTION)
    found: list[tuple[Any, ...]] = []
    for k in range(2 * TAKES):
        if len(found) == TAKES:
            break
        if speed == 0.0 or not found:
            dog.begin(Place(0.0, 0.0, 0.0), k / TAKES)
            dog.driver.command(speed=speed or 0.8 + 0.2 * k, gait="trot")
            dog.advance(round(1000.0 * (later + (COMES + 0.13 * k if speed == 0.0 else RUN_UP))))
        if speed == 0.0:
            dog.driver.command(speed=0.0)
            dog.advance(round(1000.0 * RESTS))
        else:
            dog.advance(round(1000.0 * APART))
        if not dog.falls and (speed > 0.0 or dog.driver.standing):
            found.append(dog.remember())
    return dog, found


def try_leap(launch: Launch, speed: float, take: int = 0, later: float = 0.0) -> Tried:
    """One leap out of an approach, measured from outside: by the centre of mass and the loads under the feet."""
    dog, starts = approaches(speed, later)
    dog.recall(starts[take])
    dog.falls = 0
    leap, sim = Leap(launch), dog.simulation
    dog.do("leap", leap)
    top, effort, tilt, pitch, landed = 0.0, 0.0, 0.0, 0.0, False
    flight: list[FloatArray] = []
    begun = False
    back = rot.from_yaw(0.0)
    for _ in range(round(LONGEST / CHUNK)):
        dog.advance(round(1000.0 * CHUNK))
        if dog.skill is not leap or dog.falls:
            break
        if leap.stage == "wait":
            continue
        middle = sim.data.subtree_com[1].copy()
        if not begun:
            begun, back = True, rot.from_yaw(-sim.heading)
        top, effort = max(top, float(middle[1])), effort + float(np.square(sim.views.torques).sum()) * CHUNK
        if leap.stage in ("launch", "fly") and not np.any(sim.views.touch > 1.0):
            flight.append(middle)
        if leap.stage == "land" and not landed:
            landed, tilt, pitch = True, sim.tilt, -float(measured(sim).angles[0])
    for _ in range(round(AFTER / CHUNK)):
        if not dog.falls:
            dog.advance(round(1000.0 * CHUNK))
    far = float(rot.rotate(back, flight[-1] - flight[0])[2]) if flight else 0.0
    fell = dog.falls > 0 or not landed or dog.skill is not None or sim.fallen
    return Tried(top, far, effort, tilt, pitch, fell)


def tried(launch: Launch, speed: float, later: float = 0.0) -> list[Tried]:
    """The same leap out of all approaches."""
    return [try_leap(launch, speed, take, later) for take in range(len(approaches(speed, later)[1]))]


def cost(takes: list[Tried], height: float, distance: float) -> float:
    """How far leaps are from what is wanted, and how badly they end: the mean, and a share of the worst."""
    each = [
        MISSES * (max(abs(t.height - height) - 0.02, 0.0) + max(abs(t.distance - distance) - 0.02, 0.0))
        + FALLS * t.fell + TILTS * t.tilt
        for t in takes
    ]  # fmt: skip
    return float(np.mean(each) + WORST * max(each))


def corrected(launch: Launch, goal: tuple[float, float, float], rounds: int = 3) -> tuple[Launch, float, list[Tried]]:
    """A launch made faster or slower until it is as high and as far as wanted; the best of some rounds."""
    speed, height, distance = goal
    best: tuple[Launch, float, list[Tried]] | None = None
    for _ in range(rounds):
        takes = tried(launch, speed)
        score = cost(takes, height, distance)
        if best is None or score < best[1]:
            best = launch, score, takes
        if alike(takes, height, distance) and score < GOOD:
            break
        high, far, pitch = np.median([(t.height, t.distance, t.pitch) for t in takes], axis=0)
        up = launch.up + CORRECTS * (height - high) * GRAVITY / max(launch.up, 1.0)
        forward = launch.forward + CORRECTS * (distance - far) / flight_time(launch)
        lands = launch.lands - CORRECTS * float(np.clip(pitch - LANDS, -MOST, MOST))
        lean = launch.lean + LEANS * (forward - launch.forward)
        launch = launch_of(np.array(launch._replace(up=up, forward=forward, lands=lands, lean=lean)))
    assert best is not None
    return best


def varied(launch: Launch, random: np.random.Generator) -> Launch:
    """A launch of which some numbers, chosen at random, are a little different."""
    ranges = np.array(HIGH) - np.array(LOW)
    chosen = random.random(len(ranges)) < SHARE
    return launch_of(np.array(launch) + SPREAD * ranges * chosen * random.standard_normal(len(ranges)))


def kept(launch: Launch, speed: float, takes: list[Tried]) -> Leapt:
    """What is remembered of a leap: the middle of its takes."""
    height, distance, effort = np.median([(t.height, t.distance, t.effort) for t in takes], axis=0).tolist()
    return Leapt(launch, speed, height, distance, effort, float(np.mean([not t.fell for t in takes])))


def alike(takes: list[Tried], height: float, distance: float) -> bool:
    """Whether a leap comes out as wanted from every approach, and lands."""
    return all(
        not t.fell and abs(t.height - height) < 0.1 * height and abs(t.distance - distance) < max(0.1 * distance, LEAST)
        for t in takes
    )


def leap_for(begin: Launch, goal: tuple[float, float, float], tries: int, seed: int) -> Leapt | None:
    """A leap as high and as far as wanted that lands, or none: judged by more approaches than it is searched by.

    Parameters
    ----------
    begin : where to start from
    goal : m/s of the approach, m that the centre of mass rises to, m through the air
    tries, seed : variations, each made faster or slower until it fits, and of the numbers that they draw
    """
    speed, height, distance = goal
    random = np.random.default_rng(seed)
    launch, score, takes = corrected(begin, goal)
    for _ in range(tries):
        if alike(takes, height, distance) and score < GOOD:
            break
        other = corrected(varied(launch, random), goal, 2)
        if other[1] < score:
            launch, score, takes = other
    takes = takes + [take for later in JUDGED for take in tried(launch, speed, later)]
    leapt = kept(launch, speed, takes)
    right = [alike([take], leapt.height, leapt.distance) for take in takes]
    return leapt if np.mean(right) >= RELIABLE else None


def grow(
    begin: dict[float, Launch],
    goals: list[tuple[float, float, float]],
    tries: int = 0,
    seed: int = 0,
    processes: int = 1,
) -> LeapBook:
    """A book of leaps.

    Parameters
    ----------
    begin : a launch to begin with, for every speed, m/s
    goals : (m/s, m high, m far) of the leaps that are wanted; those that do not land reliably are left out
    tries, seed : as in `leap_for`
    processes : that work on it
    """
    tasks = [(begin[goal[0]], goal, tries, seed + k) for k, goal in enumerate(goals)]
    if processes == 1:
        found = [leap_for(*task) for task in tasks]
    else:
        with get_context("spawn").Pool(processes) as pool:
            found = pool.starmap(leap_for, tasks, chunksize=1)
    leaps = [leap for leap in found if leap is not None]
    return LeapBook.of(leaps, {"seed": seed, "tries": tries, "takes": TAKES * (1 + len(JUDGED))})


def winnow(book: LeapBook, processes: int = 1) -> LeapBook:
    """The leaps of a book that come out alike, and land, from many more approaches, with what they do there.

    Parameters
    ----------
    book : leaps that were grown
    processes : that work on it
    """
    tasks = [(book[k].launch, float(book[k].speed), later) for k in range(len(book)) for later in WINNOWED]
    if processes == 1:
        found = [tried(*task) for task in tasks]
    else:
        with get_context("spawn").Pool(processes) as pool:
            found = pool.starmap(tried, tasks, chunksize=1)
    leaps = []
    for k in range(len(book)):
        takes = [take for each in found[k * len(WINNOWED) : (k + 1) * len(WINNOWED)] for take in each]
        leapt = kept(book[k].launch, float(book[k].speed), takes)
        off = sum(not alike([take._replace(fell=False)], leapt.height, leapt.distance) for take in takes)
        if off <= OFF and sum(take.fell for take in takes) <= FALLEN:
            leaps.append(leapt)
    return LeapBook.of(leaps, {**book.notes, "takes": TAKES * len(WINNOWED)})
