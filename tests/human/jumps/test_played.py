"""A crowd plays the jumps of a fitted model: those out of a walk and those out of a run, each their own."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.human import Crowd, HumanModel
from locomote.human._kernels.state import UNDER_WAY
from locomote.human.jumps import JumpModel, fit_jumps
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._kernels import jump as leap
from locomote.human_skeleton import COMMON
from tests.human.jumps.synthetic import jumps

WALKER = HumanModel.default()
FPS = 120.0
LEG = 0.9  # m
LENGTHS = {"walking": (1.0, 0.7, 1.1), "running": (2.4, 1.2, 1.6)}  # m/s, shortest and longest in m
ABOVE_LEGS = [COMMON.index(name) for name in ("Spine", "LeftArm", "RightArm")]  # which the ground does not move


@pytest.fixture(scope="module")
def fitted() -> JumpModel:
    return fit_jumps([unit for kind in LENGTHS for unit in jumps(kind, noise=0.02)], WALKER)


@pytest.mark.parametrize("kind", list(LENGTHS))
def test_a_crowd_plays_the_kind_of_its_gait(fitted: JumpModel, kind: str) -> None:
    speed, *range_ = LENGTHS[kind]
    count = 6
    crowd = Crowd(
        WALKER, count, jumps=fitted, leg_length=LEG, speed=speed, gait=float(kind == "running"), lively=0.0,
        positions=[(5.0 * n, 0.0, 0.0) for n in range(count)],
    )  # fmt: skip
    for _ in range(60):
        crowd.step(1.0 / FPS)
    assert crowd.jump(np.linspace(*range_, count)).all()
    seen = np.zeros(count, bool)
    for _ in range(round(6 * FPS)):
        poses = crowd.step(1.0 / FPS)
        for n, walker in enumerate(crowd._people.walkers):
            jump = walker.jump
            flies = jump["state"] == UNDER_WAY and 0.4 < leap.flown(jump) < 0.6
            if not flies or seen[n]:
                continue
            own = fitted.kinds[kind]
            unit = own.poses(jump["length"], jump["air"], int(jump["leg"]))
            at = leap.unit_time(jump) * (timeline.SAMPLES - 1)
            near = unit[int(at)] + (at - int(at)) * (unit[int(at) + 1] - unit[int(at)])
            _, turns = fitted.encoding.decode(near[None])
            off = rot.multiply(rot.inverse(turns[0, ABOVE_LEGS]), poses.rotations[n, ABOVE_LEGS])
            away = np.linalg.norm(rot.log(off), axis=-1).max()
            # As much of it as the flight is long enough for; then nothing but this.
            if jump["share"] > 0.999:
                seen[n] = True
                assert away < 0.03
    assert seen.sum() >= 3


def test_kinds_that_were_not_fitted_are_those_of_the_shipped_model(fitted: JumpModel) -> None:
    assert "standing" not in fitted.kinds
    paths = []
    for model in (fitted, None):
        crowd = Crowd(WALKER, 1, jumps=model)
        assert crowd.jump(1.0).all()
        paths.append(np.array([crowd.step(1.0 / 60.0).joint_positions().copy() for _ in range(120)]))
    np.testing.assert_allclose(paths[0], paths[1], atol=1e-9)
