"""``locomote draw``: a sheet or a film of a motion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from locomote.cli._human import obstacles_over_time, over_time
from locomote.cli._shared import Animation, DropTpose, Json, Quiet, RolesFile, Unit, Up, progress, read, say
from locomote.errors import LocomoteError

FILMS = (".webp", ".gif", ".mp4")


def draw(
    file: Annotated[Path, typer.Argument(help="Motion file.")],
    output: Annotated[Path, typer.Option("-o", "--output", help=".png sheet; .webp, .gif or .mp4 film.")],
    against: Annotated[Path | None, typer.Option(help="Second clip, side by side.")] = None,
    view: Annotated[str, typer.Option(help="Camera of a film: side, front, back, top, three-quarter...")] = "side",
    size: Annotated[str, typer.Option(help="Size of a film, WIDTHxHEIGHT.")] = "640x360",
    fps: Annotated[float, typer.Option(min=1, max=120, help="Frame rate of a film.")] = 30.0,
    seconds: Annotated[float | None, typer.Option(min=0.05, help="Only the first seconds of a film.")] = None,
    ground: Annotated[Path | None, typer.Option(help="TOML file of the ground that the motion goes over.")] = None,
    obstacles: Annotated[
        Path | None, typer.Option(help="TOML file of the obstacles on its way, with the times of each.")
    ] = None,
    closeup: Annotated[bool, typer.Option("--closeup", help="Show only what is below the knees.")] = False,
    bones: Annotated[
        bool, typer.Option("--bones", help="Draw around the bones, not the skin that a file brings.")
    ] = False,
    poses: Annotated[int, typer.Option(min=2, max=40, help="Poses in a row of a sheet.")] = 10,
    unit: Unit = None,
    up: Up = None,
    animation: Animation = None,
    drop_tpose: DropTpose = False,
    roles: RolesFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Draw a sheet (poses, footprints, heights and speeds of the feet) or a film, with planted feet coloured."""
    from locomote.draw import film, sheet
    from locomote.draw._camera import check_view
    from locomote.human.scenes._timed_obstacles import TimedObstacles
    from locomote.world import Ground

    check_view(view)
    width_and_height = _size(size)
    motion = read(file, unit, up, animation, drop_tpose, roles)
    other = read(against, unit, up, None, drop_tpose, roles) if against else None
    world = Ground.read(ground) if ground else None
    under, things = (
        over_time(world),
        obstacles_over_time(None if obstacles is None else TimedObstacles.read(obstacles)),
    )
    near = "feet" if closeup else None
    with progress(f"drawing {file.name}", quiet or as_json) as step:
        if output.suffix.lower() in FILMS:
            film(
                motion,
                output,
                against=other,
                view=view,
                size=width_and_height,
                fps=fps,
                seconds=seconds,
                progress=step,
                ground=under,
                obstacles=things,
                closeup=near,
                skin=not bones,
            )
        else:
            sheet(
                motion,
                output,
                against=other,
                poses=poses,
                ground=under,
                obstacles=things,
                closeup=near,
                skin=not bones,
            )
    if as_json:
        typer.echo(
            json.dumps({"file": str(output), "of": str(file), "frames": len(motion), "fps": motion.fps}, indent=2)
        )
    say(str(output), quiet or as_json)


def _size(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdecimal() and height.isdecimal() and 64 <= int(width) <= 4096 and 64 <= int(height) <= 4096):
        raise LocomoteError(f"--size {text}: expected WIDTHxHEIGHT in pixels, each 64 to 4096, such as 640x360")
    return int(width), int(height)
