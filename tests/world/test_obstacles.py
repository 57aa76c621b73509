"""Obstacles: what is added is where it was said to be, and bad input changes nothing."""

from __future__ import annotations

import doctest
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.world import Ground, Obstacles
from locomote.world import _obstacles as module
from locomote.world._kernels.obstacle_layout import CORNERS, MOST_CORNERS, RADIUS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "obstacles.md"

angles = st.floats(-3.0, 3.0)
places = st.tuples(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0))
sides = st.floats(0.1, 20.0)


def along(start, yaw: float, distance: float, aside: float = 0.0) -> tuple[float, float]:
    """A place so far along a heading, and so far to the left of it."""
    return (
        start[0] + distance * math.sin(yaw) + aside * math.cos(yaw),
        start[1] + distance * math.cos(yaw) - aside * math.sin(yaw),
    )


def area(outline: np.ndarray) -> float:
    """Positive if counter-clockwise as seen from above, where x points right and z points down the page."""
    right, up = outline[:, 0], -outline[:, 1]
    return 0.5 * float((right * np.roll(up, -1) - up * np.roll(right, -1)).sum())


def state(obstacles: Obstacles):
    return list(obstacles), obstacles.version, obstacles.time, [a.copy() for a in obstacles.arrays]


def same(a, b) -> bool:
    return a[:3] == b[:3] and all(np.array_equal(x, y) for x, y in zip(a[3], b[3], strict=True))


@given(places, sides, sides, angles)
def test_puddles_and_boxes_lie_along_their_yaw(centre, length, width, yaw):
    for add in (
        lambda o: o.add_puddle(centre, length, width, yaw),
        lambda o: o.add_box(centre, (width, length), 0.7, yaw),
    ):
        obstacles = Obstacles()
        index = add(obstacles)
        assert obstacles.distances(along(centre, yaw, 0.5 * length + 0.3)) == pytest.approx(0.3, abs=1e-9)
        assert obstacles.distances(along(centre, yaw, 0.0, -0.5 * width - 0.3)) == pytest.approx(0.3, abs=1e-9)
        assert obstacles.distances(centre) == pytest.approx(-0.5 * min(length, width), abs=1e-9)
        assert area(obstacles.outline(index)) == pytest.approx(length * width)
        assert obstacles.arrays.table[0, RADIUS] == pytest.approx(0.5 * math.hypot(length, width))


@given(places, places, st.floats(0.05, 2.0))
def test_walls_reach_from_start_to_end(start, end, thickness):
    if math.dist(start, end) < 0.1:
        return
    obstacles = Obstacles()
    index = obstacles.add_wall(start, end, thickness=thickness)
    assert obstacles.height(index) == 2.0
    np.testing.assert_allclose(obstacles.distances([start, end]), 0.0, atol=1e-9)
    yaw = math.atan2(end[0] - start[0], end[1] - start[1])
    middle = 0.5 * (np.array(start) + end)
    beside = along(middle, yaw, 0.0, 0.5 * thickness + 1.0)
    assert obstacles.distances(beside) == pytest.approx(1.0, abs=1e-9)
    assert area(obstacles.outline(index)) == pytest.approx(math.dist(start, end) * thickness)


@given(places, sides)
def test_the_outline_of_a_disk_holds_it_and_little_more(centre, radius):
    obstacles = Obstacles()
    obstacles.add_disk(centre, radius)
    angle = np.linspace(0.0, 2.0 * math.pi, 97)
    ring = np.stack([np.sin(angle), np.cos(angle)], axis=1)
    assert np.all(obstacles.distances(centre + radius * ring) <= 1e-9)
    assert np.all(obstacles.distances(centre + 1.02 * radius * ring) >= -1e-9)


