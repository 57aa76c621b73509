"""Bodies with weight: the forces a motion needs, and people who balance in a space of poses."""

from __future__ import annotations

from locomote._lazy import facade

__all__: list[str] = []

__getattr__, __dir__ = facade(__name__, {})
