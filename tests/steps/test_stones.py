"""Foot plans over stones and through worlds: only where a foot can stand, in steps that a person can make."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.steps import _foothold_search as foothold_search
from locomote.steps._cells import BODY, FOOT, plan_across
from locomote.steps._foothold_search import Places, best_way
from locomote.steps._plan import LEFT, RIGHT, FootPlan, check
from locomote.steps._stones import plan_over_stones
from locomote.world import Ground, Obstacles


def regular(count: int, step: float = 0.55, width: float = 0.16) -> FloatArray:
    """Stones left and right in turn, beginning on the right."""
    i = np.arange(count)
    return np.stack([0.5 * width * np.where(i % 2, 1.0, -1.0), np.zeros(count), step * (i + 1)], axis=1)


def off_the_stones(plan: FootPlan, stones: FloatArray) -> float:
    """The farthest that a foot between the stances is from the nearest stone."""
    inner = plan.places[2:-2]
    return float(np.linalg.norm(inner[:, None] - stones, axis=-1).min(axis=1).max(initial=0.0))


def test_a_regular_line_is_walked_stone_by_stone() -> None:
    stones = regular(9)
    plan = plan_over_stones(stones, (0, 0), (0, 5.5))
    check(plan)
    assert plan.places[2:-2] == pytest.approx(stones)
    assert plan.sides[2:-2].tolist() == [RIGHT, LEFT] * 4 + [RIGHT]
    assert plan.places[-2:, 2] == pytest.approx([5.5, 5.5], abs=0.02)
    assert np.isnan(plan.times).all()
    assert np.abs(plan.yaws).max() < 0.2


def test_stones_that_lie_badly_are_left_out() -> None:
    stones = np.vstack([regular(9), [(0.8, 0.0, 1.0), (0.05, 0.5, 1.4), (-0.9, 0.0, 2.0), (0.1, 0.0, 0.62)]])
    plan = plan_over_stones(stones, (0, 0), (0, 5.5))
    assert plan.places[2:-2] == pytest.approx(stones[:9])


@given(seed=st.integers(0, 10_000))
def test_every_way_over_random_stones_can_be_walked(seed: int) -> None:
    random = np.random.default_rng(seed)
    stones = np.column_stack(
        [random.uniform(-1.5, 1.5, 90), random.uniform(-0.12, 0.12, 90), random.uniform(0.2, 5.8, 90)]
    )
    try:
        plan = plan_over_stones(stones, (0, 0), (0.5, 6))
    except LocomoteError as error:
        assert "one gets to" in str(error)  # noqa: PT017
        return
    check(plan)
    assert off_the_stones(plan, stones) < 1e-12
    assert np.all(plan.sides[1:] != plan.sides[:-1])
    gaps = np.diff(plan.places, axis=0)[1:-1]
    assert np.hypot(gaps[:, 0], gaps[:, 2]).max() <= foothold_search.LONGEST * 0.9 + 1e-9
    assert np.abs(gaps[:, 1]).max() <= foothold_search.HIGHEST * 0.9 + 1e-9
    again = plan_over_stones(stones, (0, 0), (0.5, 6))
    assert again.places.tolist() == plan.places.tolist()


@given(seed=st.integers(0, 10_000))
def test_the_way_is_the_cheapest_of_all(seed: int) -> None:
    """Every order of stones and either foot first, by brute force; all face +Z."""
    random = np.random.default_rng(seed)
    stones = np.column_stack([random.uniform(-0.3, 0.3, 5), np.zeros(5), np.linspace(0.4, 1.9, 5)])
    stance, goal = (np.array([(0.08, 0.0, z), (-0.08, 0.0, z)]) for z in (0.0, 2.3))
    points = np.vstack([stones, stance, goal])
    pairs = np.array(list(itertools.combinations(range(9), 2)))
    gaps = np.linalg.norm(points[pairs[:, 0]] - points[pairs[:, 1]], axis=1)
    pairs = pairs[gaps <= foothold_search.LONGEST * 0.9]
    total, _ = foothold_search._costs(foothold_search._graph(points, np.zeros(9), np.zeros(9), pairs, 0.9), 5)
    ways = [
        _by_hand(stones, stance, goal, order, first)
        for count in range(6)
        for order in itertools.permutations(range(5), count)
        for first in (LEFT, RIGHT)
    ]
    assert min(total[2 * 7 + LEFT], total[2 * 8 + RIGHT]) == pytest.approx(min(ways))


def _by_hand(stones: FloatArray, stance: FloatArray, goal: FloatArray, order: tuple[int, ...], first: int) -> float:
    places = [stance[1 - first], *stones[list(order)], goal[(first + len(order)) % 2]]
    total, side = 0.0, first
    for here, there in itertools.pairwise(places):
        way = (there - here) / 0.9
        outwards = way[0] if side == LEFT else -way[0]
        least = foothold_search.CROSSED if way[2] >= foothold_search.BEFORE else foothold_search.BESIDE
        beyond = np.hypot(way[0], way[2]) > foothold_search.LONGEST or way[2] < -foothold_search.BACK
        if beyond or not least <= outwards <= foothold_search.OUTWARDS:
            return math.inf
        total += float(foothold_search._discomfort(way[2], outwards, way[1], np.zeros(())))
        side = 1 - side
    return total


def test_how_far_one_gets() -> None:
    stones = regular(12)
    gap = stones[(stones[:, 2] < 2.0) | (stones[:, 2] > 3.5)]
    says = r"to \(0.00, 7.00\): one gets to stone 3 at \(-0.08, 1.65\), 5.35 m before the goal; the next, stone 4, is"
    with pytest.raises(LocomoteError, match=says):
        plan_over_stones(gap, (0, 0), (0, 7))
    cliff = stones.copy()
    cliff[5:, 1] = 0.6
    with pytest.raises(LocomoteError, match=r"stone 5 .* and 0.60 m higher; a step takes .* 0.36 m up or down"):
        plan_over_stones(cliff, (0, 0), (0, 7))
    with pytest.raises(LocomoteError, match=r"one gets to the start .* the next, stone 1, is 2.55 m away"):
        plan_over_stones(stones + np.array([0.0, 0.0, 2.0]), (0, 0), (0, 9))


def test_large_stones_have_room_for_both_feet() -> None:
    slabs = [(0.0, 0.0, 0.7), (0.0, 0.0, 1.4), (0.0, 0.0, 2.1)]
    plan = plan_over_stones(slabs, (0, 0), (0, 2.8), radius=0.3)
    check(plan)
    lateral = plan.places[2:-2, 0] * np.where(plan.sides[2:-2] == LEFT, 1.0, -1.0)
    assert np.all(lateral > -0.05)
    assert np.hypot(*(plan.places[2:-2, None] - np.array(slabs))[..., [0, 2]].T).min(axis=0).max() < 0.22


def test_a_plan_goes_on_and_heights_are_those_of_the_stones() -> None:
    first = FootPlan.of([LEFT, RIGHT, LEFT], [(0.1, -0.3), (-0.1, 0), (0.08, 0.1)])
    stones = regular(6)
    stones[:, 1] = 0.1
    plan = plan_over_stones(stones, first, (0, 3.7))
    assert sorted(plan.places[:2, 2].tolist()) == [0.0, 0.1]
    ending = plan_over_stones(stones, (0, 0.1, 0), tuple(stones[-1, [0, 2]]), radius=0.1)
    assert ending.places[-2:, 1] == pytest.approx([0.1, 0.1])
    assert plan.places[-2:, 1] == pytest.approx([0.0, 0.0])


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(LocomoteError, match="stones: number 2 is not finite"):
        plan_over_stones([(0, 0), (0, math.nan)], (0, 0), (0, 3))
    with pytest.raises(LocomoteError, match="at least one place"):
        plan_over_stones(np.zeros((0, 3)), (0, 0), (0, 3))
    with pytest.raises(LocomoteError, match="radius"):
        plan_over_stones([(0, 1)], (0, 0), (0, 3), radius=-1.0)
    with pytest.raises(LocomoteError, match="goal: expected a place"):
        plan_over_stones([(0, 1)], (0, 0), (0, 3, 1, 2))
    with pytest.raises(LocomoteError, match="leg_length"):
        plan_over_stones([(0, 1)], (0, 0), (0, 3), leg_length=0.0)
    with pytest.raises(LocomoteError, match="plants of both feet"):
        plan_over_stones([(0, 1)], FootPlan.of([LEFT], [(0, 0)]), (0, 3))
    with pytest.raises(LocomoteError, match="cell: expected"):
        plan_across((0, 0), (0, 3), cell=0.0)
    with pytest.raises(LocomoteError, match="choose larger ones"):
        plan_across((0, 0), (0, 300))
    with pytest.raises(LocomoteError, match="around"):
        plan_across((0, 0), (0, 3), around=-1.0)
    heap = Places(np.zeros((5000, 3)), np.zeros(5000), str)
    with pytest.raises(LocomoteError, match="too many"):
        best_way(heap, np.zeros(3), np.ones(3), 0.9)


def test_stairs_are_climbed_tread_by_tread() -> None:
    ground = Ground()
    ground.add_stairs((0.0, 1.0), count=4, rise=0.17, tread=0.29, landing=1.2)
    plan = plan_across((0, 0), (0, 2.8), ground=ground, around=0.6)
    check(plan)
    assert plan.places[:, 1] == pytest.approx(ground.heights(plan.places))
    assert np.abs(np.diff(plan.places[:, 1])).max() < 0.35
    edges = 1.0 + 0.29 * np.arange(4)
    assert np.abs(plan.places[:, 2, None] - edges).min() > 0.07


def test_puddles_are_stepped_over_and_walls_gone_round() -> None:
    obstacles = Obstacles()
    obstacles.add_puddle((0, 1.2), 0.35, 6.0)
    obstacles.add_wall((-0.6, 3), (3, 3))
    plan = plan_across((0, 0), (0.5, 5), obstacles=obstacles)
    check(plan)
    assert obstacles.distances(plan.places).min() > FOOT - 1e-9
    middles = 0.5 * (plan.places[1:] + plan.places[:-1])
    passing = int(np.argmin(np.abs(middles[:, 2] - 3.0)))
    assert middles[passing, 0] < -0.6 - 0.7 * BODY  # round the end of the wall
    assert np.any(plan.places[:, 2] < 1.0)
    assert np.any(plan.places[:, 2] > 1.4)


def test_steep_ground_is_avoided() -> None:
    ground = Ground()
    ground.add_ramp((0.0, 1.0), 1.0, 0.0, 1.5, width=1.0)
    plan = plan_across((0, 0), (0, 4), ground=ground, around=1.5)
    check(plan)
    assert plan.places[:, 1].max() < 0.3
    moat = Obstacles()
    moat.add_puddle((0, 2), 1.6, 20.0)
    with pytest.raises(LocomoteError, match=r"one gets to a foothold at .* before the goal"):
        plan_across((0, 0), (0, 4), obstacles=moat, around=1.0)
