"""How style and speed shape a gait: a population curve, and for each performer a shrunk offset and slope.

Every coordinate of the motion space follows ``f(s)·c + a + b (s - s0) + e``; a performer's ``(a, b)`` and the
noise ``e`` are normal around 0. Their covariances are found by expectation maximisation, the curve ``c`` by generalised
least squares; ``a`` and ``b`` are posterior means, so one clip moves them little and many clips move them fully.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

ROUNDS = 25
WITHIN_CLIP = 0.5  # correlation of what the curve and the performer leave over, between cycles of one clip (measured)
LEAST_SHARE = 1e-4  # of the variance that noise, offset and slope each keep, so that nothing divides by 0


def curve_basis(gait: str, speed: FloatArray | float) -> FloatArray:
    """The functions of speed that make the population curve, ``(..., 3)`` for walking, ``(..., 2)`` for running."""
    speed = np.asarray(speed, dtype=np.float64)
    if gait == "walk":
        return np.stack([np.ones_like(speed), speed, np.sqrt(np.maximum(speed, 0.0))], axis=-1)
    return np.stack([np.ones_like(speed), speed], axis=-1)


def cycle_weights(clips: Sequence[str]) -> FloatArray:
    """How much each cycle counts, ``(n,)``: ten cycles of one clip say less than ten clips."""
    _, which, counts = np.unique(np.asarray(clips), return_inverse=True, return_counts=True)
    return np.asarray(1.0 / (1.0 + WITHIN_CLIP * (counts[which] - 1.0)), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Person:
    """What is known of one performer in one gait."""

    offset: FloatArray  # (m,)
    slope: FloatArray  # (m,) per m/s
    slowest: float  # m/s; the slope is held outside the speeds that were seen
    fastest: float


@dataclass(frozen=True, eq=False)
class Pooled:
    """The model of one gait over all performers."""

    gait: str
    centre: float  # s0, m/s on the common skeleton
    curve: FloatArray  # (C, m)
    effects: FloatArray  # (m, 2, 2) covariance of offset and slope among performers
    noise: FloatArray  # (m,) variance between cycles of one performer at one speed

    def population(self, speed: FloatArray | float) -> FloatArray:
        """Coordinates ``(..., m)`` of nobody in particular."""
        out: FloatArray = curve_basis(self.gait, speed) @ self.curve
        return out

    def person(self, speeds: FloatArray, scores: FloatArray, weights: FloatArray | None = None) -> Person:
        """A performer from the cycles seen: speeds ``(n,)``, coordinates ``(n, m)``, and how much each counts."""
        weights = np.ones(len(speeds)) if weights is None else weights
        covariance = self._covariance(speeds, weights)
        mean = self._effect(speeds, scores - self.population(speeds), weights, covariance)
        return Person(mean[:, 0], mean[:, 1], float(np.min(speeds)), float(np.max(speeds)))

    def coordinates(self, person: Person, speed: FloatArray | float) -> FloatArray:
        """Coordinates ``(..., m)`` of a performer at a speed: the rule by which the model predicts."""
        held = np.clip(speed, person.slowest, person.fastest) - self.centre
        out: FloatArray = self.population(speed) + person.offset + np.multiply.outer(held, person.slope)
        return out

    def _design(self, speeds: FloatArray) -> FloatArray:
        return np.stack([np.ones_like(speeds), speeds - self.centre], axis=-1)

    def _covariance(self, speeds: FloatArray, weights: FloatArray) -> FloatArray:
        """Posterior covariances ``(m, 2, 2)`` of offset and slope."""
        z = self._design(speeds)
        precision = np.linalg.inv(self.effects) + (z.T * weights) @ z / self.noise[:, None, None]
        return np.asarray(np.linalg.inv(precision), dtype=np.float64)

    def _effect(
        self, speeds: FloatArray, residuals: FloatArray, weights: FloatArray, covariance: FloatArray
    ) -> FloatArray:
        """Posterior means ``(m, 2)`` of offset and slope."""
        moment = (residuals.T * weights) @ self._design(speeds) / self.noise[:, None]
        out: FloatArray = np.einsum("mij,mj->mi", covariance, moment)
        return out


def fit_pooled(
    gait: str,
    subjects: Sequence[str],
    speeds: FloatArray,
    scores: FloatArray,
    weights: FloatArray | None = None,
) -> Pooled:
    """Fit one gait from all cycles: performer, speed and coordinates of each, and how much it counts."""
    weights = np.ones(len(speeds)) if weights is None else weights
    names = np.asarray(subjects)
    groups = [np.flatnonzero(names == name) for name in np.unique(names)]
    design = curve_basis(gait, speeds)
    curve = np.asarray(np.linalg.lstsq(design, scores, rcond=None)[0], dtype=np.float64)
    spread = np.maximum(np.var(scores - design @ curve, axis=0), 1e-12)
    effects = spread[:, None, None] * np.diag([0.7, 0.1])
    model = Pooled(gait, float(np.median(speeds)), curve, effects, 0.3 * spread)
    for _ in range(ROUNDS):
        model = _improved(model, groups, design, speeds, scores, weights, LEAST_SHARE * spread)
    return model


def _improved(
    model: Pooled,
    groups: list[IntArray],
    design: FloatArray,
    speeds: FloatArray,
    scores: FloatArray,
    weights: FloatArray,
    floor: FloatArray,
) -> Pooled:
    """One round: the best curve for the present covariances, then the covariances expected under it."""
    count, functions = scores.shape[1], design.shape[1]
    covariances = [model._covariance(speeds[mine], weights[mine]) for mine in groups]
    normal = np.zeros((count, functions, functions))
    right = np.zeros((count, functions))
    noise = model.noise[:, None]
    for mine, covariance in zip(groups, covariances, strict=True):
        f, z, w = design[mine], model._design(speeds[mine]), weights[mine]
        # Inverse of the covariance of all cycles of one performer, by Woodbury's identity.
        fz = (f.T * w) @ z / noise[..., None]
        zy = (z.T * w @ scores[mine]).T / noise
        gain = fz @ covariance
        normal += (f.T * w) @ f / noise[..., None] - gain @ fz.transpose(0, 2, 1)
        right += (f.T * w @ scores[mine]).T / noise - np.einsum("mci,mi->mc", gain, zy)
    curve = np.asarray(np.linalg.solve(normal, right[..., None])[..., 0].T, dtype=np.float64)
    effects = np.zeros_like(model.effects)
    left_over = np.zeros(count)
    for mine, covariance in zip(groups, covariances, strict=True):
        z, w = model._design(speeds[mine]), weights[mine]
        residual = scores[mine] - design[mine] @ curve
        mean = model._effect(speeds[mine], residual, w, covariance)
        effects += mean[:, :, None] * mean[:, None, :] + covariance
        left_over += w @ (residual - z @ mean.T) ** 2 + np.einsum("ni,mij,nj,n->m", z, covariance, z, w)
    effects = effects / len(groups) + floor[:, None, None] * np.eye(2)
    return Pooled(model.gait, model.centre, curve, effects, np.maximum(left_over / len(speeds), floor))
