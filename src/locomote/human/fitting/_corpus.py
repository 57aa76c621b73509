"""The list of recordings a model is fitted from: who performs, in which clips, under which licence."""

from __future__ import annotations

import os
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from locomote.errors import FormatError, LocomoteError

VERSION = 1
GAITS = ("walk", "run")


@dataclass(frozen=True)
class Clip:
    """One file of motion; ``belt`` is the speed of the treadmill under it, m/s, 0 overground."""

    path: Path
    belt: float = 0.0

    @property
    def name(self) -> str:
        """The file's name without its endings."""
        return self.path.name.split(".")[0]


@dataclass(frozen=True)
class Source:
    """Where recordings come from, what may be done with them and how their makers wish to be named."""

    name: str
    licence: str
    acknowledgement: str


@dataclass(frozen=True)
class Performer:
    """One recorded person. Without a ``style`` they shape the population and are not in the model by name."""

    name: str
    source: str
    style: str | None
    about: str
    hip_height: float | None  # m, where the skeleton of the file does not tell it rightly
    walk: tuple[Clip, ...]
    run: tuple[Clip, ...]
    stand: tuple[Clip, ...]  # clips with a part in which the person stands


@dataclass(frozen=True)
class Corpus:
    """Performers and sources; all paths are complete."""

    performers: tuple[Performer, ...]
    sources: tuple[Source, ...]

    @staticmethod
    def load(path: str | os.PathLike[str] | None = None, root: str | os.PathLike[str] | None = None) -> Corpus:
        """Read a list of recorded clips.

        Parameters
        ----------
        path : a ``corpus.toml``; the one of the shipped model without it
        root : folder of the clips; that of the file without it
        """
        file = Path(path) if path is not None else Path(__file__).parents[2] / "assets" / "corpus.toml"
        try:
            table = tomllib.loads(file.read_text(encoding="utf-8"))
        except OSError as error:
            raise LocomoteError(f"{file}: cannot be read: {error.strerror}") from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise FormatError(file, f"is not TOML: {error}") from None
        return _CorpusReader(file, Path(root) if root is not None else file.parent).corpus(table)

    @property
    def styles(self) -> tuple[str, ...]:
        """Names of the styles, in the order of the file."""
        return tuple(p.style for p in self.performers if p.style is not None)

    def acknowledgements(self) -> str:
        """One text that names every source that is used, its licence and its makers' wish."""
        used = {performer.source for performer in self.performers}
        return "\n".join(
            f"{source.name}: {source.acknowledgement} Licence: {source.licence}"
            for source in self.sources
            if source.name in used
        )


class _CorpusReader:
    """Checks every field of the file and names the one that is wrong."""

    def __init__(self, file: Path, root: Path) -> None:
        self.file = file
        self.root = root

    def corpus(self, table: dict[str, Any]) -> Corpus:
        self._only(table, ("version", "source", "performer"), "the file")
        if table.get("version") != VERSION:
            raise FormatError(self.file, f"expected {VERSION}, got {table.get('version')!r}", "version")
        sources = tuple(
            Source(*(self._text(entry, key, where) for key in ("name", "licence", "acknowledgement")))
            for where, entry in self._entries(table, "source", ("name", "licence", "acknowledgement"))
        )
        fields = ("name", "source", "style", "about", "hip_height", "walk", "run", "stand")
        performers = tuple(
            self._performer(entry, where, sources) for where, entry in self._entries(table, "performer", fields)
        )
        for what, names in (
            ("name", [p.name for p in performers]),
            ("style", [p.style for p in performers if p.style is not None]),
        ):
            twice = next((name for name in names if names.count(name) > 1), None)
            if twice is not None:
                raise FormatError(self.file, f"{twice!r} is there twice", f"performer {what}")
        if not performers:
            raise FormatError(self.file, "expected at least one", "performer")
        return Corpus(performers, sources)

    def _performer(self, entry: dict[str, Any], where: str, sources: tuple[Source, ...]) -> Performer:
        name = self._text(entry, "name", where)
        where = f"performer {name!r}"
        source = self._text(entry, "source", where)
        known = [s.name for s in sources]
        if source not in known:
            raise FormatError(self.file, f"no source {source!r}; there is: {', '.join(known)}", f"{where} source")
        clips = {key: self._clips(entry, key, where) for key in ("walk", "run", "stand")}
        if not clips["walk"] and not clips["run"]:
            raise FormatError(self.file, "expected clips under walk or run", where)
        height = entry.get("hip_height")
        return Performer(
            name=name,
            source=source,
            style=self._text(entry, "style", where) if "style" in entry else None,
            about=self._text(entry, "about", where) if "about" in entry else "",
            hip_height=None if height is None else self._positive(height, f"{where} hip_height"),
            **clips,
        )

    def _clips(self, entry: dict[str, Any], key: str, where: str) -> tuple[Clip, ...]:
        listed = entry.get(key, [])
        if not isinstance(listed, list):
            raise FormatError(self.file, "expected a list of clips", f"{where} {key}")
        clips = []
        for number, item in enumerate(listed):
            place = f"{where} {key}[{number}]"
            table = {"file": item} if isinstance(item, str) else item
            if not isinstance(table, dict):
                raise FormatError(self.file, "expected a path or { file = ..., belt = ... }", place)
            self._only(table, ("file", "belt"), place)
            belt = self._positive(table["belt"], f"{place} belt") if "belt" in table else 0.0
            clips.append(Clip(self.root / self._text(table, "file", place), belt))
        return tuple(clips)

    def _entries(self, table: dict[str, Any], key: str, fields: tuple[str, ...]) -> list[tuple[str, dict[str, Any]]]:
        entries = table.get(key, [])
        if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
            raise FormatError(self.file, f"expected [[{key}]] tables", key)
        for number, entry in enumerate(entries):
            self._only(entry, fields, f"{key} {number + 1}")
        return [(f"{key} {number + 1}", entry) for number, entry in enumerate(entries)]

    def _only(self, table: dict[str, Any], fields: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in fields:
                raise FormatError(self.file, f"unknown field {key!r}; known are: {', '.join(fields)}", where)

    def _text(self, table: dict[str, Any], key: str, where: str) -> str:
        value = table.get(key)
        if not isinstance(value, str) or not value:
            raise FormatError(self.file, f"expected a text, got {value!r}", f"{where} {key}")
        return value

    def _positive(self, value: object, where: str) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 < value < 100.0:
            raise FormatError(self.file, f"expected a number above 0, got {value!r}", where)
        return float(value)
