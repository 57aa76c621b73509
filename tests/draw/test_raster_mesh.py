"""The rasteriser of triangles against the ball that a fine mesh stands for, and against every ray cast on its own."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.draw._camera import Camera, camera
from locomote.draw._kernels.bundles import Hits, Triangles
from locomote.draw._kernels.raster_mesh import cast_triangles

MISS = 1e30
CUBE = np.array([[x, y, z] for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-0.5, 0.5)])
FACES = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
CUBE_TRIANGLES = np.concatenate([FACES[:, [0, 1, 2]], FACES[:, [0, 2, 3]]])


def run(vertices, triangles, normals, shading, eye: Camera, step: float = 1.0, first: int = 0):
    shape = (round(eye.height / step), round(eye.width / step))
    hits = Hits(
        np.full(shape, MISS, dtype=np.float32),
        np.zeros((*shape, 3), dtype=np.float32),
        np.full(shape, -1, dtype=np.int32),
    )
    mesh = Triangles(
        np.ascontiguousarray(vertices, dtype=np.float64),
        np.ascontiguousarray(triangles, dtype=np.int64),
        np.ascontiguousarray(normals, dtype=np.float64),
        np.ascontiguousarray(shading, dtype=np.int64),
    )
    cast_triangles(mesh, first, eye.rays(round(1.0 / step)), hits)
    return hits


def rays(eye: Camera, step: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    """Start and direction of the ray of every sample."""
    x = (np.arange(round(eye.width / step)) + 0.5) * step
    y = (np.arange(round(eye.height / step)) + 0.5) * step
    across = x[None, :, None] * eye.axes[0] + y[:, None, None] * eye.axes[1]
    if eye.perspective:
        return np.broadcast_to(eye.eye, across.shape), eye.axes[2] + across
    return eye.eye + across, np.broadcast_to(eye.axes[2], across.shape)


def brute(vertices, triangles, eye: Camera) -> np.ndarray:
    """The first hit of every ray, from the plane and the three sides of each triangle."""
    start, way = rays(eye)
    best = np.full(start.shape[:2], MISS)
    for a, b, c in vertices[triangles]:
        normal = np.cross(b - a, c - a)
        t = ((a - start) @ normal) / (way @ normal)
        hit = start + t[..., None] * way
        inside = [np.cross(q - p, hit - p) @ normal >= -1e-12 for p, q in ((a, b), (b, c), (c, a))]
        met = np.all(inside, axis=0) & ((t > 1e-3) if eye.perspective else True)
        best = np.where(met, np.minimum(best, t), best)
    return best


def ball(rings: int) -> tuple[np.ndarray, np.ndarray]:
    """A unit ball of triangles; the corners run against the clock as seen from outside."""
    polar, around = np.linspace(0.0, np.pi, rings + 1), np.linspace(0.0, 2.0 * np.pi, 2 * rings + 1)
    p, a = np.meshgrid(polar, around, indexing="ij")
    vertices = np.stack([np.sin(p) * np.sin(a), np.cos(p), np.sin(p) * np.cos(a)], axis=-1).reshape(-1, 3)
    index = np.arange(len(vertices)).reshape(rings + 1, 2 * rings + 1)
    q, r, s, t = (x.ravel() for x in (index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]))
    return vertices, np.concatenate([np.stack([q, r, s], 1), np.stack([q, s, t], 1)])


@pytest.mark.parametrize("perspective", [False, True])
@pytest.mark.parametrize("step", [1.0, 0.5])
def test_a_fine_ball_looks_like_a_ball(perspective: bool, step: float) -> None:
    vertices, triangles = ball(60)
    centre, radius = np.array([0.3, 1.1, -0.4]), 0.7
    eye = camera("three-quarter", (0.2, 1.0, -0.4), 0.3, (48, 40), 0.05, perspective)
    depth, normals, which = run(centre + radius * vertices, triangles, vertices, triangles, eye, step, 5)
    start, way = rays(eye, step)
    q = start - centre
    dd, qd, qq = np.sum(way * way, -1), np.sum(q * way, -1), np.sum(q * q, -1)
    under = qd**2 - dd * (qq - radius**2)
    well_inside = under > 0.04 * dd * radius**2
    t = (-qd - np.sqrt(np.maximum(under, 0.0))) / dd
    assert np.all(depth[well_inside] < MISS)
    assert np.all(depth[under < 0.0] == np.float32(MISS))
    # A triangle lies below the ball by the sagitta of half its diagonal, which a ray at grazing 0.2 sees five-fold.
    sagitta = radius * (1.0 - np.cos(np.pi / 60 / np.sqrt(2.0)))
    assert np.max(np.abs(depth - t)[well_inside]) < sagitta / 0.2 * 1.01
    outwards = (q + t[..., None] * way) / radius
    assert np.max(np.linalg.norm(normals - outwards, axis=-1)[well_inside]) < 0.02
    assert np.all(which[well_inside] >= 5)
    assert np.all(which[well_inside] < 5 + len(triangles))


@given(
    turn=st.tuples(*[st.floats(-3.0, 3.0)] * 3),
    shift=st.tuples(*[st.floats(-0.3, 0.3)] * 3),
    perspective=st.booleans(),
)
def test_a_posed_cube_is_met_as_ray_by_ray(turn, shift, perspective) -> None:
    quaternion = rot.exp(np.array(turn))
    vertices = rot.rotate(quaternion, CUBE * [1.0, 0.6, 1.4]) + shift
    eye = camera("high", (0, 0, 0), 0.4, (40, 30), 0.06, perspective)
    depth, normals, _ = run(vertices, CUBE_TRIANGLES, np.zeros((1, 3)), 0 * CUBE_TRIANGLES, eye)
    wanted = brute(vertices, CUBE_TRIANGLES, eye)
    hit, expected = depth < MISS, wanted < MISS
    assert np.sum(hit != expected) <= 2  # rays that graze an outline
    both = hit & expected
    close = np.abs(depth - wanted)[both] < 1e-4 * np.abs(wanted[both])
    assert np.sum(~close) <= 2
    # Without normals of their own, triangles are shaded by their planes, and every plane seen faces the camera.
    assert np.all(np.sum(normals * rays(eye)[1], axis=-1)[hit] < 1e-6)
    assert np.allclose(np.linalg.norm(normals[hit], axis=-1), 1.0, atol=1e-5)


def test_both_faces_are_drawn_and_face_the_camera() -> None:
    eye = camera("front", (0, 0, 0), 0.0, (20, 20), 0.1)
    vertices = np.array([[-0.8, -0.8, 0.0], [0.8, -0.8, 0.0], [0.0, 0.8, 0.0]])
    ahead = np.array([[0.0, 0.0, 1.0]])
    shading = np.zeros((1, 3), dtype=int)
    front = run(vertices, np.array([[0, 1, 2]]), ahead, shading, eye)
    back = run(vertices, np.array([[0, 2, 1]]), -ahead, shading, eye)
    assert np.sum(front[0] < MISS) > 50
    for one, other in zip(front[:2], back[:2], strict=True):
        assert np.allclose(one, other, rtol=1e-6, atol=1e-6)


def test_what_is_nearer_already_stays() -> None:
    eye = camera("front", (0, 0, 0), 0.0, (20, 20), 0.1)
    vertices = np.array([[-0.8, -0.8, 0.0], [0.8, -0.8, 0.0], [0.0, 0.8, 0.0]])
    near = vertices + np.array([0.0, 0.0, 0.5])
    both = np.array([[0, 1, 2], [3, 4, 5]])
    which = run(np.concatenate([near, vertices]), both, np.ones((1, 3)), 0 * both, eye)[2]
    alone = run(near, both[:1], np.ones((1, 3)), 0 * both[:1], eye)[2]
    assert np.all(which[alone == 0] == 0)
    assert np.any(which == 1)


def test_a_floor_that_passes_below_the_eye_is_met_only_ahead_of_it() -> None:
    eye = camera("side", (0, 1, 0), 0.0, (24, 24), 0.1, perspective=True)
    square = np.array([[-50.0, 0.0, -50.0], [50.0, 0.0, -50.0], [50.0, 0.0, 50.0], [-50.0, 0.0, 50.0]])
    triangles = np.array([[0, 2, 1], [0, 3, 2]])
    depth, _, _ = run(square, triangles, np.array([[0.0, 1.0, 0.0]]), 0 * triangles, eye)
    wanted = brute(square, triangles, eye)
    assert np.array_equal(depth < MISS, wanted < MISS)
    assert np.allclose(depth[wanted < MISS], wanted[wanted < MISS], rtol=1e-5)
