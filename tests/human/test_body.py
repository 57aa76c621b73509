"""Bodies by sex, age and build: as tall as people are, in their proportions, and on feet that stay."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.errors import LocomoteError
from locomote.human import Body, Crowd, HumanModel, random_bodies, record_all
from locomote.human.scenes._scene import read_scene
from locomote.human.scenes._schedule import Schedule
from locomote.human.scenes._script import Plan, cast, walk
from locomote.human_skeleton import COMMON_PROPORTIONS, hip_height, human_skeleton
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.steps import Stepper
from locomote_lab.human.foot_record import record_feet
from locomote_lab.human.foot_report import foot_report
from tests.human.foot_checks import assert_held

# Median statures of the CDC growth charts of 2000, cm, at ages between those of the table in the source.
CDC = {
    "female": {3: 93.9, 5: 107.7, 7: 121.5, 9: 132.9, 11: 144.0, 13: 157.2, 15: 161.9, 19: 163.3},
    "male": {3: 95.0, 5: 108.9, 7: 121.8, 9: 133.5, 11: 143.5, 13: 156.1, 15: 169.9, 19: 176.6},
}
BODIES = (
    Body("male", 3),
    Body("female", 4),
    Body("female", 9),
    Body("female", 30),
    Body("female", 40, 1.0),
    Body("male", 30, 2.0),
    Body("male", 80, -1.0),
)
PELVIS = 0.097  # hip heights from the middle line of the hips to the skin, of the usual body
SAME = 1e-6  # m, between the kernel's single and double precision


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


def walking(model: HumanModel, bodies: tuple[Body, ...] = BODIES, **more: object) -> Crowd:
    return Crowd(model, len(bodies), body=bodies, speed=[each.walking_speed for each in bodies], seed=2, **more)


def standing(body: Body) -> tuple[FloatArray, FloatArray]:
    """Joints and end sites of a body in T-pose."""
    skeleton = human_skeleton(body.leg_length, body.proportions)
    still = Motion(skeleton, 1.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
    return still.joint_positions()[0], still.end_positions()[0]


@pytest.mark.parametrize("sex", CDC)
def test_statures_are_those_of_the_growth_charts(sex):
    for age, centimetres in CDC[sex].items():
        assert Body(sex, age).height == pytest.approx(0.01 * centimetres, abs=0.015)


def test_old_people_have_lost_height_in_the_trunk_and_not_in_the_legs():
    for sex, by_70, by_80 in (("female", 0.05, 0.08), ("male", 0.03, 0.05)):
        young, old, oldest = Body(sex, 30), Body(sex, 70), Body(sex, 80)
        assert young.height - old.height == pytest.approx(by_70, abs=1e-9)
        assert young.height - oldest.height == pytest.approx(by_80, abs=1e-9)
        assert oldest.leg_length == pytest.approx(young.leg_length)
        assert oldest.proportions.trunk < old.proportions.trunk < young.proportions.trunk


def test_a_body_is_as_tall_as_it_says():
    for body in (*random_bodies(40, seed=3), *BODIES):
        joints, ends = standing(body)
        assert ends[0, 1] == pytest.approx(body.height, abs=1e-6)
        assert min(ends[:, 1].min(), joints[:, 1].min()) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("sex", CDC)
def test_trunk_and_head_are_a_smaller_share_of_who_is_older(sex):
    ages = np.arange(2, 13)
    above_hips, heads = [], []
    for age in ages:
        body = Body(sex, age)
        joints, ends = standing(body)
        above_hips.append(1.0 - joints[human_skeleton().index("LeftUpLeg"), 1] / body.height)
        heads.append((ends[0, 1] - joints[human_skeleton().index("Head"), 1]) / body.height)
    assert np.all(np.diff(above_hips) < 0.0)
    assert np.all(np.diff(heads) < 0.0)
    assert heads[0] / heads[-1] > 1.35


def test_women_have_wider_hips_and_narrower_shoulders_than_men_of_their_stature():
    woman, man = Body("female", 30, stature=1.7), Body("male", 30, stature=1.7)
    index = human_skeleton().index
    for joint, narrower, wider in (("LeftArm", woman, man), ("LeftUpLeg", man, woman)):
        assert standing(narrower)[0][index(joint), 0] < 0.97 * standing(wider)[0][index(joint), 0]


def test_a_man_of_thirty_has_the_common_proportions():
    own = Body("male", 30).proportions
    np.testing.assert_allclose(own[:6], COMMON_PROPORTIONS[:6], atol=5e-3)
    np.testing.assert_allclose(own.girths, COMMON_PROPORTIONS.girths, atol=5e-3)


def test_who_is_stouter_is_thicker_and_no_taller():
    usual, stout = Body("male", 30).proportions, Body("male", 30, 1.0).proportions
    assert stout[:5] == usual[:5]
    assert stout.girths.belly > stout.girths.limbs > usual.girths.limbs
    assert stout.spread > usual.spread
    assert stout.girths.head == usual.girths.head


def test_a_street_has_all_kinds_of_people_and_the_seed_says_which():
    street = random_bodies(400, seed=1)
    assert street == random_bodies(400, seed=1)
    assert Body.random(1) == Body.random(1) != Body.random(2)
    assert 0.4 < np.mean([each.sex == "female" for each in street]) < 0.6
    ages = np.array([each.age for each in street])
    assert 0.1 < np.mean(ages < 18) < 0.3
    assert 0.1 < np.mean(ages > 65) < 0.25
    assert 0.05 < np.mean([each.build > 1.0 for each in street]) < 0.15


def test_without_a_body_nothing_changes_and_one_body_changes_nobody_else(model):
    plain = Crowd(model, 3, seed=4, speed=1.3)
    mixed = Crowd(model, 3, seed=4, speed=1.3, body=[None, Body("female", 30), None], leg_length=0.9)
    for _ in range(30):
        plain.step(1 / 60)
        mixed.step(1 / 60)
    assert plain.poses.offsets is None
    for who in (0, 2):
        np.testing.assert_array_equal(plain.poses.rotations[who], mixed.poses.rotations[who])
        np.testing.assert_array_equal(plain.poses.joint_positions()[who], mixed.poses.joint_positions()[who])
    assert not np.array_equal(plain.poses.joint_positions()[1], mixed.poses.joint_positions()[1])


def test_legs_are_those_of_the_body_unless_given(model):
    assert Crowd(model, 2).leg_lengths.tolist() == [0.9, 0.9]
    child = Body("male", 6)
    assert Crowd(model, 2, body=child).leg_lengths == pytest.approx([child.leg_length] * 2)
    assert Crowd(model, 2, body=child, leg_length=0.7).leg_lengths.tolist() == [0.7, 0.7]


def test_feet_of_all_bodies_stay(model):
    crowd = walking(model)
    crowd.command(turn_rate=0.4, who=slice(0, None, 2))
    assert_held(foot_report(record_feet(crowd, 4.0)))


def test_recorded_motions_and_poses_have_the_bones_of_the_body(model):
    crowd = walking(model)
    crowd.command(leg_length=0.8, within=0.5, who=3)
    seen = [crowd.poses.joint_positions().copy()]

    def look(_: float) -> None:
        alone = replace(crowd.poses, known_positions=None).joint_positions()
        np.testing.assert_allclose(alone, crowd.poses.joint_positions(), atol=SAME)
        seen.append(crowd.poses.joint_positions().copy())

    motions = record_all(crowd, 1.0, before=look)
    for who, motion in enumerate(motions):
        np.testing.assert_allclose(motion.joint_positions()[:60], np.array(seen)[1:, who], atol=SAME)
    assert motions[0].skeleton.girths == BODIES[0].proportions.girths


def test_reaching_knows_the_bones_of_the_body(model):
    poses = walking(model).poses
    goals = poses.joint_positions()[:, poses.skeleton.index("LeftArm")] + (0.05, -0.1, 0.15)
    reached = lm.ik.reach(poses, ["LeftArm", "LeftForeArm", "LeftHand"], goals)
    tips = reached.pose.joint_positions()[:, poses.skeleton.index("LeftHand")]
    np.testing.assert_allclose(tips, goals, atol=2e-3)


def test_hands_do_not_go_through_the_hips(model):
    bodies = tuple(each for each in BODIES for _ in range(4))
    for motion in record_all(walking(model, bodies), 1.5, 30.0):
        joints, ends, index = motion.joint_positions(), motion.end_positions(), motion.skeleton.index
        left, right = joints[:, index("LeftUpLeg")], joints[:, index("RightUpLeg")]
        flesh = PELVIS * motion.skeleton.girths.belly * hip_height(motion.skeleton.leg_length())
        for hand in (joints[:, index("LeftHand")], ends[:, 1], joints[:, index("RightHand")], ends[:, 3]):
            across = right - left
            share = np.clip(np.sum((hand - left) * across, axis=1) / np.sum(across * across, axis=1), 0.0, 1.0)
            assert np.linalg.norm(hand - left - share[:, None] * across, axis=1).min() > flesh


def test_exact_steps_refuse_other_bodies_in_one_line(model):
    crowd = Crowd(model, 2, body=[None, Body("female", 30)], leg_length=0.9)
    handover = Stepper.from_crowd(crowd, 0).hand_back()
    with pytest.raises(LocomoteError, match="walker 1: exact steps are for the common body"):
        Stepper.from_crowd(crowd, 1)
    with pytest.raises(LocomoteError, match="walker 1: exact steps are for the common body"):
        crowd.place(1, handover)


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"sex": "man"}, "sex 'man': expected female or male"),
        ({"age": 1.0}, "age 1.0: expected 2 to 90 years"),
        ({"age": float("nan")}, "age nan: expected 2 to 90 years"),
        ({"age": "old"}, "age 'old': expected 2 to 90 years"),
        ({"build": 3}, "build 3: expected -2 to 2"),
        ({"stature": 175.0}, "stature 175.0: expected 1.50 to 2.12 m for a male of 30"),
    ],
)
def test_what_no_body_is_gets_one_line(asked, words):
    with pytest.raises(LocomoteError) as refused:
        Body(**asked)
    assert str(refused.value) == words


def test_a_crowd_wants_a_body_for_each(model):
    for wrong in ([Body()], [Body(), "old"], 5):
        with pytest.raises(LocomoteError, match="body: expected a Body, or 2 of them"):
            Crowd(model, 2, body=wrong)


def test_a_walk_and_a_scene_take_bodies(model, tmp_path: Path):
    child = Body("female", 5)
    motion = walk(model, Plan(Schedule((0.0,), (1.0,)), seconds=0.2), body=child)
    assert motion.skeleton.leg_length() == pytest.approx(child.leg_length)
    scene = tmp_path / "scene.toml"
    people = (
        '[[character]]\nsex = "female"\nage = 5\ngo_to = [0, 2]\n[[character]]\nposition = [2, 0]\ngo_to = [2, 2]\n'
    )
    scene.write_text(people)
    crowd, _, _ = cast(read_scene(scene, model))
    assert crowd.bodies == (child, None)
    assert crowd.leg_lengths.tolist() == pytest.approx([child.leg_length, 0.9])
    scene.write_text(people.replace("age = 5", "age = 500"))
    with pytest.raises(LocomoteError, match="character 'character1': age 500: expected 2 to 90 years"):
        read_scene(scene, model)


def test_a_file_keeps_the_girths(model, tmp_path: Path):
    motion = Crowd(model, body=Body("male", 50, 1.0), speed=1.2).record(0.1)
    lm.save(motion, tmp_path / "walk.npz")
    assert lm.load(tmp_path / "walk.npz").skeleton.girths == motion.skeleton.girths
