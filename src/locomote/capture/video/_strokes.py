"""Silhouettes from strokes drawn by hand: spine, legs and head, where colours do not tell the subject (AGV-02)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import ArrayLike, FloatArray

WIDTH = 0.03  # of the height of a picture
SOFT = 0.5  # of the width of a stroke: thin sharp strokes that do not overlap have nothing to correlate


def stroke_masks(
    strokes: Sequence[Sequence[ArrayLike]] | Mapping[int, Sequence[ArrayLike]],
    size: tuple[int, int],
    width: float | None = None,
) -> FloatArray:
    """Soft masks ``(F, H, W)`` of strokes, 0 to 1, for all that takes masks.

    Parameters
    ----------
    strokes : for each frame its strokes, each (n, 2) pixels to the right and down
    size : width and height of the frames, pixels
    width : of a stroke, pixels; 3 per cent of the height unless given
    """
    from PIL import Image, ImageDraw
    from scipy.ndimage import gaussian_filter

    frames = [strokes[f] for f in sorted(strokes)] if isinstance(strokes, Mapping) else list(strokes)
    thick = WIDTH * size[1] if width is None else float(width)
    if not frames or not thick > 0.0:
        raise LocomoteError(f"{len(frames)} frames of strokes, {thick:g} pixels wide: expected some, wider than 0")
    out = np.zeros((len(frames), size[1], size[0]))
    for f, drawn in enumerate(frames):
        picture = Image.new("L", size)
        pen = ImageDraw.Draw(picture)
        for stroke in drawn:
            points = np.asarray(stroke, dtype=np.float64)
            if points.ndim != 2 or points.shape[1] != 2 or len(points) < 2 or not np.all(np.isfinite(points)):
                raise LocomoteError(f"frame {f}: a stroke must be two or more points (n, 2), got {points.shape}")
            pen.line([(float(x), float(y)) for x, y in points], fill=255, width=max(1, round(thick)), joint="curve")
        out[f] = gaussian_filter(np.asarray(picture, dtype=np.float64) / 255.0, SOFT * thick)
    # Blurring takes the middle of a lone stroke below one half; what counts is where it was drawn.
    return np.clip(out / max(float(np.percentile(out.max(axis=(1, 2)), 5)), 1e-12), 0.0, 1.0)
