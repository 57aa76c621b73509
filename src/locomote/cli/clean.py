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
    motion: Annotated[Path, typer.Argument(help="The motion to clean; or a folder of them, or a pattern.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write; a folder for several.")],
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
    """Keep planted feet where they stand and out of the floor; print figures from before and after.

    Of a folder every file is cleaned on all cores, as by `locomote batch clean`: what cannot be read is told at the
    end, and the figures of all are in the table batch.csv beside the results.
    """
    from locomote.batch._inputs import is_several
    from locomote.batch._verbs import clean_motion

    if is_several(motion):
        read_as = {"unit": unit, "up": up, "animation": animation, "drop_tpose": drop_tpose, "roles": roles}
        _clean_all(motion, output, {"floor": floor, "keep_tpose": keep_tpose, **read_as}, as_json, quiet)
        return

    source = read(motion, unit, up, animation, drop_tpose, roles)
    say_notes(motion, source, quiet)
    with progress(f"cleaning the feet of {motion.name}", quiet or as_json):
        report, notes = clean_motion(source, output, floor=floor, keep_tpose=keep_tpose)
    typer.echo(json.dumps({"file": str(output), **report}, indent=2, allow_nan=False) if as_json else _table(report))
    for note in notes:
        say(f"{motion}: {note}", quiet)
    if not report["reason"]:
        say(f"{output}: {report['frames']} frames, {report['after']['plants']} plants", quiet or as_json)


def _clean_all(motions: Path, output: Path, options: dict[str, Any], as_json: bool, quiet: bool) -> None:
    """Many files into a folder."""
    from locomote.batch import run
    from locomote.cli._batch import finish
    from locomote.cli._batch import progress as batch_progress

    with batch_progress(f"cleaning {motions}", quiet or as_json, False) as tell:
        made = run("clean", str(motions), output, progress=tell, **options)
    if as_json:
        typer.echo(json.dumps(list(made.entries.values()), indent=2, allow_nan=False))
    finish(made, "files", False, quiet or as_json)


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
