"""``locomote draw`` on ground from a file, and close-ups."""

from pathlib import Path

import pytest
from PIL import Image
from typer.testing import CliRunner

import locomote as lm
from locomote import cli
from locomote.samples import performer


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("clips")
    lm.save(performer(speed=1.3, seconds=1.0, fps=30.0).motion, folder / "walk.bvh")
    (folder / "stairs.toml").write_text("[[stairs]]\nstart = [0, 1]\ncount = 3\n")
    (folder / "lift.toml").write_text(
        "[[shuttle]]\ncentre = [0, 0]\nsize = [2, 2]\ntop = 0.2\ntravel = [0, 0.2, 0]\nperiod = 2\n"
    )
    (folder / "bad.toml").write_text("[[stairs]]\nstart = [0, 1]\nsteps = 3\n")
    return folder


def draw(folder: Path, name: str, *options: object):
    arguments = ["draw", folder / "walk.bvh", "-o", folder / name, "--size", "160x120", "--fps", 8, *options]
    return CliRunner().invoke(cli.app, [str(a) for a in arguments])


@pytest.mark.parametrize("ground", ["stairs.toml", "lift.toml"])
def test_films_and_sheets_show_the_ground(folder: Path, ground: str) -> None:
    for name in ("film.gif", "sheet.png"):
        done = draw(folder, name, "--ground", folder / ground, "--closeup", "--poses", 3)
        assert done.exit_code == 0, done.output
        with Image.open(folder / name) as picture:
            assert picture.width >= 160


def test_mistakes_in_the_file_are_one_line(folder: Path) -> None:
    done = draw(folder, "film.gif", "--ground", folder / "bad.toml")
    assert done.exit_code != 0
    assert "unknown key 'steps'; there are: start, yaw, width, count" in str(done.exception)


def test_bones_are_drawn_in_place_of_a_skin(folder: Path) -> None:
    lm.save(lm.load(folder / "walk.bvh"), folder / "walk.glb")  # comes back with a skin
    pictures = []
    for k, options in enumerate(([], ["--bones"])):
        for name in (f"sheet{k}.png", f"film{k}.gif"):
            arguments = ["draw", folder / "walk.glb", "-o", folder / name, "--poses", 3, "--fps", 4, *options]
            done = CliRunner().invoke(cli.app, [str(a) for a in arguments])
            assert done.exit_code == 0, done.output
            pictures.append((folder / name).read_bytes())
    assert pictures[0] != pictures[2]
    assert pictures[1] != pictures[3]
