"""Bodies that were written to files are found in them again, by their shape alone, and walk."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.creatures import Creature, Crowd, Morphology
from tests.creatures.walkers import errors

DT = 1.0 / 60.0
NAMES = ("spider", "ant", "crab", "centipede", "wolf", "horse", "lizard", "bird", "rat")


def written(name: str, folder: Path, extension: str) -> tuple[Morphology, Morphology]:
    """What was written, and what is found in the file."""
    creature = Creature.build(name)
    file = folder / f"{name}{extension}"
    lm.save(Crowd(creature, speed=0.3).record(seconds=0.2, fps=30.0), file)
    return creature.morphology, Morphology.from_rig(file)


def ends(body: Morphology) -> list[tuple[str, str]]:
    names = body.skeleton.names
    return [(names[leg.joints[0]], names[leg.joints[-1]]) for leg in body.legs]


@pytest.mark.parametrize("extension", [".bvh", ".glb"])
@pytest.mark.parametrize("name", NAMES)
def test_all_legs_are_found_where_they_were(tmp_path: Path, name: str, extension: str) -> None:
    known, found = written(name, tmp_path, extension)
    assert ends(found) == ends(known)
    assert found.sides == known.sides
    assert found.skeleton.names[found.head] == known.skeleton.names[known.head]  # type: ignore[index]
    assert found.hip_height == pytest.approx(known.hip_height, rel=0.03)  # a file of a skin stands in its first frame
    assert np.abs(found.rest_feet[:, 1]).max() < 0.02 * known.hip_height
    assert np.abs(found.hips[:, [0, 2]].mean(axis=0)).max() < 1e-9
    aside = found.rest_feet[:, 0] * np.array(found.sides)
    assert np.all(aside > 0.0)  # left is left: it faces +Z


@pytest.mark.parametrize("name", ["spider", "wolf", "lizard", "bird"])
def test_what_is_found_walks(tmp_path: Path, name: str) -> None:
    _, found = written(name, tmp_path, ".bvh")
    speed = 0.35 * math.sqrt(9.81 * found.hip_height)
    crowd = Crowd(Creature.of(found), 1, speed=speed)
    for _ in range(240):
        crowd.step(DT)
        assert np.all(errors(crowd)[crowd.planted] < 1e-3)
    assert crowd.positions[0, 2] > 0.95 * 4.0 * speed
