"""``locomote clean`` as a person or a script meets it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.samples import performer

runner = CliRunner()


@pytest.fixture(scope="module")
def skating(tmp_path_factory: pytest.TempPathFactory) -> Path:
    walk = performer(speed=1.3, seconds=2.5, fps=60.0).motion
    sway = 0.02 * np.sin(4.0 * walk.times)[:, None] * (1.0, 0.0, 1.0)
    path = tmp_path_factory.mktemp("clips") / "skating.bvh"
    lm.save(replace(walk, root_positions=walk.root_positions + sway), path)
    return path


def run(*arguments: object) -> Result:
    return runner.invoke(cli.app, [str(a) for a in arguments])


def main(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    monkeypatch.setattr("sys.argv", ["locomote", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    return int(stop.value.code or 0)


def test_a_clip_is_cleaned_into_any_format(skating: Path, tmp_path: Path) -> None:
    out = tmp_path / "clean.glb"
    result = run("clean", skating, "-o", out)
    assert result.exit_code == 0
    assert "drift_p95" in result.output
    assert "before" in result.output
    assert lm.measure(lm.load(out)).drift_p95 < 2.0 < lm.measure(lm.load(skating)).drift_p95


def test_figures_for_machines(skating: Path, tmp_path: Path) -> None:
    result = run("clean", skating, "-o", tmp_path / "clean.npz", "--json", "--quiet")
    report = json.loads(result.stdout)
    assert report["after"]["drift_p95"] < 2.0 < report["before"]["drift_p95"]
    assert 0.0 < report["mean_change"] < report["max_change"]
    assert report["reason"] == ""


def test_the_floor_may_be_given(skating: Path, tmp_path: Path) -> None:
    result = run("clean", skating, "-o", tmp_path / "clean.npz", "--floor", "0.01", "--json", "--quiet")
    assert json.loads(result.stdout)["after"]["floor_height"] == 0.01


def test_a_clip_too_short_is_written_unchanged(tmp_path: Path) -> None:
    short, out = tmp_path / "short.npz", tmp_path / "out.npz"
    lm.save(performer(speed=1.3).motion[:2], short)
    result = run("clean", short, "-o", out)
    assert result.exit_code == 0
    assert "unchanged, the clip has only 2 frames" in result.output
    assert np.array_equal(lm.load(out).rotations, lm.load(short).rotations)


def test_bad_input_is_one_line_and_leaves_no_file(
    skating: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    missing, wrong = tmp_path / "none.bvh", tmp_path / "out.xyz"
    assert main(monkeypatch, "clean", missing, "-o", tmp_path / "out.bvh") == 2
    assert main(monkeypatch, "clean", skating, "-o", wrong, "--quiet") == 2
    errors = capsys.readouterr().err.strip().splitlines()
    assert len(errors) == 2
    assert "none.bvh" in errors[0]
    assert ".xyz" in errors[1]
    assert not list(tmp_path.iterdir())
