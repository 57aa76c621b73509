"""Errors in words of options, and of what a function takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import locomote as lm
from locomote.cli import app
from locomote.cli._words import in_options
from locomote.errors import LocomoteError


@pytest.mark.parametrize(
    ("message", "arguments", "wanted"),
    [
        ("order='xxz': expected x", ["--order", "xxz"], "--order 'xxz': expected x"),
        ("a.glb: height must be positive", ["a.glb", "--height", "-1"], "a.glb: --height must be positive"),
        ("view 'sideways': expected", ["--view=sideways"], "--view 'sideways': expected"),
        ("drop_tpose=1: no", ["--drop-tpose"], "--drop-tpose 1: no"),
        ("a.glb: it has no option 'rest' to write it", ["--rest", "x"], "a.glb: it has no option --rest to write it"),
        ("order='xxz': expected x", ["a.glb"], "order='xxz': expected x"),
        ("the view is good", ["--view", "top"], "the view is good"),
        ("--speed 13: out of range", ["--speed", "13"], "--speed 13: out of range"),
    ],
)
def test_keywords_become_options(message: str, arguments: list[str], wanted: str) -> None:
    assert in_options(message, arguments) == wanted


@pytest.mark.parametrize(
    "arguments",
    [("creature", "dog", "-o", "a.glb", "--view", "sideways"), ("draw", "a.glb", "-o", "a.png", "--view", "sideways")],
)
def test_words_are_refused_also_where_nothing_comes_of_them(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(LocomoteError, match="'sideways': expected one of side"):
        CliRunner().invoke(app, list(arguments), catch_exceptions=False)


def test_wrong_types_are_told_in_one_line() -> None:
    wrong: Any = "walk.bvh"
    for verb, call in {
        "measure": lambda: lm.measure(wrong),
        "save": lambda: lm.save(wrong, "a.glb"),
        "draw": lambda: lm.draw.frame(wrong, 0),
    }.items():
        with pytest.raises(LocomoteError, match=f"{verb} takes a Motion: load the file first"):
            call()
    number: Any = 7
    with pytest.raises(LocomoteError, match="measure takes a Motion: got int"):
        lm.measure(number)
    with pytest.raises(LocomoteError, match="load takes the path of a file, got int"):
        lm.load(number)
    with pytest.raises(LocomoteError, match="a crowd takes a HumanModel"):
        lm.human.Crowd(wrong)
    with pytest.raises(LocomoteError, match="a crowd takes a Creature"):
        lm.creatures.Crowd(number)
