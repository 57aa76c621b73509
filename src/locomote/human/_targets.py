"""Where the parameters of a crowd are to go, and in what time: ramps set up in the crowd's state."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from locomote._arguments import Notices, Rows
from locomote.human import _commands as commands
from locomote.human._model import REFERENCE_HIP_HEIGHT, HumanModel
from locomote.human_skeleton import hip_height
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

    Without ``seconds`` a change takes the time that a person would take.
    """

    def __init__(self, model: HumanModel, state: FloatArray) -> None:
        from locomote.human._kernels import drive

        self._kernel = drive
        self._model, self._state = model, state
        self.notices = Notices()
        self.resizing = 0.0  # s for which some character still changes its size

    def _ramp(self, rows: Rows, at: int, targets: FloatArray, seconds: FloatArray | None, rate: float) -> None:
        """Send a parameter to its targets; without ``seconds``, at a rate, and a ramp under way is kept."""
        state = self._state
        if seconds is None:
            new = state[rows, at + 1] != targets
            if not new.any():
                return
            rows, targets = rows[new], targets[new]
            seconds = np.maximum(SHORTEST, np.abs(targets - state[rows, at]) / rate)
        state[rows, at + 1] = targets
        state[rows, at + 2] = seconds
        state[rows, self._kernel.NEWS] = 1.0
        now = seconds <= 0.0
        if now.any():
            state[rows[now], at] = targets[now]
            state[rows[now], self._kernel.STALE] = 1.0

    def resize(self, rows: Rows, legs: FloatArray, seconds: FloatArray | None) -> None:
        """Give leg lengths, metres."""
        legs = self.notices.clamp("leg_length", legs, *commands.LEG_RANGE, "m")
        seconds = np.full(len(rows), SIZE_CHANGE) if seconds is None else seconds
        self._ramp(rows, self._kernel.LEG, legs, seconds, 1.0)
        self.resizing = max(1e-9, float(np.max(seconds, initial=0.0)))

    def restyle(self, rows: Rows, targets: FloatArray, seconds: FloatArray | None) -> None:
        """Give style weights ``(len(rows), K)``."""
        at, state, count = self._kernel, self._state, len(self._model.styles)
        seconds = np.full(len(rows), STYLE_CHANGE) if seconds is None else seconds
        state[rows, at.WEIGHTS + count :] = targets
        state[rows, at.STYLE_LEFT] = seconds
        state[rows, at.NEWS] = 1.0
        now = seconds <= 0.0
        state[rows[now], at.WEIGHTS : at.WEIGHTS + count] = targets[now]
        state[rows[now], at.STALE] = 1.0

    def _jumping(self, rows: Rows) -> npt.NDArray[np.bool_]:
        """Who is about to jump: what it is told of speed and gait holds for the time after that."""
        from locomote.human.jumps._kernels import jump as leap

        out: npt.NDArray[np.bool_] = self._state[rows, self._kernel.JUMP + leap.STATE] != leap.NONE
        return out

    def regait(
        self, rows: Rows, targets: FloatArray, automatic: npt.NDArray[np.bool_], seconds: FloatArray | None
    ) -> None:
        """Give shares of running, or leave them to the speed where ``automatic``."""
        from locomote.human.jumps._kernels import jump as leap

        at, state = self._kernel, self._state
        targets = self.notices.clamp("gait", targets, 0.0, 1.0, "")
        later = self._jumping(rows)
        if later.any():
            after = at.JUMP + leap.AFTER
            state[rows[later], after + 1], state[rows[later], after + 2] = targets[later], automatic[later]
            rows, targets, automatic = rows[~later], targets[~later], automatic[~later]
            seconds = None if seconds is None else seconds[~later]
        fast = state[rows, at.SPEED] ** 2 > RUN_FROUDE * at.GRAVITY * self.hip_heights(rows)
        state[rows, at.AUTO] = automatic
        self._ramp(rows, at.RUN, np.where(automatic, fast, targets), seconds, 1.0 / GAIT_CHANGE)

    def speed_up(self, rows: Rows, targets: FloatArray, seconds: FloatArray | None) -> None:
        """Give speeds, m/s."""
        from locomote.human.jumps._kernels import jump as leap

        at, state = self._kernel, self._state
        targets = self.notices.clamp("speed", targets, 0.0, self._fastest(rows), "m/s")
        later = self._jumping(rows)
        if later.any():
            state[rows[later], at.JUMP + leap.AFTER] = targets[later]
            rows, targets = rows[~later], targets[~later]
            seconds = None if seconds is None else seconds[~later]
        under_way = (state[rows, at.SPEED + 1] == targets) & (state[rows, at.SPEED + 2] > 0.0)
        self._ramp(rows, at.SPEED, targets, seconds, ACCELERATION)
        free = (targets == 0.0) & ~under_way if seconds is None else np.zeros(len(rows), dtype=np.bool_)
        state[rows, at.FREE_STOP] = free

    def in_range(self, rows: Rows, speeds: FloatArray) -> FloatArray:
        """Speeds that the characters can have, m/s."""
        return self.notices.clamp("speed", speeds, 0.0, self._fastest(rows), "m/s")

    def column(self, name: str) -> int:
        """A column of the state."""
        return int(getattr(self._kernel, name))

    def slow_down(self, rows: Rows) -> None:
        """Bring targets of speed into the range of a new gait or size."""
        at, state = self._kernel, self._state
        fastest = self._fastest(rows)
        over = state[rows, at.SPEED + 1] > fastest
        if over.any():
            self.speed_up(rows[over], fastest[over], None)

    def turn(self, rows: Rows, targets: FloatArray, seconds: FloatArray | None) -> None:
        """Give turn rates, rad/s."""
        at, state = self._kernel, self._state
        most = self._sharpest(rows)
        targets = self.notices.clamp("turn_rate", targets, -most, most, "rad/s")
        steering = rows[state[rows, at.STEERING] > 0.0]
        state[steering, at.TURN + 1] = math.nan  # whatever was aimed at is no longer under way
        state[rows, at.STEERING] = 0.0
        self._ramp(rows, at.TURN, targets, seconds, TURN_ACCELERATION)

    def turn_less(self, rows: Rows) -> None:
        """Bring targets of the turn rate into the range of a new speed."""
        at, state = self._kernel, self._state
        most = self._sharpest(rows)
        over = (np.abs(state[rows, at.TURN + 1]) > most) & (state[rows, at.STEERING] == 0.0)
        if over.any():
            self.turn(rows[over], np.copysign(most, state[rows, at.TURN + 1])[over], None)

    def _sharpest(self, rows: Rows) -> FloatArray:
        """The highest turn rate at the speed that each character has or is told."""
        at, state = self._kernel, self._state
        speeds = np.maximum(state[rows, at.SPEED], state[rows, at.SPEED + 1])
        out: FloatArray = np.minimum(commands.MOST_TURN, commands.MOST_SIDEWAYS / np.maximum(speeds, 0.1))
        return out

    def head(self, rows: Rows, headings: FloatArray, seconds: FloatArray | None) -> None:
        """Give headings, rad."""
        at, state = self._kernel, self._state
        way = headings - state[rows, at.YAW]
        way = (way + math.pi) % (2.0 * math.pi) - math.pi
        targets = state[rows, at.YAW] + way
        if seconds is None:
            same = (state[rows, at.STEERING] > 0.0) & (np.abs(state[rows, at.HEADING] - targets) < 1e-6)
            rows, targets, way = rows[~same], targets[~same], way[~same]
            # The turn rate of the cubic rises to one and a half times its mean.
            mean = np.minimum(TURN_SPEED, self._sharpest(rows) / 1.5)
            seconds = np.maximum(SHORTEST_TURN, np.abs(way) / mean)
        state[rows, at.STEERING] = 1.0
        state[rows, at.HEADING] = targets
        state[rows, at.TURN + 2] = seconds
        state[rows, at.NEWS] = 1.0

    def toe_out(self, rows: Rows, angles: FloatArray) -> None:
        """Give angles ``(len(rows), 2)`` by which the left and the right foot are turned outwards, rad."""
        most = commands.MOST_TOE_OUT
        angles = self.notices.clamp("toe_out", angles.reshape(-1), -most, most, "rad").reshape(-1, 2)
        at, state = self._kernel, self._state
        new = (state[rows, at.TOE_OUT : at.TOE_OUT + 2] != angles).any(axis=1)
        state[rows, at.TOE_OUT : at.TOE_OUT + 2] = angles
        state[rows[new], at.NEWS] = 1.0

    def widen(self, rows: Rows, metres: FloatArray) -> None:
        """Give distances by which each foot is set down further from the middle, m."""
        metres = self.notices.clamp("wider", metres, *commands.MOST_WIDER, "m")
        at, state = self._kernel, self._state
        state[rows[state[rows, at.WIDER] != metres], at.NEWS] = 1.0
        state[rows, at.WIDER] = metres

    def hip_heights(self, rows: Rows | None = None) -> FloatArray:
        """Hip heights, metres."""
        legs = self._state[:, self._kernel.LEG] if rows is None else self._state[rows, self._kernel.LEG]
        out: FloatArray = legs * hip_height(1.0)
        return out

    def _fastest(self, rows: Rows) -> FloatArray:
        """The fastest speed of each character in its gait and with its legs."""
        at, state = self._kernel, self._state
        walk, run = self._model.speed_limits[:, 1]
        share = np.where(state[rows, at.AUTO] > 0.0, 1.0, state[rows, at.RUN + 1])
        size = state[rows, at.LEG + 1] * hip_height(1.0) / REFERENCE_HIP_HEIGHT
        out: FloatArray = (walk + share * (run - walk)) * np.sqrt(size)
        return out
