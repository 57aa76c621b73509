"""Trees in the wind: the source's two tables, analysis, lengths of branches, a wood of a thousand trees.

``prepare``, ``measure`` and ``page`` are for a GPU: they leave what they found in a folder, so that they may run on
different machines, the first wherever kernels are compiled, the second where the GPU is. Without a stage everything on
the processor.
"""

from __future__ import annotations

import os

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one thread everywhere, the comparison with NumPy as well

import json
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from _page import write_page
from locomote.modal.trees import Detail, Forest, Species
from locomote.modal.trees._beams import Material, checked
from locomote.modal.trees._growth import grow
from locomote.modal.trees._modes import modes_of
from locomote.world import Wind

DT = 1 / 60  # s
SECONDS = 0.3  # of calls, of which the best counts
GPU = {  # trees, nodes: frames a second of the source, 25 modes
    (100, 1000): 712, (100, 2000): 385, (100, 8000): 103,
    (1000, 100): 690, (1000, 500): 169, (1000, 1000): 87, (1000, 2000): 43, (1000, 8000): 11,
    (8000, 20): 426, (8000, 100): 102, (8000, 500): 21, (8000, 1000): 11,
}  # fmt: skip
DRAWN = {  # modes, trees: frames a second of the source with drawing, 3437 nodes
    (5, 500): 73, (5, 1000): 39, (5, 2000): 19, (5, 4000): 10,
    (15, 500): 57, (15, 1000): 29, (15, 2000): 14, (15, 4000): 7,
    (25, 500): 43, (25, 1000): 22, (25, 2000): 11, (25, 4000): 6,
}  # fmt: skip
ANALYSED = (("oak", 485, 50), ("walnut", 3000, 25), ("walnut", 3437, 25), ("oak", 3000, 50), ("birch", 10000, 25))
MOST = 4_000_000  # nodes at a time: larger cells of the tables would not fit every machine, and cost the same a node


def best_seconds(call: Callable[[], object]) -> float:
    """The least time of the processor that a call takes: others on the machine do not count."""
    call()
    best, end = float("inf"), time.perf_counter() + SECONDS
    while time.perf_counter() < end:
        start = time.thread_time()
        call()
        best = min(best, time.thread_time() - start)
    return best


def planted(species: Species, trees: int, correction: str, detail: Detail | None = None) -> Forest:
    """Trees in rows, 7 m apart."""
    forest = Forest(species, rows_of_places(trees), correction=correction, detail=detail)
    return forest if detail is None else forest.seen_from((0.5 * 7.0 * round(trees**0.5), 2.0, -10.0))


