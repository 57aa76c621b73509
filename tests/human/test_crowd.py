"""What a crowd shows: poses as the model says, places as commanded, sizes, records, repeatability."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human._crowd import Crowd
from locomote.human._packing import HINGES, from_planes, to_planes
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.samples import human_skeleton
from tests.human.toy import SAMPLES, STYLES, toy_model

FRAME = 1.0 / 60.0
weights = st.lists(st.floats(0.0, 1.0), min_size=3, max_size=3).filter(lambda w: sum(w) > 0.1)


@pytest.fixture(scope="module")
def model():
    return toy_model()


@pytest.mark.feature("PCA-019")
@given(
    speed=st.floats(0.0, 4.0),
    run=st.one_of(st.sampled_from([0.0, 1.0]), st.floats(0.0, 1.0)),
    style=weights,
    leg=st.floats(0.4, 1.4),
)
def test_cycle_and_frequency_are_those_of_the_dense_model(speed, run, style, leg):
    model = toy_model()
    size = leg / 0.925 / 0.9
    speed = min(speed, (4.0 if run == 1.0 else 2.4) * np.sqrt(size))  # beyond, a gait is held at its fastest
    crowd = Crowd(model, 1, speed=speed, gait=run, style=style, leg_length=leg)
    # Bodies of different size move alike at the same Froude number.
    like = speed / np.sqrt(size)
    mixture = model.weights(np.array(style))
    np.testing.assert_allclose(crowd.unit(), model.unit(like, run, mixture), atol=1e-5)
    wanted = model.cycles_per_second(like / 0.9, run, mixture) / np.sqrt(size)
    np.testing.assert_allclose(crowd.frequencies, wanted, rtol=1e-9)


def test_poses_at_the_samples_are_those_of_the_model(model):
    phases = np.arange(SAMPLES) / SAMPLES
    crowd = Crowd(
        model,
        SAMPLES,
        speed=3.0,
        style="plain",
        phases=phases,
        positions=(1.0, 2.0, 3.0),
        heading=0.7,
        feet=False,
        lively=0.0,
    )
    poses = crowd.poses
    size = 0.9 / 0.925
    root, turns = model.encoding.decode(model.unit(3.0 / np.sqrt(size / 0.9), 1.0, model.weights("plain")))
    facing = rot.from_yaw(0.7)
    turns[:, 0] = rot.multiply(facing, turns[:, 0])
    turns = _bounded(turns)
    wanted = [1.0, 2.0, 3.0] + size * rot.rotate(facing, root)
    np.testing.assert_allclose(poses.root_positions, wanted, atol=1e-5)
    assert np.max(rot.distance(poses.rotations, turns)) < 1e-5
    np.testing.assert_allclose(np.linalg.norm(poses.rotations, axis=-1), 1.0, atol=1e-6)
    assert np.all(poses.rotations[..., 0] >= 0.0)
    motion = Motion(human_skeleton(0.9), 60.0, wanted, turns)
    np.testing.assert_allclose(poses.joint_positions(), motion.joint_positions(), atol=2e-5)


def test_between_the_samples_the_pose_is_smooth(model):
    """Positions and velocities are continuous in the phase."""
    phases = np.linspace(0.0, 1.0, 2001)[:-1]
    here = {"phases": phases, "positions": (0.0, 0.0, 0.0)}
    crowd = Crowd(model, len(phases), speed=1.4, style="plain", feet=False, lively=0.0, **here)
    path = crowd.poses.joint_positions()
    velocity = np.diff(np.concatenate([path, path[:2]]), axis=0) * 2000
    assert np.max(np.abs(np.diff(velocity, axis=0))) < 0.05 * np.max(np.abs(velocity))


@pytest.mark.feature("PCA-007")
@pytest.mark.parametrize(("speed", "gait"), [(0.0, "walk"), (0.6, "walk"), (1.3, "walk"), (2.8, "run")])
def test_the_same_motion_on_longer_legs_carries_a_body_further_in_proportion(model, speed, gait) -> None:
    """At the same Froude number, frame by frame: the path of the root is 1.25 times as long, high and wide."""
    ratio = 1.25
    small, large = (
        Crowd(model, 1, seed=1, speed=speed * np.sqrt(size), gait=gait, leg_length=0.7 * size, feet=False, lively=0.0)
        for size in (1.0, ratio)
    )
    for _ in range(150):
        paths = [
            crowd.step(np.sqrt(size) / 60.0).root_positions[0].copy() for crowd, size in ((small, 1.0), (large, ratio))
        ]
        np.testing.assert_allclose(paths[1], ratio * paths[0], atol=1e-9)
        np.testing.assert_allclose(large.poses.rotations, small.poses.rotations, atol=1e-9)


@pytest.mark.feature("PCA-035")
@pytest.mark.parametrize("speed", [0.3, 1.4, 3.0])
def test_no_jump_where_the_cycle_closes(model, speed):
    phases = np.array([1.0 - 1e-9, 0.0, 1e-9])
    here = {"phases": phases, "positions": (0.0, 0.0, 0.0)}
    crowd = Crowd(model, 3, speed=speed, style="plain", feet=False, lively=0.0, **here)
    poses = crowd.poses
    assert np.max(np.abs(poses.joint_positions() - poses.joint_positions()[1])) < 1e-6
    assert np.max(np.abs(poses.rotations - poses.rotations[1])) < 1e-6


@pytest.mark.feature("PCA-036")
def test_a_minute_straight_on_ends_where_it_should(model):
    crowd = Crowd(model, 4, speed=[0.5, 1.4, 2.0, 4.0], heading=[0.0, 1.0, -2.0, 3.0])
    start, way = crowd.positions, np.zeros(4)
    roots = []
    for _ in range(3600):
        way += crowd.speeds * FRAME
        roots.append(crowd.step(FRAME).root_positions - crowd.positions)
    ahead = way[:, None] * np.stack([np.sin(crowd.headings), np.zeros(4), np.cos(crowd.headings)], axis=1)
    np.testing.assert_allclose(crowd.positions, start + ahead, atol=1e-6)
    # The body stays over the place: its mean offset over many cycles is that of the cycle.
    drift = np.mean(roots[-600:], axis=0) - np.mean(roots[:600], axis=0)
    assert np.max(np.abs(drift)) < 5e-3


@pytest.mark.feature("PCA-036")
def test_a_circle_closes(model):
    crowd = Crowd(model, 1, speed=1.4)
    crowd.command(turn_rate=0.5, within=0.0)
    start, frames = crowd.positions, 700
    far = 0.0
    for _ in range(frames):
        crowd.step(2.0 * np.pi / 0.5 / frames)
        far = max(far, float(np.linalg.norm(crowd.positions - start)))
    np.testing.assert_allclose(crowd.positions, start, atol=1e-3)
    assert abs(far - 2.0 * 1.4 / 0.5) < 1e-3


def test_the_place_is_exact_on_ramps_of_any_step(model):
    """The travel on a ramp of speed is its area, whatever the length of a step."""
    for dt in (0.01, 0.07, 0.5):
        crowd = Crowd(model, 1, speed=0.5, heading=0.0)
        crowd.command(speed=1.5, within=1.0)
        for _ in range(round(2.0 / dt + 0.49)):
            crowd.step(dt)
        elapsed = dt * round(2.0 / dt + 0.49)
        np.testing.assert_allclose(crowd.positions[0, 2], 1.0 + 1.5 * (elapsed - 1.0), atol=1e-9)


@pytest.mark.feature("PCA-030")
def test_the_feet_hold_as_well_on_any_size(model):
    """The slide of a stance, in hip heights, is the same from 0.5 to 1.3 m at speeds that correspond."""
    legs = np.array([0.5, 0.7, 0.9, 1.1, 1.3])
    slides = []
    for pace, gait in ((1.0, "walk"), (1.4, "walk"), (3.0, "run")):
        size = legs / 0.925
        crowd = Crowd(model, 5, leg_length=legs, speed=pace * np.sqrt(size / 0.9), gait=gait, style="plain", phases=0.1)
        slides.append(_slide_in_stance(crowd))
    slides = np.array(slides)
    assert np.max(slides) < 0.02
    assert np.all(slides[:, -1] <= 1.05 * slides[:, 0] + 1e-3)


def test_size_scales_the_body_and_its_poses(model):
    legs = np.array([0.5, 0.9, 1.3])
    crowd = Crowd(model, 3, leg_length=legs, speed=1.2)
    poses = crowd.step(0.3)
    for n, leg in enumerate(legs):
        motion = Motion(human_skeleton(leg), 60.0, poses.root_positions[n : n + 1], poses.rotations[n : n + 1])
        np.testing.assert_allclose(poses.joint_positions()[n], motion.joint_positions()[0], atol=1e-5)
    alone = replace(poses, known_positions=None).joint_positions()
    np.testing.assert_allclose(alone, poses.joint_positions(), atol=1e-5)


def test_a_body_may_grow_while_it_walks(model):
    crowd = Crowd(model, 1, leg_length=0.6, speed=1.0, style="plain")
    before = crowd.frequencies[0]
    crowd.command(leg_length=1.1, within=1.0)
    motion = crowd.record(2.0)
    assert crowd.frequencies[0] < before
    np.testing.assert_allclose(crowd.leg_lengths, 1.1)
    np.testing.assert_allclose(crowd.poses.scales, 1.1 / 0.6)
    np.testing.assert_allclose(motion.joint_positions()[-1], crowd.poses.joint_positions()[0], atol=1e-5)


def test_record_is_a_motion_of_one_character(model):
    crowd, twin = (Crowd(model, 3, seed=4, speed=1.3, leg_length=0.8) for _ in range(2))
    motion = crowd.record(1.0, fps=50.0, who=1)
    assert (len(motion), motion.fps) == (51, 50.0)
    np.testing.assert_allclose(motion.skeleton.leg_length(), 0.8)
    np.testing.assert_allclose(motion.joint_positions()[0], twin.poses.joint_positions()[1], atol=1e-5)
    for _ in range(50):
        twin.step(0.02)
    np.testing.assert_allclose(motion.joint_positions()[-1], twin.poses.joint_positions()[1], atol=1e-5)


def test_same_seed_same_bits(model):
    a, b, other = (Crowd(model, 20, seed=seed, speed=1.0) for seed in (7, 7, 8))
    for crowd in (a, b, other):
        crowd.command(speed=2.5, turn_rate=0.3)
        for _ in range(30):
            crowd.step(FRAME)
    assert np.array_equal(a.poses.rotations, b.poses.rotations)
    assert np.array_equal(a.poses.joint_positions(), b.poses.joint_positions())
    assert not np.array_equal(a.poses.rotations, other.poses.rotations)


@pytest.mark.feature("PCA-091")
def test_crowds_are_independent_and_one_is_a_crowd(model):
    """A thousand characters, and some of them alone at the same time: every one moves as if nobody else were there."""
    speeds = np.linspace(0.0, 4.0, 1000)
    many = Crowd(model, 1000, seed=1, speed=speeds, positions=(0.0, 0.0, 0.0), phases=0.3, lively=0.0)
    alone = {
        n: Crowd(
            model,
            1,
            speed=speeds[n],
            style=many.styles[n],
            manners=many.manners.of(n),
            positions=(0.0, 0.0, 0.0),
            phases=0.3,
            lively=0.0,
        )
        for n in (0, 123, 999)
    }
    for frame in range(60):
        if frame == 20:
            many.command(turn_rate=0.4)
        many.step(FRAME)
        for crowd in alone.values():
            if frame == 20:
                crowd.command(turn_rate=0.4)
            crowd.step(FRAME)
    for n, crowd in alone.items():
        np.testing.assert_array_equal(crowd.poses.rotations[0], many.poses.rotations[n])
        np.testing.assert_array_equal(crowd.poses.root_positions[0], many.poses.root_positions[n])


@pytest.mark.feature("PCA-095")
def test_only_what_changes_is_synthesised_anew(model):
    crowd = Crowd(model, 100, speed=1.3)
    crowd.step(FRAME)
    assert crowd.changed == 0
    crowd.command(speed=1.5, within=0.1, who=[3, 50, 99])
    crowd.command(style="stooping", within=0.1, who=np.arange(100) >= 97)
    crowd.step(FRAME)
    assert crowd.changed == 5
    crowd.command(turn_rate=0.3)  # needs no new motion
    for _ in range(10):
        crowd.step(FRAME)
    assert crowd.changed == 0


def test_a_step_hands_out_the_same_arrays(model):
    crowd = Crowd(model, 3, speed=1.0)
    kept = crowd.step(FRAME).copy()
    later = crowd.step(FRAME)
    assert later is crowd.poses
    assert later.rotations is crowd.step(FRAME).rotations
    assert not np.array_equal(kept.rotations, later.rotations)
    assert not np.array_equal(kept.joint_positions(), later.joint_positions())


def test_knees_and_elbows_stay_in_their_range(model):
    """A style far beyond the data bends knees backwards; the crowd does not show it."""
    wild = replace(model, offset=40.0 * model.offset, slope=40.0 * model.slope)
    crowd = Crowd(wild, 200, speed=np.linspace(0.6, 4.0, 200))
    turns = crowd.poses.rotations
    for name, (axis, sense, widest) in HINGES.items():
        q = turns[:, COMMON.index(name)]
        bend = 2.0 * np.arctan2(sense * q[:, axis], q[:, 0])
        assert bend.min() > -1e-6
        assert bend.max() < widest + 1e-6


def test_planes_hold_all_channels():
    frames = np.random.default_rng(0).normal(size=(5, 63))
    np.testing.assert_array_equal(from_planes(to_planes(frames)), frames)


def test_a_crowd_has_at_least_one_character(model):
    with pytest.raises(LocomoteError, match="at least one"):
        Crowd(model, 0)
    with pytest.raises(LocomoteError, match="positions"):
        Crowd(model, 2, positions=np.zeros((3, 3)))
    with pytest.raises(LocomoteError, match="dt"):
        Crowd(model, 1).step(float("nan"))
    with pytest.raises(LocomoteError, match="seconds"):
        Crowd(model, 1).record(-1.0)


def test_new_crowds_are_spread_out_and_mixed(model):
    crowd = Crowd(model, 50, speed=1.2)
    apart = np.linalg.norm(crowd.positions[:, None] - crowd.positions[None], axis=-1) + 10.0 * np.eye(50)
    assert apart.min() > 1.0
    assert len(np.unique(crowd.phases)) == 50
    np.testing.assert_allclose(crowd.styles.sum(axis=1), 1.0)
    assert set(np.argmax(crowd.styles, axis=1)) == set(range(len(STYLES)))


def _bounded(turns: FloatArray) -> FloatArray:
    """Hinges of the plain evaluation kept in their range."""
    turns = turns.copy()
    for name, (axis, sense, widest) in HINGES.items():
        q = rot.canonical(turns[:, COMMON.index(name)])
        bend = 2.0 * np.arctan2(sense * q[:, axis], q[:, 0])
        back = np.zeros((len(q), 3))
        back[:, axis - 1] = sense * (np.clip(bend, 0.0, widest) - bend)
        turns[:, COMMON.index(name)] = rot.multiply(q, rot.exp(back))
    return turns


def _slide_in_stance(crowd: Crowd) -> FloatArray:
    """How far the right ball slides, in hip heights, in a stance of each character."""
    height = crowd.leg_lengths / 0.925
    ball = crowd.poses.skeleton.index("RightToeBase")
    slides = np.zeros(len(crowd))
    inside = (0.06, 0.2) if crowd.gaits[0] > 0.0 else (0.15, 0.4)
    before = None
    for _ in range(120):
        phases = crowd.phases
        here = crowd.poses.joint_positions()[:, ball].copy()
        if before is not None:
            moved = np.linalg.norm((here - before)[:, [0, 2]], axis=1) / height
            slides += np.where((phases > inside[0]) & (phases < inside[1]) & (crowd.cycles < 1.0), moved, 0.0)
        before = here
        crowd.step(0.01)
    return slides
