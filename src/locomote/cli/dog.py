"""``locomote dog``: simulated dogs that go as told, are pushed, tuned and put to the test."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._dog_run import SIDES, Course, Push, check_film, perform
from locomote.cli._human import check_motion_file, check_place, make_folder
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.physics import Dog, GaitLibrary

OVER_TIME = "or over time, as time:value pairs"

app = typer.Typer(
    help="A dog with weight, simulated: let it go and push it, tune its gaits, put them to the test.",
    no_args_is_help=True,
)

GaitName = Annotated[str, typer.Argument(metavar="GAIT", help="walk, trot, pace, canter, gallop...")]
LibraryFile = Annotated[
    Path | None, typer.Option("--library", help="Gaits of `dog tune`.", show_default="the shipped ones")
]
Controller = Annotated[
    str, typer.Option("--controller", help="tuned, or policy: with a network that withstands harder pushes.")
]


@app.command("run")
def run(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Motion to write; its extension says the format.")
    ] = None,
    film: Annotated[Path | None, typer.Option(help="Film to write, .webp, .gif or .mp4.")] = None,
    gait: Annotated[str, typer.Option(help="A gait by name, or auto: by the speed.")] = "auto",
    speed: Annotated[str, typer.Option(help=f"m/s, {OVER_TIME}: 0:0,2:1.2.")] = "1.2",
    turn_rate: Annotated[
        str, typer.Option("--turn-rate", "--turn", help=f"rad/s to the left, or with deg degrees/s, {OVER_TIME}.")
    ] = "0",
    seconds: Annotated[float, typer.Option(min=0.1, max=600.0, help="Length.")] = 6.0,
    leaps: Annotated[bool, typer.Option("--leaps", help="Leap over gaps, steps and barriers of --world.")] = False,
    push: Annotated[float | None, typer.Option(help="Newtons of a push.", show_default="none")] = None,
    push_at: Annotated[float, typer.Option(min=0.0, help="Seconds after which it is pushed.")] = 2.0,
    push_for: Annotated[float, typer.Option(help="Seconds for which it is pushed.")] = 0.1,
    push_to: Annotated[str, typer.Option(help="Where it is pushed to: left, right, ahead or back.")] = "left",
    push_on: Annotated[str, typer.Option(help="Where it is taken hold of: shoulders or hips.")] = "shoulders",
    creature: Annotated[str, typer.Option(help="A built-in animal with four legs, or the file of a rig.")] = "dog",
    mass: Annotated[float | None, typer.Option(help="Kilograms.", show_default="34 of the dog, else by volume")] = None,
    world: Annotated[Path | None, typer.Option(help="TOML file of the ground.", show_default="a level floor")] = None,
    friction: Annotated[float, typer.Option(help="Coefficient of paws on the ground.")] = 1.0,
    library: LibraryFile = None,
    controller: Controller = "tuned",
    view: Annotated[str, typer.Option(help="Camera of the film: side, front, top, three-quarter...")] = "side",
    fps: Annotated[float, typer.Option(min=5.0, max=240.0, help="Frames a second.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same motion.")] = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let a simulated dog go as told, push it, and write what it does."""
    from locomote.physics import Dog
    from locomote.world import Ground

    if output is not None:
        check_motion_file(output)
    if film is not None:
        check_film(film, view)
    course = Course.parse(gait, speed, turn_rate)
    pushed = None if push is None else Push.parse(push, push_at, push_for, push_to, push_on)
    ground = None if world is None else Ground.read(world)
    gaits = _library(library)
    dog = Dog(1, creature, mass, ground, friction, seed, gaits, controller)
    course.check(dog)
    dog.command(leaps=leaps)
    with progress("a simulated dog", quiet or as_json) as step:
        told = perform(dog, course, pushed, (seconds, fps), (output, film, view), step)
    if as_json:
        typer.echo(json.dumps(told, indent=2, allow_nan=False))
        return
    typer.echo(_sentence(dog, told))
    for path in (output, film):
        if path is not None:
            say(str(path), quiet)


