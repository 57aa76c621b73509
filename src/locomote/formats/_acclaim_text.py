"""The text of Acclaim files: the skeleton (.asf) and the frames (.amc), in the file's own units."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from locomote.errors import FormatError

MAX_VALUE = 1e9  # file units or degrees; a larger number is damage, not motion
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_FRAME = re.compile(r"\d{1,9}", re.ASCII)
_ROOT_DOFS = ("tx", "ty", "tz", "rx", "ry", "rz")


@dataclass
class Bone:
    """One bone: from its parent's end it leads along ``direction``, in the world of the rest pose."""

    name: str
    line: int
    direction: tuple[float, ...] = (0.0, 0.0, 0.0)
    length: float = 0.0
    axis: tuple[float, ...] = (0.0, 0.0, 0.0)  # angles about x, y, z of the frame in which the bone turns
    axis_order: str = "xyz"  # the order in which they apply
    dofs: tuple[str, ...] = ()
    parent: str = ""


@dataclass
class AsfText:
    """A skeleton: the root with its own degrees of freedom, and the bones in the file's order."""

    length_unit: float = 1.0  # inches are file units divided by this
    degrees: bool = True
    root: Bone = field(default_factory=lambda: Bone("root", 0, dofs=_ROOT_DOFS))
    position: tuple[float, ...] = (0.0, 0.0, 0.0)
    bones: dict[str, Bone] = field(default_factory=dict)


@dataclass
class AmcText:
    """Frames: for each bone that is given, its values in every frame."""

    degrees: bool | None = None  # None where the file leaves it to the skeleton
    frames: int = 0
    values: dict[str, list[list[float]]] = field(default_factory=dict)


