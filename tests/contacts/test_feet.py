from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.contacts import foot_points
from locomote.contacts.feet import speeds, velocities
from locomote.samples import performer


def test_heel_lies_behind_the_ankle_and_level_with_the_ball_of_a_flat_foot() -> None:
    performance = performer(speed=1.4, fps=60)
    points = foot_points(performance.motion)
    assert points.shape == (len(performance.motion), 2, 3, 3)
    # The performer's true heel is a little further back than the 5 cm that are assumed of a rig.
    away = np.linalg.norm(points[:, :, 0] - performance.heel_positions(), axis=-1)
    assert np.max(away) < 0.02
    assert np.ptp(away) < 1e-9  # carried by the foot


def test_a_rig_tells_where_its_heels_are_or_they_are_guessed() -> None:
    motion = performer(speed=1.2, seconds=2, fps=60).motion
    roles = motion.skeleton.roles
    told = roles.legs[0].heel_behind
    assert told == pytest.approx(0.067 * 0.9 / 0.925)
    silent = replace(roles, legs=tuple(replace(leg, heel_behind=None) for leg in roles.legs))
    guessed = replace(motion, skeleton=motion.skeleton.with_roles(silent))
    heels = foot_points(motion)[:, :, 0] - foot_points(guessed)[:, :, 0]
    np.testing.assert_allclose(np.linalg.norm(heels, axis=-1), told - 0.05, atol=1e-3)
    assert roles.legs[0].scaled(2.0).heel_behind == pytest.approx(2.0 * told)


def test_points_follow_the_body() -> None:
    motion = performer(speed=1.4, fps=60, seconds=2).motion
    turn, shift = rot.from_yaw(0.7), np.array([1.0, 0.3, -2.0])
    moved = foot_points(motion.moved(turn, shift))
    np.testing.assert_allclose(moved, rot.rotate(turn, foot_points(motion)) + shift, atol=1e-9)
    np.testing.assert_allclose(foot_points(motion.scaled(0.5)), 0.5 * foot_points(motion), atol=1e-6)


def test_a_foot_of_one_joint_is_one_point() -> None:
    motion = performer(speed=1.4, fps=60, seconds=1).motion
    roles = motion.skeleton.roles
    legs = tuple(replace(leg, ball=leg.ankle, toe=leg.ankle, toe_offset=(0.0, 0.0, 0.0)) for leg in roles.legs)
    points = foot_points(replace(motion, skeleton=motion.skeleton.with_roles(replace(roles, legs=legs))))
    assert np.array_equal(points[:, :, 0], points[:, :, 1])
    assert np.array_equal(points[:, :, 1], points[:, :, 2])


def test_velocity_is_exact_for_a_parabola_and_relative_to_the_belt() -> None:
    t = np.arange(50) / 100.0
    p = np.stack([t**2, 0.0 * t, 3.0 * t], axis=-1)
    np.testing.assert_allclose(velocities(p, 100.0)[:, 0], 2.0 * t, atol=1e-9)
    np.testing.assert_allclose(speeds(p[:, None] * (0, 0, 1), 100.0, (0, 0, 3.0)), 0.0, atol=1e-9)


@pytest.mark.parametrize("frames", [1, 2, 3, 5])
def test_velocity_of_very_short_clips(frames: int) -> None:
    assert np.all(np.isfinite(velocities(np.ones((frames, 2, 3)), 60.0)))


@pytest.mark.data
def test_a_dog_stands_on_its_toes(data: Path) -> None:
    points = foot_points(lm.load(data / "animal/labrador_dog_back_001.bvh.xz"))
    assert points.shape[1] == 4
    assert np.array_equal(points[:, :, 0], points[:, :, 1])
