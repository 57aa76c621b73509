"""Poses of a space, how their points move, and what is told about bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.spaces import PoseSpace


@pytest.fixture(scope="module")
def run() -> lm.Motion:
    return lm.samples.performer(speed=3.0).motion


@pytest.fixture(scope="module")
def space(run: lm.Motion) -> PoseSpace:
    return PoseSpace.fit(run, 12)


@pytest.mark.feature("PGA-05")
def test_the_sum_of_all_directions_gives_every_pose_back(run: lm.Motion) -> None:
    space = PoseSpace.fit(run, keep=1.0, joints=run.skeleton.names[1:])
    whole = PoseSpace.fit(run, len(space.variance.shares), joints=run.skeleton.names[1:])
    back = whole.motion(whole.coordinates(run), run)
    assert rot.distance(back.rotations, run.rotations).max() < 1e-10


def test_coordinates_of_the_first_kind_leave_a_residual_in_the_product_form() -> None:
    # 31 joints that move by ±0.35 rad for each of 6 causes: the residual of the product form does not vanish.
    rng = np.random.default_rng(0)
    causes = rng.uniform(-1.0, 1.0, size=(400, 6))
    vectors = np.einsum("nc,cja->nja", causes, 0.35 * rng.normal(size=(6, 31, 3)) / np.sqrt(3.0))
    skeleton = lm.Skeleton(tuple(f"j{i}" for i in range(32)), np.arange(32) - 1, np.ones((32, 3)))
    turns = np.concatenate([rot.identity(400, 1), rot.exp(vectors)], axis=1)
    motion = lm.Motion(skeleton, 60.0, np.zeros((400, 3)), turns)
    space = PoseSpace.fit(motion, 93, joints=range(1, 32))
    x = space.coordinates(motion)
    errors = {form: np.degrees(rot.distance(space.rotations(x, form), turns)) for form in ("sum", "product")}
    assert errors["sum"].max() < 1e-6
    assert errors["product"].mean() > 1.0


def test_one_direction_is_a_geodesic_in_both_forms(space: PoseSpace) -> None:
    x = np.zeros((3, len(space)))
    x[:, 2] = 0.0, 0.4, 0.8
    for form in ("sum", "product"):
        turns = space.rotations(x, form)
        halves = rot.slerp(turns[0], turns[2], np.full(len(space.skeleton), 0.5))
        assert rot.distance(halves, turns[1]).max() < 1e-7
        speed = np.linalg.norm(space.directions[2], axis=-1)
        np.testing.assert_allclose(rot.distance(turns[0], turns[1]), 0.4 * speed, atol=1e-7)


@pytest.mark.feature("PGA-06")
@pytest.mark.parametrize("form", ["sum", "product"])
def test_jacobians_are_those_of_central_differences(space: PoseSpace, form: str) -> None:
    rng = np.random.default_rng(6)
    x = 3.0 * space.deviations * rng.normal(size=(5, len(space)))
    for joint in ("LeftHand", "RightToeBase", "Head", "Spine"):
        point = rng.normal(size=3) * 0.1
        found = space.jacobian(x, joint, point, form)
        for j in range(len(space)):
            step = np.zeros(len(space))
            step[j] = 1e-5
            ends = [_point(space, x + sign * step, joint, point, form) for sign in (1.0, -1.0)]
            np.testing.assert_allclose(found[:, :, j], (ends[0] - ends[1]) / 2e-5, atol=1e-6)


def _point(space: PoseSpace, x: np.ndarray, joint: str, point: np.ndarray, form: str) -> np.ndarray:
    poses = space.pose(x, form)
    motion = lm.Motion(space.skeleton, 1.0, poses.root_positions, poses.rotations)
    places, turns = motion.world()
    j = space.skeleton.index(joint)
    return places[:, j] + rot.rotate(turns[:, j], point)


def test_recorded_poses_are_within_the_limits(run: lm.Motion) -> None:
    whole = PoseSpace.fit(run, keep=0.9999)
    x = whole.coordinates(run)
    assert whole.excess(x).max() < 0.02
    assert whole.excess(4.0 * x).max() > 0.5


def test_a_space_comes_back_from_its_file(space: PoseSpace, run: lm.Motion, tmp_path: Path) -> None:
    space.save(tmp_path / "run.npz")
    back = PoseSpace.load(tmp_path / "run.npz")
    for name in ("mean_rotations", "directions", "deviations", "limit_matrices"):
        np.testing.assert_array_equal(getattr(back, name), getattr(space, name))
    assert back.skeleton.names == run.skeleton.names
    assert back.variance.count(0.95) == space.variance.count(0.95)
    np.testing.assert_array_equal(back.coordinates(run), space.coordinates(run))


def test_damaged_and_foreign_files_are_told(space: PoseSpace, run: lm.Motion, tmp_path: Path) -> None:
    path = tmp_path / "space.npz"
    with pytest.raises(lm.LocomoteError, match="no such file"):
        PoseSpace.load(path)
    space.save(path)
    whole = path.read_bytes()
    for cut in (0, 10, len(whole) // 2, len(whole) - 30):
        path.write_bytes(whole[:cut])
        with pytest.raises(lm.LocomoteError, match="is not a whole file"):
            PoseSpace.load(path)
    lm.save(run, tmp_path / "run.npz")
    with pytest.raises(lm.FormatError, match="is not a locomote pose space"):
        PoseSpace.load(tmp_path / "run.npz")


def test_bad_input_gets_one_clear_line(space: PoseSpace, run: lm.Motion) -> None:
    other = lm.Motion(lm.Skeleton(("a", "b"), [-1, 0], np.zeros((2, 3))), 60.0, np.zeros((2, 3)), rot.identity(2, 2))
    for message, call in {
        "k = 0": lambda: PoseSpace.fit(run, 0),
        "have at most": lambda: PoseSpace.fit(run, 500),
        "expected at least one": lambda: PoseSpace.fit([]),
        "at least two poses": lambda: PoseSpace.fit(run[:1]),
        "a joint besides the root": lambda: PoseSpace.fit(run, joints=[]),
        "share 1.5": lambda: PoseSpace.fit(run, keep=1.5),
        "metric 'miles'": lambda: PoseSpace.fit(run, metric="miles"),
        "no joint 'Tail'": lambda: PoseSpace.fit(run, joints=["Tail"]),
        "the skeletons differ": lambda: PoseSpace.fit([run, other]),
        "one for each direction": lambda: space.pose(np.zeros(3)),
        "not finite": lambda: space.pose(np.full(12, np.nan)),
        "form 'both'": lambda: space.pose(np.zeros(12), "both"),
        r"expected \(..., 22, 4\)": lambda: space.coordinates(np.zeros((3, 4))),
    }.items():
        with pytest.raises(lm.LocomoteError, match=message):
            call()
