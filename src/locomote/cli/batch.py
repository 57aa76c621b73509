"""``locomote batch``: verbs for thousands of files, with the options that the verbs have for one."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from inspect import Parameter, Signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli import clean, convert, measure, retarget
from locomote.cli._shared import Quiet, say

if TYPE_CHECKING:
    from locomote.batch import Batch, Progress

SHOWN = 50  # failures in the table at the end

app = typer.Typer(
    help="Verbs for thousands of files: on all cores or on a cluster, going on where they were stopped.",
    no_args_is_help=True,
)

Workers = Annotated[int | None, typer.Option(min=1, help="Processes.", show_default="one for each core")]
Cluster = Annotated[
    str | None, typer.Option(metavar="ADDRESS", help="Dask scheduler, such as tcp://10.0.0.5:8786, that does the work.")
]
Again = Annotated[bool, typer.Option("--again", help="Also what was done before.")]
JsonLines = Annotated[bool, typer.Option("--json-lines", help="A line of JSON for each result, and one for all.")]


def _common(
    files: Annotated[
        list[str], typer.Argument(metavar="FILES...", help="Files, folders, or patterns such as 'clips/**/*.bvh'.")
    ],
    output: Annotated[
        Path, typer.Option("-o", "--output", help="Folder of the results; folders of the files are mirrored there.")
    ],
    to: Annotated[
        str | None,
        typer.Option(metavar="EXTENSION", help="Format to write, such as .glb.", show_default="as each file"),
    ] = None,
    workers: Workers = None,
    cluster: Cluster = None,
    again: Again = False,
    json_lines: JsonLines = False,
    quiet: Quiet = False,
) -> None:
    """What all verbs have for many files."""


def _options(function: Callable[..., Any], *left_out: str) -> list[Parameter]:
    found = inspect.signature(function, eval_str=True).parameters.values()
    return [each.replace(kind=Parameter.KEYWORD_ONLY) for each in found if each.name not in left_out]


def _add(verb: str, single: Callable[..., None], *left_out: str, **instead: Any) -> None:
    """Have a verb for many files: the options of the one for a single file, and those that all have.

    Parameters
    ----------
    verb : its name
    single : the verb for one file, whose declarations of options are taken
    left_out : parameters of it that name the one file and how its result is told
    instead : annotations of parameters that are given otherwise
    """
    common = _options(_common)
    own = [
        each.replace(annotation=instead.get(each.name, each.annotation))
        for each in _options(single, *left_out, *(each.name for each in common))
    ]

    def of_many(**given: Any) -> None:
        asked = {each.name: given.pop(each.name) for each in common}
        limits = given.pop("fail_over", None) or []
        _run(verb, asked, given, [measure.limit_of(text) for text in limits])

    of_many.__doc__ = single.__doc__
    of_many.__dict__["__signature__"] = Signature([common[0], *common[1:3], *own, *common[3:]])
    of_many.__annotations__ = {each.name: each.annotation for each in [*common, *own]}
    app.command(verb)(of_many)


_add("clean", clean.clean, "motion", "as_json")
_add("measure", measure.measure, "as_json")
_add(
    "retarget",
    retarget.retarget,
    "motion",
    rig=Annotated[Path, typer.Option(help="The rig they go onto: any file with a skeleton; a mesh is kept.")],
)
_add("convert", convert.convert, "source", "target")


def _run(verb: str, asked: dict[str, Any], options: dict[str, Any], limits: list[tuple[str, float]]) -> None:
    from locomote.batch import run

    quiet, as_json = asked["quiet"], asked["json_lines"]
    with progress(verb, quiet, as_json) as tell:
        made = run(
            verb,
            asked["files"],
            asked["output"],
            to=asked["to"],
            workers=asked["workers"],
            cluster=asked["cluster"],
            again=asked["again"],
            progress=tell,
            **options,
        )
    over = [
        (entry["file"], text)
        for entry in made.entries.values()
        for text in measure.over_limits(entry.get("figures", {}), limits)
    ]
    finish(made, "files", as_json, quiet, over)


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
