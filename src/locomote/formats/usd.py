"""USD files (.usda, .usdc, .usd): UsdSkel skeletons with their animations and their skinned bodies."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from locomote.errors import FormatError, MissingExtra
from locomote.formats import _files
from locomote.motion import Motion


def read(data: bytes, path: Path, skeleton: str | None = None, isolated: bool = False) -> Motion:
    """Read the first animated skeleton of a stage, or the one at the prim path ``skeleton``.

    Files that this one refers to must lie in its folder or below. A damaged binary file can bring the USD
    library down, and the process with it; ``isolated`` tries the file in another process first, for files
    from strangers.
    """
    # Damaged files hold numbers that are none; what reads them checks for itself.
    with _quiet(path), np.errstate(invalid="ignore", over="ignore"):
        if path.is_file() and not _files.split_name(path)[2]:
            return _read(data, path, path, skeleton, isolated)
        with tempfile.TemporaryDirectory() as folder:
            plain = Path(folder) / f"stage{_files.split_name(path)[1]}"
            plain.write_bytes(data)
            return _read(data, plain, path, skeleton, isolated)


def write(motion: Motion, path: Path) -> None:
    """Write a motion as a skinned, animated body; ``.usda`` is text, ``.usdc`` and ``.usd`` are binary."""
    write_several([motion], path)


def write_several(motions: Sequence[Motion], path: Path) -> None:
    """Write motions side by side as skinned, animated bodies, each with its own name and at its own rate."""
    from locomote.formats import _usd_write

    with _quiet(path):
        stage = _usd_write.stage_of(motions)  # held while its layer is in use: the layer dies with it
        stage.GetRootLayer().Export(str(path))


def _read(data: bytes, plain: Path, named: Path, skeleton: str | None, isolated: bool) -> Motion:
    """Read the file ``plain``; errors speak of ``named``."""
    from locomote.formats import _usd_guard, _usd_read

    _usd_guard.check_crate(data, named)
    if isolated:
        _usd_guard.try_elsewhere(plain, named)
    return _usd_read.motion_of(_open(plain, named), named, skeleton)


def _open(path: Path, named: Path) -> Any:
    from pxr import Sdf, Usd

    from locomote.formats import _usd_guard

    # A copy of our own: the library would otherwise hand out a layer that the caller has open and changed.
    layer = Sdf.Layer.OpenAsAnonymous(str(path))
    if not layer:
        raise FormatError(named, "not a USD file")
    _usd_guard.check_prims(layer, named)
    if layer.GetCompositionAssetDependencies():
        _usd_guard.check_dependencies(path, named)
        layer = Sdf.Layer.FindOrOpen(str(path))
    stage = Usd.Stage.Open(layer)
    if not stage:
        raise FormatError(named, "the stage cannot be put together")
    return stage


@contextmanager
def _quiet(path: Path) -> Iterator[None]:
    """Keep the library from printing, and turn what it raises into our errors."""
    try:
        from pxr import Tf, UsdUtils
    except ImportError:
        raise MissingExtra("usd-core", "usd", "reading and writing USD") from None
    silence = UsdUtils.CoalescingDiagnosticDelegate()
    try:
        yield
    except Tf.ErrorException as problem:
        raise FormatError(path, f"USD says: {_first_message(problem)}") from None
    finally:
        silence.TakeUncoalescedDiagnostics()
        del silence


def _first_message(problem: Exception) -> str:
    """The first of the library's messages without its place in the library's source."""
    text = " ".join(str(problem).split())
    _, _, message = text.partition(" : '")
    return (message or text).split("' Error in '")[0].strip(" '")[:300] or "unknown error"
