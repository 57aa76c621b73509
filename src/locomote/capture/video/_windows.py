"""The subject of every frame, cut out by a window of one size that goes along with it (AGV-03)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

Masks = npt.NDArray[np.bool_]

MARGIN = 1.1  # of the window, over the largest box around the subject
FINE = 128  # pixels of the longer side of a cut image, at most: more only slows what follows
LEAST_SHARE = 0.3  # of the area of the subject before: what is smaller is a fragment or something else
JOIN = 0.02  # of the height of a frame: fragments so near belong together
CALM = 3  # frames of the median that steadies the window


@dataclass(frozen=True, eq=False)
class Windows:
    """What was cut out, and where it was.

    Parameters
    ----------
    images : (F, h, w), share of each pixel that the subject covers, 0 to 1
    centres : (F, 2) pixels of the film to the right and down, of the middle of each window
    boxes : (F, 4) pixels: left, top, right and lower edge of the subject itself
    scale : pixels of the film in a pixel of the images
    """

    images: FloatArray
    centres: FloatArray
    boxes: FloatArray
    scale: int

    def __len__(self) -> int:
        return len(self.images)


def checked_masks(masks: npt.ArrayLike) -> FloatArray:
    """Masks as shares of a pixel ``(F, H, W)``, 0 to 1, or one line that says what is wrong."""
    given = np.asarray(masks)
    if given.ndim != 3 or 0 in given.shape or given.dtype.kind not in "biuf":
        raise LocomoteError(
            f"masks: expected numbers of shape (frames, height, width), got {given.dtype} {given.shape}"
        )
    values = np.asarray(given, dtype=np.float64)
    if not np.all(np.isfinite(values)):
        raise LocomoteError(f"masks: frame {int(np.argwhere(~np.isfinite(values))[0][0])} is not finite")
    if values.min() < 0.0 or values.max() > 255.0:
        raise LocomoteError(f"masks: expected 0 to 1, or 0 to 255; got {values.min():g} to {values.max():g}")
    values = values / 255.0 if values.max() > 1.0 else values
    empty = ~np.any(values > 0.5, axis=(1, 2))
    if empty.any():
        first = int(np.argmax(empty))
        raise LocomoteError(f"masks: nothing is marked in {int(empty.sum())} of {len(empty)} frames, first in {first}")
    return values


def cut_out(masks: npt.ArrayLike) -> Windows:
    """Follow the subject through its masks and cut it out of every frame, always at the same size.

    In the first frame it is the largest patch, then the one nearest to where it was. The window hides the movement
    of the camera, and the rise and fall of the body.

    Parameters
    ----------
    masks : (F, H, W) true, 1 or 255 where the subject is; soft edges are kept
    """
    soft = checked_masks(masks)
    subjects, boxes, centres = _followed(soft)
    steady = _steadied(centres)
    far = np.maximum(np.abs(boxes[:, :2] - steady), np.abs(boxes[:, 2:] - steady)).max(axis=0)
    half = np.ceil(MARGIN * far).astype(int)
    scale = int(np.ceil(2 * half.max() / FINE))
    half = scale * np.ceil(half / scale).astype(int)
    corners = np.round(steady).astype(int)
    padded = np.pad(subjects, ((0, 0), (2 * half[1],) * 2, (2 * half[0],) * 2))
    size = 2 * half // scale
    images = np.empty((len(soft), size[1], size[0]))
    for f, (x, y) in enumerate(corners + half):
        cut = padded[f, y : y + 2 * half[1], x : x + 2 * half[0]]
        images[f] = cut.reshape(size[1], scale, size[0], scale).mean(axis=(1, 3))
    return Windows(images, steady, boxes, scale)


def _followed(soft: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The subject alone ``(F, H, W)``, its boxes ``(F, 4)`` and its centres of mass ``(F, 2)``."""
    from scipy.ndimage import binary_dilation, center_of_mass, label

    around = np.ones((3, 3), dtype=np.bool_)
    near = max(1, round(JOIN * soft.shape[1] / 2))
    subjects, boxes, centres = np.zeros_like(soft), np.empty((len(soft), 4)), np.empty((len(soft), 2))
    area, motion = 0.0, np.zeros(2)
    for f, frame in enumerate(soft):
        inside = frame > 0.5
        patches, count = label(binary_dilation(inside, around, iterations=near))
        patches = np.where(inside, patches, 0)
        areas = np.bincount(patches.ravel(), minlength=count + 1)[1:]
        if f == 0:
            chosen = int(np.argmax(areas)) + 1
        else:
            large = np.flatnonzero(areas >= min(LEAST_SHARE * area, areas.max())) + 1
            places = np.array(center_of_mass(inside, patches, large))[:, ::-1]
            chosen = int(large[np.argmin(np.linalg.norm(places - (centres[f - 1] + motion), axis=1))])
        mine = patches == chosen
        rows, columns = np.flatnonzero(mine.any(axis=1)), np.flatnonzero(mine.any(axis=0))
        boxes[f] = columns[0], rows[0], columns[-1] + 1, rows[-1] + 1
        edge = binary_dilation(mine, around) & ~inside
        subjects[f] = np.where(mine | edge, frame, 0.0)
        centres[f] = np.array(center_of_mass(mine))[::-1] + 0.5
        area = float(areas[chosen - 1])
        motion = centres[f] - centres[f - 1] if f else motion
    return subjects, boxes, centres


def _steadied(centres: FloatArray) -> FloatArray:
    from scipy.ndimage import median_filter

    out: FloatArray = median_filter(centres, size=(CALM, 1), mode="nearest")
    return out
