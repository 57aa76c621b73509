"""Creatures on the command line."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.cli import creature
from locomote.cli._demos import creatures
from locomote.creatures import NAMES
from locomote.errors import LocomoteError
from locomote_lab.__main__ import app as lab
from locomote_lab.cli import creature_bench
from locomote_lab.creatures import testbed

WORLD = """
[terrain]
size = [8, 8]
amplitude = 0.05

[[obstacle]]
kind = "box"
centre = [0.2, 0.9]
size = [0.3, 0.3]
height = 0.1
safe = true

[[obstacle]]
kind = "box"
centre = [-0.6, 1.2]
size = [0.3, 0.3]
height = 0.1
velocity = [0.1, 0]
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, [str(a) for a in arguments])


def test_a_creature_goes_over_a_world_into_a_file(tmp_path: Path) -> None:
    world, file = tmp_path / "world.toml", tmp_path / "spider.glb"
    world.write_text(WORLD)
    done = run("creature", "spider", "--world", world, "--speed", 0.6, "--seconds", 1, "-o", file, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["creature"], told["legs"], told["creatures"]) == ("spider", 8, 1)
    assert told["files"] == [str(file)]
    assert told["plans"] > 4
    assert 0.2 < told["ends"][0]["z"] < 0.6
    assert {"stance_slip", "penetration", "crossings", "replans", "couples_a_plan", "blocked"} <= set(told)
    motion = lm.load(file)
    assert len(motion) == 61
    assert motion.body is not None


def test_speeds_turns_and_gaits_are_taken(tmp_path: Path) -> None:
    file = tmp_path / "wolf.npz"
    options = ("--speed", "0:0,0.5:1", "--turn", "20deg", "--gait", "pace", "--seconds", 1, "--fps", 30)
    done = run("creature", "wolf", *options, "--step-height", 0.1, "-o", file, "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["gaits"] == ["pace"]
    assert told["frames"] == 30
    assert told["ends"][0]["x"] > 0.01  # to the left


def test_a_gait_is_tuned_to_the_speed(tmp_path: Path) -> None:
    options = ("--speed", 1.0, "--gait", "tuned", "--seconds", 1, "--fps", 30)
    done = run("creature", "robot", *options, "-o", tmp_path / "robot.npz", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["gaits"] == ["tuned"]
    done = run("creature", "robot", "--gait", "tuned", "--speed", 0, "-o", tmp_path / "robot.npz")
    assert isinstance(done.exception, LocomoteError)
    assert "a gait is tuned for a speed" in str(done.exception)


def test_a_heading_is_faced(tmp_path: Path) -> None:
    done = run("creature", "ant", "--heading", "90deg", "--seconds", 3, "-o", tmp_path / "a.npz", "--json")
    assert done.exit_code == 0, done.output
    end = json.loads(done.stdout)["ends"][0]
    assert end["x"] > 0.5 > end["z"]


def test_a_place_is_gone_to_round_what_is_in_the_way(tmp_path: Path) -> None:
    world = tmp_path / "wall.toml"
    world.write_text("[[obstacle]]\nkind = 'wall'\nstart = [-0.4, 1]\nend = [0.4, 1]\nheight = 1.5\n")
    options = ("--world", world, "--to", "0,2", "--speed", 0.6, "--seconds", 9, "--fps", 30)
    done = run("creature", "ant", *options, "-o", tmp_path / "a.npz", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert told["states"] == ["arrived"]
    assert np.hypot(told["ends"][0]["x"], told["ends"][0]["z"] - 2.0) < 0.1


def test_several_go_into_a_folder(tmp_path: Path) -> None:
    arguments = ("--count", 2, "--seconds", 0.5, "--format", "npz", "--seed", 3, "-o", tmp_path / "ants")
    done = run("creature", "ant", *arguments)
    assert done.exit_code == 0, done.output
    assert sorted(path.name for path in (tmp_path / "ants").iterdir()) == ["ant-1.npz", "ant-2.npz"]
    assert "2 of them, 6 legs" in done.stderr


def test_a_rig_is_taken_by_names_and_height(tmp_path: Path) -> None:
    rig = tmp_path / "beast.glb"
    wolf = lm.creatures.Creature.build("wolf").morphology
    lm.save(lm.creatures.Crowd("wolf").record(0.1), rig)
    names = wolf.skeleton.names
    legs = ",".join(f"{names[leg.joints[0]]}:{names[leg.joints[-1]]}" for leg in wolf.legs)
    options = ("--legs", legs, "--forward", "+z", "--height", 0.5, "--seconds", 0.5)
    done = run("creature", rig, *options, "-o", tmp_path / "out.npz", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert (told["creature"], told["legs"]) == ("beast", 4)
    assert np.ptp(lm.load(tmp_path / "out.npz").joint_positions()[0, :, 1]) < 0.55


def test_a_film_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creature, "FILM_SIZE", (160, 90))
    monkeypatch.setattr(creature, "FILM_FPS", 4.0)
    done = run("creature", "crab", "--seconds", 1, "-o", tmp_path / "c.npz", "--film", tmp_path / "c.gif")
    assert done.exit_code == 0, done.output
    assert (tmp_path / "c.gif").stat().st_size > 2_000


def test_the_list_names_all_with_their_gaits() -> None:
    rows = json.loads(run("creature", "--list", "--json").stdout)
    assert [row["name"] for row in rows] == list(NAMES)
    assert run("creature", "--list", "robot").stdout.startswith("robot        5 legs, hips 0.50 m high: star")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "creature: which? give the file of a rig or one of: spider, "),
        (("spider",), "creature: where to? give a file with -o, such as -o spider.glb"),
        (("dragon", "-o", "x.npz"), "dragon: no such file, and no built-in creature; those are: spider, "),
        (("ant", "-o", "x.pdf"), "x.pdf: not a format that is written; those that are: "),
        (
            ("ant", "-o", "x.npz", "--count", "2"),
            "x.npz: 2 creatures go into a USD file, such as x.usdc, or into a folder",
        ),
        (
            ("ant", "-o", "x.npz", "--height", "2"),
            "ant: --legs, --forward and --height are for the files of rigs",
        ),
        (("ant", "-o", "x.npz", "--gait", "tango"), "no gait 'tango'; the gaits are: tripod, "),
        (("ant", "-o", "x.npz", "--speed", "99"), "--speed 99: 99 is out of range; expected -15 to 15"),
        (("ant", "-o", "x.npz", "--turn", "1", "--heading", "1"), "exclude one another"),
        (("ant", "-o", "x.npz", "--to", "1"), "--to 1: expected X,Z in metres"),
        (("ant", "-o", "x.npz", "--world", "none.toml"), "none.toml: no such file"),
        (("rig.bvh", "-o", "x.npz", "--legs", "hip"), "--legs hip: 'hip': expected HIP:TIP"),
    ],
)
def test_bad_input_is_one_line(
    arguments: tuple[str, ...],
    words: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "rig.bvh").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["locomote", "creature", *arguments])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    lines = [line for line in capfd.readouterr().err.splitlines() if line.startswith("locomote: ")]
    assert len(lines) == 1
    assert words in lines[0]
    assert not (tmp_path / "x.npz").exists()


