from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.human.fitting._cycles import LIMBS, SAMPLES, Unit, closed_curve, find_units
from locomote.human.fitting._importing import import_motion
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.samples import performer

from .synthetic import capture


@pytest.mark.feature("PCA-006")
def test_synthetic_cycles_are_all_found() -> None:
    speed = 1.3
    units, rejected = find_units(capture(speed, "walk"), "someone", "clip", "walk")
    truth = performer(speed, gait="walk", leg_length=0.88, seconds=4.0, fps=100.0)
    assert len(units) >= 4
    assert rejected == []
    for unit in units:
        assert unit.speed == pytest.approx(speed, rel=0.01)
        assert unit.duration == pytest.approx(120.0 / truth.cadence, rel=0.01)
        assert unit.root.shape == (SAMPLES, 3)
    # Cycles cut at left strikes are turned to begin with the right foot as well.
    for unit in units[1:]:
        apart = rot.distance(unit.rotations[:, LIMBS], units[0].rotations[:, LIMBS])
        assert np.degrees(np.sqrt(np.mean(apart**2))) < 2.0


@pytest.mark.feature("PCA-006")
def test_units_have_one_shape_and_keep_their_durations() -> None:
    units = [
        unit
        for speed, gait in ((0.8, "walk"), (1.7, "walk"), (3.0, "run"))
        for unit in find_units(capture(speed, gait), "someone", "clip", gait)[0]
    ]
    assert {unit.root.shape for unit in units} == {(SAMPLES, 3)}
    assert {unit.rotations.shape for unit in units} == {(SAMPLES, len(COMMON), 4)}
    assert len({round(unit.duration, 2) for unit in units}) >= 3


@pytest.mark.feature("PCA-007")
def test_a_unit_of_a_small_person_carries_a_large_one_further_in_proportion() -> None:
    small = capture(1.2, "walk", leg=0.8 * 0.925)
    unit = find_units(small, "someone", "clip", "walk")[0][0]
    assert unit.hip_height == pytest.approx(0.8)
    phase = np.arange(SAMPLES)[:, None] / SAMPLES
    travel = unit.normal_speed * unit.duration * phase * [0.0, 0.0, 1.0]
    paths = {height: height * (unit.root + travel) for height in (unit.hip_height, 1.0)}
    steps = {height: np.linalg.norm(np.diff(path, axis=0), axis=1) for height, path in paths.items()}
    np.testing.assert_allclose(steps[1.0], 1.25 * steps[unit.hip_height], rtol=1e-12)
    # The small one's path is the recorded one, in its height and in how it goes on.
    heights = unit.hip_height * unit.root[:, 1]
    assert heights.mean() == pytest.approx(unit.hip_height * small.root[:, 1].mean(), rel=0.005)
    assert np.ptp(heights) == pytest.approx(unit.hip_height * np.ptp(small.root[:, 1]), rel=0.05)
    recorded = unit.hip_height * np.linalg.norm(np.diff(small.root, axis=0), axis=1).mean() * small.fps
    played = steps[unit.hip_height].sum() / (unit.duration * (SAMPLES - 1) / SAMPLES)
    assert played == pytest.approx(recorded, rel=0.01)


def test_travel_along_any_heading_is_taken_out() -> None:
    motion = performer(1.3, seconds=3.0).motion.moved(rot.from_yaw(2.0), (3.0, 0.0, -1.0))
    units, _ = find_units(import_motion(motion), "someone", "clip", "walk")
    for unit in units:
        assert abs(float(np.mean(rot.yaw(unit.rotations[:, 0])))) < 1e-3
        np.testing.assert_allclose(unit.root[:, [0, 2]].mean(axis=0), 0.0, atol=1e-9)


def test_every_rejection_has_a_reason() -> None:
    motion = performer(1.3, seconds=4.0, turn_rate=0.6).motion
    units, rejected = find_units(import_motion(motion), "someone", "clip", "walk")
    assert units == []
    assert rejected
    assert all(r.reason == "turning" and r.stop > r.start and r.clip == "clip" for r in rejected)


