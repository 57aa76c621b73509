"""How fast GLB files are read and BVH files written, beside other Python libraries, in one run.

    python benchmarks/file_speed.py

All take turns, so that a busy machine slows all of them alike; each figure is the least processor time of its turns.
"""

from __future__ import annotations

import tempfile
import time
import warnings
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pybvh
from pygltflib import GLTF2

from _page import write_page
from locomote import formats

DATA = Path(__file__).resolve().parents[2] / "shared/data"
CLIP = DATA / "human/side/cmu_09_12.bvh.xz"
TURNS = 40
TYPES = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
Calls = list[Callable[[], object]]


def least_seconds(calls: Calls) -> list[float]:
    """The least processor time of each call; they take turns."""
    best = [float("inf")] * len(calls)
    for _ in range(TURNS):
        for i, call in enumerate(calls):
            start = time.process_time()
            call()
            best[i] = min(best[i], time.process_time() - start)
    return best


def arrays_of(path: Path) -> list[np.ndarray]:
    """The accessors of a file with one buffer, by pygltflib and NumPy."""
    file = GLTF2().load(str(path))
    assert file is not None
    uri = file.buffers[0].uri
    data = file.binary_blob() if uri is None else file.get_data_from_buffer_uri(uri)
    return [_array(file, accessor, data) for accessor in file.accessors]


def _array(file: GLTF2, accessor: object, data: bytes) -> np.ndarray:
    view = file.bufferViews[accessor.bufferView]  # type: ignore[attr-defined]
    kind = np.dtype(TYPES[accessor.componentType])  # type: ignore[attr-defined]
    shape = (accessor.count, WIDTHS[accessor.type])  # type: ignore[attr-defined]
    start = (view.byteOffset or 0) + (accessor.byteOffset or 0)  # type: ignore[attr-defined]
    return np.ndarray(shape, kind, data, start, (view.byteStride or kind.itemsize * shape[1], kind.itemsize))


def reading_rows(paths: list[Path]) -> list[list[str]]:
    rows = []
    for path in paths:
        motion = formats.load(path)
        calls: Calls = [
            lambda path=path: formats.load(path),  # type: ignore[misc]
            lambda path=path: GLTF2().load(str(path)),  # type: ignore[misc]
            lambda path=path: arrays_of(path),  # type: ignore[misc]
        ]
        ours, objects, arrays = least_seconds(calls)
        figures = [f"{1e3 * seconds:.1f}" for seconds in (ours, objects, arrays)]
        size = f"{len(motion):,} x {len(motion.skeleton)}"
        rows.append([path.stem, size, *figures, f"{ours / objects:.2f}", f"{ours / arrays:.2f}"])
    return rows


def writing_rows(folder: Path) -> list[list[str]]:
    motion = formats.load(CLIP)
    first, second = folder / "ours.bvh", folder / "theirs.bvh"
    formats.save(motion, first)
    other = pybvh.read_bvh_file(str(first))
    calls: Calls = [lambda: formats.save(motion, first), lambda: other.write(str(second))]
    ours, theirs = least_seconds(calls)
    return [
        ["locomote", version("locomote"), "quaternions", "7", f"{1e3 * ours:.1f}", "1.00"],
        ["pybvh", version("pybvh"), "Euler angles", "6", f"{1e3 * theirs:.1f}", f"{theirs / ours:.2f}"],
    ]


def main() -> None:
    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        clip = folder / "our own file.glb"
        formats.save(formats.load(CLIP), clip)
        reading = reading_rows([clip, *sorted((DATA / "rigs").glob("*.glb"))])
        writing = writing_rows(folder)
    method = (
        f"Least processor time of {TURNS} turns in one process, files in the system's cache. locomote goes from the\n"
        "file to a checked motion with a skinned body. pygltflib makes an object of every item of the file and leaves\n"
        "the data as bytes; in its second column they are made arrays of NumPy, still one for each accessor. Our own\n"
        "file and what is written is `cmu_09_12`, 1,919 frames of 31 joints: locomote turns its quaternions into\n"
        "Euler angles, pybvh has them."
    )
    head = ["file", "frames x joints", "locomote, ms", "pygltflib, ms", "with arrays, ms", "ratio", "with arrays"]
    tables = [
        (f"Reading GLB (pygltflib {version('pygltflib')})", head, reading),
        ("Writing BVH", ["writer", "version", "from", "decimals", "ms", "times locomote's"], writing),
    ]
    write_page("files", "Reading GLB, writing BVH", method, tables)


if __name__ == "__main__":
    main()
