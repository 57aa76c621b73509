"""Cameras at chosen places, against a projection worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

import locomote as lm
from locomote.capture import camera_at, camera_ring


def test_a_camera_projects_as_a_pinhole_does() -> None:
    camera = camera_at((0.0, 1.0, 4.0), (0.0, 1.0, 0.0), size=(640, 480), opening=np.radians(60.0))
    focal = 240.0 / np.tan(np.radians(30.0))
    # Looking along -z from +z, the right of the picture is +x and down is -y.
    points = np.array([[0.0, 1.0, 0.0], [0.5, 1.0, 0.0], [0.0, 1.4, 0.0], [0.3, 0.2, -2.0]])
    depth = 4.0 - points[:, 2]
    wanted = np.stack([320.0 + focal * points[:, 0] / depth, 240.0 - focal * (points[:, 1] - 1.0) / depth], axis=1)
    np.testing.assert_allclose(camera.pixels(points), wanted, atol=1e-9)


def test_all_cameras_of_a_ring_see_the_target_in_the_middle() -> None:
    target = np.array([1.0, 0.8, -2.0])
    cameras = camera_ring(6, target=target, size=(300, 200))
    for camera in cameras:
        np.testing.assert_allclose(camera.pixels(target), [150.0, 100.0], atol=1e-9)
        assert np.hypot(*(camera.eye - target)[[0, 2]]) == pytest.approx(4.0)
    assert len({tuple(np.round(camera.eye, 6)) for camera in cameras}) == 6


@pytest.mark.parametrize(
    ("eye", "target", "words"),
    [((0, 3, 0), (0, 0, 0), "straight"), ((0, np.nan, 1), (0, 0, 0), "finite"), ((0, 0), (0, 0, 0), "finite")],
)
def test_impossible_cameras_are_refused(eye: tuple[float, ...], target: tuple[float, ...], words: str) -> None:
    with pytest.raises(lm.LocomoteError, match=words):
        camera_at(eye, target)
