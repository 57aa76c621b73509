"""Feet are boxes: none overlaps a crate in any frame, also where crates drive at them; judged by outlines alone."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.creatures import Crowd
from locomote.creatures._metrics import Watch
from locomote.world import Ground, Obstacles
from locomote_lab.creatures import testbed
from locomote_lab.creatures.foot_boxes import FootBoxes, Overlap, depth

DT = 1.0 / 60.0


def test_outlines_overlap_by_the_least_way_that_parts_them() -> None:
    square = np.array([[0.0, 0.0], [0.0, 1.0], [1.0, 1.0], [1.0, 0.0]])
    assert depth(square, square + np.array([0.9, 0.3])) == pytest.approx(0.1)
    assert depth(square, square + np.array([1.2, 0.3])) == pytest.approx(-0.2)
    diamond = np.array([[0.0, -0.5], [-0.5, 0.0], [0.0, 0.5], [0.5, 0.0]])
    assert depth(square, diamond + np.array([1.3, 1.3])) == pytest.approx(np.sqrt(0.5) * (2.5 - 2.6))


def test_a_crate_that_reaches_into_the_box_of_a_foot_is_seen_and_one_below_it_is_not() -> None:
    obstacles = Obstacles()
    crowd = Crowd("ant", 2, obstacles=obstacles)
    boxes = FootBoxes(crowd)
    half, (x, _, z) = boxes.boxes[0], crowd.feet[1, 0]
    crate = obstacles.add_box((x + half[0] + 0.05 - 0.004, z), (0.1, 0.1), 0.03)
    (seen,) = boxes.look()
    assert seen == Overlap(1, 0, crate, False, pytest.approx(0.004), pytest.approx(0.03))
    assert (boxes.feet, boxes.still, boxes.moving) == (12, 1, 0)
    crowd._feet["y"][1, 0] = 0.03
    assert boxes.look() == []


def _crates(seed: int) -> tuple[Ground, Obstacles]:
    """Hills with crates close together, none where creatures begin."""
    random = np.random.default_rng(seed)
    obstacles = Obstacles()
    for place in random.uniform(-7.0, 7.0, (250, 2)):
        if np.hypot(*place) > 1.6:
            size, turn = random.uniform(0.2, 0.5, 2), random.uniform(-np.pi, np.pi)
            obstacles.add_box(place, size, random.uniform(0.05, 0.3), turn, safe=bool(random.random() < 0.5))
    return Ground.rough(seed, (16.0, 16.0), amplitude=0.3, feature=3.0), obstacles


@pytest.mark.parametrize(
    "name",
    [
        "spider",
        "ant",
        "lizard",
        "wolf",
    ],
)
def test_no_box_of_a_foot_ever_overlaps_a_crate_that_stands_still(name: str) -> None:
    for seed in range(4):
        ground, obstacles = _crates(seed)
        crowd = Crowd(name, 1, speed=0.5, ground=ground, obstacles=obstacles)
        boxes = FootBoxes(crowd)
        for frame in range(900):
            if frame % 120 == 0:
                crowd.command(heading=float(np.sin(7.0 * frame + seed) * np.pi))
            crowd.step(DT)
            assert boxes.look() == [], (name, seed, frame)


def test_boxes_of_feet_are_hardly_ever_run_over_in_the_field_of_crates() -> None:
    """A hundred spiders for ten seconds among 3,000 crates on hills, of which 1,200 drive and turn."""
    maps = testbed.make_maps(testbed.Terrain.CRATES)
    crowd = testbed.make_crowd("spider", 100, maps)
    result = testbed.run(crowd, testbed.View.ALL, 600, testbed.SETTLED, watched=True)
    assert result.boxes is not None
    assert result.figures is not None
    assert result.boxes.feet == 600 * 100 * 8
    assert result.boxes.still == 0
    assert result.boxes.moving <= 5e-5 * result.boxes.feet
    assert result.figures.overrun_share <= 5e-5
    assert result.figures.crossings <= 1


@pytest.mark.parametrize("speed", [0.0, 0.4])
def test_feet_step_away_before_a_crate_runs_into_them(speed: float) -> None:
    """Low crates come from all sides at spiders that stand or walk, faster than those walk."""
    stepped = 0
    for k, angle in enumerate(np.linspace(0.0, 2.0 * np.pi, 8, endpoint=False)):
        obstacles = Obstacles()
        way = np.array([np.sin(angle), np.cos(angle)])
        side = np.array([way[1], -way[0]]) * (0.15 * (k % 3) - 0.15)
        obstacles.add_box(-1.6 * way + side, (0.4, 0.4), 0.12, angle, velocity=0.5 * way, safe=False)
        crowd = Crowd("spider", 1, speed=speed, obstacles=obstacles)
        boxes = FootBoxes(crowd)
        for frame in range(300):
            obstacles.advance(DT)
            crowd.step(DT)
            assert boxes.look() == [], (speed, angle, frame)
            stepped += int(np.any(crowd.reasons == "support"))
    assert stepped > 0


@pytest.mark.feature("LEG-23")
@pytest.mark.parametrize("name", ["spider", "ant"])
def test_legs_do_not_cross_where_bodies_are_turned_about(name: str) -> None:
    """Feet that land come next to feet that still stand, on the side to which the body turns."""
    crowd = Crowd(name, 8, speed=0.6)
    random, watch = np.random.default_rng(5), Watch(crowd)
    for frame in range(1200):
        if frame % 90 == 0:
            crowd.command(heading=random.uniform(-np.pi, np.pi, 8))
        crowd.step(DT)
        watch.look(DT)
    assert watch.figures().crossings <= 1


def test_legs_hardly_cross_on_crates_that_carry_them() -> None:
    """Spiders among safe crates that drive about: feet that stand are taken along, past feet that land.

    Where crates are taken as they stand, legs cross in 44 frames.
    """
    crossings = 0
    for seed in range(6):
        random = np.random.default_rng(seed)
        obstacles = Obstacles()
        for place in random.uniform(-4.0, 4.0, (60, 2)):
            angle = random.uniform(-np.pi, np.pi)
            velocity = random.uniform(0.2, 0.5) * np.array([np.sin(angle), np.cos(angle)])
            obstacles.add_box(place, random.uniform(0.3, 0.6, 2), 0.1, angle, velocity, safe=True)
        crowd = Crowd("spider", 6, speed=0.5, obstacles=obstacles, heading=np.linspace(-3.0, 3.0, 6))
        watch = Watch(crowd)
        for _ in range(480):
            obstacles.advance(DT)
            crowd.step(DT)
            watch.look(DT)
        crossings += watch.figures().crossings
    assert crossings <= 4
