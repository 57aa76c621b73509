"""Every example of the pages runs as it stands; what does not run says why, and there is little of it."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import locomote as lm
from locomote.cli._examples import EXAMPLES
from tests.docs.blocks import ELSEWHERE, ROOT, blocks_of, exit_code, look_at_block, pages, run_python, run_shell

MOST_NOT_RUN = 15  # blocks of all pages


def provide(folder: Path, text: str, kept: Path) -> None:
    """Put into a folder what a text names of what ``locomote examples`` writes.

    Parameters
    ----------
    folder : where the examples of a page run
    text : the examples
    kept : where files stay from one page to the next
    """
    names = [name for name in EXAMPLES if re.search(rf"(?<![\w.-]){re.escape(name)}(?![\w-])", text)]
    if names:
        assert exit_code(["examples", *names, "-o", str(kept), "--quiet"]) == 0
    for name in names:
        if (kept / name).is_dir():
            shutil.copytree(kept / name, folder / name)
        elif (kept / name).exists():  # without an extra it is left out
            shutil.copyfile(kept / name, folder / name)


@pytest.fixture(scope="session")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("inputs")


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_the_examples_of_a_page_run(page: Path, tmp_path: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """From top to bottom in one folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("webbrowser.open", lambda address: True)
    blocks = blocks_of(page)
    provide(tmp_path, "".join(block.code for block in blocks), kept)
    names: dict[str, Any] = {"__name__": "page", "lm": lm, "np": np}
    for block in blocks:
        try:
            if block.why:
                look_at_block(block)
            elif block.kind == "python":
                run_python(block, names)
            else:
                run_shell(block)
        except lm.MissingExtra as missing:
            pytest.skip(str(missing))


def test_what_is_not_run_is_a_short_list(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [block for page in pages() for block in blocks_of(page)]
    left_out = [block for block in blocks if block.why]
    lines = [f"{len(left_out)} of {len(blocks)} blocks of the pages are not run:"]
    lines += [f"{block.page.relative_to(ROOT)}:{block.line}: {block.why}" for block in left_out]
    lines += [f"{start} ...: {why}" for start, why in ELSEWHERE.items()]
    with capsys.disabled():
        sys.stdout.write("\n" + "\n  ".join(lines) + "\n")
    assert len(left_out) <= MOST_NOT_RUN


def test_the_first_page_is_short() -> None:
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 150
