"""Write the pictures of docs/creatures.md: all built-in creatures side by side, one among crates, and short films."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

from _stills import FILM_FPS, FILM_QUALITY, save_small

from locomote.cli._demos import creatures as shows
from locomote.creatures import Crowd
from locomote.creatures._recording import record_together
from locomote.draw import film_together, frame_together
from locomote.world import Obstacles

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
PLACES = {  # m: the small ones in front
    "lizard": (-2.6, 1.7),
    "frog": (3.3, 1.5),
    "centipede": (-1.1, 1.6),
    "crab": (0.5, 1.7),
    "ant": (2.0, 1.5),
    "spider": (-1.6, -0.2),
    "robot": (0.6, -0.3),
    "bird": (2.4, -0.5),
    "wolf": (-2.9, -1.8),
    "horse": (0.3, -2.4),
}
FILMS = {"spider": 4.5, "centipede": 4.5, "wolf": 7.6}  # s that are shown
FPS = 60.0
Tell = Callable[[Obstacles, Crowd | None, int], None]


def family() -> None:
    """Everybody on one floor, in the middle of a step."""
    crowds = []
    for name, place in PLACES.items():
        crowd = Crowd(name, positions=place, heading=0.3, seed=2)
        crowd.command(speed=0.25 * math.sqrt(9.81 * crowd.creature.morphology.hip_height))
        crowds.append(crowd)
    motions = [part[0] for part in record_together(crowds, 0.8, 60.0)]
    picture = frame_together(motions, 0.8, size=(1200, 560), view="high", ground=crowds[0].maps.ground)
    save_small(picture, PICTURES / "creatures.png")


def story(name: str, speed: float, tell: Tell, seconds: float = 2.4) -> None:
    """A film of what a spider's feet do about something that happens while they step."""
    things = Obstacles()
    tell(things, None, 0)
    crowd = Crowd("spider", speed=speed, seed=3, obstacles=things)
    worlds = [things.copy()]

    def after(time: float) -> None:
        tell(things, crowd, round(time * FPS))
        worlds.append(things.copy())

    (motions,) = record_together([crowd], seconds, FPS, after)
    film_together(
        motions,
        PICTURES / f"creature-story-{name}.webp",
        size=(360, 202),
        fps=FILM_FPS,
        quality=FILM_QUALITY,
        view="three-quarter",
        ground=crowd.maps.ground,
        obstacles=lambda time: worlds[min(round(time * FPS), len(worlds) - 1)],
    )


def rising_crate(things: Obstacles, _: Crowd | None, frame: int) -> None:
    """Crates grow out of the ground ahead: curves under way are planned anew."""
    if frame == 0:
        for x in (-0.7, -0.35, 0.35, 0.7):
            things.add_box((x, 0.9), (0.2, 0.2), 0.3, lift=-0.31, rise=0.2)
    if frame == int(1.5 * FPS):
        for crate in things:
            things.move(crate, rise=0.0)


def rejected_foothold(things: Obstacles, _: Crowd | None, frame: int) -> None:
    """Narrow strips that must not be stepped on lie across the way: feet come down between them."""
    if frame == 0:
        for z in (0.7, 1.0, 1.3, 1.6):
            things.add_box((0.0, z), (2.4, 0.12), 0.05)


def sudden_speed(_: Obstacles, crowd: Crowd | None, frame: int) -> None:
    """Slow, then three times as fast in the middle of a step."""
    if crowd is not None and frame == int(0.9 * FPS):
        crowd.command(speed=1.0)


def rising_support(things: Obstacles, _: Crowd | None, frame: int) -> None:
    """It stands on crates that drive, turn and rise."""
    if frame == 0:
        for x in (-0.55, 0.55):
            for z in (-0.55, 0.55):
                things.add_box(
                    (x, z),
                    (1.0, 1.0),
                    0.05,
                    velocity=(0.05, 0.05),
                    turn_rate=0.05,
                    safe=True,
                    rise=0.06 + 0.04 * x,
                )


def main() -> None:
    family()
    story("rising-crate", 0.5, rising_crate)
    story("foothold", 0.5, rejected_foothold)
    story("speed", 0.33, sudden_speed)
    story("support", 0.0, rising_support)
    for name, seconds in FILMS.items():
        show = getattr(shows, name)(2.5)
        motions = [motion[: round(seconds * motion.fps) + 1] for motion in show.motions]
        around = {"ground": show.ground, "obstacles": show.obstacles}
        path = PICTURES / f"creature-{name}.webp"
        film_together(motions, path, size=(360, 202), fps=FILM_FPS, quality=FILM_QUALITY, view=show.view, **around)


if __name__ == "__main__":
    main()
