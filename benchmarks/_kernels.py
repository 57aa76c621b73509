"""What the benchmarks of the kernels share: a body, clocks, and their page."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import ModuleType

import numpy as np

from locomote_lab.clock import best_seconds as best_seconds

ROOT = Path(__file__).resolve().parents[1]

JOINTS = 31
Table = tuple[str, list[str], list[list[str]]]


def from_tests(name: str) -> ModuleType:
    """A module of the tests, where the NumPy twins and the random cases live."""
    if str(ROOT) not in sys.path:
        sys.path.insert(0, str(ROOT))
    return importlib.import_module(f"tests.{name}")


def random_body(seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Parents and offsets of a tree of 31 joints with five limbs."""
    r = np.random.default_rng(seed)
    parents = np.array([-1] + [0 if j % 6 == 1 else j - 1 for j in range(1, JOINTS)])
    return parents, r.normal(scale=0.2, size=(JOINTS, 3))


def first_call_seconds(setup: str, call: str) -> tuple[float, float]:
    """Processor seconds of the first call in a fresh process: compiled anew, and from the cache."""
    code = f"import time\n{setup}\nstart = time.process_time()\n{call}\nprint(time.process_time() - start)"
    with tempfile.TemporaryDirectory() as folder:
        env = {
            **os.environ,
            "NUMBA_CACHE_DIR": folder,
            "PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'benchmarks'}",
        }
        run = [sys.executable, "-c", code]
        times = [float(subprocess.check_output(run, env=env, cwd=folder, text=True)) for _ in range(2)]
    return times[0], times[1]


def write_kernels_page() -> None:
    """Measure forward and inverse kinematics in one run and write the common page."""
    import forward_kinematics
    import inverse_kinematics
    from _page import write_page

    method = (
        "Float64, one thread; best of repeated calls within half a second for each figure, kernel and\n"
        "baseline in one run. The baseline is the plain NumPy version of the same job\n"
        "(`tests/math/twins.py` and `locomote.rotations`), over all poses at once where it can be.\n"
        "The first call is processor time in a fresh process, compiled anew and from the cache on disk,\n"
        "the import of Numba included.\n"
        "`benchmarks/forward_kinematics.py` and `benchmarks/inverse_kinematics.py` both write this page."
    )
    write_page("kernels", "Kernels", method, forward_kinematics.tables() + inverse_kinematics.tables())
