"""Where the walkers of a crowd are to go, and what they meet there: the arrays behind goals, obstacles and jumps."""

from __future__ import annotations

import copy
import math
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from locomote._arguments import Rows, others_of
from locomote.human._model import HumanModel
from locomote.human._packing import jump_numbers, take_off_places
from locomote.human.jumps._model import JumpModel
from locomote.rotations import ArrayLike, FloatArray

if TYPE_CHECKING:
    from locomote.human._kernels.pose import Model
    from locomote.world import Obstacles

SOLE = 0.28  # hip heights: heel to tip, by which the balls are further apart than what lies between the feet
FASTER_WALK = 0.34  # m/s than the printed law, before walking jumps
RADIUS = 0.3  # m, of a body in the plan, for a hip height of REFERENCE
REFERENCE = 0.9  # m
NEIGHBOURS = 16  # walkers that each takes notice of
NEIGHBOURHOOD = 6.0  # m
SPARE = 0.05  # m more than its radius that a walker keeps from others if it can
HORIZONS = (1.0, 2.0, 4.0)  # s for which it avoids walkers, obstacles, and those of them that move
LIMITS = (1.5, 2.5, 3.0, 15.0, 3.5)  # m/s^2 faster and slower, rad/s, rad/s^2, m/s^2 sideways
SLIP = 0.005  # m, of a body that stops in a curve, off its straight stopping way
FIRM, FIRM_AFTER = (
    2.0,
    5.0,
)  # see `Agents.heeds`: of one who has come no nearer to its goal for so many seconds
PATIENCE, MOST_IMPATIENT = 4.0, 0.8  # s without progress for which one gets impatient, and how much at most
SIDLES_AFTER = 3.0  # s without progress, from when on one steps aside for others without turning there first
HARDLY = 0.1  # of its part in keeping clear of others, that one does who gets away from something
STANDING, HARDLY_GOING = 0.1, 0.5  # m/s; who is slower stands, or hardly gets on
CLOSE = 8  # obstacles that are close to a walker at most


def jump_laws(jumps: JumpModel) -> FloatArray:
    """The laws of `jumps._kernels.jump_decision`: speed over length, band, range of lengths, rise of the feet.

    Lengths are those of what is jumped; the balls of the feet are a sole further apart. At the speeds printed for the
    source jumps would have to fly longer than any recorded one does. So running jumps go by the recorded ones, and
    walking jumps are faster by about as much as recorded take-offs from a stand are (0.41 m/s).
    """
    walking, running = jumps.law("walking"), jumps.law("running", "refit")
    sole = SOLE * REFERENCE
    return np.array(
        [
            [
                walking.slope,
                walking.offset + FASTER_WALK + walking.slope * sole,
                walking.tolerance,
                0.3,
                1.2,
                0.10,
                0.32,
            ],
            [running.slope, running.offset + running.slope * sole, running.tolerance, 0.5, 2.0, 0.15, 0.48],
            [0.0, 0.0, 0.0, 0.2, 1.2, 0.10, 0.32],
        ]
    )


