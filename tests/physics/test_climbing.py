"""Grips, timing by effort, and climbs."""

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.human_skeleton import COMMON
from locomote.masses import Masses
from locomote.physics import Grips, climb, retime
from locomote.physics._grips import grip_forces
from locomote.physics._newton import segment_motion
from locomote.physics._retiming import best_factor, effort_of, effort_parts
from locomote_lab.simulated_climb import FEET, HANDS, MOVES, START

MAN = COMMON.scaled(0.93)
HOLDS = [*FEET, *HANDS]
FPS = 200.0


@pytest.fixture(scope="module")
def climbed():
    return climb(MAN, HOLDS, START, MOVES, mass=70.0)


def pendulum(seconds: float, swing: float = 1.2):
    """A rod on a hinge that swings from rest to rest, held at its upper end."""
    u = np.linspace(0.0, 1.0, int(seconds * FPS) + 1)
    angle = 0.3 + swing * u**3 * (10.0 - 15.0 * u + 6.0 * u * u)
    skeleton = lm.Skeleton(("base", "rod"), [-1, 0], np.zeros((2, 3)))
    turns = rot.identity(len(u), 2)
    turns[:, 1] = rot.exp(angle[:, None] * [1.0, 0.0, 0.0])
    masses = Masses([1.0, 2.0], [[0, 0, 0], [0, -0.5, 0]], [np.eye(3) * 1e-3, np.diag([0.17, 1e-3, 0.17])])
    return lm.Motion(skeleton, FPS, np.zeros((len(u), 3)), turns), masses, angle


def test_torques_of_a_pendulum_are_those_of_the_closed_form():
    motion, masses, angle = pendulum(1.0)
    held = Grips([0], np.ones((len(motion), 1), dtype=np.int64))
    _, torques = grip_forces(motion, masses, held, segment_motion(motion, masses, None))
    speed_up = np.gradient(np.gradient(angle, 1 / FPS), 1 / FPS)
    truth = (0.17 + 2.0 * 0.25) * speed_up + 2.0 * 9.81 * 0.5 * np.sin(angle)
    np.testing.assert_allclose(torques[5:-5, 1, 0], truth[5:-5], atol=0.02 * np.abs(truth).max())


@pytest.mark.feature("FRC-09")
@pytest.mark.parametrize("seconds", [0.4, 0.8, 2.0, 5.0])
def test_no_timing_of_a_pendulum_costs_less_and_none_more_than_before(seconds):
    motion, masses, _ = pendulum(seconds)
    held = Grips([0], np.ones((len(motion), 1), dtype=np.int64))
    done = retime(motion, [0, len(motion) - 1], held, masses)
    assert done.effort.sum() <= done.before.sum()

    def cost(factor: float) -> float:  # by a new simulation, not by the formula
        other, masses, _ = pendulum(seconds * factor)
        grips = Grips([0], np.ones((len(other), 1), dtype=np.int64))
        _, torques = grip_forces(other, masses, grips, segment_motion(other, masses, None))
        return float(np.sum(torques**2) / FPS)

    best = cost(float(done.factors[0]))
    assert done.effort[0] == pytest.approx(best, rel=0.06)
    for factor in (0.32, 0.6, 0.85, 1.0, 1.2, 2.0, 3.8):
        assert best <= cost(factor) * 1.02


@pytest.mark.feature("FRC-09")
def test_the_search_only_ever_goes_down():
    rng = np.random.default_rng(2)
    for _ in range(50):
        held, moved = rng.uniform(0.0, 5.0, 2)
        crossed = rng.uniform(-1.0, 1.0) * np.sqrt(held * moved)  # of any two signals
        found = best_factor(held, crossed, moved)
        cost = effort_of(np.array([[held, crossed, moved]]), np.array([found]))[0]
        around = effort_of(np.tile([held, crossed, moved], (400, 1)), np.geomspace(0.3, 4.0, 400))
        assert cost <= around.min() + 1e-9
        assert cost <= held + 2 * crossed + moved + 1e-12


@pytest.mark.feature("FRC-10")
def test_a_climb_holds_on_where_it_was_told_and_bears_its_weight(climbed):
    hands = climbed.motion.joint_positions()[:, list(climbed.grips.joints)]
    taken = np.array(HOLDS)[[12, 13, 4, 5]]
    np.testing.assert_allclose(hands[-1], taken, atol=0.02)
    whole = climbed.forces.sum(axis=1).mean(axis=0)
    np.testing.assert_allclose(whole, [0.0, 70.0 * 9.81, 0.0], atol=0.02 * 70.0 * 9.81)
    assert np.all(climbed.forces[~climbed.grips.holds.astype(bool)] == 0.0)
    assert climbed.effort < climbed.uniform_effort


@pytest.mark.feature("FRC-10")
def test_what_holds_on_stays_where_it_holds(climbed):
    hands = climbed.motion.joint_positions()[:, list(climbed.grips.joints)]
    for limb in range(4):
        on = climbed.grips.holds[:, limb].astype(bool)
        moved = np.linalg.norm(np.diff(hands[:, limb], axis=0), axis=1)[on[1:] & on[:-1]]
        assert np.percentile(moved, 99) < 0.004


def test_who_is_in_a_hurry_climbs_faster(climbed):
    hasty = climb(MAN, HOLDS, START, MOVES[:2], mass=70.0, haste=1e6)
    calm = climb(MAN, HOLDS, START, MOVES[:2], mass=70.0)
    assert len(hasty.motion) < len(calm.motion)


@pytest.mark.parametrize(
    ("start", "moves", "message"),
    [
        ({"left foot": 0}, MOVES, "no hold for the left hand, the right hand, the right foot"),
        (START, [("tail", 3)], "limb 'tail': expected one of"),
        (START, [("left hand", 99)], "there is no hold 99; there are 16"),
        (START, [], "expected at least one"),
        (START, [("left hand", 15)], "out of reach"),
    ],
)
def test_climbs_that_cannot_be_are_refused(start, moves, message):
    with pytest.raises(lm.LocomoteError, match=message):
        climb(MAN, HOLDS, start, moves)


def test_breaks_must_span_the_motion():
    motion, masses, _ = pendulum(1.0)
    held = Grips([0], np.ones((len(motion), 1), dtype=np.int64))
    with pytest.raises(lm.LocomoteError, match="breaks: expected frames from 0 to 200"):
        retime(motion, [0, 50], held, masses)
    assert effort_parts(motion, np.array([0, 200]), held, masses).shape == (1, 3)
