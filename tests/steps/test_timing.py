"""Durations and foot yaws of walks against the recorded steps that they are made of."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.steps._blending import body, default_database
from locomote.steps._kernels import blend as at
from locomote.steps._plan import FootPlan
from locomote.steps._walking import Options, choose, make, plants_of, trace
from locomote_lab.steps.metrics import measure

from .test_walking import KINDS, in_hull_plans, random_plan

AS_RECORDED = Options(rhythm=1e6)  # no rhythm is kept: every step takes as long as its sources


@pytest.mark.feature("STR-17")
def test_each_part_of_a_step_takes_as_long_as_its_sources_do_on_average() -> None:
    durations, tempo = default_database().durations, body(0.9).measures.tempo
    for walk in trace(in_hull_plans(60, seed=4), options=AS_RECORDED, fps=240.0):
        wanted = tempo * walk.weights[2] @ durations[walk.corners[2]]
        got = [walk.lifts[2], walk.lands[2] - walk.lifts[2], walk.motion.duration - walk.lands[2]]
        np.testing.assert_allclose(got[:2], wanted[:2], atol=1e-9)
        assert abs(got[2] - wanted[2]) < 1.01 / walk.motion.fps  # the walk ends with a whole frame
        assert measure(walk).skate < 1e-6


@pytest.mark.feature("STR-17")
@pytest.mark.parametrize("kind", list(KINDS))
def test_in_a_chain_double_stances_are_shared(kind: str) -> None:
    durations, tempo = default_database().durations, body(0.9).measures.tempo
    (walk,) = trace([random_plan(kind, 12, 1)], options=AS_RECORDED)
    parts = tempo * np.einsum("pc,pck->pk", walk.weights[2:], durations[walk.corners[2:]])
    swings = walk.lands[2:] - walk.lifts[2:]
    stances = walk.lifts[3:] - walk.lands[2:-1]
    inside = walk.outside[2:] == 0.0
    np.testing.assert_allclose(swings[inside], parts[inside, 1], atol=1e-9)
    both = inside[1:] & inside[:-1]
    np.testing.assert_allclose(stances[both], 0.5 * (parts[1:, 0] + parts[:-1, 2])[both], atol=1e-9)
    assert measure(walk).skate < 1e-6


@pytest.mark.feature("STR-18")
@pytest.mark.parametrize("gait", [0.0, 1.0, None])
@pytest.mark.parametrize("kind", list(KINDS))
def test_feet_do_not_turn_while_they_stand_and_keep_their_pitch(kind: str, gait: float | None) -> None:
    plan, person = random_plan(kind, 14, 2), body(0.9)
    options = Options(orientation=0.0, gait=gait)  # so that the same steps are chosen whatever the yaws
    natural = trace([plan], options=options)[0].foot_yaws
    sheets = []
    for more in (0.0, np.radians(12.0)):
        wished = FootPlan(plan.sides, plan.places, natural + more, plan.times)
        plants = plants_of([wished])
        chosen = choose(plants, None, person, options)
        count = int(chosen.lands[-1] * 60.0)
        made = make(plants, chosen, None, person, options, 60.0, np.array([0, count]))
        sheets.append((made.frames, made.stands, chosen))
    (first, stands, chosen), (second, others, again) = sheets
    np.testing.assert_array_equal(chosen.corners, again.corners)
    np.testing.assert_array_equal(stands, others)
    off = np.degrees((again.foot_yaws - natural - np.radians(12.0) + np.pi) % (2.0 * np.pi) - np.pi)
    assert np.mean(np.abs(off) < 0.5) > 0.9  # as asked for, but where a foot would be turned too far
    for side in range(2):
        rows = at.FEET + at.FOOT_ROWS * side
        # At the stance that two steps share, the foot has one yaw: that of its plant.
        for frames, how in ((first, chosen), (second, again)):
            standing = stands[side] >= 0
            off = frames[rows + at.YAW, standing] - how.foot_yaws[stands[side, standing]]
            assert np.abs(np.degrees((off + np.pi) % (2 * np.pi) - np.pi)).max() < 0.5
        # Turning it does not change its pitch; a mixture of gaits may lift a heel for a leg nearly straight.
        slack = 1e-5 if gait is None else 1e-6
        np.testing.assert_allclose(first[rows + at.PITCH], second[rows + at.PITCH], atol=slack)
        assert np.abs(first[rows + at.YAW] - second[rows + at.YAW]).max() > np.radians(5.0)
