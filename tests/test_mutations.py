"""The table of breaks fits the sources: every row can be tried, and finds tests that should notice it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[1] / "scripts"


@pytest.fixture
def mutate(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(SCRIPTS))
    import mutate

    yield mutate
    for name in ("mutate", "features"):
        sys.modules.pop(name, None)


def test_every_break_still_applies(mutate) -> None:
    rows = mutate.table()
    assert len(rows) >= 20


def test_what_is_said_of_features_agrees_with_the_marks(mutate) -> None:
    import features

    said = features.notes()
    assert {kind for kind, _ in said.values()} == {"not_applicable", "open", "measured"}
    assert all(text for _, text in said.values())


def test_a_break_that_does_not_apply_is_told(mutate) -> None:
    row = mutate.Break("gone", ("PCA-002",), "locomote/errors.py", "no such text", "")
    with pytest.raises(ValueError, match="gone: the text to break stands 0 times"):
        row.broken()
    row = mutate.Break("idle", ("PCA-002",), "locomote/contacts/records.py", "2 * left + right]", "2 * left + (right)]")
    with pytest.raises(ValueError, match="idle: the break changes nothing"):
        row.broken()
