"""Bodies with weight: the forces a motion needs, and people who balance in a space of poses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.physics._climbing import Climb, climb
    from locomote.physics._forces import ContactForces, forces
    from locomote.physics._grips import Grips
    from locomote.physics._plausibility import Plausibility
    from locomote.physics._retiming import Retimed, retime

__all__ = [
    "Climb",
    "ContactForces",
    "Grips",
    "Plausibility",
    "Retimed",
    "climb",
    "forces",
    "retime",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        "Climb": "_climbing",
        "ContactForces": "_forces",
        "Grips": "_grips",
        "Plausibility": "_plausibility",
        "Retimed": "_retiming",
        "climb": "_climbing",
        "forces": "_forces",
        "retime": "_retiming",
    },
)
