"""``locomote steps``: walks whose feet stand exactly where a plan says, plans, and the recorded steps for them."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._human import check_motion_file, check_place, figures_of, measured, sentence
from locomote.cli._shared import Json, Quiet, progress, read, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.steps import FootPlan, StepDatabase, Walk
    from locomote.steps.building._analysis import Analysis
    from locomote.world import Ground

DOWN = 0.001  # m above its place, up to which a ball is down; before that the heel alone stands

app = typer.Typer(
    help="Walks whose feet stand exactly where a plan says: make plans, walk them, build the database of steps.",
    no_args_is_help=True,
)

LegLength = Annotated[float, typer.Option("--leg-length", "--leg", min=0.3, max=1.5, help="Hip to ankle, metres.")]
GroundFile = Annotated[
    Path | None, typer.Option(help="TOML file of the ground to walk on.", show_default="a level floor")
]
Steps = Annotated[
    Path | None, typer.Option("--steps", help="Database of `steps build`.", show_default="the shipped one")
]


@app.command("walk")
def walk(
    plan: Annotated[Path, typer.Argument(help="CSV file: side,x,z and perhaps y,yaw,time; side L or R.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="File to write; its extension says the format.")],
    leg_length: LegLength = 0.9,
    ground: GroundFile = None,
    mode: Annotated[str, typer.Option(help="Steps unlike any recorded one: exact, extrapolate or nearest.")] = "exact",
    fps: Annotated[float, typer.Option(min=5.0, max=240.0, help="Frames a second.")] = 60.0,
    steps: Steps = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a person walk with the balls of the feet on the places of a plan; the first two are where it starts."""
    from locomote.formats import save
    from locomote.steps import check, read_plan, trace
    from locomote.world import Ground

    check_motion_file(output)
    wanted = read_plan(plan)
    world = None if ground is None else Ground.read(ground)
    try:
        check(wanted, leg_length)
    except LocomoteError as error:
        raise LocomoteError(f"{plan}: {error}") from None
    with progress(f"walking to {output.name}", quiet or as_json) as step:
        (made,) = trace([wanted], database=_database(steps), leg_length=leg_length, fps=fps, mode=mode, ground=world)
        _, figures = measured(made.motion, world)
        save(made.motion, output)
        step(1, 1)
    misses = _misses(made)
    if as_json:
        report = {
            "file": str(output),
            "plants": len(wanted),
            "miss_mm": round(1000.0 * max(misses), 4),
            "outside_m": [round(float(each), 4) for each in made.outside],
            **figures_of(made.motion, figures, world),
        }
        typer.echo(json.dumps(report, indent=2, allow_nan=False))
    say(
        f"{output}: {len(wanted) - 2} steps, feet at most {1000.0 * max(misses):.2f} mm off their places; "
        f"{sentence(figures)}",
        quiet or as_json,
    )


