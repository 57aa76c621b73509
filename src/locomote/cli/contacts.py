"""``locomote contacts``: where and when the feet of a clip touch the ground."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from locomote.cli._shared import (
    Animation,
    DropTpose,
    Json,
    KeepTpose,
    Quiet,
    RolesFile,
    Unit,
    Up,
    progress,
    read,
    say,
    say_notes,
)
from locomote.errors import LocomoteError


def contacts(
    motion: Annotated[Path, typer.Argument(help="The motion.")],
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File of all contacts and events: .json, or .npz for arrays.")
    ] = None,
    gait: Annotated[str, typer.Option(help="auto, walk or run: by which law feet leave the ground.")] = "auto",
    floor: Annotated[
        float | None,
        typer.Option(help="Height of a level floor under the feet's joints, m.", show_default="found"),
    ] = None,
    unit: Unit = None,
    up: Up = None,
    animation: Animation = None,
    drop_tpose: DropTpose = False,
    keep_tpose: KeepTpose = False,
    roles: RolesFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the floor, foot contacts, strikes and lifts, and the phase of the gait."""
    from locomote.batch._contacts import EXTENSIONS
    from locomote.batch._verbs import contacts_motion

    if output is not None and output.suffix.lower() not in EXTENSIONS:
        raise LocomoteError(f"{output}: contacts are written as {' or '.join(EXTENSIONS)}")
    source = read(motion, unit, up, animation, drop_tpose, roles)
    say_notes(motion, source, quiet)
    with progress(f"contacts of {motion.name}", quiet or as_json):
        report, notes = contacts_motion(source, output, gait=gait, floor=floor, keep_tpose=keep_tpose)
    typer.echo(json.dumps({"file": str(motion), **report}, indent=2, allow_nan=False) if as_json else _sentence(report))
    for note in notes:
        say(f"{motion}: {note}", quiet)


def _sentence(report: Mapping[str, Any]) -> str:
    return (
        f"{report['frames']} frames at {report['fps']:g} fps, {report['feet']} feet: {report['strikes']} strikes, "
        f"{report['lifts']} lifts; a foot is on the ground for {100 * report['on_the_ground']:.0f} % of the time, "
        f"no foot for {100 * report['flight']:.0f} %; floor at {report['floor']['height']:.3f} m"
    )
