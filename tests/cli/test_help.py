"""The help: verbs in groups, two examples of each that run, results for machines, completion for the shell."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import locomote as lm
from locomote.cli import app
from locomote.cli._help import GROUPS, HELP
from tests.docs.blocks import Block, blocks_of, commands_of, exit_code, look_at, pages
from tests.docs.test_blocks import provide

LONG = ("demo", "serve", "studio", "dog", "fit", "robot", "steps build", "solve", "track", "scan", "video")
OWN_WORD = "--json"


def verbs() -> Iterator[tuple[str, Any]]:
    """Every verb by what is typed, groups of verbs as well."""

    def below(command: Any, before: str) -> Iterator[tuple[str, Any]]:
        for name, each in command.commands.items():
            yield f"{before}{name}", each
            if hasattr(each, "commands"):
                yield from below(each, f"{before}{name} ")

    yield from below(typer.main.get_command(app), "")


def shown() -> set[str]:
    """Commands of the pages, which tests/docs runs."""
    return {
        shlex.join(command.words[1:])
        for page in pages()
        for block in blocks_of(page)
        if block.kind == "sh"
        for command in commands_of(block)
        if command.words[0] == "locomote"
    }


def test_every_verb_has_a_group_and_two_examples() -> None:
    assert {name for name, _ in verbs()} == set(HELP)
    for name, help_ in HELP.items():
        assert help_.group in GROUPS, name
        assert len(set(help_.examples)) == 2, name
        for example in help_.examples:
            assert example.startswith(name), example
            (command,) = commands_of(Block(Path("help"), 1, "sh", f"locomote {example}\n", ""))
            look_at(command)


def test_the_help_prints_groups_and_examples() -> None:
    def said(*words: str) -> str:
        done = subprocess.run([sys.executable, "-m", "locomote", *words, "--help"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    first = said()
    assert [first.index(f"─ {group} ─") for group in GROUPS] == sorted(first.index(f"─ {group} ─") for group in GROUPS)
    assert "--show-completion" in first
    for example in HELP["steps walk"].examples:
        assert f"locomote {example}" in re.sub(r"\s+", " ", said("steps", "walk"))


def test_every_verb_speaks_to_machines() -> None:
    for name, verb in verbs():
        if not hasattr(verb, "commands"):
            assert OWN_WORD in {word for parameter in verb.params for word in parameter.opts}, name


EXAMPLES_TO_RUN = [
    example
    for name, help_ in HELP.items()
    for example in help_.examples
    if not example.startswith(LONG)
    and name == next(n for n in sorted(HELP, key=len, reverse=True) if example.startswith(n))
]


@pytest.mark.parametrize("example", [each for each in EXAMPLES_TO_RUN if each not in shown()])
def test_examples_that_stand_on_no_page_run(
    example: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.chdir(tmp_path)
    provide(tmp_path, example, tmp_path_factory.getbasetemp() / "help-inputs")
    assert exit_code(shlex.split(example)) == 0


def test_one_result_for_machines_is_json(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    lm.save(lm.samples.clip(), "walk.bvh")
    lm.save(lm.samples.rig(), "hero.glb")
    for words, key in (
        ("convert walk.bvh walk.npz --json", "motions"),
        ("retarget walk.bvh hero.glb -o hero_walks.glb --json", "frames"),
        ("draw walk.bvh -o walk.png --json", "frames"),
        ("edit walk.bvh --drag RightHand@0.5=0.3,1.2,0.4 -o edited.bvh --json", "drags"),
    ):
        assert exit_code(words.split()) == 0
        told = capsys.readouterr()
        report = json.loads(told.out)
        assert Path(report["file"]).exists()
        assert key in report
        assert told.err == ""
