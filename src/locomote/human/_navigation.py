"""Where the walkers of a crowd are to go, and what they meet there: the arrays behind goals, obstacles and jumps."""

from __future__ import annotations

import copy
import math

import numpy as np

from locomote._arguments import Rows, others_of
from locomote.human._kernels import navigate
from locomote.human._kernels.model import LEG_SHARE, Model
from locomote.human._kernels.safe_drives import Asked, DriveArrays, drive_all
from locomote.human._kernels.state import (
    FREE,
    NEUTRAL,
    NO_JUMP,
    ON_PATH,
    PERIOD,
    RETURN,
    STEER,
    Jump,
    People,
    Walker,
    Way,
)
from locomote.human._kernels.wanted_velocity import Surroundings
from locomote.human._model import HumanModel
from locomote.human._packing import jump_units, take_off_places
from locomote.human.jumps._kernels.jump_claims import Claims
from locomote.human.jumps._kernels.jump_decision import RUNNING, STANDING, WALKING, JumpLaw
from locomote.human.jumps._kernels.jump_setup import Planner
from locomote.human.jumps._kernels.runup_phase import Frequencies
from locomote.human.jumps._model import JumpModel
from locomote.math._compile import prepared
from locomote.math.records import Records, zeros
from locomote.navigation._kernels import velocity_obstacles as avoidance
from locomote.navigation._kernels.course import CALM, Course, Drive, Escape, Traffic
from locomote.navigation._kernels.local_search import make_search_scratch
from locomote.navigation._kernels.neighbours import find_neighbours, grid_for
from locomote.navigation._kernels.steering import DriveLimits
from locomote.rotations import ArrayLike, FloatArray
from locomote.world import ObstacleArrays, Obstacles
from locomote.world._kernels.obstacle_buckets import MOST_NEAR, NearObstacles

SOLE = 0.28  # hip heights: heel to tip, by which the balls are further apart than what lies between the feet
FASTER_WALK = 0.34  # m/s than the printed law, before walking jumps
RADIUS = 0.3  # m, of a body in the plan, for a hip height of REFERENCE
REFERENCE = 0.9  # m
NEIGHBOURS = 16  # walkers that each takes notice of
NEIGHBOURHOOD = 6.0  # m
SPARE = 0.05  # m more than its radius that a walker keeps from others if it can
HORIZONS = avoidance.Horizons(1.0, 2.0, 4.0)  # s for which it avoids walkers, obstacles, and those of them that move
LIMITS = DriveLimits(1.5, 2.5, 3.0, 15.0, 3.5)  # m/s^2 faster and slower, rad/s, rad/s^2, m/s^2 sideways
SLIP = 0.005  # m, of a body that stops in a curve, off its straight stopping way
# See `Agents.heeds`: of one who has come no nearer to its goal for so many seconds.
FIRM, FIRM_AFTER = 2.0, 5.0
PATIENCE, MOST_IMPATIENT = 4.0, 0.8  # s without progress for which one gets impatient, and how much at most
SIDLES_AFTER = 3.0  # s without progress, from when on one steps aside for others without turning there first
HARDLY = 0.1  # of its part in keeping clear of others, that one does who gets away from something
STANDS, HARDLY_GOING = 0.1, 0.5  # m/s; who is slower stands, or hardly gets on
CLOSE = 8  # obstacles that are close to a walker at most
PLANES = NEIGHBOURS + CLOSE


