"""``locomote wind``: a tree in a wind that one writes down, into a file and a film."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._human import check_motion_file, check_place
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.modal.trees import Forest, Species
    from locomote.motion import Motion
    from locomote.world import Wind

FILM_SIZE, FILM_FPS = (640, 480), 20.0
STRONGEST = 40.0  # m/s


def wind(
    what: Annotated[
        str | None, typer.Argument(help="A tree that grows (see --list), or the file of a species.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="File to write, such as oak.glb.")] = None,
    speed: Annotated[str, typer.Option(help="m/s, or over time, as time:value pairs: 0:2,5:12.")] = "0:2,5:12",
    heading: Annotated[str, typer.Option(help="Where it blows to: rad, or degrees with deg, 0 is +Z.")] = "90deg",
    gusts: Annotated[float, typer.Option(min=0.0, max=STRONGEST, help="m/s that the strongest gusts add.")] = 0.0,
    turbulence: Annotated[
        float, typer.Option(min=0.0, max=2.0, help="How strong eddies are, over the speed; not with gusts.")
    ] = 0.25,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600.0, help="Length.")] = 10.0,
    nodes: Annotated[int, typer.Option(min=8, max=20_000, help="Branches of the tree.")] = 300,
    modes: Annotated[int, typer.Option(min=1, max=200, help="Natural vibrations that are kept.")] = 25,
    flutter: Annotated[float, typer.Option(min=0.0, max=1.0, help="m that twigs tremble at 10 m/s.")] = 0.02,
    correction: Annotated[str, typer.Option(help="Of branch lengths: lengths, source or none.")] = "lengths",
    film: Annotated[Path | None, typer.Option(help="Also a .webp, .gif or .mp4 film.")] = None,
    view: Annotated[str, typer.Option(help="Camera of the film: side, front, top, high or three-quarter.")] = "front",
    fps: Annotated[float, typer.Option(min=5.0, max=240.0, help="Frames a second.")] = 30.0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same tree and the same wind.")] = 0,
    names: Annotated[bool, typer.Option("--list", help="Print the trees that grow, and stop.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let a tree sway in the wind: grown and analysed here, written with bark, leaves and animation."""
    from locomote.human.scenes._schedule import parse_angle, parse_schedule
    from locomote.modal.trees import NAMES, Forest
    from locomote.world import Wind

    if names:
        _list(NAMES, as_json)
        return
    if what is None:
        raise LocomoteError(f"wind: which tree? give one of: {', '.join(NAMES)}, or the file of a species")
    if output is None:
        raise LocomoteError(f"wind: where to? give a file with -o, such as -o {Path(what).stem}.glb")
    _check_files(output, film, view)
    told = parse_schedule(speed, "--speed", 0.0, STRONGEST)
    pairs = list(zip(told.times, told.values, strict=True))
    towards = parse_angle(heading, f"--heading {heading}")
    air: Wind
    if gusts > 0.0:
        air = Wind.gusty(pairs, towards, gusts, seed=seed)
    else:
        air = Wind.turbulent(pairs, towards, turbulence, seed=seed) if turbulence > 0.0 else Wind.steady(pairs, towards)
    species = _species(what, nodes, modes, seed)
    forest = Forest(species, headings=0.0, correction=correction, flutter=flutter, seed=seed)  # type: ignore[arg-type]
    with progress(f"{species.name} to {output.name}", quiet or as_json) as step:
        forest.settle(air.at(forest.positions, 0.0))
        motion = forest.record(seconds, fps, air)[0]
        report = _written(forest, motion, output, film, view, step)
    if as_json:
        typer.echo(json.dumps(report, indent=2, allow_nan=False))
    told_of = (
        f"{report['branches']} branches, slowest mode {report['hertz'][0]:.2f} Hz, top sways {report['sway']:.2f} m"
    )
    say(f"{output}: {told_of}", quiet or as_json)
    if film is not None:
        say(str(film), quiet or as_json)


def _species(what: str, nodes: int, modes: int, seed: int) -> Species:
    from locomote.modal.trees import NAMES, Species

    if what in NAMES:
        return Species.grow(what, nodes, modes, seed)
    if not Path(what).exists():
        raise LocomoteError(f"{what}: no such file, and no tree that grows; those are: {', '.join(NAMES)}")
    return Species.load(what)


def _check_files(output: Path, film: Path | None, view: str) -> None:
    from locomote.draw._camera import check_view
    from locomote.draw._films import check_film

    check_motion_file(output)
    if film is not None:
        check_film(film, FILM_SIZE, FILM_FPS)
        check_view(view)
        check_place(film)


def _written(forest: Forest, motion: Motion, output: Path, film: Path | None, view: str, step: Any) -> dict[str, Any]:
    """Write all that was asked for, and tell of it."""
    import numpy as np

    from locomote.draw import film_together
    from locomote.formats import save

    save(motion, output)
    if film is not None:
        film_together([motion], film, size=FILM_SIZE, fps=FILM_FPS, view=view, title=motion.name, progress=step)
    species = forest.species
    tops = motion.end_positions()[:, int(np.searchsorted(species.tips, species.top))]
    return {
        "tree": species.name,
        "height": round(species.height, 3),
        "branches": len(species) - 1,
        "modes": len(species.rates),
        "hertz": np.round(species.frequencies, 4).tolist(),
        "damping": np.round(species.dampings, 4).tolist(),
        "residual": species.residual,
        "sway": round(float(np.ptp(tops, axis=0).max()), 4),
        "frames": len(motion),
        "files": [str(output), *([] if film is None else [str(film)])],
    }


def _list(names: tuple[str, ...], as_json: bool) -> None:
    from locomote.modal.trees._growth import HABITS

    if as_json:
        told = [{"name": n, "height": HABITS[n].height, "hertz": HABITS[n].pace, "sway": HABITS[n].sway} for n in names]
        typer.echo(json.dumps(told, indent=2))
        return
    for name in names:
        habit = HABITS[name]
        typer.echo(f"{name:<8} {habit.height:5.1f} m  {habit.pace:.2f} Hz  {100 * habit.sway:.0f} % at 10 m/s")
