"""Write the films of docs/dog.md: a simulated dog that is pushed, leaps, lies down and gets up.

Run: python scripts/dog_pictures.py [folder for contact sheets [names]]
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
from PIL import Image

import locomote as lm
from locomote.draw import film, frame
from locomote.physics import Dog
from locomote.physics._skill_scenarios import parcours

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE, FPS, QUALITY = (240, 160), 30.0, 10


def pushed() -> lm.Motion:
    dog = Dog()
    dog.command(speed=1.4, gait="trot")
    dog.record(2.5)

    def each(t: float) -> None:
        if abs(t - 0.6) < 0.005:
            dog.push((200.0, 0.0, 0.0), 0.1)

    return dog.record(3.0, each=each)


def leap() -> lm.Motion:
    dog = Dog()
    dog.step(0.5)
    dog.leap(height=1.0)
    return dog.record(2.2)


def course() -> lm.Motion:
    dog = Dog(ground=parcours())
    dog.command(speed=1.2, heading=0.0, leaps=True)
    dog.step(3.0)
    return dog.record(18.0, fps=FPS)


def postures() -> lm.Motion:
    dog = Dog()
    dog.step(0.5)
    todo = [(0.1, dog.sit), (1.8, dog.lie), (4.2, dog.stand)]

    def each(t: float) -> None:
        while todo and t >= todo[0][0]:
            todo.pop(0)[1]()

    return dog.record(6.0, each=each)


def falls() -> lm.Motion:
    dog = Dog()
    dog.step(0.5)
    dog.push((900.0, 0.0, 0.0), 0.25)
    return dog.record(7.0)


MOTIONS = {"dog-pushed": pushed, "dog-leap": leap, "dog-course": course, "dog-postures": postures, "dog-falls": falls}


def sheet(motion: lm.Motion, path: Path, count: int = 24, columns: int = 6) -> None:
    """Poses at equal times."""
    tiles = [frame(motion, int(k), size=SIZE, view="side") for k in np.linspace(0, len(motion) - 1, count)]
    whole = Image.new("RGB", (columns * SIZE[0], -(-count // columns) * SIZE[1]))
    for k, tile in enumerate(tiles):
        whole.paste(tile, (k % columns * SIZE[0], k // columns * SIZE[1]))
    whole.save(path)


def main() -> None:
    for name, make in MOTIONS.items():
        if len(sys.argv) > 2 and name not in sys.argv[2:]:
            continue
        motion = make()
        ground = parcours() if name == "dog-course" else None
        rate = FPS if ground is None else 0.5 * FPS  # it is longer
        film(motion, PICTURES / f"{name}.webp", size=SIZE, fps=rate, quality=QUALITY, contacts=False, ground=ground)
        if len(sys.argv) > 1:
            sheet(motion, Path(sys.argv[1]) / f"{name}.png")


if __name__ == "__main__":
    main()
