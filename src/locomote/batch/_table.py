"""Figures of all results in one table."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from locomote.formats._files import atomic_path

NAME = "batch.csv"


def figures_of(report: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """The single values of a report, those of its parts as ``part.name``, without those of single joints.

    Parameters
    ----------
    report : as it is written in JSON
    before : put before every name
    """
    out: dict[str, Any] = {}
    for name, value in report.items():
        if isinstance(value, Mapping):
            out |= {} if name == "joint_acceleration" else figures_of(value, f"{before}{name}.")
        elif not isinstance(value, list):
            out[f"{before}{name}"] = value
    return out


def write_table(folder: Path, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Write a line for each result that was made, or none where they have no figures.

    Parameters
    ----------
    folder : of the results
    entries : what the record says of each
    """
    done = {output: entry for output, entry in entries.items() if entry.get("figures")}
    names = list(dict.fromkeys(name for entry in done.values() for name in entry["figures"]))
    if not names:
        return
    with atomic_path(folder / NAME) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(["output", *names])
        for output, entry in done.items():
            table.writerow([output, *(entry["figures"].get(name) for name in names)])
