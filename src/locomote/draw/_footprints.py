"""Seen from above: where the feet stood, and the way of the body."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.draw import _palette as palette
from locomote.draw._canvas import Box, Canvas
from locomote.draw._stage import StagedMotion
from locomote.rotations import FloatArray

_LARGEST_FOOT = 110.0  # px; a few steps on the spot are not blown up beyond this
_LEAST_PRINT = 4.0  # px; the radius of a dot that stands for a smaller print
_BAR_ROOM = 18.0  # px at the bottom that are left to the scale bar
_BARS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)  # m


@dataclass(frozen=True, eq=False)
class Prints:
    """Footprints and path on the floor, metres; x is the direction of travel, y is to the left of it."""

    outlines: list[tuple[str, FloatArray]]  # side and polygon
    slides: list[FloatArray]  # the way of each ball while it was planted
    path: FloatArray  # (F, 2)
    foot: float  # length of a foot

    @property
    def bounds(self) -> FloatArray:
        """The lowest and highest corner ``(2, 2)`` of all that is drawn."""
        points = np.concatenate([self.path, *(outline for _, outline in self.outlines)])
        return np.array([points.min(axis=0), points.max(axis=0)])


def find_prints(clip: StagedMotion) -> Prints:
    """The footprints of a clip, one for each contact, at its middle."""
    along = _direction(clip)
    axes = np.array([along, [along[1], -along[0]]])  # rows: along and to the left, in (x, z)
    middle = clip.path[:, [0, 2]].mean(axis=0)
    feet = (clip.feet[..., [0, 2]] - middle) @ axes.T  # (F, L, 3, 2)
    path = (clip.path[:, [0, 2]] - middle) @ axes.T
    least = 1.6 * clip.figure.sole
    outlines, slides = [], []
    if clip.contacts is not None:
        for i, leg in enumerate(clip.contacts.legs):
            for start, stop in clip.contacts.intervals(i):
                outlines.append((leg.side, _outline(feet[(start + stop) // 2, i], least)))
                slides.append(feet[start:stop, i, 1])
    lengths = np.linalg.norm(feet[:, :, 2] - feet[:, :, 0], axis=-1)
    foot = max(float(np.median(lengths)), least) if lengths.size else least
    return Prints(outlines, slides, path, foot)


def _direction(clip: StagedMotion) -> FloatArray:
    """The direction in (x, z) that is drawn to the right: of the travel, or of the face if on the spot."""
    way = clip.path[-1, [0, 2]] - clip.path[0, [0, 2]]
    length = float(np.hypot(way[0], way[1]))
    if length < 0.5 * clip.figure.size:
        return np.array([np.sin(clip.yaw), np.cos(clip.yaw)])
    return way / length


def _outline(foot: FloatArray, least: float) -> FloatArray:
    """The sole around heel, ball and toe: the hull of three discs."""
    from scipy.spatial import ConvexHull

    length = float(np.linalg.norm(foot[2] - foot[0]))
    angles = np.linspace(0.0, 2.0 * np.pi, 33)[:-1]
    circle = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    radii = np.maximum(length * np.array([0.15, 0.21, 0.15]), 0.6 * least)
    points = np.concatenate([p + r * circle for p, r in zip(foot, radii, strict=True)])
    out: FloatArray = points[ConvexHull(points).vertices]
    return out


def print_scale(prints: Prints, width: float, height: float) -> float:
    """Pixels a metre at which the footprints fit."""
    span = np.maximum(np.ptp(prints.bounds, axis=0), 1e-6)
    return float(min(width / span[0], height / span[1], _LARGEST_FOOT / max(prints.foot, 1e-6)))


def draw_prints(canvas: Canvas, box: Box, prints: Prints, scale: float) -> None:
    """Draw footprints into part of a canvas, with a scale bar in its lower right corner."""
    left, top, right, bottom = box
    low, high = prints.bounds
    centre = 0.5 * (low + high)

    def place(points: FloatArray) -> FloatArray:
        middle = np.array([0.5 * (left + right), 0.5 * (top + bottom - _BAR_ROOM)])
        out: FloatArray = middle + scale * (points - centre) * (1.0, -1.0)
        return out

    path = place(prints.path)
    canvas.line(path, palette.PATH, 1.5)
    for side, outline in prints.outlines:
        colour = palette.side_colour(side)
        polygon = place(outline)
        if np.ptp(polygon, axis=0).max() < 2.0 * _LEAST_PRINT:
            x, y = polygon.mean(axis=0)
            canvas.disc(float(x), float(y), _LEAST_PRINT, colour, 0.6)
            continue
        canvas.area(polygon, colour, 0.30)
        canvas.line(np.concatenate([polygon, polygon[:2]]), colour, 1.3)
    for slide in prints.slides:
        canvas.line(place(slide), palette.INK, 1.2)
    canvas.disc(float(path[0, 0]), float(path[0, 1]), 4.0, palette.PATH)
    _arrow(canvas, path)
    _scale_bar(canvas, right, bottom, scale)


def _arrow(canvas: Canvas, path: FloatArray) -> None:
    """A head at the end of the path, if it leads anywhere."""
    far = np.flatnonzero(np.linalg.norm(path - path[-1], axis=1) > 6.0)
    if len(far) == 0:
        return
    way = path[-1] - path[far[-1]]
    way = way / np.linalg.norm(way)
    across = np.array([-way[1], way[0]])
    tip = path[-1] + 5.0 * way
    canvas.area(np.array([tip, tip - 11.0 * way + 5.0 * across, tip - 11.0 * way - 5.0 * across]), palette.PATH)


def _scale_bar(canvas: Canvas, right: float, bottom: float, scale: float) -> None:
    length = max((b for b in _BARS if b * scale <= 160.0), default=_BARS[0])
    start = right - length * scale
    canvas.line([(start, bottom), (right, bottom)], palette.MUTED, 2.0)
    for x in (start, right):
        canvas.line([(x, bottom - 4), (x, bottom + 4)], palette.MUTED, 2.0)
    text = f"{length:g} m" if length >= 0.1 else f"{1000 * length:g} mm"
    canvas.text(0.5 * (start + right), bottom - 7, text, 13, palette.MUTED, "mb")
