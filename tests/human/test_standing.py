from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.human.fitting._calibration import Calibration, lowest_foot_points
from locomote.human.fitting._cycles import find_units
from locomote.human.fitting._importing import import_motion
from locomote.human.fitting._standing import STRAIGHT_KNEE, find_stand, settled
from locomote.human_skeleton import COMMON
from locomote.motion import Motion

from .synthetic import capture

FEET = [COMMON.index("LeftFoot"), COMMON.index("RightFoot")]


def test_a_walk_without_a_pause_has_no_standing_pose() -> None:
    assert find_stand(capture(1.3, "walk")) is None


def test_a_held_pose_is_found() -> None:
    walk = capture(1.3, "walk")
    passing = int(
        np.argmin(np.abs(np.diff(Motion(COMMON, 1.0, walk.root, walk.rotations).joint_positions()[:, FEET, 2])))
    )
    still = replace(
        walk,
        root=np.repeat(walk.root[passing : passing + 1], 60, axis=0),
        rotations=np.repeat(rot.identity(1, len(COMMON)), 60, axis=0),
    )
    stand = find_stand(still)
    assert stand is not None
    assert stand.stillness < 1e-6


@pytest.mark.data
def test_a_recorded_person_stands_on_both_soles(data: Path) -> None:
    capture = import_motion(lm.load(data / "human/walk/cmu_104_35.bvh.xz", drop_tpose=True))
    stand = find_stand(capture)
    assert stand is not None
    units, _ = find_units(capture, "cmu 104", "35", "walk")
    pose = settled(stand, Calibration.of(units))
    root, turns = pose.root[None], pose.rotations[None]
    assert abs(float(lowest_foot_points(root, turns)[0])) < 1e-9
    positions, world = Motion(COMMON, 1.0, root, turns).world()
    assert positions[0, FEET[0], 1] == pytest.approx(positions[0, FEET[1], 1], abs=1e-9)
    soles = rot.rotate(world[0, FEET], np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(soles[:, 1], 0.0, atol=2e-3)
    knees = rot.angle(turns[0, [COMMON.index("LeftLeg"), COMMON.index("RightLeg")]])
    assert np.all(knees <= STRAIGHT_KNEE + 1e-9)
    assert abs(float(rot.yaw(turns[0, 0]))) < 1e-6
    assert -0.07 < positions[0, FEET, 2].mean() < 0.0  # the weight is a little ahead of the ankles
