from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human.fitting._denoising import cleaned, smoothed
from locomote.human.fitting._importing import Capture
from locomote.human_skeleton import COMMON
from locomote.motion import Motion

from .synthetic import capture


def positions(taken: Capture) -> np.ndarray:
    return taken.hip_height * Motion(COMMON, taken.fps, taken.root, taken.rotations).joint_positions()


def errors(a: Capture, b: Capture) -> np.ndarray:
    """How far every joint ``(F, J)`` is from where it should be, m."""
    out: np.ndarray = np.linalg.norm(positions(a) - positions(b), axis=-1)
    return out


def rms(values: np.ndarray) -> float:
    return float(np.sqrt(np.mean(values**2)))


@pytest.mark.feature("PCA-002")
@pytest.mark.parametrize(("speed", "gait"), [(1.4, "walk"), (3.5, "run")])
def test_gaps_and_spikes_are_repaired(speed: float, gait: str) -> None:
    truth = capture(speed, gait)
    root, turns = truth.root.copy(), truth.rotations.copy()
    random = np.random.default_rng(3)
    names = ["LeftUpLeg", "RightLeg", "LeftFoot", "RightArm", "LeftForeArm", "Spine1", "Hips"]
    for number, name in enumerate(names):  # ten frames are missing
        start = 30 + 45 * number
        turns[start : start + 10, COMMON.index(name)] = np.nan
    root[200:210] = np.nan
    for frame in range(20, 390, 37):  # spikes that move what hangs on the joint by 2 cm
        joint = COMMON.index(str(random.choice(["LeftLeg", "RightUpLeg", "LeftArm", "RightForeArm"])))
        child = COMMON.offsets[list(COMMON.parents).index(joint)] * truth.hip_height
        axis = np.cross(child, random.normal(size=3))
        angle = 0.02 / np.linalg.norm(child)
        turn = rot.from_axis_angle(axis / np.linalg.norm(axis), angle)
        turns[frame, joint] = rot.multiply(turns[frame, joint], turn)
        root[frame + 9] += random.choice([-1.0, 1.0], size=3) * 0.02 / np.sqrt(3) / truth.hip_height
    damaged = replace(truth, root=root, rotations=turns)
    repaired, repairs = cleaned(damaged)
    assert repairs.missing.sum() == 80
    # Judged where something was wrong, on the joints that it moved: elsewhere there is nothing to repair.
    gaps = np.isnan(turns).any(axis=-1) | np.isnan(root).any(axis=-1, keepdims=True)
    with_spikes = np.where(np.isnan(root), truth.root, root), np.where(np.isnan(turns), truth.rotations, turns)
    spiked = replace(truth, root=with_spikes[0], rotations=with_spikes[1])
    spikes = errors(spiked, truth) > 0.01
    for joint, parent in enumerate(COMMON.parents):
        gaps[:, joint] |= gaps[:, parent] if parent >= 0 else False
    assert spikes.sum() > 40
    assert gaps.sum() > 400
    for result in (repaired, smoothed(repaired, 12.0)):
        left = errors(result, truth)
        assert rms(left[spikes]) < 0.005
        # A tenth of a second is most of the swing of a runner's shank, which no neighbour tells.
        assert rms(left[gaps]) < (0.005 if gait == "walk" else 0.03)
        assert rms(left) < 0.005


def test_clean_motion_is_left_alone() -> None:
    truth = capture(1.2, "walk")
    same, repairs = cleaned(truth)
    assert repairs.count == 0
    assert same is truth


def test_a_ghost_of_several_frames_is_taken_out() -> None:
    truth = capture(1.2, "walk")
    turns = truth.rotations.copy()
    joint = COMMON.index("LeftForeArm")
    aside = rot.from_axis_angle(np.array([0.0, 0.0, 1.0]), 0.8)
    turns[100:105, joint] = rot.multiply(turns[100:105, joint], aside)
    repaired, repairs = cleaned(replace(truth, rotations=turns))
    assert repairs.rejected[100:105, 1 + joint].all()
    assert np.max(rot.distance(repaired.rotations[:, joint], truth.rotations[:, joint])) < np.radians(3.0)


def test_a_long_hole_is_refused() -> None:
    truth = capture(1.2, "walk")
    turns = truth.rotations.copy()
    turns[50:120, 4] = np.nan
    with pytest.raises(LocomoteError, match=r"no value for 0\.70 s at 0\.50 s"):
        cleaned(replace(truth, rotations=turns))


def test_the_filter_keeps_phase_and_removes_jitter() -> None:
    truth = capture(1.2, "walk")
    random = np.random.default_rng(0)
    noisy = replace(truth, root=truth.root + random.normal(0.0, 0.004, truth.root.shape))
    calm = smoothed(noisy, 8.0)
    inner = slice(40, -40)
    before = np.std(noisy.root[inner] - truth.root[inner])
    after = np.std(calm.root[inner] - truth.root[inner])
    assert after < 0.6 * before
