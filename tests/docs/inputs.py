"""The files that examples of the pages read: those of `examples/`, and made ones under the names that pages use."""

from __future__ import annotations

import lzma
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import trimesh

import locomote as lm
from locomote.capture import stage
from locomote.samples import performer
from tests.capture.markers.test_trials import made as made_trial
from tests.made_rigs import LEG, MIDDLE, TOES, built

ROOT = Path(__file__).resolve().parents[2]
Maker = Callable[[Path], None]
SILENT = {  # names that say nothing, by the names of our own skeleton
    "Hips": "Bone.004",
    **{f"Left{part}": f"Bone.01{k}" for k, part in enumerate(("UpLeg", "Leg", "Foot", "ToeBase"))},
    **{f"Right{part}": f"Bone.02{k}" for k, part in enumerate(("UpLeg", "Leg", "Foot", "ToeBase"))},
    **{f"Left{part}": f"Bone.03{k}" for k, part in enumerate(("Arm", "ForeArm", "Hand"))},
}
ROBOT = """<mujoco model="robot"><worldbody><body name="trunk" pos="0 0 0.5"><freejoint/>
<geom type="box" size="0.3 0.12 0.06"/>{legs}</body></worldbody></mujoco>"""
ROBOT_LEG = """<body name="{n}_hip" pos="{x} {y} 0"><joint name="{n}_hip" axis="0 1 0" range="-60 60"/>
<geom type="capsule" fromto="0 0 0 0 0 -0.25" size="0.03"/><body name="{n}_shin" pos="0 0 -0.25">
<joint name="{n}_knee" axis="0 1 0" range="-120 0"/><geom type="capsule" fromto="0 0 0 0 0 -0.24" size="0.02"/></body>
</body>"""
TABLES = {
    "stairs.toml": "[[stairs]]\nstart = [0, 1.2]\ncount = 5\nrise = 0.17\ntread = 0.29\nlanding = 1.5\n",
    "yard.toml": "[[kerb]]\nstart = [0, 2]\nlength = 1.2\nrise = 0.1\n",
    "stones.csv": "x,z\n" + "".join(f"{0.1 * (-1) ** (k + 1)},{0.5 * (k + 1)}\n" for k in range(11)),
    "plan.csv": "side,x,z\nleft,0.1,0\nright,-0.1,0\nleft,0.1,0.5\nright,-0.1,1.0\nleft,0.1,1.5\nright,-0.1,1.5\n",
    "one.toml": '[[character]]\nname = "anna"\n[[character.action]]\ndo = "move"\nspeed = 1.2\nseconds = 2.0\n',
}


def person(speed: float = 1.3, seconds: float = 3.0) -> lm.Motion:
    """Somebody of the walking engine, as anyone might have recorded."""
    return lm.human.Crowd(lm.human.HumanModel.default(), 1, seed=2, speed=speed).record(seconds, fps=60)


def creature(kind: str, seconds: float = 1.0) -> lm.Motion:
    """A built-in creature with its skin, in an animation as files from elsewhere have."""
    return replace(lm.creatures.Crowd(kind, 1, speed=0.5).record(seconds, fps=30), name="Walk")


def beast() -> lm.Motion:
    """Two legs and a trunk that look along -x."""
    named = {"thigh_*": "hip_*"}
    rows = tuple((named.get(name, name), named.get(above, above), at) for name, above, at in MIDDLE + LEG)
    skeleton = built(rows, TOES)
    turn = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    skeleton = replace(skeleton, offsets=skeleton.offsets @ turn, end_offsets=skeleton.end_offsets @ turn)
    return lm.Motion(skeleton, 30.0, skeleton.offsets[:1], np.tile([1.0, 0.0, 0.0, 0.0], (1, len(skeleton), 1)))


def silent() -> lm.Motion:
    """A walk of joints whose names say nothing."""
    walk = person(seconds=0.5)
    names = [SILENT.get(name, f"Bone.1{k:02d}") for k, name in enumerate(walk.skeleton.names)]
    return replace(walk, skeleton=replace(walk.skeleton, names=tuple(names), given_roles=None), body=None)


