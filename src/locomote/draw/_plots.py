"""Line plots: series over a common axis, shaded bands, ticks with units, a legend."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from os import PathLike

import numpy as np
import numpy.typing as npt
from PIL import Image

from locomote.draw import _palette as palette
from locomote.draw._canvas import Box, Canvas, text_width
from locomote.draw._palette import Colour
from locomote.draw._saving import save_picture
from locomote.errors import LocomoteError

_TEXT = 13.0  # px
_LEGEND_ROW = 20.0  # px
AXIS_ROOM = 32.0  # px left of an axis with a label, without the tick texts
_SAMPLE = 22.0  # px; length of a line in the legend
_STEPS = np.array([1.0, 2.0, 2.5, 5.0, 10.0])  # round distances between ticks, times a power of ten


@dataclass(frozen=True, eq=False)
class Series:
    """One line of a plot. Values that are not numbers leave a gap."""

    x: npt.ArrayLike
    y: npt.ArrayLike
    label: str = ""
    colour: Colour | None = None  # the next of the palette if not given
    dashed: bool = False


@dataclass(frozen=True)
class Band:
    """A stretch of the horizontal axis that is shaded."""

    start: float
    stop: float
    colour: Colour = palette.MUTED
    label: str = ""  # bands of the same label share one entry in the legend


def plot(
    series: Sequence[Series],
    path: str | PathLike[str] | None = None,
    *,
    bands: Sequence[Band] = (),
    title: str = "",
    x_label: str = "",
    y_label: str = "",
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    size: tuple[int, int] = (900, 360),
) -> Image.Image:
    """A picture of one line plot.

    Parameters
    ----------
    series : its lines
    path : of a picture to write
    bands : ranges that are shaded
    title, x_label, y_label : labels carry the units, such as ``time (s)``
    x_range, y_range : lowest and highest; by the data unless given
    size : pixels
    """
    canvas = Canvas(*size)
    top = 14.0
    if title:
        canvas.text(20, top, title, 18)
        top += 32
    draw_plot(
        canvas,
        (20, top, size[0] - 20, size[1] - 12),
        series,
        bands=bands,
        x_label=x_label,
        y_label=y_label,
        x_range=x_range,
        y_range=y_range,
    )
    return save_picture(canvas.finish(), path)


def draw_plot(
    canvas: Canvas,
    box: Box,
    series: Sequence[Series],
    *,
    bands: Sequence[Band] = (),
    x_label: str = "",
    y_label: str = "",
    x_range: tuple[float, float] | None = None,
    y_range: tuple[float, float] | None = None,
    tick_width: float = 0.0,
) -> None:
    """Draw a line plot into part of a canvas; ``tick_width`` px for tick texts line up several plots."""
    if not series:
        raise LocomoteError("a plot needs at least one series")
    lines = [_coloured(s, i) for i, s in enumerate(series)]
    x_low, x_high = x_range or _range([x for x, _, _ in lines], 0.0)
    y_low, y_high = y_range or _range([y for _, y, _ in lines], 0.06)
    y_ticks = ticks(y_low, y_high, max(2, int((box[3] - box[1]) / 55)))
    x_ticks = ticks(x_low, x_high, max(2, int((box[2] - box[0]) / 95)))
    wide = max((text_width(t, _TEXT) for _, t in y_ticks), default=0.0)
    wide = max(wide, tick_width)
    left = box[0] + (AXIS_ROOM if y_label else 8.0) + wide
    legend = _legend_rows(_legend(lines, bands), box[2] - left)
    top = box[1] + 6 + _LEGEND_ROW * len(legend)
    right, bottom = box[2], box[3] - 22 - (18 if x_label else 0)

    def px(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return left + (x - x_low) / (x_high - x_low) * (right - left)

    def py(y: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return bottom - (y - y_low) / (y_high - y_low) * (bottom - top)

    for band in bands:
        start, stop = (float(np.clip(px(np.array(v)), left, right)) for v in (band.start, band.stop))
        canvas.box((start, top, stop, bottom), band.colour, 0.13)
    for value, text in y_ticks:
        y = float(py(np.array(value)))
        canvas.line([(left, y), (right, y)], palette.FAINT, 1.0)
        canvas.text(left - 8, y, text, _TEXT, palette.MUTED, "rm")
    for value, text in x_ticks:
        x = float(px(np.array(value)))
        canvas.line([(x, bottom), (x, bottom + 4)], palette.RULE, 1.0)
        canvas.text(x, bottom + 7, text, _TEXT, palette.MUTED, "ma")
    canvas.line([(left, bottom), (right, bottom)], palette.RULE, 1.2)
    for x_values, y_values, line in lines:
        y_clipped = np.clip(y_values, y_low - (y_high - y_low), y_high + (y_high - y_low))
        points = np.stack([px(x_values), np.clip(py(y_clipped), top, bottom)], axis=1)
        for part in _unbroken(points):
            canvas.line(part, line.colour or palette.INK, 1.7, dash=5.0 if line.dashed else 0.0)
    if x_label:
        canvas.text((left + right) / 2, bottom + 24, x_label, _TEXT, palette.MUTED, "ma")
    if y_label:
        canvas.text(box[0] + 9, (top + bottom) / 2, y_label, _TEXT, palette.MUTED, upright=True)
    _draw_legend(canvas, left, box[1] + 9, legend)


Line = tuple[npt.NDArray[np.float64], npt.NDArray[np.float64], Series]


def _coloured(series: Series, index: int) -> Line:
    x, y = (np.asarray(v, dtype=np.float64) for v in (series.x, series.y))
    if x.ndim != 1 or x.shape != y.shape:
        raise LocomoteError(f"series {series.label!r}: x and y must be of one length, got {x.shape} and {y.shape}")
    colour = series.colour or palette.SERIES[index % len(palette.SERIES)]
    return x, y, Series(x, y, series.label, colour, series.dashed)


def _range(values: list[npt.NDArray[np.float64]], margin: float) -> tuple[float, float]:
    """From the least to the largest value, with a margin as a share of the span."""
    finite = np.concatenate(values)
    finite = finite[np.isfinite(finite)]
    if len(finite) == 0:
        return 0.0, 1.0
    low, high = float(finite.min()), float(finite.max())
    if high - low < 1e-12 * max(1.0, abs(low)):
        low, high = low - 0.5, high + 0.5
    return low - margin * (high - low), high + margin * (high - low)


def ticks(low: float, high: float, count: int) -> list[tuple[float, str]]:
    """About ``count`` round values between ``low`` and ``high``, with their texts."""
    rough = (high - low) / count
    power = 10.0 ** np.floor(np.log10(rough))
    step = float(power * _STEPS[np.argmax(_STEPS * power >= rough * 0.999)])
    digits = next(d for d in range(12) if abs(round(step, d) - step) < 1e-9 * step)
    first = int(np.ceil(low / step - 1e-9))
    last = int(np.floor(high / step + 1e-9))
    return [(k * step, f"{k * step:.{digits}f}") for k in range(first, last + 1)]


def _unbroken(points: npt.NDArray[np.float64]) -> list[npt.NDArray[np.float64]]:
    """The stretches without gaps."""
    good = np.isfinite(points).all(axis=1)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], good, [False]]).astype(np.int8)))
    return [points[a:b] for a, b in edges.reshape(-1, 2)]


Entry = tuple[str, Colour, str]  # text, colour, and "line", "dashed" or "band"


def _legend(lines: Sequence[Line], bands: Sequence[Band]) -> list[Entry]:
    """The entries of the legend."""
    entries = [
        (line.label, line.colour or palette.INK, "dashed" if line.dashed else "line")
        for _, _, line in lines
        if line.label
    ]
    named = {band.label: band.colour for band in bands if band.label}
    return entries + [(label, colour, "band") for label, colour in named.items()]


def _legend_rows(entries: list[Entry], width: float) -> list[list[Entry]]:
    """The entries in rows that fit into a width."""
    rows: list[list[Entry]] = []
    used = width
    for entry in entries:
        needed = _SAMPLE + 8 + text_width(entry[0], _TEXT) + 20
        if used + needed - 20 > width:
            rows.append([])
            used = 0.0
        rows[-1].append(entry)
        used += needed
    return rows


def _draw_legend(canvas: Canvas, left: float, y: float, rows: list[list[Entry]]) -> None:
    for row in rows:
        x = left
        for label, colour, kind in row:
            if kind == "band":
                canvas.box((x, y - 5, x + _SAMPLE, y + 6), colour, 0.22, 2)
            else:
                canvas.line([(x, y), (x + _SAMPLE, y)], colour, 2.2, dash=5.0 if kind == "dashed" else 0.0)
            canvas.text(x + _SAMPLE + 8, y, label, _TEXT, palette.INK, "lm")
            x += _SAMPLE + 8 + text_width(label, _TEXT) + 20
        y += _LEGEND_ROW
