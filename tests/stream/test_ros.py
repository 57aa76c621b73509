"""Joint states for ROS: what a rosbridge hears, and where its messages put the feet of a robot."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation
from typer.testing import CliRunner
from websockets.sync.server import ServerConnection, serve

import locomote as lm
from locomote.cli import app
from locomote.errors import LocomoteError
from locomote.formats.urdf import read_model
from locomote.retargeting import JointAngles, LiveRetarget, joint_angles
from locomote.stream import Engine, RosBridge, RosSender, stage_of
from tests.made_robots import description, dog, humanoid

from .conftest import PATIENCE

mujoco = pytest.importorskip("mujoco")


class Bridge:
    """As much of rosbridge as publishers see."""

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []
        self.ended = threading.Event()
        self.server = serve(self._hear, "127.0.0.1", 0)
        self.url = f"ws://127.0.0.1:{self.server.socket.getsockname()[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def _hear(self, connection: ServerConnection) -> None:
        for text in connection:
            self.heard.append(json.loads(text))
        self.ended.set()

    def told(self, topic: str) -> list[dict[str, Any]]:
        return [each["msg"] for each in self.heard if each["op"] == "publish" and each["topic"] == topic]


@pytest.fixture
def bridge() -> Iterator[Bridge]:
    made = Bridge()
    yield made
    made.server.shutdown()


@pytest.fixture(scope="module")
def robot(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("robot") / "humanoid.urdf"
    path.write_text(description(humanoid()))
    return path


@pytest.fixture(scope="module")
def angles(robot: Path) -> JointAngles:
    walk = lm.human.Crowd(lm.human.HumanModel.default(), 1, speed=1.0, heading=0.7).record(seconds=0.4, fps=50)
    return joint_angles(walk, read_model(robot))


def feet_by_ros(robot: Path, state: dict[str, Any], transform: dict[str, Any]) -> np.ndarray:
    """Where a listener has the feet: MuJoCo's kinematics of the description, set up in the world by /tf."""
    model = mujoco.MjModel.from_xml_path(str(robot))
    data = mujoco.MjData(model)
    for name, angle in zip(state["name"], state["position"], strict=True):
        data.qpos[model.joint(name).qposadr] = angle
    mujoco.mj_kinematics(model, data)
    feet = np.array([data.xpos[model.body(f"{side}_ankle_roll_link").id] for side in ("left", "right")])
    place, turn = transform["transform"]["translation"], transform["transform"]["rotation"]
    at = Rotation.from_quat([turn[axis] for axis in "xyzw"]).apply(feet)
    return at + [place[axis] for axis in "xyz"]


def test_rosbridge_hears_where_the_feet_of_the_robot_are(bridge: Bridge, robot: Path, angles: JointAngles) -> None:
    model = read_model(robot)
    with RosBridge(bridge.url, base="pelvis") as publisher:
        publisher.play(angles)
    assert bridge.ended.wait(PATIENCE)
    assert bridge.heard[0] == {"op": "advertise", "topic": "/joint_states", "type": "sensor_msgs/msg/JointState"}
    assert bridge.heard[1] == {"op": "advertise", "topic": "/tf", "type": "tf2_msgs/msg/TFMessage"}
    states, transforms = bridge.told("/joint_states"), bridge.told("/tf")
    assert len(states) == len(transforms) == len(angles.positions) == 21
    low, high = (dict(zip(model.hinges, limit, strict=True)) for limit in model.twist.T)
    wanted = lm.retarget(
        lm.human.Crowd(lm.human.HumanModel.default(), 1, speed=1.0, heading=0.7).record(seconds=0.4, fps=50),
        model.skeleton,
    )
    ankles = [wanted.skeleton.index(f"{side}_ankle_roll_link") for side in ("left", "right")]
    ours = wanted.joint_positions()[:, ankles][..., [2, 0, 1]]
    stamps = []
    for frame, (state, message) in enumerate(zip(states, transforms, strict=True)):
        assert set(state) == {"header", "name", "position", "velocity", "effort"}
        assert len(state["name"]) == len(state["position"]) == len(state["velocity"]) == 29
        assert all(
            low[name] <= angle <= high[name] for name, angle in zip(state["name"], state["position"], strict=True)
        )
        (transform,) = message["transforms"]
        assert (transform["header"]["frame_id"], transform["child_frame_id"]) == ("world", "pelvis")
        assert state["header"]["stamp"] == transform["header"]["stamp"]
        stamps.append(state["header"]["stamp"]["sec"] + 1e-9 * state["header"]["stamp"]["nanosec"])
        assert np.linalg.norm(feet_by_ros(robot, state, transform) - ours[frame], axis=-1).max() < 1e-3
    assert np.all(np.diff(stamps) > 0.0)
    assert abs(stamps[-1] - time.time()) < 60.0
    between = (np.array(states[11]["position"]) - states[9]["position"]) * 25.0
    assert np.allclose(states[10]["velocity"], between)


