"""Skinned meshes under scaled and turned nodes, in other units and with other axes up: read right, or said."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from locomote.formats import load, save
from locomote.formats._doubts import doubts
from locomote.motion import Motion
from tests.made_gltf import Trait, scene_of
from tests.made_rigs import placed, walker

WALK = walker(1.5)
NODES = [
    Trait(armature_scale=a, armature_turn=b, mesh_scale=c, mesh_turn=d, bound_in_armature=e, posed=f)
    for (a, c), b, d, e, f in product(
        ((1.0, 1.0), (0.01, 1.0), (1.0, 0.01), (0.01, 100.0)),
        (False, True),
        (False, True),
        (False, True),
        (False, True),
    )
]


ORDER = WALK.skeleton.names


def places(motion: Motion) -> np.ndarray:
    return placed(motion, ORDER)


def bones(motion: Motion) -> np.ndarray:
    lengths = np.linalg.norm(motion.skeleton.offsets, axis=1)
    return lengths[[motion.skeleton.index(name) for name in ORDER[1:]]]


@pytest.mark.parametrize("trait", NODES, ids=str)
def test_nodes_around_a_skin_do_not_matter(trait: Trait) -> None:
    motion = scene_of(WALK, trait).read(fps=WALK.fps)
    np.testing.assert_allclose(places(motion), places(WALK), atol=2e-5)
    np.testing.assert_allclose(bones(motion), bones(WALK), atol=2e-5)
    assert motion.translations is None
    rest = motion.skeleton.rest_pose()[0]
    np.testing.assert_allclose(np.ptp(rest[:, 1]), np.ptp(WALK.skeleton.rest_pose()[0][:, 1]), atol=0.02)
    assert motion.body is not None
    assert np.ptp(motion.body.vertices[:, 1]) == pytest.approx(np.ptp(rest[:, 1]), abs=0.1)


@pytest.mark.parametrize("trait", [Trait(), Trait(armature_scale=0.01, armature_turn=True)], ids=str)
@pytest.mark.parametrize("up", ["z", "x", "-y"])
def test_another_axis_that_points_up_is_seen_and_said(trait: Trait, up: str) -> None:
    scene = scene_of(WALK, replace(trait, up=up))
    motion = scene.read(fps=WALK.fps)
    assert any(f"up: {up} guessed" in note for note in motion.notes)
    np.testing.assert_allclose(places(motion), places(WALK), atol=2e-5)
    given = scene.read(fps=WALK.fps, up=up)
    assert not any("up:" in note for note in given.notes)
    np.testing.assert_allclose(given.joint_positions(), motion.joint_positions(), atol=1e-12)
    lying = scene.read(fps=WALK.fps, up="y")
    if up != "-y":
        assert any("off upright" in note for note in doubts(lying))


def test_a_turned_file_is_written_upright(tmp_path: object) -> None:
    motion = scene_of(WALK, Trait(up="z", armature_scale=0.01)).read(fps=WALK.fps)
    path = tmp_path / "upright.glb"  # type: ignore[operator]
    save(motion, path)
    again = load(path)
    assert not any("up:" in note for note in again.notes)
    np.testing.assert_allclose(again.joint_positions(), motion.joint_positions(), atol=2e-5)
    assert again.body is not None
    assert motion.body is not None
    np.testing.assert_allclose(again.body.vertices, motion.body.vertices, atol=1e-4)


@pytest.mark.parametrize(("unit", "said"), [(0.01, "cm"), (0.001, "mm"), (100.0, 100.0)])
def test_another_unit_is_doubted_or_given(unit: float, said: str | float) -> None:
    scene = scene_of(WALK, Trait(unit=unit))
    raw = scene.read(fps=WALK.fps)
    assert any("m tall" in note for note in doubts(raw))
    np.testing.assert_allclose(places(scene.read(fps=WALK.fps, unit=said)), places(WALK), atol=5e-5)


def test_nobody_is_doubted_without_reason() -> None:
    assert doubts(WALK) == []
