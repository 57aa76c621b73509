"""The error of packed motion on every kind of file; `benchmarks/compression.py` goes through all of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from locomote.errors import LocomoteError
from locomote.formats import FORMATS, load
from locomote.formats._files import split_name
from locomote.motion import Motion
from locomote.spaces import Library
from tests.conftest import DATA
from tests.formats.test_lmz import largest_error, through

FRAMES = 150  # looked at of a file
SINGLE = ("rigs", "mjcf")  # folders in which every file is a body of its own


def kinds() -> dict[str, list[Path]]:
    """Files that may hold motion, by where they lie, who recorded them, and their format."""
    out: dict[str, list[Path]] = {}
    for path in sorted(DATA.rglob("*")):
        extension = split_name(path)[1]
        if path.is_file() and extension in FORMATS and FORMATS[extension].reads:
            source = path.name if path.parent.name in SINGLE else f"{path.name.split('_')[0]} {extension}"
            out.setdefault(f"{path.parent.name} {source}", []).append(path)
    return out


KINDS = kinds()


def middle(path: Path) -> Motion | None:
    """Frames from the middle of a file; none of a file without motion."""
    try:
        motion = load(path)
    except LocomoteError:
        return None
    first = max((len(motion) - FRAMES) // 2, 0)
    return replace(motion[first : first + FRAMES], body=None)


def three(paths: list[Path]) -> list[Path]:
    return [paths[len(paths) * k // 7] for k in (1, 3, 5)] if len(paths) > 6 else paths[:2]


@pytest.mark.data
@pytest.mark.parametrize("kind", KINDS)
def test_the_error_is_kept_on_recorded_files(kind: str, tmp_path: Path) -> None:
    for number, path in enumerate(three(KINDS[kind])):
        motion = middle(path)
        if motion is not None:
            error = (0.01, 0.0005, 0.03)[number % 3]
            assert largest_error(motion, through(motion, tmp_path, error=error)) <= error, path.name


@pytest.mark.data
def test_the_error_is_kept_in_a_library_of_all_kinds(tmp_path: Path) -> None:
    """Bodies of all kinds in one file, with bases where there is enough of a kind."""
    found = [middle(path) for paths in KINDS.values() for path in paths[:1]]
    clips = [replace(motion, name=f"{number}") for number, motion in enumerate(found) if motion is not None]
    assert len(clips) > 30
    Library.of(clips, error=0.01).save(tmp_path / "all.lmz")
    library = Library.load(tmp_path / "all.lmz")
    for clip in clips:
        assert largest_error(clip, library[clip.name].motion()) <= 0.01
