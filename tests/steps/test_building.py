from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.contacts import detect
from locomote.errors import LocomoteError
from locomote.formats import load, save
from locomote.human.fitting._importing import import_motion
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.samples import performer
from locomote.steps._database import StepDatabase
from locomote.steps._plan import LEFT, RIGHT
from locomote.steps._timeline import FROM, LAND, LIFT, SAMPLES, TO
from locomote.steps.building._build import Built, StepClip, build_steps, parameters, supporting_frame
from locomote.steps.building._cutting import cut_steps
from locomote.steps.building._foot_cleanup import clean, lowest_points

BALL = 1
LEVEL = [0, 2]


@pytest.fixture(scope="module")
def walked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Built]:
    """The steps of a synthetic walk in a bend."""
    path = tmp_path_factory.mktemp("steps") / "walk.bvh"
    save(performer(speed=1.2, turn_rate=0.4, seconds=6, fps=60).motion, path)
    return path, build_steps([StepClip(path, "nobody")])


def check_feet(built: Built) -> None:
    """Standing feet stay where they are, on the floor, and the parameters say where."""
    steps = built.steps
    support, swing = steps.feet[:, :, LEFT], steps.feet[:, :, RIGHT]
    assert np.abs(support[:, :, BALL][..., LEVEL]).max() < 1e-6
    stands = np.r_[0 : LIFT + 1, LAND:SAMPLES]
    assert np.abs(lowest_points(support)).max() < 1e-6
    assert np.abs(lowest_points(swing[:, stands])).max() < 1e-6
    start, end = swing[:, : LIFT + 1, BALL], swing[:, LAND:, BALL]
    zero = np.zeros(len(steps))
    first = np.stack([steps.params[:, 0], zero], axis=1)[:, None]
    assert np.abs(start[..., LEVEL] - first).max() < 1e-6
    assert np.abs(end[..., LEVEL] - steps.params[:, None, 1:]).max() < 1e-6
    assert np.all(steps.params[:, 0] > 0.0)
    positions = Motion(
        COMMON, 1.0, steps.roots.reshape(-1, 3), steps.rotations.reshape(-1, len(COMMON), 4)
    ).joint_positions()
    balls = positions[:, [COMMON.index("LeftToeBase"), COMMON.index("RightToeBase")]]
    assert np.abs(balls.reshape(steps.feet[:, :, :, BALL].shape) - steps.feet[:, :, :, BALL]).max() < 1e-6


@pytest.mark.feature("STR-05")
def test_standing_feet_stand(walked: tuple[Path, Built]) -> None:
    check_feet(walked[1])


@pytest.mark.data
@pytest.mark.feature("STR-05")
def test_recorded_feet_stand(data: Path) -> None:
    clips = [
        StepClip(data / "human" / "walk" / f"cmu_{name}.bvh.xz", name[:2], drop_tpose=True)
        for name in ("16_15", "16_21", "07_01")
    ]
    built = build_steps(clips)
    assert len(built.steps) >= 8
    check_feet(built)


@pytest.mark.feature("STR-05")
def test_height_does_not_change_where_feet_stand(walked: tuple[Path, Built]) -> None:
    steps = walked[1].steps
    places = np.zeros((3, len(steps), 3))
    places[1, :, 0] = steps.params[:, 0]
    places[2][:, LEVEL] = steps.params[:, 1:]
    wave = 0.03 + 0.02 * np.sin(np.arange(SAMPLES))[None, :, None] * [0.0, 1.0, 0.0]
    level, raised = (clean(steps.roots + shift, steps.rotations, *places).limbs for shift in (0.0, wave))
    for sample in (FROM, TO):
        np.testing.assert_allclose(
            raised.feet[:, sample, :, BALL][..., LEVEL], level.feet[:, sample, :, BALL][..., LEVEL], atol=1e-9
        )
    assert np.abs(lowest_points(raised.feet[:, :, LEFT])).max() < 1e-6


@pytest.mark.feature("STR-06")
@given(
    yaw=st.floats(-3.1, 3.1),
    away=st.tuples(*[st.floats(-50.0, 50.0)] * 3),
    start=st.tuples(st.floats(0.1, 1.0), st.floats(-3.1, 3.1)),
    landing=st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0)),
    side=st.sampled_from([LEFT, RIGHT]),
)
def test_parameters_do_not_depend_on_the_place(
    yaw: float, away: tuple[float, ...], start: tuple[float, float], landing: tuple[float, float], side: int
) -> None:
    places = np.zeros((3, 3))
    places[1] = start[0] * np.array([np.cos(start[1]), 0.0, np.sin(start[1])])
    places[2][LEVEL] = landing
    here = parameters(*places, side)
    assert here[0] == pytest.approx(start[0] * (1 if side == RIGHT else -1))
    there = rot.rotate(rot.from_yaw(yaw), places) + np.array(away)
    np.testing.assert_allclose(parameters(*there, side), here, atol=1e-9)
    turn = rot.from_yaw(supporting_frame(there[0], there[1], side))
    framed = rot.rotate(turn, there - there[0])
    np.testing.assert_allclose(rot.rotate(rot.inverse(turn), framed) + there[0], there, atol=1e-12)
    np.testing.assert_allclose(framed[1], [here[0], 0.0, 0.0], atol=1e-9)


