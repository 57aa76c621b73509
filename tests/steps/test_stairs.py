"""Exact steps looked at as bodies: up and down stairs, past them, and with arms that go with the opposite leg."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from locomote.measures import recorded_range
from locomote.measures.body import body_events
from locomote.measures.limits import bend_degrees
from locomote.measures.manner import manner
from locomote.motion import Motion
from locomote.steps import plan_across, plan_along, trace, walk
from locomote.steps._shaping import _past
from locomote.world import Ground
from locomote_lab.human.sweep import KNEE_STEP, allowed, judge

SEEDS = range(901, 905)
LANDING = 3.0  # m
FOLDED = 110.0  # deg, of a knee on stairs that people build


class Stairs:
    """A flight and its landings, drawn from a seed: where it begins and ends, on the ground and at the top."""

    def __init__(self, seed: int) -> None:
        random = np.random.default_rng([25, seed])
        self.rise, self.tread = random.uniform(0.12, 0.19), random.uniform(0.26, 0.33)
        self.count, self.width = int(random.integers(4, 9)), float(random.uniform(1.0, 2.5))
        yaw, at = float(random.uniform(-math.pi, math.pi)), random.uniform(-1.0, 1.0, 2)
        self.ground = Ground()
        self.ground.add_stairs(
            at.tolist(), self.count, self.rise, self.tread, yaw=yaw, width=self.width, landing=LANDING
        )
        ahead = np.array([math.sin(yaw), math.cos(yaw)])
        self.foot, self.top = at - 2.0 * ahead, at + (self.tread * (self.count - 1) + LANDING - 0.6) * ahead
        self.behind = at + (self.tread * (self.count - 1) + LANDING + 2.0) * ahead

    def ends(self, down: bool) -> tuple[np.ndarray, np.ndarray]:
        return (self.top, self.foot) if down else (self.foot, self.top)

    def treads(self, heights: np.ndarray) -> list[int]:
        return [round(float(height) / self.rise) for height in heights]


def most_bent(motion: Motion) -> float:
    """Degrees of the more bent knee."""
    places = motion.joint_positions()
    legs = motion.skeleton.roles.legs
    return max(float(bend_degrees(*(places[:, j] for j in (leg.hip, leg.knee, leg.ankle))).max()) for leg in legs)


def knee_step(motion: Motion) -> float:
    found = body_events(motion).knee_step
    assert found is not None
    return found


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_path_over_stairs_has_a_foot_on_every_tread(seed: int, down: bool) -> None:
    stairs = Stairs(seed)
    for speed in (0.6, 1.0, 1.35):
        plan = plan_along(stairs.ends(down), speed, ground=stairs.ground)
        treads = stairs.treads(plan.places[:, 1])
        assert max(abs(b - a) for a, b in pairwise(treads)) == 1
        assert all(treads.count(n) == 1 for n in range(1, stairs.count))
        motion = walk(plan, ground=stairs.ground)
        assert knee_step(motion) <= KNEE_STEP["walk"]
        assert most_bent(motion) < FOLDED
        peak, most = body_events(motion).knee_peak, allowed("walk")["knee_peak"]
        assert peak is not None
        assert peak < most


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_pelvis_is_over_the_lower_foot(seed: int, down: bool) -> None:
    # Legs reach the lower tread about as well as they reach level ground: the body need not be pulled down to it.
    stairs = Stairs(seed)
    (on_stairs,) = trace([plan_along(stairs.ends(down), 1.0, ground=stairs.ground)], ground=stairs.ground)
    (level,) = trace([plan_along(stairs.ends(down), 1.0)])
    assert -on_stairs.sinks[0].min() < -level.sinks[0].min() + 0.25 * stairs.rise


@pytest.mark.parametrize("down", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("seed", SEEDS)
def test_a_way_to_another_floor_takes_the_stairs_tread_by_tread(seed: int, down: bool) -> None:
    stairs = Stairs(seed)
    plan = plan_across(*stairs.ends(down), ground=stairs.ground)
    treads = stairs.treads(plan.places[:, 1])
    assert set(treads) == set(range(stairs.count + 1))
    assert max(abs(b - a) for a, b in pairwise(treads)) == 1
    motion = walk(plan, ground=stairs.ground)
    assert knee_step(motion) <= KNEE_STEP["walk"]
    assert most_bent(motion) < FOLDED


@pytest.mark.parametrize("seed", SEEDS)
def test_a_way_beyond_stairs_keeps_clear_of_their_sides(seed: int) -> None:
    stairs = Stairs(seed)
    plan = plan_across(stairs.foot, stairs.behind, ground=stairs.ground)
    assert most_bent(walk(plan, ground=stairs.ground)) < FOLDED


def test_a_swing_round_the_corner_of_stairs_is_not_one_over_them() -> None:
    ground = Ground()
    ground.add_stairs((0.0, 2.0), 8, 0.17, 0.29, width=3.0)
    plan = plan_across((0.0, 0.0), (0.0, 6.32), ground=ground)
    assert most_bent(walk(plan, ground=ground)) < FOLDED


def test_short_treads_have_footholds_between_the_places_of_the_grid() -> None:
    ground = Ground()
    ground.add_stairs((0.0, 2.03), 6, 0.17, 0.23, width=2.0, landing=LANDING)
    plan = plan_across((0.0, 0.0), (0.0, 2.03 + 5 * 0.23 + 1.5), ground=ground)
    assert np.abs(np.diff(plan.places[:, 1])).max() < 0.18


def test_a_swing_goes_past_the_supporting_foot_rather_than_over_a_wall() -> None:
    shift = _past(np.array([0.5, 0.0, 0.0]), np.array([0.9, 0.0, 0.4]), np.array([0.5, 0.0, 1.0]), 0.1)
    np.testing.assert_allclose(shift, [0.3, 0.0, 0.0], atol=1e-12)
    # A foot that passes near enough is left alone.
    assert not np.any(_past(np.zeros(3), np.array([0.05, 0.0, 0.4]), np.array([0.0, 0.0, 1.0]), 0.1))


@pytest.mark.parametrize("leg_length", [0.82, 0.9])
@pytest.mark.parametrize("speed", [0.6, 1.0, 1.35])
def test_arms_go_with_the_opposite_leg_and_nobody_crouches(speed: float, leg_length: float) -> None:
    found = manner(walk(plan_along([(0, 0), (3, 9)], speed, leg_length=leg_length), leg_length=leg_length))
    # Knees are bent where a foot leaves, not by a crouch: faster walks are bent more than recorded, as sources are.
    for figure in ("arm_leg_phase", "arm_swing", *(("stance_knee",) if speed <= 1.0 else ())):
        value, recorded = getattr(found, figure), recorded_range(figure, "walk", speed)
        assert recorded is not None
        assert recorded.p1 <= value <= recorded.p99, figure


@pytest.mark.parametrize("seed", SEEDS)
def test_steps_over_stones_pass_for_captured(seed: int) -> None:
    verdicts = judge(seed, ["exact steps"])
    assert [fault for verdict in verdicts for fault in verdict.faults()] == []
    assert max(verdict.events.knee_peak or 0.0 for verdict in verdicts) < 75.0
