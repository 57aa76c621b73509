"""The receivers of the examples: run, or at least held against the protocol."""

import json
import shutil
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from locomote.human import Body, Crowd, HumanModel
from locomote.rotations import FloatArray
from locomote.stream import Engine, Server, stage_of
from locomote.stream._hello import hello
from locomote.stream._stage import Stage
from locomote.stream._wire import encode

from .conftest import PATIENCE, RECEIVERS, blender_module, receiver

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.mark.parametrize("rotations", ["float32", "int16"])
def test_the_python_receiver_runs(server: Server, rotations: str) -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-W",
            "error",
            str(RECEIVERS / "receive.py"),
            server.url,
            "--seconds",
            "1.5",
            "--rotations",
            rotations,
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "{'people': 3, 'wolf': 2}" in done.stdout
    assert "'did': 'go_to'" in done.stdout
    assert int(done.stdout.split()[-4]) > 20


class Bpy:
    """As much of Blender as the receiver needs, and how Blender poses bones."""

    def __init__(self) -> None:
        self.random = np.random.default_rng(1)
        self.made: list[Any] = []
        self.removed: list[Any] = []
        self.data = SimpleNamespace(
            armatures=SimpleNamespace(new=self._armature),
            objects=SimpleNamespace(new=self._object, remove=self.removed.append, get=lambda name: None),
        )
        linked = SimpleNamespace(objects=SimpleNamespace(link=lambda made: None))
        self.context = SimpleNamespace(
            collection=linked, view_layer=SimpleNamespace(objects=SimpleNamespace(active=None))
        )
        self.ops = SimpleNamespace(object=SimpleNamespace(mode_set=self._mode))

    def _armature(self, name: str) -> Any:
        bones: list[Any] = []

        def new(bone_name: str) -> Any:
            bone = SimpleNamespace(name=bone_name, head=None, tail=None, parent=None)
            bones.append(bone)
            return bone

        return SimpleNamespace(edit=bones, edit_bones=SimpleNamespace(new=new), bones={})

    def _object(self, name: str, armature: Any) -> Any:
        place = SimpleNamespace(decompose=lambda: ((0, 0, 0), (1, 0, 0, 0), (1, 1, 1)))
        made = SimpleNamespace(
            name=name, data=armature, pose=SimpleNamespace(bones={}), scale=(1, 1, 1), matrix_world=place
        )
        self.made.append(made)
        return made

    def _mode(self, mode: str) -> None:
        if mode != "OBJECT":
            return
        made = self.context.view_layer.objects.active
        for bone in made.data.edit:
            # How a bone lies depends on its tail and roll: here any way will do.
            lies = Rotation.random(random_state=self.random.integers(1 << 30))
            x, y, z, w = lies.as_quat()
            made.data.bones[bone.name] = SimpleNamespace(
                name=bone.name,
                parent=made.data.bones[bone.parent.name] if bone.parent else None,
                head_local=bone.head,
                length=float(np.linalg.norm(np.subtract(bone.tail, bone.head))),
                matrix_local=SimpleNamespace(to_quaternion=lambda q=(w, x, y, z): q),
                lies=lies,
            )
            made.pose.bones[bone.name] = SimpleNamespace(
                location=(0, 0, 0), rotation_quaternion=(1, 0, 0, 0), rotation_mode="XYZ"
            )


def blender_joints(made: Any) -> FloatArray:
    """Where Blender shows the heads of the bones of an armature."""
    turns: dict[str, Rotation] = {}
    heads: dict[str, FloatArray] = {}
    for bone in made.data.edit:
        lies, posed = made.data.bones[bone.name].lies, made.pose.bones[bone.name]
        assert posed.rotation_mode == "QUATERNION"
        w, x, y, z = posed.rotation_quaternion
        basis, location = Rotation.from_quat((x, y, z, w)), np.array(posed.location)
        head = np.array(bone.head)
        if bone.parent is None:
            heads[bone.name] = head + lies.apply(location)
            turns[bone.name] = lies * basis
        else:
            parent = bone.parent.name
            parent_lies = made.data.bones[parent].lies
            offset = parent_lies.inv().apply(head - np.array(bone.parent.head))
            relative = parent_lies.inv() * lies
            heads[bone.name] = heads[parent] + turns[parent].apply(offset + relative.apply(location))
            turns[bone.name] = turns[parent] * relative * basis
    return np.array([heads[bone.name] for bone in made.data.edit]) * made.scale[0]


