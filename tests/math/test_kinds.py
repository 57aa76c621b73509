"""Which arguments are of one kind, and which may be handed to code that was compiled for another."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as np
import pytest

from locomote.math._kinds import key_of, kind_of, takes, type_name
from locomote.math.records import Record, zeros


class Pair(NamedTuple):
    a: np.ndarray
    b: float


class Other(NamedTuple):
    b: np.ndarray
    a: float


class Point(Record):
    x: float
    n: int


class Swapped(Record):
    n: int
    x: float


FLAT = np.zeros((4, 3))
LOCKED = np.zeros((4, 3))
LOCKED.flags.writeable = False
VALUES: dict[str, Any] = {
    "flat": FLAT,
    "strided": FLAT[:, ::2],
    "transposed": FLAT.T,
    "locked": LOCKED,
    "single": FLAT.astype(np.float32),
    "swapped bytes": FLAT.astype(">f8"),
    "whole": FLAT.astype(np.int64),
    "vector": FLAT[0],
    "points": zeros(Point, 2),
    "swapped": zeros(Swapped, 2),
    "pair": Pair(FLAT, 1.0),
    "other": Other(FLAT, 1.0),
    "plain": (FLAT, 1.0),
    "strided pair": Pair(FLAT[:, ::2], 1.0),
    "number": 1.0,
    "integer": 1,
    "truth": True,
    "none": None,
}


def test_kinds_are_what_json_holds() -> None:
    for value in VALUES.values():
        assert json.loads(json.dumps(kind_of(value))) == kind_of(value)


def test_different_values_are_of_different_kinds_and_keys() -> None:
    kinds = [json.dumps(kind_of(value)) for value in VALUES.values()]
    assert len(set(kinds)) == len(kinds)
    keys = {key_of(value) for value in VALUES.values()}
    assert len(keys) == len(kinds)


@pytest.mark.parametrize(
    ("kind", "given", "may"),
    [
        ("flat", "flat", True),
        ("flat", "strided", False),
        ("flat", "transposed", False),
        ("flat", "locked", False),
        ("flat", "single", False),
        ("flat", "whole", False),
        ("flat", "vector", False),
        ("strided", "flat", True),
        ("strided", "transposed", True),
        ("strided", "locked", False),
        ("locked", "flat", True),
        ("points", "swapped", False),
        ("pair", "pair", True),
        ("pair", "other", False),
        ("pair", "plain", False),
        ("pair", "strided pair", False),
        ("strided pair", "pair", True),
        ("number", "integer", True),
        ("integer", "number", False),
        ("truth", "integer", False),
        ("number", "flat", False),
    ],
)
def test_what_may_be_handed_over(kind: str, given: str, may: bool) -> None:
    assert takes(kind_of(VALUES[kind]), kind_of(VALUES[given])) is may


def test_compiled_code_takes_neither_crooked_arrays_nor_other_things() -> None:
    crooked = np.frombuffer(bytes(25), np.uint8)[1:].view(np.float64)
    assert kind_of(crooked) is None
    assert kind_of("text") is None
    assert kind_of((FLAT, "text")) is None
    assert kind_of(np.ma.zeros(3)) is None


def test_records_are_alike_by_names_and_places_of_their_fields() -> None:
    again = np.dtype(zeros(Point, 1).dtype.descr)
    assert type_name(np.dtype((np.record, again))) == type_name(zeros(Point, 1).dtype)
    assert type_name(np.dtype([("x", "<f8"), ("n", "<i4")], align=True)) != type_name(zeros(Point, 1).dtype)