class HumanNavigation:
    """One row for each walker beside the crowd's state; `step` moves the state's targets before each frame."""

    def __init__(self, state: FloatArray, packed: Model, model: HumanModel, jumps: JumpModel) -> None:
        from locomote.human._kernels import drive, local_search, way

        self._at, self._drive = way, drive
        count = len(state)
        self.rows = np.zeros((count, way.COLUMNS))
        self.rows[:, [way.THING, way.COURSE]] = -1.0, math.nan
        self.rows[:, way.GOAL_YAW] = math.nan
        self.rows[:, [way.MAY_JUMP, way.MAY_ROUND]] = 1.0
        self.rows[:, way.LOOK] = way.PERIOD * ((0.618 * np.arange(count)) % 1.0)  # not all in the same frame
        self.paths: FloatArray = np.zeros((0, 2))
        self._seen = -1  # version of the obstacles
        self.awake = True  # whether someone may have a goal, keep out of the way of others or jump
        self.others: FloatArray = np.zeros((0, 5))  # x, z, velocity x, z, radius of whoever else is about
        self._state, self._packed, self._model = state, packed, model
        self._desk = local_search.desk()
        self.laws, self.units = jump_laws(jumps), jump_numbers(jumps)
        self._make_room(count)

    def _make_room(self, total: int) -> None:
        """Room for walkers and others."""
        from locomote.navigation._kernels import neighbours

        self._grid = neighbours.grid_for(total)
        self._near, self._counts = np.zeros((total, NEIGHBOURS), np.int64), np.zeros(total, np.int64)
        self._close, self._close_counts = np.zeros((total, CLOSE), np.int64), np.zeros(total, np.int64)
        self._courses, self._after = np.zeros((total, 7)), np.zeros((total, 7))
        self._wanted, self._taken = np.zeros((total, 2)), np.zeros((total, 2))
        self._drives = np.zeros((total, 4))
        self._moved, self._hindered = np.zeros(total, np.int64), np.zeros(total)
        self._radii, self._arrivals, self._fastest = np.zeros(total), np.full(total, np.inf), np.zeros(total)
        self._planes = np.zeros((2, NEIGHBOURS + CLOSE, 3))
        self._claims = np.zeros((3, total))  # see `jumps._kernels.jump_claims`
        self._refused, self._holders = np.zeros(total, np.int64), np.zeros(total, np.int64)
        self._patience = np.zeros(total)
        self._flights = np.zeros((total, 3))
        self._stood = np.zeros(len(self.rows))  # s

    @cached_property
    def places(self) -> FloatArray:
        """Where the feet of every style stand before a jump, see `packing.take_off_places`."""
        return take_off_places(self._model)

    def _needed(self) -> bool:
        """Whether anyone has a goal, keeps out of the way of others or jumps."""
        at = self._at
        busy = (self.rows[:, at.MODE] != at.FREE) | (self.rows[:, at.HEEDS] > 0.0)
        busy |= (self.rows[:, at.STATE] != at.NEUTRAL) | (self._state[:, self._drive.JUMP] != 0.0)
        return bool(busy.any())

    def step(self, dt: float, obstacles: Obstacles) -> None:
        """Look, decide and steer."""
        if dt == 0.0:
            return
        self.awake = self._needed()
        if not self.awake and not len(obstacles):
            drive = self._drive
            self._state[:, drive.KEEP_OFF : drive.KEEP_OFF + 3] = self._state[:, drive.ASIDE : drive.ASIDE + 2] = 0.0
            return
        from locomote.human._kernels import navigate
        from locomote.human._kernels.safe_drives import drive_all
        from locomote.human.jumps._kernels.jump_claims import Claims
        from locomote.navigation._kernels import velocity_obstacles as giving_way
        from locomote.navigation._kernels.neighbours import find_neighbours
        from locomote.navigation._kernels.steering import DriveLimits

        at, drive, state, packed = self._at, self._drive, self._state, self._packed
        count, things = len(state), obstacles.arrays
        if obstacles.version != self._seen:
            self._seen = obstacles.version
            self.rows[:, at.LOOK] = 0.0  # something is new: everyone looks at once
        total = count + len(self.others)
        if total != len(self._radii):
            self._make_room(total)
        self.rows[:, at.RADIUS] = RADIUS / REFERENCE / drive.LEG_SHARE * state[:, drive.LEG]
        self._radii[:count], self._radii[count:] = self.rows[:, at.RADIUS], self.others[:, 4]
        jammed = (self.rows[:, at.LOST] > SIDLES_AFTER) & (state[:, drive.SPEED] < HARDLY_GOING)
        self._stood = np.where(jammed | (state[:, drive.SPEED] < STANDING), self._stood + dt, 0.0)
        lengths, spare, granted = self._claims
        claims = Claims(lengths, spare, granted, self._refused)
        navigate.want_all(
            dt, state, packed.timing, packed.numbers, packed.sole, self.places, self.rows, self.paths, self.laws,
            self.units, *things, self._courses, self._wanted, self._moved, self._hindered, self._close,
            self._close_counts, self._arrivals, self._fastest, claims, self._patience,
            self._desk._replace(people=self._courses[:count], stood=self._stood),
        )  # fmt: skip
        self._place_others(count)
        places = np.ascontiguousarray(self._courses[:, :2])
        find_neighbours(places, NEIGHBOURHOOD, self._grid, self._near, self._counts)
        # Who gets away from something goes as it must: the others see it coming, and make room.
        fleeing = (self._flights[:, 2] > 0.0) & (self._hindered > 0.0)
        self._taken[fleeing] = self._flights[fleeing, :2]
        heeds = np.where(fleeing, HARDLY, self._hindered)
        lost = (self.rows[:, at.LOST] > FIRM_AFTER) & (self.rows[:, at.TRAIL_COUNT] > 0.0)
        heeds[:count] *= np.where(lost & ~fleeing[:count], FIRM, 1.0)
        impatience = np.ones(total)
        impatience[:count] += np.minimum(self.rows[:, at.LOST] / PATIENCE, MOST_IMPATIENT)
        agents = giving_way.Agents(places, self._taken, self._radii + SPARE, heeds)
        close = giving_way.CloseObstacles(things.table, things.corners, self._close, self._close_counts)
        new = np.empty_like(self._taken)
        giving_way.avoid_all(
            agents, giving_way.WantedVelocities(self._wanted, self._arrivals, self._fastest, impatience), self._near,
            self._counts, close, giving_way.Horizons(*HORIZONS), self._planes, new,
        )  # fmt: skip
        self._taken = new
        sidles = np.zeros(total, np.int64)
        sidles[:count] = self.rows[:, at.LOST] > SIDLES_AFTER
        drive_all(
            self._courses, new, self._radii + SLIP, self._hindered, sidles, self._near, self._counts, close, claims,
            DriveLimits(*LIMITS), dt, self._after, self._drives, self._holders, self._flights,
        )  # fmt: skip
        navigate.go_all(
            dt, state, self.rows, self._wanted, new, self._moved, self._hindered, self._drives, claims,
            self._patience,
        )  # fmt: skip

    def meet(self, places: ArrayLike, velocities: ArrayLike = (0.0, 0.0), radii: ArrayLike = RADIUS) -> None:
        """Say who else is about until said otherwise: places ``(K, 2)`` as (x, z), velocities, radii in metres."""
        self.others = others_of(places, velocities, radii)

    def _place_others(self, count: int) -> None:
        """Whoever else is about is avoided, and avoids nobody."""
        x, z, vx, vz = self.others[:, :4].T
        self._courses[count:] = np.stack([x, z, np.arctan2(vx, vz), np.hypot(vx, vz), *np.zeros((3, len(x)))], axis=1)
        self._wanted[count:] = self.others[:, 2:4]
        self._taken[count:] = self.others[:, 2:4]
        self._hindered[count:] = self._close_counts[count:] = 0

    def go(self, rows: Rows, mode: float, cruise: FloatArray) -> None:
        """Send walkers off."""
        at, self.awake = self._at, True
        self.rows[rows, at.MODE], self.rows[rows, at.CRUISE] = mode, cruise
        self.rows[rows, at.ARRIVED] = self.rows[rows, at.PROGRESS] = self.rows[rows, at.SIDE] = 0.0
        self.rows[rows, at.COURSE] = math.nan
        self.rows[rows, at.LOOK] = self.rows[rows, at.LOST] = self.rows[rows, at.TRAIL_COUNT] = 0.0
        self.rows[rows, at.SCOUT] = 0.0
        self.rows[rows, at.NEAREST] = math.inf

    def told(self, rows: Rows, speeds: FloatArray | None, turned: bool) -> None:
        """Take notice of commands: a speed is that of the way; who is told where to turn has no goal any more."""
        at = self._at
        if speeds is not None:
            self.rows[rows, at.CRUISE] = speeds
        if turned:
            self.rows[rows, at.MODE] = at.FREE
            self.rows[rows, at.COURSE] = math.nan
            steering = np.isin(self.rows[rows, at.STATE], (at.STEER, at.RETURN))
            self.rows[rows[steering], at.STATE] = at.NEUTRAL

    def drop_paths(self, rows: Rows) -> None:
        """Forget the paths that nobody but these walkers is on."""
        at = self._at
        on_path = self.rows[:, at.MODE] == at.ON_PATH
        on_path[rows] = False
        kept: dict[int, FloatArray] = {}
        for row in np.flatnonzero(on_path):
            first, count = self.rows[row, [at.FIRST, at.COUNT]].astype(int)
            kept.setdefault(first, self.paths[first : first + count])
        starts = dict(zip(kept, np.cumsum([0, *(len(path) for path in kept.values())])[:-1], strict=True))
        for row in np.flatnonzero(on_path):
            self.rows[row, at.FIRST] = starts[int(self.rows[row, at.FIRST])]
        self.paths = np.concatenate([np.zeros((0, 2)), *kept.values()])

    def copy_for(self, state: FloatArray) -> HumanNavigation:
        """The same ways over another state."""
        twin = copy.copy(self)
        twin._state = state
        for name, value in vars(self).items():
            if isinstance(value, np.ndarray) and name != "_state":
                setattr(twin, name, value.copy())
        return twin
