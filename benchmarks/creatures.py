"""Many creatures among thousands of crates: what ``locomote_lab bench creatures`` measures, as a page with plots."""

from __future__ import annotations

import sys

from _page import PAGES, write_page
from locomote_lab.cli import creature_bench as bench

PICTURES = PAGES.parent / "pictures"


def main() -> None:
    results = bench.measure("--quick" in sys.argv)
    shown = [f"![{text}](../pictures/{name})" for name, text in bench.draw(results, PICTURES)]
    write_page("creatures", "Creatures", "\n\n".join([bench.METHOD, *shown]), bench.tables(results))


if __name__ == "__main__":
    main()
