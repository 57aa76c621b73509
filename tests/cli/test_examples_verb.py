"""`locomote examples`: what the pages start from is written, whole, and loads as what it is said to be."""

import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.cli._examples import EXAMPLES, Example
from locomote.human.scenes._timed_obstacles import TimedObstacles
from locomote.world import Ground

ROOT = Path(__file__).resolve().parents[2]
FAST = ("hero.glb", "walk.bvh", "run.bvh", "beast.glb", "plan.csv", "walk.bvh.xz", "walk.npz", "clips", "frames")


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, ["examples", *(str(each) for each in arguments)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All of them, made once."""
    out = tmp_path_factory.mktemp("examples")
    done = run("-o", out)
    assert done.exit_code == 0, done.output
    return out


def test_all_are_written_and_no_more(folder: Path) -> None:
    lacking = {name for name, one in EXAMPLES.items() if one.lacking}
    assert {each.name for each in folder.iterdir()} - {"wolf.clips.json"} == set(EXAMPLES) - lacking


def test_motions_load_as_they_are(folder: Path) -> None:
    kinds = (".bvh", ".glb", ".npz", ".usdc", ".usda", ".xml")
    for name in EXAMPLES:
        if Path(name).suffix in kinds and (folder / name).exists():
            assert len(lm.load(folder / name).skeleton) > 8, name
    assert lm.load(folder / "walk.ik.mot").skeleton.roles.legs
    assert lm.load(folder / "wolf.glb", animation="Gallop").duration > 0.2
    assert lm.load(folder / "walk.bvh.xz", unit="cm").skeleton.leg_length() == pytest.approx(
        lm.load(folder / "walk.bvh").skeleton.leg_length(), rel=1e-3
    )
    assert lm.load(folder / "fox.glb", unit="cm").skeleton.leg_length() < 0.5


def test_grounds_and_rigs_are_what_pages_take_them_for(folder: Path) -> None:
    for name in ("stairs.toml", "ground.toml", "course.toml", "yard.toml", "crates.toml"):
        assert Ground.read(folder / name).heights([(0.0, 30.0)]) is not None
    for name in ("puddles.toml", "yard.toml", "crates.toml"):
        assert len(TimedObstacles.read(folder / name)) > 0
    for name, legs in (("robot.xml", 4), ("horse.glb", 4), ("my_rig.glb", 4)):
        assert len(lm.creatures.Creature.from_rig(folder / name).morphology.legs) == legs
    beast = lm.creatures.Creature.from_rig(
        folder / "beast.glb", legs=[("hip_l", "toe_l"), ("hip_r", "toe_r")], forward="-x", height=1.2
    )
    assert len(beast.morphology.legs) == 2


def test_the_capture_skates_and_the_new_one_does_not(folder: Path) -> None:
    before, after = lm.measure(lm.load(folder / "capture.bvh")), lm.measure(lm.load(folder / "new.glb"))
    assert before.drift_p95 is not None
    assert after.drift_p95 is not None
    assert after.drift_p95 < 0.5 * before.drift_p95


def test_files_named_are_written_alone_and_kept_where_they_are(tmp_path: Path) -> None:
    assert run("walk.bvh", "clips", "-o", tmp_path, "-q").exit_code == 0
    assert sorted(each.name for each in tmp_path.iterdir()) == ["clips", "walk.bvh"]
    (tmp_path / "walk.bvh").write_text("mine")
    (tmp_path / "clips" / "mine.bvh").write_text("mine")
    told = json.loads(run("walk.bvh", "points.csv", "-o", tmp_path, "--json").stdout)
    assert (told["written"], told["kept"]) == (["points.csv"], ["walk.bvh"])
    assert (tmp_path / "walk.bvh").read_text() == "mine"
    assert run("walk.bvh", "clips", "--force", "-o", tmp_path).exit_code == 0
    assert len(lm.load(tmp_path / "walk.bvh")) == 241
    assert (tmp_path / "clips" / "mine.bvh").read_text() == "mine"


def test_what_cannot_be_made_is_said_and_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lame = Example("nothing", "people", "run", ("no_such_module", "usd"))
    monkeypatch.setitem(EXAMPLES, "strange.usdc", lame)
    done = run("strange.usdc", "points.csv", "-o", tmp_path)
    assert done.exit_code == 0
    assert "strange.usdc: left out, it needs: pip install 'locomote[usd]'" in done.stderr
    assert not (tmp_path / "strange.usdc").exists()


def test_an_unknown_name_is_refused(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.argv", ["locomote", "examples", "nothing.bvh"])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    assert "nothing.bvh: no such example; there are: walk.bvh" in capfd.readouterr().err


READS = re.compile(
    r"""(?:lm\.load|onto=|read_points|Ground\.read|from_rig|read_mesh|animations|read_\w+)\(?["']([\w./-]+)["']"""
    r"""|--(?:path|ground|world|obstacles|onto|rig|clip|stones|cameras|table|calibration|against)[ =]([\w./-]+\.\w+)"""
    r"""|locomote (?:info|convert|retarget|clean|measure|forces|draw|script|solve|track|scan) ([\w./-]+\.\w+)"""
)


def test_every_file_that_a_page_reads_is_among_them_or_made_on_the_page() -> None:
    lost = []
    for page in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))):
        if "performance" in page.parts:
            continue
        text = page.read_text(encoding="utf-8")
        made = set(re.findall(r"""(?:-o|--motion|save\(\w*,?|\.save\() ?["']?([\w./%-]+\.\w+)""", text))
        made |= set(re.findall(r"""save\([^"'\n]*["']([\w./-]+)["']""", text))
        for found in READS.finditer(text):
            name = next(each for each in found.groups() if each)
            numbered = re.sub(r"\d+(?=\.\w+$)", lambda digits: f"%0{len(digits[0])}d", name)  # one of many shards
            if name.split("/")[0] not in EXAMPLES and not {name, numbered} & made:
                lost.append(f"{page.name}: {name}")
    assert lost == []
