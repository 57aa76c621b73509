"""Mixed clips by several spaces: cut where the behaviour changes, handed over without a jerk."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.spaces import PoseSpace, SegmentedSpace
from locomote.spaces._segments import find_cuts

FADE = 60  # frames at 120 Hz in which one recording becomes the next


def in_a_row(clips: list[Motion]) -> tuple[Motion, list[int]]:
    """Clips on the bones of the first, one fading into the next, and the middles of the fades."""
    turns, middles = clips[0].rotations, []
    for clip in clips[1:]:
        t = (np.arange(FADE) + 0.5) / FADE
        ease = t * t * (3.0 - 2.0 * t)
        faded = rot.slerp(turns[-FADE:], clip.rotations[:FADE], ease[:, None])
        middles.append(len(turns) - FADE // 2)
        turns = np.concatenate([turns[:-FADE], faded, clip.rotations[FADE:]])
    places = np.zeros((len(turns), 3))
    return Motion(clips[0].skeleton, clips[0].fps, places, turns, name="mixed"), middles


def changes(motion: Motion) -> FloatArray:
    """How much the velocity of each joint, seen from the root, changes from frame to frame, ``(F - 2, J)`` m/s."""
    places = motion.joint_positions() - motion.root_positions[:, None]
    return np.linalg.norm(np.diff(places, 2, axis=0), axis=-1) * motion.fps


def jump(space: SegmentedSpace, mixed: Motion) -> float:
    """What handing over adds to changes of velocity, beyond those of both spaces, of the clip's largest velocity."""
    again = space.motion(space.coordinates(mixed), mixed)
    worst = 0.0
    for cut, before, after in zip(space.cuts, space.spaces[:-1], space.spaces[1:], strict=True):
        near = slice(cut - space.overlap, cut + space.overlap)
        alone = [changes(each.motion(each.coordinates(mixed[near]), mixed[near])) for each in (before, after)]
        worst = max(worst, float(np.max(changes(again[near]) - np.maximum(*alone))))
    places = mixed.joint_positions() - mixed.root_positions[:, None]
    return worst / float(np.linalg.norm(np.diff(places, axis=0), axis=-1).max() * mixed.fps)


def performed() -> tuple[Motion, list[int]]:
    """A walk, then somebody who stands and waves."""
    walk = lm.samples.performer(speed=1.3, fps=120.0, seconds=5.0).motion
    turns = np.repeat(walk.rotations[:1], 600, axis=0)
    swing = np.sin(np.arange(600) / 120.0 * 5.0)[:, None] * [0.0, 0.0, 1.0] + [0.0, 0.0, 1.2]
    for name in ("LeftArm", "RightArm"):
        turns[:, walk.skeleton.index(name)] = rot.multiply(turns[:, walk.skeleton.index(name)], rot.exp(swing))
    return in_a_row([walk, Motion(walk.skeleton, 120.0, np.zeros((600, 3)), turns)])


@pytest.mark.feature("PGA-18")
def test_a_walk_and_a_wave_are_two() -> None:
    mixed, middles = performed()
    space = SegmentedSpace.fit(mixed, 4)
    assert len(space.cuts) == 1
    assert abs(space.cuts[0] - middles[0]) <= FADE
    again = space.motion(space.coordinates(mixed), mixed)
    one = PoseSpace.fit(mixed, 4)
    single = one.motion(one.coordinates(mixed), mixed)
    assert (
        rot.distance(again.rotations, mixed.rotations).mean()
        < 0.95 * rot.distance(single.rotations, mixed.rotations).mean()
    )
    assert jump(space, mixed) <= 0.05


def test_what_stays_the_same_is_not_cut() -> None:
    assert find_cuts(lm.samples.performer(speed=1.3, fps=60.0, seconds=12.0).motion) == []
    still = lm.samples.performer(fps=60.0).motion[:1]
    assert find_cuts(still) == []


def test_each_frame_is_its_own_space_s_away_from_the_cuts() -> None:
    mixed, _ = performed()
    space = SegmentedSpace.fit(mixed, 6)
    again = space.motion(space.coordinates(mixed), mixed)
    alone = space.spaces[0].motion(space.spaces[0].coordinates(mixed[:300]), mixed[:300])
    np.testing.assert_allclose(again.rotations[:300], alone.rotations, atol=1e-12)


def test_another_length_is_refused() -> None:
    mixed, _ = performed()
    space = SegmentedSpace.fit(mixed, 3)
    with pytest.raises(lm.LocomoteError, match="frames, expected the"):
        space.coordinates(mixed[:-1])


@pytest.mark.data
@pytest.mark.feature("PGA-18")
def test_a_recorded_mix_is_split_by_behaviour(data: Path) -> None:
    """A walk, boxing, and turning on the spot; the published mixed clip cannot be had."""
    names = ("walk/cmu_132_46", "other/cmu_17_10", "turn/cmu_69_13")
    clips = [lm.load(data / "human" / f"{name}.bvh.xz", drop_tpose=True) for name in names]
    mixed, middles = in_a_row(clips)
    space = SegmentedSpace.fit(mixed, 12)
    for middle in middles:
        assert min(abs(cut - middle) for cut in space.cuts) <= FADE
    assert len(space.cuts) <= len(middles) + 2  # who boxes stops to walk off
    again = space.motion(space.coordinates(mixed), mixed)
    one = PoseSpace.fit(mixed, 12)
    single = one.motion(one.coordinates(mixed), mixed)
    assert jump(space, mixed) <= 0.05
    found, alone = (
        np.linalg.norm(m.joint_positions() - mixed.joint_positions(), axis=-1).mean() for m in (again, single)
    )
    assert found < 0.75 * alone
