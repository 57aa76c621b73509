"""Trees in the wind on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.errors import LocomoteError
from locomote.modal.trees import NAMES, Species


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, [str(a) for a in arguments])


SMALL = ("--nodes", 40, "--modes", 8, "--seconds", 0.5, "--fps", 20)


def test_a_tree_goes_into_a_file_and_a_film(tmp_path: Path) -> None:
    file, film = tmp_path / "oak.glb", tmp_path / "oak.gif"
    done = run("wind", "oak", "--speed", "0:2,0.5:12", *SMALL, "-o", file, "--film", film, "--json")
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert (report["tree"], report["branches"], report["modes"], report["frames"]) == ("oak", 39, 8, 11)
    assert report["files"] == [str(file), str(film)]
    assert report["residual"] < 1e-8
    assert report["sway"] > 0.0
    motion = lm.load(file)
    assert len(motion) == 11
    with Image.open(film) as pictures:
        assert pictures.n_frames == 11  # type: ignore[attr-defined]


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    for name, seed in (("a", 3), ("b", 3), ("c", 4)):
        assert run("wind", "birch", *SMALL, "--seed", seed, "-q", "-o", tmp_path / f"{name}.npz").exit_code == 0
    a, b, c = (lm.load(tmp_path / f"{name}.npz") for name in "abc")
    np.testing.assert_array_equal(a.rotations, b.rotations)
    assert not np.array_equal(a.skeleton.offsets, c.skeleton.offsets)


def test_a_saved_species_sways_in_gusts(tmp_path: Path) -> None:
    Species.grow("walnut", 30, modes=5).save(tmp_path / "mine.npz")
    done = run("wind", tmp_path / "mine.npz", "--gusts", 5, "--seconds", 0.3, "-o", tmp_path / "mine.usda", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["branches"] == 29


def test_what_grows_is_listed() -> None:
    assert [row["name"] for row in json.loads(run("wind", "--list", "--json").stdout)] == list(NAMES)
    assert "oak" in run("wind", "--list").stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("wind",), "which tree"),
        (("wind", "oak"), "where to"),
        (("wind", "fern", "-o", "x.glb"), "no such file, and no tree"),
        (("wind", "oak", "-o", "x.txt"), "not a format"),
        (("wind", "oak", "-o", "x.glb", "--speed", "0:2,gale"), "--speed"),
        (("wind", "oak", "-o", "x.glb", "--speed", "99"), "out of range"),
        (("wind", "oak", "-o", "x.glb", "--film", "x.avi"), "film"),
        (("wind", "oak", "-o", "x.glb", "--correction", "magic"), "correction"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(
    arguments: tuple[str, ...], says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = run(*arguments)
    assert isinstance(done.exception, LocomoteError), done.output
    assert says in str(done.exception)
    assert list(tmp_path.iterdir()) == []


def test_the_demo_fills_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from locomote.cli._demos import wind

    monkeypatch.setattr(wind, "WIND_SHOWS", (wind.rising,))
    assert run("demo", "wind", "--seconds", 1, "-q", "-o", tmp_path).exit_code == 0
    page = (tmp_path / "index.html").read_text()
    assert "An oak in a rising wind" in page
    assert (tmp_path / "oak.webp").exists()
    assert (tmp_path / "oak.glb").exists()


def test_a_wolf_brushes_a_bush() -> None:
    from locomote.cli._demos.wind import wolf_through_bush

    wolf, bush, touched = wolf_through_bush(2.5)
    assert len(wolf) == len(bush)
    assert touched > 10
    tips = bush.end_positions()
    assert np.abs(tips - tips[0]).max() > 0.1
