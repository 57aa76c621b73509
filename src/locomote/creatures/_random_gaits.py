"""Gaits at random, for creatures that nobody has ever seen walk."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from locomote.creatures._gaits import LONGEST, Gait
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

_UNEVEN = 0.3  # share by which the gaps between two lift-offs differ from even ones, at most
_OVERLAP = (0.1, 0.5)  # share of a swing during which the next foot is in the air as well
_ALONE = 0.9  # of the gap: the swing of a foot of two, so that one is always down
_TRIES = 1000


def random_gait(feet: Sequence[str], seed: int | np.random.Generator, period: float = 3.5, lift: float = 0.15) -> Gait:
    """A gait in which the feet lift one after the other, each before the one before it lands.

    At every phase some foot swings and a third of the feet or more stand, and no foot has to press too hard. Two
    feet take turns, with both down between. ``period`` is in units of sqrt(h / g), ``lift`` in hip heights.
    """
    count = len(feet)
    if count < 2:
        raise LocomoteError(f"a gait at random needs two feet or more, got {count}")
    rng = np.random.default_rng(seed)
    for _ in range(_TRIES):
        gaps = _gaps(count, rng)
        overlap = rng.uniform(*_OVERLAP, size=count)
        swings = _ALONE * gaps if count == 2 else gaps / (1.0 - overlap)
        starts = rng.uniform() + np.concatenate([[0.0], np.cumsum(gaps[:-1])])
        place = rng.permutation(count)
        gait = Gait(
            "random",
            tuple(feet),
            np.zeros(1),
            np.array([period]),
            starts[place][None, :, None],
            np.minimum(swings, LONGEST)[place][None, :, None],
            np.array([lift]),
        )
        if gait.fewest_down() >= max(1, -(-count // 3)) and gait.plausible():
            return gait
    raise LocomoteError(f"no gait found for {count} feet")  # pragma: no cover


def _gaps(count: int, rng: np.random.Generator) -> FloatArray:
    """Positive gaps that sum to 1, each within the allowed share of even ones."""
    for _ in range(_TRIES):
        gaps = rng.uniform(1.0 - _UNEVEN, 1.0 + _UNEVEN, size=count)
        gaps /= gaps.sum()
        if np.all(np.abs(gaps * count - 1.0) <= _UNEVEN):
            return np.asarray(gaps, dtype=np.float64)
    return np.full(count, 1.0 / count)  # pragma: no cover
