"""One packed clip as bytes: a short header, the base (steps and smooth rows), and a stream of details a stretch."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.formats._lmz_bands import decode_details, decode_smooth, decode_steps, encode_base, encode_details
from locomote.formats._lmz_bands import new_state as coder_state
from locomote.formats._lmz_bytes import Reader, varints
from locomote.formats._lmz_chains import bytes_of_chains, chains_of
from locomote.formats._lmz_chart import Basis, Chart, bytes_of, means_of
from locomote.formats._lmz_coder import Bytes, Numbers
from locomote.formats._lmz_feet import Feet, ease_of, pack_feet, unpack_feet
from locomote.formats._lmz_numbers import fresh, fresh_sizes
from locomote.formats._lmz_rows import MOST_EXPONENT, SHRINK, Shape, restore, row_steps
from locomote.formats._lmz_search import Steps
from locomote.formats._lmz_wavelet import REACH, synthesise
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

MAX_LEVELS = 10
MAX_NUMBERS = 1 << 25  # frames times channels: 45 minutes of a person at 120 Hz, which takes 700 MB to read
_HEAD = struct.Struct("<fBB")  # step in m, levels and 16 times the coding, frames in a piece
_SYMBOLS, _CHAINS = 1, 2  # of the coding: sizes of details are symbols, not counted out; chains have their own turns


class PackedClip(NamedTuple):
    """A clip as it lies in a file, its numbers still packed."""

    chart: Chart
    shape: Shape
    steps: Steps
    smooth: Numbers  # (S, D) every row at a multiple of 2**levels
    fineness: IntArray
    lengths: FloatArray  # (F,) m, the step of every row
    streams: tuple[bytes, ...]  # of details, one a stretch
    feet: Feet | None = None
    coding: int = _SYMBOLS

    def poses(self, first: int, last: int, fps: float) -> tuple[FloatArray, FloatArray, FloatArray | None]:
        """Root positions, rotations and translations of the frames from ``first`` up to ``last``."""
        if self.feet is None:
            return self.chart.poses(self.rows(first, last))
        ease = ease_of(fps)
        reach = 3 * ease  # a contact beyond that, and how the body sinks for it, changes nothing here
        begin, end = max(first - reach, 0), min(last + reach, self.shape.frames)
        roots, turns, moved = self.chart.poses(self.rows(begin, end))
        roots, turns = self.feet.planted(self.chart.skeleton, begin, ease, roots, turns)
        inside = slice(first - begin, last - begin)
        return roots[inside], turns[inside], None if moved is None else moved[inside]

    def rows(self, first: int, last: int) -> FloatArray:
        """The numbers of the frames from ``first`` up to ``last``; only the stretches around them are read."""
        shape = self.shape
        margin = REACH << shape.levels
        begin = max(first - margin, 0) // shape.stretch
        end = min(-(-min(last + margin, shape.frames) // shape.stretch), shape.stretches)
        start, stop = begin * shape.stretch, min(end * shape.stretch, shape.frames)
        numbers = self.numbers(begin, end)
        values = np.empty(numbers.shape)
        restore(numbers, self.lengths[start:stop], SHRINK, values)
        synthesise(values, shape.levels)
        return values[first - start : last - start]

    def numbers(self, begin: int, end: int) -> Numbers:
        """The whole numbers of the stretches from ``begin`` up to ``end``."""
        shape, state, spacing = self.shape, coder_state(), 1 << self.shape.levels
        start, stop = begin * shape.stretch, min(end * shape.stretch, shape.frames)
        numbers: Numbers = np.zeros((stop - start, self.chart.width), dtype=np.int32)
        numbers[::spacing] = self.smooth[start // spacing : -(-stop // spacing)]
        fineness, expected = self.fineness[start:stop], np.empty(self.chart.width, dtype=np.int64)
        for k in range(begin, end):
            part = np.array([shape.levels, k * shape.stretch - start, min((k + 1) * shape.stretch, stop) - start])
            odds = fresh(), fresh_sizes()[: None if self.coding & _SYMBOLS else 0]
            decode_details(numbers, fineness, part, odds, expected, state, _array(self.streams[k]))
        return numbers


def _array(data: bytes) -> Bytes:
    return np.frombuffer(data, dtype=np.uint8)


def pack_clip(chart: Chart, shape: Shape, steps: Steps, numbers: Numbers, feet: Feet | None = None) -> bytes:
    """The bytes of a clip."""
    exponents = steps.exponents if np.any(steps.exponents) else np.zeros(0, dtype=np.int64)
    piece = shape.piece if len(exponents) else 0
    own = None if chart.shared else chart.turn
    coding = _SYMBOLS if own is None else _SYMBOLS | _CHAINS
    parts = [_HEAD.pack(steps.step, shape.levels | coding << 4, piece)]
    parts.append(varints([shape.frames, len(chart.wide), *chart.wide, len(chart.moving), *chart.moving]))
    if not chart.shared:
        parts.append(bytes_of(chart.means))
    if own is not None:
        parts.append(bytes_of_chains(own, chart.skeleton))
    _, fineness = row_steps(shape, steps.step, steps.exponents)
    changes, state = np.zeros((2, chart.width), dtype=np.int64), coder_state()
    spacing = 1 << shape.levels
    smooth = np.ascontiguousarray(numbers[::spacing]), np.ascontiguousarray(fineness[::spacing])
    out: Bytes = np.empty(numbers.size + 4096, dtype=np.uint8)
    streams: list[bytes] = []
    for k in range(-1, shape.stretches):
        while True:
            if k < 0:
                size = encode_base(exponents, *smooth, fresh(), changes, state, out)
            else:
                part = np.array([shape.levels, k * shape.stretch, min((k + 1) * shape.stretch, shape.frames)])
                size = encode_details(numbers, fineness, part, (fresh(), fresh_sizes()), changes[0], state, out)
            if size <= len(out):
                break
            out = np.empty(2 * size, dtype=np.uint8)
        streams.append(out[:size].tobytes())
    last = b"" if feet is None else pack_feet(feet)
    return b"".join([*parts, varints([len(stream) for stream in streams]), *streams, last])


def unpack_clip(data: bytes, skeleton: Skeleton, basis: Basis | None, fps: float) -> PackedClip:
    """The clip whose bytes these are; details stay packed."""
    reader = Reader(data)
    step, levels, piece = _HEAD.unpack(reader.take(_HEAD.size))
    coding, levels = levels >> 4, levels & 15
    if not (0.0 < step < 1e3 and levels <= MAX_LEVELS and coding <= _SYMBOLS | _CHAINS):
        raise LocomoteError("its step is out of range")
    frames = reader.varint()
    wide, moving = _joints(reader, len(skeleton)), _joints(reader, len(skeleton))
    means, turn = (means_of(reader.take(3 * len(skeleton))), None) if basis is None else (basis.means, basis.turn)
    if coding & _CHAINS:
        turn = chains_of(reader, skeleton)
    chart = Chart(skeleton, means, wide, moving, turn, basis is not None)
    if not 1 <= frames <= MAX_NUMBERS // chart.width:
        raise LocomoteError(f"{frames} frames of {chart.width} numbers are not possible")
    shape = Shape(frames, levels, piece or frames)
    if shape.stretches > len(data):
        raise LocomoteError(f"is too short for {frames} frames")
    sizes = [reader.varint() for _ in range(1 + shape.stretches)]
    streams = [reader.take(size) for size in sizes]
    exponents = np.zeros(shape.pieces, dtype=np.int64)
    contexts, state, base = fresh(), coder_state(), _array(streams[0])
    decode_steps(exponents if piece else exponents[:0], MOST_EXPONENT, contexts, state, base)
    lengths, fineness = row_steps(shape, step, exponents)
    spacing = 1 << levels
    smooth: Numbers = np.zeros((-(-frames // spacing), chart.width), dtype=np.int32)
    changes = np.zeros((2, chart.width), dtype=np.int64)
    decode_smooth(smooth, np.ascontiguousarray(fineness[::spacing]), contexts, changes, state, base)
    feet = unpack_feet(reader.take(reader.left), skeleton, frames, fps) if reader.left else None
    return PackedClip(chart, shape, Steps(step, exponents), smooth, fineness, lengths, tuple(streams[1:]), feet, coding)


def _joints(reader: Reader, count: int) -> IntArray:
    found = [reader.varint() for _ in range(min(reader.varint(), count + 1))]
    if len(found) > count or any(b <= a for a, b in pairwise(found)) or max(found, default=0) >= count:
        raise LocomoteError("names a joint that does not exist")
    return np.array(found, dtype=np.int64)
