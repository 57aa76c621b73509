"""Poses between keys: weights against their definition, cycles against the motion from which the keys were taken."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.capture import video
from locomote.capture.video._weights import circle, switching_weights, trigonometric_weights
from tests.capture.video.films import FPS, walked, watched


def cycle_of(gait: str, keys: int, method: str = "gaussian") -> tuple[video.PoseCycle, video.Rhythm, lm.Motion]:
    """A cycle from the true poses at the keys of a film."""
    motion = walked(gait=gait)
    rhythm = watched(gait=gait)
    frames = video.choose_keys(rhythm, keys)
    poses = motion._take(frames)
    return video.PoseCycle.of(poses, rhythm.phase[frames], method), rhythm, motion


def leg_errors(made: np.ndarray, motion: lm.Motion) -> float:
    """Mean angle between the local rotations of the legs, degrees."""
    legs = [joint for leg in motion.skeleton.roles.legs for joint in leg.chain]
    return float(np.degrees(rot.distance(made[:, legs], motion.rotations[:, legs])).mean())


@pytest.mark.feature("AGV-06")
@pytest.mark.parametrize("variant", ["raw", "centred", "normalised"])
def test_gaussians_give_every_example_back(variant: str) -> None:
    random = np.random.default_rng(2)
    keys, poses = random.standard_normal((5, 3)), random.standard_normal((5, 36))
    weights = video.gaussian_weights(keys, keys, variant=variant).weights
    np.testing.assert_allclose(weights @ poses, poses, atol=1e-8)
    # One key alone: half of its influence at distance 1.
    alone = video.gaussian_weights([[1.0, 0.0], [0.0, 0.0]], [[0.0, 0.0]], variant="raw").weights
    np.testing.assert_allclose(alone[:, 0], [0.5, 1.0], atol=1e-12)


def test_weights_say_how_healthy_they_are() -> None:
    at = np.arange(24) / 24
    keys = circle(np.arange(4) / 4)
    found = video.gaussian_weights(circle(at), keys)
    # On a circle of radius sqrt(2): half way between two keys, and at one.
    near, far = 2.0 ** -(4.0 - 8.0**0.5), 2.0 ** -(4.0 + 8.0**0.5)
    assert found.sums.min() == pytest.approx(2.0 * (near + far) / (1.0 + 2.0 * 2.0**-4 + 2.0**-8))
    assert found.sums.max() == pytest.approx(1.0)
    np.testing.assert_allclose(found.weights.sum(axis=1), 1.0)
    raw = video.gaussian_weights(circle(at), keys, variant="raw")
    np.testing.assert_array_equal(raw.least, raw.weights.min(axis=1))
    far = video.gaussian_weights([[40.0, 0.0]], keys)
    np.testing.assert_allclose(far.weights, 0.25, atol=1e-9)
    with pytest.raises(lm.LocomoteError, match="same silhouette"):
        video.gaussian_weights(keys, [[0.0, 1.0], [0.0, 1.0]])


@pytest.mark.feature("AGV-07")
@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_weights_that_sum_to_one_err_less_than_raw_ones_on_a_circle(count: int) -> None:
    """Thirty-six angles that go round with one and two waves a cycle about means of their own, 26 frames a cycle."""
    random, at = np.random.default_rng(count), np.arange(26) / 26
    turn = 2.0 * np.pi * at[:, None]
    means, phases = random.uniform(-40.0, 40.0, 36), random.uniform(0.0, 2.0 * np.pi, (2, 36))
    poses = means + 20.0 * np.cos(turn + phases[0]) + 4.0 * np.cos(2.0 * turn + phases[1])
    points = circle(at)
    keys = video.best_conditioned(points, count)
    errors = {}
    for variant in ("raw", "centred", "normalised"):
        found = video.gaussian_weights(points, points[keys], variant=variant)
        errors[variant] = np.abs(found.weights @ poses[keys] - poses).mean()
        # Sums and ranges, frame by frame, are those of the raw weights.
        raw = video.gaussian_weights(points, points[keys], variant="raw").weights
        np.testing.assert_allclose(found.sums, raw.sum(axis=1))
        np.testing.assert_allclose(found.least, raw.min(axis=1))
        np.testing.assert_allclose(found.most, raw.max(axis=1))
        expected = {"raw": found.sums, "centred": np.ones(26), "normalised": np.ones(26)}[variant]
        np.testing.assert_allclose(found.weights.sum(axis=1), expected)
    assert errors["centred"] < errors["raw"]
    assert errors["normalised"] < errors["raw"]
    # As rotation vectors about the mean of the keys, which sum to nothing, raw and centred are the same.
    off = poses[keys] - poses[keys].mean(axis=0)
    raw, centred = (video.gaussian_weights(points, points[keys], variant=v).weights @ off for v in ("raw", "centred"))
    np.testing.assert_allclose(raw, centred, atol=1e-9)


@pytest.mark.parametrize("gait", ["walk", "trot", "gallop"])
def test_paws_go_along_their_own_curves_and_are_foremost_when_they_were(gait: str) -> None:
    cycle, rhythm, _ = cycle_of(gait, 8)
    phases = np.arange(240) / 240
    legs = cycle.skeleton.roles.legs
    made = cycle.motion(phases, 60.0).joint_positions()
    keys = cycle.motion(cycle.phases, 60.0).joint_positions()
    for leg in legs:
        curve = cycle.weights(phases) @ keys[:, leg.toe]
        assert np.linalg.norm(made[:, leg.toe] - curve, axis=1).max() < 1e-3
    fine = walked(gait=gait, fps=120.0)
    true = np.interp(np.arange(len(fine)) / 4.0, np.arange(len(rhythm)), rhythm.phase)
    begin = rhythm.phase[video.choose_keys(rhythm, 8)[0]] - 0.0625
    inside = (true >= begin) & (true < begin + 1.0)
    own = fine.joint_positions()[inside]
    for leg in legs:
        found = phases[np.argmax(made[:, leg.toe, 2] - made[:, leg.hip, 2])]
        told = true[inside][np.argmax(own[:, leg.toe, 2] - own[:, leg.hip, 2])]
        assert abs((found - told + 0.5) % 1.0 - 0.5) <= 0.05


def test_a_trigonometric_polynomial_is_exact_for_one() -> None:
    keys = np.array([0.02, 0.21, 0.43, 0.61, 0.83])
    at = np.linspace(0.0, 1.0, 50)
    wave = lambda x: 1.5 + 2.0 * np.cos(2 * np.pi * (x - 0.1)) - 0.3 * np.sin(4 * np.pi * x)  # noqa: E731
    weights = trigonometric_weights(at, keys)
    np.testing.assert_allclose(weights @ wave(keys), wave(at), atol=1e-9)
    np.testing.assert_allclose(trigonometric_weights(keys, keys), np.eye(5), atol=1e-8)


@pytest.mark.parametrize("method", video.METHODS)
@pytest.mark.parametrize("gait", ["walk", "gallop"])
def test_cycles_give_their_keys_back_and_close(method: str, gait: str) -> None:
    cycle, _, _ = cycle_of(gait, 8, method)
    turns, heights = cycle.poses(cycle.phases + 3.0)
    assert np.abs(rot.distance(turns, cycle.rotations)).max() < 1e-6
    np.testing.assert_allclose(heights, cycle.heights, atol=1e-8)
    fine = cycle.poses(np.arange(400) / 400)[0]
    steps = rot.distance(fine, np.roll(fine, 1, axis=0))
    assert steps.max() < 6.0 * steps.mean(axis=0).max()


@pytest.mark.feature("AGV-13")
def test_switching_tells_left_from_right_where_silhouettes_do_not() -> None:
    cycle, rhythm, motion = cycle_of("walk", 8, "switching")
    switched = leg_errors(cycle.poses(rhythm.phase)[0], motion)
    # Without it: the four keys of one half, at silhouettes, serve both halves.
    half = replace(cycle, phases=cycle.phases, method="gaussian")
    mean, vectors = half._tangents
    weights = video.gaussian_weights(circle(2.0 * rhythm.phase), circle(2.0 * cycle.phases[:4])).weights
    plain = leg_errors(rot.multiply(mean, rot.exp(np.tensordot(weights, vectors[:4], axes=1))), motion)
    assert switched <= 2.0
    assert plain >= 10.0
    with pytest.raises(lm.LocomoteError, match="even number"):
        switching_weights([0.1], [0.0, 0.5])


@pytest.mark.feature("AGV-14")
@pytest.mark.parametrize("method", video.METHODS)
@pytest.mark.parametrize("gait", ["walk", "trot", "gallop"])
def test_nothing_jumps_at_any_frame_rate(gait: str, method: str) -> None:
    cycle, rhythm, _ = cycle_of(gait, 8, method)
    for fps in (24.0, 60.0):
        true = walked(gait=gait, fps=fps)
        times = np.arange(int(len(rhythm) / FPS * fps) - 1) / fps
        made = cycle.motion(np.interp(times, np.arange(len(rhythm)) / FPS, rhythm.phase), fps)
        moved = rot.distance(made.rotations[1:], made.rotations[:-1])
        assert moved.max() <= 2.0 * rot.distance(true.rotations[1:], true.rotations[:-1]).max()
        rise, true_rise = (np.abs(np.diff(m.root_positions[:, 1])).max() for m in (made, true))
        assert rise <= 2.0 * true_rise


def test_cycles_of_no_use_are_refused() -> None:
    cycle, _, motion = cycle_of("gallop", 4)
    with pytest.raises(lm.LocomoteError, match="one pose for each key"):
        video.PoseCycle.of(motion[:3], [0.1, 0.2])
    with pytest.raises(lm.LocomoteError, match="must rise"):
        replace(cycle, phases=np.array([0.1, 0.1, 0.5, 0.7]))
    with pytest.raises(lm.LocomoteError, match="expected one of"):
        replace(cycle, method="spline")
    with pytest.raises(lm.LocomoteError, match="needs 8 or more"):
        replace(cycle, method="switching")
