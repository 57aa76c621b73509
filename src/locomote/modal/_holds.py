"""What a body is held by while it vibrates: a head that is steady, hands on a cart, feet on the ground."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.modal._jointed import JointedBody
from locomote.modal._rows import point_rows, turn_rows
from locomote.rotations import FloatArray

KINDS = ("turn", "place", "fixed", "rail")


@dataclass(frozen=True)
class Hold:
    """Some joints of a body, held.

    Parameters
    ----------
    kind : "turn" does not turn; "place" stays where it is, but may turn; "fixed" does neither; "rail" goes straight
        ahead alone, all of them as far: hands on a cart
    joints : names
    """

    kind: str
    joints: tuple[str, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "joints", tuple(self.joints))
        if self.kind not in KINDS:
            raise LocomoteError(f"hold {self.kind!r}: expected one of {', '.join(KINDS)}")
        if not self.joints:
            raise LocomoteError(f"hold {self.kind!r}: name the joints that are held")

    def rows(self, body: JointedBody) -> FloatArray:
        """Rates ``(C, 6 B)`` that are 0 for a body that is held so; places are those of the segments' centres."""
        linkage = body.linkage
        held = [body.body(name) for name in self.joints]
        places = [point_rows(linkage, b, linkage.centre[b]) for b in held]
        turns = [turn_rows(linkage, b) for b in held]
        if self.kind == "turn":
            return np.concatenate(turns)
        if self.kind == "place":
            return np.concatenate(places)
        if self.kind == "fixed":
            return np.concatenate(turns + places)
        across = [rows[:2] for rows in places]
        together = [rows[2:] - places[0][2:] for rows in places[1:]]
        return np.concatenate(across + together)
