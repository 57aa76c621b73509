"""The add-on in Blender itself: installed from its zip, motions and a stream on armatures of many kinds.

Blender is run beside the tests: where ``bpy`` is installed in their own Python (the extra ``blender``), or by the
variable ``LOCOMOTE_BLENDER``, which names a Python that has it, or Blender's program.
"""

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import locomote as lm
from locomote.human import Crowd, HumanModel
from locomote.motion import Motion
from locomote.retargeting import LiveRetarget
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from locomote.stream import Engine, Server, stage_of
from tests.made_rigs import Row, built
from tests.stream.conftest import receiver

HERE = Path(__file__).resolve().parent
BLENDER = os.environ.get("LOCOMOTE_BLENDER") or (sys.executable if importlib.util.find_spec("bpy") else None)
CLOSE = 1e-3  # m
FRAMES = 61

pytestmark = [
    pytest.mark.skipif(BLENDER is None, reason="needs Blender: pip install bpy, or LOCOMOTE_BLENDER"),
    pytest.mark.xdist_group("blender"),
]

MIXAMO: tuple[Row, ...] = (
    ("mixamorig:Hips", "", (0.0, 1.04, 0.01)), ("mixamorig:Spine", "mixamorig:Hips", (0.0, 1.14, 0.0)),
    ("mixamorig:Spine1", "mixamorig:Spine", (0.0, 1.25, -0.01)),
    ("mixamorig:Spine2", "mixamorig:Spine1", (0.0, 1.39, -0.02)),
    ("mixamorig:Neck", "mixamorig:Spine2", (0.0, 1.54, -0.02)), ("mixamorig:Head", "mixamorig:Neck", (0.0, 1.62, 0.0)),
    ("mixamorig:*Shoulder", "mixamorig:Spine2", (0.05, 1.50, -0.02)),
    ("mixamorig:*Arm", "mixamorig:*Shoulder", (0.18, 1.49, -0.03)),
    ("mixamorig:*ForeArm", "mixamorig:*Arm", (0.46, 1.49, -0.03)),
    ("mixamorig:*Hand", "mixamorig:*ForeArm", (0.73, 1.49, -0.03)),
    ("mixamorig:*HandIndex1", "mixamorig:*Hand", (0.83, 1.49, -0.01)),
    ("mixamorig:*UpLeg", "mixamorig:Hips", (0.09, 0.97, 0.0)),
    ("mixamorig:*Leg", "mixamorig:*UpLeg", (0.09, 0.53, 0.01)),
    ("mixamorig:*Foot", "mixamorig:*Leg", (0.09, 0.09, -0.03)),
    ("mixamorig:*ToeBase", "mixamorig:*Foot", (0.09, 0.01, 0.10)),
)  # fmt: skip
MIXAMO_ENDS = {
    "mixamorig:Head": (0.0, 0.2, 0.0),
    "mixamorig:*HandIndex1": (0.1, 0.0, 0.0),
    "mixamorig:*ToeBase": (0.0, 0.0, 0.08),
}


def mixamo() -> Skeleton:
    return built(MIXAMO, MIXAMO_ENDS, ("Left", "Right"))


def in_blender(points: FloatArray) -> FloatArray:
    """Our places in Blender's axes."""
    return points[..., [0, 2, 1]] * (1.0, -1.0, 1.0)


def as_armature(skeleton: Skeleton, scale: float, place: tuple[float, float, float]) -> dict[str, Any]:
    """A skeleton as a task for Blender: y up in units of its own, its object turned and scaled, as FBX comes in."""
    places = skeleton.rest_pose()[0]
    bones = []
    for j, name in enumerate(skeleton.names):
        below = skeleton.children(j)
        tails = skeleton.end_offsets[skeleton.end_parents == j]
        tail = places[below[0]] if below else places[j] + tails[0]
        above = skeleton.parents[j]
        parent = skeleton.names[above] if above >= 0 else None
        bones.append([name, parent, (places[j] / scale).tolist(), (tail / scale).tolist()])
    return {"name": "hero", "bones": bones, "turn": [np.pi / 2, 0.0, 0.0], "scale": scale, "place": place}


