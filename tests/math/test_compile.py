"""What is kept of compiled kernels is renewed when any file changes from which they take functions."""

from __future__ import annotations

import importlib
import os
import sys
from pathlib import Path

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


def test_kernels_that_are_edited_are_compiled_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A helper in one file, a kernel in another: an edit of the first is seen by the second."""
    room = tmp_path / "locomote_room"
    room.mkdir()
    (room / "__init__.py").write_text("")
    (room / "helper.py").write_text(
        "from locomote.math._compile import inline\n\n@inline\ndef add(x):\n    return x + 1.0\n"
    )
    (room / "entry.py").write_text(
        "from locomote.math._compile import kernel\nfrom locomote_room.helper import add\n\n"
        "@kernel\ndef call(x):\n    return add(x)\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    assert importlib.import_module("locomote_room.entry").call(1.0) == 2.0
    (room / "helper.py").write_text(
        "from locomote.math._compile import inline\n\n@inline\ndef add(x):\n    return x + 10.0\n"
    )
    for name in [name for name in sys.modules if name.startswith("locomote_room")]:
        monkeypatch.delitem(sys.modules, name)
    importlib.invalidate_caches()
    assert importlib.import_module("locomote_room.entry").call(1.0) == 11.0
