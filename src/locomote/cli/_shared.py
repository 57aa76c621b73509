"""What the verbs share: arguments, reading with options, progress, errors."""

from __future__ import annotations

import logging
import math
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from locomote.batch._reading import load_options as load_options  # verbs have all that they share from here
from locomote.batch._reading import read as read
from locomote.batch._reading import worth_saying
from locomote.motion import Motion

EVERY = 10.0  # s between lines in a log

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


def fail(message: str) -> NoReturn:
    """Say what is wrong in one line and stop with exit code 2."""
    typer.echo(f"locomote: {' '.join(message.split())}", err=True)
    sys.exit(2)


def say_notes(path: Path, motion: Motion, quiet: bool) -> None:
    """What was guessed about the axes of a file, and what looks wrong about it."""
    for note in worth_saying(motion):
        say(f"{path}: {note}", quiet)


def say(message: str, quiet: bool) -> None:
    """A message for a person, on standard error."""
    if not quiet:
        typer.echo(message, err=True)


@contextmanager
def progress(title: str, quiet: bool) -> Iterator[Callable[[int, int], None]]:
    """How far something is, on standard error; call the result with (done, total).

    A bar with the time so far and the time left in a terminal, a line now and then in a log.
    """
    if quiet:
        logging.getLogger("locomote.kernels").setLevel(logging.ERROR)  # that something is compiled
        yield lambda _done, _total: None
    elif not sys.stderr.isatty():
        yield from _lines(title)
    else:
        yield from _bar(title)


def _lines(title: str) -> Iterator[Callable[[int, int], None]]:
    say(title, False)
    begun = shown = time.monotonic()

    def line(done: int, total: int) -> None:
        nonlocal shown
        now = time.monotonic()
        if now - shown >= EVERY and done > 0:
            shown = now
            left = (now - begun) / done * (total - done)
            say(f"{title}: {done} of {total}, {clock(now - begun)} so far, {clock(left)} left", False)

    yield line
    took = time.monotonic() - begun
    if took >= EVERY:
        say(f"{title}: took {clock(took)}", False)


def _bar(title: str) -> Iterator[Callable[[int, int], None]]:
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        Progress,
        TaskProgressColumn,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    left = TimeRemainingColumn(), TextColumn("left")
    columns = TextColumn(title), BarColumn(), TaskProgressColumn(), TimeElapsedColumn(), *left
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def clock(seconds: float) -> str:
    """A time as hours, minutes and seconds."""
    whole = math.ceil(seconds)
    hours, minutes = whole // 3600, whole // 60 % 60
    return f"{hours}:{minutes:02}:{whole % 60:02}" if hours else f"{minutes}:{whole % 60:02}"
