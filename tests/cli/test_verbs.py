"""The command line as a person or a script meets it: files in and out, exit codes, one-line errors."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.samples import human_skeleton, performer

runner = CliRunner()


@pytest.fixture(scope="module")
def walk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clips") / "walk.bvh"
    lm.save(performer(speed=1.3, seconds=2.5, fps=60.0).motion, path)
    return path


def run(*arguments: object) -> Result:
    return runner.invoke(cli.app, [str(a) for a in arguments])


def main(monkeypatch: pytest.MonkeyPatch, *arguments: object) -> int:
    """Run through the entry point, which turns errors into one line and an exit code."""
    monkeypatch.setattr("sys.argv", ["locomote", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    return int(stop.value.code or 0)


def test_every_verb_has_help() -> None:
    verbs = ("walk", "script", "fit", "info", "convert", "retarget", "measure", "draw", "demo")
    overview = run("--help")
    for verb in verbs:
        assert verb in overview.output
        assert run(verb, "--help").exit_code == 0
    assert run("--version").output.startswith("locomote ")


def test_info_names_the_body_and_what_was_assumed(walk: Path) -> None:
    text = run("info", walk).output
    assert "left leg" in text
    assert "unit" in text
    report = json.loads(run("info", "--json", walk).output)
    assert report["frames"] == 151
    assert report["joints"] == 22


@pytest.mark.parametrize("extension", [".glb", ".usda", ".npz", ".bvh.gz"])
def test_convert_keeps_the_motion(walk: Path, tmp_path: Path, extension: str) -> None:
    target = tmp_path / f"walk{extension}"
    assert run("convert", walk, target).exit_code == 0
    before, after = lm.load(walk).joint_positions(), lm.load(target).joint_positions()
    assert abs(before - after).max() < 1e-4


def test_convert_cuts_resamples_and_scales(walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "part.npz"
    assert run("convert", walk, target, "--start", 0.5, "--end", 1.5, "--fps", 30, "--scale", 2).exit_code == 0
    part = lm.load(target)
    assert (len(part), part.fps) == (31, 30.0)
    assert part.skeleton.leg_length() == pytest.approx(2 * lm.load(walk).skeleton.leg_length())
    assert main(monkeypatch, "convert", walk, target, "--start", 9) == 2


def test_measure_prints_a_table_and_json(walk: Path) -> None:
    table = run("measure", walk).output
    assert "skate_ratio" in table
    assert "cadence" in table
    figures = json.loads(run("measure", walk, "--json").output)
    assert figures[0]["speed"] == pytest.approx(1.3, rel=0.03)


def test_measure_against_a_source(walk: Path) -> None:
    report = json.loads(run("measure", walk, "--against", walk, "--json").output)[0]["against"]
    assert report["motion_distance"] == pytest.approx(0.0, abs=1e-9)
    assert report["figures"]["cadence"]["ratio"] == pytest.approx(1.0)
    assert "vs source" in run("measure", walk, "--against", walk).output


def test_fail_over_is_a_check_for_someone_elses_tests(walk: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert run("measure", walk, "--fail-over", "skate=1.0").exit_code == 0
    over = run("measure", walk, "--fail-over", "speed=0.5")
    assert over.exit_code == 1
    assert "speed is 1.3" in over.output
    assert main(monkeypatch, "measure", walk, "--fail-over", "beauty=3") == 2


def test_retarget_onto_another_body(walk: Path, tmp_path: Path) -> None:
    rig, target = tmp_path / "child.glb", tmp_path / "child_walks.glb"
    child = human_skeleton(0.5)
    lm.save(lm.Motion(child, 30.0, child.offsets[:1], child.rest_rotations[None]), rig)
    done = run("retarget", walk, rig, "-o", target)
    assert done.exit_code == 0, done.output
    assert lm.load(target).skeleton.leg_length() == pytest.approx(0.5, rel=1e-3)


def test_draw_a_sheet_and_a_film(walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("sheet.png", "film.gif", "film.webp"):
        done = run("draw", walk, "-o", tmp_path / name, "--seconds", 0.4, "--size", "160x120", "--fps", 10)
        assert done.exit_code == 0, done.output
        assert (tmp_path / name).stat().st_size > 1000
    assert main(monkeypatch, "draw", walk, "-o", tmp_path / "film.gif", "--size", "huge") == 2


def test_roles_from_a_file(
    walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    roles = tmp_path / "roles.toml"
    roles.write_text('root = "Hips"\nleft_leg = ["LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase"]\n')
    assert "right leg" not in run("info", walk, "--roles", roles).output
    roles.write_text('root = "Tail"\n')
    assert main(monkeypatch, "info", walk, "--roles", roles) == 2
    assert "Tail" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("info", "nothing.bvh"), "no such file"),
        (("info", "pyproject.toml"), "known are .bvh"),
        (("convert", "nothing.bvh", "x.glb"), "no such file"),
        (("info", "tests"), "folder"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: tuple[str, ...],
    words: str,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert main(monkeypatch, *arguments) == 2
    error = capfd.readouterr().err
    lines = [line for line in error.splitlines() if line.startswith("locomote: ")]
    assert len(lines) == 1
    assert words in lines[0]
    assert "Traceback" not in error


def test_a_failed_conversion_leaves_the_old_file(walk: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "keep.bvh"
    target.write_text("precious")
    damaged = tmp_path / "damaged.bvh"
    damaged.write_text(walk.read_text()[:500])
    assert main(monkeypatch, "convert", damaged, target) == 2
    assert target.read_text() == "precious"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["damaged.bvh", "keep.bvh"]


def test_the_demo_fills_a_folder_with_a_page(tmp_path: Path) -> None:
    folder = tmp_path / "out"
    done = run("demo", "-o", folder, "--seconds", 1.0, "--quiet")
    assert done.exit_code == 0, done.output
    page = (folder / "index.html").read_text()
    for name in ("start", "walk", "run", "stroll", "curve", "retargeted", "stairs", "hill", "held"):
        for extension in (".webp", ".png", ".json", ".bvh", ".glb", ".usda", ".npz"):
            assert f"{name}{extension}" in page
            assert (folder / f"{name}{extension}").stat().st_size > 100
    for name, motions in (("crowd", 12), ("styles", 4), ("sizes", 3)):
        assert f"{name}.webp" in page
        assert len(list(folder.glob(f"{name}-*.glb"))) == motions
