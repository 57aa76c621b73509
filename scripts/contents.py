"""What is in distributions: contents.py FILES. It ends with 1 where something is missing or does not belong there."""

from __future__ import annotations

import sys
import tarfile
import zipfile
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NEVER = ("__pycache__", ".nbi", ".nbc", ".pyc", ".venv", "shared/", ".git/", ".hypothesis", ".mypy_cache")
OF_WHEELS = ("LICENSE", "NOTICE", "locomote/py.typed", "locomote/assets/human.npz", "locomote/samples/files/hero.glb")
OF_SOURCES = (
    "LICENSE",
    "NOTICE",
    "README.md",
    "SECURITY.md",
    "CITATION.cff",
    "pyproject.toml",
    "hatch_build.py",
    "mkdocs.yml",
)
LARGEST = {".whl": 25e6, ".gz": 45e6}  # bytes


def names_of(path: Path) -> list[str]:
    """The files of a distribution."""
    if path.suffix == ".whl":
        return zipfile.ZipFile(path).namelist()
    with tarfile.open(path) as archive:
        return [each.name.partition("/")[2] for each in archive.getmembers() if each.isfile()]


def complaints(path: Path) -> list[str]:
    """What is wrong with one."""
    names = names_of(path)
    wheel = path.suffix == ".whl"
    wanted = OF_WHEELS if wheel else OF_SOURCES
    found = [f"{name} is missing" for name in wanted if not any(each.endswith(name) for each in names)]
    found += [f"{name} does not belong there" for name in names if any(part in name for part in NEVER)]
    if wheel:
        modules = {str(each.relative_to(ROOT / "src")) for each in (ROOT / "src" / "locomote").rglob("*.py")}
        found += [f"{name} is missing" for name in sorted(modules - set(names))]
        found += [
            f"{name} does not belong there" for name in names if name.split("/")[0] not in ("locomote", _info(names))
        ]
    if path.stat().st_size > LARGEST[path.suffix]:
        found.append(f"{path.stat().st_size / 1e6:.0f} MB are more than {LARGEST[path.suffix] / 1e6:.0f}")
    return found


def _info(names: list[str]) -> str:
    return next(name.split("/")[0] for name in names if ".dist-info/" in name)


def main(files: list[str]) -> int:
    """Tell of all files; the exit code."""
    bad = False
    for path in map(Path, files):
        names = names_of(path)
        kinds = Counter("/".join(name.split("/")[:2]) for name in names)
        print(f"{path.name}: {len(names)} files, {path.stat().st_size / 1e6:.1f} MB")
        print("  " + ", ".join(f"{folder} {count}" for folder, count in kinds.most_common(12)))
        for line in complaints(path):
            bad = True
            print(f"  {line}")
    return int(bad)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
