"""The gaits of animals on four legs. Speeds and periods are in units of sqrt(g h) and sqrt(h / g)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from locomote.creatures._gaits import Gait
from locomote.rotations import FloatArray

Phases = Sequence[float] | FloatArray


# Motions of the body that make a wolf move as recorded dogs do, against what follows from its feet, in the order of
# `GaitLife`: bounce, sway, nod; bounce of the front, sag of the back; roll of shoulders and hips (in a trot the hip
# that stands is up, else down), from side to side; nod of the neck, and the turns by which it is late.
_WALK_LIVES = (1.3, 1.1, 0.4, 0.9, 3.4, 0.88, 0.6, 0.75, 1.3, 0.02)
_TROT_LIVES = (1.25, 0.57, 0.5, 0.6, 2.05, 1.1, -0.93, 1.0, 2.0, -0.05)
_GALLOP_LIVES = (0.82, 0.95, 0.9, 1.15, 0.0, 4.2, 3.6, 1.1, 0.66, -0.15)
_PACE_LIVES = (1.0, 1.1, 0.6, 1.7, 3.4, 0.77, 1.0, 1.5, 1.2, 0.1)
_BACK_LIVES = (1.25, 1.35, 1.0, 1.0, 1.0, 2.1, 0.95, 0.5, 1.45, 0.0)
_HOP_LIVES = (0.6, 0.0, 0.5, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)
_CANTER_LIVES = (0.65, 0.7, 0.9, 1.0, 0.0, 2.5, 2.5, 1.2, 0.6, 0.0)


def pairs(count: int) -> tuple[str, ...]:
    """The names of the feet of ``count`` pairs, front to back, left before right."""
    return tuple(f"{side}{rank}" for rank in range(1, count + 1) for side in "LR")


def quadruped(
    name: str,
    speeds: Phases,
    periods: Phases,
    left_fore: Phases | float,
    hind: Phases | float,
    fore: Phases | float,
    lift: Phases | float,
    right_hind: float = 0.5,
    right_fore: Phases | None = None,
    lives: Sequence[float] = (1.0, 1.0, 1.0),
) -> Gait:
    """A gait by its touch-downs after that of the left hind foot, and the duty of hind and fore feet.

    ``lives`` are bounce, sway and nod of the body, against what follows from the feet.
    """
    knots = len(np.asarray(speeds))
    lands = np.zeros((knots, 4))  # L1, R1, L2, R2
    lands[:, 0] = left_fore
    lands[:, 1] = lands[:, 0] + 0.5 if right_fore is None else right_fore
    lands[:, 3] = right_hind
    duty = np.zeros((knots, 4))
    duty[:, :2] = np.broadcast_to(np.asarray(fore, dtype=np.float64), (knots,))[:, None]
    duty[:, 2:] = np.broadcast_to(np.asarray(hind, dtype=np.float64), (knots,))[:, None]
    return gait_by_landings(name, pairs(2), speeds, periods, lands, duty, lift, lives)


def gait_by_landings(
    name: str,
    feet: tuple[str, ...],
    speeds: Phases,
    periods: Phases,
    lands: FloatArray,
    duty: FloatArray,
    lift: Phases | float,
    lives: Sequence[float] = (1.0, 1.0, 1.0),
) -> Gait:
    """A gait by its touch-downs and duties, each ``(F,)`` or ``(M, F)``."""
    shape = (len(np.asarray(speeds)), len(feet))
    swing = np.broadcast_to(1.0 - duty, shape)
    starts = np.broadcast_to(lands, shape) - swing
    lifts = np.broadcast_to(np.asarray(lift, dtype=np.float64), shape[:1])
    return Gait(
        name,
        feet,
        np.asarray(speeds),
        np.asarray(periods),
        starts[..., None],
        swing[..., None],
        lifts,
        np.tile(lives, (len(lifts), 1)),
    )


def walk() -> Gait:
    """The walk of a dog: hind foot, then the fore foot of its side; fast ones land nearer together."""
    return quadruped(
        "walk",
        speeds=[0.05, 0.15, 0.3, 0.5, 0.7, 0.9],
        periods=[5.6, 4.8, 3.7, 2.82, 2.31, 2.05],
        left_fore=[0.28, 0.275, 0.26, 0.21, 0.165, 0.15],
        hind=[0.71, 0.66, 0.59, 0.53, 0.49, 0.47],
        fore=[0.70, 0.65, 0.58, 0.52, 0.48, 0.46],
        lift=[0.08, 0.09, 0.095, 0.095, 0.10, 0.11],
        lives=_WALK_LIVES,
    )


def trot() -> Gait:
    """Diagonal pairs; the fore foot lands a little before the hind foot. Flies from middling speeds on."""
    return quadruped(
        "trot",
        speeds=[0.4, 0.65, 0.9, 1.1, 1.4],
        periods=[2.72, 2.22, 1.88, 1.74, 1.62],
        left_fore=[0.485, 0.475, 0.47, 0.465, 0.46],
        hind=[0.50, 0.43, 0.385, 0.37, 0.35],
        fore=[0.51, 0.46, 0.42, 0.40, 0.38],
        lift=[0.10, 0.12, 0.14, 0.17, 0.21],
        lives=_TROT_LIVES,
    )


def pace() -> Gait:
    """Both feet of a side together."""
    return quadruped(
        "pace",
        speeds=[0.1, 0.33, 0.55, 0.8],
        periods=[5.0, 4.14, 3.3, 2.81],
        left_fore=0.02,
        hind=[0.60, 0.57, 0.535, 0.50],
        fore=[0.65, 0.62, 0.585, 0.54],
        lift=[0.1, 0.13, 0.16, 0.18],
        lives=_PACE_LIVES,
    )


def back() -> Gait:
    """The backward walk of a dog: nearly a trot, the fore foot a little after its diagonal hind foot."""
    return quadruped(
        "back",
        speeds=[0.05, 0.2, 0.3, 0.47, 0.6],
        periods=[4.2, 3.8, 3.28, 2.27, 1.9],
        left_fore=0.60,
        hind=[0.64, 0.62, 0.59, 0.54, 0.51],
        fore=[0.62, 0.60, 0.57, 0.52, 0.49],
        lift=0.1,
        lives=_BACK_LIVES,
    )


def turn() -> Gait:
    """Turning on the spot."""
    return quadruped("turn", speeds=[0.0], periods=[3.73], left_fore=0.13, hind=0.60, fore=0.53, lift=0.1)


def canter() -> Gait:
    """Three beats, left hind foot first, right fore foot last: the right lead."""
    return quadruped(
        "canter",
        speeds=[0.9, 1.4, 1.8],
        periods=[2.4, 2.15, 2.0],
        left_fore=0.37,
        right_hind=0.25,
        right_fore=[0.74, 0.74, 0.74],
        hind=[0.35, 0.31, 0.28],
        fore=[0.33, 0.28, 0.26],
        lift=[0.18, 0.22, 0.26],
        lives=_CANTER_LIVES,
    )


_GALLOP_SPEEDS = [1.0, 1.3, 1.5, 1.7, 2.1, 3.0]
_GALLOP_PERIODS = [2.08, 1.83, 1.73, 1.57, 1.44, 1.12]
_GALLOP_LIFT = [0.17, 0.20, 0.215, 0.225, 0.245, 0.31]


def transverse_gallop() -> Gait:
    """The gallop of horses: left hind, right hind, left fore, right fore: the right lead."""
    return quadruped(
        "transverse gallop",
        _GALLOP_SPEEDS,
        _GALLOP_PERIODS,
        left_fore=0.44,
        right_hind=0.11,
        right_fore=[0.70] * 6,
        hind=[0.38, 0.345, 0.33, 0.315, 0.28, 0.255],
        fore=[0.35, 0.31, 0.29, 0.27, 0.255, 0.25],
        lift=_GALLOP_LIFT,
        lives=_GALLOP_LIVES,
    )


def rotary_gallop() -> Gait:
    """The gallop of dogs: left hind, right hind, right fore, left fore: the left lead."""
    return quadruped(
        "gallop",
        _GALLOP_SPEEDS,
        _GALLOP_PERIODS,
        left_fore=0.65,
        right_hind=0.14,
        right_fore=[0.40] * 6,
        hind=[0.37, 0.33, 0.3075, 0.285, 0.265, 0.25],
        fore=[0.36, 0.32, 0.295, 0.256, 0.25, 0.25],
        lift=_GALLOP_LIFT,
        lives=_GALLOP_LIVES,
    )


def other_lead(gait: Gait) -> Gait:
    """A gait mirrored, and named by the fore foot that lands last: the one that leads."""
    mirrored = gait.mirrored()
    since = (mirrored.touch_downs()[0, :, 0] - mirrored.touch_downs()[0, mirrored.feet.index("R2"), 0]) % 1.0
    left, right = (since[mirrored.feet.index(foot)] for foot in ("L1", "R1"))
    return replace(mirrored, name=f"{gait.name}, {'left' if left > right else 'right'} lead")


def bound() -> Gait:
    """Hind feet together, fore feet together."""
    return quadruped(
        "bound", [0.8, 1.5], [2.3, 2.0], left_fore=0.5, right_hind=0.0, right_fore=[0.5, 0.5],
        hind=[0.38, 0.33], fore=[0.38, 0.33], lift=[0.2, 0.3],
    )  # fmt: skip


def pronk() -> Gait:
    """All feet at once."""
    return quadruped(
        "pronk", [0.0, 1.5], [2.4, 2.1], left_fore=0.0, right_hind=0.0, right_fore=[0.0, 0.0],
        hind=0.4, fore=0.4, lift=0.2,
    )  # fmt: skip


def hop() -> Gait:
    """The hops of a frog: it sits, leaps off its hind feet, flies, and comes down on its fore feet first."""
    return quadruped(
        "hop", [0.1, 0.4, 0.6, 0.8, 1.2], [7.0, 5.5, 4.8, 3.7, 2.8],
        left_fore=-0.08, right_hind=0.0, right_fore=[-0.08] * 5,
        hind=[0.66, 0.60, 0.58, 0.56, 0.53], fore=[0.68, 0.62, 0.59, 0.57, 0.54],
        lift=[0.2, 0.3, 0.35, 0.4, 0.45], lives=_HOP_LIVES,
    )  # fmt: skip
