"""A live walker: as exact as a walk made at once, changeable, and without a jump."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.steps._blending import LEGS
from locomote.steps._plan import LEFT, RIGHT
from locomote.steps._stepper import Stepper

FRAME = 1.0 / 60.0
MOST_TURN = 0.35  # rad in a frame, of any joint
MOST_STEP = 0.08  # m in a frame, of any joint


def played(stepper: Stepper, frames: int, feed: list[tuple[int, float, float]] | None = None) -> dict[str, np.ndarray]:
    """Step on, with a new plant whenever none is ahead."""
    roots, turns, joints = [], [], []
    waiting = list(feed or [])
    for _ in range(frames):
        while waiting and stepper.ahead < 2:
            stepper.add(*waiting.pop(0))
        poses = stepper.step(FRAME)
        roots.append(poses.root_positions[0].copy())
        turns.append(poses.rotations[0].copy())
        joints.append(poses.joint_positions()[0].copy())
    return {"roots": np.array(roots), "turns": np.array(turns), "joints": np.array(joints)}


def smooth(what: dict[str, np.ndarray]) -> None:
    turns = what["turns"]
    assert rot.distance(turns[1:], turns[:-1]).max() < MOST_TURN
    assert np.linalg.norm(np.diff(what["joints"], axis=0), axis=-1).max() < MOST_STEP
    velocity = np.diff(what["roots"], axis=0) / FRAME
    assert np.linalg.norm(np.diff(velocity, axis=0), axis=1).max() < 0.5


def straight(count: int, length: float = 0.5) -> list[tuple[int, float, float]]:
    return [(i % 2, 0.11 if i % 2 == LEFT else -0.11, length * (i + 1)) for i in range(count)]


def met(what: dict[str, np.ndarray], side: int, x: float, z: float) -> float:
    balls = what["joints"][:, LEGS[side, 3]]
    return float(np.linalg.norm(balls - [x, 0.0, z], axis=1).min())


@pytest.mark.feature("STR-34")
def test_plants_that_come_in_while_walking_are_met_without_a_jump() -> None:
    stepper = Stepper((0.11, 0.0), (-0.11, 0.0))
    feed = straight(12)
    what = played(stepper, 560, feed)
    for side, x, z in feed:
        assert met(what, side, x, z) < 1e-3
    smooth(what)
    balls = what["joints"][-5:, LEGS[:, 3]]
    assert np.abs(np.diff(balls, axis=0)).max() < 1e-4  # it stands and waits
    assert len(stepper.plan) < 12  # what is past is forgotten


@pytest.mark.feature("STR-34")
def test_a_plant_may_be_changed_until_the_foot_leaves_for_it() -> None:
    stepper = Stepper((0.11, 0.0), (-0.11, 0.0))
    for plant in straight(5):
        stepper.add(*plant)
    first = played(stepper, 50)
    changed = stepper.first + len(stepper.plan) - stepper.ahead
    side = int(stepper.plan.sides[changed - stepper.first])
    before = stepper.plan.places[changed - stepper.first].copy()
    stepper.change(changed, x=before[0] + 0.08, z=before[2] - 0.1)
    second = played(stepper, 300)
    what = {name: np.concatenate([first[name], second[name]]) for name in first}
    smooth(what)
    assert met(what, side, before[0] + 0.08, before[2] - 0.1) < 1e-3
    with pytest.raises(LocomoteError, match=r"has left|expected one from"):
        stepper.change(changed, x=0.0)


@pytest.mark.feature("STR-34")
def test_after_a_rest_it_goes_on() -> None:
    stepper = Stepper((0.11, 0.0), (-0.11, 0.0))
    what = [played(stepper, 200, straight(2))]
    what.append(played(stepper, 250, [(LEFT, 0.11, 1.4), (RIGHT, -0.11, 1.9)]))
    together = {name: np.concatenate([part[name] for part in what]) for name in what[0]}
    smooth(together)
    assert met(together, LEFT, 0.11, 1.4) < 1e-3
    assert met(together, RIGHT, -0.11, 1.9) < 1e-3


def test_it_says_what_is_wrong() -> None:
    stepper = Stepper((0.11, 0.0), (-0.11, 0.0))
    with pytest.raises(LocomoteError, match="add one first"):
        stepper.step(FRAME)
    with pytest.raises(LocomoteError, match="plant 3"):
        stepper.add(LEFT, 0.1, 2.5)
    stepper.add(LEFT, 0.1, 0.5)  # what was refused left no trace
    stepper.step(FRAME)
    with pytest.raises(LocomoteError, match="dt"):
        stepper.step(-1.0)
    with pytest.raises(LocomoteError, match="left: expected"):
        Stepper((0.0,), (0.0, 0.0))


def test_what_is_handed_back_is_where_it_is() -> None:
    stepper = Stepper((0.11, 0.0), (-0.11, 0.0))
    what = played(stepper, 400, straight(4))
    back = stepper.hand_back()
    np.testing.assert_allclose(back.footholds, what["joints"][-1, LEGS[:, 3]], atol=1e-6)
    assert abs(back.heading) < 0.4
    assert np.linalg.norm(back.velocity) < 0.05


def test_it_takes_over_a_walker_of_a_crowd() -> None:
    import locomote as lm

    crowd = lm.human.Crowd(lm.human.HumanModel.default(), 1, speed=1.0, phases=0.0, style="steady", lively=0.0)
    for _ in range(90):
        crowd.step(FRAME)
    while np.any(crowd.landings[0] > 0.0):
        with pytest.raises(LocomoteError, match="in the air"):
            Stepper.from_crowd(crowd)
        crowd.step(FRAME)
    pose = crowd.poses.copy()
    stepper = Stepper.from_crowd(crowd)
    feet = crowd.footholds[0]
    behind = int(np.argmin(feet[:, 2]))
    feed = []
    for i in range(6):
        side = behind if i % 2 == 0 else 1 - behind
        feed.append((side, float(feet[side, 0]), float(feet[1 - behind, 2] + 0.5 * (i + 1))))
    stepper.add(*feed[0])
    first = stepper.step(0.0)
    np.testing.assert_allclose(first.joint_positions(), pose.joint_positions(), atol=2e-3)
    what = played(stepper, 300, feed[1:])
    smooth(what)
    for side, x, z in feed:
        assert met(what, side, x, z) < 1e-3
