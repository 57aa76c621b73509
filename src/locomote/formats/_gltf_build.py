"""Putting a glTF file together: arrays into one aligned buffer, and the whole into ``.glb`` or ``.gltf``."""

from __future__ import annotations

import base64
import json
import struct
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numpy as np

from locomote.formats._gltf_document import GLB_BIN, GLB_JSON, GLB_MAGIC, Array, Json

ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER = 34962, 34963  # what a view is for: vertices, indices
_COMPONENT_OF = {"u1": 5121, "u2": 5123, "u4": 5125, "f4": 5126}
_TYPE_OF = {1: "SCALAR", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Builder:
    """A glTF tree that grows, and the one buffer behind it."""

    def __init__(self, tree: Json) -> None:
        self.tree = tree
        self.data = bytearray()

    def append(self, kind: str, item: Json) -> int:
        """Add an object of one kind; returns its index."""
        items: list[Json] = self.tree.setdefault(kind, [])
        items.append(item)
        return len(items) - 1

    def place(self, data: bytes) -> Json:
        """Put bytes into the buffer; returns where they are, as a buffer view."""
        self.data.extend(bytes(-len(self.data) % 4))
        start = len(self.data)
        self.data.extend(data)
        return {"buffer": 0, "byteOffset": start, "byteLength": len(data)}

    def accessor(self, values: Array, target: int | None = None, bounds: bool = False) -> int:
        """Store values ``(count, width)``; returns the index of their accessor."""
        view = self.place(np.ascontiguousarray(values).tobytes())
        if target is not None:
            view["target"] = target
        item: Json = {
            "bufferView": self.append("bufferViews", view),
            "componentType": _COMPONENT_OF[values.dtype.str[1:]],
            "count": len(values),
            "type": _TYPE_OF[values.shape[1]],
        }
        if bounds:
            item["min"], item["max"] = values.min(axis=0).tolist(), values.max(axis=0).tolist()
        return self.append("accessors", item)

    def save(self, path: Path) -> None:
        """Write the file: binary as ``.glb``, or text with the buffer inside as ``.gltf``."""
        self.data.extend(bytes(-len(self.data) % 4))
        if self.data:
            self.tree["buffers"] = [{"byteLength": len(self.data)}]
        if path.suffix.lower() != ".glb":
            if self.data:
                text = base64.b64encode(self.data).decode("ascii")
                self.tree["buffers"][0]["uri"] = "data:application/octet-stream;base64," + text
            path.write_bytes(_json_bytes(self.tree))
            return
        text_chunk = _json_bytes(self.tree)
        text_chunk += b" " * (-len(text_chunk) % 4)
        chunks = [struct.pack("<II", len(text_chunk), GLB_JSON), text_chunk]
        if self.data:
            chunks += [struct.pack("<II", len(self.data), GLB_BIN), bytes(self.data)]
        size = 12 + sum(len(chunk) for chunk in chunks)
        path.write_bytes(b"".join([GLB_MAGIC, struct.pack("<II", 2, size), *chunks]))


def _json_bytes(tree: Json) -> bytes:
    return json.dumps(tree, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


def generator() -> str:
    """The name under which files are written."""
    try:
        return f"locomote {version('locomote')}"
    except PackageNotFoundError:
        return "locomote"


def floats(values: Any) -> Array:
    """Values as 32-bit floats."""
    return np.ascontiguousarray(values, dtype="<f4")
