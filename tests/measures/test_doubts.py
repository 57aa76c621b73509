"""Figures of a broken recording are not passed off for those of a person: each kind of break is said in one line."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human import fit_style
from locomote.motion import Motion
from locomote.samples import performer
from locomote.steps.building import StepClip, build_steps
from tests.roles.bodies import human

WALK = performer(speed=1.3, seconds=4.0).motion


def doubted(motion: Motion) -> list[str]:
    """What is said of a motion; cleaning says the same, and nothing has a line break."""
    said = [note for note in lm.measure(motion).notes if note.startswith("doubtful: ")]
    assert [note for note in lm.clean(motion).notes if note.startswith("doubtful: ")] == said
    assert not any("\n" in note for note in said)
    return said


def moved(roots: np.ndarray) -> Motion:
    return replace(WALK, root_positions=roots)


@pytest.mark.parametrize("fps", [24.0, 25.0, 30.0, 60.0, 120.0, 240.0])
@pytest.mark.parametrize("size", [0.3, 1.0, 3.0])
def test_a_whole_recording_is_not_doubted(fps: float, size: float) -> None:
    assert doubted(WALK.resampled(fps).scaled(size)) == []


def test_too_few_frames_a_second_are_said() -> None:
    (said,) = doubted(WALK.resampled(5.0))
    assert "5 frames a second are too few" in said


def test_a_gap_of_zeros_is_said_with_its_frames() -> None:
    roots, turns = WALK.root_positions.copy(), WALK.rotations.copy()
    roots[240:260], turns[240:260] = 0.0, rot.IDENTITY
    said = doubted(replace(WALK, root_positions=roots, rotations=turns))
    assert any("from frame 239 to 240, and 1 more such" in one for one in said)
    assert any("nothing moves from frame 240 to 259" in one for one in said)


def test_a_held_pose_and_a_second_clip_are_said() -> None:
    order = np.arange(len(WALK))
    order[200:230] = 200
    (held, *_) = doubted(WALK.sampled(order.astype(np.float64)))[-1:]
    assert "nothing moves from frame 200 to 229" in held
    shift = np.where(np.arange(len(WALK)) >= 300, 0.5, 0.0)
    (jump,) = doubted(moved(WALK.root_positions + np.outer(shift, [1.0, 0.0, 0.0])))
    assert "the body jumps 0.5" in jump
    assert "from frame 299 to 300" in jump


def test_stillness_before_and_after_a_movement_is_no_gap() -> None:
    order = np.clip(np.arange(-60, len(WALK) + 60), 0, len(WALK) - 1)
    assert doubted(WALK.sampled(order.astype(np.float64))) == []


def test_feet_on_a_slope_are_said() -> None:
    (said,) = doubted(moved(WALK.root_positions + 0.15 * np.outer(WALK.root_positions[:, 2], [0.0, 1.0, 0.0])))
    assert "off the fitted floor" in said


def test_swapped_sides_are_said_when_a_file_is_read(tmp_path: Path) -> None:
    skeleton = human("mixamo")[0]
    walk = lm.retarget(WALK, skeleton)
    swap = {"Left": "Right", "Right": "Left"}
    names = tuple(
        next((name.replace(a, b) for a, b in swap.items() if a in name), name) for name in walk.skeleton.names
    )
    lm.save(walk, tmp_path / "right.bvh")
    lm.save(replace(walk, skeleton=replace(skeleton, names=names)), tmp_path / "wrong.bvh")
    assert not any("swapped" in note for note in lm.load(tmp_path / "right.bvh").notes)
    assert any("are left and right swapped?" in note for note in lm.load(tmp_path / "wrong.bvh").notes)


def test_steps_of_a_treadmill_are_those_over_ground(tmp_path: Path) -> None:
    plan = np.array([1.0, 1.0, 0.0])
    lm.save(WALK, tmp_path / "ground.bvh")
    lm.save(moved(WALK.root_positions * plan), tmp_path / "belt.bvh")
    over, on = (build_steps([StepClip(tmp_path / f"{name}.bvh", "one")]).steps for name in ("ground", "belt"))
    assert len(on) == len(over) > 0
    np.testing.assert_allclose(on.params, over.params, atol=0.02)


def test_one_frame_is_no_style() -> None:
    with pytest.raises(LocomoteError, match="no clean cycle"):
        fit_style([WALK[:1]], "one")


def test_a_rig_in_place_of_a_creature_is_refused_in_plain_words(tmp_path: Path) -> None:
    (tmp_path / "robot.urdf").write_text("<robot name='a'><link name='b'/></robot>", encoding="utf-8")
    with pytest.raises(LocomoteError, match="is no file of a creature") as refused:
        lm.creatures.Morphology.load(tmp_path / "robot.urdf")
    assert "pickle" not in str(refused.value)
