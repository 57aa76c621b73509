"""``python -m locomote_lab study``: every number by which exact steps are judged, as tables of text."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from locomote.cli._shared import Json, Quiet, progress


def study(
    quick: Annotated[bool, typer.Option(help="Fewer random plans.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Measure exact steps: set scenes, candidates, what each part is good for, random plans; beside known figures."""
    from locomote_lab.steps.study import study as measure_all

    with progress("measuring", quiet or as_json):
        tables = measure_all(quick)
    if as_json:
        report = {table.title: [dict(zip(table.head, row, strict=True)) for row in table.rows] for table in tables}
        typer.echo(json.dumps(report, indent=2))
        return
    for table in tables:
        wide = [max(len(row[k]) for row in (table.head, *table.rows)) for k in range(len(table.head))]
        typer.echo(f"\n{table.title}")
        for row in (table.head, *table.rows):
            typer.echo("  " + "  ".join(cell.ljust(w) for cell, w in zip(row, wide, strict=True)).rstrip())
