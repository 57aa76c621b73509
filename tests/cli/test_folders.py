"""``measure`` and ``clean`` of folders: they go on after a bad file, and leave a table."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import locomote as lm
from locomote.cli import _shared
from tests.docs.blocks import exit_code


@pytest.fixture
def clips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    folder = tmp_path / "clips"
    (folder / "more").mkdir(parents=True)
    clip = lm.samples.clip()
    for name in ("a.bvh", "b.bvh", "more/c.npz", "more/d.npz"):
        lm.save(clip[:90], folder / name)
    (folder / "broken.bvh").write_text("HIERARCHY\nROOT")
    return folder


def test_measure_goes_on_after_a_bad_file(clips: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["measure", "clips", "--csv", "figures.csv"]) == 2
    told = capsys.readouterr()
    wrong = [line for line in told.err.splitlines() if line.startswith("locomote:")]
    assert len(wrong) == 1
    assert "broken.bvh" in wrong[0]
    assert "4 of 5 files" in told.err
    with Path("figures.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [Path(row["file"]).name for row in rows] == ["a.bvh", "b.bvh", "c.npz", "d.npz"]
    assert float(rows[0]["drift_p95"]) == pytest.approx(lm.measure(lm.load("clips/a.bvh")).drift_p95)


def test_measure_takes_patterns_and_says_each_file_on_a_line(clips: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (clips / "broken.bvh").unlink()
    for name in ("e.bvh", "f.bvh"):
        lm.save(lm.samples.clip()[:90], clips / name)
    assert exit_code(["measure", "clips", "--quiet"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7
    assert all(line.startswith("clips") for line in lines[1:])
    assert exit_code(["measure", "clips/**/*.npz", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)) == 2
    assert exit_code(["measure", "clips/a.bvh", "nowhere.bvh", "--quiet"]) == 2
    told = capsys.readouterr()
    assert "nowhere.bvh" in told.err
    assert "drift_p95" in told.out


def test_clean_of_a_folder(clips: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(["clean", "clips", "-o", "cleaned"]) == 1
    told = capsys.readouterr()
    assert "broken.bvh" in told.err
    for name in ("a.bvh", "b.bvh", "more/c.npz", "more/d.npz"):
        assert len(lm.load(Path("cleaned") / name)) == 90
    assert Path("cleaned/batch.csv").read_text().startswith("output,")
    assert exit_code(["clean", "clips", "-o", "cleaned", "--json"]) == 1
    entries = json.loads(capsys.readouterr().out)
    assert len(entries) == 5


def test_logs_say_how_long_it_takes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = [0.0]
    monkeypatch.setattr(_shared.time, "monotonic", lambda: now[0])
    with _shared.progress("walking", quiet=False) as step:
        for done in range(1, 31):
            now[0] += 1.0
            step(done, 40)
    assert capsys.readouterr().err.splitlines() == [
        "walking",
        "walking: 10 of 40, 0:10 so far, 0:30 left",
        "walking: 20 of 40, 0:20 so far, 0:20 left",
        "walking: 30 of 40, 0:30 so far, 0:10 left",
        "walking: took 0:30",
    ]
