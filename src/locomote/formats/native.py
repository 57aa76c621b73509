"""locomote's own file (.npz): every array bit for bit, and a small header in JSON.

An ordinary NumPy archive without pickled objects: ``numpy.load`` opens it anywhere. Joint rotations are
(w, x, y, z), lengths metres, Y up.
"""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from locomote.body import Body
from locomote.errors import FormatError, LocomoteError
from locomote.formats import amass
from locomote.formats._files import MAX_UNPACKED_BYTES
from locomote.motion import Motion
from locomote.skeleton import Arm, Girths, Leg, Roles, Skeleton

FORMAT = "locomote motion"
VERSION = 1

_SKELETON = ("parents", "offsets", "rest_rotations", "end_parents", "end_offsets")
_MOTION = ("root_positions", "rotations")
_BODY = {
    "vertices": 3,
    "triangles": 3,
    "joints": 4,
    "weights": 4,
    "bind_positions": 3,
    "bind_rotations": 4,
}  # width
_WHOLE = ("parents", "end_parents", "body_triangles", "body_joints")  # int64; the others are float64
# What NumPy and zipfile let through when an archive is damaged.
_DAMAGE = (
    *(ValueError, TypeError, LookupError, AttributeError, OSError, EOFError, ArithmeticError, SyntaxError),
    *(NotImplementedError, RuntimeError, MemoryError, struct.error, zlib.error, zipfile.BadZipFile),
)

Arrays = dict[str, npt.NDArray[Any]]


def read(data: bytes, path: Path) -> Motion:
    """Read a native file, which comes back bit for bit as it was saved; or poses of AMASS."""
    arrays = _arrays(data, path)
    if amass.is_amass(arrays):
        return amass.motion_of(arrays, path)
    header = _header(arrays, path)
    try:
        return _motion(arrays, header)
    except KeyError as error:
        raise FormatError(path, f"the entry {error} is missing") from None
    except LocomoteError as error:
        raise FormatError(path, str(error)) from None
    except _DAMAGE as error:
        raise FormatError(path, f"damaged content: {error}") from None


def _arrays(data: bytes, path: Path) -> Arrays:
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED_BYTES:
                raise FormatError(path, f"unpacks to more than the limit of {MAX_UNPACKED_BYTES} bytes")
        with np.load(io.BytesIO(data), allow_pickle=False) as archive:
            return {name: archive[name] for name in archive.files}
    except LocomoteError:
        raise
    except _DAMAGE as error:
        raise FormatError(path, f"is not a whole NumPy archive: {error}") from None


def _header(arrays: Arrays, path: Path) -> dict[str, Any]:
    foreign = FormatError(path, "a NumPy archive, but not one that locomote wrote; its header is missing")
    if "header" not in arrays or arrays["header"].dtype != _type("header"):
        raise foreign
    try:
        header = json.loads(arrays["header"].tobytes().decode("utf-8"))
    except (ValueError, TypeError, RecursionError):
        raise foreign from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise foreign
    version = header.get("version")
    if not isinstance(version, int) or version < 1:
        raise FormatError(path, f"the version must be a whole number, got {version!r}")
    if version > VERSION:
        raise FormatError(
            path, f"has version {version}, and this locomote reads up to {VERSION}; a newer locomote reads it"
        )
    return header


def _motion(arrays: Arrays, header: dict[str, Any]) -> Motion:
    for name, array in arrays.items():
        if array.dtype != _type(name):
            raise LocomoteError(f"{name}: expected numbers of type {_type(name)}, got {array.dtype}")
    skeleton = skeleton_of(header, arrays)
    body = None
    if any(f"body_{name}" in arrays for name in _BODY):
        body = _body(arrays, len(skeleton))
    return Motion(
        skeleton=skeleton,
        fps=float(header["fps"]),
        **{name: arrays[name] for name in _MOTION},
        translations=arrays.get("translations"),
        name=str(header["name"]),
        body=body,
        notes=tuple(str(note) for note in header["notes"]),
    )


def skeleton_of(header: dict[str, Any], arrays: Arrays) -> Skeleton:
    """The skeleton that a header and arrays tell; other files of this package keep theirs in the same way."""
    roles = header["roles"]
    return Skeleton(
        names=tuple(str(name) for name in header["names"]),
        **{name: arrays[name] for name in _SKELETON},
        given_roles=None if roles is None else _roles(roles),
        girths=Girths(*map(float, header.get("girths", ()))),
    )


def skeleton_parts(skeleton: Skeleton) -> tuple[dict[str, Any], Arrays]:
    """What `skeleton_of` reads: entries of a header in JSON, and arrays."""
    header = {
        "names": skeleton.names,
        "roles": None if skeleton.given_roles is None else asdict(skeleton.given_roles),
        "girths": skeleton.girths,
    }
    return header, {name: getattr(skeleton, name) for name in _SKELETON}


def _body(arrays: Arrays, joints: int) -> Body:
    body = Body(**{name: arrays[f"body_{name}"] for name in _BODY}, colours=arrays.get("body_colours"))
    if body.colours is not None and body.colours.shape != body.vertices.shape:
        raise LocomoteError(f"body_colours: the shape {body.colours.shape} does not fit")
    rows = {"joints": len(body.vertices), "weights": len(body.vertices), "bind_positions": joints}
    rows |= {"bind_rotations": joints}
    for name, width in _BODY.items():
        array = getattr(body, name)
        if array.ndim != 2 or array.shape[1] != width or len(array) != rows.get(name, len(array)):
            raise LocomoteError(f"body_{name}: the shape {array.shape} does not fit")
    for indices, count in ((body.triangles, len(body.vertices)), (body.joints, joints)):
        if np.any(indices < 0) or np.any(indices >= count):
            raise LocomoteError("the body refers to a vertex or joint that does not exist")
    return body


def _roles(given: dict[str, Any]) -> Roles:
    fields: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in given.items()}
    fields["legs"] = tuple(
        Leg(**{**leg, "toe_offset": tuple(leg["toe_offset"]), "chain": tuple(leg["chain"])}) for leg in given["legs"]
    )
    fields["arms"] = tuple(Arm(**arm) for arm in given["arms"])
    return Roles(**fields)


def write(motion: Motion, path: Path) -> None:
    """Write a native file. A body's original file (its materials and textures) is not kept."""
    told, bones = skeleton_parts(motion.skeleton)
    header = {"format": FORMAT, "version": VERSION, "name": motion.name, "fps": motion.fps, "notes": motion.notes}
    header |= told
    arrays: dict[str, Any] = {"header": np.frombuffer(json.dumps(header).encode("utf-8"), dtype=np.uint8)}
    arrays |= bones
    arrays |= {name: getattr(motion, name) for name in _MOTION}
    if motion.translations is not None:
        arrays["translations"] = motion.translations
    if motion.body is not None:
        arrays |= {f"body_{name}": getattr(motion.body, name) for name in _BODY}
        arrays |= {} if motion.body.colours is None else {"body_colours": motion.body.colours}
    arrays = {name: np.asarray(array, dtype=_type(name)) for name, array in arrays.items()}
    with path.open("wb") as stream:
        np.savez(stream, **arrays)


def _type(name: str) -> np.dtype[Any]:
    return np.dtype(np.uint8 if name == "header" else np.int64 if name in _WHOLE else np.float64)
