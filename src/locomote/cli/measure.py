"""``locomote measure``: figures of one or more clips, also relative to a source and as a check."""

from __future__ import annotations

import json
import math
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

SHORT_NAMES = {"skate": "skate_ratio", "drift": "drift_max", "double": "double_support"}

MOST_ACROSS = 4  # files that stand side by side in the table; more have a line each
LEADING = ("speed", "drift_p95", "drift_max", "skate_ratio", "penetration", "floating", "pops")
RUNNING = 0.02  # share of the time on no foot, from which on people run


def measure(
    files: Annotated[list[Path], typer.Argument(help="Motion files, folders of them, or patterns.")],
    against: Annotated[Path | None, typer.Option(help="Source clip: also give every figure relative to it.")] = None,
    fail_over: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=LIMIT", help="Exit 1 when a figure is above a limit, such as skate=0.3. Repeatable."
        ),
    ] = None,
    table: Annotated[
        Path | None, typer.Option("--csv", help="Table to write: a line for each file.", show_default="none")
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
    """Measure sliding, planted drift, penetration, pops and the gait itself.

    Files that cannot be read are told at the end, with exit code 2; all others are measured. For thousands of files, on
    all cores, there is `locomote batch measure`.
    """
    from locomote.batch._inputs import files_of
    from locomote.batch._verbs import measure_motion

    bounds = [limit_of(text) for text in fail_over or []]
    source = read(against, unit, up, None, drop_tpose, roles) if against else None
    reports: list[dict[str, Any]] = []
    failures: list[str] = []
    wrong: list[str] = []
    paths = files_of(files)
    with progress(f"measuring {len(paths)} file{'s' if len(paths) > 1 else ''}", quiet or as_json) as step:
        for done, path in enumerate(paths):
            step(done, len(paths))
            try:
                motion = read(path, unit, up, animation, drop_tpose, roles)
                found = measure_motion(motion, against=source, keep_tpose=keep_tpose)
            except LocomoteError as error:
                if len(paths) == 1:
                    raise
                wrong.append(str(error) if str(path) in str(error) else f"{path}: {error}")
                continue
            say_notes(path, motion, quiet)
            for note in found.notes:
                say(f"{path}: {note}", quiet)
            reports.append({"file": str(path), **found.report})
            failures += [f"{path}: {text}" for text in over_limits(found.report, bounds)]
    if table is not None:
        _write_csv(reports, table)
    if as_json:
        typer.echo(json.dumps(reports, indent=2, allow_nan=False))
    elif len(reports) > MOST_ACROSS:
        typer.echo(_lines(reports))
    elif reports:
        typer.echo(_table(reports, against is not None))
    for text in [*failures, *wrong]:
        typer.echo(f"locomote: {' '.join(text.split())}", err=True)
    if wrong:
        say(f"{len(reports)} of {len(paths)} files are measured", quiet or as_json)
        raise typer.Exit(2)
    if failures:
        raise typer.Exit(1)


def _write_csv(reports: list[dict[str, Any]], path: Path) -> None:
    """A line for each file, a column for each figure."""
    import csv

    from locomote.batch._table import figures_of
    from locomote.formats._files import atomic_path

    rows = [figures_of(report) for report in reports]
    names = list(dict.fromkeys(name for row in rows for name in row))
    with atomic_path(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names or ["file"])
        writer.writeheader()
        writer.writerows(rows)


def _lines(reports: list[dict[str, Any]]) -> str:
    """A line for each of many files, with the figures that say most; all of them are in the table of ``--csv``."""
    rows = [["", *LEADING], *([report["file"], *(_cell(report[name]) for name in LEADING)] for report in reports)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))])
        for row in rows
    )


def limit_of(text: str) -> tuple[str, float]:
    """A figure and its limit, of NAME=LIMIT."""
    from locomote.measures import FIGURES

    name, _, value = text.partition("=")
    name = SHORT_NAMES.get(name, name)
    try:
        limit = float(value)
    except ValueError:
        limit = math.nan
    if name not in FIGURES or not math.isfinite(limit):
        known = ", ".join([*SHORT_NAMES, *FIGURES])
        raise LocomoteError(f"--fail-over {text}: expected NAME=NUMBER with one of the names {known}")
    return name, limit


def over_limits(figures: Mapping[str, Any], limits: list[tuple[str, float]]) -> list[str]:
    """Which figures of a clip are over their limits, in words.

    Parameters
    ----------
    figures : by name
    limits : names and limits
    """
    return [
        f"{name} is {figures[name]:.4g}, over the limit of {limit:g}"
        for name, limit in limits
        if figures.get(name) is not None and figures[name] > limit
    ]


def _table(reports: list[dict[str, Any]], relative: bool) -> str:
    """Figures down, files across, as plain text that also reads well in a log."""
    from locomote.measures import FIGURES

    heads = [Path(report["file"]).name for report in reports]
    if relative:
        heads = [column for head in heads for column in (head, "vs source")]
    recorded = _recorded(reports[0]) if len(reports) == 1 else {}
    rows = [["", *heads, *(["recorded"] if recorded else []), ""]]
    for name, (unit, meaning) in FIGURES.items():
        cells: list[str] = []
        for report in reports:
            cells.append(_cell(report[name]))
            if relative:
                ratio = report["against"]["figures"][name]["ratio"]
                cells.append("" if ratio is None else f"x {ratio:.2f}")
        if recorded:
            cells.append(recorded.get(name, ""))
        rows.append([name, *cells, f"{unit + '  ' if unit else ''}{meaning}"])
    if relative:
        cells = [c for r in reports for c in (f"{r['against']['motion_distance_degrees']:.2f}", "")]
        cells += [""] if recorded else []
        rows.append(["motion_distance", *cells, "deg  rms angle of limb joints to the source"])
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]) - 1)]
    lines = []
    for row in rows:
        cells = [row[0].ljust(widths[0])] + [c.rjust(w) for c, w in zip(row[1:-1], widths[1:], strict=True)]
        lines.append("  ".join([*cells, row[-1]]).rstrip())
    return "\n".join(lines)


def _recorded(report: dict[str, Any]) -> dict[str, str]:
    """From where to where nine in ten recorded people are at this speed, where a body has arms and goes on two legs."""
    from locomote.measures import recorded_range

    if report["arm_swing"] is None:
        return {}
    gait = "run" if (report["flight"] or 0.0) > RUNNING else "walk"
    found = {name: recorded_range(name, gait, report["speed"]) for name in report if name not in ("file", "name")}
    return {name: f"{each.p5:.3g} .. {each.p95:.3g}" for name, each in found.items() if each is not None}


def _cell(value: float | int | None) -> str:
    if value is None:
        return "-"
    return str(value) if isinstance(value, int) else f"{value:.3f}" if abs(value) < 100 else f"{value:.1f}"
