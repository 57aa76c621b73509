"""What ``locomote demo wind`` shows: trees that a wind sways, gusts that travel, a wolf that brushes a bush."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from locomote.cli._demos.people import Show
from locomote.modal.trees import NAMES, Forest, Species
from locomote.modal.trees._recording import motions
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.world import Wind

FPS = 30.0
EAST = 0.5 * math.pi


def rising(seconds: float) -> Show:
    """An oak in a wind that rises."""
    species = Species.grow("oak", 300)
    forest = Forest(species, headings=0.0, flutter=0.02)
    wind = Wind.turbulent([(0.0, 2.0), (2.0 * seconds, 16.0)], EAST)
    text = (
        "Branches are beams, their lowest natural vibrations are worked out once, and a wind that changes at will "
        "drives each of them. Every branch keeps its length."
    )
    facts = _facts(species)
    return Show(
        "oak", "An oak in a rising wind", text, forest.record(2.0 * seconds, FPS, wind), view="front", facts=facts
    )


def kinds(seconds: float) -> Show:
    """All kinds side by side in gusts."""
    trees: list[Motion] = []
    wind = Wind.gusty(5.0, EAST, gust=9.0, period=1.5 * seconds, seed=2)
    place = 0.0
    for name in NAMES:
        species = Species.grow(name, 200)
        place += species.reach + 0.7
        trees += Forest(species, [(place, 0.0)], headings=0.0, flutter=0.02).record(2.0 * seconds, FPS, wind)
        place += species.reach
    text = "Gusts travel with the wind: their front reaches one tree after the other, and each answers in its own time."
    return Show("kinds", "Five kinds, one gust after the other", text, trees, view="front", size=(800, 450),
                facts=(("trees", str(len(trees)), ""), ("strongest gust", "14", "m/s")))  # fmt: skip


def brushed(seconds: float) -> Show:
    """A wolf that goes through a bush."""
    wolf, bush, touched = wolf_through_bush(1.5 * seconds)
    text = "Bodies that pass push branches aside, by the least motion of the bush that lets them; then it swings out."
    facts = (("touches of branches", str(touched), ""),)
    return Show("bush", "A wolf brushes a bush", text, [wolf, bush], size=(800, 450), follow=False, facts=facts)


def wolf_through_bush(seconds: float) -> tuple[Motion, Motion, int]:
    """Both as motions, and how often a node was touched."""
    from locomote.creatures import Crowd

    crowd = Crowd("wolf", 1)
    crowd.command(speed=1.1)
    walk = crowd.record(seconds=seconds, fps=FPS)
    spots = walk.joint_positions()
    forest = Forest(
        Species.grow("bush", 260, modes=80, seed=1), [(0.45, 0.45 * spots[-1, 0, 2])], headings=0.0, sizes=0.8
    )
    speeds = np.gradient(spots, 1.0 / FPS, axis=0)
    places: list[FloatArray] = []
    touched = 0
    for frame in range(len(walk)):
        if frame:
            touched += forest.brush(spots[frame], speeds[frame], 0.11)
            forest.step(1.0 / FPS, (1.0, 0.0, 0.0))
        places.append(forest.nodes())
    return walk, motions(forest, np.array(places), FPS, np.array([0]))[0], touched


WIND_SHOWS: tuple[Callable[[float], Show], ...] = (rising, kinds, brushed)


def _facts(species: Species) -> tuple[tuple[str, str, str], ...]:
    return (
        ("branches", str(len(species) - 1), ""),
        ("modes", str(len(species.rates)), ""),
        ("slowest mode", f"{species.frequencies[0]:.2f}", "Hz"),
        ("damping", f"{species.dampings[0]:.2f} to {species.dampings[-1]:.2f}", ""),
    )