def seam_jumps(curve: np.ndarray) -> tuple[float, float]:
    """Jump of value and of velocity across the wrap, from cubics through the samples on either side."""
    n = len(curve)
    at = np.arange(5.0)
    right = np.polyfit(at, curve[:5], 4)
    left = np.polyfit(at - 5.0, curve[n - 5 :], 4)
    value = float(np.abs(np.polyval(right, -0.5) - np.polyval(left, -0.5)))
    velocity = float(np.abs(np.polyval(np.polyder(right), -0.5) - np.polyval(np.polyder(left), -0.5)))
    return value, velocity


@pytest.mark.feature("PCA-004")
@pytest.mark.parametrize(("speed", "gait"), [(0.9, "walk"), (1.6, "walk"), (3.0, "run")])
def test_the_ends_of_cycles_that_wander_off_meet(speed: float, gait: str) -> None:
    taken = capture(speed, gait)
    turns = taken.rotations.copy()
    seconds = np.arange(len(turns)) / taken.fps
    for k, name in enumerate(("LeftArm", "RightForeArm", "Spine1", "LeftUpLeg")):  # 2 degrees a second and more
        off = np.radians(2.0 + k) * seconds[:, None] * np.eye(3)[k % 3]
        turns[:, COMMON.index(name)] = rot.multiply(turns[:, COMMON.index(name)], rot.exp(off))
    units, _ = find_units(replace(taken, rotations=turns), "someone", "clip", gait)
    assert len(units) >= 3
    assert_ends_meet(units)


@pytest.mark.feature("PCA-004")
@pytest.mark.data
@pytest.mark.parametrize(
    ("clip", "gait"), [("walk/cmu_07_01", "walk"), ("walk/cmu_136_20", "walk"), ("run/cmu_09_01", "run")]
)
def test_the_ends_of_recorded_cycles_meet(data: Path, clip: str, gait: str) -> None:
    motion = lm.load(data / "human" / f"{clip}.bvh.xz", drop_tpose=True)
    units, _ = find_units(import_motion(motion), "someone", clip, gait)
    assert units
    assert_ends_meet(units)


def assert_ends_meet(units: list[Unit]) -> None:
    fine = 8  # evaluated between the samples: the unit is a curve of few harmonics
    for unit in units:
        centre = rot.mean(unit.rotations)
        logs = rot.log(rot.multiply(rot.inverse(centre), unit.rotations))[:, LIMBS]
        curve = closed_curve(np.concatenate([logs, logs[:1]]), 0.0, fine * SAMPLES)
        np.testing.assert_allclose(curve[::fine], logs, atol=2e-3)  # so the samples are those of the curve
        # A corner at the wrap would show in the highest harmonics, whatever was done to it.
        spectrum = np.abs(np.fft.rfft(logs, axis=0))[16:] / (0.5 * SAMPLES)
        assert np.degrees(spectrum.sum(axis=0).max()) < 0.05
        speed = np.abs(np.diff(curve, axis=0)).max()
        for joint in range(curve.shape[1]):
            for axis in range(3):
                value, velocity = seam_jumps(curve[:, joint, axis])
                assert np.degrees(value) < 0.5
                assert velocity < 0.05 * speed


@pytest.mark.data
def test_a_recorded_clip_gives_the_cycles_that_it_has(data: Path) -> None:
    motion = lm.load(data / "human/walk/cmu_07_03.bvh.xz", drop_tpose=True)
    units, _ = find_units(import_motion(motion), "cmu 07", "03", "walk")
    assert len(units) == 3
    assert np.mean([u.speed for u in units]) == pytest.approx(1.02, abs=0.03)


def test_a_closed_curve_returns_what_is_already_closed() -> None:
    phase = np.arange(101) / 100
    wave = np.sin(2 * np.pi * phase) + 0.2 * np.cos(6 * np.pi * phase)
    out = closed_curve(wave[:, None], 0.25)
    at = np.arange(SAMPLES) / SAMPLES + 0.25
    np.testing.assert_allclose(out[:, 0], np.sin(2 * np.pi * at) + 0.2 * np.cos(6 * np.pi * at), atol=1e-9)


def test_the_unit_shows_the_feet_where_they_were() -> None:
    taken = capture(1.3, "walk")
    unit = find_units(taken, "someone", "clip", "walk")[0][0]
    ankles = Motion(COMMON, 1.0, unit.root, unit.rotations).joint_positions()
    right = ankles[:, COMMON.index("RightFoot"), 2]
    assert np.argmax(right) in (0, 1, SAMPLES - 1)  # phase 0 is the strike of the right heel