@given(st.integers(0, 2**31), st.booleans())
def test_convex_polygons_are_taken_either_way_round(seed, back):
    r = np.random.default_rng(seed)
    count = int(r.integers(3, MOST_CORNERS + 1))
    angle = (np.arange(count) + r.uniform(-0.4, 0.4, count)) * 2.0 * math.pi / count
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) * r.uniform(0.2, 3.0, 2) + r.uniform(-9.0, 9.0, 2)
    obstacles = Obstacles()
    # Points on an edge and points given twice are no corners.
    between = 0.5 * (points[0] + points[1])
    given_points = np.concatenate([points[:1], between[None], points[1:], points[-1:]])
    index = obstacles.add_polygon(given_points[::-1] if back else given_points)
    outline = obstacles.outline(index)
    assert len(outline) == count
    assert area(outline) > 0.0
    gaps = np.linalg.norm(outline[:, None] - points, axis=-1)
    assert gaps.min(axis=1).max() < 1e-9
    assert obstacles.inside(points.mean(axis=0))
    assert np.all(obstacles.arrays.corners[0, :count] == outline)


def test_the_examples_say_what_they_print():
    assert doctest.testmod(module).failed == 0
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0


def test_queries_keep_their_shape_and_know_no_obstacle():
    obstacles = Obstacles()
    assert obstacles.distances(np.zeros((3, 4, 2))).shape == (3, 4)
    assert np.all(np.isinf(obstacles.distances(np.zeros((2, 2)))))
    assert not obstacles.inside((0.0, 0.0))
    obstacles.add_disk((1.0, 2.0), 0.5)
    assert obstacles.inside((1.0, 9.0, 2.0))  # at its place in the plan
    assert obstacles.distances((1.0, 4.0)).shape == ()


def test_the_nearest_of_many_counts():
    r = np.random.default_rng(4)
    obstacles, alone = Obstacles(), []
    for _ in range(40):
        centre, size, yaw = r.uniform(-20.0, 20.0, 2), r.uniform(0.3, 6.0, 2), float(r.uniform(-3.0, 3.0))
        obstacles.add_box(centre, size, 1.0, yaw)
        alone.append(Obstacles())
        alone[-1].add_box(centre, size, 1.0, yaw)
    points = r.uniform(-25.0, 25.0, (300, 2))
    np.testing.assert_allclose(obstacles.distances(points), np.min([a.distances(points) for a in alone], axis=0))


@given(st.lists(st.tuples(st.sampled_from("arrgmc"), st.integers(0, 30)), max_size=60))
def test_any_history_ends_as_if_only_what_is_left_had_been_added(history):
    obstacles, left, used = Obstacles(), {}, set()
    for what, n in history:
        known = list(left)
        if what == "a":
            index = obstacles.add_box((n, -n), (1.0, 1.0 + n), 0.1 * n)
            assert index not in used
            used.add(index)
            left[index] = [(float(n), -float(n)), 1.0, n]
        elif what == "c" and n == 0:
            obstacles.clear()
            left.clear()
        elif known and what in "rgm":
            index = known[n % len(known)]
            if what == "r":
                obstacles.remove(index)
                del left[index]
            elif what == "g":
                obstacles.grow(index, 1.25)
                left[index][1] *= 1.25
            else:
                obstacles.move(index, centre=(3.0, n))
                left[index][0] = (3.0, float(n))
        assert list(obstacles) == list(left)
        assert len(obstacles) == len(left)
    for index in used:
        assert (index in obstacles) == (index in left)
    arrays = obstacles.arrays
    assert set(arrays.ids.tolist()) == set(left)
    for row, index in enumerate(arrays.ids.tolist()):
        centre, factor, n = left[index]
        alone = Obstacles()
        alone.add_box(centre, (factor, factor * (1.0 + n)), 0.1 * n)
        np.testing.assert_allclose(arrays.table[row], alone.arrays.table[0], atol=1e-9)
        np.testing.assert_allclose(obstacles.outline(index), alone.outline(0), atol=1e-9)


