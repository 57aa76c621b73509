"""``locomote batch``: verbs for thousands of files, with the options that the verbs have for one."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from inspect import Parameter, Signature
from pathlib import Path
from typing import Annotated, Any

import typer

from locomote.cli import clean, contacts, convert, measure, retarget
from locomote.cli._batch import Again, Cluster, JsonLines, Workers, finish, progress
from locomote.cli._batch_walk import walk
from locomote.cli._shared import Quiet

app = typer.Typer(
    help="Verbs for thousands of files, and labelled walks: on all cores or a cluster, going on where stopped.",
    no_args_is_help=True,
)


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
_add("measure", measure.measure, "as_json", "table")
_add(
    "retarget",
    retarget.retarget,
    "motion",
    "as_json",
    rig=Annotated[Path, typer.Option(help="The rig they go onto: any file with a skeleton; a mesh is kept.")],
)
_add("convert", convert.convert, "source", "target", "as_json")
_add("contacts", contacts.contacts, "motion", "as_json")
app.command("walk")(walk)


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
