"""Where the walkers of a crowd are to go, and what they meet there: the arrays behind goals, obstacles and jumps."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from locomote._arguments import Rows, others_of
from locomote.errors import LocomoteError
from locomote.human._kernels.awake import is_anyone_busy
from locomote.human._kernels.model import REFERENCE_HIP_HEIGHT, Model
from locomote.human._kernels.state import (
    AT_ONCE,
    FREE,
    NEUTRAL,
    ON_PATH,
    PERIOD,
    RADIUS,
    RETURN,
    STAGGER,
    STEER,
    Jump,
    People,
    Walker,
    Way,
)
from locomote.human._model import HumanModel
from locomote.human._packing import jump_units, take_off_places
from locomote.human.jumps._kernels.jump_decision import RUNNING, STANDING, WALKING, JumpLaw
from locomote.human.jumps._kernels.jump_setup import Planner
from locomote.human.jumps._kernels.runup_phase import Frequencies
from locomote.human.jumps._model import JumpModel
from locomote.math._compile import prepared
from locomote.math.records import Records, zeros
from locomote.rotations import ArrayLike, FloatArray
from locomote.world import Obstacles

if TYPE_CHECKING:
    from locomote.human._encounters import Encounters

SOLE = 0.28  # hip heights: heel to tip, by which the balls are further apart than what lies between the feet
FASTER_WALK = 0.34  # m/s than the printed law, before walking jumps
MOST_POINTS = 1_000_000  # of all paths


def jump_laws(jumps: JumpModel) -> Records:
    """The laws of `jumps._kernels.jump_decision`, one `JumpLaw` a row.

    Lengths are those of what is jumped; the balls of the feet are a sole further apart. At the speeds printed for the
    source jumps would have to fly longer than any recorded one does. So running jumps go by the recorded ones, and
    walking jumps are faster by about as much as recorded take-offs from a stand are (0.41 m/s).
    """
    walking, running = jumps.law("walking"), jumps.law("running", "refit")
    sole = SOLE * REFERENCE_HIP_HEIGHT
    faster = walking.offset + FASTER_WALK + walking.slope * sole
    laws = zeros(JumpLaw, 3)
    laws[WALKING] = walking.slope, faster, walking.tolerance, 0.3, 1.2, 0.10, 0.32
    laws[RUNNING] = running.slope, running.offset + running.slope * sole, running.tolerance, 0.5, 2.0, 0.15, 0.48
    laws[STANDING] = 0.0, 0.0, 0.0, 0.2, 1.2, 0.10, 0.32
    return laws


class HumanNavigation:
    """One `Way` for each walker beside the crowd's state; `step` moves the state's targets before each frame."""

    def __init__(self, people: People, packed: Model, model: HumanModel, jumps: JumpModel) -> None:
        count = len(people.walkers)
        self.rows = zeros(Way, count)
        self.rows["thing"], self.rows["course"], self.rows["goal_yaw"] = -1, math.nan, math.nan
        self.rows["may_jump"] = self.rows["may_round"] = True
        self.rows["look"] = PERIOD * ((STAGGER * np.arange(count)) % 1.0)  # not all in the same frame
        self.paths: FloatArray = np.zeros((0, 2))  # places of all paths, with room for more
        self._laid = 0  # how many of them are in use
        self.awake = True  # whether someone may have a goal, keep out of the way of others or jump
        self.others: FloatArray = np.zeros((0, 5))  # x, z, velocity x, z, radius of whoever else is about
        self.people, self._packed, self._model = people, packed, model
        self.laws, self._units = jump_laws(jumps), jump_units(jumps)
        self._planner: Planner | None = None
        self._encounters: Encounters | None = None  # made when anyone has an eye on others
        self._is_busy: Callable[[People, Records], bool] | None = None  # a kernel

    @property
    def planner(self) -> Planner:
        """What those who plan jumps know of all walkers; made when it is first needed."""
        if self._planner is None:
            timing = self._packed.timing
            knots = len(timing.speeds)
            self._planner = Planner(
                weights=np.empty(self.people.weights.shape[2]),
                timing=timing,
                places=take_off_places(self._model),
                sole=self._packed.sole,
                units=self._units,
                laws=self.laws,
                ahead=zeros(Walker, 1),
                blank=zeros(Jump, 1),
                rates=Frequencies(np.empty(knots), np.empty((2, knots))),
            )
        return self._planner

    def step(self, dt: float, obstacles: Obstacles) -> None:
        """Look, decide and steer."""
        if dt == 0.0:
            return
        if self._is_busy is None:
            self._is_busy = prepared(is_anyone_busy, self.people, self.rows)
        self.awake = self._is_busy(self.people, self.rows)
        walkers = self.people.walkers
        if not self.awake and not len(obstacles):
            walkers["keep_off"] = walkers["aside"] = 0.0
            return
        if self._encounters is None:
            from locomote.human._encounters import Encounters

            self._encounters = Encounters(self)
        self._encounters.step(dt, obstacles)

    def meet(self, places: ArrayLike, velocities: ArrayLike = (0.0, 0.0), radii: ArrayLike = RADIUS) -> None:
        """Say who else is about until said otherwise: places ``(K, 2)`` as (x, z), velocities, radii in metres."""
        self.others = others_of(places, velocities, radii)

    def go(self, rows: Rows, mode: int, cruise: FloatArray) -> None:
        """Send walkers off."""
        self.awake = True
        self.rows["mode"][rows], self.rows["cruise"][rows] = mode, cruise
        self.rows["arrived"][rows] = self.rows["progress"][rows] = self.rows["side"][rows] = 0.0
        self.rows["course"][rows] = math.nan
        self.rows["lost"][rows] = self.rows["trail"]["count"][rows] = 0.0
        self.rows["look"][rows] = AT_ONCE
        self.rows["scout"][rows] = 0.0
        self.rows["nearest"][rows] = math.inf

    def told(self, rows: Rows, speeds: FloatArray | None, turned: bool) -> None:
        """Take notice of commands: a speed is that of the way; who is told where to turn has no goal any more."""
        if speeds is not None:
            self.rows["cruise"][rows] = speeds
        if turned:
            self.rows["mode"][rows] = FREE
            self.rows["course"][rows] = math.nan
            state = self.rows["state"][rows]
            self.rows["state"][rows] = np.where((state == STEER) | (state == RETURN), NEUTRAL, state)

    def set_paths(self, rows: Rows, points: FloatArray, counts: Rows) -> None:
        """Lay down paths, one for all of these walkers or one for each: places after places, and how many each has."""
        if self._laid + len(points) > len(self.paths):
            self._drop_paths(rows, len(points))
        self.paths[self._laid : self._laid + len(points)] = points
        self.rows["first"][rows], self.rows["count"][rows] = self._laid + np.cumsum(counts) - counts, counts
        self._laid += len(points)

    def _drop_paths(self, rows: Rows, more: int) -> None:
        """Forget the paths that nobody but these walkers is on, and make room for more places.

        There is room for as many again, so that many small paths cost no more than a large one.
        """
        on_path = self.rows["mode"] == ON_PATH
        on_path[rows] = False
        firsts, someone, which = np.unique(self.rows["first"][on_path], return_index=True, return_inverse=True)
        counts = self.rows["count"][on_path][someone]
        kept = int(counts.sum())
        if kept + more > MOST_POINTS:
            raise LocomoteError(f"path: more than {MOST_POINTS} places in all")
        starts = np.cumsum(counts) - counts
        points = np.zeros((min(MOST_POINTS, 2 * (kept + more)), 2))
        points[:kept] = self.paths[np.repeat(firsts - starts, counts) + np.arange(kept)]
        self.paths, self._laid = points, kept
        self.rows["first"][on_path] = starts[which]

    def copy_for(self, people: People) -> HumanNavigation:
        """The same ways over another state."""
        shared = (self._model, self._packed, self._planner)
        twin = copy.copy(self)
        twin._is_busy = None  # kernels are prepared anew
        if twin._encounters is not None:
            twin._encounters = twin._encounters.without_kernels()
            twin._encounters.ways = twin
        return copy.deepcopy(twin, {id(self.people): people, **{id(each): each for each in shared}})
