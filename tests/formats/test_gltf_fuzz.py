"""Damaged and hostile files: always a motion or a clear error, never anything else, and never for long."""

from __future__ import annotations

import copy
import json
import struct
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from locomote.errors import LocomoteError
from locomote.formats import gltf
from locomote.motion import Motion
from tests.formats.gltf_files import Scene, arm, walker

FOLDER = Path(tempfile.mkdtemp(prefix="gltf_fuzz_"))


def attempt(data: bytes, **options: Any) -> Motion | None:
    """Read, and write what was read: both work, or one says why not in a line."""
    try:
        motion = gltf.read(data, FOLDER / "fuzz.gltf", **options)
        assert np.all(np.isfinite(motion.joint_positions()))
        if motion.body is not None:
            assert motion.body.triangles.max() < len(motion.body.vertices)
            assert motion.body.joints.max() < len(motion.skeleton)
        gltf.write(motion, FOLDER / "again.glb")
        return motion
    except LocomoteError as error:
        message = str(error)
    assert "\n" not in message
    assert len(message) < 1000
    return None


def glb(motion: Motion) -> bytes:
    gltf.write(motion, FOLDER / "base.glb")
    return (FOLDER / "base.glb").read_bytes()


ARM = arm()
ARM.text()
TREE = ARM.tree
GLB = glb(walker(frames=3))

NUMBERS = [-1, 0, 1, 2, 3, 7, 255, 65536, 2**31, 2**63, 10**30, -0.5, 0.5, 1e39, 1e300, np.nan, np.inf]
TEXTS = ["", "x", "VEC3", "MAT4", "STEP", "CUBICSPLINE", "data:,abc", "data:;base64,AAAA", "../x"]
LISTS = [[], [0], [1, 2], [[]], [None], [{}], [0, 0, 0], [1e30] * 3, [1e-30] * 3, [0, 0, 0, 0], [1, 1, 1, 1]]
STRANGE = st.sampled_from([None, True, False, *NUMBERS, *TEXTS, *LISTS, {}, {"a": 1}])


def places(tree: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The paths to all values of a JSON tree."""
    found = [at] if at else []
    pairs = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, value in pairs:
        found += places(value, (*at, key))
    return found


PLACES = places(TREE)
NAMES = sorted(
    {path[-1] for path in PLACES if isinstance(path[-1], str)} | {"sparse", "matrix", "extensions", "extras"}
)


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, Any]:
    """The arm with some of its values replaced, removed, or given new neighbours."""
    tree = copy.deepcopy(TREE)
    for _ in range(draw(st.integers(1, 4))):
        *path, last = draw(st.sampled_from(PLACES))
        item: Any = tree
        try:
            for key in path:
                item = item[key]
            action = draw(st.integers(0, 9))
            if action == 0:
                del item[last]
            elif action == 1 and isinstance(item, dict):
                item[draw(st.sampled_from(NAMES))] = draw(STRANGE)
            else:
                item[last] = draw(STRANGE)
        except (KeyError, IndexError, TypeError):
            continue
    return tree


@settings(max_examples=400)
@given(mutated())
def test_any_value_may_be_wrong(tree: dict[str, Any]) -> None:
    attempt(json.dumps(tree).encode())


@settings(max_examples=150)
@given(st.lists(st.tuples(st.integers(0, len(GLB) - 1), st.integers(0, 255)), min_size=1, max_size=8))
def test_any_byte_may_be_wrong(changes: list[tuple[int, int]]) -> None:
    data = bytearray(GLB)
    for at, value in changes:
        data[at] = value
    attempt(bytes(data))


@settings(max_examples=100)
@given(st.integers(0, len(GLB) - 1), st.booleans())
@example(11, False)
@example(19, True)
def test_the_file_may_end_anywhere(length: int, mend: bool) -> None:
    data = bytearray(GLB[:length])
    if mend and length >= 12:
        data[8:12] = struct.pack("<I", length)  # the header agrees, the chunks do not
    assert attempt(bytes(data)) is None


@given(st.binary(max_size=200))
@example(b"glTF")
@example(b"[]")
@example(b"null")
@example(b"\xff\xfe{}")
@example(b'{"asset": {"version": "2.0"}}')
@example(b"9" * 5000)
def test_a_file_may_be_anything(data: bytes) -> None:
    assert attempt(data) is None
    assert attempt(b"glTF" + data) is None


@given(st.integers(0, len(ARM.data) // 4 - 1), st.sampled_from([np.nan, np.inf, -np.inf, 3e38, 1e30, 0.0]))
def test_any_stored_number_may_be_wrong(at: int, value: float) -> None:
    scene = arm()
    scene.data = scene.data[: 4 * at] + struct.pack("<f", value) + scene.data[4 * at + 4 :]
    attempt(scene.text())


def test_numbers_that_are_no_numbers_make_no_noise() -> None:
    signalling = struct.pack("<I", 0x7FA00000)  # a NaN that complains when it is converted
    scene = arm()
    for at in range(len(scene.data) // 4):
        scene.data = ARM.data[: 4 * at] + signalling + ARM.data[4 * at + 4 :]
        attempt(scene.text())


@given(st.lists(st.lists(st.integers(0, 6), max_size=3), min_size=1, max_size=7))
def test_any_graph_of_nodes_is_a_tree_or_refused(children: list[list[int]]) -> None:
    nodes = [{"name": f"n{n}", "children": below, "translation": [0, 0.1, 0]} for n, below in enumerate(children)]
    motion = attempt(Scene(nodes).text())
    flat = [child for below in children for child in below]
    if len(set(flat)) != len(flat) or any(child >= len(children) for child in flat):
        assert motion is None
    elif motion is not None:
        assert len(motion.skeleton) in (len(children), len(children) + 1)


@pytest.mark.parametrize("depth", [10_000, 200_000])
def test_deep_nesting_does_not_overflow(depth: int) -> None:
    assert attempt(b"[" * depth + b"]" * depth) is None
    assert attempt(b'{"asset": {"version": "2.0", "extras": ' + b"[" * depth + b"]" * depth + b"}}") is None


@pytest.mark.parametrize("count", [10**6 + 1, 10**9, 2**62])
def test_huge_counts_take_no_memory(count: int) -> None:
    for kind in range(len(TREE["accessors"])):
        tree = copy.deepcopy(TREE)
        tree["accessors"][kind]["count"] = count
        assert attempt(json.dumps(tree).encode(), animation=0) is None or kind > 4
        del tree["accessors"][kind]["bufferView"]
        assert attempt(json.dumps(tree).encode(), animation=0) is None or kind > 4


@given(st.sampled_from([1e-30, 1e-3, 1e3, 1e6, 1e30]), st.sampled_from([1e-6, 1.0, 1e3, 1e30]))
def test_any_rate_and_unit_is_used_or_refused(unit: float, fps: float) -> None:
    attempt(arm().text(), unit=unit, fps=fps)
