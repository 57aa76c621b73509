"""Write the films of docs/modal.md: the eleven presets, vibrations of four bodies, a wolf and a person on hills."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw

import locomote as lm
from locomote.cli.modes import _gallery
from locomote.creatures import Creature, Morphology
from locomote.draw import film, film_together
from locomote.draw._films import write_film
from locomote.human_skeleton import human_skeleton
from locomote.masses import Masses
from locomote.modal import PRESETS, Crowd, Modes
from locomote.physics import ModalCreature
from locomote.skeleton import Skeleton

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE = (300, 240)
FPS = 20.0
QUALITY = 8
SCALE = 95.0  # pixels a metre, of loop and worm


def presets() -> None:
    dog, person = Creature.build("dog").morphology, human_skeleton(0.86)
    masses = Masses.of(dog.skeleton, body=dog.body)
    for name, preset in PRESETS.items():
        path = PICTURES / f"modal-{name.replace(' ', '-')}.webp"
        if preset.kind == "linkage":
            driven(name, path)
            continue
        four = preset.kind == "quadruped"
        crowd = Crowd(preset.gait(dog.skeleton, masses) if four else preset.gait(person))
        motion = crowd.record(2.0 / preset.frequency, 40.0)
        view = "front" if name == "jacks" else "side"
        shown = replace(motion, body=dog.body) if four else motion
        film(shown, path, contacts=False, size=SIZE, fps=FPS, view=view, quality=QUALITY)


def driven(name: str, path: Path) -> None:
    """The rods of a simulated body; the picture goes along with it, and marks on the ground pass by."""
    body = ModalCreature.preset(name)
    body.step(1.0)
    pictures = []
    for _ in range(40):
        body.step(1.0 / FPS)
        picture = Image.new("RGB", (SIZE[0] * 2, SIZE[1] * 2), "white")
        pen = ImageDraw.Draw(picture)
        middle = float(body.centre[2])
        floor = SIZE[1] * 2 - 60
        pen.line([(0, floor), (SIZE[0] * 2, floor)], fill=(150, 155, 165), width=3)
        for mark in range(int(middle) - 4, int(middle) + 5):
            x = SIZE[0] + 2 * SCALE * (mark - middle)
            pen.line([(x, floor), (x - 12, floor + 22)], fill=(150, 155, 165), width=3)
        for start, stop in body.ends:
            line = [(SIZE[0] + 2 * SCALE * (p[2] - middle), floor - 2 * SCALE * p[1]) for p in (start, stop)]
            pen.line(line, fill=(70, 110, 210), width=14)
            for x, y in line:
                pen.ellipse([x - 7, y - 7, x + 7, y + 7], fill=(70, 110, 210))
        pictures.append(picture.resize(SIZE, Image.Resampling.LANCZOS))
    write_film(path, iter(pictures), SIZE, FPS, quality=QUALITY)


def snake() -> Skeleton:
    """Twelve bones in a row."""
    count = 12
    offsets = np.tile([0.0, 0.0, 0.09], (count, 1))
    offsets[0] = 0.0, 0.03, -0.5
    names = tuple(f"bone_{k}" for k in range(count))
    ends = np.array([count - 1]), np.array([[0.0, 0.0, 0.09]])
    return Skeleton(names, np.arange(count) - 1, offsets, end_parents=ends[0], end_offsets=ends[1])


def galleries() -> None:
    for name in ("wolf", "spider", "person", "snake"):
        if name in ("wolf", "spider"):
            morphology = Creature.build(name).morphology
            skeleton, skin = morphology.skeleton, morphology.body
        else:
            skeleton, skin = (human_skeleton(0.86) if name == "person" else snake()), None
        modes = Modes.of(skeleton, Masses.of(skeleton, body=skin))
        clips = _gallery(modes, list(range(modes.rigid, modes.rigid + 4)), skin)
        film_together(
            [clip[:61] for clip in clips],
            PICTURES / f"modal-modes-{name}.webp",
            size=(440, 190),
            fps=10.0,
            follow=False,
            quality=QUALITY,
        )


def on_the_ground() -> None:
    hills = lm.world.Ground.rough(3, (60.0, 60.0), 0.6, 5.0)
    legs = [(f"{side}UpLeg", f"{side}ToeBase") for side in ("Left", "Right")]
    person = Creature.of(Morphology.from_names(human_skeleton(0.86), legs, head="Head", name="person"))
    for name, kind, speed in (("wolf", Creature.build("wolf"), 1.6), ("person", person, 1.3)):
        motion = lm.creatures.Crowd(kind, gait="modal", speed=speed, ground=hills, seed=1).record(3.0, 40.0)[40:]
        path = PICTURES / f"modal-{name}-hills.webp"
        film(motion, path, ground=hills, contacts=False, size=(320, 220), fps=FPS, quality=QUALITY)


if __name__ == "__main__":
    presets()
    galleries()
    on_the_ground()
    for path in sorted(PICTURES.glob("modal-*.webp")):
        print(f"{path.name}: {path.stat().st_size // 1000} kB")
