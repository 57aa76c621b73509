"""Kernels compiled ahead of time: the same bits as just in time, never for arguments of other kinds or other text."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest

from locomote.math import _ahead, fk, quaternion
from locomote.math._compile import Kernel, choice
from locomote.math._kinds import kind_of
from locomote.math._stamps import stamp_of

COUNT = 50
KERNELS: dict[str, Any] = {"slerp": quaternion.slerp_batch, "pose": fk.forward_kinematics}
RANDOM = np.random.default_rng(1)
A, B = (q / np.linalg.norm(q, axis=1, keepdims=True) for q in RANDOM.normal(size=(2, COUNT, 4)))
SLERP = A, B, RANDOM.random(COUNT), np.empty((COUNT, 4))


def _posing() -> tuple[Any, ...]:
    turns = np.ascontiguousarray(np.broadcast_to(A[:, None], (COUNT, 3, 4)))
    parents, offsets = np.array([-1, 0, 1]), RANDOM.normal(size=(1, 3, 3))
    return parents, offsets, np.zeros((COUNT, 3)), turns, np.empty((COUNT, 3, 3)), np.empty((COUNT, 3, 4))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two small kernels, compiled as all are for a wheel."""
    pytest.importorskip("numba")
    if shutil.which("cc") is None and shutil.which("gcc") is None and sys.platform != "win32":
        pytest.skip("needs a C compiler")
    made = tmp_path_factory.mktemp("native")
    done = subprocess.run([sys.executable, "-c", BUILD, str(made)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return made


BUILD = """
import json, sys
from pathlib import Path
import numba
from locomote.math import _ahead
from locomote.math._kinds import kind_of
from locomote.math._stamps import stamp_of
from locomote_build.export import Export, build
from tests.math.test_ahead import KERNELS, SLERP, _posing

folder, exports, entries = Path(sys.argv[1]), [], {}
for name, arguments in (("slerp", SLERP), ("pose", _posing())):
    function = KERNELS[name].py_func
    exports.append(Export(name, function, tuple(map(numba.typeof, arguments))))
    kinds = [kind_of(each) for each in arguments]
    stamp = stamp_of(function.__module__)
    entries[KERNELS[name].name] = {"module": "small", "stamp": stamp, "exports": [(name, kinds)]}
build("small", exports, folder, _ahead.processor())
(folder / _ahead.INDEX).write_text(json.dumps({"processor": _ahead.processor(), "kernels": entries}))
"""


def _found(folder: Path, name: str) -> _ahead.Exports:
    found = _ahead.find(KERNELS[name].py_func, folder)
    assert found is not None
    return found


@pytest.mark.compiler
@pytest.mark.parametrize(("name", "arguments"), [("slerp", SLERP), ("pose", _posing())])
def test_the_bits_are_those_of_just_in_time(folder: Path, name: str, arguments: tuple[Any, ...]) -> None:
    function = _found(folder, name).fitting(arguments)
    assert function is not None
    function(*arguments)
    ahead = [np.copy(each) for each in arguments]
    outputs = arguments[3:] if name == "slerp" else arguments[4:]
    for each in outputs:
        each[...] = 9.0
    KERNELS[name].dispatcher(*arguments)
    for one, other in zip(ahead, arguments, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.compiler
def test_arguments_of_other_kinds_find_nothing(folder: Path) -> None:
    exports = _found(folder, "slerp")
    a, b, t, out = SLERP
    assert exports.fitting((a, b, t, out)) is not None
    assert exports.fitting((a.copy(), b, t, out)) is exports.fitting((a, b, t, out))
    assert exports.fitting((np.asfortranarray(a), b, t, out)) is None
    assert exports.fitting((np.repeat(a, 2, axis=1)[:, ::2], b, t, out)) is None
    assert exports.fitting((a.astype(np.float32), b, t, out)) is None
    assert exports.fitting((a, b, t[:, None], out)) is None
    assert exports.fitting((a, b, t)) is None
    locked = out.copy()
    locked.flags.writeable = False
    assert exports.fitting((a, b, t, locked)) is None


class Pair(NamedTuple):
    """Arrays in a tuple, as kernels take them."""

    read: np.ndarray
    written: np.ndarray


def _doubled(times: float, pair: Pair, out: np.ndarray) -> float:
    """Stands for compiled code: it takes nothing but rows one after the other that may be written to."""
    assert all(each.flags.c_contiguous and each.flags.writeable for each in (*pair, out))
    pair.written[...] = times * pair.read
    out[...] = pair.written + 1.0
    return times


def test_arrays_that_lie_otherwise_are_copied_there_and_back() -> None:
    usual = 2.0, Pair(np.ones((3, 2)), np.ones((3, 2))), np.ones((3, 2))
    made: Any = SimpleNamespace(doubled=_doubled)
    exports = _ahead.Exports(made, [("doubled", [kind_of(each) for each in usual])])
    whole = np.arange(18.0).reshape(3, 6)
    read, written, out = whole[:, ::3].copy(order="F"), whole[:, 1::3], whole[:, 2::3]
    read.flags.writeable = False
    function = exports.copying((2.0, Pair(read, written), out))
    assert function is not None
    untouched = whole[:, ::3].copy()
    assert function(2.0, Pair(read, written), out) == 2.0
    np.testing.assert_array_equal(whole[:, 1::3], 2.0 * read)
    np.testing.assert_array_equal(whole[:, 2::3], 2.0 * read + 1.0)
    np.testing.assert_array_equal(whole[:, ::3], untouched)
    # Views of one array, of which one is read: what is written to the other stays.
    function(3.0, Pair(whole.T[:2].T, whole.T[2:4].T), whole[:, 4:])
    np.testing.assert_array_equal(whole[:, 2:4], 3.0 * whole[:, :2])
    function(3.0, Pair(whole[:, :2], whole[:, :2]), whole[:, 4:])
    np.testing.assert_array_equal(whole[:, 4:], whole[:, :2] + 1.0)
    with pytest.raises(ValueError, match="read-only"):
        function(2.0, Pair(out, written), read)
    for other in (np.ones((3, 2), dtype=np.float32), np.ones(3), 1.0):
        assert exports.copying((2.0, Pair(read, written), other)) is None
    assert exports.copying((2.0, (read, written), out)) is None
    assert exports.copying((2.0, Pair(read, written))) is None


@pytest.mark.compiler
def test_other_kinds_are_compiled_just_in_time_or_copied(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    a, b, t, out = SLERP
    strided = np.repeat(a, 2, axis=1)[:, ::2]
    expected = np.empty_like(out)
    KERNELS["slerp"].dispatcher(a, b, t, expected)
    for way in ("auto", "ahead"):
        kernel = Kernel(KERNELS["slerp"].py_func)
        kernel._exports = _found(folder, "slerp")
        monkeypatch.setattr(choice, "way", way)
        kernel(a, b, t, out)
        np.testing.assert_array_equal(out, expected)
        out[:] = 0.0
        kernel(strided, b, t, out)
        np.testing.assert_allclose(out, expected, atol=1e-15)


@pytest.mark.compiler
def test_other_text_finds_nothing(folder: Path, tmp_path: Path) -> None:
    copy = tmp_path / "native"
    shutil.copytree(folder, copy)
    index = json.loads((copy / _ahead.INDEX).read_text())
    name = KERNELS["slerp"].name
    index["kernels"][name]["stamp"] = "another"
    (copy / _ahead.INDEX).write_text(json.dumps(index))
    assert _ahead.find(KERNELS["slerp"].py_func, copy) is None
    assert _ahead.find(KERNELS["pose"].py_func, copy) is not None
    assert _ahead.find(quaternion.exp_batch.py_func, copy) is None  # type: ignore[attr-defined]


def test_a_module_that_is_missing_or_broken_is_as_if_there_were_none(tmp_path: Path) -> None:
    function = KERNELS["slerp"].py_func
    assert _ahead.find(function, tmp_path / "none") is None
    stamp = stamp_of(function.__module__)
    kinds = [kind_of(each) for each in SLERP]
    entry = {"module": "small", "stamp": stamp, "exports": [["slerp", kinds]]}
    (tmp_path / _ahead.INDEX).write_text(
        json.dumps({"processor": _ahead.processor(), "kernels": {KERNELS["slerp"].name: entry}})
    )
    assert _ahead.find(function, tmp_path) is None
    (tmp_path / f"small{_ahead.SUFFIX}").write_bytes(b"no module")
    _ahead._module.cache_clear()
    assert _ahead.find(function, tmp_path) is None
    (tmp_path / _ahead.INDEX).write_text("{")
    _ahead._index.cache_clear()
    assert _ahead.find(function, tmp_path) is None


def test_a_processor_without_what_was_compiled_for_finds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / _ahead.INDEX).write_text(json.dumps({"processor": _ahead.X86, "kernels": {}}))
    monkeypatch.setattr(_ahead, "_is_x86_v3", lambda: False)
    assert _ahead._index(tmp_path) is None


@pytest.mark.compiler
def test_the_interpreter_runs_on_meanwhile(folder: Path) -> None:
    many = 300_000
    a, b = np.tile(A, (many // COUNT, 1)), np.tile(B, (many // COUNT, 1))
    arguments = a, b, RANDOM.random(many), np.empty((many, 4))
    function = _found(folder, "slerp").fitting(arguments)
    assert function is not None
    ran = 0

    def call() -> None:
        for _ in range(10):
            function(*arguments)

    thread = threading.Thread(target=call)
    thread.start()
    while thread.is_alive():
        ran += 1
        time.sleep(0.0)
    assert ran > 50  # with the lock held, it would come round once a call


def test_what_only_the_build_needs_is_not_imported_at_run_time() -> None:
    code = "import sys; import locomote.human, locomote.creatures._kernels.step; "
    code += "print([name for name in sys.modules if 'pycc' in name or name.startswith('locomote_build')])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
