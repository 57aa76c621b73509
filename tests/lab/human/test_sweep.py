"""People in every scene of the sweep, with seeds that follow from the version: others in every release."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

import locomote
from locomote.contacts import Settings, detect
from locomote.human import Crowd, HumanModel, record_all
from locomote.measures import measure, recorded_range
from locomote.measures.body import body_events
from locomote.measures.limits import bend_degrees
from locomote.measures.manner import manner
from locomote_lab.human.sweep import SCENES, Verdict, allowed, judge

SEED = zlib.crc32(locomote.__version__.encode())


@pytest.mark.parametrize("scene", list(SCENES))
def test_nothing_of_anybody_jumps_or_twitches(scene: str) -> None:
    wrong = [line for verdict in judge(SEED, [scene]) for line in verdict.faults()]
    assert wrong == []


def test_a_limb_that_jumps_is_seen() -> None:
    motion = record_all(Crowd(HumanModel.default(), 1, speed=1.3), 2.0)[0]
    knee = motion.skeleton.index("LeftLeg")
    motion.rotations[60, knee] = [np.cos(0.6), np.sin(0.6), 0.0, 0.0]
    faults = Verdict("walk", "walk", body_events(motion)).faults()
    assert any(line.startswith("knee_step") for line in faults)


def test_limits_are_those_of_recorded_people() -> None:
    walk, run = allowed("walk"), allowed("run")
    assert walk["knee_step"] < run["knee_step"]
    assert walk["head_peak"] < run["head_peak"]


def test_no_stride_is_like_the_last_and_a_machine_is() -> None:
    lively, machine = (
        manner(Crowd(HumanModel.default(), 1, seed=3, speed=1.3, lively=amount).record(12.0)) for amount in (1.0, 0.0)
    )
    assert machine.hand_variation is not None
    assert lively.hand_variation is not None
    assert lively.stride_variation is not None
    assert machine.hand_variation + 0.5 < lively.hand_variation < 4.0  # cm; strikes are known to a frame only
    assert 0.5 < lively.stride_variation < 4.0  # %


def test_who_stands_sways_on_feet_that_do_not_move() -> None:
    motion = Crowd(HumanModel.default(), 1, seed=5).record(30.0)
    places = motion.joint_positions()
    ankles = [leg.ankle for leg in motion.skeleton.roles.legs]
    assert np.ptp(places[:, ankles], axis=0).max() < 1e-6
    sway = 1000.0 * np.std(places[:, 0, [0, 2]], axis=0)
    assert 2.0 < np.hypot(*sway) < 12.0  # mm


@pytest.mark.parametrize("speed", [0.6, 1.0, 1.35, 1.8, 2.5, 3.5])
def test_random_people_go_as_recorded_ones_and_differ_as_much(speed: float) -> None:
    motions = record_all(Crowd(HumanModel.default(), 32, seed=SEED % 1000, speed=speed), 5.0)
    found = [manner(motion)._asdict() for motion in motions]
    for figure in ("arm_swing", "elbow_bend", "wrist_behind", "arm_leg_phase", "counter_rotation"):
        known = recorded_range(figure, "run" if speed > 2.0 else "walk", speed)
        assert known is not None
        values = [each[figure] for each in found if each[figure] is not None]
        assert known.p5 <= np.median(values) <= known.p95, figure
        if figure in ("arm_swing", "elbow_bend", "wrist_behind"):
            # From the 5th to the 95th percentile there are 3.29 standard deviations.
            assert 3.29 * np.std(values) >= 0.7 * (known.p95 - known.p5), figure


@pytest.mark.parametrize("speed", [0.6, 1.0, 1.35, 1.8])
def test_feet_stand_as_long_as_recorded_ones_and_stay_put(speed: float) -> None:
    """By the public detector and by speeds alone, as captured feet are judged."""
    motions = record_all(Crowd(HumanModel.default(), 16, seed=SEED % 1000, speed=speed), 6.0)
    by_speeds = Settings(stillness=False)
    found = [measure(motion, detect(motion, settings=by_speeds)) for motion in motions]
    for figure in ("duty_factor", "double_support"):
        known = recorded_range(figure, "walk", speed)
        assert known is not None
        shares = [getattr(each, figure) for each in found]
        assert abs(np.median(shares) - known.median) < (0.03 if figure == "duty_factor" else 0.05)
    assert np.median([measure(motion).drift_p95 for motion in motions]) < 2.0  # mm
    assert np.max([measure(motion).drift_max for motion in motions]) < 10.0


@pytest.mark.parametrize("speed", [1.0, 1.35, 1.8])
def test_the_knee_that_pushes_off_is_as_straight_as_that_of_the_motion_it_holds(speed: float) -> None:
    """From 46 to 62 % of the cycle the other foot lands and the body sinks for it: the heel makes up for that."""
    model = HumanModel.default()
    bends = []
    for feet in (True, False):
        crowd = Crowd(model, 31, style=np.eye(31), speed=speed, phases=0.0, feet=feet, lively=0.0)
        found, cycles = [], []
        for _ in range(240):
            joints = crowd.step(1 / 120).joint_positions()
            leg = [joints[:, crowd.poses.skeleton.index("Right" + part)] for part in ("UpLeg", "Leg", "Foot")]
            found.append(bend_degrees(*leg))
            cycles.append(crowd.cycles)
        late = 1.0 + np.linspace(0.46, 0.62, 9)
        bends.append([np.interp(late, np.array(cycles)[:, n], np.array(found)[:, n]) for n in range(31)])
    held, source = np.array(bends)
    # A leg that holds its foot is never quite straight: 8 degrees.
    assert np.median(np.abs(held - np.maximum(source, 8.0))) < 4.0
    assert abs(np.mean(held - np.maximum(source, 8.0))) < 3.0
