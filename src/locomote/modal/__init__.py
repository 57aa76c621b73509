"""Natural vibrations: gaits of any jointed body without data, trees in the wind."""

from __future__ import annotations

from locomote._lazy import facade

__all__: list[str] = []

__getattr__, __dir__ = facade(__name__, {})
