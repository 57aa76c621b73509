"""Lessons of the dog: what is told of them, and where they begin."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("mujoco")

from locomote.physics._policy import ACTIONS, SEEN
from locomote_lab.dogs import school
from locomote_lab.dogs.school import School, put_back


@pytest.fixture(scope="module")
def trot() -> School:
    return School(["trot"], 4)


def test_every_action_is_told_with_what_came_of_it(trot: School) -> None:
    told = trot.attend(300)
    assert told.seen.shape == told.after.shape == (300, SEEN)
    assert told.acted.shape == (300, ACTIONS)
    assert np.all(np.isfinite(told.rewards))
    assert np.all(told.rewards[told.ends == 1] < told.rewards[told.ends == 0].min())  # nothing is worse than a fall
    assert len(told.lessons) >= np.count_nonzero(told.ends)


def test_a_moment_that_is_put_back_goes_on_alike(trot: School) -> None:
    driver = trot.drivers[0]
    kept, gait = trot.starts["trot"][-1]
    went = []
    for moment in (kept, put_back(kept)):
        driver.recall(moment)
        driver.gait = gait
        driver.command(2.2, 0.0, "trot")
        begin = driver.simulation.data.qpos[:3].copy()
        driver.step(0.3)
        went.append(driver.simulation.data.qpos[:3] - begin)
    np.testing.assert_allclose(went[1], went[0], atol=1e-3)  # contacts make much of the last bits


def test_pushes_are_as_hard_as_those_of_the_source(trot: School, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(school, "PUSHED", 1.0)
    forces = []
    monkeypatch.setattr(type(trot.drivers[0].simulation), "push", lambda _, force, *more: forces.append(force))
    for _ in range(20):
        trot.begin()
        trot._push()
    sizes = np.linalg.norm(forces, axis=1)
    assert 40.0 < sizes.min() < 140.0 < sizes.max() < school.HARDEST * 200.0
