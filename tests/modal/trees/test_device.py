"""Trees on a GPU, as far as a machine without one can tell.

NumPy stands in for CuPy; the very text of the kernels, compiled for the processor, for the GPU. A real one is what
``benchmarks/wind.py device`` measures.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.modal.trees import Detail, Forest, Species
from locomote.modal.trees import _forest as forests
from locomote.modal.trees._device import KERNELS, SOURCE

OAK = Species.grow("oak", 150, modes=12)
PLACES = [(3.0 * k, 1.0 * (k % 5)) for k in range(21)]
FAR = Detail(distances=(20.0, 45.0), modes=(12, 7, 3), nodes=(1.0, 0.5, 0.1), fade=0.5)
KINDS = {"int": np.int32, "int*": np.int32, "float*": np.float32, "double*": np.float64, "long long*": np.int64}
SHIM = """
#include <cmath>
using std::sqrt;
#define __global__
#define __syncwarp()
struct float4 { float x, y, z, w; };
struct Index { int x, y; };
static Index blockIdx, blockDim, threadIdx;
"""
# Threads of a warp wait for each other, which one after the other cannot: such a block is one thread wide.
LAUNCH = """
extern "C" void launch(int gx, int gy, int bx, int by) {{
    blockDim = {{bx, by}};
    for (blockIdx.y = 0; blockIdx.y < gy; blockIdx.y++)
        for (blockIdx.x = 0; blockIdx.x < gx; blockIdx.x++)
            for (threadIdx.y = 0; threadIdx.y < by; threadIdx.y++)
                for (threadIdx.x = 0; threadIdx.x < bx; threadIdx.x++)
                    run();
}}
"""


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    compiler = shutil.which("g++") or shutil.which("clang++")
    if compiler is None:
        pytest.skip("no compiler for C++")
    folder: Path = tmp_path_factory.mktemp("kernels")
    return {name: _compiled(compiler, folder, name) for name in KERNELS}


def _compiled(compiler: str, folder: Path, name: str) -> Any:
    text = SOURCE.read_text()
    at = text.index(f" {name}(")
    kinds = [each.strip() for each in text[at + len(name) + 2 : text.index(")", at)].split(",")]
    names = [each.split()[-1].lstrip("*") for each in kinds]
    kept = "".join(f"static {each};\n" for each in kinds)
    put = ", ".join(f"{kind.rsplit(' ', 1)[0]} {each}_" for kind, each in zip(kinds, names, strict=True))
    take = " ".join(f"::{each} = {each}_;" for each in names)
    body = f'static void run() {{ {name}({", ".join(names)}); }}\nextern "C" void put({put}) {{ {take} }}\n'
    path = folder / f"{name}.cpp"
    path.write_text(SHIM + text + kept + body + LAUNCH.format())
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", str(path.with_suffix(".so")), str(path)], check=True)
    library = ctypes.CDLL(str(path.with_suffix(".so")))

    def launch(grid: tuple[int, ...], block: tuple[int, ...], arguments: tuple[Any, ...]) -> None:
        assert all(isinstance(each, np.int32) or each.flags.c_contiguous for each in arguments)
        assert len(arguments) == len(kinds)
        for each, kind in zip(arguments, kinds, strict=True):
            assert each.dtype == KINDS[kind.removeprefix("const ").rsplit(" ", 1)[0]], f"{name}: {kind} is {each.dtype}"
        library.put(*(int(a) if isinstance(a, np.int32) else ctypes.c_void_p(a.ctypes.data) for a in arguments))
        threads = (1, *block[1:]) if name == "follow_parents" else block
        library.launch(*(*grid, 1)[:2], *(*threads, 1)[:2])

    return launch


def both(monkeypatch: pytest.MonkeyPatch, kernels: dict[str, Any], **told: Any) -> tuple[Forest, Forest]:
    monkeypatch.setattr(forests, "kernels_of", lambda device: None if device == "cpu" else (np, kernels))
    sizes = np.linspace(0.7, 1.3, len(PLACES))
    here, there = (Forest(OAK, PLACES, sizes=sizes, seed=3, device=device, **told) for device in ("cpu", "cuda"))
    for forest in (here, there):
        if forest.detail is not None:
            forest.seen_from((0.0, 1.5, -8.0))
        for k in range(12):
            forest.step(0.04 if k < 6 else 0.02, (5.0, 0.3, 9.0 - k), (0.4, 0.0, -1.0))
            if k == 7:
                forest.push(2, 60, (8.0, 0.0, 3.0))
                assert forest.brush([[3.0, 1.0, 1.0]], [[1.0, 0.0, 0.0]], 0.8) > 0
    return here, there


@pytest.mark.feature("WND-12")
@pytest.mark.parametrize("detail", [None, FAR])
@pytest.mark.parametrize("correction", ["lengths", "source", "none"])
@pytest.mark.parametrize("flutter", [0.0, 0.05])
def test_trees_are_where_the_processor_has_them(
    correction: str, detail: Detail | None, flutter: float, kernels: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = both(monkeypatch, kernels, correction=correction, detail=detail, flutter=flutter)
    for one, other in zip(here.displaced(), there.displaced(), strict=True):
        assert other.dtype == np.float32
        np.testing.assert_allclose(other, one, atol=3e-5)  # m, of trees that sway by metres
        assert np.abs(one - OAK.nodes[: one.shape[1]]).max() > 0.02
    np.testing.assert_allclose(there.amplitudes, here.amplitudes, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(there.nodes(), here.nodes(), atol=3e-5)


def test_some_nodes_have_the_same_bits_as_all(kernels: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    coarse = Detail(distances=(1.0,), modes=(12, 11), nodes=(1.0, 0.4), fade=0.5)
    _, whole = both(monkeypatch, kernels)
    _, part = both(monkeypatch, kernels)
    whole.amplitudes[:, 11] = part.amplitudes[:, 11] = 0.0
    part.detail = coarse
    few = part.seen_from((0.0, 0.0, 1e4)).displaced()[0]
    np.testing.assert_array_equal(few, whole.displaced()[0][:, : few.shape[1]])


def test_amplitudes_that_are_set_go_back(kernels: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    here, there = both(monkeypatch, kernels)
    for forest in (here, there):
        forest.amplitudes[:] = 0.0
        forest.speeds[4, 0] = 0.7
        forest.step(0.05)
    np.testing.assert_allclose(there.amplitudes, here.amplitudes, rtol=1e-12, atol=1e-15)
    assert there.amplitudes[4, 0] > 0.0
    for forest in (here, there):
        forest.settle((6.0, 0.0, 2.0))
    np.testing.assert_allclose(there.displaced()[0], here.displaced()[0], atol=3e-5)


def test_a_machine_without_a_gpu_says_so() -> None:
    with pytest.raises(LocomoteError, match=r"device 'cuda'"):
        Forest(OAK, device="cuda")
    with pytest.raises(LocomoteError, match=r"device 'tpu': expected one of cpu, cuda"):
        Forest(OAK, device="tpu")
