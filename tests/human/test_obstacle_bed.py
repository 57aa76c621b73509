"""The command that measures people before obstacles, ``tasks.py bench obstacles``: all twelve scenarios in small."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import numpy as np
import pytest

BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"
SCENARIOS = [f"O{n}" for n in range(1, 13)]
SHOWN = {"obstacles-round.png", "obstacles-footprints.png", "obstacles-cycles.png"}  # O4, O5, O6


@pytest.fixture(scope="module")
def bed():
    """The script that the command runs; it finds its neighbours as it does there."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield importlib.import_module("obstacles")


@pytest.fixture(scope="module")
def found(bed):
    small = bed.Counts(
        crowd=24, crowds=1, few=6, bed_seconds=9.0, run_ups=6, jumpers=5, each=1, people=300, seconds=1.0
    )
    return bed.measure(small)


@pytest.mark.feature("OBS-29")
def test_one_command_writes_the_tables_of_all_scenarios(bed, found, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(bed, "measure", lambda counts: found)
    monkeypatch.setattr(bed, "PICTURES", tmp_path)
    monkeypatch.setattr(importlib.import_module("_page"), "PAGES", tmp_path)
    bed.main()
    text = (tmp_path / "obstacles.md").read_text()
    assert text == capsys.readouterr().out.rstrip("\n") + "\n"
    sections = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    tables = {s: [t for t in sections if re.search(rf"\b{s}\b", t.splitlines()[0])] for s in SCENARIOS}
    for scenario, with_rows in tables.items():
        assert with_rows, scenario
        assert any(len(re.findall(r"^\| ", table, re.MULTILINE)) > 2 for table in with_rows), scenario
    assert "nan" not in text
    assert {path.name for path in tmp_path.glob("*.png")} == SHOWN
    # The histogram of E counts every jump once, and no figure of another scenario is outside its limits.
    histogram = next(table for table in tables["O1"] if "how often" in table)
    counts = np.array(re.findall(r"^\| .* \| (\d+) \| (\d+) \|$", histogram, re.MULTILINE), dtype=int)
    walks = found.puddles.walking[found.puddles.jumped]
    assert counts.sum(axis=0).tolist() == [walks.sum(), (~walks).sum()]
    check_random_puddles(found)
    check_jumps_and_ways(found)
    check_plans(bed, found)
    check_lines(found)


def check_random_puddles(found):
    """O1, O2, O8, O11: the error at take-off."""
    jumps = found.puddles.jumped
    error = np.abs(found.puddles.error[jumps])
    assert jumps.sum() >= 10
    assert np.mean(error < 0.01) >= 0.95
    assert error.max() <= 0.03
    assert found.puddles.inside.max() < 1e-3
    rough, exact = (found.ablation[name] for name in ("planned once, foot not placed", "replanned"))
    assert np.nanmax(np.abs(exact.error)) <= 0.01 < np.nanmax(np.abs(rough.error))
    moving = next(bed for name, bed in found.others.items() if "move" in name)
    assert moving.replans[moving.jumped].min() > 1
    assert np.nanmedian(np.abs(moving.error)) <= 0.03


def check_jumps_and_ways(found):
    """O3, O4, O5, O7: speeds fit, ways keep clear, feet stay."""
    long = found.with_run_up
    with_run_up, cut = long.flight_speed - long.speed, long.flight_speed - long.walk_speed
    assert with_run_up.max() < 0.3 * cut.min()
    assert (long.jump / long.step < 0.7 * long.jump / long.walk_step).all()
    for way in found.rounds:
        assert way.clearance >= 0.25
        assert way.speeds.min() >= 0.7 * 1.2
        assert abs(way.aside[-1]) <= 0.05
    story = found.story
    assert abs(story.error) <= 0.01
    assert story.trace == ["free", "run-up", "take-off", "flight", "landing", "recovering", "free"]
    assert story.speeds[[0, -1]] == pytest.approx(0.9, abs=0.01)
    assert story.speeds.max() > 2.0
    for kind in ("standing", "walking", "running"):
        slides = found.slides[kind]
        assert slides.drift < 1e-3
        assert slides.below < 1e-3


def check_plans(bed, found):
    """O6, O8, O9, O12: what planners choose; their times are for the page alone."""
    marks = {(row[0], row[1]): row[-1] for row in bed.plans.worked_rows()}
    ours = {case: cycles for (case, cycles), mark in marks.items() if "ours" in mark}
    assert ours == {"9 to 14 cycles": "12", "1 to 4 cycles": "2", "surface": "4"}
    once, again, exact = (float(row[1].split(" / ")[0]) for row in found.accuracy)
    assert exact < 2.0 < again < once
    right, either = (np.array(found.peaks[k][2].split(" / "), dtype=float) for k in (0, 2))
    assert (either < right).all()
    assert found.live.jumps + found.live.run_ups > 0
    assert len(found.live.planning) == len(found.live.whole) == len(found.live.bare) == 60


def check_lines(found):
    """O10: the chosen foot at the line."""
    assert {*found.stops} == {*found.stairs} == {"left", "right"}
    for off in found.stops.values():
        assert np.abs(off).max() <= 0.02
    stood, wet = found.standing_jumps
    assert len(stood) > 3
    assert np.abs(stood).max() <= 0.02
    assert wet == 0
    for off, _ in found.stairs.values():
        assert np.abs(off).max() <= 0.02


def test_before_stairs_the_other_foot_goes_up_first(found):
    assert all(first == 1.0 for _, first in found.stairs.values())
