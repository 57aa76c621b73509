from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats import save
from locomote.human import HumanModel, add_style, fit_style
from locomote.human.fitting._fit import common_speed, fit_material
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.samples import performer

from .synthetic import PEOPLE, capture, limb_error, material, units


@lru_cache(maxsize=1)
def others() -> HumanModel:
    """A model that has never seen bob."""
    known = tuple(u for u in units() if u.subject != "bob")
    return fit_material(material(known), {n: n for n in PEOPLE if n != "bob"}).model


def clip(speed: float, gait: str = "walk") -> Motion:
    leg, arm, lean, _ = PEOPLE["bob"]
    motion = capture(speed, gait, leg, arm, lean).motion()
    return Motion(motion.skeleton, motion.fps, motion.root_positions, motion.rotations, name=f"{gait} {speed}")


def error(model: HumanModel, style: str, speed: float, gait: str) -> float:
    unit = next(u for u in units() if u.subject == "bob" and u.gait == gait and abs(u.speed - speed) < 0.1)
    own = model.unit(common_speed(unit), float(gait == "run"), model.weights(style))
    return limb_error(model.encoding.decode(own)[1], unit.rotations)


@pytest.mark.feature("PCA-024")
def test_three_clips_make_a_style_that_meets_the_other_speeds_of_the_person(tmp_path: Path) -> None:
    walks = tmp_path / "walk.glb"
    save(clip(1.0), walks)
    done = fit_style([walks, clip(1.6), clip(3.2, "run")], "bob", model=others())
    assert set(done.cycles) == {"walk", "run"}  # which of the two a clip shows is found
    assert done.skipped == ()
    for speed, gait in ((1.2, "walk"), (1.4, "walk"), (3.8, "run")):
        nearest = min(error(done.model, style, speed, gait) for style in others().styles)
        assert error(done.model, "bob", speed, gait) < min(3.0, 0.7 * nearest)
    assert "cycles of walking and" in done.text()


def test_a_clip_of_no_use_is_skipped_and_a_gait_that_is_not_shown_inferred(tmp_path: Path) -> None:
    turning = performer(1.2, seconds=4.0, fps=100.0, turn_rate=0.9).motion
    done = fit_style([clip(1.2), tmp_path / "gone.bvh", turning], "bob", model=others(), about="made up, CC0")
    assert [one.what for one in done.skipped] == ["clip gone.bvh", f"clip {turning.name}"]
    assert set(done.cycles) == {"walk"}
    assert "running is inferred" in done.text()
    assert done.model.about.endswith("Style 'bob': made up, CC0")
    assert done.rejections


def test_a_treadmill_under_a_runner_is_recognised() -> None:
    run = clip(3.2, "run")
    on_belt = Motion(
        run.skeleton, run.fps, run.root_positions - np.outer(np.arange(len(run)) / run.fps, [0.0, 0.0, 3.2]),
        run.rotations, name="belt",
    )  # fmt: skip
    over, under = (fit_style([one], "bob", model=others()) for one in (run, on_belt))
    assert over.cycles == under.cycles
    np.testing.assert_allclose(under.model.ranges[-1, 1], over.model.ranges[-1, 1], rtol=0.05)
    away = rot.distance(*(one.model.encoding.decode(one.model.unit(3.2, 1.0, one.model.weights("bob")))[1]
                          for one in (over, under)))  # fmt: skip
    assert np.degrees(away).max() < 3.0


def test_a_recorded_stand_is_how_the_style_stands() -> None:
    model, walk = others(), clip(1.2)
    root, turns = model.encoding.decode(model.stand[:1])
    shoulder = COMMON.index("LeftArm")
    aside = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.4)
    turns[:, shoulder] = rot.multiply(turns[:, shoulder], aside)
    stand = Motion(walk.skeleton, 100.0, np.tile(0.92 * root, (100, 1)), np.tile(turns, (100, 1, 1)), name="stand")
    done = fit_style([walk], "bob", model=model, stand=[stand])
    assert done.skipped == ()
    own = done.model.encoding.decode(done.model.stand[-1:])[1]
    assert np.degrees(rot.distance(own[0, shoulder], turns[0, shoulder])) < 1.0
    walking = fit_style([walk], "bob", model=model, stand=[walk])  # nobody stands in it
    assert [one.what for one in walking.skipped] == [f"clip {walk.name}"]


def test_bad_input_is_told_in_one_line() -> None:
    turning = performer(1.2, seconds=4.0, fps=100.0, turn_rate=0.9).motion
    for clips, name, options, words in (
        ([], "bob", {}, "no clip was given"),
        ([turning], "bob", {}, "skipped: no clean cycle: "),
        ([clip(1.2)], "ann", {}, "its styles are: ann, cem, dee"),
        ([clip(1.2)], "bob", {"gait": "jump"}, "gait 'jump': expected auto, walk or run"),
    ):
        with pytest.raises(LocomoteError, match=words.replace("(", r"\(")) as caught:
            fit_style(clips, name, model=others(), **options)
        assert "\n" not in str(caught.value)


def test_units_and_clips_make_the_same_style() -> None:
    """`fit_style` is `add_style` on the cycles of the clips."""
    from locomote.human.fitting._material import Take, captured, material_of

    walk = clip(1.2)
    found = material_of("bob", [Take(walk.name, "walk", captured(walk)[0])])
    by_units = add_style(others(), found.units, "bob")
    by_clips = fit_style([walk], "bob", model=others(), gait="walk").model
    np.testing.assert_array_equal(by_units.offset, by_clips.offset)
