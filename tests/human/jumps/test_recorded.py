"""Jumps cut from the recorded clips."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.human._model import HumanModel
from locomote.human.fitting._calibration import lowest_foot_points
from locomote.human.fitting._jump_cutting import gather_jumps
from locomote.human.fitting._jump_fit import event_lines
from locomote.human.fitting._jump_recordings import RECORDINGS
from locomote.human.jumps import JumpModel, JumpUnit
from locomote.human.jumps import _timeline as timeline
from locomote_lab.human.jumps import centre_of_mass, held_out_errors, world_positions

pytestmark = pytest.mark.data
FRAME = 1.0 / 25.0  # of the timeline
# Lengths in metres that were measured independently of this code, toe-off to touch-down: clip, toe-off, length.
MEASURED = {
    ("118_04", 289): 0.36, ("118_14", 346): 0.95, ("118_26", 307): 1.45, ("13_42", 181): 0.21, ("91_40", 212): 1.34,
    ("75_15", 135): 1.98, ("127_25", 64): 1.92, ("127_28", 60): 1.85, ("75_01", 141): 1.06,
}  # fmt: skip


@pytest.fixture(scope="module")
def units(data: Path) -> list[JumpUnit]:
    return list(gather_jumps(data).units)


def test_all_listed_jumps_are_cut(units: list[JumpUnit]) -> None:
    kinds = [unit.kind for unit in units]
    assert (kinds.count("standing"), kinds.count("moving")) == (73, 8)
    listed = {(r.clip, r.toe_off) for r in RECORDINGS}
    assert len(listed) == len(RECORDINGS) == 81


def test_lengths_are_those_measured_elsewhere(units: list[JumpUnit]) -> None:
    by_subject = [r for s in dict.fromkeys(r.subject for r in RECORDINGS) for r in RECORDINGS if r.subject == s]
    for recording, unit in zip(by_subject, units, strict=True):
        known = MEASURED.get((recording.clip, recording.toe_off))
        if known is not None:
            # Standing feet are taken flat: the balls roll a few centimetres before toe-off and after touch-down.
            assert unit.length * unit.hip_height == pytest.approx(known, abs=0.10)


def test_feet_are_on_the_floor_before_and_after(units: list[JumpUnit]) -> None:
    u = timeline.nodes()
    for unit in units:
        if unit.kind == "standing" and unit.trust.min() == 1.0:
            low = lowest_foot_points(unit.root, unit.rotations)
            assert np.abs(low[(u < 0.25) | (u > 0.7)]).max() < 0.04


def test_recorded_jumps_fall_freely(units: list[JumpUnit]) -> None:
    """The centre of mass in flight accelerates by gravity: scale, rate and floor are right."""
    u = timeline.nodes()
    flying = (u > timeline.U_OFF) & (u < timeline.U_LAND)
    falls = []
    for unit in units:
        mass = centre_of_mass(world_positions(unit.root, unit.rotations, unit.travel()))
        falls.append(-2.0 * np.polyfit(unit.pace[flying], mass[flying, 1], 2)[0])
    assert np.median(falls) == pytest.approx(1.0, abs=0.05)


@pytest.mark.feature("PCA-071")
def test_events_of_held_out_jumps_are_foretold(units: list[JumpUnit]) -> None:
    """Lines in length, per performer, kind and event: every jump is held out once, standing and running ones.

    Labels are found in the recorded heights of heels and balls; left and right take off and land together. The heights
    at which a heel and a ball count as off the floor were chosen on these jumps.
    """
    errors, constant = [], []
    for subject in ("118", "01", "83", "91", "13", "127"):
        mine = [unit for unit in units if unit.subject == subject]
        for k, unit in enumerate(mine):
            others = mine[:k] + mine[k + 1 :]
            for name, (offset, slope) in event_lines(others, np.ones(len(others))).items():
                errors.append(abs(offset + slope * unit.length - unit.events[name]))
                constant.append(abs(np.mean([one.events[name] for one in others]) - unit.events[name]))
    assert len(errors) > 200
    assert max(errors) <= FRAME
    assert np.mean(errors) < np.mean(constant)


@pytest.mark.feature("PCA-033")
def test_durations_lie_within_the_spread_of_recorded_ones(units: list[JumpUnit]) -> None:
    """For every length the support and landing are no shorter and no longer than those of jumps about as long."""
    kind = JumpModel.default().kinds["standing"]
    standing = [unit for unit in units if unit.kind == "standing"]
    for length in np.linspace(0.3, 2.4, 15):
        near = sorted(standing, key=lambda unit: abs(unit.length - length))[:8]
        asked = kind.durations(length, kind.usual_flight(length))
        for name, duration in zip(("support", "landing"), asked, strict=True):
            spread = [getattr(unit, name) for unit in near]
            assert min(spread) <= duration <= max(spread)


def test_held_out_jumps_are_nearer_than_the_first_prototype(units: list[JumpUnit]) -> None:
    """Leave-one-out joint error of one performer: 6.3 cm in the prototype; the mean of all jumps is 20 cm away."""
    mine = [unit for unit in units if unit.subject == "118"]
    assert held_out_errors(mine, HumanModel.default().encoding).mean() < 0.063
