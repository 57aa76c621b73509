"""``locomote examples``: every file that the pages start from, so that all they show can be tried."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from locomote.cli._human import make_folder
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.cli._start import CREATURES, PEOPLE, start
from locomote.errors import LocomoteError

FRAMES = 6000.0  # character-frames of all files together, roughly


def examples(
    names: Annotated[list[str] | None, typer.Argument(help="Only these.", show_default="all")] = None,
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder to write them to.")] = Path(),
    force: Annotated[
        bool, typer.Option("--force", help="Replace what is there already; it is kept otherwise.")
    ] = False,
    listed: Annotated[bool, typer.Option("--list", help="Print what there is and stop.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Write the files that the examples of all pages start from: clips, rigs, scenes, ways, captures; all our own."""
    from locomote.cli._examples import EXAMPLES

    if listed:
        about = {name: one.about for name, one in EXAMPLES.items()}
        lines = (f"{name:20} {what}" for name, what in about.items())
        typer.echo(json.dumps(about, indent=2) if as_json else "\n".join(lines))
        return
    for name in names or ():
        if name not in EXAMPLES:
            raise LocomoteError(f"{name}: no such example; there are: {', '.join(EXAMPLES)}")
    chosen = list(dict.fromkeys(names or EXAMPLES))
    start(PEOPLE, FRAMES, quiet or as_json)
    start(CREATURES, FRAMES, quiet or as_json)
    make_folder(output)
    told: dict[str, list[str]] = {"written": [], "kept": [], "left_out": []}
    with progress(f"{len(chosen)} examples to {output}", quiet or as_json) as step:
        for done, name in enumerate(chosen):
            step(done, len(chosen))
            one = EXAMPLES[name]
            if (output / name).exists() and not force:
                told["kept"].append(name)
            elif one.lacking is not None:
                told["left_out"].append(name)
                say(f"{name}: left out, it needs: pip install 'locomote[{one.lacking}]'", quiet or as_json)
            else:
                _write(name, output)
                told["written"].append(name)
    if as_json:
        typer.echo(json.dumps({"folder": str(output), **told}, indent=2))
    kept = f", {len(told['kept'])} were there already (--force replaces them)" if told["kept"] else ""
    say(f"{output}: {len(told['written'])} written{kept}", quiet or as_json)


def _write(name: str, folder: Path) -> None:
    """One example, whole or not at all: it is made aside, with what comes beside it."""
    from locomote.cli._examples import EXAMPLES

    try:
        with tempfile.TemporaryDirectory(dir=folder, prefix=".examples-") as aside:
            EXAMPLES[name].make(Path(aside) / name)
            for made in Path(aside).iterdir():
                if made.is_dir():  # whatever else is in a folder of that name stays
                    shutil.copytree(made, folder / made.name, dirs_exist_ok=True)
                else:
                    made.replace(folder / made.name)
    except OSError as error:
        raise LocomoteError(f"{folder / name}: cannot be written: {error.strerror or error}") from None
