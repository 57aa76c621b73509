"""``locomote steps``: plans in and out, walks, databases, and one line for what is wrong."""

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.steps import read_plan

runner = CliRunner()

PLAN = "side,x,z,yaw,time\nL,0.08,0,,\nR,-0.08,0,,\nL,0.08,0.5,,\nR,-0.08,1.1,,\nL,0.08,1.7,,\nR,-0.08,1.7,,\n"


def run(*arguments: object) -> Result:
    return runner.invoke(cli.app, ["steps", *(str(a) for a in arguments)])


def refused(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line that a wrong command prints before it stops with exit code 2."""
    monkeypatch.setattr("sys.argv", ["locomote", "steps", *map(str, arguments)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    error = capfd.readouterr().err
    assert "Traceback" not in error
    lines = [line for line in error.splitlines() if line.startswith("locomote: ")]
    assert len(lines) == 1
    return lines[0]


def written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def test_walk_puts_the_feet_on_the_plan(tmp_path: Path) -> None:
    plan = written(tmp_path / "plan.csv", PLAN)
    done = run("walk", plan, "-o", tmp_path / "walk.glb", "--fps", 30, "--json")
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert figures["plants"] == 6
    assert figures["miss_mm"] < 1.0
    motion = lm.load(tmp_path / "walk.glb")
    assert motion.fps == pytest.approx(30.0, rel=1e-4)
    assert motion.root_positions[-1, 2] == pytest.approx(1.6, abs=0.25)


def test_walk_on_a_ground(tmp_path: Path) -> None:
    plan = written(tmp_path / "plan.csv", PLAN)
    ground = written(tmp_path / "ground.toml", "[[stairs]]\nstart = [0, 0.8]\ncount = 1\nrise = 0.15\ntread = 3\n")
    done = run("walk", plan, "-o", tmp_path / "walk.npz", "--ground", ground, "--leg", 0.8)
    assert done.exit_code == 0, done.output
    assert "4 steps" in done.output
    roots = lm.load(tmp_path / "walk.npz").root_positions
    assert roots[-1, 1] - roots[0, 1] == pytest.approx(0.15, abs=0.06)


def test_a_plan_along_a_path(tmp_path: Path) -> None:
    done = run("plan", "--path", "0,0 0,3 2,5", "--speed", 1.1, "-o", tmp_path / "plan.csv")
    assert done.exit_code == 0, done.output
    plan = read_plan(tmp_path / "plan.csv")
    assert f"{len(plan)} plants" in done.output
    assert plan.places[-2:, [0, 2]].mean(axis=0) == pytest.approx([2.0, 5.0])
    assert np.all(np.isfinite(plan.times))
    points = written(tmp_path / "points.txt", "0,0\n0,3\n2,5\n")
    assert run("plan", "--path", points, "--speed", 1.1, "-o", tmp_path / "again.csv").exit_code == 0
    assert (tmp_path / "again.csv").read_text() == (tmp_path / "plan.csv").read_text()


def test_a_plan_over_stones(tmp_path: Path) -> None:
    rows = "\n".join(f"{0.1 if i % 2 else -0.1},{0.5 * (i + 1)},0.05" for i in range(8))
    stones = written(tmp_path / "stones.csv", f"x,z,y\n{rows}\n")
    done = run("plan", "--stones", stones, "--from", "0,0", "--to", "0,4.4", "--json", "-o", tmp_path / "plan.csv")
    assert done.exit_code == 0, done.output
    figures = json.loads(done.stdout)
    assert figures["plants"] == len(read_plan(tmp_path / "plan.csv")) == 12
    assert figures["seconds"] is None


def test_a_plan_past_obstacles(tmp_path: Path) -> None:
    yard = written(tmp_path / "yard.toml", '[[obstacle]]\nkind = "puddle"\ncentre = [0, 1]\nlength = 0.4\nwidth = 9\n')
    done = run("plan", "--to", "0,2.2", "--obstacles", yard, "--cell", 0.15, "-q", "-o", tmp_path / "plan.csv")
    assert done.exit_code == 0, done.output
    assert done.output == ""
    places = read_plan(tmp_path / "plan.csv").places
    assert np.abs(places[:, 2] - 1.0).min() > 0.3


@pytest.mark.data
def test_a_plan_of_a_clip_and_a_database_of_a_folder(tmp_path: Path, data: Path) -> None:
    clips = sorted((data / "human" / "walk").glob("cmu_69_*"))[:3]
    done = run("plan", "--clip", clips[0], "-o", tmp_path / "plan.csv")
    assert done.exit_code == 0, done.output
    assert len(read_plan(tmp_path / "plan.csv")) >= 4
    folder = tmp_path / "clips"
    folder.mkdir()
    for clip in clips:
        (folder / clip.name).symlink_to(clip)
    done = run("build", folder, "-o", tmp_path / "steps.npz", "--about", "three walks", "--json")
    assert done.exit_code == 0, done.output
    account = json.loads(done.stdout)
    assert account["clips"] == 3
    assert account["steps"] > 5
    plan = written(tmp_path / "walk.csv", PLAN)
    done = run("walk", plan, "--steps", tmp_path / "steps.npz", "-o", tmp_path / "walk.npz", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["miss_mm"] < 1.0


def test_the_shipped_steps_are_described(tmp_path: Path) -> None:
    done = run("analyse", "-o", tmp_path / "map.png", "--json")
    assert done.exit_code == 0, done.output
    found = json.loads(done.stdout)
    assert found["steps"] > 100
    assert {"name", "measured", "required", "passed"} <= set(found["checks"][0])
    assert (tmp_path / "map.png").stat().st_size > 1000


@pytest.mark.parametrize(
    ("plan", "says"),
    [
        ("side,x,z\nL,0.1,0\nL,0.1,0.4\nR,-0.1,0.8\n", "plan.csv: plant 2: the left foot again"),
        ("side,x,z\nL,0.1,0\nR,-0.1,nan\nL,0.1,0.8\n", "plan.csv, line 3: z is 'nan'"),
        ("side,x,z\nL,0.1,0\nR,-0.1,0\nL,-0.9,0.2\n", "plant 3: the left foot lands 0.80 m beyond the right"),
        ("side,x,z\nL,0.1,0\nR,-0.1,0\nL,0.1,3\n", "plant 3: the left foot is 3.01 m from plant 2"),
        ("side,x,z\nL,0.1,0\nR,-0.1,0\n", "2 plants, expected at least 3"),
        ("side,x,z\n", "a header and nothing below it"),
        ("", "the file is empty"),
    ],
)
def test_bad_plans_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], plan: str, says: str
) -> None:
    file = written(tmp_path / "plan.csv", plan)
    assert says in refused(monkeypatch, capfd, "walk", file, "-o", tmp_path / "walk.glb")
    assert not (tmp_path / "walk.glb").exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("walk", "plan.csv", "-o", "walk.txt"), "not a format that is written"),
        (("walk", "none.csv", "-o", "walk.glb"), "none.csv: no such file"),
        (("plan", "-o", "p.csv"), "from what?"),
        (
            ("plan", "--path", "0,0 0,1", "--clip", "a.bvh", "-o", "p.csv"),
            "--path and --clip exclude one another",
        ),
        (("plan", "--path", "0,0", "-o", "p.csv"), "at least two points"),
        (("plan", "--path", "0,0 a,1", "-o", "p.csv"), "--path a,1"),
        (("plan", "--path", "0,0 0,5", "--speed", "9", "-o", "p.csv"), "speed: expected"),
        (("plan", "--stones", "s.csv", "-o", "p.csv"), "--stones needs --to"),
        (
            ("plan", "--path", "0,0 0,1", "--obstacles", "o.toml", "-o", "p.csv"),
            "--obstacles goes with --to alone",
        ),
        (
            ("plan", "--clip", "a.bvh", "--ground", "g.toml", "-o", "p.csv"),
            "--ground goes with --path or --to",
        ),
        (("plan", "--to", "0,9", "-o", "none/p.csv"), "does not exist"),
        (("build", "none", "-o", "s.npz"), "none: no such folder"),
        (("build", ".", "-o", "s.txt"), "ends in .npz"),
        (("analyse", "none.npz"), "none.npz: no such file"),
        (("analyse", "-o", "map.txt"), "ends in .png"),
    ],
)
def test_wrong_commands_are_refused(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    says: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "plan.csv", PLAN)
    assert says in refused(monkeypatch, capfd, *arguments)


def test_the_nearest_way_says_how_far_one_gets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    stones = written(tmp_path / "stones.csv", "x,z\n0.1,0.5\n-0.1,1\n0.1,3\n")
    line = refused(monkeypatch, capfd, "plan", "--stones", stones, "--to", "0,4", "-o", tmp_path / "plan.csv")
    assert "one gets to stone 2" in line
    assert "the next, stone 3, is 2.01 m away" in line


def test_the_shows_of_stones_stand_on_them() -> None:
    from locomote.cli._demos.stones import water
    from locomote.human._model import HumanModel

    show = water(HumanModel.default(), 4.0)
    assert show.ground is not None
    motion = show.motions[0]
    assert motion.root_positions[-1, 2] > 5.0
    balls = motion.joint_positions()[:, [leg.ball for leg in motion.skeleton.roles.legs]]
    above = show.ground.height_above(balls)
    assert above.min() > -0.02
    assert np.all(above.min(axis=1) < 0.06)  # one foot or the other always stands
