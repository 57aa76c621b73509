"""What is kept of compiled kernels is renewed when any file changes from which they take functions."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from locomote.creatures._kernels import spine_guide, step
from locomote.math import _compile as compile
from locomote.math import fk


def test_the_stamp_of_a_kernel_knows_all_files_that_it_takes_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = {module: compile.stamp_of(module.__name__) for module in (step, fk)}
    copy = tmp_path / "spine_guide.py"
    copy.write_bytes(Path(str(spine_guide.__file__)).read_bytes())
    os.utime(copy, (4e9, 4e9))
    monkeypatch.setattr(spine_guide, "__file__", str(copy))
    assert compile.stamp_of(step.__name__) == (4e9, before[step][1])
    assert compile.stamp_of(fk.__name__) == before[fk]


def test_what_is_kept_carries_the_stamp() -> None:
    kept = step.step_creatures._cache._cache_file  # type: ignore[attr-defined]
    assert kept._source_stamp == compile.stamp_of(step.__name__)


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
