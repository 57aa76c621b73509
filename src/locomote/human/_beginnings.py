"""How a crowd of people begins: whose bodies they have, on what ground they stand, and where."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human._model import HumanModel
from locomote.human_body import Body
from locomote.rotations import FloatArray
from locomote.world import Ground

SPACING = 1.5  # m between the characters of a new crowd


def check_crowd(model: object, count: object) -> None:
    """Refuse what is no model, and a crowd of nobody."""
    if not isinstance(model, HumanModel):
        raise LocomoteError(f"a crowd takes a HumanModel, such as HumanModel.default(), got {type(model).__name__}")
    if not (isinstance(count, (int, np.integer)) and count >= 1):
        raise LocomoteError(f"count {count}: a crowd has at least one character")


def bodies_of(body: Body | Sequence[Body | None] | None, count: int) -> tuple[Body | None, ...]:
    """The body of every character, None for the common one."""
    if body is None or isinstance(body, Body):
        return (body,) * count
    bodies = tuple(body) if isinstance(body, Sequence) else ()
    if len(bodies) != count or not all(each is None or isinstance(each, Body) for each in bodies):
        raise LocomoteError(f"body: expected a Body, or {count} of them, one for each character")
    return bodies


def level_ground(heights: FloatArray) -> Ground:
    """The ground of characters that were given none."""
    if np.ptp(heights) > 0.0:
        raise LocomoteError("positions: the characters stand at different heights; give the ground they are on")
    return Ground(float(heights[0]))


def places_of(positions: rot.ArrayLike | None, count: int) -> FloatArray:
    """World positions of a new crowd: as given, or on a square grid about the origin."""
    if positions is None:
        side = math.ceil(math.sqrt(count))
        row, column = np.divmod(np.arange(count), side)
        middle = 0.5 * (side - 1) if count > 1 else 0.0
        return SPACING * np.stack([column - middle, np.zeros(count), row - middle], axis=1)
    places = np.asarray(positions, dtype=np.float64)
    if places.shape not in ((3,), (count, 3)) or not np.all(np.isfinite(places)):
        raise LocomoteError(f"positions: expected finite numbers of shape ({count}, 3)")
    return np.broadcast_to(places, (count, 3))