def test_forward_is_minus_z_for_feet_side_by_side() -> None:
    # A person who faces +Z has the right foot at -X; a step ahead lands at +Z.
    ahead = parameters(np.zeros(3), np.array([-0.2, 0.0, 0.0]), np.array([-0.2, 0.0, 0.6]), RIGHT)
    np.testing.assert_allclose(ahead, [0.2, 0.2, -0.6], atol=1e-12)
    left = parameters(np.zeros(3), np.array([0.2, 0.0, 0.0]), np.array([0.2, 0.0, 0.6]), LEFT)
    np.testing.assert_allclose(left, ahead * [-1, -1, 1], atol=1e-12)


@pytest.mark.feature("STR-07")
def test_events_lie_on_the_same_samples(walked: tuple[Path, Built]) -> None:
    path, built = walked
    steps = built.steps
    assert steps.roots.shape[1] == steps.feet.shape[1] == steps.rotations.shape[1] == SAMPLES
    ball = steps.feet[:, :, RIGHT, BALL]
    travel = np.linalg.norm(np.diff(ball, axis=1)[..., LEVEL], axis=-1)
    assert np.all(travel[:, :LIFT] < 1e-6)
    assert np.all(travel[:, LAND:] < 1e-6)
    assert np.all(travel[:, LIFT + 4 : LAND - 4] > 1e-4)
    motion = load(path)
    cuts, _ = cut_steps(detect(motion), motion.skeleton.leg_length())
    expected = np.array([np.diff(cut.times) for cut in cuts])
    hips = import_motion(motion).hip_height
    np.testing.assert_allclose(np.sort(steps.durations, axis=0), np.sort(expected, axis=0) * np.sqrt(0.9 / hips))


@pytest.mark.feature("STR-09")
def test_a_mirrored_walk_gives_the_mirrored_steps(walked: tuple[Path, Built], tmp_path: Path) -> None:
    steps = walked[1].steps
    mirror = performer(speed=1.2, turn_rate=0.4, seconds=6, fps=60).motion
    path = tmp_path / "mirror.bvh"
    save(_mirrored(mirror), path)
    images = build_steps([StepClip(path, "nobody")]).steps
    assert len(images) == len(steps)
    order, other = np.argsort(steps.durations[:, 1]), np.argsort(images.durations[:, 1])
    np.testing.assert_allclose(images.params[other], steps.params[order], atol=2e-3)
    np.testing.assert_array_equal(images.swung[other], 1 - steps.swung[order])


@pytest.mark.feature("STR-09")
def test_images_double_the_steps_of_a_foot() -> None:
    steps = StepDatabase.default()
    right, left = steps.arrays(RIGHT), steps.arrays(LEFT)
    np.testing.assert_allclose(left.params, right.params * [-1, -1, 1])
    np.testing.assert_allclose(left.feet[:, :, LEFT], right.feet[:, :, RIGHT] * [-1, 1, 1])
    # The flag: with images every foot has all steps, without them only its own.
    own = [len(steps.arrays(side, images=False).params) for side in (LEFT, RIGHT)]
    assert sum(own) == len(right.params) == len(left.params)
    assert min(own) > 0.4 * len(steps)


def test_clips_without_steps_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.bvh"
    save(performer(speed=3.0, gait="run", seconds=2, fps=60).motion, path)
    with pytest.raises(LocomoteError, match="no step found"):
        build_steps([StepClip(path, "nobody")])


def test_clips_of_no_use_do_not_stop_a_build(walked: tuple[Path, Built], tmp_path: Path) -> None:
    run = tmp_path / "run_1.bvh"
    save(performer(speed=3.0, gait="run", seconds=2, fps=60).motion, run)
    names = [StepClip(run, "run"), StepClip(tmp_path / "gone.bvh", "walk"), StepClip(walked[0], "walk")]
    built = build_steps(names)
    np.testing.assert_array_equal(built.steps.params, walked[1].steps.params)
    reasons = {one.what: one.reason for one in built.skipped}
    assert set(reasons) == {"clip run_1", "clip gone"}
    assert "no step: " in reasons["clip run_1"]
    assert "no such file" in reasons["clip gone"]


def _mirrored(motion: Motion) -> Motion:
    """Left and right exchanged, on a body that is its own mirror image."""
    names = list(motion.skeleton.names)
    other = [names.index(_opposite(name)) for name in names]
    turns: FloatArray = motion.rotations[:, other] * [1.0, 1.0, -1.0, -1.0]
    return Motion(motion.skeleton, motion.fps, motion.root_positions * [-1.0, 1.0, 1.0], turns)


def _opposite(name: str) -> str:
    if name.startswith("Left"):
        return "Right" + name.removeprefix("Left")
    return "Left" + name.removeprefix("Right") if name.startswith("Right") else name
