"""Write one page of measured figures: what was measured, on what, and the tables."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from _published import paragraph
from _stamp import PAGES, stamp


def table(head: list[str], rows: list[list[str]]) -> str:
    """A Markdown table."""
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def write_page(name: str, title: str, method: str, tables: list[tuple[str, list[str], list[list[str]]]]) -> None:
    """Write docs/performance/NAME.md and print it."""
    parts = [f"# {title}", method, *paragraph(name)]
    for caption, head, rows in tables:
        parts += ([f"## {caption}"] if caption else []) + [table(head, rows)]
    parts.append(str(stamp(Path(sys.argv[0]).name)))
    text = "\n\n".join(parts) + "\n"
    PAGES.mkdir(parents=True, exist_ok=True)
    (PAGES / f"{name}.md").write_text(text, encoding="utf-8")
    print(text)


def renew_tables(name: str, tables: list[tuple[str, list[str], list[list[str]]]]) -> None:
    """Put tables that were measured anew in the place of those of the same captions; the rest of the page stays.

    They say so themselves: the stamp of the page is that of the rest.
    """
    page = PAGES / f"{name}.md"
    text = page.read_text(encoding="utf-8")
    for caption, head, rows in tables:
        print(caption, table(head, rows), sep="\n\n")
        now = stamp(Path(sys.argv[0]).name)
        new = f"## {caption}\n\nMeasured anew: commit `{now.commit}`, {now.date}.\n\n{table(head, rows)}\n\n"
        old = re.compile(rf"^## {re.escape(caption)}\n.*?(?=^## |^Measured by `)", re.S | re.M)
        text, found = old.subn(lambda _, new=new: new, text)
        if not found:
            text = text.replace("Measured by `", f"{new}Measured by `", 1)
    page.write_text(text, encoding="utf-8")
