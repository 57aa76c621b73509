"""Films of several people in one picture, on one floor."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from os import PathLike

import numpy as np
from PIL import Image, ImageDraw

from locomote.contacts.footing import GroundOrTimes, ObstaclesOrTimes, ground_at, obstacles_at
from locomote.draw import _palette as palette
from locomote.draw._backdrop import Backdrop
from locomote.draw._camera import camera, check_view, cut_place
from locomote.draw._films import QUALITY, Progress, check_film, obstacle_hues, write_film
from locomote.draw._saving import save_picture
from locomote.draw._scene import MOVING, STILL, render
from locomote.draw._shapes import Shapes, joined
from locomote.draw._stage import StagedMotion, prepare
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motions
from locomote.rotations import FloatArray

_FRAMED = 24  # moments from which the space that all need is measured
_MARGIN = 0.07  # of the picture's height, around the people
_ROUNDS = 8  # of fitting the camera


def film_together(
    motions: Sequence[Motion],
    path: str | PathLike[str],
    *,
    size: tuple[int, int] = (640, 360),
    fps: float = 30.0,
    view: str = "three-quarter",
    yaw: float = 0.0,
    follow: bool = True,
    title: str = "",
    progress: Progress | None = None,
    ground: GroundOrTimes = None,
    obstacles: ObstaclesOrTimes = None,
    skin: bool = True,
    quality: int = QUALITY,
) -> None:
    """Write a film of several motions where they are; whoever is done before the others waits in the last pose.

    Parameters
    ----------
    motions : without a ground all on one level floor
    path : .webp, .gif or .mp4
    size, fps, view : pixels, frames a second, and one of `VIEWS`
    yaw : rad, that the body faces from which it is seen
    follow : the camera goes along with the middle of the group; else it stands still and sees the whole way
    title : above the picture
    progress : called with the frames done and the frames in all
    ground, obstacles : what they go over and what stands there, as they are or as functions of the time in seconds
    skin : without it all are drawn around their bones
    quality : of a .webp, 1 to 100
    """
    check_film(path, size, fps, quality)
    view = check_view(view, ground is not None)
    clips = _clips(motions, ground, skin)
    count = int(np.floor(max(clip.motion.duration for clip in clips) * fps + 1e-6)) + 1
    moments = [k / fps for k in np.unique(np.linspace(0, count - 1, _FRAMED).astype(int))]
    shot = _Shot(clips, moments, size, view, yaw, follow, ground, obstacles)

    def pictures() -> Iterator[Image.Image]:
        for k in range(count):
            picture = shot.picture(k / fps, MOVING)
            _label(picture, title, k / fps)
            if progress is not None:
                progress(k + 1, count)
            yield picture

    write_film(path, pictures(), size, fps, quality=quality, hues=obstacle_hues(obstacles))


def frame_together(
    motions: Sequence[Motion],
    time: float,
    path: str | PathLike[str] | None = None,
    *,
    size: tuple[int, int] = (1600, 700),
    view: str = "three-quarter",
    yaw: float = 0.0,
    ground: GroundOrTimes = None,
    obstacles: ObstaclesOrTimes = None,
    skin: bool = True,
) -> Image.Image:
    """One moment of several motions where they are.

    Parameters
    ----------
    motions : without a ground all on one level floor
    time : s
    path : of a picture to write
    size, view : pixels, and one of `VIEWS`
    yaw : rad, that the body faces from which it is seen
    ground, obstacles : what they go over and what stands there, as they are or as functions of the time in seconds
    skin : without it all are drawn around their bones
    """
    view = check_view(view, ground is not None)
    shot = _Shot(_clips(motions, ground, skin), [time], size, view, yaw, True, ground, obstacles)
    return save_picture(shot.picture(time, STILL), path)


def _clips(motions: Sequence[Motion], ground: GroundOrTimes, skin: bool) -> list[StagedMotion]:
    motions = checked_motions(motions, "draw")
    if not motions:
        raise LocomoteError("a picture of people together needs at least one motion")
    return [prepare(motion, ground=ground, skin=skin) for motion in motions]


class _Shot:
    """A camera that has all people in view at some moments."""

    def __init__(
        self,
        clips: list[StagedMotion],
        moments: list[float],
        size: tuple[int, int],
        view: str,
        yaw: float,
        follow: bool,
        ground: GroundOrTimes,
        obstacles: ObstaclesOrTimes,
    ) -> None:
        self.clips, self.size, self.view, self.yaw = clips, size, view, yaw
        self.ground, self.obstacles = ground, obstacles
        still = np.mean([_middle(clips, time) for time in moments], axis=0)
        self.still: FloatArray | None = None if follow else still
        bodies = [_people(clips, time).points - self.centre(time) for time in moments]
        self.shift, self.scale = _framing(np.concatenate(bodies), size, view, yaw)
        self.body = max(clip.figure.size for clip in clips)
        self.plane = np.array([min(float(clip.plane[0]) for clip in clips), 0.0, 0.0])

    def centre(self, time: float) -> FloatArray:
        """What the camera follows, on the floor."""
        return _middle(self.clips, time) if self.still is None else self.still

    def picture(self, time: float, samples: int) -> Image.Image:
        """What the camera sees at a time."""
        centre, view = self.centre(time), self.view
        eye = camera(view, centre + self.shift, self.yaw, self.size, self.scale, perspective=view != "top")
        spot = centre[[0, 2]]
        reach = 0.8 * max(self.size) * self.scale + self.body
        around = obstacles_at(self.obstacles, time)
        backdrop = Backdrop(self.plane, np.array([spot, spot]), reach, self.clips[0].cell, obstacles=around)
        if self.ground is not None:
            spots = np.array([clip.path[_frame(clip, time)] for clip in self.clips])
            cut = cut_place(view, self.yaw, spots, self.body)
            backdrop = replace(backdrop, ground=ground_at(self.ground, time), cut=cut)
        return render(_people(self.clips, time), backdrop, eye, self.body, samples=samples)


def _framing(points: FloatArray, size: tuple[int, int], view: str, yaw: float) -> tuple[FloatArray, float]:
    """Where a camera must look, and its metres a pixel, to show all points ``(P, 3)``."""
    shift, scale = np.zeros(3), 0.01
    free = 2.0 * _MARGIN * size[1] * np.array([1.0, 1.6])
    right, down, _ = camera(view, shift, yaw, (2, 2), 1.0).axes
    for _ in range(_ROUNDS):  # what is near looks larger, and how near it is depends on the result
        pixels = camera(view, shift, yaw, size, scale, perspective=view != "top").pixels(points)
        low, high = pixels.min(axis=0), pixels.max(axis=0)
        aside = 0.5 * (low + high) - 0.5 * np.array(size)
        shift = shift + scale * (aside[0] * right + aside[1] * down)
        scale *= float(np.max((high - low) / (np.array(size) - free)))
    return shift, scale


def _frame(clip: StagedMotion, time: float) -> int:
    return min(round(time * clip.motion.fps), len(clip.motion) - 1)


def _middle(clips: list[StagedMotion], time: float) -> FloatArray:
    """Half way between the outermost of the group, on the floor."""
    spots = np.array([clip.path[_frame(clip, time)] for clip in clips])
    out: FloatArray = 0.5 * (spots.min(axis=0) + spots.max(axis=0))
    return out


def _people(clips: list[StagedMotion], time: float) -> Shapes:
    return joined([clip.shapes(_frame(clip, time)) for clip in clips])


def _label(picture: Image.Image, title: str, time: float) -> None:
    pen = ImageDraw.Draw(picture)
    size = max(11.0, picture.height / 26.0)
    pen.text((0.8 * size, 0.7 * size), title, palette.INK, palette.font(size))
    pen.text((picture.width - 0.8 * size, 0.7 * size), f"{time:.2f} s", palette.MUTED, palette.font(size), "ra")
