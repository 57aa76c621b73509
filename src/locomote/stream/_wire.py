"""The bytes of a frame: a header of 32 bytes, then one record of fixed length for each character, little-endian."""

from __future__ import annotations

import math
import struct
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote.stream._frames import Float32Array, Frame, GroupLayout

MAGIC = b"LMOT"
VERSION = 1
HEADER = struct.Struct("<4sBBHIIdII")
HEADER_FIELDS = (  # name, type
    ("magic", "char[4]"),
    ("version", "uint8"),
    ("flags", "uint8"),
    ("group", "uint16"),
    ("frame", "uint32"),
    ("count", "uint32"),
    ("time", "float64"),
    ("layout", "uint32"),
    ("stride", "uint32"),
)
SIZES = {"char[4]": 4, "uint8": 1, "uint16": 2, "uint32": 4, "float32": 4, "float64": 8}
QUANTISED = 1  # flag: rotations are three 16-bit numbers each
ENCODINGS = ("float32", "int16")
LARGEST = math.sqrt(0.5)  # that any but the largest part of a unit quaternion can be
STEPS = 32766  # of a part from -LARGEST to LARGEST; an even number, so that 0 is exact

Rows = npt.NDArray[np.int64]


def record(group: GroupLayout, encoding: str) -> np.dtype[Any]:
    """How one character of a group lies in a frame."""
    joints = len(group.skeleton)
    turns = ("<f4", (joints, 4)) if encoding == "float32" else ("<u2", (joints, 3))
    fields = [
        ("position", "<f4", (3,)),
        ("scale", "<f4", ()),
        ("rotations", *turns),
        ("contacts", "u1", (contact_bytes(group),)),
        ("state", "u1", ()),
    ]
    plain = np.dtype(fields)
    spare = -plain.itemsize % 4
    return np.dtype([*fields, ("spare", "u1", (spare,))]) if spare else plain


def contact_bytes(group: GroupLayout) -> int:
    """Bytes for a bit for each point of the feet."""
    return -(-len(group.points) // 8)


def encode(frame: Frame, index: int, encoding: str = "float32", who: Rows | None = None) -> bytes:
    """The bytes of a group of a frame: of all its characters, or of some, in the order of ``who``."""
    layout, group = frame.layout.groups[index], frame.groups[index]
    kind = record(layout, encoding)
    chosen = slice(None) if who is None else who
    records = np.zeros(layout.count if who is None else len(who), dtype=kind)
    records["position"], records["scale"] = group.root_positions[chosen], group.scales[chosen]
    turns = group.rotations[chosen]
    records["rotations"] = turns if encoding == "float32" else smallest_three(turns)
    records["contacts"], records["state"] = group.contacts[chosen], group.states[chosen]
    flags = 0 if encoding == "float32" else QUANTISED
    number = frame.number & 0xFFFFFFFF
    head = MAGIC, VERSION, flags, index, number, len(records), frame.time, frame.layout.number
    return HEADER.pack(*head, kind.itemsize) + records.tobytes()


def smallest_three(rotations: Float32Array) -> npt.NDArray[np.uint16]:
    """Unit quaternions ``(..., 4)`` as three 16-bit numbers: the parts but the largest, which the others give.

    The low 15 bits of each number are a part, from -sqrt(1/2) at 0 to sqrt(1/2) at 32766, in the order w, x, y, z; the
    highest bits of the first and the second number say which part was left out (low and high bit of its place).
    The quaternion is taken with the sign that makes that part positive.
    """
    flat = rotations.reshape(-1, 4)
    rows = np.arange(len(flat))
    left_out = np.argmax(np.abs(flat), axis=1)
    signs = np.where(flat[rows, left_out] < 0.0, -1.0, 1.0)
    others = _OTHERS[left_out]
    parts = flat[rows[:, None], others] * signs[:, None]
    steps = np.rint((parts + LARGEST) * (STEPS / (2.0 * LARGEST)))
    out = np.clip(steps, 0, STEPS).astype(np.uint16)
    out[:, 0] |= ((left_out & 1) << 15).astype(np.uint16)
    out[:, 1] |= ((left_out >> 1) << 15).astype(np.uint16)
    whole: npt.NDArray[np.uint16] = out.reshape(*rotations.shape[:-1], 3)
    return whole


_OTHERS = np.array([[j for j in range(4) if j != left_out] for left_out in range(4)])
