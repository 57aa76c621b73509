"""Ordinary walking between exact plants: the gait of the human model, and only there."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human import Crowd, HumanModel
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.steps import FootPlan, StepDatabase, plan_from_motion
from locomote.steps._walking import MODEL_SHARE, Options, Walk, trace

RECORDED = Options(gait=0.0)


def crowd_walk(speed: float, leg: float = 0.9) -> Motion:
    """The mean of all styles, as the plain engine makes it walk."""
    model = HumanModel.default()
    style = np.full(len(model.styles), 1.0 / len(model.styles))
    crowd = Crowd(model, 1, style=style, speed=speed, leg_length=leg, gait="walk", lively=0.0, phases=0.0)
    return crowd.record(seconds=6.0, fps=60.0)


def about_pelvis(motion: Motion) -> FloatArray:
    back = rot.from_yaw(-rot.yaw(motion.rotations[:, 0]))
    positions = motion.joint_positions()
    return rot.rotate(back[:, None], positions - positions[:, :1])


def apart(walk: Walk, truth: Motion) -> float:
    """The mean distance of joints, m, with times told by the landings."""
    lands = walk.lands[3:]
    frames = np.arange(int(np.ceil(lands[0] * 60.0)), int(lands[-1] * 60.0))
    begin = float(np.fmax.reduce(walk.plan.times[:2]))
    at = np.clip(np.round((np.interp(frames / 60.0, lands, walk.plan.times[3:])) * 60.0), 0, len(truth) - 1)
    assert np.isfinite(begin)
    ours, theirs = about_pelvis(walk.motion)[frames], about_pelvis(truth)[at.astype(np.int64)]
    return float(np.linalg.norm(ours - theirs, axis=-1).mean())


@pytest.mark.parametrize(("speed", "leg"), [(0.9, 0.85), (1.3, 0.9), (1.7, 0.95)])
def test_the_plants_of_the_plain_engine_are_walked_as_it_walks(speed: float, leg: float) -> None:
    truth = crowd_walk(speed, leg)
    plan = plan_from_motion(truth)[4:12]
    with_gait, without = (trace([plan], leg_length=leg, options=one)[0] for one in (None, RECORDED))
    assert apart(with_gait, truth) < 0.03
    assert apart(with_gait, truth) < apart(without, truth)


def test_what_is_no_ordinary_walking_stays_as_it_was_recorded() -> None:
    sideways = FootPlan.of([0, 1, 0, 1, 0], [(0.1, 0.0), (-0.1, 0.0), (0.4, 0.0), (0.2, 0.0), (0.7, 0.0)])
    backwards = FootPlan.of([0, 1, 0, 1, 0], [(0.1, 0.0), (-0.1, -0.3), (0.1, -0.6), (-0.1, -0.9), (0.1, -1.2)])
    for plan in (sideways, replace(backwards, yaws=np.zeros(5))):
        walks = [trace([plan], options=one)[0] for one in (None, RECORDED)]
        np.testing.assert_array_equal(walks[0].motion.rotations, walks[1].motion.rotations)


def test_steps_of_ones_own_and_of_styles_keep_their_person() -> None:
    plan = plan_from_motion(crowd_walk(1.2))[4:9]
    shipped = StepDatabase.default()
    for own in (replace(shipped, about="mine"), StepDatabase.default("old")):
        walks = [trace([plan], database=own, options=one)[0] for one in (None, RECORDED)]
        np.testing.assert_array_equal(walks[0].motion.rotations, walks[1].motion.rotations)
    asked = trace([plan], database=replace(shipped, about="mine"), options=Options(gait=MODEL_SHARE))[0]
    np.testing.assert_array_equal(asked.motion.rotations, trace([plan])[0].motion.rotations)
    with pytest.raises(LocomoteError, match="gait 2: expected 0 to 1"):
        Options(gait=2)


def test_feet_stand_exactly_and_never_in_the_ground() -> None:
    walk = trace([plan_from_motion(crowd_walk(1.4))[4:12]])[0]
    positions, world = walk.motion.world()
    legs = walk.motion.skeleton.roles.legs
    for side, leg in enumerate(legs):
        for plant in range(len(walk.plan) - 1):
            frames = np.flatnonzero(walk.stands[side] == plant)
            if len(frames):
                ball = positions[frames[len(frames) // 2], leg.ball]
                np.testing.assert_allclose(ball, walk.places[plant], atol=1e-6)
        tip = positions[:, leg.toe] + rot.rotate(world[:, leg.toe], np.asarray(leg.toe_offset))
        assert tip[:, 1].min() > -1e-3
        assert positions[:, leg.ball, 1].min() > -1e-6
    # Nothing pops: joints change their velocity from frame to frame by little more than with recorded steps.
    changes = [np.abs(np.diff(one.motion.joint_positions(), n=2, axis=0)).max() * 60.0
               for one in (walk, trace([walk.plan], options=RECORDED)[0])]  # fmt: skip
    assert changes[0] < 1.5 * max(changes[1], 1.0)
