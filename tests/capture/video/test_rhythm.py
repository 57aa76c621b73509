"""Components, rhythm, phase and keys of silhouettes whose gait is known."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from scipy.ndimage import gaussian_filter

import locomote as lm
from locomote import rotations as rot
from locomote.capture import stage, video
from tests.capture.video.films import FPS, filmed, walked, watched

GAITS = ["walk", "trot", "gallop"]


@pytest.mark.feature("AGV-04")
def test_components_are_whitened_and_give_the_images_back() -> None:
    images = video.cut_out(filmed(gait="gallop")).images[:40]
    found = video.image_components(images, None)
    np.testing.assert_allclose(found.scores.mean(axis=0), 0.0, atol=1e-6)
    np.testing.assert_allclose(found.scores.var(axis=0), 1.0, atol=1e-6)
    np.testing.assert_allclose(found.images(found.scores), images, atol=1e-5)
    flat = found.axes.reshape(len(found.axes), -1)
    np.testing.assert_allclose(flat @ flat.T, np.eye(len(flat)), atol=1e-9)


@pytest.mark.feature("AGV-05")
@pytest.mark.parametrize("gait", GAITS)
def test_the_report_says_what_each_component_carries(gait: str) -> None:
    images = video.cut_out(filmed(gait=gait)).images
    flat = images.reshape(len(images), -1)
    centred = flat - flat.mean(axis=0)
    values = np.linalg.eigvalsh(centred @ centred.T)[::-1]
    shares = 100.0 * values / values.sum()
    told = re.findall(r"PC(\d) ([\d.]+) % \(([\d.]+)\)", video.image_components(images).report())
    assert [int(number) for number, _, _ in told] == [1, 2, 3, 4]
    np.testing.assert_allclose([float(share) for _, share, _ in told], shares[:4], atol=0.0501)
    np.testing.assert_allclose([float(total) for _, _, total in told], np.cumsum(shares)[:4], atol=0.0501)


def drifting(seed: int, frames: int = 60) -> np.ndarray:
    """Images of eight blots whose strengths walk at random."""
    random = np.random.default_rng(seed)
    blots = np.stack([gaussian_filter(random.standard_normal((48, 72)), 5) for _ in range(8)])
    return np.tensordot(np.cumsum(random.standard_normal((frames, 8)), axis=0), blots, axes=1)


@pytest.mark.parametrize("seed", range(4))
def test_images_that_walk_at_random_are_no_gait(seed: int) -> None:
    judged = video.usability(video.image_components(drifting(seed)).scores)
    assert not judged.accepted
    with pytest.raises(lm.LocomoteError, match="no steady gait"):
        judged.require()


def standing(
    moving: str, degrees: float, hertz: float, axis: tuple[float, float, float], later: str = ""
) -> np.ndarray:
    """A wolf that stands still but for some joints, and others that do the same a quarter of a cycle later."""
    crowd = lm.creatures.Crowd("wolf", 1)
    pose = crowd.record(0.5, FPS)[-1:]
    frames, times = 75, np.arange(75) / FPS
    turns = np.repeat(pose.rotations, frames, axis=0)
    for part, begun in ((moving, 0.0), (later, 0.5 * np.pi)) if later else ((moving, 0.0),):
        angle = np.radians(degrees) * np.sin(2.0 * np.pi * hertz * times + begun)
        for joint in (j for j, name in enumerate(pose.skeleton.names) if name.startswith(part)):
            turns[:, joint] = rot.multiply(turns[:, joint], rot.from_axis_angle(np.array(axis), angle))
    moved = replace(pose, root_positions=np.repeat(pose.root_positions, frames, axis=0), rotations=turns)
    return np.asarray(stage.silhouettes(moved, stage.cameras_beside(moved, (160, 120))))


@pytest.mark.parametrize("creature", ["wolf", "horse"])
@pytest.mark.parametrize("gait", GAITS)
def test_gaits_are_accepted(creature: str, gait: str) -> None:
    rhythm = watched(creature, gait)
    assert rhythm.accepted, rhythm.report()
    first, second = rhythm.usability.pair
    assert min(rhythm.usability.correlations[[first, second]]) >= 0.6


def test_what_stands_wags_nods_or_turns_is_rejected() -> None:
    clips = {
        "wags": standing("tail", 12.0, 2.0, (1.0, 0.0, 0.0)),
        "wags slowly": standing("tail", 20.0, 1.3, (1.0, 0.0, 0.0)),
        "nods": standing("neck", 8.0, 1.2, (1.0, 0.0, 0.0)),
        "paws": standing("upper_arm.L", 25.0, 1.7, (1.0, 0.0, 0.0)),
        "kicks": standing("thigh.R", 25.0, 1.7, (1.0, 0.0, 0.0)),
    }
    crowd = lm.creatures.Crowd("wolf", 1)
    crowd.command(turn_rate=1.2)
    crowd.record(1.0, FPS)
    turning = crowd.record(3.0, FPS)
    clips["turns"] = stage.silhouettes(turning, stage.cameras_beside(turning, (160, 120)))
    for name, masks in clips.items():
        rhythm = video.watch(masks, FPS)
        assert not rhythm.accepted, name
        assert "no gait: " in rhythm.report()
    one = video.watch(filmed()[:14], FPS)  # less than a stride
    assert any("2 are needed" in why for why in one.usability.why)
    with pytest.raises(lm.LocomoteError, match="too few"):
        video.watch(filmed()[:6], FPS)


def mixed(second: np.ndarray, frames: int = 90, cycles: int = 9) -> np.ndarray:
    """Coordinates of variance 1: a wave; and another of its rate mixed with faster ones, in four of them."""
    angle = 2.0 * np.pi * cycles * np.arange(frames) / frames
    waves = [
        second[0] * np.cos(angle) + second[1] * np.sin(angle),
        np.cos(2 * angle),
        np.sin(2 * angle),
        np.cos(3 * angle),
    ]
    spread = 0.5 * np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]])
    others = np.stack(waves, axis=1) @ spread
    noise = 0.02 * np.random.default_rng(0).standard_normal((frames, 5))
    seen = np.column_stack([np.cos(angle), others]) + noise
    seen -= seen.mean(axis=0)
    return np.asarray(seen / seen.std(axis=0))


def test_a_gait_whose_components_hold_harmonics_mixed_goes_round_in_mixtures() -> None:
    judged = video.usability(mixed(np.array([0.0, 1.0])))
    assert judged.accepted, judged.why
    assert judged.is_mixed
    assert np.all(judged.correlations[1:] < 0.6)
    # The two that go round are the wave and its quarter, whichever way round.
    phase = np.unwrap(np.arctan2(*judged.round.T))
    np.testing.assert_allclose(np.abs(np.diff(phase)), 2.0 * np.pi / 10.0, atol=0.1)
    to_and_fro = video.usability(mixed(np.array([1.0, 0.05])))
    assert not to_and_fro.accepted
    assert any("nor mixtures" in why for why in to_and_fro.why)
    # What is hardly there in the images does not make them go round.
    faint = video.usability(mixed(np.array([0.0, 1.0])), sizes=[1.0, *(4 * [0.05])])
    assert not faint.accepted


def test_what_goes_round_without_legs_that_step_is_rejected() -> None:
    for moving, later in (("neck", "tail"), ("thigh.R", "shin.R")):
        judged = video.watch(standing(moving, 12.0, 1.6, (1.0, 0.0, 0.0), later), FPS).usability
        assert any("no legs that step" in why for why in judged.why)
    round_ = video.watch(standing("neck", 12.0, 1.6, (1.0, 0.0, 0.0), "tail"), FPS).usability
    assert len(round_.why) == 1  # nothing else speaks against it


@pytest.mark.parametrize(("creature", "speed"), [("wolf", 6.0), ("wolf", 8.0), ("dog", 4.5)])
def test_fast_gallops_are_gaits(creature: str, speed: float) -> None:
    crowd = lm.creatures.Crowd(creature, 1, speed=speed, gait="gallop")
    crowd.record(2.0, 60)
    motion = crowd.record(2.5, FPS)
    rhythm = video.watch(stage.silhouettes(motion, stage.cameras_beside(motion, (160, 120))), FPS)
    assert rhythm.accepted, rhythm.report()
    assert "go round" in rhythm.report()


@pytest.mark.feature("AGV-11")
@pytest.mark.parametrize("gait", GAITS)
def test_nothing_is_left_outside_of_the_band(gait: str) -> None:
    scores = video.image_components(video.cut_out(filmed(gait=gait)).images).scores
    judged = video.usability(scores)
    strengths = np.abs(np.fft.rfft(judged.filtered, axis=0)) ** 2
    low, high = judged.band
    outside = np.r_[0:low, high + 1 : len(strengths)]
    assert strengths[outside].sum() <= 1e-18 * strengths.sum()
    for k, told in enumerate(judged.correlations):
        assert told == pytest.approx(np.corrcoef(judged.filtered[:, k], scores[:, k])[0, 1], abs=1e-9)
    # The band is where a curve of the peak's width is above a tenth.
    first = np.abs(np.fft.rfft(scores[:, 0]))
    half = np.min(np.abs(np.flatnonzero(first[1:] <= 0.5 * first[judged.cycles]) + 1 - judged.cycles))
    assert (low, high) == (max(1, judged.cycles - 3 * half), min(len(first) - 1, judged.cycles + 3 * half))


@pytest.mark.feature("AGV-15")
@pytest.mark.parametrize("creature", ["wolf", "horse"])
@pytest.mark.parametrize("gait", GAITS)
def test_the_phase_only_goes_on_and_cycles_last_as_long_as_strides(creature: str, gait: str) -> None:
    rhythm = watched(creature, gait)
    assert np.all(np.diff(rhythm.phase) > 0.0)
    fine = walked(creature, gait, fps=120.0)
    joints = fine.joint_positions()
    legs = fine.skeleton.roles.legs
    swung = joints[:, [leg.toe for leg in legs], 2] - joints[:, [leg.hip for leg in legs], 2]
    lag = np.arange(20, 200)
    apart = [np.mean((swung[k:] - swung[:-k]) ** 2) for k in lag]
    stride = lag[int(np.argmin(apart))] / 120.0 * FPS  # frames
    cycles = rhythm.cycle_durations() * FPS
    assert np.nanmax(np.abs(cycles - stride)) <= 1.0


def test_phases_follow_a_cycle_that_gets_faster() -> None:
    true = np.cumsum(np.linspace(0.07, 0.12, 60))
    blots = np.stack([gaussian_filter(np.random.default_rng(k).standard_normal((40, 60)), 4) for k in range(4)])
    angle = 2.0 * np.pi * true
    weights = np.stack([np.cos(angle), np.sin(angle), 0.4 * np.cos(2 * angle), 0.4 * np.sin(2 * angle)], axis=1)
    images = 0.5 + np.tensordot(weights, blots / np.abs(blots).max(), axes=1) / 4.0
    boxes = np.tile([0.0, 0.0, 60.0, 40.0], (60, 1))
    rhythm = video.watch(video.Windows(images, np.zeros((60, 2)), boxes, 1), FPS, symmetric=False)
    np.testing.assert_allclose(rhythm.phase - rhythm.phase[0], true - true[0], atol=0.03)


@pytest.mark.feature("AGV-08")
def test_the_best_keys_of_a_circle_are_a_square() -> None:
    angles = 2.0 * np.pi * np.arange(26) / 26
    points = np.sqrt(2.0) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    chosen = video.best_conditioned(points, 4)
    assert video.condition(points[chosen]) <= 1.70
    gaps = np.diff(np.sort(chosen), append=np.sort(chosen)[0] + 26)
    assert sorted(gaps) == [6, 6, 7, 7]  # as near to a square as 26 places allow
    every = min(video.condition(points[list(some)]) for some in combinations(range(26), 4))
    assert video.condition(points[chosen]) == pytest.approx(every)
    # Exchanges come as near where all sets are too many, also for other numbers of keys.
    long = np.concatenate([points + 1e-3 * k for k in range(5)])
    assert video.condition(long[video.best_conditioned(long, 4)]) <= 1.70
    for count, value in ((2, 1.016), (3, 1.120), (5, 3.290), (6, 9.316)):
        assert video.condition(points[video.best_conditioned(points, count)]) == pytest.approx(value, rel=2e-3)


@pytest.mark.parametrize("gait", GAITS)
def test_keys_go_evenly_round_one_cycle(gait: str) -> None:
    rhythm = watched(gait=gait)
    keys = video.choose_keys(rhythm)
    assert len(keys) == (4 if gait == "gallop" else 8)
    gaps = np.diff(rhythm.phase[keys], append=rhythm.phase[keys[0]] + 1.0)
    np.testing.assert_allclose(gaps, 1.0 / len(keys), atol=1.01 / (rhythm.period * FPS))
    classic = video.choose_keys(rhythm, 4, by="components")
    assert len(np.unique(classic)) == 4
    with pytest.raises(lm.LocomoteError, match="choose fewer"):
        video.choose_keys(rhythm, 60)


@pytest.mark.feature("AGV-12")
def test_partners_of_the_keys_of_a_walk_are_half_a_cycle_away() -> None:
    rhythm = video.watch(filmed(seconds=4.0), FPS, symmetric=True)
    pair = rhythm.usability.filtered[:, list(rhythm.usability.pair)]
    keys = video.choose_keys(rhythm, 8)[:4]
    half = 0.5 * rhythm.period * FPS
    found = video.partners(pair, keys, half)
    assert np.all(np.abs(np.abs(found - keys) - half) <= 1.01)
