"""Masks of a film: told by colours, drawn as strokes, followed and cut out; against silhouettes that are known."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import locomote as lm
from locomote.capture import stage, video
from tests.capture.video.films import overlap, walked

SIZE = (320, 240)
SKY = (0, 0, 320, 60)


def inside(mask: np.ndarray) -> tuple[float, ...]:
    """A rectangle in the trunk of a silhouette."""
    from scipy.ndimage import distance_transform_edt

    depth = distance_transform_edt(mask)
    y, x = np.unravel_index(int(depth.argmax()), depth.shape)
    r = 0.6 * float(depth.max())
    return x - 2 * r, y - r, x + 2 * r, y + r


def told(look: stage.Look, frames: int = 12) -> tuple[np.ndarray, np.ndarray]:
    motion = walked()[:frames]
    cameras = stage.cameras_beside(motion, SIZE)
    true = stage.silhouettes(motion, cameras)
    return video.segment(stage.film(motion, cameras, look), inside(true[0]), SKY), true


@pytest.mark.feature("AGV-01")
@pytest.mark.parametrize(
    "look",
    [stage.Look(noise=8.0, pan=(-2.0, 0.5)), stage.Look(subject=(60.0, 50.0, 45.0), noise=8.0, pan=(3.0, 0.0))],
)
def test_a_subject_is_told_from_a_background_that_pans_by_two_rectangles(look: stage.Look) -> None:
    found, true = told(look)
    assert overlap(found, true).min() >= 0.9


def test_colours_that_are_too_alike_ask_for_strokes() -> None:
    with pytest.raises(lm.LocomoteError, match=r"per cent|%.*strokes"):
        told(stage.Look(subject=(112.0, 132.0, 96.0), noise=8.0), 3)


def test_rectangles_must_lie_in_the_picture_and_frames_be_pictures() -> None:
    frames = np.zeros((3, 40, 60, 3), dtype=np.uint8)
    with pytest.raises(lm.LocomoteError, match=r"subject rectangle .* up to 60"):
        video.segment(frames, (10, 10, 90, 20), (0, 0, 9, 9))
    with pytest.raises(lm.LocomoteError, match="background rectangle"):
        video.segment(frames, (10, 10, 20, 20), (0, 0, 1, 9))
    with pytest.raises(lm.LocomoteError, match="frames: expected colours"):
        video.segment(frames[..., 0], (10, 10, 20, 20), (0, 0, 9, 9))


def strokes_of(motion: lm.Motion, cameras: list) -> list[list[np.ndarray]]:
    """Spine and legs as somebody would draw them: lines through joints."""
    roles = motion.skeleton.roles
    legs = [[*leg.chain] for leg in roles.legs]
    places = motion.joint_positions()
    lines = [[0, *roles.spine, *roles.neck, roles.head], *legs]
    return [[camera.pixels(places[f, line]) for line in lines] for f, camera in enumerate(cameras)]


@pytest.mark.feature("AGV-02")
@pytest.mark.parametrize("gait", ["walk", "trot", "gallop"])
def test_strokes_are_as_good_as_silhouettes(gait: str) -> None:
    motion = walked(gait=gait)
    drawn = strokes_of(motion, stage.cameras_beside(motion, (160, 120)))
    masks = video.stroke_masks(drawn, (160, 120))
    assert masks.shape == (len(motion), 120, 160)
    assert video.watch(masks, motion.fps).accepted


@pytest.mark.feature("AGV-03")
def test_the_window_stays_on_the_subject_beside_another_thing_and_a_panning_camera() -> None:
    motion = walked()
    true = np.asarray(stage.silhouettes(motion, stage.cameras_beside(motion, (160, 120))), dtype=np.float64)
    masks, shifts = np.zeros((len(true), 160, 260)), []
    for f, mask in enumerate(true):
        x, y = 40 + round(30 * np.sin(0.13 * f)), 20 + round(0.2 * f)  # the camera sways
        masks[f, y : y + 120, x : x + 160] = mask
        shifts.append((x, y))
        place = 250 - 3 * f  # something else comes across, above, half as large as the subject
        masks[f, 2:30, max(place, 0) : place + 40] = 1.0
    alone, cut = video.cut_out(true), video.cut_out(masks)
    for f, shift in enumerate(shifts):
        np.testing.assert_allclose(cut.boxes[f], alone.boxes[f] + np.tile(shift, 2))
    assert len({image.shape for image in cut.images}) == 1
    half = 0.5 * cut.scale * np.array(cut.images.shape[:0:-1])
    assert np.all(cut.boxes[:, :2] >= cut.centres - half - 1)
    assert np.all(cut.boxes[:, 2:] <= cut.centres + half + 1)


@pytest.mark.parametrize(
    ("masks", "words"),
    [
        (np.zeros((4, 9, 9)), "nothing is marked in 4 of 4 frames"),
        (np.zeros((4, 9)), "expected numbers of shape"),
        (np.full((4, 9, 9), np.nan), "frame 0 is not finite"),
        (np.full((4, 9, 9), -1.0), "0 to 255"),
    ],
)
def test_masks_of_no_use_are_refused(masks: np.ndarray, words: str) -> None:
    with pytest.raises(lm.LocomoteError, match=words):
        video.cut_out(masks)


def test_films_folders_and_masks_are_read(tmp_path: Path) -> None:
    frames = np.random.default_rng(0).integers(0, 255, (11, 48, 64, 3), dtype=np.uint8)
    (tmp_path / "frames").mkdir()
    for f, frame in enumerate(frames):
        Image.fromarray(frame).save(tmp_path / "frames" / f"f{f}.png")
    film = video.read_film(tmp_path / "frames", fps=25.0)
    np.testing.assert_array_equal(film.frames, frames)  # f10 after f9
    assert film.fps == 25.0
    assert len(film.cut(0.08, 0.2)) == 3
    pytest.importorskip("imageio_ffmpeg")
    lm.draw.film(walked()[:12], tmp_path / "wolf.mp4", size=(160, 120), fps=30)
    seen = video.read_film(tmp_path / "wolf.mp4", widest=80)
    assert seen.frames.shape[1:] == (60, 80, 3)
    assert seen.fps == pytest.approx(30.0)
    masks = frames[..., 0] > 100
    np.savez(tmp_path / "masks.npz", masks=masks)
    np.testing.assert_array_equal(video.read_masks(tmp_path / "masks.npz"), masks)


def test_damaged_films_are_one_line(tmp_path: Path) -> None:
    pytest.importorskip("imageio_ffmpeg")
    (tmp_path / "bad.mp4").write_bytes(b"no film at all" * 50)
    (tmp_path / "bad.png").write_bytes(b"no picture")
    (tmp_path / "bad.npz").write_bytes(b"no archive")
    (tmp_path / "empty").mkdir()
    for name in ("bad.mp4", "bad.png", "empty", "none.mp4"):
        with pytest.raises(lm.FormatError, match=name):
            video.read_film(tmp_path / name)
    with pytest.raises(lm.FormatError, match=r"bad\.npz"):
        video.read_masks(tmp_path / "bad.npz")
