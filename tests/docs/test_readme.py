"""The first page claims nothing that a script has not measured: every claim leads to a page with machine and commit."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import pytest

from tests.docs.blocks import ROOT

TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
LINK = re.compile(r"\]\((docs/performance/([\w-]+)\.md)\)")
# Words and figures with which a page claims how good or how fast something is.
CLAIM = re.compile(
    r"\b(million|thousands?|faster|fastest|fast|best|better|seconds|feet that stay|exact|on its mark|real time)\b"
    r"|\b\d[\d.,]* ?(%|ms|µs|mm|times|people|frames)",
    re.IGNORECASE,
)


@pytest.fixture(scope="module")
def stamp_of() -> Iterator[Any]:
    sys.path.insert(0, str(ROOT / "benchmarks"))
    import _stamp

    yield _stamp.stamp_of
    sys.path.remove(str(ROOT / "benchmarks"))
    sys.modules.pop("_stamp")


def paragraphs() -> list[str]:
    """Prose, a paragraph or a row of a table each; code and headings are none."""
    prose = re.sub(r"^```.*?^```$", "", TEXT, flags=re.S | re.M)
    parts = [part for block in prose.split("\n\n") for part in (block.splitlines() if "|" in block else [block])]
    return [part for part in parts if part.strip() and not part.startswith(("#", "|---", "![", "| |"))]


@pytest.mark.parametrize("paragraph", [each for each in paragraphs() if CLAIM.search(re.sub(r"\]\(.*?\)", "]", each))])
def test_a_paragraph_that_claims_something_leads_to_a_measured_page(paragraph: str, stamp_of: Any) -> None:
    pages = LINK.findall(paragraph)
    assert pages, f"a claim without a page: {paragraph}"


def test_pages_that_claims_lead_to_say_machine_and_commit(stamp_of: Any) -> None:
    pages = {path for path, _ in LINK.findall(TEXT)} - {"docs/performance/index.md"}
    assert len(pages) > 10
    for page in pages:
        stamp = stamp_of((ROOT / page).read_text(encoding="utf-8"))
        assert stamp is not None, page
        assert stamp.machine, page
        assert re.fullmatch(r"[0-9a-f]{7,40}\+?", stamp.commit), page
        assert (ROOT / "benchmarks" / stamp.script).is_file(), page


def test_every_row_of_the_table_of_claims_has_such_a_page() -> None:
    table = TEXT.partition("## How good, how fast")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("|")][2:]
    assert len(rows) >= 8
    for row in rows:
        assert LINK.search(row), row