Ask = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def ask(tmp_path_factory: pytest.TempPathFactory) -> Ask:
    """Do tasks in a new Blender that has the add-on."""
    folder = tmp_path_factory.mktemp("blender")
    pack = HERE.parents[1] / "scripts" / "pack_addons.py"
    subprocess.run([sys.executable, str(pack), "--out", str(folder)], check=True, timeout=500)

    def asked(tasks: list[dict[str, Any]]) -> list[dict[str, Any]]:
        for k, task in enumerate(tasks):
            task["out"] = str(folder / f"{k}.npz")
        told = folder / "task.json"
        told.write_text(json.dumps(tasks))
        program = [str(BLENDER), str(HERE / "in_blender.py")]
        if "blender" in Path(str(BLENDER)).name:
            program[1:1] = ["--background", "--factory-startup", "--python-exit-code", "3", "--python"]
            program.append("--")
        environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
        environment |= {"BLENDER_USER_RESOURCES": str(folder / "user"), "OMP_NUM_THREADS": "2"}
        done = subprocess.run(
            [*program, str(folder / "locomote_blender.zip"), str(told)],
            capture_output=True,
            text=True,
            env=environment,
            cwd=folder,
            check=False,
            timeout=400,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        assert "done" in done.stdout
        return [dict(np.load(task["out"])) for task in tasks]

    return asked


@pytest.fixture(scope="module")
def walk() -> Motion:
    return Crowd(HumanModel.default(), 1, speed=1.4).record(seconds=2.0, fps=30)


def test_a_walk_onto_armatures_of_many_kinds(ask: Ask, walk: Motion, tmp_path: Path) -> None:
    files = {kind: str(tmp_path / f"walk{kind}") for kind in (".npz", ".bvh", ".glb")}
    for path in files.values():
        lm.save(walk, path)
    rig, place = mixamo(), (2.0, -1.0, 0.5)
    names = list(walk.skeleton.names)
    plain = {"do": "import", "frames": FRAMES}
    onto = as_armature(rig, 0.01, place)
    shown = ask(
        [
            *({**plain, "file": path, "onto": None, "names": names} for path in files.values()),
            {**plain, "file": files[".npz"], "onto": onto, "names": list(rig.names)},
            {**plain, "file": files[".bvh"], "onto": onto, "names": list(rig.names), "feet": False},
            {**plain, "file": files[".npz"], "onto": "rigify"},
        ]
    )
    for each in shown[:3]:
        assert each["fps"] == pytest.approx(30.0)
        assert np.linalg.norm(each["heads"] - in_blender(walk.joint_positions()), axis=-1).max() < CLOSE
    for each, feet in zip(shown[3:5], (True, False), strict=True):
        ours = in_blender(lm.retarget(walk, rig, feet=feet).joint_positions()) + place
        assert np.linalg.norm(each["heads"] - ours, axis=-1).max() < CLOSE
    tree = json.loads(bytes(shown[5]["tree"]))
    ours = in_blender(lm.retarget(walk, metarig(tree, shown[5]["rest"])).joint_positions())
    assert np.linalg.norm(shown[5]["heads"] - ours, axis=-1).max() < CLOSE


def metarig(tree: list[tuple[str, str | None]], rest: FloatArray) -> Skeleton:
    """Blender's own rig as a skeleton whose joints are not turned at rest."""
    names = [name for name, _ in tree]
    parents = np.array([-1 if parent is None else names.index(parent) for _, parent in tree])
    heads, tails = (part[:, [0, 2, 1]] * (1.0, 1.0, -1.0) for part in (rest[:, :3], rest[:, 3:]))
    offsets = heads - np.where(parents[:, None] >= 0, heads[parents], 0.0)
    leaves = np.array([j for j in range(len(names)) if j not in parents])
    return Skeleton(tuple(names), parents, offsets, end_parents=leaves, end_offsets=(tails - heads)[leaves])


def test_a_live_stream_moves_armatures(ask: Ask) -> None:
    rig, place, early = mixamo(), (0.0, 3.0, 0.0), 39
    task = {"do": "stream", "onto": as_armature(rig, 0.01, place), "names": list(rig.names), "early": early}
    with Engine(stage_of(2, seed=5), 60.0) as engine, Server(engine, port=0) as server:
        shown = ask([{**task, "updates": 80, "port": server.port}])[0]
    told = json.loads(bytes(shown["hello"]))
    group, _, _, people = receiver("receive").records(shown["early"].tobytes(), told)
    bones = group["skeleton"]
    source = Skeleton(tuple(bones["names"]), np.array(bones["parents"]), np.reshape(bones["offsets"], (-1, 3)))
    live = LiveRetarget(source.scaled(float(people["scale"][0])), rig)
    root, turns = live.follow(people["position"][:1].astype(float), people["rotations"][:1].astype(float))
    ours = in_blender(Motion(rig, 1.0, root, turns).joint_positions()[0]) + place
    assert np.linalg.norm(shown["seen"][early] - ours, axis=-1).max() < CLOSE
    assert len(shown["seen"]) == 80
    assert np.linalg.norm(np.ptp(shown["seen"], axis=0), axis=-1).min() > 0.05  # all of it has moved
    _, _, _, people = receiver("receive").records(shown["last"].tobytes(), told)
    everyone = receiver("receive").joint_positions(group, people)
    assert np.linalg.norm(shown["own"] - in_blender(everyone[1]), axis=-1).max() < CLOSE
    assert np.linalg.norm(shown["keyed"][0] - shown["seen"][0], axis=-1).max() < CLOSE
