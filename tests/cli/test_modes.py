"""``locomote modes``: the table, films and gaits."""

from __future__ import annotations

import json
from pathlib import Path

from typer.testing import CliRunner

from locomote import load
from locomote.cli import app
from locomote.errors import LocomoteError

run = CliRunner()


def test_the_table_tells_frequency_sides_and_role() -> None:
    out = run.invoke(app, ["modes", "wolf", "--json", "--quiet"])
    assert out.exit_code == 0
    told = json.loads(out.stdout)
    flexible = [row for row in told["modes"] if row["frequency"] > 0.0]
    assert len(told["modes"]) - len(flexible) == 6
    assert all(abs(row["parity"]) == 1.0 for row in flexible)
    assert any(row["what"].startswith("B: ") for row in flexible)
    plain = run.invoke(app, ["modes", "person", "--count", "3"])
    assert plain.stdout.splitlines()[1].split()[-1] == "surge"


def test_gaits_are_written(tmp_path: Path) -> None:
    for body, gait in (("person", "run"), ("ant", "tripod")):
        path = tmp_path / f"{body}.bvh"
        out = run.invoke(app, ["modes", body, "--play", gait, "-o", str(path), "--seconds", "1", "--quiet"])
        assert out.exit_code == 0, out.output
        assert len(load(path)) == 61


def test_what_is_wrong_is_told() -> None:
    for arguments, said in (
        (["nobody"], "no such file"),
        (["wolf", "--play", "jump"], "no gait 'jump'"),
        (["wolf", "--stiffer", "x"], "a joint and a factor"),
        (["wolf", "--stiffer", "*.L=-1"], "factor above 0"),
        (["wolf", "-o", "x.bvh"], "name one by --play"),
    ):
        out = run.invoke(app, ["modes", *arguments])
        assert isinstance(out.exception, LocomoteError)
        assert said in str(out.exception)
