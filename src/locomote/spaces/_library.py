"""Many clips in one file, with what they share kept once, and any pose of them at hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from locomote.contacts import detect
from locomote.errors import FormatError, LocomoteError
from locomote.formats import _files
from locomote.formats._lmz_chart import Basis
from locomote.formats._lmz_clip import PackedClip
from locomote.formats._lmz_encode import check_error, choose_chart, encode_clip
from locomote.formats._lmz_file import Entry, PackedFile, kept, parse
from locomote.formats.lmz import choose
from locomote.motion import Motion, Poses, checked_motions
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from locomote.spaces._compression import RAW_BYTES, fit_basis

_WORTH_A_BASIS = 1500  # frames of one kind of body, fewer of which do not pay for a basis


class Library:
    """Packed clips, by name or number: ``library["walk"].motion()``; see `of` and `load`.

    Parameters
    ----------
    file : the clips
    path : its name for messages
    """

    def __init__(self, file: PackedFile, path: str | os.PathLike[str] = "library") -> None:
        self._file, self._path = file, Path(path)
        self._opened: dict[int, LibraryClip] = {}

    @classmethod
    def of(
        cls,
        clips: Sequence[Motion],
        error: float = 0.01,
        mean: bool = False,
        bases: Sequence[Basis] | None = None,
        feet: bool = False,
        progress: Callable[[int, int], None] | None = None,
    ) -> Library:
        """Pack clips; each is verified as it is read back.

        Parameters
        ----------
        clips : motions, of any bodies; their names must differ
        error : m, the largest of any joint, end site or point 3 cm around a joint
        mean : whether ``error`` is the mean over the joints of each clip instead
        bases : fitted before, on these clips or others; without them one is fitted to each kind of body
        feet : whether contacts are found in each clip and its planted feet kept to half a millimetre
        progress : is told how many clips are done, and of how many
        """
        clips = checked_motions(clips, "Library.of")
        limit = check_error(error)
        names = [clip.name for clip in clips]
        twice = sorted({name for name in names if names.count(name) > 1})
        if not clips or twice:
            raise LocomoteError(f"clips need different names: {', '.join(twice[:8])}" if twice else "no clips to pack")
        shared = list(_bases_for(clips) if bases is None else bases)
        numbers = {basis.names: k for k, basis in enumerate(shared)}
        skeletons: dict[bytes, int] = {}
        kept_skeletons: list[Skeleton] = []
        entries: list[Entry] = []
        for done, clip in enumerate(clips):
            key = _key(clip.skeleton)
            if key not in skeletons:
                skeletons[key] = len(kept_skeletons)
                kept_skeletons.append(kept(clip.skeleton))
            skeleton, number = kept_skeletons[skeletons[key]], numbers.get(clip.skeleton.names)
            basis = None if number is None else shared[number]
            chart = choose_chart(clip, skeleton, basis, limit, mean)
            number, basis = (number, basis) if chart.shared else (None, None)
            contacts = detect(clip) if feet and clip.skeleton.roles.legs else None
            data = encode_clip(clip, chart, basis, limit, mean, contacts)
            entries.append(Entry(clip.name, clip.fps, skeletons[key], number, limit, mean, clip.notes, data))
            if progress is not None:
                progress(done + 1, len(clips))
        return cls(PackedFile(tuple(kept_skeletons), tuple(shared), tuple(entries)))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Library:
        """Read a packed file; clips stay packed until they are asked for."""
        return cls(parse(_files.read_bytes(Path(path)), Path(path)), path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write all clips into one file."""
        with _files.atomic_path(path) as temporary:
            temporary.write_bytes(self._file.to_bytes())

    @property
    def names(self) -> tuple[str, ...]:
        """Of the clips."""
        return tuple(entry.name for entry in self._file.entries)

    @property
    def bases(self) -> tuple[Basis, ...]:
        """What the clips of each kind of body share."""
        return self._file.bases

    def __len__(self) -> int:
        return len(self._file.entries)

    def __iter__(self) -> Iterator[LibraryClip]:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, wanted: str | int) -> LibraryClip:
        number = choose(self._file, wanted, self._path)
        if number not in self._opened:
            entry = self._file.entries[number]
            try:
                self._opened[number] = LibraryClip(entry, self._file.clip(number))
            except LocomoteError as error:
                raise FormatError(self._path, f"clip {entry.name[:80]!r}: {error}") from None
        return self._opened[number]

    def bytes_shared(self) -> int:
        """The size of what is kept once: skeletons, bases and the table of the clips."""
        return len(self._file.to_bytes()) - sum(len(entry.data) for entry in self._file.entries)


