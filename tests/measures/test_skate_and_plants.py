"""Sliding and planted drift on feet whose truth is known by construction."""

import numpy as np
import pytest

from locomote.contacts import Contacts, Floor
from locomote.measures.plants import plants
from locomote.measures.skate import skate
from locomote.skeleton import Leg

FPS = 100.0
LEG = Leg(side="left", row=0, hip=1, knee=2, ankle=3, ball=4, toe=4)


def one_foot(x: np.ndarray, height: np.ndarray, down: np.ndarray) -> Contacts:
    """A foot that moves along x at a height; heel, ball and toe together."""
    points = np.zeros((len(x), 1, 3, 3))
    points[..., 0] = x[:, None, None]
    points[..., 1] = height[:, None, None]
    heights = np.broadcast_to(height[:, None, None], (len(x), 1, 3)).copy()
    return Contacts(FPS, (LEG,), points, heights, down[:, None], down[:, None], Floor(0.0))


def test_a_still_foot_scores_zero() -> None:
    still = one_foot(np.zeros(50), np.zeros(50), np.ones(50, dtype=bool))
    assert skate(still) == (0.0, 0.0, 0.0, 0.0, 0.0)
    found = plants(still)
    assert (found.plants, found.drift_max, found.penetration, found.floating) == (1, 0.0, 0.0, 0.0)


@pytest.mark.parametrize("speed", [0.1, 0.3, 0.8])
def test_a_foot_that_slides_evenly_scores_its_speed(speed: float) -> None:
    sliding = one_foot(np.arange(60) / FPS * speed, np.zeros(60), np.ones(60, dtype=bool))
    found = skate(sliding)
    assert found.weighted == pytest.approx(speed)  # on the floor the weight is 1
    assert found.speed == pytest.approx(speed)
    assert found.contact == pytest.approx(speed)
    assert found.ratio == (1.0 if speed > 0.2 else 0.0)
    assert found.ratio_fast == (1.0 if speed > 0.5 else 0.0)


def test_the_weight_fades_to_nothing_at_its_height() -> None:
    x = np.arange(60) / FPS
    at_limit = one_foot(x, np.full(60, 0.025), np.zeros(60, dtype=bool))
    assert skate(at_limit).weighted == pytest.approx(0.0)
    half_way = one_foot(x, np.full(60, 0.025 * np.log2(1.5)), np.zeros(60, dtype=bool))
    assert skate(half_way).weighted == pytest.approx(0.5)


def test_a_high_foot_is_not_skating() -> None:
    swinging = one_foot(np.arange(60) / FPS * 3.0, np.full(60, 0.08), np.zeros(60, dtype=bool))
    assert skate(swinging) == (0.0, 0.0, 0.0, 0.0, 0.0)


def test_one_fast_frame_is_not_a_fast_slide() -> None:
    x = np.zeros(60)
    x[30:] = 0.01  # 1 m/s for one frame, 0.2 m/s over five
    found = skate(one_foot(x, np.zeros(60), np.ones(60, dtype=bool)))
    assert found.ratio_fast == 0.0
    assert found.ratio == pytest.approx(1 / 59)


def test_drift_is_the_stray_from_the_middle_of_the_plant() -> None:
    down = np.zeros(100, dtype=bool)
    down[20:80] = True
    x = np.where(down, 0.0, 1.0)
    x[60:80] = 0.012  # a slip of 12 mm late in the plant
    found = plants(one_foot(x, np.zeros(100), down))
    assert found.plants == 1
    assert found.drift_max == pytest.approx(12.0)


def test_the_frames_beside_touchdown_do_not_count_as_drift() -> None:
    down = np.zeros(100, dtype=bool)
    down[20:80] = True
    x = np.zeros(100)
    x[20], x[79] = 0.02, 0.02  # still moving in the first and the last frame of contact
    assert plants(one_foot(x, np.zeros(100), down)).drift_max == 0.0


def test_penetration_and_floating_in_millimetres() -> None:
    height = np.zeros(100)
    height[10] = -0.015
    height[50:] = 0.004
    found = plants(one_foot(np.zeros(100), height, np.ones(100, dtype=bool)))
    assert found.penetration == pytest.approx(15.0)
    assert found.penetration_share == pytest.approx(0.01)
    assert found.floating == pytest.approx(4.0)


def test_two_feet_are_summed_by_the_weighted_skate() -> None:
    one = one_foot(np.arange(60) / FPS * 0.3, np.zeros(60), np.ones(60, dtype=bool))
    both = Contacts(
        FPS,
        (LEG, LEG),
        np.repeat(one.points, 2, axis=1),
        np.repeat(one.heights, 2, axis=1),
        np.repeat(one.heel, 2, axis=1),
        np.repeat(one.toe, 2, axis=1),
        one.floor,
    )
    assert skate(both).weighted == pytest.approx(2 * skate(one).weighted)
    assert skate(both).speed == pytest.approx(skate(one).speed)
