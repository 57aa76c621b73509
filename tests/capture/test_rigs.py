"""A virtual capture rig: usable seconds against counting by hand, hulls against the body that they must hold."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from scipy.ndimage import distance_transform_edt

import locomote as lm
from locomote.capture import camera_at, stage
from locomote.capture.markers import View

FIELD = 0.2  # m


@cache
def run() -> lm.Motion:
    """A mouse that comes into the field, and leaves it."""
    return lm.creatures.Crowd("mouse", 1, positions=[(0.0, 0.0, -0.3)], speed=0.35).record(seconds=1.6, fps=60.0)


@cache
def seen() -> stage.Footage:
    return stage.CaptureRig.around(FIELD).watch(run())


@pytest.mark.feature("ROD-12")
def test_seconds_are_usable_in_which_six_of_eight_cameras_see_all_of_the_animal() -> None:
    footage, surface = seen(), stage.meshes(run()).vertices
    assert len(footage.cameras) == 8
    for c, camera in enumerate(footage.cameras):
        view = View.of(camera)
        edges = view.pixels(surface)
        inside = np.all((edges >= 0.0) & (edges <= [640.0, 480.0]), axis=(1, 2))
        np.testing.assert_array_equal(footage.whole[c], inside)
    count = footage.whole.sum(axis=0)
    assert count.max() == 8
    assert count.min() < 6
    assert footage.usable.seconds == pytest.approx(np.sum(count >= 6) / 60.0)
    # Whoever stands in the middle of the field is seen by all; the ends of the run are outside of it.
    middle = surface.mean(axis=1)[:, [0, 2]]
    body = np.ptp(surface[..., [0, 2]], axis=1).max()
    assert np.all(count[np.linalg.norm(middle, axis=1) < 0.5 * FIELD - 0.6 * body] == 8)
    assert np.all(count[np.linalg.norm(middle, axis=1) > FIELD] < 6)


@pytest.mark.feature("ROD-12")
@pytest.mark.parametrize("voxel", [None, 0.001])
def test_the_hull_holds_all_of_the_body_and_little_else(voxel: float | None) -> None:
    footage, surface = seen(), stage.meshes(run())
    frames = [frame for first, last in footage.usable.stretches for frame in range(first, last)][::12]
    assert len(frames) >= 3
    for frame in frames:
        hull = footage.hull(frame, voxel)
        corners = surface.vertices[frame][surface.faces]
        points = np.concatenate([surface.vertices[frame], corners.mean(axis=1)])
        assert hull.contains(points).all()
        # Whatever is in it is in every silhouette, but for the width of a voxel.
        middles = hull.origin + hull.voxel * np.argwhere(hull.filled)
        for c in np.flatnonzero(footage.whole[:, frame]).tolist():
            camera = footage.cameras[c]
            x, y = np.floor(camera.pixels(middles)).astype(int).T
            depth = np.linalg.norm(middles - camera.eye, axis=1).min()
            wide = hull.voxel / depth / np.linalg.norm(camera.axes[0]) * np.linalg.norm(camera.axes[2])
            assert distance_transform_edt(~footage.masks[c][frame])[y, x].max() < 1.2 * wide + 2.0
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        volume = float(np.einsum("ij,ij->", a, np.cross(b, c))) / 6.0
        assert volume < hull.volume < (2.5 if voxel else 5.0) * volume


def test_a_frame_that_too_few_cameras_see_has_no_hull() -> None:
    footage = seen()
    lost = int(np.argmin(footage.whole.sum(axis=0)))
    with pytest.raises(lm.LocomoteError, match="cameras see all of the body, 6 are needed"):
        footage.hull(lost)
    with pytest.raises(lm.LocomoteError, match="has 97, from 0"):
        footage.hull(97)
    with pytest.raises(lm.LocomoteError, match="voxel"):
        footage.hull(footage.usable.stretches[0][0], -1.0)


def test_rigs_that_cannot_be_are_refused() -> None:
    with pytest.raises(lm.LocomoteError, match="expected 2 to all"):
        stage.CaptureRig.around(FIELD, 4)
    with pytest.raises(lm.LocomoteError, match="metres above 0"):
        stage.CaptureRig.around(0.0)
    one = camera_at((0.0, 1.0, 2.0), (0.0, 0.0, 0.0), (32, 24))
    rig = stage.CaptureRig([one, one], 2)
    with pytest.raises(lm.LocomoteError, match="frames a second"):
        rig.watch(stage.meshes(run()))
