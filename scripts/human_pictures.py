"""Write docs/gallery.md and its pictures: gaits, transitions, starts, stops and every style of the shipped model."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from _stills import FILM_FPS, FILM_QUALITY
from PIL import Image, ImageDraw

from locomote.cli._demos import people as _shows
from locomote.draw import _palette as palette
from locomote.draw import film, frame_together, sheet, strobe
from locomote.draw._films import _gif_colours as body_colours  # keeps the green of few planted feet
from locomote.human import Body, Crowd, record_all
from locomote.human._model import HumanModel
from locomote.human.scenes._schedule import parse_schedule
from locomote.human.scenes._script import Plan, walk
from locomote.motion import Motion

HERE = Path(__file__).resolve().parents[1]
PICTURES = HERE / "docs" / "pictures"
PAGE = HERE / "docs" / "gallery.md"
LARGEST = 300_000  # bytes of a picture
FPS = 60.0
STYLE_SPEED = "1.3"
STYLES_A_PAGE = 6
CROWD_MOMENT = 2.0  # s
STRIP = (560, 190)  # pixels of one row of poses
BODIES = (
    Body("male", 2),
    Body("female", 4),
    Body("male", 10),
    Body("female", 30),
    Body("male", 30),
    Body("male", 30, 1.0),
    Body("female", 30, -1.0),
    Body("male", 80),
)
BODIES_PHASE = 0.12  # cycles
FILM = (320, 180)  # pixels


@dataclass(frozen=True)
class Entry:
    name: str
    title: str
    speed: str
    gait: str | None
    seconds: float


ENTRIES = (
    *(Entry(f"walk-{v}", f"Walk at {v} m/s", str(v), "walk", 2.6) for v in (0.3, 0.6, 1.0, 1.4, 2.0)),
    *(Entry(f"run-{v}", f"Run at {v} m/s", str(v), "run", 1.6) for v in (2.0, 3.0, 4.5)),
    Entry("start", "Start: 0 to 1.4 m/s", "0:0,0.5:0,2:1.4", None, 3.0),
    Entry("stop", "Stop: 1.4 m/s to 0", "0:1.4,1:1.4,2.5:0", None, 3.0),
    Entry("walk-to-run", "Walk to run: 1.4 to 3.2 m/s", "0:1.4,0.8:1.4,2.6:3.2", None, 3.4),
    Entry("run-to-walk", "Run to walk: 3.2 to 1.4 m/s", "0:3.2,0.8:3.2,2.6:1.4", None, 3.4),
)


def motion_of(model: HumanModel, entry: Entry, style: str | None = None) -> Motion:
    weights = style if style is not None else dict.fromkeys(model.styles, 1.0)
    gaits = {"walk": 0.0, "run": 1.0}
    plan = Plan(
        parse_schedule(entry.speed, "speed", 0.0, 12.0),
        gait=None if entry.gait is None else parse_schedule(str(gaits[entry.gait]), "gait", 0.0, 1.0),
        styles=((0.0, weights),),
        seconds=entry.seconds,
    )
    return walk(model, plan, fps=FPS, name=entry.title)


def save(picture: Image.Image, name: str) -> str:
    path = PICTURES / f"human-{name}.png"
    plain = picture.convert("RGB")
    plain.quantize(palette=body_colours(plain), dither=Image.Dither.NONE).save(path, optimize=True)
    if path.stat().st_size > LARGEST:
        raise SystemExit(f"{path}: {path.stat().st_size} bytes, more than {LARGEST}")
    return f"pictures/{path.name}"


def style_page(model: HumanModel, names: tuple[str, ...]) -> Image.Image:
    """A row for each style: poses of one walk from the side and from the front."""
    page = Image.new("RGB", (2 * STRIP[0], (STRIP[1] + 26) * len(names)), palette.PAPER)
    pen = ImageDraw.Draw(page)
    for i, name in enumerate(names):
        motion = motion_of(model, Entry("", name, STYLE_SPEED, "walk", 1.1), name)
        top = i * (STRIP[1] + 26)
        pen.text((14, top + 6), name, palette.INK, palette.font(15.0))
        for column, view in enumerate(("side", "front")):
            page.paste(strobe(motion, poses=7, view=view, size=STRIP), (column * STRIP[0], top + 26))
    return page


def bodies(model: HumanModel) -> Image.Image:
    """People of all ages and builds, side by side in the same moment of their steps."""
    people = Crowd(
        model,
        len(BODIES),
        body=BODIES,
        style="steady",
        speed=[body.walking_speed for body in BODIES],
        positions=[(0.8 * n, 0.0, 0.0) for n in range(len(BODIES))],
        phases=BODIES_PHASE,
        lively=0.0,
    )
    walks = record_all(people, 1.0)  # the feet of a whole step show where the floor is
    abreast = [motion.moved(offset=(0.0, 0.0, -motion.root_positions[0, 2])) for motion in walks]
    return frame_together(abreast, 0.0, size=(1400, 480), view="front")


def main() -> None:
    model = HumanModel.default()
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("human-*.*"):
        old.unlink()
    lines = [
        "# Gallery",
        "",
        "Written by `scripts/human_pictures.py` from the shipped model. The gaits are the mean of all styles, on legs",
        "of 0.9 m. Blue is left, orange is right, green is planted; black lines in the footprints are the way of the",
        "ball of a foot while the foot is on the ground: a point while it stands, then the roll over the toes.",
        "",
    ]
    people = _shows.crowd(model, CROWD_MOMENT)
    crowd = save(frame_together(people.motions, CROWD_MOMENT, size=(1500, 640)), "crowd")
    lines += [f"![{people.title}]({crowd})", ""]
    save(bodies(model), "bodies")  # shown in crowd.md
    for entry in ENTRIES:
        motion = motion_of(model, entry)
        moving = f"human-{entry.name}.webp"
        film(motion, PICTURES / moving, size=FILM, fps=FILM_FPS, quality=FILM_QUALITY, view="three-quarter")
        still = save(sheet(motion, width=1100, title=entry.title), entry.name)
        lines += [f"## {entry.title}", "", f"![film](pictures/{moving})", "", f"![sheet]({still})", ""]
        print(entry.title)
    lines += [f"## Styles, walking at {STYLE_SPEED} m/s", ""]
    for first in range(0, len(model.styles), STYLES_A_PAGE):
        names = model.styles[first : first + STYLES_A_PAGE]
        where = save(style_page(model, names), f"styles-{first // STYLES_A_PAGE + 1}")
        lines += [f"![{', '.join(names)}]({where})", ""]
        print(", ".join(names))
    PAGE.write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
