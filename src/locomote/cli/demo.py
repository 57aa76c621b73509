"""``locomote demo``: the whole road once, without any data: walk, run, jump, retarget, write, measure, draw, show."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locomote.cli._human import make_folder, measured, model_of, over_time
from locomote.cli._shared import Json, Quiet, progress, say
from locomote.errors import MissingExtra

if TYPE_CHECKING:
    from locomote.cli._demos.page import DemoClip
    from locomote.cli._demos.people import Show
    from locomote.motion import Motion

FORMATS = (".bvh", ".glb", ".usda", ".npz")
TOGETHER = ".glb"  # the format of people who are shown together
FILM_FPS = 16.0
MOST_THREADS = 4  # each holds a film in memory


class What(StrEnum):
    """What the demo shows."""

    WALKING = "walking"
    OBSTACLES = "obstacles"
    STONES = "stones"
    CREATURES = "creatures"
    WIND = "wind"


FOLDERS = {
    What.WALKING: Path("out"),
    What.OBSTACLES: Path("out") / "obstacles",
    What.STONES: Path("out") / "stones",
    What.CREATURES: Path("out") / "creatures",
    What.WIND: Path("out") / "wind",
}


def demo(
    what: Annotated[
        What,
        typer.Argument(
            help="walking and running; obstacles: jumps, ways round; stones: exact steps; creatures; wind: trees."
        ),
    ] = What.WALKING,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", help="Folder to fill.", show_default="out, or out/ and what is shown"),
    ] = None,
    seconds: Annotated[float, typer.Option(min=1.0, max=60.0, help="Length of the shorter clips.")] = 4.0,
    as_json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Make people and creatures go, measure and draw them into a folder with a page that shows it all."""
    from locomote.cli._demos.page import LEADS, write_page

    quiet = quiet or as_json
    output = FOLDERS[what] if output is None else output
    make_folder(output)
    shows = _shows(what, seconds)
    clips: list[DemoClip] = []
    # Kernels and the writing of films leave Python's lock, so sections are made side by side.
    workers = min(MOST_THREADS, os.cpu_count() or 1)
    with progress(f"filling {output}", quiet) as step, ThreadPoolExecutor(workers) as pool:
        for clip in pool.map(partial(_made, output), shows):
            clips.append(clip)
            step(len(clips), len(shows))
        page = write_page(output, clips, LEADS[what.value])
    if as_json:
        typer.echo(json.dumps({"page": str(page), "clips": [list(clip.files) for clip in clips]}, indent=2))
    say(f"{page}: open it in a browser", quiet)
    if what is What.WALKING:
        others = (f"locomote demo {other.value}" for other in What if other is not what)
        say(f"more: {', '.join(others)}", quiet)
    say("steer them yourself: locomote studio (opens a page in the browser)", quiet)


def _shows(what: What, seconds: float) -> list[Callable[[], Show]]:
    """What makes each section of the page."""
    if what is What.CREATURES:
        from locomote.cli._demos.creatures import CREATURE_SHOWS

        return [partial(make, seconds) for make in CREATURE_SHOWS]
    if what is What.WIND:
        from locomote.cli._demos.wind import WIND_SHOWS

        return [partial(make, seconds) for make in WIND_SHOWS]
    from locomote.cli._demos.obstacles import OBSTACLE_SHOWS
    from locomote.cli._demos.people import SHOWS
    from locomote.cli._demos.stones import STONE_SHOWS

    model = model_of(None)
    shows = {What.WALKING: SHOWS, What.OBSTACLES: OBSTACLE_SHOWS, What.STONES: STONE_SHOWS}[what]
    return [partial(make, model, seconds) for make in shows]


def _made(folder: Path, make: Callable[[], Show]) -> DemoClip:
    """Make a section of the page."""
    show = make()
    alone = len(show.motions) == 1 and not show.facts
    return _single(show, folder) if alone else _together(show, folder)


def _single(show: Show, folder: Path) -> DemoClip:
    """Write, measure, draw and film one motion."""
    from locomote.cli._demos.page import DemoClip
    from locomote.draw import film, sheet

    motion = show.motions[0]
    files = [name for extension in FORMATS if (name := _saved(motion, folder / f"{show.name}{extension}"))]
    contacts, figures = measured(motion, show.ground)
    (folder / f"{show.name}.json").write_text(json.dumps(figures.as_dict(), indent=2), encoding="utf-8")
    sheet(
        motion,
        folder / f"{show.name}.png",
        contacts=contacts,
        title=show.title,
        ground=show.ground,
        obstacles=show.obstacles,
    )
    film(
        motion,
        folder / f"{show.name}.webp",
        contacts=contacts,
        against=show.source,
        view=show.view,
        size=show.size,
        fps=FILM_FPS,
        ground=show.ground,
        obstacles=show.obstacles,
        closeup=show.closeup,
    )
    return DemoClip(show.name, show.title, show.text, (*files, f"{show.name}.json"), figures)


def _together(show: Show, folder: Path) -> DemoClip:
    """Write several motions and film them in one picture."""
    from locomote.cli._demos.page import DemoClip
    from locomote.draw import film_together

    files = [name for motion in show.motions if (name := _saved(motion, folder / f"{_file(show, motion)}{TOGETHER}"))]
    film_together(
        show.motions,
        folder / f"{show.name}.webp",
        view=show.view,
        size=show.size,
        fps=FILM_FPS,
        title=show.title,
        follow=show.follow,
        ground=over_time(show.ground),
        obstacles=show.obstacles,
    )
    return DemoClip(show.name, show.title, show.text, tuple(files), facts=show.facts)


def _file(show: Show, motion: Motion) -> str:
    return show.name if len(show.motions) == 1 else f"{show.name}-{motion.name}"


def _saved(motion: Motion, path: Path) -> str | None:
    from locomote.formats import save

    try:
        save(motion, path)
    except MissingExtra:
        return None  # the base install writes no USD
    return path.name
