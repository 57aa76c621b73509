"""The rasteriser against a plain NumPy twin.

The hull of two balls is the union of all balls between them, with centre and radius going evenly from one to
the other. The twin casts every ray against many such balls and keeps the first hit.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.draw._camera import Camera, camera
from locomote.draw._kernels.bundles import Capsules, Fading, Floor, Hits, Shadow
from locomote.draw._kernels.raster import SEEN, SUNK, cast_capsules, shade, sink_into_plane
from locomote.draw._kernels.raster_floor import cast_floor, compose

MISS = 1e30
SIZE = (32, 24)


def rays(eye: Camera, step: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Start and direction of the ray of every sample."""
    x = (np.arange(round(eye.width / step)) + 0.5) * step
    y = (np.arange(round(eye.height / step)) + 0.5) * step
    across = x[None, :, None] * eye.axes[0] + y[:, None, None] * eye.axes[1]
    if eye.perspective:
        return np.broadcast_to(eye.eye, across.shape), eye.axes[2] + across
    return eye.eye + across, np.broadcast_to(eye.axes[2], across.shape)


def twin_depth(ends, radii, axis, flat, eye: Camera, balls: int = 200, grow: float = 0.0) -> np.ndarray:
    stretch = np.eye(3) + (1.0 / flat - 1.0) * np.outer(axis, axis)
    start, way = rays(eye)
    p, d = (start - ends[0]) @ stretch, way @ stretch
    best = np.full(p.shape[:2], MISS)
    for s in np.linspace(0.0, 1.0, balls):
        centre, radius = s * (ends[1] - ends[0]) @ stretch, (1 - s) * radii[0] + s * radii[1] + grow
        q = p - centre
        dd, qd, qq = np.sum(d * d, -1), np.sum(q * d, -1), np.sum(q * q, -1)
        under = qd**2 - dd * (qq - radius**2)
        t = np.where(under >= 0, (-qd - np.sqrt(np.maximum(under, 0))) / dd, MISS)
        best = np.minimum(best, t)
    return best


def run(ends, radii, axes, flats, eye: Camera, step: float = 1.0):
    shape = (round(eye.height / step), round(eye.width / step))
    depth = np.full(shape, MISS, dtype=np.float32)
    normals = np.zeros((*shape, 3), dtype=np.float32)
    which = np.full(shape, -1, dtype=np.int32)
    arrays = [np.ascontiguousarray(v, dtype=np.float64) for v in (ends, radii, axes, flats)]
    hits = Hits(depth, normals, which)
    cast_capsules(Capsules(*arrays), eye.rays(round(1.0 / step)), hits)
    return hits


coordinate = st.floats(-0.5, 0.5)
point = st.tuples(coordinate, coordinate, coordinate).map(np.array)
radius = st.floats(0.05, 0.4)
direction = point.filter(lambda v: np.linalg.norm(v) > 0.1).map(lambda v: v / np.linalg.norm(v))


@given(
    a=point,
    b=point,
    ra=radius,
    rb=radius,
    axis=direction,
    flat=st.floats(0.3, 1.0),
    view=st.sampled_from(["side", "front", "three-quarter", "top"]),
    perspective=st.booleans(),
)
def test_a_capsule_is_where_its_balls_are(a, b, ra, rb, axis, flat, view, perspective):
    eye = camera(view, (0, 0, 0), 0.3, SIZE, 0.07, perspective)
    ends, radii = np.array([a, b]), np.array([ra, rb])
    depth, normals, which = run(ends[None], radii[None], axis[None], [flat], eye)
    # Between hulls a hair thinner and a hair thicker than the true one, the silhouette must agree.
    inner, outer = (twin_depth(ends, radii, axis, flat, eye, grow=g) for g in (-3e-3, 3e-3))
    hit = depth < MISS
    assert np.all(hit[inner < MISS])
    assert not np.any(hit[outer >= MISS])
    assert np.array_equal(which >= 0, hit)
    sure = inner < MISS
    assert np.all(depth[sure] <= inner[sure] + 1e-4)
    assert np.all(depth[sure] >= outer[sure] - 1e-4)
    assert np.allclose(np.linalg.norm(normals[hit], axis=-1), 1.0, atol=1e-5)
    assert np.all(np.sum(normals * rays(eye)[1], axis=-1)[hit] <= 1e-3)  # surfaces face the camera


