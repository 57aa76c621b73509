"""The report of feet finds what is wrong in records made by hand, and the random drive keeps in range."""

from __future__ import annotations

import json
import logging

import numpy as np
import pytest

from locomote.human._crowd import Crowd
from locomote.human_skeleton import COMMON
from locomote_lab.human import foot_report as judge
from locomote_lab.human.foot_courses import COURSES
from locomote_lab.human.foot_record import FootRecord, record_feet
from locomote_lab.human.random_commands import RandomDrive
from tests.human.toy import toy_model

FPS, FRAMES, PERIOD = 60.0, 601, 60  # a cycle a second


def good_record() -> FootRecord:
    """One character on the spot who lifts each foot once a cycle; nothing slides or sinks."""
    phase = (np.arange(FRAMES) % PERIOD) / PERIOD
    standing = np.stack([phase < 0.6, (phase + 0.5) % 1.0 < 0.6], axis=-1)[:, None]
    points = np.zeros((FRAMES, 1, 2, 3, 3))
    points[..., 1] = np.where(standing, 0.0, 0.05)[..., None]
    return FootRecord(
        FPS,
        np.zeros((FRAMES, 1, len(COMMON), 3)),
        np.full((FRAMES, 1, 2), 0.3),
        points,
        points.copy(),
        points[..., 1].copy(),
        np.repeat(standing[..., None], 3, axis=-1),
        np.arange(FRAMES)[:, None] / PERIOD,
        np.ones((FRAMES, 1)),
    )


def kinds(record: FootRecord) -> set[str]:
    return {miss.kind for miss in judge.foot_report(record).missed}


def test_a_good_record_passes():
    report = judge.foot_report(good_record())
    assert report.failures() == []
    assert report.landings == 20
    json.dumps(report.as_dict())


def test_a_slide_is_found_where_it_is():
    record = good_record()
    record.on_ground[220:225, 0, 1, 2, 0] += 0.004
    worst = judge.foot_report(record).slide
    assert worst.value == pytest.approx(0.004)
    assert (worst.part, worst.who, worst.second) == ("right tip", 0, pytest.approx(220 / FPS))


def test_each_contact_is_measured_from_its_own_beginning():
    record = good_record()
    for frame in range(FRAMES):
        record.on_ground[frame, ..., 2] += 0.5 * (frame // PERIOD)  # from step to step, while the left foot is up
    left = record.planted.copy()
    left[:, :, 1] = False
    record.planted[:] = left
    assert judge.foot_report(record).slide.value < 1e-12


def test_growing_is_not_sliding():
    record = good_record()
    record.sizes[:, 0] = np.linspace(1.0, 1.2, FRAMES)
    record.on_ground[..., 0, 2] -= judge.FROM_BALL[0] * record.sizes[..., None]
    assert judge.foot_report(record).slide.value < 1e-12
    record.on_ground[..., 1, 2] += record.sizes[..., None]  # the ball has no such excuse
    assert judge.foot_report(record).slide.value > 0.01


def test_penetration_counts_in_the_swing_as_well():
    record = good_record()
    record.heights[50, 0, 0, 0] = -0.003
    assert judge.foot_report(record).penetration.value == pytest.approx(0.003)


def test_every_kind_of_missed_footplant_is_found():
    record = good_record()
    record.planted[90:170, 0, 0] = False
    assert judge.LONG_SWING in kinds(record)
    record = good_record()
    record.planted[60:180, 0, 0] = True
    assert kinds(record) == {judge.LEFT_OUT}
    record = good_record()
    record.planted[70:75, 0, 0] = False
    record.heights[70:75, 0, 0] = 0.01
    assert kinds(record) == {judge.DOUBLED}
    record = good_record()
    record.heights[60, 0, 0] = 0.02
    assert kinds(record) == {judge.IN_THE_AIR}


def test_a_foot_that_settles_while_the_body_stands_is_no_double_step():
    record = good_record()
    record.cycles[65:100] = record.cycles[65]
    record.planted[75:85, 0, 0] = False
    assert kinds(record) == set()


def test_accelerations_are_those_of_the_source_times_so_much():
    source = good_record()
    sway = np.sin(np.arange(FRAMES) / 5.0)
    source.joints[..., 0] = sway[:, None, None]
    held = good_record()
    held.joints[..., 0] = source.joints[..., 0]
    held.joints[:, :, 4, 0] *= 1.8
    source.knee_bends[..., 0] += 0.1 * sway[:, None]
    held.knee_bends[..., 0] += 0.2 * sway[:, None]
    report = judge.foot_report(held, source)
    assert report.acceleration is not None
    assert (report.acceleration.value, report.acceleration.part) == (pytest.approx(1.8), COMMON.names[4])
    assert report.knee_acceleration is not None
    assert report.knee_acceleration.value == pytest.approx(2.0)
    assert len(report.failures()) == 2


def test_the_random_drive_is_repeatable_and_keeps_in_range(caplog):
    def paths(seed: int) -> list[np.ndarray]:
        crowd, drive = Crowd(toy_model(), 6, speed=1.0), RandomDrive(seed)
        out = []
        for frame in range(900):
            drive(crowd, frame / FPS)
            crowd.step(1.0 / FPS)
            out.append(crowd.speeds)
        return out

    with caplog.at_level(logging.WARNING, logger="locomote.human"):
        a, b, c = paths(0), paths(0), paths(1)
    assert np.array_equal(a, b)
    assert not np.array_equal(a, c)
    assert caplog.records == []


@pytest.mark.parametrize("name", COURSES)
def test_every_course_begins_on_its_ground(name):
    """The feet stand on the ground, and the unheld source is driven the same way."""
    course = COURSES[name]
    record = record_feet(course.crowd(toy_model(), 6, seed=0), 0.0)
    standing = record.planted
    assert standing.any()
    assert np.max(np.abs(record.heights[standing])) < 0.02
