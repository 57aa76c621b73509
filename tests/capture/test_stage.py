"""The stage: surfaces against skinning by hand, silhouettes against ray casting, films against their parts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.ndimage import binary_dilation

import locomote as lm
from locomote.capture import camera_at, stage
from locomote.draw._camera import Camera
from locomote.draw._casting import cast
from locomote.draw._shapes import Mesh, skinned


def somebody(name: str) -> lm.Motion:
    """A short motion of a person, of a creature with a skin, or of one whose skin was taken away."""
    if name == "person":
        return lm.samples.performer(speed=1.3, seconds=0.2).motion
    record = lm.creatures.Crowd("wolf", 1, speed=1.5).record(seconds=0.2, fps=30)
    return record if name == "wolf" else replace(record, body=None)


@pytest.mark.parametrize("name", ["person", "wolf", "bare"])
def test_surfaces_are_those_of_the_skin_frame_by_frame(name: str) -> None:
    motion = stage.dressed(somebody(name))
    surface = stage.meshes(motion)
    positions, turns = motion.world()
    body = motion.body
    assert body is not None
    for f in (0, len(motion) - 1):
        np.testing.assert_allclose(surface.vertices[f], body.posed(positions[f], turns[f]), atol=1e-12)
    np.testing.assert_array_equal(surface.faces, body.triangles)


def test_a_body_of_limbs_is_closed_and_faces_outwards() -> None:
    surface = stage.meshes(somebody("bare"))
    sides = np.sort(np.concatenate([surface.faces[:, [0, 1]], surface.faces[:, [1, 2]], surface.faces[:, [2, 0]]]), 1)
    assert np.all(np.unique(sides, axis=0, return_counts=True)[1] == 2)
    a, b, c = (surface.vertices[0][surface.faces[:, k]] for k in range(3))
    assert np.einsum("ij,ij->", a, np.cross(b, c)) > 0.0


def ray_cast(surface: stage.Surface, frame: int, camera: Camera) -> np.ndarray:
    """The silhouette by the depth buffer of the pictures, one ray through the middle of each pixel."""
    none = np.zeros((1, 3))
    faces = surface.faces
    mesh = Mesh(surface.vertices[frame], faces, none, np.zeros_like(faces), np.zeros((len(faces), 3)))
    return np.asarray(cast(skinned(mesh), camera, 1).depth < 1e29)


@pytest.mark.parametrize("name", ["person", "wolf", "bare"])
@pytest.mark.parametrize("distance", [0.0, 3.0])
def test_silhouettes_are_what_rays_meet(name: str, distance: float) -> None:
    motion = stage.dressed(somebody(name))
    cameras = stage.cameras_beside(motion, (160, 120), distance)
    surface = stage.meshes(motion)
    masks = stage.silhouettes(motion, cameras)
    assert masks.shape == (len(motion), 120, 160)
    for f in (0, len(motion) - 1):
        expected = ray_cast(surface, f, cameras[f])
        assert expected.sum() > 800
        assert np.sum(masks[f] != expected) <= 2  # a pixel whose middle lies on an edge


def test_what_is_partly_behind_the_eye_is_cut_there() -> None:
    corners = np.array([[[-1.0, 0.0, -2.0], [1.0, 0.2, -2.0], [0.3, 0.4, 3.0]]])
    surface = stage.Surface(corners, np.array([[0, 1, 2]]))
    camera = camera_at((0.0, 0.5, 1.0), (0.0, 0.3, -2.0), (90, 70), np.radians(80.0))
    mask = stage.silhouettes(surface, camera)[0]
    x, y = np.meshgrid(np.arange(90) + 0.5, np.arange(70) + 0.5)
    rays = camera.axes[2] + x[..., None] * camera.axes[0] + y[..., None] * camera.axes[1]
    solved = np.linalg.solve(np.broadcast_to(corners[0].T - camera.eye[:, None], (70, 90, 3, 3)), rays[..., None])
    np.testing.assert_array_equal(mask, np.all(solved[..., 0] >= 0.0, axis=-1))
    assert 100 < mask.sum() < mask.size


def test_a_film_is_its_body_before_a_background_that_pans() -> None:
    motion = stage.dressed(somebody("wolf"))
    cameras = stage.cameras_beside(motion, (160, 120))
    still = stage.film(motion, cameras, stage.Look(pan=(-3.0, 1.0)))
    masks = stage.silhouettes(motion, cameras)
    far = ~binary_dilation(masks[0] | masks[1], iterations=6)
    both = far.copy()
    both[:1], both[:, -3:] = False, False  # what comes into the picture
    # Frame 1 shows 3 pixels further left and 1 lower what frame 0 showed.
    np.testing.assert_array_equal(still[1][both], np.roll(still[0], (1, -3), axis=(0, 1))[both])
    noisy = stage.film(motion, cameras, stage.Look(pan=(-3.0, 1.0), noise=8.0))
    assert float((noisy.astype(float) - still)[:, far].std()) == pytest.approx(8.0, rel=0.05)
    inside = masks[0][:, :, None] & np.ones(3, dtype=bool)
    assert abs(float(still[0][inside].mean()) - np.mean(stage.Look().subject)) < 25.0


@pytest.mark.parametrize(
    ("subject", "count", "words"),
    [
        ("walk.bvh", 1, "Motion"),
        (None, 1, "Motion"),
        ((np.zeros((2, 3)), np.zeros((1, 3))), 1, "vertices"),
        ((np.zeros((2, 3, 3)), np.array([[0, 1, 7]])), 1, "3 vertices"),
        ((np.zeros((2, 3, 3)), [[0, 1, 2]]), 3, "3 cameras"),
    ],
)
def test_what_is_no_body_is_refused(subject: object, count: int, words: str) -> None:
    camera = camera_at((0.0, 1.0, 4.0), (0.0, 1.0, 0.0), (32, 32))
    with pytest.raises(lm.LocomoteError, match=words):
        stage.silhouettes(subject, camera if count == 1 else [camera] * count)  # type: ignore[arg-type]
