"""What a field of a message may hold: read strictly, and described in the same terms as JSON Schema."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

from locomote.errors import LocomoteError

MOST_WHO = 1000  # characters that are named one by one
MOST_PLACES = 1000  # of a path
SHOWN = 60  # letters of a wrong value that an answer repeats
FARTHEST = 500.0  # m from the origin


class Field(Protocol):
    """What a field may hold."""

    def read(self, name: str, value: object) -> Any:
        """The value, checked."""

    def schema(self) -> dict[str, Any]:
        """The same as JSON Schema."""


@dataclass(frozen=True)
class Number:
    """A finite number in a range; with ``each`` also a list, one for each character meant."""

    low: float
    high: float
    each: bool = False

    def read(self, name: str, value: object) -> float | list[float]:
        """The number or numbers."""
        if self.each and isinstance(value, list) and 1 <= len(value) <= MOST_WHO:
            return [self.one(name, one) for one in value]
        return self.one(name, value)

    def one(self, name: str, value: object) -> float:
        """One number, checked."""
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not self.low <= value <= self.high:
            wanted = f"a number from {self.low:g} to {self.high:g}" + (", or a list" if self.each else "")
            raise LocomoteError(f"{name}: expected {wanted}, not {shown(value)}")
        return float(value)

    def schema(self) -> dict[str, Any]:
        """A number, or a list of such."""
        one = {"type": "number", "minimum": self.low, "maximum": self.high}
        if not self.each:
            return one
        return {"oneOf": [one, {"type": "array", "items": one, "minItems": 1, "maxItems": MOST_WHO}]}


@dataclass(frozen=True)
class Whole:
    """A whole number of 0 or more."""

    high: int

    def read(self, name: str, value: object) -> int:
        """The number."""
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= self.high:
            raise LocomoteError(f"{name}: expected a whole number from 0 to {self.high}, not {shown(value)}")
        return value

    def schema(self) -> dict[str, Any]:
        """An integer."""
        return {"type": "integer", "minimum": 0, "maximum": self.high}


@dataclass(frozen=True)
class Word:
    """One of some words."""

    words: tuple[str, ...]

    def read(self, name: str, value: object) -> str:
        """The word."""
        if not isinstance(value, str) or value not in self.words:
            raise LocomoteError(f"{name}: expected {', '.join(self.words)}, not {shown(value)}")
        return value

    def schema(self) -> dict[str, Any]:
        """An enumeration."""
        return {"enum": list(self.words)}


@dataclass(frozen=True)
class Name:
    """A short text."""

    def read(self, name: str, value: object) -> str:
        """The text."""
        if not isinstance(value, str) or not 1 <= len(value) <= 64:
            raise LocomoteError(f"{name}: expected a text of 1 to 64 letters, not {shown(value)}")
        return value

    def schema(self) -> dict[str, Any]:
        """A string."""
        return {"type": "string", "minLength": 1, "maxLength": 64}


@dataclass(frozen=True)
class Flag:
    """True or false."""

    def read(self, name: str, value: object) -> bool:
        """The flag."""
        if not isinstance(value, bool):
            raise LocomoteError(f"{name}: expected true or false, not {shown(value)}")
        return value

    def schema(self) -> dict[str, Any]:
        """A boolean."""
        return {"type": "boolean"}


@dataclass(frozen=True)
class Numbers:
    """So many numbers in one range."""

    count: int
    low: float
    high: float

    def read(self, name: str, value: object) -> list[float]:
        """The numbers."""
        if not isinstance(value, list) or len(value) != self.count:
            raise LocomoteError(f"{name}: expected a list of {self.count} numbers, not {shown(value)}")
        one = Number(self.low, self.high)
        return [float(one.one(f"{name}[{i}]", each)) for i, each in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        """An array of fixed length."""
        items = Number(self.low, self.high).schema()
        return {"type": "array", "items": items, "minItems": self.count, "maxItems": self.count}


@dataclass(frozen=True)
class PathField:
    """Two or more places (x, z)."""

    def read(self, name: str, value: object) -> list[list[float]]:
        """The places."""
        if not isinstance(value, list) or not 2 <= len(value) <= MOST_PLACES:
            raise LocomoteError(f"{name}: expected 2 to {MOST_PLACES} places [x, z], not {shown(value)}")
        return [PLACE.read(f"{name}[{i}]", each) for i, each in enumerate(value)]

    def schema(self) -> dict[str, Any]:
        """An array of places."""
        return {"type": "array", "items": PLACE.schema(), "minItems": 2, "maxItems": MOST_PLACES}


@dataclass(frozen=True)
class Who:
    """One character or some, by their numbers; none twice."""

    def read(self, name: str, value: object) -> list[int] | None:
        """Their numbers, or None for all."""
        if value is None:
            return None
        numbers = value if isinstance(value, list) else [value]
        if not 1 <= len(numbers) <= MOST_WHO:
            raise LocomoteError(f"{name}: expected 1 to {MOST_WHO} characters, not {len(numbers)}")
        who = [Whole(10**6).read(name, each) for each in numbers]
        if len(set(who)) < len(who):
            raise LocomoteError(f"{name}: a character is named twice")
        return who

    def schema(self) -> dict[str, Any]:
        """An integer, some of them, or null."""
        one = Whole(10**6).schema()
        some = {"type": "array", "items": one, "minItems": 1, "maxItems": MOST_WHO, "uniqueItems": True}
        return {"oneOf": [{"type": "null"}, one, some]}


@dataclass(frozen=True)
class GaitField:
    """A gait by name, or for people the share of running."""

    def read(self, name: str, value: object) -> float | str:
        """The gait."""
        return Name().read(name, value) if isinstance(value, str) else Number(0.0, 1.0).one(name, value)

    def schema(self) -> dict[str, Any]:
        """A string or a number."""
        return {"oneOf": [Name().schema(), Number(0.0, 1.0).schema()]}


@dataclass(frozen=True)
class Mixture:
    """A style by name, or names with weights."""

    def read(self, name: str, value: object) -> str | dict[str, float]:
        """The style."""
        if not isinstance(value, dict):
            return Name().read(name, value)
        if not 1 <= len(value) <= 64:
            raise LocomoteError(f"{name}: expected a name, or 1 to 64 names with weights")
        return {Name().read(name, each): Number(0.0, 1.0).one(name, share) for each, share in value.items()}

    def schema(self) -> dict[str, Any]:
        """A string or an object."""
        weights = {"type": "object", "additionalProperties": Number(0.0, 1.0).schema()}
        return {"oneOf": [Name().schema(), {**weights, "minProperties": 1, "maxProperties": 64}]}


@dataclass(frozen=True)
class GroupsField:
    """Groups by name, each with some of its characters or null for all; null for everyone, also who comes later."""

    def read(self, name: str, value: object) -> dict[str, list[int] | None] | None:
        """The groups."""
        if value is None:
            return None
        if not isinstance(value, dict) or len(value) > 64:
            raise LocomoteError(f'{name}: expected null or groups such as {{"people": [0, 1]}}')
        return {Name().read(name, each): Who().read(f"{name}.{shown(each)}", who) for each, who in value.items()}

    def schema(self) -> dict[str, Any]:
        """An object of groups, or null."""
        some = {"type": "object", "additionalProperties": Who().schema(), "maxProperties": 64}
        return {"oneOf": [{"type": "null"}, some]}


PLACE = Numbers(2, -FARTHEST, FARTHEST)


def shown(value: object, quoted: bool = True) -> str:
    """A value as an answer repeats it: short, whatever it is."""
    if isinstance(value, (list, dict)):
        return f"a {'list' if isinstance(value, list) else 'table'} of {len(value)}"
    if isinstance(value, int) and abs(value) > 1 << 64:
        return "a number that is too large"
    if isinstance(value, float) and not math.isfinite(value):
        return "a number that is not finite"
    text = (repr(value) if quoted else str(value))[: SHOWN + 1]
    return text if len(text) <= SHOWN else text[:SHOWN] + "…"
