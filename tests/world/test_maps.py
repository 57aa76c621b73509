"""Grid maps against brute force: every cell and every place looked at by itself, thing by thing."""

from __future__ import annotations

import copy
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.world import Ground, Maps, Obstacles
from locomote.world import _maps as world_maps
from locomote.world._kernels import map_layout as layout
from locomote.world._kernels.map_growth import FootBox
from locomote.world._kernels.map_reading import window as window_of
from locomote.world._shapes import rectangle, turned

NEAR = 5e-6  # m: what is nearer to a line may fall on either side of it

near_places = st.tuples(st.floats(-2.0, 2.0), st.floats(-2.0, 2.0))
yaws = st.floats(-math.pi, math.pi)
boxes = st.tuples(
    near_places,
    st.tuples(st.floats(0.05, 1.0), st.floats(0.05, 1.0)),
    st.floats(0.0, 1.0),
    yaws,
    st.booleans(),
)
moves = st.tuples(st.sampled_from(["move", "add", "remove", "stop", "go", "grow", "pass"]), st.integers(0, 9), boxes)


def depths(points, outline):
    """How deep points ``(..., 2)`` lie within a convex outline, negative outside: to the nearest of its lines."""
    ends = np.roll(outline, -1, axis=0)
    edge = ends - outline
    inwards = np.stack([edge[:, 1], -edge[:, 0]], axis=1) / np.hypot(*edge.T)[:, None]
    return ((points[..., None, :] - outline) * inwards).sum(axis=-1).min(axis=-1)


def sum_of_outlines(outline, box):
    """The hull of all sums of corners, from the left to the right and back."""
    sums = np.round((outline[:, None] + box[None]).reshape(-1, 2), 9)  # what is above one another stays so
    points = [tuple(each) for each in sums]
    hull = []
    for way in (sorted(points), sorted(points, reverse=True)):
        chain = []
        for point in way:
            while len(chain) >= 2 and _turn(*chain[-2:], point) <= 1e-12:
                chain.pop()
            chain.append(point)
        hull += chain[:-1]
    return np.array(hull)


def _turn(a, b, c):
    """Positive where the way from a by b to c turns to the left, as seen from above."""
    return (b[1] - a[1]) * (c[0] - b[0]) - (b[0] - a[0]) * (c[1] - b[1])


def scene(items):
    obstacles = Obstacles()
    for centre, size, height, yaw, safe in items:
        obstacles.add_box(centre, size, height, yaw, safe=safe)
    return obstacles


def middles(maps):
    x_low, z_low, _, _ = maps.area
    rows, columns = (layout.TILE * each for each in maps.arrays.versions.shape)
    x = x_low + (np.arange(columns) + 0.5) * maps.cell
    z = z_low + (np.arange(rows) + 0.5) * maps.cell
    return np.stack(np.meshgrid(x, z), axis=-1)


def dense(layer, top, peak):
    """Every cell of a layer of maps, as one array each; those of tiles without a page have ``top`` and ``peak``."""
    rows, columns = (layout.TILE * each for each in layer.pages.shape)
    cells = {
        "top": np.full((rows, columns), top), "peak": np.full((rows, columns), peak),
        "owner": np.full((rows, columns), -1), "bits": np.zeros((rows, columns), dtype=np.uint8),
    }  # fmt: skip
    for row, column in np.argwhere(layer.pages >= 0):
        page = slice(layout.TILE * layer.pages[row, column], layout.TILE * (layer.pages[row, column] + 1))
        there = np.s_[layout.TILE * row : layout.TILE * (row + 1), layout.TILE * column : layout.TILE * (column + 1)]
        for name, cell in cells.items():
            cell[there] = getattr(layer, name)[page]
    return cells


def drawn(arrays):
    """The cells of both layers; still ones without a page are NaN."""
    return {"static": dense(arrays.static, np.nan, np.nan), "moving": dense(arrays.moving, -np.inf, -np.inf)}


