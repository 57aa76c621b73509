"""What the walkers of a crowd can be asked beyond speed and heading: places, paths, jumps."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote._arguments import Paths, Rows, Values, Who, paths_of, rows_of, spread
from locomote.errors import LocomoteError
from locomote.human._kernels.state import COMING, FREE, NEUTRAL, ON_PATH, TO_PLACE, UNDER_WAY, People
from locomote.human._navigation import SOLE, HumanNavigation
from locomote.human._stepping import Stepper, needs_processor
from locomote.human._targets import Targets
from locomote.navigation._kernels.trail import GOES_ON
from locomote.rotations import ArrayLike, FloatArray

USUAL_SPEED = 1.3  # m/s of a person with a leg of 0.9 m who has a goal and was told no speed
STANDING = 0.05  # m/s
PATIENCE = 3.0  # s for which one waits before it is said to be blocked: what is in the way may go on
LONGEST_JUMP = 3.0  # m
SAME_PLACE = 1e-6  # m between places of a path, up to which they are one
FEET = {"either": -1, "left": 0, "right": 1}
STATES = (
    "free", "run-up", "waiting", "take-off", "flight", "landing", "recovering", "going round", "returning",
    "giving way", "stopping", "stepping over",
)  # fmt: skip


class HumanGoals:
    """Goals and jumps of a crowd; `Crowd` has all of this."""

    device: str
    _ways: HumanNavigation
    _state: People
    _stepper: Stepper
    _targets: Targets

    @property
    def _people(self) -> People:
        raise NotImplementedError

    def __len__(self) -> int:
        return len(self._state.walkers)

    @property
    def arrived(self) -> npt.NDArray[np.bool_]:
        """Who is at the goal, or at the end of the path, ``(N,)``."""

        return np.array(self._ways.rows["arrived"])

    @property
    def blocked(self) -> npt.NDArray[np.bool_]:
        """Who waits as near to its goal as it can get, for there is no way to it now, or no room at it, ``(N,)``."""
        rows = self._ways.rows
        waits = (rows["trail"]["count"] > 0) & (rows["trail"]["waits"] != GOES_ON)
        waits &= (rows["mode"] == TO_PLACE) & ~self.arrived & (rows["lost"] > PATIENCE)
        return np.asarray(waits & (self._people.walkers["speed"]["value"] == 0.0))

    @property
    def states(self) -> list[str]:
        """What each walker is about: free, run-up, take-off, flight, landing, going round, giving way ..."""
        walkers = self._people.walkers
        jumps = walkers["jump"]
        flown = (jumps["time"] - jumps["support"]) / np.maximum(jumps["flight"], 1e-9)
        under_way = np.select([flown < 0.0, flown < 1.0], [3, 4], 5)
        run_up = np.where(walkers["profile"]["duration"] > 0.0, 1, 2)
        numbers = np.where(jumps["state"] == COMING, run_up, self._ways.rows["state"])
        numbers = np.where(jumps["state"] == UNDER_WAY, under_way, numbers)
        return [STATES[n] for n in numbers]

    def go_to(
        self,
        x: Values,
        z: Values,
        *,
        heading: Values | None = None,
        speed: Values | None = None,
        who: Who = None,
    ) -> None:
        """Send walkers to places; they go round or over what is in the way, and stop there.

        Parameters
        ----------
        x, z : m, number or one for each
        heading, speed : rad, that they face as they arrive, and m/s of the way; as told before without it
        who : all, one, a slice, indices or a mask
        """
        needs_processor(self.device, "goals")
        rows = rows_of(who, len(self))
        places = spread("x", x, len(rows)), spread("z", z, len(rows))
        yaws = np.full(len(rows), math.nan) if heading is None else spread("heading", heading, len(rows))
        cruise = self._cruise(rows, speed)
        self._ways.rows["goal_x"][rows], self._ways.rows["goal_z"][rows] = places
        self._ways.rows["goal_yaw"][rows] = yaws
        self._ways.go(rows, TO_PLACE, cruise)

    def follow(self, path: Paths, *, speed: Values | None = None, who: Who = None) -> None:
        """Send walkers along a path, one for all of them or one for each; they stop at its end.

        Parameters
        ----------
        path : (P, 2) m as (x, z), or a list of such, one for each
        speed : m/s; as told before without it
        who : all, one, a slice, indices or a mask
        """
        needs_processor(self.device, "paths")
        rows = rows_of(who, len(self))
        points, counts = paths_of(path, len(rows))
        new = np.concatenate([[True], np.hypot(*np.diff(points, axis=0).T) > SAME_PLACE])
        starts = np.cumsum(counts) - counts
        new[starts] = True
        points, counts = points[new], np.add.reduceat(new, starts, dtype=np.int64)
        if counts.min() < 2:
            which = f" {np.argmin(counts)}" if len(counts) > 1 else ""
            raise LocomoteError(f"path{which}: all its places are the same; expected a way")
        cruise = self._cruise(rows, speed)
        self._ways.set_paths(rows, points, counts)
        self._ways.go(rows, ON_PATH, cruise)

    def release(self, who: Who = None) -> None:
        """Let walkers go on as they are, without a goal."""
        rows = rows_of(who, len(self))
        speeds = self._people.walkers["speed"]["value"][rows]
        self._ways.go(rows, FREE, speeds)
        self._ways.rows["state"][rows] = NEUTRAL

    def jump(
        self,
        length: Values | None = None,
        *,
        policy: str = "exact",
        flight: Values | None = None,
        foot: str = "either",
        who: Who = None,
    ) -> npt.NDArray[np.bool_]:
        """Let characters jump; who stands jumps from both feet.

        Given back is who jumps: not one who is about to jump already.

        Parameters
        ----------
        length : m, from the ball of one foot to that of the other; the policy "now" does without
        policy : "exact": first the speed that the length needs; "now": from the next step, as far as suits the speed
        flight : s in the air, where the usual ones will not do
        foot : "left", "right" or "either", that takes off
        who : all, one, a slice, indices or a mask
        """
        from locomote.human.jumps._kernels import jump_request

        rows = rows_of(who, len(self))
        if policy not in ("exact", "now"):
            raise LocomoteError(f"policy {policy!r}: expected 'exact' or 'now'")
        if foot not in FEET:
            raise LocomoteError(f"foot {foot!r}: expected 'either', 'left' or 'right'")
        if length is None and policy == "exact":
            raise LocomoteError("length: how far is the jump to be? policy 'now' does without")
        lengths = spread("length", 1.0 if length is None else length, len(rows))
        lengths = self._targets.notices.clamp("length", lengths, 0.2, LONGEST_JUMP, "m")
        flights = np.zeros(len(rows)) if flight is None else spread("flight", flight, len(rows))
        flights = self._targets.notices.clamp("flight", flights, 0.0, 1.0, "s")
        told = np.zeros(len(rows), dtype=np.int64)
        self._ways.awake = True
        orders = jump_request.JumpOrders(rows, lengths, flights, policy == "now", FEET[foot], SOLE)
        self._stepper.fetch(rows)
        jump_request.ask(orders, self._state, self._ways.planner, told)
        self._stepper.push(rows)
        self._ways.rows["thing"][rows[told > 0]] = -1  # a jump that is told is for nothing that lay ahead before
        return told > 0

    def reach(
        self, distance: Values, *, speed: Values = 0.0, foot: str = "either", who: Who = None
    ) -> npt.NDArray[np.bool_]:
        """Let characters arrive with their toes at a line ahead.

        Given back is who does: not one who stands or jumps, and not one for whom the line is too near or the speed too
        different.

        Parameters
        ----------
        distance : m to the line, number or one for each
        speed : m/s there; at 0 they stop with the toes of both feet at the line, whichever foot is chosen
        foot : "left", "right" or "either"
        who : all, one, a slice, indices or a mask
        """
        from locomote.human.jumps._kernels import jump_request

        rows = rows_of(who, len(self))
        if foot not in FEET:
            raise LocomoteError(f"foot {foot!r}: expected 'either', 'left' or 'right'")
        distances = spread("distance", distance, len(rows))
        self._stepper.fetch(rows)
        speeds = self._targets.in_range(rows, spread("speed", speed, len(rows)))
        told = np.zeros(len(rows), dtype=np.int64)
        self._ways.awake = True
        jump_request.reach(rows, distances, speeds, FEET[foot], self._state, self._ways.planner, told)
        self._stepper.push(rows)
        return told > 0

    def allow(self, *, jumping: bool | None = None, going_round: bool | None = None, who: Who = None) -> None:
        """Say what walkers may do about obstacles; who may neither jump nor go round stops before them.

        Parameters
        ----------
        jumping, going_round : what is left out stays
        who : all, one, a slice, indices or a mask
        """

        rows = rows_of(who, len(self))
        if jumping is not None:
            self._ways.rows["may_jump"][rows] = jumping
        if going_round is not None:
            self._ways.rows["may_round"][rows] = going_round

    def meet(self, places: ArrayLike, velocities: ArrayLike = (0.0, 0.0), radii: ArrayLike = 0.3) -> None:
        """Say who else is about, whom walkers who avoid keep clear of.

        They hold until told anew; say it before each step for those who move.

        Parameters
        ----------
        places : (M, 2) m, as (x, z)
        velocities, radii : (M, 2) m/s and (M,) m, or one for all
        """
        needs_processor(self.device, "others")
        self._ways.meet(places, velocities, radii)

    def _cruise(self, rows: Rows, speed: Values | None) -> FloatArray:
        """The speeds for a way: as given, as told before, or usual."""
        if speed is not None:
            speeds = spread("speed", speed, len(rows))
            return self._targets.in_range(rows, speeds)
        told = self._people.walkers["speed"]["target"][rows]
        usual = USUAL_SPEED * np.sqrt(self._people.walkers["leg"]["value"][rows] / 0.9)
        out: FloatArray = np.where(told > STANDING, told, usual)
        return out
