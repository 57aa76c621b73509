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
STOPS = 1.0  # m before something that no leap leads over, where it stops
GOES_UP, COMES_DOWN = 0.5, 0.40  # m of the centre of mass above the feet, as it leaves the ground and as it lands
FORE, HIND = (0.13, 0.2, 0.31), (-0.45, -0.38, -0.22)  # m from it to the feet: as it leaves, pulled in, and as it lands
TUCKED, SPREADS = 0.34, 0.12  # m from it down to feet that are pulled in; s in which they are, or put out
EDGE, FLAT = 0.08, 0.04  # m on both sides of feet that must be level, within so much
BEHIND = 0.2  # m behind feet that land: its first steps may go back
LAUNCHES, GAINS = 0.1, (0.06, 0.11)  # s of a launch; m that are gained by it out of a stand, and out of a trot
DEEPEST = 0.5  # m that it jumps down at most
BARE = 0.03  # m between feet and what they pass
TICK, LONGEST = 0.02, 1.4  # s
LOOKS, ROOM, SAFE = (
    0.3,
    0.12,
    4.0,
)  # s between two looks of who stands; m that a leap may be off; worth of that, in efforts


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


def leads_over(leap: Leapt, way: Way, begins: FloatArray, edge: float) -> BoolArray:
    """Whether a leap that begins at some distances ahead lands beyond an edge, and touches nothing before.

    Parameters
    ----------
    leap, way : a leap that is known, and the ground
    begins : (B,) m ahead, where the centre of mass is when the leap begins
    edge : m ahead
    """
    given = leap.launch
    if leap.speed:
        leaves = begins + leap.speed * (max(2.0 * given.gathers, given.loads) + LAUNCHES) + GAINS[1]
    else:
        leaves = begins + given.lean + GAINS[0]
    stood = leaves[:, None] + np.array([FORE[0], HIND[0]])
    fair: BoolArray = np.all(way.is_level(stood) & (np.abs(way.at(stood)) < FLAT) & (stood < edge), axis=1)
    rises = np.sqrt(2.0 * GRAVITY * max(leap.height - GOES_UP, 0.02))
    top = rises / GRAVITY
    goes = leap.distance / (top + np.sqrt(2.0 * max(leap.height - COMES_DOWN, 0.02) / GRAVITY))
    t = np.arange(0.0, LONGEST, TICK)
    parts = np.array([0.0, SPREADS, top, top + SPREADS])
    high = GOES_UP + rises * t - 0.5 * GRAVITY * t**2
    feet = high - np.interp(t, parts, [GOES_UP, TUCKED, TUCKED, COMES_DOWN])
    ahead = np.stack([np.interp(t, parts, np.array(each)[[0, 1, 1, 2]]) for each in (FORE, HIND)], axis=-1)
    places = leaves[:, None, None] + goes * t[:, None] + ahead  # (B, T, 2)
    free = (feet[:, None] - way.at(places)).min(axis=-1)
    falls = t > top
    touches = (free < np.where(falls, 0.0, BARE)) & (t > SPREADS)
    first = np.argmax(touches, axis=1)
    rows = np.arange(len(begins))
    lands = places[rows, first]
    fair &= touches.any(axis=1) & falls[first] & (free[rows, first] > -STEP) & (lands[:, 1] > edge)
    fair &= way.at(lands).min(axis=1) > -DEEPEST
    fair &= way.is_level(lands, BEHIND).all(axis=1) & (np.abs(np.diff(way.at(lands), axis=1)[:, 0]) < FLAT)
    return fair


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
        chosen, later = self._plan(driver, way, edge) if steady else (None, -1)
        if chosen is None and edge < STOPS:
            driver.held = 0.0
        return chosen if later == 0 else None

    def leave(self, driver: Driver) -> None:
        """Watch no more."""
        driver.held = driver.bound = None

    def _plan(self, driver: Driver, way: Way, edge: float) -> tuple[Leapt | None, int]:
        """The easiest and safest leap over an edge, and after how many changes of feet it begins."""
        speed = 0.0 if driver.standing else driver.going
        rows = np.flatnonzero(np.abs(self.book.speeds - speed) < NEARLY)
        apart = 0.5 * speed * float(driver.now[1][am.PERIOD])
        begins = np.arange(1 if driver.standing else CHANGES + 1) * apart
        off = np.arange(-ROOM, ROOM + 1e-6, 0.5 * ROOM)
        best: tuple[float, Leapt | None, int] = np.inf, None, -1
        for k in rows:
            leap = self.book[int(k)]
            fair = leads_over(leap, way, (begins[:, None] + off).ravel(), edge).reshape(len(begins), len(off))
            costs = leap.effort / float(np.median(self.book.efforts)) - SAFE * fair.mean(axis=1)
            costs[~fair[:, len(off) // 2]] = np.inf
            if costs.min() < best[0]:
                best = float(costs.min()), leap, int(np.argmin(costs))
        return best[1], best[2]
