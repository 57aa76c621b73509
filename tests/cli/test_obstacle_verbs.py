"""Obstacles, goals and jumps on the command line."""

import importlib
import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.cli._demos import obstacles as shows
from locomote.human._model import HumanModel
from locomote.samples._files import FOLDER as EXAMPLES


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, [str(a) for a in arguments])


def test_walk_jumps_when_told(tmp_path: Path) -> None:
    for name, options in (("plain", ()), ("jump", ("--jump", "0.9@0.5"))):
        done = run("walk", "--seconds", 3, "--speed", 1.2, *options, "-o", tmp_path / f"{name}.npz")
        assert done.exit_code == 0, done.output
    plain, jump = (lm.load(tmp_path / f"{name}.npz").root_positions[:, 1] for name in ("plain", "jump"))
    assert np.ptp(jump) > np.ptp(plain) + 0.05


def test_walk_goes_to_a_place_past_the_example(tmp_path: Path) -> None:
    arguments = ("--obstacles", EXAMPLES / "puddles.toml", "--to", "0,9", "--fps", 30, "--json")
    done = run("walk", *arguments, "-o", tmp_path / "walk.npz")
    assert done.exit_code == 0, done.output
    end = json.loads(done.stdout)["end"]
    assert np.hypot(end["x"], end["z"] - 9.0) < 0.15


def test_draw_shows_obstacles(tmp_path: Path) -> None:
    walk = tmp_path / "walk.bvh"
    lm.save(lm.samples.performer(speed=1.3, seconds=1.0, fps=30.0).motion, walk)
    pictures = []
    for options in ((), ("--obstacles", EXAMPLES / "puddles.toml")):
        film = tmp_path / f"{len(options)}.gif"
        done = run("draw", walk, "-o", film, "--size", "160x120", "--fps", 4, "--view", "high", *options)
        assert done.exit_code == 0, done.output
        with Image.open(film) as picture:
            pictures.append(np.asarray(picture.convert("RGB"), dtype=float))
    assert np.abs(pictures[0] - pictures[1]).max() > 20.0


def test_the_example_scene_with_obstacles_plays(tmp_path: Path) -> None:
    done = run("script", EXAMPLES / "obstacles.toml", "-o", tmp_path / "yard", "--format", "npz")
    assert done.exit_code == 0, done.output
    names = sorted(path.stem for path in (tmp_path / "yard").iterdir())
    assert names == ["anna", "ben", "cleo", "dan"]
    assert lm.load(tmp_path / "yard" / "dan.npz").root_positions[-1, 0] < 6.5 - 1.0


def test_a_scene_is_filmed_with_its_obstacles(tmp_path: Path) -> None:
    scene = tmp_path / "scene.toml"
    scene.write_text(
        "[[obstacle]]\nkind = 'disk'\ncentre = [1, 1]\nradius = 0.3\nfrom = 0.2\n"
        "[[character]]\naction = [{ do = 'walk', seconds = 0.5 }]\n"
    )
    done = run("script", scene, "-o", tmp_path / "one.npz", "--film", tmp_path / "one.gif", "--view", "high")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "one.gif").stat().st_size > 5_000


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--jump", "1.2"), "--jump 1.2: expected LENGTH@SECONDS, such as 1.2@3"),
        (("--jump", "9@1"), "--jump 9@1: the length 9: 9 is out of range; expected 0.2 to 3"),
        (("--jump", "1@soon"), "--jump 1@soon: the time soon: expected a number"),
        (("--to", "3"), "--to 3: expected X,Z in metres"),
        (("--to", "3,4", "--turn-rate", "0.2"), "--to, --path and --turn-rate exclude one another"),
        (("--obstacles", "none.toml"), "none.toml: no such file"),
        (("--obstacles", "bad.toml"), "bad.toml, obstacle 1: until: expected a time after 0 s instead of 0"),
    ],
)
def test_bad_input_is_one_line(
    options: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "bad.toml").write_text("[[obstacle]]\nkind = 'disk'\ncentre = [0, 0]\nradius = 1\nuntil = 0\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["locomote", "walk", "-o", "x.npz", *options])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("locomote: ")]
    assert len(lines) == 1
    assert words in lines[0]
    assert not (tmp_path / "x.npz").exists()


@pytest.mark.feature("PCA-088")
def test_the_demo_of_obstacles_fills_a_folder_with_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shows, "PEOPLE", 3)
    monkeypatch.setattr(importlib.import_module("locomote.cli.demo"), "FILM_FPS", 4.0)
    done = run("demo", "obstacles", "-o", tmp_path / "out", "--seconds", 1.0, "--quiet")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "out" / "index.html").read_text()
    approaches = ("slanting.webp", "curved.webp", "halting.webp", "feet.webp")
    for name in ("course.webp", "course.png", "course.glb", "yard.webp", *approaches):
        assert name in page
        assert (tmp_path / "out" / name).stat().st_size > 1000


def test_the_walker_of_the_demo_does_all_of_it() -> None:
    show = shows.course(HumanModel.default(), 4.0)
    ways = show.motions[0].root_positions
    assert ways[-1, 2] > 36.0
    assert np.abs(ways[:, 0]).max() > 0.8  # round something
    assert callable(show.obstacles)
    assert (len(show.obstacles(0.0)), len(show.obstacles(29.0))) == (4, 5)