def rows_of_places(trees: int) -> np.ndarray:
    side = max(1, round(trees**0.5))
    return np.array([(7.0 * (k % side), 7.0 * (k // side)) for k in range(trees)])


def frame_seconds(forest: Forest) -> float:
    """One frame of all trees: wind from a field that is blown along, modes, places of all nodes."""
    wind = Wind.flow(np.random.default_rng(0).normal(0.0, 3.0, (64, 64, 2)), 5.0, speed=8.0)

    def one() -> None:
        forest.step(DT, wind)
        forest.displaced()

    return best_seconds(one)


def animation() -> list[list[str]]:
    """The source's first table."""
    rows = []
    for (trees, nodes), hertz in GPU.items():
        species = Species.grow("walnut", nodes, modes=min(25, 3 * (nodes - 1)))
        some = min(trees, max(32, MOST // nodes))
        linear, exact = (planted(species, some, correction) for correction in ("none", "lengths"))
        updates = [some * nodes / best_seconds(each.displaced) / 1e6 for each in (linear, exact)]
        frames = [some / trees / frame_seconds(each) for each in (linear, exact)]
        source = hertz * trees * nodes / 1e6
        product = some * nodes / matmul_seconds(species, some) / 1e6
        rows.append([
            str(trees), str(nodes), f"{source:.0f}", *(f"{each:.0f}" for each in updates), f"{product:.0f}",
            *(f"**{each / source:.1f}**" for each in updates),
            str(hertz), *(f"{each:.0f} ({each / hertz:.1f})" for each in frames),
        ])  # fmt: skip
    return rows


def matmul_seconds(species: Species, trees: int) -> float:
    """The mere product by NumPy on one thread, with no wind, no modes and no lengths."""
    q = np.random.default_rng(0).normal(size=(trees, len(species.rates))).astype(np.float32)
    shapes = species.shapes.reshape(len(species.rates), -1).astype(np.float32)
    out = np.empty((trees, shapes.shape[1]), dtype=np.float32)
    return best_seconds(lambda: np.matmul(q, shapes, out=out))


def drawn() -> list[list[str]]:
    """The source's second table; ours draws nothing."""
    rows = []
    for modes in (5, 15, 25):
        species = Species.grow("walnut", 3437, modes=modes)
        some = MOST // 3437
        each = frame_seconds(planted(species, some, "lengths")) / some
        for trees in (500, 1000, 2000, 4000):
            hertz = DRAWN[modes, trees]
            rows.append(
                [str(modes), str(trees), str(hertz), f"{1 / (each * trees):.0f}", f"{1 / (each * trees * hertz):.1f}"]
            )
    return rows


def analysis() -> list[list[str]]:
    """From nothing to a species."""
    rows = []
    for kind, nodes, modes in ANALYSED:
        grown = grow(kind, nodes, 0)
        beams = checked(grown.nodes, grown.parents, grown.radii)
        growing = best_seconds(lambda kind=kind, nodes=nodes: grow(kind, nodes, 0))
        analysing = best_seconds(lambda beams=beams, modes=modes: modes_of(beams, modes, Material()))
        start = time.thread_time()
        species = Species.grow(kind, nodes, modes=modes)
        whole = time.thread_time() - start
        seconds = [f"{each:.2f} s" for each in (growing, analysing, whole)]
        rows.append([kind, str(nodes), str(modes), *seconds, f"{species.residual:.0e}"])
    return rows


def lengths() -> list[list[str]]:
    """How wrong branches get: a sudden steady wind, all its swings."""
    rows = []
    for kind in ("walnut", "birch"):
        species = Species.grow(kind, 1000)
        for speed in (6.0, 10.0, 14.0, 20.0):
            row = [kind, f"{speed:g} m/s"]
            for correction in ("none", "source", "lengths"):
                forest = Forest(species, correction=correction, headings=0.3)
                worst = mean = 0.0
                for _ in range(90):
                    nodes = forest.step(1 / 30, (speed, 0.0, 0.0)).nodes()[0]
                    now = np.linalg.norm(nodes[1:] - nodes[species.parents[1:]], axis=1)
                    off = np.abs(now / species.lengths[1:] - 1.0)
                    worst, mean = max(worst, float(off.max())), max(mean, float(off.mean()))
                row.append(f"{100 * mean:.2g} %, {100 * worst:.2g} %")
            rows.append(row)
    return rows


def woods() -> list[list[str]]:
    """A thousand trees."""
    rows = []
    species = Species.grow("oak", 500)
    near = Detail()
    for nodes, trees, detail in ((500, 1000, None), (500, 1000, near), (500, 4000, near), (1000, 1000, near)):
        species = Species.grow("oak", nodes)
        each = frame_seconds(planted(species, trees, "lengths", detail))
        rows.append(
            [str(trees), str(nodes), "by distance" if detail else "all", f"{1000 * each:.2f} ms", f"{1 / each:.0f}"]
        )
    return rows


def parts() -> list[list[str]]:
    """What a frame is made of, 1000 trees of 500 nodes."""
    species = Species.grow("oak", 500)
    places = np.random.default_rng(0).uniform(-100.0, 100.0, (1000, 2))
    rows = []
    forest = Forest(species, places)
    still = np.tile([3.0, 0.0, 6.0], (1000, 1))
    modal = best_seconds(lambda: forest.step(DT, still))
    rows.append(["25 modes, exact steps", f"{1e9 * modal / 25000:.1f} ns a mode"])
    field = np.random.default_rng(0).normal(0.0, 3.0, (64, 64, 2))
    winds = {"steady": Wind.steady(8.0), "gusty": Wind.gusty(8.0), "turbulent": Wind.turbulent(8.0)}
    winds["flow"] = Wind.flow(field, 5.0, 8.0)
    for name, wind in winds.items():
        each = best_seconds(lambda wind=wind: wind.at(forest.positions, 3.0))
        rows.append([f"wind, {name}", f"{1e9 * each / 1000:.0f} ns a tree"])
    times = {}
    for correction in ("none", "lengths", "source"):
        one = Forest(species, places, correction=correction).settle((8.0, 0.0, 0.0))
        times[correction] = best_seconds(lambda one=one: one.displaced()) / 500_000
    rows.append(["places of nodes, linear", f"{1e9 * times['none']:.2f} ns a node"])
    rows.append(["places of nodes, every length restored", f"{1e9 * times['lengths']:.2f} ns a node"])
    rows.append(["places of nodes, the source's correction", f"{1e9 * times['source']:.2f} ns a node"])
    return rows


FOLDER = Path(".gpu/wind")
FRAMES = 90  # of the comparison
COMPARED = 1000, 1000  # trees and nodes of it
NODES = (20, 100, 500, 1000, 2000, 8000)


def prepare() -> None:
    """Trees, and where the processor has them after a while in a wind that turns."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for nodes in NODES:
        Species.grow("walnut", nodes, modes=min(25, 3 * (nodes - 1))).save(FOLDER / f"{nodes}.npz")
    np.save(FOLDER / "places.npy", blown("cpu").displaced()[0])


def blown(device: str) -> Forest:
    trees, nodes = COMPARED
    forest = Forest(Species.load(FOLDER / f"{nodes}.npz"), rows_of_places(trees), device=device)
    for k in range(FRAMES):
        angle = 0.05 * k + 0.01 * np.arange(trees)
        forest.step(DT, np.stack([9.0 * np.sin(angle), np.zeros(trees), 9.0 * np.cos(angle)], axis=1))
    return forest


def measure() -> None:
    """On the GPU: whether it does the same, and how fast."""
    import cupy

    properties = cupy.cuda.runtime.getDeviceProperties(0)
    there = cupy.asnumpy(blown("cuda").displaced()[0])
    rest = Species.load(FOLDER / f"{COMPARED[1]}.npz").nodes
    places = np.load(FOLDER / "places.npy")
    found: dict[str, Any] = {
        "gpu": properties["name"].decode(),
        "off": float(np.abs(there - places).max()),
        "moved": float(np.abs(places - rest).max()),
        "rows": [],
    }
    for (trees, nodes), hertz in GPU.items():
        species = Species.load(FOLDER / f"{nodes}.npz")
        row = {"trees": trees, "nodes": nodes, "hertz": hertz}
        winds = np.random.default_rng(0).normal(0.0, 5.0, (trees, 3))
        for correction in ("none", "lengths"):
            forest = Forest(species, rows_of_places(trees), correction=correction, device="cuda").settle(
                (8.0, 0.0, 3.0)
            )
            forest.settle((8.0, 0.0, 3.0)).step(DT, winds)
            row[correction] = device_seconds(cupy, forest.displaced)
            row[f"{correction} frame"] = device_seconds(cupy, lambda f=forest, w=winds: f.step(DT, w).displaced())
        q = cupy.random.standard_normal((trees, len(species.rates)), dtype=cupy.float32)
        shapes = cupy.asarray(species.shapes.reshape(len(q[0]), -1).astype(np.float32))
        row["product"] = device_seconds(cupy, lambda a=q, b=shapes: cupy.matmul(a, b))
        found["rows"].append(row)
        print(row, flush=True)
    (FOLDER / "measured.json").write_text(json.dumps(found))


def device_seconds(xp: Any, call: Callable[[], object]) -> float:
    """Of a call, the best of some series that the GPU has finished, by the clock."""
    best = float("inf")
    for _ in range(4):
        start, calls = time.perf_counter(), 0
        while calls < 5 or time.perf_counter() - start < 0.15:
            call()
            calls += 1
            if calls % 20 == 0:
                xp.cuda.Device().synchronize()
        xp.cuda.Device().synchronize()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def page() -> None:
    """What was measured there, beside the source's table."""
    found = json.loads((FOLDER / "measured.json").read_text())
    rows = []
    for each in found["rows"]:
        updates = each["trees"] * each["nodes"]
        source = each["hertz"] * updates
        fast = [updates / each[name] for name in ("none", "lengths")]
        frames = [1.0 / each[f"{name} frame"] for name in ("none", "lengths")]
        rows.append([
            str(each["trees"]), str(each["nodes"]), f"{source / 1e6:.0f}", *(f"{1e-9 * f:.1f}" for f in fast),
            f"{1e-9 * updates / each['product']:.1f}", *(f"**{f / source:.0f}**" for f in fast),
            str(each["hertz"]), *(f"{f:.0f}" for f in frames),
        ])  # fmt: skip
    alike = f"within {1e3 * found['off']:.2g} mm of where the processor has them"
    if found["off"] == 0.0:
        alike = "where the processor has them to the last bit"
    write_page(
        "wind-gpu",
        "Trees in the wind, on a GPU",
        f"`Forest(..., device=\"cuda\")` on {found['gpu']}: modes and places of nodes stay in its memory; the wind at "
        "every tree comes from the processor. Wall time of series of calls that the GPU has finished, calls from "
        "Python in them. A frame is: exact steps of all modes, places of all nodes. Beside it the mere product of "
        "amplitudes and shapes by cuBLAS, in the same run, and the published figures of a GeForce 8800 GTS. Few nodes "
        "in all are a matter of launches, not of nodes. "
        f"A thousand trees of a thousand nodes are, after {FRAMES} frames in a wind that turns, {alike}, "
        f"{found['moved']:.1f} m from rest. The processor is that of the machine below.",
        [
            (
                "25 modes: node updates a second, and frames a second",
                ["trees", "nodes", "source, M/s", "linear, G/s", "exact lengths, G/s", "mere product, G/s",
                 "linear over source", "exact over source", "source, frames/s", "frames/s, linear",
                 "frames/s, exact lengths"],
                rows,
            ),
        ],
    )  # fmt: skip


def main() -> None:
    write_page(
        "wind",
        "Trees in the wind",
        "Everything on one thread, by the time of the processor, the best of many calls, with the calls from Python in "
        "them. A frame is: wind of a flow field at every tree, exact steps of all modes, places of all nodes. The "
        "source's frames a second are its own, on a graphics card of its time (GeForce 8800 GTS); its first table is "
        "without drawing, its second with it. [On a GPU](wind-gpu.md).",
        [
            (
                "25 modes: millions of node updates a second, and frames a second of everything (over the source's)",
                ["trees", "nodes", "source, M/s", "linear", "exact lengths", "NumPy's mere product",
                 "linear over source", "exact over source", "source, frames/s", "frames/s, linear",
                 "frames/s, exact lengths"],
                animation(),
            ),
            (
                "Frames a second, 3437 nodes; the source draws, ours does not",
                ["modes", "trees", "source", "ours, exact lengths", "ratio"],
                drawn(),
            ),
            (
                "Growth and analysis",
                ["kind", "nodes", "modes", "grown", "analysed", "both, once", "residual"],
                analysis(),
            ),
            (
                "Errors of branch lengths (worst frame: mean, worst branch), a sudden wind",
                ["kind", "wind", "linear", "the source's correction", "the walk from parents to children"],
                lengths(),
            ),
            ("A wood, exact lengths", ["trees", "nodes of each", "detail", "a frame", "frames a second"], woods()),
            ("What a frame is made of", ["part", "cost"], parts()),
        ],
    )  # fmt: skip


if __name__ == "__main__":
    {"prepare": prepare, "measure": measure, "page": page}.get(sys.argv[-1], main)()
