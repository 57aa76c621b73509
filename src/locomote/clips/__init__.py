"""Clips as games play them: named, in place or with root motion, loops that close, with the events of the feet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.clips._clip import Clip, FootEvent, clip_of
    from locomote.clips._creatures import creature_clips
    from locomote.clips._people import person_clips
    from locomote.clips._saving import save_clips
    from locomote.clips._travel import Travel, travel_of

__all__ = [
    "Clip",
    "FootEvent",
    "Travel",
    "clip_of",
    "creature_clips",
    "person_clips",
    "save_clips",
    "travel_of",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        "Clip": "_clip",
        "FootEvent": "_clip",
        "Travel": "_travel",
        "clip_of": "_clip",
        "creature_clips": "_creatures",
        "person_clips": "_people",
        "save_clips": "_saving",
        "travel_of": "_travel",
    },
)
