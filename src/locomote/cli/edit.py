"""``locomote edit``: a clip with joints dragged elsewhere."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated

import typer

from locomote.cli._shared import Animation, DropTpose, Json, Quiet, RolesFile, Unit, progress, read, say
from locomote.cli.pose import joint_and_place
from locomote.errors import LocomoteError


def edit(
    motion: Annotated[Path, typer.Argument(help="The clip.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write.")],
    drag: Annotated[
        list[str], typer.Option(help="JOINT@SECONDS=x,y,z: a joint is there at that time, m; once for each drag.")
    ],
    window: Annotated[float, typer.Option(help="Seconds before and after a drag in which the clip gives way.")] = 0.5,
    hold: Annotated[
        list[str] | None, typer.Option(help="A joint that keeps its way; once for each.", show_default="the feet")
    ] = None,
    unit: Unit = None,
    animation: Animation = None,
    drop_tpose: DropTpose = False,
    roles: RolesFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Drag joints of a clip elsewhere at single moments; the body follows, and the rest of the clip stays as it is."""
    from locomote.formats import save
    from locomote.spaces import Drag
    from locomote.spaces import edit as edited

    clip = read(motion, unit, animation=animation, drop_tpose=drop_tpose, roles=roles)
    drags = []
    for text in drag:
        joint, place = joint_and_place(text)
        name, mark, moment = joint.rpartition("@")
        try:
            time = float(moment)
        except ValueError:
            time = math.nan
        if not (name and mark and math.isfinite(time)):
            raise LocomoteError(f"{text}: expected JOINT@SECONDS=x,y,z, such as RightHand@1.5=0.3,1.2,0.4")
        drags.append(Drag(name, time, place, window))
    with progress(f"editing {motion.name}", quiet or as_json):
        result = edited(clip, drags, hold=hold)
    save(result, output)
    if as_json:
        typer.echo(
            json.dumps({"file": str(output), "frames": len(result), "fps": result.fps, "drags": len(drags)}, indent=2)
        )
    say(f"{output}: {len(result)} frames, {len(drags)} drags", quiet or as_json)
