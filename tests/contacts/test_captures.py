"""The detector on recorded motion: force plates, and figures that are known about the clips."""

from __future__ import annotations

import csv
import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import locomote as lm
from locomote.contacts import Contacts, cycles, detect
from locomote.contacts.records import runs

BENCHMARK = Path(__file__).resolve().parents[2] / "benchmarks" / "contacts_force_plates.py"


@pytest.fixture(scope="module")
def plates() -> ModuleType:
    import sys

    spec = importlib.util.spec_from_file_location("contacts_force_plates", BENCHMARK)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclass looks itself up
    spec.loader.exec_module(module)
    return module


@pytest.mark.data
def test_force_plates_agree(data: Path, plates: ModuleType) -> None:
    judged = [trial for trial in plates.trials(data / "human") if not trial.fitted]
    for detector in (plates.ours, plates.ours_on_skeleton):
        for gait in ("walk", "run"):
            some = [trial for trial in judged if trial.gait == gait]
            for kind in ("strike", "off"):
                error = plates.errors(some, kind, detector)
                assert len(error) >= 13
                assert np.mean(np.abs(error) <= 0.033) >= 0.95
            assert gait == "walk" or plates.false_strikes(some, detector) == 0


def double_stances(contacts: Contacts) -> list[float]:
    mask = np.array(contacts.labels) == "double"
    return [(b - a) / contacts.fps for a, b in runs(mask) if a > 0 and b < len(mask)]


@pytest.mark.data
def test_captured_walks(data: Path) -> None:
    with (data / "index.csv").open() as file:
        rows = [r for r in csv.DictReader(file) if r["file"].startswith("human/walk/cmu_")][::6]
    double: list[float] = []
    cadence: list[float] = []
    for row in rows:
        contacts = detect(lm.load(data / row["file"]))
        double += double_stances(contacts)
        strikes = [e.time for e in contacts.events if e.kind == "heel_strike"]
        if row["steps_per_s"]:
            cadence.append(float(np.median(1.0 / np.diff(strikes)) / float(row["steps_per_s"])))
    assert len(double) > 80
    # Force plates: 0.10 to 0.14 s at an ordinary pace, and twice as long in the slow walks among these.
    assert 0.12 <= np.median(double) <= 0.20
    assert np.mean(np.array(double) < 0.05) < 0.01
    assert np.mean(np.abs(np.array(cadence) - 1.0) < 0.08) >= 0.9


@pytest.mark.data
def test_side_steps_stay_apart(data: Path) -> None:
    contacts = detect(lm.load(data / "human/side/cmu_69_42.bvh.xz"))
    # 84 usable steps are known in this clip.
    assert sum(len(contacts.intervals(leg)) for leg in (0, 1)) >= 84


@pytest.mark.data
@pytest.mark.parametrize(
    ("clip", "flight"),
    [
        ("cmu_118_09", (167, 209)),
        ("cmu_118_23", (220, 282)),
        ("cmu_13_19", (252, 313)),
        ("cmu_16_05", (137, 188)),
    ],
)
def test_jumps(data: Path, clip: str, flight: tuple[int, int]) -> None:
    contacts = detect(lm.load(data / f"human/jump/{clip}.bvh.xz", drop_tpose=True))
    flights = runs(np.array(contacts.labels) == "flight")
    assert len(flights) == 1
    assert np.max(np.abs(flights[0] - flight)) <= 7  # 0.06 s


@pytest.mark.data
def test_thirty_frames_a_second(data: Path) -> None:
    contacts = detect(lm.load(data / "human/walk/bandai_nc_ds1_walk_normal_001.bvh.xz"))
    found = [c for leg in (0, 1) for c in cycles(contacts, leg)]
    assert len(found) >= 9
    assert all(0.9 < c.duration < 1.3 and 0.55 < c.duty < 0.75 for c in found)
    assert "flight" not in contacts.labels


@pytest.mark.data
def test_a_walking_dog(data: Path) -> None:
    contacts = detect(lm.load(data / "animal/labrador_dog_quad_walkrun_001.bvh.xz"))
    for leg in range(4):
        found = cycles(contacts, leg)
        assert np.median([c.duration for c in found]) == pytest.approx(0.53, abs=0.09)
        assert np.median([c.duty for c in found]) == pytest.approx(0.49, abs=0.06)
