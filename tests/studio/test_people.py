from __future__ import annotations

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.human._model import HumanModel
from locomote.studio._people import MOST_PEOPLE, StudioPeople

DT = 1.0 / 60.0


@pytest.fixture(scope="module")
def model() -> HumanModel:
    return HumanModel.default()


def walk(people: StudioPeople, seconds: float) -> None:
    for step in range(round(seconds / DT)):
        people.advance(DT)
        if step % 2:
            people.look_at_feet()


def test_feet_that_stand_are_seen_to_stand(model: HumanModel) -> None:
    people = StudioPeople(model, 5)
    walk(people, 3.0)
    assert people.meter.reading.standing > 0
    assert people.meter.reading.speed < 0.5  # mm/s
    assert people.meter.reading.drift < 0.5  # mm
    assert all(len(rows) > 5 for rows in people.prints.rows)


def test_what_jumps_in_the_chosen_body_is_told(model: HumanModel) -> None:
    people = StudioPeople(model, 2)
    roles, leg = people.look.skeleton.roles, float(people.crowd.leg_lengths[0])
    assert people.body_meter.events(roles, leg).knee_step is None  # nothing seen yet
    people.crowd.command(speed=1.3)
    walk(people, 3.0)
    calm = people.body_meter.events(roles, leg)
    assert calm.knee_step is not None
    assert 2.0 < calm.knee_step < 12.0
    jumped = people.crowd.poses.joint_positions()[0] + [0.0, 0.1, 0.0]
    people.body_meter.watch(jumped, DT)
    thrown = people.body_meter.events(roles, leg)
    assert thrown.trunk_jolt == pytest.approx(100.0 * 0.1 / leg, rel=0.1)
    people.choose(1)
    assert people.body_meter.events(roles, leg).knee_step is None


def test_told_one_only_that_one_changes(model: HumanModel) -> None:
    people = StudioPeople(model, 3)
    people.choose(1)
    people.tell(speed=2.5)
    walk(people, 3.0)
    speeds = people.crowd.speeds
    assert speeds[1] == pytest.approx(2.5, abs=0.05)
    assert np.all(speeds[[0, 2]] < 1.5)


def test_a_puddle_dropped_ahead_is_jumped(model: HumanModel) -> None:
    people = StudioPeople(model, 1)
    people.drop_ahead("puddle")
    states = set()
    for _ in range(480):
        people.advance(DT)
        states.add(people.crowd.states[0])
        if people.crowd.states[0] != "flight":
            people.look_at_feet()
            standing = people.frame.points[people.frame.standing]
            assert not people.obstacles.inside(standing[:, [0, 2]]).any()
    assert "flight" in states


def test_things_are_found_moved_and_taken_away(model: HumanModel) -> None:
    people = StudioPeople(model, 1)
    box = people.drop("box", (3.0, 2.0))
    people.drop("wall", (-3.0, 2.0))
    assert people.thing_at((3.2, 2.1)) == box
    people.move(box, (5.0, 5.0))
    assert people.thing_at((3.2, 2.1)) is None
    people.remove_at((5.0, 5.0))
    assert box not in people.obstacles
    with pytest.raises(LocomoteError, match="nothing here"):
        people.remove_at((5.0, 5.0))
    with pytest.raises(LocomoteError, match="expected puddle"):
        people.drop("bomb", (0.0, 0.0))


def test_a_path_is_walked_to_its_end(model: HumanModel) -> None:
    people = StudioPeople(model, 1)
    with pytest.raises(LocomoteError, match="two points"):
        people.walk_path()
    for place in ((0.0, 0.0), (0.0, 3.0), (2.0, 4.0)):
        people.add_to_path(place)
    people.walk_path()
    walk(people, 8.0)
    assert np.hypot(*(people.crowd.positions[0, [0, 2]] - [2.0, 4.0])) < 0.4


def test_more_people_come_and_go(model: HumanModel) -> None:
    people = StudioPeople(model, 2)
    walk(people, 1.0)
    before = people.crowd.positions[:2].copy()
    people.set_count(40)
    people.mingle = True
    assert np.allclose(people.crowd.positions[:2], before)
    walk(people, 4.0)
    assert people.meter.reading.speed < 0.5
    people.set_count(1)
    assert len(people) == 1
    for wrong in (0, MOST_PEOPLE + 1):
        with pytest.raises(LocomoteError, match="people"):
            people.set_count(wrong)
    assert len(people) == 1


def test_bodies_fit_their_skeletons(model: HumanModel) -> None:
    look = StudioPeople(model, 1).look
    assert look.body.weights.sum(axis=1) == pytest.approx(np.ones(len(look.body.vertices)))
    assert look.body.vertices[:, 1].min() == pytest.approx(0.0, abs=0.005)  # soles on the floor
    covered = {piece.joint for piece in look.pieces}
    assert covered == set(range(len(look.skeleton)))
    assert {piece.foot for piece in look.pieces} == {-1, 0, 1}
