from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human._encoding import CHANNELS, LEAST_NORM, MOVING, Encoding
from locomote.human_skeleton import COMMON

from .synthetic import units


@pytest.mark.feature("PCA-005")
@given(arrays(np.float64, (4, len(MOVING), 3), elements=st.floats(-1.6, 1.6)))
def test_rotations_return_from_their_vectors(vectors: np.ndarray) -> None:
    encoding = Encoding.of(units()[:6])
    turns = rot.identity(4, len(COMMON))
    turns[:, MOVING] = rot.multiply(encoding.centres, rot.exp(vectors))
    root = np.arange(12.0).reshape(4, 3)
    frames = encoding.encode(root, turns)
    assert frames.shape == (4, CHANNELS)
    back_root, back = encoding.decode(frames)
    np.testing.assert_array_equal(back_root, root)
    assert np.max(rot.distance(back, turns)) < 1e-6


@pytest.mark.feature("PCA-005")
def test_norms_and_axis_spreads_are_reported_for_every_joint_and_sample() -> None:
    encoding = Encoding.of(units())
    validity = encoding.validity(units())
    samples = len(units()[0].root)
    assert validity.norms.shape == validity.spreads.shape == (samples, len(MOVING))
    assert len(validity.joints) == len(MOVING)
    logs = np.stack([encoding.encode(u.root, u.rotations)[:, 3:] for u in units()])
    norms = np.linalg.norm(logs.reshape(len(units()), samples, -1, 3), axis=-1)
    np.testing.assert_allclose(validity.norms, norms.max(axis=0), atol=1e-9)
    knee = validity.joints.index("LeftLeg")  # a hinge: long vectors about one line
    assert validity.norms[:, knee].max() > 2 * LEAST_NORM
    assert np.degrees(validity.spreads[:, knee].max()) < 2.0


@pytest.mark.feature("PCA-005")
def test_a_rotation_near_half_a_turn_is_refused() -> None:
    encoding = Encoding.of(units()[:6])
    turns = units()[0].rotations[:3].copy()
    arm = COMMON.index("LeftArm")
    half = rot.from_axis_angle(np.array([0.0, 1.0, 0.0]), np.pi - 0.1)
    turns[1, arm] = rot.multiply(encoding.centres[MOVING.index(arm)], half)
    with pytest.raises(LocomoteError, match="LeftArm turns 174 degrees from its mean"):
        encoding.encode(np.zeros((3, 3)), turns)


def test_only_some_joints_may_be_decoded() -> None:
    encoding = Encoding.of(units()[:6])
    frames = encoding.encode(units()[0].root, units()[0].rotations)
    hip = COMMON.index("LeftUpLeg")
    _, turns = encoding.decode(frames, [hip])
    np.testing.assert_allclose(turns[:, hip], encoding.decode(frames)[1][:, hip])
    others = [j for j in range(len(COMMON)) if j != hip]
    np.testing.assert_array_equal(turns[:, others], rot.identity(len(frames), len(others)))
