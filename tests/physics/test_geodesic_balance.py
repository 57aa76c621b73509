"""Balance: on one foot, from foot to foot, in a crouch and a jump, with no force on the hips, and along a walk."""

from __future__ import annotations

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.physics import AngularMomentum, Balanced, Tuning
from locomote.spaces import PoseSpace
from tests.physics.bodies import everyday, space

pytest.importorskip("proxsuite")
WEIGHT = 70.0 * 9.81


class Dragged:
    """Somebody on the left foot whose right hand is dragged about and who is pushed, and what came of it."""

    def __init__(self, seconds: float, tuning: Tuning | None = None, k: int = 15) -> None:
        person = Balanced(everyday(k), tuning=tuning)
        person.stand("left")
        person.record(2.5)
        assert person.support == ("left",)
        hand = person.space.skeleton.index("RightHand")
        home = person.poses.joint_positions()[0, hand].copy()
        momenta, self.inside, self.held = [], [], True
        foot = person.poses.joint_positions()[0, person.space.skeleton.index("LeftFoot")].copy()
        self.slipped, self.head = 0.0, []
        for i in range(round(100 * seconds)):
            t = 0.01 * i
            drag = np.array([0.15 * np.sin(2 * t), 0.3 + 0.25 * np.sin(3 * t), 0.25 + 0.2 * np.cos(2 * t)])
            person.reach("RightHand", home + drag)
            if i % 800 == 400:
                person.push((60.0, 0.0, 0.0) if i % 1600 < 800 else (0.0, 0.0, -60.0), "Spine2", 0.2)
            places = person.step(0.01).joint_positions()[0]
            self.slipped = max(
                self.slipped, float(np.linalg.norm(places[person.space.skeleton.index("LeftFoot")] - foot))
            )
            self.head.append(places[person.space.skeleton.index("Head"), 1])
            momenta.append(float(np.linalg.norm(person.angular_momentum)))
            self.held &= person.support == ("left",)
            corners = person._engine.touch.places[:4, [0, 2]]
            self.inside.append(is_inside(person.centre_of_mass[[0, 2]], corners))
        self.momentum = float(np.mean(momenta))


def is_inside(point: np.ndarray, corners: np.ndarray) -> bool:
    """Whether a point lies in the hull of four corners."""
    around = corners[np.argsort(np.arctan2(*(corners - corners.mean(axis=0)).T))]
    sides = np.roll(around, -1, axis=0) - around
    away = point - around
    turns = sides[:, 0] * away[:, 1] - sides[:, 1] * away[:, 0]
    return bool(np.all(turns >= 0.0) or np.all(turns <= 0.0))


@pytest.fixture(scope="module")
def dragged() -> Dragged:
    return Dragged(60.0)


@pytest.mark.feature("PGD-19")
def test_one_foot_holds_for_a_minute_under_a_dragged_hand_and_pushes(dragged: Dragged) -> None:
    assert dragged.held
    assert dragged.slipped <= 0.005
    assert np.ptp(dragged.head) < 0.2  # upright all the time


@pytest.mark.feature("PGD-18")
def test_the_centre_of_mass_stays_over_the_sole(dragged: Dragged) -> None:
    assert all(dragged.inside)


@pytest.mark.feature("PGD-17")
def test_the_wish_for_no_angular_momentum_takes_it_away() -> None:
    with_it, without = Dragged(8.0), Dragged(8.0, Tuning(momentum=AngularMomentum(0.0)))
    assert without.momentum >= 10.0 * with_it.momentum


def test_angular_momentum_is_that_of_all_bodies_about_the_centre_of_mass() -> None:
    person = Balanced(everyday())
    person.push((200.0, 0.0, 150.0), "RightHand", 0.1)
    person.record(0.3)
    engine = person._engine
    rng = np.random.default_rng(0)
    engine.body.state.v[:] = rng.normal(size=len(engine.body.state.v))
    person.step(0.01)
    wishes, work, tree = engine.wishes, engine.body.work, engine.body.tree
    # The sweep was made at the pose and velocity before the step.
    turning, moving = np.zeros(3), np.zeros((len(tree.mass), 3))
    for b in range(len(tree.mass)):
        rotation = work.rotations[b]
        arm = rot.rotate(rotation, tree.centre[b])
        own = rot.rotate(rot.inverse(rotation), work.spin[b])
        moving[b] = work.places[b] + arm - work.centre
        speed = work.speed[b] + np.cross(work.spin[b], arm)
        turning += rot.rotate(rotation, tree.inertia[b] @ own) + tree.mass[b] * np.cross(moving[b], speed)
    np.testing.assert_allclose(wishes.rows[6:9] @ work.guess, turning, atol=1e-9)


@pytest.mark.feature("PGD-20")
def test_weight_goes_to_the_other_foot_ten_times_of_ten() -> None:
    person = Balanced(everyday())
    for i in range(10):
        side = ("left", "right")[i % 2]
        person.stand(side)
        person.record(3.0)
        assert person.support == (side,)
        lifted = person._engine.corners(1 - ("left", "right").index(side))
        assert lifted.min() > 0.02
    person.stand("both")
    person.record(2.0)
    assert person.support == ("left", "right")


