"""A sheet of paper: smooth lines and areas, pictures, and text on top."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from locomote.draw import _palette as palette
from locomote.draw._palette import Colour

_FINE = 3  # shapes are drawn this many times larger and then averaged

Points = Sequence[tuple[float, float]] | npt.NDArray[np.float64]
Box = tuple[float, float, float, float]  # left, top, right, bottom


class Canvas:
    """Draws in pixels of the finished picture; ``finish`` gives the picture."""

    def __init__(self, width: int, height: int, colour: Colour = palette.PAPER) -> None:
        self.width, self.height = width, height
        self._image = Image.new("RGB", (width * _FINE, height * _FINE), colour)
        self._pen = ImageDraw.Draw(self._image, "RGBA")
        self._texts: list[tuple[float, float, str, float, Colour, str, bool]] = []

    def line(self, points: Points, colour: Colour, width: float = 1.0, alpha: float = 1.0, dash: float = 0.0) -> None:
        """A line through points; ``dash`` is the length of dashes and of the gaps between them."""
        fine = np.asarray(points, dtype=np.float64) * _FINE
        if len(fine) < 2:
            return
        for part in _dashes(fine, dash * _FINE) if dash else [fine]:
            ink = (*colour, round(255 * alpha))
            self._pen.line([(x, y) for x, y in part.tolist()], ink, max(1, round(width * _FINE)), joint="curve")

    def area(self, points: Points, colour: Colour, alpha: float = 1.0) -> None:
        """A filled polygon."""
        fine = np.asarray(points, dtype=np.float64) * _FINE
        self._pen.polygon([(x, y) for x, y in fine.tolist()], (*colour, round(255 * alpha)))

    def box(self, box: Box, colour: Colour, alpha: float = 1.0, radius: float = 0.0) -> None:
        """A filled rectangle, with rounded corners if wanted."""
        left, top, right, bottom = (v * _FINE for v in box)
        if right - left < 1.0 or bottom - top < 1.0:
            return
        ink = (*colour, round(255 * alpha))
        self._pen.rounded_rectangle((left, top, right - 1, bottom - 1), radius * _FINE, ink)

    def disc(self, x: float, y: float, radius: float, colour: Colour, alpha: float = 1.0) -> None:
        """A filled circle."""
        bounds = tuple(_FINE * v for v in (x - radius, y - radius, x + radius, y + radius))
        self._pen.ellipse(bounds, (*colour, round(255 * alpha)))

    def picture(self, image: Image.Image, left: int, top: int) -> None:
        """A picture, pixel for pixel."""
        large = image.resize((image.width * _FINE, image.height * _FINE), Image.Resampling.NEAREST)
        mask = large if large.mode == "RGBA" else None
        self._image.paste(large, (left * _FINE, top * _FINE), mask)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 14.0,
        colour: Colour = palette.INK,
        anchor: str = "la",
        upright: bool = False,
    ) -> None:
        """Text at an anchor as Pillow names them; ``upright`` text runs from bottom to top."""
        self._texts.append((x, y, text, size, colour, anchor, upright))

    def finish(self) -> Image.Image:
        """The picture."""
        image = self._image.reduce(_FINE)
        pen = ImageDraw.Draw(image)
        for x, y, text, size, colour, anchor, upright in self._texts:
            if upright:
                _write_upright(image, x, y, text, size, colour)
            else:
                pen.text((x, y), text, colour, palette.font(size), anchor)
        return image


def text_width(text: str, size: float) -> float:
    """How wide a text comes out, pixels."""
    return float(palette.font(size).getlength(text))


def shortened(text: str, size: float, width: float) -> str:
    """The text, cut with an ellipsis where it would be wider than ``width``."""
    if text_width(text, size) <= width:
        return text
    while text and text_width(text + "...", size) > width:
        text = text[:-1]
    return text + "..."


def _write_upright(image: Image.Image, x: float, y: float, text: str, size: float, colour: Colour) -> None:
    """Text from bottom to top, centred on a point."""
    width, height = round(text_width(text, size)) + 4, round(1.5 * size)
    mask = Image.new("L", (width, height), 0)
    ImageDraw.Draw(mask).text((width / 2, height / 2), text, 255, palette.font(size), "mm")
    turned = mask.rotate(90, expand=True)
    image.paste(colour, (round(x - turned.width / 2), round(y - turned.height / 2)), turned)


def _dashes(points: npt.NDArray[np.float64], dash: float) -> list[npt.NDArray[np.float64]]:
    """The dashes of a line, each as points."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    parts = []
    for start in np.arange(0.0, lengths[-1], 2.0 * dash):
        stop = min(start + dash, lengths[-1])
        inside = (lengths > start) & (lengths < stop)
        ends = [[np.interp(s, lengths, points[:, k]) for k in range(2)] for s in (start, stop)]
        parts.append(np.concatenate([ends[:1], points[inside], ends[1:]]))
    return parts