@app.command("plan")
def plan(
    output: Annotated[Path, typer.Option("-o", "--output", help="CSV file to write.")],
    path: Annotated[
        str | None, typer.Option(help='Points to walk along, "x,z x,z ...", or a text file of them.')
    ] = None,
    clip: Annotated[Path | None, typer.Option(help="Motion file whose footsteps become the plan.")] = None,
    stones: Annotated[
        Path | None, typer.Option(help="CSV file of stones to step on: x,z and perhaps y,radius.")
    ] = None,
    start: Annotated[str, typer.Option("--from", metavar="X,Z", help="Where to start.")] = "0,0",
    to: Annotated[str | None, typer.Option(metavar="X,Z", help="Where to go: over stones, or past obstacles.")] = None,
    speed: Annotated[float, typer.Option(help="m/s along a path.")] = 1.2,
    leg_length: LegLength = 0.9,
    ground: GroundFile = None,
    obstacles: Annotated[Path | None, typer.Option(help="TOML file of obstacles to step over or go round.")] = None,
    cell: Annotated[float, typer.Option(help="Metres between the places that --to tries.")] = 0.1,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a plan: along a path, from a recorded clip, over stones, or to a place over a ground and past obstacles."""
    from locomote.steps import write_plan
    from locomote.world import Ground, Obstacles

    check_place(output)
    ways = {"--path": path, "--clip": clip, "--stones": stones}
    given = [name for name, value in ways.items() if value is not None]
    if len(given) > 1:
        raise LocomoteError(f"steps plan: {' and '.join(given)} exclude one another; give one of them")
    if not given and to is None:
        raise LocomoteError("steps plan: from what? give --path, --clip, --stones with --to, or --to alone")
    if stones is not None and to is None:
        raise LocomoteError("steps plan: --stones needs --to X,Z: where to go")
    if obstacles is not None and given:
        raise LocomoteError(f"steps plan: --obstacles goes with --to alone, not with {given[0]}")
    if ground is not None and (clip is not None or stones is not None):
        raise LocomoteError(f"steps plan: --ground goes with --path or --to, not with {given[0]}")
    world = None if ground is None else Ground.read(ground)
    with progress("planning", quiet or as_json):
        if path is not None:
            made = _along(path, speed, leg_length, world)
        elif clip is not None:
            made = _of_clip(clip)
        elif stones is not None and to is not None:
            made = _over(stones, start, to, leg_length)
        else:
            from locomote.steps import plan_across

            things = None if obstacles is None else Obstacles.read(obstacles)
            ends = (_place(start, "--from"), _place(str(to), "--to"))
            made = plan_across(*ends, ground=world, obstacles=things, leg_length=leg_length, cell=cell)
        write_plan(made, output)
    if as_json:
        typer.echo(json.dumps({"file": str(output), **_of_plan(made)}, indent=2, allow_nan=False))
    say(f"{output}: {len(made)} plants, {_of_plan(made)['length_m']:.2f} m", quiet or as_json)


@app.command("build")
def build(
    folder: Annotated[
        Path,
        typer.Argument(help="Folder of recorded walks; clips of one performer differ in their last number."),
    ],
    output: Annotated[Path, typer.Option("-o", "--output", help="Database to write, .npz.")],
    about: Annotated[str, typer.Option(help="Where the clips come from, kept in the file.")] = "",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Cut the single steps out of recorded walks; those that are of no use are counted with reasons."""
    from locomote.steps.building._build import StepClip, build_steps

    if output.suffix.lower() != ".npz":
        raise LocomoteError(f"{output}: expected a name that ends in .npz")
    check_place(output)
    clips = [StepClip(path, _performer(path)) for path in _clips(folder)]
    with progress(f"cutting {len(clips)} clips", quiet or as_json):
        built = build_steps(clips, about)
    built.steps.save(output)
    if as_json:
        report = {
            "file": str(output),
            "clips": len(clips),
            "cut": built.cut,
            "steps": len(built.steps),
            "left_out": dict(built.left_out),
            "skipped": [asdict(one) for one in built.skipped],
        }
        typer.echo(json.dumps(report, indent=2))
    for one in built.skipped:
        say(str(one), quiet or as_json)
    for reason, count in built.left_out.most_common():
        say(f"left out: {count} {reason}", quiet or as_json)
    say(f"{output}: {len(built.steps)} steps from {len(clips)} clips", quiet or as_json)


@app.command("analyse")
def analyse(
    steps: Annotated[
        Path | None, typer.Argument(help="Database of `steps build`.", show_default="the shipped one")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Picture of the steps to write, .png.")] = None,
    hip_height: Annotated[
        float | None, typer.Option(min=0.3, max=2.0, help="Metres.", show_default="of an adult")
    ] = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Say which steps a database holds and which it lacks; the picture shows where the feet land."""
    from locomote.human._model import REFERENCE_HIP_HEIGHT
    from locomote.steps import StepDatabase
    from locomote.steps.building._analysis import analyse as examine
    from locomote.steps.building._report import report, step_map

    if output is not None:
        if output.suffix.lower() != ".png":
            raise LocomoteError(f"{output}: expected a name that ends in .png")
        check_place(output)
    database = _database(steps) or StepDatabase.default()
    with progress("looking at the steps", quiet or as_json):
        found = examine(database, hip_height or REFERENCE_HIP_HEIGHT)
    typer.echo(json.dumps(_of_analysis(found), indent=2, allow_nan=False) if as_json else report(found))
    if output is not None:
        step_map(database, found.hip_height).save(output)
        say(str(output), quiet or as_json)


def _database(path: Path | None) -> StepDatabase | None:
    from locomote.steps import StepDatabase

    return None if path is None else StepDatabase.load(path)


def _along(text: str, speed: float, leg_length: float, ground: Ground | None) -> FootPlan:
    from locomote.human.scenes._path import read_points
    from locomote.steps import plan_along

    points: Any = (
        [_place(each, f"--path {each}") for each in text.split()] if "," in text else read_points(Path(text)).points
    )
    return plan_along(points, speed, leg_length=leg_length, ground=ground)


def _of_clip(clip: Path) -> FootPlan:
    from locomote.steps import plan_from_motion

    return plan_from_motion(read(clip))


def _over(stones: Path, start: str, to: str, leg_length: float) -> FootPlan:
    from locomote.steps import plan_over_stones, read_stones

    places, radii = read_stones(stones)
    return plan_over_stones(places, _place(start, "--from"), _place(to, "--to"), radius=radii, leg_length=leg_length)


def _place(text: str, what: str) -> tuple[float, float]:
    from locomote.human.scenes._schedule import parse_place

    return parse_place(text, what)


def _of_plan(plan: FootPlan) -> dict[str, Any]:
    import numpy as np

    middles = 0.5 * (plan.places[1:] + plan.places[:-1])
    length = float(np.linalg.norm(np.diff(middles, axis=0), axis=1).sum())
    timed = bool(np.all(np.isfinite(plan.times)))
    seconds = float(plan.times[-1] - plan.times[0]) if timed else None
    return {"plants": len(plan), "length_m": round(length, 4), "seconds": seconds}


def _of_analysis(found: Analysis) -> dict[str, Any]:
    import numpy as np

    return {
        "steps": found.steps,
        "hip_height_m": found.hip_height,
        "sidesteps": found.sidesteps,
        "checks": [
            {
                "name": check.name,
                "measured": round(float(check.measured), 2) if np.isfinite(check.measured) else None,
                "required": round(float(check.required), 2),
                "at_least": check.at_least,
                "unit": check.unit,
                "passed": bool(check.passed),
            }
            for check in found.checks
        ],
        "hull_volume_m3": round(float(found.hull_volume), 4),
        "pose_error_mm": round(1000.0 * float(np.nanmean(found.pose_errors)), 2),
        "covered": [round(float(share), 4) for share in found.covered],
        "missing_m": np.round(found.missing, 3).tolist(),
    }


def _misses(made: Walk) -> list[float]:
    """How far the balls of the feet are from their places on the ground plan while they are down, metres."""
    import numpy as np

    legs = {leg.side: leg for leg in made.motion.skeleton.roles.legs}
    positions = made.motion.joint_positions()
    out = [0.0]
    for side, name in enumerate(("left", "right")):
        standing = made.stands[side] >= 0
        off = (positions[:, legs[name].ball] - made.places[made.stands[side]])[standing]
        down = np.abs(off[:, 1]) < DOWN
        out.extend(np.hypot(off[down, 0], off[down, 2]).tolist())
    return out


def _clips(folder: Path) -> list[Path]:
    from locomote.formats import FORMATS
    from locomote.formats._files import split_name

    if not folder.is_dir():
        raise LocomoteError(f"{folder}: no such folder")
    found = sorted(path for path in folder.rglob("*") if split_name(path)[1] in FORMATS and path.is_file())
    if not found:
        raise LocomoteError(f"{folder}: no motion files in it; those that are read: {', '.join(FORMATS)}")
    return found


def _performer(path: Path) -> str:
    """Who performs in a clip: the name of the file without its last number."""
    return re.sub(r"[_\-. ]*\d+$", "", path.name.split(".")[0])
