from __future__ import annotations

import contextlib
import io
import json
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.body import Body
from locomote.errors import FormatError, LocomoteError
from locomote.formats import load, native, save
from locomote.motion import Motion
from locomote.skeleton import Arm, Leg, Roles, Skeleton

SKELETON = ("parents", "offsets", "rest_rotations", "end_parents", "end_offsets")


def motion(seed: int = 0) -> Motion:
    rng = np.random.default_rng(seed)
    skeleton = Skeleton(
        ("hip", "knee é", "foot"),
        np.array([-1, 0, 1]),
        rng.normal(size=(3, 3)),
        rest_rotations=rot.normalize(rng.normal(size=(3, 4))),
        end_parents=np.array([2]),
        end_offsets=rng.normal(size=(1, 3)),
    )
    turns = rot.normalize(rng.normal(size=(7, 3, 4)))
    return Motion(skeleton, 59.94, rng.normal(size=(7, 3)), turns, name="try", notes=("read somewhere",))


def full(seed: int = 0) -> Motion:
    one = motion(seed)
    leg = Leg("left", 0, 0, 1, 2, 2, 2, (0.1, 0.2, 0.3), (0, 1, 2), None)
    roles = Roles(0, (1,), (), 2, (leg,), (Arm("left", 0, 1, 2, None),), (2,), (1.0, 0.0, 0.0))
    rng = np.random.default_rng(1)
    body = Body(
        rng.normal(size=(5, 3)),
        np.array([[0, 1, 2], [2, 3, 4]]),
        rng.integers(0, 3, size=(5, 4)),
        rng.random((5, 4)),
        rng.normal(size=(3, 3)),
        rot.identity(3),
        source=object(),
    )
    return replace(one, skeleton=one.skeleton.with_roles(roles), translations=rng.normal(size=(7, 3, 3)), body=body)


def data_of(one: Motion, tmp_path: Path) -> bytes:
    save(one, tmp_path / "a.npz")
    return (tmp_path / "a.npz").read_bytes()


def entries(data: bytes) -> dict[str, Any]:
    with np.load(io.BytesIO(data)) as archive:
        return dict(archive)


def packed(arrays: dict[str, Any]) -> bytes:
    stream = io.BytesIO()
    np.savez(stream, **arrays)
    return stream.getvalue()


def read(data: bytes) -> Motion:
    return native.read(data, Path("a.npz"))


@pytest.mark.parametrize("one", [motion(), full()], ids=["plain", "full"])
def test_every_bit_comes_back(one: Motion, tmp_path: Path) -> None:
    again = read(data_of(one, tmp_path))
    for name in SKELETON:
        np.testing.assert_array_equal(getattr(again.skeleton, name), getattr(one.skeleton, name))
    for name in ("root_positions", "rotations", "translations"):
        np.testing.assert_array_equal(getattr(again, name), getattr(one, name))
    for name in ("fps", "name", "notes"):
        assert getattr(again, name) == getattr(one, name)
    assert again.skeleton.names == one.skeleton.names
    assert again.skeleton.given_roles == one.skeleton.given_roles
    assert (again.body is None) == (one.body is None)
    if one.body is not None and again.body is not None:
        for name in ("vertices", "triangles", "joints", "weights", "bind_positions", "bind_rotations"):
            np.testing.assert_array_equal(getattr(again.body, name), getattr(one.body, name))
        assert again.body.source is None


def test_compressed_around(tmp_path: Path) -> None:
    save(motion(), tmp_path / "a.npz.xz")
    np.testing.assert_array_equal(load(tmp_path / "a.npz.xz").rotations, motion().rotations)


def test_foreign_files(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="not one that locomote wrote"):
        read(packed({"x": np.zeros(3)}))
    with pytest.raises(FormatError, match="not one that locomote wrote"):
        read(packed({"header": np.frombuffer(b'{"format": "other"}', dtype=np.uint8)}))
    with pytest.raises(FormatError, match="not a whole NumPy archive"):
        read(b"not a zip")
    stream = io.BytesIO()
    np.save(stream, np.zeros(3))
    with pytest.raises(FormatError, match="not a whole NumPy archive"):
        read(stream.getvalue())
    with pytest.raises(FormatError, match=r"not a whole NumPy archive.*pickle"):
        read(packed({"header": np.array([{}], dtype=object)}))


def with_header(data: bytes, **changes: object) -> bytes:
    arrays = entries(data)
    header = json.loads(arrays["header"].tobytes()) | changes
    arrays["header"] = np.frombuffer(json.dumps(header).encode(), dtype=np.uint8)
    return packed(arrays)


def test_a_newer_version_says_so(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"a\.npz: has version 99, .*a newer locomote reads it"):
        read(with_header(data_of(motion(), tmp_path), version=99))
    with pytest.raises(FormatError, match="version must be a whole number"):
        read(with_header(data_of(motion(), tmp_path), version="one"))


@pytest.mark.parametrize(
    "changes",
    [
        {"names": ["a"]},
        {"names": None},
        {"names": ["a", "a", "b"]},
        {"fps": -1},
        {"fps": "fast"},
        {"fps": None},
        {"roles": {"root": 0}},
        {"roles": {"legs": 3}},
        {"roles": 5},
        {"notes": 4},
    ],
)
def test_damaged_headers(changes: dict[str, object], tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"^a\.npz: "):
        read(with_header(data_of(full(), tmp_path), **changes))


@pytest.mark.parametrize("name", [*SKELETON, "rotations", "root_positions", "body_joints", "header"])
def test_missing_and_misshapen_arrays(name: str, tmp_path: Path) -> None:
    arrays = entries(data_of(full(), tmp_path))
    rest = {key: value for key, value in arrays.items() if key != name}
    for other in (rest, rest | {name: np.zeros((2, 9))}, rest | {name: np.array(["text"])}):
        with pytest.raises(FormatError, match=r"^a\.npz: "):
            read(packed(other))
    with pytest.raises(FormatError, match=r"^a\.npz: "):
        read(packed(rest | {name: arrays[name].astype(complex)}))


def test_values_that_cannot_be(tmp_path: Path) -> None:
    arrays = entries(data_of(full(), tmp_path))
    arrays["rotations"][3, 1, 2] = np.nan
    with pytest.raises(FormatError, match="rotations: frame 3 is not finite"):
        read(packed(arrays))
    arrays = entries(data_of(full(), tmp_path))
    arrays["body_joints"][0, 0] = 77
    with pytest.raises(FormatError, match="does not exist"):
        read(packed(arrays))


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "MAX_UNPACKED_BYTES", 1_000_000)
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.npy", bytes(5_000_000))
    with pytest.raises(FormatError, match="limit of 1000000 bytes"):
        read(stream.getvalue())


@given(
    st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=6),
    st.booleans(),
)
@hypothesis.settings(max_examples=300)
def test_flipped_bytes(flips: list[tuple[float, int]], cut: bool) -> None:
    data = bytearray(WHOLE)
    for where, value in flips:
        data[int(where * len(data))] = value
    if cut:
        del data[int(flips[0][0] * len(data)) :]
    with contextlib.suppress(LocomoteError):  # anything else would fail the test
        read(bytes(data))


def _whole() -> bytes:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        return data_of(full(), Path(folder))


WHOLE = _whole()
