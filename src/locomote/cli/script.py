"""``locomote script``: a scene of several people from a text file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locomote.cli._human import (
    ModelFile,
    check_motion_file,
    check_one_file,
    check_place,
    figures_of,
    make_folder,
    measured,
    model_of,
    obstacles_over_time,
    over_time,
    sentence,
)
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.human.scenes._scene import Scene
    from locomote.motion import Motion

FILM_SIZE = (800, 450)
FILM_FPS = 25.0


def script(
    scene: Annotated[Path, typer.Argument(help="TOML file: characters, obstacles, and what happens over time.")],
    output: Annotated[
        Path,
        typer.Option(
            "-o", "--output", help="Folder for a file for each; a file for one character, or a USD file for all."
        ),
    ],
    extension: Annotated[str, typer.Option("--format", help="Format of the files in a folder, by extension.")] = ".glb",
    film: Annotated[Path | None, typer.Option(help="Also a .webp, .gif or .mp4 film of all together.")] = None,
    view: Annotated[
        str, typer.Option(help="Camera of the film: side, front, top, high, three-quarter or rear-quarter.")
    ] = "three-quarter",
    follow: Annotated[
        bool, typer.Option("--follow/--stand", help="Let the film's camera go along, or stand and see all.")
    ] = True,
    model: ModelFile = None,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play a scene: every character walks, runs, jumps, goes where it is told, as its time line says."""
    from locomote.draw import film_together
    from locomote.draw._camera import check_view
    from locomote.draw._films import check_film
    from locomote.human.scenes._scene import read_scene
    from locomote.human.scenes._script import perform

    play = read_scene(scene, None if model is None else model_of(model))
    files = _files(play, output, extension)
    if film is not None:
        check_film(film, FILM_SIZE, FILM_FPS)
        check_view(view)
        check_place(film)
    with progress(f"playing {scene.name}", quiet or as_json) as step:
        motions = perform(play, step)
        figures = [measured(motion, play.ground)[1] for motion in motions]
        if film is not None:
            film_together(
                motions,
                film,
                size=FILM_SIZE,
                fps=FILM_FPS,
                view=view,
                follow=follow,
                ground=over_time(play.ground),
                obstacles=obstacles_over_time(play.obstacles),
                progress=step,
            )
        _write(motions, files)
    if as_json:
        reports = [
            {"file": str(file), "name": motion.name, **figures_of(motion, one, play.ground)}
            for file, motion, one in zip(_each(files, motions), motions, figures, strict=True)
        ]
        typer.echo(json.dumps(reports, indent=2, allow_nan=False))
        return
    for file, motion, one in zip(_each(files, motions), motions, figures, strict=True):
        who = f" ({motion.name})" if len(files) < len(motions) else ""
        say(f"{file}{who}: {sentence(one)}", quiet)
    if film is not None:
        say(str(film), quiet)


def _files(play: Scene, output: Path, extension: str) -> list[Path]:
    """Where each character goes, checked."""
    from locomote.formats import FORMATS
    from locomote.formats._files import split_name

    if split_name(output)[1] in FORMATS and not output.is_dir():
        check_one_file(output, len(play.characters), "characters")
        return [output]
    suffix = extension if extension.startswith(".") else f".{extension}"
    if output.exists() and not output.is_dir():
        raise LocomoteError(f"{output}: neither a folder nor a motion format; known are {', '.join(FORMATS)}")
    files = [output / f"{character.name}{suffix}" for character in play.characters]
    check_motion_file(Path(files[0].name))
    return files


def _each(files: list[Path], motions: list[Motion]) -> list[Path]:
    """The file of every motion, where one may hold them all."""
    return files * len(motions) if len(files) < len(motions) else files


def _write(motions: list[Motion], files: list[Path]) -> None:
    """All files or none: they are written aside first."""
    import os
    import tempfile

    from locomote.formats import save

    make_folder(files[0].absolute().parent)
    try:
        with tempfile.TemporaryDirectory(dir=files[0].absolute().parent, prefix=".scene-") as aside:
            ready = [Path(aside) / file.name for file in files]
            if len(files) < len(motions):
                save(motions, ready[0])
            else:
                for motion, file in zip(motions, ready, strict=True):
                    save(motion, file)
            for file, target in zip(ready, files, strict=True):
                os.replace(file, target)
    except OSError as error:
        raise LocomoteError(f"{files[0].parent}: cannot be written: {error.strerror or error}") from None
