"""The pictures of docs/forces.md.

python scripts/force_pictures.py
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from PIL import Image

import locomote as lm
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote_lab.simulated_climb import FEET, HANDS, MOVES, START

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"


def cut(arrows: lm.draw.Arrows, part: slice) -> lm.draw.Arrows:
    warned = None if arrows.warned is None else arrows.warned[part]
    return lm.draw.Arrows(arrows.starts[part], arrows.vectors[part], warned)


def row(name: str, motion: Motion, part: slice, metres: float, view: str = "side") -> None:
    arrows = cut(lm.physics.forces(motion).arrows(metres), part)
    save(lm.draw.strobe(motion[part], poses=6, arrows=arrows, size=(1200, 340), view=view), name)


def save(picture: Image.Image, name: str) -> None:
    picture.quantize(96).save(PICTURES / name, optimize=True)


def main() -> None:
    person = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=3, speed=1.4)
    row("forces-walk.png", person.record(seconds=4, fps=60), slice(90, 160), 0.8)
    wolf = lm.creatures.Crowd("wolf", 1)
    wolf.command(speed=1.2)
    row("forces-wolf.png", wolf.record(seconds=4, fps=60), slice(120, 180), 0.6, "three-quarter")
    made = lm.physics.climb(COMMON.scaled(0.93), [*FEET, *HANDS], START, MOVES, mass=70.0)
    held = made.motion.joint_positions()[:, list(made.grips.joints)]
    arrows = lm.draw.Arrows(held, 0.8 * made.forces / (70.0 * 9.81), np.zeros(held.shape[:2]))
    row_of = lm.draw.strobe(made.motion, poses=8, view="back", contacts=False, arrows=arrows, size=(1200, 380))
    save(row_of, "forces-climb.png")


if __name__ == "__main__":
    main()
