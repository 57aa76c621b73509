"""A camera that goes along with one motion, near enough for the whole body or only for its feet."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from PIL import Image

from locomote.draw import _palette as palette
from locomote.draw._backdrop import Backdrop
from locomote.draw._camera import camera, cut_place, fitting_scale
from locomote.draw._scene import MOVING, render
from locomote.draw._shapes import Shapes
from locomote.draw._stage import StagedMotion
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

_FRAMED = 24  # frames from which the space that a body needs is measured
FINER = 0.2  # cells of a close-up beside those of a whole body
_LOPSIDED = 0.2  # of its width: a body followed so far from its middle is shown in the middle of the picture
_MARGIN = 0.07  # of the picture's height, around the body
CLOSEUPS = ("feet",)


def check_closeup(closeup: str | None) -> bool:
    """Whether a close-up is asked for, if there is such a one."""
    if closeup is not None and closeup not in CLOSEUPS:
        raise LocomoteError(f"closeup {closeup!r}: expected one of {', '.join(CLOSEUPS)}")
    return closeup is not None


class Follower:
    """Shows frames of a clip, all at one scale and from one side; ``closeup`` shows what is below the knees."""

    def __init__(self, clip: StagedMotion, view: str, closeup: bool = False, frames: list[int] | None = None) -> None:
        self.clip, self.view, self.closeup = clip, view, closeup
        if frames is None:
            frames = list(np.unique(np.linspace(0, len(clip.motion) - 1, _FRAMED).astype(int)))
        self._axes = camera(view, (0, 0, 0), clip.yaw, (2, 2), 1.0).axes
        # How far the body reaches across, up and towards the camera, metres.
        points, around = self._reach(frames)
        right, down, look = self._axes
        self._middle: FloatArray = np.zeros(3)  # of the picture, from what is followed
        low, high = _span(points @ right, around)
        if abs(low + high) > _LOPSIDED * (high - low):
            self._middle += 0.5 * (low + high) * right
        self.up: FloatArray = np.array(_span(-points @ down, around))
        self._middle -= np.mean(self.up) * down
        points -= self._middle
        self.across: FloatArray = np.abs(points @ right) + around
        self._above: FloatArray = np.abs(points @ down) + around
        self._towards: FloatArray = -points @ look

    def scale(self, size: tuple[int, int]) -> float:
        """The metres a pixel at which all that is shown fits into a picture."""
        return self.scale_within(size, (_MARGIN * size[1], 1.6 * _MARGIN * size[1]))

    def scale_within(self, size: tuple[int, int], margins: tuple[float, float]) -> float:
        """The same, with margins in pixels to the sides, and above and below."""
        aside = np.stack([self.across, self._above], axis=1)
        return fitting_scale(aside, self._towards, size, margins, self.view != "top")

    def picture(
        self,
        index: int,
        size: tuple[int, int],
        scale: float,
        samples: int = MOVING,
        background: palette.Colour | None = palette.PAPER,
    ) -> Image.Image:
        """One frame; the floor is seen around the body and passes below it."""
        clip, view = self.clip, self.view
        eye = camera(view, clip.path[index] + self._middle, clip.yaw, size, scale, perspective=view != "top")
        spot = clip.path[index, [0, 2]]
        cell = clip.cell * FINER if self.closeup else clip.cell
        backdrop = Backdrop(
            clip.plane,
            np.array([spot, spot]),
            3.0 * clip.figure.size,
            cell,
            obstacles=clip.obstacles(index),
        )
        ground = clip.ground(index)
        if ground is not None:
            cut = cut_place(view, clip.yaw, clip.path[[index]], clip.figure.size)
            backdrop = replace(backdrop, ground=ground, cut=cut)
        return render(clip.shapes(index), backdrop, eye, clip.figure.size, background, samples)

    def _shown(self, frame: int) -> Shapes:
        return self.clip.lower_legs(frame) if self.closeup else self.clip.shapes(frame)

    def _reach(self, frames: list[int]) -> tuple[FloatArray, FloatArray]:
        """Points ``(P, 3)`` of the body from what is followed, and how far it reaches around each of them."""
        shown = [self._shown(f) for f in frames]
        points = [shapes.points - self.clip.path[f] for shapes, f in zip(shown, frames, strict=True)]
        return np.concatenate(points), np.concatenate([shapes.around for shapes in shown])


def _span(at: FloatArray, around: FloatArray) -> tuple[float, float]:
    return float(np.min(at - around)), float(np.max(at + around))
