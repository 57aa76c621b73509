"""Models kept as arrays with a header, in one file with a version."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.formats._files import atomic_path

T = TypeVar("T")


def save_archive(path: Path, header: dict[str, Any], arrays: Mapping[str, Any]) -> None:
    """Write arrays and a header with "format" and "version"; the file is there whole, or as it was before."""
    told = np.frombuffer(json.dumps(header).encode("utf-8"), dtype=np.uint8)
    with atomic_path(path) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, header=told, **arrays)


def load_archive(
    path: Path, kind: str, version: int, make: Callable[[dict[str, Any], dict[str, Any]], T], what: str
) -> T:
    """What ``make`` makes of the header and the arrays of a file of some kind, of this version or an older one."""
    try:
        data = path.read_bytes()
        if not b"PK".startswith(data[:2]):  # cut short, it is not whole, but still one
            raise FormatError(path, f"is no file of {what}, which is an archive such as those that save writes")
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            arrays = {name: archive[name] for name in archive.files}
        header = json.loads(arrays["header"].tobytes().decode("utf-8"))
        if header["format"] != kind:
            raise FormatError(path, f"is not a {kind}, but a {header['format']}")
        if header["version"] > version:
            raise FormatError(path, f"has version {header['version']}, and this locomote reads up to {version}")
        return make(header, arrays)
    except FileNotFoundError:
        raise LocomoteError(f"{path}: there is no such file") from None
    except FormatError:
        raise
    except LocomoteError as error:
        raise FormatError(path, str(error)) from None
    except (KeyError, TypeError, ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise FormatError(path, f"is not a whole file of {what}: {error}") from None
