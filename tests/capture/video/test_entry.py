"""The gait that a film and key poses make: what its feet do, how it plays elsewhere, as a file, on the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import locomote as lm
from locomote.capture import video
from locomote.cli import app
from tests.capture.video.films import FPS, SPEEDS, filmed, walked, watched

GAITS = ["walk", "trot", "gallop"]


@cache
def made(gait: str) -> video.VideoGait:
    """From a film of the wolf and its true poses at eight keys."""
    rhythm = watched(gait=gait)
    keys = video.choose_keys(rhythm, 8)
    return video.VideoGait.of(rhythm, walked(gait=gait)._take(keys), keys)


def true_gait(gait: str) -> lm.creatures.Gait:
    kind = lm.creatures.Creature.build("wolf")
    speed = SPEEDS[gait] / np.sqrt(9.81 * kind.morphology.hip_height)
    return next(one for one in kind.gaits.gaits if one.name == gait).at(speed)


def apart(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Phases apart, both counted from the left hind foot."""
    return np.abs(((a - a[2]) - (b - b[2]) + 0.5) % 1.0 - 0.5)


@pytest.mark.parametrize("gait", GAITS)
def test_rhythm_lags_and_speed_are_those_of_the_animal(gait: str) -> None:
    entry, true = made(gait), true_gait(gait)
    unit = lm.creatures.Creature.build("wolf").time_unit
    assert entry.period == pytest.approx(float(true.periods[0]) * unit, rel=0.02)
    assert apart(entry.steps.lands, true.touch_downs()[0, :, 0]).max() <= 0.05
    assert entry.speed == pytest.approx(SPEEDS[gait], rel=0.08)
    np.testing.assert_allclose(entry.steps.duty, true.duty()[0], atol=0.16)


def standing(motion: lm.Motion, kind: lm.creatures.Creature) -> np.ndarray:
    """When each foot of a creature stands: when its tip does not move, ``(F, 4)``."""
    places, turns = motion.world()
    legs = kind.morphology.legs
    last = [leg.joints[-1] for leg in legs]
    tips = places[:, last] + lm.rotations.rotate(turns[:, last], np.array([leg.tip for leg in legs]))
    moved = np.linalg.norm(np.diff(tips[..., [0, 2]], axis=0), axis=-1) * motion.fps
    speed = np.linalg.norm(motion.root_positions[-1] - motion.root_positions[0]) / motion.duration
    return np.asarray(moved < 0.35 * speed)


@pytest.mark.feature("AGV-16")
@pytest.mark.parametrize(("gait", "target"), [("walk", "horse"), ("trot", "horse"), ("gallop", "horse")])
def test_a_saved_gait_plays_on_another_animal_at_any_speed(gait: str, target: str, tmp_path: Path) -> None:
    made(gait).save(tmp_path / "gait.npz")
    entry = video.VideoGait.load(tmp_path / "gait.npz")
    np.testing.assert_array_equal(entry.cycle.rotations, made(gait).cycle.rotations)
    np.testing.assert_array_equal(entry.phase, made(gait).phase)
    crowd = entry.crowd(target)
    crowd.liven(vary=0.0)
    kind = crowd.creature
    for factor in (1.0, 0.8, 1.2):
        speed = entry.froude_speed * np.sqrt(9.81 * kind.morphology.hip_height)
        crowd.command(speed=factor * speed)
        crowd.record(3.0, 60)
        motion = crowd.record(3.0, 60)
        way = np.linalg.norm((motion.root_positions[-1] - motion.root_positions[0])[[0, 2]])
        assert way / motion.duration == pytest.approx(factor * speed, rel=0.08)
        down = standing(motion, kind)
        lands = [np.flatnonzero(np.diff(down[:, k].astype(int)) == 1) / 60.0 for k in range(4)]
        period = np.median(np.diff(lands[2]))
        if factor == 1.0:  # as filmed, for an animal of its size
            scale = np.sqrt(kind.morphology.hip_height / entry.steps.hip_height)
            assert period == pytest.approx(entry.period * scale, rel=0.06)
            lags = np.array([np.median((times[1] - lands[2]) % period / period) for times in lands])
            phases = np.array([np.angle(np.mean(np.exp(2j * np.pi * times / period))) / (2 * np.pi) for times in lands])
            assert lags.shape == (4,)
            assert apart(phases, entry.steps.lands).max() <= 0.08
        places = motion.joint_positions()
        assert places[..., 1].min() > -0.05 * kind.morphology.hip_height


