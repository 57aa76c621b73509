"""What the verbs of the walking engine share: the model, output files checked before the work, figures."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.contacts import Contacts
    from locomote.contacts.footing import GroundOrTimes, ObstaclesOrTimes
    from locomote.human._model import HumanModel
    from locomote.human.scenes._timed_obstacles import TimedObstacles
    from locomote.measures import Measures
    from locomote.motion import Motion
    from locomote.world import Ground

ModelFile = Annotated[
    Path | None, typer.Option("--model", help="Model file of `locomote fit`.", show_default="the shipped one")
]


def model_of(path: Path | None) -> HumanModel:
    """The model that was asked for, or the one that comes with the package."""
    from locomote.human._model import HumanModel

    return HumanModel.default() if path is None else HumanModel.load(path)


def check_one_file(output: Path, count: int, who: str) -> None:
    """See before any work is done that as many motions as there are can be written into one file."""
    from locomote.formats import FORMATS
    from locomote.formats._files import split_name

    form = FORMATS.get(split_name(output)[1])
    if count > 1 and form is not None and not form.several:
        raise LocomoteError(
            f"{output}: {count} {who} go into a USD file, such as {output.stem}.usdc, or into a folder, "
            "not into one file of this format"
        )
    check_motion_file(output)


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
    if path.exists() and not path.is_dir():
        raise LocomoteError(f"{path}: is a file, expected a folder")
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be made: {error.strerror}") from None


def over_time(ground: Ground | None) -> GroundOrTimes:
    """The ground as pictures take it: at the time of each if it moves."""
    return ground.at if ground is not None and ground.moves else ground


def obstacles_over_time(obstacles: TimedObstacles | None) -> ObstaclesOrTimes:
    """Obstacles as pictures take them: at the time of each if any appears, vanishes or moves."""
    if obstacles is None or len(obstacles) == 0:
        return None
    return obstacles.at if obstacles.changes else obstacles.at(0.0)


def measured(motion: Motion, ground: Ground | None) -> tuple[Contacts, Measures]:
    """Contacts and figures of a motion; heights and drifts are relative to the ground, also where it moves."""
    from locomote.contacts import detect
    from locomote.contacts.footing import Footing, contacts_on, feet_on
    from locomote.measures import measure
    from locomote.measures.report import figures

    under = over_time(ground)
    if under is None:
        contacts = detect(motion)
        return contacts, measure(motion, contacts)
    footing = Footing(under, motion)
    feet = feet_on(motion, footing)
    contacts = contacts_on(motion, feet, footing)
    return contacts, figures(motion, replace(contacts, points=feet - footing.carried(feet)))


def figures_of(motion: Motion, figures: Measures, ground: Ground | None = None) -> dict[str, Any]:
    """What a script wants to know of a motion that was made."""
    end = motion.root_positions[-1]
    out = {**figures.as_dict(), "end": {"x": round(float(end[0]), 4), "z": round(float(end[2]), 4)}}
    if ground is not None:
        from locomote.contacts.footing import Footing

        under = Footing(over_time(ground) or ground, motion).heights(motion.root_positions)
        heights = {"start": under[0], "end": under[-1], "lowest": under.min(), "highest": under.max()}
        out["ground"] = {"moves": ground.moves, **{k: round(float(h), 4) for k, h in heights.items()}}
    return out


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
