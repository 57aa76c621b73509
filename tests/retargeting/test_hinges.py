"""Motions as joint angles of robots; the judge is MuJoCo, which reads the same robot descriptions by itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote import rotations as rot
from locomote.creatures import Creature
from locomote.errors import LocomoteError
from locomote.formats.urdf import read_model
from locomote.motion import Motion
from locomote.retargeting import JointAngles, joint_angles, retarget
from locomote.rotations import FloatArray
from tests.made_robots import description, dog, humanoid

mujoco = pytest.importorskip("mujoco")

CLOSE = 1e-6  # m
ROS_TO_OURS = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]])


@pytest.fixture(scope="module")
def robots(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("robots")
    made = {"dog": dog(), "humanoid": humanoid()}
    for name, skeleton in made.items():
        (folder / f"{name}.urdf").write_text(description(skeleton))
    return {name: folder / f"{name}.urdf" for name in made}


def shown(path: Path, angles: JointAngles, links: tuple[str, ...]) -> FloatArray:
    """Where MuJoCo puts links, in our axes in the world."""
    model = mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    places = []
    for frame in range(len(angles.positions)):
        for name, angle in zip(angles.names, angles.positions[frame], strict=True):
            joint = model.joint(name)
            assert joint.range[0] - 1e-9 <= angle <= joint.range[1] + 1e-9
            data.qpos[joint.qposadr] = angle
        mujoco.mj_kinematics(model, data)
        places.append(np.array([data.xpos[model.body(name).id] for name in links]))
    at = np.array(places) @ ROS_TO_OURS.T
    return angles.base_positions[:, None] + rot.rotate(angles.base_rotations[:, None], at)


def in_mujoco(path: Path, names: tuple[str, ...]) -> tuple[str, ...]:
    """The links that MuJoCo has; the first is its world."""
    model = mujoco.MjModel.from_xml_path(str(path))
    known = {model.body(i).name for i in range(model.nbody)}
    return tuple(name for name in names if name in known)


def random_motion(path: Path, frames: int = 40) -> tuple[Motion, FloatArray]:
    """A robot whose joints are anywhere within their ranges, and their angles."""
    model = read_model(path)
    random = np.random.default_rng(4)
    hinge = [j for j, name in enumerate(model.hinges) if name]
    low, high = model.twist[hinge].T
    angles = random.uniform(0.95 * low, 0.95 * high, (frames, len(hinge)))
    turns = np.tile(model.skeleton.rest_rotations, (frames, 1, 1))
    for n, j in enumerate(hinge):
        turns[:, j] = rot.multiply(turns[:, j], rot.from_axis_angle(model.axes[j], angles[:, n]))
    turns[:, 0] = rot.normalize(random.normal(size=(frames, 4)))
    return Motion(model.skeleton, 50.0, random.normal(size=(frames, 3)), turns), angles


@pytest.mark.parametrize("name", ["dog", "humanoid"])
def test_what_the_robot_can_do_it_does_exactly(robots: dict[str, Path], name: str) -> None:
    motion, truth = random_motion(robots[name])
    angles = joint_angles(motion, read_model(robots[name]))
    assert np.abs(angles.positions - truth).max() < 1e-6
    assert angles.errors.max() < CLOSE
    links = in_mujoco(robots[name], motion.skeleton.names)
    assert len(links) > 10
    columns = [motion.skeleton.index(link) for link in links]
    assert (
        np.linalg.norm(shown(robots[name], angles, links) - motion.joint_positions()[:, columns], axis=-1).max() < CLOSE
    )


def test_a_robot_dog_walks_with_its_own_gait(robots: dict[str, Path]) -> None:
    path = robots["dog"]
    walk = lm.creatures.Crowd(Creature.from_rig(path), 1, speed=0.4).record(seconds=2.0, fps=50)
    angles = joint_angles(walk, read_model(path))
    feet = tuple(name for name in dog().names if "foot" in name)
    shanks = [walk.skeleton.index(name.replace("foot", "shank")) for name in feet]
    places, turns = walk.world()
    model = read_model(path).skeleton
    soles = places[:, shanks] + rot.rotate(turns[:, shanks], model.offsets[[model.index(name) for name in feet]])
    assert len(feet) == 4
    off = np.linalg.norm(shown(path, angles, feet) - soles, axis=-1)
    assert np.allclose(off.max(axis=1), angles.errors, atol=1e-9)
    assert off.mean() < 3e-4
    assert off.max() < 3e-3  # in the fastest swing a hip without a third hinge cannot follow
    assert np.ptp(angles.base_positions[:, 2]) > 0.5
    assert np.abs(angles.velocities[1:-1] - (angles.positions[2:] - angles.positions[:-2]) * 25.0).max() < 1e-9


def test_what_is_out_of_reach_is_not_made_worse_by_where_the_search_began() -> None:
    """A first step stretches legs to where hinges cannot follow: 82 mm off if every frame is searched by itself."""
    path = lm.samples.path("robot.urdf")
    angles = joint_angles(lm.creature(path, speed=0.4, seconds=2.0), read_model(path))
    assert np.median(angles.errors) < 3e-4
    assert angles.errors.max() < 0.05


def test_a_person_s_walk_on_a_humanoid(robots: dict[str, Path]) -> None:
    path, model = robots["humanoid"], read_model(robots["humanoid"])
    walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, speed=1.0).record(seconds=2.0, fps=50)
    angles = joint_angles(walk, model)
    wanted = retarget(walk, model.skeleton)
    links = in_mujoco(path, tuple(name for name in model.skeleton.names if "ankle" in name or "knee" in name))
    columns = [wanted.skeleton.index(link) for link in links]
    off = np.linalg.norm(shown(path, angles, links) - wanted.joint_positions()[:, columns], axis=-1)
    assert len(links) == 6
    assert off[:, [links.index(name) for name in links if "ankle_roll" in name]].max() < 1e-3
    assert off.mean() < 0.01  # the rest where the feet leave it
    assert np.abs(np.diff(angles.positions, axis=0)).max() < 0.3  # rad a frame: nothing flips
    knees = [angles.names.index(f"{side}_knee_link_joint") for side in ("left", "right")]
    assert np.ptp(angles.positions[:, knees], axis=0).min() > 0.6


def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "block.urdf"
    path.write_text(
        '<robot name="a"><link name="x"/><link name="y"/><joint name="j" type="fixed"><parent link="x"/>'
        '<child link="y"/></joint></robot>'
    )
    model = read_model(path)
    with pytest.raises(LocomoteError, match="no joint with a name that turns"):
        joint_angles(model.motion(), model)
