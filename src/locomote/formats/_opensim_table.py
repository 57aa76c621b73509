"""OpenSim's text files as arrays, in our axes and units: tables (.mot, .sto), markers (.trc), ground forces.

OpenSim has x forward, y up and z to the right; ours is X to the left, Y up and Z forward.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from os import PathLike
from pathlib import Path

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.formats._files import read_bytes
from locomote.rotations import FloatArray

METRES = {"mm": 1e-3, "cm": 1e-2, "m": 1.0}
WHOLE_RATE = 1e-5  # relative; a rate this near to a whole number is that number
RADIANS_KNEE_LIMIT = 3.5  # rad; no knee bends this far, so larger numbers are degrees

# Columns of a table that are no angles: translations, forces, points, moments, activations.
_NOT_AN_ANGLE = re.compile(r"_t[xyz]$|_[vpm][xyz]?\d*$|force|torque|moment|activation|fiber|marker", re.IGNORECASE)
_FEET = {"right": (r"r_ground_{}_{}", r"ground_{}_r_{}", r"ground_{}_{}"),
         "left": (r"l_ground_{}_{}", r"ground_{}_l_{}", r"1_ground_{}_{}")}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Table:
    """The numbers of a .mot or .sto file; angles are radians whatever the file uses."""

    names: tuple[str, ...]  # of the columns, without "time"
    columns: FloatArray  # (R, C)
    times: FloatArray  # (R,) seconds
    metadata: dict[str, str]  # the header's keys and values as written
    rate: float  # rows a second

    def __len__(self) -> int:
        return len(self.times)

    def column(self, name: str) -> FloatArray:
        """One column by name, ``(R,)``."""
        try:
            return self.columns[:, self.names.index(name)]
        except ValueError:
            raise LocomoteError(f"no column {name!r}; the columns are: {', '.join(self.names)}") from None


@dataclass(frozen=True, eq=False)
class Markers:
    """Marker positions in the world, metres, our axes."""

    names: tuple[str, ...]
    positions: FloatArray  # (F, M, 3); NaN where a marker was not seen
    times: FloatArray  # (F,) seconds
    fps: float

    def position(self, name: str) -> FloatArray:
        """One marker by name, ``(F, 3)``."""
        try:
            return self.positions[:, self.names.index(name)]
        except ValueError:
            raise LocomoteError(f"no marker {name!r}; the markers are: {', '.join(self.names)}") from None


@dataclass(frozen=True, eq=False)
class FootForce:
    """What the ground does to one foot, in the world, our axes.

    Where the force is zero the centre of pressure is what the file says there, and means nothing.
    """

    force: FloatArray  # (R, 3) newtons
    centre: FloatArray  # (R, 3) metres, the centre of pressure
    moment: FloatArray  # (R, 3) newton metres, the free moment at the centre of pressure


@dataclass(frozen=True, eq=False)
class Forces:
    """Ground forces of both feet."""

    right: FootForce
    left: FootForce
    times: FloatArray  # (R,) seconds
    rate: float  # samples a second

    def foot(self, side: str) -> FootForce:
        """The forces of the foot on one side, ``"right"`` or ``"left"``."""
        if side not in ("right", "left"):
            raise LocomoteError(f"no foot {side!r}: expected right or left")
        return self.right if side == "right" else self.left


def to_our_axes(v: FloatArray) -> FloatArray:
    """OpenSim vectors ``(..., 3)`` in our axes."""
    return np.stack([-v[..., 2], v[..., 1], v[..., 0]], axis=-1)


def read_table(path: str | PathLike[str]) -> Table:
    """Read a .mot or .sto file, compressed or not."""
    return parse_table(read_bytes(Path(path)), Path(path))


def read_markers(path: str | PathLike[str]) -> Markers:
    """Read the markers of a .trc file, compressed or not."""
    return parse_markers(read_bytes(Path(path)), Path(path))


def read_forces(path: str | PathLike[str]) -> Forces:
    """Read the ground forces of a .mot or .sto file, compressed or not."""
    table = read_table(path)
    return Forces(_foot(table, "right", path), _foot(table, "left", path), table.times, table.rate)


def parse_table(data: bytes, path: Path) -> Table:
    """The table in the bytes of a .mot or .sto file."""
    lines = _lines(data)
    end = next((i for i, line in enumerate(lines) if line.strip().lower() == "endheader"), None)
    if end is None:
        raise FormatError(path, "no line 'endheader': not an OpenSim .mot or .sto file")
    metadata = dict(_entry(line) for line in lines[:end] if line.strip())
    labels = next((i for i in range(end + 1, len(lines)) if lines[i].strip()), None)
    if labels is None:
        raise FormatError(path, "no column labels after 'endheader'", end + 1)
    names = tuple(lines[labels].split())
    if names[0].lower() != "time":
        raise FormatError(path, f"the first column must be 'time', found {names[0]!r}", labels + 1)
    rows = [(i + 1, lines[i].split()) for i in range(labels + 1, len(lines)) if lines[i].strip()]
    values = _numbers(rows, len(names), path)
    times, rate = values[:, 0], _rate(values[:, 0], metadata.get("range"), path)
    columns = values[:, 1:].copy()
    if _in_degrees(names[1:], columns, metadata):
        angles = [i for i, name in enumerate(names[1:]) if not _NOT_AN_ANGLE.search(coordinate_name(name))]
        columns[:, angles] = np.radians(columns[:, angles])
    return Table(names[1:], columns, times, metadata, rate)


def parse_markers(data: bytes, path: Path) -> Markers:
    """The markers in the bytes of a .trc file."""
    lines = _lines(data)
    if len(lines) < 6 or not lines[0].startswith("PathFileType"):
        raise FormatError(path, "does not begin with 'PathFileType': not a .trc file", 1)
    tabs = "\t" if "\t" in lines[2] else None  # with tabs a field may be empty
    header = dict(zip(*([field.strip() for field in line.split(tabs)] for line in lines[1:3]), strict=False))
    unit = header.get("Units", "").lower() or "mm"
    if unit not in METRES:
        raise FormatError(path, f"unit {unit!r}: expected one of {', '.join(METRES)}", 3)
    names = tuple(name.strip() for name in lines[3].split("\t")[2:] if name.strip())
    if not names:
        raise FormatError(path, "no marker names", 4)
    width = 2 + 3 * len(names)
    rows = []
    for number, line in enumerate(lines[5:], start=6):
        if line.strip():
            fields = [field.strip() or "nan" for field in line.split("\t")] if "\t" in line else line.split()
            # An empty last field is the tab that ends the line; missing last fields are markers not seen.
            fields = fields[:-1] if len(fields) == width + 1 and fields[-1] == "nan" else fields
            rows.append((number, fields + ["nan"] * (width - len(fields))))
    values = _numbers(rows, width, path)
    xyz = values[:, 2:].reshape(len(values), -1, 3) * METRES[unit]
    xyz[np.all(xyz == 0.0, axis=-1)] = np.nan  # how some programs write a marker they lost
    return Markers(names, to_our_axes(xyz), values[:, 1], _rate(values[:, 1], header.get("DataRate"), path))


def coordinate_name(column: str) -> str:
    """The coordinate of a column: ``/jointset/hip_r/hip_flexion_r/value`` is ``hip_flexion_r``."""
    return column.removesuffix("/value").removesuffix("/speed").rsplit("/", 1)[-1]


def trc_text(markers: Markers) -> str:
    """Markers as the text of a .trc file, in millimetres and OpenSim's axes; what was not seen is left empty."""
    v = markers.positions * 1e3
    places = np.stack([v[..., 2], v[..., 1], -v[..., 0]], axis=-1)  # as `to_our_axes` takes them back
    frames, count = places.shape[:2]
    rate = f"{markers.fps:g}"
    keys = [
        "DataRate",
        "CameraRate",
        "NumFrames",
        "NumMarkers",
        "Units",
        "OrigDataRate",
        "OrigDataStartFrame",
        "OrigNumFrames",
    ]
    values = [rate, rate, str(frames), str(count), "mm", rate, "1", str(frames)]
    axes = [f"{axis}{m}" for m in range(1, count + 1) for axis in "XYZ"]
    head = ["PathFileType\t4\t(X/Y/Z)\tmarkers.trc", "\t".join(keys), "\t".join(values)]
    head += ["Frame#\tTime\t" + "\t\t\t".join(markers.names), "\t\t" + "\t".join(axes)]
    rows = []
    for f in range(frames):
        numbers = ["" if np.isnan(value) else f"{value:.4f}" for value in places[f].ravel()]
        rows.append("\t".join([str(f + 1), f"{markers.times[f]:.6f}", *numbers]))
    return "\n".join([*head, *rows]) + "\n"


