"""Checks before the USD library touches a file: it trusts binary files and can take the process down."""

from __future__ import annotations

import struct
import subprocess
import sys
from pathlib import Path
from typing import Any

from locomote.errors import FormatError

CRATE_MAGIC = b"PXR-USDC"
HEADER_BYTES = 88
SECTION = struct.Struct("<16sqq")  # name, start, size
MAX_SECTIONS = 64
# The sections are packed: at best four numbers to a byte, then 255 bytes to one.
MAX_PACKED_PER_BYTE = 4 * 255
MAX_LAYERS = 256  # files that one stage may be put together from
TRIAL_SECONDS = 300.0
TRIAL = """
import sys
from pathlib import Path
from locomote.formats import usd
path = Path(sys.argv[1])
usd.read(path.read_bytes(), path)
"""


def check_crate(data: bytes, named: Path) -> None:
    """Refuse a binary file that is cut off, or whose tables claim more than their bytes can hold."""
    if not data.startswith(CRATE_MAGIC):
        return  # text, which is parsed with care
    if len(data) < HEADER_BYTES:
        raise FormatError(named, "damaged: the binary header is cut off")
    (start,) = struct.unpack_from("<q", data, 16)
    if not HEADER_BYTES <= start <= len(data) - 8:
        raise FormatError(named, "damaged or cut off: the table of contents is not in the file")
    (count,) = struct.unpack_from("<Q", data, start)
    if count > MAX_SECTIONS or start + 8 + count * SECTION.size > len(data):
        raise FormatError(named, "damaged: the table of contents does not fit the file")
    for i in range(count):
        name, at, size = SECTION.unpack_from(data, start + 8 + i * SECTION.size)
        title = name.rstrip(b"\0").decode("ascii", errors="replace")
        if not (HEADER_BYTES <= at <= len(data) and 8 <= size <= len(data) - at):
            raise FormatError(named, "damaged: a section does not fit the file", f"section {title}")
        (entries,) = struct.unpack_from("<Q", data, at)
        if entries > MAX_PACKED_PER_BYTE * size:
            raise FormatError(named, f"damaged: {entries} entries in {size} bytes", f"section {title}")


def check_prims(layer: Any, named: Path) -> None:
    """Refuse a binary layer that lists prims or properties it does not hold."""
    if layer.GetFileFormat().formatId == "usda":  # the text parser builds only what is there
        return
    waiting = [layer.pseudoRoot.path]
    while waiting:
        path = waiting.pop()
        spec = layer.GetObjectAtPath(path)
        if spec is None:
            raise FormatError(named, "damaged: the prim is listed but not there", str(path))
        names = {key: spec.GetInfo(key) if spec.HasInfo(key) else [] for key in ("primChildren", "properties")}
        properties = [path.AppendProperty(str(name)) for name in names["properties"]]
        children = [path.AppendChild(str(name)) for name in names["primChildren"]]
        if any(place.isEmpty or layer.GetObjectAtPath(place) is None for place in properties):
            raise FormatError(named, "damaged: a property is listed but not there", str(path))
        if any(child.isEmpty for child in children):
            raise FormatError(named, "damaged: a prim has no valid name", str(path))
        waiting += children


def check_dependencies(path: Path, named: Path) -> None:
    """Refuse a stage that reaches outside its folder; missing files inside are left to the library."""
    from pxr import Sdf

    folder = path.resolve().parent
    waiting, seen = [path.resolve()], {path.resolve()}
    while waiting:
        file = waiting.pop()
        check_crate(file.read_bytes(), named)
        layer = Sdf.Layer.FindOrOpen(str(file))
        if not layer:
            continue
        check_prims(layer, named)
        for asset in layer.GetCompositionAssetDependencies():
            target = Path(layer.ComputeAbsolutePath(asset).split(":SDF_FORMAT_ARGS:")[0]).resolve()
            if not target.is_relative_to(folder):
                raise FormatError(named, f"refers to {asset!r}, which is outside the file's folder")
            if target.is_file() and target not in seen:
                seen.add(target)
                waiting.append(target)
            if len(seen) > MAX_LAYERS:
                raise FormatError(named, f"is put together from more than {MAX_LAYERS} files")


def try_elsewhere(path: Path, named: Path) -> None:
    """Read the file in another process first; refuse it when that process dies of it."""
    command = [sys.executable, "-c", TRIAL, str(path)]
    quiet = subprocess.DEVNULL
    try:
        done = subprocess.run(command, stdin=quiet, stdout=quiet, stderr=quiet, timeout=TRIAL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise FormatError(named, f"damaged: not read within {TRIAL_SECONDS:g} s") from None
    if done.returncode not in (0, 1):  # 1 is an ordinary error, which comes again when we read it ourselves
        raise FormatError(named, "damaged: the USD library breaks down on it")
