"""A motion read with what may be said about its file, as plain values: for the verbs of one file and of many."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from locomote.errors import LocomoteError
from locomote.motion import Motion

# A damaged binary USD file can bring the USD library down with the whole process; a child process tries it first.
BINARY_USD = (".usdc", ".usd")
WORTH_SAYING = ("up: ", "doubtful", "if the file is in")  # marks of notes that a user must see


def read(
    path: Path,
    unit: str | None = None,
    up: str | None = None,
    animation: str | None = None,
    drop_tpose: bool = False,
    roles: Path | None = None,
) -> Motion:
    """Load a motion.

    Parameters
    ----------
    path : of the file
    unit : of its lengths, a name or metres
    up : the axis that points up
    animation : of a glTF file, by name or number
    drop_tpose : leave a T pose before the first frame of a BVH file out
    roles : a TOML file of the roles of its joints
    """
    from locomote.formats import load
    from locomote.formats._files import split_name

    options = load_options(unit, up)
    if animation is not None:
        options["animation"] = int(animation) if animation.isdecimal() else animation
    if drop_tpose:
        options["drop_tpose"] = True
    if split_name(path)[1] in BINARY_USD:
        options["isolated"] = True
    motion = load(path, **options)
    return motion if roles is None else _with_roles(motion, roles)


def read_again(path: Path, **options: Any) -> Motion:
    """The same of a file that many others are worked on with: read once, and again only when it changes.

    Parameters
    ----------
    path : of the file
    options : of `read`
    """
    try:
        changed = path.stat().st_mtime_ns
    except OSError:
        return read(path, **options)
    return _kept(path, changed, tuple(sorted(options.items())))


@lru_cache(maxsize=2)
def _kept(path: Path, _changed: int, options: tuple[tuple[str, Any], ...]) -> Motion:
    return read(path, **dict(options))


def worth_saying(motion: Motion) -> tuple[str, ...]:
    """What was guessed about the axes of a file, and what looks wrong about it."""
    return tuple(note for note in motion.notes if any(mark in note for mark in WORTH_SAYING))


def load_options(unit: str | None, up: str | None) -> dict[str, Any]:
    """What of the command line goes to `load` for every file alike."""
    options: dict[str, Any] = {}
    if unit is not None:
        options["unit"] = _number_or_name(unit)
    if up is not None:
        options["up"] = up
    return options


def _number_or_name(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


def _with_roles(motion: Motion, path: Path) -> Motion:
    from locomote.roles import roles_from_names

    roles = roles_from_names(motion.skeleton, read_roles(path))
    return replace(motion, skeleton=motion.skeleton.with_roles(roles))


def read_roles(path: Path) -> dict[str, Any]:
    """The names of joints by their roles, of a TOML file."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LocomoteError(f"{path}: not a TOML file: {error}") from None
