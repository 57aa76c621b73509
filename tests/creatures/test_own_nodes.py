"""A creature made from a user's file goes back into that very file: nodes, skins, materials and animations stay."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from locomote import load, save
from locomote import rotations as rot
from locomote.creatures import Creature, Crowd
from locomote.formats._gltf_build import Builder
from locomote.formats._gltf_document import parse
from locomote.formats._gltf_source import copied
from locomote.formats._own_rig import OwnRig
from locomote.motion import Motion
from tests.formats.gltf_judge import Judge

STAYS = ("asset", "scene", "scenes", "nodes", "meshes", "skins", "materials", "textures", "images", "samplers")
RIGS = [
    "khronos_CesiumMan.glb",
    "khronos_Fox.glb",
    "khronos_RiggedFigure.glb",
    "luanti_spider_animated.gltf",
    "mesh2motion_quadruped.glb",
    "quaternius_Cow.glb",
    "quaternius_Frog.glb",
    "quaternius_Horse.glb",
    "quaternius_Spider.glb",
    "quaternius_Velociraptor.glb",
    "quaternius_Wolf.glb",
]
_KINDS = ["SCALAR", "VEC2", "VEC3", "VEC4", "MAT4"]


def goes(kind: Creature, seconds: float = 1.0) -> Motion:
    crowd = Crowd(kind, 1, seed=0)
    crowd.command(speed=0.4 * float(np.sqrt(9.81 * kind.morphology.hip_height)))
    return crowd.record(seconds, 60.0)


def armed(path: Path, facing: float = 0.0, scale: float = 0.01) -> None:
    """A dog as modelling programs write one: in centimetres under a turned armature, in colour, with a clip."""
    plain = path.with_name("plain.glb")
    dog = Creature.build("dog").morphology
    body = dog.body
    save(Motion(dog.skeleton, 30.0, dog.skeleton.offsets[None, 0], dog.skeleton.rest_rotations[None], body=body), plain)
    document = parse(plain.read_bytes(), plain)
    builder: Builder = copied(document, {0})
    tree = builder.tree
    tree["asset"].pop("extras")
    count = len(tree["nodes"])
    turn = rot.multiply(rot.from_yaw(facing), rot.from_axis_angle([1.0, 0.0, 0.0], -np.pi / 2))
    tree["nodes"].append({"name": "Armature", "rotation": turn[[1, 2, 3, 0]].tolist(), "scale": [scale] * 3,
                          "children": [count + 1]})  # fmt: skip
    tree["nodes"].append({"name": "root", "children": [0], "extras": {"mine": 1}})
    first = tree["nodes"][0]
    back = rot.from_axis_angle([1.0, 0.0, 0.0], np.pi / 2)
    first["translation"] = (rot.rotate(back, first["translation"]) / scale).tolist()
    first["rotation"] = rot.multiply(back, np.array(first["rotation"])[[3, 0, 1, 2]])[[1, 2, 3, 0]].tolist()
    first["scale"] = [1.0 / scale] * 3
    tree["scenes"][0]["nodes"] = [count, *(n for n in tree["scenes"][0]["nodes"] if n != 0)]
    # As exporters do it: the skin lists the empty root as well, bound where it stands.
    bind = np.array(document.accessor(tree["skins"][0]["inverseBindMatrices"], _KINDS))
    at = np.eye(4)
    at[:3, :3] = rot.to_matrix(turn) * scale
    around = np.eye(4)
    around[:3, :3] = rot.to_matrix(rot.from_yaw(facing))
    turned = [(m.reshape(4, 4).T @ np.linalg.inv(around)).T.ravel() for m in bind]
    both = np.concatenate([turned, [np.linalg.inv(at).T.ravel()]]).astype("<f4")
    tree["skins"][0].update(joints=[*range(count - 1), count + 1], inverseBindMatrices=builder.accessor(both))
    tree["skins"][0].pop("skeleton")
    spots = tree["meshes"][0]["primitives"][0]["attributes"]
    for key in ("POSITION", "NORMAL"):
        values = np.array(document.accessor(spots[key], _KINDS)) @ around[:3, :3].T
        spots[key] = builder.accessor(values.astype("<f4"), bounds=key == "POSITION")
    tree["materials"][0]["pbrMetallicRoughness"]["baseColorFactor"] = [0.4, 0.2, 0.1, 1.0]
    times = builder.accessor(np.array([[0.0], [0.5]], dtype="<f4"), bounds=True)
    nods = builder.accessor(np.array([[0, 0, 0, 1], [0.6, 0, 0, 0.8]], dtype="<f4"))
    sampler = {"input": times, "output": nods, "interpolation": "STEP"}
    channel = {"sampler": 0, "target": {"node": 5, "path": "rotation"}}
    bark = {"name": "bark", "samplers": [sampler], "channels": [channel], "extras": {"loud": True}}
    builder.append("animations", bark)
    builder.save(path)


def check_file(path: Path, out: Path, motion: Motion) -> None:
    before, after = parse(path.read_bytes(), path), parse(out.read_bytes(), out)
    for key in STAYS:
        assert json.dumps(before.tree.get(key)) == json.dumps(after.tree.get(key)), key
    kept: list[Any] = before.tree.get("animations", [])
    assert after.tree["animations"][: len(kept)] == kept
    assert len(after.tree["animations"]) == len(kept) + 1
    for a in range(len(before.tree["accessors"])):
        assert np.array_equal(before.accessor(a, _KINDS), after.accessor(a, _KINDS))
    # Another reader sees joints and skin of the creature where the engine has them.
    judge = Judge(out)
    judge.animation = len(kept)
    assert motion.body is not None
    source = motion.body.source
    assert isinstance(source, OwnRig)
    nodes = [source.body.source.nodes[j] for j in source.joints]
    places, turns = motion.world()
    shifted = places + source.scale * rot.rotate(turns, source.inside)
    for frame in (0, len(motion) // 2, len(motion) - 1):
        worlds = judge.worlds(frame)
        assert np.abs([source.scale * worlds[n][:3, 3] for n in nodes] - shifted[frame]).max() < 1e-4
        seen = source.scale * judge.skinned(frame)
        ours = motion.body.posed(places[frame], turns[frame])
        # A spider's abdomen is smaller in all poses of its file than it was when the skin was bound.
        assert np.mean(np.abs(seen - ours).max(axis=1) < 1e-4) > 0.9


@pytest.mark.parametrize("facing", [0.0, np.pi / 2])
def test_a_dog_goes_back_into_its_own_file(tmp_path: Path, facing: float) -> None:
    path, out = tmp_path / "hero.glb", tmp_path / "out.glb"
    armed(path, facing)
    kind = Creature.from_rig(path)
    motion = goes(kind)
    assert motion.root_positions[-1, 2] > 0.1  # it goes along +Z, whichever way the file faces
    save(motion, out)
    check_file(path, out, motion)
    assert load(out, animation="hero").skeleton.names == load(path).skeleton.names


def test_in_another_size_it_still_fits_the_file(tmp_path: Path) -> None:
    path, out = tmp_path / "hero.glb", tmp_path / "out.glb"
    armed(path)
    motion = goes(Creature.from_rig(path, height=3.0))
    save(motion, out)
    check_file(path, out, motion)


def test_the_same_name_is_replaced_and_nothing_is_kept_where_asked(tmp_path: Path) -> None:
    path, out = tmp_path / "hero.glb", tmp_path / "out.glb"
    armed(path)
    kind = Creature.from_rig(path)
    save(goes(kind), out)
    size = out.stat().st_size
    again = Creature.from_rig(out)
    motion = goes(again)
    renamed = replace(motion, name="hero")
    save(renamed, out)
    names = [one["name"] for one in parse(out.read_bytes(), out).tree["animations"]]
    assert names == ["bark", "hero"]
    assert out.stat().st_size < 1.02 * size  # the data of what was replaced is gone
    save(renamed, out, keep=False)
    assert [one["name"] for one in parse(out.read_bytes(), out).tree["animations"]] == ["hero"]


@pytest.mark.data
@pytest.mark.parametrize("rig", RIGS)
def test_every_rig_of_the_data_keeps_all_it_had(data: Path, tmp_path: Path, rig: str) -> None:
    motion = goes(Creature.from_rig(data / "rigs" / rig), 0.5)
    out = tmp_path / "out.glb"
    save(motion, out)
    check_file(data / "rigs" / rig, out, motion)
