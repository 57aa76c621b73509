from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.human.fitting._calibration import (
    PELVIS_PITCH,
    Calibration,
    _pitch,
    calibrated,
    lowest_foot_points,
)
from locomote.human.fitting._cycles import Unit, find_units
from locomote.human.fitting._planting import planted
from locomote.human.fitting._stride import ball_path, path_per_cycle, slip
from locomote.human_skeleton import COMMON
from locomote.motion import Motion

from .synthetic import capture

X = np.array([1.0, 0.0, 0.0])


def walk() -> Unit:
    return find_units(capture(1.3, "walk"), "someone", "clip", "walk")[0][0]


def shifted(unit: Unit, joint: str, angle: float) -> Unit:
    turns = unit.rotations.copy()
    turns[:, COMMON.index(joint)] = rot.multiply(turns[:, COMMON.index(joint)], rot.from_axis_angle(X, angle))
    return replace(unit, rotations=turns)


def test_constants_of_marker_placement_disappear() -> None:
    unit = walk()
    truth = calibrated([unit])[0]
    wrong = shifted(shifted(unit, "LeftFoot", 0.2), "Head", -0.3)
    right = calibrated([wrong])[0]
    # What is left is a shift of the floor: the toes that were turned with the foot are level again.
    assert np.max(rot.distance(right.rotations, truth.rotations)) < 1e-5


def test_the_pelvis_is_set_right_and_the_legs_stay() -> None:
    unit = walk()
    calibration = Calibration.of([unit])
    root, turns = calibration.apply(unit.root, unit.rotations)
    assert np.isclose(_pitch(turns[:, 0]).mean(), PELVIS_PITCH["walk"], atol=1e-3)
    before = Motion(COMMON, 1.0, unit.root, unit.rotations).joint_positions()
    after = Motion(COMMON, 1.0, root, turns).joint_positions()
    ankles = [COMMON.index("LeftFoot"), COMMON.index("RightFoot")]
    np.testing.assert_allclose(after[:, ankles], before[:, ankles], atol=1e-9)


def test_feet_are_on_the_floor_and_at_rest() -> None:
    unit = planted(calibrated([walk()])[0])
    low = lowest_foot_points(unit.root, unit.rotations)
    assert np.max(np.abs(low)) < 0.012
    balls = ball_path(unit.root, unit.rotations)
    wander, drift = slip(balls, "walk", float(path_per_cycle(balls, "walk")))
    assert wander < 0.006
    assert drift < 0.006


def test_planting_holds_a_foot_that_creeps() -> None:
    unit = calibrated([walk()])[0]
    phase = 2 * np.pi * np.arange(len(unit.root)) / len(unit.root)
    sway = np.stack([0.02 * np.sin(phase), 0 * phase, 0.01 * np.cos(2 * phase)], axis=1)
    restored = planted(replace(unit, root=unit.root + sway))
    balls = ball_path(restored.root, restored.rotations)
    assert slip(balls, "walk", float(path_per_cycle(balls, "walk")))[0] < 0.006
    # In the air nothing tells the sway that was added from the true one, so half of it remains at most.
    assert np.max(np.abs((restored.root - planted(unit).root)[:, [0, 2]])) < 0.012