def listed(arrays):
    """The slots that each tile lists, in order of slots."""
    out = {}
    for tile in np.argwhere(arrays.heads >= 0):
        entry, slots = arrays.heads[tuple(tile)], []
        while entry != layout.NO_PAGE:
            slots.append(int(arrays.links[entry, 0]))
            entry = arrays.links[entry, 1]
        assert len(set(slots)) == len(slots)
        out[tuple(tile.tolist())] = sorted(slots)
    return out


def same_maps(a, b):
    for name in ("frame", "thing_tiles", "things", "thing_corners"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    assert listed(a) == listed(b)
    one, other = drawn(a), drawn(b)
    for layer, cells in one.items():
        for name in cells:
            np.testing.assert_array_equal(cells[name], other[layer][name], err_msg=f"{layer} {name}")


def kept(arrays):
    return copy.deepcopy(arrays)


@given(st.lists(boxes, min_size=1, max_size=8))
def test_cells_hold_the_highest_thing_over_their_middles(items):
    obstacles = scene(items)
    maps = Maps(Ground(0.1), obstacles, cell=0.1)
    points, arrays = middles(maps), maps.arrays
    top, owner = np.full(points.shape[:2], 0.1), np.full(points.shape[:2], -1)
    peak, unsure = np.full(points.shape[:2], 0.1), np.zeros(points.shape[:2], dtype=bool)
    half = 0.5 * maps.cell
    for obstacle, (_, _, height, _, safe) in zip(obstacles, items, strict=True):
        outline, slot = obstacles.outline(obstacle), maps.slot_of_obstacle(obstacle)
        deep = depths(points, outline)
        unsure |= np.abs(deep) < NEAR
        safe_there = np.array([True, *(item[4] for item in items)])[owner + 1]
        first = (owner == -1) | (safe_there & (not safe))
        higher = (deep >= 0.0) & ((0.1 + height > top) | ((0.1 + height == top) & first))
        top[higher], owner[higher] = 0.1 + height, slot
        # A square touches an outline where no line parts them: those of the outline, or its own sides.
        touch = depths(points, sum_of_outlines(outline, rectangle(2 * half, 2 * half)))
        unsure |= np.abs(touch) < NEAR
        peak[touch >= 0.0] = np.maximum(peak[touch >= 0.0], 0.1 + height)
    still = dense(arrays.static, 0.1, 0.1)
    np.testing.assert_array_equal(still["top"][~unsure], top[~unsure])
    np.testing.assert_array_equal(still["owner"][~unsure], owner[~unsure])
    np.testing.assert_array_equal(maps.heights()[~unsure], peak[~unsure])
    inside = (still["bits"] & layout.INSIDE) != 0
    np.testing.assert_array_equal(inside, still["owner"] >= 0)


@given(
    st.lists(boxes, min_size=1, max_size=6),
    st.lists(near_places, min_size=1, max_size=30),
    st.integers(0, 99),
)
def test_the_surface_is_exact_at_every_place(items, places, seed):
    ground = Ground.rough(seed, (6.0, 6.0), amplitude=0.3, feature=1.0)
    ground.add_ramp((0.5, -0.5), 1.5, 0.0, 0.6, yaw=0.4, width=1.0)
    obstacles = scene(items)
    maps = Maps(ground, obstacles)
    heights, slots = maps.surface(places)
    expected = ground.heights(places)
    owner = np.where(ground.pieces_at(places) == 0, maps.slot_of_piece(0), -1)
    unsure = np.zeros(len(places), dtype=bool)
    base = Ground.rough(seed, (6.0, 6.0), amplitude=0.3, feature=1.0).heights(places)
    for obstacle, (centre, _, height, _, _) in zip(obstacles, items, strict=True):
        deep = depths(np.array(places), obstacles.outline(obstacle))
        unsure |= np.abs(deep) < NEAR
        top = np.full(len(places), float(ground.heights(centre)) + height)
        if height < 1e-9:  # lies on the base like a skin
            top = np.maximum(top, base)
        higher = (deep >= 0.0) & (top >= expected)
        expected = np.where(higher, top, expected)
    np.testing.assert_allclose(heights[~unsure], expected[~unsure], atol=1e-12)
    assert np.all((slots >= 0) | (owner == -1) | unsure)


@settings(max_examples=30)
@given(st.lists(boxes, max_size=6), st.tuples(st.floats(0.0, 0.2), st.floats(0.0, 0.3)), yaws)
def test_grown_cells_are_those_in_which_a_foot_box_may_meet_a_thing(items, half, foot_yaw):
    obstacles = scene([(c, s, h + 0.1, y, safe) for c, s, h, y, safe in items])
    maps = Maps(Ground(), obstacles, cell=0.1)
    window = maps.around((0.0, 0.0), half, foot_yaw, cells=60)
    points = np.stack(np.meshgrid(*(low + 0.1 * (np.arange(60) + 0.5) for low in window[:2])), axis=-1)
    plain = maps.around((0.0, 0.0), cells=60)
    here = np.zeros((60, 60))
    for obstacle in obstacles:
        deep = depths(points, obstacles.outline(obstacle))
        here = np.where(deep >= 0.0, np.maximum(here, obstacles.height(obstacle)), here)
    box, square = turned(rectangle(2 * half[0], 2 * half[1]), np.float64(foot_yaw)), rectangle(0.1, 0.1)
    grown, elev, unsure = np.zeros((60, 60), dtype=bool), here.copy(), np.zeros((60, 60), dtype=bool)
    for obstacle in obstacles:
        outline, height = obstacles.outline(obstacle), obstacles.height(obstacle)
        own, deep = (
            depths(points, outline),
            depths(points, sum_of_outlines(sum_of_outlines(outline, box), square)),
        )
        unsure |= (np.abs(own) < NEAR) | (np.abs(deep) < NEAR)
        margin = layout.LIP if obstacles.safe(obstacle) else -layout.FLUSH
        meets = (deep >= 0.0) & (own < 0.0) & (height > here + margin)
        grown |= meets
        elev = np.where(meets, np.maximum(elev, height), elev)
    sure, bits = ~unsure, layout.GROWN | layout.MET
    np.testing.assert_array_equal(((window.flags & layout.GROWN) != 0)[sure], grown[sure])
    np.testing.assert_array_equal(window.heights[sure], elev[sure])
    np.testing.assert_array_equal(window.flags | bits, plain.flags | bits)


@given(st.lists(boxes, min_size=1, max_size=8), near_places, yaws, st.integers(0, 9999))
def test_no_foot_that_stands_where_it_may_overlaps_the_side_of_a_thing(items, place, foot_yaw, seed):
    obstacles = scene([(c, s, h + 0.1, y, safe) for c, s, h, y, safe in items])
    maps = Maps(Ground(), obstacles)
    half = 0.06, 0.1
    window = maps.around(place, half, foot_yaw, cells=30)
    free = np.argwhere((window.flags & (layout.GROWN | layout.NO_STAND)) == 0)
    random = np.random.default_rng(seed)
    for row, column in random.permutation(free)[:20]:
        shift = random.random(2)  # anywhere in the cell
        foot = np.array([window.x_low, window.z_low]) + maps.cell * (np.array([column, row]) + shift)
        stands = window.heights[row, column]
        grid = np.stack(np.meshgrid(np.linspace(-1, 1, 9), np.linspace(-1, 1, 9)), axis=-1).reshape(-1, 2) * half
        box = foot + turned(grid, np.float64(foot_yaw))
        for obstacle in obstacles:
            covers = depths(box, obstacles.outline(obstacle)) > NEAR
            assert not np.any(covers) or obstacles.height(obstacle) <= stands + layout.LIP


@settings(max_examples=30)
@given(boxes, st.tuples(st.floats(-1.0, 1.0), st.floats(-1.0, 1.0)), st.floats(-1.0, 1.0), yaws)
def test_what_moves_is_grown_by_its_way_until_the_foot_stands_and_marked_until_it_lifts(item, velocity, turn, foot_yaw):
    centre, size, height, yaw, safe = item
    obstacles, half, times = Obstacles(), (0.06, 0.1), (0.3, 0.5, 0.9)
    crate = obstacles.add_box(centre, size, height + 0.1, yaw, velocity, turn, safe=safe)
    maps = Maps(Ground(), obstacles, cell=0.1)
    heights, flags = np.empty((60, 60)), np.empty((60, 60), np.uint8)
    window_of(maps.arrays, -3.0, -3.0, FootBox(*half, foot_yaw, *times), heights, flags)
    points = np.stack(np.meshgrid(-2.95 + 0.1 * np.arange(60), -2.95 + 0.1 * np.arange(60)), axis=-1)
    box = turned(rectangle(2 * half[0], 2 * half[1]), np.float64(foot_yaw))
    beside = depths(points, obstacles.outline(crate)) < -NEAR
    reach, met = np.hypot(*half) + 0.1, np.zeros((3, 60, 60), dtype=bool)
    farthest = np.full((60, 60), -np.inf)
    for _ in range(10):
        now = depths(points, sum_of_outlines(obstacles.outline(crate), box)) > NEAR
        met |= now & (np.array(times) > obstacles.time - 1e-9)[:, None, None]
        farthest = np.maximum(farthest, depths(points, obstacles.outline(crate)))
        obstacles.advance(0.1)
    passes, lands, leaves = met
    assert np.all(heights[passes & beside] == height + 0.1)
    assert np.all((flags[lands & beside] & layout.MET) != 0)
    assert np.all((flags[leaves & beside] & (layout.MET | layout.SWEPT)) != 0)
    # A thing that turns also takes what lies between its corners then and now.
    slack = 0.5 * abs(turn) * times[2] * np.hypot(*size) + 0.1 * np.hypot(*velocity) + 0.15
    assert np.all(flags[(farthest < -reach - slack)] == 0)


@settings(max_examples=40)
@given(st.lists(boxes, max_size=5), st.lists(moves, min_size=1, max_size=25), st.booleans())
def test_maps_that_were_updated_many_times_are_those_of_a_rebuild(items, history, rough):
    ground = Ground.rough(3, (5.0, 5.0)) if rough else Ground()
    ground.add_platform((0.0, 0.5), (1.0, 1.0), 0.3, velocity=(0.2, 0.05, 0.0), turn_rate=0.5)
    ground.add_box((1.0, -1.0), (0.7, 0.7), 0.2)
    obstacles = scene(items)
    maps = Maps(ground, obstacles, cell=0.1)
    for what, which, (centre, size, height, yaw, safe) in history:
        there = list(obstacles)
        chosen = there[which % len(there)] if there else None
        if what == "add" or chosen is None:
            obstacles.add_box(centre, size, height, yaw, (0.3 * (which % 3), 0.0), safe=safe, rise=0.1 * (which % 2))
        elif what == "move":
            obstacles.move(chosen, centre=centre, yaw=yaw, lift=height)
        elif what == "remove":
            obstacles.remove(chosen)
        elif what == "stop":
            obstacles.move(chosen, velocity=(0.0, 0.0), turn_rate=0.0, rise=0.0)
        elif what == "go":
            obstacles.move(chosen, velocity=centre, turn_rate=yaw, rise=height - 0.5)
        elif what == "grow":
            obstacles.grow(chosen, 0.5 + height)
        obstacles.advance(0.1)
        ground.advance(0.1)
        maps.update()
    after = kept(maps.arrays)
    maps.rebuild()
    same_maps(after, maps.arrays)
    # New maps give other slots, but the same cells.
    fresh = Maps(ground, obstacles, cell=0.1)
    area = slice(*_overlap(maps, fresh, 3, 0)), slice(*_overlap(maps, fresh, 4, 1))
    other = slice(*_overlap(fresh, maps, 3, 0)), slice(*_overlap(fresh, maps, 4, 1))
    mine, theirs = drawn(maps.arrays), drawn(fresh.arrays)
    for layer in ("static", "moving"):
        for name in ("top", "peak", "bits"):
            np.testing.assert_array_equal(mine[layer][name][area], theirs[layer][name][other])


def _overlap(a, b, place, axis):
    """The rows or columns of one map that another has too."""
    first = max(a.arrays.frame[place], b.arrays.frame[place])
    last = min(m.arrays.frame[place] + layout.TILE * m.arrays.versions.shape[axis] for m in (a, b))
    return int(first - a.arrays.frame[place]), int(last - a.arrays.frame[place])


GOLDEN = """
..................
...++++++++.+++++.
...++++++++.+++++.
...+CeeeeC+.+CeC+.
...+e####e+.+e#e+.
...+e####e+.+CeC+.
...+e####e+.+++++.
...+CeeeeC+.+++++.
...++++++++.......
...++++++++.......
..................
..................
"""


@pytest.mark.feature("LEG-20")
def test_the_classes_of_two_crates_are_as_drawn():
    obstacles = Obstacles()
    obstacles.add_box((0.6, 0.55), (0.6, 0.5), 0.3, safe=True)
    obstacles.add_box((1.35, 0.65), (0.3, 0.3), 0.3)
    maps = Maps(Ground(), obstacles, cell=0.1)
    window = maps.window(-1, -1, 12, 18, (0.05, 0.15))
    drawn = ["".join(".#eC+"[each] for each in row) for row in world_maps.classes_of(window.flags)]
    assert "\n".join(reversed(drawn)) == GOLDEN.strip()
    forbidden = (window.flags & layout.NO_STAND) != 0
    assert np.argwhere(forbidden).min(axis=0).tolist() == [6, 13]
    assert np.count_nonzero(forbidden) == 9


@pytest.mark.feature("LEG-19")
def test_the_window_follows_a_place_in_whole_cells():
    obstacles = Obstacles()
    obstacles.add_disk((3.0, 2.0), 0.5, 0.4)
    maps = Maps(Ground.rough(1, (4.0, 4.0)), obstacles)
    whole = maps.window(-100, -100, 200, 200)
    for place in ((0.0, 0.0), (2.51, 1.3), (-3.2, 0.69), (60.0, -9.0)):
        window = maps.around(place)
        assert maps.cell == 0.07
        assert window.heights.shape == window.flags.shape == (70, 70)
        middle = np.array([window.x_low, window.z_low]) + 35.5 * maps.cell
        assert np.all(np.abs(middle - place) <= 0.5 * maps.cell + 1e-9)
        row, column = round(window.z_low / maps.cell) + 100, round(window.x_low / maps.cell) + 100
        if 0 <= row <= 130 and 0 <= column <= 130:
            part = slice(row, row + 70), slice(column, column + 70)
            np.testing.assert_array_equal(window.heights, whole.heights[part])
            np.testing.assert_array_equal(window.flags, whole.flags[part])


def test_the_base_of_a_cell_is_nowhere_higher():
    ground = Ground.rough(5, (4.0, 4.0), amplitude=0.4, feature=0.5, cell=0.03)
    maps = Maps(ground, cell=0.1)
    window = maps.window(-25, -25, 50, 50)
    fine = np.stack(np.meshgrid(np.linspace(-2.5, 2.5, 501), np.linspace(-2.5, 2.5, 501)), axis=-1)
    heights = ground.heights(fine)[:-1, :-1].reshape(50, 10, 50, 10).max(axis=(1, 3))
    assert np.all(window.heights >= heights - 1e-12)
    assert np.max(window.heights - heights) < 0.05


def test_ramps_are_no_lower_than_their_plane_and_begin_without_a_step():
    ground = Ground()
    ramp = ground.add_ramp((0.0, 0.0), 2.0, 0.0, 0.5, width=1.4)
    maps = Maps(ground)
    window = maps.around((0.0, 0.5), (0.05, 0.05))
    points = np.stack(np.meshgrid(*(low + 0.07 * (np.arange(70) + 0.5) for low in window[:2])), axis=-1)
    assert np.all(window.heights >= ground.heights(points))
    level = maps.window(-4, -3, 3, 6, (0.05, 0.05))  # before its low end
    assert not np.any(level.flags)
    heights, slots = maps.surface([(0.0, 1.0), (0.0, 1.5), (0.0, 3.0)])
    np.testing.assert_allclose(heights, [0.25, 0.375, 0.0])
    assert slots.tolist() == [maps.slot_of_piece(ramp)] * 2 + [-1]


def test_puddles_on_rough_ground_lie_on_it_and_forbid_it():
    ground, obstacles = Ground.rough(2, (8.0, 8.0), amplitude=0.5), Obstacles()
    obstacles.add_puddle((0.0, 0.0), 2.0, 2.0)
    maps = Maps(ground, obstacles)
    points = np.random.default_rng(0).uniform(-0.9, 0.9, (50, 2))
    heights, slots = maps.surface(points)
    assert np.all(slots == maps.slot_of_obstacle(0))
    assert np.all(heights >= ground.heights(points))
    assert np.all(maps.window(-10, -10, 20, 20).flags & layout.NO_STAND)


def test_things_carry_points_as_they_move_turn_and_rise():
    from locomote.world._kernels.map_reading import anchored, generation, local_of

    obstacles = Obstacles()
    crate = obstacles.add_box((1.0, 2.0), (1.0, 1.0), 0.5, 0.3, (0.5, -0.2), 0.7, safe=True, lift=0.1, rise=0.2)
    maps = Maps(Ground(), obstacles)
    slot, first = maps.slot_of_obstacle(crate), generation(maps.slot_of_obstacle(crate), maps.arrays)
    local = local_of(slot, 1.2, 0.6, 2.1, maps.arrays)
    assert local_of(-1, 1.2, 0.6, 2.1, maps.arrays) == anchored(-1, 1.2, 0.6, 2.1, maps.arrays) == (1.2, 0.6, 2.1)
    np.testing.assert_allclose(anchored(slot, *local, maps.arrays), (1.2, 0.6, 2.1))
    obstacles.advance(2.0)
    maps.update()
    offset = turned(np.array([[0.2, 0.1]]), np.float64(1.4))[0]
    np.testing.assert_allclose(anchored(slot, *local, maps.arrays), (2.0 + offset[0], 1.0, 1.6 + offset[1]))
    assert maps.surface((2.0, 1.6))[0] == 1.0
    assert generation(slot, maps.arrays) == first > 0
    obstacles.remove(crate)
    maps.update()
    assert generation(slot, maps.arrays) == 0
    other = obstacles.add_disk((0.0, 0.0), 0.2)
    maps.update()
    assert maps.slot_of_obstacle(other) == slot
    assert maps.obstacle_of_slot(slot) == other
    assert generation(slot, maps.arrays) not in (0, first)


def test_the_maps_grow_with_what_leaves_them_and_say_where_anything_changed():
    from locomote.world._kernels.map_reading import changed_since

    obstacles = Obstacles()
    still = obstacles.add_box((0.0, 0.0), (0.5, 0.5), 0.3)
    runner = obstacles.add_box((0.0, 5.0), (0.5, 0.5), 0.3, velocity=(4.0, 0.0))
    maps = Maps(Ground(), obstacles)
    moment, area, slot = int(maps.arrays.clock[0]), maps.area, maps.slot_of_obstacle(still)
    maps.update()
    assert int(maps.arrays.clock[0]) == moment
    obstacles.advance(0.1)
    maps.update()
    assert maps.area == area
    assert changed_since(moment, -0.1, 4.9, 0.1, 5.1, maps.arrays)
    assert not changed_since(moment, -0.1, -0.1, 0.1, 0.1, maps.arrays)
    assert not changed_since(int(maps.arrays.clock[0]), -0.1, 4.9, 0.1, 5.1, maps.arrays)
    obstacles.advance(10.0)
    maps.update()
    assert maps.area[0] <= area[0]
    assert maps.area[2] > 40.0
    assert maps.slot_of_obstacle(still) == slot
    assert maps.surface([(40.4, 5.0), (0.0, 0.0), (0.0, 5.0)])[0].tolist() == [0.3, 0.3, 0.0]
    obstacles.move(runner, centre=(9e5, 0.0))
    with pytest.raises(LocomoteError, match=r"too many cells .* choose a larger cell, or remove"):
        maps.update()


def test_a_large_world_costs_what_stands_in_it():
    obstacles = Obstacles()
    crates = [obstacles.add_box((x, z), (0.4, 0.4), 0.3) for x in (-1000.0, 0.0, 1000.0) for z in (-1000.0, 1000.0)]
    walker = obstacles.add_box((0.0, 0.0), (0.4, 0.4), 0.5, velocity=(1.0, 0.3))
    maps = Maps(Ground(), obstacles)
    cells = sum(layer.top.size for layer in (maps.arrays.static, maps.arrays.moving))
    assert cells * layout.TILE < maps.arrays.versions.size * layout.TILE**2
    for _ in range(300):
        obstacles.advance(0.5)
        maps.update()
    assert sum(layer.top.size for layer in (maps.arrays.static, maps.arrays.moving)) == cells
    there = [(-1000.0, 1000.0), (150.0, 45.0), (0.0, 0.0)]
    assert maps.surface(there)[0].tolist() == [0.3, 0.5, 0.0]
    np.testing.assert_array_equal(maps.around(there[1], cells=3).heights, 0.5)
    with pytest.raises(LocomoteError, match="too many for one array; ask for a `window`"):
        maps.heights()
    for each in (*crates, walker):
        obstacles.remove(each)
    maps.update()
    for layer in (maps.arrays.static, maps.arrays.moving):
        assert (layer.pages == layout.NO_PAGE).all()
        assert layer.spare[0] == len(layer.users)
        assert sorted(layer.spare[1:]) == list(range(len(layer.users)))
    assert maps.arrays.links[0, 0] == len(maps.arrays.links) - 1


def test_things_that_cover_too_much_are_refused_and_nothing_else_is_lost():
    obstacles = Obstacles()
    obstacles.add_box((0.0, 0.0), (0.4, 0.4), 0.3)
    maps = Maps(Ground(), obstacles)
    slab = obstacles.add_box((0.0, 0.0), (900.0, 900.0), 0.1)
    for _ in range(2):
        with pytest.raises(LocomoteError, match="cover too many cells"):
            maps.update()
    assert maps.surface([(0.0, 0.0), (5.0, 5.0)])[0].tolist() == [0.3, 0.0]
    obstacles.remove(slab)
    obstacles.add_box((2.0, 0.0), (0.4, 0.4), 0.2)
    maps.update()
    assert maps.surface([(0.0, 0.0), (2.0, 0.0), (5.0, 5.0)])[0].tolist() == [0.3, 0.2, 0.0]


def test_bad_maps_are_refused():
    with pytest.raises(LocomoteError, match=r"cell: expected 0\.005 to 1 m"):
        Maps(cell=7.0)
    with pytest.raises(LocomoteError, match="foot_box: expected a number of at least 0"):
        Maps().window(0, 0, 3, 3, (-0.1, 0.1))
    with pytest.raises(LocomoteError, match="obstacle 3: the maps do not know it"):
        Maps().slot_of_obstacle(3)
    with pytest.raises(LocomoteError, match="piece 0: the maps know 0 pieces"):
        Maps().slot_of_piece(0)
