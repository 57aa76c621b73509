"""One picture that says what a film gave: components, circle, rhythm, phase, keys, and whether it is a gait and why."""

from __future__ import annotations

from os import PathLike

import numpy as np
from PIL import Image

from locomote.capture.video._rhythm import Rhythm
from locomote.draw import _palette as palette
from locomote.draw._canvas import Canvas, shortened
from locomote.draw._plots import Series, draw_plot
from locomote.draw._saving import save_picture
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

WIDTH, EDGE = 1180, 24
CELL = 132  # pixels of a silhouette
SHOWN = 5  # components


def sheet(rhythm: Rhythm, keys: IntArray | None = None, path: str | PathLike[str] | None = None) -> Image.Image:
    """The diagnostic sheet of a film.

    Parameters
    ----------
    rhythm : of the film
    keys : frames to be posed, if there are any
    path : of a picture to write
    """
    frames = np.zeros(0, dtype=np.int64) if keys is None else np.asarray(keys, dtype=np.int64)
    cell = min(CELL, (WIDTH - 2 * EDGE) // max(len(frames), SHOWN + 1) - 8)
    tall = round(cell * rhythm.windows.images.shape[1] / rhythm.windows.images.shape[2])
    canvas = Canvas(WIDTH, 660 + 2 * tall)
    lines = rhythm.report().splitlines()
    canvas.text(EDGE, 16, "A gait" if rhythm.accepted else "No gait", 22)
    for k, line in enumerate(lines):
        colour = palette.ALARM if k == 0 and not rhythm.accepted else palette.INK
        canvas.text(EDGE, 50 + 20 * k, shortened(line, 14, WIDTH - 2 * EDGE), 14, colour)
    top = 126
    _strip(canvas, rhythm, frames, cell, top)
    top += tall + 46
    _axes(canvas, rhythm, cell, top)
    top += tall + 34
    _plots(canvas, rhythm, frames, top)
    picture = canvas.finish()
    if path is not None:
        save_picture(picture, path)
    return picture


def _strip(canvas: Canvas, rhythm: Rhythm, keys: IntArray, cell: int, top: int) -> None:
    """The silhouettes of the keys, or of some frames where there are none."""
    chosen = keys if len(keys) else np.linspace(0, len(rhythm) - 1, SHOWN + 1).astype(int)
    canvas.text(EDGE, top, "key frames, in order" if len(keys) else "some of the frames", 13, palette.MUTED)
    for k, frame in enumerate(chosen):
        left = EDGE + k * (cell + 8)
        ink = 1.0 - 0.78 * rhythm.windows.images[frame]
        canvas.picture(_gray(ink, cell), left, top + 20)
        canvas.text(left + 4, top + 22, f"{frame}", 12, palette.MUTED)


def _axes(canvas: Canvas, rhythm: Rhythm, cell: int, top: int) -> None:
    """The mean image, and what each component adds (blue) and takes away (red)."""
    found = rhythm.components
    canvas.text(EDGE, top, "mean image and components: more there (blue), less (orange)", 13, palette.MUTED)
    canvas.picture(_gray(1.0 - 0.78 * np.clip(found.mean, 0.0, 1.0), cell), EDGE, top + 20)
    for k, axis in enumerate(found.axes[:SHOWN]):
        left = EDGE + (k + 1) * (cell + 8)
        share = axis / max(float(np.abs(axis).max()), 1e-12)
        colours = np.where(share[..., None] > 0.0, palette.LEFT, palette.RIGHT)
        tint = 255.0 + np.abs(share[..., None]) * (colours - 255.0)
        canvas.picture(_fitted(Image.fromarray(tint.astype(np.uint8)), cell), left, top + 20)
        r = rhythm.usability.correlations[k] if k < len(rhythm.usability.correlations) else 0.0
        canvas.text(left + 4, top + 22, f"PC{k + 1}  r {r:.2f}", 12, palette.MUTED)


def _plots(canvas: Canvas, rhythm: Rhythm, keys: IntArray, top: int) -> None:
    judged, scores, times = rhythm.usability, rhythm.components.scores, np.arange(len(rhythm)) / rhythm.fps
    first, second = judged.pair if judged.accepted else (0, min(1, scores.shape[1] - 1))
    square = 380
    names = ("mixture 1", "mixture 2") if judged.is_mixed else (f"PC{first + 1}", f"PC{second + 1}")
    mixture = judged.mixture if judged.accepted else np.eye(scores.shape[1])[:, [first, second]]
    both, pair = scores @ mixture, judged.filtered @ mixture
    reach = 1.15 * float(max(np.abs(pair).max(), 1.0))
    draw_plot(
        canvas,
        (EDGE, top, EDGE + square, top + 400),
        [
            Series(both[:, 0], both[:, 1], "frames", palette.GRID),
            Series(pair[:, 0], pair[:, 1], "in the band of the rhythm", palette.LEFT),
            *([Series(*_closed(pair[keys]), "keys", palette.RIGHT, dashed=True)] if len(keys) > 1 else []),
        ],
        x_label=names[0],
        y_label=names[1],
        x_range=(-reach, reach),
        y_range=(-reach, reach),
    )
    left = EDGE + square + 20
    lines = [Series(times, both[:, k], names[k]) for k in range(2)]
    draw_plot(canvas, (left, top, WIDTH - EDGE, top + 195), lines, y_label="components")
    even = np.polyval(np.polyfit(times, rhythm.phase, 1), times)
    phase = [Series(times, rhythm.phase, "as tracked"), Series(times, even, "even pace", palette.MUTED, dashed=True)]
    draw_plot(
        canvas,
        (left, top + 205, WIDTH - EDGE, top + 400),
        phase,
        x_label="time (s)",
        y_label="phase (cycles)",
    )


def _closed(points: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Keys as a polygon."""
    row = np.concatenate([points, points[:1]])
    return row[:, 0], row[:, 1]


def _gray(ink: FloatArray, width: int) -> Image.Image:
    return _fitted(Image.fromarray((255.0 * ink).astype(np.uint8)).convert("RGB"), width)


def _fitted(image: Image.Image, width: int) -> Image.Image:
    return image.resize((width, round(width * image.height / image.width)), Image.Resampling.BILINEAR)
