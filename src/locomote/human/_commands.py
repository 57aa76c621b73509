"""What a crowd may be told: every value checked, brought into range, and spread over the characters."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from locomote._arguments import Values, spread
from locomote.errors import LocomoteError
from locomote.human._model import HumanModel
from locomote.rotations import FloatArray

LEG_RANGE = (0.3, 1.5)  # m, hip to ankle
MOST_TURN = 2.0  # rad/s
MOST_SIDEWAYS = 3.5  # m/s^2, speed times turn rate
MOST_TOE_OUT = 0.8  # rad
MOST_WIDER = (-0.05, 0.2)  # m, for each foot
LONGEST = 3600.0  # s
STYLE_SPREAD = 0.4  # concentration of a random mixture of all styles: small, so that people differ as recorded ones do
LEAST_STYLE = 0.1  # of the strongest style in a random mixture; less is left out
# By how much of what tells two other styles apart random people go beyond that. Fitted styles are drawn to the mean of
# all people, by as much as one does not know them.
BEYOND = 0.45

Style = str | Mapping[str, float] | npt.ArrayLike


def spread_feet(name: str, value: Values, count: int) -> FloatArray:
    """A finite number for the left and the right foot of each character, ``(count, 2)``."""
    try:
        array = np.asarray(value, dtype=np.float64)
    except (TypeError, ValueError):
        raise LocomoteError(f"{name} {value!r}: expected a number, or one for the left and the right foot") from None
    if array.shape not in ((), (2,), (count, 2)):
        raise LocomoteError(f"{name}: shape {array.shape}, expected one number, (2,) or ({count}, 2): left and right")
    if not np.isfinite(array).all():
        raise LocomoteError(f"{name}: {array[~np.isfinite(array)][0]} is not a finite number")
    return np.broadcast_to(array, (count, 2)).copy()


def spread_styles(model: HumanModel, style: Style, count: int) -> FloatArray:
    """Style weights ``(count, K)`` that sum to 1 in each row."""
    if isinstance(style, str):
        return np.tile(model.weights(style), (count, 1))
    if isinstance(style, Mapping):
        return np.tile(model.weights(dict(style)), (count, 1))
    array = np.asarray(style)
    if array.dtype.kind in "US":
        if array.shape != (count,):
            raise LocomoteError(f"style: {array.size} names, expected one or {count}")
        return np.stack([model.weights(str(name)) for name in array])
    if array.ndim == 2:
        if len(array) != count:
            raise LocomoteError(f"style: {len(array)} rows of weights, expected {count}")
        return model.weights(array.astype(np.float64))
    return np.tile(model.weights(array.astype(np.float64)), (count, 1))


def random_styles(styles: int, count: int, random: np.random.Generator, seed: int) -> FloatArray:
    """Style weights ``(count, styles)`` of people who differ from one another as recorded ones do."""
    out = random.dirichlet(np.full(styles, STYLE_SPREAD / styles), size=count)
    out[out < LEAST_STYLE * out.max(axis=1, keepdims=True)] = 0.0
    out /= out.sum(axis=1, keepdims=True)
    others = np.random.default_rng([seed, 1]).integers(styles, size=(2, count))
    for share, other in zip((BEYOND, -BEYOND), others, strict=True):
        out[np.arange(count), other] += share
    return out


def spread_gaits(gait: Values | str, count: int) -> tuple[FloatArray, npt.NDArray[np.bool_]]:
    """The share of running wanted, and who is to choose by speed."""
    words = {"auto": 0.0, "walk": 0.0, "run": 1.0}
    if isinstance(gait, str):
        if gait not in words:
            raise LocomoteError(f"gait {gait!r}: expected 'auto', 'walk', 'run' or 0 to 1")
        return np.full(count, words[gait]), np.full(count, gait == "auto")
    return spread("gait", gait, count), np.zeros(count, dtype=np.bool_)
