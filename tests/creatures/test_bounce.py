"""How bodies rise and fall with their steps."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.creatures import Creature, Crowd
from locomote.creatures._kernels.spine_pose import HIGHEST
from locomote.errors import LocomoteError
from locomote.math.constants import GRAVITY
from locomote_lab.creatures.bounces import springy_bounce, steady_bounce, steady_mean, throw

DT = 1.0 / 120.0


@pytest.mark.parametrize("duty", [0.3, 0.42, 0.5, 0.62, 0.75])
@pytest.mark.parametrize("period", [0.4, 0.6])
def test_a_mass_that_is_thrown_from_step_to_step_follows_the_closed_form(duty: float, period: float) -> None:
    swing, stance = (1.0 - duty) * period, duty * period
    apex, trough = GRAVITY * swing**2 / 8.0, -GRAVITY * swing * stance / 8.0
    closed = steady_bounce(np.linspace(0.0, 1.0, 20001), duty, period)
    assert [closed.max(), closed.min()] == pytest.approx([apex, trough], rel=1e-6)
    assert closed[:-1].mean() == pytest.approx(steady_mean(duty, period), abs=1e-6)
    fine, coarse = throw(duty, period, 1.0 / 2400.0), throw(duty, period, 1.0 / 240.0)
    assert [fine.max(), fine.min()] == pytest.approx([apex, trough], rel=0.01)
    assert [coarse.max(), coarse.min()] == pytest.approx([apex, trough], abs=0.01)


def integrated(duty: float, period: float, dt: float) -> np.ndarray:
    """Heights over a cycle of a mass that one foot pushes like half a sine wave, stepped through time.

    From the middle of the swing on; the speed to begin with is that with which it comes back to it, and the mean is 0.
    """
    time = np.arange(round(period / dt)) * dt
    turns = time / period - 0.5
    push = np.where(np.abs(turns) < 0.5 * duty, np.cos(np.pi * turns / duty), 0.0)
    acceleration = GRAVITY * (push / push.mean() - 1.0)
    speed = np.cumsum(acceleration) * dt
    height = np.cumsum(speed - speed.mean()) * dt
    return height - height.mean()


@pytest.mark.feature("LEG-40")
@pytest.mark.parametrize("duty", [0.42, 0.5, 0.62, 0.75])
@pytest.mark.parametrize("period", [0.4, 0.6])
def test_the_bounce_of_one_foot_rises_and_falls_as_far_as_its_push_integrates_to(duty: float, period: float) -> None:
    """What creatures are moved with, against steps through time, fine and coarse."""
    played = springy_bounce(np.linspace(-0.5, 0.5, 4001), duty, period)
    for dt, margin in ((1.0 / 2400.0, {"rel": 0.01}), (1.0 / 240.0, {"abs": 0.01})):
        stepped = integrated(duty, period, dt)
        assert [played.max(), played.min()] == pytest.approx([stepped.max(), stepped.min()], **margin)
    assert np.argmax(played) in (0, 4000)  # highest in the middle of the swing


@given(st.floats(0.25, 0.9), st.floats(0.2, 1.2))
def test_the_springy_bounce_is_what_its_force_integrates_to(duty: float, period: float) -> None:
    """Twice the integral of a force like half a sine wave, whose mean is the weight; four waves hold most of it."""
    turns = (np.arange(4000) + 0.5) / 4000.0 - 0.5
    force = np.where(np.abs(turns) < 0.5 * duty, np.cos(np.pi * turns / duty), 0.0)
    acceleration = GRAVITY * (force / force.mean() - 1.0)
    waves = np.fft.rfft(acceleration)
    rates = 2.0 * np.pi * np.arange(len(waves)) / period
    waves[1:] /= -(rates[1:] ** 2)
    waves[0] = 0.0
    height = np.fft.irfft(waves, 4000)
    ours = springy_bounce(turns, duty, period)
    assert np.max(np.abs(ours - height)) < 0.02 * np.ptp(height) + 1e-6


@pytest.mark.feature("LEG-41")
def test_feet_share_the_body_by_their_weights_and_cancel_when_they_alternate() -> None:
    turns = np.linspace(0.0, 1.0, 101)
    pair = steady_bounce(turns, 0.5, 0.6) + steady_bounce(turns + 0.5, 0.5, 0.6)
    assert np.ptp(pair) == pytest.approx(0.0, abs=1e-12)
    for weights in (np.ones(4), np.array([1.0, 3.0, 1.0, 3.0])):
        heights, expected = _trot(weights)
        # Bones keep their lengths: a girdle rises a little less than its height alone would have it.
        assert np.max(np.abs(heights - expected)) < 0.04 * np.ptp(expected)


def _trot(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """How high the girdles of a trotting wolf are over its guiding body, and the weighted sum of what its feet give."""
    wolf = Creature.build("wolf")
    legs = tuple(replace(leg, weight=w) for leg, w in zip(wolf.morphology.legs, weights, strict=True))
    trot = wolf.gaits.gaits[wolf.gaits.index("trot")]
    lives = np.asarray(trot.lives).copy()
    lives[:, 3:5] = 1.0, 0.0  # both girdles alike, on a back that does not sag
    gaits = wolf.gaits.with_gait(replace(trot, lives=lives))
    crowd = Crowd(replace(wolf, gaits=gaits, morphology=replace(wolf.morphology, legs=legs)), speed=2.5, gait="trot")
    crowd.liven(nod=0.0, sway=0.0, roll=0.0)
    spine = crowd.creature.spine
    joints = spine.joints[spine.girdles]
    rest = wolf.morphology.rest_pose[0][joints, 1] - wolf.morphology.centre[1]
    measured, expected = [], []
    for frame in range(360):
        crowd.step(DT)
        feet = crowd._feet[0]
        if frame < 240:
            continue
        heights = crowd.poses.joint_positions()[0, joints, 1] - rest - crowd.positions[0, 1]
        lifts = np.array(
            [springy_bounce(crowd.phases[0] - foot["middle"], foot["duty"], crowd.periods[0]) for foot in feet]
        )
        most = HIGHEST * wolf.morphology.hip_height
        shared = np.array([np.sum((spine.weights * lifts)[spine.carriers == k]) for k in range(len(joints))])
        wanted = most * np.tanh(crowd._gait_rows["life"]["bounce"][0] * shared / most)
        room = [np.min(feet["highest"][spine.carriers == k]) - crowd.positions[0, 1] for k in range(len(joints))]
        wanted *= crowd._rows["allowed"][0]  # what the legs leave of it
        free = np.all(wanted < np.array(room) - 0.03) and np.all(crowd._girdles["held"][0] < 1e-3)
        if free and np.all(wanted > crowd._rows["floor"][0] - crowd.positions[0, 1]):
            measured.append(heights)
            expected.append(wanted)
    assert len(measured) > 30  # frames in which no leg and no ground holds a girdle back
    return np.array(measured), np.array(expected)


@pytest.mark.feature("LEG-42")
def test_the_speed_changes_only_while_a_foot_pushes() -> None:
    """All feet together: while they land, brake or fly, a new speed has to wait, but no longer than 0.2 s."""
    crowd = Crowd("wolf", speed=1.5, gait="pronk", seed=1)
    for _ in range(240):
        crowd.step(DT)
    waited = changed = 0
    idle, pushed = 0.0, True
    for frame in range(2400):
        if frame % 127 == 0:
            crowd.command(speed=2.0 if frame % 2 == 0 else 1.5)
            idle = 0.0
        before = crowd._rows["speed"][0]
        crowd.step(DT)
        moved = abs(crowd._rows["speed"][0] - before)
        pushing = _any_pushes(crowd)
        idle = 0.0 if pushing else idle + DT
        if not pushing and not pushed and idle < 0.2 - DT:
            assert moved < 1e-9
            waited += moved < abs(crowd._rows["wanted_speed"][0] - before) - 0.1
        elif pushing:
            changed += moved > 1e-6
        pushed = pushing
    assert waited > 50
    assert changed > 50


def _any_pushes(crowd: Crowd) -> bool:
    """Whether a foot is in the second half of its stance, by the gait's disks."""
    sectors = crowd._disks[0, 0, :, 0]
    gone = (crowd.phases[0] - sectors.sum(axis=1)) % 1.0
    stance = 1.0 - sectors[:, 1]
    return bool(np.any((gone > 0.5 * stance) & (gone < stance) & crowd.planted[0]))


def test_bounces_that_cannot_be_are_refused() -> None:
    with pytest.raises(LocomoteError, match="expected a share between 0 and 1"):
        steady_bounce(0.0, 1.0, 0.5)
    with pytest.raises(LocomoteError, match="expected a share between 0 and 1"):
        springy_bounce(0.0, 0.5, 0.0)