@given(a=point, b=point, ra=radius, rb=radius)
def test_the_silhouette_from_the_side_is_the_hull_of_two_discs(a, b, ra, rb):
    eye = camera("side", (0, 0, 0), 0.0, SIZE, 0.07)
    depth = run(np.array([[a, b]]), [[ra, rb]], [[1, 0, 0]], [1.0], eye)[0]
    flat_a, flat_b = eye.pixels(a), eye.pixels(b)
    x, y = np.meshgrid(np.arange(SIZE[0]) + 0.5, np.arange(SIZE[1]) + 0.5)
    distance = hull_distance(np.stack([x, y], -1), flat_a, flat_b, ra / 0.07, rb / 0.07)
    clear = np.abs(distance) > 1e-3  # px; not exactly on the outline
    assert np.array_equal((depth < MISS)[clear], (distance < 0)[clear])


def hull_distance(p, a, b, ra, rb):
    """The signed distance of points in the plane from the hull of two discs."""
    length = np.linalg.norm(b - a)
    nearest_disc = np.minimum(np.linalg.norm(p - a, axis=-1) - ra, np.linalg.norm(p - b, axis=-1) - rb)
    if length <= abs(ra - rb):
        return nearest_disc
    along = (b - a) / length
    u = (p - a) @ along
    v = np.abs((p - a) @ np.array([-along[1], along[0]]))
    sine = (ra - rb) / length
    cosine = np.sqrt(1 - sine**2)
    foot = u * cosine - v * sine  # along the tangent, from where it touches disc a
    tangent = v * cosine + u * sine - ra
    return np.where((foot >= 0) & (foot <= length * cosine), tangent, nearest_disc)


def test_the_nearer_capsule_hides_the_farther_one():
    eye = camera("front", (0, 0, 0), 0.0, SIZE, 0.045)
    ends = np.array([[[0, 0, -0.5]] * 2, [[0, 0, 0.5]] * 2], dtype=float)
    for order in ([0, 1], [1, 0]):
        _, _, which = run(ends[order], [[0.3, 0.3]] * 2, [[1, 0, 0]] * 2, [1.0, 1.0], eye)
        assert which[12, 16] == order.index(1)


def test_a_capsule_around_the_eye_is_not_drawn_in_perspective():
    eye = camera("front", (0, 0, 0), 0.0, SIZE, 0.045, perspective=True)
    depth, _, _ = run(np.array([[eye.eye, eye.eye]]), [[0.3, 0.3]], [[1, 0, 0]], [1.0], eye)
    assert np.all(depth == np.float32(MISS))


def test_finer_samples_average_to_the_covered_share_of_a_pixel():
    eye = camera("front", (0, 0, 0), 0.0, SIZE, 0.045)
    ends = np.array([[[0.0, 0, 0], [0, 0.3, 0]]])
    hits, through = run(ends, [[0.3, 0.2]], [[1, 0, 0]], [1.0], eye, step=0.25), eye.rays(4)
    depth = hits.depth
    out = np.empty((SIZE[1], SIZE[0], 4), dtype=np.float32)
    light, plane = np.array([0.0, 1.0, 0.0]), np.array([-9.0, 0.0, 0.0])
    seen = np.empty(depth.shape, dtype=np.int8)
    sink_into_plane(depth, through, plane, 0.0, seen)
    assert np.all(seen == SEEN)
    shade(hits, np.ones((1, 3)), through, light, seen, 0.5, 0.1, out)
    share = (depth < MISS).reshape(SIZE[1], 4, SIZE[0], 4).mean(axis=(1, 3))
    assert np.allclose(out[..., 3], share, atol=1e-6)
    assert out[..., :3].max() <= 1.0
    assert np.all(out[..., :3] <= out[..., 3:] + 1e-6)  # colours are multiplied by their alpha
    plane[0] = 9.0  # now all of it lies below the floor
    sink_into_plane(depth, through, plane, 0.0, seen)
    assert np.array_equal(seen == SUNK, depth < MISS)
    shade(hits, np.ones((1, 3)), through, light, seen, 0.5, 0.1, out)
    assert np.allclose(out[..., 3], 0.5 * share, atol=1e-6)


