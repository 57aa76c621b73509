"""What `locomote walk` does where its walk shall be a clip of a game: a loop, in place, with root motion."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from locomote.cli._shared import say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.clips import Clip
    from locomote.clips._actor import Actor
    from locomote.human.scenes._script import Plan
    from locomote.motion import Motion


def check_clip(output: Path, plan: Plan, loop: bool, in_place: bool, root_motion: bool, *, worldly: bool) -> None:
    """Refuse what is no clip: a loop that goes somewhere, a file that has no root node."""
    if in_place and root_motion:
        raise LocomoteError("--in-place and --root-motion exclude one another")
    if root_motion and output.suffix.lower() not in (".glb", ".gltf"):
        raise LocomoteError(f"--root-motion: {output.name}: only .glb and .gltf files have it")
    if not loop:
        return
    if plan.route is not None or plan.place is not None or plan.jumps or worldly:
        raise LocomoteError("--loop: steady strides on a level floor; leave out --path, --to, --jump, --obstacles, "
                            "--ground and --no-feet")  # fmt: skip
    if plan.seconds is not None:
        raise LocomoteError("--loop: lasts as long as a cycle; leave out --seconds")
    schedules = {"--speed": plan.speed, "--turn-rate": plan.turn_rate, "--gait": plan.gait}
    for name, schedule in schedules.items():
        if schedule is not None and not schedule.constant:
            raise LocomoteError(f"--loop: {name} must not change over time")
    if len(plan.styles) > 1 or any(plan.toe_out) or plan.wider:
        raise LocomoteError("--loop: leave out --style-at, --toe-out and --wider")


def loop_clip(actor: Actor, plan: Plan, rig: Motion | None, name: str) -> Clip:
    """Steady strides as planned; standing about at a speed of 0."""
    from locomote.clips._people import Cast

    speed, rate = plan.speed.values[0], plan.turn_rate.values[0]
    gait = "auto" if plan.gait is None else plan.gait.values[0]
    if speed == 0.0 and rate != 0.0:
        raise LocomoteError("--loop: turning on the spot is no cycle; give a --speed")
    footage = actor.idle(name) if speed == 0.0 else actor.cycle(name, speed, rate, gait)
    return Cast(actor, rig).clip(footage)


def save_clip(clip: Clip, output: Path, in_place: bool, root_motion: bool) -> None:
    """Write a clip, and what is told of it beside it."""
    from locomote.clips import save_clips
    from locomote.clips._saving import SIDE, save_side
    from locomote.formats import save

    if output.suffix.lower() in (".glb", ".gltf") and (in_place or root_motion):
        save_clips([clip], output, root_motion)
        return
    save(clip.motion if in_place else clip.travelling(), output)
    save_side(output.with_name(output.stem + SIDE), output.name, [clip.told()])


def tell_clip(clip: Clip, output: Path, as_json: bool, quiet: bool) -> None:
    """What was made."""
    if as_json:
        told = {key: value for key, value in clip.told().items() if key != "travel"}
        typer.echo(json.dumps({"file": str(output), **told}, indent=2, allow_nan=False))
    strikes = sum(event.event == "strike" for event in clip.events)
    text = f"{output}: a loop of {len(clip.motion) - 1} frames, {clip.motion.duration:.2f} s, {clip.speed:.2f} m/s"
    say(f"{text}, {strikes} strikes", quiet or as_json)


def light_body(clip: Clip) -> Clip:
    """The same clip on the light body of a person."""
    from locomote.mannequin import mannequin

    return replace(clip, motion=replace(clip.motion, body=mannequin(clip.motion.skeleton, light=True)))
