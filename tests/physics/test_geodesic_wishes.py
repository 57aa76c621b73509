"""What is asked of somebody who balances: points, frames, looks, the centre of mass, and who comes first."""

from __future__ import annotations

import math

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.errors import LocomoteError, MissingExtra
from locomote.physics import (
    AngularMomentum,
    Balanced,
    CentreOfMass,
    Gaze,
    HeadOverSupport,
    Orientation,
    Posture,
    Reach,
    Support,
    Tuning,
)
from locomote.physics._features import STRICT, write
from tests.physics.bodies import everyday

pytest.importorskip("proxsuite")


def joint(person: Balanced, name: str) -> np.ndarray:
    return person.poses.joint_positions()[0, person.space.skeleton.index(name)].copy()


def turned(person: Balanced, name: str) -> np.ndarray:
    motion = lm.Motion(person.space.skeleton, 30.0, person.poses.root_positions, person.poses.rotations)
    return motion.world()[1][0, person.space.skeleton.index(name)]


def settled(**given: object) -> Balanced:
    person = Balanced(everyday(), **given)
    person.record(1.0)
    return person


@pytest.mark.feature("PGD-11")
def test_wishes_never_make_the_programme_indefinite() -> None:
    person = settled()
    engine, rng = person._engine, np.random.default_rng(0)
    for i, feature in enumerate(
        [
            *(Reach(name, tuple(rng.normal(size=3)), strength=10.0**e) for name, e in (("LeftHand", 1), ("Head", 6))),
            Orientation("RightFoot", (0.5, 0.5, 0.5, 0.5), strength=1e5),
            Gaze((5.0, 1.0, 2.0), strength=1e5),
        ]
    ):
        person.ask(f"wish {i}", feature)
        person.step(0.01)
        matrix = engine.system.matrix
        np.testing.assert_array_equal(matrix, matrix.T)
        assert np.linalg.eigvalsh(matrix)[0] > 0.0
        added = np.linalg.eigvalsh(matrix - 0.5 * engine.body.work.matrix)
        assert added[0] > -1e-10 * added[-1]  # what wishes and damping add is never negative


@pytest.mark.feature("PGD-12")
def test_control_leads_from_nothing_but_physics_to_nothing_but_wishes() -> None:
    goal = (-0.45, 1.35, 0.35)
    costs = []
    for share in (0.0, 0.02, 0.1, 0.3, 0.6, 0.9, 1.0):
        person = settled()
        person.ask("hand", Reach("RightHand", goal))
        engine, wishes = person._engine, person._engine.wishes
        # Of the same pose and velocity, with nothing in the way.
        engine.touch.planted[:], engine.touch.active[:] = 0, 0
        engine.step(0.01, share if share > 0.0 else 1e-9, 0.0, 0.0, False)
        strengths = wishes.strengths[: engine.count].ravel()
        rows, wanted = wishes.rows[: len(strengths)], wishes.wanted[: len(strengths)]
        costs.append(float(strengths @ (rows @ engine.body.state.v - wanted) ** 2))
    assert np.all(np.diff(costs) < 0.0), costs  # what is missed of the wishes
    assert costs[-1] < 0.3 * costs[0]
    # Nothing but physics: the same step as that of a body of which nothing is asked.
    alone, asked = settled(), settled()
    asked.ask("hand", Reach("RightHand", goal, strength=1e6))
    for person in (alone, asked):
        person.limp()
        person.record(0.3)
    np.testing.assert_allclose(alone._engine.body.state.x, asked._engine.body.state.x, rtol=0.0, atol=1e-9)
    # Nothing but wishes: velocities of damped least squares, of the wishes and a thousandth of the mass matrix.
    person = settled(control=1.0)
    engine = person._engine
    engine.touch.planted[:], engine.touch.active[:] = 0, 0
    engine.ranges = engine.ranges._replace(matrices=np.zeros_like(engine.ranges.matrices))
    engine.step(0.01, 1.0, 0.0, 1.0, False)
    wishes, work = engine.wishes, engine.body.work
    strengths = 0.01 * wishes.strengths[: engine.count].ravel()
    rows, wanted = wishes.rows[: len(strengths)], wishes.wanted[: len(strengths)]
    posture = 0.01 * wishes.posture_pull[0] * np.diag(work.matrix)
    posture[:6] = 0.0
    matrix = 1e-3 * work.matrix + rows.T @ (strengths[:, None] * rows) + np.diag(posture)
    right = 1e-3 * (work.right - 0.01 * work.weight) + rows.T @ (strengths * wanted)
    before = engine.body.state.x - 0.01 * engine.body.state.v[6:]
    right[6:] += posture[6:] * -wishes.posture_pull[1] * (before - wishes.posture)
    np.testing.assert_allclose(engine.body.state.v, np.linalg.solve(matrix, right), atol=1e-5)


