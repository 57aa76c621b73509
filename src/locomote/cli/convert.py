"""``locomote convert``: one format into another."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer

from locomote.cli._human import check_motion_file
from locomote.cli._shared import Animation, DropTpose, Json, Quiet, Unit, Up, progress, read, say


def convert(
    source: Annotated[list[Path], typer.Argument(help="Motion file to read; several go into one USD file.")],
    target: Annotated[Path, typer.Argument(help="File to write; its extension says the format.")],
    unit: Unit = None,
    up: Up = None,
    animation: Animation = None,
    drop_tpose: DropTpose = False,
    fps: Annotated[float | None, typer.Option(min=0.1, max=10000, help="Resample to this rate.")] = None,
    start: Annotated[float | None, typer.Option(min=0.0, help="Leave out what is before this time, seconds.")] = None,
    end: Annotated[float | None, typer.Option(min=0.0, help="Leave out what is after this time, seconds.")] = None,
    scale: Annotated[float | None, typer.Option(min=1e-6, help="Make the body this many times as large.")] = None,
    rest: Annotated[
        str | None,
        typer.Option(help="Rest pose of a BVH file: file (as it is) or tpose.", show_default="file"),
    ] = None,
    order: Annotated[
        str | None, typer.Option(help="Order of the rotation channels of a BVH file.", show_default="zyx")
    ] = None,
    write_unit: Annotated[
        str | None, typer.Option(help="Unit of a BVH file that is written.", show_default="m")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Convert a motion: BVH, ASF/AMC, glTF, USD, NPZ, OpenSim in; BVH, glTF, USD, NPZ out."""
    from locomote.batch._verbs import converted, written_as
    from locomote.formats import save

    check_motion_file(target)
    motions = []
    quiet = quiet or as_json
    options = written_as(rest=rest, order=order, write_unit=write_unit)
    with progress(f"{source[0].name} to {target.name}", quiet) as step:
        for done, path in enumerate(source):
            step(done, len(source) + 1)
            motion = read(path, unit, up, animation, drop_tpose)
            for note in motion.notes:
                say(f"{path}: {note}", quiet)
            motion = converted(motion, fps=fps, start=start, end=end, scale=scale)
            motions.append(replace(motion, name=motion.name or target.stem))
        step(len(source), len(source) + 1)
        save(motions if len(motions) > 1 else motions[0], target, **options)
    if as_json:
        told = [{"name": m.name, "frames": len(m), "fps": m.fps, "joints": len(m.skeleton)} for m in motions]
        typer.echo(json.dumps({"file": str(target), "motions": told}, indent=2))
    for motion in motions:
        who = f" ({motion.name})" if len(motions) > 1 else ""
        say(f"{target}{who}: {len(motion)} frames at {motion.fps:g} fps, {len(motion.skeleton)} joints", quiet)
