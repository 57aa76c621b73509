"""``locomote demo``: the whole road once, without any data: perform, retarget, write, measure, draw, show."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from locomote.cli._shared import Quiet, progress, say
from locomote.errors import LocomoteError, MissingExtra

if TYPE_CHECKING:
    from locomote.cli._page import Clip
    from locomote.motion import Motion

FORMATS = (".bvh", ".glb", ".usda", ".npz")


def demo(
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder to fill.")] = Path("out"),
    seconds: Annotated[float, typer.Option(min=1.0, max=60.0, help="Length of each clip.")] = 4.0,
    quiet: Quiet = False,
) -> None:
    """Make people walk and run, retarget, measure and draw them into a folder with a page that shows it all."""
    from locomote.cli._page import write_page

    try:
        output.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise LocomoteError(f"{output}: cannot be made: {error.strerror}") from None
    say("the first run compiles its kernels, which takes a minute; later runs start at once", quiet)
    clips: list[Clip] = []
    with progress(f"filling {output}", quiet) as step:
        motions = _performances(seconds)
        for done, (name, title, motion, source) in enumerate(motions):
            clips.append(_show(name, title, motion, source, output))
            step(done + 1, len(motions))
        page = write_page(output, clips)
    say(f"{page}: open it in a browser", quiet)


def _performances(seconds: float) -> list[tuple[str, str, Motion, Motion | None]]:
    """Name, title, motion and, for a retargeted one, the motion it comes from."""
    from locomote.retargeting import retarget
    from locomote.samples import human_skeleton, performer

    walk = performer(speed=1.4, seconds=seconds).motion
    run = performer(speed=3.5, gait="run", seconds=seconds).motion
    return [
        ("stroll", "A stroll at 0.8 m/s", performer(speed=0.8, seconds=seconds).motion, None),
        ("walk", "A walk at 1.4 m/s", walk, None),
        ("run", "A run at 3.5 m/s", run, None),
        ("child", "The same walk on a child's body", retarget(walk, human_skeleton(0.5)), walk),
        ("giant", "The same run on a giant's body", retarget(run, human_skeleton(1.3)), run),
    ]


def _show(name: str, title: str, motion: Motion, source: Motion | None, folder: Path) -> Clip:
    """Write, measure, draw and film one clip."""
    from locomote.cli._page import Clip
    from locomote.contacts import detect
    from locomote.draw import film, sheet
    from locomote.formats import save
    from locomote.measures import measure

    files = []
    for extension in FORMATS:
        path = folder / f"{name}{extension}"
        try:
            save(motion, path)
        except MissingExtra:
            continue  # the base install writes no USD
        files.append(path.name)
    contacts = detect(motion)
    figures = measure(motion, contacts)
    (folder / f"{name}.json").write_text(json.dumps(figures.as_dict(), indent=2), encoding="utf-8")
    sheet(motion, folder / f"{name}.png", contacts=contacts, title=title)
    film(motion, folder / f"{name}.gif", contacts=contacts, against=source, view="three-quarter", fps=25.0)
    return Clip(name, title, figures, tuple(files))
