"""Write the films of docs/jumps.md: what people do about what lies in their way."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from _stills import FILM_FPS, FILM_QUALITY
from PIL import Image

import locomote as lm
from locomote.draw import film, strobe
from locomote.draw._films import _gif_colours as body_colours  # keeps the green of few planted feet
from locomote.human._recording import Recorder
from locomote.motion import Motion
from locomote.world import Obstacles

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
LARGEST_FILM, LARGEST_STILL = 300_000, 400_000  # bytes
FPS = 60
SIZE = (400, 226)  # pixels
SMALL = (320, 180)  # pixels, where the whole floor passes by and makes films large
STRIP = (1600, 420)  # pixels of a row of poses

Happening = Callable[[float, lm.human.Crowd], None]


@dataclass(frozen=True)
class Story:
    """One person, what lies there at first, and what happens."""

    name: str
    speed: float  # m/s
    span: tuple[float, float]  # s that are shown
    build: Callable[[Obstacles], object]
    happening: Happening = lambda _time, _crowd: None
    view: str = "side"
    size: tuple[int, int] = SIZE


def grows(time: float, crowd: lm.human.Crowd) -> None:
    """The puddle becomes larger while the walker runs up to it."""
    if abs(time - 2.0) < 0.5 / FPS:
        for puddle in crowd.obstacles:
            crowd.obstacles.grow(puddle, 1.2)


def too_late(time: float, crowd: lm.human.Crowd) -> None:
    """A puddle appears too near for a run-up, and wide."""
    if abs(time - 1.0) < 0.5 / FPS:
        crowd.allow(going_round=False)
        crowd.obstacles.add_puddle((0.0, crowd.positions[0, 2] + 1.5), length=0.8, width=4.0)


STORIES = (
    Story("walk-over", 1.2, (1.0, 4.5), lambda o: o.add_puddle((0.0, 4.0), 0.8, 3.0)),
    Story("run-over", 3.2, (1.4, 4.2), lambda o: o.add_puddle((0.0, 9.0), 1.5, 4.0)),
    Story("promote", 1.4, (1.5, 7.0), lambda o: o.add_puddle((0.0, 8.0), 1.5, 8.0)),
    Story(
        "round",
        1.3,
        (0.8, 6.0),
        lambda o: o.add_puddle((0.1, 4.5), 2.4, 1.2),
        view="rear-quarter",
        size=SMALL,
    ),
    Story("stop", 1.2, (0.4, 6.5), lambda _o: None, too_late),
    Story("replan", 1.2, (1.0, 6.0), lambda o: o.add_puddle((0.0, 6.0), 0.7, 5.0), grows),
)


def play(model: lm.human.HumanModel, story: Story) -> tuple[Motion, list[Obstacles]]:
    """The motion, and the obstacles at each of its frames."""
    obstacles = Obstacles()
    story.build(obstacles)
    style = dict.fromkeys(model.styles, 1.0)
    crowd = lm.human.Crowd(model, 1, style=style, speed=story.speed, obstacles=obstacles)
    takes, around, said = Recorder(crowd, FPS), [obstacles.copy()], ""
    takes.keep()
    for frame in range(round(story.span[1] * FPS)):
        story.happening(frame / FPS, crowd)
        obstacles.advance(1 / FPS)
        crowd.step(1 / FPS)
        takes.keep()
        around.append(obstacles.copy())
        if crowd.states[0] != said:
            said = crowd.states[0]
            print(f"  {(frame + 1) / FPS:5.2f} s  z {crowd.positions[0, 2]:6.2f}  {crowd.speeds[0]:.2f} m/s  {said}")
    first = round(story.span[0] * FPS)
    return takes.motions()[0][first:], around[first:]


def draw(story: Story, motion: Motion, around: list[Obstacles]) -> None:
    """A film, and a row of poses."""

    def then(time: float) -> Obstacles:
        return around[min(round(time * FPS), len(around) - 1)]

    path = PICTURES / f"obstacle-{story.name}.webp"
    film(motion, path, size=story.size, fps=FILM_FPS, quality=FILM_QUALITY, view=story.view, obstacles=then)
    checked(path, LARGEST_FILM)


def title_picture(motion: Motion, around: list[Obstacles]) -> None:
    """The jump of the title page."""
    path = PICTURES / "jump-title.png"
    picture = strobe(motion, poses=9, size=STRIP, obstacles=around[-1]).convert("RGB")
    picture.quantize(palette=body_colours(picture), dither=Image.Dither.NONE).save(path, optimize=True)
    checked(path, LARGEST_STILL)


def checked(path: Path, largest: int) -> None:
    size = path.stat().st_size
    print(f"{path.name}: {size / 1000:.0f} kB")
    if size > largest:
        raise SystemExit(f"{path}: {size} bytes, more than {largest}")


def main(names: list[str]) -> None:
    model = lm.human.HumanModel.default()
    for story in STORIES:
        if names and story.name not in names:
            continue
        print(story.name)
        motion, around = play(model, story)
        draw(story, motion, around)
        if story.name == "promote":
            title_picture(motion[round(1.3 * FPS) : round(3.6 * FPS)], around)


if __name__ == "__main__":
    main(sys.argv[1:])
