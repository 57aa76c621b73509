"""``locomote clean``: foot skate and ground penetration taken out of a clip."""

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

# The figures of the table, in its order.
ROWS = (
    "drift_median",
    "drift_p95",
    "drift_max",
    "penetration",
    "floating",
    "skate_contact",
    "skate_ratio",
    "peak_acceleration",
)


def clean(
    motion: Annotated[Path, typer.Argument(help="The motion to clean.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write.")],
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
    """Keep planted feet where they stand and out of the floor; print figures from before and after."""
    from locomote.batch._verbs import clean_motion

    source = read(motion, unit, up, animation, drop_tpose, roles)
    say_notes(motion, source, quiet)
    with progress(f"cleaning the feet of {motion.name}", quiet or as_json):
        report, notes = clean_motion(source, output, floor=floor, keep_tpose=keep_tpose)
    typer.echo(json.dumps({"file": str(output), **report}, indent=2, allow_nan=False) if as_json else _table(report))
    for note in notes:
        say(f"{motion}: {note}", quiet)
    if not report["reason"]:
        say(f"{output}: {report['frames']} frames, {report['after']['plants']} plants", quiet or as_json)


def _table(report: Mapping[str, Any]) -> str:
    """Figures down, before and after across, as plain text that also reads well in a log."""
    from locomote.measures import FIGURES

    rows = [("", "before", "after", "")]
    for name in ROWS:
        unit, meaning = FIGURES[name]
        before, after = (f"{report[when][name]:.3f}" for when in ("before", "after"))
        rows.append((name, before, after, f"{unit + '  ' if unit else ''}{meaning}"))
    rows.append(("mean_change", "", f"{report['mean_change']:.3f}", "mm  of the joints' places, over all frames"))
    rows.append(("max_change", "", f"{report['max_change']:.3f}", "mm  the same, largest"))
    rows.append(("sink", "", f"{report['sink']:.3f}", "mm  the most by which the body was lowered"))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return "\n".join(
        f"{name.ljust(widths[0])}  {before.rjust(widths[1])}  {after.rjust(widths[2])}  {about}".rstrip()
        for name, before, after, about in rows
    )
