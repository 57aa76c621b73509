"""What people do besides their style."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.human import Body, Crowd, HumanModel, Manners, random_manners, record_all
from locomote.human._manners import no_manners
from locomote.human_skeleton import COMMON
from locomote.measures.manner import manner
from locomote.motion import Motion


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


def _one(model: HumanModel, speed: float = 1.3, **more: object) -> Motion:
    own = no_manners(1)._replace(**{name: np.array(value) for name, value in more.items()})
    crowd = Crowd(model, 1, style=model.styles[0], speed=speed, phases=0.1, manners=own, lively=0.0)
    return crowd.record(5.0)


@pytest.mark.parametrize("speed", [0.8, 1.4, 3.0])
def test_arms_swing_as_far_as_they_are_told(model: HumanModel, speed: float) -> None:
    usual, far = (manner(_one(model, speed, arm_swing=[[share, share]])) for share in (1.0, 1.6))
    assert usual.arm_swing is not None
    assert far.arm_swing is not None
    assert far.arm_swing == pytest.approx(1.6 * usual.arm_swing, rel=0.12)
    assert far.elbow_bend == pytest.approx(usual.elbow_bend, abs=3.0)  # about the same middle
    assert far.swing_knee == pytest.approx(usual.swing_knee, abs=0.1)


def test_one_arm_may_swing_further_than_the_other(model: HumanModel) -> None:
    places = [_one(model, arm_swing=[sides]).joint_positions() for sides in ([1.0, 1.0], [2.0, 1.0])]
    left, right = COMMON.index("LeftHand"), COMMON.index("RightHand")
    moved = np.abs(places[1] - places[0]).max(axis=(0, 2))
    assert moved[left] > 0.1
    assert moved[right] == 0.0


@pytest.mark.parametrize(("speed", "bent"), [(1.3, [0.3, 0.0]), (3.0, [0.0, 0.3])])
def test_elbows_are_bent_more_in_the_gait_in_question(model: HumanModel, speed: float, bent: list[float]) -> None:
    usual, more = (manner(_one(model, speed, elbows=[angles])) for angles in ([0.0, 0.0], bent))
    assert usual.elbow_bend is not None
    assert more.elbow_bend is not None
    assert more.elbow_bend - usual.elbow_bend == pytest.approx(np.degrees(0.3), abs=1.5)


def test_feet_are_set_down_wider_and_turned_out(model: HumanModel) -> None:
    usual = Crowd(model, 1, style=model.styles[0], speed=1.2, phases=0.1, lively=0.0)
    own = no_manners(1)._replace(wider=np.array([0.03]), toe_out=np.array([[0.2, 0.0]]))
    wide = Crowd(model, 1, style=model.styles[0], speed=1.2, phases=0.1, lively=0.0, manners=own)
    for crowd in (usual, wide):
        for _ in range(180):
            crowd.step(1.0 / 60.0)
    across = [float(crowd.footholds[0, 0, 0] - crowd.footholds[0, 1, 0]) for crowd in (usual, wide)]
    assert across[1] - across[0] == pytest.approx(0.06, abs=0.03)  # its toes turn out about the ankle, too
    assert across[1] > across[0] + 0.03


def test_random_people_differ_in_manners_and_those_of_a_style_do_not(model: HumanModel) -> None:
    crowd = Crowd(model, 500, seed=4)
    assert all(np.array_equal(one, other) for one, other in zip(crowd.manners, random_manners(500, 4), strict=True))
    assert 0.15 < np.log(crowd.manners.arm_swing).std() < 0.25
    assert 0.008 < crowd.manners.wider.std() < 0.016
    styled = Crowd(model, 3, style=model.styles[0])
    assert all(np.array_equal(one, other) for one, other in zip(styled.manners, no_manners(3), strict=True))


def test_small_children_and_old_people_swing_their_arms_less_and_step_wider(model: HumanModel) -> None:
    bodies = [Body(age=age) for age in (3.0, 30.0, 80.0)]
    crowd = Crowd(model, 3, body=bodies, style=model.styles[0], speed=[each.walking_speed for each in bodies])
    child, grown, old = crowd.manners.arm_swing[:, 0]
    assert child < old < grown == 1.0
    assert crowd.manners.wider[0] > crowd.manners.wider[2] > crowd.manners.wider[1] == 0.0
    swings = [manner(motion).arm_swing for motion in record_all(crowd, 5.0)]
    assert max(swings[0], swings[2]) < swings[1]


def test_somebody_of_a_crowd_is_the_same_alone(model: HumanModel) -> None:
    many = Crowd(model, 5, seed=2, speed=1.2, phases=0.2, lively=0.0, positions=(0.0, 0.0, 0.0))
    alone = Crowd(model, 1, style=many.styles[3], manners=many.manners.of(3), speed=1.2, phases=0.2, lively=0.0)
    both = record_all(many, 1.0)[3], alone.record(1.0)
    np.testing.assert_array_equal(both[0].rotations, both[1].rotations)


@pytest.mark.parametrize(
    "wrong",
    [random_manners(2), random_manners(1)._replace(wider=np.array([np.nan])), random_manners(1)._replace(lively=1.0)],
)
def test_manners_of_other_people_are_refused(model: HumanModel, wrong: Manners) -> None:
    with pytest.raises(LocomoteError, match=r"manners: .*: expected finite numbers of shape"):
        Crowd(model, 1, manners=wrong)
