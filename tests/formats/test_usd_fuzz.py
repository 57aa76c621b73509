"""Damaged USD files are refused with one of our errors, and the process lives."""

from __future__ import annotations

import contextlib
import struct
from pathlib import Path

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import FormatError
from locomote.formats import load, save
from locomote.motion import Motion
from locomote.skeleton import Skeleton

pytest.importorskip("pxr")
HEADER_BYTES = 88


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    skeleton = Skeleton(("hips", "spine"), [-1, 0], [[0, 1, 0], [0, 0.3, 0]], end_parents=[1], end_offsets=[[0, 1, 0]])
    motion = Motion(skeleton, 30.0, np.zeros((3, 3)), rot.identity(3, 2))
    out = tmp_path_factory.mktemp("usd")
    save(motion, out / "good.usda")
    save(motion, out / "good.usdc")
    return out


def contents(data: bytes) -> int:
    """Where the table of contents of a binary file begins."""
    return int(struct.unpack_from("<q", data, 16)[0])


def section(data: bytes, name: bytes) -> tuple[int, int]:
    start = contents(data)
    for i in range(struct.unpack_from("<Q", data, start)[0]):
        title, at, size = struct.unpack_from("<16sqq", data, start + 8 + 32 * i)
        if title.rstrip(b"\0") == name:
            return at, size
    raise AssertionError(name)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.floats(0.0, 1.0), noise=st.binary(max_size=12), replace=st.booleans())
def test_damaged_text(folder: Path, cut: float, noise: bytes, replace: bool) -> None:
    data = (folder / "good.usda").read_bytes()
    at = int(cut * len(data))
    (folder / "bad.usda").write_bytes(data[:at] + noise + (data[at + len(noise) :] if replace else b""))
    with contextlib.suppress(FormatError):
        load(folder / "bad.usda")


@settings(max_examples=60)
@given(cut=st.floats(0.0, 1.0))
def test_a_cut_off_binary_file_is_refused(folder: Path, cut: float) -> None:
    data = (folder / "good.usdc").read_bytes()
    (folder / "bad.usdc").write_bytes(data[: 1 + int(cut * (len(data) - 2))])
    with pytest.raises(FormatError):
        load(folder / "bad.usdc")


@settings(max_examples=60)
@given(at=st.integers(0, 10**6), value=st.integers(1, 255), table=st.booleans())
def test_damaged_binary_header_and_contents(folder: Path, at: int, value: int, table: bool) -> None:
    data = bytearray((folder / "good.usdc").read_bytes())
    start, end = (contents(data), len(data)) if table else (0, HEADER_BYTES)
    data[start + at % (end - start)] ^= value
    (folder / "bad.usdc").write_bytes(data)
    with contextlib.suppress(FormatError):
        load(folder / "bad.usdc")


@pytest.mark.parametrize("name", [b"TOKENS", b"STRINGS", b"FIELDS", b"FIELDSETS", b"PATHS", b"SPECS"])
def test_a_table_that_claims_more_than_it_holds_is_refused(folder: Path, name: bytes) -> None:
    data = bytearray((folder / "good.usdc").read_bytes())
    at, _ = section(bytes(data), name)
    data[at + 3] = 0x40  # a thousand million entries
    (folder / "bad.usdc").write_bytes(data)
    with pytest.raises(FormatError, match=f"section {name.decode()}: damaged: 1073741"):
        load(folder / "bad.usdc")


@pytest.mark.parametrize("place", [0.5, 0.87])
def test_a_file_that_breaks_the_library_is_refused_in_isolation(folder: Path, place: float) -> None:
    data = bytearray((folder / "good.usdc").read_bytes())
    at, size = section(bytes(data), b"SPECS")
    data[at + int(place * size)] = 0x80
    (folder / "bad.usdc").write_bytes(data)
    with contextlib.suppress(FormatError):
        load(folder / "bad.usdc", isolated=True)
    assert len(load(folder / "good.usdc", isolated=True)) == 3


def test_errors_are_one_line_and_nothing_is_printed(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / "bad.usda").write_text('#usda 1.0\ndef Skeleton "x" { nonsense }')
    with pytest.raises(FormatError) as caught:
        load(folder / "bad.usda")
    assert "\n" not in str(caught.value)
    assert "bad.usda:2:" in str(caught.value)
    assert capfd.readouterr().err == ""
