"""Where markers sit on a body: tables of marker sets, and what they say for one body and the markers of a file."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib import resources
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from locomote.capture.markers._subject import Subject
from locomote.errors import FormatError, LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

TABLES = ("human", "rat")
_KEYS = {"names", "sided", "joint", "place", "beside", "stiffness", "doubt"}
_SIDED = re.compile(r"(left|right|l|r)[ _.\-]?(.+)")
_STIFFNESS, _DOUBT = 0.5, 0.02  # of markers that do not say; m


@dataclass(frozen=True)
class Spot:
    """One place for a marker, of the left side where there are two.

    Parameters
    ----------
    names : of markers that sit there, without the letter of the side
    joint : the joint that carries it, without the letter of the side
    place : m, in the frame of the joint
    stiffness : of the spring by which it pulls, 0 to 1: bone 1, soft skin 0.05
    doubt : m, how far from there it may well be
    beside : the joint at the far end of the bone that it goes with, however long the bone
    sided : whether there is one on the left and one on the right
    """

    names: tuple[str, ...]
    joint: str
    place: tuple[float, float, float]
    stiffness: float = _STIFFNESS
    doubt: float = _DOUBT
    beside: str = ""
    sided: bool = False


@dataclass(frozen=True)
class MarkerTable:
    """Places of markers on a body of one size.

    Parameters
    ----------
    body : whom it is for
    size : m, the height (people) or the greatest distance between joints (all others) of the body it tells places of
    spots : the places
    """

    body: str
    size: float
    spots: tuple[Spot, ...]

    @staticmethod
    def load(path: str | PathLike[str]) -> MarkerTable:
        """A table from a TOML file, or a built-in one by its name.

        Parameters
        ----------
        path : "human", "rat", or a file
        """
        if str(path) in TABLES:
            return _built_in(str(path))
        try:
            text = Path(path).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise LocomoteError(
                f"{path}: cannot be read as a marker table ({error}); built in are {', '.join(TABLES)}"
            ) from None
        return _parse(text, Path(path))

    def find(self, marker: str) -> tuple[Spot, str] | None:
        """The spot of a marker and its side: "left", "right", or "" in the middle; None where none has its name.

        Parameters
        ----------
        marker : as in a file; a name of somebody before a colon is not looked at
        """
        plain = marker.rsplit(":", 1)[-1].strip().lower()
        named = _SIDED.fullmatch(plain)
        for spot in self.spots:
            names = {name.lower() for name in spot.names}
            if not spot.sided and plain in names:
                return spot, ""
            if spot.sided and named is not None and named[2] in names:
                return spot, "left" if named[1].startswith("l") else "right"
        return None


@dataclass(frozen=True, eq=False)
class Attached:
    """Markers on one body: what springs pull.

    Parameters
    ----------
    names : of the markers, as in their file
    joints : (M,) that carry them
    points : (M, 3) m, in the frames of those joints
    stiffness : (M,) of their springs, relative
    doubts : (M,) m, how well the points are known
    beside : (M,) joints at the far ends of bones that points go with, or -1
    """

    names: tuple[str, ...]
    joints: IntArray
    points: FloatArray
    stiffness: FloatArray
    doubts: FloatArray
    beside: IntArray

    def __len__(self) -> int:
        return len(self.names)

    def with_stiffness(self, stiffness: float | Mapping[str, float]) -> Attached:
        """The same markers on other springs.

        Parameters
        ----------
        stiffness : of all of them, or by name; those not named keep theirs
        """
        values = self.stiffness.copy()
        if isinstance(stiffness, Mapping):
            for name, value in stiffness.items():
                values[self.index(name)] = value
        else:
            values[:] = stiffness
        if not (np.all(np.isfinite(values)) and np.all(values >= 0.0)):
            raise LocomoteError("stiffness: expected finite numbers of 0 or more")
        return replace(self, stiffness=values)

    def without(self, names: Sequence[str]) -> Attached:
        """The other markers.

        Parameters
        ----------
        names : of those to be left out
        """
        gone = {self.index(name) for name in names}
        rows = [k for k in range(len(self)) if k not in gone]
        return self._rows(rows)

    def index(self, name: str) -> int:
        """The number of a marker.

        Parameters
        ----------
        name : as in its file
        """
        try:
            return self.names.index(name)
        except ValueError:
            raise LocomoteError(f"no marker {name!r} on this body; there are: {', '.join(self.names)}") from None

    def _rows(self, rows: Sequence[int]) -> Attached:
        at = list(rows)
        return Attached(
            tuple(self.names[k] for k in at),
            self.joints[at],
            self.points[at],
            self.stiffness[at],
            self.doubts[at],
            self.beside[at],
        )


def table_for(subject: Subject) -> str:
    """The built-in table that suits a body: its name.

    Parameters
    ----------
    subject : whose body
    """
    if subject.name in ("rat", "mouse"):
        return "rat"
    if subject.name == "human":
        return "human"
    raise LocomoteError(
        f"no built-in marker table suits {subject.name or 'this body'}: give one (--table markers.toml)"
    )


def place_markers(names: Sequence[str], subject: Subject, table: MarkerTable) -> Attached:
    """The markers of a file on a body, by a table; markers that it does not know are left out.

    Parameters
    ----------
    names : of the markers in the file
    subject : the body; places scale with its size
    table : where markers sit
    """
    skeleton = subject.skeleton
    scale = _size(subject, table) / table.size
    rows = []
    for name in names:
        told = table.find(name)
        if told is None:
            continue
        spot, side = told
        joint, beside = (_sided(one, side, skeleton.names) for one in (spot.joint, spot.beside))
        if joint is None:
            continue
        x, y, z = spot.place
        point = scale * np.array([-x if side == "right" else x, y, z])
        far = -1 if beside is None else skeleton.index(beside)
        rows.append((name, skeleton.index(joint), point, spot.stiffness, scale * spot.doubt, far))
    if not rows:
        raise LocomoteError(
            f"no marker of the table for {table.body or 'this body'} is among {_few(names)}; give a table of your own"
        )
    known, joints, points, stiffness, doubts, ends = zip(*rows, strict=True)
    return Attached(
        tuple(known), np.array(joints), np.array(points), np.array(stiffness), np.array(doubts), np.array(ends)
    )


def _size(subject: Subject, table: MarkerTable) -> float:
    from locomote.formats._opensim_model import REFERENCE_HEIGHT, REFERENCE_LEG_LENGTH

    if table.body == "human" and subject.skeleton.roles.legs:
        return subject.skeleton.leg_length() * REFERENCE_HEIGHT / REFERENCE_LEG_LENGTH
    return subject.size()


def _sided(joint: str, side: str, names: Sequence[str]) -> str | None:
    """The joint of one side by the ways in which skeletons write sides."""
    if not joint:
        return None
    letter = side[:1]
    ways = [joint]
    if side:
        big = letter.upper()
        ways = [f"{joint}_{letter}", f"{joint}.{big}", f"{joint}_{big}", f"{big}{joint}", f"{letter}_{joint}"]
        ways += [f"{side.capitalize()}{joint}", joint]
    return next((way for way in ways if way in names), None)


def _few(names: Sequence[str]) -> str:
    return ", ".join(names[:6]) + (f" and {len(names) - 6} more" if len(names) > 6 else "")


@cache
def _built_in(name: str) -> MarkerTable:
    asset = resources.files("locomote") / "assets" / f"markers_{name}.toml"
    return _parse(asset.read_text(encoding="utf-8"), Path(f"markers_{name}.toml"))


def _parse(text: str, path: Path) -> MarkerTable:
    try:
        told = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise FormatError(path, f"not a TOML file: {error}") from None
    size = told.get("height", told.get("size"))
    if not isinstance(size, int | float) or not 0.0 < size < np.inf:
        raise FormatError(path, "expected height = or size = in metres: the body that places are told of")
    rows = told.get("marker")
    if not isinstance(rows, list) or not rows:
        raise FormatError(path, "expected one [[marker]] or more")
    return MarkerTable(str(told.get("body", "")), float(size), tuple(_spot(r, k, path) for k, r in enumerate(rows, 1)))


def _spot(row: Any, number: int, path: Path) -> Spot:
    where = f"[[marker]] {number}"
    if not isinstance(row, dict) or (wrong := set(row) - _KEYS):
        raise FormatError(path, f"knows {', '.join(sorted(_KEYS))}; not {', '.join(sorted(wrong))}", where)
    names, place = row.get("names"), row.get("place")
    if not (isinstance(names, list) and names and all(isinstance(name, str) for name in names)):
        raise FormatError(path, 'expected names = ["…"]', where)
    if (
        not isinstance(place, list)
        or len(place) != 3
        or not all(isinstance(v, int | float) and np.isfinite(v) for v in place)
    ):
        raise FormatError(path, "expected place = [x, y, z] in metres", where)
    if not isinstance(row.get("joint"), str):
        raise FormatError(path, 'expected joint = "…"', where)
    values = {"stiffness": row.get("stiffness", _STIFFNESS), "doubt": row.get("doubt", _DOUBT)}
    for key, value in values.items():
        if not (isinstance(value, int | float) and 0.0 <= value < np.inf):
            raise FormatError(path, f"{key} = {value!r}: expected a number of 0 or more", where)
    x, y, z = (float(v) for v in place)
    stiffness, doubt = float(values["stiffness"]), float(values["doubt"])
    beside, sided = str(row.get("beside", "")), bool(row.get("sided", False))
    return Spot(tuple(names), row["joint"], (x, y, z), stiffness, doubt, beside, sided)
