"""Break the sources on purpose, one break at a time, and see whether the tests that are marked for it notice.

``tests/mutations.toml`` is the table of breaks. Every break is made in a copy of ``src``, never in the tree; run are
only the tests that carry a mark of one of its features and pass without it. A break that they do not notice is named,
and ends the run with 1.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
import xml.etree.ElementTree as ET
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from features import HERE, proofs

TABLE = HERE / "tests" / "mutations.toml"
SOURCES = HERE / "src"
PATIENCE = 900.0  # s for the tests of one break; a break that makes them hang is noticed
OUTCOMES = {0: "survived", 1: "noticed"}  # pytest's exit codes; any other one means that no test could run


@dataclass(frozen=True)
class Break:
    """One row of the table."""

    name: str
    features: tuple[str, ...]  # whose tests must notice it
    file: str  # below src
    old: str
    new: str
    uncompiled: bool = False  # with kernels as plain Python, where that is faster than to compile them anew

    def path(self, sources: Path = SOURCES) -> Path:
        return sources / self.file

    def broken(self) -> str:
        """The text of the file with the break in it."""
        path = self.path()
        if not path.is_file():
            raise ValueError(f"{self.name}: no file {path.relative_to(HERE)}")
        text = path.read_text(encoding="utf-8")
        if (found := text.count(self.old)) != 1:
            raise ValueError(f"{self.name}: the text to break stands {found} times in {self.file}, expected once")
        broken = text.replace(self.old, self.new)
        if ast.dump(ast.parse(broken)) == ast.dump(ast.parse(text)):
            raise ValueError(f"{self.name}: the break changes nothing in {self.file}")
        return broken


def table() -> list[Break]:
    """Every break of the table, in its order; ValueError where one does not apply to the sources any more."""
    rows = [
        Break(**{**row, "features": tuple(row["features"])})
        for row in tomllib.loads(TABLE.read_text(encoding="utf-8"))["break"]
    ]
    names = [row.name for row in rows]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise ValueError(f"breaks of the same name: {', '.join(twice)}")
    marked = proofs()
    for row in rows:
        row.broken()
        if unmarked := [feature for feature in row.features if feature not in marked]:
            raise ValueError(f"{row.name}: no test carries the mark of {', '.join(unmarked)}")
    return rows


def pytest(sources: Path, tests: list[str], uncompiled: bool, *options: str) -> int:
    """The exit code of tests with the package at ``sources``; 1 as well if they take too long."""
    lines = {**os.environ, "PYTHONPATH": os.pathsep.join([str(sources), str(HERE)]), "LOCOMOTE_PATIENCE": str(PATIENCE)}
    if uncompiled:
        lines["NUMBA_DISABLE_JIT"] = "1"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *options, *tests]
    try:
        done = subprocess.run(command, cwd=HERE, env=lines, capture_output=True, timeout=PATIENCE, check=False)
    except subprocess.TimeoutExpired:
        return 1
    if done.returncode not in OUTCOMES:
        print(done.stdout.decode()[-2000:] + done.stderr.decode()[-2000:], file=sys.stderr)
    return done.returncode


def passing(sources: Path, tests: list[str], uncompiled: bool, folder: Path) -> set[str]:
    """Which of the tests pass without a break, in every one of their cases."""
    if not tests:
        return set()
    report = folder / f"unbroken-{uncompiled}.xml"
    pytest(sources, tests, uncompiled, f"--junitxml={report}")
    ran: set[str] = set()
    failed: set[str] = set()
    for case in ET.parse(report).iter("testcase"):
        name = case.get("classname", "").replace(".", "/") + ".py::" + case.get("name", "").partition("[")[0]
        if case.find("skipped") is None:
            ran.add(name)
        if case.find("failure") is not None or case.find("error") is not None:
            failed.add(name)
    return ran - failed


def tried(row: Break, unbroken: Path, tests: list[str], folder: Path) -> str:
    """What became of a break: "survived", "noticed" or "not tried"."""
    if not tests:
        return "not tried"
    sources = folder / row.name
    shutil.copytree(unbroken, sources, copy_function=os.link)  # nothing writes into a file that is there
    path = row.path(sources)
    path.unlink()
    path.write_text(row.broken(), encoding="utf-8")
    code = pytest(sources, tests, row.uncompiled, "-x")
    shutil.rmtree(sources)
    return OUTCOMES.get(code, "not tried")


def drawn(count: int, seed: int, fresh: bool) -> list[str]:
    """Marked features at random; fresh ones have no break of their own yet."""
    broken = {feature for row in table() for feature in row.features} if fresh else set()
    return random.Random(seed).sample(sorted(set(proofs()) - broken), count)


def chosen(rows: list[Break], names: list[str]) -> list[Break]:
    """The rows of some names: of breaks, features, or the beginning of a file; all without names."""
    found = [r for r in rows if not names or any(n == r.name or n in r.features or r.file.startswith(n) for n in names)]
    if not found:
        sys.exit(f"no break is called, proves or breaks {', '.join(names)}")
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help="breaks, features or files below src; default: all breaks")
    parser.add_argument("--jobs", type=int, default=1, help="how many breaks are tried at a time")
    parser.add_argument("--draw", type=int, metavar="N", help="print N marked features drawn at random, and end")
    parser.add_argument("--seed", type=int, default=0, help="of the draw")
    parser.add_argument("--fresh", action="store_true", help="draw among the features that no break is of")
    arguments = parser.parse_args()
    if arguments.draw is not None:
        print(*drawn(arguments.draw, arguments.seed, arguments.fresh))
        return
    try:
        rows = chosen(table(), arguments.names)
    except ValueError as error:
        sys.exit(str(error))
    marked = proofs()
    of = {row.name: sorted({test for feature in row.features for test in marked[feature]}) for row in rows}
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        unbroken = folder / "unbroken"
        shutil.copytree(SOURCES, unbroken)
        good = {
            way: passing(unbroken, sorted({t for r in rows if r.uncompiled == way for t in of[r.name]}), way, folder)
            for way in (False, True)
        }

        def attempt(row: Break) -> tuple[Break, str, float]:
            began = time.monotonic()
            outcome = tried(row, unbroken, [t for t in of[row.name] if t in good[row.uncompiled]], folder)
            return row, outcome, time.monotonic() - began

        survivors = 0
        with ThreadPoolExecutor(arguments.jobs) as pool:
            for row, outcome, took in pool.map(attempt, rows):
                survivors += outcome != "noticed"
                print(f"{outcome:10s} {row.name}  ({', '.join(row.features)}; {took:.0f} s)", flush=True)
    print(f"{len(rows) - survivors} of {len(rows)} breaks are noticed")
    sys.exit(1 if survivors else 0)


if __name__ == "__main__":
    main()
