"""A trial of a gait: from a stand or on the way, perhaps pushed, and measured: speed, way, style, survival."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from locomote.physics._driving import Driver
from locomote.physics._kernels import animal_model as am
from locomote.physics._simulation import Simulation
from locomote.rotations import FloatArray

CHUNK = 0.01  # s between looks
STARTS = 0.2  # s that it stands before it goes
ACCELERATES = 1.2  # m/s2 of the speed that is asked for
AHEAD = 0.5  # m/s by which it may differ from the one that there is


class Push(NamedTuple):
    """A push: when it begins and how long it lasts (s), force in the world (N), at "shoulders" or "hips"."""

    start: float
    seconds: float
    force: tuple[float, float, float]
    at: str = "shoulders"


@dataclass(frozen=True, eq=False)
class Trial:
    """What happened: one row for each 10 ms."""

    asked: float  # m/s
    survived: bool
    times: FloatArray  # (F,) s
    frames: FloatArray  # (F, 2, 3) m, pelvis and shoulders
    middles: FloatArray  # (F, 3) m, centre of mass, from where it began
    tilts: FloatArray  # (F,) rad
    feet: FloatArray  # (F, 4, 3) m
    loads: FloatArray  # (F, 4) N
    head: FloatArray  # (F, 3) m/s
    phases: FloatArray  # (F,) turns

    @property
    def late(self) -> slice:
        """The second half of the trial."""
        return slice(len(self.times) // 2, None)

    @property
    def speed(self) -> float:
        """m/s forward over the second half."""
        middles, times = self.middles[self.late], self.times[self.late]
        return float((middles[-1, 2] - middles[0, 2]) / max(times[-1] - times[0], CHUNK))

    @property
    def aside(self) -> float:
        """m that it is off its line at the end, at most over the second half."""
        return float(np.abs(self.middles[self.late, 0]).max())

    @property
    def drift(self) -> float:
        """m aside for each m of the way, over the second half."""
        way = self.middles[self.late][-1] - self.middles[self.late][0]
        return float(abs(way[0]) / max(abs(way[2]), CHUNK))

    @property
    def heading(self) -> float:
        """rad that it points aside, on average."""
        along = self.frames[self.late, 1] - self.frames[self.late, 0]
        return float(np.abs(np.arctan2(along[:, 0], along[:, 2])).mean())

    @property
    def pitch(self) -> float:
        """rad by which the line from hips to shoulders swings (standard deviation)."""
        along = self.frames[self.late, 1] - self.frames[self.late, 0]
        return float(np.arctan2(along[:, 1], along[:, 2]).std())

    @property
    def bob(self) -> float:
        """m by which hips and shoulders go up and down (standard deviation)."""
        return float(self.frames[self.late, :, 1].std(axis=0).mean())

    @property
    def shaken(self) -> float:
        """m/s2, the mean acceleration of the head."""
        change = np.diff(self.head[self.late], axis=0) / CHUNK
        return float(np.linalg.norm(change, axis=1).mean()) if len(change) else 0.0

    def stances(self) -> list[list[tuple[int, int]]]:
        """For each foot the rows from which and up to which it stands, gaps under 30 ms closed."""
        out = []
        for foot in range(am.FEET):
            down = self.loads[:, foot] > 1.0
            for k in range(1, 3):  # a foot that bounces stands
                down[k:-k] |= down[: -2 * k] & down[2 * k :]
            edges = np.flatnonzero(np.diff(np.concatenate([[0], down.astype(int), [0]])))
            out.append([(int(a), int(b)) for a, b in edges.reshape(-1, 2) if b - a > 2])
        return out

    def style(self) -> Style:
        """Period, duty, touch-downs, clearance and slip over the second half."""
        begin = len(self.times) // 2
        steps = [[s for s in foot if s[0] >= begin and s[1] < len(self.times)] for foot in self.stances()]
        if min(len(foot) for foot in steps) < 3:
            return Style(0.0, np.zeros(4), np.zeros(4), np.zeros(4), 1.0)
        period = float(np.median([np.diff([s[0] for s in foot]).mean() for foot in steps])) * CHUNK
        duty = np.array([np.mean([b - a for a, b in foot]) for foot in steps]) * CHUNK / period
        first = np.array([s[0] for s in steps[2]])
        lands = np.zeros(4)
        for k, foot in enumerate(steps):
            turns = [((a - first[np.searchsorted(first, a, side="right") - 1]) * CHUNK / period) for a, _ in foot[1:]]
            lands[k] = _mean_turn(np.array(turns))
        lift = np.array([self.feet[begin:, k, 1].max() - np.median(self.feet[begin:, k, 1].min()) for k in range(4)])
        slips = []
        for k, foot in enumerate(steps):
            for a, b in foot:
                inner = self.feet[a + 2 : b - 2, k][:, [0, 2]]
                if len(inner) > 1:
                    slips.append(np.linalg.norm(inner - inner[0], axis=1).max())
        return Style(period, duty, lands, lift, float(np.median(slips)) if slips else 0.0)


class Style(NamedTuple):
    """How an animal goes; feet are L1, R1, L2, R2."""

    period: float  # s
    duty: FloatArray  # (4,)
    lands: FloatArray  # (4,) turns after the left hind foot
    lift: FloatArray  # (4,) m
    slip: float  # m in a stance, median


def _mean_turn(turns: FloatArray) -> float:
    return float(np.angle(np.exp(2j * np.pi * turns).mean()) / (2.0 * np.pi) % 1.0)


def trial(
    simulation: Simulation,
    gait: tuple[FloatArray, FloatArray],
    speed: float,
    seconds: float = 5.0,
    pushes: tuple[Push, ...] = (),
    turn_rate: float = 0.0,
) -> Trial:
    """Let an animal go with one gait, from a stand.

    Parameters
    ----------
    simulation : it starts anew
    gait : swings (4, 2) in turns and parameters (163,)
    speed, seconds, turn_rate : m/s, s and rad/s that are asked for
    pushes : on the way
    """
    sim = simulation
    sim.reset()

    def go(t: float) -> None:
        if t >= STARTS:
            sim.asked.legs[:, 0] = am.BY_GAIT
            goal = min(speed, ACCELERATES * (t - STARTS))
            sim.asked.speed[0] = min(max(goal, sim.speed - AHEAD), sim.speed + AHEAD)
            sim.asked.yaw[:2] += turn_rate * CHUNK
            sim.asked.yaw[2] = turn_rate
        sim.advance(round(CHUNK * 1000.0), *gait)

    return _watched(sim, speed, seconds, pushes, go)


def driven(
    driver: Driver, speed: float, seconds: float = 5.0, pushes: tuple[Push, ...] = (), turn_rate: float = 0.0
) -> Trial:
    """Let an animal go on under a driver, from where it is; arguments as of `trial`."""
    driver.command(speed, turn_rate)
    return _watched(driver.simulation, speed, seconds, pushes, lambda _: driver.step(CHUNK))


def _watched(
    sim: Simulation, speed: float, seconds: float, pushes: tuple[Push, ...], go: Callable[[float], None]
) -> Trial:
    """Push it and write down what it does, while ``go`` lets 10 ms pass."""
    waiting = sorted(pushes)
    feet = [sim.model.site(f"paw {name}").id for name in ("L1", "R1", "L2", "R2")]
    head, rows = int(sim.body.neck[-1]) if len(sim.body.neck) else int(sim.body.frames[1]), []
    begin = sim.data.subtree_com[1] * (1.0, 0.0, 1.0)
    for k in range(round(seconds / CHUNK)):
        t = k * CHUNK
        while waiting and t >= waiting[0].start:
            push = waiting.pop(0)
            sim.push(np.array(push.force), push.seconds, push.at)
        go(t)
        rows.append(
            (t, sim.frames, sim.data.subtree_com[1] - begin, sim.tilt, sim.data.site_xpos[feet],
             sim.views.touch.copy(), sim.data.cvel[head, 3:].copy(), sim.state.clock[0])
        )  # fmt: skip
        if sim.fallen:
            break
    columns = [np.array(column) for column in zip(*rows, strict=True)]
    return Trial(speed, not sim.fallen, *columns)
