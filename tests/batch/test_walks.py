"""Labelled walks in shards: the same bytes however they are made, and labels that are those of the poses."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from locomote import batch, cli
from locomote.batch import Walks
from locomote.errors import LocomoteError
from locomote.human import HumanModel, Recording
from tests.batch.made import command, contents, wait_for

WALKS = Walks(count=22, speed=(0.5, 3.0), turn_rate=(-0.4, 0.4), seconds=1.5, fps=30.0, shard=4, seed=3)
SHARDS = 6
runner = CliRunner()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("walks") / "out"
    done = batch.walk(out / "shard-%05d.npz", WALKS, workers=1)
    assert (done.done, done.kept, done.failures) == (SHARDS, 0, ())
    return out


def verb(*arguments: object) -> Result:
    return runner.invoke(cli.app, ["batch", "walk", *map(str, arguments)])


def test_shards_hold_everyone_once_with_labels_of_their_poses(made: Path) -> None:
    assert sorted(contents(made)) == ["batch.csv", "batch.jsonl", *(f"shard-{n:05d}.npz" for n in range(SHARDS))]
    shards = [Recording.load(made / f"shard-{n:05d}.npz") for n in range(SHARDS)]
    assert np.concatenate([each.who for each in shards]).tolist() == list(range(WALKS.count))
    speeds = []
    for number, shard in enumerate(shards):
        with np.load(made / f"shard-{number:05d}.npz") as arrays:
            names, weights = arrays["style_names"], arrays["styles"]
        assert shard.rotations.shape == (len(shard), 46, 22, 4)
        assert np.isfinite(shard.rotations).all()
        assert [names[row.argmax()] for row in weights] == [names[who % len(names)] for who in shard.who]
        for row in range(len(shard)):
            motion = shard.motion(row)
            way = np.linalg.norm(np.diff(motion.root_positions[:, [0, 2]], axis=0), axis=1).sum()
            assert way == pytest.approx(1.5 * shard.speeds[row].mean(), rel=0.12)
            speeds.append(float(shard.speeds[row].mean()))
            feet = motion.joint_positions()[:, [leg.ball for leg in motion.skeleton.roles.legs]]
            still = shard.contacts[row, 1:, :, 1] & shard.contacts[row, :-1, :, 1]
            assert np.linalg.norm(np.diff(feet, axis=0), axis=-1)[still].max(initial=0.0) < 0.02
            for _, frame, foot, kind in shard.events[shard.events[:, 0] == row]:
                stands = shard.contacts[row, :, foot].any(axis=-1)
                assert (stands[frame], stands[frame - 1]) == ((True, False) if kind == 0 else (False, True))
    assert 0.5 <= min(speeds) < 1.2
    assert 2.2 < max(speeds) <= 3.0
    assert shards[0].root_positions[:, 0, [0, 2]] == pytest.approx(0.0, abs=0.1)


def test_bytes_do_not_depend_on_workers_nor_on_how_many_there_are_in_all(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    few = batch.walk(out / "shard-%05d.npz", Walks(**{**vars(WALKS), "count": 8}), workers=1)
    assert few.done == 2
    more = batch.walk(out / "shard-%05d.npz", WALKS, workers=3)
    assert (more.done, more.kept) == (SHARDS - 2, 2)
    assert contents(out) == contents(made)
    other = batch.walk(tmp_path / "b" / "shard-%05d.npz", Walks(**{**vars(WALKS), "count": 4, "seed": 4}), workers=1)
    assert other.done == 1
    assert (tmp_path / "b/shard-00000.npz").read_bytes() != (made / "shard-00000.npz").read_bytes()


def test_killed_in_the_middle_and_started_again_the_bytes_are_the_same(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    asked = ("--count", 22, "--speed", "0.5:3", "--turn-rate", "-0.4:0.4", "--seconds", 1.5, "--shard", 4, "--seed", 3)
    process = command("batch", "walk", *asked, "-o", out / "shard-%05d.npz", "--workers", 2)
    wait_for(out, "shard-*.npz", 1, process)
    process.kill()
    process.communicate()
    left = len(list(out.glob("shard-*.npz")))
    result = verb(*asked, "-o", out / "shard-%05d.npz", "--workers", 2, "--json-lines", "--quiet")
    assert result.exit_code == 0, result.output
    *_, last = map(json.loads, result.stdout.splitlines())
    assert last["done"] + last["kept"] == SHARDS
    assert last["kept"] >= left - 2
    assert contents(out) == contents(made)


def test_everyone_takes_other_speeds_and_turns_when_told_to(tmp_path: Path) -> None:
    walks = Walks(count=30, speed=(0.8, 2.0), seconds=6.0, shard=30, change=2.0, bodies="random", styles="random")
    batch.walk(tmp_path / "walk-%d.npz", walks, workers=1)
    shard = Recording.load(tmp_path / "walk-0.npz")
    assert np.ptp(shard.speeds, axis=1).min() > 0.02
    first = shard.speeds[:, :3] - shard.speeds[:, :1]
    assert (np.abs(first) < 0.05).mean() > 0.8  # not all at once
    assert np.ptp(shard.leg_lengths[:, 0]) > 0.1
    with np.load(tmp_path / "walk-0.npz") as arrays:
        assert {"female", "male"} == set(arrays["sex"])
        assert (arrays["styles"] > 0.0).sum(axis=1).max() > 1


def test_a_table_says_the_same(made: Path, tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    done = batch.walk(tmp_path / "shard-%05d.parquet", Walks(**{**vars(WALKS), "count": 4}), workers=1)
    table = parquet.read_table(tmp_path / "shard-00000.parquet")
    shard = Recording.load(made / "shard-00000.npz")
    people, frames = shard.phases.shape
    assert table.num_rows == people * frames == done.entries["shard-00000.parquet"]["figures"]["frames"]

    def column(name: str, *shape: int) -> np.ndarray:
        chunk = table[name].combine_chunks()
        return (chunk.flatten() if shape else chunk).to_numpy(zero_copy_only=False).reshape(people, frames, *shape)

    assert np.array_equal(column("person")[:, 0], shard.who)
    assert np.array_equal(column("rotations", 22, 4), shard.rotations)
    assert np.array_equal(column("contacts", 2, 3), shard.contacts)
    for name, own in (("phase", "phases"), ("speed", "speeds"), ("turn_rate", "turn_rates"), ("running", "running")):
        assert np.array_equal(column(name), getattr(shard, own))
    assert np.array_equal(column("offsets", 22, 3)[:, 5], shard.offsets)
    events = np.argwhere(column("events", 2, 2))
    assert sorted(map(tuple, events.tolist())) == sorted(map(tuple, shard.events.tolist()))
    meta = {key.decode(): value.decode() for key, value in table.schema.metadata.items()}
    assert len(meta["joints"].split(",")) == 22
    assert meta["contacts"].split(",")[:2] == ["left heel", "left ball"]
    again = batch.walk(tmp_path / "b" / "shard-%05d.parquet", Walks(**{**vars(WALKS), "count": 4}), workers=1)
    assert again.done == 1
    assert (tmp_path / "b/shard-00000.parquet").read_bytes() == (tmp_path / "shard-00000.parquet").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--speed", "fast"), "--speed fast: expected a number"),
        (("--speed", "3:0.5"), "expected a number or (lowest, highest)"),
        (("--turn-rate", "0:9"), "within -2 to 2"),
        (("--styles", "marcher,nobody"), "nobody"),
        (("--gait", "hop"), "expected one of auto, walk, run"),
        (("--bodies", "none"), "expected one of common, random"),
        (("-o", "out/shard.npz"), "where does the number go"),
        (("-o", "out/shard-%05d.h5"), "written as .npz or .parquet"),
        (("--shard", 200_000), "expected a whole number"),
    ],
)
def test_wrong_wishes_are_told_in_one_line_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[object, ...], words: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = verb("-o", "out/shard-%05d.npz", "--count", 4, *arguments)
    assert isinstance(result.exception, LocomoteError), result.output
    assert words in str(result.exception)
    assert "\n" not in str(result.exception)
    assert not list(tmp_path.iterdir())


def test_other_wishes_in_the_same_folder_are_refused(made: Path) -> None:
    with pytest.raises(LocomoteError, match="other options: seed"):
        batch.walk(made / "shard-%05d.npz", Walks(**{**vars(WALKS), "seed": 9}), workers=1)


def test_a_model_of_ones_own_counts_by_what_it_says(tmp_path: Path) -> None:
    HumanModel.default().save(tmp_path / "own.npz")
    walks = Walks(count=2, seconds=0.2, shard=2, model=tmp_path / "own.npz", styles=("marcher",))
    assert batch.walk(tmp_path / "a" / "s%d.npz", walks, workers=1).done == 1
    assert batch.walk(tmp_path / "a" / "s%d.npz", walks, workers=1).kept == 1
    with pytest.raises(LocomoteError, match=r"no\.npz"):
        batch.walk(tmp_path / "b" / "s%d.npz", Walks(count=2, model=tmp_path / "no.npz"), workers=1)


def test_without_pyarrow_it_is_said_which_extra_brings_it(tmp_path: Path) -> None:
    code = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from locomote import batch\n"
        "try:\n    batch.walk(sys.argv[1] + '/s%d.parquet', batch.Walks(count=1))\n"
        "except Exception as error:\n    print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True)
    assert "pip install 'locomote[parquet]'" in done.stdout
