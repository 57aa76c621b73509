"""The ground and its obstacles as a text file: everything is checked, and errors name the place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.world._ground import Ground
from locomote.world._obstacles import Obstacles
from locomote.world._tables import angle, check_keys, flag, number, numbers, read_table, text, whole

T = TypeVar("T")
Readers = Mapping[str, Callable[[object], Any]]

_PAIR, _TRIPLE = numbers(2), numbers(3)


def pairs(value: object) -> list[list[float]]:
    """A list of pairs of numbers."""
    if not isinstance(value, list):
        raise LocomoteError(f"expected pairs of numbers such as [[0.0, 0.0], [1.0, 0.0]] instead of {value!r}")
    return [_PAIR(each) for each in value]


_WAY: Readers = {"start": _PAIR, "yaw": angle, "width": number}


@dataclass(frozen=True)
class _Kind:
    """How one kind of table is read: its keys, those that must be there, and what builds it."""

    build: Callable[..., Any]
    needed: tuple[str, ...]
    keys: Readers


_SLAB: Readers = {"centre": _PAIR, "size": _PAIR, "top": number, "yaw": angle, "turn_rate": angle}
_SLAB = {**_SLAB, "thickness": number}
_KINDS = {
    "box": _Kind(
        Ground.add_box,
        ("centre", "size", "top"),
        {"centre": _PAIR, "size": _PAIR, "top": number, "yaw": angle},
    ),
    "ramp": _Kind(
        Ground.add_ramp,
        ("start", "length", "low", "high"),
        {**_WAY, "length": number, "low": number, "high": number},
    ),
    "slope": _Kind(
        Ground.add_slope,
        ("start", "length", "angle"),
        {**_WAY, "length": number, "angle": angle, "landing": number, "base": number},
    ),
    "stairs": _Kind(
        Ground.add_stairs,
        ("start", "count"),
        {
            **_WAY,
            "count": whole,
            "rise": number,
            "tread": number,
            "down": flag,
            "landing": number,
            "base": number,
        },
    ),
    "kerb": _Kind(Ground.add_kerb, ("start",), {**_WAY, "length": number, "rise": number}),
    "platform": _Kind(Ground.add_platform, ("centre", "size", "top"), {**_SLAB, "velocity": _TRIPLE}),
    "shuttle": _Kind(
        Ground.add_shuttle,
        ("centre", "size", "top", "travel", "period"),
        {**_SLAB, "travel": _TRIPLE, "period": number, "phase": number},
    ),
}
_MOTION: Readers = {"velocity": _PAIR, "turn_rate": angle}
_STEPPED: Readers = {"safe": flag, "lift": number, "rise": number, **_MOTION}
_OBSTACLES = {
    "puddle": _Kind(
        Obstacles.add_puddle,
        ("centre", "length", "width"),
        {"centre": _PAIR, "length": number, "width": number, "yaw": angle, **_MOTION},
    ),
    "box": _Kind(
        Obstacles.add_box,
        ("centre", "size", "height"),
        {"centre": _PAIR, "size": _PAIR, "height": number, "yaw": angle, **_STEPPED},
    ),
    "disk": _Kind(
        Obstacles.add_disk,
        ("centre", "radius"),
        {"centre": _PAIR, "radius": number, "height": number, **_STEPPED},
    ),
    "wall": _Kind(
        Obstacles.add_wall,
        ("start", "end"),
        {"start": _PAIR, "end": _PAIR, "height": number, "thickness": number, **_STEPPED},
    ),
    "polygon": _Kind(Obstacles.add_polygon, ("points",), {"points": pairs, "height": number, **_STEPPED}),
}
_ROUGH: Readers = {"seed": whole, "size": _PAIR, "amplitude": number, "feature": number, "cell": number}
_RASTER: Readers = {"file": text, "cell": number, "corner": _PAIR}
_PICTURE: Readers = {**_RASTER, "height": number}


def read_ground(path: str | PathLike[str]) -> Ground:
    """Read and check a ground; the kinds of pieces are built in the order in which they first appear."""
    table = read_table(path)
    table.pop("obstacle", None)  # for `read_obstacles`
    return build_ground(path, table)


def read_obstacles(path: str | PathLike[str]) -> Obstacles:
    """Read and check the obstacles of a file, which may describe a ground as well."""
    table = read_table(path)
    check_keys(path, "the obstacles", table, ("obstacle", "height", "terrain", *_KINDS))
    return build_obstacles(path, table.get("obstacle", []))


def build_obstacles(path: str | PathLike[str], value: object) -> Obstacles:
    """The obstacles of a list of tables that stands in a file, in its order."""
    obstacles = Obstacles()
    for i, table in enumerate(_list_of_tables(path, "obstacle", value)):
        where = f"obstacle {i + 1}"
        name = table.get("kind")
        if not isinstance(name, str) or name not in _OBSTACLES:
            raise FormatError(path, f"kind: expected one of {', '.join(_OBSTACLES)} instead of {name!r}", where)
        values = {key: each for key, each in table.items() if key != "kind"}
        kind = _OBSTACLES[name]

        def build(
            velocity: list[float] | None = None,
            turn_rate: float | None = None,
            kind: _Kind = kind,
            **given: Any,
        ) -> None:
            obstacles.move(kind.build(obstacles, **given), velocity=velocity, turn_rate=turn_rate)

        _build(path, where, build, values, kind)
    return obstacles


def build_ground(path: str | PathLike[str], table: dict[str, Any]) -> Ground:
    """The ground of a table that stands in a file; other files that it names lie beside that one."""
    check_keys(path, "the ground", table, ("height", "terrain", *_KINDS))
    ground = _base(Path(path), table)
    for name, value in table.items():
        if name not in _KINDS:
            continue
        kind = _KINDS[name]
        for i, each in enumerate(_list_of_tables(path, name, value)):
            where = f"{name} {i + 1}"
            _build(path, where, lambda kind=kind, **values: kind.build(ground, **values), each, kind)
    return ground


def _list_of_tables(path: str | PathLike[str], name: str, value: object) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise FormatError(path, f"expected tables [[{name}]]", name)
    return value


def _base(path: Path, table: dict[str, Any]) -> Ground:
    terrain = table.get("terrain")
    if terrain is None:
        level = _Kind(Ground, (), {"height": number})
        given = {key: table[key] for key in ("height",) if key in table}
        return _build(path, "the ground", Ground, given, level)
    if "height" in table:
        raise FormatError(path, "height and terrain exclude one another; give one", "the ground")
    if not isinstance(terrain, dict):
        raise FormatError(path, "expected a table [terrain]", "terrain")
    if str(terrain.get("file", "")).lower().endswith(".png"):
        picture = _Kind(Ground.from_image, ("file", "cell", "height"), _PICTURE)
        return _build(
            path,
            "terrain",
            lambda file, **values: Ground.from_image(path.parent / file, **values),
            terrain,
            picture,
        )
    if "file" in terrain:
        raster = _Kind(Ground.from_heights, ("file", "cell"), _RASTER)
        return _build(path, "terrain", lambda file, **values: _raster(path, file, **values), terrain, raster)
    return _build(path, "terrain", Ground.rough, terrain, _Kind(Ground.rough, (), _ROUGH))


def _build(path: str | PathLike[str], where: str, build: Callable[..., T], table: dict[str, Any], kind: _Kind) -> T:
    """Check the values of one table and build what it describes."""
    check_keys(path, where, table, tuple(kind.keys))
    for key in kind.needed:
        if key not in table:
            raise FormatError(path, f"{key}: missing; needed are {', '.join(kind.needed)}", where)
    values = {}
    for key, value in table.items():
        try:
            values[key] = kind.keys[key](value)
        except LocomoteError as error:
            raise FormatError(path, f"{key}: {error}", where) from None
    try:
        return build(**values)
    except FormatError:
        raise
    except LocomoteError as error:
        raise FormatError(path, str(error), where) from None


def _raster(path: Path, file: str, **values: Any) -> Ground:
    """Heights out of a .npy or .csv file beside the one that names it."""
    raster = path.parent / file
    try:
        if raster.suffix.lower() == ".npy":
            heights = np.load(raster, allow_pickle=False)
        elif raster.suffix.lower() == ".csv":
            heights = np.loadtxt(raster, delimiter=",", ndmin=2)
        else:
            raise LocomoteError(f"file: {file}: expected a .npy, .csv or .png file of heights")
    except (OSError, ValueError, EOFError) as error:
        reason = "no such file" if isinstance(error, FileNotFoundError) else f"cannot be read: {error}"
        raise LocomoteError(f"file: {file}: {reason}") from None
    return Ground.from_heights(heights, **values)
