"""The gait in the clinic's terms: cadence, step length, duty factor, double support, walk ratio."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.ndimage import uniform_filter1d

from locomote.contacts import Contacts
from locomote.rotations import FloatArray

ROOT_SMOOTHING = 0.25  # s; the body's sway is not travel
SHORTEST_STRIDE = 0.25  # s
LONGEST_STRIDE = 4.0  # s; a longer pause between two strikes of a foot is standing, not walking
SHORTEST_STRIDE_LENGTH = 0.1  # m; a shorter line between two prints has no clear direction
BALL = 1


class Gait(NamedTuple):
    """Travel of the body, and timing and spacing of its steps; ``None`` where the motion has too few steps."""

    speed: float  # m/s, path length over duration
    path_length: float  # m
    net_distance: float  # m, from first to last frame
    steps: int
    cadence: float | None  # steps (footfalls of any leg) a minute
    stride_length: float | None  # m, between two footfalls of one foot
    step_length: float | None  # m, half a stride; two-legged bodies only
    step_width: float | None  # m, across the direction of travel; two-legged bodies only
    duty_factor: float | None  # share of the stride that a foot is on the ground
    double_support: float | None  # share of the time with two or more feet on the ground (two-legged bodies)
    flight: float | None  # share of the time with no foot on the ground
    walk_ratio: float | None  # mm per step a minute: step length over cadence


def gait(contacts: Contacts, root: FloatArray) -> Gait:
    """Figures from contacts and the root's positions ``(F, 3)``."""
    path, net = _travel(root, contacts.fps)
    duration = (len(root) - 1) / contacts.fps
    prints = [_prints(contacts, leg) for leg in range(contacts.points.shape[1])]
    strikes = [list(each) for each in prints]
    strides = [s for leg, each in enumerate(prints) for s in _strides(contacts, leg, each)]
    biped = len(strikes) == 2
    times = np.array([s[0] for s in strides])
    lengths = np.array([s[1] for s in strides])
    stride_time = float(np.median(times)) if strides else None
    stride_length = float(np.median(lengths)) if strides else None
    cadence = 60.0 * len(strikes) / stride_time if stride_time else None
    step_length = 0.5 * stride_length if biped and stride_length is not None else None
    walking = _walking(contacts, strikes)
    support = np.sum(contacts.foot[walking], axis=1) if walking is not None else None
    return Gait(
        speed=path / duration if duration > 0.0 else 0.0,
        path_length=path,
        net_distance=net,
        steps=sum(len(frames) for frames in strikes),
        cadence=cadence,
        stride_length=stride_length,
        step_length=step_length,
        step_width=_step_width(prints) if biped else None,
        duty_factor=float(np.median([s[2] for s in strides])) if strides else None,
        double_support=float(np.mean(support >= 2)) if biped and support is not None else None,
        flight=float(np.mean(support == 0)) if support is not None else None,
        walk_ratio=1000.0 * step_length / cadence if step_length is not None and cadence else None,
    )


def _travel(root: FloatArray, fps: float) -> tuple[float, float]:
    flat = root[:, [0, 2]]
    width = min(len(flat), max(1, round(ROOT_SMOOTHING * fps)))
    smooth = uniform_filter1d(flat, width, axis=0, mode="nearest")
    # Smoothing pulls the ends inwards; what it takes from them is given back as straight pieces.
    ends = np.linalg.norm(flat[0] - smooth[0]) + np.linalg.norm(flat[-1] - smooth[-1])
    path = float(np.sum(np.linalg.norm(np.diff(smooth, axis=0), axis=-1)) + ends)
    return path, float(np.linalg.norm(flat[-1] - flat[0]))


def _prints(contacts: Contacts, leg: int) -> dict[int, FloatArray]:
    """Where the ball of a foot stands on the ground plane, by the frame at which the foot lands there.

    One that is down from the first frame has not landed.
    """
    ball = contacts.points[:, leg, BALL][:, [0, 2]]
    return {int(start): np.median(ball[start:stop], axis=0) for start, stop in contacts.intervals(leg) if start > 0}


def _strides(contacts: Contacts, leg: int, prints: dict[int, FloatArray]) -> list[tuple[float, float, float]]:
    """Time, length and duty factor of each stride of one foot."""
    out = []
    for a, b in pairwise(prints):
        time = (b - a) / contacts.fps
        if SHORTEST_STRIDE <= time <= LONGEST_STRIDE:
            length = float(np.linalg.norm(prints[b] - prints[a]))
            out.append((time, length, float(np.mean(contacts.foot[a:b, leg]))))
    return out


def _walking(contacts: Contacts, strikes: list[list[int]]) -> slice | None:
    """The frames from the first to the last strike of one foot: whole strides, so that shares are not biased."""
    spans = [(frames[0], frames[-1]) for frames in strikes if len(frames) >= 2]
    if not spans:
        return None
    start, stop = max(spans, key=lambda span: span[1] - span[0])
    return slice(start, stop)


def _step_width(prints: list[dict[int, FloatArray]]) -> float | None:
    """Mean distance of a footprint from the line through the other foot's prints before and after it."""
    order = sorted((frame, leg) for leg, frames in enumerate(prints) for frame in frames)
    widths = []
    for trio in zip(order, order[1:], order[2:], strict=False):
        (_, first), (_, second), (_, third) = trio
        if first != third or first == second:
            continue
        before, middle, after = (prints[leg][frame] for frame, leg in trio)
        line, aside = after - before, middle - before
        length = np.linalg.norm(line)
        if length > SHORTEST_STRIDE_LENGTH:
            widths.append(abs(line[0] * aside[1] - line[1] * aside[0]) / length)
    return float(np.mean(widths)) if widths else None
