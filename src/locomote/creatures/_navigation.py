"""Where the creatures of a crowd are to go: their ways over what their bodies can cross, and how they go along them."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from locomote._arguments import Rows, others_of
from locomote.creatures._creature import Creature
from locomote.creatures._kernels import layout as c
from locomote.navigation._kernels import path_layout as w
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

    def __init__(self, state: FloatArray, feet: FloatArray, creature: Creature, maps: Maps) -> None:
        from locomote.creatures._traversability import Surveys, radius_of

        count = len(state)
        self.rows = np.zeros((count, w.COLUMNS))
        self.rows[:, w.GOAL_YAW] = math.nan
        self.rows[:, w.LOOK] = LOOKS * ((0.618 * np.arange(count)) % 1.0)  # not all in the same frame
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
        self.rows[rows, w.MODE], self.rows[rows, w.STATE], self.rows[rows, w.CRUISE] = (
            w.GOING,
            w.WAITING,
            cruise,
        )
        self.rows[rows, w.NEXT] = self.rows[rows, w.POINTS] = 0.0
        self._noted = False

    def release(self, rows: Rows) -> None:
        """Let creatures have no goal."""
        self.rows[rows, w.MODE], self.rows[rows, w.STATE] = w.FREE, w.AT_EASE

    def told(self, rows: Rows, speeds: FloatArray | None, turned: bool) -> None:
        """Take notice of commands: a speed is that of the way; who is told where to turn has no goal any more."""
        if turned:
            self.release(rows)
        elif speeds is not None:
            going = self.rows[rows, w.MODE] == w.GOING
            self.rows[rows[going], w.CRUISE] = np.maximum(speeds[going], 0.0)

    def meet(self, places: ArrayLike, velocities: ArrayLike, radii: ArrayLike, mutual: bool) -> None:
        """Say who else is about until said otherwise: places ``(K, 2)`` as (x, z), velocities, radii in metres."""
        self.others, self._mutual = others_of(places, velocities, radii), mutual

    def step(self, dt: float) -> None:
        """Look, make ways and steer."""
        if dt == 0.0 or not (self.rows[:, w.MODE] == w.GOING).any():
            return
        self._look(dt)
        self._steer(dt)

    def _look(self, dt: float) -> None:
        """Make the ways that are missing or hold no longer."""
        rows, surveys = self.rows, self._surveys
        surveys.age += dt
        rows[:, w.LOOK] -= dt
        going = (rows[:, w.MODE] == w.GOING) & (rows[:, w.STATE] != w.ARRIVED)
        due = going & ((rows[:, w.LOOK] <= 0.0) | ((rows[:, w.POINTS] == 0.0) & (rows[:, w.STATE] != w.NO_WAY)))
        room, clock = surveys.bounds.half_width, surveys.clock
        missing = (rows[:, w.POINTS] == 0.0) & (rows[:, w.STATE] != w.NO_WAY)
        missing |= (rows[:, w.STALLED] > STALLED) | (rows[:, w.OFF] > ASTRAY * room)
        missing |= (rows[:, w.PARTIAL] > 0.0) & (rows[:, w.LEFT] < NEXT_PIECE * room)
        old = rows[:, w.MOMENT] < clock
        rows[due & ~missing & ~old, w.LOOK] = LOOKS
        due &= missing | old
        if not due.any():
            return
        here, ahead = self._state[going][:, [c.X, c.Z]], self._spans[going]
        surveys.interest = np.concatenate([here, ahead[:, :2], ahead[:, 2:]])
        left = PLANS
        for n in np.roll(np.flatnonzero(due), -self._first).tolist():
            rows[n, w.LOOK] = LOOKS
            if missing[n] or self._is_changed(n, rows[n]):
                self._make_way(n, rows[n])
                left -= 1
            if left == 0:
                break
        self._first = 0 if left else self._first + PLANS

    def _is_changed(self, n: int, row: FloatArray) -> bool:
        """Whether the world changed near a way, or anywhere for one that has none."""
        if row[w.STATE] == w.NO_WAY:
            return True
        points = self.points[n, int(row[w.SEGMENT]) : int(row[w.POINTS])]
        return self._surveys.changed_along(int(row[w.MOMENT]), points)

    def _make_way(self, n: int, row: FloatArray) -> None:
        """Seek a way in larger and larger windows."""
        from locomote.navigation._kernels.path_search import plan_way

        surveys, start = self._surveys, self._state[n, [c.X, c.Z]]
        stalled = row[w.POINTS] > 0.0 and row[w.STALLED] > STALLED
        if row[w.POINTS] > 0.0:
            row[w.NEXT] = row[w.BEFORE] + self._passed[n, int(row[w.SEGMENT])]
        if stalled:
            self._feet[n, :, c.LOST] = 0.0  # feet that found no way try again
        goals, loose = _within(FARTHEST * surveys.side, start, self.goals[n][int(row[w.NEXT]) :])
        standing = self._standing(n, stalled)
        strict = len(self.goals[n]) > 1
        came = w.BEYOND
        for margin in MARGINS:
            survey = surveys.around(np.concatenate([start[None], goals]), margin)
            count, passed, came = plan_way(
                survey, surveys.bounds, start, goals, loose, strict, standing, self.points[n], self._passed[n]
            )
            if came != w.BEYOND:
                break
        row[w.MOMENT], row[w.BEFORE] = surveys.moment, row[w.NEXT]
        row[w.SEGMENT] = row[w.STALLED] = row[w.OFF] = 0.0
        row[w.BEST] = row[w.LEFT] = math.inf
        if came > w.NEARBY:
            row[w.STATE], row[w.POINTS], row[w.LOOK] = w.NO_WAY, 0.0, HOPELESS
            return
        row[w.STATE], row[w.POINTS] = w.ON_WAY, count
        all_passed = passed == len(self.goals[n]) - int(row[w.NEXT])
        row[w.PARTIAL] = float(loose or not all_passed)
        if came == w.NEARBY and not loose and not self._noted:
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
        still = np.abs(state[:, c.SPEED]) < STANDING * max(float(rows[me, w.CRUISE]), 0.1)
        if not stalled:
            still &= (rows[:, w.MODE] == w.FREE) | np.isin(rows[:, w.STATE], (w.ARRIVED, w.NO_WAY))
        still[me] = False
        mine = np.column_stack([state[still][:, [c.X, c.Z]], np.full(int(still.sum()), self.radius)])
        slow = np.hypot(self.others[:, 2], self.others[:, 3]) < STANDING
        return np.concatenate([mine, self.others[slow][:, [0, 1, 4]]])

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
