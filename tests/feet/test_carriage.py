"""The body over planted feet: the least-squares problem is solved, and knees are spared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter1d
from scipy.optimize import least_squares

import locomote as lm
from locomote import rotations as rot
from locomote.cleaning import _carriage as carriage
from locomote.cleaning import _least_change as least
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
                d = np.minimum(np.linalg.norm(line, axis=1), least.STRAIGHTEST * (a + b))
                beyond = np.linalg.norm(line, axis=1) - d
                cosine = (a**2 + d**2 - b**2) / (2 * a * d)
                x = a * cosine
                h = a * np.sqrt(1 - cosine**2)
                off.append(h - x * (d - x) / (d * h) * beyond)
            more = off[0] - off[1]
            parts += [more / least.BEND, np.diff(more, 2) * clip.fps**2 / carriage.JOLT]
        return np.concatenate([part.ravel() for part in parts])

    ours = carriage.carriage(clip, LEGS, goals, 1.0)
    theirs = least_squares(residuals, np.zeros(ours.size), method="trf")
    assert np.sum(residuals(ours.ravel()) ** 2) < 1.01 * 2.0 * theirs.cost
    assert np.sum(residuals(ours.ravel()) ** 2) < 0.5 * np.sum(residuals(np.zeros(ours.size)) ** 2)


def test_knees_of_a_smooth_clip_stay_smooth(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beside a body that is only lowered where legs are too short."""
    source = skating(performer(speed=1.3, seconds=4.0).motion, 0.03, 0.02)

    def knees(done: lm.Cleaned) -> float:
        return max(done.after.joint_acceleration[source.skeleton.names[leg.knee]] for leg in source.skeleton.roles.legs)

    def source_knees(before: lm.Measures) -> list[float]:
        return [before.joint_acceleration[source.skeleton.names[leg.knee]] for leg in source.skeleton.roles.legs]

    carried = lm.clean(source)
    monkeypatch.setattr("locomote.cleaning._planting.carriage", lambda motion, *_: np.zeros((len(motion), 3)))
    lowered = lm.clean(source)
    assert knees(carried) < 0.9 * knees(lowered)
    assert knees(carried) < 1.25 * max(source_knees(carried.before))
    assert carried.mean_change < lowered.mean_change


def test_what_is_pinned_stays_and_the_rest_goes_an_even_way() -> None:
    """Without knees the way of least acceleration between two places is the cubic."""
    count = 41
    shift = np.full(count, 1e3)
    target = np.zeros((count, 3))
    target[-2:, 0] = 0.1
    shift[:2] = shift[-2:] = 1e-6
    way = least.least_change(least.Wish(target, shift, np.full(count, 1.0), 1.0), [], 30.0, 1.0)
    np.testing.assert_allclose(way[[0, 1, -2, -1]], target[[0, 1, -2, -1]], atol=1e-6)
    inner = way[1:-1, 0]
    np.testing.assert_allclose(np.diff(inner, 4), 0.0, atol=1e-6)
    assert np.all(np.diff(way[:, 0]) > -1e-6)


@pytest.mark.parametrize(("speed", "most"), [(1.0, 1.08), (1.3, 1.25), (1.6, 1.5)])
def test_joints_of_a_filtered_recording_quicken_no_more(speed: float, most: float) -> None:
    """A foot that slides smoothly stops and starts, and still no joint is jerked."""
    source = skating(performer(speed=speed, seconds=4.0).motion.resampled(100.0), 0.01, 0.01)
    roots = gaussian_filter1d(source.root_positions, 4.0, axis=0, mode="nearest")
    turns = rot.normalize(gaussian_filter1d(rot.continuous(source.rotations), 4.0, axis=0, mode="nearest"))
    done = lm.clean(replace(source, root_positions=roots, rotations=turns))
    assert done.before.drift_p95 > 15.0
    assert done.after.drift_p95 < 0.2
    assert done.after.peak_acceleration < most * done.before.peak_acceleration
