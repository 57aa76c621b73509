"""Small pictures for the panels: where steps were recorded, gait disks, contacts over time, maps."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from locomote.contacts import Contacts
from locomote.creatures._gaits import Gait
from locomote.draw import _palette as palette
from locomote.rotations import FloatArray

Picture = npt.NDArray[np.uint8]  # (height, width, 3)
WIDTH = 520  # px
_SCALE = 2  # drawn so many times as large, then shrunk: smooth edges


def _sheet(height: int) -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGB", (WIDTH * _SCALE, height * _SCALE), palette.PAPER)
    return image, ImageDraw.Draw(image)


def _done(image: Image.Image) -> Picture:
    small = image.resize((image.width // _SCALE, image.height // _SCALE), Image.Resampling.LANCZOS)
    return np.asarray(small, dtype=np.uint8)


def _text(draw: ImageDraw.ImageDraw, at: tuple[float, float], text: str, size: float = 19.0, **more: str) -> None:
    draw.text(at, text, fill=palette.MUTED, font=palette.font(size * _SCALE), **more)  # type: ignore[arg-type]


def coverage_chart(landings: FloatArray, step: FloatArray | None) -> Picture:
    """Recorded landings ``(N, 2)`` of the swinging foot about the standing one, and the step that is taken now."""
    height, words = 330, 30  # px of the whole, and of the line above the map
    image, draw = _sheet(height)
    across, along = (-0.9, 0.9), (-0.75, 0.95)  # m
    unit = min(WIDTH / (across[1] - across[0]), (height - words) / (along[1] - along[0])) * _SCALE
    middle = 0.5 * (height + words) * _SCALE

    def at(x: float, z: float) -> tuple[float, float]:
        return 0.5 * image.width + (x - 0.5 * sum(across)) * unit, middle - (z - 0.5 * sum(along)) * unit

    for tick in (-0.5, 0.0, 0.5):
        draw.line([at(tick, along[0]), at(tick, along[1])], fill=palette.FAINT, width=_SCALE)
        draw.line([at(across[0], tick), at(across[1], tick)], fill=palette.FAINT, width=_SCALE)
    radius = 2.2 * _SCALE
    for x, z in landings:
        px, py = at(float(x), float(z))
        draw.ellipse([px - radius, py - radius, px + radius, py + radius], fill=palette.RIGHT_LIMB)
    px, py = at(0.0, 0.0)
    draw.ellipse([px - 9, py - 22, px + 9, py + 22], fill=palette.LEFT)
    if step is not None:
        px, py = at(float(step[0]), float(step[1]))
        draw.ellipse([px - 12, py - 12, px + 12, py + 12], outline=palette.PLANTED, width=5)
    _text(draw, (8, 6), "recorded steps about the standing foot; ring: now")
    _text(draw, (8, image.height - 46), "grid 0.5 m")
    return _done(image)


def gait_chart(gait: Gait, knot: int, needle: float) -> Picture:
    """One disk a foot: the dark sector is when it swings, the needle is now."""
    feet = len(gait.feet)
    columns = min(feet, 6 if feet > 8 else 4)
    rows = math.ceil(feet / columns)
    cell = WIDTH / columns
    radius = 0.34 * min(cell, 110.0) * _SCALE
    image, draw = _sheet(int(rows * min(cell, 112.0)) + 8)
    for k, foot in enumerate(gait.feet):
        row, column = divmod(k, columns)
        x = (column + 0.5) * cell * _SCALE
        y = (row + 0.5) * min(cell, 112.0) * _SCALE + 6
        box = [x - radius, y - radius, x + radius, y + radius]
        side = {"L": "left", "R": "right"}.get(foot[:1], "")
        draw.ellipse(box, fill=palette.FAINT, outline=palette.RULE, width=_SCALE)
        for start, length in zip(gait.starts[knot, k], gait.durations[knot, k], strict=True):
            if length > 0.0:
                begin = 360.0 * (float(start) % 1.0) - 90.0
                draw.pieslice(box, begin, begin + 360.0 * float(length), fill=palette.side_colour(side))
        turn = math.tau * needle
        tip = x + radius * math.sin(turn), y - radius * math.cos(turn)
        draw.line([(x, y), tip], fill=palette.INK, width=2 * _SCALE)
        _text(draw, (x - radius - 26, y - radius - 8), foot, 17.0)
    return _done(image)


def contact_chart(contacts: Contacts, now: float, title: str) -> Picture:
    """Bars where heel and toe of each foot touch, over time; the line is now (seconds)."""
    legs = len(contacts.legs)
    lane = 26
    image, draw = _sheet(30 + legs * lane)
    frames = max(len(contacts), 2)
    _text(draw, (8, 4), title)
    for k, leg in enumerate(contacts.legs):
        top = (28 + k * lane) * _SCALE
        for part, flags in enumerate((contacts.heel[:, k], contacts.toe[:, k])):
            y = top + part * 10 * _SCALE
            edges = np.flatnonzero(np.diff(np.concatenate([[0], flags.astype(int), [0]])))
            for start, end in edges.reshape(-1, 2):
                box = [start / frames * image.width, y, end / frames * image.width, y + 8 * _SCALE]
                draw.rectangle(box, fill=palette.side_colour(leg.side) if part else palette.limb_colour(leg.side))
    x = now * contacts.fps / frames * image.width
    draw.line([(x, 0), (x, image.height)], fill=palette.INK, width=_SCALE)
    return _done(image)


def map_chart(heights: FloatArray, classes: npt.NDArray[np.uint8], feet: FloatArray) -> Picture:
    """The grid map about a creature: heights in grey, cells that feet avoid in colour, feet ``(F, 2)`` by cell."""
    low, high = float(np.min(heights)), float(np.max(heights))
    grey = 235.0 - 120.0 * (heights - low) / max(high - low, 1e-6)
    pixels = np.repeat(grey[..., None], 3, axis=2)
    tints = (None, palette.PLANTED, palette.RIGHT, palette.SERIES[4], palette.SERIES[3])
    for value, tint in enumerate(tints):
        if tint is not None:
            pixels[classes == value] = 0.45 * pixels[classes == value] + 0.55 * np.array(tint)
    side = max(1, WIDTH // (2 * heights.shape[1]))
    image = Image.fromarray(pixels.astype(np.uint8)[::-1]).resize(
        (heights.shape[1] * side, heights.shape[0] * side), Image.Resampling.NEAREST
    )
    draw = ImageDraw.Draw(image)
    for column, row in feet:
        x, y = (column + 0.5) * side, image.height - (row + 0.5) * side
        draw.ellipse([x - 3, y - 3, x + 3, y + 3], fill=palette.LEFT)
    return np.asarray(image, dtype=np.uint8)
