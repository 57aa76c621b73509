from __future__ import annotations

import logging
from pathlib import Path

import pytest
from typer.testing import CliRunner

from locomote.cli import app
from locomote.errors import LocomoteError
from locomote.samples._files import FOLDER
from locomote.studio import Studio
from locomote.studio._recording import FORMATS, motion_file

SCENE = FOLDER / "scene.toml"


def test_the_verb_opens_a_scene_says_where_and_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, str]] = []
    monkeypatch.setattr(Studio, "wait", lambda self: seen.append((len(self.panels[0].people), self.address)))
    opened: list[str] = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    done = CliRunner().invoke(app, ["studio", "--port", "0", "--scene", str(SCENE), "--token", "auto", "--no-shadows"])
    assert done.exit_code == 0, done.output
    (people, address), *_ = seen
    assert people > 1
    assert "token=" in address
    assert opened == [address]
    assert address in done.output


def test_a_wrong_scene_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "scene.toml"
    path.write_text("nonsense = 1")
    done = CliRunner().invoke(app, ["studio", "--port", "0", "--no-open", "--scene", str(path)])
    assert isinstance(done.exception, LocomoteError)


def test_nothing_recorded_is_said() -> None:
    for extension in FORMATS:
        with pytest.raises(LocomoteError, match="nothing is recorded"):
            motion_file([], extension)
    with pytest.raises(LocomoteError, match="expected"):
        motion_file([], ".exe")


def test_a_fault_in_a_world_does_not_end_the_studio(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    studio = Studio(port=0, people=1, shadows=False)
    try:
        with caplog.at_level(logging.ERROR, logger="locomote"):
            assert not studio.controls.act(None, lambda: 1 / 0)
        assert "ZeroDivisionError" in caplog.text
        studio.tick()
        with pytest.raises(LocomoteError, match="fps"):
            Studio(port=0, fps=0.0)
    finally:
        studio.stop()
