"""The text of a BVH file: hierarchy and numbers as they stand there, in the file's own unit and axes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from locomote.errors import FormatError
from locomote.rotations import FloatArray

COMPILED_BYTES = 1 << 26  # of numbers; reading that many by NumPy takes as long as starting Numba
MAX_VALUE = 1e9  # file units or degrees; a larger number is damage, not motion
CHANNELS = {f"{axis}{kind}": (kind, axis) for axis in "xyz" for kind in ("position", "rotation")}

_NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_MOTION = re.compile(rb"^[ \t]*MOTION\b", re.IGNORECASE | re.MULTILINE)
_FRAMES = re.compile(rb"\s*Frames[ \t]*:?[ \t]*(\S*)", re.IGNORECASE)
_FRAME_TIME = re.compile(rb"\s*Frame[ \t]*Time[ \t]*:?[ \t]*(\S*)", re.IGNORECASE)
_COUNT = re.compile(rb"\d{1,15}")


@dataclass
class Joint:
    """One ROOT or JOINT block."""

    name: str
    parent: int
    offset: list[float] | None = None
    channels: list[str] | None = None  # such as "xposition", in the file's order


@dataclass
class BvhText:
    """A whole file: the joints in the file's order, the end sites, and one row of values for each frame."""

    joints: list[Joint] = field(default_factory=list)
    end_parents: list[int] = field(default_factory=list)
    end_offsets: list[list[float]] = field(default_factory=list)
    frame_time: float = 0.0  # seconds
    frame_time_step: float = 0.0  # the last decimal place to which the frame time is written
    values: FloatArray = field(default_factory=lambda: np.zeros((0, 0)))  # (frames, channels)


def parse(data: bytes, path: Path) -> BvhText:
    """Read the text; whatever is not as the format says raises a FormatError with its line."""
    data = data.removeprefix(b"\xef\xbb\xbf")  # the byte order mark of some editors
    if b"\n" not in data:
        data = data.replace(b"\r", b"\n")  # otherwise a carriage return is one more space
    motion = _MOTION.search(data)
    if motion is None:
        raise FormatError(path, "no MOTION section; the file is not BVH or ends in the hierarchy")
    text = _Hierarchy(data[: motion.start()], path).parse()
    at = motion.end()

    found = _FRAMES.match(data, at)
    line = _line(data, found.start(1) if found else at)
    if found is None or not _COUNT.fullmatch(found[1]):
        raise FormatError(path, "expected 'Frames:' and a whole number after MOTION", line)
    frames = int(found[1])
    if frames == 0:
        raise FormatError(path, "the file has no frames", line)

    found = _FRAME_TIME.match(data, found.end())
    line = _line(data, found.start(1) if found else at)
    if found is None or not _NUMBER.fullmatch(found[1]):
        raise FormatError(path, "expected 'Frame Time:' and a number of seconds after 'Frames:'", line)
    text.frame_time = float(found[1])
    if not (text.frame_time > 0.0 and np.isfinite(1.0 / text.frame_time)):
        raise FormatError(path, f"the frame time must be positive, got {_show(found[1])}", line)
    mantissa, _, exponent = found[1].lower().partition(b"e")
    text.frame_time_step = 10.0 ** max(-300, min(300, int(exponent or 0) - len(mantissa.partition(b".")[2])))
    channels = sum(len(joint.channels or ()) for joint in text.joints)
    text.values = _Values(data, found.end(), path).table(frames, channels)
    return text


