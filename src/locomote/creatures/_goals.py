"""What the creatures of a crowd can be asked beyond speed and heading: places and paths."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote._arguments import Paths, Rows, Values, Who, paths_of, rows_of, spread
from locomote.creatures._creature import Creature
from locomote.creatures._navigation import CreatureNavigation
from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.math.records import Records
from locomote.navigation._kernels.path_state import ARRIVED, STATES
from locomote.rotations import ArrayLike, FloatArray

USUAL_SPEED = 0.4  # of the root of gravity times hip height, for one who has a goal and was told no speed
STANDING = 0.02  # m/s
FACING = 0.1  # rad from the heading that was asked for


class CreatureGoals:
    """Goals of a crowd of creatures; `Crowd` has all of this."""

    creature: Creature
    _ways: CreatureNavigation
    _rows: Records

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def arrived(self) -> npt.NDArray[np.bool_]:
        """Who is at the goal, or at the end of the path, ``(N,)``."""
        rows = self._ways.rows
        off = np.remainder(self._rows["yaw"] - rows["goal_yaw"] + math.pi, 2.0 * math.pi) - math.pi
        facing = np.isnan(off) | (np.abs(off) < FACING)
        out: npt.NDArray[np.bool_] = (rows["state"] == ARRIVED) & facing
        return out

    @property
    def states(self) -> list[str]:
        """What each creature is about: free, going, giving way, waiting, no way, arrived."""
        return [STATES[state] for state in self._ways.rows["state"]]

    def way(self, who: int = 0) -> FloatArray:
        """The places ``(P, 2)`` as (x, z) of the way that a creature is on; none where it has no way."""
        row = int(rows_of(who, len(self))[0])
        return self._ways.points[row, : self._ways.rows["points"][row]].copy()

    def go_to(
        self,
        x: Values,
        z: Values,
        *,
        heading: Values | None = None,
        speed: Values | None = None,
        who: Who = None,
    ) -> None:
        """Send creatures to places; they go round or over what is in the way, and stop there.

        One for whom there is no way stands still, and sets out when one opens.

        Parameters
        ----------
        x, z : m, number or one for each
        heading, speed : rad, that they face at last, and m/s of the way; as told before without it
        who : all, one, a slice, indices or a mask
        """
        rows = rows_of(who, len(self))
        places = np.column_stack([spread("x", x, len(rows)), spread("z", z, len(rows))])
        yaws = np.full(len(rows), math.nan) if heading is None else spread("heading", heading, len(rows))
        cruise = self._cruise(rows, speed)
        self._ways.rows["goal_yaw"][rows] = yaws
        self._ways.go(rows, [place[None] for place in places], cruise)

    def follow(self, path: Paths, *, speed: Values | None = None, who: Who = None) -> None:
        """Send creatures along a path, one for all of them or one for each; they stop at its end.

        Where something is in the way of the path they go round it.

        Parameters
        ----------
        path : (P, 2) m as (x, z), or a list of such, one for each
        speed : m/s; as told before without it
        who : all, one, a slice, indices or a mask
        """
        rows = rows_of(who, len(self))
        points, counts = paths_of(path, len(rows))
        cruise = self._cruise(rows, speed)
        self._ways.rows["goal_yaw"][rows] = math.nan
        paths = np.split(points, np.cumsum(counts)[:-1])
        self._ways.go(rows, paths * len(rows) if len(paths) == 1 else paths, cruise)

    def release(self, who: Who = None) -> None:
        """Let creatures go on as they are, without a goal."""
        self._ways.release(rows_of(who, len(self)))

    def meet(
        self,
        places: ArrayLike,
        velocities: ArrayLike = (0.0, 0.0),
        radii: ArrayLike = 0.3,
        *,
        mutual: bool = False,
    ) -> None:
        """Say who else is about, whom creatures with goals avoid.

        They hold until told anew; say it before each step for those who move.

        Parameters
        ----------
        places : (M, 2) m, as (x, z)
        velocities, radii : (M, 2) m/s and (M,) m, or one for all
        mutual : they give way as well, as those of another crowd do that is told of this one
        """
        self._ways.meet(places, velocities, radii, mutual)

    @property
    def radius(self) -> float:
        """The circle about a creature in the plan that others keep out of, metres."""
        return self._ways.radius

    def _cruise(self, rows: Rows, speed: Values | None) -> FloatArray:
        """The speeds for a way: as given, as told before, or usual."""
        if speed is not None:
            speeds = spread("speed", speed, len(rows))
            if (speeds <= 0.0).any():
                raise LocomoteError(f"speed {float(speeds.min()):g}: expected more than 0 m/s for a way")
            return speeds
        ways = self._ways.rows[rows]
        told = np.where(ways["going"], ways["cruise"], self._rows["wanted_speed"][rows])
        usual = USUAL_SPEED * math.sqrt(GRAVITY * self.creature.morphology.hip_height)
        out: FloatArray = np.where(told > STANDING, told, usual)
        return out
