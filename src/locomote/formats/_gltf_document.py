"""A glTF 2.0 document in memory: its JSON, its buffers, and every index and range checked before use."""

from __future__ import annotations

import base64
import binascii
import json
import struct
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import unquote

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.errors import FormatError
from locomote.formats._gltf_matrix import join_matrix, split_matrix
from locomote.rotations import FloatArray

Json = dict[str, Any]
Array = npt.NDArray[Any]

GLB_MAGIC = b"glTF"
GLB_JSON, GLB_BIN = 0x4E4F534A, 0x004E4942  # chunk types
_COMPONENTS = {5120: "i1", 5121: "u1", 5122: "<i2", 5123: "<u2", 5125: "<u4", 5126: "<f4"}
_WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
# An accessor may have no data at all and stand for zeros; nothing else bounds its length.
_MAX_ZEROS = 1_000_000
_IDENTITY = (1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0)
_COMPRESSED = ("KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression")


class Document:
    """The parts of a glTF file by kind and index; a wrong type, index or range raises `FormatError`."""

    def __init__(self, tree: Json, chunk: bytes | None, path: Path) -> None:
        self.tree, self.path = tree, path
        self._chunk = chunk
        self._buffers: dict[int, bytes] = {}
        self._items: dict[str, list[Json]] = {}  # the lists that have been checked
        self.wrappers: list[int] = []  # nodes at the end that are not in the file
        version = str(self.dict_of(tree, "asset", "asset").get("version", ""))
        if not version.startswith("2."):
            raise self.error("asset.version", f"only glTF 2 is read, this is {version[:20] or 'unmarked'!r}")
        required = tree.get("extensionsRequired", [])
        for name in _COMPRESSED:
            if isinstance(required, list) and name in required:
                raise self.error("extensionsRequired", f"{name} is not read; save the file without compression")

    def error(self, place: str, what: str) -> FormatError:
        """An error that names the file and the place."""
        return FormatError(self.path, what, place)

    # --- JSON values ---

    def items(self, kind: str) -> list[Json]:
        """All objects of one kind, such as ``nodes``."""
        if kind not in self._items:
            values = self.tree.get(kind, [])
            if not isinstance(values, list) or not all(isinstance(value, dict) for value in values):
                raise self.error(kind, "must be a list of objects")
            self._items[kind] = values
        return self._items[kind]

    def dict_of(self, owner: Json, key: str, place: str) -> Json:
        """A member that is an object."""
        value = owner.get(key)
        if not isinstance(value, dict):
            raise self.error(place, f"{key!r} must be an object")
        return value

    def list_of(self, owner: Json, key: str, place: str) -> list[Json]:
        """A member that is a list of objects."""
        value = owner.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise self.error(place, f"{key!r} must be a list of objects")
        return value

    def integer(self, owner: Json, key: str, place: str, default: int | None = None) -> int:
        """A member that is a whole number, not negative."""
        value = owner.get(key, default)
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        if isinstance(value, bool) or not isinstance(value, int) or value < 0:
            raise self.error(place, f"{key!r} must be a whole number of at least 0, got {_short(value)}")
        return value

    def index(self, owner: Json, key: str, place: str, kind: str) -> int:
        """A member that is an index into the objects of ``kind``."""
        value, count = self.integer(owner, key, place), len(self.items(kind))
        if value >= count:
            raise self.error(place, f"{key!r} is {_short(value)}, but there are {count} {kind}")
        return value

    def indices(self, owner: Json, key: str, place: str, kind: str) -> list[int]:
        """A member that is a list of indices into the objects of ``kind``; absent means empty."""
        values = owner.get(key, [])
        if not isinstance(values, list):
            raise self.error(place, f"{key!r} must be a list")
        return [self.index({key: value}, key, place, kind) for value in values]

    def numbers(self, owner: Json, key: str, place: str, default: Sequence[float]) -> FloatArray:
        """A member that is a list of finite numbers, as many as ``default`` has."""
        values = owner.get(key)
        if values is None:
            return np.array(default, dtype=np.float64)
        plain = isinstance(values, list) and all(type(value) in (int, float) for value in values)
        if not plain or len(values) != len(default):
            raise self.error(place, f"{key!r} must be {len(default)} numbers")
        # Beyond the range of a 32-bit float nothing can be stored or computed again.
        if not all(abs(value) < 1e38 for value in values):
            raise self.error(place, f"{key!r} holds a number that is not finite")
        return np.array(values, dtype=np.float64)

    # --- the node tree ---

    @cached_property
    def children(self) -> list[list[int]]:
        """The children of every node."""
        nodes = self.items("nodes")
        return [self.indices(node, "children", f"nodes[{n}]", "nodes") for n, node in enumerate(nodes)]

    @cached_property
    def parents(self) -> list[int]:
        """The parent of every node, -1 for a root; a node has one parent and is not below itself."""
        parents = [-1] * len(self.children)
        for n, below in enumerate(self.children):
            for child in below:
                if parents[child] >= 0:
                    raise self.error(f"nodes[{n}]", f"its child {child} already has the parent {parents[child]}")
                parents[child] = n
        reached = set(self.depth_first([n for n, parent in enumerate(parents) if parent < 0]))
        if len(reached) < len(parents):
            lost = next(n for n in range(len(parents)) if n not in reached)
            raise self.error(f"nodes[{lost}]", "it is its own ancestor")
        return parents

    def depth_first(self, roots: list[int]) -> list[int]:
        """The nodes at and below ``roots``, every parent before its children."""
        order, waiting = [], roots[::-1]
        while waiting:
            node = waiting.pop()
            order.append(node)
            waiting.extend(self.children[node][::-1])
        return order

    def ancestors(self, node: int) -> list[int]:
        """The nodes from ``node`` (included) up to its root."""
        path = [node]
        while self.parents[path[-1]] >= 0:
            path.append(self.parents[path[-1]])
        return path

    def node_parts(self, n: int) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Translation, rotation (wxyz) and scale of a node; those of a matrix leave out its shear."""
        node, place = self.items("nodes")[n], f"nodes[{n}]"
        if "matrix" in node:
            return split_matrix(self._given_matrix(n))
        turn = self.numbers(node, "rotation", place, (0.0, 0.0, 0.0, 1.0))[[3, 0, 1, 2]]
        return (
            self.numbers(node, "translation", place, (0.0, 0.0, 0.0)),
            rot.normalize(turn),
            self.numbers(node, "scale", place, (1.0, 1.0, 1.0)),
        )

    @cached_property
    def node_matrices(self) -> FloatArray:
        """The local matrices ``(N, 4, 4)`` of all nodes."""
        nodes = self.items("nodes")
        parts = [self.node_parts(n) for n in range(len(nodes))]
        out = join_matrix(*(np.array(part).reshape(len(nodes), -1) for part in zip(*parts, strict=True)))
        for n, node in enumerate(nodes):
            if "matrix" in node:  # it may have a shear, which the parts leave out
                out[n] = self._given_matrix(n)
        return out

    def _given_matrix(self, n: int) -> FloatArray:
        columns = self.numbers(self.items("nodes")[n], "matrix", f"nodes[{n}]", _IDENTITY)
        out: FloatArray = columns.reshape(4, 4).T
        return out

    def rest_worlds(self) -> FloatArray:
        """The world matrices ``(N, 4, 4)`` of all nodes as the file places them."""
        worlds = self.node_matrices.copy()
        for n in self.depth_first([n for n, parent in enumerate(self.parents) if parent < 0]):
            if self.parents[n] >= 0:
                worlds[n] = worlds[self.parents[n]] @ worlds[n]
        return worlds

    def wrap(self, roots: list[int], node: Json) -> int:
        """Put a new node above some roots, in every scene that shows one of them; returns its index."""
        nodes = self.items("nodes")
        nodes.append({**node, "children": roots})
        top = len(nodes) - 1
        self.wrappers.append(top)
        for s, scene in enumerate(self.items("scenes")):
            shown = self.indices(scene, "nodes", f"scenes[{s}]", "nodes")
            if set(shown) & set(roots):
                scene["nodes"] = [n for n in shown if n not in roots] + [top]
        for derived in ("children", "parents", "node_matrices"):
            self.__dict__.pop(derived, None)
        return top

    # --- binary data ---

    def buffer(self, b: int) -> bytes:
        """The bytes of one buffer: of the GLB chunk, a data URI, or a file beside this one."""
        if b not in self._buffers:
            place = f"buffers[{b}]"
            item = self.items("buffers")[b]
            length = self.integer(item, "byteLength", place)
            if "uri" in item:
                found = read_uri(self, item["uri"], place)
            elif b == 0 and self._chunk is not None:
                found = self._chunk
            else:
                raise self.error(place, "it has neither a 'uri' nor a GLB chunk")
            if len(found) < length:
                raise self.error(place, f"it should hold {length} bytes, but there are {len(found)}")
            self._buffers[b] = found[:length]
        return self._buffers[b]

    def view(self, v: int) -> tuple[bytes, int | None]:
        """The bytes of one buffer view, and its stride if it has one."""
        place = f"bufferViews[{v}]"
        item = self.items("bufferViews")[v]
        data = self.buffer(self.index(item, "buffer", place, "buffers"))
        start, length = self.integer(item, "byteOffset", place, 0), self.integer(item, "byteLength", place)
        if start + length > len(data):
            raise self.error(place, f"bytes {start} to {start + length} lie outside its buffer of {len(data)} bytes")
        stride = self.integer(item, "byteStride", place) if "byteStride" in item else None
        return data[start : start + length], stride

    def accessor(self, a: int, widths: Sequence[str], finite: bool = True) -> Array:
        """The values ``(count, width)`` of one accessor, of one of the types ``widths``.

        Whole numbers marked as normalised become floats of -1 to 1; ``finite`` refuses what is no number.
        """
        place = f"accessors[{a}]"
        item = self.items("accessors")[a]
        kind = str(item.get("type"))
        if kind not in widths:
            raise self.error(place, f"its type must be {' or '.join(widths)} here, got {_short(kind)}")
        width, count = _WIDTHS[kind], self.integer(item, "count", place)
        dtype = self._component(item, place)
        if "bufferView" in item:
            v = self.index(item, "bufferView", place, "bufferViews")
            values = self._strided(v, self.integer(item, "byteOffset", place, 0), dtype, (count, width), place)
        elif count * width <= _MAX_ZEROS:
            values = np.zeros((count, width), dtype)
        else:
            raise self.error(place, f"{count} elements without a bufferView are too many")
        if "sparse" in item:
            values = self._patched(values, self.dict_of(item, "sparse", place), f"{place}.sparse")
        if dtype.kind == "f":
            with np.errstate(invalid="ignore"):  # said once, below
                values = values.astype(np.float64)
            if finite and not np.all(np.isfinite(values)):
                raise self.error(place, f"element {int(np.argwhere(~np.isfinite(values))[0][0])} is not finite")
        elif item.get("normalized") is True:
            values = np.maximum(values / float(np.iinfo(dtype).max), -1.0)
        return values

    def _component(self, item: Json, place: str) -> np.dtype[Any]:
        code = self.integer(item, "componentType", place)
        if code not in _COMPONENTS:
            raise self.error(place, f"componentType must be one of {', '.join(map(str, _COMPONENTS))}, got {code}")
        return np.dtype(_COMPONENTS[code])

    def _strided(self, v: int, start: int, dtype: np.dtype[Any], shape: tuple[int, int], place: str) -> Array:
        data, stride = self.view(v)
        size = dtype.itemsize * shape[1]
        step = size if stride is None else stride
        if step < size or step > 4096:
            raise self.error(f"bufferViews[{v}]", f"byteStride {step} does not fit elements of {size} bytes")
        end = start + step * (shape[0] - 1) + size if shape[0] else start
        if end > len(data):
            raise self.error(place, f"it ends at byte {end} of bufferViews[{v}], which has {len(data)}")
        if not shape[0]:
            return np.zeros(shape, dtype)
        values: Array = np.ndarray(shape, dtype, buffer=data, offset=start, strides=(step, dtype.itemsize))
        return values

    def _patched(self, values: Array, sparse: Json, place: str) -> Array:
        count = self.integer(sparse, "count", place)
        where, what = self.dict_of(sparse, "indices", place), self.dict_of(sparse, "values", place)
        at = self._strided(
            self.index(where, "bufferView", place, "bufferViews"),
            self.integer(where, "byteOffset", place, 0),
            self._component(where, place),
            (count, 1),
            place,
        )[:, 0]
        new = self._strided(
            self.index(what, "bufferView", place, "bufferViews"),
            self.integer(what, "byteOffset", place, 0),
            values.dtype,
            (count, values.shape[1]),
            place,
        )
        if at.dtype.kind != "u" or np.any(at >= len(values)):
            raise self.error(place, f"an index lies outside the {len(values)} elements")
        out = values.copy()
        out[at] = new
        return out


def parse(data: bytes, path: Path) -> Document:
    """The document of a ``.gltf`` or ``.glb`` file; which of the two it is, its first bytes say."""
    text, chunk = _glb_chunks(data, path) if data[:4] == GLB_MAGIC else (data, None)
    try:
        tree = json.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as problem:
        raise FormatError(path, f"not valid JSON: {str(problem)[:120]}", "JSON") from None
    if not isinstance(tree, dict):
        raise FormatError(path, "the top of a glTF file must be an object", "JSON")
    return Document(tree, chunk, path)


def _glb_chunks(data: bytes, path: Path) -> tuple[bytes, bytes | None]:
    if len(data) < 12:
        raise FormatError(path, "it ends within its header of 12 bytes", "GLB header")
    version, length = struct.unpack_from("<II", data, 4)
    if version != 2:
        raise FormatError(path, f"only version 2 is read, this is version {version}", "GLB header")
    if length > len(data):
        raise FormatError(path, f"it should have {length} bytes, but has {len(data)}", "GLB header")
    chunks: dict[int, bytes] = {}
    at = 12
    while at + 8 <= length:
        size, kind = struct.unpack_from("<II", data, at)
        if at + 8 + size > length:
            raise FormatError(path, f"a chunk of {size} bytes runs past the end", f"GLB byte {at}")
        chunks.setdefault(kind, data[at + 8 : at + 8 + size])
        at += 8 + size + (-size) % 4
    if GLB_JSON not in chunks:
        raise FormatError(path, "it has no JSON chunk", "GLB")
    return chunks[GLB_JSON], chunks.get(GLB_BIN)


def read_uri(document: Document, uri: object, place: str) -> bytes:
    """The bytes behind a data URI, or in a file inside the document's own folder."""
    if not isinstance(uri, str):
        raise document.error(place, "'uri' must be a text")
    if uri[:5].lower() == "data:":
        head, _, body = uri.partition(",")
        try:
            if head.endswith(";base64"):
                return base64.b64decode(body, validate=True)
            return unquote(body).encode("latin-1")
        except (binascii.Error, ValueError):
            raise document.error(place, "its data URI is damaged") from None
    name = unquote(uri)
    parts = PurePosixPath(name).parts
    if not parts or ":" in name or "\\" in name or "\0" in name or name.startswith("/") or ".." in parts:
        raise document.error(place, f"{_short(uri)} is refused: only files in the folder of this one are read")
    folder = document.path.parent.resolve()
    try:
        target = (folder / name).resolve()
        if not target.is_relative_to(folder):
            raise document.error(place, f"{_short(uri)} leads out of the folder of this file")
        if not target.is_file():
            raise document.error(place, f"the file {_short(uri)} is not there")
        return target.read_bytes()
    except OSError as problem:
        raise document.error(place, f"{_short(uri)} cannot be read: {problem.strerror}") from None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
