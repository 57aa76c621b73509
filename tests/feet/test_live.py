"""Feet held while a plain player plays a clip on a skeleton that is not the house's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.cleaning import LiveFeet
from locomote.creatures import Crowd
from locomote.motion import Motion, Poses
from locomote.samples import performer
from locomote.skeleton import Skeleton

HASTE = 1.09  # by which the body goes on faster than its feet allow: they skate by a tenth of its speed


def stranger() -> Motion:
    """A walk on a body of other names and proportions, whose feet skate."""
    walk = performer(speed=1.1, seconds=4.0, fps=60.0).motion
    bones = walk.skeleton
    names = tuple(f"rig_{name}_jnt" for name in bones.names)
    offsets = 0.7 * np.array(bones.offsets)
    skeleton = Skeleton(
        names,
        bones.parents,
        offsets,
        end_parents=bones.end_parents,
        end_offsets=0.7 * np.array(bones.end_offsets),
    )
    return Motion(skeleton, 60.0, 0.7 * walk.root_positions * [1.0, 1.0, HASTE], walk.rotations)


def animal() -> Motion:
    walk = Crowd("wolf", 1, speed=1.0, seed=2).record(4.0, 60.0)
    return replace(walk, root_positions=walk.root_positions * [1.0, 1.0, HASTE])


CLIPS = {"stranger": stranger, "animal": animal}


def played(clip: Motion, feet: LiveFeet | None = None) -> tuple[Motion, np.ndarray]:
    """What a plain player shows of a clip, frame by frame, and which feet are held."""
    turns, held = [], []
    for k in range(len(clip)):
        poses = Poses(clip.skeleton, clip.root_positions[k : k + 1].copy(), clip.rotations[k : k + 1].copy())
        if feet is not None:
            poses = feet.step(poses, 1.0 / clip.fps)
            held.append(feet.standing[0])
        turns.append(poses.rotations[0])
    return replace(clip, rotations=np.array(turns)), np.array(held)


def balls(motion: Motion) -> np.ndarray:
    return motion.joint_positions()[:, [leg.ball for leg in motion.skeleton.roles.legs]]


@pytest.mark.feature("PCA-092")
@pytest.mark.parametrize("name", CLIPS)
def test_feet_of_a_plain_clip_player_stand_still_on_any_skeleton(name: str) -> None:
    clip = CLIPS[name]()
    shown, held = played(clip, LiveFeet(clip.skeleton))
    before, after = balls(clip), balls(shown)
    # As the clip has it: a foot is down where its ball is within 3 cm of its lowest and slow, but for the skating.
    size = clip.skeleton.leg_length() / 0.9
    speed = np.linalg.norm(np.gradient(before, 1.0 / 60.0, axis=0)[..., [0, 2]], axis=-1)
    down = (before[..., 1] - before[..., 1].min(axis=0) < 0.03 * size) & (speed < 0.35)
    assert down.mean() > 0.25
    assert held[down].mean() > 0.75
    both = held[1:] & held[:-1]
    slides = np.linalg.norm(np.diff(after, axis=0)[..., [0, 2]], axis=-1)[both]
    skates = np.linalg.norm(np.diff(before, axis=0)[..., [0, 2]], axis=-1)[both]
    assert np.median(skates) > 5e-4
    assert slides.max() < 1e-4  # m a frame
    # Feet are only shifted, and nothing is thrown about for it.
    np.testing.assert_allclose(after[..., 1], before[..., 1], atol=2e-3)
    legs = {joint for leg in clip.skeleton.roles.legs for joint in leg.chain}
    others = [j for j in range(len(clip.skeleton)) if j not in legs]
    np.testing.assert_array_equal(shown.rotations[:, others], clip.rotations[:, others])
    steps = [np.linalg.norm(np.diff(m.joint_positions(), axis=0), axis=-1).max() for m in (clip, shown)]
    assert steps[1] < 1.35 * steps[0]
    turns = [rot.distance(m.rotations[1:], m.rotations[:-1]).max() for m in (clip, shown)]
    assert turns[1] < 2.0 * turns[0]


def test_feet_that_stand_still_already_hardly_change() -> None:
    clip = performer(speed=1.2, seconds=3.0, fps=60.0).motion
    shown, held = played(clip, LiveFeet(clip.skeleton))
    assert held.any()
    away = np.linalg.norm(shown.joint_positions() - clip.joint_positions(), axis=-1)
    assert np.median(away.max(axis=1)) < 0.012
    assert away.max() < 0.04


def test_many_bodies_are_held_as_one_alone() -> None:
    clip = stranger()
    feet, alone = LiveFeet(clip.skeleton, 3), LiveFeet(clip.skeleton)
    for k in range(90):
        rows = [k, k + 20, k + 40]
        poses = feet.step(Poses(clip.skeleton, clip.root_positions[rows], clip.rotations[rows]), 1.0 / 60.0)
        one = alone.step(Poses(clip.skeleton, clip.root_positions[k : k + 1], clip.rotations[k : k + 1]), 1.0 / 60.0)
        assert rot.distance(poses.rotations[0], one.rotations[0]).max() < 0.02  # knees learn their side together
    np.testing.assert_array_equal(feet.standing[0], alone.standing[0])
    feet.reset()
    assert not feet.standing.any()


def test_what_is_wrong_is_said() -> None:
    clip = stranger()
    feet = LiveFeet(clip.skeleton)
    one = Poses(clip.skeleton, clip.root_positions[:1], clip.rotations[:1])
    with pytest.raises(lm.LocomoteError, match="seconds above 0"):
        feet.step(one, 0.0)
    with pytest.raises(lm.LocomoteError, match="expected 1 poses"):
        feet.step(Poses(clip.skeleton, clip.root_positions[:2], clip.rotations[:2]), 0.1)
    with pytest.raises(lm.LocomoteError, match="other sizes"):
        feet.step(replace(one, scales=np.ones(1)), 0.1)
    with pytest.raises(lm.LocomoteError, match="count 0"):
        LiveFeet(clip.skeleton, 0)
    rod = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 1.0, 0.0], [0.0, 1.0, 0.0]]))
    with pytest.raises(lm.LocomoteError, match="no legs"):
        LiveFeet(rod)
