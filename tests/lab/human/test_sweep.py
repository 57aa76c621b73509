"""People in every scene of the sweep, with seeds that follow from the version: others in every release."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

import locomote
from locomote.human import Crowd, HumanModel, record_all
from locomote.measures.body import body_events
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


def test_random_people_differ() -> None:
    swings = [
        manner(motion).arm_swing for motion in record_all(Crowd(HumanModel.default(), 16, seed=1, speed=1.35), 4.0)
    ]
    assert np.std([swing for swing in swings if swing is not None]) > 5.0  # deg
