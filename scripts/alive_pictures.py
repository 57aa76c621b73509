"""Write the films of docs/creatures-alive.md: gaits over rough ground, winding, turning, pushes."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path

import numpy as np
from _stills import FILM_FPS, FILM_QUALITY

from locomote.creatures import Crowd
from locomote.creatures._recording import record_together
from locomote.draw import film_together
from locomote.rotations import FloatArray
from locomote.world import Ground

PICTURES = Path(__file__).resolve().parents[1] / "docs" / "pictures"
FPS = 60.0
GAITS = {"walk": 1.2, "trot": 2.5, "canter": 3.4, "gallop": 4.8}  # m/s


def rough(seed: int = 4) -> Ground:
    """A field of low, soft bumps."""
    random = np.random.default_rng(seed)
    waves = random.uniform(0.6, 2.0, (14, 2)) * random.choice([-1.0, 1.0], (14, 2))
    phases, strengths = random.uniform(0.0, 2.0 * math.pi, 14), random.uniform(0.2, 1.0, 14)

    def height(x: FloatArray, z: FloatArray) -> FloatArray:
        return 0.016 * sum(s * np.sin(a * x + b * z + p) for (a, b), p, s in zip(waves, phases, strengths, strict=True))

    return Ground.from_function(height, (60.0, 60.0), 0.15, (-30.0, -30.0))


def film(
    name: str,
    crowd: Crowd,
    seconds: float,
    view: str = "three-quarter",
    tell: Callable[[Crowd, int], None] | None = None,
    size: tuple[int, int] = (360, 202),
) -> None:
    """A film of a crowd that is told things frame by frame."""

    def after(time: float) -> None:
        if tell is not None:
            tell(crowd, round(time * FPS))

    for _ in range(120):
        crowd.step(1.0 / FPS)
    (motions,) = record_together([crowd], seconds, FPS, after)
    film_together(
        motions,
        PICTURES / f"alive-{name}.webp",
        size=size,
        fps=FILM_FPS,
        quality=FILM_QUALITY,
        view=view,
        ground=crowd.maps.ground,
    )


def shoves(crowd: Crowd, frame: int) -> None:
    """Pushed from the left, from ahead and from behind."""
    pushes = {30: (-1.1, 0.0), 110: (0.0, -1.2), 190: (0.9, 0.9)}
    if frame in pushes:
        crowd.push(pushes[frame])


def turns(crowd: Crowd, frame: int) -> None:
    """To the left, and back again."""
    if frame == 10:
        crowd.command(turn_rate=1.1)
    if frame == 150:
        crowd.command(turn_rate=-1.1)


def main() -> None:
    ground = rough()
    for gait, speed in GAITS.items():
        wolf = Crowd("wolf", speed=speed, gait=gait, ground=ground, positions=(0.0, -8.0), seed=2)
        film(f"wolf-{gait}", wolf, 2.2, "side")
    film("wolf-turns", Crowd("wolf", speed=1.1, seed=1), 4.5, "high", turns)
    film("lizard", Crowd("lizard", speed=0.45, seed=1), 3.0, "top")
    film("centipede", Crowd("centipede", speed=0.35, seed=1), 4.5, "high", turns)
    film("wolf-pushed", Crowd("wolf", seed=1), 4.5, "three-quarter", shoves)


if __name__ == "__main__":
    main()
