"""Clips edited by dragging joints: what is dragged arrives, feet stay, and nothing changes outside of the window."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import locomote as lm
from locomote.contacts import Contacts, detect
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.spaces import Drag, Handle, PoseDatabase, Poser, PoseSpace, Reach, Tracks, edit, pose_space


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


@pytest.mark.feature("PGA-09")
def test_a_compressed_clip_is_dragged_by_three_handles_in_ten_directions(walk: Motion) -> None:
    clip = Tracks.encode(walk.resampled(60.0), 10, (2, 2)).decode()
    space, at, frame = pose_space(clip, k=10), clip.skeleton.index, len(clip) // 2
    before = clip.joint_positions()[frame]
    pose = lm.Poses(clip.skeleton, clip.root_positions[frame : frame + 1], clip.rotations[frame : frame + 1])
    feet = [Handle(name, before[at(name)]) for name in ("LeftFoot", "RightFoot")]
    last, drawn = None, before
    for step in range(60):  # one second of a mouse, each pose from the last
        goal = before[at("RightHand")] + (step + 1) / 60.0 * np.array([0.05, 0.2, 0.15])
        found = space.reach([Handle("RightHand", goal), *feet], pose, previous=last)
        last, places = found.coordinates[0], found.pose.joint_positions()[0]
        assert len(last) == 10
        assert found.error.max() < 5e-3
        assert np.linalg.norm(places - drawn, axis=1).max() < 0.02
        drawn = places
    # The whole clip gives way to it within half a second, and is the decoded one elsewhere.
    new = edit(clip, [Drag("RightHand", frame / clip.fps, goal)], space=space)
    assert np.linalg.norm(new.joint_positions()[frame, at("RightHand")] - goal) < 1e-3
    assert moved(clip, new)[:, [leg.ankle for leg in clip.skeleton.roles.legs]].max() < 5e-3
    assert np.array_equal(new.rotations[0], clip.rotations[0])


def planted(motion: Motion, contacts: Contacts, raised: float) -> list[Handle]:
    """Handles that keep feet where they stand, the rest of the body about where it was."""
    places, frames, handles = motion.joint_positions(), np.arange(len(motion)), []
    for k, leg in enumerate(contacts.legs):
        known: list[int] = []
        away: list[np.ndarray] = []
        for first, end in contacts.intervals(k):
            lowest = np.where(contacts.toe[first:end, k], 1, 0)  # a foot rolls from its heel onto its ball
            steps = np.diff(contacts.points[first:end, k], axis=0)[np.arange(end - first - 1), lowest[1:]]
            slid = np.concatenate([np.zeros((1, 3)), np.cumsum(steps * [1.0, 0.0, 1.0], axis=0)])
            known += range(first, end)
            away += list(slid.mean(axis=0) - slid)
        back = np.stack([np.interp(frames, known, column) for column in np.array(away).T], axis=1)
        handles += [Handle(j, position=places[:, j] + back + [0.0, raised, 0.0]) for j in (leg.ankle, leg.ball)]
    roles = motion.skeleton.roles
    loose = [(0, 0.1), (roles.head, 0.05), *((arm.wrist, 0.05) for arm in roles.arms)]
    return handles + [Handle(j, position=places[:, j] + [0.0, raised, 0.0], weight=w) for j, w in loose]


@pytest.mark.feature("POS-11")
@pytest.mark.parametrize("by", ["space", "poses"])
def test_feet_that_skate_and_sink_are_put_right_by_handles(walk: Motion, space: PoseSpace, by: str) -> None:
    sunk = 0.03
    slow = walk.resampled(60.0)
    bad = replace(slow, root_positions=slow.root_positions * [1.0, 1.0, 1.08] - [0.0, sunk, 0.0])
    assert lm.measure(bad).drift_p95 > 20.0
    handles = planted(bad, detect(bad), sunk)
    if by == "space":
        settings = Reach(smooth=3e-5, prior=1e-6)
        mended = space.reach(handles, bad, root="free", settings=settings).pose
    else:
        mended = Poser(PoseDatabase.default().onto(bad.skeleton)).follow(handles, bad.fps, previous=bad[:1]).pose
    assert isinstance(mended, Motion)
    told = lm.measure(mended)
    assert told.drift_max < 5.0
    assert told.penetration < 2.0
    assert abs(told.floor_height) < 0.002  # where the floor is, not where feet had sunk to
    assert moved(bad, mended).mean() < 2.0 * sunk


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
