"""Foot plans and stones as tables: CSV files, rows of names and values, arrays."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.formats._files import atomic_path, read_bytes
from locomote.rotations import FloatArray
from locomote.steps._plan import LEFT, RIGHT, FootPlan

PLAN_COLUMNS = ("side", "x", "y", "z", "yaw", "time")
STONE_COLUMNS = ("x", "y", "z", "radius")
_LETTERS = "LR"
_SIDES = {"l": LEFT, "left": LEFT, "r": RIGHT, "right": RIGHT}

Row = Mapping[str, Any]


def read_plan(path: str | PathLike[str]) -> FootPlan:
    """A foot plan from a CSV file with the columns side (L or R), x, z and perhaps y, yaw and time.

    Metres, seconds; yaws in radians, or in degrees such as 30deg. An empty cell of yaw or time leaves it free.
    """
    path = Path(path)
    rows = _read_rows(path, PLAN_COLUMNS, ("side", "x", "z"))
    return _joined(_reported(path, number, _plant, row) for number, row in rows)


def write_plan(plan: FootPlan, path: str | PathLike[str]) -> None:
    """Write a foot plan as a CSV file; columns that are free everywhere are left out.

    Parameters
    ----------
    plan : what is written
    path : .csv
    """
    columns: dict[str, list[str]] = {"side": [_LETTERS[side] for side in plan.sides]}
    for axis, name in enumerate("xyz"):
        columns[name] = [f"{value:.6g}" for value in np.round(plan.places[:, axis], 6) + 0.0]
    for name, values in (("yaw", plan.yaws), ("time", plan.times)):
        if np.any(np.isfinite(values)):
            columns[name] = ["" if math.isnan(value) else f"{value:.6g}" for value in values]
    lines = [",".join(columns), *(",".join(cells) for cells in zip(*columns.values(), strict=True))]
    with atomic_path(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def plan_of_rows(rows: Iterable[Row]) -> FootPlan:
    """A foot plan from rows such as ``{"side": "L", "x": 0.1, "z": 0.6}``, with y, yaw and time if wanted."""
    plants = []
    for number, row in enumerate(rows, 1):
        unknown = [name for name in row if name not in PLAN_COLUMNS]
        missing = [name for name in ("side", "x", "z") if name not in row]
        if unknown or missing:
            what = f"unknown {unknown[0]!r}" if unknown else f"{missing[0]!r} is missing"
            raise LocomoteError(f"plant {number}: {what}; the names are: {', '.join(PLAN_COLUMNS)}")
        try:
            plants.append(_plant(row))
        except LocomoteError as error:
            raise LocomoteError(f"plant {number}: {error}") from None
    return _joined(plants)


def read_stones(path: str | PathLike[str]) -> tuple[FloatArray, FloatArray]:
    """Places ``(M, 3)`` and radii ``(M,)`` of stones from a CSV file with the columns x, z and perhaps y, radius."""
    path = Path(path)
    rows = _read_rows(path, STONE_COLUMNS, ("x", "z"))
    table = np.array([_reported(path, number, _stone, row) for number, row in rows])
    return table[:, :3], table[:, 3]


def _read_rows(path: Path, known: Sequence[str], needed: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """The rows of a CSV file with the numbers of their lines."""
    try:
        text = read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise FormatError(path, "not a text file") from None
    header: list[str] = []
    rows = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = [cell.strip() for cell in next(csv.reader(io.StringIO(line)))]
        if not header:
            header = [cell.lower() for cell in cells]
            _check_header(path, number, header, known, needed)
            continue
        if len(cells) != len(header):
            raise FormatError(path, f"expected {len(header)} cells ({','.join(header)}), got {len(cells)}", number)
        rows.append((number, dict(zip(header, cells, strict=True))))
    if not header:
        raise FormatError(path, f"expected a header such as {','.join(needed)}")
    if not rows:
        raise FormatError(path, "a header and nothing below it")
    return rows


def _check_header(path: Path, number: int, header: list[str], known: Sequence[str], needed: Sequence[str]) -> None:
    for name in header:
        if name not in known:
            raise FormatError(path, f"unknown column {name!r} in the header; there are: {', '.join(known)}", number)
        if header.count(name) > 1:
            raise FormatError(path, f"column {name!r} twice", number)
    for name in needed:
        if name not in header:
            raise FormatError(path, f"no column {name!r}; needed are: {', '.join(needed)}", number)


def _reported(path: Path, number: int, read: Any, row: Row) -> tuple[float, ...]:
    try:
        values: tuple[float, ...] = read(row)
    except LocomoteError as error:
        raise FormatError(path, str(error), number) from None
    return values


def _plant(row: Row) -> tuple[float, ...]:
    """Side, x, y, z, yaw, time; NaN where free."""
    side = _SIDES.get(str(row["side"]).strip().lower(), row["side"])
    if isinstance(side, bool) or side not in (LEFT, RIGHT):
        raise LocomoteError(f"side {row['side']!r}, expected L or R")
    place = [_number(row, name, 0.0 if name == "y" else None) for name in ("x", "y", "z")]
    return float(side), *place, _angle(row), _number(row, "time", math.nan)


def _stone(row: Row) -> tuple[float, ...]:
    radius = _number(row, "radius", 0.0)
    if radius < 0.0:
        raise LocomoteError(f"radius {row['radius']!r}, expected metres of at least 0")
    return _number(row, "x"), _number(row, "y", 0.0), _number(row, "z"), radius


def _number(row: Row, name: str, otherwise: float | None = None) -> float:
    """A finite number; ``otherwise`` if there is none and there need not be one."""
    value = row.get(name)
    if otherwise is not None and (value is None or value == "" or (math.isnan(otherwise) and value != value)):
        return otherwise
    try:
        number = math.nan if value is None else float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise LocomoteError(f"{name} is {value!r}, expected a finite number")
    return number


def _angle(row: Row) -> float:
    value = row.get("yaw")
    if isinstance(value, str) and value.strip().lower().endswith("deg"):
        return math.radians(_number({"yaw": value.strip()[:-3]}, "yaw"))
    return _number(row, "yaw", math.nan)


def _joined(plants: Iterable[tuple[float, ...]]) -> FootPlan:
    table = np.array(list(plants), dtype=np.float64).reshape(-1, 6)
    return FootPlan(table[:, 0].astype(np.int64), table[:, 1:4], table[:, 4], table[:, 5])