@pytest.mark.feature("PGD-21")
def test_a_crouch_and_a_jump_end_upright() -> None:
    person = Balanced(everyday())
    person.record(1.0)
    standing = person.centre_of_mass[1]
    person.crouch(0.75)
    person.record(2.0)
    assert person.centre_of_mass[1] == pytest.approx(0.75 * standing, abs=0.03)
    person.crouch(1.0)
    person.record(2.0)
    assert person.centre_of_mass[1] == pytest.approx(standing, abs=0.02)
    person.jump(0.25)
    soles, heights, phases = [], [], []
    for _ in range(300):
        person.step(0.01)
        soles.append(float(person._engine.touch.gaps[:8].min()))
        heights.append(person.centre_of_mass[1])
        phases.append(person.support)
    flight = [i for i, support in enumerate(phases) if support == ()]
    assert len(flight) >= 15
    assert max(soles) > 0.05  # both feet left the ground
    assert max(heights) > standing + 0.08
    fall = np.diff(heights, 2)[flight[3] : flight[-4]] / 0.01**2
    np.testing.assert_allclose(fall, -9.81, atol=0.8)  # nothing holds it in the air
    assert phases[-1] == ("left", "right")
    assert heights[-1] == pytest.approx(standing, abs=0.03)
    assert np.abs(person._engine.body.state.v).max() < 0.3


@pytest.mark.parametrize("push", [(0, 0, 100), (0, 0, -100), (100, 0, 0), (-100, 0, 0)])
def test_two_feet_hold_without_any_force_on_the_hips(push: tuple[float, float, float]) -> None:
    person = Balanced(everyday(), actuation="internal")
    person.record(1.5)
    start = person.centre_of_mass
    person.push(push, "Spine2", 0.2)
    farthest = 0.0
    for i in range(300):
        before = person._engine.body.state.p[3:6].copy()
        person.step(0.01)
        change = (person._engine.body.state.p[3:6] - before) / 0.01
        needed = change - np.array([0.0, -WEIGHT, 0.0]) - (np.array(push) if i < 20 else 0.0)
        forces = person.contact_forces
        assert np.linalg.norm(forces.sum(axis=0) - needed) <= 0.01 * np.linalg.norm(needed)
        assert np.all(np.linalg.norm(forces[:, [0, 2]], axis=1) <= 0.8 * forces[:, 1] + 1e-6)
        assert np.linalg.norm(person.helper_force) < 1e-2
        farthest = max(farthest, float(np.linalg.norm(person.centre_of_mass - start)))
    assert 0.01 < farthest < 0.12
    assert np.linalg.norm(person.centre_of_mass - start) < 0.01


def test_one_foot_holds_without_any_force_on_the_hips() -> None:
    person = Balanced(everyday(), actuation="internal")
    person.stand("left")
    person.record(2.5)
    assert person.support == ("left",)
    hand = person.poses.joint_positions()[0, person.space.skeleton.index("RightHand")].copy()
    for i in range(500):
        t = 0.01 * i
        person.reach(
            "RightHand", hand + min(1.0, t) * np.array([0.15 * np.sin(2 * t), 0.3, 0.25 + 0.2 * np.cos(2 * t)])
        )
        if i == 200:
            person.push((0.0, 0.0, -40.0), "Spine2", 0.2)
        person.step(0.01)
        assert np.linalg.norm(person.helper_force) < 1e-2
    assert person.support == ("left",)
    assert np.linalg.norm(person.centre_of_mass - person._stance.centre.value) < 0.02


def test_what_helps_from_outside_is_told() -> None:
    person = Balanced(everyday())
    person.record(1.5)
    assert np.linalg.norm(person.helper_force) < 0.02 * WEIGHT
    np.testing.assert_allclose(person.contact_forces.sum(axis=0), (0.0, WEIGHT, 0.0), atol=0.03 * WEIGHT)
    person.push((300.0, 0.0, 0.0), "Spine2", 0.2)
    person.record(0.15)
    assert np.linalg.norm(person.reactions.helper) > 10.0


@pytest.fixture(scope="module")
def walk() -> lm.Motion:
    return lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=1, speed=1.4).record(seconds=5.0, fps=60)


