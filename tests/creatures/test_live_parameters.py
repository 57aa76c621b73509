"""Every parameter that may change while creatures go does something then, and nothing before."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from locomote.creatures import Crowd, Gait

DT = 1.0 / 60.0
BEFORE, AFTER = 60, 180  # frames
LEAST = 5e-3  # m by which any joint is elsewhere

Change = Callable[[Crowd], object]


def own_gait(crowd: Crowd, **changes: object) -> Gait:
    """The first gait of a crowd with something else in it."""
    gait = crowd.creature.gaits.gaits[0]
    return replace(gait, name="own", **changes)


def wider(crowd: Crowd) -> None:
    morphology = crowd.creature.morphology
    rest = (morphology.rest_feet - morphology.centre)[:, [0, 2]]
    crowd.command(spacing=rest * [1.2, 1.0])


def slower(crowd: Crowd) -> None:
    gait = crowd.creature.gaits.gaits[0]
    crowd.command(gait=own_gait(crowd, periods=1.5 * np.asarray(gait.periods)))


def later(crowd: Crowd) -> None:
    gait = crowd.creature.gaits.gaits[0]
    starts = np.asarray(gait.starts).copy()
    starts[..., 0] = (starts[..., 0] + 0.2) % 1.0
    crowd.command(gait=own_gait(crowd, starts=starts))


# Name of the parameter: who, and what is told in mid-walk to one of two alike.
CHANGES: dict[str, tuple[str, Change]] = {
    "speed": ("wolf", lambda c: c.command(speed=1.6)),
    "heading": ("wolf", lambda c: c.command(heading=0.8)),
    "turn rate": ("wolf", lambda c: c.command(turn_rate=0.4)),
    "step height": ("spider", lambda c: c.command(step_height=0.14)),
    "places of the feet": ("spider", wider),
    "sectors of the gait": ("wolf", later),
    "cycle": ("wolf", slower),
    "random gait": ("spider", lambda c: c.command(gait="random")),
    "bursts": ("spider", lambda c: c.command(burst=True)),
    "bounce": ("wolf", lambda c: c.liven(bounce=0.0)),
    "sway of the trunk": ("lizard", lambda c: c.liven(sway=0.0)),
    "nod": ("wolf", lambda c: c.liven(nod=1.5)),
    "head": ("bird", lambda c: c.liven(head=0.0)),
    "strides that vary": ("wolf", lambda c: c.liven(vary=0.0)),
    "settling of a tail": ("wolf", lambda c: c.appendages.set("tail", settling=3.0)),
    "damping of a tail": ("wolf", lambda c: c.appendages.set("tail", damping=0.05)),
    "drag of a tail": ("wolf", lambda c: c.appendages.set("tail", drag=0.9)),
    "limit of a tail": ("wolf", lambda c: c.appendages.set("tail", limit=0.02)),
    "a tail that swings": ("wolf", lambda c: c.appendages.switch(False, "tail")),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_parameter_acts_while_they_go(name: str) -> None:
    kind, change = CHANGES[name]
    told, plain = (Crowd(kind, 1, speed=1.0 if kind == "wolf" else 0.4, seed=3) for _ in range(2))
    for crowd in (told, plain):
        for _ in range(BEFORE):
            crowd.step(DT)
    np.testing.assert_array_equal(told.poses.rotations, plain.poses.rotations)
    last = told.poses.joint_positions().copy()
    change(told)
    off = []
    for _ in range(AFTER):
        now, beside = (crowd.step(DT).joint_positions() for crowd in (told, plain))
        off.append(float(np.linalg.norm(now - beside, axis=-1).max()))
        assert np.linalg.norm(now - last, axis=-1).max() < 0.2  # nothing is thrown there
        last = now.copy()
    assert max(off) > LEAST


@pytest.mark.parametrize("name", ["flex", "pushing"])
def test_effects_of_turns_and_of_haste_act_while_they_go(name: str) -> None:
    """The trunk bends in a curve, the speed changes as feet push: seen where both crowds are told the same."""
    told, plain = (Crowd("wolf", 1, speed=0.8, seed=3) for _ in range(2))
    for crowd in (told, plain):
        for _ in range(BEFORE):
            crowd.step(DT)
    told.liven(**{name: 0.0})
    off = 0.0
    for crowd in (told, plain):
        crowd.command(turn_rate=0.8, speed=1.8)
    for _ in range(AFTER):
        now, beside = (crowd.step(DT).joint_positions() for crowd in (told, plain))
        off = max(off, float(np.linalg.norm(now - beside, axis=-1).max()))
    assert off > LEAST


def test_a_gait_comes_about_in_the_time_told() -> None:
    def done(within: float) -> int:
        crowd = Crowd("wolf", 1, speed=1.0, gait="walk", seed=3)
        plain = Crowd("wolf", 1, speed=1.0, gait="trot", seed=3)
        for _ in range(BEFORE):
            crowd.step(DT)
            plain.step(DT)
        crowd.command(gait="trot", within=within)
        shares = []
        for _ in range(400):
            crowd.step(DT)
            shares.append(float(np.mean(crowd.planted)))
        # Two of four feet are down in a trot, three in a walk: the mean over a cycle falls.
        mean = np.convolve(shares, np.ones(60) / 60.0, mode="valid")
        return int(np.argmax(mean < 0.5 * (mean[0] + mean[-1])))

    assert done(0.2) + 40 < done(3.0)
