"""The judge of recorded and generated people, on cycles of which the answer is known."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.human.fitting._cycles import Unit
from locomote.human_skeleton import COMMON
from locomote_lab.human import told_apart
from locomote_lab.human.told_apart import PHASES, Names, Sides

NOISE = 0.01  # m
PEOPLE, EACH, WIDTH = 30, 3, 12


def _persons() -> Names:
    return np.repeat([f"person {k}" for k in range(2 * PEOPLE)], EACH)


def _cycles(shift: float, spread: float = 1.0, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Cycles of people who differ by 2 cm, the second half of them moved by ``shift`` m; and who is of the first."""
    random = np.random.default_rng(seed)
    people = 0.02 * random.standard_normal((2 * PEOPLE, WIDTH))
    people[PEOPLE:] = shift + spread * people[PEOPLE:]
    cycles = np.repeat(people, EACH, axis=0) + 0.002 * random.standard_normal((2 * PEOPLE * EACH, WIDTH))
    return cycles, np.arange(len(cycles)) < PEOPLE * EACH


def _area(seen: np.ndarray, first: np.ndarray) -> float:
    pytest.importorskip("sklearn")
    return told_apart.area(told_apart.scores(seen, first, _persons(), NOISE, seed=0), first)


def test_people_of_one_kind_cannot_be_told_apart() -> None:
    assert 0.3 < np.mean([_area(*_cycles(0.0, seed=seed)) for seed in range(3)]) < 0.65


def test_people_who_are_moved_are_told_apart() -> None:
    assert _area(*_cycles(0.05)) > 0.97


def test_people_who_are_too_alike_are_told_apart() -> None:
    """The means agree: only trees that look at both sides of them can tell."""
    assert _area(*_cycles(0.0, spread=0.1)) > 0.9


def test_the_same_seed_gives_the_same_scores() -> None:
    pytest.importorskip("sklearn")
    seen, first = _cycles(0.01)
    once, again = (told_apart.scores(seen, first, _persons(), NOISE, 3) for _ in range(2))
    np.testing.assert_array_equal(once, again)


@pytest.mark.parametrize("seed", range(5))
def test_folds_never_mix_a_person_and_hold_everyone_back_once(seed: int) -> None:
    pytest.importorskip("sklearn")
    persons, first = _persons(), _cycles(0.0)[1]
    held_back = []
    for known, held in told_apart.folds(first, persons, seed):
        assert not set(persons[known]) & set(persons[held])
        assert 0.4 < first[held].mean() < 0.6
        held_back += list(held)
    assert sorted(held_back) == list(range(len(persons)))


def test_area_counts_pairs() -> None:
    values, recorded = np.array([3.0, 1.0, 2.0, 1.0, 0.0]), np.array([True, True, False, False, False])
    # 3 beats all three; 1 beats one, ties with one and loses to one.
    assert told_apart.area(values, recorded) == pytest.approx((3 + 1.5) / 6)


def test_halves_are_of_people_not_of_cycles() -> None:
    persons = _persons()
    half = told_apart.split_in_two(persons, seed=1)
    assert len(set(persons[half])) == PEOPLE
    assert not set(persons[half]) & set(persons[~half])


def _swinging(yaw: float = 0.0) -> Unit:
    """A left knee that goes to and fro as a cosine, on a body turned by ``yaw``."""
    turns = np.tile(rot.identity(), (PHASES, len(COMMON), 1))
    swing = 0.3 * np.cos(2.0 * np.pi * np.arange(PHASES) / PHASES)
    turns[:, COMMON.index("LeftUpLeg")] = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -swing)
    turns[:, 0] = rot.from_yaw(yaw)
    return Unit("one", "clip", "walk", 1.3, 0.9, 1.1, np.zeros((PHASES, 3)), turns)


def test_features_are_means_and_harmonics_whichever_way_the_body_faces() -> None:
    found = told_apart.features(_swinging())
    knee, wrist = COMMON.index("LeftLeg") - 1, COMMON.index("LeftHand") - 1
    np.testing.assert_allclose(found, told_apart.features(_swinging(yaw=2.0)), atol=1e-12)
    assert found[knee, 2, 1] == pytest.approx(0.4625 * 0.9 * 0.3, rel=0.02)  # m ahead at the strike: thigh times angle
    assert np.abs(found[knee, 2, 2]) < 1e-12
    assert np.abs(found[wrist, :, 1:]).max() < 1e-12
    assert told_apart.in_words(knee, 2, 1) == "left knee, ahead: cosine, once a cycle"


def test_the_feature_that_differs_betrays() -> None:
    random = np.random.default_rng(0)
    seen = 0.01 * random.standard_normal((80, len(COMMON) - 1, 3, 7))
    recorded = np.arange(80) < 40
    seen[recorded, 4, 1, 2] += 0.1
    areas = told_apart.betrayal(Sides(seen, np.arange(80).astype(str), recorded), NOISE, range(2))
    assert np.unravel_index(np.argmax(np.abs(areas - 0.5)), areas.shape) == (4, 1, 2)
    assert areas[4, 1, 2] > 0.99


def test_parts_make_up_the_whole_body() -> None:
    whole, *parts = told_apart.PARTS.values()
    assert sorted(whole) == sorted(joint for part in parts for joint in part)
