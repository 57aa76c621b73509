"""Casting of the ground against a twin that walks along every ray in small steps."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote.draw._backdrop import Backdrop
from locomote.draw._camera import Camera, camera, cut_place
from locomote.draw._kernels.bundles import Solids
from locomote.draw._kernels.raster import HIDDEN, SEEN, SUNK
from locomote.draw._kernels.raster_ground import BASE_FACE, NOTHING, SECTION, sink_into_ground
from locomote.draw._solid import _cast_ground, cut_plane
from locomote.world import Ground
from tests.draw.test_raster import rays

SIZE = (20, 16)
STEPS = 300
SLACK = 0.03  # m between a raster that is smooth within its cells and the triangles that are drawn
MISS = 1e29


def is_solid(ground: Ground, points: np.ndarray, base: float = 0.0) -> np.ndarray:
    """Whether points lie in the ground, its base being raised by so much."""
    pieces, grid, frame = ground.arrays
    bare = Ground()
    bare._grid, bare._frame = grid, frame
    out = points[..., 1] < bare.heights(points) + base
    for row, thick in zip(pieces, ground.thickness, strict=True):
        one = Ground(-1e6)
        one._pieces, one._thickness = row[None], [thick]
        top = one.heights(points)
        out |= (top > -1e5) & (points[..., 1] < top) & (points[..., 1] > top - thick)
    return out


def cast(ground: Ground, eye: Camera, cut: np.ndarray | None):
    backdrop = Backdrop(np.zeros(3), np.zeros((2, 2)), 8.0, 0.5, ground=ground, cut=cut)
    solids = Solids(ground.arrays, ground.thickness, ground.floating.astype(np.int32), ground.corners)
    return _cast_ground(solids, backdrop, eye, 1)


def some_ground(seed: int) -> Ground:
    r = np.random.default_rng(seed)
    ground = Ground.rough(seed, (6.0, 6.0), 0.4, 1.5, 0.25) if seed % 2 else Ground(float(r.uniform(-0.3, 0.3)))
    ground.add_stairs(r.uniform(-1, 1, 2), 3, 0.2, 0.3, yaw=float(r.uniform(-3, 3)), base=0.0)
    ground.add_slope(r.uniform(-1, 1, 2), 1.0, float(r.uniform(-0.5, 0.5)), yaw=float(r.uniform(-3, 3)))
    ground.add_platform(r.uniform(-1, 1, 2), (0.8, 1.2), 0.9, yaw=float(r.uniform(-3, 3)))
    return ground


@settings(max_examples=16)
@given(
    seed=st.integers(0, 1000),
    view=st.sampled_from(["side", "front", "three-quarter", "top", "high"]),
    perspective=st.booleans(),
    cutting=st.booleans(),
)
def test_depth_is_where_the_ground_begins(seed, view, perspective, cutting):
    ground = some_ground(seed)
    eye = camera(view, (0.0, 0.4, 0.0), 0.3, SIZE, 0.12, perspective)
    cut = cut_place(view, 0.3, np.zeros((1, 3)), 1.0) if cutting else None
    depth, face = cast(ground, eye, cut)
    start, way = rays(eye)
    begin = np.zeros(depth.shape)
    if cut is not None and view != "top":
        plane = cut_plane(cut, eye)
        begin = np.maximum(0.0, (plane[3] - start @ plane[:3]) / (way @ plane[:3]))
    speed = np.linalg.norm(way, axis=-1)
    t = begin[..., None] + (np.linspace(0.0, 14.0, STEPS) / speed[..., None])
    places = start[..., None, :] + t[..., None] * way[..., None, :]
    slack = SLACK if ground.arrays[1].size > 1 else 1e-6
    # The terrain is drawn only where it is visible.
    surely = is_solid(ground, places, -slack) & (np.linalg.norm(places[..., [0, 2]], axis=-1) < 7.0)
    assert not np.any(surely & (t < depth[..., None] - 1e-3))
    assert np.array_equal(face == NOTHING, depth > MISS)
    hit = depth < MISS
    inside = (start + (depth + 0.004 / speed)[..., None] * way)[hit]
    assert np.mean(is_solid(ground, inside, slack)) > 0.98  # all but those that graze an edge
    if cut is not None and view != "top":
        begun = surely[..., 0]
        assert np.all(face[begun] == SECTION)
        assert np.all(face[~is_solid(ground, places[..., 0, :], slack)] != SECTION)


def test_faces_are_told_apart():
    ground = Ground()
    box = ground.add_box((0.0, 0.0), (1.0, 1.0), 0.5)
    eye = camera("three-quarter", (0.0, 0.25, 0.0), 0.0, (80, 80), 0.03)
    _, face = cast(ground, eye, None)
    assert set(np.unique(face)) == {BASE_FACE, 8 * (box + 1), 8 * (box + 1) + 2, 8 * (box + 1) + 5}


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ((0.0, 0.70, 0.0), SEEN),  # in the air over the box
        ((0.0, 0.49, 0.0), SEEN),  # a sole, just below the surface
        ((0.0, 0.30, 0.0), SUNK),
        ((0.0, 0.20, -0.9), HIDDEN),  # in the air behind the box
        ((0.0, -0.01, -0.9), HIDDEN),  # a sole on the floor behind the box
    ],
)
def test_what_the_ground_leaves_of_a_body(place, expected):
    ground = Ground()
    ground.add_box((0.0, 0.0), (1.0, 1.0), 0.5)
    eye = camera("front", place, 0.0, (41, 41), 0.05)
    ground_depth, _ = cast(ground, eye, None)
    depth = np.full((41, 41), float((np.array(place) - eye.eye) @ eye.inverse[2]), dtype=np.float32)
    seen = np.empty((41, 41), dtype=np.int8)
    sink_into_ground(depth, ground_depth, 0, 0, eye.rays(1), ground.arrays, 0.03, seen)
    assert seen[20, 20] == expected


def test_touching_pieces_show_no_gap_in_a_section():
    ground = Ground()
    ground.add_stairs((0.0, -0.5), 6, 0.1, 0.3, width=2.0)
    eye = camera("side", (0.0, 0.0, 0.4), 0.0, (300, 60), 0.005, perspective=True)
    _, face = cast(ground, eye, np.array([-0.3, 0.0, 0.0]))
    assert np.all(face[-4:] == SECTION)
