"""``locomote video``: a gait from a film of an animal, and key poses of a rig."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from locomote.cli._human import check_motion_file, check_place
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.capture.video import Rhythm, VideoGait
    from locomote.skeleton import IntArray


def video(
    film: Annotated[
        Path, typer.Argument(help="A film, an animated picture, or a folder of frames; or a saved gait, .npz.")
    ],
    subject: Annotated[
        str | None, typer.Option(help="Rectangle inside the animal in the first frame: left,top,right,bottom.")
    ] = None,
    background: Annotated[str | None, typer.Option(help="Rectangle without it; the larger the better.")] = None,
    masks: Annotated[
        bool, typer.Option("--masks", help="The film is white on black already: silhouettes, or strokes.")
    ] = False,
    rig: Annotated[
        Path | None, typer.Option(help="Key poses: a file of a rig with one frame for each key, in order.")
    ] = None,
    pose: Annotated[
        list[Path] | None, typer.Option(help="Key poses one by one, a file each; as often as there are keys.")
    ] = None,
    keys: Annotated[
        int | None, typer.Option(min=2, max=24, help="How many.", show_default="8 for walks and trots, 4 for gallops")
    ] = None,
    symmetric: Annotated[
        bool | None,
        typer.Option(
            "--symmetric/--asymmetric",
            help="Whether right legs do what left legs do half a cycle before (walk, trot, pace), or not (gallops).",
            show_default="by how much the trunk pitches",
        ),
    ] = None,
    start: Annotated[float, typer.Option(min=0.0, help="Second at which to begin.")] = 0.0,
    end: Annotated[float | None, typer.Option(help="Second at which to end.", show_default="the last")] = None,
    fps: Annotated[float | None, typer.Option(help="Frames a second.", show_default="as the film says; 30")] = None,
    sheet: Annotated[Path | None, typer.Option(help="Picture of components, circle, phase and keys.")] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The gait, .npz.")] = None,
    play: Annotated[
        str | None, typer.Option(help="Play the gait: on a built-in creature, the file of a rig, or 'own'.")
    ] = None,
    motion: Annotated[Path | None, typer.Option(help="What is played, as a motion; .glb, .bvh, ...")] = None,
    speed: Annotated[float | None, typer.Option(help="m/s at which it is played.", show_default="as filmed")] = None,
    seconds: Annotated[float, typer.Option(min=0.1, max=600.0, help="Length of what is played.")] = 4.0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Find the gait in a film of an animal; with key poses of a rig, make it one that any animal can have.

    First without poses: it says whether the film shows a gait, and which frames to pose. Then with --rig or --pose.
    """
    if (play is None) != (motion is None):
        raise LocomoteError("--play and --motion go together: what the gait is played on, and where that is written")
    if output is not None and output.suffix != ".npz":
        raise LocomoteError(f"{output}: a gait is written as .npz")
    if sheet is not None:
        check_place(sheet)
    if motion is not None:
        check_motion_file(motion)
    told: dict[str, Any] = {}
    if film.suffix == ".npz" and not masks:
        from locomote.capture.video import VideoGait

        gait: VideoGait | None = VideoGait.load(film)
    else:
        boxes = _box(subject, "--subject"), _box(background, "--background")
        rhythm = _rhythm(film, boxes, masks, (start, end, fps), symmetric, quiet or as_json)
        chosen = _keys(rhythm, keys, rig, pose)
        _tell(rhythm, chosen, told)
        if sheet is not None:
            from locomote.capture.video import sheet as draw_sheet

            draw_sheet(rhythm, chosen, sheet)
            say(str(sheet), quiet)
        gait = _gait(rhythm, chosen, rig, pose, film.stem)
    if gait is None and (output is not None or play is not None):
        rhythm.usability.require()
        assert chosen is not None  # what is a gait has keys
        frames = ", ".join(map(str, chosen))
        raise LocomoteError(f"{film}: pose frames {frames} and give them by --rig or --pose")
    if gait is not None:
        _tell_gait(gait, told)
        if output is not None:
            check_place(output)
            gait.save(output)
            say(str(output), quiet)
        if play is not None and motion is not None:
            _play(gait, play, motion, speed, seconds)
            say(str(motion), quiet)
    typer.echo(json.dumps(told, indent=2, allow_nan=False) if as_json else "\n".join(_lines(told)))
    if not told.get("accepted", True):
        raise typer.Exit(1)


