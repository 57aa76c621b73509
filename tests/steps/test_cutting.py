from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.contacts import detect
from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.motion import Motion
from locomote.samples import performer
from locomote.steps._detecting import plan_from_motion, stances
from locomote.steps.building._cutting import FLIGHT, LONGEST_DOUBLE, SWING, cut_steps


def check_cuts(motion: Motion) -> int:
    """Every step has one foot that stands through its swing; the number of steps."""
    contacts = detect(motion)
    cuts, _ = cut_steps(contacts, motion.skeleton.leg_length())
    for cut in cuts:
        start, lift, land, end = cut.times
        assert 0.0 < lift - start <= LONGEST_DOUBLE + 1e-9
        assert 0.0 < end - land <= LONGEST_DOUBLE + 1e-9
        assert SWING[0] <= land - lift <= SWING[1]
        swing = slice(int(np.ceil(lift * contacts.fps)), int(land * contacts.fps) + 1)
        whole = slice(int(np.ceil(start * contacts.fps)), int(end * contacts.fps) + 1)
        assert np.all(contacts.foot[whole, 1 - cut.side])
        assert not np.all(contacts.foot[swing, cut.side])
        assert np.all(contacts.foot[cut.before, cut.side])
        assert np.all(contacts.foot[cut.after, cut.side])
    return len(cuts)


@pytest.mark.feature("STR-04")
def test_walks_are_cut_and_runs_are_refused() -> None:
    for speed, turn in ((0.7, 0.0), (1.2, 0.5), (1.7, 0.0)):
        performance = performer(speed=speed, turn_rate=turn, seconds=6, fps=60)
        strikes = sum(len(times) for times in performance.heel_strikes)
        assert strikes - 4 <= check_cuts(performance.motion) <= strikes
    running = performer(speed=3.0, gait="run", seconds=4, fps=60).motion
    cuts, left_out = cut_steps(detect(running), running.skeleton.leg_length())
    assert not cuts
    assert left_out[FLIGHT] >= 6


@pytest.mark.data
def test_recorded_walks_are_cut(data: Path) -> None:
    motion = load(data / "human" / "side" / "cmu_69_48.bvh.xz", drop_tpose=True)
    assert check_cuts(motion) > 40


def test_a_ball_is_down_for_less_than_its_foot() -> None:
    motion = performer(speed=1.2, seconds=5, fps=120).motion
    for side in stances(detect(motion), motion.skeleton.leg_length()):
        for stance in side[1:-1]:
            assert stance.strike <= stance.down < stance.up <= stance.off
            assert stance.down <= stance.flat[0] / 120
            assert stance.flat[-1] / 120 <= stance.up + 1e-9


def test_a_plan_says_where_a_walk_stood() -> None:
    performance = performer(speed=1.1, turn_rate=0.3, seconds=6, fps=60)
    motion = performance.motion
    plan = plan_from_motion(motion)
    assert len(plan) >= 8
    assert np.all(np.diff(plan.sides) != 0)  # a walk alternates
    assert np.all(plan.places[:, 1] == 0.0)
    strikes = np.sort(np.concatenate(performance.heel_strikes))
    for time in plan.times[np.isfinite(plan.times)]:
        assert np.min(np.abs(strikes - time)) < 2 / 60
    balls = [leg.ball for leg in motion.skeleton.roles.legs]
    positions = motion.joint_positions()[:, balls]
    for side, place in zip(plan.sides, plan.places, strict=True):
        away = np.linalg.norm(positions[:, side][:, [0, 2]] - place[[0, 2]], axis=1)
        assert np.sum(away < 0.01) > 10  # the ball stays there for a while
    turned = plan.yaws[-2] - plan.yaws[0]
    assert 0.5 < turned / (0.3 * (plan.times[-2] - np.nan_to_num(plan.times[0]))) < 1.5


def test_a_plan_needs_both_feet() -> None:
    motion = performer(speed=1.1, seconds=2, fps=60).motion
    rising = motion.root_positions + np.arange(len(motion))[:, None] * np.array([0.0, 1.0, 0.0])
    high = Motion(motion.skeleton, 60.0, rising, motion.rotations)
    with pytest.raises(LocomoteError, match="contacts of both feet"):
        plan_from_motion(high)
