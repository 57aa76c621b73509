"""Write the pictures of docs/balance.md: films of people who balance, and contact sheets to judge them by.

Run: python scripts/balance_pictures.py [folder for contact sheets]
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

import numpy as np
from PIL import Image

import locomote as lm
from locomote.physics import AngularMomentum, Balanced, Tuning
from locomote.spaces import PoseSpace

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
SIZE, FPS, QUALITY = (160, 190), 30.0, 10


@cache
def everyday(k: int = 20) -> PoseSpace:
    poses = lm.spaces.PoseDatabase.default()
    clip = lm.Motion(poses.skeleton, 30.0, poses.root_positions, poses.rotations)
    return PoseSpace.fit(clip, k, metric="kinetic")


def on_one_foot(tuning: Tuning | None, seconds: float) -> lm.Motion:
    """A hand dragged about, and a push."""
    person = Balanced(everyday(), tuning=tuning)
    person.stand("left")
    person.record(2.5)
    home = person.poses.joint_positions()[0, person.space.skeleton.index("RightHand")].copy()

    def drag(t: float) -> None:
        way = np.array([-0.1 + 0.2 * np.sin(3.0 * t), 0.35 + 0.3 * np.sin(2.0 * t), 0.25 + 0.15 * np.cos(3.0 * t)])
        person.reach("RightHand", home + min(1.0, 2.0 * t) * way)
        if abs(t - 1.5) < 0.005:
            person.push((60.0, 0.0, 0.0), "Spine2", 0.2)

    return person.record(seconds, each=drag)


def change_of_feet() -> lm.Motion:
    person = Balanced(everyday())
    person.stand("left")
    person.record(2.5)

    def each(t: float) -> None:
        person.stand("right" if t < 1.7 else "left")

    return person.record(3.2, each=each)


def crouch_and_jump() -> lm.Motion:
    person = Balanced(everyday())
    person.record(1.0)

    def each(t: float) -> None:
        person.crouch(0.75 if t < 0.9 else 1.0)
        if abs(t - 1.3) < 0.005:
            person.jump(0.3)

    return person.record(3.1, each=each)


def pushed_walk() -> lm.Motion:
    walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=1, speed=1.4).record(seconds=6.0, fps=60)
    person = Balanced(PoseSpace.fit(walk, 15, metric="kinetic"), pose=walk[:1])
    person.follow(walk)
    person.record(1.0)

    def each(t: float) -> None:
        for when, force in ((0.6, -220.0), (1.7, 220.0)):
            if abs(t - when) < 0.005:
                person.push((force, 0.0, 0.0), "LeftShoulder" if force < 0.0 else "RightShoulder", 0.15)

    return person.record(2.9, each=each)


def sheet(motion: lm.Motion, path: Path, view: str) -> None:
    """Fifteen frames a second, twelve in a row."""
    frames = range(0, len(motion), max(1, round(motion.fps / 15.0)))
    tiles = [lm.draw.frame(motion, i, size=(130, 170), view=view).convert("RGB") for i in frames]
    out = Image.new("RGB", (12 * 130, -(-len(tiles) // 12) * 170), "white")
    for i, tile in enumerate(tiles):
        out.paste(tile, (i % 12 * 130, i // 12 * 170))
    out.save(path)


def main() -> None:
    films = {
        "balance-drag": (on_one_foot(None, 3.0), None, "front"),
        "balance-feet": (change_of_feet(), None, "front"),
        "balance-jump": (crouch_and_jump(), None, "three-quarter"),
        "balance-momentum": (
            on_one_foot(Tuning(momentum=AngularMomentum(0.0)), 2.6), on_one_foot(None, 2.6), "front"
        ),
        "balance-walk": (pushed_walk(), None, "front"),
    }  # fmt: skip
    for name, (motion, against, view) in films.items():
        if len(sys.argv) > 1:
            sheet(motion, Path(sys.argv[1]) / f"{name}.png", view)
            sheet(motion, Path(sys.argv[1]) / f"{name}-side.png", "side")
        path = PICTURES / f"{name}.webp"
        beside = None if against is None else against.resampled(FPS)
        lm.draw.film(motion.resampled(FPS), path, against=beside, view=view, size=SIZE, fps=FPS, quality=QUALITY)
        print(f"{path.name}: {path.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
