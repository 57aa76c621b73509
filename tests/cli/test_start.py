"""A verb that is done in seconds does not wait for a compiler."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from locomote.cli import _start
from locomote.math import _compile

if _compile.INTERPRETED:
    pytest.skip("nothing is compiled", allow_module_level=True)
_jit = pytest.importorskip("locomote.math._jit", exc_type=ImportError)
pytestmark = pytest.mark.compiler


@pytest.fixture
def children(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A clone in which nothing is compiled; the children that are started."""
    started: list[list[str]] = []

    class Child:
        pid = os.getpid()

        def __init__(self, command: list[str], **options: Any) -> None:
            assert options["env"]["LOCOMOTE_KERNELS"] == "jit"
            started.append(command)

    monkeypatch.setattr(_start.subprocess, "Popen", Child)
    monkeypatch.setattr(_jit.tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.setattr(_start, "allowed", True)
    monkeypatch.setattr(_compile.choice, "way", "auto")
    monkeypatch.setattr(_compile.Kernel, "way", "jit")
    monkeypatch.setattr(_jit, "is_kept", lambda dispatcher: False)
    return started


def test_few_frames_run_as_python_while_one_child_compiles(
    children: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    _start.start(_start.PEOPLE, 600.0, quiet=False)
    assert _compile.choice.way == "python"
    assert [command[-1] for command in children] == ["people"]
    assert "plain Python" in capsys.readouterr().err
    _compile.choice.way = "auto"
    _start.start(_start.PEOPLE, 600.0, quiet=True)
    assert len(children) == 1  # that one is at it already
    assert capsys.readouterr().err == ""


def test_many_frames_are_compiled_first(children: list[list[str]]) -> None:
    _start.start(_start.PEOPLE, 1e6, quiet=False)
    assert (_compile.choice.way, children) == ("auto", [])


def test_what_is_compiled_already_is_used(children: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_jit, "is_kept", lambda dispatcher: True)
    _start.start(_start.CREATURES, 60.0, quiet=False)
    monkeypatch.setattr(_compile.Kernel, "way", "ahead")
    _start.start(_start.CREATURES, 60.0, quiet=False)
    assert (_compile.choice.way, children) == ("auto", [])


def test_only_the_command_line_decides_for_a_whole_process(
    children: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_start, "allowed", False)
    _start.start(_start.PEOPLE, 1.0, quiet=False)
    monkeypatch.setattr(_start, "allowed", True)
    monkeypatch.setattr(_compile.choice, "way", "jit")
    _start.start(_start.PEOPLE, 1.0, quiet=False)
    assert (_compile.choice.way, children) == ("jit", [])
