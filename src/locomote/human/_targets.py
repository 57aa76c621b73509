"""Where the parameters of a crowd are to go, and in what time: ramps set up in the crowd's state."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote._arguments import Notices, Rows
from locomote.human import _commands as commands
from locomote.human._kernels.state import NO_JUMP, People
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human_skeleton import hip_height
from locomote.math.constants import GRAVITY
from locomote.rotations import FloatArray

ACCELERATION = 1.0  # m/s^2, comfortable; sets how long a change of speed takes unless told otherwise
TURN_ACCELERATION = 2.0  # rad/s^2
TURN_SPEED = 1.2  # rad/s, the mean on the way to a new heading
SHORTEST = 0.25  # s
SHORTEST_TURN = 0.6  # s
GAIT_CHANGE = 0.4  # s, about one step
STYLE_CHANGE = 1.0  # s
SIZE_CHANGE = 4.0  # s
RUN_FROUDE = 0.5  # v^2 / (g hip height), above which a crowd begins with a run


class Targets:
    """Sets targets in the state of a crowd; who is meant and what is asked have been checked before.

    Without ``seconds`` a change takes the time that a person would take. Whether anyone is concerned is asked by
    `count_nonzero`: of one person it costs a tenth of ``any``.
    """

    def __init__(self, model: HumanModel, people: People) -> None:
        self._model, self._walkers, self._weights = model, people.walkers, people.weights
        self.notices = Notices()
        self.resizing = 0.0  # s for which some character still changes its size

    def _ramp(self, rows: Rows, name: str, targets: FloatArray, seconds: FloatArray | None, rate: float) -> None:
        """Send a parameter to its targets; without ``seconds``, at a rate, and a ramp under way is kept."""
        state, ramp = self._walkers, self._walkers[name]
        if seconds is None:
            new = ramp["target"][rows] != targets
            if not np.count_nonzero(new):
                return
            rows, targets = rows[new], targets[new]
            seconds = np.maximum(SHORTEST, np.abs(targets - ramp["value"][rows]) / rate)
        ramp["target"][rows] = targets
        ramp["left"][rows] = seconds
        state["news"][rows] = True
        now = seconds <= 0.0
        if np.count_nonzero(now):
            ramp["value"][rows[now]] = targets[now]
            state["stale"][rows[now]] = True

    def resize(self, rows: Rows, legs: FloatArray, seconds: FloatArray | None) -> None:
        """Give leg lengths, metres."""
        legs = self.notices.clamp("leg_length", legs, *commands.LEG_RANGE, "m")
        seconds = np.full(len(rows), SIZE_CHANGE) if seconds is None else seconds
        self._ramp(rows, "leg", legs, seconds, 1.0)
        self.resizing = max(1e-9, float(np.max(seconds, initial=0.0)))

    def restyle(self, rows: Rows, targets: FloatArray, seconds: FloatArray | None) -> None:
        """Give style weights ``(len(rows), K)``."""
        state = self._walkers
        seconds = np.full(len(rows), STYLE_CHANGE) if seconds is None else seconds
        self._weights[rows, 1] = targets
        state["style_left"][rows] = seconds
        state["news"][rows] = True
        now = seconds <= 0.0
        self._weights[rows[now], 0] = targets[now]
        state["stale"][rows[now]] = True

    def _jumping(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Who is about to jump: what it is told of speed and gait holds for the time after that."""
        out: npt.NDArray[np.bool_] = self._walkers["jump"]["state"][rows] != NO_JUMP
        return out

    def regait(
        self, rows: Rows, targets: FloatArray, automatic: npt.NDArray[np.bool_], seconds: FloatArray | None
    ) -> None:
        """Give shares of running, or leave them to the speed where ``automatic``."""
        state = self._walkers
        targets = self.notices.clamp("gait", targets, 0.0, 1.0, "")
        later = self._jumping(rows)
        if np.count_nonzero(later):
            after = state["jump"]["after"]
            after["run"][rows[later]], after["auto_gait"][rows[later]] = targets[later], automatic[later]
            rows, targets, automatic = rows[~later], targets[~later], automatic[~later]
            seconds = None if seconds is None else seconds[~later]
        fast = state["speed"]["value"][rows] ** 2 > RUN_FROUDE * GRAVITY * self.hip_heights(rows)
        state["auto_gait"][rows] = automatic
        self._ramp(rows, "run", np.where(automatic, fast, targets), seconds, 1.0 / GAIT_CHANGE)

    def speed_up(self, rows: Rows, targets: FloatArray, seconds: FloatArray | None) -> None:
        """Give speeds, m/s."""
        state = self._walkers
        targets = self.in_range(rows, targets)
        later = self._jumping(rows)
        if np.count_nonzero(later):
            state["jump"]["after"]["speed"][rows[later]] = targets[later]
            rows, targets = rows[~later], targets[~later]
            seconds = None if seconds is None else seconds[~later]
        under_way = (state["speed"]["target"][rows] == targets) & (state["speed"]["left"][rows] > 0.0)
        self._ramp(rows, "speed", targets, seconds, ACCELERATION)
        free = (targets == 0.0) & ~under_way if seconds is None else np.zeros(len(rows), dtype=np.bool_)
        state["free_stop"][rows] = free

    def in_range(self, rows: Rows, speeds: FloatArray) -> FloatArray:
        """Speeds that the characters can have, m/s."""
        return self.notices.clamp("speed", speeds, 0.0, self._fastest(rows), "m/s")

    def slow_down(self, rows: Rows) -> None:
        """Bring targets of speed into the range of a new gait or size."""
        state = self._walkers
        fastest = self._fastest(rows)
        over = state["speed"]["target"][rows] > fastest
        if np.count_nonzero(over):
            self.speed_up(rows[over], fastest[over], None)

    def turn(self, rows: Rows, targets: FloatArray, seconds: FloatArray | None) -> None:
        """Give turn rates, rad/s."""
        state = self._walkers
        most = self._sharpest(rows)
        targets = self.notices.clamp("turn_rate", targets, -most, most, "rad/s")
        steering = rows[state["steering"][rows]]
        state["turn"]["target"][steering] = math.nan  # whatever was aimed at is no longer under way
        state["steering"][rows] = False
        self._ramp(rows, "turn", targets, seconds, TURN_ACCELERATION)

    def turn_less(self, rows: Rows) -> None:
        """Bring targets of the turn rate into the range of a new speed."""
        state = self._walkers
        most = self._sharpest(rows)
        over = (np.abs(state["turn"]["target"][rows]) > most) & ~state["steering"][rows]
        if np.count_nonzero(over):
            self.turn(rows[over], np.copysign(most, state["turn"]["target"][rows])[over], None)

    def _sharpest(self, rows: Rows) -> FloatArray:
        """The highest turn rate at the speed that each character has or is told."""
        state = self._walkers
        speeds = np.maximum(state["speed"]["value"][rows], state["speed"]["target"][rows])
        out: FloatArray = np.minimum(commands.MOST_TURN, commands.MOST_SIDEWAYS / np.maximum(speeds, 0.1))
        return out

    def head(self, rows: Rows, headings: FloatArray, seconds: FloatArray | None) -> None:
        """Give headings, rad."""
        state = self._walkers
        way = headings - state["yaw"][rows]
        way = (way + math.pi) % (2.0 * math.pi) - math.pi
        targets = state["yaw"][rows] + way
        if seconds is None:
            same = state["steering"][rows] & (np.abs(state["heading"][rows] - targets) < 1e-6)
            rows, targets, way = rows[~same], targets[~same], way[~same]
            # The turn rate of the cubic rises to one and a half times its mean.
            mean = np.minimum(TURN_SPEED, self._sharpest(rows) / 1.5)
            seconds = np.maximum(SHORTEST_TURN, np.abs(way) / mean)
        state["steering"][rows] = True
        state["heading"][rows] = targets
        state["turn"]["left"][rows] = seconds
        state["news"][rows] = True

    def toe_out(self, rows: Rows, angles: FloatArray) -> None:
        """Give angles ``(len(rows), 2)`` by which the left and the right foot are turned outwards, rad."""
        most = commands.MOST_TOE_OUT
        angles = self.notices.clamp("toe_out", angles.reshape(-1), -most, most, "rad").reshape(-1, 2)
        state = self._walkers
        new = (state["toe_out"][rows] != angles).any(axis=1)
        state["toe_out"][rows] = angles
        state["news"][rows[new]] = True

    def widen(self, rows: Rows, metres: FloatArray) -> None:
        """Give distances by which each foot is set down further from the middle, m."""
        metres = self.notices.clamp("wider", metres, *commands.MOST_WIDER, "m")
        state = self._walkers
        state["news"][rows[state["wider"][rows] != metres]] = True
        state["wider"][rows] = metres

    def hip_heights(self, rows: Rows | None = None) -> FloatArray:
        """Hip heights, metres."""
        legs = self._walkers["leg"]["value"] if rows is None else self._walkers["leg"]["value"][rows]
        out: FloatArray = legs * hip_height(1.0)
        return out

    def _fastest(self, rows: Rows) -> FloatArray:
        """The fastest speed of each character in its gait and with its legs."""
        state = self._walkers
        walk, run = self._model.speed_limits[:, 1]
        share = np.where(state["auto_gait"][rows], 1.0, state["run"]["target"][rows])
        size = state["leg"]["target"][rows] * hip_height(1.0) / REFERENCE_HIP_HEIGHT
        out: FloatArray = (walk + share * (run - walk)) * np.sqrt(size)
        return out
