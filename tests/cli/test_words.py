"""Errors in words of options, and of what a function takes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import locomote as lm
from locomote.cli import app, main
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


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        ("jump", "jump: missing argument 'length'; locomote jump -h has the help"),
        ("jump far -o a.glb", "jump: length: expected a number; locomote jump -h has the help"),
        ("walk -o a.glb --seconds abc", "walk: --seconds abc: expected a number; locomote walk -h has the help"),
        ("walk -o a.glb --seconds=0", "walk: --seconds 0: expected at least 0.1; locomote walk -h has the help"),
        ("serve --port 1e9", "serve: --port 1e9: expected a whole number; locomote serve -h has the help"),
        ("serve --port 99999", "serve: --port 99999: expected at most 65535; locomote serve -h has the help"),
        ("dog --gait moonwalk", "dog: no option --gait; locomote dog -h has the help"),
        ("steps somewhere", "steps: no command somewhere; locomote steps -h has the help"),
        ("wlak", "no command wlak; did you mean 'walk'?; locomote -h has the help"),
        ("walk --jump", "walk: option '--jump' requires an argument; locomote walk -h has the help"),
        ("convert a.bvh a.docx", "a.docx: not a format that is written; those that are: .bvh"),
        ("draw a.bvh -o a.png --size 0", "--size 0: expected WIDTHxHEIGHT in pixels"),
        ("examples -o a.bvh", "a.bvh: is a file, expected a folder"),
    ],
)
def test_wrong_usage_is_told_in_one_line(
    typed: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("locomote.cli._start.allowed", False)
    (tmp_path / "a.bvh").touch()
    monkeypatch.setattr("sys.argv", ["locomote", *typed.split()])
    with pytest.raises(SystemExit) as ended:
        main()
    (line,) = capsys.readouterr().err.splitlines()
    assert ended.value.code == 2
    assert line.startswith(f"locomote: {said}")


def test_verbs_below_a_verb_are_shown_where_none_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("locomote.cli._start.allowed", False)
    monkeypatch.setattr("sys.argv", ["locomote", "steps"])
    with pytest.raises(SystemExit) as ended:
        main()
    told = capsys.readouterr()
    assert ended.value.code in (0, 2), "older parsers call it a question"
    assert "analyse" in told.out + told.err
    assert "has the help" not in told.err