class LibraryClip:
    """One packed clip. What was read of it once stays at hand: every pose after that takes microseconds.

    Parameters
    ----------
    entry, packed : its row of the table, and what it unpacks to
    """

    def __init__(self, entry: Entry, packed: PackedClip) -> None:
        self._entry, self._packed = entry, packed
        self._rows: dict[int, FloatArray] = {}
        self._whole: Motion | None = None

    def __len__(self) -> int:
        return self._packed.shape.frames

    @property
    def name(self) -> str:
        """Of the clip."""
        return self._entry.name

    @property
    def fps(self) -> float:
        """Frames a second."""
        return self._entry.fps

    @property
    def skeleton(self) -> Skeleton:
        """The body."""
        return self._packed.chart.skeleton

    @property
    def error(self) -> float:
        """What was promised, m: the largest error, or the mean where that was asked for."""
        return self._entry.error

    @property
    def is_mean(self) -> bool:
        """Whether the error is the mean of the joints over the clip."""
        return self._entry.mean

    @property
    def size(self) -> int:
        """Bytes in the file, without what the clips share."""
        return len(self._entry.data)

    @property
    def ratio(self) -> float:
        """How often it goes into the plain size of its frames, 40 bytes a joint."""
        return RAW_BYTES * len(self.skeleton) * len(self) / self.size

    @property
    def count_ratio(self) -> float:
        """The same in numbers instead of bytes: those of plain rotation vectors over those kept that are not 0."""
        kept_numbers = np.count_nonzero(self._packed.numbers(0, self._packed.shape.stretches))
        return 3 * (1 + len(self.skeleton)) * len(self) / max(int(kept_numbers), 1)

    def poses(self, frames: int | Sequence[int]) -> Poses:
        """The body in some of the frames; only the stretches around them are read.

        Parameters
        ----------
        frames : one or many, counted from 0, from the end if negative
        """
        chosen = np.atleast_1d(np.asarray(frames, dtype=np.int64))
        if np.any((chosen < -len(self)) | (chosen >= len(self))):
            raise IndexError(f"{self.name}: frames are 0 to {len(self) - 1}")
        chosen = chosen % len(self)
        if self._packed.feet is not None:  # planted feet need the frames around them: whole clips stay at hand
            self._whole = self._whole or self.motion()
            return Poses(self.skeleton, self._whole.root_positions[chosen], self._whole.rotations[chosen])
        stretch = self._packed.shape.stretch
        parts = chosen // stretch
        rows = np.empty((len(chosen), self._packed.chart.width))
        for part in np.unique(parts):
            here = parts == part
            rows[here] = self._stretch(int(part))[chosen[here] - part * stretch]
        roots, turns, moved = self._packed.chart.poses(rows)
        return Poses(self.skeleton, roots, turns, offsets=moved)

    def _stretch(self, part: int) -> FloatArray:
        if part not in self._rows:
            stretch = self._packed.shape.stretch
            first, last = part * stretch, min((part + 1) * stretch, len(self))
            self._rows[part] = self._packed.rows(first, last)
        return self._rows[part]

    def motion(self, first: int = 0, last: int | None = None) -> Motion:
        """The clip, or its frames from ``first`` up to ``last``; only the stretches around them are read.

        Parameters
        ----------
        first, last : frames; to the end without ``last``
        """
        begin, end, _ = slice(first, last).indices(len(self))
        if begin >= end:
            raise LocomoteError(f"{self.name}: no frames from {first} to {last}; it has {len(self)}")
        roots, turns, moved = self._packed.poses(begin, end, self.fps)
        return Motion(self.skeleton, self.fps, roots, turns, moved, name=self.name, notes=self._entry.notes)


def _bases_for(clips: Sequence[Motion]) -> Iterator[Basis]:
    kinds: dict[tuple[str, ...], list[Motion]] = {}
    for clip in clips:
        kinds.setdefault(clip.skeleton.names, []).append(clip)
    for alike in kinds.values():
        same = [clip for clip in alike if np.array_equal(clip.skeleton.parents, alike[0].skeleton.parents)]
        if sum(map(len, same)) >= _WORTH_A_BASIS and len(same) == len(alike):
            yield fit_basis(same)


def _key(skeleton: Skeleton) -> bytes:
    """Skeletons with the same key are kept once."""
    alone = PackedFile((skeleton,), (), ())
    return alone.to_bytes()
