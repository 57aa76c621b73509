"""Trees in the wind: grown or given, analysed once, thousands of them swayed live by a wind that one steers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.modal.trees._beams import Material
    from locomote.modal.trees._detail import Detail
    from locomote.modal.trees._forest import Forest
    from locomote.modal.trees._species import NAMES, Species

__all__ = ["NAMES", "Detail", "Forest", "Material", "Species"]

__getattr__, __dir__ = facade(
    __name__,
    {"NAMES": "_species", "Detail": "_detail", "Forest": "_forest", "Material": "_beams", "Species": "_species"},
)
