"""``locomote forces``: what the ground must do to the feet of a clip, and whether a body could do it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locomote.cli._human import over_time
from locomote.cli._shared import Animation, DropTpose, Json, Quiet, RolesFile, Unit, Up, progress, read, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:  # the verb imports it when it runs, to keep `--help` light
    from locomote.physics import ContactForces

FIGURES = {  # of the table: unit and meaning
    "residual": ("weights", "missing in the mean: what no contact can give"),
    "residual_peak": ("weights", "the same, 99th percentile"),
    "flight_residual": ("weights", "the same while nothing stands"),
    "residual_moment": ("N m/kg", "missing moment in the mean"),
    "force_peak": ("weights", "on one foot"),
    "friction_peak": ("", "force along the ground over force on it"),
    "slipping": ("share", "of standing feet with all the friction that there is"),
    "effort": ("N m/kg", "all torques together, root of the mean square"),
    "torque_peak": ("N m/kg", "at one joint"),
}


def forces(
    file: Annotated[Path, typer.Argument(help="Motion file of a body with legs.")],
    mass: Annotated[
        float | None,
        typer.Option(min=1e-6, help="Of the whole body, kg.", show_default="70 for people, else by volume"),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Table to write, .csv.")] = None,
    torques: Annotated[bool, typer.Option("--torques", help="Joint torques in the table as well.")] = False,
    film: Annotated[Path | None, typer.Option(help="Film with arrows to write, .webp, .gif or .mp4.")] = None,
    view: Annotated[str, typer.Option(help="Camera of the film: side, front, back, top, three-quarter...")] = "side",
    treadmill: Annotated[
        float | None, typer.Option(help="Speed of the belt, m/s, of a clip that walks on the spot towards +Z.")
    ] = None,
    ground: Annotated[Path | None, typer.Option(help="TOML file of the ground that the motion goes over.")] = None,
    friction: Annotated[float, typer.Option(min=0.01, help="Coefficient between feet and ground.")] = 0.8,
    prior: Annotated[
        str, typer.Option(help="How feet share the load: gait (as people do) or effort (least torques).")
    ] = "gait",
    unit: Unit = None,
    up: Up = None,
    animation: Animation = None,
    drop_tpose: DropTpose = False,
    roles: RolesFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Estimate forces under the feet and torques at the joints; say what no body could do. Exit 1 if there is any."""
    from locomote.contacts import detect
    from locomote.draw import film as draw_film
    from locomote.physics import forces as find_forces
    from locomote.world import Ground

    if output is not None and output.suffix.lower() != ".csv":
        raise LocomoteError(f"{output}: forces are written as .csv")
    motion = read(file, unit, up, animation, drop_tpose, roles)
    under = over_time(Ground.read(ground) if ground else None)
    contacts = None if treadmill is None else detect(motion, belt_velocity=(0.0, 0.0, -treadmill))
    with progress(f"forces of {file.name}", quiet or as_json) as step:
        found = find_forces(motion, mass, contacts, ground=under, prior=prior, friction=friction)
        if output is not None:
            found.save(output, torques)
        if film is not None:
            draw_film(motion, film, contacts=contacts, view=view, progress=step, ground=under, arrows=found.arrows())
    figures = found.plausibility()
    if as_json:
        report = {"file": str(file), "mass": found.masses.total, **figures.as_dict()}
        typer.echo(json.dumps(report, indent=2, allow_nan=False))
    else:
        typer.echo(_table(found))
        for line in figures.warnings:
            say(f"{file.name}: {line}", quiet)
    for path in (output, film):
        if path is not None:
            say(str(path), quiet or as_json)
    if figures.warnings:
        raise typer.Exit(1)


def _table(found: ContactForces) -> str:
    """Figures down, as plain text that also reads well in a log."""
    figures = found.plausibility().as_dict()
    rows = [("mass", f"{found.masses.total:.1f}", "kg", "")]
    rows += [(name, f"{figures[name]:.3f}", *about) for name, about in FIGURES.items()]
    rows[-1] = (*rows[-1][:3], f"at {figures['strained']}")
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    return "\n".join(
        f"{name.ljust(widths[0])}  {value.rjust(widths[1])}  {unit.ljust(widths[2])}  {about}".rstrip()
        for name, value, unit, about in rows
    )