def floor(eye: Camera, shadow: np.ndarray, strengths=(1.0, 1.0, 1.0), plane=(0.0, 0.0, 0.0)) -> np.ndarray:
    out = np.empty((eye.height, eye.width, 4), dtype=np.float32)
    colours = np.array([[0.5, 0.5, 0.5], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    ruled = Floor(np.array(plane), 0.5, 0.02, np.array(strengths), colours)
    dark = Shadow(shadow.astype(np.float32), np.array([-0.5, -0.5, 1.0, 1.0]))
    cast_floor(eye.rays(1), ruled, dark, Fading(np.zeros((2, 2)), np.array([1.0, 2.0])), out)
    return out


def test_floor_lines_lie_on_the_multiples_of_the_cell_and_the_floor_fades():
    eye = camera("top", (0, 0, 0), 0.0, (101, 101), 0.045)
    out = floor(eye, np.zeros((4, 4)))
    red = out[..., 0] - out[..., 1] > 0.2
    # From above, +Z runs to the right, and a line lies wherever z or x is a multiple of half a metre.
    y, x = np.nonzero(red)
    where = np.stack([(x + 0.5 - 50.5) * 0.045, (y + 0.5 - 50.5) * 0.045], -1)
    off = np.abs(where - np.round(where / 0.5) * 0.5).min(axis=1)
    assert red.sum() > 100
    assert off.max() < 0.045
    assert out[50, 50, 3] == 1.0
    assert np.all(out[0] == 0.0)  # 2.25 m away


@pytest.mark.parametrize("perspective", [False, True])
def test_no_floor_above_the_horizon(perspective):
    eye = camera("side", (0, 0, 0), 0.0, (41, 41), 0.02, perspective)
    out = floor(eye, np.zeros((4, 4)))
    assert np.all(out[:5, :, 3] == 0.0)  # so high up, the floor is more than 2 m away
    assert out[20, 20, 3] > 0.9


def test_a_shadow_darkens_only_where_its_map_lies():
    eye = camera("top", (0, 0, 0), 0.0, (101, 101), 0.02)
    dark = floor(eye, np.ones((8, 8)), strengths=(0.0, 0.0, 1.0))[..., 3]
    assert dark[50, 50] == pytest.approx(1.0)
    assert dark[50, 5] == 0.0  # 0.9 m from the middle; the map ends at 0.5 m


def test_layers_are_laid_over_one_another():
    rng = np.random.default_rng(1)
    alpha = rng.random((6, 7, 1), dtype=np.float32)
    ground = np.concatenate([rng.random((6, 7, 3), dtype=np.float32) * alpha, alpha], axis=-1)
    alpha = rng.random((2, 3, 1), dtype=np.float32)
    body = np.concatenate([rng.random((2, 3, 3), dtype=np.float32) * alpha, alpha], axis=-1)
    whole = np.zeros((6, 7, 4))
    whole[1:3, 2:5] = body
    layered = whole + ground * (1 - whole[..., 3:])
    paper = np.array([1.0, 0.5, 0.0])
    opaque = np.empty((6, 7, 3), dtype=np.uint8)
    compose(ground, body, 2, 1, paper, opaque)
    expected = layered[..., :3] + (1 - layered[..., 3:]) * paper
    assert np.abs(opaque - 255 * expected).max() <= 0.51
    clear = np.empty((6, 7, 4), dtype=np.uint8)
    compose(ground, body, 2, 1, paper, clear)
    expected = np.concatenate([layered[..., :3] / layered[..., 3:], layered[..., 3:]], axis=-1)
    assert np.abs(clear - 255 * expected).max() <= 0.51