def test_the_trunk_of_the_other_animal_rises_as_that_of_the_poses() -> None:
    entry = made("trot")
    kind = entry.creature("horse")
    gait = kind.gaits.gaits[kind.gaits.index(entry.name)]
    plain = entry.gait()
    assert not np.allclose(np.asarray(gait.lives)[:, 0], np.asarray(plain.lives)[:, 0])
    louder = replace(
        entry,
        cycle=replace(
            entry.cycle, heights=entry.cycle.heights.mean() + 2.0 * (entry.cycle.heights - entry.cycle.heights.mean())
        ),
    )
    more = louder.creature("horse")
    assert np.asarray(more.gaits.gaits[-1].lives)[0, 0] > np.asarray(gait.lives)[0, 0]


def test_the_rig_itself_goes_as_in_the_film() -> None:
    entry = made("walk")
    motion = entry.motion(60.0)
    assert motion.fps == 60.0
    assert motion.duration == pytest.approx((len(entry.phase) - 1) / FPS, abs=0.02)
    way = motion.root_positions[-1, 2] - motion.root_positions[0, 2]
    assert way / motion.duration == pytest.approx(SPEEDS["walk"], rel=0.08)
    assert entry.motion(30.0, 1.0).duration == pytest.approx(1.0)


def test_poses_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    rhythm = watched(gait="gallop")
    keys = video.choose_keys(rhythm, 4)
    with pytest.raises(lm.LocomoteError, match=r"3 poses for 4 keys: pose frames \d+"):
        video.VideoGait.of(rhythm, walked(gait="gallop")[:3], keys)
    person = lm.samples.performer(speed=1.3, seconds=0.2).motion[:4]
    with pytest.raises(lm.LocomoteError, match="two pairs of legs"):
        video.VideoGait.of(rhythm, person, keys)
    lm.save(walked()[:1], tmp_path / "wolf.npz")
    lm.save(walked("horse")[:1], tmp_path / "horse.npz")
    lm.save(walked()[3:4], tmp_path / "wolf2.npz")
    both = video.read_poses([tmp_path / "wolf.npz", tmp_path / "wolf2.npz"])
    np.testing.assert_array_equal(both.rotations, walked()._take(np.array([0, 3])).rotations)
    with pytest.raises(lm.FormatError, match="another rig"):
        video.read_poses([tmp_path / "wolf.npz", tmp_path / "horse.npz"])
    (tmp_path / "bad.npz").write_bytes(b"no gait")
    with pytest.raises(lm.FormatError, match="gait from a film"):
        video.VideoGait.load(tmp_path / "bad.npz")


def test_the_verb_finds_keys_takes_poses_and_plays(tmp_path: Path) -> None:
    run = CliRunner()
    np.savez(tmp_path / "wolf.npz", masks=filmed() > 0.5)
    first = [str(tmp_path / "wolf.npz"), "--masks", "--json", "--symmetric"]
    told = run.invoke(app, ["video", *first, "--sheet", str(tmp_path / "sheet.png")])
    assert told.exit_code == 0, told.output
    keys = json.loads(told.stdout)["keys"]
    assert len(keys) == 8
    assert (tmp_path / "sheet.png").stat().st_size > 10_000
    lm.save(walked()._take(np.array(keys)), tmp_path / "poses.glb")
    out = ["--rig", str(tmp_path / "poses.glb"), "-o", str(tmp_path / "gait.npz"), "-q"]
    done = run.invoke(app, ["video", *first, *out])
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["gait"]["speed"] == pytest.approx(SPEEDS["walk"], rel=0.08)
    play = ["--play", "horse", "--motion", str(tmp_path / "horse.bvh"), "--seconds", "0.5", "-q"]
    played = run.invoke(app, ["video", str(tmp_path / "gait.npz"), *play])
    assert played.exit_code == 0, played.output
    assert len(lm.load(tmp_path / "horse.bvh")) == 31


def test_the_verb_says_in_one_line_what_is_missing(tmp_path: Path) -> None:
    run = CliRunner()
    np.savez(tmp_path / "still.npz", masks=np.repeat(filmed()[:1], 40, axis=0) > 0.5)
    np.savez(tmp_path / "empty.npz", masks=np.zeros((20, 9, 9)))
    np.savez(tmp_path / "wolf.npz", masks=filmed() > 0.5)
    for arguments, words in (
        (["still.npz", "--masks"], "nothing moves"),
        (["empty.npz", "--masks"], "nothing is marked"),
        (["wolf.npz", "--masks", "-o", str(tmp_path / "gait.npz")], "pose frames"),
        (["none.mp4"], "no such film"),
    ):
        told = run.invoke(app, ["video", str(tmp_path / arguments[0]), *arguments[1:]])
        assert isinstance(told.exception, lm.LocomoteError)
        assert words in str(told.exception)
        assert not (tmp_path / "gait.npz").exists()
