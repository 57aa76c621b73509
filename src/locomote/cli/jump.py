"""``locomote jump``: a person comes along, jumps and goes on, into a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from locomote.cli._human import ModelFile, check_motion_file, figures_of, measured, model_of, sentence
from locomote.cli._shared import Json, Quiet, progress, read, say
from locomote.cli._start import PEOPLE, start


def jump(
    length: Annotated[float, typer.Argument(help="Metres from the balls of the feet to where they land.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write; its extension says the format.")],
    speed: Annotated[float, typer.Option(min=0.0, help="m/s before and after; who stands jumps from both feet.")] = 1.4,
    style: Annotated[
        str | None,
        typer.Option(help="Style NAME or mixture NAME=0.7,OTHER=0.3.", show_default="drawn by the seed"),
    ] = None,
    onto: Annotated[
        Path | None, typer.Option(help="File of a rig that the jump goes onto.", show_default="the engine's own body")
    ] = None,
    fps: Annotated[float, typer.Option(min=5.0, max=240.0, help="Frames a second.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same motion.")] = 0,
    model: ModelFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a person jump so many metres, with the run-up that it takes; `walk --jump` has jumps on a way."""
    from locomote.formats import save
    from locomote.human.scenes._schedule import parse_mixture
    from locomote.quick._people import jump_plan, walk_onto

    check_motion_file(output)
    plan = jump_plan(length, speed, None if style is None else parse_mixture(style, "--style"))
    people = model_of(model)
    start(PEOPLE, (plan.seconds or 0.0) * fps, quiet or as_json)
    rig = None if onto is None else read(onto)
    with progress(f"jumping to {output.name}", quiet or as_json) as step:
        motion = walk_onto(people, plan, rig, fps=fps, seed=seed, name=output.stem, progress=step)
        _, figures = measured(motion, None)
        save(motion, output)
    if as_json:
        typer.echo(json.dumps({"file": str(output), **figures_of(motion, figures)}, indent=2, allow_nan=False))
    say(f"{output}: {sentence(figures)}", quiet or as_json)
