"""Filters above the feet, and bodies that sink for their legs, against plain NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.steps._blending import body, default_database, pack
from locomote.steps._gait import gait_sheets
from locomote.steps._kernels import blend as at
from locomote.steps._kernels.layout import ChainPlants, ChosenSteps, MadeWalks, PlayedChains, PlayManner, PlayScratch
from locomote.steps._kernels.pose import LIMBS
from locomote.steps._kernels.smooth import smooth_chain
from locomote.steps._plan_filling import filter_sums

COUNT, FPS = 120, 60.0
PERSON = body(0.9).measures
MASK = np.array([1.0])
for _ in range(4):  # four passes of 1 4 6 4 1
    MASK = np.convolve(MASK, [1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16])


def standing_frames() -> np.ndarray:
    frames = np.zeros((at.ROWS, COUNT))
    frames[: at.ROOT : 4] = 1.0
    frames[at.ROOT + 1] = 1.04 * PERSON.size
    for side, x in ((0, 0.1), (1, -0.1)):
        frames[at.FEET + at.FOOT_ROWS * side] = x
    return frames


def smoothed(frames: np.ndarray, filters: bool = True) -> tuple[np.ndarray, np.ndarray]:
    number, index = np.zeros(2), np.zeros(2, dtype=np.int64)
    plants = ChainPlants(np.array([0, 2]), index, np.zeros((2, 3)), number, number, number, number, number, index)
    fours = np.zeros((2, 4), dtype=np.int64)
    chosen = ChosenSteps(fours, np.zeros((2, 4)), np.zeros((2, 4)), index, index, np.zeros((2, 3)), *[number] * 7)
    played = PlayedChains(plants, chosen, pack(default_database()).clips, np.array([0, COUNT]), gait_sheets(0.0))
    manner = PlayManner(FPS, 0, filter_sums(FPS), False, filters)
    scratch = PlayScratch(np.empty((2, at.ROWS, 1)), np.empty((LIMBS, COUNT)))
    made = MadeWalks(
        frames.copy(), index[:, None], np.zeros(COUNT), np.zeros((2, COUNT)), np.zeros((1, 3)), np.zeros((1, 1, 4))
    )
    smooth_chain(0, played, PERSON, manner, scratch, made)
    return made.frames, made.sinks


def with_joint(turns: np.ndarray, joint: int = 3) -> np.ndarray:
    frames = standing_frames()
    frames[4 * joint : 4 * joint + 4] = turns.T
    return frames


def joint_of(frames: np.ndarray, joint: int = 3) -> np.ndarray:
    return frames[4 * joint : 4 * joint + 4].T


@pytest.mark.feature("STR-21")
def test_turns_about_one_axis_are_filtered_by_the_plain_mask() -> None:
    angles = np.random.default_rng(0).normal(scale=0.3, size=COUNT).cumsum() * 0.1
    axis = np.array([0.6, 0.0, 0.8])
    out = rot.log(joint_of(smoothed(with_joint(rot.exp(angles[:, None] * axis)))[0])) @ axis
    reach = len(MASK) // 2
    padded = np.concatenate([np.full(reach, angles[0]), angles, np.full(reach, angles[-1])])
    np.testing.assert_allclose(out, np.convolve(padded, MASK, mode="valid"), atol=1e-6)


@pytest.mark.feature("STR-21")
def test_the_filter_of_turns_is_the_same_in_any_frame() -> None:
    random = np.random.default_rng(1)
    turns = rot.exp(random.normal(scale=0.05, size=(COUNT, 3)).cumsum(axis=0))
    left, right = rot.exp(random.normal(size=3)), rot.exp(random.normal(size=3))
    plain = joint_of(smoothed(with_joint(turns))[0])
    moved = joint_of(smoothed(with_joint(rot.multiply(left, rot.multiply(turns, right))))[0])
    np.testing.assert_allclose(moved, rot.multiply(left, rot.multiply(plain, right)), atol=1e-9)


@pytest.mark.feature("STR-22")
def test_knees_lose_what_trembles_and_keep_their_mean() -> None:
    time = np.arange(COUNT) / FPS
    frames = standing_frames()
    row = at.FEET + at.KNEE
    frames[row] = 1.5 + 0.2 * np.sin(2 * np.pi * 1.0 * time) + 0.1 * np.sin(2 * np.pi * 10.0 * time)
    out = smoothed(frames)[0][row]
    before, after = (np.abs(np.fft.rfft(values)) ** 2 for values in (frames[row], out))
    fast = np.fft.rfftfreq(COUNT, 1.0 / FPS) > 6.0
    assert after[fast].sum() < 0.05 * before[fast].sum()
    assert out.mean() == pytest.approx(frames[row].mean(), abs=1e-3)


@pytest.mark.feature("STR-23")
def test_a_body_sinks_smoothly_and_at_least_as_far_as_its_legs_need() -> None:
    frames = standing_frames()
    time = np.arange(COUNT) / FPS
    frames[at.FEET + 2] = 0.5 * np.exp(-((time - 1.0) ** 2) / 0.02)  # one foot goes far ahead for a moment
    out, (needed, done) = smoothed(frames, filters=False)
    assert needed.min() < -0.02
    assert np.all(done <= needed + 1e-12)
    np.testing.assert_allclose(out[at.ROOT + 1], frames[at.ROOT + 1] + done, atol=1e-12)
    assert np.abs(np.diff(done, n=2)).max() < 0.01
    pelvis = np.stack([out[at.ROOT + k] for k in range(3)], axis=1)
    hips = np.add(pelvis[:, None], PERSON.hips)
    feet = np.stack([out[at.FEET + at.FOOT_ROWS * s : at.FEET + at.FOOT_ROWS * s + 3].T for s in (0, 1)], axis=1)
    ankles = np.add(feet, [0.0, PERSON.sole.ankle_height, -PERSON.sole.ankle])
    length = np.linalg.norm(ankles - hips, axis=-1)
    assert length.max() <= 0.995 * (PERSON.thigh + PERSON.shank) + 1e-9
