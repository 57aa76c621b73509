"""What is gained by compiling ahead of time: from nothing to a file, sizes, the same bits, the same speed; and clones.

Needs a built wheel: ``python3 tasks.py wheel`` first.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import venv
from pathlib import Path

from _page import write_page

HERE = Path(__file__).resolve().parents[1]
SCRIPT = HERE / "scripts" / "same_motion.py"
PARTS = ("people", "jumps", "ways", "steps", "creature spider", "creature wolf", "pendulums")
TOOLS = ("pip", "setuptools", "wheel", "pkg_resources", "_distutils_hack")  # what every environment has
ROUNDS = 5
FIRST = {
    "`locomote walk -o w.glb`": (["walk", "-o", "w.glb"], 3.0),
    "`locomote creature spider -o s.glb`": (["creature", "spider", "-o", "s.glb"], 3.0),
    "`locomote demo`": (["demo", "-o", "out"], 30.0),
}
COLD = {
    "first walk": (["walk", "-o", "w.glb", "-q"], 60.0, 30.0),
    "first creature": (["creature", "spider", "-o", "s.glb", "-q"], 103.0, 60.0),
    "obstacles and avoidance": ("people among obstacles", 150.0, 75.0),
}
AMONG = """
import numpy as np, locomote as lm
obstacles = lm.world.Obstacles()
obstacles.add_puddle((0, 4), length=0.9, width=6.0)
obstacles.add_box((2.5, 5), (0.5, 1.0), height=1.5, velocity=(-0.4, 0.0))
places = np.array([[1.1 * n - 3.0, 0.0, 0.0] for n in range(6)])
crowd = lm.human.Crowd(lm.human.HumanModel.default(), 6, obstacles=obstacles, avoid=True, positions=places, speed=1.2)
crowd.go_to(-places[:, 0], 9.0)
for _ in range(120):
    obstacles.advance(1 / 60)
    crowd.step(1 / 60)
"""
SPEED = """
import json, time, numpy as np, locomote as lm
people = lm.human.Crowd(lm.human.HumanModel.default(), 100, seed=1, speed=1.4)
spiders = lm.creatures.Crowd("spider", 20, seed=1); spiders.command(speed=0.5)
best = {}
for name, crowd, frames in (("a person", people, 120), ("a spider", spiders, 40)):
    for _ in range(30): crowd.step(1 / 60)
    times = []
    for _ in range(7):
        began = time.perf_counter()
        for _ in range(frames): crowd.step(1 / 60)
        times.append((time.perf_counter() - began) / frames / len(crowd))
    best[name] = min(times)
