"""What runs a kernel, and that what is kept of compiled ones is renewed when any text changes that they are made of."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from locomote.creatures._kernels import spine_guide, step
from locomote.math import fk
from locomote.math._compile import Kernel, way_of
from locomote.math._stamps import sources_of, stamp_of

pytestmark = pytest.mark.compiler


def test_the_stamp_of_a_kernel_is_of_the_text_of_all_files_that_it_takes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {module: stamp_of(module.__name__) for module in (step, fk)}
    copy = tmp_path / "spine_guide.py"
    copy.write_bytes(Path(str(spine_guide.__file__)).read_bytes())
    os.utime(copy, (4e9, 4e9))
    monkeypatch.setattr(spine_guide, "__file__", str(copy))
    assert stamp_of(step.__name__) == before[step]  # files may be as new as they like
    copy.write_bytes(copy.read_bytes() + b"# more\n")
    assert stamp_of(step.__name__) != before[step]
    assert stamp_of(fk.__name__) == before[fk]


def test_a_kernel_is_made_of_modules_and_not_of_packages() -> None:
    found = sources_of(step.__name__)
    assert spine_guide.__name__ in found
    assert not any(hasattr(sys.modules[name], "__path__") for name in found)


def test_what_is_kept_carries_the_stamp() -> None:
    kernel: Kernel = step.step_creatures  # type: ignore[assignment]
    assert kernel.dispatcher._cache._cache_file._source_stamp == stamp_of(step.__name__)


def _python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", code]
    return subprocess.run(command, env={**os.environ, **environment}, capture_output=True, text=True, check=False)


SLERP = (
    "import sys, numpy as np; from locomote.math.quaternion import slerp_batch; q = np.eye(4)[:1]; "
    "slerp_batch(q, q, np.zeros(1), q.copy()); "
)


def test_numba_is_imported_by_the_first_call_only_where_it_compiles() -> None:
    code = "import sys; import locomote.math.quaternion, locomote.math.fused; print('numba' in sys.modules)"
    assert _python(code).stdout == "False\n"
    assert _python(SLERP + "print('numba' in sys.modules)", LOCOMOTE_KERNELS="python").stdout == "False\n"
    assert _python(SLERP + "print('numba' in sys.modules)", LOCOMOTE_KERNELS="jit").stdout == "True\n"


def test_without_numba_kernels_run_as_python_and_say_so_once() -> None:
    hidden = "import sys; sys.modules['numba'] = None; import importlib.util as u; find = u.find_spec; "
    hidden += "u.find_spec = lambda name, *more: None if name == 'numba' else find(name, *more); "
    done = _python(hidden + SLERP + SLERP + "print(sys.modules['numba'])", LOCOMOTE_KERNELS="")
    assert (done.returncode, done.stdout) == (0, "None\n"), done.stderr
    assert done.stderr.count("plain Python") == 1


def test_a_way_that_is_none_is_refused() -> None:
    done = _python("import locomote.math.fk", LOCOMOTE_KERNELS="faster")
    assert "LOCOMOTE_KERNELS=faster: expected one of auto, ahead, jit, python" in done.stderr


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root writes everywhere")
def test_kernels_compile_where_nothing_can_be_written(tmp_path: Path) -> None:
    done = _python(SLERP, HOME=str(tmp_path / "none"), NUMBA_CACHE_DIR="/proc/none", LOCOMOTE_KERNELS="jit")
    assert done.returncode == 0, done.stderr


def test_where_no_folder_can_be_written_a_temporary_one_is_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from locomote.math import _jit

    monkeypatch.setattr(_jit.tempfile, "gettempdir", lambda: str(tmp_path))
    folder = _jit.temporary_folder()
    assert folder is not None
    assert folder.parent == tmp_path
    if hasattr(os, "getuid"):
        folder.chmod(0o777)  # anybody could put code there
        assert _jit.temporary_folder() is None


class _Deaf:
    """A kernel that cannot be kept, except where Numba is told a folder."""

    def __init__(self, places: int) -> None:
        self.places, self.asked = places, 0

    def enable_caching(self) -> None:
        self.asked += 1
        if self.asked > self.places:
            return
        raise RuntimeError("cannot cache function: no locator available")


def test_a_kernel_that_cannot_be_kept_is_compiled_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    from locomote.math import _jit

    monkeypatch.setattr(_jit.config, "CACHE_DIR", "")
    assert _jit._keep(_Deaf(0))
    assert _jit._keep(_Deaf(1))
    assert "locomote-kernels" in _jit.config.CACHE_DIR
    assert not _jit._keep(_Deaf(2))


def test_the_way_of_a_function_that_is_no_kernel_is_python() -> None:
    assert way_of(len) == "python"


ADD = "from locomote.math._compile import inline\n\n@inline\ndef add(x):\n    return x + {}\n"
KERNEL = "from locomote.math._compile import kernel\n"
CALL = KERNEL + "from {0}.helper import add\n\n@kernel\ndef call(x):\n    return add(x)\n"
BUNDLE = "from typing import NamedTuple\n\nclass {0}(NamedTuple):\n    x: float\n\nmade = {0}\n"
UNPACK = (
    "from locomote.math._compile import kernel\nfrom {0}.helper import made\n\n@kernel\ndef call(b):\n    return b.x\n"
)


@pytest.fixture
def entry_of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str, str], ModuleType]:
    """Write a package of a helper and an entry, and import the entry anew."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(room: str, helper: str, entry: str) -> ModuleType:
        folder = tmp_path / room
        folder.mkdir(exist_ok=True)
        for name, text in (("__init__", ""), ("helper", helper), ("entry", entry.format(room))):
            (folder / f"{name}.py").write_text(text)
        for name in [name for name in sys.modules if name.startswith(room)]:
            monkeypatch.delitem(sys.modules, name)
        importlib.invalidate_caches()
        return importlib.import_module(f"{room}.entry")

    return write


def test_kernels_that_are_edited_are_compiled_anew(entry_of: Callable[[str, str, str], ModuleType]) -> None:
    """A helper in one file, a kernel in another: an edit of the first is seen by the second."""
    assert entry_of("locomote_room", ADD.format("1.0"), CALL).call(1.0) == 2.0
    assert entry_of("locomote_room", ADD.format("10.0"), CALL).call(1.0) == 11.0


def test_what_is_kept_may_name_classes_that_are_gone(entry_of: Callable[[str, str, str], ModuleType]) -> None:
    old = entry_of("locomote_bundles", BUNDLE.format("Old"), UNPACK)
    assert old.call(old.made(2.0)) == 2.0
    new = entry_of("locomote_bundles", BUNDLE.format("Newer"), UNPACK)
    assert new.call(new.made(3.0)) == 3.0
