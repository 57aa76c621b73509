"""``locomote pose``: a body posed by a few handles."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Annotated

import typer

from locomote.cli._shared import Json, Quiet, RolesFile, progress, read, say
from locomote.errors import LocomoteError


def pose(
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write: .glb .bvh .npz ..., or .png.")],
    hold: Annotated[
        list[str] | None, typer.Option(help="JOINT=x,y,z: a joint held there, m, Y up; once for each handle.")
    ] = None,
    look: Annotated[list[str] | None, typer.Option(help="JOINT=x,y,z: a joint whose front looks there.")] = None,
    rig: Annotated[Path | None, typer.Option(help="The body: any file with a two-legged skeleton.")] = None,
    ground: Annotated[float, typer.Option(help="Height of the ground, m.")] = 0.0,
    roles: RolesFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Pose a body by a few handles; recorded people say how the rest of it follows."""
    from locomote.formats import save
    from locomote.human_skeleton import human_skeleton
    from locomote.motion import Motion
    from locomote.spaces import Handle, PoseDatabase, Poser

    if not hold and not look:
        raise LocomoteError("pose: nothing is held; give --hold JOINT=x,y,z at least once")
    body = None if rig is None else read(rig, roles=roles)
    skeleton = human_skeleton() if body is None else body.skeleton
    handles = [Handle(joint, position=place) for joint, place in map(joint_and_place, hold or [])]
    handles += [Handle(joint, look_at=place) for joint, place in map(joint_and_place, look or [])]
    with progress("posing", quiet or as_json):
        posed = Poser(
            PoseDatabase.default().onto(skeleton if body is None or len(body) < 2 else body), ground=ground
        ).solve(handles)
    found = Motion(
        skeleton, 30.0, posed.pose.root_positions, posed.pose.rotations, body=None if body is None else body.body
    )
    if output.suffix.lower() == ".png":
        from locomote.draw import frame

        frame(found, 0, output)
    else:
        save(found, output)
    told = [
        {"joint": str(handle.joint), "kind": handle.kind, "miss": round(float(miss), 5)}
        for handle, miss in zip(handles, posed.error[0], strict=True)
    ]
    if as_json:
        typer.echo(json.dumps({"file": str(output), "handles": told}, indent=2))
        return
    worst = max(range(len(handles)), key=lambda h: float(posed.error[0, h]))
    unit = "m" if handles[worst].kind == "position" else "rad"
    say(f"{output}: {len(handles)} handles, {told[worst]['joint']} misses by {told[worst]['miss']} {unit}", quiet)


def joint_and_place(text: str) -> tuple[str, tuple[float, float, float]]:
    """A joint and a place, m, from ``JOINT=x,y,z``."""
    joint, mark, numbers = text.partition("=")
    try:
        x, y, z = (float(number) for number in numbers.split(","))
    except ValueError:
        x = y = z = math.nan
    if not (joint and mark and math.isfinite(x + y + z)):
        raise LocomoteError(f"{text}: expected JOINT=x,y,z in metres, such as RightHand=0.3,1.2,0.4")
    return joint, (x, y, z)