print(json.dumps(best))
"""


class Environment:
    """A new virtual environment with the wheel."""

    def __init__(self, folder: Path, wheel: Path, extras: str = "") -> None:
        venv.create(folder, with_pip=True)
        self.bin = folder / ("Scripts" if os.name == "nt" else "bin")
        self.packages = next(folder.glob("lib*/python3*/site-packages" if os.name != "nt" else "Lib/site-packages"))
        command = [str(self.bin / "python"), "-m", "pip", "install", "-q", "--disable-pip-version-check"]
        subprocess.run([*command, f"{wheel}{extras}"], check=True)

    def run(self, *command: str, cwd: Path, **environment: str) -> tuple[float, float, str]:
        """Seconds on the clock and of the processor, and what was printed."""
        before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        done = subprocess.run(
            [str(self.bin / command[0]), *command[1:]],
            cwd=cwd, env={**os.environ, **environment}, check=True, capture_output=True, text=True,
        )  # fmt: skip
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return time.perf_counter() - began, used, done.stdout

    def megabytes(self) -> dict[str, float]:
        """What each package takes, without what Python writes when it is first imported."""
        sizes: dict[str, float] = {}
        for path in self.packages.rglob("*"):
            if path.is_file() and path.suffix != ".pyc":
                name = path.relative_to(self.packages).parts[0].partition("-")[0].removesuffix(".libs")
                sizes[name] = sizes.get(name, 0.0) + path.stat().st_size / 1e6
        return {name: size for name, size in sizes.items() if name not in TOOLS}


def first_use(bare: Environment, folder: Path) -> list[list[str]]:
    rows = []
    for name, (verb, aim) in FIRST.items():
        wall, used, _ = bare.run("locomote", *verb, cwd=folder)
        rows.append([name, f"{wall:.1f}", f"{used:.1f}", f"{aim:.0f}"])
    return rows


def sizes(bare: Environment, full: Environment) -> list[list[str]]:
    now, before = bare.megabytes(), full.megabytes()
    rows = [
        [name, f"{size:.0f}", f"{now.get(name, 0.0):.0f}"] for name, size in sorted(before.items(), key=lambda x: -x[1])
    ]
    rows = [row for row in rows if row[1] != "0"]
    whole, rest = sum(before.values()), sum(now.values())
    return [*rows, ["all", f"{whole:.0f}", f"{rest:.0f}, {rest / whole:.0%}"]]


def same_bits(full: Environment, folder: Path) -> list[list[str]]:
    sums = {}
    for way in ("ahead", "jit"):
        kept = folder / f"{way}.json"
        arguments = [str(SCRIPT), "--seconds", "10", "--json", str(kept), "--only", *PARTS]
        for _ in range(1 if way == "ahead" else 2):
            full.run("python", *arguments, cwd=folder, LOCOMOTE_KERNELS=way)
        sums[way] = json.loads(kept.read_text())
    return [
        [n, each[:12], sums["jit"][n][:12], "yes" if sums["jit"][n] == each else "no"]
        for n, each in sums["ahead"].items()
    ]


def speeds(full: Environment, folder: Path) -> list[list[str]]:
    best: dict[str, dict[str, float]] = {"ahead": {}, "jit": {}}
    for _ in range(ROUNDS):
        for way, found in best.items():
            told = json.loads(full.run("python", "-c", SPEED, cwd=folder, LOCOMOTE_KERNELS=way)[2])
            for name, seconds in told.items():
                found[name] = min(found.get(name, 1.0), seconds)
    return [
        [
            name,
            f"{1e6 * best['ahead'][name]:.2f}",
            f"{1e6 * best['jit'][name]:.2f}",
            f"{best['ahead'][name] / best['jit'][name]:.3f}",
        ]
        for name in best["ahead"]
    ]


def clones(here: Environment, folder: Path) -> list[list[str]]:
    rows = []
    for name, (verb, before, aim) in COLD.items():
        command = ["python", "-c", AMONG] if isinstance(verb, str) else ["locomote", *verb]
        kept = folder / "cache"
        shutil.rmtree(kept, ignore_errors=True)
        told = [here.run(*command, cwd=folder, LOCOMOTE_KERNELS="jit", NUMBA_CACHE_DIR=str(kept))[1] for _ in range(2)]
        rows.append([name, f"{told[0]:.0f}", f"{told[1]:.1f}", f"{before:.0f}", f"{aim:.0f}"])
    return rows


METHOD = """
Processor time is of the process alone. *Ahead of time*: a new virtual environment with the wheel that `python3 tasks.py
wheel` built, without Numba, nothing cached, each command once. *Sizes* are of everything in `site-packages` but pip and
compiled Python files. *Just in time*: the same wheel with Numba beside it and `LOCOMOTE_KERNELS=jit`. Speeds: best of
{rounds} rounds in turn, 100 people and 20 spiders on one thread. *A clone*: an empty cache, everything is compiled
before it runs (`LOCOMOTE_KERNELS=jit`; otherwise short walks run as plain Python while a child compiles); "before" is
not of this run: it was noted when every function inside a kernel was still linked and optimised by itself.
""".strip()


def main() -> None:
    wheel = next((HERE / "dist").glob("*-cp*.whl"), None)
    if wheel is None:
        sys.exit("no wheel: python3 tasks.py wheel")
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        bare = Environment(folder / "bare", wheel)
        first = first_use(bare, folder)
        full = Environment(folder / "full", wheel, "[jit]")
        tables = [
            ("From nothing to a file, without Numba", ["", "seconds", "of the processor", "aim"], first),
            ("Size of the installation, MB", ["", "with Numba", "without"], sizes(bare, full)),
            ("The same bits", ["10 s of", "ahead of time", "just in time", "same"], same_bits(full, folder)),
            (
                "The same speed",
                ["microseconds a frame", "ahead of time", "just in time", "ratio"],
                speeds(full, folder),
            ),
            (
                "A clone with an empty cache, seconds of the processor",
                ["", "first", "second time", "first, before", "aim"],
                clones(full, folder),
            ),
        ]
    write_page("compiled", "Compiled once", METHOD.format(rounds=ROUNDS), tables)


if __name__ == "__main__":
    main()
