"""Where the creatures of a crowd are to go: their ways over what their bodies can cross, and how they go along them."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from locomote._arguments import Rows, others_of
from locomote.creatures._creature import Creature
from locomote.math.records import Records, zeros
from locomote.navigation._kernels.path_state import (
    ARRIVED,
    AT_EASE,
    BEYOND,
    NEARBY,
    NO_WAY,
    ON_WAY,
    WAITING,
    PathState,
)
from locomote.rotations import ArrayLike, FloatArray
from locomote.world import Maps

if TYPE_CHECKING:
    from locomote.creatures._kernels.steer import PathCourse
    from locomote.creatures._traversability import Surveys

MOST_POINTS = 96  # of a way at a time; longer ones are made piece by piece
FARTHEST = 300  # cells of a survey to which a way is made at once
MARGINS = (40, 120, 300)  # cells about both ends of a way in which it is sought, one after the other
PLANS = 8  # ways that are made in a frame, at most
LOOKS = 0.25  # s after which a creature looks whether its way still holds
HOPELESS = 1.0  # s after which one that has none looks again, if anything changed
STALLED = 3.0  # s without getting on after which another way is sought
NEXT_PIECE = 20.0  # half widths before the end of a piece of a way, from where on the next is made
ASTRAY = 3.0  # half widths off its way after which a creature seeks another
STANDING = 0.05  # of the cruising speed
NEIGHBOURS = 12  # creatures of which each takes notice
FORESIGHT = 2.0  # s for which they keep out of each other's way
SPARE = 0.1  # of its radius that a creature keeps from others if it can
TOLERANCE = 0.15  # half widths from the goal at which a creature has arrived
LEAST_TOLERANCE = 0.03  # m

_log = logging.getLogger("locomote")


class CreatureNavigation:
    """One row for each creature beside the crowd's state; `step` moves what they were told before each frame."""

    def __init__(self, state: Records, feet: Records, creature: Creature, maps: Maps) -> None:
        from locomote.creatures._traversability import Surveys, radius_of

        count = len(state)
        self.rows = zeros(PathState, count)
        self.rows["goal_yaw"] = math.nan
        self.rows["look"] = LOOKS * ((0.618 * np.arange(count)) % 1.0)  # not all in the same frame
        self.points = np.zeros((count, MOST_POINTS, 2))
        self._passed = np.zeros((count, MOST_POINTS), dtype=np.int64)
        self.goals: list[FloatArray] = [np.zeros((0, 2))] * count
        self._spans = np.zeros((count, 4))  # lowest and highest x and z of their goals
        self.others: FloatArray = np.zeros((0, 5))  # x, z, velocity x, z, radius of whoever else is about
        self._mutual = False  # whether they give way as well
        self._surveys: Surveys = Surveys(creature, maps)
        self.radius = radius_of(creature)
        self._state, self._feet = state, feet
        self._first = 0  # whose way is made first in a frame where many are wanted
        self._noted = False
        self._make_room(count)

    def _make_room(self, total: int) -> None:
        """Room for creatures and others."""
        self._places, self._velocities, self._wanted, self._new = (np.zeros((total, 2)) for _ in range(4))
        self._arrivals, self._fastest, self._heeds = (np.zeros(total) for _ in range(3))
        self._near, self._counts = np.zeros((total, NEIGHBOURS), np.int64), np.zeros(total, np.int64)

    def go(self, rows: Rows, goals: list[FloatArray], cruise: FloatArray) -> None:
        """Send creatures off over places ``(K, 2)`` each."""
        for row, places in zip(rows.tolist(), goals, strict=True):
            self.goals[row] = places
            self._spans[row] = *places.min(axis=0), *places.max(axis=0)
        ways = self.rows
        ways["going"][rows], ways["state"][rows], ways["cruise"][rows] = True, WAITING, cruise
        ways["next"][rows] = ways["points"][rows] = 0
        self._noted = False

    def release(self, rows: Rows) -> None:
        """Let creatures have no goal."""
        self.rows["going"][rows], self.rows["state"][rows] = False, AT_EASE

    def told(self, rows: Rows, speeds: FloatArray | None, turned: bool) -> None:
        """Take notice of commands: a speed is that of the way; who is told where to turn has no goal any more."""
        if turned:
            self.release(rows)
        elif speeds is not None:
            going = self.rows["going"][rows]
            self.rows["cruise"][rows[going]] = np.maximum(speeds[going], 0.0)

    def meet(self, places: ArrayLike, velocities: ArrayLike, radii: ArrayLike, mutual: bool) -> None:
        """Say who else is about until said otherwise: places ``(K, 2)`` as (x, z), velocities, radii in metres."""
        self.others, self._mutual = others_of(places, velocities, radii), mutual

    def step(self, dt: float) -> None:
        """Look, make ways and steer."""
        if dt == 0.0 or not self.rows["going"].any():
            return
        self._look(dt)
        self._steer(dt)

    def _look(self, dt: float) -> None:
        """Make the ways that are missing or hold no longer."""
        rows, surveys = self.rows, self._surveys
        surveys.age += dt
        rows["look"] -= dt
        going = rows["going"] & (rows["state"] != ARRIVED)
        missing = (rows["points"] == 0) & (rows["state"] != NO_WAY)
        due = going & ((rows["look"] <= 0.0) | missing)
        room, clock = surveys.bounds.half_width, surveys.clock
        missing |= (rows["stalled"] > STALLED) | (rows["off"] > ASTRAY * room)
        missing |= rows["partial"] & (rows["left"] < NEXT_PIECE * room)
        old = rows["moment"] < clock
        rows["look"][due & ~missing & ~old] = LOOKS
        due &= missing | old
        if not due.any():
            return
        here, ahead = self._plan_of(going), self._spans[going]
        surveys.interest = np.concatenate([here, ahead[:, :2], ahead[:, 2:]])
        left = PLANS
        for n in np.roll(np.flatnonzero(due), -self._first).tolist():
            rows["look"][n] = LOOKS
            if missing[n] or self._is_changed(n, rows[n]):
                self._make_way(n, rows[n])
                left -= 1
            if left == 0:
                break
        self._first = 0 if left else self._first + PLANS

    def _plan_of(self, who: npt.NDArray[np.bool_] | int) -> FloatArray:
        """Where creatures are, ``(n, 2)`` as (x, z)."""
        return np.stack([self._state["x"][who], self._state["z"][who]], axis=-1)

    def _is_changed(self, n: int, way: PathState) -> bool:
        """Whether the world changed near a way, or anywhere for one that has none."""
        if way.state == NO_WAY:
            return True
        return self._surveys.changed_along(way.moment, self.points[n, way.segment : way.points])

    def _make_way(self, n: int, way: PathState) -> None:
        """Seek a way in larger and larger windows."""
        from locomote.navigation._kernels.path_search import WayPoints, plan_way

        surveys, start = self._surveys, self._plan_of(n)
        stalled = way.points > 0 and way.stalled > STALLED
        if way.points > 0:
            way.next = way.before + int(self._passed[n, way.segment])
        if stalled:
            self._feet["lost"][n] = False  # feet that found no way try again
        goals, loose = _within(FARTHEST * surveys.side, start, self.goals[n][way.next :])
        standing = self._standing(n, stalled)
        strict = len(self.goals[n]) > 1
        came, drawn = BEYOND, WayPoints(self.points[n], self._passed[n])
        for margin in MARGINS:
            survey = surveys.around(np.concatenate([start[None], goals]), margin)
            count, passed, came = plan_way(survey, surveys.bounds, start, goals, loose, strict, standing, drawn)
            if came != BEYOND:
                break
        way.moment, way.before = surveys.moment, way.next
        way.segment, way.stalled, way.off = 0, 0.0, 0.0
        way.best = way.left = math.inf
        if came > NEARBY:
            way.state, way.points, way.look = NO_WAY, 0, HOPELESS
            return
        way.state, way.points = ON_WAY, count
        all_passed = passed == len(self.goals[n]) - way.next
        way.partial = loose or not all_passed
        if came == NEARBY and not loose and not self._noted:
            self._noted = True
            told, end = goals[-1], self.points[n, count - 1]
            _log.warning(
                "goal %.3g, %.3g: no room for a body there, %.3g, %.3g is taken; said once for each order",
                *told,
                *end,
            )

    def _standing(self, me: int, stalled: bool) -> FloatArray:
        """Places and radii of those who stand, whom a way should pass by."""
        rows, state = self.rows, self._state
        still = np.abs(state["speed"]) < STANDING * max(float(rows["cruise"][me]), 0.1)
        if not stalled:
            still &= ~rows["going"] | np.isin(rows["state"], (ARRIVED, NO_WAY))
        still[me] = False
        mine = np.column_stack([self._plan_of(still), np.full(int(still.sum()), self.radius)])
        slow = np.hypot(self.others[:, 2], self.others[:, 3]) < STANDING
        # Rows one after the other, as the kernel was compiled for: columns that were picked come out otherwise.
        return np.ascontiguousarray(np.concatenate([mine, self.others[slow][:, [0, 1, 4]]]))

    def _steer(self, dt: float) -> None:
        from locomote.creatures._kernels.steer import PathCourse, drive_all, want_all
        from locomote.navigation._kernels import velocity_obstacles as giving_way
        from locomote.navigation._kernels.neighbours import find_neighbours, grid_for
        from locomote.world._kernels.obstacle_layout import COLUMNS, MOST_CORNERS

        count, total = len(self.rows), len(self.rows) + len(self.others)
        if total != len(self._places):
            self._make_room(total)
        course: PathCourse = PathCourse(
            self._places, self._velocities, self._wanted, self._arrivals, self._fastest, self._heeds
        )
        surveys = self._surveys
        half_width = surveys.bounds.half_width
        tolerance = max(LEAST_TOLERANCE, TOLERANCE * half_width)
        want_all(dt, self._state, self.rows, self.points, half_width, tolerance, course)
        self._places[count:], self._velocities[count:] = self.others[:, :2], self.others[:, 2:4]
        self._wanted[count:], self._heeds[count:] = self.others[:, 2:4], float(self._mutual)
        self._arrivals[count:], self._fastest[count:] = math.inf, np.hypot(*self.others[:, 2:4].T)
        radii = np.full(total, self.radius)
        radii[count:] = self.others[:, 4]
        fastest = float(np.hypot(*self._velocities.T).max())
        cruise = float(self._fastest[:count].max())
        about = self.radius + float(radii.max()) + FORESIGHT * (cruise + fastest)
        find_neighbours(self._places, max(about, 1e-3), grid_for(total), self._near, self._counts)
        agents = giving_way.Agents(self._places, self._velocities, (1.0 + SPARE) * radii, self._heeds)
        nothing = giving_way.CloseObstacles(
            np.zeros((0, COLUMNS)),
            np.zeros((0, MOST_CORNERS, 2)),
            np.zeros((total, 1), np.int64),
            np.zeros(total, np.int64),
        )
        giving_way.avoid_all(
            agents, giving_way.WantedVelocities(self._wanted, self._arrivals, self._fastest, np.ones(total)),
            self._near, self._counts, nothing,
            giving_way.Horizons(FORESIGHT, 1.0, 1.0), np.zeros((2, NEIGHBOURS + 1, 3)), self._new,
        )  # fmt: skip
        drive_all(self._state, self.rows, course, self._new, radii, self._near, self._counts, surveys.latest)


def _within(reach: float, start: npt.NDArray[np.float64], goals: FloatArray) -> tuple[FloatArray, bool]:
    """The goals within a length of way, at least one; for one that is farther, a place on the way to it."""
    lengths = np.cumsum(np.hypot(*np.diff(np.concatenate([start[None], goals]), axis=0).T))
    if lengths[0] > reach:
        return start + (goals[:1] - start) * (reach / lengths[0]), True
    return np.ascontiguousarray(goals[: max(int(np.searchsorted(lengths, reach, side="right")), 1)]), False