def test_the_demo_of_creatures_fills_a_folder_with_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(creatures, "CREATURE_SHOWS", (creatures.crab,))
    done = run("demo", "creatures", "-o", tmp_path / "out", "--seconds", 1.0, "--quiet")
    assert done.exit_code == 0, done.output
    page = (tmp_path / "out" / "index.html").read_text()
    assert "any number of legs" in page
    assert "stance slip" in page
    assert {"crab.webp", "crab.glb"} <= {path.name for path in (tmp_path / "out").iterdir()}


@pytest.mark.parametrize("make", creatures.CREATURE_SHOWS, ids=lambda make: make.__name__)
def test_every_show_of_creatures_goes(make: object) -> None:
    show = make(0.4)  # type: ignore[operator]
    assert all(len(motion) > 20 for motion in show.motions)
    assert dict((name, value) for name, value, _ in show.facts)["legs"]


TABLES = {  # of the published results, and figures of theirs that stand beside ours
    "4 creatures, a frame": ("51, 4, 13", "32, 4, 6"),
    "Aims": ("55 ms", "33 ms", "36 ms", "4 ms", "16 µs on 4"),
    "What they do": (),  # what was not measured then
    "Growth with the number of creatures": (),  # curves without figures
    "Bodies of many kinds": ("dozens, 33",),
    "Effects": ("9%", "30 to 40%"),
    "Pendulums: scenes": ("0.30 ms", "3 ms", "5 ms", "0.46 ms, 0.06 ms"),
    "Pendulums: on creatures that walk": ("+10 %",),
    "Pendulums: one chain": (),
}


@pytest.mark.feature("LEG-67")
def test_one_command_prints_every_published_table_with_old_and_new_figures(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(creature_bench, "QUICK", creature_bench.Size(4, 6, (1, 2, 3), 3, 1e-4))
    monkeypatch.setattr(testbed, "CRATES", 40)
    folder = tmp_path / "bench"
    done = CliRunner().invoke(lab, ["bench", "creatures", "--quick", "-o", str(folder), "--quiet"])
    assert done.exit_code == 0, done.output
    found = {part.splitlines()[0]: part for part in done.stdout.split("\n## ")[1:]}
    for caption, theirs in TABLES.items():
        (part,) = (text for name, text in found.items() if name.startswith(caption))
        lines = [line.strip("|").split("|") for line in part.splitlines() if line.startswith("|")]
        head, _, *rows = ([cell.strip() for cell in line] for line in lines)
        old = [k for k, name in enumerate(head) if "source" in name]
        assert bool(old) == bool(theirs)
        for figure in theirs:
            assert any(row[k] == figure for row in rows for k in old), (caption, figure)
        for row in rows:  # ours, in every row
            ours = " ".join(cell for k, cell in enumerate(row) if k not in old and k > 0 and head[k] != "aim")
            assert re.search(r"\d", ours), (caption, row)
            assert "nan" not in ours
    told = json.loads((folder / "creatures.json").read_text())
    assert set(told["modes"]) == {"all in view", "half in view"}
    names = {path.name for path in folder.iterdir()}
    assert names == {"creatures.md", "creatures.json", "creatures-growth.png", "creatures-frames.png"}


def test_wanderers_turn_back_at_the_rim(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = testbed.make_crowd("ant", 4, testbed.make_maps(testbed.Terrain.FLAT))
    monkeypatch.setattr(testbed, "INSIDE", 1.0)
    for _ in range(200):
        testbed.wander(crowd)
        crowd.step(1 / 60)
    x, _, z = crowd.positions.T
    off = np.angle(np.exp(1j * (crowd.headings - np.arctan2(-x, -z))))
    assert np.all(np.abs(off) < 1.1)
