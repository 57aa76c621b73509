"""Ways to predict a movement from known cycles: the model of this package, and the ones it is compared with.

Every method takes the cycles and which of them are known, and gives a function from performer, gait and speeds ``(n,)``
to coordinates ``(n, r)``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import RBFInterpolator

from locomote.human._model import INMAN
from locomote.human.fitting._gaits import BORROWED
from locomote.human.fitting._motion_space import COMPONENTS, Gait, balanced, fit_gaits, motion_space
from locomote.human.fitting._pooling import Person
from locomote.math.components import Components, principal_components, smallest_count
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote_lab.human.cross_validation import Cycles

Predict = Callable[[str, str, FloatArray], FloatArray]
Method = Callable[[Cycles, IntArray], Predict]

LEVEL_ONE_SHARE = 0.95  # the same of the space of one performer
LEVEL_TWO_COUNT = 1  # components of the space of one performer and gait
SLOW_EXPONENT = 0.4  # of speed below the slowest captured one (PCA-018)
DISTINCT = 0.05  # m/s; a slope needs speeds that differ by more
OWN_RESIDUAL = 0.7  # share of what the posterior leaves of the only cycle of a performer that is taken over


@dataclass(frozen=True, eq=False)
class SpeedFit:
    """Coordinates over speed: a straight line, and below the slowest captured speed a power law from standing."""

    slope: FloatArray  # (m,)
    level: FloatArray  # (m,) of the line at speed 0
    slowest: float
    stand: FloatArray | None = None  # (m,); without it the line goes on

    @staticmethod
    def of(speeds: FloatArray, scores: FloatArray, stand: FloatArray | None = None) -> SpeedFit:
        """By least squares; where all cycles have one speed, a constant."""
        if np.ptp(speeds) <= DISTINCT:
            slope = np.zeros(scores.shape[1])
        else:
            away = speeds - speeds.mean()
            slope = away @ scores / (away @ away)
        level = scores.mean(axis=0) - slope * speeds.mean()
        return SpeedFit(slope, level, float(speeds.min()), stand)

    def at(self, speeds: FloatArray) -> FloatArray:
        """Coordinates ``(n, m)``."""
        speeds = np.asarray(speeds, dtype=np.float64)
        if self.stand is None:
            return self.level + np.multiply.outer(speeds, self.slope)
        line = self.level + np.multiply.outer(np.maximum(speeds, self.slowest), self.slope)
        share = np.minimum(np.maximum(speeds, 0.0) / self.slowest, 1.0) ** SLOW_EXPONENT
        return self.stand + share[..., None] * (line - self.stand)


def pooled(cycles: Cycles, known: IntArray) -> Predict:
    """The model of this package: a population curve, shrunk offsets and slopes, in the space of fitted movements."""
    space, fitted = pooled_fit(cycles, known)

    def predict(subject: str, gait: str, speeds: FloatArray) -> FloatArray:
        model, people = fitted[gait]
        return space.vectors(model.coordinates(people[subject], speeds))

    return predict


def pooled_fit(cycles: Cycles, known: IntArray) -> tuple[Components, dict[str, Gait]]:
    """The motion space and the pooled model of each gait, from the known cycles."""
    subjects = [cycles.subjects[i] for i in known]
    clips = [cycles.clips[i] for i in known]
    gaits = [cycles.gaits[i] for i in known]
    speeds, vectors = cycles.speeds[known], cycles.coordinates[known]
    space = motion_space(subjects, clips, gaits, speeds, vectors)
    return space, fit_gaits(subjects, clips, gaits, speeds, space.scores(vectors))


def from_one_cycle(
    cycles: Cycles, space: Components, gait: Gait, shown: int, residual: float = OWN_RESIDUAL
) -> Callable[[FloatArray], FloatArray]:
    """A performer of whom one cycle is seen (PCA-024): the posterior, and a share of what it leaves of that cycle."""
    model, _ = gait
    speed, vector = cycles.speeds[[shown]], cycles.coordinates[[shown]]
    person = model.person(speed, space.scores(vector))
    left = residual * (vector[0] - space.vectors(model.coordinates(person, speed))[0])

    def predict(speeds: FloatArray) -> FloatArray:
        made: FloatArray = space.vectors(model.coordinates(person, speeds)) + left
        return made

    return predict


def from_other_gait(
    space: Components, fitted: dict[str, Gait], subject: str, gait: str
) -> Callable[[FloatArray], FloatArray]:
    """A performer known in the other gait only: a share of the offset there, and no slope."""
    model, _ = fitted[gait]
    there = fitted["run" if gait == "walk" else "walk"][1][subject]
    person = Person(BORROWED[gait] * there.offset, np.zeros_like(there.offset), model.centre, model.centre)
    return lambda speeds: space.vectors(model.coordinates(person, speeds))


def hierarchy(
    cycles: Cycles,
    known: IntArray,
    stands: dict[str, FloatArray] | None = None,
    level_two: int = LEVEL_TWO_COUNT,
) -> Predict:
    """Spaces within spaces: all performers, one performer, one gait of one performer, and a fit there (PCA-016 to 018).

    ``stands`` are coordinates ``(r,)`` of standing poses by performer; they belong to both gaits.
    """
    stands = stands or {}
    main = main_space(cycles, known)

    def predict(subject: str, gait: str, speeds: FloatArray) -> FloatArray:
        mine = _own(cycles, known, subject, None)
        stand = main.scores(stands[subject])[None] if subject in stands else np.zeros((0, len(main.basis)))
        scores = main.scores(cycles.coordinates[mine])
        one = principal_components(np.concatenate([scores, stand]), LEVEL_ONE_SHARE)
        of_gait = np.array([cycles.gaits[i] == gait for i in mine])
        inner = one.scores(scores[of_gait])
        inner_stand = one.scores(stand)
        two = _first(principal_components(np.concatenate([inner, inner_stand])), level_two)
        foot = two.scores(inner_stand)[0] if len(stand) else None
        fit = SpeedFit.of(cycles.speeds[mine[of_gait]], two.scores(inner), foot)
        return main.vectors(one.vectors(two.vectors(fit.at(speeds))))

    return predict


def flat(cycles: Cycles, known: IntArray) -> Predict:
    """One space for all; lines over speed there for each performer and gait (PCA-022)."""
    main = main_space(cycles, known)

    def predict(subject: str, gait: str, speeds: FloatArray) -> FloatArray:
        mine = _own(cycles, known, subject, gait)
        fit = SpeedFit.of(cycles.speeds[mine], main.scores(cycles.coordinates[mine]))
        return main.vectors(fit.at(speeds))

    return predict


def radial(cycles: Cycles, known: IntArray) -> Predict:
    """Scattered data: linear radial functions and a plane over speed, gait and performer (PCA-023)."""
    main = main_space(cycles, known)
    names = sorted({cycles.subjects[i] for i in known})

    def places(subjects: list[str], gaits: list[str], speeds: FloatArray) -> FloatArray:
        # The first performer is the origin: with an axis of their own the plane would not be determined.
        one_hot = np.array([[float(s == name) for name in names[1:]] for s in subjects]).reshape(len(subjects), -1)
        running = np.array([float(g == "run") for g in gaits])
        return np.concatenate([speeds[:, None], running[:, None], one_hot], axis=1)

    at = places([cycles.subjects[i] for i in known], [cycles.gaits[i] for i in known], cycles.speeds[known])
    # Cycles at one place would make the equations singular: their mean stands for them.
    apart, which, counts = np.unique(at, axis=0, return_inverse=True, return_counts=True)
    values = np.zeros((len(apart), len(main.basis)))
    np.add.at(values, which.ravel(), main.scores(cycles.coordinates[known]))
    surface = RBFInterpolator(apart, values / counts[:, None], kernel="linear", degree=1)

    def predict(subject: str, gait: str, speeds: FloatArray) -> FloatArray:
        count = len(speeds)
        return main.vectors(surface(places([subject] * count, [gait] * count, np.asarray(speeds))))

    return predict


def nearest(cycles: Cycles, known: IntArray) -> Predict:
    """The performer's own cycle of the nearest speed, unchanged."""

    def predict(subject: str, gait: str, speeds: FloatArray) -> FloatArray:
        mine = _own(cycles, known, subject, gait)
        closest = np.argmin(np.abs(np.subtract.outer(speeds, cycles.speeds[mine])), axis=1)
        chosen: FloatArray = cycles.coordinates[mine[closest]]
        return chosen

    return predict


