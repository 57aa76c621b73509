"""What the verbs for many have in common: where the work is done, how far it is, what became of everything."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from locomote.cli._shared import say

if TYPE_CHECKING:
    from locomote.batch import Batch, Progress

SHOWN = 50  # failures in the table at the end

Workers = Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="one for each core")]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler, such as tcp://10.0.0.5:8786, that does the work.")
]
Again = Annotated[bool, typer.Option("--again", help="Also what was done before.")]
JsonLines = Annotated[
    bool, typer.Option("--json", "--json-lines", help="A line of JSON for each result, and one for all.")
]


@contextmanager
def progress(title: str, quiet: bool, as_json: bool) -> Iterator[Callable[[Progress], None]]:
    """Tell of a batch on standard error, and each result on standard output where JSON was asked for; Ctrl-C ends it.

    Parameters
    ----------
    title : what is done
    quiet : nothing on standard error
    as_json : a line of JSON for each result
    """
    from locomote.cli._meter import meter

    last: list[Progress] = []
    try:
        with meter(title, quiet) as show:

            def tell(now: Progress) -> None:
                last[:] = [now]
                show(now)
                if as_json and now.entry is not None:
                    typer.echo(json.dumps(now.entry, allow_nan=False))

            yield tell
    except KeyboardInterrupt:
        ended = last[0].kept + last[0].done if last else 0
        of = f" of {last[0].total}" if last else ""
        say(f"stopped with {ended}{of} done; the same command goes on from there", quiet)
        raise typer.Exit(130) from None


def finish(made: Batch, what: str, as_json: bool, quiet: bool, over: list[tuple[str, str]] | None = None) -> None:
    """Say what became of everything; exit code 1 where something failed.

    Parameters
    ----------
    made : the batch
    what : its results are
    as_json : a line of JSON
    quiet : only failures
    over : results over a limit, and how they are
    """
    failures = [*made.failures, *(over or [])]
    if as_json:
        told = {"done": made.done, "kept": made.kept, "failed": len(failures), "seconds": round(made.seconds, 3)}
        typer.echo(json.dumps({"batch": str(made.folder), **told}))
    if failures:
        width = max(len(file) for file, _ in failures[:SHOWN])
        for file, reason in failures[:SHOWN]:
            typer.echo(f"{file.ljust(width)}  {reason.removeprefix(file).lstrip(',: ')}", err=True)
        more = len(failures) - SHOWN
        if more > 0:
            typer.echo(f"and {more} more, in {made.folder / 'batch.jsonl'}", err=True)
    kept = f", {made.kept} were there" if made.kept else ""
    lost = f", {len(failures)} failed" if failures else ""
    rate = f", {made.done / made.seconds:.1f} a second" if made.done else ""
    say(f"{made.folder}: {made.done} {what} done in {made.seconds:.1f} s{rate}{kept}{lost}", quiet)
    if failures:
        raise typer.Exit(1)