@pytest.mark.feature("PGD-13")
def test_a_hand_reaches_its_target_and_does_not_shoot_past_it() -> None:
    person = Balanced(everyday(20))
    person.record(1.0)
    start = joint(person, "RightHand")
    goal = start + np.array([-0.1, 0.35, 0.25])
    person.ask("hand", Reach("RightHand", tuple(goal), strength=600.0, gain=4.0))
    way = (goal - start) / np.linalg.norm(goal - start)
    past = []
    for _ in range(300):
        person.step(0.01)
        past.append(float((joint(person, "RightHand") - goal) @ way))
    assert np.linalg.norm(joint(person, "RightHand") - goal) < 0.02
    assert max(past) < 0.01  # of 44 cm


@pytest.mark.feature("PGD-14")
def test_a_frame_converges_from_any_turn_but_the_opposite_one() -> None:
    rng = np.random.default_rng(1)
    person = settled()
    wishes, engine = person._engine.wishes, person._engine
    for angle in (0.3, 1.5, 3.0):
        axis = rng.normal(size=3)
        axis /= np.linalg.norm(axis)
        # The hips alone in the air: a body that can turn as it likes.
        engine.touch.planted[:], engine.touch.active[:] = 0, 0
        goal = rot.multiply(rot.exp(angle * axis), engine.body.state.turn)
        write(Orientation(0, tuple(goal), strength=1e4, gain=5.0), 0, wishes, engine.reduced)
        engine.count, errors = 1, []
        for _ in range(150):
            engine.step(0.01, 0.5, 2.0, 1.0, False)
            errors.append(float(rot.distance(engine.body.state.turn, goal)))
        assert errors[-1] < 0.01
        assert np.all(np.diff(errors) < 1e-3)


@pytest.mark.feature("PGD-15")
def test_the_head_looks_at_its_target_unless_that_is_straight_above() -> None:
    person = Balanced(everyday(20))
    target = np.array([1.2, 1.9, 2.5])
    person.look_at(target)
    person.record(3.0)
    place, head = joint(person, "Head"), turned(person, "Head")
    ahead = rot.rotate(head, np.array([0.0, 0.0, 1.0]))
    way = (target - place) / np.linalg.norm(target - place)
    assert math.degrees(math.acos(float(np.clip(ahead @ way, -1.0, 1.0)))) < 2.0
    still = settled()
    still.look_at(joint(still, "Head") + np.array([0.0, 2.0, 0.0]))
    still.step(0.01)
    row = still._engine.count - 1
    assert np.abs(still._engine.wishes.wanted[3 * row : 3 * row + 3]).max() < 1e-9


@pytest.mark.feature("PGD-16")
def test_the_centre_of_mass_follows_a_target_that_moves() -> None:
    person = settled()
    person.crouch(0.88)
    person.record(1.5)
    misses, heights = [], []
    for i in range(500):
        person.crouch(0.88 + 0.06 * math.sin(2.0 * math.pi * i / 250.0))
        person.step(0.01)
        misses.append(person.centre_of_mass - person._stance.centre.value)
        heights.append(person.centre_of_mass[1])
    assert np.abs(misses).max() < 0.025
    assert np.ptp(heights) > 0.08


