"""Many files at once: the same bytes however it is done, and nothing that stops the rest."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import batch, cli
from locomote.errors import LocomoteError
from tests.batch.made import command, contents, corpus, damage, wait_for

CLIPS = 8
runner = CliRunner()


@pytest.fixture(scope="module")
def clips(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("corpus") / "clips"
    corpus(folder, CLIPS)
    return folder


@pytest.fixture(scope="module")
def cleaned(clips: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """What one worker makes of the clips in one go."""
    out = tmp_path_factory.mktemp("one") / "out"
    made = batch.run("clean", clips, out, workers=1)
    assert (made.done, made.kept, made.failures) == (CLIPS, 0, ())
    return contents(out)


def verb(*arguments: object) -> Result:
    return runner.invoke(cli.app, ["batch", *map(str, arguments)])


def test_folders_are_mirrored_and_each_result_is_that_of_the_single_verb(
    clips: Path, cleaned: dict[str, bytes], tmp_path: Path
) -> None:
    sources = sorted(path.relative_to(clips).as_posix() for path in clips.rglob("*.bvh"))
    assert sorted(cleaned) == sorted([*sources, "batch.csv", "batch.jsonl"])
    assert "right/deep/walk_000.bvh" in cleaned
    alone = tmp_path / "alone.bvh"
    one = runner.invoke(cli.app, ["clean", str(clips / "left/walk_001.bvh"), "-o", str(alone), "--json", "-q"])
    assert alone.read_bytes() == cleaned["left/walk_001.bvh"]
    lines = [json.loads(line) for line in cleaned["batch.jsonl"].splitlines()]
    told = next(line for line in lines if line.get("output") == "left/walk_001.bvh")
    assert told["figures"]["after.drift_p95"] == json.loads(one.stdout)["after"]["drift_p95"]
    assert cleaned["batch.csv"].count(b"\n") == CLIPS + 1


def test_bytes_do_not_depend_on_the_number_of_workers(clips: Path, cleaned: dict[str, bytes], tmp_path: Path) -> None:
    batch.run("clean", sorted(clips.rglob("*.bvh"), reverse=True), tmp_path / "out", workers=3)
    assert contents(tmp_path / "out") == cleaned


def test_killed_in_the_middle_and_started_again_the_bytes_are_the_same(
    clips: Path, cleaned: dict[str, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    process = command("batch", "clean", clips, "-o", out, "--workers", 2)
    wait_for(out, "walk_*.bvh", 2, process)
    process.kill()
    process.communicate()
    before = {path: path.stat().st_mtime_ns for path in out.rglob("walk_*.bvh")}
    assert 2 <= len(before) < CLIPS
    (out / "left" / ".walk_001.0123456789ab.bvh").write_text("half of it")  # as a killed worker leaves
    seen: list[batch.Progress] = []
    made = batch.run("clean", clips, out, workers=2, progress=seen.append)
    assert made.kept >= len(before) - 2  # those of which it could not be told any more
    assert made.done == CLIPS - made.kept
    assert sum(path.stat().st_mtime_ns == when for path, when in before.items()) == made.kept
    assert seen[0].kept == made.kept
    assert contents(out) == cleaned
    assert batch.run("clean", clips, out).kept == CLIPS
    assert contents(out) == cleaned


def test_ctrl_c_ends_at_once_and_leaves_nothing_half_written(
    clips: Path, cleaned: dict[str, bytes], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    process = command("batch", "clean", clips, "-o", out, "--workers", 1)
    wait_for(out, "walk_*.bvh", 2, process)  # by then the first is in the record
    process.send_signal(signal.SIGINT)
    _, said = process.communicate()
    assert process.returncode == 130
    assert "the same command goes on from there" in said
    assert "Traceback" not in said
    assert {name: data for name, data in contents(out).items() if name.endswith(".bvh")}.items() <= cleaned.items()
    assert batch.run("clean", clips, out).kept >= 1
    assert contents(out) == cleaned


def test_damaged_files_are_listed_and_the_others_are_done(tmp_path: Path) -> None:
    clips, out = tmp_path / "clips", tmp_path / "out"
    paths = corpus(clips, 4, seconds=1.0)
    for number in range(96):  # a hundred files, of which one is damaged
        (clips / f"copy_{number:02d}.bvh").write_bytes(paths[0].read_bytes())
    damage(clips / "copy_17.bvh")
    result = verb("convert", clips / "**/*.bvh", "-o", out, "--to", ".npz", "--json-lines", "--quiet")
    assert result.exit_code == 1
    *lines, last = map(json.loads, result.stdout.splitlines())
    assert (last["done"], last["failed"]) == (99, 1)
    assert len(lines) == 100
    (bad,) = [line for line in lines if line["status"] == "failed"]
    assert bad["file"].endswith("copy_17.bvh")
    assert "values" in bad["reason"]
    assert "copy_17.bvh" in result.stderr
    assert len(list(out.rglob("*.npz"))) == 99
    assert not (out / "copy_17.npz").exists()
    (clips / "copy_17.bvh").write_bytes(paths[0].read_bytes())
    again = verb("convert", clips / "**/*.bvh", "-o", out, "--to", ".npz", "--json-lines", "--quiet")
    assert again.exit_code == 0
    assert json.loads(again.stdout.splitlines()[-1])["kept"] == 99


def test_what_changed_is_done_anew_and_other_options_are_refused(clips: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    batch.run("convert", clips, out, to="npz", fps=10)
    touched = next(clips.rglob("*.bvh"))
    os.utime(touched)
    assert batch.run("convert", clips, out, to=".npz", fps=10).done == 1
    with pytest.raises(LocomoteError, match=r"other options: fps"):
        batch.run("convert", clips, out, to=".npz")
    with pytest.raises(LocomoteError, match=r"of another kind .* verb convert, not clean"):
        batch.run("clean", clips, out, to=".npz")
    assert batch.run("convert", clips, out, to=".npz", again=True).done == CLIPS


def test_figures_and_their_limits(clips: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    result = verb("measure", clips, "-o", out, "--fail-over", "speed=1.2", "--against", next(clips.rglob("*.bvh")))
    assert result.exit_code == 1
    assert "over the limit of 1.2" in result.stderr
    one = json.loads((out / "left/walk_001.json").read_text())
    assert one["speed"] == pytest.approx(lm.measure(lm.load(clips / "left/walk_001.bvh")).speed)
    assert "against" in one
    assert verb("measure", clips, "-o", out, "--against", next(clips.rglob("*.bvh"))).exit_code == 0  # nothing to do


def test_onto_another_rig(clips: Path, tmp_path: Path) -> None:
    child = lm.samples.human_skeleton(0.5)
    rig, out = tmp_path / "child.npz", tmp_path / "out"
    lm.save(lm.Motion(child, 30.0, child.offsets[:1], child.rest_rotations[None]), rig)
    result = verb("retarget", clips / "left", "-o", out, "--rig", rig, "--to", "glb", "--no-feet")
    assert result.exit_code == 0, result.output
    assert lm.load(out / "walk_001.glb").skeleton.leg_length() == pytest.approx(0.5, rel=1e-3)


@pytest.mark.parametrize(
    "extension", [".bvh", ".npz", ".lmz", ".glb", ".gltf", ".usda", ".usdc", ".vrma", ".bvh.gz", ".bvh.xz"]
)
def test_no_file_says_when_it_was_made(clips: Path, tmp_path: Path, extension: str) -> None:
    for name, clock in (("a", "2001-01-01 00:00:00"), ("b", "2031-05-05 12:34:56")):
        (tmp_path / name).mkdir()
        motion = lm.load(clips / "left/walk_001.bvh")
        with pytest.MonkeyPatch.context() as patch:
            import time

            moment = time.mktime(time.strptime(clock, "%Y-%m-%d %H:%M:%S"))
            patch.setattr(time, "time", lambda moment=moment: moment)
            patch.setattr(time, "localtime", lambda _=None, moment=moment: time.gmtime(moment))
            lm.save(motion, tmp_path / name / f"walk{extension}")
    assert (tmp_path / "a" / f"walk{extension}").read_bytes() == (tmp_path / "b" / f"walk{extension}").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("clean", "nothing/**/*.bvh"), "no motion files"),
        (("clean", "nothing.bvh"), "no such file"),
        (("convert", "CLIPS"), "--to"),
        (("convert", "CLIPS", "--to", ".mot"), "expected one of .bvh"),
        (("measure", "CLIPS", "--to", ".glb"), "expected one of .json"),
        (("retarget", "CLIPS", "--rig", "nothing.glb"), "no such file"),
        (("clean", "CLIPS", "--roles", "nothing.toml"), "cannot be read"),
        (("clean", "CLIPS", "--cluster", "tcp://127.0.0.1:1"), "no Dask scheduler"),
    ],
)
def test_wrong_input_is_told_in_one_line_before_anything_is_made(
    clips: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    given = [str(clips) if each == "CLIPS" else each for each in arguments]
    if "--cluster" in given:
        pytest.importorskip("distributed")
    result = verb(*given, "-o", tmp_path / "out")
    assert isinstance(result.exception, LocomoteError)
    assert words in str(result.exception)
    assert "\n" not in str(result.exception)
    assert not list(tmp_path.rglob("*.bvh"))


def test_two_files_for_one_result_are_refused(tmp_path: Path) -> None:
    (path,) = corpus(tmp_path / "clips", 1)
    lm.save(lm.load(path), path.with_suffix(".npz"))
    with pytest.raises(LocomoteError, match="would both become"):
        batch.run("convert", tmp_path / "clips", tmp_path / "out", to=".glb")


def test_two_batches_in_one_folder_are_refused(clips: Path, tmp_path: Path) -> None:
    def second(now: batch.Progress) -> None:
        if now.entry is None:
            with pytest.raises(LocomoteError, match="another batch writes there"):
                batch.run("convert", clips, tmp_path / "out", to=".npz")

    batch.run("convert", clips / "left", tmp_path / "out", to=".npz", progress=second)
