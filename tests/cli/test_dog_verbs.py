"""Simulated dogs on the command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.errors import LocomoteError, MissingExtra

pytest.importorskip("mujoco")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, ["dog", *(str(a) for a in arguments)])


def refused(*arguments: object) -> str:
    done = run(*arguments)
    assert isinstance(done.exception, LocomoteError), done.output
    return str(done.exception)


def test_a_dog_goes_into_files_and_a_film(tmp_path: Path) -> None:
    file, film = tmp_path / "dog.glb", tmp_path / "dog.webp"
    told = ("--gait", "trot", "--speed", 1.2, "--turn", 0, "--seconds", 1, "--push", 50, "--push-at", 0.5)
    done = run("run", *told, "--film", film, "-o", file, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["creature"], report["mass"], report["gait"], report["frames"]) == ("dog", 34.0, "trot", 61)
    assert report["files"] == [str(file), str(film)]
    assert report["end"]["z"] > 0.15
    assert len(lm.load(file)) == 61
    assert film.stat().st_size > 1000


def test_what_is_said_of_a_hard_push(tmp_path: Path) -> None:
    done = run("run", "--speed", 0, "--seconds", 2.5, "--push", 900, "--push-at", 0.1, "--push-for", 0.3, "--quiet")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith("dog: ")
    assert "it fell, " in done.stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--push", "nan"), "--push nan: expected finite newtons"),
        (("--push", 10, "--push-for", 0), "--push-for 0.0: expected seconds"),
        (("--push", 10, "--push-to", "up"), "expected left, right, ahead, back"),
        (("--push", 10, "--push-on", "nose"), "hips or shoulders"),
        (("--creature", "spider"), "two pairs of legs, this one has 8"),
        (("--creature", "unicorn"), "no such file"),
        (("--gait", "hop"), "no gait 'hop'"),
        (("--mass", -3), "expected kilograms"),
        (("--speed", 90), "--speed"),
        (("-o", "dog.docx"), "not a format that is written"),
        (("--film", "dog.txt"), "dog.txt"),
        (("--library", "no.npz"), "no.npz"),
    ],
)
def test_what_cannot_be_done_is_one_line(arguments: tuple[object, ...], line: str) -> None:
    said = refused("run", "--seconds", 0.1, *arguments)
    assert line in said
    assert "\n" not in said


def stub(monkeypatch: pytest.MonkeyPatch, name: str, **members: Any) -> None:
    monkeypatch.setitem(sys.modules, f"locomote.physics.{name}", SimpleNamespace(**members))


def test_a_gait_is_tuned_into_a_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def tune(gait, speed, library=None, generations=20, seed=0, processes=None, progress=None):
        asked.extend([gait, speed, library, generations, seed, processes])
        for generation, score in ((0, 5.0), (1, 4.5), (2, 4.0)):
            progress(generation, score)
        return lm.physics.GaitLibrary.default()

    def tune_reflexes(gait, speed, force, library, generations, seed, processes, progress):
        asked.append(force)
        return tune(gait, speed, library, generations, seed, processes, progress)

    stub(monkeypatch, "_gait_tuning", tune=tune, tune_reflexes=tune_reflexes)
    file = tmp_path / "library.npz"
    done = run("tune", "trot", "--speed", 2.2, "--generations", 2, "-o", file, "--json")
    assert done.exit_code == 0, done.output
    assert asked == ["trot", 2.2, lm.physics.GaitLibrary.default(), 2, 0, None]
    assert run("tune", "trot", "--speed", 2.2, "--pushes", 60, "-o", file).exit_code == 0
    assert asked[6:] == [60.0, "trot", 2.2, lm.physics.GaitLibrary.default(), 20, 0, None]
    told = json.loads(done.stdout)
    assert (told["first_score"], told["score"], told["file"]) == (5.0, 4.0, str(file))
    assert "trot" in lm.physics.GaitLibrary.load(file).gaits
    done = run("tune", "trot", "--speed", 2.2, "--generations", 2, "-o", file, "--library", file)
    assert "trot at 2.2 m/s: 5 to 4 in 2 rounds" in done.stdout
    assert ".npz" in refused("tune", "trot", "--speed", 2.2, "-o", tmp_path / "library.txt")
    assert "--speed nan" in refused("tune", "trot", "--speed", "nan", "-o", file)


def test_pushes_are_told_by_side_and_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    survived = np.array([[True, True], [True, False]])

    def withstand(gait, speed, force, seconds, directions=8, phases=8, library=None, policy=None):
        asked = (gait, speed, force, seconds, directions, phases, library, policy)
        assert asked == ("trot", 1.4, 150.0, 0.1, 2, 2, None, None)
        return SimpleNamespace(survived=survived, share=0.75)

    stub(monkeypatch, "_pushes", withstand=withstand, DIRECTIONS=(("shoulders", 1, 0), ("hips", 0, -1)))
    told = ("pushes", "trot", "--speed", 1.4, "--force", 150, "--directions", 2, "--phases", 2)
    done = run(*told)
    assert done.exit_code == 0, done.output
    assert done.stdout.splitlines()[-2:] == ["shoulders left   ++", "hips      back   +."]
    assert "3 of 4 withstood" in done.stdout
    assert json.loads(run(*told, "--json").stdout)["survived"] == survived.tolist()
    assert run(*told, "--least", 0.8).exit_code == 1
    assert run(*told, "--least", 0.7).exit_code == 0
    assert "--force" in refused("pushes", "trot", "--speed", 1.4, "--force", 0)


def test_scenarios_are_listed_and_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    films: list[Path | None] = []

    def play(film):
        films.append(film)
        return "no fall"

    scenes = {name: SimpleNamespace(title=f"scene {name}", play=play) for name in ("S1", "S2")}
    stub(monkeypatch, "_skill_scenarios", SCENARIOS=scenes)
    assert "S2   scene S2" in run("scenario", "--list").stdout
    assert run("scenario", "s1", "--quiet").stdout == "S1: no fall\n"
    told = json.loads(run("scenario", "--film", tmp_path / "films", "--json").stdout)
    assert [row["result"] for row in told] == ["no fall", "no fall"]
    assert films == [None, tmp_path / "films" / "s1.webp", tmp_path / "films" / "s2.webp"]
    run("scenario", "S2", "--film", tmp_path / "one.webp")
    assert films[-1] == tmp_path / "one.webp"
    assert "there are: S1, S2" in refused("scenario", "S9")
    assert "name a folder" in refused("scenario", "S1", "S2", "--film", tmp_path / "one.webp")


@pytest.mark.parametrize(
    "arguments",
    [("run",), ("tune", "trot", "--speed", 2, "-o", "x.npz"), ("pushes", "trot", "--speed", 2), ("scenario",)],
)
def test_without_mujoco_one_line_says_how_to_get_it(
    arguments: tuple[object, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    done = run(*arguments)
    assert isinstance(done.exception, MissingExtra)
    assert "pip install 'locomote[physics]'" in str(done.exception)
