"""The verbs of the walking engine: files out, figures, exit codes, and one line for what is wrong."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.samples import performer
from locomote.samples._files import FOLDER as EXAMPLES
from locomote_lab.__main__ import app as lab

runner = CliRunner()


def run(*arguments: object) -> Result:
    return runner.invoke(cli.app, [str(a) for a in arguments])


def refused(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line that a wrong command prints before it stops with exit code 2."""
    monkeypatch.setattr("sys.argv", ["locomote", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    error = capfd.readouterr().err
    assert "Traceback" not in error
    lines = [line for line in error.splitlines() if line.startswith("locomote: ")]
    assert len(lines) == 1
    return lines[0]


@pytest.mark.parametrize("extension", [".glb", ".bvh", ".npz", ".bvh.gz"])
def test_walk_writes_the_format_of_the_extension(tmp_path: Path, extension: str) -> None:
    file = tmp_path / f"walk{extension}"
    done = run("walk", "--speed", 1.4, "--seconds", 2, "--fps", 30, "-o", file)
    assert done.exit_code == 0, done.output
    assert "m/s" in done.output
    motion = lm.load(file)
    assert (len(motion), motion.fps) == (61, pytest.approx(30.0, rel=1e-5))
    assert lm.measure(motion).speed == pytest.approx(1.4, rel=0.05)


def test_walk_reports_its_figures_as_json(tmp_path: Path) -> None:
    arguments = ("--speed", "0:0,1:1.2", "--turn-rate", "0:0,2:20deg", "--gait", "walk", "--seconds", 2)
    done = run("walk", *arguments, "--leg-length", 0.7, "--json", "-o", tmp_path / "walk.npz")
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert figures["path_length"] == pytest.approx(1.8, abs=0.1)
    assert figures["end"]["x"] > 0.0
    assert lm.load(tmp_path / "walk.npz").skeleton.leg_length() == pytest.approx(0.7)


def test_walk_in_styles(tmp_path: Path) -> None:
    styles = json.loads(run("walk", "--list-styles", "--json").stdout)
    assert run("walk", "--list-styles").stdout.splitlines() == styles
    mixture = f"{styles[0]}=0.7,{styles[1]}=0.3"
    done = run(
        "walk",
        *("--seconds", 1, "--style", mixture, "--style-at", f"0.5:{styles[2]}"),
        *("-o", tmp_path / "walk.npz", "--quiet"),
    )
    assert done.exit_code == 0, done.output
    assert done.output == ""


def test_walk_of_a_child(tmp_path: Path) -> None:
    child = lm.human.Body("female", 5, 0.5)
    done = run("walk", "--sex", "female", "--age", 5, "--build", 0.5, "--seconds", 2, "-o", tmp_path / "child.npz")
    assert done.exit_code == 0, done.output
    motion = lm.load(tmp_path / "child.npz")
    assert motion.skeleton.leg_length() == pytest.approx(child.leg_length)
    assert motion.skeleton.girths == child.proportions.girths
    assert lm.measure(motion).speed == pytest.approx(child.walking_speed, abs=0.05)


def test_walk_along_a_path(tmp_path: Path) -> None:
    done = run("walk", "--path", EXAMPLES / "points.csv", "--fps", 30, "-o", tmp_path / "walk.npz")
    assert done.exit_code == 0, done.output
    assert np.allclose(lm.load(tmp_path / "walk.npz").root_positions[-1, [0, 2]], [7.0, 2.0], atol=0.1)


@pytest.fixture
def steps(tmp_path: Path) -> Path:
    file = tmp_path / "steps.toml"
    file.write_text("[[stairs]]\nstart = [0, 1]\ncount = 3\nlanding = 3\n")
    return file


def test_walk_on_ground_reports_figures_relative_to_it(tmp_path: Path, steps: Path) -> None:
    arguments = ("walk", "--speed", 0.8, "--seconds", 4, "--ground", steps, "--json")
    held = json.loads(run(*arguments, "-o", tmp_path / "held.npz").stdout)
    assert held["ground"] == {"moves": False, "start": 0.0, "end": 0.51, "lowest": 0.0, "highest": 0.51}
    assert held["floating"] < 50.0
    raw = json.loads(run(*arguments, "--no-feet", "-o", tmp_path / "raw.npz").stdout)
    assert raw["ground"]["end"] == 0.51
    heights = [lm.load(tmp_path / f"{name}.npz").root_positions[-1, 1] for name in ("held", "raw")]
    assert heights[0] - heights[1] == pytest.approx(0.51, abs=0.1)


def test_walk_on_stairs_drifts_little_by_the_ordinary_detector(tmp_path: Path, steps: Path) -> None:
    arguments = ("walk", "--speed", 0.8, "--seconds", 4, "--ground", steps, "--json")
    held = json.loads(run(*arguments, "-o", tmp_path / "held.npz").stdout)
    assert held["drift_p95"] < 10.0


def test_the_drift_of_who_walks_on_a_platform_is_relative_to_it(tmp_path: Path) -> None:
    (tmp_path / "belt.toml").write_text(
        "[[platform]]\ncentre = [0, 1]\nsize = [9, 9]\ntop = 0.3\nvelocity = [0.5, 0, 0.2]\nturn_rate = 0.1\n"
    )
    done = run("walk", "--seconds", 3, "--ground", tmp_path / "belt.toml", "--json", "-o", tmp_path / "w.npz")
    figures = json.loads(done.stdout)
    assert figures["ground"]["moves"]
    assert figures["plants"] > 2
    assert figures["drift_median"] < 10.0
    assert figures["end"]["x"] > 1.0


def test_held_feet_slide_less(tmp_path: Path) -> None:
    arguments = (
        "walk",
        "--speed",
        1,
        "--turn-rate",
        "40deg",
        "--seconds",
        4,
        "--json",
        "-o",
        tmp_path / "w.npz",
    )
    held, raw = (json.loads(run(*arguments, *more).stdout) for more in ((), ("--no-feet",)))
    assert held["drift_median"] < 0.5 * raw["drift_median"]


def test_walk_with_the_feet_as_told(tmp_path: Path) -> None:
    for name, options in (("plain", ()), ("told", ("--toe-out", "5deg,20deg", "--wider", 0.05))):
        done = run("walk", "--seconds", 2, *options, "-o", tmp_path / f"{name}.npz")
        assert done.exit_code == 0, done.output
    plain, told = (lm.load(tmp_path / f"{name}.npz").rotations for name in ("plain", "told"))
    assert np.abs(plain - told).max() > 0.05


def test_the_same_seed_gives_the_same_file(tmp_path: Path) -> None:
    for name in ("a.bvh", "b.bvh"):
        assert run("walk", "--seconds", 0.5, "--seed", 3, "-o", tmp_path / name).exit_code == 0
    assert (tmp_path / "a.bvh").read_bytes() == (tmp_path / "b.bvh").read_bytes()


def test_the_example_scene_plays_into_a_folder(tmp_path: Path) -> None:
    done = run("script", EXAMPLES / "scene.toml", "-o", tmp_path / "scene", "--format", "npz")
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in (tmp_path / "scene").iterdir()) == ["anna.npz", "ben.npz", "cleo.npz"]
    assert lm.load(tmp_path / "scene" / "cleo.npz").skeleton.leg_length() == pytest.approx(0.6)


def test_a_scene_on_ground_is_filmed_on_it(tmp_path: Path, steps: Path) -> None:
    scene = tmp_path / "scene.toml"
    scene.write_text(
        f'ground = "{steps.name}"\n[[character]]\naction = [{{ do = "walk", speed = 0.9, seconds = 2 }}]\n'
    )
    film = tmp_path / "one.gif"
    done = run("script", scene, "-o", tmp_path / "one.npz", "--film", film, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)[0]["ground"]["end"] > 0.1
    assert film.stat().st_size > 10_000


def test_one_character_goes_into_one_file_and_a_film(tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text('[[character]]\naction = [{ do = "walk", seconds = 1 }]\n')
    film = tmp_path / "one.gif"
    done = run("script", tmp_path / "one.toml", "-o", tmp_path / "one.glb", "--film", film, "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)[0]["frames"] == 61
    assert len(lm.load(tmp_path / "one.glb")) == 61
    assert film.stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("walk",), "give a file with -o"),
        (("walk", "-o", "walk.xyz"), "not a format that is written"),
        (("walk", "-o", "nowhere/walk.glb"), "does not exist"),
        (("walk", "-o", "x.glb", "--speed", "fast"), "--speed fast: expected a number"),
        (("walk", "-o", "x.glb", "--speed", "0:1,0:2"), "out of order"),
        (("walk", "-o", "x.glb", "--turn-rate", "900deg"), "out of range"),
        (("walk", "-o", "x.glb", "--gait", "trot"), "expected a number, walk, run"),
        (("walk", "-o", "x.glb", "--style", "nobody"), "no style 'nobody'; the styles are:"),
        (("walk", "-o", "x.glb", "--style-at", "nobody"), "expected TIME:STYLE"),
        (("walk", "-o", "x.glb", "--path", "none.csv"), "none.csv: no such file"),
        (("walk", "-o", "x.glb", "--path", "none.csv", "--turn-rate", "1"), "exclude one another"),
        (("walk", "-o", "x.glb", "--ground", "none.toml"), "none.toml: no such file"),
        (("walk", "-o", "x.glb", "--ground", "pyproject.toml"), "the ground: unknown key 'project'"),
        (("walk", "-o", "x.glb", "--toe-out", "out"), "--toe-out out: expected a number"),
        (
            ("walk", "-o", "x.glb", "--toe-out", "1,2,3"),
            "expected one angle or left,right of at most 0.8 rad",
        ),
        (("walk", "-o", "x.glb", "--toe-out", "90deg"), "at most 0.8 rad"),
        (("walk", "-o", "x.glb", "--wider", "3"), "--wider 3: expected -0.05 to 0.2 m"),
        (("walk", "-o", "x.glb", "--age", "500"), "--age 500.0: expected 2 to 90 years"),
        (("walk", "-o", "x.glb", "--sex", "man"), "--sex 'man': expected female or male"),
        (("walk", "-o", "x.glb", "--stature", "180"), "expected 1.50 to 2.12 m for a male of 30"),
        (("walk", "-o", "x.glb", "--model", "pyproject.toml"), "not a model of human motion"),
        (("script", "none.toml", "-o", "x.glb"), "none.toml: no such file"),
        (("script", "pyproject.toml", "-o", "x.glb"), "unknown key"),
        (
            ("script", EXAMPLES / "scene.toml", "-o", "x.glb"),
            "3 characters go into a USD file, such as x.usdc, or into a folder",
        ),
        (("script", EXAMPLES / "scene.toml", "-o", "x", "--film", "x.avi"), "no film format"),
        (("fit", "none.toml", "-o", "x.npz"), "none.toml"),
        (("fit", "none.toml", "-o", "x.glb"), "ends in .npz"),
        (
            ("fit", "a.bvh", "b.bvh", "-o", "x.npz"),
            "become a style: locomote fit --style NAME CLIPS",
        ),
        (("fit", "none.toml", "--gait", "run", "-o", "x.npz"), "--gait goes with --style NAME and clips"),
        (("fit", "a.bvh", "--style", "mine", "--root", "x", "-o", "x.npz"), "--root goes with a corpus"),
        (("fit", "a.bvh", "--style", "mine", "-o", "x.npz"), "a.bvh: no such file"),
        (("fit", "a.bvh", "--style", "brisk", "-o", "x.npz"), "style 'brisk' is in the model already"),
    ],
)
def test_bad_input_is_one_line_and_leaves_nothing(
    arguments: tuple[object, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\n')
    monkeypatch.chdir(tmp_path)
    assert words in refused(monkeypatch, capfd, *arguments)
    assert [path.name for path in tmp_path.iterdir()] == ["pyproject.toml"]


def test_a_style_of_clips_walks(tmp_path: Path) -> None:
    clips = [tmp_path / f"{speed}.bvh" for speed in (1.0, 1.6)]
    for path in clips:
        lm.save(performer(float(path.stem), seconds=3.0, fps=60.0).motion, path)
    model, report = tmp_path / "mine.npz", tmp_path / "mine.json"
    done = run("fit", "--style", "mine", *clips, tmp_path / "gone.bvh", "-o", model, "--report", report)
    assert done.exit_code == 0, done.output
    assert "clip gone.bvh, skipped: " in done.output
    assert "style 'mine' from " in done.output
    assert json.loads(report.read_text())["skipped"][0]["what"] == "clip gone.bvh"
    walked = run("walk", "--model", model, "--style", "mine", "--seconds", 1, "-o", tmp_path / "walk.npz")
    assert walked.exit_code == 0, walked.output


CORPUS = """version = 1
[[source]]
name = "CMU"
licence = "free"
acknowledgement = "mocap.cs.cmu.edu"
[[performer]]
name = "sixteen"
source = "CMU"
style = "brisk"
walk = ["human/walk/cmu_16_15.bvh.xz", "human/walk/cmu_16_21.bvh.xz", "human/walk/cmu_16_31.bvh.xz"]
run = ["human/run/cmu_16_35.bvh.xz", "human/run/cmu_16_36.bvh.xz"]
stand = ["human/jump/cmu_16_03.bvh.xz"]
[[performer]]
name = "thirty-five"
source = "CMU"
style = "steady"
walk = ["human/walk/cmu_35_01.bvh.xz", "human/walk/cmu_35_02.bvh.xz", "human/walk/cmu_35_03.bvh.xz"]
run = ["human/run/cmu_35_17.bvh.xz", "human/run/cmu_35_18.bvh.xz"]
"""


@pytest.fixture(scope="module")
def fitted(data: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any], str]:
    """A model of two people, the report of its fit, and what was printed."""
    folder = tmp_path_factory.mktemp("fit")
    corpus, model, report = folder / "corpus.toml", folder / "model.npz", folder / "report.json"
    corpus.write_text(CORPUS)
    done = run("fit", corpus, "--root", data, "-o", model, "--report", report)
    assert done.exit_code == 0, done.output
    return model, json.loads(report.read_text()), done.output


@pytest.mark.data
def test_fit_makes_a_model_that_walks(fitted: tuple[Path, dict[str, Any], str], tmp_path: Path) -> None:
    model = fitted[0]
    assert run("walk", "--list-styles", "--model", model).stdout.splitlines() == ["brisk", "steady"]
    walked = run("walk", "--model", model, "--style", "brisk", "--seconds", 1, "-o", tmp_path / "walk.npz")
    assert walked.exit_code == 0, walked.output


@pytest.mark.data
def test_fit_says_what_it_used_and_what_it_turned_down(fitted: tuple[Path, dict[str, Any], str]) -> None:
    _, account, printed = fitted
    assert {one["performer"] for one in account["cycles"]} == {"sixteen", "thirty-five"}
    assert account["rejections"]
    for one in account["rejections"]:
        assert f"turned down: {one['reason']}" in printed


@pytest.mark.feature("PCA-041", "PCA-032")
@pytest.mark.data
def test_validate_writes_a_report_with_plots(fitted: tuple[Path, dict[str, Any], str], tmp_path: Path) -> None:
    done = CliRunner().invoke(lab, ["validate", "--model", str(fitted[0]), "-o", str(tmp_path / "report")])
    assert done.exit_code == 0, done.output
    page = (tmp_path / "report" / "report.md").read_text()
    pictures = sorted(path.name for path in (tmp_path / "report").glob("*.png"))
    assert "cadence.png" in pictures
    assert all(name in page for name in pictures)
    steps = json.loads((tmp_path / "report" / "report.json").read_text())["synthesised"]
    assert {one["who"] for one in steps} >= {"brisk", "steady"}
