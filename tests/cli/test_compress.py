"""``locomote compress`` and what ``info`` says of its files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

import locomote as lm
from locomote import cli
from locomote.cli.compress import metres
from locomote.errors import LocomoteError
from locomote.samples import performer
from tests.formats.test_lmz import largest_error


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli.app, [str(a) for a in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("clips")
    (path / "more").mkdir()
    lm.save(performer(speed=1.0, seconds=4.0, fps=60.0).motion, path / "slow.bvh")
    lm.save(performer(speed=1.6, seconds=4.0, fps=60.0).motion, path / "more" / "fast.npz")
    (path / "notes.txt").write_text("not a motion")
    return path


def test_a_folder_becomes_a_library(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "motions.lmz"
    done = run("compress", folder, "-o", target, "--error", "5mm", "--json")
    assert done.exit_code == 0
    report = json.loads(done.stdout)
    assert report["clips"] == 2
    assert report["bytes"] == target.stat().st_size
    for path in (folder / "slow.bvh", folder / "more" / "fast.npz"):
        source = lm.load(path)
        assert largest_error(source, lm.load(target, animation=path.stem)) <= 0.005
    told = run("info", target)
    assert told.exit_code == 0
    assert "clips           2" in told.stdout
    assert "at most 5 mm (largest)" in told.stdout
    assert "fast: 241 frames at 60 fps" in told.stdout
    one = run("info", target, "--animation", "fast")
    assert "name            fast" in one.stdout


def test_a_basis_of_another_file(folder: Path, tmp_path: Path) -> None:
    walks = [performer(speed=v, seconds=20.0).motion.resampled(30.0) for v in (0.9, 1.1, 1.3)]
    lm.spaces.Library.of([replace(m, name=str(k)) for k, m in enumerate(walks)]).save(tmp_path / "basis.lmz")
    done = run("compress", folder / "more", "-o", tmp_path / "a.lmz", "--basis", tmp_path / "basis.lmz", "--quiet")
    assert done.exit_code == 0
    assert len(lm.spaces.Library.load(tmp_path / "a.lmz").bases) == 1


@pytest.mark.feature("PGA-14")
@pytest.mark.feature("PGA-15")
def test_what_packing_cost_is_printed_clip_by_clip(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "a.lmz"
    lines = run("compress", folder, "-o", target, "--report", "--quiet").stdout.splitlines()
    head = [cell.strip() for cell in lines[0].split("  ") if cell]
    assert head == [
        *("clip", "bytes", "1 :", "numbers 1 :", "max mm", "mean mm"),
        *("distortion %", "to root %", "angle deg", "skate m/s"),
    ]
    library = lm.spaces.Library.load(target)
    for clip, line in zip(library, lines[1:], strict=True):
        cells = line.split()
        path = next(folder.rglob(f"{clip.name}.*"))
        loss = lm.spaces.compression_loss(lm.load(path), clip.motion())
        assert cells[:2] == [clip.name, str(clip.size)]
        figures = [clip.ratio, clip.count_ratio, 1e3 * loss.largest_error, 1e3 * loss.mean_error, loss.distortion]
        figures += [loss.distortion_root, np.degrees(loss.angle_error), loss.skate_added]
        np.testing.assert_allclose([float(cell) for cell in cells[2:]], figures, atol=0.06)
    told = run("compress", folder, "-o", target, "--report", "--json").stdout
    assert {row["name"] for row in json.loads(told)["losses"]} == {"slow", "fast"}


def test_lengths() -> None:
    assert metres("1cm") == pytest.approx(0.01)
    assert metres("2 mm") == pytest.approx(0.002)
    assert metres("0.5") == metres("0.5 m") == 0.5
    with pytest.raises(LocomoteError, match="such as 1cm"):
        metres("wide")


def test_what_cannot_be_packed(folder: Path, tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.mkdir()
    for arguments, what in (
        ((empty, "-o", tmp_path / "a.lmz"), "no motion files"),
        ((folder, "-o", tmp_path / "a.bvh"), "are called .lmz"),
        ((folder, "-o", tmp_path / "a.lmz", "--error", "0"), "at least 1e-05 m"),
    ):
        done = run("compress", *arguments)
        assert done.exit_code != 0
        assert what in str(done.exception)
