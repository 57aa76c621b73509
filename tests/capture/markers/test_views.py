"""Cameras that measure: projection against the drawing cameras, calibration, triangulation, usable seconds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.capture import camera_at, camera_ring, markers, stage
from locomote.capture.markers import View

FIELD = 0.2  # m


def ring(count: int = 4) -> list[View]:
    """Cameras around a field of 20 cm, with lenses that bend."""
    cameras = camera_ring(count, 0.7, 0.35, (0.0, 0.05, 0.0), (640, 480), np.radians(30.0))
    bent = np.array([-0.12, 0.05, 0.001, -0.002, 0.01])
    return [replace(View.of(camera), distortion=bent * (1 + k)) for k, camera in enumerate(cameras)]


def field(count: int, seed: int) -> np.ndarray:
    return FIELD * (np.random.default_rng(seed).uniform(size=(count, 3)) - 0.5) + [0.0, 0.05, 0.0]


def test_a_view_sees_what_a_drawing_camera_sees() -> None:
    camera = camera_at((0.3, 1.0, 4.0), (0.1, 0.9, 0.0), (640, 480))
    points = np.random.default_rng(0).normal(size=(20, 3))
    view = View.of(camera)
    np.testing.assert_allclose(view.pixels(points), camera.pixels(points), atol=1e-9)
    assert np.isnan(view.pixels((0.6, 1.1, 8.0))).all()
    assert view.sees((0.1, 0.9, 0.0))
    assert not view.sees((30.0, 0.9, 0.0))


def test_distortion_is_taken_out_again() -> None:
    view = ring(1)[0]
    points = field(50, 1)
    seen = rot.rotate(view.rotation, points - view.eye)
    np.testing.assert_allclose(view.rays(view.pixels(points)), seen[:, :2] / seen[:, 2:], atol=1e-9)


@pytest.mark.feature("ROD-04")
@pytest.mark.parametrize("count", [2, 4])
def test_calibrated_cameras_measure_a_field_of_20_cm(count: int) -> None:
    random, truth = np.random.default_rng(count), ring(4)[:count]
    frame = field(100, 2)
    views = [
        markers.view_from_points(frame, view.pixels(frame) + 0.2 * random.normal(size=(100, 2)), view.size)
        for view in truth
    ]
    ends = field(25, 3)[:, None] + 0.03 * np.array([[[-1.0, 0.2, 0.3]], [[1.0, -0.2, -0.3]]]).swapaxes(0, 1)
    wand = float(np.linalg.norm(ends[0, 0] - ends[0, 1]))
    waved = np.stack([view.pixels(ends) for view in truth])
    views = markers.refine_views(views, waved + 0.2 * random.normal(size=waved.shape), wand)
    points = field(200, 4)
    seen = np.stack([view.pixels(points) for view in truth]) + 0.2 * random.normal(size=(count, 200, 2))
    found = markers.triangulate(views, seen)
    assert found.error.mean() < 0.5
    assert np.linalg.norm(found.points - points, axis=1).mean() < 3e-4
    assert np.all(found.views == count)


def test_points_that_one_camera_sees_are_not_made_up() -> None:
    views, points = ring(3), field(5, 5)
    seen = np.stack([view.pixels(points) for view in views])
    seen[1:, 0] = np.nan
    seen[0, 1] = np.nan
    found = markers.triangulate(views, seen)
    assert np.isnan(found.points[0]).all()
    assert found.views.tolist() == [1, 2, 3, 3, 3]
    np.testing.assert_allclose(found.points[1:], points[1:], atol=1e-7)
    assert np.isnan(markers.triangulate(views, seen, least=3).points[1]).all()
    with pytest.raises(lm.LocomoteError, match="two cameras"):
        markers.triangulate(views[:1], seen[:1])
    with pytest.raises(lm.LocomoteError, match="pixels"):
        markers.triangulate(views, seen[:2])
    with pytest.raises(lm.LocomoteError, match="one plane"):
        markers.view_from_points(np.zeros((8, 3)), np.zeros((8, 2)))


def test_a_camera_that_is_trusted_more_is_missed_by_less() -> None:
    views, points = ring(3), field(30, 6)
    seen = np.stack([view.pixels(points) for view in views])
    seen[2] += 4.0
    even, uneven = (markers.triangulate(views, seen, weights=w).points for w in (None, (1.0, 1.0, 0.01)))
    off = [np.linalg.norm(p - points, axis=1).mean() for p in (even, uneven)]
    assert off[1] < 0.1 * off[0]


def test_time_counts_only_while_six_cameras_see_all_of_the_animal() -> None:
    cameras = camera_ring(8, 0.7, 0.35, (0.0, 0.03, 0.0), (640, 480), np.radians(24.0))
    walk = lm.creatures.Crowd("mouse", 1, positions=[(0.0, 0.0, -0.35)], speed=0.35).record(seconds=2.0, fps=60.0)
    surface = stage.meshes(walk).vertices[:, ::7]
    views = [View.of(camera) for camera in cameras]
    found = markers.usable(views, surface, walk.fps)
    whole = [[bool(view.sees(points).all()) for view in views] for points in surface]
    np.testing.assert_array_equal(found.cameras, np.sum(whole, axis=1))
    assert 0.1 < found.seconds < 1.9
    assert found.seconds == pytest.approx(sum(b - a for a, b in found.stretches) / walk.fps)
