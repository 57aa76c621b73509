"""What was done in a folder, one line of JSON a file: a batch that was stopped goes on from there.

While a batch runs, lines are added as files are finished. At the end they are sorted, so that the record does not say
in which order, by how many workers or in how many attempts things were done.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from locomote.errors import LocomoteError
from locomote.formats._files import atomic_path, leftovers

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

NAME = "batch.jsonl"
VERSION = 1


class Record:
    """The record of a folder, which it keeps from others while it is open.

    Parameters
    ----------
    folder : of the results, which is there
    head : what is done, and how; a record of anything else is refused
    again : forget what was done before
    """

    def __init__(self, folder: Path, head: Mapping[str, Any], again: bool = False) -> None:
        self.path = folder / NAME
        self.head = json.dumps({"batch": VERSION, **head}, sort_keys=True)
        self.entries: dict[str, dict[str, Any]] = {}  # by output
        try:
            self._file = self._opened()
            text = self.path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise LocomoteError(f"{self.path}: cannot be used as the record of a batch: {error}") from None
        known = [] if again else text.splitlines()
        if known and known[0] != self.head:
            self._file.close()
            raise LocomoteError(f"{folder}: {_difference(known[0], self.head)}; give another folder, or --again")
        for line in known[1:]:
            try:
                entry = json.loads(line)
                self.entries[entry["output"]] = entry
            except (ValueError, KeyError, TypeError):  # the line that was being written when it was stopped
                continue
        if text != self._text():
            self._rewrite()

    def _opened(self) -> TextIO:
        file = self.path.open("a", encoding="utf-8")
        if fcntl is not None:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                raise LocomoteError(f"{self.path.parent}: another batch writes there just now") from None
        return file

    def _text(self) -> str:
        return "".join(f"{line}\n" for line in (self.head, *map(_line, self.entries.values())))

    def _rewrite(self) -> None:
        with atomic_path(self.path) as temporary:
            temporary.write_text(self._text(), encoding="utf-8")
        before, self._file = self._file, self._opened()
        before.close()

    def is_done(self, output: str, told: Mapping[str, Any]) -> bool:
        """Whether a result is there, made from just this.

        Parameters
        ----------
        output : the file that is written, below the folder
        told : what is told of what it is made from, such as the path and size of a file
        """
        entry = self.entries.get(output)
        if entry is None or entry.get("status") != "done" or any(entry.get(k) != v for k, v in told.items()):
            return False
        try:
            written = (self.path.parent / output).stat().st_mtime_ns
            return "file" not in told or written >= os.stat(told["file"]).st_mtime_ns
        except OSError:
            return False

    def add(self, entry: dict[str, Any]) -> None:
        """Tell what became of a file."""
        self.entries[entry["output"]] = entry
        self._file.write(_line(entry) + "\n")
        self._file.flush()

    def close(self, asked: Iterable[str]) -> None:
        """Put the lines in order: those of ``asked`` outputs, and those of others that are there."""
        wanted = set(asked)
        self.entries = {
            name: each for name, each in sorted(self.entries.items()) if name in wanted or self._is_there(each)
        }
        self._rewrite()
        self._file.close()

    def _is_there(self, entry: dict[str, Any]) -> bool:
        return entry.get("status") == "done" and (self.path.parent / entry["output"]).is_file()

    def tidy(self, outputs: Iterable[str]) -> None:
        """Remove what was half written when a process was killed."""
        paths = [self.path, *(self.path.parent / output for output in outputs)]
        for path in leftovers(paths):
            path.unlink(missing_ok=True)


def _line(entry: Mapping[str, Any]) -> str:
    return json.dumps(entry, allow_nan=False)


def _difference(was: str, wanted: str) -> str:
    """How a batch differs from the one that was begun in a folder."""
    try:
        before, now = json.loads(was), json.loads(wanted)
        for name in ("batch", "verb", "locomote"):
            if before[name] != now[name]:
                return f"a batch of another kind was begun there, {name} {before[name]}, not {now[name]}"
        options = sorted({*before["options"], *now["options"]})
        changed = [name for name in options if before["options"].get(name) != now["options"].get(name)]
        return f"a batch was begun there with other options: {', '.join(changed)}"
    except (ValueError, KeyError, TypeError):
        return f"{NAME} there is no record of a batch"
