"""Contacts of many clips as files, and of one."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import locomote as lm
from locomote import batch, cli
from locomote.errors import LocomoteError
from tests.batch.made import contents, corpus

runner = CliRunner()


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "clips"
    corpus(folder, 3, seconds=2.0)
    return folder


def test_files_say_what_the_detector_finds(clips: Path, tmp_path: Path) -> None:
    made = batch.run("contacts", clips, tmp_path / "json", workers=1)
    batch.run("contacts", clips, tmp_path / "npz", to=".npz", workers=1)
    assert made.done == 3
    for path in clips.rglob("*.bvh"):
        found, below = lm.contacts.detect(lm.load(path)), path.relative_to(clips)
        told = json.loads((tmp_path / "json" / below.with_suffix(".json")).read_text())
        assert told["intervals"] == {leg.side: found.intervals(n).tolist() for n, leg in enumerate(found.legs)}
        assert [each["frame"] for each in told["events"]] == [each.frame for each in found.events]
        assert told["flight"] == (found.support == 0).mean()
        with np.load(tmp_path / "npz" / below.with_suffix(".npz")) as arrays:
            assert np.array_equal(arrays["heel"] | arrays["toe"], found.foot)
            assert np.array_equal(arrays["phase"], lm.contacts.phase(found).astype(np.float32), equal_nan=True)
            kinds = [arrays["event_kinds"][kind] for kind in arrays["events"][:, 2]]
            assert kinds == [each.kind for each in found.events]
            assert np.array_equal(arrays["event_times"], [each.time for each in found.events])
    figures = made.entries["left/walk_001.json"]["figures"]
    assert figures["strikes"] >= 2
    assert (tmp_path / "json/batch.csv").read_text().splitlines()[0].startswith("output,frames,fps,feet,strikes")


def test_bytes_do_not_depend_on_the_number_of_workers(clips: Path, tmp_path: Path) -> None:
    for name, workers in (("a", 1), ("b", 2)):
        batch.run("contacts", clips, tmp_path / name, to="npz", workers=workers)
    assert contents(tmp_path / "a") == contents(tmp_path / "b")


def test_one_clip_alone(clips: Path, tmp_path: Path) -> None:
    path, out = clips / "left/walk_001.bvh", tmp_path / "contacts.json"
    told = runner.invoke(cli.app, ["contacts", str(path), "-o", str(out), "--json", "-q"])
    assert json.loads(told.stdout)["strikes"] == json.loads(out.read_text())["strikes"]
    plain = runner.invoke(cli.app, ["contacts", str(path), "-q"])
    assert "strikes" in plain.stdout
    wrong = runner.invoke(cli.app, ["contacts", str(path), "-o", str(tmp_path / "contacts.txt")])
    assert isinstance(wrong.exception, LocomoteError)


def test_wrong_wishes_are_told_before_anything_is_made(clips: Path, tmp_path: Path) -> None:
    for options, words in (({"gait": "hop"}, "expected one of auto"), ({"to": ".glb"}, "expected one of .json, .npz")):
        with pytest.raises(LocomoteError, match=words):
            batch.run("contacts", clips, tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()
