"""Write the pictures of docs/creatures.md: all built-in creatures side by side, one among crates, and short films."""

from __future__ import annotations

import math
from pathlib import Path

from locomote.cli import _creature_shows as shows
from locomote.creatures import Crowd
from locomote.creatures.recording import record_together
from locomote.draw import film_together, frame_together

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
PLACES = {  # m: the small ones in front
    "lizard": (-2.6, 1.7),
    "centipede": (-1.1, 1.6),
    "crab": (0.5, 1.7),
    "ant": (2.0, 1.5),
    "spider": (-1.6, -0.2),
    "robot": (0.6, -0.3),
    "bird": (2.4, -0.5),
    "wolf": (-2.9, -1.8),
    "horse": (0.3, -2.4),
}
FILMS = ("spider", "centipede", "wolf")


def family() -> None:
    """Everybody on one floor, in the middle of a step."""
    crowds = []
    for name, place in PLACES.items():
        crowd = Crowd(name, positions=place, heading=0.3, seed=2)
        crowd.command(speed=0.25 * math.sqrt(9.81 * crowd.creature.morphology.hip_height))
        crowds.append(crowd)
    motions = [part[0] for part in record_together(crowds, 0.8, 60.0)]
    frame_together(
        motions, 0.8, PICTURES / "creatures.png", size=(1200, 560), view="high", ground=crowds[0].maps.ground
    )


def main() -> None:
    family()
    for name in FILMS:
        show = getattr(shows, name)(2.5)
        around = {"ground": show.ground, "obstacles": show.obstacles}
        path = PICTURES / f"creature-{name}.gif"
        film_together(show.motions, path, size=(400, 224), fps=14.0, view=show.view, **around)


if __name__ == "__main__":
    main()
