"""What walkers do about each other and obstacles in every frame: the kernels in their order, and their scratch."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING

import numpy as np

from locomote.human._kernels import navigate
from locomote.human._kernels.heeding import SLIP, SPARE, heed_all
from locomote.human._kernels.safe_drives import Asked, DriveArrays, drive_all
from locomote.human._kernels.state import AT_ONCE
from locomote.human._kernels.wanted_velocity import Surroundings
from locomote.human.jumps._kernels.jump_claims import Claims
from locomote.math._compile import prepared
from locomote.math.records import zeros
from locomote.navigation._kernels import velocity_obstacles as avoidance
from locomote.navigation._kernels.course import Course, Drive, Escape, Traffic
from locomote.navigation._kernels.local_search import make_search_scratch
from locomote.navigation._kernels.neighbours import find_neighbours, grid_for
from locomote.navigation._kernels.steering import DriveLimits
from locomote.world import ObstacleArrays, Obstacles
from locomote.world._kernels.obstacle_buckets import MOST_NEAR, NearObstacles

if TYPE_CHECKING:
    from locomote.human._navigation import HumanNavigation

NEIGHBOURS = 16  # walkers that each takes notice of
NEIGHBOURHOOD = 6.0  # m
HORIZONS = avoidance.Horizons(1.0, 2.0, 4.0)  # s for which it avoids walkers, obstacles, and those of them that move
LIMITS = DriveLimits(1.5, 2.5, 3.0, 15.0, 3.5)  # m/s^2 faster and slower, rad/s, rad/s^2, m/s^2 sideways
CLOSE = 8  # obstacles that are close to a walker at most
PLANES = NEIGHBOURS + CLOSE


class Encounters:
    """Who is near whom and what, and the velocities that follow from it; over the ways of a crowd."""

    def __init__(self, ways: HumanNavigation) -> None:
        self.ways = ways
        self._seen = -1  # version of the obstacles
        self._found = np.zeros(MOST_NEAR, np.int64)
        self._make_room(len(ways.rows))

    def _make_room(self, total: int) -> None:
        """Room for walkers and others."""
        self._grid = grid_for(total)
        self._near, self._counts = np.zeros((total, NEIGHBOURS), np.int64), np.zeros(total, np.int64)
        self._places, self._planes = np.zeros((total, 2)), np.zeros((2, PLANES, 3))
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
        count = len(self.ways.rows)
        self._search = make_search_scratch()._replace(people=wishes.courses[:count], stood=np.zeros(count))
        self._things: ObstacleArrays | None = None

    def _meet_obstacles(self, things: ObstacleArrays) -> None:
        """Take up other arrays of obstacles, or other paths."""
        self._things, wishes = things, self._wishes
        self._around = Surroundings(self.ways.paths, NearObstacles(*things, self._found), self._search)
        self._close = avoidance.CloseObstacles(things.table, things.corners, wishes.close, wishes.close_counts)
        radii = np.zeros(len(self._places))
        self._traffic = Traffic(wishes.courses, radii, self._near, self._counts, self._close, self._escapes)
        people, rows, claims, out = self.ways.people, self.ways.rows, self._claims, self._out
        near, counts, taken = self._near, self._counts, self._taken
        self._want = prepared(navigate.want_all, 0.0, people, rows, self.ways.planner, self._around, claims, wishes)
        self._heed = prepared(heed_all, rows, wishes, self._traffic, self._agents, self._wanted, self._asked)
        self._find = prepared(find_neighbours, self._places, NEIGHBOURHOOD, self._grid, near, counts)
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

    def step(self, dt: float, obstacles: Obstacles) -> None:
        """Look, decide and steer."""
        ways, people, rows = self.ways, self.ways.people, self.ways.rows
        if obstacles.version != self._seen:
            self._seen = obstacles.version
            rows["look"] = AT_ONCE  # something is new for everyone
        total, things = len(rows) + len(ways.others), obstacles.arrays
        if total != len(self._places):
            self._make_room(total)
        if things is not self._things or ways.paths is not self._around.paths:
            self._meet_obstacles(things)
        wishes, claims, agents, near, counts = self._wishes, self._claims, self._agents, self._near, self._counts
        self._want(dt, people, rows, ways.planner, self._around, claims, wishes)
        if total > len(rows):
            self._place_others(len(rows))
        self._heed(rows, wishes, self._traffic, agents, self._wanted, self._asked)
        self._find(self._places, NEIGHBOURHOOD, self._grid, near, counts)
        self._avoid(agents, self._wanted, near, counts, self._close, HORIZONS, self._planes, self._taken)
        self._drive(dt, self._traffic, self._asked, claims, LIMITS, self._out)
        self._go(dt, people, rows, self._taken, self._out.drives, claims, wishes)

    def _place_others(self, count: int) -> None:
        """Whoever else is about is avoided, and avoids nobody."""
        x, z, vx, vz, radii = self.ways.others.T
        theirs = self._wishes.courses[count:]
        theirs["x"], theirs["z"], theirs["yaw"], theirs["speed"] = x, z, np.arctan2(vx, vz), np.hypot(vx, vz)
        theirs["turn"] = theirs["aside_x"] = theirs["aside_z"] = 0.0
        self._wishes.velocities[count:] = self._taken[count:] = self.ways.others[:, 2:4]
        self._wishes.hindered[count:] = self._wishes.close_counts[count:] = 0
        self._agents.radii[count:], self._traffic.radii[count:] = radii + SPARE, radii + SLIP

    def without_kernels(self) -> Encounters:
        """The same, to be copied: kernels are prepared anew."""
        twin = copy.copy(self)
        twin._things = None
        for kernel in ("_want", "_heed", "_find", "_avoid", "_drive", "_go"):
            twin.__dict__.pop(kernel, None)
        return twin