def own_mean(cycles: Cycles, known: IntArray) -> Predict:
    """The mean of the performer's cycles in the gait, whatever the speed."""

    def predict(subject: str, gait: str, speeds: FloatArray) -> FloatArray:
        mean = cycles.coordinates[_own(cycles, known, subject, gait)].mean(axis=0)
        return np.broadcast_to(mean, (len(speeds), len(mean)))

    return predict


def main_space(cycles: Cycles, known: IntArray) -> Components:
    """As many components of the known cycles as the pooled model has, from a few cycles of each performer and gait."""
    chosen = balanced([cycles.subjects[i] for i in known], [cycles.gaits[i] for i in known], cycles.speeds[known])
    return _first(principal_components(cycles.coordinates[known[chosen]]), COMPONENTS)


def scree(vectors: FloatArray, shares: tuple[float, ...]) -> tuple[int, ...]:
    """How many components keep each of these shares of the variance."""
    found = principal_components(vectors).shares
    return tuple(smallest_count(found, share) for share in shares)


def inman_frequency(normal_speed: FloatArray | float) -> FloatArray:
    """Cycles a second of walking at a speed in hip heights a second (PCA-032)."""
    return np.asarray(INMAN * np.sqrt(normal_speed), dtype=np.float64)


def _own(cycles: Cycles, known: IntArray, subject: str, gait: str | None) -> IntArray:
    return np.intersect1d(cycles.rows(subject, gait), known)


def _first(components: Components, count: int) -> Components:
    return Components(components.mean, components.basis[:count], components.shares)


# The baselines that need nothing but the cycles.
OTHERS: dict[str, Method] = {
    "hierarchy": hierarchy,
    "flat": flat,
    "radial": radial,
    "nearest own cycle": nearest,
    "own mean": own_mean,
}