def people_of(bodies: list[Body]) -> Stage:
    """A stage on which such people walk."""
    stage, model = Stage(), HumanModel.default()
    crowd = Crowd(model, len(bodies), body=bodies, speed=1.0, ground=stage.ground, obstacles=stage.obstacles)
    stage.add("people", crowd)
    for _ in range(30):
        stage.advance(1 / 60)
    return stage


@pytest.mark.parametrize("bodies", [[Body("female", 4), Body("male", 80)], [Body("female", 4), Body("female", 4)]])
def test_receivers_place_the_joints_of_other_bodies(bodies: list[Body]) -> None:
    stage = people_of(bodies)
    frame, truth = stage.frame(60.0), stage.groups["people"].crowd.poses.joint_positions()
    greeting, data = json.loads(hello(frame.layout)), encode(frame, 0)
    group, _, _, characters = receiver("receive").records(data, greeting)
    assert np.abs(receiver("receive").joint_positions(group, characters) - truth).max() < 1e-4
    bpy = Bpy()
    blender_module("live").Receiver(bpy, SimpleNamespace(take=lambda: (greeting, {0: data}))).update()
    shown = np.stack([blender_joints(made) for made in bpy.made])
    assert np.abs(shown - truth[..., [0, 2, 1]] * (1, -1, 1)).max() < 1e-4


def test_blender_shows_our_joints() -> None:
    blender, bpy = blender_module("live"), Bpy()
    stage = stage_of(2, {"spider": 1, "wolf": 1}, seed=4)
    stage.groups["people"].crowd.command(leg_length=[0.7, 1.0], within=0.0)
    for _ in range(100):
        stage.advance(1 / 60)
    frame = stage.frame(60.0)
    greeting = json.loads(hello(frame.layout))
    latest = {index: encode(frame, index) for index in range(3)}
    stream = SimpleNamespace(take=lambda: (greeting, latest))
    update = blender.Receiver(bpy, stream)
    update.update()
    truth = np.concatenate([np.concatenate(group.crowd.poses.joint_positions()) for group in stage.groups.values()])
    shown = np.concatenate([blender_joints(made) for made in bpy.made])
    assert [made.name for made in bpy.made] == ["people 0", "people 1", "spider 0", "wolf 0"]
    assert np.linalg.norm(shown - truth[:, [0, 2, 1]] * (1, -1, 1), axis=1).max() < 1e-4
    stage.remove("wolf")
    changed = stage.frame(60.0)
    greeting, latest = json.loads(hello(changed.layout)), {0: encode(changed, 0)}
    update.update()
    assert len(bpy.removed) == 4
    assert len(update.shown) == 2


@pytest.mark.skipif(CHROMIUM is None, reason="needs the browser Chromium")
@pytest.mark.parametrize("rotations", ["float32", "int16"])
def test_the_page_draws_what_the_engine_makes(tmp_path: Path, rotations: str) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    stage = stage_of(3, {"spider": 1}, wander=False, seed=2)
    stage.groups["people"].crowd._people.walkers["lively"] = 0.0  # who sways is elsewhere a frame later
    for _ in range(3):
        stage.advance(1 / 60)
    flags = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with Engine(stage, 30.0) as engine, Server(engine, port=0) as server, playwright.sync_playwright() as run:
        browser = run.chromium.launch(executable_path=CHROMIUM, args=flags)
        page = browser.new_page(viewport={"width": 640, "height": 360})
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda message: wrong.append(message.text))
        page.goto(f"http://{server.host}:{server.port}/?rotations={rotations}")
        end = time.monotonic() + PATIENCE
        while page.evaluate("viewer.frames") <= 20 and time.monotonic() < end:  # the page lets nothing else be asked
            page.wait_for_timeout(100)
        seen = page.evaluate("viewer.groups().map(g => g.characters.map(c => Array.from(c.places)))")
        truth = engine.ask(
            lambda stage: [group.crowd.poses.joint_positions().copy() for group in stage.groups.values()]
        ).result(PATIENCE)
        page.screenshot(path=str(tmp_path / "page.png"))
        browser.close()
    assert wrong == []
    for places, joints in zip(seen, truth, strict=True):
        shown = np.array(places).reshape(len(joints), -1, 3)[:, : joints.shape[1]]
        assert np.linalg.norm(shown - joints, axis=-1).max() < (1e-4 if rotations == "float32" else 5e-4)
