"""Clean feet: what slides or sinks comes to stand, what stands stays, and all else is left alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import locomote as lm
from locomote import rotations as rot
from locomote.contacts import Floor, detect
from locomote.errors import LocomoteError, SkeletonError
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.samples import performer
from locomote.skeleton import Skeleton
from tests.roles.bodies import many_legs

WALK = performer(speed=1.3, seconds=4.0).motion


def skating(motion: Motion, slide: float, sink: float = 0.0, seed: int = 0) -> Motion:
    """The motion swaying over the floor by ``slide`` metres and ``sink`` metres below it, in slow waves."""
    rng = np.random.default_rng(seed)
    t = motion.times[:, None]
    waves = [rng.normal(size=(1, 3)) * np.sin(2 * np.pi * f * t + rng.uniform(0, 6)) for f in (0.4, 0.7, 1.1)]
    sway = slide * np.sum(waves, axis=0) / np.sqrt(3.0) * (1.0, 0.0, 1.0)
    down = sink * 0.5 * (1.0 - np.cos(2 * np.pi * 0.5 * t)) * (0.0, 1.0, 0.0)
    return replace(motion, root_positions=motion.root_positions + sway - down)


def change(a: Motion, b: Motion) -> FloatArray:
    """Millimetres between joints, ``(F, J)``."""
    out: FloatArray = 1000.0 * np.linalg.norm(a.joint_positions() - b.joint_positions(), axis=-1)
    return out


def test_feet_that_stand_stay_as_they_are() -> None:
    done = lm.clean(WALK)
    assert done.reason == ""
    assert done.after.drift_max < 1.0
    assert done.mean_change < 0.1
    assert done.sink == 0.0


def test_cleaning_twice_is_cleaning_once() -> None:
    once = lm.clean(skating(WALK, 0.015, 0.01))
    twice = lm.clean(once.motion)
    assert once.mean_change > 1.0
    assert twice.mean_change < 0.1


@settings(max_examples=8)
@given(slide=st.floats(0.005, 0.02), sink=st.floats(0.0, 0.02), seed=st.integers(0, 99))
def test_sliding_and_sunk_feet_come_to_stand(slide: float, sink: float, seed: int) -> None:
    done = lm.clean(skating(WALK, slide, sink, seed))
    assert done.after.drift_p95 < 2.0
    assert done.after.penetration < 2.0
    assert done.after.floating < 6.0
    assert done.mean_change < 15.0
    assert done.after.pops == 0


@pytest.mark.parametrize("speed", [0.8, 1.3, 1.8])
def test_the_whole_stance_is_planted(speed: float) -> None:
    """Feet stand as long as before, and are found to: from strike to toe-off nothing that stood has slid."""
    source = skating(performer(speed=speed, seconds=5.0, noise=0.0005).motion, 0.015, 0.01)
    before = detect(source)
    done = lm.clean(source)
    after = detect(done.motion, floor=before.floor)
    for leg in (0, 1):
        spans = [contacts.intervals(leg) for contacts in (before, after)]
        assert spans[0].shape == spans[1].shape
        assert np.max(np.abs(spans[0] - spans[1])) <= 2
    judged = lm.measure(done.motion, before)
    assert judged.drift_p95 < 3.0 < lm.measure(source, before).drift_p95
    assert judged.drift_p95 == pytest.approx(done.after.drift_p95, abs=0.5)
    gaits = [lm.measure(motion, contacts) for motion, contacts in ((source, before), (done.motion, after))]
    assert gaits[0].duty_factor == pytest.approx(gaits[1].duty_factor, abs=0.03)
    assert gaits[0].double_support == pytest.approx(gaits[1].double_support, abs=0.03)


def test_toes_stand_until_they_leave() -> None:
    source = skating(WALK, 0.015)
    contacts = detect(source)
    toes = detect(lm.clean(source).motion).points[:, :, 2]
    trim = round(WALK.fps / 30)
    for leg in (0, 1):
        for start, stop in contacts.intervals(leg)[:-1]:  # the clip cuts the last
            late = toes[(start + stop) // 2 : stop - trim, leg]
            assert np.max(np.linalg.norm(late - late[0], axis=1)) < 0.001


def test_what_would_get_worse_is_left_alone() -> None:
    """A foot that is dragged through its contact can be put down nowhere."""
    source = skating(WALK, 0.01)
    contacts = detect(source)
    whole = replace(contacts, heel=np.ones_like(contacts.heel), toe=np.ones_like(contacts.toe))
    done = lm.clean(source, contacts=whole)
    assert lm.measure(done.motion, whole).drift_p95 <= lm.measure(source, whole).drift_p95 + 1.0
    assert done.after.penetration <= done.before.penetration + 1.0


def test_only_legs_and_the_place_of_the_body_change() -> None:
    source = skating(WALK, 0.015, 0.01)
    done = lm.clean(source)
    chains = {j for leg in source.skeleton.roles.legs for j in leg.chain}
    others = [j for j in range(len(source.skeleton)) if j not in chains]
    assert np.array_equal(done.motion.rotations[:, others], source.rotations[:, others])
    moved = done.motion.root_positions - source.root_positions
    assert np.max(np.linalg.norm(moved, axis=1)) < 0.05
    assert -1000.0 * moved[:, 1].min() == pytest.approx(done.sink)
    assert done.mean_change == pytest.approx(change(done.motion, source).mean())


def test_the_same_motion_gives_the_same_bits() -> None:
    source = skating(WALK, 0.015)
    one, two = lm.clean(source).motion, lm.clean(source).motion
    assert np.array_equal(one.rotations, two.rotations)
    assert np.array_equal(one.root_positions, two.root_positions)


def test_it_does_not_matter_where_the_clip_lies() -> None:
    source = skating(WALK, 0.015)
    turn, offset = rot.from_yaw(2.0), np.array([4.0, 0.3, -7.0])
    there = lm.clean(source.moved(turn, offset)).motion
    assert change(there, lm.clean(source).motion.moved(turn, offset)).mean() < 1.0


def test_a_tilted_floor_stays_tilted() -> None:
    tilted = skating(WALK, 0.01).moved(rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), 0.02))
    done = lm.clean(tilted)
    assert done.after.drift_p95 < 2.0
    assert done.after.penetration < 2.0
    assert done.after.floor_slope == pytest.approx(done.before.floor_slope)
    assert done.after.floor_slope > 1.0


def test_knees_neither_snap_straight_nor_bend_the_wrong_way() -> None:
    source = skating(WALK, 0.02, 0.02)
    done = lm.clean(source)
    positions = done.motion.joint_positions()
    for leg in source.skeleton.roles.legs:
        hip, knee, ankle = (positions[:, j] for j in (leg.hip, leg.knee, leg.ankle))
        length = np.linalg.norm(knee - hip, axis=1) + np.linalg.norm(ankle - knee, axis=1)
        assert np.max(np.linalg.norm(ankle - hip, axis=1) / length) < 0.9993
    assert done.after.limit_violations == 0


def test_joints_that_move_against_their_parents() -> None:
    source = skating(WALK, 0.015)
    moved = np.broadcast_to(source.skeleton.offsets, (len(source), len(source.skeleton), 3)).copy()
    moved[:, 0] = source.root_positions
    done = lm.clean(replace(source, translations=moved))
    assert change(done.motion, lm.clean(source).motion).max() < 1e-6
    assert done.motion.translations is not None
    assert np.array_equal(done.motion.translations[:, 0], done.motion.root_positions)


def test_an_empty_node_above_the_pelvis_keeps_its_place() -> None:
    source = skating(WALK, 0.015)
    skeleton = source.skeleton
    above = Skeleton(
        names=("World", *skeleton.names),
        parents=np.concatenate([[-1], skeleton.parents + 1]),
        offsets=np.concatenate([np.zeros((1, 3)), skeleton.offsets]),
        end_parents=skeleton.end_parents + 1,
        end_offsets=skeleton.end_offsets,
    )
    moved = np.broadcast_to(above.offsets, (len(source), len(above), 3)).copy()
    moved[:, 0], moved[:, 1] = 0.0, source.root_positions
    turns = np.concatenate([rot.identity(len(source), 1), source.rotations], axis=1)
    done = lm.clean(Motion(above, source.fps, np.zeros((len(source), 3)), turns, moved))
    assert above.roles.root == 1
    assert np.array_equal(done.motion.root_positions, np.zeros((len(source), 3)))
    assert done.after.drift_p95 < 2.0


@pytest.mark.parametrize("legs", [4, 6])
def test_any_number_of_legs(legs: int) -> None:
    """A body that stands on all its legs while it is pushed about."""
    skeleton = many_legs(legs // 2)
    frames, fps = 120, 60.0
    t = np.arange(frames)[:, None] / fps
    base = skeleton.rest_pose()[0][:, 1].min()
    places = np.array([0.0, -base, 0.0]) + 0.02 * np.sin(2 * np.pi * 0.5 * t) * (1.0, 0.0, 1.0)
    places[:, 1] -= 0.03  # so that the legs can bend: they are built straight
    source = Motion(skeleton, fps, places, np.broadcast_to(skeleton.rest_rotations, (frames, len(skeleton), 4)))
    assert len(source.skeleton.roles.legs) == legs
    done = lm.clean(source)
    assert done.before.drift_p95 > 10.0
    assert done.after.drift_p95 < 2.0


def test_a_given_floor_and_given_contacts_are_used() -> None:
    source = skating(WALK, 0.01)
    contacts = detect(source)
    assert change(lm.clean(source, contacts=contacts).motion, lm.clean(source).motion).max() == 0.0
    assert lm.clean(source, floor=Floor(0.02)).after.floor_height == 0.02
    with pytest.raises(LocomoteError, match="bring their own floor"):
        lm.clean(source, contacts=contacts, floor=Floor(0.0))
    with pytest.raises(LocomoteError, match="481 frames, the motion 100"):
        lm.clean(source[:100], contacts=contacts)


def test_what_cannot_be_cleaned_says_why() -> None:
    short = lm.clean(WALK[:2])
    assert short.reason == "the clip has only 2 frames"
    flying = replace(WALK, root_positions=WALK.root_positions + WALK.times[:, None] * (3.0, 3.0, 0.0))
    assert lm.clean(flying, floor=Floor(-9.0)).reason == "no foot touches the floor"
    for done in (short, lm.clean(flying, floor=Floor(-9.0))):
        assert done.mean_change == 0.0
    bar = Skeleton(("a", "b"), np.array([-1, 0]), np.array([[0.0, 0.0, 0.0], [0.0, 1.0, 0.0]]))
    with pytest.raises(SkeletonError, match="no legs found"):
        lm.clean(Motion(bar, 30.0, np.zeros((9, 3)), rot.identity(9, 2)))


@pytest.mark.data
@pytest.mark.parametrize(
    "clip",
    [
        "walk/cmu_07_01.bvh.xz",  # a floor that climbs 2 cm a metre
        "walk/cmu_35_15.bvh.xz",
        "walk/cmu_136_21.bvh.xz",
        "turn/cmu_16_11.bvh.xz",
        "walk/bandai_nc_ds1_walk_normal_001.bvh.xz",  # six channels on every joint, 30 frames/s
        "walk/bandai_nc_ds1_walk_proud_001.bvh.xz",  # feet without toes, which roll over them all the same
        "walk/opencap_s7_walking1.ik.mot.xz",  # a joint between ankle and ball, knees that glide
    ],
)
def test_recorded_walks(data: Path, clip: str) -> None:
    options = {"drop_tpose": True} if "cmu_" in clip else {}
    source = lm.load(data / "human" / clip, **options)
    done = lm.clean(source)
    raw = detect(source)
    assert lm.measure(done.motion, raw).drift_p95 < 3.0
    shares = [np.mean(c.foot, axis=0) for c in (raw, detect(done.motion, floor=raw.floor))]
    assert np.max(np.abs(shares[0] - shares[1])) < 0.03
    assert done.before.drift_p95 > 15.0
    assert done.after.drift_p95 < 3.0
    assert done.after.penetration < 2.0
    assert done.mean_change < 15.0
    assert done.after.pops <= done.before.pops
    assert done.after.limit_violations <= done.before.limit_violations


def test_a_foot_that_pivots_turns_on_its_ball() -> None:
    """Somebody who turns by 70 degrees on one foot: its ball stands, and no heel is wiped over the floor."""
    contacts = detect(WALK)
    start, stop = contacts.intervals(0)[1]
    ball = np.median(contacts.points[start:stop, 0, 1], axis=0)
    way = np.clip((np.arange(len(WALK)) - start) / (stop - start) * 2.0 - 0.2, 0.0, 1.0)
    turns = rot.from_yaw(np.radians(70.0) * way * way * (3.0 - 2.0 * way))
    rotations = WALK.rotations.copy()
    rotations[:, 0] = rot.multiply(turns, rotations[:, 0])
    places = ball + rot.rotate(turns, WALK.root_positions - ball)
    source = skating(replace(WALK, root_positions=places, rotations=rotations), 0.01)
    before = detect(source)
    done = lm.clean(source, contacts=before)
    assert done.reason == ""
    judged = lm.measure(done.motion, before)
    assert judged.drift_max < 15.0 < lm.measure(source, before).drift_max
    headings = before.points[start + 5 : stop - 5, 0, 1] - before.points[start + 5 : stop - 5, 0, 0]
    turned = np.unwrap(np.arctan2(headings[:, 0], headings[:, 2]))
    assert np.degrees(turned[-1] - turned[0]) > 45.0
