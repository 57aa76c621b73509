"""Bodies with weight: the forces a motion needs, and people who balance in a space of poses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.physics._forces import ContactForces, forces
    from locomote.physics._plausibility import Plausibility

__all__ = [
    "ContactForces",
    "Plausibility",
    "forces",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        "ContactForces": "_forces",
        "Plausibility": "_plausibility",
        "forces": "_forces",
    },
)
