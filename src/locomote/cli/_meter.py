"""How far a batch is, on standard error: a bar in a terminal, a line now and then in a log."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from locomote.cli._shared import EVERY, clock, say

if TYPE_CHECKING:
    from locomote.batch import Progress


@contextmanager
def meter(title: str, quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """Show how far a batch is, at what rate, and how long it will take.

    Parameters
    ----------
    title : what is done
    quiet : show nothing
    """
    if quiet:
        logging.getLogger("locomote.kernels").setLevel(logging.ERROR)  # that something is compiled
        yield lambda _: None
    elif sys.stderr.isatty():
        with _bar(title) as show:
            yield show
    else:
        shown = 0.0

        def line(now: Progress) -> None:
            nonlocal shown
            if now.seconds - shown >= EVERY:
                shown = now.seconds
                say(f"{title}: {_ended(now)} of {now.total}{sentence(now)}", False)

        yield line


@contextmanager
def _bar(title: str) -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = TextColumn(title), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[about]}")
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(title, total=None, about="")
        yield lambda now: bar.update(
            task, total=now.total, completed=_ended(now), about=sentence(now).removeprefix(", ")
        )


def sentence(now: Progress) -> str:
    """The rate, the time that is left, and how many failed."""
    parts = [f"{now.rate:.3g} a second", f"{clock(now.left)} left"] if now.rate > 0.0 else []
    parts += [f"{now.failed} failed"] if now.failed else []
    return "".join(f", {part}" for part in parts)


def _ended(now: Progress) -> int:
    return now.kept + now.done + now.failed
