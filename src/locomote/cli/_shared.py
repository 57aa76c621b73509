"""What the verbs share: arguments, reading with options, progress, errors."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from locomote.errors import LocomoteError
from locomote.motion import Motion

Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no messages, only results and errors.")]
Json = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]
Unit = Annotated[
    str | None,
    typer.Option(
        help="Unit of a BVH or glTF file: auto, m, cm, mm, inch, foot, cmu or a number of metres.",
        show_default="auto; metres in glTF",
    ),
]
Up = Annotated[
    str | None,
    typer.Option(
        help="Axis that points up in a BVH or glTF file: x, y or z, or -z and so on.", show_default="as the body stands"
    ),
]
Animation = Annotated[
    str | None, typer.Option(help="Which animation of a glTF file, by name or number.", show_default="first")
]
DropTpose = Annotated[
    bool,
    typer.Option("--drop-tpose", help="Leave out a T pose that was added before the first frame of a BVH file."),
]
KeepTpose = Annotated[
    bool,
    typer.Option("--keep-tpose", help="Keep a T pose that was added before the first frame; it is left out otherwise."),
]
RolesFile = Annotated[
    Path | None, typer.Option("--roles", help="TOML file that says which joints are hips, knees, ...")
]

WORTH_SAYING = ("up: ", "doubtful", "if the file is in")  # marks of notes that a user must see

# A damaged binary USD file can bring the USD library down with the whole process; a child process tries it first.
BINARY_USD = (".usdc", ".usd")


def fail(message: str) -> NoReturn:
    """Say what is wrong in one line and stop with exit code 2."""
    typer.echo(f"locomote: {' '.join(message.split())}", err=True)
    sys.exit(2)


def say_notes(path: Path, motion: Motion, quiet: bool) -> None:
    """What was guessed about the axes of a file, and what looks wrong about it."""
    for note in motion.notes:
        if any(mark in note for mark in WORTH_SAYING):
            say(f"{path}: {note}", quiet)


def say(message: str, quiet: bool) -> None:
    """A message for a person, on standard error."""
    if not quiet:
        typer.echo(message, err=True)


def read(
    path: Path,
    unit: str | None = None,
    up: str | None = None,
    animation: str | None = None,
    drop_tpose: bool = False,
    roles: Path | None = None,
) -> Motion:
    """Load a motion with the options that were given on the command line."""
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


def load_options(unit: str | None, up: str | None) -> dict[str, Any]:
    """What of the command line goes to `load` for every file alike."""
    options: dict[str, Any] = {}
    if unit is not None:
        options["unit"] = _number_or_name(unit)
    if up is not None:
        options["up"] = up
    return options


def _with_roles(motion: Motion, path: Path) -> Motion:
    import tomllib
    from dataclasses import replace

    from locomote.roles import roles_from_names

    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise LocomoteError(f"{path}: not a TOML file: {error}") from None
    roles = roles_from_names(motion.skeleton, table)
    return replace(motion, skeleton=motion.skeleton.with_roles(roles))


def _number_or_name(text: str) -> float | str:
    try:
        return float(text)
    except ValueError:
        return text


@contextmanager
def progress(title: str, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """A progress bar on standard error; call the result with (done, total)."""
    if quiet:
        logging.getLogger("locomote.kernels").setLevel(logging.ERROR)  # that something is compiled
    if quiet or not sys.stderr.isatty():
        say(title, quiet)
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
