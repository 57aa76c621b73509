"""The space in which bodies balance: means, directions and the map from coordinates to poses."""

from __future__ import annotations

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.spaces import PoseSpace
from locomote.spaces._statistics import intrinsic_mean
from tests.physics.bodies import everyday, space


@pytest.mark.feature("PGD-01")
def test_means_have_no_slope_and_turn_with_what_they_are_means_of() -> None:
    rng = np.random.default_rng(0)
    turns = rot.exp(0.7 * rng.normal(size=(200, 6, 3)))
    mean = intrinsic_mean(turns)
    slope = rot.log(rot.multiply(rot.inverse(mean), turns)).mean(axis=0)
    assert np.linalg.norm(slope, axis=-1).max() < 1e-10
    before, after = rot.exp(rng.normal(size=(6, 3))), rot.exp(rng.normal(size=(6, 3)))
    moved = intrinsic_mean(rot.multiply(before, rot.multiply(turns, after)))
    assert rot.distance(moved, rot.multiply(before, rot.multiply(mean, after))).max() < 1e-9


@pytest.mark.feature("PGD-02")
def test_all_directions_give_the_clip_back_and_few_carry_most_of_it() -> None:
    clip = lm.samples.performer(speed=1.4, seconds=2.0).motion
    counts = [space(12).variance.count(share) for share in (0.90, 0.95, 0.99)]
    assert 1 <= counts[0] <= counts[1] <= counts[2] <= 20
    moving = [j for j in range(1, len(clip.skeleton)) if np.any(everyday(20).directions[:, j])]
    whole = PoseSpace.fit(clip, 3 * len(moving), joints=moving, metric="kinetic")
    back = whole.rotations(whole.coordinates(clip))
    assert rot.distance(back[:, moving], clip.rotations[:, moving]).max() < 1e-8


@pytest.mark.feature("PGD-03")
@pytest.mark.parametrize("form", ["sum", "product"])
def test_points_move_with_coordinates_as_differences_say_in_both_forms(form: str) -> None:
    fitted, e = everyday(15), 1e-6
    x = np.random.default_rng(1).normal(size=15) * fitted.deviations
    for name in ("RightHand", "LeftFoot", "Head"):
        found = fitted.jacobian(x, name, (0.1, 0.0, 0.05), form)[0]
        joint = fitted.skeleton.index(name)

        def place(at: np.ndarray, joint: int = joint) -> np.ndarray:
            pose = fitted.pose(at, form)
            motion = lm.Motion(fitted.skeleton, 30.0, pose.root_positions, pose.rotations)
            places, turns = motion.world()
            return places[0, joint] + rot.rotate(turns[0, joint], np.array([0.1, 0.0, 0.05]))

        for k, row in enumerate(np.eye(15)):
            slope = (place(x + e * row) - place(x - e * row)) / (2.0 * e)
            np.testing.assert_allclose(found[:, k], slope, atol=1e-6)


def test_in_the_kinetic_metric_a_coordinate_of_one_moves_much_mass() -> None:
    fitted = everyday(15)
    heavy = fitted.weights[fitted.skeleton.index("Spine")]
    assert heavy > 5.0 * fitted.weights[fitted.skeleton.index("LeftHand")]
    flat = (fitted.directions * fitted.weights[:, None]).reshape(15, -1)
    np.testing.assert_allclose(flat @ flat.T, np.eye(15), atol=1e-10)
