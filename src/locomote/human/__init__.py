"""People who walk and run: a model fitted to recorded clips, and crowds that move by it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.human import fitting, jumps, scenes
    from locomote.human._crowd import Crowd
    from locomote.human._labels import Recording, record_labelled
    from locomote.human._manners import Manners, random_manners
    from locomote.human._model import HumanModel
    from locomote.human._recording import Recorder, record_all
    from locomote.human.fitting import Corpus, FitResult, StyleFit, add_style, fit, fit_style
    from locomote.human.jumps import plan_runup, plan_runups
    from locomote.human_body import Body, random_bodies
    from locomote.mannequin import mannequin

__all__ = [
    "Body",
    "Corpus",
    "Crowd",
    "FitResult",
    "HumanModel",
    "Manners",
    "Recorder",
    "Recording",
    "StyleFit",
    "add_style",
    "fit",
    "fit_style",
    "fitting",
    "jumps",
    "mannequin",
    "plan_runup",
    "plan_runups",
    "random_bodies",
    "random_manners",
    "record_all",
    "record_labelled",
    "scenes",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        "Body": "locomote.human_body",
        "Corpus": "fitting",
        "Crowd": "_crowd",
        "FitResult": "fitting",
        "HumanModel": "_model",
        "Manners": "_manners",
        "Recorder": "_recording",
        "Recording": "_labels",
        "StyleFit": "fitting",
        "add_style": "fitting",
        "fit": "fitting",
        "fit_style": "fitting",
        "fitting": "",
        "jumps": "",
        "mannequin": "locomote.mannequin",
        "plan_runup": "jumps",
        "plan_runups": "jumps",
        "random_bodies": "locomote.human_body",
        "random_manners": "_manners",
        "record_all": "_recording",
        "record_labelled": "_labels",
        "scenes": "",
    },
)
