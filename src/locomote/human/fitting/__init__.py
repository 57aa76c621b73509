"""From recorded clips to the models of walking and jumping; nothing here is needed at run time."""

from locomote.human.fitting._corpus import Clip, Corpus, Performer, Source
from locomote.human.fitting._fit import FitResult, fit
from locomote.human.fitting._jump_fit import fit_jumps
from locomote.human.fitting._performers import add_style
from locomote.human.fitting._style import StyleFit, fit_style

__all__ = [
    "Clip",
    "Corpus",
    "FitResult",
    "Performer",
    "Source",
    "StyleFit",
    "add_style",
    "fit",
    "fit_jumps",
    "fit_style",
]