def test_obstacles_move_and_turn_evenly():
    obstacles = Obstacles()
    box = obstacles.add_box((1.0, 2.0), (1.0, 3.0), 1.0, 0.2, velocity=(0.5, -0.25), turn_rate=0.4)
    still = obstacles.add_disk((9.0, 9.0), 1.0)
    assert obstacles.moves
    before, version = obstacles.copy(), obstacles.version
    for _ in range(8):
        obstacles.advance(0.25)
    assert obstacles.version == version
    assert obstacles.time == 2.0
    moved = Obstacles()
    moved.add_box((2.0, 1.5), (1.0, 3.0), 1.0, 1.0)
    np.testing.assert_allclose(obstacles.outline(box), moved.outline(0), atol=1e-12)
    np.testing.assert_allclose(before.at(2.0).outline(box), moved.outline(0), atol=1e-12)
    assert np.array_equal(obstacles.outline(still), before.outline(still))
    points = np.random.default_rng(0).uniform(-5.0, 5.0, (50, 2))
    np.testing.assert_allclose(before.distances(points, ahead=2.0), obstacles.distances(points), atol=1e-12)
    obstacles.move(box, velocity=(0.0, 0.0), turn_rate=0.0)
    assert obstacles.version == version + 1
    assert not obstacles.moves


def test_arrays_are_made_anew_only_when_something_changes():
    obstacles = Obstacles()
    box = obstacles.add_box((0.0, 0.0), (1.0, 1.0), 1.0, velocity=(1.0, 0.0))
    first = obstacles.arrays
    obstacles.advance(0.1)
    again = obstacles.arrays
    assert again.members is first.members
    assert first.table[0, 0] == again.table[0, 0] == pytest.approx(0.1)
    obstacles.advance(1.5)  # too far from where it was sorted
    assert obstacles.arrays.members is not first.members
    second = obstacles.arrays
    obstacles.grow(box, 2.0)
    assert obstacles.arrays.members is not second.members
    assert obstacles.arrays.table.flags.c_contiguous
    assert obstacles.arrays.corners.dtype == np.float64


def test_copies_go_their_own_way():
    obstacles = Obstacles()
    first = obstacles.add_disk((0.0, 0.0), 1.0)
    other = obstacles.copy()
    other.move(first, centre=(5.0, 5.0))
    other.add_disk((1.0, 1.0), 1.0)
    assert len(obstacles) == 1
    assert obstacles.inside((0.0, 0.0))
    assert not other.inside((-0.5, -0.5))


