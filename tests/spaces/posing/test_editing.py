"""Clips edited by dragging joints: what is dragged arrives, feet stay, and nothing changes outside of the window."""

from __future__ import annotations

import numpy as np
import pytest

import locomote as lm
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.spaces import Drag, PoseSpace, edit, pose_space


@pytest.fixture(scope="module")
def walk() -> Motion:
    return lm.samples.performer(speed=1.3, seconds=3.0).motion


@pytest.fixture(scope="module")
def space(walk: Motion) -> PoseSpace:
    return pose_space(walk.skeleton)


def moved(a: Motion, b: Motion) -> np.ndarray:
    return np.linalg.norm(a.joint_positions() - b.joint_positions(), axis=-1)


def test_a_dragged_hand_arrives_and_the_rest_of_the_clip_is_as_it_was(walk: Motion, space: PoseSpace) -> None:
    frame, hand = int(1.5 * walk.fps), walk.skeleton.index("RightHand")
    goal = walk.joint_positions()[frame, hand] + [0.0, 0.3, 0.25]
    new = edit(walk, [Drag("RightHand", 1.5, goal, window=0.5)], space=space)
    assert np.linalg.norm(new.joint_positions()[frame, hand] - goal) < 1e-3
    outside = np.abs(walk.times - 1.5) >= 0.5
    assert np.array_equal(new.rotations[outside], walk.rotations[outside])
    assert np.array_equal(new.root_positions[outside], walk.root_positions[outside])
    for leg in walk.skeleton.roles.legs:
        assert moved(walk, new)[:, [leg.ankle, leg.ball]].max() < 2e-3
    assert moved(walk, new)[:, walk.skeleton.index("LeftHand")].max() < 0.05
    rough = [np.linalg.norm(np.diff(m.joint_positions(), 2, axis=0), axis=-1).max() for m in (walk, new)]
    assert rough[1] < 1.3 * rough[0]


def test_a_hand_far_away_takes_the_body_along(walk: Motion, space: PoseSpace) -> None:
    frame, hand = int(1.5 * walk.fps), walk.skeleton.index("RightHand")
    goal = walk.joint_positions()[frame, 0] * [1, 0, 1] + [-0.3, 0.35, 0.45]
    new = edit(walk, [Drag("RightHand", 1.5, goal, window=0.8)], space=space)
    assert np.linalg.norm(new.joint_positions()[frame, hand] - goal) < 0.01
    assert (
        new.joint_positions()[frame, walk.skeleton.index("Head"), 1]
        < walk.joint_positions()[frame, walk.skeleton.index("Head"), 1] - 0.1
    )


def test_drags_whose_windows_overlap_are_all_met(walk: Motion, space: PoseSpace) -> None:
    at = walk.skeleton.index
    places = walk.joint_positions()
    times = {"RightHand": (1.2, 1.6), "Head": (1.5,)}
    drags = [
        Drag(name, t, places[round(t * walk.fps), at(name)] + [0.02, -0.05 if name == "Head" else 0.2, 0.1], 0.5)
        for name, moments in times.items()
        for t in moments
    ]
    new = edit(walk, drags, space=space).joint_positions()
    for drag in drags[:2]:
        assert np.linalg.norm(new[round(drag.time * walk.fps), at("RightHand")] - drag.position) < 2e-3
    assert np.linalg.norm(new[round(1.5 * walk.fps), at("Head")] - drags[2].position) < 0.02


def test_what_is_held_stays(walk: Motion, space: PoseSpace) -> None:
    goal = walk.joint_positions()[120, walk.skeleton.index("RightHand")] + [0.0, 0.2, 0.2]
    new = edit(walk, [Drag("RightHand", 120 / walk.fps, goal)], space=space, hold=["LeftHand", "LeftFoot", "RightFoot"])
    assert moved(walk, new)[:, walk.skeleton.index("LeftHand")].max() < 2e-3


def test_a_dragged_foot_arrives_and_takes_its_ball_along(walk: Motion, space: PoseSpace) -> None:
    foot = walk.skeleton.index("LeftFoot")
    goal = walk.joint_positions()[240, foot] + [0.0, 0.2, 0.1]
    new = edit(walk, [Drag("LeftFoot", 240 / walk.fps, goal)], space=space)
    assert np.linalg.norm(new.joint_positions()[240, foot] - goal) < 5e-3
    assert moved(walk, new)[:, walk.skeleton.index("RightFoot")].max() < 5e-3


def test_nothing_dragged_nothing_changed(walk: Motion) -> None:
    assert edit(walk, []) is walk


def test_bad_drags_are_told(walk: Motion, space: PoseSpace) -> None:
    with pytest.raises(LocomoteError, match="window"):
        Drag("Head", 0.0, (0.0, 0.0, 0.0), window=0.0)
    with pytest.raises(LocomoteError, match="three numbers"):
        Drag("Head", 0.0, (0.0, np.nan, 0.0))
    with pytest.raises(LocomoteError, match=r"lasts from 0 to"):
        edit(walk, [Drag("Head", 9.0, (0.0, 1.0, 0.0))], space=space)
    with pytest.raises(LocomoteError, match="Tail"):
        edit(walk, [Drag("Tail", 1.0, (0.0, 1.0, 0.0))], space=space)