class _Hierarchy:
    """The tree of joints. No recursion: a deep file costs memory, not the interpreter's stack."""

    def __init__(self, data: bytes, path: Path) -> None:
        self.path = path
        self.text = BvhText()
        self.named: dict[str, int] = {}  # the line of each joint
        self.open: list[int] = []  # joints whose brace is open, from the root down
        self.line = 1
        self.lines = self._lines(data)
        self.words: list[bytes] = []

    def _lines(self, data: bytes) -> Iterator[tuple[int, list[bytes]]]:
        for number, line in enumerate(data.split(b"\n"), start=1):
            words = line.replace(b"{", b" { ").replace(b"}", b" } ").split()
            if words:
                yield number, words

    def parse(self) -> BvhText:
        if self.next().upper() != b"HIERARCHY":
            raise self.error("a BVH file begins with HIERARCHY")
        if self.next().upper() != b"ROOT":
            raise self.error("expected ROOT after HIERARCHY")
        self.begin_joint()
        while self.open:
            word = self.next()
            keyword = word.upper()
            joint = self.text.joints[self.open[-1]]
            if keyword == b"}":
                self.end_joint(joint)
            elif keyword == b"OFFSET" and joint.offset is None:
                joint.offset = self.offset()
            elif keyword == b"CHANNELS" and joint.channels is None:
                joint.channels = self.channels()
            elif keyword == b"JOINT":
                self.begin_joint()
            elif keyword == b"END":
                self.end_site()
            else:
                raise self.error(f"unexpected {_show(word)} in joint {joint.name!r}")
        rest = self.words or next(self.lines, (0, []))[1]
        if rest and rest[0].upper() == b"ROOT":
            raise self.error("a second ROOT; only files with one skeleton are read")
        if rest:
            raise self.error(f"expected MOTION after the hierarchy, found {_show(rest[0])}")
        return self.text

    def next(self) -> bytes:
        if not self.words:
            try:
                self.line, words = next(self.lines)
            except StopIteration:
                raise self.error("the hierarchy ends too early; a closing brace is missing") from None
            self.words = words[::-1]
        return self.words.pop()

    def error(self, what: str) -> FormatError:
        return FormatError(self.path, what, self.line)

    def expect_brace(self, what: str) -> None:
        word = self.next()
        if word != b"{":
            raise self.error(f"expected '{{' after {what}, found {_show(word)}")

    def begin_joint(self) -> None:
        words: list[bytes] = []
        while self.words and self.words[-1] != b"{":  # names with spaces occur; they end with the line
            words.append(self.words.pop())
        if not words:
            raise self.error("a joint without a name")
        name = _decode(b" ".join(words))
        if name in self.named:
            raise self.error(f"the joint name {name!r} is already used in line {self.named[name]}")
        self.named[name] = self.line
        parent = self.open[-1] if self.open else -1
        self.open.append(len(self.text.joints))
        self.text.joints.append(Joint(name, parent))
        self.expect_brace(f"joint {name!r}")

    def end_joint(self, joint: Joint) -> None:
        if joint.offset is None:
            raise self.error(f"joint {joint.name!r} has no OFFSET")
        if joint.channels is None:
            raise self.error(f"joint {joint.name!r} has no CHANNELS")
        self.open.pop()

    def end_site(self) -> None:
        while self.words and self.words[-1] != b"{":
            self.words.pop()  # "Site", and a name that some writers add
        self.expect_brace("End Site")
        word = self.next()
        if word.upper() != b"OFFSET":
            raise self.error(f"expected OFFSET in the End Site, found {_show(word)}")
        self.text.end_offsets.append(self.offset())
        self.text.end_parents.append(self.open[-1])
        word = self.next()
        if word != b"}":
            raise self.error(f"expected '}}' after the OFFSET of the End Site, found {_show(word)}")

    def offset(self) -> list[float]:
        return [self.number() for _ in range(3)]

    def number(self) -> float:
        word = self.next()
        if not _NUMBER.fullmatch(word):
            raise self.error(f"expected a number, found {_show(word)}")
        value = float(word)
        if abs(value) > MAX_VALUE:
            raise self.error(f"the number {_show(word)} is absurdly large")
        return value

    def channels(self) -> list[str]:
        word = self.next()
        if not _COUNT.fullmatch(word) or int(word) > len(CHANNELS):
            raise self.error(f"expected the number of channels, 0 to 6, found {_show(word)}")
        channels: list[str] = []
        for _ in range(int(word)):
            name = _decode(self.next())
            if name.lower() not in CHANNELS:
                what = f"channel {len(channels) + 1} of {int(word)}: expected a name such as Xposition"
                raise self.error(f"{what}, got {name!r}")
            if name.lower() in channels:
                raise self.error(f"the channel {name} is given twice")
            channels.append(name.lower())
        return channels


class _Values:
    """The numbers behind the frame time: a stream, whatever the line breaks."""

    def __init__(self, data: bytes, start: int, path: Path) -> None:
        self.block = data[start:]
        self.first_line = data.count(b"\n", 0, start) + 1
        self.path = path

    def table(self, frames: int, channels: int) -> FloatArray:
        if channels == 0:
            raise FormatError(self.path, "no joint has a channel, so there is no motion")
        table = self.compiled(frames, channels)
        if table is None:
            table = self.by_lines()
        if table is None or table.shape != (frames, channels):
            table = self.by_words(frames, channels)
        if not (table.min() >= -MAX_VALUE and table.max() <= MAX_VALUE):  # also when one is NaN
            at = int(np.argmin(np.abs(table) <= MAX_VALUE))
            what = f"frame {at // channels}: {self.block.split()[at].decode()} is not a usable number"
            raise FormatError(self.path, what, self.line_of(at))
        return table

    def compiled(self, frames: int, channels: int) -> FloatArray | None:
        """Plain numbers by the compiled parser, where its start is already paid for or soon pays."""
        from locomote.formats._decimals import parse_decimals
        from locomote.math._compile import way_of

        way = way_of(parse_decimals)
        worth_it = way == "ahead" or (way == "jit" and ("numba" in sys.modules or len(self.block) > COMPILED_BYTES))
        if not worth_it or 2 * frames * channels > len(self.block) + 1:  # a value takes two bytes at least
            return None
        values = np.empty(frames * channels)
        count = parse_decimals(np.frombuffer(self.block, dtype=np.uint8), values)
        return values.reshape(frames, channels) if count == len(values) else None

    def by_lines(self) -> FloatArray | None:
        """The usual file: one frame on each line, by NumPy's reader."""
        if not self.block or self.block.isspace():
            return None
        try:
            return np.loadtxt(self.block.decode("latin-1").split("\n"), comments=None, ndmin=2)
        except ValueError:
            return None

    def by_words(self, frames: int, channels: int) -> FloatArray:
        words = self.block.split()
        for at, word in enumerate(words):
            if not _NUMBER.fullmatch(word):
                raise FormatError(self.path, f"expected a number, found {_show(word)}", self.line_of(at))
        if len(words) != frames * channels:
            what = f"{frames} frames of {channels} channels need {frames * channels} values, found {len(words)}"
            raise FormatError(self.path, what, self.line_of(len(words) - 1))
        return np.array([float(word) for word in words]).reshape(frames, channels)

    def line_of(self, at: int) -> int:
        """The line of a value, counted from the first one."""
        seen = 0
        lines = self.block.split(b"\n")
        for number, line in enumerate(lines):
            seen += len(line.split())
            if seen > at:
                return self.first_line + number
        return self.first_line + len(lines) - 1


def _line(data: bytes, position: int) -> int:
    return data.count(b"\n", 0, position) + 1


def _decode(word: bytes) -> str:
    try:
        return word.decode("utf-8")
    except UnicodeDecodeError:
        return word.decode("latin-1")


def _show(word: bytes) -> str:
    """A word for a message: short, and printable whatever its bytes are."""
    text = _decode(word)
    return ascii(text if len(text) <= 40 else text[:37] + "...")
