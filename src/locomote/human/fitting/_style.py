"""A style from a few clips of one person, put into a model that is already fitted (PCA-024)."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from locomote.contacts import Contacts, detect
from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.formats.bvh import added_tpose
from locomote.human._model import HumanModel
from locomote.human.fitting._cycles import Rejection
from locomote.human.fitting._gaits import GAITS
from locomote.human.fitting._importing import Capture
from locomote.human.fitting._material import Skipped, Take, captured, material_of, told
from locomote.human.fitting._performers import add_style
from locomote.motion import Motion

Recorded = str | os.PathLike[str] | Motion
# A foot of a runner stands for less than this share of the time, that of a walker for more: 0.30 to 0.51 in 44
# recorded runs, 0.64 and more in 62 walks.
RUNNING_DUTY = 0.57
WORDS = {"walk": "walking", "run": "running"}


@dataclass(frozen=True, eq=False)
class StyleFit:
    """A model with one more style, and what it was made from."""

    model: HumanModel
    name: str
    cycles: dict[str, int]  # by gait, those that were used
    rejections: tuple[Rejection, ...]  # cycles that were turned down
    skipped: tuple[Skipped, ...]  # clips of which nothing was used

    def text(self) -> str:
        """One line for a person."""
        used = " and ".join(f"{count} cycles of {WORDS[gait]}" for gait, count in self.cycles.items())
        borrowed = [f"; {WORDS[gait]} is inferred" for gait in GAITS if gait not in self.cycles]
        return f"style {self.name!r} from {used}{''.join(borrowed)}"


def fit_style(
    clips: Sequence[Recorded],
    name: str,
    *,
    model: HumanModel | None = None,
    gait: str = "auto",
    stand: Sequence[Recorded] = (),
    hip_height: float | None = None,
    about: str = "",
    **options: Any,
) -> StyleFit:
    """A style of walking and running from a few clips of ONE person, added to a fitted model.

    Each clip shows one gait. Treadmills are recognised. A clip that is of no use is skipped and listed. Further
    keywords go to `load` for every file, such as up="z" or unit="cm".

    Parameters
    ----------
    clips : motion files or motions; three that differ in speed are good, one straight stride is enough
    name : of the style
    model : that gets the style; the shipped one without it
    gait : "walk", "run", or "auto": by how long the feet of each clip stand
    stand : clips in which the person stands still for a while; the pose is inferred from the walk without them
    hip_height : m, where the skeletons of the files do not tell it rightly
    about : where the clips come from and under which licence, kept in the model
    """
    base = HumanModel.default() if model is None else model
    if gait not in ("auto", *GAITS):
        raise LocomoteError(f"gait {gait!r}: expected auto, walk or run")
    if name in base.styles:
        raise LocomoteError(f"style {name!r} is in the model already; its styles are: {', '.join(base.styles)}")
    takes: list[Take] = []
    skipped: list[Skipped] = []
    for what, clip in [*((gait, clip) for clip in clips), *(("stand", clip) for clip in stand)]:
        try:
            takes.append(_take(clip, what, hip_height, options))
        except LocomoteError as error:
            skipped.append(Skipped(f"clip {_name(clip)}", str(error)))
    found = material_of(name, takes, skipped)
    if not found.units:
        why = told(found.skipped[:-1]) or "no clip was given"
        raise LocomoteError(f"style {name!r}: no clean cycle of walking or running: {why}")
    wider = add_style(base, found.units, name, stand=found.stands.get(name))
    if about:
        wider = replace(wider, about=f"{wider.about}\nStyle {name!r}: {about}")
    counts = Counter(unit.gait for unit in found.units)
    return StyleFit(wider, name, {g: counts[g] for g in GAITS if counts[g]}, found.rejections, found.skipped)


def _take(clip: Recorded, what: str, hip_height: float | None, options: dict[str, Any]) -> Take:
    """A clip on the common skeleton without what was added before it, over the ground that it was recorded on."""
    motion = clip if isinstance(clip, Motion) else load(clip, **options)
    motion = motion[added_tpose(motion) :]
    capture, _ = captured(motion, hip_height)
    if what == "stand":
        return Take(_name(clip), what, capture)
    contacts = detect(motion)
    gait = what if what != "auto" else _gait(contacts)
    return Take(_name(clip), gait, _over_ground(capture, contacts))


def _gait(contacts: Contacts) -> str:
    return "run" if float(np.mean(contacts.foot)) < RUNNING_DUTY else "walk"


def _over_ground(capture: Capture, contacts: Contacts) -> Capture:
    """The capture as it goes relative to a treadmill's belt."""
    velocity = np.asarray(contacts.belt_velocity) / capture.hip_height
    if not np.any(velocity):
        return capture
    return replace(capture, root=capture.root - np.outer(np.arange(len(capture)) / capture.fps, velocity))


def _name(clip: Recorded) -> str:
    return clip.name if isinstance(clip, Motion) else Path(clip).name
