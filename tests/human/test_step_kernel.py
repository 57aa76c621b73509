"""The kernel of locomotion beside plain NumPy: splines, exponentials, hinges, ramps, frequencies."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.human._kernels import cycle_pose, drive, step, timing
from locomote.human._kernels.state import Ramp, Walker
from locomote.math.records import zeros

WIDTH, PARTS, SAMPLES = 24, 8, 12


@pytest.fixture
def random():
    return np.random.default_rng(5)


def test_sample_is_the_quadratic_spline_of_its_control_points(random):
    controls = random.normal(size=(PARTS, SAMPLES, 3 * WIDTH))
    padded = np.concatenate([controls[:, -1:], controls, controls[:, :1]], axis=1)
    basis = padded.reshape(PARTS, -1).astype(np.float32)
    cached = random.normal(size=PARTS + 12 * WIDTH).astype(np.float32)
    factors = cached[: PARTS + 3 * WIDTH].copy()
    pose = np.empty(3 * WIDTH, np.float32)
    held = -1
    # Jumps, rests, single steps and the turn of the cycle.
    for phase in (0.0, 0.3, 0.49 / SAMPLES, 0.51 / SAMPLES, 0.1, 0.15, 0.21, 0.9, 0.999, 1.0 - 1e-12, 0.05):
        held = cycle_pose.sample(phase, held, cached, basis, pose)
        assert held // 3 == round(phase * SAMPLES) % SAMPLES
        np.testing.assert_allclose(pose, _spline(phase, factors, controls), atol=1e-5)


def _spline(phase, factors, controls):
    """Quadratic B-splines, each 3/4 - d^2 near its control point and (3/2 - |d|)^2 / 2 beyond."""
    d = np.abs((phase * SAMPLES - np.arange(SAMPLES) + SAMPLES / 2) % SAMPLES - SAMPLES / 2)
    weights = np.where(d < 0.5, 0.75 - d**2, np.where(d < 1.5, 0.5 * (1.5 - d) ** 2, 0.0))
    return factors[PARTS:] + np.einsum("s,p,psw->w", weights, factors[:PARTS], controls)


def test_joint_rotations_are_centre_times_exponential(random):
    joints = np.zeros((11, WIDTH), np.float32)
    centres = rot.normalize(random.normal(size=(WIDTH, 4)))
    joints[:4] = centres.T
    vectors = random.normal(size=(WIDTH, 3))
    vectors *= (np.linspace(0.0, 3.1, WIDTH) / np.linalg.norm(vectors, axis=1))[:, None]
    turns = np.empty((4, WIDTH), np.float32)
    cycle_pose.joint_rotations(vectors.T.astype(np.float32).reshape(-1), joints, turns)
    wanted = rot.canonical(rot.multiply(centres, rot.exp(vectors)))
    np.testing.assert_allclose(turns.T, wanted, atol=2e-6)


def test_units_are_sums_of_parts(random):
    samples = random.normal(size=(PARTS, SAMPLES * 3 * WIDTH)).astype(np.float32)
    cache = random.normal(size=(3, PARTS + 3 * WIDTH)).astype(np.float32)
    out = np.empty((3, SAMPLES, 3 * WIDTH), np.float32)
    step.units(cache, samples, out)
    out = out.reshape(3, -1)
    wanted = cache[:, :PARTS].astype(float) @ samples + np.tile(cache[:, PARTS:], (1, SAMPLES))
    np.testing.assert_allclose(out, wanted, atol=2e-5)


@pytest.mark.parametrize("axis", [1, 2, 3])
@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_hinges_bend_one_way_and_so_far(axis, sign):
    widest = 2.0
    for bend in (-1.0, -0.1, 0.0, 0.5, 1.9, 2.5, 3.0):
        q = rot.from_axis_angle(np.eye(3)[axis - 1], sign * bend)
        swing = rot.exp(np.array([0.1, 0.1, 0.1]) * (np.arange(3) != axis - 1))
        out = cycle_pose._bounded(tuple(rot.multiply(swing, q)), axis, sign, np.tan(0.5 * widest))
        wanted = rot.from_axis_angle(np.eye(3)[axis - 1], sign * np.clip(bend, 0.0, widest))
        # The swing is kept; its own small twist moves the limit by less than its size.
        assert rot.distance(np.array(out), rot.multiply(swing, wanted)) < 0.02


def test_a_ramp_gives_its_exact_mean():
    ramp = zeros(Ramp, 1)[0]
    ramp["value"], ramp["target"], ramp["left"] = 1.0, 2.0, 0.5
    assert drive._ramp(ramp, 0.2) == pytest.approx(1.2)
    assert ramp.tolist() == pytest.approx((1.4, 2.0, 0.3))
    # Arrives after 0.3 s of 0.4: the mean of 1.4 to 2.0 over three quarters, then 2.0.
    assert drive._ramp(ramp, 0.4) == pytest.approx(0.75 * 1.7 + 0.25 * 2.0)
    assert ramp.tolist() == pytest.approx((2.0, 2.0, 0.0))


@pytest.mark.parametrize("steps", [1, 7, 50])
def test_steering_follows_one_cubic_in_any_number_of_steps(steps):
    row = zeros(Walker, 1)[0]
    row["turn"]["value"], row["turn"]["left"] = 0.4, 2.0
    row["steering"], row["heading"] = True, 1.5
    for n in range(steps):
        row["yaw"] += drive._turn(row, 1.0 / steps)
        t = 0.5 * (n + 1) / steps
        wanted = 0.8 * t * (1 - t) ** 2 + 1.5 * t * t * (3 - 2 * t)
        assert row["yaw"] == pytest.approx(wanted)
    row["yaw"] += drive._turn(row, 1.0)
    assert row["yaw"] == pytest.approx(1.5)
    assert row["turn"]["value"] == 0.0
    assert not row["steering"]


def test_cells_of_the_frequency_table():
    grid = np.array([0.0, 0.5, 1.5, 4.0])
    for speed in (-1.0, 0.0, 0.2, 0.5, 1.0, 1.5, 3.9, 4.0, 9.0):
        cell, t = timing.cell_of(speed, grid)
        assert grid[cell] + t * (grid[cell + 1] - grid[cell]) == pytest.approx(np.clip(speed, 0.0, 4.0))
