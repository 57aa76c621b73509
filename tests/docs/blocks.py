"""Code blocks of the pages, and how each is run: as a reader would, from top to bottom, in one folder."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shlex
from collections.abc import Iterator
from contextlib import redirect_stdout
from glob import glob
from pathlib import Path
from typing import Any, NamedTuple

import typer
from tasks import TASKS

from locomote.cli import app

ROOT = Path(__file__).resolve().parents[2]
FENCE = re.compile(
    r"^(?:<!-- not run: (?P<why>[^\n]*?) -->\n)?```(?P<kind>python|sh|bash)\n(?P<code>.*?)^```",
    re.DOTALL | re.MULTILINE,
)
# Commands that are looked at and not run, wherever they stand.
ELSEWHERE = {
    "pip install": "installs",
    "python3 tasks.py": "installs; the tasks are the checks themselves",
    "locomote demo": "minutes; tests/cli runs what it shows",
    "locomote --install-completion": "changes the shell of whoever runs it",
    "locomote serve": "serves until it is stopped; tests/stream",
    "locomote studio": "serves until it is stopped; tests/studio",
}
FAILS = "exits 1"  # said beside a command that is shown because it refuses


class Block(NamedTuple):
    """One fence of a page."""

    page: Path
    line: int  # of its first line of code, from 1
    kind: str  # python or sh
    code: str
    why: str  # it is not run; empty where it is


def blocks_of(page: Path) -> list[Block]:
    """The Python and shell blocks of a page."""
    text = page.read_text(encoding="utf-8")
    return [
        Block(
            page,
            text.count("\n", 0, found.start("code")) + 1,
            "python" if found["kind"] == "python" else "sh",
            found["code"],
            found["why"] or "",
        )
        for found in FENCE.finditer(text)
    ]


def pages() -> list[Path]:
    """The pages with code: the first one of the repository and those of the documentation."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    return [page for page in found if blocks_of(page)]


class Command(NamedTuple):
    """One line of a shell block."""

    line: int
    words: list[str]
    into: str  # the file that its output goes to, or ""
    fails: bool  # it is said to

    @property
    def why(self) -> str:
        """Why it is not run; empty where it is."""
        return next((why for start, why in ELSEWHERE.items() if self.words[: len(start.split())] == start.split()), "")


def commands_of(block: Block) -> Iterator[Command]:
    """The commands of a shell block, with the names of files filled in where there is a star."""
    for number, line in enumerate(block.code.splitlines(), block.line):
        words = shlex.split(line, comments=True)
        if not words:
            continue
        into = words.pop() if words[-2:-1] == [">"] else ""
        words = words[:-1] if into else words
        spread = [each for word in words for each in sorted(glob(word)) or [word] if word]
        yield Command(number, spread, into, FAILS in line)


def run_python(block: Block, names: dict[str, Any]) -> None:
    """Run a block in the names that the blocks above it have left; a session of the interpreter as a doctest."""
    where = str(block.page.relative_to(ROOT))
    if block.code.lstrip().startswith(">>>"):
        example = doctest.DocTestParser().get_doctest(block.code, names, where, where, block.line - 1)
        told: list[str] = []
        runner = doctest.DocTestRunner()
        runner.run(example, out=told.append, clear_globs=False)
        assert runner.failures == 0, "".join(told)
        names.update(example.globs)
        return
    exec(compile("\n" * (block.line - 1) + block.code, where, "exec"), names)


def run_shell(block: Block) -> None:
    """Run the commands of a block; each must end as its line says."""
    for command in commands_of(block):
        if command.why:
            look_at(command)
            continue
        said = f"{block.page.name}:{command.line}: {shlex.join(command.words)}"
        assert command.words[0] == "locomote", f"{said}: only our own commands can be run here; say why not"
        with Path(command.into or os.devnull).open("w", encoding="utf-8") as output, redirect_stdout(output):
            code = exit_code(command.words[1:])
        assert code == (1 if command.fails else 0), said


def exit_code(words: list[str]) -> int:
    """Run a verb in this process."""
    try:
        code = app(words, standalone_mode=False)
    except typer.Exit as done:
        code = done.exit_code
    except SystemExit as done:
        code = done.code
    return code if isinstance(code, int) else 0


def look_at_block(block: Block) -> None:
    """What is not run must at least be Python, or commands that there are."""
    if block.kind == "python":
        ast.parse(block.code)
    else:
        for command in commands_of(block):
            look_at(command)


def look_at(command: Command) -> None:
    """See that a task or a verb exists and has the options that are named."""
    words = command.words
    if words[:2] == ["python3", "tasks.py"]:
        assert words[2] in TASKS, words
    if words[0] != "locomote" or words[1].startswith("-"):
        return
    verb, rest = typer.main.get_command(app), words[1:]
    while hasattr(verb, "commands"):
        verb, rest = verb.commands[rest[0]], rest[1:]
    options = {each for parameter in verb.params for each in (*parameter.opts, *parameter.secondary_opts)}
    for word in rest:
        assert not word.startswith("--") or word.partition("=")[0] in options, f"{words}: no option {word}"
