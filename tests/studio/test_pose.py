"""Bodies posed by their handles and clips edited by them, without a page."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.studio._pose import StudioPose
from locomote.studio._recording import FORMATS, motion_file

NEAR = 0.005  # m


@pytest.fixture(scope="module")
def walk() -> lm.Motion:
    return lm.samples.performer(speed=1.4, seconds=2.0).motion.resampled(30.0)


@pytest.fixture(scope="module")
def clip(walk: lm.Motion) -> StudioPose:
    made = StudioPose()
    made.put(walk)
    return made


@pytest.fixture
def body(made: StudioPose) -> StudioPose:
    made.keep = True
    made.person()
    return made


@pytest.fixture(scope="module")
def made() -> StudioPose:
    return StudioPose()


def joint(body: StudioPose, title: str) -> int:
    return next(grip.joint for grip in body.state.grips if grip.title == title)


def place(body: StudioPose, title: str) -> FloatArray:
    return body.world()[0][0, joint(body, title)]


def carry(body: StudioPose, title: str, way: tuple[float, float, float], frames: int = 20) -> FloatArray:
    """Drag a handle in small steps; gives back where to."""
    start = place(body, title)
    for k in range(1, frames + 1):
        body.drag(joint(body, title), start + np.array(way) * k / frames)
    body.release()
    return start + np.array(way)


def test_the_person_stands_on_its_feet_with_hanging_arms(body: StudioPose) -> None:
    assert body.titles == ["left hand", "right hand", "left foot", "right foot", "head", "hips"]
    places = body.world()[0][0]
    assert places[:, 1].min() > -NEAR
    assert place(body, "head")[1] > 1.5
    assert place(body, "left hand")[1] < place(body, "hips")[1] + 0.05
    body.rest()
    assert body.world()[0][0] == pytest.approx(body.skeleton.rest_pose()[0], abs=1e-9)


@pytest.mark.parametrize(
    ("title", "way"),
    [
        ("left hand", (0.1, 0.6, 0.4)),
        ("right hand", (-0.1, -0.4, 0.4)),
        ("head", (0.0, -0.3, 0.2)),
        ("hips", (0.1, -0.3, 0.0)),
    ],
)
def test_a_handle_that_is_dragged_arrives_and_pinned_feet_stay(
    body: StudioPose, title: str, way: tuple[float, float, float]
) -> None:
    feet = [j for leg in body.skeleton.roles.legs for j in (leg.ankle, leg.ball)]
    before = body.world()[0][0, feet]
    wanted = carry(body, title, way)
    assert np.linalg.norm(place(body, title) - wanted) < NEAR
    assert np.linalg.norm(body.world()[0][0, feet] - before, axis=1).max() < NEAR


def test_unpinned_feet_are_dragged_and_follow(body: StudioPose) -> None:
    body.keep = False
    # A pinned handle can be dragged, and is pinned where it is let go.
    wanted = carry(body, "left foot", (0.1, 0.3, 0.4))
    carry(body, "right hand", (0.0, 0.4, 0.2))
    assert np.linalg.norm(place(body, "left foot") - wanted) < NEAR
    for side in ("left foot", "right foot"):
        body.set(joint(body, side), pinned=False)
    before = place(body, "right foot")
    carry(body, "hips", (0.0, 0.3, 1.0))
    assert np.linalg.norm(place(body, "right foot") - before) > 0.3


def test_what_was_dragged_stays_as_other_handles_move(body: StudioPose) -> None:
    wanted = carry(body, "left hand", (0.1, 0.8, 0.3))
    assert body.grip(joint(body, "left hand")).pinned
    carry(body, "hips", (0.0, -0.05, 0.0))
    carry(body, "right hand", (-0.2, 0.4, 0.3))
    assert np.linalg.norm(place(body, "left hand") - wanted) < NEAR
    body.stand()
    assert [grip.title for grip in body.state.grips if grip.pinned] == ["left foot", "right foot"]


def test_a_handle_holds_its_rotation_where_it_is_asked_to(body: StudioPose) -> None:
    hand = joint(body, "left hand")
    turn = lm.rotations.multiply(lm.rotations.from_yaw(0.5), body.world()[1][0, hand])
    body.set(hand, pinned=True, turned=True)
    body.drag(hand, place(body, "left hand") + np.array([0.0, 0.2, 0.2]), turn)
    body.release()
    carry(body, "right hand", (0.0, 0.4, 0.2))
    off = lm.rotations.multiply(lm.rotations.inverse(turn), body.world()[1][0, hand])
    assert np.linalg.norm(lm.rotations.log(off)) < 0.05


def test_undo_restores_the_pose_to_the_bit(body: StudioPose) -> None:
    states = [body.state.pose]
    for way in ((0.0, 0.4, 0.3), (0.2, 0.1, 0.0)):
        carry(body, "left hand", way)
        states.append(body.state.pose)
    for pose in states[-2::-1]:
        body.undo()
        assert np.array_equal(body.state.pose.rotations, pose.rotations)
        assert np.array_equal(body.state.pose.root_positions, pose.root_positions)
    with pytest.raises(LocomoteError, match="nothing has been changed"):
        body.undo()


def test_handles_come_and_go(body: StudioPose) -> None:
    elbow = body.add("LeftForeArm").joint
    wanted = carry(body, "LeftForeArm", (0.1, 0.1, 0.0))
    assert np.linalg.norm(body.world()[0][0, elbow] - wanted) < NEAR
    body.remove(elbow)
    assert "LeftForeArm" not in body.titles
    with pytest.raises(LocomoteError, match="has no handle"):
        body.drag(elbow, wanted)
    with pytest.raises(LocomoteError, match="within"):
        body.drag(joint(body, "head"), np.array([0.0, 1e6, 0.0]))


def test_four_legs_are_refused_in_one_line(body: StudioPose) -> None:
    before = body.state
    wolf = lm.creatures.Crowd("wolf", 1, speed=0.3).record(0.1)
    with pytest.raises(LocomoteError, match="has 4 legs; only bodies with two are posed") as told:
        body.put(wolf)
    assert "\n" not in str(told.value)
    assert body.state is before


def test_any_rig_with_two_legs_is_posed(body: StudioPose, walk: lm.Motion, tmp_path: Path) -> None:
    path = tmp_path / "small.bvh"
    lm.save(walk[:1].scaled(0.7), path)
    body.open("small.bvh", path.read_bytes())
    assert not body.editing
    body.stand()
    wanted = carry(body, "left hand", (0.1, 0.4, 0.2))
    assert np.linalg.norm(place(body, "left hand") - wanted) < NEAR
    with pytest.raises(LocomoteError, match="single pose"):
        body.edit_clip(True)
    with pytest.raises(LocomoteError, match="file: expected"):
        body.open("x.exe", b"")


def test_an_edit_changes_only_frames_within_the_window(clip: StudioPose, walk: lm.Motion) -> None:
    clip.window = 0.4
    clip.seek(1.0)
    wanted = carry(clip, "left hand", (0.1, 0.3, 0.1), frames=2)
    assert np.linalg.norm(place(clip, "left hand") - wanted) < NEAR
    changed = np.flatnonzero(np.any(clip.shown.rotations != walk.rotations, axis=(1, 2)))
    assert len(changed)
    assert np.abs(walk.times[changed] - 1.0).max() <= 0.4
    feet = [leg.ankle for leg in walk.skeleton.roles.legs]
    assert np.abs((clip.shown.joint_positions() - walk.joint_positions())[:, feet]).max() < NEAR
    assert clip.drag_titles() == ["1: left hand at 1.00 s"]
    wanted = carry(clip, "left hand", (0.0, -0.1, 0.0), frames=1)  # again at the same moment: still one drag
    assert len(clip.state.drags) == 1
    clip.seek(0.3)
    foot = carry(clip, "right foot", (0.0, 0.1, 0.1), frames=1)
    assert np.linalg.norm(place(clip, "right foot") - foot) < 2.0 * NEAR
    clip.undo()
    assert len(clip.state.drags) == 1
    clip.seek(1.0)
    assert np.linalg.norm(place(clip, "left hand") - wanted) < NEAR
    clip.remove_drag(0)
    assert np.array_equal(clip.shown.rotations, walk.rotations)
    with pytest.raises(LocomoteError, match="there are 0"):
        clip.remove_drag(0)


def test_time_passes_unless_a_handle_is_held(clip: StudioPose) -> None:
    clip.seek(0.0)
    clip.advance(0.5)
    assert clip.frame == 15
    clip.drag(joint(clip, "head"), place(clip, "head"))
    clip.advance(0.5)
    assert clip.frame == 15
    clip.release()
    clip.undo()
    clip.advance(100.0)
    assert clip.frame == 0


def test_a_pose_is_taken_from_a_clip(clip: StudioPose, walk: lm.Motion) -> None:
    clip.seek(0.5)
    with pytest.raises(LocomoteError, match="a clip is edited"):
        clip.stand()
    clip.edit_clip(False)
    assert clip.world()[0][0] == pytest.approx(walk.joint_positions()[15], abs=1e-9)
    wanted = carry(clip, "head", (0.0, -0.2, 0.0))
    assert np.linalg.norm(place(clip, "head") - wanted) < NEAR
    assert len(clip.shown) == 1
    clip.edit_clip(True)
    assert np.array_equal(clip.shown.rotations, walk.rotations)


@pytest.mark.parametrize("ending", FORMATS)
def test_poses_and_clips_are_kept(body: StudioPose, clip: StudioPose, ending: str, tmp_path: Path) -> None:
    carry(body, "left hand", (0.1, 0.5, 0.3))
    for what in (body, clip):
        name, content = motion_file([what.shown], ending)
        path = tmp_path / name
        path.write_bytes(content)
        back = lm.load(path)
        assert len(back) == len(what.shown)
        hand = back.skeleton.names.index("LeftHand")
        kept = what.shown.joint_positions()[0, what.skeleton.index("LeftHand")]
        assert back.joint_positions()[0, hand] == pytest.approx(kept, abs=1e-3)
