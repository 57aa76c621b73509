"""Which files are worked on, and where their results go: the folders of the inputs mirrored below the output's."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from locomote.errors import LocomoteError
from locomote.formats import FORMATS
from locomote.formats._files import COMPRESSIONS, split_name

RIGS = (".asf", ".xml", ".urdf")  # a pose, not a motion: only what was named or asked for by its extension


class Input(NamedTuple):
    """A file to work on."""

    path: Path  # as it was given
    below: Path  # its place below the folder from which folders are mirrored


class Item(NamedTuple):
    """A file to work on, and the file to write."""

    path: Path  # as it was given
    output: str  # below the folder of results, with /


def items_of(sources: Iterable[str | os.PathLike[str]], folder: Path, extension: str) -> list[Item]:
    """Everything to do, in the order of its outputs.

    Parameters
    ----------
    sources : files, folders and patterns
    folder : of the results; what lies in it is no input
    extension : of the results, or "" for that of each input
    """
    found: dict[str, Path] = {}
    results = folder.absolute()
    for each in _inputs([os.fspath(source) for source in sources]):
        if each.path.absolute().is_relative_to(results):
            continue
        stem, own, compression = split_name(each.path)
        name = f"{stem}{extension}" if extension else f"{stem}{own}{compression}"
        output = each.below.with_name(name).as_posix()
        if found.setdefault(output, each.path) != each.path:
            raise LocomoteError(
                f"{found[output]} and {each.path} would both become {folder / output}; give each a folder of its own"
            )
    return [Item(found[output], output) for output in sorted(found)]


def _inputs(sources: list[str]) -> Iterator[Input]:
    """What files, folders and patterns mean; files by themselves are mirrored from the folder that they share."""
    if not sources:
        raise LocomoteError("no files: give files, folders or patterns such as 'clips/**/*.bvh'")
    plain = [Path(source) for source in sources if not _is_pattern(source) and not os.path.isdir(source)]
    shared = Path(os.path.commonpath([path.absolute().parent for path in plain])) if plain else Path()
    for path in plain:
        if not path.exists():
            raise LocomoteError(f"{path}: no such file")
        yield Input(path, path.absolute().relative_to(shared))
    for source in sources:
        if os.path.isdir(source):
            yield from _matching(source, os.path.join(glob.escape(source), "**"))
        elif _is_pattern(source):
            yield from _matching(_fixed(source), source)


def files_of(sources: Iterable[str | os.PathLike[str]]) -> list[Path]:
    """The motion files that files, folders and patterns mean, each once; files that are named are not looked for.

    Parameters
    ----------
    sources : as they were given
    """
    found: list[Path] = []
    for each in sources:
        source = os.fspath(each)
        found += sorted(one.path for one in _inputs([source])) if is_several(source) else [Path(source)]
    return list(dict.fromkeys(found))


def is_several(source: str | os.PathLike[str]) -> bool:
    """Whether a folder or a pattern is meant, not a file."""
    return os.path.isdir(source) or _is_pattern(os.fspath(source))


def _is_pattern(source: str) -> bool:
    return glob.has_magic(source) and not os.path.exists(source)


def _fixed(pattern: str) -> str:
    """The folders of a pattern before its first wildcard."""
    parts = Path(pattern).parts
    first = next(n for n, part in enumerate(parts) if glob.has_magic(part))
    return os.path.join(*parts[:first]) if first else ""


def _matching(base: str, pattern: str) -> list[Input]:
    """The motion files among those that a pattern means."""
    extension = split_name(Path(pattern))[1]
    asked = extension if extension in FORMATS else ""
    found = [Path(path) for path in glob.glob(pattern, recursive=True) if _is_motion(path, asked)]
    if not found:
        known = ", ".join(name for name, form in FORMATS.items() if form.reads)
        raise LocomoteError(f"{pattern}: no motion files; those that are read: {known}, also with .xz or .gz")
    return [Input(path, path.relative_to(base)) for path in found]


def _is_motion(path: str, asked: str) -> bool:
    extension = split_name(Path(path))[1]
    known = extension in FORMATS and FORMATS[extension].reads and (extension not in RIGS or extension == asked)
    return known and os.path.isfile(path)


def checked_extension(to: str | None, verb: str, own: tuple[str, ...]) -> str:
    """The extension of the files to write, or "" for that of each input.

    Parameters
    ----------
    to : what was asked for
    verb : that writes them
    own : those that the verb writes, the usual one first; none where it writes motions
    """
    if to is None:
        if verb == "convert":
            raise LocomoteError("batch convert: into what? give an extension with --to, such as .glb")
        return own[0] if own else ""
    extension = to if to.startswith(".") else f".{to}"
    packing = next((each for each in COMPRESSIONS if extension.endswith(each)), "")
    known = own or [name for name, form in FORMATS.items() if form.writes]
    if (extension if own else extension.removesuffix(packing)) not in known:
        raise LocomoteError(f"batch {verb}: --to {to}: expected one of {', '.join(known)}")
    return extension
