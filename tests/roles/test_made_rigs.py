"""Rigs with the traits of many makers: robots, twist bones, foreign and silent names, copies of legs."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.roles import find_roles
from locomote.roles import names as say
from locomote.skeleton import Skeleton
from tests import made_rigs as made


@pytest.mark.parametrize("name", [*made.ROBOTS, *made.PEOPLE])
def test_legs_and_arms_are_found(name: str) -> None:
    skeleton, expected = {**made.ROBOTS, **made.PEOPLE}[name]
    roles = skeleton.roles
    left = roles.leg("left")
    assert len(roles.legs) == 2
    assert skeleton.names[left.hip] in expected.hips
    assert skeleton.names[left.knee] == expected.knee
    assert skeleton.names[left.ankle] == expected.ankle
    assert roles.forward == (0.0, 0.0, 1.0)
    assert left.chain[0] == left.hip
    assert left.chain[-1] == left.toe
    positions = skeleton.rest_pose()[0]
    mirrored = roles.leg("right")
    for part in ("hip", "knee", "ankle", "ball", "toe"):
        other = positions[getattr(mirrored, part)] * (-1.0, 1.0, 1.0)
        np.testing.assert_allclose(positions[getattr(left, part)], other, atol=1e-12)
    if expected.arm is not None:
        arm = roles.arms[0]
        assert tuple(skeleton.names[j] for j in (arm.shoulder, arm.elbow, arm.wrist)) == expected.arm


@pytest.mark.parametrize("name", [name for name in made.ROBOTS if name != "letters"])
def test_robots_have_arms(name: str) -> None:
    roles = made.ROBOTS[name][0].roles
    assert [arm.side for arm in roles.arms] == ["left", "right"]
    for arm in roles.arms:
        assert arm.shoulder != arm.elbow


@pytest.mark.parametrize("feet", [False, True])
@pytest.mark.parametrize("fold", [0.0, 0.5 * np.pi], ids=["standing", "folded up"])
def test_the_knee_of_a_robot_dog_is_its_knee(fold: float, feet: bool) -> None:
    skeleton = made.robot_dog(("HIP", "THIGH", "SHANK"), fold, feet)
    roles = skeleton.roles
    assert [(leg.side, leg.row) for leg in roles.legs] == [("left", 0), ("right", 0), ("left", 1), ("right", 1)]
    for leg in roles.legs:
        assert skeleton.names[leg.knee].endswith("_SHANK")
        assert skeleton.names[leg.hip].endswith("_THIGH")
    assert roles.forward == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("clavicle", [True, False])
@pytest.mark.parametrize("fingers", [True, False])
def test_silent_arms_by_their_shape(clavicle: bool, fingers: bool) -> None:
    arm = made.ARM if clavicle else (("upperarm_*", "chest", (0.18, 1.42, 0.0)), *made.ARM[2:])
    rows = (*made.MIDDLE, *made.LEG, *arm, *(made.FINGERS if fingers else ()))
    skeleton, at = made.silent(rows, made.TOES)
    roles = skeleton.roles
    assert [at[f"{part}_l"] for part in ("thigh", "shin", "foot")] == [
        roles.leg("left").hip, roles.leg("left").knee, roles.leg("left").ankle,
    ]  # fmt: skip
    found = roles.arms[0]
    assert [at[f"{part}_l"] for part in ("upperarm", "forearm", "hand")] == [found.shoulder, found.elbow, found.wrist]
    assert found.clavicle == (at["clavicle_l"] if clavicle else None)


def test_a_leg_without_a_foot_ends_with_its_shin() -> None:
    rows = (*made.MIDDLE, *made.LEG[:2], *made.ARM)
    skeleton = made.built(rows, {"shin_*": (0.0, -0.42, -0.02)})
    leg = skeleton.roles.leg("left")
    assert (skeleton.names[leg.hip], skeleton.names[leg.knee]) == ("thigh_l", "shin_l")
    assert skeleton.leg_length() == pytest.approx(0.4 + 0.42, abs=2e-3)
    marked = made.built((*rows, ("shin_end_*", "shin_*", (0.1, 0.08, 0.0))))
    assert marked.names[marked.roles.leg("left").ankle] == "shin_end_l"


def test_vertebrae_are_on_no_side() -> None:
    assert say.sides(["L_1", "L_2", "C_1", "hand_L", "hand_R"]) == ["", "", "", "left", "right"]
    assert say.sides(["L1", "R1", "L2", "R2"]) == ["left", "right", "left", "right"]


def test_roll_is_a_joint_where_others_pitch() -> None:
    robot = ["base", "l_hip_roll", "l_hip_pitch"]
    assert say.helpers(robot, [-1, 0, 1]) == [False, False, False]
    assert say.helpers(["arm_l", "arm_roll_l", "hand_l"], [-1, 0, 0]) == [False, True, False]
    assert say.helpers(["arm_l", "arm_roll_l", "hand_l"], [-1, 0, 1]) == [False, False, False]


def test_what_carries_the_body_is_no_helper() -> None:
    rows = [("ctrl_root", "", (0.0, 0.0, 0.0)), ("pelvis", "ctrl_root", (0.0, 0.95, 0.0)), *made.MIDDLE[1:]]
    assert len(made.built((*rows, *made.LEG, *made.ARM), made.TOES).roles.legs) == 2


def test_names_of_many_languages() -> None:
    assert say.side("左ひざ") == "left"
    assert say.bare("右足首") == "ankle"
    assert say.says("右足", say.THIGH)
    assert "ik" in say.words("左足ＩＫ")


def test_one_sided_trees_have_no_legs() -> None:
    assert find_roles(Skeleton(("a", "leg_l", "foot_l"), [-1, 0, 1], [[0, 1, 0], [0.1, 0, 0], [0, -1, 0]])).legs == ()
