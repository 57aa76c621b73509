"""Every file that the pages and the first lines of a reader start from: what each is, and who makes it."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import NamedTuple

Maker = Callable[[Path], None]  # takes the file, or the folder, to be written


class Example(NamedTuple):
    """One file, or one folder of them."""

    about: str
    room: str = ""  # the module beside this one that makes it; "" where it lies in the package
    maker: str = ""  # the name of the function there
    extra: tuple[str, str] | None = None  # the module it cannot be made without, and the extra that brings it

    @property
    def lacking(self) -> str | None:
        """The extra that is missing to make it."""
        if self.extra is None or importlib.util.find_spec(self.extra[0]) is not None:
            return None
        return self.extra[1]

    def make(self, path: Path) -> None:
        """Write it."""
        if not self.room:
            from locomote.samples._files import FOLDER

            path.write_bytes((FOLDER / path.name).read_bytes())
            return
        maker: Maker = getattr(import_module(f"{__name__}.{self.room}"), self.maker)
        maker(path)


_FILM = ("imageio_ffmpeg", "film")
_USD = ("pxr", "usd")
_C3D = ("ezc3d", "capture")

EXAMPLES: dict[str, Example] = {
    "walk.bvh": Example("a person who walks: 4 s at 1.3 m/s"),
    "hero.glb": Example("a rig with a skin, in an A-pose"),
    "points.csv": Example("a way to walk along: x,z in metres"),
    "plan.csv": Example("where the feet come down, step by step"),
    "ridge.csv": Example("the same along a narrow ridge, sideways in the middle"),
    "stones.csv": Example("stones to step on: x,z,radius"),
    "stairs.toml": Example("five steps up"),
    "ground.toml": Example("stairs, a slope down and a kerb"),
    "course.toml": Example("stairs, a slope and a lift"),
    "yard.toml": Example("a kerb, and a puddle behind it"),
    "puddles.toml": Example("a puddle, and a box that appears"),
    "crates.toml": Example("rough ground with crates, some of which move"),
    "obstacles.toml": Example("a scene of four people among puddles and a cart"),
    "scene.toml": Example("a scene of three people"),
    "one.toml": Example("a scene of one person"),
    "robot.xml": Example("a robot with four legs, as a MuJoCo model"),
    "robot.urdf": Example("a robot dog with twelve hinges"),
    "my-markers.toml": Example("where markers sit on a wolf"),
    "run.bvh": Example("a person who runs", "people", "run"),
    "slow.bvh": Example("a person who walks slowly", "people", "slow"),
    "brisk.bvh": Example("the same person, faster", "people", "brisk"),
    "jog.bvh": Example("the same person, jogging", "people", "jog"),
    "capture.bvh": Example("a walk with the noise and the skating feet of a capture", "people", "capture"),
    "new.glb": Example("the same walk, cleaned", "people", "cleaned"),
    "walk.bvh.xz": Example("walk.bvh in centimetres, packed", "people", "packed"),
    "walk.npz": Example("walk.bvh in the own format", "people", "converted"),
    "walk.usdc": Example("walk.bvh as USD", "people", "converted", _USD),
    "strange.usdc": Example("the same, from a stranger", "people", "converted", _USD),
    "scene.usda": Example("a USD stage with a skeleton at /World/Rig/Skeleton", "people", "stage", _USD),
    "clips": Example("a folder of clips of one person", "people", "clips"),
    "recordings": Example("a folder of walks, to make a database of steps of", "people", "recordings"),
    "corpus.toml": Example("a corpus of the clips in data, to fit a model to", "people", "corpus"),
    "data": Example("the clips of corpus.toml", "people", "corpus_data"),
    "walk.ik.mot": Example("a walk as joint coordinates of OpenSim", "laboratory", "coordinates"),
    "walk.grf.mot": Example("the forces under its feet", "laboratory", "ground_forces"),
    "walk.trc": Example("markers on the same walker", "laboratory", "walk_markers"),
    "run.c3d": Example("markers on somebody who runs", "laboratory", "run_c3d", _C3D),
    "range-of-motion.c3d": Example("the same markers, for the fit of the body", "laboratory", "range_c3d", _C3D),
    "rat.trc": Example("markers on a rat", "laboratory", "rat_markers"),
    "any.trc": Example("markers on a wolf, where my-markers.toml has them", "laboratory", "wolf_markers"),
    "scans": Example("a person who walks, one mesh a frame", "captured", "scans"),
    "frames": Example("the rig of hero.glb as it moves, one mesh a frame, in millimetres", "captured", "frames"),
    "dog.obj": Example("a wolf scanned, one mesh", "captured", "scanned_wolf"),
    "silhouettes": Example("what the cameras of cameras.json see of a walker", "captured", "silhouettes"),
    "cameras.json": Example("six cameras around a walker", "captured", "cameras"),
    "wolf.mp4": Example("a film of a wolf that trots", "captured", "wolf_film", _FILM),
    "poses.glb": Example("the wolf in the frames of that film that are keys", "captured", "wolf_poses"),
    "wolf.glb": Example("a wolf with two animations, Walk and Gallop", "animals", "wolf"),
    "horse.glb": Example("a horse as a rig", "animals", "horse"),
    "my_rig.glb": Example("another rig on four legs", "animals", "own_rig"),
    "beast.glb": Example("a rig on two legs that faces -x", "animals", "beast"),
    "fox.glb": Example("a fox that trots, in centimetres", "animals", "fox"),
    "dog.bvh": Example("a dog that walks", "animals", "dog"),
}