STAR = [(math.sin(0.8 * math.pi * k), math.cos(0.8 * math.pi * k)) for k in range(5)]
MANY = [(math.sin(0.3 * k), math.cos(0.3 * k)) for k in range(20)]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda o: o.add_puddle((0.0, math.nan), 1.0, 1.0), "centre: expected 2 finite numbers"),
        (lambda o: o.add_puddle((0.0, 0.0), -1.0, 1.0), "length: expected a number above 0, got -1.0"),
        (lambda o: o.add_puddle((0.0, 0.0), 1.0, 1.0, math.inf), "yaw: expected a finite number"),
        (lambda o: o.add_box((0.0, 0.0), (1.0, 0.0), 1.0), "size: expected two lengths above 0"),
        (lambda o: o.add_box((0.0, 0.0), (1.0, 1.0), -0.1), "height: expected a number of at least 0"),
        (lambda o: o.add_box((0.0, 0.0), (1.0, 1.0), 1.0, velocity=(1.0,)), "velocity: expected 2 finite"),
        (lambda o: o.add_box((0.0, 0.0), (1.0, 1.0), 1.0, velocity=(1e9, 0.0)), "expected at most 1000 m/s"),
        (lambda o: o.add_disk((0.0, 0.0), 0.0), "radius: expected a number above 0"),
        (lambda o: o.add_disk((2e6, 0.0), 1.0), r"expected to lie within 1e\+06 m of the origin"),
        (lambda o: o.add_disk((0.0, 0.0), 2e6), r"expected to lie within 1e\+06 m of the origin"),
        (lambda o: o.add_wall((1.0, 1.0), (1.0, 1.0)), "end: expected another place than the start"),
        (lambda o: o.add_polygon([(0, 0), (1, 0)]), r"points: expected three or more pairs \(x, z\)"),
        (lambda o: o.add_polygon([(0, 0), (1, 0), (2, 0)]), "points: the outline has no area"),
        (lambda o: o.add_polygon([(0, 0)] * 5), "points: the outline has no area"),
        (lambda o: o.add_polygon([(0, 0), (2, 0), (0.5, 0.5), (0, 2)]), "points: the outline is not convex"),
        (lambda o: o.add_polygon(STAR), "points: the outline is not convex"),
        (lambda o: o.add_polygon([(0, 0), (1, 1), (1, 0), (0, 1.5)]), "points: the outline"),
        (lambda o: o.add_polygon([(0, 0), (3, 0), (1, 0), (1, 1)]), "points: the outline is not convex"),
        (lambda o: o.add_polygon(MANY), "points: expected at most 16 corners, got 20"),
        (lambda o: o.add_polygon("round"), "points: expected three or more pairs"),
        (lambda o: o.move(0, centre=(1.0, 1.0), yaw=math.nan), "yaw: expected a finite number"),
        (lambda o: o.move(0, centre=(1e7, 1.0)), "expected to lie within"),
        (lambda o: o.move(7, centre=(1.0, 1.0)), "obstacle 7: there is none with this id; there are 1"),
        (lambda o: o.grow(0, 0.0), "factor: expected a number above 0"),
        (lambda o: o.grow(0, 1e300), "expected to lie within"),
        (lambda o: o.grow(0, 1e-300), "expected edges of at least 1e-06 m"),
        (lambda o: o.add_box((0.0, 0.0), (1e-200, 1.0), 1.0), "expected edges of at least 1e-06 m"),
        (lambda o: o.remove(3), "obstacle 3: there is none with this id"),
        (lambda o: o.advance(math.nan), "dt: expected a finite number"),
        (lambda o: o.advance(1e300), r"dt: expected at most 1e\+09 s"),
        (lambda o: o.advance(1e8), r"dt: obstacle 0 would be more than 1e\+06 m away; remove it first"),
        (lambda o: o.distances((math.nan, 0.0)), "points: expected finite numbers"),
        (lambda o: o.distances((1.0, 2.0, 3.0, 4.0)), r"points: expected \(\.\.\., 3\)"),
    ],
)
def test_bad_input_is_refused_in_one_line_and_changes_nothing(change, says):
    obstacles = Obstacles()
    obstacles.add_box((1.0, 2.0), (1.0, 1.0), 1.0, velocity=(1.0, 0.0))
    before = state(obstacles)
    with pytest.raises(LocomoteError, match=says) as caught:
        change(obstacles)
    assert "\n" not in str(caught.value)
    assert same(state(obstacles), before)
    assert obstacles.add_disk((0.0, 0.0), 1.0) == 1


FILE = """
height = 0.1
[[stairs]]
start = [0, 2]
count = 3
[[obstacle]]
kind = "puddle"
centre = [0, 3]
length = 1.2
width = 2
yaw = "90deg"
[[obstacle]]
kind = "box"
centre = [2, 3]
size = [1, 0.5]
height = 0.4
velocity = [0.5, 0]
turn_rate = "10deg"
[[obstacle]]
kind = "disk"
centre = [4, 3]
radius = 0.3
[[obstacle]]
kind = "wall"
start = [5, 0]
end = [5, 4]
[[obstacle]]
kind = "polygon"
points = [[8, 0], [9, 0], [8.5, 1]]
velocity = [0, 1]
"""


def written(folder: Path, text: str) -> Path:
    path = folder / "world.toml"
    path.write_text(text)
    return path