class _Lines:
    """The lines of a file as words, without comments."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path = path
        self.line = 1
        self._lines = data.split(b"\n" if b"\n" in data else b"\r")

    def __iter__(self) -> Iterator[list[str]]:
        for number, text in enumerate(self._lines, start=1):
            words = text.partition(b"#")[0].split()
            if words:
                self.line = number
                yield [word.decode("latin-1") for word in words]

    def error(self, what: str) -> FormatError:
        return FormatError(self.path, what, self.line)

    def numbers(self, words: list[str], count: int, what: str) -> list[float]:
        if len(words) != count:
            raise self.error(f"{what}: expected {count} numbers, found {len(words)}")
        for word in words:
            if not _NUMBER.fullmatch(word) or abs(float(word)) > MAX_VALUE:
                raise self.error(f"{what}: expected a number, found {word[:40]!a}")
        return [float(word) for word in words]


def parse_asf(data: bytes, path: Path) -> AsfText:
    """Read a skeleton file."""
    lines = _Lines(data, path)
    asf = AsfText()
    section = ""
    bone: Bone | None = None
    for words in lines:
        key = words[0].lower()
        if key.startswith(":"):
            if bone is not None:
                raise lines.error(f"the bone from line {bone.line} has no 'end'")
            section = key
        elif section == ":units":
            _unit(asf, lines, words)
        elif section == ":root":
            _root(asf, lines, words)
        elif section == ":bonedata":
            bone = _bonedata(asf, lines, words, bone)
        elif section == ":hierarchy" and key not in ("begin", "end"):
            _children(asf, lines, words)
    if not section:
        raise lines.error("no section such as :bonedata; the file is not an Acclaim skeleton")
    if bone is not None:
        raise lines.error(f"the file ends inside the bone from line {bone.line}")
    for one in asf.bones.values():
        if not one.parent:
            raise FormatError(path, f"the bone {one.name!r} is not in the :hierarchy", one.line)
    return asf


def _unit(asf: AsfText, lines: _Lines, words: list[str]) -> None:
    key = words[0].lower()
    if key == "length":
        (asf.length_unit,) = lines.numbers(words[1:], 1, "length")
        if asf.length_unit <= 0.0:
            raise lines.error("the length unit must be positive")
    elif key == "angle":
        if [word.lower() for word in words[1:]] not in (["deg"], ["rad"]):
            raise lines.error("angle: expected deg or rad")
        asf.degrees = words[1].lower() == "deg"


def _root(asf: AsfText, lines: _Lines, words: list[str]) -> None:
    key = words[0].lower()
    if key == "order":
        dofs = tuple(word.lower() for word in words[1:])
        if len(set(dofs)) != len(dofs) or not set(dofs) <= set(_ROOT_DOFS):
            raise lines.error(f"order: expected the names {' '.join(_ROOT_DOFS).upper()}, each at most once")
        asf.root.dofs = dofs
    elif key == "axis":
        asf.root.axis_order = _axis_order(lines, words[1:])
    elif key == "position":
        asf.position = tuple(lines.numbers(words[1:], 3, "position"))
    elif key == "orientation":
        asf.root.axis = tuple(lines.numbers(words[1:], 3, "orientation"))


def _bonedata(asf: AsfText, lines: _Lines, words: list[str], bone: Bone | None) -> Bone | None:
    """Take one line of a bone; returns the bone that is open after it."""
    key = words[0].lower()
    if key == "begin":
        if bone is not None:
            raise lines.error(f"'begin' inside the bone from line {bone.line}")
        return Bone("", lines.line)
    if bone is None:
        raise lines.error(f"expected 'begin', found {words[0][:40]!a}")
    if key == "end":
        if not bone.name or bone.name in asf.bones or bone.name == "root":
            raise lines.error(f"the bone from line {bone.line}: its name {bone.name!r} is missing or used twice")
        asf.bones[bone.name] = bone
        return None
    if key == "name":
        bone.name = " ".join(words[1:])
    elif key == "direction":
        bone.direction = tuple(lines.numbers(words[1:], 3, "direction"))
    elif key == "length":
        (bone.length,) = lines.numbers(words[1:], 1, "length")
    elif key == "axis":
        bone.axis = tuple(lines.numbers(words[1:4], 3, "axis"))
        bone.axis_order = _axis_order(lines, words[4:])
    elif key == "dof":
        bone.dofs = tuple(word.lower() for word in words[1:])
        if len(set(bone.dofs)) != len(bone.dofs) or not set(bone.dofs) <= {"rx", "ry", "rz"}:
            raise lines.error(f"dof of {bone.name!r}: only the rotations rx, ry, rz are read, each at most once")
    return bone  # limits, mass and shape do not move the bone


def _axis_order(lines: _Lines, words: list[str]) -> str:
    order = "".join(words).lower()
    if sorted(order) != ["x", "y", "z"]:
        raise lines.error(f"axis order: expected such as XYZ, found {order[:40]!a}")
    return order


def _children(asf: AsfText, lines: _Lines, words: list[str]) -> None:
    parent, *children = words
    for name in words:
        if name not in asf.bones and name != "root":
            raise lines.error(f"unknown bone {name[:40]!a}; the bones: {', '.join(asf.bones)}")
    for name in children:
        if name == "root" or asf.bones[name].parent:
            raise lines.error(f"the bone {name!r} already has its place in the hierarchy")
        asf.bones[name].parent = parent


def parse_amc(data: bytes, path: Path, asf: AsfText) -> AmcText:
    """Read the frames for a skeleton."""
    lines = _Lines(data, path)
    amc = AmcText()
    first = 0
    bones = {"root": asf.root} | asf.bones
    for words in lines:
        key = words[0]
        if key.startswith(":"):
            if key.lower() in (":degrees", ":radians"):
                amc.degrees = key.lower() == ":degrees"
        elif len(words) == 1 and _FRAME.fullmatch(key):
            _check_whole(amc, lines)
            first = first if amc.frames else int(key)
            if int(key) != first + amc.frames:
                raise lines.error(f"frame {key} follows frame {first + amc.frames - 1}")
            amc.frames += 1
        elif amc.frames == 0:
            raise lines.error(f"expected the number of the first frame, found {key[:40]!a}")
        elif key not in bones:
            raise lines.error(f"unknown bone {key[:40]!a}; the bones: {', '.join(bones)}")
        else:
            rows = amc.values.setdefault(key, [])
            if len(rows) != amc.frames - 1:
                raise lines.error(f"the bone {key!r} is given twice in this frame, or was left out before")
            rows.append(lines.numbers(words[1:], len(bones[key].dofs), f"bone {key!r}"))
    if amc.frames == 0:
        raise lines.error("the file has no frames")
    _check_whole(amc, lines)
    return amc


def _check_whole(amc: AmcText, lines: _Lines) -> None:
    for name, rows in amc.values.items():
        if len(rows) != amc.frames:
            raise lines.error(f"the frame before this line lacks the bone {name!r}")
