"""The simulated dog beside a recorded one, marker by marker."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("mujoco")

from locomote_lab.creatures.dog_markers import differences, recorded, simulated, strides
from locomote_lab.creatures.told_apart import JOINTS

DATA = Path(__file__).resolve().parents[4] / "shared" / "data"


@pytest.mark.feature("QUA-21")
@pytest.mark.data
@pytest.mark.parametrize(("gait", "speed"), [("walk", 1.0), ("trot", 1.8), ("gallop", 3.2)])
def test_every_marker_of_a_gait_has_its_distance_from_the_recorded_one(gait: str, speed: float) -> None:
    ours = [stride for stride in strides(simulated(gait, speed)) if gait in stride.gait]
    theirs = [stride for stride in recorded(DATA) if gait in stride.gait]
    assert ours
    assert theirs
    assert differences(ours, ours) == pytest.approx(dict.fromkeys(JOINTS, 0.0))
    told = differences(ours, theirs)
    assert set(told) == set(JOINTS)
    assert all(0.5 < each < 60.0 for each in told.values())  # % of the hip height
    moving = differences(ours, theirs, moving=True)
    assert all(moving[joint] <= told[joint] + 1e-9 for joint in JOINTS)
    # A marker that is off by so much, and swings by so much more, is told to be; the others stay as they were.
    other = [stride._replace(features=stride.features.copy()) for stride in ours]
    elbow = JOINTS.index("left elbow")
    for stride in other:
        stride.features[elbow, 1, 0] += 0.03
        stride.features[elbow, 1, 1] += 0.04 * np.sqrt(2.0)
    off = dict.fromkeys(JOINTS, 0.0) | {"left elbow": 5.0}
    assert differences(ours, other) == pytest.approx(off, abs=1e-9)
