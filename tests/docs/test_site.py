"""The site builds without a warning, every link leads somewhere, and no page is left out of the navigation."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.md")])
CODE = re.compile(r"^```.*?^```|^    .*?$|`[^`\n]*`", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?://|mailto:)([^)\s#]+)(?:#[^)\s]*)?\)")


def text_of(page: Path) -> str:
    """A page without its code, where brackets are no links; MkDocs looks at all of it as well."""
    return CODE.sub("", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    missing = [link for link in LINK.findall(text_of(page)) if not (page.parent / link).exists()]
    assert not missing


def test_the_site_builds_without_a_warning(tmp_path: Path) -> None:
    """Warnings are errors: links and anchors that lead nowhere, pages that the navigation has not."""
    if importlib.util.find_spec("mkdocs") is None:
        pytest.skip("needs the extra docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--quiet", "--site-dir", str(tmp_path / "site")]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    reference = (tmp_path / "site" / "reference" / "locomote.human" / "index.html").read_text(encoding="utf-8")
    assert "HumanModel" in reference
    verbs = (tmp_path / "site" / "reference" / "command-line" / "index.html").read_text(encoding="utf-8")
    assert "locomote walk" in verbs
    assert "--turn-rate" in verbs
