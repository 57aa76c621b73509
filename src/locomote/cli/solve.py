"""``locomote solve``: the motion of a skeleton from markers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
import typer

from locomote.cli._shared import Json, Quiet, progress, say

if TYPE_CHECKING:  # the verb imports it when it runs, to keep `--help` light
    from locomote.capture.markers import Attached, Solved, Subject

_MOST_GAPS = 8  # that are told one by one


def solve(
    markers: Annotated[Path, typer.Argument(help="Markers: a .trc or .c3d file.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="File of motion to write: .glb, .bvh, .usda …")],
    rig: Annotated[
        str, typer.Option(help='Whose motion it is: "human", a built-in creature, or a file with a skeleton.')
    ] = "human",
    table: Annotated[
        str | None,
        typer.Option(help='Where markers sit: "human", "rat" or a TOML file.', show_default="by the rig"),
    ] = None,
    calibration: Annotated[
        Path | None,
        typer.Option(help="Another trial of the same person, by which the body is fitted; else by this one."),
    ] = None,
    lock: Annotated[
        list[str] | None, typer.Option("--lock", help="A joint that does not turn, by its name; again for more.")
    ] = None,
    fit: Annotated[
        str, typer.Option(help='What of the body is fitted: "bones" and places of markers, its "size" only, "nothing".')
    ] = "bones",
    smooth: Annotated[float, typer.Option(help="How strongly frames hold together, what bridges gaps.")] = 1e-3,
    up: Annotated[str, typer.Option(help="Axis that points up in a .c3d file.")] = "z",
    indices: Annotated[
        Path | None, typer.Option(help="Also write posture indices of every frame into this .csv file.")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the motion of a skeleton from markers: every marker pulls by a spring, gaps are bridged and told.

    \b
    locomote solve walk.trc -o walk.glb
    locomote solve run.c3d --calibration range-of-motion.c3d --lock calcn_l --lock calcn_r -o run.bvh
    locomote solve rat.trc --rig rat -o rat.glb --indices posture.csv
    locomote solve any.trc --rig wolf.glb --table my-markers.toml -o out.glb
    """
    from locomote.capture import markers as room
    from locomote.errors import LocomoteError
    from locomote.formats import save
    from locomote.formats.markers import read_markers

    if fit not in ("bones", "size", "nothing"):
        raise LocomoteError(f"--fit {fit}: expected bones, size or nothing")
    seen = read_markers(markers, up)
    whose = room.subject(rig).locked(*(lock or ()))
    places = room.MarkerTable.load(table if table is not None else room.table_for(whose))
    attached = room.place_markers(seen.names, whose, places)
    unknown = [name for name in seen.names if name not in attached.names]
    if unknown:
        say(f"{markers}: {len(unknown)} markers that the table does not know are left out: {_few(unknown)}", quiet)
    scale = 1.0
    if fit != "nothing":
        other = seen if calibration is None else read_markers(calibration, up)
        with progress(f"fitting the body to {(calibration or markers).name}", quiet or as_json):
            fitted = room.calibrate(other, whose, attached, lengths=fit == "bones")
        whose, attached, scale = fitted.subject, fitted.attached, fitted.scale
    with progress(f"solving {markers.name}", quiet or as_json) as bar:
        found = room.solve(seen, whose, attached, room.Springs(smooth=smooth), bar)
    told = None if indices is None else room.posture(found.motion)
    save(found.motion, output)
    if told is not None and indices is not None:
        room.write_posture(told, indices)
    if as_json:
        typer.echo(json.dumps(_as_dict(output, found, attached, scale), indent=2, allow_nan=False))
        return
    typer.echo(_summary(found, attached, whose))
    for gap in found.gaps[:_MOST_GAPS]:
        say(f"gap: {gap}", quiet)
    if len(found.gaps) > _MOST_GAPS:
        say(f"and {len(found.gaps) - _MOST_GAPS} gaps more (--json tells all)", quiet)
    for note in found.notes:
        say(f"{markers}: {note}", quiet)
    say(f"{output}: {len(found.motion)} frames, {len(found.motion.skeleton)} joints", quiet)


def _errors(found: Solved) -> list[float]:
    """Root mean square of each marker, mm; of one that was never seen 0."""
    squares = np.nan_to_num(found.error) ** 2
    counts = np.maximum(np.sum(np.isfinite(found.error), axis=0), 1)
    return [round(float(v), 3) for v in 1e3 * np.sqrt(squares.sum(axis=0) / counts)]


def _as_dict(output: Path, found: Solved, attached: Attached, scale: float) -> dict[str, object]:
    return {
        "file": str(output),
        "frames": len(found.motion),
        "fps": found.motion.fps,
        "scale": round(scale, 4),
        "rms_mm": round(1e3 * found.rms, 3),
        "markers_mm": dict(zip(attached.names, _errors(found), strict=False)),
        "gaps": [gap._asdict() for gap in found.gaps],
        "notes": list(found.notes),
    }


def _summary(found: Solved, attached: Attached, whose: Subject) -> str:
    errors = sorted(zip(_errors(found), attached.names, strict=False), reverse=True)
    worst = ", ".join(f"{name} {error:.1f}" for error, name in errors[:4])
    lines = [
        f"{len(attached)} markers on {whose.name or 'the rig'}, off by {1e3 * found.rms:.1f} mm (root mean square)"
    ]
    lines.append(f"farthest: {worst} mm")
    return "\n".join(lines)


def _few(names: list[str]) -> str:
    return ", ".join(names[:6]) + (", …" if len(names) > 6 else "")
