"""Whatever is done to a BVH file, reading it gives a motion or one clear error."""

from __future__ import annotations

from pathlib import Path

import hypothesis
import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.formats import bvh
from locomote.motion import Motion
from tests.formats.bvh_samples import bvh_text

TEXT = bvh_text(2).encode()
WORDS = [
    b"{",
    b"}",
    b"ROOT",
    b"JOINT x",
    b"End Site",
    b"OFFSET",
    b"CHANNELS",
    b"6",
    b"-1",
    b"1e999",
    b"nan",
    b"inf",
]
WORDS += [
    b"MOTION",
    b"Frames:",
    b"Frame Time:",
    b"0",
    b"0x10",
    b"1_0",
    b"\xff\xfe",
    b"\x00",
    b"\xc2\xa0",
    b"",
    b"\r",
]
WORDS += [
    b"99999999999999999999",
    b"9" * 5000,
    b"Xposition",
    b"Zrotation",
    b"1e300",
    b"#",
    b'"',
    b"1,5",
    b"\xd9\xa1",
]

positions = st.floats(0, 1, exclude_max=True)
edit = st.tuples(
    st.sampled_from(["delete", "insert", "double", "swap", "replace"]),
    positions,
    positions,
    st.sampled_from(WORDS),
)


def survives(data: bytes) -> None:
    outcome: Motion | str
    try:
        outcome = bvh.read(data, Path("fuzzed.bvh"))
    except LocomoteError as error:
        outcome = str(error)
    if isinstance(outcome, str):
        assert outcome.startswith("fuzzed.bvh")
        assert "\n" not in outcome
    else:
        assert np.all(np.isfinite(outcome.joint_positions()))


def edited(parts: list[bytes], edits: list[tuple[str, float, float, bytes]]) -> list[bytes]:
    for kind, here, there, word in edits:
        i, j = int(here * len(parts)), int(there * len(parts))
        if not parts:
            break
        if kind == "delete":
            del parts[i]
        elif kind == "insert":
            parts.insert(i, word)
        elif kind == "double":
            parts.insert(i, parts[i])
        elif kind == "swap":
            parts[i], parts[j] = parts[j], parts[i]
        else:
            parts[i] = word
    return parts


@given(st.lists(edit, min_size=1, max_size=5))
@hypothesis.settings(max_examples=300)
def test_lines(edits: list[tuple[str, float, float, bytes]]) -> None:
    survives(b"\n".join(edited(TEXT.split(b"\n"), edits)))


@given(st.lists(edit, min_size=1, max_size=5))
@hypothesis.settings(max_examples=300)
def test_words(edits: list[tuple[str, float, float, bytes]]) -> None:
    lines = TEXT.split(b"\n")
    # Words of the hierarchy and the clock are few and matter most; the numbers are one part.
    head = [word for line in lines[:-3] for word in (*line.split(b" "), b"\n")]
    survives(b" ".join(edited([*head, *lines[-3:]], edits)))


@given(st.lists(st.tuples(positions, st.integers(0, 255)), min_size=1, max_size=8))
@hypothesis.settings(max_examples=300)
def test_bytes(flips: list[tuple[float, int]]) -> None:
    data = bytearray(TEXT)
    for where, value in flips:
        data[int(where * len(data))] = value
    survives(bytes(data))


@given(positions, positions)
@hypothesis.settings(max_examples=200)
def test_truncation(start: float, end: float) -> None:
    survives(TEXT[: int(end * len(TEXT))])
    survives(TEXT[int(start * len(TEXT)) :])


@given(st.binary(max_size=400))
def test_anything(data: bytes) -> None:
    survives(data)
    survives(b"HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\n" + data)
    survives(b"HIERARCHY\n" + data + b"\nMOTION\nFrames: 1\nFrame Time: 1\n0\n")
