"""The ground: what is built is where it was said to be, and moves as it was said to move."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from locomote.errors import LocomoteError
from locomote.world import Ground

angles = st.floats(-3.0, 3.0)
places = st.tuples(st.floats(-5.0, 5.0), st.floats(-5.0, 5.0))


def along(start, yaw: float, distance: float, aside: float = 0.0) -> tuple[float, float]:
    """A place so far along a heading, and so far to the left of it."""
    return (
        start[0] + distance * math.sin(yaw) + aside * math.cos(yaw),
        start[1] + distance * math.cos(yaw) - aside * math.sin(yaw),
    )


def test_level_ground():
    ground = Ground(0.3)
    assert np.all(ground.heights(np.random.default_rng(0).normal(size=(4, 5, 3))) == 0.3)
    assert ground.heights((1.0, 2.0)).shape == ()
    assert ground.height_above((1.0, 2.0, 3.0)) == pytest.approx(1.7)
    assert np.array_equal(ground.normal((0.0, 0.0)), (0.0, 1.0, 0.0))
    assert np.array_equal(ground.velocity(np.zeros((3, 3))), np.zeros((3, 3)))
    assert ground.pieces_at((0.0, 0.0)) == -1
    assert not ground.moves


@given(
    places,
    angles,
    st.integers(1, 12),
    st.floats(0.08, 0.2),
    st.floats(0.2, 0.4),
    st.floats(0.2, 3.0),
    st.booleans(),
)
def test_stairs_rise_and_fall_step_by_step(start, yaw, count, rise, tread, landing, down):
    ground = Ground(0.1)
    steps = ground.add_stairs(start, count, rise, tread, yaw, down=down, landing=landing)
    assert len(steps) == count
    lengths = [tread] * (count - 1) + [landing]
    heights = [0.1 + rise * (k + 1) for k in range(count)]
    if down:
        lengths, heights = lengths[::-1], heights[::-1]
    gone = 0.0
    for index, length, height in zip(steps, lengths, heights, strict=True):
        for share in (0.01, 0.5, 0.99):
            for aside in (-0.99, 0.0, 0.99):
                place = along(start, yaw, gone + share * length, aside)
                assert ground.heights(place) == pytest.approx(height)
                assert ground.pieces_at(place) == index
        gone += length
    assert ground.heights(along(start, yaw, -0.01)) == 0.1
    assert ground.heights(along(start, yaw, gone + 0.01)) == 0.1
    assert ground.heights(along(start, yaw, 0.5 * gone, 1.01)) == 0.1


@given(places, angles, st.floats(-0.52, 0.52).filter(lambda a: abs(a) > 0.01), st.floats(0.5, 20.0))
def test_slopes_are_planes_at_their_angle_with_a_landing(start, yaw, angle, length):
    ground = Ground(-0.2)
    plane, landing = ground.add_slope(start, length, angle, yaw, landing=1.5)
    first = 1.5 if angle < 0 else 0.0
    top = -0.2 + length * math.tan(abs(angle))
    for share in (0.01, 0.4, 0.99):
        place = along(start, yaw, first + share * length, 0.3)
        climbed = share if angle > 0 else 1.0 - share
        assert ground.heights(place) == pytest.approx(-0.2 + climbed * (top + 0.2))
        assert ground.pieces_at(place) == plane
        normal = ground.normal(place)
        assert math.acos(normal[1]) == pytest.approx(abs(angle))
        uphill = math.copysign(1.0, angle) * np.array([math.sin(yaw), math.cos(yaw)])
        assert -normal[[0, 2]] @ uphill == pytest.approx(math.sin(abs(angle)))
    middle = along(start, yaw, 0.75 if angle < 0 else length + 0.75)
    assert ground.heights(middle) == pytest.approx(top)
    assert ground.pieces_at(middle) == landing


def test_what_is_built_stands_on_what_is_there():
    ground = Ground()
    ground.add_box((0.0, 1.0), (4.0, 2.0), 0.5)
    ground.add_stairs((0.0, 1.0), 2, 0.2, 0.3)
    assert ground.heights((0.0, 1.4)) == pytest.approx(0.9)
    ground.add_kerb((5.0, 0.0), rise=0.12)
    assert ground.heights((5.0, 0.5)) == pytest.approx(0.12)
    ground.add_ramp((10.0, 0.0), 2.0, 1.0, 2.0, width=1.0)
    assert ground.heights((10.4, 0.5)) == pytest.approx(1.25)


def test_a_raster_is_linear_between_and_held_beyond():
    ground = Ground.from_heights([[0.0, 1.0], [2.0, 3.0]], 0.5, (10.0, 20.0))
    assert ground.heights((10.25, 20.0)) == pytest.approx(0.5)
    assert ground.heights((10.25, 20.25)) == pytest.approx(1.5)
    assert ground.heights((0.0, 0.0)) == 0.0
    assert ground.heights((99.0, 99.0)) == 3.0


def test_hills_are_smooth_bounded_level_outside_and_the_same_again():
    ground = Ground.rough(7, (12.0, 8.0), 0.3, 1.5)
    grid = ground.arrays[1]
    assert np.abs(grid).max() == pytest.approx(0.3)
    assert np.all(grid[[0, -1]] == 0.0)
    assert np.all(grid[:, [0, -1]] == 0.0)
    steps = np.abs(np.diff(grid, axis=0)).max()
    assert steps < 0.3 * 0.1 * 5.0
    assert np.array_equal(grid, Ground.rough(7, (12.0, 8.0), 0.3, 1.5).arrays[1])
    assert not np.array_equal(grid, Ground.rough(8, (12.0, 8.0), 0.3, 1.5).arrays[1])
    assert np.std(grid) > 0.05


def test_pieces_move_in_place_and_carry_what_stands_on_them():
    ground = Ground()
    piece = ground.add_platform((0.0, 0.0), (2.0, 2.0), 0.5, velocity=(1.0, 0.1, 0.0), turn_rate=0.5)
    arrays = ground.arrays
    ahead = ground.heights((2.9, 0.0), ahead=2.0)
    ground.advance(2.0)
    assert all(a is b for a, b in zip(arrays, ground.arrays, strict=True))
    assert ground.heights((2.9, 0.0)) == pytest.approx(float(ahead)) == pytest.approx(0.7)
    assert ground.heights((-0.5, 0.0)) == 0.0
    assert np.allclose(ground.velocity((2.0, 0.0, 0.6)), (1.0 + 0.5 * 0.6, 0.1, 0.0))
    assert ground.moves
    ground.move(piece, position=(5.0, 1.0, 5.0), yaw=0.0, velocity=(0.0, 0.0, 0.0), turn_rate=0.0)
    assert ground.heights((5.9, 5.9)) == 1.0
    assert not ground.moves


def test_the_velocity_of_turning_ground_is_the_way_of_its_points():
    ground = Ground()
    ground.add_platform((1.0, 2.0), (4.0, 4.0), 0.5, yaw=0.3, velocity=(0.2, 0.1, -0.3), turn_rate=0.7)
    point, dt = np.array([2.0, 0.5, 3.0]), 1e-6
    turned = 0.7 * dt
    arm = point - (1.0, 0.5, 2.0)
    moved = np.array(
        [
            1.0 + 0.2 * dt + math.cos(turned) * arm[0] + math.sin(turned) * arm[2],
            0.5 + 0.1 * dt,
            2.0 - 0.3 * dt + math.cos(turned) * arm[2] - math.sin(turned) * arm[0],
        ]
    )
    np.testing.assert_allclose(ground.velocity(point), (moved - point) / dt, atol=1e-5)


@given(st.floats(0.5, 10.0), st.floats(-1.0, 1.0), st.floats(0.0, 20.0))
def test_a_shuttle_keeps_its_velocity_true_to_its_way(period, phase, time):
    ground = Ground()
    ground.add_shuttle((1.0, 2.0), (1.0, 1.0), 0.5, (0.3, 0.2, -0.4), period, phase)
    row = ground.at(time).arrays[0][0]
    step = 1e-5
    before, after = (ground.at(time + s).arrays[0][0, :3] for s in (-step, step))
    np.testing.assert_allclose(row[8:11], (after - before) / (2 * step), atol=1e-5)
    offset = (row[:3] - (1.0, 0.5, 2.0)) / (0.3, 0.2, -0.4)
    np.testing.assert_allclose(offset, math.sin(2 * math.pi * (time / period + phase)), atol=1e-9)


def test_the_ground_at_a_time_does_not_depend_on_the_way_there():
    ground = Ground()
    ground.add_shuttle((1.0, 2.0), (1.0, 1.0), 0.5, (0.3, 0.2, -0.4), 3.0)
    ground.add_platform((0.0, 0.0), (1.0, 1.0), 0.5, velocity=(0.1, 0.0, 0.2), turn_rate=-0.1)
    stepped = ground.copy()
    for _ in range(90):
        stepped.advance(1 / 60)
    np.testing.assert_allclose(stepped.arrays[0], ground.at(1.5).arrays[0], atol=1e-12)
    np.testing.assert_allclose(stepped.at(0.0).arrays[0], ground.arrays[0], atol=1e-12)
    assert ground.time == 0.0
    ground.move(0, velocity=(1.0, 0.0, 0.0))  # the shuttle leaves its way
    ground.advance(0.5)
    assert ground.arrays[0][0, 0] == pytest.approx(1.5)


def test_the_mesh_is_closed_and_faces_outwards():
    ground = Ground()
    ground.add_stairs((0.0, 1.0), 3)
    ground.add_slope((3.0, 0.0), 2.0, 0.3, yaw=1.0)
    ground.add_platform((-3.0, 0.0), (1.0, 2.0), 1.0, yaw=0.4)
    vertices, triangles = ground.mesh()
    assert triangles.min() == 0
    assert triangles.max() == len(vertices) - 1
    count = len(ground.arrays[0])
    for piece in range(count):
        first = len(triangles) - 12 * (count - piece)
        corners = vertices[triangles[first : first + 12]]
        # Of a closed surface that faces outwards the signed volumes add up to what it holds.
        volume = np.sum(np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))) / 6
        assert volume > 0.01
        shifted = corners + np.array([5.0, 7.0, -3.0])
        again = np.sum(np.einsum("ti,ti->t", shifted[:, 0], np.cross(shifted[:, 1], shifted[:, 2]))) / 6
        assert again == pytest.approx(volume)
    up = np.cross(*(np.diff(vertices[triangles[:2]], axis=1).transpose(1, 0, 2)))
    assert np.all(up[:, 1] > 0)


def test_the_mesh_of_a_raster_has_its_heights():
    ground = Ground.rough(1, (6.0, 6.0), 0.2, 1.0, 0.5)
    vertices, triangles = ground.mesh()
    np.testing.assert_allclose(ground.heights(vertices), vertices[:, 1], atol=1e-12)
    assert len(triangles) == 2 * 12 * 12


@pytest.mark.parametrize(
    ("build", "says"),
    [
        (lambda g: Ground(math.nan), "height: expected a finite number"),
        (lambda g: Ground.from_heights([[1.0, 2.0]], 0.1), "at least 2 x 2, got shape"),
        (lambda g: Ground.from_heights([[1.0, 2.0], [3.0]], 0.1), "rows and columns of numbers"),
        (lambda g: Ground.from_heights([[1.0, 2.0], [3.0, math.inf]], 0.1), "row 1, column 1 is not finite"),
        (lambda g: Ground.from_heights(np.zeros((2, 2)), 0.0), "cell: expected a number above 0"),
        (lambda g: Ground.from_heights(np.zeros((2, 2)), 0.1, (1.0, 2.0, 3.0)), "corner: expected 2 finite"),
        (lambda g: Ground.rough(0, (5.0, 5.0), 0.1, 4.0), "feature: expected"),
        (lambda g: Ground.rough(-1), "seed: expected a whole number"),
        (lambda g: g.add_box((0, 0), (1.0, -1.0), 0.2), "size: expected two lengths above 0"),
        (lambda g: g.add_box((0, 0), (1.0, 1.0), "high"), "top: expected a finite number, got 'high'"),
        (lambda g: g.add_box((0, math.nan), (1.0, 1.0), 1.0), "centre: expected 2 finite numbers"),
        (lambda g: g.add_stairs((0, 0), 0), "count: expected a whole number from 1"),
        (lambda g: g.add_stairs((0, 0), 3, rise=-0.1), "rise: expected a number above 0"),
        (lambda g: g.add_stairs((0, 0), 3, landing=0.0), "landing: expected a number above 0"),
        (lambda g: g.add_slope((0, 0), 3.0, 1.5), "angle: expected at most"),
        (lambda g: g.add_ramp((0, 0), 1.0, 0.0, 9.0), "steeper than 60 degrees"),
        (lambda g: g.add_platform((0, 0), (1, 1), 0.2, velocity=(1.0, 2.0)), "velocity: expected 3 finite"),
        (lambda g: g.add_shuttle((0, 0), (1, 1), 0.2, (0, 1, 0), 0.0), "period: expected a number above 0"),
        (lambda g: g.move(0, yaw=1.0), "piece 0: the ground has 0 pieces"),
        (lambda g: g.advance(math.inf), "dt: expected a finite number"),
        (lambda g: g.heights((1.0,)), "points: expected"),
        (lambda g: g.heights((1.0, math.nan)), "points: expected finite numbers"),
        (lambda g: g.height_above((1.0, 2.0)), r"points: expected \(\.\.\., 3\)"),
    ],
)
def test_bad_input_is_named(build, says):
    ground = Ground()
    with pytest.raises(LocomoteError, match=says):
        build(ground)
    assert len(ground.arrays[0]) == 0


def test_the_room_needs_no_compiler_until_it_is_asked():
    import subprocess
    import sys

    script = "import sys; from locomote.world import Ground; Ground().add_box((0, 0), (1, 1), 1)"
    script += "; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"


def test_a_function_gives_the_heights_of_a_ground():
    ground = Ground.from_function(lambda x, z: 0.1 * x + 0.2 * z, (2.0, 3.0), cell=0.25, corner=(1.0, -1.0))
    np.testing.assert_allclose(ground.heights([(1.0, -1.0), (2.9, 1.9), (0.0, 0.0)]), [-0.1, 0.67, 0.1])
    np.testing.assert_allclose(Ground.from_function(lambda x, z: 0.4, (1.0, 1.0)).heights((0.0, 0.0)), 0.4)
    with pytest.raises(LocomoteError, match="heights: expected a function of arrays x and z"):
        Ground.from_function(lambda x, z: [1.0, 2.0, 3.0], (1.0, 1.0))
    with pytest.raises(LocomoteError, match="choose a larger cell"):
        Ground.from_function(lambda x, z: x, (1e6, 1e6))


@pytest.mark.parametrize(("kind", "white"), [(np.uint8, 255), (np.uint16, 65535)])
def test_a_grey_picture_is_a_ground(tmp_path, kind, white):
    grey = np.array([[0, 0, 0], [white, 0, 0]], dtype=kind)  # white at the lower left
    Image.fromarray(grey).save(tmp_path / "hills.png")
    ground = Ground.from_image(tmp_path / "hills.png", 0.5, 2.0, corner=(1.0, 1.0))
    np.testing.assert_allclose(ground.heights([(1.0, 1.0), (1.5, 1.0), (1.0, 1.5), (1.25, 1.0)]), [2.0, 0.0, 0.0, 1.0])
    (tmp_path / "world.toml").write_text("[terrain]\nfile = 'hills.png'\ncell = 0.5\nheight = 2.0\ncorner = [1, 1]")
    for mine, other in zip(Ground.read(tmp_path / "world.toml").arrays, ground.arrays, strict=True):
        np.testing.assert_array_equal(mine, other)


def test_pictures_that_are_none_are_refused(tmp_path):
    with pytest.raises(LocomoteError, match=r"none\.png: no such file"):
        Ground.from_image(tmp_path / "none.png", 0.1, 1.0)
    (tmp_path / "text.png").write_text("not a picture")
    with pytest.raises(LocomoteError, match="not a picture that can be read"):
        Ground.from_image(tmp_path / "text.png", 0.1, 1.0)
