"""Write the picture of docs/obstacles.md: people among puddles, boxes and walls."""

from __future__ import annotations

from pathlib import Path

from _stills import save_small

import locomote as lm
from locomote import draw
from locomote.world import Obstacles

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
STARTS = ((-2.0, -0.3), (0.0, 0.0), (1.6, -1.0))  # x, z of three people who walk along +Z
SPEEDS = (1.1, 1.4, 1.7)  # m/s
POND = ((-1.3, 0.4), (-0.8, 0.6), (-0.7, 1.5), (-1.0, 2.2), (-1.35, 1.9), (-1.5, 1.0))  # x, z of its corners
MOMENT = 2.6  # s
SIZE = (1500, 720)  # pixels


def yard() -> Obstacles:
    """A puddle, a pond, boxes, a bollard and a wall, none of them on the way."""
    obstacles = Obstacles()
    obstacles.add_puddle((0.8, 3.9), length=1.6, width=0.9, yaw=0.35)
    obstacles.add_polygon(POND)
    obstacles.add_box((-0.9, 3.1), (0.5, 0.7), height=0.5, yaw=0.4)
    obstacles.add_disk((2.5, 2.3), radius=0.22, height=0.9)
    obstacles.add_wall((-2.6, 0.7), (-2.6, 2.3), height=0.8)
    return obstacles


def draw_yard() -> None:
    model = lm.human.HumanModel.default()
    walks = []
    for (x, z), speed in zip(STARTS, SPEEDS, strict=True):
        crowd = lm.human.Crowd(model, 1)
        crowd.command(speed=speed)
        walks.append(crowd.record(seconds=MOMENT + 0.5, fps=60).moved(offset=(x, 0.0, z)))
    PICTURES.mkdir(exist_ok=True)
    picture = draw.frame_together(walks, MOMENT, size=SIZE, view="high", obstacles=yard())
    save_small(picture, PICTURES / "obstacles.png")


if __name__ == "__main__":
    draw_yard()