def test_the_command_writes_a_table_and_publishes(bridge: Bridge, tmp_path: Path) -> None:
    path, table = tmp_path / "dog.urdf", tmp_path / "joints.csv"
    path.write_text(description(dog()))
    told = ["robot", str(path), "-o", str(table), "--ros", bridge.url, "--seconds", "0.5", "--no-base", "--json"]
    done = CliRunner().invoke(app, told)
    assert done.exit_code == 0, done.output
    report = json.loads(done.stdout)
    assert report["frames"] == 26
    assert report["error_max"] < 3e-3
    rows = np.loadtxt(table, delimiter=",", skiprows=1)
    assert table.read_text().splitlines()[0].split(",")[1:] == report["joints"]
    assert bridge.ended.wait(PATIENCE)
    assert bridge.told("/tf") == []
    assert np.allclose([state["position"] for state in bridge.told("/joint_states")], rows[:, 1:], atol=1e-6)


def test_a_robot_follows_somebody_of_a_stream(bridge: Bridge, robot: Path) -> None:
    """Where a listener to ROS has its feet is where the same pose, retargeted by itself, has them."""
    model = read_model(robot)
    stage = stage_of(2, {"wolf": 1}, seed=3, wander=False)
    stage.groups["people"].crowd.command(speed=1.0)
    poses: dict[int, tuple[np.ndarray, np.ndarray]] = {}
    times: list[float] = []
    with Engine(stage, 20.0) as engine, RosBridge(bridge.url, base="pelvis") as publisher:
        sender = RosSender(engine, publisher, model, who=1)
        kept = sender._angles

        def keep(frame: Any) -> Any:
            times.append(frame.time)
            poses[len(poses)] = frame.groups[0].root_positions[1:2], frame.groups[0].rotations[1:2]
            return kept(frame)

        sender._angles = keep  # type: ignore[method-assign]
        with sender:
            end = time.monotonic() + PATIENCE
            while sender.sent < 30 and time.monotonic() < end:
                time.sleep(0.02)
        assert sender.error is None
    assert bridge.ended.wait(PATIENCE)
    states, transforms = bridge.told("/joint_states"), bridge.told("/tf")
    assert len(states) == len(transforms) == sender.sent >= 30
    layout = engine.latest.layout.groups[0]
    live = LiveRetarget(layout.skeleton.scaled(float(engine.latest.groups[0].scales[1])), model.skeleton)
    ankles = [model.skeleton.index(f"{side}_ankle_roll_link") for side in ("left", "right")]
    off = []
    for frame in range(0, 30, 3):
        pose = lm.Motion(model.skeleton, 1.0, *live.follow(*(each.astype(float) for each in poses[frame])))
        ours = pose.joint_positions()[0, ankles][..., [2, 0, 1]]
        (transform,) = transforms[frame]["transforms"]
        off.append(np.linalg.norm(feet_by_ros(robot, states[frame], transform) - ours, axis=-1).max())
        assert np.abs(joint_angles(pose, model).positions[0] - states[frame]["position"]).max() < 5e-3, "as offline"
    assert np.mean(off) < 2e-3
    assert max(off) < 10e-3
    moved = np.ptp([state["position"] for state in states], axis=0)
    assert moved.max() > 0.3, "it walks"
    assert max(abs(np.array(state["velocity"])).max() for state in states) > 0.3
    since = times[10] - times[9]
    assert np.allclose(states[10]["velocity"], (np.array(states[10]["position"]) - states[9]["position"]) / since)


def test_whom_a_robot_cannot_follow_is_said(bridge: Bridge, robot: Path) -> None:
    model, engine = read_model(robot), Engine(stage_of(1, {"wolf": 1}, wander=False))
    with RosBridge(bridge.url) as publisher:
        for options, said in (
            ({"group": "cats"}, "there is no group 'cats'; there are: people, wolf"),
            ({"who": 1}, "people has characters 0 to 0"),
            ({"group": "wolf"}, "legs"),
        ):
            with pytest.raises(LocomoteError, match=said):
                RosSender(engine, publisher, model, **options)  # type: ignore[arg-type]


def test_what_is_wrong_is_said(tmp_path: Path, robot: Path) -> None:
    with pytest.raises(LocomoteError, match=r"ws://127\.0\.0\.1:9: no rosbridge there"):
        RosBridge("ws://127.0.0.1:9")
    for arguments, words in (
        ([str(robot)], "where to"),
        ([str(robot), "-o", "x.txt"], "expected a table, .csv"),
        (["x.xml", "-o", "x.csv"], "expected a robot description"),
        ([str(robot), "-o", "x.csv", "--loop"], "--loop is for --ros"),
    ):
        done = CliRunner().invoke(app, ["robot", *arguments])
        assert done.exit_code != 0
        assert words in str(done.exception)
