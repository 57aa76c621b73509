"""The skeleton of the synthetic performer."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.human_skeleton import heel_offset, hip_height
from locomote.samples import human_skeleton


@pytest.mark.parametrize("leg_length", [0.5, 0.9, 1.3])
def test_lengths_follow_the_leg(leg_length: float) -> None:
    skeleton = human_skeleton(leg_length)
    assert skeleton.leg_length() == pytest.approx(leg_length)
    positions, _ = skeleton.rest_pose()
    left, right = skeleton.roles.legs
    assert positions[left.hip, 1] == pytest.approx(hip_height(leg_length))
    assert positions[left.ankle, 1] == pytest.approx(0.075 * hip_height(leg_length))
    heel = positions[left.ankle] + heel_offset(leg_length)
    assert heel[1] == pytest.approx(0.0, abs=1e-12)
    assert heel[2] < 0.0
    for leg in (left, right):
        assert positions[leg.ball, 1] == pytest.approx(0.0, abs=1e-12)
    head = positions[skeleton.end_parents[0]] + skeleton.end_offsets[0]
    assert head[1] == pytest.approx(hip_height(leg_length) / 0.53, rel=0.01)


def test_it_stands_in_t_pose_with_mirrored_sides() -> None:
    skeleton = human_skeleton()
    positions, _ = skeleton.rest_pose()
    assert len(skeleton) == 22
    for name in skeleton.names:
        if name.startswith("Left"):
            left = positions[skeleton.index(name)]
            right = positions[skeleton.index("Right" + name.removeprefix("Left"))]
            assert left[0] > 0.0
            np.testing.assert_allclose(right, left * [-1.0, 1.0, 1.0], atol=1e-12)
    arm = skeleton.roles.arms[0]
    assert positions[arm.wrist, 1] == pytest.approx(positions[arm.shoulder, 1])


def test_roles_are_complete() -> None:
    skeleton = human_skeleton()
    roles = skeleton.roles
    legs = [skeleton.names[j] for leg in roles.legs for j in leg.chain]
    arms = [skeleton.names[j] for arm in roles.arms for j in (arm.clavicle, arm.shoulder, arm.elbow, arm.wrist)]
    sides = ("Left", "Right")
    assert [skeleton.names[j] for j in roles.spine] == ["Spine", "Spine1", "Spine2"]
    assert legs == [side + part for side in sides for part in ("UpLeg", "Leg", "Foot", "ToeBase")]
    assert arms == [side + part for side in sides for part in ("Shoulder", "Arm", "ForeArm", "Hand")]
    assert roles.head == skeleton.index("Head")
    assert [leg.side for leg in roles.legs] == ["left", "right"]
