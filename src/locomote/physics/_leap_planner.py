"""Where a simulated animal that trots is to leap, so that it gets over what lies ahead (QUA-27, 28).

At every change of its feet it looks along its way. Of all leaps that are known it keeps those that begin now, or one to
twenty changes later, on level ground, clear what is in between and come down on level ground beyond; the easiest is
chosen, and if that one begins now, it leaps. Gaps, platforms, barriers and edges are all the same to it: a foot that
would touch anything else than a place to land rules a leap out.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.math.constants import GRAVITY
from locomote.physics._driving import Driver
from locomote.physics._kernels import animal_model as am
from locomote.physics._leap_book import LeapBook, Leapt
from locomote.physics._leaps import steps_of
from locomote.physics._simulation import Simulation
from locomote.physics._throwing import FELT
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]

PACE, NEARLY = 0.8, 0.15  # m/s at which it comes to what it leaps over, and by which it may be off
AHEAD, LEAST, CELL = 8.0, 0.7, 0.02  # m that it sees ahead and behind, and between two heights
STEP = 0.07  # m: what is lower, feet take in their stride
CHANGES = 20  # of its feet that it looks ahead: ten strides
LEAPS_FROM = "trot"  # the gait out of which leaps are known
SLOWS, BRAKES = 2.5, 1.0  # m before something in which it goes at its pace, and m/s2 at which it comes to that
STOPS = 0.8  # m before something that no leap leads over, at which it stops
VARIES, EVENLY = (
    0.1,
    1.0,
)  # m/s by which it changes its pace to come to the right place; efforts that a m/s of that costs
GOES_UP, COMES_DOWN = 0.49, 0.40  # m of the centre of mass above the feet, as it leaves the ground and as it lands
# How feet are led in the air, measured: s after the take-off, the top of the flight counted as `TOP`; m ahead of the
# centre of mass and below it, of the fore feet that are farthest ahead and of the hind feet that are farthest back.
RISES, SPREADS = (0.0, 0.08, 0.16), 0.16  # s in which feet are pulled in, and in which they are put out after the top
FORE, FORE_BELOW = (0.17, 0.26, 0.26, 0.25, 0.33), (0.47, 0.38, 0.35, 0.34, 0.44)
HIND, HIND_BELOW = (-0.52, -0.46, -0.42, -0.40, -0.26), (0.49, 0.34, 0.33, 0.34, 0.40)
EDGE, FLAT = 0.08, 0.04  # m on both sides of feet that must be level, within so much
BEHIND = 0.2  # m behind feet that land: its first steps may go back
LAUNCHES = 0.1  # s of a launch
GAINS, GAINS_BY = 0.06, 0.07  # m that are gained by it out of a stand; s of its speed forward out of a trot
HARDEST = 3.9  # m/s with which it comes down at most: what is lower than some 0.45 m is too deep
BARE = 0.03  # m between feet and what they pass
TICK, LONGEST = 0.02, 1.4  # s
LOOKS = 0.3  # s between two looks of who stands
ROOM, SAFE = 0.12, 4.0  # m that a leap may be off, and what room for that is worth, in efforts
HARD, RISKY = 0.2, 6.0  # efforts that a m/s costs with which it lands, and a leap that never lands on its feet


class Way(NamedTuple):
    """Heights of the ground along where it heads, from what it stands on, at equal distances."""

    heights: FloatArray  # (K,) m
    first: float  # m from the centre of mass to the first, less than 0

    def at(self, places: FloatArray) -> FloatArray:
        """Heights at distances ahead, m."""
        rows = np.clip(np.rint((places - self.first) / CELL).astype(int), 0, len(self.heights) - 1)
        return np.asarray(self.heights[rows])

    def is_level(self, places: FloatArray, behind: float = EDGE) -> BoolArray:
        """Whether the ground around places is level."""
        around = np.linspace(-behind, EDGE, 7)
        heights = self.at(places[..., None] + around)
        return np.asarray(np.ptp(heights, axis=-1) < FLAT, dtype=np.bool_)

    @property
    def trouble(self) -> float:
        """m ahead to the first step that is too high or too deep; endless without any."""
        rises = np.abs(self.heights[2:] - self.heights[:-2]) > STEP
        places = self.first + CELL * (1 + np.arange(len(rises)))
        ahead = places[rises & (places > 0.0)]
        return float(ahead[0]) if len(ahead) else np.inf


def way_ahead(sim: Simulation) -> Way:
    """The ground along the heading."""
    assert sim.ground is not None
    at = sim.data.subtree_com[1]
    along = np.arange(-LEAST, AHEAD, CELL)
    places = at[[0, 2]] + along[:, None] * np.array([np.sin(sim.heading), np.cos(sim.heading)])
    heights = sim.ground.heights(places)
    stood = sim.feet[sim.views.touch > FELT, 1]
    return Way(heights - (float(stood.mean()) if len(stood) else float(heights[round(LEAST / CELL)])), -LEAST)


def leads_over(leap: Leapt, way: Way, begins: FloatArray, edge: float, speed: float | None = None) -> BoolArray:
    """Whether a leap that begins at some distances ahead lands beyond an edge, and touches nothing before.

    Parameters
    ----------
    leap, way : a leap that is known, and the ground
    begins : (B,) m ahead, where the centre of mass is when the leap begins
    edge : m ahead
    speed : m/s at which it comes; that at which the leap was found without it
    """
    given = leap.launch
    if leap.speed:
        loads = max(2.0 * given.gathers, given.loads) + LAUNCHES
        leaves = begins + (leap.speed if speed is None else speed) * loads + GAINS_BY * given.forward
    else:
        leaves = begins + given.lean + GAINS
    stood = leaves[:, None] + np.array([FORE[0], HIND[0]])
    fair: BoolArray = np.all(way.is_level(stood) & (np.abs(way.at(stood)) < FLAT) & (stood < edge), axis=1)
    rises, falls_for = flight_of(leap)
    top = rises / GRAVITY
    goes = leap.distance / (top + falls_for)
    t = np.arange(TICK, LONGEST, TICK)
    parts = np.array([*RISES, max(top, RISES[-1] + TICK), max(top, RISES[-1] + TICK) + SPREADS])
    below = np.stack([np.interp(t, parts, each) for each in (FORE_BELOW, HIND_BELOW)], axis=-1)
    feet = (GOES_UP + rises * t - 0.5 * GRAVITY * t**2)[:, None] - below
    ahead = np.stack([np.interp(t, parts, each) for each in (FORE, HIND)], axis=-1)
    places = leaves[:, None, None] + goes * t[:, None] + ahead  # (B, T, 2)
    free = (feet - way.at(places)).min(axis=-1)
    falls = t > top
    touches = free < np.where(falls, 0.0, BARE * np.minimum(t / RISES[-1], 1.0))
    first = np.argmax(touches, axis=1)
    rows = np.arange(len(begins))
    lands = places[rows, first]
    fair &= touches.any(axis=1) & falls[first] & (free[rows, first] > -STEP) & (lands[:, 1] > edge)
    fair &= way.at(lands).min(axis=1) > leap.height - COMES_DOWN - HARDEST**2 / (2.0 * GRAVITY)
    fair &= way.is_level(lands, BEHIND).all(axis=1) & (np.abs(np.diff(way.at(lands), axis=1)[:, 0]) < FLAT)
    return fair


def flight_of(leap: Leapt) -> tuple[float, float]:
    """m/s upwards as it leaves the ground, and s from the top of its flight down to level ground."""
    rises = float(np.sqrt(2.0 * GRAVITY * max(leap.height - GOES_UP, 0.02)))
    return rises, float(np.sqrt(2.0 * max(leap.height - COMES_DOWN, 0.02) / GRAVITY))


class Planner:
    """Watches the way of one animal, and says when it is to leap."""

    def __init__(self, book: LeapBook | None = None) -> None:
        self.book = book or LeapBook.default()
        self._fresh, self._looked = False, -LOOKS  # whether its feet have just changed; s when it looked last

    def look(self, driver: Driver) -> Leapt | None:
        """The leap that is to begin now, if any; brings a driver to its pace, or stops it, before what is ahead."""
        sim = driver.simulation
        was, self._fresh = self._fresh, bool(steps_of(sim))
        trots = driver.gait == LEAPS_FROM and not driver.standing
        due = self._fresh and not was if trots else sim.time > self._looked + LOOKS
        if sim.ground is None or driver.speed <= 0.0 or not due:
            return None
        self._looked = sim.time
        way = way_ahead(sim)
        edge = way.trouble
        near = edge < SLOWS + driver.going**2 / (2.0 * BRAKES)
        driver.held, driver.bound = (PACE, LEAPS_FROM) if near else (None, None)
        if not near:
            return None
        steady = driver.standing or (trots and driver.goal > PACE - NEARLY)
        chosen, later, pace = self._plan(driver, way, edge) if steady else (None, -1, PACE)
        driver.held = 0.0 if chosen is None and edge < STOPS else pace
        return chosen if later == 0 else None

    def leave(self, driver: Driver) -> None:
        """Watch no more."""
        driver.held = driver.bound = None

    def _plan(self, driver: Driver, way: Way, edge: float) -> tuple[Leapt | None, int, float]:
        """The best leap over an edge, after how many changes of feet it begins, and the pace until then."""
        speed = 0.0 if driver.standing else driver.going
        rows = np.flatnonzero(np.abs(self.book.speeds - speed) < NEARLY)
        usual, off = float(np.median(self.book.efforts)), np.arange(-ROOM, ROOM + 1e-6, 0.5 * ROOM)
        best: tuple[float, Leapt | None, int, float] = np.inf, None, -1, PACE
        for pace in (0.0,) if driver.standing else (PACE, PACE - VARIES, PACE + VARIES):
            apart = 0.5 * pace * float(driver.now[1][am.PERIOD])
            begins = np.arange(1 if driver.standing else CHANGES + 1) * apart
            tries = (begins[:, None] + off).ravel()
            for k in rows:
                leap = self.book[int(k)]
                fair = leads_over(leap, way, tries, edge, speed).reshape(len(begins), len(off))
                rises, falls_for = flight_of(leap)
                lands = np.hypot(GRAVITY * falls_for, leap.distance * GRAVITY / (rises + GRAVITY * falls_for))
                costs = leap.effort / usual + HARD * lands + RISKY * (1.0 - leap.lands) - SAFE * fair.mean(axis=1)
                costs += EVENLY * abs(pace - PACE) * (np.arange(len(begins)) > 0)
                costs[~fair[:, len(off) // 2]] = np.inf
                if costs.min() < best[0]:
                    best = float(costs.min()), leap, int(np.argmin(costs)), pace or PACE
        return best[1:]
