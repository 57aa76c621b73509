"""Joint angles of limbs, against forward kinematics and the hinge written out in NumPy."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.motion import Motion
from locomote.steps._blending import LEGS, body
from locomote.steps._kernels import blend as at
from locomote.steps._walking import pose

COUNT = 70  # more than two blocks, and not a whole number of them
PERSON = body(0.9)


def random_frames() -> np.ndarray:
    random = np.random.default_rng(3)
    frames = random.normal(size=(at.ROWS, COUNT))
    for j in range(at.JOINTS):
        turns = rot.exp(random.normal(scale=0.4 if j == 0 else 1.0, size=(COUNT, 3)))
        frames[4 * j : 4 * j + 4] = turns.T * random.choice([-1.0, 1.0], COUNT)
    frames[at.ROOT : at.FEET] = random.normal(scale=[[3.0], [0.0], [3.0]], size=(3, COUNT))
    frames[at.ROOT + 1] += PERSON.measures.size
    for side in range(2):
        foot = frames[at.FEET + at.FOOT_ROWS * side :][: at.FOOT_ROWS]
        foot[:3] = frames[at.ROOT : at.FEET] + random.uniform(-0.15, 0.15, (3, COUNT))
        foot[1] -= 0.7 * PERSON.measures.size
        foot[at.YAW : at.FOOT_ROWS] = random.normal(scale=[[4.0], [0.4], [0.2], [0.4], [4.0]], size=(5, COUNT))
    return frames


def test_feet_come_to_their_places_and_knees_to_their_side() -> None:
    frames = random_frames()
    roots, turns = pose(frames.copy(), PERSON)
    np.testing.assert_array_equal(roots, frames[at.ROOT : at.FEET].T)
    np.testing.assert_allclose(np.linalg.norm(turns, axis=-1), 1.0, atol=1e-9)
    places, world = Motion(PERSON.skeleton, 60.0, roots, turns).world()
    for side, (hip, knee, ankle, ball) in enumerate(LEGS):
        foot = frames[at.FEET + at.FOOT_ROWS * side :][: at.FOOT_ROWS]
        np.testing.assert_allclose(places[:, ball], foot[:3].T, atol=1e-9)
        about_z = rot.from_axis_angle([0.0, 0.0, 1.0], foot[at.ROLL])
        about_x = rot.from_axis_angle([1.0, 0.0, 0.0], foot[at.PITCH])
        sole = rot.multiply(rot.from_yaw(foot[at.YAW]), rot.multiply(about_z, about_x))
        assert np.abs(np.sum(sole * world[:, ankle], axis=-1)).min() > 1.0 - 1e-9
        way = places[:, ankle] - places[:, hip]
        way /= np.linalg.norm(way, axis=-1, keepdims=True)
        inwards = roots - places[:, hip]
        inwards -= np.sum(inwards * way, axis=-1, keepdims=True) * way
        inwards /= np.linalg.norm(inwards, axis=-1, keepdims=True)
        roll = foot[at.KNEE, :, None]
        wanted = np.cos(roll) * inwards + np.sin(roll) * np.cross(way, inwards)
        bend = places[:, knee] - places[:, hip]
        bend -= np.sum(bend * way, axis=-1, keepdims=True) * way
        np.testing.assert_allclose(bend / np.linalg.norm(bend, axis=-1, keepdims=True), wanted, atol=1e-7)


def test_no_quaternion_changes_its_sign_from_frame_to_frame() -> None:
    turns = pose(random_frames(), PERSON)[1]
    assert np.sum(turns[1:] * turns[:-1], axis=-1)[:, LEGS[:, [0, 2]].ravel()].min() >= 0.0
    assert np.sum(turns[1:] * turns[:-1], axis=-1)[:, [0]].min() >= 0.0
