from __future__ import annotations

import numpy as np

from locomote_lab.creatures.told_apart import JOINTS, PARTS, part, strides_of, wolf


def test_strides_of_a_wolf_are_told_by_means_and_harmonics() -> None:
    strides = strides_of(wolf("trot", 0.92, 0))
    assert len(strides) >= 3
    assert {stride.gait for stride in strides} == {"trot"}
    features = np.array([stride.features for stride in strides])
    assert features.shape[1:] == (len(JOINTS), 3, 7)
    assert np.all(np.isfinite(features))
    mean = features.mean(axis=0)
    left, right = JOINTS.index("left hind paw"), JOINTS.index("right hind paw")
    # Over the height of the hips, to the left, up and ahead: paws are a leg below the pelvis, on their sides of it,
    # and half a cycle apart.
    assert np.allclose(mean[[left, right], 1, 0], -0.9, atol=0.15)
    assert mean[left, 0, 0] > 0.05
    assert mean[right, 0, 0] < -0.05
    assert np.allclose(mean[left, 2, 1:3], -mean[right, 2, 1:3], atol=0.03)
    assert np.hypot(*mean[left, 2, 1:3]) > 0.25
    assert mean[JOINTS.index("nose"), 2, 0] > mean[JOINTS.index("head"), 2, 0] > mean[JOINTS.index("neck"), 2, 0]


def test_parts_cover_the_body() -> None:
    features = np.zeros((2, len(JOINTS), 3, 7))
    assert part(features, "whole body", False).shape == (2, len(JOINTS) * 21)
    sizes = [part(features, name, True).shape[1] for name in PARTS]
    assert sum(sizes[1:]) == sizes[0] == len(JOINTS) * 18
