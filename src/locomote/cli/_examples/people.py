"""Examples of people: clips of the walking engine, and of the synthetic performer where noise is wanted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

import locomote as lm
from locomote.cli._human import make_folder
from locomote.motion import Motion

STYLE = "swagger"  # of the one person who is fitted
CLIPS = {"walk": 1.3, "stroll": 0.9, "run": 3.2}  # m/s


def person(speed: float, seconds: float = 4.0, seed: int = 0, style: str | None = STYLE) -> Motion:
    """Somebody on the way.

    Parameters
    ----------
    speed, seconds, seed, style : as in `locomote.walk`
    """
    return lm.walk(speed, seconds, style=style, seed=seed)


def run(path: Path) -> None:
    """Somebody runs."""
    lm.save(person(3.2), path)


def slow(path: Path) -> None:
    """Somebody walks at 0.9 m/s."""
    lm.save(person(0.9), path)


def brisk(path: Path) -> None:
    """The same person at 1.7 m/s."""
    lm.save(person(1.7), path)


def jog(path: Path) -> None:
    """The same person at 2.6 m/s."""
    lm.save(person(2.6), path)


def _captured() -> Motion:
    """A walk whose feet skate, as captures have them."""
    walk = lm.samples.performer(speed=1.3, seconds=4.0, fps=60.0, noise=0.002, seed=3).motion
    roots = walk.root_positions.copy()
    roots[:, 2] += 0.02 * np.sin(2.0 * np.pi * 0.8 * np.arange(len(walk)) / walk.fps)
    return replace(walk, root_positions=roots, name="capture")


def capture(path: Path) -> None:
    """A walk as it comes from a capture."""
    lm.save(_captured(), path)


def cleaned(path: Path) -> None:
    """The same, cleaned."""
    lm.save(lm.clean(_captured()).motion, path)


def packed(path: Path) -> None:
    """The clip that comes with the package, in centimetres and packed."""
    lm.save(lm.samples.clip(), path, unit="cm")


def converted(path: Path) -> None:
    """The clip that comes with the package, in another format."""
    lm.save(lm.samples.clip(), path)


def stage(path: Path) -> None:
    """A USD stage whose skeleton lies deeper than usual."""
    from pxr import Sdf

    lm.save(replace(lm.samples.clip(), name="Rig"), path)
    flat = Sdf.Layer.FindOrOpen(str(path))
    deep = Sdf.Layer.CreateAnonymous(".usda")
    world = Sdf.CreatePrimInLayer(deep, "/World")
    world.specifier, world.typeName = Sdf.SpecifierDef, "Xform"
    Sdf.CopySpec(flat, "/Rig", deep, "/World/Rig")
    deep.defaultPrim = "World"
    for key in ("upAxis", "metersPerUnit", "timeCodesPerSecond", "framesPerSecond", "startTimeCode", "endTimeCode"):
        if flat.pseudoRoot.HasInfo(key):
            deep.pseudoRoot.SetInfo(key, flat.pseudoRoot.GetInfo(key))
    deep.Export(str(path))


def clips(folder: Path) -> None:
    """Three clips."""
    make_folder(folder)
    for name, speed in CLIPS.items():
        lm.save(person(speed), folder / f"{name}.bvh")


def recordings(folder: Path) -> None:
    """Walks at several speeds and in curves, many steps."""
    make_folder(folder)
    for k, speed in enumerate((0.7, 1.0, 1.3, 1.6)):
        for side, turn in (("straight", 0.0), ("left", 0.3), ("right", -0.3)):
            walk = lm.walk(speed, 8.0, turn_rate=turn, style="steady", seed=k)
            lm.save(walk, folder / f"{side}-{k + 1}.bvh")


CORPUS = """\
# Two people, for `locomote fit corpus.toml --root data -o human.npz`.
version = 1

[[source]]
name = "locomote"
licence = "Apache-2.0"
acknowledgement = "made by the walking engine of locomote"

[[performer]]
name = "first"
source = "locomote"
style = "first"
about = "even and upright"
walk = ["walk/first-1.bvh", "walk/first-2.bvh", "walk/first-3.bvh"]
run = ["run/first-1.bvh", "run/first-2.bvh"]
stand = ["walk/first-stand.bvh"]

[[performer]]
name = "second"
source = "locomote"
style = "second"
walk = ["walk/second-1.bvh", "walk/second-2.bvh", "walk/second-3.bvh"]
run = ["run/second-1.bvh", "run/second-2.bvh"]
stand = ["walk/second-stand.bvh"]
"""


def corpus(path: Path) -> None:
    """What is in `corpus_data`."""
    path.write_text(CORPUS, encoding="utf-8")


def corpus_data(folder: Path) -> None:
    """Walks, runs and standing about of two people."""
    make_folder(folder / "walk")
    make_folder(folder / "run")
    for seed, (name, style) in enumerate((("first", "steady"), ("second", "proud"))):
        for k, speed in enumerate((0.9, 1.3, 1.7)):
            lm.save(person(speed, 5.0, seed, style), folder / "walk" / f"{name}-{k + 1}.bvh")
        for k, speed in enumerate((2.6, 3.6)):
            lm.save(person(speed, 5.0, seed, style), folder / "run" / f"{name}-{k + 1}.bvh")
        lm.save(person(0.0, 4.0, seed, style), folder / "walk" / f"{name}-stand.bvh")
