from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.contacts import Contacts, detect, detect_points, label_at_phase, phase
from locomote.contacts.records import runs
from locomote.errors import LocomoteError, SkeletonError
from locomote.samples import performer


@cache
def contacts_of(gait: str) -> Contacts:
    return detect(performer(speed={"walk": 1.4, "run": 3.0}[gait], gait=gait, fps=60).motion)


CARRIES = {(False, False): "flight", (True, False): "left", (False, True): "right", (True, True): "double"}


@given(st.lists(st.booleans()))
def test_runs_tell_the_mask(mask: list[bool]) -> None:
    again = np.zeros(len(mask), dtype=bool)
    for start, stop in runs(mask):
        assert start < stop
        again[start:stop] = True
    assert again.tolist() == mask


@pytest.mark.feature("PCA-070")
@pytest.mark.parametrize("gait", ["walk", "run"])
@given(part=st.floats(0.0, 1.0))
def test_labels_agree_with_the_contacts_at_every_time_and_phase(gait: str, part: float) -> None:
    contacts = contacts_of(gait)
    time = part * (len(contacts) - 1) / contacts.fps
    down = {
        leg.side: bool(np.any([a <= time < b for a, b in contacts.times(number)]))
        for number, leg in enumerate(contacts.legs)
    }
    assert contacts.label_at(time) == CARRIES[down["left"], down["right"]]

    frame = round(time * contacts.fps)
    in_frame = {
        leg.side: any(a <= frame < b for a, b in contacts.intervals(number)) for number, leg in enumerate(contacts.legs)
    }
    label = CARRIES[in_frame["left"], in_frame["right"]]
    assert contacts.labels[frame] == label == contacts.label_at(frame / contacts.fps)
    assert contacts.support[frame] == sum(in_frame.values())

    phases = phase(contacts)
    if np.isfinite(phases[frame]):
        # Half a microsecond aside: a phase and a time are the same instant only up to rounding.
        near = {contacts.label_at(frame / contacts.fps + d) for d in (-5e-7, 5e-7)}
        assert label_at_phase(contacts, float(phases[frame])) in near


@pytest.mark.feature("PCA-070")
@pytest.mark.parametrize("gait", ["walk", "run"])
def test_eight_events_a_stride_in_their_order(gait: str) -> None:
    contacts = contacts_of(gait)
    for leg in (0, 1):
        kinds = [e.kind for e in contacts.events if e.leg == leg]
        order = ["heel_strike", "toe_strike", "heel_off", "toe_off"]
        first = order.index(kinds[0])
        assert kinds == [order[(first + k) % 4] for k in range(len(kinds))]
    times = [e.time for e in contacts.events]
    assert times == sorted(times)
    # The heel comes and goes first, and the foot does not leave the ground between.
    assert np.array_equal(contacts.foot, contacts.heel | contacts.toe)
    inner = phase(contacts)
    labels = {contacts.labels[f] for f in np.flatnonzero(np.isfinite(inner))}
    assert labels == ({"left", "right", "double"} if gait == "walk" else {"left", "right", "flight"})


@pytest.mark.feature("PCA-070")
def test_walking_support_phases_in_their_order() -> None:
    contacts = contacts_of("walk")
    names = {(k, e.kind): e for e in contacts.events for k in (contacts.legs[e.leg].side,)}
    assert contacts.label_at(names["right", "heel_strike"].time + 0.02) == "double"
    assert contacts.label_at(names["left", "toe_off"].time + 0.02) == "right"
    assert contacts.label_at(names["right", "toe_off"].time + 0.02) == "left"


def test_labels_are_for_bipeds() -> None:
    four = detect_points(np.zeros((5, 4, 3, 3)), 60.0)
    with pytest.raises(SkeletonError, match="one left and one right"):
        four.label_at(0.0)
    with pytest.raises(LocomoteError, match=r"phase 0\.3"):
        label_at_phase(detect_points(np.zeros((5, 2, 3, 3)), 60.0), 0.3)
