"""Write the films of docs/creature-rigs.md: rigs from other people's files walk side by side.

python scripts/rig_pictures.py FOLDER_OF_RIGS
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

import numpy as np
from _stills import FILM_FPS, FILM_QUALITY

from locomote.creatures import Creature, Crowd, Morphology
from locomote.creatures._recording import record_together
from locomote.draw import film_together

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
FILMS = {  # file: height in metres to which it is scaled
    "rigs-animals": {
        "quaternius_Wolf.glb": 1.0,
        "quaternius_Horse.glb": 1.7,
        "quaternius_Cow.glb": 1.4,
        "khronos_Fox.glb": 0.7,
        "mesh2motion_quadruped.glb": 1.0,
        "quaternius_Velociraptor.glb": 1.4,
    },
    "rigs-small": {
        "quaternius_Spider.glb": 0.6,
        "luanti_spider_animated.gltf": 0.6,
        "quaternius_Frog.glb": 0.6,
        "mjcf/dm_ant.xml": 0.6,
        "mjcf/dm_fruitfly.xml": 0.6,
        "mjcf/dm_rodent.xml": 0.5,
    },
    "rigs-robots": {
        "mjcf/a1.xml": 0.5,
        "mjcf/go2.xml": 0.5,
        "mjcf/spot.xml": 0.8,
        "mjcf/anymal_c.xml": 0.8,
        "max_robot.urdf": 0.5,
        "mjcf/dm_quadruped.xml": 0.8,
        "mjcf/dm_dog.xml": 0.8,
    },
}
FORWARD = {"mjcf/dm_ant.xml": "+z", "mjcf/dm_quadruped.xml": "+z"}  # front and back look alike
SECONDS, FPS, BEFORE = 3.0, 60.0, 1.0


def film(name: str, rigs: dict[str, float], folder: Path) -> None:
    """All rigs of a film in lanes, at speeds that suit their legs."""
    crowds, lane = [], 0.0
    for file, height in rigs.items():
        morphology = Morphology.from_rig(folder / file, forward=FORWARD.get(file), height=height)
        wide = float(np.ptp(morphology.rest_feet[:, 0])) + 0.5
        lane += 0.5 * wide
        speed = 0.4 * math.sqrt(9.81 * morphology.hip_height)
        crowds.append(Crowd(Creature.of(morphology), positions=(lane, 0.0), speed=speed, seed=1))
        lane += 0.5 * wide
    for crowd in crowds:
        for _ in range(int(BEFORE * FPS)):
            crowd.step(1.0 / FPS)
    motions = [part[0] for part in record_together(crowds, SECONDS, FPS)]
    film_together(
        motions, PICTURES / f"{name}.webp", size=(520, 228), fps=FILM_FPS, quality=FILM_QUALITY, view="three-quarter"
    )


def main() -> None:
    folder = Path(sys.argv[1])
    for name, rigs in FILMS.items():
        film(name, rigs, folder)


if __name__ == "__main__":
    main()
