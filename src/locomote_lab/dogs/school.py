"""Lessons of the simulated dog: it is pushed, led over low steps and on slippery floors, and told how well it did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from locomote.physics import Policy
from locomote.physics._animal import Animal
from locomote.physics._driving import Driver
from locomote.physics._kernels.animal_model import FRONT
from locomote.physics._policy import ACTIONS, SEEN, TEMPO, Network, observe
from locomote.physics._pushes import SOURCE
from locomote.physics._scenarios import steps
from locomote.physics._simulation import Simulation
from locomote.rotations import FloatArray
from locomote_lab.dogs.ppo import FELL, OVER, Told, fresh

TICK = 0.02  # s between two actions
LASTS = 5.0  # s of a lesson
PUSHED, STEPPED, SLIPPERY, TURNS, FROM_STAND = 0.7, 0.2, 0.2, 0.1, 0.1  # shares of lessons
HARDEST = 1.4  # times the force of the source's rows
STARTS = 4  # moments of every speed from which lessons begin
SPEEDS = {  # m/s: where lessons begin, and between which they lead
    "walk": ((0.7, 1.0), (0.5, 1.1)), "trot": ((1.2, 1.8, 2.2), (1.0, 2.4)), "pace": ((1.2, 1.4), (1.0, 1.5)),
    "canter": ((2.4, 2.8, 3.0), (2.3, 3.1)), "gallop": ((3.2, 3.7, 4.1), (3.2, 5.2)),
    "rotary gallop": ((3.1,), (3.0, 3.3)),
}  # fmt: skip
# N and s of the pushes of the source
FORCES = {
    gait: [(row.force, row.seconds) for row in SOURCE if row.gait == gait] for gait in {one.gait for one in SOURCE}
}
FORCES |= {"pace": FORCES["trot"], "rotary gallop": FORCES["gallop"]}
CALM = 2.0  # s after a push from which it is to go as it was tuned
FALL, UNIT = 10.0, 0.1  # cost of a fall, in ticks on its feet; of a reward


class Tries:
    """A network that varies its answers, and keeps them."""

    def __init__(self, network: Network, spread: FloatArray, random: np.random.Generator) -> None:
        self.network, self.spread, self.random = network, spread, random
        self.last: tuple[FloatArray, FloatArray] | None = None

    def answer(self, seen: FloatArray) -> FloatArray:
        """What the network says, and something beside it."""
        action = self.network.answer(seen) + self.spread * self.random.normal(size=ACTIONS)
        self.last = seen, action
        return action

    def forget(self) -> None:
        """What it said last is told."""
        self.last = None


class School:
    """One dog, where it is taught: a few floors, and moments of its gaits from which lessons begin."""

    def __init__(self, gaits: Sequence[str], seed: int) -> None:
        self.gaits, self.random = gaits, np.random.default_rng(seed)
        animal = Animal.of()
        floors = [Simulation(animal)]
        floors += [Simulation(animal, steps(high, seed + k, 22.0)) for k, high in enumerate((0.03, 0.05, 0.06))]
        floors += [Simulation(animal, friction=friction) for friction in (0.5, 0.65)]
        self.tries = Tries(fresh(self.random), np.zeros(ACTIONS), self.random)
        policy = Policy(dict.fromkeys(gaits, cast(Network, self.tries)))  # it answers as one
        self.drivers = [Driver(floor, policy=policy) for floor in floors]
        self.starts = {gait: self._starts(gait) for gait in gaits}
        self.left = 0.0  # s of the lesson
        self.gait, self.driver = gaits[0], self.drivers[0]
        self.push, self.pushed, self.quiet = np.inf, False, CALM  # s until a push, whether it was, s since then
        self.before, self.off = np.zeros(ACTIONS), [0.0]  # what it did last; m/s that it is too slow or too fast

    def _starts(self, gait: str) -> list[Any]:
        driver, found = self.drivers[0], []
        for speed in SPEEDS[gait][0]:
            driver.simulation.reset()
            driver.reset()
            driver.command(speed, 0.0, gait)
            driver.reach(speed)
            for _ in range(STARTS):
                driver.step(float(self.random.uniform(0.1, 0.5)))
                if not driver.simulation.fallen:
                    found.append((driver.remember(), driver.gait))
        return found

    def begin(self) -> None:
        """Another lesson."""
        random = self.random
        self.gait = str(random.choice(self.gaits))
        kind = random.uniform()
        at = 0 if kind > STEPPED + SLIPPERY else random.integers(1, 4) if kind < STEPPED else random.integers(4, 6)
        self.driver = driver = self.drivers[int(at)]
        low, high = SPEEDS[self.gait][1]
        driver.simulation.reset()
        driver.reset()
        if random.uniform() > FROM_STAND:
            kept, gait = self.starts[self.gait][random.integers(len(self.starts[self.gait]))]
            driver.recall(put_back(kept))
            driver.gait = gait
        turn = float(random.uniform(-0.4, 0.4)) if random.uniform() < TURNS else 0.0
        driver.command(float(random.uniform(low, high)), turn, self.gait)
        self.left, self.quiet = LASTS, CALM
        self.push = float(random.uniform(0.3, 2.0)) if random.uniform() < PUSHED else np.inf
        self.pushed, self.before, self.off = False, np.zeros(ACTIONS), []

    def tick(self) -> tuple[float, int]:
        """One action and what came of it: a reward, and how it ended, if it did."""
        driver, sim = self.driver, self.driver.simulation
        self.push -= TICK
        if self.push < 0.0:
            self._push()
        driver.step(TICK)
        self.left -= TICK
        self.quiet += TICK
        self.off.append(abs(driver.going - driver.wanted))
        action = self.before if self.tries.last is None else self.tries.last[1]
        state, yaw = sim.state, sim.asked.yaw
        course = yaw[FRONT] - driver.veer
        v = state.speeds.mean(axis=0)
        aside = v[0] * np.cos(course) - v[2] * np.sin(course)
        heading = (yaw[:2].mean() - state.clock[3] + np.pi) % (2.0 * np.pi) - np.pi
        calm = self.quiet > CALM
        cost = 1.0 * sim.tilt + 0.5 * abs(driver.going - driver.goal) + 0.4 * abs(aside) + 0.5 * abs(heading)
        cost += (0.3 if calm else 0.01) * float(np.mean(action**2)) + (0.2 if calm else 0.0) * action[TEMPO] ** 2
        cost += 0.3 * (calm and driver.catches > 0.0)  # in the steps of another gait
        cost += 0.05 * float(np.mean((action - self.before) ** 2))
        self.before = action
        if sim.fallen:
            return UNIT * (1.0 - min(cost, 3.0) - FALL), FELL
        return UNIT * (1.0 - min(cost, 3.0)), OVER if self.left <= 0.0 else 0

    def _push(self) -> None:
        random, driver = self.random, self.driver
        force, seconds = FORCES[self.gait][random.integers(len(FORCES[self.gait]))]
        angle = random.uniform(0.0, 2.0 * np.pi)
        if random.uniform() < 0.6:  # to a side, which is the hardest
            angle = random.choice([0.5, 1.5]) * np.pi + random.normal(0.0, 0.3)
        angle += driver.simulation.asked.yaw[FRONT]
        size = force * random.uniform(0.4, HARDEST)
        where = "hips" if random.uniform() < 0.7 else "shoulders"
        driver.simulation.push(size * np.array([np.sin(angle), 0.0, np.cos(angle)]), seconds, where)
        self.push, self.pushed, self.quiet = np.inf, True, 0.0

    def attend(self, count: int) -> Told:
        """So many actions."""
        rows: list[tuple[Any, ...]] = []
        lessons = []
        while len(rows) < count:
            if self.left <= 0.0:
                self.begin()
            self.tries.forget()
            reward, end = self.tick()
            if self.tries.last is not None:  # of a gait that is taught
                after = observe(self.driver) if end == OVER or len(rows) == count - 1 else np.zeros(SEEN)
                rows.append((*self.tries.last, reward, end, after))
            elif rows and end == FELL:
                rows[-1] = (*rows[-1][:3], FELL, rows[-1][4])
            if end:
                lessons.append((self.gait, self.pushed, end == FELL, float(np.mean(self.off[-50:]))))
                self.left = 0.0
        columns = [np.array(column) for column in zip(*rows, strict=True)]
        seen, acted, rewards, ends, after = columns
        return Told(seen, acted, rewards, ends, after, lessons)


def put_back(kept: Any) -> Any:
    """The same moment where the steps begin: as if it had come there from behind."""
    sim, driven = kept
    qpos, state = sim[0].copy(), [each.copy() for each in sim[4:]]
    x, z = qpos[0], qpos[2]
    qpos[0], qpos[2] = 0.0, 0.0
    legs = next(each for each in state[9:] if each.shape == (4, 8))  # those of the state, after what is asked
    legs[:, [1, 6]] -= x
    legs[:, [3, 7]] -= z
    return (qpos, *(each.copy() for each in sim[1:4]), *state), driven
