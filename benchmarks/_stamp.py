"""What a page of figures says of itself: script, machine, commit, date, and a digest of the sources that it is about.

Sources are the rooms of the package that the script takes anything from, by itself or through helpers beside it and
what judges; of a room that has kernels, the kernels. A page whose digest is no longer theirs is older than they are.
"""

from __future__ import annotations

import ast
import datetime
import hashlib
import platform
import re
import subprocess
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
SOURCES = HERE.parent / "src"
WHOLE = "math"  # what stands for the package where a script names no room: how kernels are compiled
PAGES = HERE.parent / "docs" / "performance"
LINE = re.compile(
    r"^Measured by `benchmarks/(?P<script>\w+\.py)` in one run on: (?P<machine>.+?); (?P<versions>.+?)\. "
    r"Commit `(?P<commit>[0-9a-f]{7,40}\+?)`, (?P<date>\d{4}-\d\d-\d\d)\. "
    r"About (?P<rooms>`.+?`) \((?P<digest>[0-9a-f]{12})\)\.$",
    re.M,
)


class Stamp(NamedTuple):
    """What stands under a page."""

    script: str
    machine: str
    versions: str
    commit: str  # with a + where files were changed since
    date: str
    rooms: tuple[str, ...]
    digest: str

    def __str__(self) -> str:
        rooms = ", ".join(f"`{room}`" for room in self.rooms)
        return (
            f"Measured by `benchmarks/{self.script}` in one run on: {self.machine}; {self.versions}. "
            f"Commit `{self.commit}`, {self.date}. About {rooms} ({self.digest})."
        )


def stamp_of(text: str) -> Stamp | None:
    """The stamp of a page; None if it has none."""
    found = LINE.search(text)
    if found is None:
        return None
    parts = found.groupdict()
    return Stamp(**{**parts, "rooms": tuple(part.strip("`") for part in parts["rooms"].split(", "))})


def stamp(script: str) -> Stamp:
    """The stamp of what a script of benchmarks/ measures now."""
    versions = [f"Python {platform.python_version()}"]
    versions += [f"{name} {version(name)}" for name in ("numpy", "numba", "scipy") if find_spec(name) is not None]
    rooms = rooms_of(HERE / script)
    today = datetime.datetime.now(datetime.UTC).date().isoformat()
    machine = f"{_processor()}, {platform.system()}"
    return Stamp(script, machine, ", ".join(versions), _commit(), today, rooms, digest(rooms))


def _processor() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()


def _commit() -> str:
    def git(*arguments: str) -> str:
        done = subprocess.run(["git", *arguments], cwd=HERE, capture_output=True, text=True, check=False)
        return done.stdout.strip()

    changed = git("status", "--porcelain", "--untracked-files=no", "src")
    return (git("rev-parse", "--short=10", "HEAD") or "0000000") + ("+" if changed else "")


def rooms_of(script: Path, sources: Path = SOURCES) -> tuple[str, ...]:
    """The rooms of the package that a script is about, in the order of their names."""
    rooms: set[str] = set()
    seen: set[Path] = set()
    waiting = [script]
    while waiting:
        path = waiting.pop()
        if path in seen or not path.is_file():
            continue
        seen.add(path)
        for name in _imported(ast.parse(path.read_text(encoding="utf-8"))):
            first, _, rest = name.partition(".")
            room = rest.partition(".")[0]
            if first == "locomote" and (sources / "locomote" / room / "__init__.py").is_file() and room:
                rooms.add(room)
            elif first == "locomote_lab":
                base = sources / Path(*name.split("."))
                waiting += [base.with_suffix(".py"), base / "__init__.py"]
            elif not rest:
                waiting.append(script.parent / f"{first}.py")
    return tuple(sorted(rooms)) or (WHOLE,)


def _imported(tree: ast.AST) -> set[str]:
    """Full names of modules, and of what is taken from them."""
    out: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            out |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            out |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "lm":
            out.add(f"locomote.{node.attr}")
    return out


def _files(room: str, sources: Path) -> list[Path]:
    """The sources of a room: its kernels where it has any."""
    files = sorted((sources / "locomote" / room).rglob("*.py"))
    return [path for path in files if "_kernels" in path.parts] or files


def digest(rooms: tuple[str, ...], sources: Path = SOURCES) -> str:
    """Twelve digits of what the sources of rooms say, whatever their comments and line breaks."""
    said = hashlib.sha256()
    for room in rooms:
        for path in _files(room, sources):
            said.update(str(path.relative_to(sources)).encode())
            said.update(ast.dump(ast.parse(path.read_text(encoding="utf-8"))).encode())
    return said.hexdigest()[:12]
