"""Whatever is done to a packed file, reading it gives a motion or one clear error, in bounded memory."""

from __future__ import annotations

import json
import tracemalloc
import zlib
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import FormatError, LocomoteError
from locomote.formats import _lmz_file, lmz
from locomote.formats._lmz_bytes import Reader, varints
from locomote.formats._lmz_clip import MAX_NUMBERS
from locomote.motion import Motion

FILES = Path(__file__).parent / "files"
WHOLE = (FILES / "performer_v2.lmz").read_bytes()
FIRST = (FILES / "performer_v1.lmz").read_bytes()  # sizes of its numbers are coded in another way
CHAINS = (FILES / "performer_chains_v2.lmz").read_bytes()  # with turns of its own chains of joints
FLIPS = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=6)


def survives(data: bytes) -> None:
    outcome: Motion | str
    try:
        outcome = lmz.read(data, Path("fuzzed.lmz"))
    except LocomoteError as error:
        outcome = str(error)
    if isinstance(outcome, str):
        assert outcome.startswith("fuzzed.lmz: ")
        assert "\n" not in outcome
    else:
        assert np.all(np.isfinite(outcome.joint_positions()))


def parts(whole: bytes = WHOLE) -> tuple[dict[str, Any], bytes, bytes]:
    """The table, the arrays and the clip of a whole file."""
    reader = Reader(whole[4:])
    head = Reader(zlib.decompress(reader.take(reader.varint())))
    table = json.loads(head.take(head.varint()))
    return table, head.take(head.left), reader.take(reader.left)


def built(table: object, arrays: bytes, body: bytes) -> bytes:
    text = json.dumps(table).encode()
    head = zlib.compress(varints([len(text)]) + text + arrays)
    return WHOLE[:4] + varints([len(head)]) + head + body


def test_the_parts_make_the_whole() -> None:
    assert len(lmz.read(built(*parts()), Path("a.lmz"))) == 90


def damaged(data: bytes, flips: list[tuple[float, int]], cut: bool) -> bytes:
    out = bytearray(data)
    for where, value in flips:
        out[int(where * len(out))] = value
    if cut:
        del out[int(flips[0][0] * len(out)) :]
    return bytes(out)


@given(FLIPS, st.booleans())
@hypothesis.settings(max_examples=150)
def test_flipped_bytes(flips: list[tuple[float, int]], cut: bool) -> None:
    survives(damaged(WHOLE, flips, cut))


@given(FLIPS, st.booleans(), st.booleans(), st.sampled_from([WHOLE, FIRST, CHAINS]))
@hypothesis.settings(max_examples=400)
def test_damage_behind_the_checksum(flips: list[tuple[float, int]], cut: bool, in_arrays: bool, whole: bytes) -> None:
    table, arrays, body = parts(whole)
    if in_arrays:
        arrays = damaged(arrays, flips, cut)
    else:
        body = damaged(body, flips, cut)
        table["clips"][0][-1] = len(body)
    survives(built(table, arrays, body))


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(-(2**70), 2**70), st.floats(), st.text(max_size=4), st.just([]), st.just({})
)


@given(st.data())
@hypothesis.settings(max_examples=300)
def test_damaged_tables(data: st.DataObject) -> None:
    table, arrays, body = parts()
    table["skeletons"][0]["roles"] = {"root": 0, "legs": [{"hip": 1}], "arms": []}
    node: Any = table
    for _ in range(data.draw(st.integers(1, 5))):
        keys = list(node) if isinstance(node, dict) else list(range(len(node)))
        key = data.draw(st.sampled_from(keys))
        if not isinstance(node[key], dict | list) or not node[key] or data.draw(st.booleans()):
            node[key] = data.draw(VALUES)
            break
        node = node[key]
    survives(built(table, arrays, body))


@given(st.binary(max_size=200))
def test_anything(data: bytes) -> None:
    survives(data)
    survives(WHOLE[:4] + data)
    survives(built({"skeletons": [], "bases": [], "clips": []}, data, data))


def refused(data: bytes, match: str) -> None:
    tracemalloc.start()
    try:
        with pytest.raises(FormatError, match=match):
            lmz.read(data, Path("a.lmz"))
        assert tracemalloc.get_traced_memory()[1] < 100_000_000
    finally:
        tracemalloc.stop()


def test_sizes_that_cannot_be() -> None:
    table, arrays, body = parts()
    for frames in (0, MAX_NUMBERS, 2**35 - 1):
        rest = Reader(body[6:])
        rest.varint()
        hostile = body[:6] + varints([frames]) + rest.take(rest.left)
        table["clips"][0][-1] = len(hostile)
        refused(built(table, arrays, hostile), r"^a\.lmz: clip 'performer': .* frames")
    table, arrays, body = parts()
    table["clips"][0][-1] = 10**12
    refused(built(table, arrays, body), r"^a\.lmz: ")
    table, arrays, body = parts()
    table["skeletons"][0]["names"] = [str(k) for k in range(10**5)]
    refused(built(table, arrays, body), r"^a\.lmz: 100000 joints")


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_lmz_file, "MAX_HEAD_BYTES", 1_000_000)
    head = zlib.compress(bytes(30_000_000))
    refused(WHOLE[:4] + varints([len(head)]) + head, "limit of 1000000 bytes")
