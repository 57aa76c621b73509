"""``locomote creature``: a creature with any number of legs goes as told, into a file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._human import check_motion_file, check_one_file, check_place, make_folder, over_time
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.cli._start import CREATURES, start
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.creatures import Creature, Crowd
    from locomote.creatures._metrics import CrowdFigures
    from locomote.quick._creatures import Told

OVER_TIME = "or over time, as time:value pairs"
FILM_SIZE = (800, 450)
FILM_FPS = 25.0
MOST = 1000  # creatures


def creature(
    what: Annotated[str | None, typer.Argument(help="A built-in creature (see --list), or the file of a rig.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", help="File to write, or the folder for several creatures; a USD file holds all."
        ),
    ] = None,
    speed: Annotated[
        str | None,
        typer.Option(help=f"m/s, {OVER_TIME}: 0:0,2:1.2.", show_default="an easy pace for its size"),
    ] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=3600.0, help="Length.")] = 10.0,
    heading: Annotated[
        str | None, typer.Option(help="Where to face: rad, or degrees with deg, positive to the left.")
    ] = None,
    turn_rate: Annotated[
        str | None,
        typer.Option("--turn-rate", "--turn", help=f"rad/s, or with deg degrees/s, {OVER_TIME}."),
    ] = None,
    to: Annotated[
        str | None, typer.Option(metavar="X,Z", help="Find a way to this place, metres, and stop there.")
    ] = None,
    gait: Annotated[
        str,
        typer.Option(help="A gait by name (see --list), random, tuned (to the speed), or auto: by the speed."),
    ] = "auto",
    step_height: Annotated[
        float | None, typer.Option(min=0.0, help="Metres that feet are lifted.", show_default="by the gait")
    ] = None,
    world: Annotated[
        Path | None,
        typer.Option(help="TOML file of the ground and the obstacles on it.", show_default="a level floor"),
    ] = None,
    count: Annotated[int, typer.Option(min=1, max=MOST, help="How many of them.")] = 1,
    legs: Annotated[
        str | None,
        typer.Option(metavar="HIP:TIP,...", help="Joints of a rig's legs.", show_default="found by shape"),
    ] = None,
    forward: Annotated[
        str | None, typer.Option(metavar="AXIS", help="Where a rig faces, such as -x.", show_default="found")
    ] = None,
    height: Annotated[
        float | None, typer.Option(help="Metres that a rig is high.", show_default="as in the file")
    ] = None,
    extension: Annotated[str, typer.Option("--format", help="Format of the files in a folder, by extension.")] = ".glb",
    film: Annotated[Path | None, typer.Option(help="Also a .webp, .gif or .mp4 film.")] = None,
    view: Annotated[
        str, typer.Option(help="Camera of the film: side, front, top, high, three-quarter or rear-quarter.")
    ] = "three-quarter",
    fps: Annotated[float, typer.Option(min=5.0, max=240.0, help="Frames a second.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same motion.")] = 0,
    names: Annotated[
        bool, typer.Option("--list", help="Print the built-in creatures, or the gaits of one, and stop.")
    ] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a creature with any number of legs go over any ground: no recorded motion is needed."""
    from locomote.creatures import NAMES

    if names:
        _list([_creature(name, None, None, None) for name in ([what] if what else NAMES)], as_json)
        return
    if what is None:
        raise LocomoteError(f"creature: which? give the file of a rig or one of: {', '.join(NAMES)}")
    if output is None:
        raise LocomoteError(f"creature: where to? give a file with -o, such as -o {Path(what).stem}.glb")
    files = _files(Path(what).stem, output, extension, count)
    _check_film(film, view)
    if film is None and world is None:  # pictures and maps take long as plain Python
        start(CREATURES, count * seconds * fps, quiet or as_json)
    told = _told(speed, turn_rate, heading, to, gait, step_height)
    kind = _creature(what, legs, forward, height)
    crowd = told.crowd(kind, count, world, seed)
    with progress(f"{kind.name} to {output.name}", quiet or as_json) as step:
        figures = _perform(crowd, told, seconds, fps, files, film, view, step)
    if as_json:
        typer.echo(json.dumps(_report(crowd, figures, files), indent=2, allow_nan=False))
    say(f"{output}: {sentence(crowd, figures)}", quiet or as_json)
    if film is not None:
        say(str(film), quiet or as_json)


def _told(
    speed: str | None, turn_rate: str | None, heading: str | None, to: str | None, gait: str, step_height: float | None
) -> Told:
    """What the creatures are told, checked."""
    from locomote.creatures._crowd import FASTEST, FASTEST_TURN
    from locomote.human.scenes._schedule import parse_angle, parse_place, parse_schedule
    from locomote.quick._creatures import Told

    if sum(each is not None for each in (turn_rate, heading, to)) > 1:
        raise LocomoteError("--to, --heading and --turn-rate exclude one another: each says where to go")
    most = FASTEST_TURN
    return Told(
        None if speed is None else parse_schedule(speed, "--speed", -FASTEST, FASTEST),
        None if turn_rate is None else parse_schedule(turn_rate, "--turn-rate", -most, most, angle=True),
        None if heading is None else parse_angle(heading, f"--heading {heading}"),
        None if to is None else parse_place(to, f"--to {to}"),
        gait,
        step_height,
    )


