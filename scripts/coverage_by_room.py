"""Which share of the lines of every room the tests reach, from coverage.json; below 80 % it says what is missing."""

from __future__ import annotations

import json
from collections import defaultdict
from pathlib import Path

ENOUGH = 80.0  # %
ROOT = Path(__file__).resolve().parents[1]


def main() -> None:
    files = json.loads((ROOT / "coverage.json").read_text(encoding="utf-8"))["files"]
    rooms: dict[str, list[tuple[str, int, int]]] = defaultdict(list)
    for name, found in files.items():
        parts = Path(name).parts[2:]  # src/locomote/...
        room = "nouns" if len(parts) == 1 else "/".join(part for part in parts[:-1] if part != "__pycache__")
        summary = found["summary"]
        rooms[room].append(("/".join(parts), summary["covered_lines"], summary["num_statements"]))
    for room, modules in sorted(rooms.items()):
        reached, total = (sum(module[k] for module in modules) for k in (1, 2))
        share = 100.0 * reached / max(total, 1)
        print(f"{share:6.1f} %  {total:6} lines  {room}")
        if share < ENOUGH:
            for name, covered, lines in sorted(modules, key=lambda each: each[1] - each[2])[:8]:
                if covered < lines:
                    print(f"             {lines - covered:5} of {lines} not reached in {name}")


if __name__ == "__main__":
    main()
