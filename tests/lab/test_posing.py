"""Posing judged on people who are in nothing that ships: the nearest poses against plain means, by the truth."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.motion import Motion
from locomote.spaces import PoseDatabase, Poser
from locomote_lab import posing as lab

DATA = Path(__file__).resolve().parents[3] / "shared" / "data"
COUNT = 100  # poses


@pytest.fixture(scope="module")
def trials() -> list[Motion]:
    corpus = lab.Corpus.load(DATA)
    assert not set(corpus.clips(held=True)) & set(corpus.clips(held=False))
    return corpus.trials(clips=COUNT // 4, poses=4, seed=11)


@pytest.mark.data
@pytest.mark.feature("POS-12")
def test_a_hundred_random_poses_with_five_handles_have_an_error_and_a_time(trials: list[Motion]) -> None:
    database, joints = PoseDatabase.default(), lab.HANDLES["hands, feet, head"]
    assert len(joints) == 5
    assert sum(map(len, trials)) == COUNT
    for trial in trials[:8]:
        poser = Poser(database.onto(trial.skeleton))
        tried, posed = lab.by_database(poser, trial, joints), poser.solve(lab.held_at(trial, joints))
        away = np.linalg.norm(posed.pose.joint_positions() - trial.joint_positions(), axis=-1)
        np.testing.assert_allclose(tried.joints, away.mean(axis=1))
        np.testing.assert_allclose(tried.handles, posed.error, atol=1e-9)
        assert 0.0 < tried.seconds < np.inf


@pytest.mark.data
@pytest.mark.parametrize(("handles", "most"), [("hands, feet, head", 0.033), ("+ hips", 0.019)])
def test_unknown_people_are_posed_better_than_by_plain_means(trials: list[Motion], handles: str, most: float) -> None:
    joints, database = lab.HANDLES[handles], PoseDatabase.default()
    tried: dict[str, list[lab.Tried]] = {"ours": [], "nearest": [], "plain": []}
    for trial in trials:
        own = database.onto(trial.skeleton)
        tried["ours"].append(lab.by_database(Poser(own), trial, joints))
        tried["nearest"].append(lab.by_nearest(own, trial, joints))
        tried["plain"].append(lab.by_plain_ik(trial, joints))
    away = {name: np.concatenate([each.joints for each in all_]) for name, all_ in tried.items()}
    held = np.concatenate([each.handles for each in tried["ours"]])
    assert len(held) > 0.9 * COUNT
    assert away["ours"].mean() <= most
    assert away["ours"].mean() <= 0.5 * away["nearest"].mean()
    assert away["ours"].mean() <= 0.55 * away["plain"].mean()
    assert held.mean() <= 1e-3
    assert held.max() <= 1e-2
