"""All figures together, on the synthetic performer whose gait is known by construction."""

import dataclasses
import json

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.contacts import Contacts, Floor, detect
from locomote.measures import FIGURES, compare, motion_distance
from locomote.measures.plants import plants
from locomote.samples import Performance, performer
from locomote.samples._truth import inside

GAITS = [(0.8, "walk"), (1.4, "walk"), (1.9, "walk"), (2.5, "run"), (4.0, "run")]


@pytest.mark.parametrize(("speed", "gait"), GAITS)
def test_the_gait_comes_out_as_it_was_made(speed: float, gait: str) -> None:
    truth = performer(speed=speed, gait=gait, seconds=6.0)
    found = lm.measure(truth.motion)
    assert found.speed == pytest.approx(speed, rel=0.02)
    assert found.cadence == pytest.approx(truth.cadence, rel=0.02)
    assert found.step_length == pytest.approx(truth.step_length, rel=0.02)
    assert found.duty_factor == pytest.approx(truth.duty_factor, abs=0.03)
    assert (found.flight or 0.0) > 0.05 if gait == "run" else found.flight == 0.0
    assert found.walk_ratio == pytest.approx(1000 * truth.step_length / truth.cadence, rel=0.04)


@pytest.mark.parametrize(("speed", "gait"), GAITS)
def test_planted_feet_do_not_drift(speed: float, gait: str) -> None:
    truth = performer(speed=speed, gait=gait, seconds=4.0)
    found = lm.measure(truth.motion)
    assert found.plants >= 4
    assert found.drift_median < 2.0  # mm; what is left comes from contacts found a frame early or late
    assert found.drift_p95 < 6.0
    assert found.pops == 0
    assert found.limit_violations == 0
    exact = plants(known_contacts(truth))
    assert exact.drift_max < 1.0  # a ball that rolls off the floor moves a little before it is 2 cm up
    assert exact.penetration < 1.0
    assert exact.floating < 1.0


def known_contacts(truth: Performance) -> Contacts:
    """Contacts by construction instead of by detection, with the true heel."""
    found = detect(truth.motion)
    points = found.points.copy()
    points[:, :, 0] = truth.heel_positions()
    times = truth.motion.times
    heel = np.stack([inside(leg.heel, times) for leg in truth.contacts], axis=1)
    toe = np.stack([inside(leg.forefoot, times) for leg in truth.contacts], axis=1)
    return dataclasses.replace(found, points=points, heights=points[..., 1], heel=heel, toe=toe, floor=Floor(0.0))


def test_added_skate_shows_in_every_definition() -> None:
    motion = performer(speed=1.2, seconds=5.0).motion
    shift = np.zeros((len(motion), 3))
    shift[:, 0] = 0.25 * motion.times  # the whole world slips sideways under the feet
    slipping = dataclasses.replace(motion, root_positions=motion.root_positions + shift)
    before, after = lm.measure(motion), lm.measure(slipping)
    assert after.skate_weighted > before.skate_weighted + 0.05
    assert after.skate_speed > before.skate_speed + 0.05
    assert after.skate_ratio > before.skate_ratio + 0.2
    assert after.skate_contact > before.skate_contact + 0.1
    assert after.drift_median > before.drift_median + 20.0


def test_figures_are_plain_numbers() -> None:
    found = lm.measure(performer(seconds=2.0).motion)
    assert json.loads(json.dumps(found.as_dict())) == found.as_dict()
    assert set(FIGURES) <= set(found.as_dict())


def test_one_frame_and_no_legs_are_measured_too() -> None:
    single = performer(seconds=2.0).motion[:1]
    assert lm.measure(single).speed == 0.0
    stick = lm.Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0, 0, 0], [0, 1, 0]]))
    found = lm.measure(lm.Motion(stick, 30.0, np.zeros((5, 3)), rot.identity(5, 2)))
    assert found.steps == 0
    assert found.cadence is None


def test_comparison_with_oneself_is_ratio_one_and_distance_zero() -> None:
    motion = performer(seconds=3.0).motion
    figures = lm.measure(motion)
    for name, row in compare(figures, figures).items():
        assert row["difference"] in (0, None), name
        assert row["ratio"] in (1.0, None), name
    assert motion_distance(motion, motion) == pytest.approx(0.0, abs=1e-12)


def test_motion_distance_is_the_mean_squared_angle() -> None:
    motion = performer(seconds=2.0).motion
    angle = np.radians(20.0)
    turned = motion.rotations.copy()
    knee = motion.skeleton.roles.leg("left").knee
    turned[:, knee] = rot.multiply(turned[:, knee], rot.from_axis_angle(np.array([1.0, 0, 0]), angle))
    other = dataclasses.replace(motion, rotations=turned)
    assert motion_distance(motion, other) == pytest.approx(angle**2 / 10)  # one of ten limb joints
    assert motion_distance(motion, other, joints=(motion.skeleton.names[knee],)) == pytest.approx(angle**2)


def test_motions_of_different_length_are_compared_over_normalised_time() -> None:
    motion = performer(seconds=3.0, fps=60.0).motion
    finer = performer(seconds=3.0, fps=120.0).motion
    assert np.degrees(np.sqrt(motion_distance(motion, finer))) < 1.0


def test_unknown_joints_are_named() -> None:
    motion = performer(seconds=2.0).motion
    with pytest.raises(lm.SkeletonError, match="no joint 'Wing'"):
        motion_distance(motion, motion, joints=("Wing",))


def test_the_feet_are_those_of_the_motion_and_the_times_those_of_the_contacts() -> None:
    truth = performer(speed=1.4, seconds=5.0).motion
    contacts = detect(truth)
    clean = lm.measure(truth, contacts)
    assert clean.as_dict() == lm.measure(truth).as_dict()
    # The whole body slides forwards at 0.3 m/s, and hangs 1 cm lower.
    slide = truth.times[:, None] * np.array([0.0, 0.0, 0.3]) - (0.0, 0.01, 0.0)
    slid = dataclasses.replace(truth, root_positions=truth.root_positions + slide)
    found = lm.measure(slid, contacts)
    assert found.skate_contact == pytest.approx(0.3, abs=0.02)
    assert found.drift_median > 5.0 * max(clean.drift_median, 1.0)
    assert found.penetration == pytest.approx(clean.penetration + 10.0, abs=0.5)
    assert found.duty_factor == clean.duty_factor
    assert found.stride_length > clean.stride_length
    with pytest.raises(lm.LocomoteError, match="frames and 2 legs"):
        lm.measure(truth[:50], contacts)


def test_a_long_clip_asks_no_oftener_for_all_contacts(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    whole = Contacts.intervals
    monkeypatch.setattr(Contacts, "intervals", lambda self, leg: asked.append(leg) or whole(self, leg))
    walk = performer(speed=1.3, seconds=20.0).motion
    counts = []
    for frames in (len(walk) // 4, len(walk)):
        asked.clear()
        lm.measure(walk[:frames])
        counts.append(len(asked))
    assert counts[0] == counts[1] > 0
