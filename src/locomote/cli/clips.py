"""``locomote clips``: the clips that a game needs, as named animations of one file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._clip import light_body
from locomote.cli._human import ModelFile, check_motion_file, check_place, make_folder, model_of
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.cli._start import CREATURES, PEOPLE, start
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from locomote.clips import Clip
    from locomote.motion import Motion

KINDS = ("person", "creature")
FRAMES = 9000.0  # character-frames that all clips take, roughly


def clips(
    what: Annotated[
        str, typer.Argument(help="The file of a rig, a built-in creature, or person: the engine's own body.")
    ] = "person",
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="A .glb or .gltf file for all clips, or a folder for one file each."),
    ] = None,
    clip: Annotated[
        list[str] | None,
        typer.Option("--clip", metavar="NAME", help="Only this clip. Repeatable.", show_default="all"),
    ] = None,
    root_motion: Annotated[
        bool, typer.Option("--root-motion", help="A root node carries the way; without it clips are in place.")
    ] = False,
    kind: Annotated[
        str | None,
        typer.Option("--as", help="person or creature.", show_default="by the rig: with arms, a person"),
    ] = None,
    style: Annotated[
        str | None,
        typer.Option(help="Style of a person: NAME or mixture NAME=0.7,OTHER=0.3.", show_default="drawn by the seed"),
    ] = None,
    light: Annotated[bool, typer.Option("--light", help="The engine's own body with half of its triangles.")] = False,
    extension: Annotated[str, typer.Option("--format", help="Format of the files in a folder, by extension.")] = ".glb",
    fps: Annotated[float, typer.Option(min=5.0, max=240.0, help="Frames a second.")] = 60.0,
    seed: Annotated[int, typer.Option(min=0, help="The same seed gives the same motion.")] = 0,
    model: ModelFile = None,
    names: Annotated[bool, typer.Option("--list", help="Print the names of the clips and stop.")] = False,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Idle, walk, run, turns, start, stop and jump on your rig, in place or with root motion, with foot events.

    Loops close exactly. A rig's own file keeps all that it has, and gets the clips as further animations.
    """
    from locomote.clips._creatures import CREATURE_CLIPS
    from locomote.clips._people import PERSON_CLIPS

    if names:
        lists = {"person": PERSON_CLIPS, "creature": CREATURE_CLIPS}
        typer.echo(json.dumps(lists) if as_json else "\n".join(f"{k}: {', '.join(v)}" for k, v in lists.items()))
        return
    if output is None:
        raise LocomoteError("clips: where to? give a file with -o, such as -o hero_anims.glb")
    single = output.suffix.lower() in (".glb", ".gltf") and not output.is_dir()
    if single:
        check_place(output)
    elif output.suffix and not output.is_dir():
        raise LocomoteError(f"{output}: several clips go into one .glb or .gltf file, or into a folder with --format")
    else:
        extension = extension if extension.startswith(".") else f".{extension}"
        check_motion_file(Path(f"clip{extension}"))
    if kind is not None and kind not in KINDS:
        raise LocomoteError(f"--as {kind}: expected {' or '.join(KINDS)}")
    rig, kind = _cast(what, kind)
    if kind == "creature" and style is not None:
        raise LocomoteError("--style: creatures have gaits, not styles")
    if light and what != "person":
        raise LocomoteError("--light: only the engine's own body has a light form; rigs and creatures bring theirs")
    known = PERSON_CLIPS if kind == "person" else CREATURE_CLIPS
    for name in clip or ():
        if name not in known:
            raise LocomoteError(f"--clip {name}: expected one of {', '.join(known)}")
    start(PEOPLE if kind == "person" else CREATURES, FRAMES, quiet or as_json)
    with progress(f"clips of {what} to {output.name}", quiet or as_json) as step:
        made = []
        for one in _play(what, rig, kind, clip, known, fps, seed, style, model):
            made.append(light_body(one) if light else one)
            step(len(made), len(clip or known))
        files = _write(made, output, single, extension, root_motion)
    if as_json:
        told = [{key: value for key, value in one.told().items() if key != "travel"} for one in made]
        typer.echo(json.dumps({"files": [str(file) for file in files], "clips": told}, indent=2, allow_nan=False))
    for one in made:
        about = "loop" if one.loop else "once"
        say(f"{one.name:11} {one.motion.duration:5.2f} s, {about}, {one.speed:.2f} m/s", quiet or as_json)
    say(f"{output}: {len(made)} clips; {files[-1]}: foot events", quiet or as_json)


def _cast(what: str, kind: str | None) -> tuple[Motion | None, str]:
    """The rig if there is one, and whether it is a person or a creature."""
    from locomote.clips._people import is_person
    from locomote.creatures import NAMES
    from locomote.formats import load

    if what in NAMES or what == "person":
        own = "creature" if what in NAMES else "person"
        if kind not in (None, own):
            raise LocomoteError(f"{what}: a built-in {own}; --as {kind} is for rigs")
        return None, own
    if not Path(what).exists():
        raise LocomoteError(f"{what}: no such file; built in are: person, {', '.join(NAMES)}")
    rig = load(what)
    return rig, kind or ("person" if is_person(rig.skeleton) else "creature")


def _play(
    what: str,
    rig: Motion | None,
    kind: str,
    chosen: list[str] | None,
    known: tuple[str, ...],
    fps: float,
    seed: int,
    style: str | None,
    model: Path | None,
) -> Iterator[Clip]:
    from locomote.clips._creatures import CreatureActor, play_creature
    from locomote.clips._people import cast_for, checked, play_clips
    from locomote.creatures import NAMES, Creature
    from locomote.human.scenes._schedule import parse_mixture

    names = checked(chosen, known)
    if kind == "creature":
        creature = Creature.build(what) if what in NAMES else Creature.from_rig(what)
        return play_creature(names, CreatureActor(creature, fps, seed))
    manner = None if style is None else parse_mixture(style, "--style")
    people = model_of(model)
    if manner is not None:
        people.weights(manner)
    return play_clips(names, cast_for(rig, fps, manner, seed, None, people))


def _write(made: list[Clip], output: Path, single: bool, extension: str, root_motion: bool) -> list[Path]:
    """One file with all, or one each in a folder; the last of what is given back is the side file."""
    from locomote.clips import save_clips
    from locomote.clips._saving import SIDE, save_side
    from locomote.formats import save

    if single:
        return [output, save_clips(made, output, root_motion)]
    make_folder(output)
    files = [output / f"{one.name}{extension}" for one in made]
    for one, file in zip(made, files, strict=True):
        save(one.travelling() if root_motion else one.motion, file)
    told: list[dict[str, Any]] = [one.told() for one in made]
    return [*files, save_side(output / f"{output.name}{SIDE}", output.name, told)]
