"""``locomote robot``: a motion as joint angles of a robot, into a table or to ROS."""

from __future__ import annotations

import json
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from locomote.cli._human import check_place
from locomote.cli._shared import Json, Quiet, progress, read, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.motion import Motion
    from locomote.retargeting import JointAngles


def robot(
    urdf: Annotated[Path, typer.Argument(help="Robot description (.urdf).")],
    motion: Annotated[
        Path | None,
        typer.Argument(help="Motion file of any body with as many legs.", show_default="the robot's own gait"),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Table (.csv) of time and joint angles, rad.")
    ] = None,
    ros: Annotated[
        str | None, typer.Option(metavar="URL", help="Publish through rosbridge, often ws://127.0.0.1:9090.")
    ] = None,
    topic: Annotated[str, typer.Option(help="Topic of the joint states.")] = "/joint_states",
    base: Annotated[
        bool, typer.Option("--base/--no-base", help="Also tell where the first link is, on /tf from the frame world.")
    ] = True,
    loop: Annotated[bool, typer.Option("--loop", help="Publish it over and over, until Ctrl-C.")] = False,
    rate: Annotated[float, typer.Option(min=1.0, max=1000.0, help="Frames a second.")] = 50.0,
    speed: Annotated[float, typer.Option(min=-5.0, max=5.0, help="Of the robot's own gait, m/s.")] = 0.4,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600.0, help="Of the robot's own gait.")] = 10.0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let a robot do a motion within the ranges of its joints, and write or publish their angles."""
    from locomote.formats.urdf import read_model
    from locomote.retargeting import joint_angles
    from locomote.stream import RosBridge

    if output is None and ros is None:
        raise LocomoteError("robot: where to? give a table with -o, such as -o joints.csv, or --ros URL")
    if loop and ros is None:
        raise LocomoteError("robot: --loop is for --ros")
    if output is not None:
        if output.suffix != ".csv":
            raise LocomoteError(f"{output}: expected a table, .csv")
        check_place(output)
    if urdf.suffix != ".urdf":
        raise LocomoteError(f"{urdf}: expected a robot description, .urdf")
    model = read_model(urdf)
    with progress(f"angles of {urdf.name}", quiet or as_json):
        source = read(motion) if motion is not None else _own_gait(urdf, speed, seconds, rate)
        angles = joint_angles(source if source.fps == rate else source.resampled(rate), model)
    if output is not None:
        _write(angles, output)
    _tell(angles, output, as_json, quiet)
    if ros is not None:
        with RosBridge(ros, topic, model.skeleton.names[0] if base else None) as bridge:
            say(f"{ros}: publishing {topic}, Ctrl-C ends it", quiet or as_json)
            with suppress(KeyboardInterrupt):
                bridge.play(angles, loop=loop)


def _own_gait(urdf: Path, speed: float, seconds: float, rate: float) -> Motion:
    from locomote.creatures import Creature, Crowd

    return Crowd(Creature.from_rig(urdf), 1, speed=speed).record(seconds=seconds, fps=rate)


def _write(angles: JointAngles, output: Path) -> None:
    from locomote.formats._files import atomic_path

    times = np.arange(len(angles.positions)) / angles.fps
    with atomic_path(output) as aside:
        np.savetxt(
            aside,
            np.column_stack([times, angles.positions]),
            fmt="%.6f",
            delimiter=",",
            header=",".join(("time", *angles.names)),
            comments="",
        )


def _tell(angles: JointAngles, output: Path | None, as_json: bool, quiet: bool) -> None:
    fastest = float(np.abs(angles.velocities).max(initial=0.0))
    if as_json:
        told = {
            "file": None if output is None else str(output),
            "joints": list(angles.names),
            "frames": len(angles.positions),
            "fps": angles.fps,
            "error_mean": float(angles.errors.mean()),
            "error_max": float(angles.errors.max()),
            "fastest": fastest,
        }
        typer.echo(json.dumps(told, indent=2, allow_nan=False))
        return
    where = "" if output is None else f"{output}: "
    say(
        f"{where}{len(angles.positions)} frames of {len(angles.names)} joints; feet "
        f"{1e3 * angles.errors.mean():.1f} mm off on average, {1e3 * angles.errors.max():.1f} at most; "
        f"up to {fastest:.1f} rad/s",
        quiet,
    )