def jump_laws(jumps: JumpModel) -> Records:
    """The laws of `jumps._kernels.jump_decision`, one `JumpLaw` a row.

    Lengths are those of what is jumped; the balls of the feet are a sole further apart. At the speeds printed for the
    source jumps would have to fly longer than any recorded one does. So running jumps go by the recorded ones, and
    walking jumps are faster by about as much as recorded take-offs from a stand are (0.41 m/s).
    """
    walking, running = jumps.law("walking"), jumps.law("running", "refit")
    sole = SOLE * REFERENCE
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
        self.rows["look"] = PERIOD * ((0.618 * np.arange(count)) % 1.0)  # not all in the same frame
        self.paths: FloatArray = np.zeros((0, 2))
        self._seen = -1  # version of the obstacles
        self.awake = True  # whether someone may have a goal, keep out of the way of others or jump
        self.others: FloatArray = np.zeros((0, 5))  # x, z, velocity x, z, radius of whoever else is about
        self._people, self._packed, self._model = people, packed, model
        self._found = np.zeros(MOST_NEAR, np.int64)
        self.laws, self._units = jump_laws(jumps), jump_units(jumps)
        self._planner: Planner | None = None
        self._make_room(count)

    def _make_room(self, total: int) -> None:
        """Room for walkers and others."""
        self._grid = grid_for(total)
        self._near, self._counts = np.zeros((total, NEIGHBOURS), np.int64), np.zeros(total, np.int64)
        self._radii, self._places, self._planes = np.zeros(total), np.zeros((total, 2)), np.zeros((2, PLANES, 3))
        self._taken = np.zeros((total, 2))  # m/s, the velocities that others leave them
        self._escapes = zeros(Escape, total)
        self._wishes = navigate.Wishes(
            courses=zeros(Course, total),
            velocities=np.zeros((total, 2)),
            moved=np.zeros(total, np.int64),
            hindered=np.zeros(total),
            close=np.zeros((total, CLOSE), np.int64),
            close_counts=np.zeros(total, np.int64),
            arrivals=np.full(total, np.inf),
            fastest=np.zeros(total),
            patience=np.zeros(total),
        )
        wishes = self._wishes
        self._claims = Claims(np.zeros(total), np.zeros(total), np.zeros(total), np.zeros(total, np.int64))
        self._out = DriveArrays(zeros(Course, total), zeros(Drive, total), np.zeros(total, np.int64))
        self._agents = avoidance.Agents(self._places, np.zeros((total, 2)), np.zeros(total), np.zeros(total))
        impatience = np.ones(total)
        self._wanted = avoidance.WantedVelocities(wishes.velocities, wishes.arrivals, wishes.fastest, impatience)
        self._asked = Asked(self._taken, wishes.hindered, np.zeros(total, np.int64))
        count = len(self.rows)
        self._search = make_search_scratch()._replace(people=wishes.courses[:count], stood=np.zeros(count))
        self._things: ObstacleArrays | None = None

    def _meet_obstacles(self, things: ObstacleArrays) -> None:
        """Take up other arrays of obstacles, or other paths."""
        self._things, wishes = things, self._wishes
        self._around = Surroundings(self.paths, NearObstacles(*things, self._found), self._search)
        self._close = avoidance.CloseObstacles(things.table, things.corners, wishes.close, wishes.close_counts)
        radii = np.zeros(len(self._radii))
        self._traffic = Traffic(wishes.courses, radii, self._near, self._counts, self._close, self._escapes)
        people, rows, claims, out = self._people, self.rows, self._claims, self._out
        near, counts, taken = self._near, self._counts, self._taken
        self._want = prepared(navigate.want_all, 0.0, people, rows, self.planner, self._around, claims, wishes)
        self._avoid = prepared(
            avoidance.avoid_all,
            self._agents,
            self._wanted,
            near,
            counts,
            self._close,
            HORIZONS,
            self._planes,
            self._taken,
        )
        self._drive = prepared(drive_all, 0.0, self._traffic, self._asked, claims, LIMITS, out)
        self._go = prepared(navigate.go_all, 0.0, people, rows, taken, out.drives, claims, wishes)

    @property
    def planner(self) -> Planner:
        """What those who plan jumps know of all walkers; made when it is first needed."""
        if self._planner is None:
            timing = self._packed.timing
            knots = len(timing.speeds)
            self._planner = Planner(
                weights=np.empty(self._people.weights.shape[2]),
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

    def _needed(self) -> bool:
        """Whether anyone has a goal, keeps out of the way of others or jumps."""
        busy = (self.rows["mode"] != FREE) | self.rows["heeds"]
        busy |= (self.rows["state"] != NEUTRAL) | (self._people.walkers["jump"]["state"] != NO_JUMP)
        return bool(busy.any())

    def step(self, dt: float, obstacles: Obstacles) -> None:
        """Look, decide and steer."""
        if dt == 0.0:
            return
        self.awake = self._needed()
        people, walkers = self._people, self._people.walkers
        if not self.awake and not len(obstacles):
            walkers["keep_off"] = walkers["aside"] = 0.0
            return
        count, things = len(walkers), obstacles.arrays
        if obstacles.version != self._seen:
            self._seen = obstacles.version
            self.rows["look"] = 0.0  # something is new: everyone looks at once
        total = count + len(self.others)
        if total != len(self._radii):
            self._make_room(total)
        if things is not self._things or self.paths is not self._around.paths:
            self._meet_obstacles(things)
        wishes, claims, courses = self._wishes, self._claims, self._wishes.courses
        speeds, lost, stood = walkers["speed"]["value"], self.rows["lost"], self._search.stood
        self.rows["radius"] = RADIUS / REFERENCE / LEG_SHARE * walkers["leg"]["value"]
        self._radii[:count], self._radii[count:] = self.rows["radius"], self.others[:, 4]
        stands = ((lost > SIDLES_AFTER) & (speeds < HARDLY_GOING)) | (speeds < STANDS)
        stood[:] = np.where(stands, stood + dt, 0.0)
        self._want(dt, people, self.rows, self.planner, self._around, claims, wishes)
        self._place_others(count)
        self._places[:, 0], self._places[:, 1] = courses["x"], courses["z"]
        find_neighbours(self._places, NEIGHBOURHOOD, self._grid, self._near, self._counts)
        # Who gets away from something goes as it must: the others see it coming, and make room.
        fleeing = (self._escapes["why"] != CALM) & (wishes.hindered > 0.0)
        self._taken[fleeing, 0], self._taken[fleeing, 1] = self._escapes["x"][fleeing], self._escapes["z"][fleeing]
        agents = self._agents
        agents.velocities[:], agents.heeds[:] = self._taken, np.where(fleeing, HARDLY, wishes.hindered)
        firm = (lost > FIRM_AFTER) & (self.rows["trail"]["count"] > 0)
        agents.heeds[:count] *= np.where(firm & ~fleeing[:count], FIRM, 1.0)
        self._wanted.impatience[:count] = 1.0 + np.minimum(lost / PATIENCE, MOST_IMPATIENT)
        self._asked.sidles[:count] = lost > SIDLES_AFTER
        np.add(self._radii, SPARE, out=agents.radii)
        np.add(self._radii, SLIP, out=self._traffic.radii)
        self._avoid(agents, self._wanted, self._near, self._counts, self._close, HORIZONS, self._planes, self._taken)
        self._drive(dt, self._traffic, self._asked, claims, LIMITS, self._out)
        self._go(dt, people, self.rows, self._taken, self._out.drives, claims, wishes)

    def meet(self, places: ArrayLike, velocities: ArrayLike = (0.0, 0.0), radii: ArrayLike = RADIUS) -> None:
        """Say who else is about until said otherwise: places ``(K, 2)`` as (x, z), velocities, radii in metres."""
        self.others = others_of(places, velocities, radii)

    def _place_others(self, count: int) -> None:
        """Whoever else is about is avoided, and avoids nobody."""
        x, z, vx, vz = self.others[:, :4].T
        theirs = self._wishes.courses[count:]
        theirs["x"], theirs["z"], theirs["yaw"], theirs["speed"] = x, z, np.arctan2(vx, vz), np.hypot(vx, vz)
        theirs["turn"] = theirs["aside_x"] = theirs["aside_z"] = 0.0
        self._wishes.velocities[count:] = self._taken[count:] = self.others[:, 2:4]
        self._wishes.hindered[count:] = self._wishes.close_counts[count:] = 0

    def go(self, rows: Rows, mode: int, cruise: FloatArray) -> None:
        """Send walkers off."""
        self.awake = True
        self.rows["mode"][rows], self.rows["cruise"][rows] = mode, cruise
        self.rows["arrived"][rows] = self.rows["progress"][rows] = self.rows["side"][rows] = 0.0
        self.rows["course"][rows] = math.nan
        self.rows["look"][rows] = self.rows["lost"][rows] = self.rows["trail"]["count"][rows] = 0.0
        self.rows["scout"][rows] = 0.0
        self.rows["nearest"][rows] = math.inf

    def told(self, rows: Rows, speeds: FloatArray | None, turned: bool) -> None:
        """Take notice of commands: a speed is that of the way; who is told where to turn has no goal any more."""
        if speeds is not None:
            self.rows["cruise"][rows] = speeds
        if turned:
            self.rows["mode"][rows] = FREE
            self.rows["course"][rows] = math.nan
            steering = np.isin(self.rows["state"][rows], (STEER, RETURN))
            self.rows["state"][rows[steering]] = NEUTRAL

    def drop_paths(self, rows: Rows) -> None:
        """Forget the paths that nobody but these walkers is on."""
        on_path = self.rows["mode"] == ON_PATH
        on_path[rows] = False
        kept: dict[int, FloatArray] = {}
        for row in np.flatnonzero(on_path):
            first, count = int(self.rows["first"][row]), int(self.rows["count"][row])
            kept.setdefault(first, self.paths[first : first + count])
        starts = dict(zip(kept, np.cumsum([0, *(len(path) for path in kept.values())])[:-1], strict=True))
        for row in np.flatnonzero(on_path):
            self.rows["first"][row] = starts[int(self.rows["first"][row])]
        self.paths = np.concatenate([np.zeros((0, 2)), *kept.values()])

    def copy_for(self, people: People) -> HumanNavigation:
        """The same ways over another state."""
        shared = (self._model, self._packed, self._planner)
        twin = copy.copy(self)
        twin._things = None
        for kernel in ("_want", "_avoid", "_drive", "_go"):
            twin.__dict__.pop(kernel, None)
        return copy.deepcopy(twin, {id(self._people): people, **{id(each): each for each in shared}})