def _box(text: str | None, option: str) -> tuple[float, ...] | None:
    if text is None:
        return None
    try:
        edges = tuple(float(part) for part in text.split(","))
    except ValueError:
        edges = ()
    if len(edges) != 4:
        raise LocomoteError(f"{option} {text}: expected four numbers of pixels, left,top,right,bottom")
    return edges


def _rhythm(
    path: Path,
    boxes: tuple[tuple[float, ...] | None, tuple[float, ...] | None],
    masks: bool,
    part: tuple[float, float | None, float | None],
    symmetric: bool | None,
    quiet: bool,
) -> Rhythm:
    from locomote.capture.video import read_film, read_masks, segment, watch

    start, end, fps = part
    if masks and path.suffix in (".npy", ".npz"):
        return watch(read_masks(path), 30.0 if fps is None else fps, symmetric)
    seen = read_film(path, fps).cut(start, end)
    if masks:
        return watch(seen.frames.mean(axis=-1) / 255.0, seen.fps, symmetric)
    subject, background = boxes
    if subject is None or background is None:
        raise LocomoteError(
            f"{path}: give --subject and --background, rectangles of pixels in the first frame "
            f"({seen.frames.shape[2]} x {seen.frames.shape[1]}), or --masks for silhouettes"
        )
    with progress("telling the animal from the background", quiet) as done:
        found = segment(seen.frames, subject, background, progress=done)
    return watch(found, seen.fps, symmetric)


def _keys(rhythm: Rhythm, count: int | None, rig: Path | None, pose: list[Path] | None) -> IntArray | None:
    """The key frames, if this is a gait; where it must be one, the reason why not."""
    from locomote.capture.video import choose_keys

    if not rhythm.accepted:
        if rig is not None or pose:
            rhythm.usability.require()
        return None
    return choose_keys(rhythm, len(pose) if pose and count is None else count)


def _gait(
    rhythm: Rhythm, keys: IntArray | None, rig: Path | None, pose: list[Path] | None, name: str
) -> VideoGait | None:
    from locomote.capture.video import VideoGait, read_poses

    if rig is not None and pose:
        raise LocomoteError("--rig and --pose: give one of them")
    if keys is None or not (rig is not None or pose):
        return None
    files = [rig] if rig is not None else list(pose or [])
    return VideoGait.of(rhythm, read_poses(files), keys, name=name)


def _tell(rhythm: Rhythm, keys: IntArray | None, told: dict[str, Any]) -> None:
    told["report"] = rhythm.report().splitlines()
    told["accepted"] = rhythm.accepted
    told["why"] = list(rhythm.usability.why)
    told["symmetric"] = rhythm.symmetric
    told["period"] = round(rhythm.period, 4)
    told["keys"] = [] if keys is None else [int(frame) for frame in keys]


def _tell_gait(gait: VideoGait, told: dict[str, Any]) -> None:
    steps = gait.steps
    told["gait"] = {
        "feet": ["left fore", "right fore", "left hind", "right hind"],
        "lands": [round(float(x), 4) for x in (steps.lands - steps.lands[2]) % 1.0],
        "duty": [round(float(x), 4) for x in steps.duty],
        "stride": round(steps.stride, 4),
        "speed": round(gait.speed, 4),
        "period": round(gait.period, 4),
        "between_keys": gait.cycle.method,
    }


def _lines(told: dict[str, Any]) -> list[str]:
    out = list(told.get("report", []))
    if told.get("keys"):
        out.append(f"key frames: {', '.join(map(str, told['keys']))}")
    if "gait" in told:
        gait = told["gait"]
        each = zip(gait["feet"], gait["lands"], gait["duty"], strict=True)
        out += [f"{foot:10s} lands at {lands:.2f} of the cycle, stands for {duty:.2f}" for foot, lands, duty in each]
        out.append(f"stride {gait['stride']:.3g} m, {gait['speed']:.3g} m/s, {gait['between_keys']} between the keys")
    return out


def _play(gait: VideoGait, target: str, path: Path, speed: float | None, seconds: float) -> None:
    from locomote.creatures import NAMES, Creature
    from locomote.formats import save

    if target == "own":
        if speed is not None:
            raise LocomoteError("--speed: the rig of the poses goes as filmed; name a creature in place of own")
        save(gait.motion(60.0, seconds), path)
        return
    if target not in NAMES and not Path(target).exists():
        raise LocomoteError(f"--play {target}: no such file, and no creature; those are {', '.join(NAMES)}")
    crowd = gait.crowd(target if target in NAMES else Creature.from_rig(target), speed=speed)
    save(crowd.record(seconds, 60.0), path)
