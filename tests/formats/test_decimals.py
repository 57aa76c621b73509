"""Numbers read by the compiled parser are those that Python reads, to the last bit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.formats._decimals import parse_decimals


def parse(text: str, room: int = 1000) -> list[float] | None:
    out = np.empty(room)
    count = parse_decimals(np.frombuffer(text.encode(), dtype=np.uint8), out)
    return None if count < 0 else out[:count].tolist()


plain = st.from_regex(r"[+-]?[0-9]{1,8}(\.[0-9]{0,7})?([eE][+-]?[0-9]{1,2})?", fullmatch=True)


@given(st.lists(plain), st.sampled_from([" ", "\n", "\t", " \r\n "]))
def test_plain_numbers_are_read_as_python_reads_them(words: list[str], gap: str) -> None:
    found = parse(gap.join(words))
    if found is not None:
        assert found == [float(word) for word in words]
        assert np.signbit(found).tolist() == [word.startswith("-") for word in words]


@given(st.lists(st.floats(-1e6, 1e6).map(lambda x: f"{x:.6f}")))
def test_six_decimals_are_always_read(words: list[str]) -> None:
    assert parse(" ".join(words)) == [float(word) for word in words]


@given(st.text(max_size=20))
def test_anything_else_is_declined_or_right(text: str) -> None:
    found = parse(text)
    if found is not None:
        assert found == [float(word) for word in text.encode().split()]


@pytest.mark.parametrize("text", ["1 2 x", "1.2.3", "nan", "1e", "--1", "1-2", ".", "1234567890.1234567", "1e30"])
def test_what_it_cannot_promise_it_declines(text: str) -> None:
    assert parse(text) is None


def test_more_numbers_than_room_are_declined() -> None:
    assert parse("1 2 3", room=2) is None
