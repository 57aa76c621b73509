"""``locomote clean``: foot skate and ground penetration taken out of a clip."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

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

if TYPE_CHECKING:  # the verb imports it when it runs, to keep `--help` light
    from locomote.cleaning import Cleaned

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
    from locomote.cleaning import clean as clean_feet
    from locomote.contacts import Floor
    from locomote.formats import save

    source = read(motion, unit, up, animation, drop_tpose, roles)
    say_notes(motion, source, quiet)
    with progress(f"cleaning the feet of {motion.name}", quiet or as_json):
        done = clean_feet(source, floor=None if floor is None else Floor(floor), keep_tpose=keep_tpose)
    save(done.motion, output)
    if as_json:
        typer.echo(json.dumps({"file": str(output), **done.as_dict()}, indent=2, allow_nan=False))
    else:
        typer.echo(_table(done))
    for note in done.notes:
        say(f"{motion}: {note}", quiet)
    if done.reason:
        say(f"{output}: unchanged, {done.reason}", quiet)
    else:
        say(f"{output}: {len(done.motion)} frames, {done.after.plants} plants", quiet or as_json)


def _table(done: Cleaned) -> str:
    """Figures down, before and after across, as plain text that also reads well in a log."""
    from locomote.measures import FIGURES

    rows = [("", "before", "after", "")]
    for name in ROWS:
        unit, meaning = FIGURES[name]
        before, after = (f"{getattr(figures, name):.3f}" for figures in (done.before, done.after))
        rows.append((name, before, after, f"{unit + '  ' if unit else ''}{meaning}"))
    rows.append(("mean_change", "", f"{done.mean_change:.3f}", "mm  of the joints' places, over all frames"))
    rows.append(("max_change", "", f"{done.max_change:.3f}", "mm  the same, largest"))
    rows.append(("sink", "", f"{done.sink:.3f}", "mm  the most by which the body was lowered"))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return "\n".join(
        f"{name.ljust(widths[0])}  {before.rjust(widths[1])}  {after.rjust(widths[2])}  {about}".rstrip()
        for name, before, after, about in rows
    )
