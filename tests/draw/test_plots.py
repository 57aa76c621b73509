from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.draw import Band, Series, plot
from locomote.draw import _palette as palette
from locomote.draw._canvas import shortened, text_width
from locomote.draw._plots import ticks
from locomote.errors import LocomoteError


def has(picture, colour) -> bool:
    return bool(np.any(np.all(np.asarray(picture) == colour, axis=-1)))


def test_a_plot_shows_its_lines_and_bands():
    x = np.linspace(0.0, 2.0, 50)
    lines = [Series(x, np.sin(x), "a"), Series(x, np.cos(x), "b", colour=(200, 0, 200))]
    plain = plot(lines, size=(500, 240), x_label="time (s)", y_label="height (m)")
    assert plain.size == (500, 240)
    assert has(plain, palette.SERIES[0])
    assert has(plain, (200, 0, 200))
    shaded = plot(lines, size=(500, 240), bands=[Band(0.5, 1.0, palette.PLANTED, "band")], title="Title")
    assert not np.array_equal(plain, shaded)


def test_gaps_and_flat_lines_and_no_numbers_at_all():
    gap = np.array([0.0, np.nan, 1.0])
    for y in (gap, np.ones(3), np.full(3, np.nan)):
        assert plot([Series(np.arange(3.0), y)], size=(300, 200)).size == (300, 200)


def test_a_plot_is_written(tmp_path):
    plot([Series([0, 1], [0, 1])], tmp_path / "p.png")
    assert (tmp_path / "p.png").stat().st_size > 1000


def test_bad_series_are_named():
    with pytest.raises(LocomoteError, match="at least one series"):
        plot([])
    with pytest.raises(LocomoteError, match="'a': x and y must be of one length"):
        plot([Series([0, 1], [0, 1, 2], "a")])


@given(low=st.floats(-1e3, 1e3), span=st.floats(1e-3, 1e4), count=st.integers(2, 12))
def test_ticks_are_round_evenly_spaced_and_inside(low, span, count):
    found = ticks(low, low + span, count)
    values = np.array([v for v, _ in found])
    assert 1 <= len(found) <= count + 1
    assert np.all((values >= low - 1e-6 * span) & (values <= low + span * (1 + 1e-6)))
    if len(values) > 2:
        assert np.allclose(np.diff(values), values[1] - values[0])
    assert all(abs(float(text) - value) < 1e-6 * max(span, abs(low)) for value, text in found)


def test_long_names_are_cut():
    assert shortened("short", 14, 200) == "short"
    cut = shortened("a very long name " * 10, 14, 120)
    assert cut.endswith("...")
    assert text_width(cut, 14) <= 120
