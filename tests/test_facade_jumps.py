"""Jumps and obstacles from the façade, and the page about them."""

import doctest
import subprocess
import sys
from pathlib import Path

import locomote as lm

PAGE = Path(__file__).resolve().parents[1] / "docs" / "jumps.md"


def test_the_names_are_there() -> None:
    assert lm.human.jumps.JumpModel.default().length_for("walking", 1.2) > 0.5
    assert callable(lm.human.jumps.fit_jumps)
    assert callable(lm.human.plan_runup)
    assert len(lm.world.Obstacles()) == 0
    assert set(lm.human.__all__) == set(dir(lm.human))


def test_they_are_imported_when_asked_for() -> None:
    code = "import locomote as lm, sys; lm.human; print('locomote.human._crowd' in sys.modules, 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_the_page_says_what_happens() -> None:
    assert doctest.testfile(str(PAGE), module_relative=False).failed == 0


def test_the_page_shows_films_that_are_there() -> None:
    for name in ("walk-over", "run-over", "promote", "round", "stop", "replan"):
        assert f"obstacle-{name}.webp" in PAGE.read_text()
        assert (PAGE.parent / "pictures" / f"obstacle-{name}.webp").stat().st_size < 300_000
