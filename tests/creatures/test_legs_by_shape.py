"""Legs found by shape alone on bodies built by hand."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.creatures.rigging._legs_by_shape import find_legs, find_plane
from locomote.creatures.rigging._mapping import assemble
from locomote.creatures.rigging._trunk_by_shape import find_trunk
from tests.creatures.bodies import CREATURES, Built, ant, biped, quadruped, spider

PAIRED = {name: build for name, build in CREATURES.items() if name != "robot"}


def hips(built: Built) -> set[str]:
    return {hip for hip, _ in built.legs}


@pytest.mark.parametrize("name", PAIRED)
@settings(max_examples=12)
@given(quarter=st.integers(0, 3), size=st.floats(0.001, 1000.0), seed=st.integers(0, 20))
def test_all_legs_and_nothing_else(name: str, quarter: int, size: float, seed: int) -> None:
    built = PAIRED[name]()
    turn = rot.from_yaw(0.5 * np.pi * quarter)
    built.places = [rot.rotate(turn, size * place) + size * np.array([3.0, -1.0, 2.0]) for place in built.places]
    skeleton = built.skeleton(seed)
    plane = find_plane(skeleton)
    limbs = find_legs(skeleton, plane)
    assert {skeleton.names[limb.joints[0]] for limb in limbs} == hips(built)
    assert len(limbs) == len(built.legs)
    if name != "biped":  # straight legs without feet do not say where a body faces
        trunk = find_trunk(skeleton, limbs, plane)
        assert np.allclose(trunk.forward, rot.rotate(turn, [0.0, 0.0, 1.0]), atol=1e-9)
        assert trunk.head is not None
        assert skeleton.names[trunk.head] == "head"


@pytest.mark.parametrize("build", [quadruped, biped])
def test_a_body_without_names_is_found_too(build: Callable[[], Built]) -> None:
    built = build()
    skeleton = built.skeleton()
    silent = replace(skeleton, names=tuple(f"joint {j}" for j in range(len(skeleton))))
    plane = find_plane(silent)
    limbs = find_legs(silent, plane)
    trunk = find_trunk(silent, limbs, plane)
    found = assemble(silent, limbs, None, trunk.head, trunk.tail, trunk.forward, "")
    assert {skeleton.names[leg.hip] for leg in found.legs} == hips(built)
    assert found.head is not None
    assert skeleton.names[found.head] == "head"
    if build is quadruped:
        assert tuple(skeleton.names[j] for j in found.tail) == ("tail0", "tail1")
        assert tuple(skeleton.names[j] for j in found.spine) == ("head", "neck", "chest", "back", "pelvis")


@pytest.mark.parametrize("build", [spider, ant])
def test_what_does_not_reach_the_floor_is_no_leg(build: Callable[[], Built]) -> None:
    built = build()
    for side, x in (("l", 1.0), ("r", -1.0)):  # feelers, and wings that droop
        built.add(f"feeler{side}", "head", (0.05 * x, 0.35, 0.25))
        built.add(f"feeler_end{side}", f"feeler{side}", (0.2 * x, 0.45, 0.6))
        built.add(f"wing{side}", "thorax", (0.05 * x, 0.4, 0.0))
        built.add(f"wing_end{side}", f"wing{side}", (0.3 * x, 0.3, -0.6))
    skeleton = built.skeleton()
    limbs = find_legs(skeleton, find_plane(skeleton))
    assert {skeleton.names[limb.joints[0]] for limb in limbs} == hips(built)
