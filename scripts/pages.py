"""Which pages of docs/performance are older than the kernels that they are about; exit 1 if any."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

from _stamp import PAGES, Stamp, digest, stamp_of


def stamps() -> dict[str, Stamp | None]:
    """The stamp of every page, None where there is none."""
    pages = [path for path in sorted(PAGES.glob("*.md")) if path.stem != "index"]  # that one has no figures
    return {path.name: stamp_of(path.read_text(encoding="utf-8")) for path in pages}


def main() -> None:
    found = stamps()
    old = [f"{name}: no stamp" for name, stamp in found.items() if stamp is None]
    old += [
        f"{name}: {stamp.date}, {', '.join(stamp.rooms)} changed since `{stamp.commit}`; "
        f"python3 tasks.py bench {stamp.script.removesuffix('.py')}"
        for name, stamp in found.items()
        if stamp is not None and digest(stamp.rooms) != stamp.digest
    ]
    for line in old:
        print(line)
    print(f"{len(found) - len(old)} of {len(found)} pages are as new as the kernels that they are about")
    sys.exit(1 if old else 0)


if __name__ == "__main__":
    main()
