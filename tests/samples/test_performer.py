"""The truth laws of the synthetic performer, over gaits, speeds, sizes and turns."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.samples import Performance, performer

GRAVITY = 9.81
FPS = 120.0
FEW = settings(max_examples=15)  # a performance costs some hundredths of a second


@st.composite
def performances(draw: st.DrawFn, turning: bool = True, gaits: tuple[str, ...] = ("walk", "run")) -> Performance:
    gait = draw(st.sampled_from(gaits))
    leg_length = draw(st.floats(0.5, 1.3))
    slowest, fastest = {"walk": (0.3, 2.5), "run": (1.5, 6.0)}[gait]
    scale = math.sqrt(leg_length / 0.9)
    speed = scale * draw(st.floats(slowest + 1e-6, fastest - 1e-6))
    turn = draw(st.floats(-1.0, 1.0)) * min(1.0, 2.5 / speed) if turning else 0.0
    return performer(speed, gait, leg_length, seconds=3.0, fps=FPS, turn_rate=turn)


def sole_points(performance: Performance) -> dict[str, np.ndarray]:
    """World positions (F, 2, 3) of heels, balls and toe tips."""
    motion = performance.motion
    positions, turns = motion.world()
    legs = motion.skeleton.roles.legs
    toes = [leg.toe for leg in legs]
    tips = positions[:, toes] + rot.rotate(turns[:, toes], np.array([leg.toe_offset for leg in legs]))
    return {
        "heel": performance.heel_positions(),
        "ball": positions[:, [leg.ball for leg in legs]],
        "forefoot": tips,
    }


def knee_flexion(performance: Performance) -> np.ndarray:
    """Flexion about the hinge, signed, (F, 2)."""
    legs = performance.motion.skeleton.roles.legs
    turns = performance.motion.rotations[:, [leg.knee for leg in legs]]
    return 2.0 * np.arctan2(turns[..., 1], turns[..., 0])


@given(performances())
@FEW
def test_planted_points_stay_on_the_floor_and_do_not_move(performance: Performance) -> None:
    times = performance.motion.times
    for part, points in sole_points(performance).items():
        for leg, contacts in enumerate(performance.contacts):
            for start, end in getattr(contacts, part):
                planted = points[(times >= start) & (times <= end), leg]
                if len(planted):
                    assert np.abs(planted[:, 1]).max() < 1e-9
                    assert np.ptp(planted, axis=0).max() < 1e-9


@given(performances())
@FEW
def test_soles_are_never_below_the_floor_and_touch_it_only_in_contact(
    performance: Performance,
) -> None:
    assert performance.motion.joint_positions()[..., 1].min() > -1e-9
    times = performance.motion.times
    stride_time = 120.0 / performance.cadence
    for part, points in sole_points(performance).items():
        assert points[..., 1].min() > -1e-9
        for leg, contacts in enumerate(performance.contacts):
            free = np.ones(len(times), dtype=bool)
            for start, end in getattr(contacts, part):
                free &= (times < start - 0.05 * stride_time) | (times > end + 0.05 * stride_time)
            assert points[free, leg, 1].min() > 1e-4


@given(performances())
@FEW
def test_knees_bend_only_as_knees_do(performance: Performance) -> None:
    knees = performance.motion.skeleton.roles.legs
    turns = performance.motion.rotations[:, [leg.knee for leg in knees]]
    assert np.abs(turns[..., 2:]).max() < 1e-6  # a hinge about x
    flexion = np.degrees(knee_flexion(performance))
    assert flexion.min() > 2.0
    assert flexion.max() < 150.0


@given(performances())
@FEW
def test_nothing_pops(performance: Performance) -> None:
    motion = performance.motion
    acceleration = np.linalg.norm(np.diff(motion.joint_positions(), 2, axis=0), axis=-1) * motion.fps**2
    roles = motion.skeleton.roles
    trunk = [roles.root, *roles.spine, *roles.neck, roles.head]
    assert acceleration[:, trunk].max() < 3.0 * GRAVITY
    # Feet stop and start again each step: their bound grows as speed over time does.
    stride_time = 120.0 / performance.cadence
    assert acceleration.max() < 250.0 * performance.speed / stride_time
    rotation_steps = rot.distance(motion.rotations[1:], motion.rotations[:-1])
    assert np.degrees(rotation_steps.max()) * motion.fps * stride_time < 1500.0


@given(performances(turning=False))
@FEW
def test_the_body_goes_as_fast_as_asked(performance: Performance) -> None:
    assert performance.step_length * performance.cadence / 60.0 == pytest.approx(performance.speed)
    stride_time = 120.0 / performance.cadence
    longer = performer(
        performance.speed,
        performance.gait,
        round(performance.motion.skeleton.leg_length(), 9),
        seconds=2.0 * stride_time,
        fps=100.0 / stride_time,
    )
    way = longer.motion.root_positions[200] - longer.motion.root_positions[0]
    np.testing.assert_allclose(way, [0.0, 0.0, 2.0 * stride_time * performance.speed], atol=1e-9)


@given(performances(turning=False))
@FEW
def test_footprints_have_the_step_length_and_width_and_keep_their_side(performance: Performance) -> None:
    times = performance.motion.times
    heels = sole_points(performance)["heel"]
    prints = []
    for leg, contacts in enumerate(performance.contacts):
        for start, end in contacts.heel:
            planted = (times >= start) & (times <= end)
            if planted.any():
                prints.append((start, leg, heels[planted, leg][0]))
    prints.sort(key=lambda entry: entry[0])
    for (_, leg, here), (_, other, there) in pairwise(prints):
        assert leg != other
        assert there[2] - here[2] == pytest.approx(performance.step_length)
        assert abs(there[0] - here[0]) == pytest.approx(performance.step_width, abs=0.02)
    ankles = [leg.ankle for leg in performance.motion.skeleton.roles.legs]
    sideways = performance.motion.joint_positions()[:, ankles, 0]
    assert sideways[:, 0].min() > 0.0 > sideways[:, 1].max()


@given(performances())
@FEW
def test_a_walk_has_double_support_and_a_run_has_flight(performance: Performance) -> None:
    mask = performance.contact_mask
    if performance.gait == "walk":
        assert np.all(mask.any(axis=1))
        assert performance.double_support == pytest.approx(2.0 * performance.duty_factor - 1.0)
        assert performance.double_support > 0.05
    else:
        assert not np.any(mask.all(axis=1))
        assert performance.double_support == 0.0
        assert performance.duty_factor < 0.42
    stride_frames = 120.0 / performance.cadence * performance.motion.fps
    whole = int(len(mask) // stride_frames * stride_frames)
    assert mask[:whole].mean() == pytest.approx(performance.duty_factor, abs=2.0 / stride_frames)


@given(performances(gaits=("run",)))
@FEW
def test_a_runner_falls_freely_in_flight(performance: Performance) -> None:
    height = performance.motion.root_positions[:, 1]
    fall = np.diff(height, 2) * performance.motion.fps**2
    flying = ~performance.contact_mask.any(axis=1)
    inside = flying[:-2] & flying[1:-1] & flying[2:]
    np.testing.assert_allclose(fall[inside], -GRAVITY, atol=1e-6)


@given(performances())
@FEW
def test_events_are_the_ends_of_the_contacts(performance: Performance) -> None:
    duration = performance.motion.duration
    for leg, contacts in enumerate(performance.contacts):
        for events, column in (
            (performance.heel_strikes, contacts.foot[:, 0]),
            (performance.toe_offs, contacts.foot[:, 1]),
            (performance.toe_strikes, contacts.ball[:, 0]),
            (performance.heel_offs, contacts.heel[:, 1]),
        ):
            np.testing.assert_array_equal(events[leg], column[(column >= 0.0) & (column <= duration)])
        strides = np.diff(performance.heel_strikes[leg])
        np.testing.assert_allclose(strides, 120.0 / performance.cadence)


def test_a_walk_looks_like_the_norms() -> None:
    """Angles of a walk at 1.4 m/s beside the bands of gait laboratories, degrees."""
    performance = performer(1.4, seconds=3.0, fps=500.0)
    motion = performance.motion
    strike = performance.heel_strikes[0][0]
    phase = np.mod((motion.times - strike) * performance.cadence / 120.0, 1.0)
    knee = np.degrees(knee_flexion(performance)[:, 0])

    def between(start: float, end: float) -> np.ndarray:
        return knee[(phase >= start) & (phase <= end)]

    assert 3.0 < between(0.0, 0.002).mean() < 12.0
    assert 15.0 < between(0.05, 0.25).max() < 24.0
    assert between(0.30, 0.45).min() < 12.0
    assert 55.0 < between(0.65, 0.85).max() < 68.0
    assert 0.60 < performance.duty_factor < 0.63
    assert 100.0 < performance.cadence < 118.0
    assert 0.025 < np.ptp(motion.root_positions[:, 1]) < 0.055


def test_arms_swing_against_their_legs() -> None:
    for speed in (1.0, 1.4, 3.0):
        motion = performer(speed, seconds=4.0).motion
        positions = motion.joint_positions()
        roles = motion.skeleton.roles
        for leg, arm in zip(roles.legs, roles.arms, strict=True):
            foot = positions[:, leg.ankle, 2] - positions[:, roles.root, 2]
            hand = positions[:, arm.wrist, 2] - positions[:, roles.root, 2]
            assert np.corrcoef(foot, hand)[0, 1] < -0.7


def test_speed_chooses_the_gait() -> None:
    assert performer(1.9, seconds=0.5).gait == "walk"
    assert performer(2.1, seconds=0.5).gait == "run"
    assert performer(1.6, seconds=0.5, leg_length=0.5).gait == "run"


def test_bodies_of_different_size_move_alike() -> None:
    small = performer(1.0, "walk", 0.6, seconds=2.0, fps=100.0)
    root = math.sqrt(2.0)
    large = performer(root, "walk", 1.2, seconds=2.0 * root, fps=100.0 / root)
    np.testing.assert_allclose(large.motion.rotations, small.motion.rotations, atol=1e-9)
    np.testing.assert_allclose(large.motion.root_positions, 2.0 * small.motion.root_positions, atol=1e-9)


def test_a_turn_is_to_the_left_when_positive() -> None:
    motion = performer(1.4, turn_rate=0.5, seconds=2.0).motion
    assert motion.root_positions[-1, 0] > 0.5
    assert rot.yaw(motion.rotations[-1, 0]) == pytest.approx(1.0, abs=0.15)


def test_the_same_seed_gives_the_same_bits_and_noise_leaves_the_truth() -> None:
    clean = performer(seconds=1.0)
    one, two, other = (performer(seconds=1.0, noise=0.002, seed=seed) for seed in (7, 7, 8))
    assert one.motion.rotations.tobytes() == two.motion.rotations.tobytes()
    assert one.motion.root_positions.tobytes() == two.motion.root_positions.tobytes()
    assert one.motion.rotations.tobytes() != other.motion.rotations.tobytes()
    np.testing.assert_array_equal(one.contact_mask, clean.contact_mask)
    moved = one.motion.root_positions - clean.motion.root_positions
    assert moved.std() == pytest.approx(0.002, rel=0.15)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"speed": 0.1}, "0.30 to 2.50 m/s"),
        ({"speed": 7.0}, "1.50 to 6.00 m/s"),
        ({"speed": 2.4, "leg_length": 0.5, "gait": "walk"}, "0.22 to 1.86 m/s"),
        ({"speed": float("nan")}, "speed nan"),
        ({"leg_length": 2.0}, "0.5 to 1.3 m"),
        ({"gait": "hop"}, "'walk', 'run' or None"),
        ({"seconds": -1.0}, "seconds -1.0: expected 0 to"),
        ({"fps": 0.0}, "fps 0.0: expected 10 to"),
        ({"turn_rate": 2.0}, "turn_rate 2.0: expected -1 to 1 rad/s"),
        ({"noise": -0.1}, "noise -0.1: expected 0 to"),
    ],
)
def test_bad_parameters_are_refused_with_the_valid_range(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(LocomoteError) as caught:
        performer(**arguments)  # type: ignore[arg-type]
    assert message in str(caught.value)