def _as(motion: Callable[[], lm.Motion]) -> Maker:
    return lambda path: lm.save(motion(), path)


def _packed(path: Path) -> None:
    plain = path.with_suffix("")
    lm.save(person(), plain)
    path.write_bytes(lzma.compress(plain.read_bytes()))


def _scan(motion: Callable[[], lm.Motion]) -> Maker:
    def make(path: Path) -> None:
        surface = stage.meshes(motion()[:1])
        trimesh.Trimesh(surface.vertices[0], surface.faces, process=False).export(path)

    return make


def _scans(path: Path) -> None:
    path.mkdir()
    surface = stage.meshes(person(0.0, 0.1)[:2])
    for k, frame in enumerate(surface.vertices):
        tall = 1000.0 * np.stack([frame[:, 0], -frame[:, 2], frame[:, 1]], axis=1)  # mm, Z up
        trimesh.Trimesh(tall, surface.faces, process=False).export(path / f"{k:03d}.ply")


def _clips(path: Path) -> None:
    path.mkdir()
    lm.save(person(), path / "walk.bvh")
    lm.save(person(3.0), path / "run.bvh")


def _markers(path: Path) -> None:
    path.write_bytes(made_trial(path.parent / "trial.trc")[1].read_bytes())


def _robot(path: Path) -> None:
    places = {
        "front_left": (0.25, 0.12),
        "front_right": (0.25, -0.12),
        "hind_left": (-0.25, 0.12),
        "hind_right": (-0.25, -0.12),
    }
    legs = "".join(ROBOT_LEG.format(n=name, x=x, y=y) for name, (x, y) in places.items())
    path.write_text(ROBOT.format(legs=legs), encoding="utf-8")


MADE: dict[str, Maker] = {
    "walk.bvh": _as(person),
    "run.bvh": _as(lambda: person(3.0)),
    "slow.bvh": _as(lambda: performer(1.0, seconds=4.0).motion),
    "brisk.bvh": _as(lambda: performer(1.4, seconds=4.0).motion),
    "jog.bvh": _as(lambda: performer(2.6, seconds=4.0).motion),
    "capture.bvh": _as(lambda: performer(1.3, seconds=3.0, noise=0.004, seed=1).motion),
    "new.glb": _as(person),
    "walk.glb": _as(person),
    "walk.bvh.xz": _packed,
    "walk.npz": _as(person),
    "hero.glb": _as(lambda: person(0.0, 0.1)),
    "beast.glb": _as(beast),
    "wolf.glb": _as(lambda: creature("wolf")),
    "fox.glb": _as(lambda: creature("dog")),
    "horse.glb": _as(lambda: creature("horse")),
    "silent.glb": _as(silent),
    "scene.usda": _as(lambda: replace(person(), name="Rig")),
    "strange.usdc": _as(person),
    "dog.obj": _scan(lambda: creature("dog", 0.1)),
    "frames": _scans,
    "clips": _clips,
    "walk.trc": _markers,
    "robot.xml": _robot,
    **{name: (lambda path, text=text: path.write_text(text, encoding="utf-8")) for name, text in TABLES.items()},  # type: ignore[misc]
}


def provide(folder: Path, text: str, kept: Path) -> None:
    """Put into a folder what a text names.

    Parameters
    ----------
    folder : where the examples of a page run
    text : the examples
    kept : where made files are kept from one page to the next
    """
    shutil.copytree(ROOT / "examples", folder / "examples")
    for path in (ROOT / "examples").glob("*.*"):
        if path.suffix in (".toml", ".csv"):
            shutil.copyfile(path, folder / path.name)
    for name, make in MADE.items():
        if name not in text:
            continue
        path = kept / name
        if not path.exists():
            make(path)
        (shutil.copytree if path.is_dir() else shutil.copyfile)(path, folder / name)