def _foot(table: Table, side: str, path: str | PathLike[str]) -> FootForce:
    known = {name.lower(): i for i, name in enumerate(table.names)}

    def vector(kind: str, prefix: str) -> FloatArray | None:
        for pattern in _FEET[side]:
            wanted = [pattern.format(kind, prefix + axis) for axis in "xyz"]
            if all(name in known for name in wanted):
                return to_our_axes(table.columns[:, [known[name] for name in wanted]])
        return None

    force, centre, moment = vector("force", "v"), vector("force", "p"), vector("torque", "")
    if force is None or centre is None:
        example = f"{side[0].upper()}_ground_force_vx"
        raise FormatError(path, f"no ground force of the {side} foot, such as {example}; found {_list(table.names)}")
    return FootForce(force, centre, np.zeros_like(force) if moment is None else moment)


def _in_degrees(names: tuple[str, ...], columns: FloatArray, metadata: dict[str, str]) -> bool:
    stated = {key.lower(): value for key, value in metadata.items()}.get("indegrees")
    if stated is not None:
        return stated.strip().lower() == "yes"
    # Older motion files do not say; their knees do.
    knees = [i for i, name in enumerate(names) if coordinate_name(name).startswith("knee_angle")]
    return bool(knees) and bool(np.any(np.abs(columns[:, knees]) > RADIANS_KNEE_LIMIT))


