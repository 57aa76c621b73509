"""What can go wrong, as one family of exceptions.

LocomoteError
├── FormatError      a file does not say what its format requires
├── SkeletonError    a skeleton lacks what was asked of it, or is not a tree
└── MissingExtra     an optional library is needed and not installed

Every message names what is wrong, where, and what would be right.
"""

from __future__ import annotations

from os import PathLike


class LocomoteError(Exception):
    """The root of every error that locomote raises on purpose."""


class SkeletonError(LocomoteError):
    """A skeleton is not a tree, or lacks a joint or role that was asked for."""


class FormatError(LocomoteError):
    """A file is damaged or says something that its format does not allow.

    The message reads ``file:place: what is wrong``.
    """

    def __init__(self, path: str | PathLike[str], what: str, place: str | int | None = None) -> None:
        self.path = str(path)
        self.place = None if place is None else (f"line {place}" if isinstance(place, int) else place)
        where = self.path if self.place is None else f"{self.path}, {self.place}"
        super().__init__(f"{where}: {what}")


class MissingExtra(LocomoteError):
    """An optional library is not installed."""

    def __init__(self, library: str, extra: str, purpose: str) -> None:
        super().__init__(f"{purpose} needs {library}: pip install 'locomote[{extra}]'")
