"""From a crowd to exact steps and back: nothing jumps, and feet that stand do not slide."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.human import Crowd, HumanModel
from locomote.human_skeleton import heel_offset, human_skeleton
from locomote.motion import Motion, Poses
from locomote.steps._blending import LEGS, body
from locomote.steps._stepper import Stepper

FRAME = 1.0 / 60.0
LEG = 0.9


class Played(NamedTuple):
    """A walk through several hands."""

    motion: Motion
    stands: np.ndarray  # (F, 2)
    changes: list[int]  # frames from which on another one plays

    @property
    def soles(self) -> np.ndarray:
        """Heel, ball and tip of the toes ``(F, 2, 3, 3)``."""
        positions, world = self.motion.world()
        ankles, balls = LEGS[:, 2], LEGS[:, 3]
        return np.stack(
            [
                positions[:, ankles] + rot.rotate(world[:, ankles], heel_offset(LEG)),
                positions[:, balls],
                positions[:, balls] + rot.rotate(world[:, balls], [0.0, 0.0, body(LEG).measures.sole.toes]),
            ],
            axis=2,
        )


class Film:
    def __init__(self) -> None:
        self.roots: list[np.ndarray] = []
        self.turns: list[np.ndarray] = []
        self.stands: list[list[bool]] = []
        self.changes: list[int] = []

    def keep(self, poses: Poses, stands: list[bool]) -> None:
        self.roots.append(poses.root_positions[0].copy())
        self.turns.append(poses.rotations[0].copy())
        self.stands.append(stands)

    def played(self) -> Played:
        motion = Motion(human_skeleton(LEG), 1.0 / FRAME, np.array(self.roots), np.array(self.turns))
        return Played(motion, np.array(self.stands), self.changes)


def on_ground(crowd: Crowd) -> list[bool]:
    return [bool(one) for one in crowd.landings[0] == 0.0]


def there_and_back(speed: float, length: float, steps: int, after: int = 150) -> tuple[Played, Crowd]:
    """A walker of a crowd walks on by exact steps, then with the crowd again."""
    crowd = Crowd(
        HumanModel.default(), 2, speed=speed, phases=0.0, positions=[[0, 0, 0], [3, 0, 0]], style="quick", lively=0.0
    )
    film = Film()
    for _ in range(90):
        film.keep(crowd.step(FRAME), on_ground(crowd))
    while not all(on_ground(crowd)):
        film.keep(crowd.step(FRAME), on_ground(crowd))
    film.changes.append(len(film.roots))
    stepper, feet = Stepper.from_crowd(crowd), crowd.footholds[0]
    behind, given = int(np.argmin(feet[:, 2])), 0
    while given < steps + 2 or not stepper.stands:
        while given < 2 or stepper.ahead < 2:
            side = behind if given % 2 == 0 else 1 - behind
            stepper.add(side, float(feet[side, 0]), float(feet[1 - behind, 2] + length * (given + 1)))
            given += 1
        film.keep(stepper.step(FRAME), [plant >= 0 for plant in stepper._standing()])
    film.changes.append(len(film.roots))
    crowd.place(0, stepper.hand_back())
    for _ in range(after):
        film.keep(crowd.step(FRAME), on_ground(crowd))
    return film.played(), crowd


@pytest.fixture(scope="module", params=[(1.0, 0.55), (1.3, 0.65), (0.8, 0.45)], ids=str)
def walked(request: pytest.FixtureRequest) -> tuple[Played, Crowd]:
    speed, length = request.param
    return there_and_back(speed, length, 7)


def test_nothing_jumps(walked: tuple[Played, Crowd]) -> None:
    played = walked[0]
    joints = np.diff(played.motion.joint_positions(), axis=0) / FRAME
    changes = np.linalg.norm(np.diff(joints, axis=0), axis=-1)
    pelvis = np.linalg.norm(np.diff(np.diff(played.motion.root_positions, axis=0), axis=0), axis=-1) / FRAME
    for at in played.changes:
        assert pelvis[at - 4 : at + 4].max() < 0.2
        assert changes[at - 4 : at + 4].max() < 1.0
    assert changes.max() < 2.0
    assert rot.distance(played.motion.rotations[1:], played.motion.rotations[:-1]).max() < 0.4


def test_feet_that_stand_stay(walked: tuple[Played, Crowd]) -> None:
    played = walked[0]
    soles = played.soles
    moved = np.linalg.norm(np.diff(soles, axis=0), axis=-1).min(axis=-1)  # of what moves least
    both = played.stands[1:] & played.stands[:-1]
    for at in played.changes:
        near = slice(at - 3, at + 25)
        slid = np.where(both[near], moved[near], 0.0)
        # In the frame in which a foot comes from its heel onto its sole both of them move a little.
        assert slid.max() < 2.5e-3
        assert slid.sum(axis=0).max() < 5e-3
        assert soles[near, ..., 1].min() > -1e-3


def test_the_walk_goes_on(walked: tuple[Played, Crowd]) -> None:
    played, crowd = walked
    roots = played.motion.root_positions
    stepped = (roots[played.changes[1], 2] - roots[played.changes[1] - 40, 2]) / (40 * FRAME)
    assert abs(crowd.speeds[0] - stepped) < 0.25
    assert abs(crowd.headings[0]) < 0.15
    crowd.command(speed=0.0, who=0)
    for _ in range(150):
        crowd.step(FRAME)
    assert crowd.speeds[0] == 0.0


def test_a_walker_that_stands_is_handed_over_standing() -> None:
    crowd = Crowd(HumanModel.default(), 1)
    stepper = Stepper((0.11, 0.0), (-0.11, 0.0))
    stepper.add(0, 0.11, 0.5)
    stepper.add(1, -0.11, 0.5)
    film = Film()
    for _ in range(200):
        film.keep(stepper.step(FRAME), [True, True])
    crowd.place(0, stepper.hand_back())
    assert crowd.speeds[0] == 0.0
    np.testing.assert_allclose(crowd.footholds[0], [[0.11, 0.0, 0.5], [-0.11, 0.0, 0.5]], atol=1e-9)
    for _ in range(30):
        film.keep(crowd.step(FRAME), on_ground(crowd))
    joints = np.diff(film.played().motion.joint_positions()[195:], axis=0) / FRAME
    assert np.linalg.norm(np.diff(joints, axis=0), axis=-1).max() < 0.3


def test_on_a_moving_platform_the_feet_go_with_it() -> None:
    from locomote.world import Ground

    ground = Ground()
    ground.add_platform((0.0, 0.0), (4.0, 4.0), 0.3, velocity=(0.2, 0.0, 0.0))
    crowd = Crowd(HumanModel.default(), 1, ground=ground)
    stepper = Stepper((0.11, 0.3, 0.0), (-0.11, 0.3, 0.0))
    stepper.add(0, 0.11, 0.2, 0.3)
    stepper.add(1, -0.11, 0.2, 0.3)
    for _ in range(200):
        stepper.step(FRAME)
    crowd.place(0, stepper.hand_back())
    for _ in range(5):
        ground.advance(FRAME)
        crowd.step(FRAME)
    np.testing.assert_allclose(crowd.footholds[0, 0], [0.11 + 5 * FRAME * 0.2, 0.3, 0.2], atol=1e-6)


def test_what_cannot_go_on_is_said() -> None:
    crowd = Crowd(HumanModel.default(), 1)
    stepper = Stepper((0.11, 0.0), (-0.11, 0.0))
    stepper.add(0, 0.11, 0.5)
    while stepper.stands:
        stepper.step(FRAME)
    with pytest.raises(LocomoteError, match="in the air"):
        crowd.place(0, stepper.hand_back())
    with pytest.raises(LocomoteError, match="legs of"):
        crowd.place(0, replace(stepper.hand_back(), leg_length=0.8))
