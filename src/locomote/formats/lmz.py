"""Packed motion (.lmz): a hundredth of the size, and no point of the body further off than was asked for.

Tangent vectors in the metric of point displacement, a wavelet transform over time, steps as coarse as the error allows
and an adaptive range coder. One clip or a library of many; see docs/compress.md.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from locomote.errors import FormatError, LocomoteError
from locomote.formats._lmz_encode import check_error, choose_chart, encode_clip
from locomote.formats._lmz_file import Entry, PackedFile, kept, parse
from locomote.motion import Motion

if TYPE_CHECKING:
    from locomote.contacts import Contacts


def read(data: bytes, path: Path, animation: str | int | None = None) -> Motion:
    """Read the clip of a packed file; of several, the one that ``animation`` names, or its number from 0."""
    file = parse(data, path)
    number = choose(file, animation, path)
    try:
        return motion_of(file, number)
    except LocomoteError as error:
        raise FormatError(path, f"clip {file.entries[number].name[:80]!r}: {error}") from None


def write(
    motion: Motion, path: Path, error: float = 0.01, mean: bool = False, contacts: Contacts | None = None
) -> None:
    """Write one packed clip, verified as it is read back. A skinned mesh is not kept.

    ``error`` is the largest distance in metres of any joint, end site or point 3 cm around a joint from where it was;
    with ``mean`` it is the mean of the joints over the clip. Feet of ``contacts`` stay where they stood.
    """
    skeleton = kept(motion.skeleton)
    limit = check_error(error)
    packed = encode_clip(motion, choose_chart(motion, skeleton, None, limit, mean), None, limit, mean, contacts)
    entry = Entry(motion.name, motion.fps, 0, None, limit, mean, motion.notes, packed)
    path.write_bytes(PackedFile((skeleton,), (), (entry,)).to_bytes())


def choose(file: PackedFile, wanted: str | int | None, path: Path) -> int:
    """The number of the clip that is wanted; the only one may go unnamed."""
    names = [entry.name for entry in file.entries]
    offer = ", ".join(names[:8]) + (f" and {len(names) - 8} more" if len(names) > 8 else "")
    if wanted is None:
        if len(names) > 1:
            raise LocomoteError(f"{path}: holds {len(names)} clips, say which by animation=: {offer}")
        return 0
    if isinstance(wanted, str):
        if wanted not in names:
            raise LocomoteError(f"{path}: no clip {wanted!r}; there is: {offer}")
        return names.index(wanted)
    if not 0 <= wanted < len(names):
        raise LocomoteError(f"{path}: no clip {wanted}; the last is {len(names) - 1}")
    return wanted


def motion_of(file: PackedFile, number: int) -> Motion:
    """One clip of a file, whole."""
    entry, clip = file.entries[number], file.clip(number)
    roots, turns, translations = clip.poses(0, clip.shape.frames, entry.fps)
    motion = Motion(clip.chart.skeleton, entry.fps, roots, turns, translations, name=entry.name)
    return replace(motion, notes=entry.notes)