@pytest.mark.parametrize("push", [(150.0, 0.0, 0.0), (0.0, 0.0, -150.0)])
def test_a_walk_gives_way_to_a_push_and_comes_back(walk: lm.Motion, push: tuple[float, float, float]) -> None:
    walking = PoseSpace.fit(walk, 15, metric="kinetic")
    chest, runs, helped = walk.skeleton.index("Spine2"), [], []
    for pushed in (False, True):
        person = Balanced(walking, pose=walk[:1])
        person.follow(walk)
        places = []
        for i in range(450):
            if pushed and i == 200:
                person.push(push, "Spine2", 0.15)
            places.append(person.step(0.01).joint_positions()[0].copy())
            helped.append(float(np.linalg.norm(person.helper_force)))
        runs.append(np.array(places))
    truth = walk.resampled(100.0).joint_positions()[1:451]
    truth[..., 1] += (runs[0] - truth)[..., 1].mean()  # its floor was found
    assert np.linalg.norm(runs[0] - truth, axis=-1).mean() < 0.02
    off = np.linalg.norm(runs[1][:, chest] - runs[0][:, chest], axis=1)
    assert 0.02 < off.max() < 0.08
    late = np.flatnonzero(off > 0.01)[-1]
    assert late < 215 + 100
    assert np.mean(helped) <= 1.5 * WEIGHT
    assert np.mean(helped) <= 0.1 * WEIGHT  # the ground explains nearly all


def test_a_space_is_exchanged_while_somebody_stands() -> None:
    person = Balanced(everyday(20))
    person.stand("left")
    person.record(2.5)
    before = person.poses.joint_positions()[0].copy()
    person.space = everyday(15)
    np.testing.assert_allclose(person.poses.joint_positions()[0], before, atol=1e-9)
    motion = person.record(1.5)
    places = np.concatenate([before[None], motion.joint_positions()])
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.03  # no jump
    assert person.support == ("left",)
    assert len(person.space) == 15
    with pytest.raises(LocomoteError, match="same joints"):
        person.space = PoseSpace.fit(
            lm.Motion(
                lm.Skeleton(("a", "b"), np.array([-1, 0]), np.ones((2, 3))), 30.0, np.zeros((9, 3)),
                rot.exp(np.random.default_rng(0).normal(size=(9, 2, 3))),
            ), 1, metric="angle",
        )  # fmt: skip


@pytest.mark.feature("PGD-24")
def test_a_loop_of_a_thousand_steps_a_second_goes_where_a_user_drags() -> None:
    person = Balanced(everyday(15))
    person.stand("left")
    person.record(2.5)
    hand, foot = (person.space.skeleton.index(name) for name in ("RightHand", "LeftFoot"))
    begun = last = person.poses.joint_positions()[0].copy()
    began, moved, slipped = person.time, 0.0, 0.0
    for i in range(1000):
        goal = begun[hand] + np.array([0.1 * np.sin(0.002 * i), 0.0002 * i, 0.0001 * i])
        person.reach("RightHand", goal)
        places = person.step(0.001).joint_positions()[0].copy()
        moved = max(moved, float(np.linalg.norm(places - last, axis=1).max()))
        slipped = max(slipped, float(np.linalg.norm(places[foot] - begun[foot])))
        last = places
    assert person.time - began == pytest.approx(1.0)
    assert moved < 0.001  # in one step: nothing jumps
    assert slipped < 0.001
    assert person.support == ("left",)
    for _ in range(500):
        last = person.step(0.001).joint_positions()[0]
    assert np.linalg.norm(last[hand] - goal) < 0.25 * np.linalg.norm(begun[hand] - goal)  # who is dragged comes along


@pytest.mark.feature("PGD-23")
def test_a_space_learnt_from_another_clip_takes_over_in_mid_stance() -> None:
    person = Balanced(everyday(15))
    person.stand("left")
    person.record(2.5)
    skeleton, walk = person.space.skeleton, lm.samples.performer(speed=1.8, seconds=2.0).motion
    clip = lm.Motion(skeleton, walk.fps, walk.root_positions, walk.rotations)
    learnt = PoseSpace.fit(clip, 20, metric="kinetic")
    missed = [
        np.linalg.norm(each.rotations(each.coordinates(clip)) - clip.rotations, axis=-1)[:, 1:].mean()
        for each in (person.space, learnt)
    ]
    assert missed[1] < 0.2 * missed[0]  # poses that the old one did not have
    foot, before = skeleton.index("LeftFoot"), person.poses.joint_positions()[0].copy()
    person.space = learnt
    places = np.concatenate([before[None], person.record(1.5).joint_positions()])
    assert np.linalg.norm(np.diff(places, axis=0), axis=-1).max() < 0.01  # no jump
    away = np.linalg.norm(places[:, foot] - before[foot], axis=1)
    assert away.max() < 0.01
    assert away[-1] < 0.005
    assert person.support == ("left",)
    own = learnt.rotations(learnt.coordinates(person.poses))[0]
    moved = [skeleton.index(name) for name in ("LeftUpLeg", "RightLeg", "Spine1", "LeftArm")]
    np.testing.assert_allclose(rot.distance(person.poses.rotations[0, moved], own[moved]), 0.0, atol=1e-6)


def test_spaces_of_walks_are_enough_to_stand() -> None:
    person = Balanced(space(15))
    person.record(1.0)
    assert person.support == ("left", "right")
    assert person.time == pytest.approx(1.0)
    assert np.abs(person._engine.body.state.v).max() < 0.5
