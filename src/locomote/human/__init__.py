"""People who walk and run: a model fitted to recorded clips, and crowds that move by it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from locomote.human.corpus import Corpus
from locomote.human.fit import FitResult, fit  # at once: the module must not hide the function of its name
from locomote.human.model import HumanModel
from locomote.human.performers import add_style

if TYPE_CHECKING:
    from locomote.human.crowd import Crowd

__all__ = ["Corpus", "Crowd", "FitResult", "HumanModel", "add_style", "fit"]


def __getattr__(name: str) -> Any:
    if name != "Crowd":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from locomote.human.crowd import Crowd

    return Crowd