def _numbers(rows: list[tuple[int, list[str]]], width: int, path: Path) -> FloatArray:
    if not rows:
        raise FormatError(path, "no rows of numbers")
    for number, fields in rows:
        if len(fields) != width:
            raise FormatError(path, f"expected {width} numbers, found {len(fields)}", number)
    try:
        return np.array([fields for _, fields in rows], dtype=np.float64)
    except ValueError:
        for number, fields in rows:
            for field in fields:
                if not _is_number(field):
                    raise FormatError(path, f"expected a number, found {field[:40]!r}", number) from None
        raise


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _rate(times: FloatArray, stated: str | None, path: Path) -> float:
    if not np.all(np.isfinite(times)) or np.any(np.diff(times) <= 0.0):
        raise FormatError(path, "the times do not rise from row to row")
    if len(times) > 1:
        rate = float((len(times) - 1) / (times[-1] - times[0]))
        # Times are written with few decimals: 119.99998 is 120.
        return float(round(rate)) if abs(rate - round(rate)) < WHOLE_RATE * rate else rate
    return float(stated) if stated and _is_number(stated) and 0.0 < float(stated) < np.inf else 1.0


def _entry(line: str) -> tuple[str, str]:
    """A header line ``key=value`` or ``key value``; free text has an empty value."""
    key, equals, value = line.partition("=")
    if not equals:
        key, _, value = line.strip().partition(" ")
    return key.strip(), value.strip()


def _lines(data: bytes) -> list[str]:
    return data.decode("utf-8-sig", errors="replace").splitlines()


def _list(names: tuple[str, ...]) -> str:
    return ", ".join(names[:8]) + (", ..." if len(names) > 8 else "")