def _creature(what: str, legs: str | None, forward: str | None, height: float | None) -> Creature:
    """A built-in creature, one that was saved, or one from a rig."""
    from locomote.creatures import NAMES
    from locomote.quick._creatures import creature_of

    if (what in NAMES or Path(what).suffix == ".npz") and any(each is not None for each in (legs, forward, height)):
        raise LocomoteError(f"{what}: --legs, --forward and --height are for the files of rigs")
    return creature_of(what, legs=None if legs is None else _pairs(legs), forward=forward, height=height)


def _pairs(text: str) -> list[tuple[str, str]]:
    """Hips and tips from ``hip:tip,hip:tip``; names may have a colon in them, if both of a pair do."""
    pairs = []
    for pair in text.split(","):
        parts = pair.strip().split(":")
        half = len(parts) // 2
        hip, tip = ":".join(parts[:half]), ":".join(parts[half:])
        if len(parts) % 2 or not hip or not tip:
            raise LocomoteError(f"--legs {text}: {pair.strip()!r}: expected HIP:TIP, the names of two joints")
        pairs.append((hip, tip))
    return pairs


def _perform(
    crowd: Crowd,
    told: Told,
    seconds: float,
    fps: float,
    files: list[Path],
    film: Path | None,
    view: str,
    step: Any,
) -> CrowdFigures:
    """Let the creatures go, and write all that was asked for."""
    from locomote.creatures._metrics import Watch
    from locomote.creatures._recording import record_all
    from locomote.draw import film_together
    from locomote.formats import save

    watch = Watch(crowd)
    under, around = over_time(crowd.maps.ground.copy()), crowd.maps.obstacles.copy()
    told.command(crowd, 0.0)

    def after(time: float) -> None:
        watch.look(1.0 / fps)
        told.command(crowd, time)
        step(watch.frames, int(seconds * fps))

    motions = record_all(crowd, seconds, fps, after=after)
    if film is not None:
        film_together(
            motions,
            film,
            size=FILM_SIZE,
            fps=FILM_FPS,
            view=view,
            ground=under,
            obstacles=None if len(around) == 0 else around.at if around.moves else around,
            progress=step,
        )
    make_folder(files[0].absolute().parent)
    if len(files) < len(motions):
        save(motions, files[0])
    else:
        for motion, file in zip(motions, files, strict=True):
            save(motion, file)
    return watch.figures()


def _files(stem: str, output: Path, extension: str, count: int) -> list[Path]:
    """Where each creature goes, checked."""
    from locomote.formats import FORMATS
    from locomote.formats._files import split_name

    if not output.is_dir() and (split_name(output)[1] in FORMATS or (count == 1 and output.suffix)):
        check_one_file(output, count, "creatures")
        return [output]
    if output.exists() and not output.is_dir():
        raise LocomoteError(f"{output}: neither a folder nor a motion format; known are {', '.join(FORMATS)}")
    suffix = extension if extension.startswith(".") else f".{extension}"
    check_motion_file(Path(f"{stem}{suffix}"))
    ends = [""] if count == 1 else [f"-{n + 1:0{len(str(count))}}" for n in range(count)]
    return [output / f"{stem}{end}{suffix}" for end in ends]


def _check_film(film: Path | None, view: str) -> None:
    from locomote.draw._camera import check_view
    from locomote.draw._films import check_film

    check_view(view)
    if film is not None:
        check_film(film, FILM_SIZE, FILM_FPS)
        check_place(film)


def _list(kinds: list[Creature], as_json: bool) -> None:
    rows: list[dict[str, Any]] = [
        {
            "name": kind.name,
            "legs": len(kind.morphology.legs),
            "hip_height": round(kind.morphology.hip_height, 3),
            "gaits": [gait.name for gait in kind.gaits.gaits],
        }
        for kind in kinds
    ]
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    for row in rows:
        gaits = ", ".join(row["gaits"])
        typer.echo(f"{row['name']:10} {row['legs']:3} legs, hips {row['hip_height']:.2f} m high: {gaits}")


def _report(crowd: Crowd, figures: CrowdFigures, files: list[Path]) -> dict[str, Any]:
    """What a script wants to know."""
    ends = [{"x": round(x, 4), "z": round(z, 4)} for x, z in crowd.positions[:, [0, 2]].tolist()]
    numbers = {k: round(v, 4) if isinstance(v, float) else v for k, v in figures.as_dict().items()}
    return {
        "creature": crowd.creature.name,
        "files": [str(file) for file in files],
        **numbers,
        "gaits": sorted(set(crowd.gaits)),
        "states": crowd.states,
        "ends": ends,
    }


def sentence(crowd: Crowd, figures: CrowdFigures) -> str:
    """What a person wants to know."""
    many = "" if len(crowd) == 1 else f"{len(crowd)} of them, "
    parts = [
        f"{many}{figures.legs} legs, {figures.frames} frames",
        f"{figures.speed:.2f} m/s in {figures.seconds:.2f} s ({', '.join(sorted(set(crowd.gaits)))})",
        f"{figures.plans} steps planned, {figures.replans} of them anew on the way",
        f"standing feet slip {figures.stance_slip:.2g} mm at most",
    ]
    if figures.blocked:
        parts.append(f"{figures.blocked} found no way for a foot at the end")
    return ", ".join(parts)
