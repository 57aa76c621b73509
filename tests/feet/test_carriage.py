"""The body over planted feet: the least-squares problem is solved, and knees are spared."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import least_squares

import locomote as lm
from locomote.cleaning import _carriage as carriage
from locomote.rotations import FloatArray
from locomote.samples import performer
from tests.feet.test_clean import skating

WALK = performer(speed=1.2, seconds=2.0).motion
LEGS = WALK.skeleton.roles.legs


def goals_of(motion: lm.Motion, seed: int, by: float) -> FloatArray:
    """Ankles somewhat away from where they are, in slow waves."""
    rng = np.random.default_rng(seed)
    ankles = motion.joint_positions()[:, [leg.ankle for leg in LEGS]]
    t = motion.times[:, None, None]
    out: FloatArray = ankles + by * rng.normal(size=(1, *ankles.shape[1:])) * np.sin(9.0 * t + rng.uniform(0, 6))
    return out


def test_feet_that_stay_leave_the_body_where_it_is() -> None:
    assert np.array_equal(carriage.carriage(WALK, LEGS, goals_of(WALK, 0, 0.0), 1.0), np.zeros((len(WALK), 3)))


@pytest.mark.parametrize("seed", [0, 1])
def test_no_other_solver_finds_a_better_place(seed: int) -> None:
    clip = WALK[40:70]
    goals, places = goals_of(clip, seed, 0.008), clip.joint_positions()

    def residuals(flat: FloatArray) -> FloatArray:
        """The problem written down anew: knees by the law of cosines, as long as no leg is pulled straight."""
        shift = flat.reshape(-1, 3)
        parts = [shift / carriage.SHIFT, np.diff(shift, 2, axis=0) * clip.fps**2 / carriage.SWAY]
        for i, leg in enumerate(LEGS):
            hip, knee, ankle = (places[:, j] for j in (leg.hip, leg.knee, leg.ankle))
            a, b = np.linalg.norm(knee - hip, axis=1), np.linalg.norm(ankle - knee, axis=1)
            off = []
            for line in (hip + shift - goals[:, i], hip - ankle):
                d = np.minimum(np.linalg.norm(line, axis=1), carriage.STRAIGHTEST * (a + b))
                beyond = np.linalg.norm(line, axis=1) - d
                cosine = (a**2 + d**2 - b**2) / (2 * a * d)
                x = a * cosine
                h = a * np.sqrt(1 - cosine**2)
                off.append(h - x * (d - x) / (d * h) * beyond)
            more = off[0] - off[1]
            parts += [more / carriage.BEND, np.diff(more, 2) * clip.fps**2 / carriage.JOLT]
        return np.concatenate([part.ravel() for part in parts])

    ours = carriage.carriage(clip, LEGS, goals, 1.0)
    theirs = least_squares(residuals, np.zeros(ours.size), method="trf")
    assert np.sum(residuals(ours.ravel()) ** 2) < 1.01 * 2.0 * theirs.cost
    assert np.sum(residuals(ours.ravel()) ** 2) < 0.5 * np.sum(residuals(np.zeros(ours.size)) ** 2)


def test_knees_of_a_smooth_clip_stay_smooth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a body that is only lowered where legs are too short."""
    source = skating(performer(speed=1.3, seconds=4.0).motion, 0.015, 0.01)

    def knees(done: lm.Cleaned) -> float:
        return max(done.after.joint_acceleration[source.skeleton.names[leg.knee]] for leg in source.skeleton.roles.legs)

    carried = lm.clean(source)
    monkeypatch.setattr("locomote.cleaning._planting.carriage", lambda motion, *_: np.zeros((len(motion), 3)))
    lowered = lm.clean(source)
    assert knees(carried) < 0.9 * knees(lowered)
    assert carried.mean_change < lowered.mean_change
