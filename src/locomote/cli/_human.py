"""What the verbs of the walking engine share: the model, output files checked before the work, figures."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.human.model import HumanModel
    from locomote.measures import Measures
    from locomote.motion import Motion

ModelFile = Annotated[
    Path | None, typer.Option("--model", help="Model file of `locomote fit`.", show_default="the shipped one")
]


def model_of(path: Path | None) -> HumanModel:
    """The model that was asked for, or the one that comes with the package."""
    from locomote.human.model import HumanModel

    return HumanModel.default() if path is None else HumanModel.load(path)


def check_motion_file(path: Path) -> None:
    """Refuse a file that could not be written, before any work is done for it."""
    from locomote.formats import FORMATS
    from locomote.formats._files import split_name

    form = FORMATS.get(split_name(path)[1])
    if form is None or not form.writes:
        known = ", ".join(extension for extension, one in FORMATS.items() if one.writes)
        raise LocomoteError(f"{path}: not a format that is written; those that are: {known}")
    check_place(path)


def check_place(path: Path) -> None:
    """Refuse a file name that is a folder, or lies in none."""
    if path.is_dir():
        raise LocomoteError(f"{path}: is a folder, expected the name of a file")
    if not path.absolute().parent.is_dir():
        raise LocomoteError(f"{path}: the folder {path.absolute().parent} does not exist")


def make_folder(path: Path) -> None:
    """Make a folder for results."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be made: {error.strerror}") from None


def figures_of(motion: Motion, figures: Measures) -> dict[str, Any]:
    """What a script wants to know of a motion that was made."""
    end = motion.root_positions[-1]
    return {**figures.as_dict(), "end": {"x": round(float(end[0]), 4), "z": round(float(end[2]), 4)}}


def sentence(figures: Measures) -> str:
    """What a person wants to know of a motion that was made."""
    parts = [
        f"{figures.frames} frames at {figures.fps:g} fps",
        f"{figures.path_length:.2f} m in {figures.duration:.2f} s",
        f"{figures.speed:.2f} m/s",
    ]
    if figures.cadence is not None:
        parts.append(f"{figures.cadence:.0f} steps/min")
    if figures.plants:
        parts.append(f"planted feet drift {figures.drift_p95:.1f} mm (95th percentile)")
    return ", ".join(parts)
