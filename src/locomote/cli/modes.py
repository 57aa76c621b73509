"""``locomote modes``: the natural vibrations of a body, and gaits made of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._human import check_motion_file, check_place
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.body import Body
    from locomote.modal import Gait, Modes
    from locomote.motion import Motion
    from locomote.skeleton import Skeleton

GALLERY = 6  # vibrations of a film
SWAY = 0.35  # rad, of the joint that turns most, in a film
SECONDS = 4.0


def modes(
    body: Annotated[str, typer.Argument(metavar="BODY", help="person, a built-in creature, or the file of a rig.")],
    play: Annotated[
        str | None,
        typer.Option(
            help="A gait made of them: walk, run, jump, trot, amble, gallop..., or one of the creature's own."
        ),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Motion of the gait; its extension says the format.")
    ] = None,
    film: Annotated[
        Path | None, typer.Option(help="Film of the gait, or of the lowest vibrations; .webp, .gif or .mp4.")
    ] = None,
    mode: Annotated[
        int | None, typer.Option(min=0, help="Film this vibration alone.", show_default="the lowest six")
    ] = None,
    stiffness: Annotated[
        float | None, typer.Option(help="N m/rad of every joint.", show_default="what holds the body up; people 100")
    ] = None,
    stiffer: Annotated[
        list[str] | None, typer.Option(help="Joints that are stiffer: a name, pattern or group and a factor, *.L=10.")
    ] = None,
    mass: Annotated[float | None, typer.Option(help="Kilograms.", show_default="by volume; people 70")] = None,
    frequency: Annotated[float | None, typer.Option(help="Hz of the gait.", show_default="2")] = None,
    count: Annotated[int, typer.Option(min=1, help="How many are listed.")] = 24,
    seconds: Annotated[float, typer.Option(min=0.1, max=600.0, help="Length of motion and film.")] = SECONDS,
    fps: Annotated[float, typer.Option(min=5.0, max=240.0, help="Frames a second.")] = 60.0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """List the natural vibrations of a body, film them, and play gaits made of them."""
    if output is not None:
        check_motion_file(output)
        if play is None:
            raise LocomoteError(f"{output}: a motion is written of a gait; name one by --play")
    if film is not None:
        from locomote.draw._films import check_film

        check_film(film, (640, 360), 30.0)
        check_place(film)
    skeleton, skin, name = _body(body)
    with progress(f"vibrations of {name}", quiet or as_json):
        gait = None if play is None else _gait(play, body, skeleton, skin, mass)
        found = _modes(skeleton, skin, stiffness, mass) if gait is None else gait.modes
        if stiffer:
            factors = _factors(stiffer)
            gait = None if gait is None else gait.hurt(factors)
            found = found.stiffened(factors) if gait is None else gait.modes
    if mode is not None and mode >= len(found):
        raise LocomoteError(f"mode {mode}: {name} has modes 0 to {len(found) - 1}")
    told: dict[str, Any] = {"body": name, "mass": round(float(found.linkage.mass.sum()), 6), "modes": _rows(found)}
    if gait is not None:
        clip = _record(gait, skin, frequency, seconds, fps)
        told["gait"] = {"name": play, "channels": [_channel(gait, k) for k in range(len(gait.channels))]}
        if output is not None:
            from locomote.formats import save

            save(clip, output)
        if film is not None:
            _film([clip], film, seconds)
    elif film is not None:
        chosen = range(found.rigid, min(found.rigid + GALLERY, len(found))) if mode is None else [mode]
        _film(_gallery(found, list(chosen), skin), film, seconds)
    if as_json:
        typer.echo(json.dumps(told, indent=2, allow_nan=False))
        return
    typer.echo(f"{name}: {told['mass']:.4g} kg, {len(found)} vibrations, {found.rigid} of them without bending")
    for row in told["modes"][:count]:
        side = {1: "both sides alike", -1: "sides in turn"}.get(round(row["parity"]), "")
        typer.echo(f"{row['mode']:4d} {row['frequency']:8.2f} Hz  {side:17s} {row['what']}".rstrip())
    for path in (output, film):
        if path is not None:
            say(str(path), quiet)


def _body(name: str) -> tuple[Skeleton, Body | None, str]:
    """A skeleton and its skin by the name of a creature or the file of a rig."""
    from locomote.creatures import NAMES, Creature
    from locomote.human_skeleton import human_skeleton
    from locomote.masses import is_person

    if name == "person":
        return human_skeleton(0.86), None, name
    if name in NAMES:
        morphology = Creature.build(name).morphology
        return morphology.skeleton, morphology.body, name
    if not Path(name).exists():
        raise LocomoteError(f"{name}: no such file, and no creature; those are person, {', '.join(NAMES)}")
    from locomote.formats import load

    motion = load(name)
    if is_person(motion.skeleton):
        return motion.skeleton, motion.body, Path(name).stem
    morphology = Creature.from_rig(name).morphology
    return morphology.skeleton, morphology.body, Path(name).stem


def _modes(skeleton: Skeleton, skin: Body | None, stiffness: float | None, mass: float | None) -> Modes:
    from locomote.masses import Masses
    from locomote.modal import Modes

    return Modes.of(skeleton, Masses.of(skeleton, mass, skin), stiffness=stiffness)


def _gait(name: str, body: str, skeleton: Skeleton, skin: Body | None, mass: float | None) -> Gait:
    """A preset of that name for such bodies, or the fit to a gait of the creature."""
    from locomote.creatures import NAMES, Creature
    from locomote.creatures._synergy import played_by_modes
    from locomote.masses import Masses
    from locomote.modal import PRESETS

    known = [preset.name for preset in PRESETS.values() if preset.suits(skeleton)]
    if name in known:
        return PRESETS[name].gait(skeleton, Masses.of(skeleton, mass, skin))
    if body in NAMES or body != "person":
        kind = Creature.build(body) if body in NAMES else Creature.from_rig(body)
        own = {gait.name: gait for gait in kind.gaits.gaits}
        if name in own:
            return played_by_modes(kind.morphology, own[name], _modes(skeleton, skin, None, mass))
        known += own
    raise LocomoteError(f"no gait {name!r} of vibrations for {body}; expected one of {', '.join(known)}")


def _factors(told: list[str]) -> dict[str, float]:
    out = {}
    for text in told:
        name, _, factor = text.partition("=")
        try:
            out[name] = float(factor)
        except ValueError:
            raise LocomoteError(f"--stiffer {text}: expected a joint and a factor, such as *.L=10") from None
    return out


def _rows(found: Modes) -> list[dict[str, Any]]:
    from locomote.modal import describe

    words = describe(found) if found.body is not None and found.body.skeleton.roles.legs else list(found.names)
    return [
        {"mode": k, "frequency": round(float(f), 6), "parity": round(float(p), 6), "what": word}
        for k, (f, p, word) in enumerate(zip(found.frequencies, found.parity, words, strict=True))
    ]


def _channel(gait: Gait, k: int) -> dict[str, float]:
    return {key: round(float(value), 6) for key, value in gait.channels[k]._asdict().items()}


def _record(gait: Gait, skin: Body | None, frequency: float | None, seconds: float, fps: float) -> Motion:
    from dataclasses import replace

    from locomote.modal import Crowd

    crowd = Crowd(gait)
    if frequency is not None:
        crowd.command(frequency=frequency)
    return replace(crowd.record(seconds, fps), body=skin)


def _gallery(found: Modes, chosen: list[int], skin: Body | None) -> list[Motion]:
    """Vibrations side by side, each at its own frequency slowed down to what can be seen."""
    from dataclasses import replace

    import numpy as np

    from locomote.modal import Channel, Crowd, Gait

    assert found.body is not None
    wide = 1.3 * float(np.ptp(found.body.world[0][:, 0])) + 0.6 * found.body.leg_length
    clips = []
    for place, index in enumerate(chosen):
        slow = 0.8 * float(found.frequencies[index] / max(found.frequencies[chosen[0]], 1e-9)) ** 0.3
        gait = Gait(found, (Channel(index, SWAY),), max(slow, 0.3))
        at = [(wide * (0.5 * (len(chosen) - 1) - place), 0.0, 0.0)]
        crowd = Crowd(gait, positions=at)
        crowd.command(pace=0.0)
        clips.append(replace(crowd.record(SECONDS, 30.0), body=skin))
    return clips


def _film(clips: list[Motion], path: Path, seconds: float) -> None:
    from locomote.draw import film, film_together

    if len(clips) == 1:
        film(clips[0], path, contacts=False, seconds=min(seconds, clips[0].duration))
        return
    film_together(clips, path, size=(960, 360), follow=False)
