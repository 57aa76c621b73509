"""Values out of a table of a text file, each checked, with errors that name the file and the place."""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, TypeGuard

from locomote.errors import FormatError, LocomoteError


def read_table(path: str | PathLike[str]) -> dict[str, Any]:
    """The tables of a TOML file."""
    try:
        return tomllib.loads(Path(path).read_bytes().decode("utf-8"))
    except FileNotFoundError:
        raise LocomoteError(f"{path}: no such file") from None
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be read: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise FormatError(path, f"not a TOML file: {error}") from None


def check_keys(path: str | PathLike[str], where: str, table: dict[str, Any], valid: Sequence[str]) -> None:
    """Refuse a key that means nothing here."""
    for key in table:
        if key not in valid:
            raise FormatError(path, f"unknown key {key!r}; there are: {', '.join(valid)}", where)


def number(value: object) -> float:
    """A finite number."""
    if not is_number(value):
        raise LocomoteError(f"expected a number instead of {value!r}")
    return float(value)


def whole(value: object) -> int:
    """A whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise LocomoteError(f"expected a whole number instead of {value!r}")
    return value


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise LocomoteError(f"expected true or false instead of {value!r}")
    return value


def text(value: object) -> str:
    """Some text."""
    if not isinstance(value, str) or not value:
        raise LocomoteError(f"expected a text instead of {value!r}")
    return value


def angle(value: object) -> float:
    """Radians, as a number or as a text such as "30deg"."""
    if isinstance(value, str) and value.strip().lower().endswith("deg"):
        try:
            degrees = float(value.strip()[:-3])
        except ValueError:
            degrees = math.nan
        if math.isfinite(degrees):
            return math.radians(degrees)
    if not is_number(value):
        raise LocomoteError(f'expected radians, or degrees such as "30deg", instead of {value!r}')
    return float(value)


def numbers(count: int) -> Callable[[object], list[float]]:
    """A reader of lists of so many numbers."""

    def read(value: object) -> list[float]:
        if not (isinstance(value, list) and len(value) == count and all(map(is_number, value))):
            raise LocomoteError(f"expected {count} numbers such as {[0.0] * count} instead of {value!r}")
        return [float(each) for each in value]

    return read


def is_number(value: object) -> TypeGuard[int | float]:
    """Whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
