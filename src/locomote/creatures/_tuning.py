"""A gait for a creature that nobody has ever seen walk: found from its body and a speed alone.

Closed forms only, no simulation. A foot that stands presses as half a sine does, hard enough to carry its share of
the body over the whole cycle. From that follow how the body bounces, pitches and rolls; from speed, period and duty
follow how far a foot has to reach and how hard it is swung. Lengths are in hip heights, times in sqrt(h / g).
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from locomote.creatures._cma_es import minimise
from locomote.creatures._creature import Creature
from locomote.creatures._gaits import Gait
from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote.rotations import FloatArray

HARMONICS = 4  # of the force of a foot
PHASES = 32  # at which a cycle is looked at
STRETCH = 0.96  # of a leg's length that it may be drawn out
DUTY = (0.25, 0.85)  # shares of the cycle for which feet stand, the least and the most
PERIODS = (0.8, 8.0)
SHIFT = 0.25  # that a foot may be moved fore or aft from its place at rest, at most
GYRATION = 0.15  # hip heights squared: a body is at least so hard to turn, for its weight
GENERATIONS = 150
BOUNCE = (0.02, 0.07)  # of the body at no speed, and more for every sqrt(g h), as in dogs

# What a unit of each cost is worth: one for a body that carries its weight evenly on feet that always stand.
SWING_WORTH = 0.01  # for an acceleration of g, squared
FLIGHT_WORTH = 5.0  # for a whole cycle in the air
BOUNCE_OFF, TILT_OFF = 0.1, 0.2  # hip heights and radians that are as bad as the weight of the body
REACH_WORTH = 200.0  # for a reach twice the leg's, or feet a hip height past each other


class Fitness(NamedTuple):
    """What a gait costs; the less the better. Each part is a number, or one for each gait of many."""

    force: FloatArray  # squared forces of the feet over what they carry, the mean
    swing: FloatArray  # squared accelerations of swinging feet
    flight: FloatArray  # time with no foot down
    reach: FloatArray  # of feet beyond their legs
    bounce: FloatArray  # off the bounce that is wished for
    tilt: FloatArray  # pitch and roll of the body
    crossing: FloatArray  # feet of one side that pass or touch each other

    @property
    def total(self) -> FloatArray:
        """The sum of all."""
        return np.asarray(sum(np.asarray(part) for part in self), dtype=np.float64)


class Tuned(NamedTuple):
    """A gait that was found, and where the feet have their places under the body."""

    gait: Gait
    spacing: FloatArray  # (F, 2) x to the left and z ahead, metres: as `Crowd.command` takes it
    fitness: Fitness
    before: Fitness  # of the gait it began with


class _Body:
    """What matters of a creature, in hip heights about its middle."""

    def __init__(self, creature: Creature, speed: float, bounce: float | None) -> None:
        morphology = creature.morphology
        unit = morphology.hip_height
        self.unit = unit
        self.speed = abs(speed) / np.sqrt(GRAVITY * unit)
        self.forward = 1.0 if speed >= 0.0 else -1.0
        self.feet = (morphology.rest_feet - morphology.centre) / unit
        self.hips = (morphology.hips - morphology.centre) / unit
        drops = self.hips[:, 1] - self.feet[:, 1]
        reach = STRETCH * morphology.reaches / unit
        self.reach = np.sqrt(np.maximum(reach**2 - drops**2, (0.2 * reach) ** 2))
        weights = np.array([leg.weight for leg in morphology.legs])
        self.weights = weights / weights.sum()
        self.gyration = max(0.5 * float(np.mean(self.feet[:, 0] ** 2 + self.feet[:, 2] ** 2)), GYRATION)
        self.bounce = BOUNCE[0] + BOUNCE[1] * self.speed if bounce is None else bounce
        sides = morphology.sides
        order = sorted(range(len(self.feet)), key=lambda k: (sides[k], -self.feet[k, 2]))
        near = [(a, b) for a, b in pairwise(order) if sides[a] == sides[b]]  # neighbours, front to back
        self.ahead = np.array([a for a, _ in near], dtype=np.int64)
        self.behind = np.array([b for _, b in near], dtype=np.int64)
        lengths = np.array([leg.foot_box[1] for leg in morphology.legs]) / unit
        self.gaps = lengths[self.ahead] + lengths[self.behind]
        self.ranks = np.unique(np.array(morphology.ranks), return_inverse=True)[1]

    def fitness(self, lands: FloatArray, duty: FloatArray, periods: FloatArray, shift: FloatArray) -> Fitness:
        """Of P gaits: landings, duties and shifts ``(P, F)``, periods ``(P,)``."""
        way = duty * self.speed * periods[:, None]
        middle = self.feet[:, 2] + shift
        beside = self.feet[:, 0] - self.hips[:, 0]
        beyond = [
            np.maximum(np.hypot(beside, middle - self.hips[:, 2] + side * way) / self.reach - 1.0, 0.0)
            for side in (-0.5, 0.5)
        ]
        phases = np.arange(PHASES) / PHASES
        since = (phases[:, None] - lands[:, None, :]) % 1.0  # (P, PHASES, F)
        stands = since < duty[:, None, :]
        u = (since - duty[:, None, :]) / (1.0 - duty[:, None, :])
        along = np.where(stands, 0.5 - since / duty[:, None, :], u * u * (3.0 - 2.0 * u) - 0.5)
        places = middle[:, None, :] + self.forward * way[:, None, :] * along
        apart = places[:, :, self.ahead] - places[:, :, self.behind]
        pitch_arm, roll_arm = (
            self.weights * middle,
            np.broadcast_to(self.weights * self.feet[:, 0], way.shape),
        )
        bounce = self._moves(lands, duty, periods, np.broadcast_to(self.weights, way.shape))
        pitch = self._moves(lands, duty, periods, pitch_arm / self.gyration)
        roll = self._moves(lands, duty, periods, roll_arm / self.gyration)
        swung = 6.0 * self.speed / ((1.0 - duty) ** 2 * periods[:, None])
        return Fitness(
            np.sum(self.weights / duty**2, axis=1),
            SWING_WORTH * np.sum(self.weights * swung**2, axis=1),
            FLIGHT_WORTH * np.mean(~stands.any(axis=2), axis=1),
            REACH_WORTH * sum(np.mean(each**2, axis=1) for each in beyond),
            ((bounce - self.bounce) / BOUNCE_OFF) ** 2,
            (pitch**2 + roll**2) / TILT_OFF**2,
            REACH_WORTH * np.sum(np.maximum(self.gaps - apart, 0.0) ** 2, axis=(1, 2)) / PHASES,
        )

    def _moves(self, lands: FloatArray, duty: FloatArray, periods: FloatArray, arms: FloatArray) -> FloatArray:
        """How far the forces of the feet, each times an arm, move the body to and fro: from end to end ``(P,)``."""
        k = np.arange(1, HARMONICS + 1)
        times = 2.0 * k * duty[..., None]
        # Half a sine of force over the stance; its limit where the formula is 0 / 0.
        near = np.abs(times - 1.0) < 1e-6
        shape = np.where(near, 0.5 * np.pi, 2.0 * np.cos(0.5 * np.pi * times) / (1.0 - np.where(near, 0.0, times) ** 2))
        turns = np.exp(-2j * np.pi * k * (lands + 0.5 * duty)[..., None])
        waves = np.sum(arms[..., None] * shape * turns, axis=1)  # (P, HARMONICS)
        waves = waves * (periods[:, None] / (2.0 * np.pi * k)) ** 2
        phases = np.exp(2j * np.pi * k[:, None] * np.arange(PHASES) / PHASES)
        return np.asarray(np.ptp(np.real(waves @ phases), axis=1), dtype=np.float64)

    # A gait as numbers without limits: landings after the first foot's, duties and shifts by rows of legs, period.

    def pack(self, gait: Gait) -> FloatArray:
        rows = int(self.ranks.max()) + 1
        lands = gait.touch_downs()[0, :, 0]
        duty = np.array([gait.duty()[0, self.ranks == row].mean() for row in range(rows)])
        share = np.clip((duty - DUTY[0]) / (DUTY[1] - DUTY[0]), 0.02, 0.98)
        period = np.log(np.clip(gait.periods[0], *PERIODS))
        return np.concatenate([lands[1:] - lands[0], np.log(share / (1.0 - share)), np.zeros(rows), [period]])

    def unpack(self, numbers: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        feet, rows = len(self.feet), int(self.ranks.max()) + 1
        lands = np.concatenate([np.zeros((len(numbers), 1)), numbers[:, : feet - 1]], axis=1) % 1.0
        share = 1.0 / (1.0 + np.exp(-np.clip(numbers[:, feet - 1 : feet - 1 + rows], -30.0, 30.0)))
        duty = DUTY[0] + (DUTY[1] - DUTY[0]) * share
        shift = SHIFT * np.tanh(numbers[:, feet - 1 + rows : -1])
        periods = np.exp(np.clip(numbers[:, -1], *np.log(PERIODS)))
        return lands, duty[:, self.ranks], periods, shift[:, self.ranks]


def fitness_of(creature: Creature, speed: float, gait: Gait, bounce: float | None = None) -> Fitness:
    """What a gait costs a creature.

    Parameters
    ----------
    creature : whose legs count
    speed : m/s
    gait : of as many feet
    bounce : hip heights, that its body should go up and down
    """
    body = _body(creature, speed, bounce)
    at = gait.at(body.speed)
    duty = np.clip(at.duty(), *DUTY)
    costs = body.fitness(at.touch_downs()[:, :, 0], duty, at.periods, np.zeros_like(duty))
    return Fitness(*(part[0] for part in costs))


def tune_gait(
    creature: Creature | str,
    speed: float,
    *,
    start: Gait | None = None,
    bounce: float | None = None,
    seed: int = 0,
) -> Tuned:
    """Find a gait for a creature at a speed, and the places of its feet.

    Parameters
    ----------
    creature : one of `creatures.NAMES`, or a `Creature`
    speed : m/s, below 0 backwards
    start : the gait from which the search begins; the one that the creature would take without it
    bounce : hip heights, that its body should go up and down
    seed : of the search
    """
    kind = Creature.build(creature) if isinstance(creature, str) else creature
    body = _body(kind, speed, bounce)
    known = _natural(kind, body.speed * body.forward) if start is None else start
    first = known.ordered(kind.gaits.gaits[0].feet).at(body.speed)

    def costs(numbers: FloatArray) -> FloatArray:
        return body.fitness(*body.unpack(numbers)).total

    numbers = body.pack(first)
    rows = int(body.ranks.max()) + 1
    step = np.concatenate([np.full(len(numbers) - 2 * rows - 1, 0.2), np.full(rows, 0.5), np.full(rows, 0.3), [0.3]])
    best, _ = minimise(costs, numbers, step, GENERATIONS, seed)
    lands, duty, periods, shift = body.unpack(best[None])
    gait = Gait.at_one_speed(
        "tuned", first.feet, lands[0], duty[0], float(periods[0]), float(first.lift[0]), body.speed
    )
    found = Fitness(*(part[0] for part in body.fitness(lands, duty, periods, shift)))
    spacing = body.unit * (body.feet[:, [0, 2]] + np.stack([np.zeros(len(shift[0])), shift[0]], axis=1))
    return Tuned(gait, spacing, found, fitness_of(kind, speed, known, bounce))


def _natural(kind: Creature, speed: float) -> Gait:
    """The gait that a creature takes by itself at a signed speed."""
    fits = [low <= speed <= high for low, high in kind.gaits.natural]
    return kind.gaits.gaits[fits.index(True) if True in fits else 0]


def _body(creature: Creature, speed: float, bounce: float | None) -> _Body:
    if not (np.isfinite(speed) and speed != 0.0):
        raise LocomoteError(f"speed {speed}: a gait is tuned for a speed in m/s other than 0")
    if bounce is not None and not 0.0 <= bounce < np.inf:
        raise LocomoteError(f"bounce {bounce}: expected hip heights, 0 or more")
    return _Body(creature, speed, bounce)
