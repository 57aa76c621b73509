"""The file around packed clips: skeletons, bases that clips share, a table of the clips, and their bytes.

``LMZ``, the version in one byte, the length of the head, the head (zlib), the clips one after the other. The head is a
length, so much JSON, and the arrays that the JSON tells of.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from locomote.errors import FormatError, LocomoteError
from locomote.formats._lmz_bytes import Reader, varints
from locomote.formats._lmz_chart import Basis, bytes_of, means_of
from locomote.formats._lmz_clip import PackedClip, unpack_clip
from locomote.formats._lmz_roles import roles_of
from locomote.skeleton import Girths, Skeleton

MAGIC = b"LMZ"
VERSION = 2  # 2: details may be coded as symbols; each clip tells
MAX_HEAD_BYTES = 1 << 26  # unpacked: thousands of skeletons
MAX_JOINTS = 4096  # with seven numbers or fewer each
_TURN_STEP = 1.0 / 127.0
# What JSON of another kind than ours leads to.
_DAMAGE = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError)


class Entry(NamedTuple):
    """One clip in the table."""

    name: str
    fps: float
    skeleton: int
    basis: int | None
    error: float  # m, promised
    mean: bool  # whether it is the mean over the joints and frames, or the largest
    notes: tuple[str, ...]
    data: bytes


class PackedFile(NamedTuple):
    """What is in a file."""

    skeletons: tuple[Skeleton, ...]
    bases: tuple[Basis, ...]
    entries: tuple[Entry, ...]

    def clip(self, number: int) -> PackedClip:
        """One of the clips, its details still packed."""
        entry = self.entries[number]
        basis = None if entry.basis is None else self.bases[entry.basis]
        return unpack_clip(entry.data, self.skeletons[entry.skeleton], basis, entry.fps)

    def to_bytes(self) -> bytes:
        """The file."""
        arrays: list[bytes] = []
        for skeleton in self.skeletons:
            arrays += [_floats(skeleton.offsets), _floats(skeleton.end_offsets)]
            if _has_rest(skeleton):
                arrays.append(_floats(skeleton.rest_rotations))
        for basis in self.bases:
            arrays += [bytes_of(basis.means), np.rint(basis.turn / _TURN_STEP).astype(np.int8).tobytes()]
        table = {
            "skeletons": [_skeleton_row(skeleton) for skeleton in self.skeletons],
            "bases": [list(basis.names) for basis in self.bases],
            "clips": [[*entry[:-1], len(entry.data)] for entry in self.entries],
        }
        text = json.dumps(table, separators=(",", ":"), ensure_ascii=False).encode("utf-8")
        head = zlib.compress(varints([len(text)]) + text + b"".join(arrays), 9)
        return b"".join([MAGIC, bytes([VERSION]), varints([len(head)]), head, *(entry.data for entry in self.entries)])


def parse(data: bytes, path: Path) -> PackedFile:
    """The file whose bytes these are; clips stay packed."""
    if data[:3] != MAGIC:
        raise FormatError(path, "is not a packed motion: it does not begin with LMZ")
    if len(data) < 4 or data[3] == 0:
        raise FormatError(path, "ends too early or has no version")
    if data[3] > VERSION:
        raise FormatError(
            path, f"has version {data[3]}, and this locomote reads up to {VERSION}; a newer locomote reads it"
        )
    try:
        reader = Reader(data[4:])
        head = _unpacked(reader.take(reader.varint()))
        return _parsed(Reader(head), reader)
    except LocomoteError as error:
        raise FormatError(path, str(error)) from None
    except _DAMAGE as error:
        raise FormatError(path, f"damaged head: {' '.join(str(error).split())}") from None


def _unpacked(data: bytes) -> bytes:
    unpacker = zlib.decompressobj()
    try:
        head = unpacker.decompress(data, MAX_HEAD_BYTES)
    except zlib.error as error:
        raise LocomoteError(f"damaged head: {error}") from None
    if not unpacker.eof:
        raise LocomoteError(f"its head is damaged or larger than the limit of {MAX_HEAD_BYTES} bytes")
    return head


def _parsed(head: Reader, body: Reader) -> PackedFile:
    table = json.loads(head.take(head.varint()).decode("utf-8"))
    skeletons = tuple(_skeleton(row, head) for row in table["skeletons"])
    bases = tuple(_basis(tuple(map(str, names)), head) for names in table["bases"])
    entries = tuple(_entry(row, skeletons, bases, body) for row in table["clips"])
    if not entries:
        raise LocomoteError("holds no clip")
    return PackedFile(skeletons, bases, entries)


def _entry(row: Sequence[Any], skeletons: Sequence[Skeleton], bases: Sequence[Basis], body: Reader) -> Entry:
    name, fps, skeleton, basis, error, mean, notes, size = row
    if not (
        _whole(skeleton, len(skeletons)) and (basis is None or _whole(basis, len(bases))) and _whole(size, 1 << 40)
    ):
        raise LocomoteError(f"the clip {str(name)[:80]!r} names what is not there")
    if basis is not None and bases[basis].names != skeletons[skeleton].names:
        raise LocomoteError(f"the clip {str(name)[:80]!r} has a basis for other joints")
    told = tuple(str(note) for note in notes)
    if not 0.0 < float(fps) < 1e6:
        raise LocomoteError(f"the clip {str(name)[:80]!r} has {fps} frames a second")
    return Entry(str(name), float(fps), skeleton, basis, float(error), bool(mean), told, body.take(size))


def _whole(value: Any, end: int) -> bool:
    return type(value) is int and 0 <= value < end


def _skeleton_row(skeleton: Skeleton) -> dict[str, Any]:
    row: dict[str, Any] = {"names": skeleton.names, "parents": skeleton.parents.tolist()}
    row["ends"] = skeleton.end_parents.tolist()
    if _has_rest(skeleton):
        row["rest"] = True
    if skeleton.given_roles is not None:
        row["roles"] = asdict(skeleton.given_roles)
    if skeleton.girths != Girths():
        row["girths"] = skeleton.girths
    return row


def _skeleton(row: dict[str, Any], head: Reader) -> Skeleton:
    count, ends = len(row["names"]), len(row["ends"])
    if not 1 <= count <= MAX_JOINTS or ends > MAX_JOINTS:
        raise LocomoteError(f"{count} joints and {ends} end sites; at most {MAX_JOINTS} are read")
    roles = row.get("roles")
    offsets = _array(head, count, 3)
    end_offsets = _array(head, ends, 3)
    rest = _array(head, count, 4) if row.get("rest") else np.zeros((0, 4))
    lengths = np.linalg.norm(rest, axis=1, keepdims=True)
    if not np.all(np.abs(lengths - 1.0) < 1e-3):
        raise LocomoteError("a rest rotation is none")
    return Skeleton(
        tuple(str(name) for name in row["names"]),
        np.array(row["parents"], dtype=np.int64),
        offsets,
        rest / lengths,
        np.array(row["ends"], dtype=np.int64).reshape(-1),
        end_offsets,
        None if roles is None else roles_of(roles, count),
        Girths(*map(float, row.get("girths", ()))),
    )


def _basis(names: tuple[str, ...], head: Reader) -> Basis:
    if not 1 <= len(names) <= MAX_JOINTS:
        raise LocomoteError(f"a basis for {len(names)} joints")
    width = 3 * len(names) - 1
    means = means_of(head.take(3 * len(names)))
    turn = np.frombuffer(head.take(width * width), dtype=np.int8).reshape(width, width).astype(np.float64) * _TURN_STEP
    if not np.linalg.cond(turn) < 1e4:
        raise LocomoteError("its basis is damaged")
    return Basis(names, means, turn)


def _array(head: Reader, rows: int, width: int) -> np.ndarray[Any, np.dtype[np.float64]]:
    values = np.frombuffer(head.take(4 * rows * width), dtype="<f4").reshape(rows, width)
    if not np.all(np.isfinite(values)) or np.any(np.abs(values) > 1e6):  # m
        raise LocomoteError("a bone's length is out of range")
    return values.astype(np.float64)


def _floats(values: np.ndarray[Any, Any]) -> bytes:
    return np.asarray(values, dtype="<f4").tobytes()


def _has_rest(skeleton: Skeleton) -> bool:
    return bool(np.any(skeleton.rest_rotations[:, 1:] != 0.0))


def kept(skeleton: Skeleton) -> Skeleton:
    """A skeleton as it comes back from a file."""
    text = Reader(b"".join(_floats(part) for part in (skeleton.offsets, skeleton.end_offsets, skeleton.rest_rotations)))
    return _skeleton(json.loads(json.dumps(_skeleton_row(skeleton))), text)


def kept_basis(basis: Basis) -> Basis:
    """A basis as it comes back from a file."""
    turn = np.rint(basis.turn / _TURN_STEP).astype(np.int8).astype(np.float64) * _TURN_STEP
    return Basis(basis.names, means_of(bytes_of(basis.means)), turn)
