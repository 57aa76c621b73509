"""Files on disk: whole reads, unpacked up to a limit, and writes that happen entirely or not at all."""

from __future__ import annotations

import gzip
import lzma
import os
import re
import shutil
import uuid
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from locomote.errors import FormatError, LocomoteError

COMPRESSIONS = (".xz", ".gz")
MAX_UNPACKED_BYTES = 1 << 30  # a few hours of full-body text; far more is a decompression bomb or a mistake
_CHUNK_BYTES = 1 << 20
_STEM = 100  # characters of a name that its temporary one has
_TEMPORARY = re.compile(r"\.(.*)\.[0-9a-f]{12}(\.\w+)?(\.xz|\.gz)?", re.DOTALL)


def split_name(path: Path) -> tuple[str, str, str]:
    """The parts of a file name: ``walk.bvh.xz`` is ``("walk", ".bvh", ".xz")``; extensions in lower case."""
    compression = path.suffix.lower() if path.suffix.lower() in COMPRESSIONS else ""
    inner = Path(path.name[: -len(compression)]) if compression else Path(path.name)
    return inner.stem, inner.suffix.lower(), compression


def read_bytes(path: Path) -> bytes:
    """The content of a file, unpacked when its name ends in ``.xz`` or ``.gz``."""
    compression = split_name(path)[2]
    try:
        data = _unpacked(path, compression) if compression else path.read_bytes()
    except FileNotFoundError:
        raise LocomoteError(f"{path}: no such file") from None
    except (lzma.LZMAError, gzip.BadGzipFile, zlib.error, EOFError) as error:
        raise FormatError(path, f"damaged {compression} compression: {error}") from None
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:  # a null character in the name
        raise LocomoteError(f"{str(path)!r}: not a file name: {error}") from None
    except MemoryError:
        raise LocomoteError(f"{path}: does not fit into memory") from None
    if not data:
        raise FormatError(path, "the file is empty")
    return data


def _unpacked(path: Path, compression: str) -> bytes:
    parts: list[bytes] = []
    total = 0
    with (lzma.open if compression == ".xz" else gzip.open)(path, "rb") as stream:
        while chunk := stream.read(_CHUNK_BYTES):
            total += len(chunk)
            if total > MAX_UNPACKED_BYTES:
                raise FormatError(path, f"unpacks to more than the limit of {MAX_UNPACKED_BYTES} bytes")
            parts.append(chunk)
    return b"".join(parts)


def pack(source: Path, target: Path, compression: str) -> None:
    """Write a compressed copy of a file."""
    with source.open("rb") as plain, target.open("wb") as raw, _packing(raw, compression) as packed:
        shutil.copyfileobj(plain, packed, _CHUNK_BYTES)


def _packing(raw: IO[bytes], compression: str) -> lzma.LZMAFile | gzip.GzipFile:
    """Packs without a word of when, or under which name."""
    if compression == ".xz":
        return lzma.LZMAFile(raw, "wb")
    return gzip.GzipFile("", "wb", fileobj=raw, mtime=0)


@contextmanager
def atomic_path(path: str | os.PathLike[str]) -> Iterator[Path]:
    """A temporary name beside ``path``, with its extension, that becomes ``path`` when the block succeeds.

    On any failure the temporary file is removed and a file that was already at ``path`` is untouched.
    """
    target = Path(os.path.realpath(path))  # a link keeps pointing at the new content
    if target.is_dir():
        raise LocomoteError(f"{path}: is a folder, expected the name of a file")
    if not target.parent.is_dir():
        raise LocomoteError(f"{path}: the folder {target.parent} does not exist")
    stem, extension, compression = split_name(Path(path))
    temporary = target.with_name(f".{stem[:_STEM]}.{uuid.uuid4().hex[:12]}{extension}{compression}")
    try:
        yield temporary
        _keep(temporary)
        os.replace(temporary, target)
    except OSError as error:
        raise LocomoteError(f"{path}: cannot be written: {error.strerror or error}") from None
    finally:
        temporary.unlink(missing_ok=True)


def _keep(path: Path) -> None:
    """See that a file is on the disk before it gets its name: after a loss of power it is whole, or is not there."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def leftovers(paths: Iterable[Path]) -> list[Path]:
    """Temporary files of ``paths`` that processes left which were killed while they wrote."""
    wanted: dict[Path, set[tuple[str, str]]] = {}
    for path in paths:
        stem, extension, _ = split_name(path)
        wanted.setdefault(path.parent, set()).add((stem[:_STEM], extension))
    found = []
    for folder, names in wanted.items():
        for name in os.listdir(folder) if folder.is_dir() else ():
            match = _TEMPORARY.fullmatch(name)
            if match and (match[1], (match[2] or "").lower()) in names:
                found.append(folder / name)
    return found
