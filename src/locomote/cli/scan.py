"""``locomote scan``: a rigged body fitted to scans."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from locomote.cli._shared import Json, Quiet, progress, read, say
from locomote.cli.pose import joint_and_place
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray

UNITS = {"m": 1.0, "cm": 0.01, "mm": 0.001}


def scan(
    meshes: Annotated[list[Path], typer.Argument(help="One mesh (.obj .ply .stl .off .glb), or one for every frame.")],
    rig: Annotated[str, typer.Option(help="The body: a file with a skeleton, or a built-in creature such as wolf.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write: .glb .usd .bvh .npz ..., or .png.")],
    landmark: Annotated[
        list[str] | None,
        typer.Option(help="NAME=x,y,z: where the end of this bone is in the first mesh; once for each."),
    ] = None,
    fps: Annotated[float, typer.Option(help="Meshes a second, if there are several.")] = 30.0,
    unit: Annotated[str, typer.Option(help="Of the meshes and landmarks: m, cm or mm.")] = "m",
    up: Annotated[str, typer.Option(help="What is up in them: y or z.")] = "y",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Fit a rigged body to a scan, or follow it through the scans of one that moves.

    Proportions, pose and shape of the body become those of the mesh; joints stay within their limits. Bones that do
    not fit are named, and the exit code is 1 then.

    """
    from locomote.capture.bodies import Mesh, Template, fit, read_mesh, track
    from locomote.formats import save

    if unit not in UNITS:
        raise LocomoteError(f"--unit {unit}: expected one of {', '.join(UNITS)}")
    if up not in ("y", "z"):
        raise LocomoteError(f"--up {up}: expected y or z")

    def upright(places: FloatArray) -> FloatArray:
        turned = places if up == "y" else np.stack([places[..., 0], places[..., 2], -places[..., 1]], axis=-1)
        return np.asarray(UNITS[unit] * turned)

    template = Template.of(_body(rig))
    marks = {name: upright(np.array(place)) for name, place in map(joint_and_place, landmark or [])}
    scans = []
    for path in meshes:
        found = read_mesh(path)
        scans.append(Mesh(upright(found.vertices), found.faces, found.notes))
    with progress("fitting", quiet or as_json) as tell:
        fitted = fit(template, scans[0], marks, tell)
    lost: list[int] = []
    motion = fitted.motion()
    if len(scans) > 1:
        with progress("following", quiet or as_json) as tell:
            followed = track(fitted, scans, fps, tell)
        motion, lost = followed.motion, np.flatnonzero(followed.lost).tolist()
    if output.suffix.lower() == ".png":
        from locomote.draw import frame

        frame(motion, 0, output)
    else:
        save(motion, output)
    names = template.skeleton.names
    told = {
        "file": str(output),
        "frames": len(motion),
        "bones": {
            name: {"off": float(f"{off:.3g}"), "claimed": float(f"{share:.3g}")}
            for name, off, share in zip(names, fitted.off, fitted.claimed, strict=True)
        },
        "failed": list(fitted.failed),
        "lost": lost,
        "notes": list(fitted.notes),
    }
    if as_json:
        typer.echo(json.dumps(told, indent=2))
    else:
        for note in fitted.notes:
            say(note, quiet)
        if lost:
            say(f"{len(lost)} of {len(scans)} frames are not followed, the first is {lost[0]}", quiet)
        say(f"{output}: {len(motion)} frames; surfaces are {1000.0 * float(np.median(fitted.off)):.1f} mm apart", quiet)
    if fitted.failed or lost:
        raise typer.Exit(1)


def _body(rig: str) -> Motion:
    """A file's body, or that of a built-in creature."""
    from locomote.creatures import Crowd

    if Path(rig).suffix:
        return read(Path(rig))
    return Crowd(rig, 1).record(seconds=1 / 30, fps=30)
