"""The body of a person: closed, within a game's budget, as tall and stout as told, and in every file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from pygltflib import GLTF2

from locomote import load, save
from locomote.draw import save_player
from locomote.human_body import Body as Build
from locomote.human_skeleton import human_skeleton
from locomote.mannequin import MOST_TRIANGLES, default_body, is_walker, mannequin
from locomote.motion import Motion
from locomote.skeleton import Skeleton


def standing(skeleton: Skeleton) -> Motion:
    return Motion(skeleton, 30.0, np.tile(skeleton.offsets[0], (2, 1)), np.tile(skeleton.rest_rotations, (2, 1, 1)))


@pytest.mark.parametrize("light", [False, True])
def test_it_is_one_closed_skin_within_the_budget(light: bool) -> None:
    body = mannequin(human_skeleton(), light)
    assert len(body.triangles) <= (MOST_TRIANGLES // 3 if light else MOST_TRIANGLES)
    sides = np.concatenate([body.triangles[:, [i, (i + 1) % 3]] for i in range(3)])
    there, back = ({tuple(side) for side in way.tolist()} for way in (sides, sides[:, ::-1]))
    assert len(there) == len(sides)
    assert there == back  # every side is shared by two triangles that run along it in opposite ways
    assert np.allclose(body.weights.sum(axis=1), 1.0)
    a, b, c = (body.vertices[body.triangles[:, i]] for i in range(3))
    volume = np.einsum("ij,ij->", a, np.cross(b, c)) / 6.0
    assert 0.04 < volume < 0.11  # m³; people float: their kilograms are their litres


def test_it_is_mirrored_stands_on_the_floor_and_is_as_tall_as_the_bones_say() -> None:
    skeleton = human_skeleton(0.9)
    vertices = mannequin(skeleton).vertices
    mirrored = vertices * [-1.0, 1.0, 1.0]
    apart = np.linalg.norm(vertices[:, None] - mirrored[None], axis=-1).min(axis=1)
    assert np.percentile(apart, 95) < 0.02
    assert vertices[:, 1].min() == pytest.approx(0.0, abs=0.01)
    stature = 0.9 / 0.925 / 0.53
    assert np.ptp(vertices[:, 1]) == pytest.approx(stature, rel=0.03)
    twice = mannequin(human_skeleton(1.8)).vertices
    assert np.allclose(twice, 2.0 * vertices)


def test_stout_people_are_stout_and_children_have_large_heads() -> None:
    def waist(build: float) -> float:
        own = Build(sex="male", age=40.0, build=build)
        skeleton = human_skeleton(own.leg_length, own.proportions)
        vertices = mannequin(skeleton).vertices
        belly = skeleton.rest_pose()[0][skeleton.index("Spine"), 1]
        near = (np.abs(vertices[:, 1] - belly) < 0.08) & (np.abs(vertices[:, 0]) < 0.35)
        return float(np.ptp(vertices[near, 0]))

    def head(age: float) -> float:
        own = Build(sex="female", age=age)
        skeleton = human_skeleton(own.leg_length, own.proportions)
        body = mannequin(skeleton)
        skull = body.vertices[body.joints[:, 0] == skeleton.index("Head")]
        return float(np.ptp(skull[:, 1]) / np.ptp(body.vertices[:, 1]))

    assert waist(-1.0) < waist(0.0) < waist(1.5)
    assert head(4.0) > 1.15 * head(30.0)


def test_others_are_rounded_limbs() -> None:
    skeleton = human_skeleton()
    assert is_walker(skeleton)
    named = replace(skeleton, names=tuple(f"bone{j}" for j in range(len(skeleton))))
    assert not is_walker(named)
    assert len(default_body(named).vertices) != len(default_body(skeleton).vertices)


@pytest.mark.parametrize("ending", [".glb", ".gltf", ".usda"])
def test_files_hold_it(tmp_path: Path, ending: str) -> None:
    if ending == ".usda":
        pytest.importorskip("pxr")
    motion = standing(human_skeleton())
    save(motion, tmp_path / f"person{ending}")
    body = load(tmp_path / f"person{ending}").body
    assert body is not None
    wanted = mannequin(motion.skeleton)
    assert len(body.triangles) == len(wanted.triangles)
    assert np.abs(body.vertices - wanted.vertices).max() < 1e-6


def test_other_readers_see_one_skinned_mesh(tmp_path: Path) -> None:
    save(standing(human_skeleton()), tmp_path / "person.glb")
    file = GLTF2().load(str(tmp_path / "person.glb"))
    assert file is not None
    assert len(file.meshes) == len(file.skins) == 1
    assert len(file.meshes[0].primitives) == 1
    assert file.accessors[file.meshes[0].primitives[0].indices].count == 3 * len(mannequin(human_skeleton()).triangles)


def test_the_player_shows_it(tmp_path: Path) -> None:
    import base64
    import json
    import re

    save_player(standing(human_skeleton()), tmp_path / "page.html")
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    found = re.search(r'<script id="motion" type="application/json">(.*?)</script>', page, re.DOTALL)
    assert found is not None
    triangles = base64.b64decode(json.loads(found[1])["triangles"])
    assert len(triangles) == 12 * len(mannequin(human_skeleton()).triangles)
