"""Bodies with weight: the forces a motion needs, people who balance in a space of poses, simulated dogs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from locomote._lazy import facade

if TYPE_CHECKING:
    from locomote.physics._animal import Animal
    from locomote.physics._balanced import Balanced, Tuning
    from locomote.physics._climbing import Climb, climb
    from locomote.physics._dog import Dog
    from locomote.physics._features import (
        AngularMomentum,
        CentreOfMass,
        Foot,
        Gaze,
        HeadOverSupport,
        Orientation,
        Posture,
        Reach,
        Support,
        Upright,
    )
    from locomote.physics._following import Following
    from locomote.physics._forces import ContactForces, forces
    from locomote.physics._gait_library import GaitLibrary
    from locomote.physics._grips import Grips
    from locomote.physics._leap_book import LeapBook
    from locomote.physics._leap_model import LeapModel
    from locomote.physics._modal_bodies import ModalCreature
    from locomote.physics._plausibility import Plausibility
    from locomote.physics._policy import Policy
    from locomote.physics._retiming import Retimed, retime

_FEATURES = (
    *("AngularMomentum", "CentreOfMass", "Foot", "Gaze", "HeadOverSupport", "Orientation", "Posture", "Reach"),
    *("Support", "Upright"),
)

__all__ = [
    "AngularMomentum",
    "Animal",
    "Balanced",
    "CentreOfMass",
    "Climb",
    "ContactForces",
    "Dog",
    "Following",
    "Foot",
    "GaitLibrary",
    "Gaze",
    "Grips",
    "HeadOverSupport",
    "LeapBook",
    "LeapModel",
    "ModalCreature",
    "Orientation",
    "Plausibility",
    "Policy",
    "Posture",
    "Reach",
    "Retimed",
    "Support",
    "Tuning",
    "Upright",
    "climb",
    "forces",
    "retime",
]

__getattr__, __dir__ = facade(
    __name__,
    {
        **dict.fromkeys(_FEATURES, "_features"),
        "Animal": "_animal",
        **dict.fromkeys(("Balanced", "Tuning"), "_balanced"),
        **dict.fromkeys(("Climb", "climb"), "_climbing"),
        **dict.fromkeys(("ContactForces", "forces"), "_forces"),
        "Dog": "_dog",
        "Following": "_following",
        "GaitLibrary": "_gait_library",
        "Grips": "_grips",
        "LeapBook": "_leap_book",
        "LeapModel": "_leap_model",
        "ModalCreature": "_modal_bodies",
        "Plausibility": "_plausibility",
        "Policy": "_policy",
        **dict.fromkeys(("Retimed", "retime"), "_retiming"),
    },
)