def test_a_file_builds_what_the_methods_build(tmp_path):
    path = written(tmp_path, FILE)
    assert len(Ground.read(path).arrays[0]) == 3
    mine, other = Obstacles.read(path), Obstacles()
    other.add_puddle((0, 3), 1.2, 2.0, math.radians(90.0))
    other.add_box((2, 3), (1, 0.5), 0.4, velocity=(0.5, 0), turn_rate=math.radians(10.0))
    other.add_disk((4, 3), 0.3)
    other.add_wall((5, 0), (5, 4))
    other.move(other.add_polygon([(8, 0), (9, 0), (8.5, 1)]), velocity=(0, 1))
    assert list(mine) == list(other)
    for a, b in zip(mine.arrays, other.arrays, strict=True):
        assert np.array_equal(a, b)
    assert mine.arrays.table[:, CORNERS].tolist() == [4, 4, 16, 4, 3]
    assert len(Obstacles.read(written(tmp_path, "height = 1.0"))) == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[[obstacel]]", "the obstacles: unknown key 'obstacel'; there are: obstacle, height"),
        ("[obstacle]\nkind = 'box'", r"obstacle: expected tables \[\[obstacle\]\]"),
        (
            "[[obstacle]]\ncentre = [0, 0]",
            "obstacle 1: kind: expected one of puddle, box, disk, wall, polygon",
        ),
        (
            "[[obstacle]]\nkind = 'box'\nsise = [1, 1]",
            "obstacle 1: unknown key 'sise'; there are: centre, size",
        ),
        ("[[obstacle]]\nkind = 'disk'\nradius = 1", "obstacle 1: centre: missing; needed are centre, radius"),
        (
            "[[obstacle]]\nkind = 'disk'\ncentre = [0, 0]\nradius = -1",
            "obstacle 1: radius: expected a number above 0",
        ),
        ("[[obstacle]]\nkind = 'polygon'\npoints = 3", "obstacle 1: points: expected pairs of numbers"),
        ("[[obstacle]]\nkind = 'polygon'\npoints = [[1, 2], [3]]", "obstacle 1: points: expected 2 numbers"),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_its_place(tmp_path, text, says):
    with pytest.raises(LocomoteError, match=says) as caught:
        Obstacles.read(written(tmp_path, text))
    assert str(caught.value).startswith(str(tmp_path / "world.toml"))
    assert "\n" not in str(caught.value)


def test_obstacles_are_lifted_rise_and_may_be_stepped_on(tmp_path):
    obstacles = Obstacles()
    lift = obstacles.add_box((0, 1), (1, 1), 0.2, safe=True, lift=0.5, rise=0.25)
    others = [
        obstacles.add_disk((3, 1), 0.5, safe=True, lift=1.0),
        obstacles.add_wall((5, 0), (5, 2), safe=True, lift=1.0),
        obstacles.add_polygon([(8, 0), (9, 0), (8.5, 1)], 0.3, safe=True, lift=1.0),
    ]
    puddle = obstacles.add_puddle((0, 5), 1.0, 1.0)
    assert obstacles.moves
    obstacles.advance(2.0)
    assert obstacles.lift(lift) == 1.0
    obstacles.move(lift, lift=0.3, rise=0.0)
    assert obstacles.lift(lift) == 0.3
    assert not obstacles.moves
    assert [obstacles.lift(each) for each in others] == [1.0, 1.0, 1.0]
    assert [obstacles.safe(each) for each in (lift, *others, puddle)] == [True, True, True, True, False]
    path = written(
        tmp_path,
        "[[obstacle]]\nkind = 'box'\ncentre = [0, 1]\nsize = [1, 1]\nheight = 0.2\n"
        "safe = true\nlift = 0.5\nrise = 0.25",
    )
    read = Obstacles.read(path)
    assert (read.safe(0), read.lift(0), read.moves) == (True, 0.5, True)
    with pytest.raises(LocomoteError, match="lift: expected a finite number"):
        obstacles.move(lift, lift=math.nan)
