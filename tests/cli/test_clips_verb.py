"""``locomote clips``, and the clips of ``locomote walk``."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from locomote import load, save
from locomote.cli import app
from locomote.creatures import Creature
from locomote.errors import LocomoteError
from locomote.formats import gltf
from locomote.human_skeleton import human_skeleton
from locomote.motion import Motion

runner = CliRunner()


def run(*arguments: str) -> str:
    result = runner.invoke(app, [*arguments, "--quiet"], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


@pytest.fixture
def hero(tmp_path: Path) -> Path:
    skeleton = human_skeleton(0.8)
    rest = skeleton.rest_rotations[None]
    save(Motion(skeleton, 30.0, skeleton.offsets[None, 0], rest, name="bow"), tmp_path / "hero.glb")
    return tmp_path / "hero.glb"


def test_a_rig_gets_clips_beside_its_own(hero: Path, tmp_path: Path) -> None:
    out = tmp_path / "hero_anims.glb"
    told = json.loads(run("clips", str(hero), "-o", str(out), "--clip", "walk", "--clip", "jump", "--json"))
    assert [name for name, _ in gltf.animations(out)] == ["bow", "walk", "jump"]
    assert told["files"] == [str(out), str(tmp_path / "hero_anims.clips.json")]
    assert [clip["loop"] for clip in told["clips"]] == [True, False]
    assert all(clip["events"] for clip in told["clips"])


def test_a_folder_gets_one_file_each(tmp_path: Path) -> None:
    out = tmp_path / "spider"
    run("clips", "spider", "-o", str(out), "--format", "bvh", "--clip", "idle", "--clip", "walk")
    assert sorted(file.name for file in out.iterdir()) == ["idle.bvh", "spider.clips.json", "walk.bvh"]
    assert np.abs(load(out / "walk.bvh").root_positions[:, [0, 2]]).max() < 0.3


def test_a_walk_is_a_loop_on_a_rig_in_place(hero: Path, tmp_path: Path) -> None:
    out = tmp_path / "walk.glb"
    run("walk", "--onto", str(hero), "--in-place", "--loop", "-o", str(out))
    motion = load(out, animation="walk")
    places = motion.joint_positions()
    assert np.abs(places[0] - places[-1]).max() < 1e-4
    assert np.abs(motion.root_positions[:, [0, 2]]).max() < 0.2
    about = json.loads((tmp_path / "walk.clips.json").read_text(encoding="utf-8"))["clips"][0]
    assert about["speed"] == pytest.approx(1.4, rel=0.02)


def test_a_walk_in_place_and_with_root_motion(tmp_path: Path) -> None:
    still, rooted = tmp_path / "still.glb", tmp_path / "rooted.glb"
    run("walk", "--seconds", "2", "--in-place", "--light", "-o", str(still))
    run("walk", "--seconds", "2", "--root-motion", "-o", str(rooted))
    assert np.ptp(load(still).root_positions[:, 2]) < 0.3
    motion = load(rooted)
    assert motion.skeleton.names[0] == "root"
    assert motion.root_positions[-1, 2] == pytest.approx(2.8, abs=0.2)
    assert np.abs(motion.root_positions[:, 1]).max() == 0.0
    light, full = (load(file).body for file in (still, rooted))
    assert light is not None
    assert full is not None
    assert 1000 < len(light.triangles) < 0.55 * len(full.triangles)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("clips", "-o", "a.bvh"), "a.bvh: several clips go into one .glb"),
        (("clips", "nobody.glb", "-o", "a.glb"), "nobody.glb: no such file"),
        (("clips",), "where to"),
        (("clips", "dog", "-o", "a.glb", "--clip", "fly"), "--clip fly: expected one of idle"),
        (("clips", "dog", "-o", "a.glb", "--light"), "--light"),
        (("clips", "dog", "-o", "a.glb", "--as", "person"), "--as person"),
        (("clips", "dog", "-o", "a.glb", "--style", "x"), "--style"),
        (("clips", "-o", "a.glb", "--as", "robot"), "--as robot: expected person or creature"),
        (("walk", "--loop", "--seconds", "3", "-o", "a.glb"), "leave out --seconds"),
        (("walk", "--loop", "--speed", "0:1,2:2", "-o", "a.glb"), "--speed must not change"),
        (("walk", "--loop", "--to", "1,2", "-o", "a.glb"), "leave out --path"),
        (("walk", "--loop", "--speed", "0", "--turn-rate", "0.5", "-o", "a.glb"), "no cycle"),
        (("walk", "--in-place", "--root-motion", "-o", "a.glb"), "exclude one another"),
        (("walk", "--root-motion", "-o", "a.bvh"), "--root-motion: a.bvh"),
        (("walk", "--light", "--onto", "b.glb", "-o", "a.glb"), "--light"),
    ],
)
def test_what_cannot_be_is_refused_in_words_of_options(
    arguments: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LocomoteError) as caught:
        runner.invoke(app, list(arguments), catch_exceptions=False)
    assert message in str(caught.value)


def test_who_is_a_person_and_who_is_not() -> None:
    from locomote.clips._people import is_person

    assert is_person(human_skeleton())
    assert not any(is_person(Creature.build(name).morphology.skeleton) for name in ("dog", "bird", "spider"))
