"""Random commands, for a crowd to be tried by."""

from __future__ import annotations

import numpy as np

from locomote.human._commands import MOST_SIDEWAYS
from locomote.human._crowd import Crowd
from locomote.human._model import REFERENCE_HIP_HEIGHT
from locomote.human_skeleton import hip_height

PAUSE = (0.3, 4.0)  # s from one command to the next of a character
KNOBS = ("speed", "turn_rate", "gait", "style", "leg_length")
MOST_KNOBS = 2  # turned by one command
STOP, STRAIGHT, AUTO = (
    0.12,
    0.4,
    0.6,
)  # shares of commands to stop, to go straight on, to leave the gait to the speed
LEAST_SPEED = 0.3  # m/s
MARGIN = 0.85  # of the fastest speed and the sharpest turn, so that a body that shrinks stays in range
MOST_TURN = 1.5  # rad/s
LEGS = (0.6, 1.1)  # m
HURRIED = 0.3  # share of commands with a time of their own
WITHIN = (0.3, 2.0)  # s


class RandomDrive:
    """Each character is told something new at moments of its own; the same seed, the same commands.

    ``knobs`` are those that are turned, ``fastest`` (m/s) and ``legs`` (m) bounds. Speeds stay in the range of the
    gait, and sizes change in their own slow time.
    """

    def __init__(
        self,
        seed: int = 0,
        knobs: tuple[str, ...] = KNOBS,
        fastest: float = np.inf,
        legs: tuple[float, float] = LEGS,
    ) -> None:
        self._random = np.random.default_rng(seed)
        self._knobs, self._fastest, self._legs = knobs, fastest, legs
        self._due = self._told = self._runs = np.zeros(0)  # s; m/s and share of running that were told last

    def __call__(self, crowd: Crowd, time: float) -> None:
        """Tell those whose moment has come; to be called before every step."""
        if len(self._due) != len(crowd):
            self._due = self._random.uniform(0.0, PAUSE[1], len(crowd))
            self._told, self._runs = crowd.speeds, np.ones(len(crowd))
        for who in np.flatnonzero(self._due <= time):
            self._due[who] = time + self._random.uniform(*PAUSE)
            count = int(self._random.integers(1, min(MOST_KNOBS, len(self._knobs)) + 1))
            for knob in self._random.permutation(self._knobs)[:count]:
                self._tell(crowd, int(who), str(knob))

    def _tell(self, crowd: Crowd, who: int, knob: str) -> None:
        draw = self._random
        within = float(draw.uniform(*WITHIN)) if draw.random() < HURRIED else None
        size = hip_height(float(crowd.leg_lengths[who]))
        walk, run = MARGIN * crowd.model.speed_limits[:, 1] * np.sqrt(size / REFERENCE_HIP_HEIGHT)
        fast = max(float(self._told[who]), float(crowd.speeds[who]))
        if knob == "speed":
            most = min(self._fastest, walk + float(self._runs[who]) * (run - walk))
            self._told[who] = 0.0 if draw.random() < STOP else draw.uniform(LEAST_SPEED, most)
            crowd.command(speed=float(self._told[who]), within=within, who=who)
        elif knob == "turn_rate":
            most = min(MOST_TURN, MARGIN * MOST_SIDEWAYS / max(0.1, fast))
            rate = 0.0 if draw.random() < STRAIGHT else float(draw.uniform(-most, most))
            crowd.command(turn_rate=rate, within=within, who=who)
        elif knob == "gait":
            # Nobody walks as fast as a run that is still under way.
            forced = str(draw.choice(["walk", "run"])) if fast < walk else "run"
            gait = "auto" if draw.random() < AUTO else forced
            self._runs[who] = 0.0 if gait == "walk" else 1.0
            crowd.command(gait=gait, within=within, who=who)
        elif knob == "style":
            crowd.command(style=str(draw.choice(crowd.model.styles)), within=within, who=who)
        else:
            crowd.command(leg_length=float(draw.uniform(*self._legs)), who=who)
