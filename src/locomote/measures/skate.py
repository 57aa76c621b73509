"""How much the feet slide, by the definitions in use in the field.

All of them look at the ball of the foot: its height over the floor, and its horizontal speed from one frame to the
next. They differ in when a foot counts as standing. Raw capture does not score zero in any of them, so a figure is
worth most beside that of the source clip.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from locomote.contacts import Contacts
from locomote.measures.plants import STANDING_HEIGHT
from locomote.rotations import FloatArray

WEIGHT_HEIGHT = 0.025  # m, where the weighted skate fades to nothing
LOW = 0.05  # m, below which the threshold definitions count a foot as standing
FAST = 0.5  # m/s, sliding by the stricter ratio
SLOW = 0.2  # m/s, sliding by the finer ratio
AVERAGE_FRAMES = 5  # the stricter ratio asks for the mean over these frames to be fast too
HEEL, BALL = 0, 1


class Skate(NamedTuple):
    """Sliding by each definition."""

    weighted: float  # m/s, speed weighted by 2 - 2^(height / 2.5 cm), summed over the feet
    ratio_fast: float  # share of steps between frames: low and faster than 0.5 m/s, also on average over 5 frames
    speed: float  # m/s, mean speed while low
    ratio: float  # share of the low frames that are faster than 0.2 m/s
    contact: float  # m/s, mean speed of heels and balls while they stand


def skate(contacts: Contacts) -> Skate:
    """Sliding of all feet of a motion."""
    fps = contacts.fps
    speed = _horizontal_speed(contacts.points, fps)  # (F - 1, L, 3 points)
    if speed.size == 0:
        return Skate(0.0, 0.0, 0.0, 0.0, 0.0)
    ball_speed = speed[:, :, BALL]
    height = np.maximum(contacts.heights[:, :, BALL], 0.0)
    weight = 2.0 - 2.0 ** np.minimum(height[1:] / WEIGHT_HEIGHT, 1.0)
    low = height < LOW
    low_both = low[1:] & low[:-1]
    sliding = low_both & (ball_speed > FAST) & (_moving_mean(ball_speed, AVERAGE_FRAMES) > FAST)
    planted = planted_steps(contacts)
    return Skate(
        weighted=float(np.mean(np.sum(ball_speed * weight, axis=1))),
        ratio_fast=float(np.mean(sliding)),
        speed=_mean_where(ball_speed, low_both),
        ratio=_mean_where(ball_speed > SLOW, low_both),
        contact=_mean_where(speed[:, :, HEEL : BALL + 1], planted),
    )


def planted_steps(contacts: Contacts) -> npt.NDArray[np.bool_]:
    """Whether heel and ball of each foot stand from one frame to the next, ``(F - 1, L, 2)``."""
    # A ball that has risen lets the foot roll over its toes.
    low = contacts.heights[:, :, HEEL : BALL + 1] < STANDING_HEIGHT
    planted = np.stack([contacts.heel, contacts.toe], axis=-1) & low
    out: npt.NDArray[np.bool_] = planted[1:] & planted[:-1]
    return out


def contact_skate(contacts: Contacts, frame: int, seconds: float) -> float:
    """Mean speed (m/s) of heels and balls while they stand, in so many seconds before a frame."""
    first = max(0, frame - max(1, round(seconds * contacts.fps)))
    speed = _horizontal_speed(contacts.points[first : frame + 1], contacts.fps)[:, :, HEEL : BALL + 1]
    return _mean_where(speed, planted_steps(contacts)[first:frame]) if len(speed) else 0.0


def _horizontal_speed(points: FloatArray, fps: float) -> FloatArray:
    step = np.diff(points[..., [0, 2]], axis=0)
    out: FloatArray = np.linalg.norm(step, axis=-1) * fps
    return out


def _moving_mean(values: FloatArray, width: int) -> FloatArray:
    """The mean over ``width`` frames around each frame, fewer at the ends."""
    half = width // 2
    total = np.concatenate([np.zeros((1, *values.shape[1:])), np.cumsum(values, axis=0)])
    start = np.maximum(np.arange(len(values)) - half, 0)
    stop = np.minimum(np.arange(len(values)) + half + 1, len(values))
    out: FloatArray = (total[stop] - total[start]) / (stop - start)[:, None]
    return out


def _mean_where(values: FloatArray | np.ndarray[tuple[int, ...], np.dtype[np.bool_]], mask: object) -> float:
    chosen = np.asarray(values, dtype=np.float64)[np.asarray(mask)]
    return float(np.mean(chosen)) if chosen.size else 0.0
