"""``locomote walk``: a person walks and runs as told, into a file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._clip import check_clip, light_body, loop_clip, save_clip, tell_clip
from locomote.cli._human import ModelFile, check_motion_file, figures_of, measured, model_of, sentence
from locomote.cli._shared import Json, Quiet, progress, read, say
from locomote.cli._start import PEOPLE, start
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.human._model import HumanModel
    from locomote.human.scenes._script import Plan
    from locomote.human_body import Body

GUESS = 20.0  # s that a walk takes whose length is not said
WORLDLY = 4.0  # times as much work where there is something to heed
OVER_TIME = "or over time, as time:value pairs"


def walk(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="File to write; its extension says the format.")
    ] = None,
    speed: Annotated[
        str | None,
        typer.Option(
            help=f"m/s, {OVER_TIME}: 0:0,2:1.4,8:3.5.", show_default="1.4, or as people of that sex and age walk"
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        typer.Option(min=0.1, max=3600.0, help="Length.", show_default="10, or to the end of the way"),
    ] = None,
    turn_rate: Annotated[
        str | None, typer.Option(help=f"rad/s, or with deg degrees/s, positive to the left, {OVER_TIME}.")
    ] = None,
    gait: Annotated[
        str, typer.Option(help=f"auto, walk, run or 0 (walk) to 1 (run), {OVER_TIME}: 0:walk,4:run.")
    ] = "auto",
    style: Annotated[
        str | None,
        typer.Option(help="Style NAME or mixture NAME=0.7,OTHER=0.3.", show_default="drawn by the seed"),
    ] = None,
    style_at: Annotated[
        list[str] | None,
        typer.Option(metavar="TIME:STYLE", help="Take on another style from this time on. Repeatable."),
    ] = None,
    sex: Annotated[str | None, typer.Option(help="female or male.", show_default="the common body")] = None,
    age: Annotated[float | None, typer.Option(help="Years, 2 to 90.", show_default="30 with --sex or --build")] = None,
    build: Annotated[
        float | None, typer.Option(help="-1 slender, 0 usual, 1 stout; -2 to 2.", show_default="0")
    ] = None,
    stature: Annotated[float | None, typer.Option(help="Metres.", show_default="the median of the sex and age")] = None,
    leg_length: Annotated[
        float | None,
        typer.Option(min=0.3, max=1.5, help="Hip to ankle, metres.", show_default="0.9, or that of sex and age"),
    ] = None,
    path: Annotated[
        Path | None, typer.Option(help="Text file with points x,z to walk along, metres, one a line.")
    ] = None,
    to: Annotated[str | None, typer.Option(metavar="X,Z", help="Go to this place, metres, and stop there.")] = None,
    obstacles: Annotated[
        Path | None,
        typer.Option(help="TOML file of obstacles to jump over or go round; each may appear and vanish."),
    ] = None,
    jump: Annotated[
        list[str] | None,
        typer.Option(metavar="LENGTH@SECONDS", help="Jump so many metres at that time. Repeatable."),
    ] = None,
    ground: Annotated[
        Path | None, typer.Option(help="TOML file of the ground to walk on.", show_default="a level floor")
    ] = None,
    no_feet: Annotated[
        bool,
        typer.Option("--no-feet", help="Do not hold the feet to the ground: walk as if on a level floor."),
    ] = False,
    toe_out: Annotated[
        str, typer.Option(help="Turn the feet outwards: rad, or degrees with deg; one angle or left,right.")
    ] = "0",
    wider: Annotated[float, typer.Option(help="Set each foot so much further outwards, metres.")] = 0.0,
    onto: Annotated[
        Path | None, typer.Option(help="File of a rig that the walk goes onto.", show_default="the engine's own body")
    ] = None,
    loop: Annotated[
        bool, typer.Option("--loop", help="One cycle of steady strides whose end is its beginning.")
    ] = False,
    in_place: Annotated[bool, typer.Option("--in-place", help="Stay at the origin; the way is told beside.")] = False,
    root_motion: Annotated[
        bool, typer.Option("--root-motion", help="A root node above the body carries the way.")
    ] = False,
    light: Annotated[bool, typer.Option("--light", help="The engine's own body with half of its triangles.")] = False,
    fps: Annotated[float, typer.Option(min=5.0, max=240.0, help="Frames a second.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same motion.")] = 0,
    model: ModelFile = None,
    list_styles: Annotated[bool, typer.Option("--list-styles", help="Print the styles and stop.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make a person walk, run and jump at the speeds, turns and styles that you say, past what is in the way."""
    people = model_of(model)
    if list_styles:
        typer.echo(json.dumps(people.styles) if as_json else "\n".join(people.styles))
        return
    if output is None:
        raise LocomoteError("walk: where to? give a file with -o, such as -o walk.glb")
    check_motion_file(output)
    if light and onto is not None:
        raise LocomoteError("--light is for the engine's own body; --onto brings another")
    more = WORLDLY if obstacles or ground or to else 1.0
    start(PEOPLE, more * (GUESS if seconds is None else seconds) * fps, quiet or as_json)
    body = _body(sex=sex, age=age, build=build, stature=stature)
    if speed is None:
        speed = "1.4" if body is None else f"{body.walking_speed:.2f}"
    plan = _plan(people, speed, turn_rate, gait, style, style_at or [], path, seconds, toe_out, wider)
    plan = replace(plan, jumps=_jumps(jump or []), place=_place(to, plan))
    if loop or in_place or root_motion:
        check_clip(output, plan, loop, in_place, root_motion, worldly=bool(obstacles or ground or no_feet))
    from locomote.clips import clip_of
    from locomote.clips._actor import Actor
    from locomote.formats import save
    from locomote.human.scenes._timed_obstacles import TimedObstacles
    from locomote.mannequin import mannequin
    from locomote.quick._people import legs_for, walk_onto
    from locomote.world import Ground

    rig = None if onto is None else read(onto)
    world = None if ground is None else Ground.read(ground)
    things = TimedObstacles() if obstacles is None else TimedObstacles.read(obstacles)
    with progress(f"walking to {output.name}", quiet or as_json) as step:
        if loop:
            actor = Actor(people, fps, legs_for(rig, leg_length, body), body, plan.styles[0][1], seed)
            clip = loop_clip(actor, plan, rig, output.stem)
            clip = light_body(clip) if light else clip
            save_clip(clip, output, in_place, root_motion)
            tell_clip(clip, output, as_json, quiet)
            return
        motion = walk_onto(
            people,
            plan,
            rig,
            leg_length=leg_length,
            body=body,
            fps=fps,
            seed=seed,
            name=output.stem,
            ground=world,
            feet=not no_feet,
            obstacles=things,
            progress=step,
        )
        if rig is not None:
            world = None
        if light:
            motion = replace(motion, body=mannequin(motion.skeleton, light=True))
        _, figures = measured(motion, world)
        if in_place or root_motion:
            save_clip(clip_of(motion), output, in_place, root_motion)
        else:
            save(motion, output)
    if as_json:
        report = {"file": str(output), **figures_of(motion, figures, world)}
        typer.echo(json.dumps(report, indent=2, allow_nan=False))
    say(f"{output}: {sentence(figures)}", quiet or as_json)


