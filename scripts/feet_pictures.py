"""Write the pictures of docs/feet.md: feet held to the ground, beside the same walks without that."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from _stills import FILM_FPS, FILM_QUALITY
from PIL import Image

from locomote.cli._human import measured, over_time
from locomote.draw import film, sheet, strobe
from locomote.draw._films import _gif_colours as body_colours  # keeps the green of few planted feet
from locomote.human._model import HumanModel
from locomote.human.scenes._schedule import parse_schedule
from locomote.human.scenes._script import Plan, walk
from locomote.motion import Motion
from locomote.world import Ground

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
LARGEST_STILL, LARGEST_FILM, LARGEST_SUM = 400_000, 450_000, 3_000_000  # bytes
FPS = 60.0
BESIDE = (360, 162)  # pixels of a film of two
ALONE = (360, 252)  # pixels of a film of one
STRIP = (1600, 420)  # pixels of a row of poses
CLOSE_STRIP = (1600, 170)
CLOSE_POSES = 12


@dataclass(frozen=True)
class Entry:
    """One walk: how fast, how it turns, over what."""

    name: str
    title: str
    speed: str
    seconds: float
    turn: str = "0"
    build: Callable[[], Ground] = Ground
    close: tuple[float, float] = (0.0, 1.0)  # s, shown close up


def stairs() -> Ground:
    ground = Ground()
    ground.add_stairs((0.0, 0.9), count=5, rise=0.17, tread=0.29)
    ground.add_stairs((0.0, 0.9 + 0.29 * 4), count=5, rise=0.17, tread=0.29, down=True, landing=1.2, base=0.0)
    return ground


def hill() -> Ground:
    ground = Ground()
    ground.add_slope((0.0, 0.8), length=2.4, angle=math.radians(15.0), landing=0.5)
    ground.add_slope((0.0, 3.6), length=2.4, angle=math.radians(-15.0), landing=0.5, base=0.0)
    return ground


def platform() -> Ground:
    ground = Ground()
    ground.add_shuttle((0.0, 1.8), size=(4.0, 8.0), top=0.45, travel=(0.4, 0.2, 0.0), period=4.0, turn_rate=0.2)
    return ground


LEVEL = (
    Entry("flat", "A level walk at 1.3 m/s", "1.3", 2.6),
    Entry("curve", "A tight curve: 0.9 m/s on a radius of 0.7 m", "0.9", 3.4, turn="75deg"),
    Entry("spot", "A turn on the spot: 80 degrees a second", "0", 3.4, turn="0:0,0.4:80deg"),
)
UNEVEN = (
    Entry("stairs", "Stairs, up and down, at 0.6 m/s", "0.6", 9.0, build=stairs, close=(1.3, 2.8)),
    Entry("slope", "A slope of 15 degrees, up and down, at 1.1 m/s", "1.1", 6.5, build=hill, close=(1.0, 2.4)),
    Entry("platform", "A platform that sways, heaves and turns", "0.8", 4.5, build=platform, close=(1.0, 2.6)),
)


def motion_of(model: HumanModel, entry: Entry, feet: bool) -> Motion:
    """The walk of the mean of all styles."""
    plan = Plan(
        parse_schedule(entry.speed, "speed", 0.0, 12.0),
        parse_schedule(entry.turn, "turn", -2.0, 2.0, angle=True),
        styles=((0.0, dict.fromkeys(model.styles, 1.0)),),
        seconds=entry.seconds,
    )
    name = "held" if feet else "not held"
    return walk(model, plan, fps=FPS, name=name, ground=entry.build(), feet=feet)


def save(picture: Image.Image, name: str) -> Path:
    path = PICTURES / f"feet-{name}.png"
    plain = picture.convert("RGB")
    plain.quantize(palette=body_colours(plain), dither=Image.Dither.NONE).save(path, optimize=True)
    return checked(path, LARGEST_STILL)


def checked(path: Path, largest: int) -> Path:
    size = path.stat().st_size
    print(f"{path.name}: {size / 1000:.0f} kB")
    if size > largest:
        raise SystemExit(f"{path}: {size} bytes, more than {largest}")
    return path


def beside(model: HumanModel, entry: Entry) -> None:
    """Held and not held, on the same level floor."""
    held, loose = (motion_of(model, entry, feet) for feet in (True, False))
    moving = PICTURES / f"feet-{entry.name}.webp"
    film(
        held,
        moving,
        against=loose,
        size=BESIDE,
        fps=FILM_FPS,
        quality=FILM_QUALITY,
        view="three-quarter",
        closeup="feet",
    )
    checked(moving, LARGEST_FILM)
    save(sheet(held, against=loose, poses=8, width=1500, title=entry.title), entry.name)
    for motion in (held, loose):
        print(f"{entry.title}, {motion.name}: drift {measured(motion, None)[1].drift_p95:.1f} mm")


def alone(model: HumanModel, entry: Entry) -> None:
    """Over ground that is not level."""
    motion, ground = motion_of(model, entry, True), entry.build()
    under = over_time(ground)
    moving = PICTURES / f"feet-{entry.name}.webp"
    film(motion, moving, size=ALONE, fps=FILM_FPS, quality=FILM_QUALITY, ground=under, view="side")
    checked(moving, LARGEST_FILM)
    save(strobe(motion, poses=10, size=STRIP, ground=under), entry.name)
    save(close_strip(motion, entry, ground), f"{entry.name}-close")
    print(f"{entry.title}: drift {measured(motion, ground)[1].drift_p95:.1f} mm")


def close_strip(motion: Motion, entry: Entry, ground: Ground) -> Image.Image:
    """The feet, one picture right after the other."""
    first, last = (round(FPS * time) for time in entry.close)

    def then(time: float) -> Ground:
        return ground.at(entry.close[0] + time)

    under = then if ground.moves else ground
    return strobe(motion[first : last + 1], poses=CLOSE_POSES, size=CLOSE_STRIP, ground=under, closeup="feet")


def main() -> None:
    model = HumanModel.default()
    PICTURES.mkdir(exist_ok=True)
    for old in PICTURES.glob("feet-*.*"):
        old.unlink()
    for entry in LEVEL:
        beside(model, entry)
    for entry in UNEVEN:
        alone(model, entry)
    whole = sum(path.stat().st_size for path in PICTURES.glob("feet-*.*"))
    if whole > LARGEST_SUM:
        raise SystemExit(f"{PICTURES}: {whole} bytes, more than {LARGEST_SUM}")


if __name__ == "__main__":
    main()
