"""How fast a BVH file is read, beside other Python readers, in one run.

    python benchmarks/bvh_read.py [clip.bvh or clip.bvh.xz]

Each reader goes from the file on disk to its own ready-to-use object. The readers take turns, so that a busy
machine slows all of them alike; each figure is the best of its turns.
"""

from __future__ import annotations

import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

from _page import write_page
from locomote import formats
from locomote.formats import _files

CLIP = Path(__file__).resolve().parents[2] / "shared/data/human/side/cmu_09_12.bvh.xz"
TURNS = 100
SLOW_TURNS = 10  # for a reader that takes a second
SLOWEST_TURNS = 2  # for one that takes several


def readers(path: str) -> list[tuple[str, str, Callable[[], object], int]]:
    """Each library, what it delivers, the call, and how many turns it gets."""
    import bvhio
    import pybvh
    from pymotion.io.bvh import BVH

    def pymotion() -> object:
        clip = BVH()
        clip.load(path)
        return clip.get_data()

    return [
        ("locomote", "quaternions", lambda: formats.load(path), TURNS),
        ("pybvh", "Euler angles", lambda: pybvh.read_bvh_file(path), TURNS),
        ("pybvh", "quaternions", lambda: pybvh.read_bvh_file(path).to_quat(), TURNS),
        ("upc-pymotion", "quaternions", pymotion, SLOW_TURNS),
        ("bvhio", "an object for every joint and key", lambda: bvhio.readAsHierarchy(path), SLOWEST_TURNS),
    ]


def best_of(call: Callable[[], object], turns: int) -> float:
    best = float("inf")
    for _ in range(turns):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def best_times(path: str, before: float) -> list[list[str]]:
    """One row for each reader: name, version, what it delivers, best time, ratio to the first."""
    calls = readers(path)
    best = [float("inf")] * len(calls)
    for turn in range(TURNS):
        for i, (_, _, call, turns) in enumerate(calls):
            if turn < turns:
                best[i] = min(best[i], best_of(call, 1))
    alone = ["locomote", version("locomote"), "quaternions, Numba not loaded", f"{1e3 * before:.1f} ms"]
    return [
        [*alone, f"{before / best[0]:.2f}"],
        *(
            [name, version(name), delivers, f"{1e3 * seconds:.1f} ms", f"{seconds / best[0]:.2f}"]
            for (name, delivers, _, _), seconds in zip(calls, best, strict=True)
        ),
    ]


def main() -> None:
    warnings.simplefilter("ignore")
    clip = Path(sys.argv[1]) if len(sys.argv) > 1 else CLIP
    data = _files.read_bytes(clip)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / "clip.bvh"
        plain.write_bytes(data)
        motion = formats.load(plain)
        before = best_of(lambda: formats.load(plain), TURNS)  # the compiled parser waits until Numba is there
        from locomote.formats import _decimals as decimals  # noqa: F401

        rows = best_times(str(plain), before)
    method = (
        f"Data: `{_files.split_name(clip)[0]}`, {len(motion):,} frames of {len(motion.skeleton)} joints, "
        f"{len(data) / 1e6:.2f} MB of text. Each reader goes from the file (in the system's cache) to its "
        f"own object; they take turns in one process, each time is the best of {TURNS} turns ({SLOW_TURNS} "
        f"for upc-pymotion, {SLOWEST_TURNS} for bvhio). pybvh alone stops at Euler angles in file units; its "
        "second row adds the conversion. locomote checks every number, finds the unit and delivers metres; its "
        "compiled parser of numbers is used when the process has already loaded Numba, as it has after the "
        "first pose, and for files so large that loading it pays."
    )
    head = ["reader", "version", "delivers", "time", "times locomote's"]
    write_page("bvh", "Reading BVH", method, [("", head, rows)])


if __name__ == "__main__":
    main()
