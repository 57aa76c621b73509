"""The subject of a film told from what is behind it, from two rectangles in its first frame (AGV-01)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from locomote.capture.video._films import Frames
from locomote.capture.video._mixtures import ColourMixture, sampled
from locomote.capture.video._windows import Masks
from locomote.errors import LocomoteError, MissingExtra
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

Box = Sequence[float]  # left, top, right and lower edge, pixels

SUBJECT_COLOURS, BACKGROUND_COLOURS = 3, 5
CALM = 0.7  # pixels over which the noise of a camera is evened out
SHADE = 20.0  # by which the lightness of the subject differs from that in the rectangle, of 255
DRIFT = 0.02  # by which the colours of the background follow the film in a frame
SURE = 3.0  # log-likelihood ratio beyond which a pixel may be taken for granted
ROUNDS = 2  # of graph cuts a frame
ROOM = 0.25  # of the subject's box, around it, in which it is sought in the next frame
CLEAN = 0.01  # of the height: radius of the disk by which edges are cleaned
ALIKE = 0.08  # of the background, that may look like the subject
JUMP = 0.5  # of its area, that a subject may grow or shrink from frame to frame
HOLE = 0.01  # of the area of the subject: smaller holes are noise
LEAST = 30  # pixels of a subject
LEAST_BOX = 3  # pixels of a side of a rectangle

REMEDY = "draw strokes, or give masks"

Progress = Callable[[int, int], None]


def segment(
    frames: Frames,
    subject: Box,
    background: Box,
    alike: float = ALIKE,
    seed: int = 0,
    progress: Progress | None = None,
) -> Masks:
    """The pixels of the subject in every frame, ``(F, H, W)``.

    Colours inside the two rectangles are learnt as mixtures of Gaussians; in every frame, a graph cut then finds the
    edge between them. Where the subject cannot be told, one line says in which frame, and asks for strokes.

    Parameters
    ----------
    frames : (F, H, W, 3) colours, 0 to 255
    subject : left, top, right and lower edge of a rectangle inside the subject of the first frame, pixels
    background : of one without it; the more of the background it shows, the better
    alike : share of the background that may have colours of the subject before strokes are asked for
    seed : of the pixels that are looked at
    progress : called with frames done and all
    """
    cv2 = vision()
    pictures = np.ascontiguousarray(frames, dtype=np.uint8)
    if pictures.ndim != 4 or pictures.shape[-1] != 3 or 0 in pictures.shape:
        raise LocomoteError(f"frames: expected colours of shape (frames, height, width, 3), got {pictures.shape}")
    height, width = pictures.shape[1:3]
    inner = _checked(subject, width, height, "subject")
    outer = _checked(background, width, height, "background")
    random = np.random.default_rng(seed)
    first = _colours(cv2, pictures[0])
    mine = ColourMixture.of(first[inner].reshape(-1, 3), SUBJECT_COLOURS, seed).in_any_light(SHADE)
    theirs = ColourMixture.of(first[outer].reshape(-1, 3), BACKGROUND_COLOURS, seed)
    behind = first[outer].reshape(-1, 3)
    share = float(np.mean(mine.log_likelihood(behind) > theirs.log_likelihood(behind)))
    if share > alike:
        raise LocomoteError(f"{100 * share:.0f} % of the background have colours of the subject; {REMEDY}")
    out = np.zeros((len(pictures), height, width), dtype=np.bool_)
    at: tuple[FloatArray, FloatArray] | None = None
    for f, picture in enumerate(pictures):
        colours = _colours(cv2, picture)
        ratio = mine.log_likelihood(colours) - theirs.log_likelihood(colours)
        within = _neighbourhood(at, width, height)
        found = _cut(cv2, picture, np.where(within, ratio, -np.inf))
        known = None if f == 0 else out[f - 1]
        middle = [0.5 * (inner[1].start + inner[1].stop), 0.5 * (inner[0].start + inner[0].stop)]
        out[f] = _one(cv2, found, np.array(middle) if at is None else at[0])
        _check(f, out[f], known)
        rows, columns = np.nonzero(out[f])
        box = np.array([columns.min(), rows.min(), columns.max(), rows.max()], dtype=np.float64)
        at = np.array([columns.mean(), rows.mean()]), box
        theirs = theirs.drifted(sampled(colours[~out[f]], random), DRIFT)
        if progress is not None:
            progress(f + 1, len(pictures))
    return out


def vision() -> Any:
    """OpenCV, or what to install."""
    try:
        import cv2
    except ImportError:
        raise MissingExtra("opencv-python-headless", "capture", "telling a subject from its background") from None
    return cv2


def _checked(box: Box, width: int, height: int, what: str) -> tuple[slice, slice]:
    """The pixels of a rectangle, rows and columns."""
    try:
        left, top, right, low = (float(edge) for edge in box)
    except (TypeError, ValueError):
        raise LocomoteError(f"{what} rectangle {box!r}: expected left, top, right and lower edge in pixels") from None
    if not (left >= 0 and left + LEAST_BOX <= right <= width and top >= 0 and top + LEAST_BOX <= low <= height):
        raise LocomoteError(
            f"{what} rectangle {left:g},{top:g},{right:g},{low:g}: expected left < right up to {width} and "
            f"top < bottom up to {height} pixels, {LEAST_BOX} or more wide"
        )
    return slice(int(top), int(low)), slice(int(left), int(right))


def _colours(cv2: Any, picture: Frames) -> FloatArray:
    """In the colours of CIE Lab, with the noise of single pixels taken off."""
    calm = cv2.GaussianBlur(picture, (0, 0), CALM)
    return np.asarray(cv2.cvtColor(calm, cv2.COLOR_RGB2LAB), dtype=np.float64)


def _neighbourhood(at: tuple[FloatArray, FloatArray] | None, width: int, height: int) -> Masks:
    """Where the subject can be, by where it was."""
    out = np.zeros((height, width), dtype=np.bool_)
    if at is None:
        return ~out
    left, top, right, low = at[1]
    room = ROOM * max(right - left, low - top)
    out[max(0, int(top - room)) : int(low + room) + 2, max(0, int(left - room)) : int(right + room) + 2] = True
    return out


def _cut(cv2: Any, picture: Frames, ratio: FloatArray) -> Masks:
    """A graph cut whose seeds are what colours alone make likely."""
    marks = np.full(ratio.shape, cv2.GC_BGD, dtype=np.uint8)
    marks[ratio > -SURE] = cv2.GC_PR_BGD
    marks[ratio > 0.0] = cv2.GC_PR_FGD
    marks[ratio > SURE] = cv2.GC_FGD
    likely = ratio > 0.0
    if np.count_nonzero(likely) < LEAST or np.all(likely):
        return np.asarray(likely, dtype=np.bool_)
    rows, columns = np.nonzero(marks != cv2.GC_BGD)
    room = 20
    part = (
        slice(max(0, rows.min() - room), rows.max() + room + 1),
        slice(max(0, columns.min() - room), columns.max() + room + 1),
    )
    chosen = np.ascontiguousarray(marks[part])
    if not np.any(chosen == cv2.GC_BGD):
        chosen[chosen == cv2.GC_PR_BGD] = cv2.GC_BGD
    cv2.setRNGSeed(0)
    models = np.zeros((1, 65)), np.zeros((1, 65))
    cv2.grabCut(np.ascontiguousarray(picture[part]), chosen, None, *models, ROUNDS, cv2.GC_INIT_WITH_MASK)
    out = np.zeros(ratio.shape, dtype=np.bool_)
    out[part] = (chosen == cv2.GC_FGD) | (chosen == cv2.GC_PR_FGD)
    return out


def _one(cv2: Any, found: Masks, near: FloatArray) -> Masks:
    """The patch of the subject, its edge cleaned and its holes filled."""
    from scipy.ndimage import label

    radius = max(1, round(CLEAN * found.shape[0] / 2))
    disk = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1))
    clean = cv2.morphologyEx(found.astype(np.uint8), cv2.MORPH_CLOSE, disk)
    patches: IntArray = np.asarray(label(clean)[0], dtype=np.int64)
    if not patches.any():
        return np.zeros_like(found)
    areas = np.bincount(patches.ravel())[1:]
    large: IntArray = np.flatnonzero(areas >= 0.2 * areas.max()) + 1
    places = np.indices(found.shape)[::-1]
    apart = [np.linalg.norm(places[:, patches == k].mean(axis=1) - near) for k in large]
    nearest = int(large[np.argmin(apart)])
    return _filled(patches == nearest)


def _filled(patch: Masks) -> Masks:
    """A patch without its small holes; a large one is what is seen between the legs."""
    from scipy.ndimage import binary_fill_holes, label

    holes, count = label(binary_fill_holes(patch) & ~patch)
    small = np.bincount(holes.ravel(), minlength=count + 1) <= HOLE * np.count_nonzero(patch)
    small[0] = False
    out: Masks = patch | small[holes]
    return out


def _check(frame: int, now: Masks, before: Masks | None) -> None:
    area = int(np.count_nonzero(now))
    if area < LEAST:
        raise LocomoteError(f"frame {frame}: the subject cannot be told from the background; {REMEDY}")
    if before is None:
        if area > 0.7 * now.size:
            raise LocomoteError(f"frame {frame}: nearly all of it has the colours of the subject; {REMEDY}")
        return
    was = int(np.count_nonzero(before))
    if not (1.0 - JUMP) * was <= area <= (1.0 + JUMP) * was:
        raise LocomoteError(f"frame {frame}: the subject jumps from {was} to {area} pixels; {REMEDY}")
