"""Feet on slopes, stairs, rough ground and platforms that move: they stand, and nothing is in the ground."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.human._crowd import Crowd
from locomote.human._model import HumanModel
from locomote.world import Ground
from locomote_lab.human.foot_courses import COURSES, LANE, hillside, lanes, slopes, stairs
from locomote_lab.human.foot_record import record_feet
from locomote_lab.human.foot_report import FootReport, foot_report
from tests.human.foot_checks import FRAME, assert_held, pass_time


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


def cross(
    model: HumanModel,
    ground: object,
    seconds: float,
    speed: tuple[float, ...] = (0.7, 1.0, 1.2, 1.4),
    **begin: object,
) -> FootReport:
    """People of four speeds cross a ground."""
    held, source = (
        record_feet(
            Crowd(
                model,
                4,
                seed=5,
                speed=speed,
                style="steady",
                positions=lanes(4),
                ground=ground(),
                feet=feet,
                **begin,
            ),
            seconds,
        )
        for feet in (True, False)
    )
    return foot_report(held, source)


@pytest.mark.parametrize("degrees", [5.0, 10.0, 20.0, 30.0])
def test_feet_hold_on_slopes_up_and_down(model, degrees):
    assert_held(cross(model, lambda: slopes((degrees,), 10.0), 10.0))


@pytest.mark.parametrize("heading", [0.0, 1.57, 3.14])
def test_feet_hold_up_across_and_down_a_hillside(model, heading):
    assert_held(cross(model, lambda: hillside(15.0), 5.0, heading=heading))


@pytest.mark.parametrize(("rise", "tread"), [(0.08, 0.32), (0.17, 0.29), (0.2, 0.28)])
def test_feet_hold_on_stairs_up_and_down(model, rise, tread):
    assert_held(cross(model, lambda: stairs(((rise, tread),), 10.0), 10.0))


def test_feet_hold_on_rough_ground(model):
    assert_held(cross(model, lambda: Ground.rough(3, (40.0, 40.0), 0.15, 2.0), 8.0))


PLATFORMS = {
    "to and fro": {"travel": (1.0, 0.0, 0.6), "period": 4.0},
    "up and down": {"travel": (0.0, 0.4, 0.0), "period": 4.0},
    "turning": {"travel": (0.0, 0.0, 0.0), "period": 4.0, "turn_rate": 0.4},
    "all": {"travel": (0.8, 0.2, 0.0), "period": 4.0, "turn_rate": -0.3},
}


@pytest.mark.parametrize("speed", [(0.7, 1.0, 1.2, 1.4), (2.4, 2.8, 3.2, 4.0)])
@pytest.mark.parametrize("platform", PLATFORMS)
def test_feet_hold_on_moving_platforms(model, platform, speed):
    def ground() -> Ground:
        out = Ground()
        out.add_shuttle((0.0, 0.0), (80.0, 80.0), 0.6, **PLATFORMS[platform])
        return out

    assert_held(cross(model, ground, 6.0, speed))


def test_feet_step_onto_a_moving_platform_and_off_again(model):
    def ground() -> Ground:
        out = Ground()
        out.add_platform((0.0, 4.0), (30.0, 3.0), 0.12, velocity=(0.3, 0.0, 0.0))
        return out

    assert_held(cross(model, ground, 8.0))


@pytest.mark.parametrize("platform", PLATFORMS)
def test_who_stands_on_a_platform_goes_with_it(model, platform):
    """Seen from the platform, a standing body does not move at all."""
    ground = Ground()
    ground.add_shuttle((0.0, 0.0), (8.0, 8.0), 0.6, **PLATFORMS[platform])
    crowd = Crowd(model, 3, positions=[[-LANE, 0.0, 0.5], [0.0, 0.0, 0.0], [LANE, 0.0, 1.0]], ground=ground, lively=0.0)
    pass_time(crowd, 1.0)  # settle
    row = ground.arrays[0][0]

    def seen() -> np.ndarray:
        return rot.rotate(rot.from_yaw(-row[3]), crowd.poses.joint_positions() - row[:3])

    before = seen()
    for _ in range(180):
        ground.advance(FRAME)
        crowd.step(FRAME)
        assert np.max(np.abs(seen() - before)) < 1e-3


@pytest.mark.parametrize("ground", ["slopes", "hillside", "stairs", "rough"])
def test_random_commands_on_uneven_ground_put_no_foot_into_it(model, ground):
    held, source = COURSES[ground].try_feet(model, 8, 20.0, seed=3)
    assert held.penetration.value < 0.002
    assert held.slide.value < 0.002
    assert not held.missed
    assert held.backwards_knee.value < 1e-3
    assert source.penetration.value > 0.01


def test_what_a_foot_does_does_not_hang_on_rounding(model):
    """On a slope the ground behind a foot is as high as its plane but for rounding: no foot takes that for a step."""

    def walked(turned: float) -> np.ndarray:
        ground = Ground()
        ground.add_slope((0.0, -60.0), 120.0, 0.12, width=120.0)
        headings = np.linspace(-np.pi, np.pi, 120) + turned
        crowd = Crowd(model, 120, seed=3, speed=np.linspace(0.4, 2.4, 120), heading=headings, ground=ground)
        return np.stack([crowd.step(1 / 60).joint_positions().copy() for _ in range(240)])

    off = np.linalg.norm(walked(1e-13) - walked(0.0), axis=-1)
    assert off.max() < 1e-6
