"""Pages of figures say on what, of what and when they were measured."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[1]
PAGES = [path for path in sorted((HERE / "docs" / "performance").glob("*.md")) if path.stem != "index"]


@pytest.fixture
def stamps(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.syspath_prepend(str(HERE / "benchmarks"))
    import _stamp

    yield _stamp
    sys.modules.pop("_stamp")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_carries_machine_commit_date_and_rooms(stamps, page: Path) -> None:
    stamp = stamps.stamp_of(page.read_text(encoding="utf-8"))
    assert stamp is not None, "run its benchmark: python3 tasks.py bench NAME"
    assert (HERE / "benchmarks" / stamp.script).is_file()
    assert stamp.machine
    assert re.match(r"Python 3\.\d+", stamp.versions)
    assert stamp.rooms


def test_a_stamp_is_read_as_it_was_written(stamps) -> None:
    now = stamps.stamp("maps.py")
    assert stamps.stamp_of(f"# Page\n\ntext\n\n{now}\n") == now
    assert "world" in now.rooms
    assert stamps.stamp_of("Measured by `benchmarks/maps.py` in one run on: a machine; Python 3.11.") is None


def test_digests_follow_what_kernels_say_and_nothing_else(stamps, tmp_path: Path) -> None:
    kernels = tmp_path / "locomote" / "world" / "_kernels"
    kernels.mkdir(parents=True)
    for folder in (kernels, kernels.parent):
        (folder / "__init__.py").write_text("")
    (kernels / "ground.py").write_text("def height(x):\n    return x\n")
    (kernels.parent / "_ground.py").write_text("A = 1\n")
    before = stamps.digest(("world",), tmp_path)
    (kernels.parent / "_ground.py").write_text("A = 2\n")
    (kernels / "ground.py").write_text("def height(x):  # a comment\n\n    return x\n")
    assert stamps.digest(("world",), tmp_path) == before
    (kernels / "ground.py").write_text("def height(x):\n    return 2 * x\n")
    assert stamps.digest(("world",), tmp_path) != before


def test_pages_with_figures_of_others_say_of_which_year_and_on_what_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(HERE / "benchmarks"))
    from _published import BEGIN, PUBLISHED

    for name, said in PUBLISHED.items():
        page = (HERE / "docs" / "performance" / f"{name}.md").read_text(encoding="utf-8")
        assert f"\n\n{BEGIN}{said}\n\n" in page
        assert re.search(r"\b(19|20)\d\d\b", said) or "of the years that are named" in said
        # Where no time is compared no machine is needed.
        assert re.search(r"GHz|not a time|not times", said)
    # In a column called the source's may also stand what was recorded or not yet packed.
    own = {"clean", "retarget"}
    for path in PAGES:
        heads = re.findall(r"^(\|.*\|)\n\| ---", path.read_text(encoding="utf-8"), re.M)
        if any(re.search(r"\b(source|printed|published)\b", head) for head in heads):
            assert path.stem in PUBLISHED.keys() | own, f"{path.stem}: whose figures, of which year, on what machine?"
