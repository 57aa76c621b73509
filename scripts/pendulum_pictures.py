"""Write the pictures and films of docs/pendulums.md: a walker who is hit, tails, an octopus, a cloth."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
from _stills import FILM_FPS, FILM_QUALITY, save_small

import locomote as lm
from locomote import rotations as rot
from locomote.body import Body
from locomote.creatures import Crowd
from locomote.draw import film_together
from locomote.pendulums import Cloth, Hit, overlay
from locomote.skeleton import Skeleton

ROOT = Path(__file__).resolve().parents[1]
PICTURES = ROOT / "docs" / "pictures"
SHOWN = slice(87, 150)  # frames around the hit
HIT = 1.5  # s
FPS = 60.0


def hit() -> None:
    """A walker who is hit on the chest and on the arm, beside the same walk."""
    walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, speed=1.3).record(seconds=4, fps=FPS)
    one = overlay(walk, [Hit(HIT, "Spine2", (0.18, 0.0, -0.1))])
    after = HIT - SHOWN.start / walk.fps
    page = lm.draw.sheet(one[SHOWN], against=walk[SHOWN], poses=9, title=f"Hit on the chest after {after:.2f} s")
    save_small(page, PICTURES / "pendulums-hit.png")
    hits = [Hit(1.0, "Spine2", (0.2, 0.0, -0.1)), Hit(2.4, "Spine2", (-0.05, 0.0, -0.24))]
    lm.draw.film(
        overlay(walk, hits),
        PICTURES / "pendulums-hit.webp",
        against=walk,
        view="three-quarter",
        fps=FILM_FPS,
        quality=FILM_QUALITY,
        size=(440, 248),
    )


def tails() -> None:
    """A wolf that walks, gallops, turns and stops; its tail is not animated."""
    crowd = Crowd("wolf", speed=1.2, seed=1)
    orders = {
        1.5: {"speed": 7.0},
        4.0: {"speed": 2.0, "turn_rate": 0.9},
        6.0: {"speed": 0.0, "turn_rate": 0.0},
    }
    roots, turns = [], []
    for frame in range(round(7.5 * FPS)):
        for time, order in orders.items():
            if frame == round(time * FPS):
                crowd.command(**order)  # type: ignore[arg-type]
        poses = crowd.step(1.0 / FPS)
        roots.append(poses.root_positions[0].copy())
        turns.append(poses.rotations[0].copy())
    morphology = crowd.creature.morphology
    motion = lm.Motion(morphology.skeleton, FPS, np.array(roots), rot.continuous(np.array(turns)), body=morphology.body)
    film_together(
        [motion],
        PICTURES / "pendulums-tail.webp",
        fps=FILM_FPS,
        quality=FILM_QUALITY,
        size=(360, 222),
        ground=lm.world.Ground(),
    )


def cloth() -> None:
    """A cloth that is pulled in the middle, twice, and swings out."""
    sheet = Cloth(20, 25, 0.05, top=(-0.6, 1.25, 0.0))
    frames = []
    for frame in range(round(4.5 * FPS)):
        for start, column, way in ((15, 12, 0.3), (110, 7, -0.2), (125, 17, 0.25)):
            if start <= frame < start + 12:
                for beside in (-3, 0, 3):
                    sheet.pull(10, column + beside, (0.0, 0.0, way / 12))
        frames.append(sheet.step(1.0 / FPS).reshape(-1, 3).copy())
    film_together(
        [_as_motion(sheet, np.array(frames))],
        PICTURES / "pendulums-cloth.webp",
        fps=FILM_FPS,
        quality=FILM_QUALITY,
        size=(400, 334),
        follow=False,
        yaw=0.5,
        ground=lm.world.Ground(),
    )


def _as_motion(sheet: Cloth, places: np.ndarray) -> lm.Motion:
    """A motion with a joint for every vertex, and a skin with two sides on them."""
    rows, columns = sheet.rows, sheet.columns
    count = rows * columns
    rest = sheet.rest.reshape(-1, 3)
    parents = np.concatenate([[-1], np.zeros(count, dtype=np.int64)])
    names = ("line", *(f"vertex_{k}" for k in range(count)))
    skeleton = Skeleton(names, parents, np.concatenate([np.zeros((1, 3)), rest]))
    corners = np.arange(count).reshape(rows, columns)
    a, b, c, d = corners[:-1, :-1], corners[1:, :-1], corners[1:, 1:], corners[:-1, 1:]
    front = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    thick = np.array([0.0, 0.0, 0.002])
    joints = np.zeros((2 * count, 4), dtype=np.int64)
    joints[:, 0] = np.tile(np.arange(1, count + 1), 2)
    positions, turns = skeleton.rest_pose()
    body = Body(
        np.concatenate([rest + thick, rest - thick]),
        np.concatenate([front, front[:, ::-1] + count]),
        joints,
        np.tile([1.0, 0.0, 0.0, 0.0], (2 * count, 1)),
        positions,
        turns,
    )
    moved = np.concatenate([np.zeros((len(places), 1, 3)), places], axis=1)
    return lm.Motion(
        skeleton,
        FPS,
        np.zeros((len(places), 3)),
        rot.identity(len(places), count + 1),
        translations=moved,
        body=body,
    )


def octopus() -> None:
    """The film of the example."""
    script, film = ROOT / "examples" / "octopus.py", PICTURES / "pendulums-octopus.webp"
    subprocess.run([sys.executable, str(script), str(film)], check=True)


def main() -> None:
    hit()
    tails()
    octopus()
    cloth()


if __name__ == "__main__":
    main()