@pytest.mark.feature("PGD-25")
def test_a_user_who_insists_does_not_take_the_balance_away() -> None:
    off = {}
    for first in (True, False):
        person = Balanced(everyday(), tuning=Tuning(priorities=first))
        person.stand("left")
        person.record(2.5)
        assert person.support == ("left",)
        person.ask("hand", Reach("RightHand", (-3.0, 1.0, 1.0), strength=1e3))  # three metres away
        worst = 0.0
        for _ in range(300):
            person.step(0.01)
            away = (person.centre_of_mass - person._stance.middle((0,))) * (1.0, 0.0, 1.0)
            worst = max(worst, float(np.linalg.norm(away)))
        off[first] = worst
    assert off[True] < 0.035  # half of a sole's width
    assert off[False] > 10.0 * off[True]


@pytest.mark.feature("PGD-25")
@pytest.mark.parametrize("actuation", ["helped", "internal"])
def test_what_balance_gets_is_the_same_with_and_without_the_wish_of_a_user(actuation: str) -> None:
    person = Balanced(everyday(), actuation=actuation)
    person.stand("left")
    person.record(2.5)
    person.ask("hand", Reach("RightHand", (-3.0, 1.0, 1.0), strength=1e3))
    free = Balanced(everyday(), actuation=actuation)
    free.stand("left")
    free.record(2.5)
    moved = 0.0
    for _ in range(100):
        # The same state, of which nothing is asked.
        engine, other = person._engine, free._engine
        for part, own in zip(other.body.state, engine.body.state, strict=True):
            part[:] = own
        rows = np.flatnonzero(
            np.repeat(engine.wishes.levels[:3] == STRICT, 3) & (engine.wishes.strengths[:3].ravel() > 0)
        )
        person.step(0.01)
        free.step(0.01)
        kept = engine.wishes.rows[rows]
        lost = kept @ (engine.body.state.v - other.body.state.v) / np.linalg.norm(kept, axis=1)
        assert np.abs(lost).max() < 1e-5
        moved = max(moved, float(np.abs(engine.body.state.v - other.body.state.v).max()))
    assert moved > 0.1  # though the hand does what it can


def test_what_cannot_be_asked_is_told() -> None:
    person = settled()
    for call, words in (
        (lambda: person.reach("RightHand", (0.0, 1.0)), "three finite numbers"),
        (lambda: person.stand("head"), "both"),
        (lambda: person.crouch(3.0), "0.3 to 1.2"),
        (lambda: person.jump(5.0), "below 1"),
        (lambda: person.release("LeftHand"), "nothing is asked"),
        (lambda: person.step(0.0), "seconds"),
        (lambda: person.push((1.0, 0.0, 0.0), "Tail"), "Tail"),
        (lambda: Balanced(everyday(), control=2.0), "from 0 to 1"),
        (lambda: Balanced(everyday(), actuation="magic"), "internal"),
        (lambda: write(Posture(), 0, person._engine.wishes, person._engine.reduced), "not a feature"),
    ):
        with pytest.raises(LocomoteError, match=words):
            call()
    for _ in range(4):
        person.push((1.0, 0.0, 0.0), "Head", 5.0)
    with pytest.raises(LocomoteError, match="pushes at once"):
        person.push((1.0, 0.0, 0.0), "Head", 5.0)
    for i in range(15):
        person.ask(str(i), Reach("Head", (0.0, 1.0, 0.0)))
    with pytest.raises(LocomoteError, match="wishes at once"):
        person.ask("more", Reach("Head", (0.0, 1.0, 0.0)))
    person.release()
    assert person._engine.count == 9


def test_without_the_solver_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "proxsuite", None)
    with pytest.raises(MissingExtra, match=r"locomote\[physics\]"):
        Balanced(everyday())


def test_features_are_values() -> None:
    assert Support() == Support()
    assert Tuning(momentum=AngularMomentum(0.0)).momentum.strength == 0.0
    assert CentreOfMass(strength=1.0) != CentreOfMass()
    assert HeadOverSupport().gain > 0.0
