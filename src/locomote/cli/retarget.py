"""``locomote retarget``: a motion onto another rig."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from locomote.cli._shared import Animation, DropTpose, Json, Quiet, RolesFile, Unit, Up, progress, read, say, say_notes


def retarget(
    motion: Annotated[Path, typer.Argument(help="The motion.")],
    rig: Annotated[Path, typer.Argument(help="The rig it goes onto: any file with a skeleton; a mesh is kept.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write.")],
    unit: Unit = None,
    up: Up = None,
    animation: Animation = None,
    rig_unit: Annotated[
        str | None, typer.Option(help="Unit of the rig's file.", show_default="auto; metres in glTF")
    ] = None,
    rig_up: Annotated[str | None, typer.Option(help="Axis that points up in the rig's file.")] = None,
    drop_tpose: DropTpose = False,
    feet: Annotated[
        bool, typer.Option("--feet/--no-feet", help="Keep planted feet where the motion plants them.")
    ] = True,
    scale: Annotated[
        float | None, typer.Option(help="Scale of the travel.", show_default="ratio of the leg lengths")
    ] = None,
    froude: Annotated[
        bool | None,
        typer.Option(
            "--froude/--no-froude",
            help="Slow large bodies down and hurry small ones.",
            show_default="beyond twice the size",
        ),
    ] = None,
    rig_roles: Annotated[Path | None, typer.Option(help="TOML file with the rig's roles.")] = None,
    roles: RolesFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put a motion onto another rig by the roles of its joints, with feet that stay on the floor."""
    from locomote.batch._verbs import retarget_motion

    source = read(motion, unit, up, animation, drop_tpose, roles)
    target = read(rig, rig_unit, rig_up, roles=rig_roles)
    say_notes(motion, source, quiet)
    say_notes(rig, target, quiet)
    with progress(f"retargeting {motion.name} onto {rig.name}", quiet or as_json):
        report, _ = retarget_motion(source, output, rig=target, feet=feet, scale=scale, froude=froude)
    if as_json:
        typer.echo(json.dumps({"file": str(output), **report}, indent=2, allow_nan=False))
    say(f"{output}: {report['frames']} frames, {report['joints']} joints", quiet or as_json)
