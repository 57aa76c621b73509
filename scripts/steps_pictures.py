"""Draw the films of exact steps for the docs: over water on stones, and over stairs."""

from __future__ import annotations

from pathlib import Path

from _stills import FILM_FPS, FILM_QUALITY

from locomote.cli._demos.stones import stairs, water
from locomote.draw import film
from locomote.human import HumanModel

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZES = {"water": (480, 270), "stairs": (320, 180)}  # the first stands at the top of README.md


def main() -> None:
    model = HumanModel.default()
    for make, name, view in (
        (water, "water", "three-quarter"),
        (stairs, "stairs", "side"),
    ):
        show = make(model, 0.0)
        path = PICTURES / f"steps-{name}.webp"
        film(
            show.motions[0],
            path,
            size=SIZES[name],
            fps=FILM_FPS,
            quality=FILM_QUALITY,
            view=view,
            ground=show.ground,
            obstacles=show.obstacles,
        )
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