def _body(**asked: Any) -> Body | None:
    """The body of which something was said."""
    from locomote.human_body import Body

    given = {key: value for key, value in asked.items() if value is not None}
    try:
        return Body(**given) if given else None
    except LocomoteError as error:
        raise LocomoteError(f"--{error}") from None


def _plan(
    model: HumanModel,
    speed: str,
    turn_rate: str | None,
    gait: str,
    style: str | None,
    style_at: list[str],
    path: Path | None,
    seconds: float | None,
    toe_out: str,
    wider: float,
) -> Plan:
    """Everything that was asked for, checked."""
    from locomote.human._commands import MOST_WIDER
    from locomote.human.scenes._path import read_points
    from locomote.human.scenes._scene import FASTEST, FASTEST_TURN
    from locomote.human.scenes._schedule import GAITS, parse_mixture, parse_schedule
    from locomote.human.scenes._script import Plan

    if path is not None and turn_rate is not None:
        raise LocomoteError("--turn-rate and --path exclude one another: a path says where to turn")
    if not MOST_WIDER[0] <= wider <= MOST_WIDER[1]:
        raise LocomoteError(f"--wider {wider:g}: expected {MOST_WIDER[0]:g} to {MOST_WIDER[1]:g} m for each foot")
    styles = [(0.0, None if style is None else parse_mixture(style, "--style"))]
    for text in style_at:
        time, colon, name = text.partition(":")
        if not colon:
            raise LocomoteError(f"--style-at {text}: expected TIME:STYLE, such as 5:{model.styles[0]}")
        at = parse_schedule(time, "--style-at", 0.0, 3600.0).values[0]
        if at <= styles[-1][0]:
            raise LocomoteError(f"--style-at {text}: expected increasing times after {styles[-1][0]:g} s")
        styles.append((at, parse_mixture(name, "--style-at")))
    for _, one in styles:
        model.weights(one)
    return Plan(
        speed=parse_schedule(speed, "--speed", 0.0, FASTEST),
        turn_rate=parse_schedule(turn_rate or "0", "--turn-rate", -FASTEST_TURN, FASTEST_TURN, angle=True),
        gait=None if gait.strip().lower() == "auto" else parse_schedule(gait, "--gait", 0.0, 1.0, words=GAITS),
        styles=tuple(styles),
        route=None if path is None else read_points(path),
        seconds=seconds,
        toe_out=_toe_out(toe_out),
        wider=wider,
    )


def _jumps(texts: list[str]) -> tuple[tuple[float, float], ...]:
    """Times and lengths of jumps, in the order of time."""
    from locomote.human.scenes._scene import JUMPS, LONGEST
    from locomote.human.scenes._schedule import parse_schedule

    jumps = []
    for text in texts:
        length, at, time = text.partition("@")
        if not at:
            raise LocomoteError(f"--jump {text}: expected LENGTH@SECONDS, such as 1.2@3")
        where = f"--jump {text}: the length"
        jumps.append(
            (
                parse_schedule(time, f"--jump {text}: the time", 0.0, LONGEST).values[0],
                parse_schedule(length, where, *JUMPS).values[0],
            )
        )
    return tuple(sorted(jumps))


def _place(text: str | None, plan: Plan) -> tuple[float, float] | None:
    """Where to go."""
    from locomote.human.scenes._schedule import parse_place

    if text is None:
        return None
    if plan.route is not None or not plan.turn_rate.constant or plan.turn_rate.values[0] != 0.0:
        raise LocomoteError("--to, --path and --turn-rate exclude one another: each says where to go")
    return parse_place(text, f"--to {text}")


def _toe_out(text: str) -> tuple[float, float]:
    """One angle for both feet, or one for each."""
    from locomote.human._commands import MOST_TOE_OUT
    from locomote.human.scenes._schedule import parse_angle

    sides = [parse_angle(part, f"--toe-out {text}") for part in text.split(",")]
    if len(sides) > 2 or max(map(abs, sides)) > MOST_TOE_OUT:
        raise LocomoteError(
            f"--toe-out {text}: expected one angle or left,right of at most {MOST_TOE_OUT:g} rad either way"
        )
    return sides[0], sides[-1]