@app.command("tune")
def tune(
    gait: GaitName,
    output: Annotated[Path, typer.Option("-o", "--output", help="Library of gaits to write, .npz.")],
    speed: Annotated[float, typer.Option(help="m/s at which it is tuned.")],
    generations: Annotated[int, typer.Option(min=1, max=100_000, help="Rounds of the search.")] = 20,
    pushes: Annotated[
        float, typer.Option(min=0.0, help="Tune its reflexes instead, to pushes of so many newtons for 0.35 s.")
    ] = 0.0,
    library: LibraryFile = None,
    processes: Annotated[
        int | None, typer.Option(min=1, help="Processes that work on it.", show_default="one a core")
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same search.")] = 0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Tune a gait to a speed by a search over its parameters, and write the library with it."""
    _check_library_file(output)
    _check_speed(speed)
    _need_mujoco()
    from locomote.physics import GaitLibrary
    from locomote.physics._gait_tuning import tune as search
    from locomote.physics._gait_tuning import tune_reflexes

    scores: list[float] = []
    begin = _library(library) or GaitLibrary.default()
    with progress(f"tuning {gait} at {speed:g} m/s", quiet or as_json) as step:

        def after(generation: int, score: float) -> None:
            scores.append(float(score))
            step(generation, generations)

        if pushes:
            found = tune_reflexes(gait, speed, pushes, begin, generations, seed, processes, after)
        else:
            found = search(gait, speed, begin, generations, seed, processes, after)
    found.save(output)
    told = {
        **{"gait": gait, "speed": speed, "generations": generations, "file": str(output)},
        **({"first_score": round(scores[0], 6), "score": round(scores[-1], 6)} if scores else {}),
    }
    if as_json:
        typer.echo(json.dumps(told, indent=2, allow_nan=False))
        return
    fell = f": {scores[0]:.4g} to {scores[-1]:.4g} in {generations} rounds" if scores else ""
    typer.echo(f"{gait} at {speed:g} m/s{fell}")
    say(str(output), quiet)


@app.command("pushes")
def pushes(
    gait: GaitName,
    speed: Annotated[float, typer.Option(help="m/s.")],
    force: Annotated[float, typer.Option(help="Newtons.")] = 200.0,
    seconds: Annotated[float, typer.Option(help="For how long.")] = 0.1,
    directions: Annotated[
        int, typer.Option(min=1, max=8, help="How many: four at the shoulders, four at the hips.")
    ] = 8,
    phases: Annotated[int, typer.Option(min=1, max=64, help="At how many moments of the stride.")] = 8,
    least: Annotated[
        float | None,
        typer.Option(min=0.0, max=1.0, help="Share that must be withstood, or exit 1.", show_default="none"),
    ] = None,
    library: LibraryFile = None,
    controller: Controller = "tuned",
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Push a gait from all sides at many moments of its stride, and say which pushes it withstands."""
    _check_speed(speed)
    for name, value in (("--force", force), ("--seconds", seconds)):
        if not 0.0 < value < float("inf"):
            raise LocomoteError(f"{name} {value}: expected more than 0")
    _need_mujoco()
    from locomote.physics._policy import policy_of
    from locomote.physics._pushes import DIRECTIONS, withstand

    policy = policy_of(controller)
    with progress(f"pushing {gait} at {speed:g} m/s", quiet or as_json):
        found = withstand(gait, speed, force, seconds, directions, phases, _library(library), policy=policy)
    rows = [[bool(each) for each in row] for row in found.survived]
    share = float(found.share)
    if as_json:
        told = {"gait": gait, "speed": speed, "force": force, "seconds": seconds, "share": share, "survived": rows}
        typer.echo(json.dumps(told, indent=2, allow_nan=False))
    else:
        count = sum(map(len, rows))
        typer.echo(
            f"{gait} at {speed:g} m/s, {force:g} N for {seconds:g} s: {sum(map(sum, rows))} of {count} withstood"
        )
        for (at, x, z), row in zip(DIRECTIONS, rows, strict=False):
            side = next(name for name, to in SIDES.items() if to == (x, z))
            typer.echo(f"{at:9} {side:5}  {''.join('+' if each else '.' for each in row)}")
    if least is not None and share < least:
        raise typer.Exit(1)


@app.command("scenario")
def scenario(
    names: Annotated[list[str] | None, typer.Argument(help="Which, such as S1 S7.", show_default="all")] = None,
    film: Annotated[Path | None, typer.Option(help="Film of one scenario, or the folder for films of several.")] = None,
    titles: Annotated[bool, typer.Option("--list", help="Print the scenarios and stop.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play the scenarios that show what the dog can do, and say how each went."""
    _need_mujoco()
    from locomote.physics._skill_scenarios import SCENARIOS

    chosen = list(SCENARIOS) if not names else [name.upper() for name in names]
    for name in chosen:
        if name not in SCENARIOS:
            raise LocomoteError(f"scenario {name}: there is none; there are: {', '.join(SCENARIOS)}")
    if titles:
        rows = [{"name": name, "title": SCENARIOS[name].title} for name in chosen]
        text = "\n".join(f"{row['name']:4} {row['title']}" for row in rows)
        typer.echo(json.dumps(rows, indent=2) if as_json else text)
        return
    films = _films(film, chosen)
    told: list[dict[str, Any]] = []
    for name in chosen:
        with progress(f"{name}: {SCENARIOS[name].title}", quiet or as_json):
            result = SCENARIOS[name].play(films.get(name))
        told.append({"name": name, "title": SCENARIOS[name].title, "result": result, "film": str(films.get(name, ""))})
        if not as_json:
            typer.echo(f"{name}: {result}")
            if name in films:
                say(str(films[name]), quiet)
    if as_json:
        typer.echo(json.dumps(told, indent=2, allow_nan=False))


def _films(film: Path | None, names: list[str]) -> dict[str, Path]:
    """Where each film goes, checked."""
    if film is None:
        return {}
    if len(names) == 1 and film.suffix:
        check_film(film, "side")
        return {names[0]: film}
    if film.suffix and not film.is_dir():
        raise LocomoteError(f"{film}: {len(names)} films do not go into one file; name a folder instead")
    make_folder(film)
    return {name: film / f"{name.lower()}.webp" for name in names}


def _library(path: Path | None) -> GaitLibrary | None:
    from locomote.physics import GaitLibrary

    if path is None:
        return None
    try:
        return GaitLibrary.load(path)
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be read: {error.strerror}") from None


def _check_library_file(path: Path) -> None:
    if path.suffix.lower() != ".npz":
        raise LocomoteError(f"{path}: gaits are written as .npz")
    check_place(path)


def _check_speed(speed: float) -> None:
    from locomote.physics._dog import BACKWARDS, FASTEST

    if not -BACKWARDS <= speed <= FASTEST:
        raise LocomoteError(f"--speed {speed}: expected {-BACKWARDS:g} to {FASTEST:g} m/s")


def _need_mujoco() -> None:
    from locomote.physics._animal_build import load_mujoco

    load_mujoco()


def _sentence(dog: Dog, told: dict[str, Any]) -> str:
    """What a person wants to know."""
    falls = f"it fell {told['falls']} times, " if told["falls"] > 1 else "it fell, " if told["falls"] else ""
    goes = "lies" if told["fallen"] else f"at {told['speed']:.2f} m/s in the end, {told['gait']}"
    end = f"{falls}{goes}"
    put_back = f", put back {told['failures']} times" if told["failures"] else ""
    return f"{dog.animal.morphology.name}: {told['path']:.2f} m in {told['seconds']:.2f} s, {end}{put_back}"
