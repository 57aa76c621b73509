"""MuJoCo models: frames, classes, ranges, keyframes, tips."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import FormatError, LocomoteError
from locomote.formats import load, mjcf

LEG = """<mujoco model="leg">
  <compiler angle="{angle}"/>
  <default>
    <joint axis="0 1 0"/>
    <default class="leg"><geom type="capsule" size="0.1"/>
      <default class="knee"><joint range="-90 0"/></default>
    </default>
  </default>
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="ball" pos="9 9 9"><freejoint/></body>
    <body name="trunk" pos="0 0 2" childclass="leg">
      <freejoint/>
      <body name="thigh" pos="1 0.5 0">
        <joint name="a" axis="1 0 0" range="-10 20"/><joint name="b" range="-30 60"/>
        <body name="shin" pos="0 0 -1" {frame}>
          <joint name="c" class="knee"/>
          <geom fromto="0 0 0 0 0 -0.8"/><geom type="mesh" mesh="none" pos="0 0 -9"/>
        </body>
      </body>
      <body name="handle" pos="0 0 0.3"><geom type="sphere" size="0.2"/></body>
    </body>
  </worldbody>
  {key}
</mujoco>"""


def text(angle: str = "degree", frame: str = "", key: str = "") -> bytes:
    return LEG.format(angle=angle, frame=frame, key=key).encode()


def test_bodies_become_joints_in_our_axes() -> None:
    model = mjcf.parse(text(), Path("leg.xml"))
    assert model.skeleton.names == ("trunk", "thigh", "shin", "handle")
    positions = model.skeleton.rest_pose()[0]
    # Z up and X forward become Y up and Z forward; left, +Y there, is +X here.
    assert np.allclose(positions, [[0, 2, 0], [0.5, 2, 1], [0.5, 1, 1], [0, 2.3, 0]])
    assert model.notes == ("loose bodies left out: ball",)


def test_the_ends_of_primitive_geometry_are_tips() -> None:
    skeleton = mjcf.parse(text(), Path("leg.xml")).skeleton
    assert skeleton.end_parents.tolist() == [2, 3]
    assert np.allclose(skeleton.end_offsets, [[0, -0.9, 0], [0, 0.2, 0]])


def test_hinges_become_limits() -> None:
    model = mjcf.parse(text(), Path("leg.xml"))
    assert np.allclose(model.axes[1], [1, 0, 0])  # the last hinge of the thigh, about +Y of the file
    assert np.allclose(model.twist[1], np.radians([-30, 60]))
    assert model.swing[1] == pytest.approx(np.radians(20))
    assert np.allclose(model.twist[2], np.radians([-90, 0]))
    assert model.swing[2] == 0.0
    assert np.allclose(model.twist[3], 0.0)  # welded
    in_radians = mjcf.parse(text("radian"), Path("leg.xml"))
    assert np.allclose(in_radians.twist[2], [-np.pi, 0.0])


@pytest.mark.parametrize(
    "frame",
    [
        'quat="2 0 0 2"',
        'euler="0 0 90"',
        'axisangle="0 0 3 90"',
        'xyaxes="0 2 0 -1 0.5 0"',
    ],
)
def test_a_rotation_may_be_said_in_many_ways(frame: str) -> None:
    model = mjcf.parse(text(frame=frame), Path("leg.xml"))
    assert rot.distance(model.skeleton.rest_rotations[2], rot.from_yaw(0.5 * np.pi)) < 1e-9


def test_a_z_axis_is_the_shortest_turn() -> None:
    model = mjcf.parse(text(frame='zaxis="1 0 0"'), Path("leg.xml"))
    up = rot.rotate(model.skeleton.rest_rotations[2], [0.0, 1.0, 0.0])
    assert np.allclose(up, [0, 0, 1])


def test_angles_follow_the_order_of_the_file() -> None:
    frame = 'euler="90 90 0"'
    turning = mjcf.parse(text(frame=frame), Path("leg.xml")).skeleton.rest_rotations[2]
    fixed = text(frame=frame).replace(b'angle="degree"', b'angle="degree" eulerseq="XYZ"')
    about_fixed = mjcf.parse(fixed, Path("leg.xml")).skeleton.rest_rotations[2]
    x, y = (rot.from_axis_angle(axis, 0.5 * np.pi) for axis in ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]))
    assert rot.distance(turning, rot.multiply(x, y)) < 1e-9
    assert rot.distance(about_fixed, rot.multiply(y, x)) < 1e-9


def test_the_first_keyframe_is_the_pose() -> None:
    key = '<keyframe><key qpos="0 0 0 1 0 0 0 0 0 5 1 0 0 0 0 0.5 -1"/></keyframe>'
    model = mjcf.parse(text(key=key), Path("leg.xml"))
    assert np.allclose(model.skeleton.offsets[0], [0, 5, 0])
    assert rot.distance(model.pose[1], rot.from_axis_angle([1.0, 0.0, 0.0], 0.5)) < 1e-9
    assert rot.distance(model.pose[2], rot.from_axis_angle([1.0, 0.0, 0.0], -1.0)) < 1e-9
    assert rot.distance(model.skeleton.rest_rotations[1], rot.identity()) < 1e-9


def test_a_model_loads_as_one_frame(tmp_path: Path) -> None:
    path = tmp_path / "leg.xml"
    path.write_bytes(text())
    motion = load(path)
    assert len(motion) == 1
    assert motion.name == "leg"
    assert np.allclose(motion.joint_positions()[0], motion.skeleton.rest_pose()[0])
    with pytest.raises(LocomoteError, match="no option 'unit'"):
        load(path, unit="cm")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (b"<mujoco", b"<!DOCTYPE a><mujoco", "entities"),
        (b"</mujoco>", b"", "not whole XML"),
        (b"worldbody", b"nobody", "no <body>"),
        (b"1 0.5 0", b"1 0.5", "body thigh: pos='1 0.5': expected 3 numbers"),
        (b"1 0.5 0", b"1 nan 0", "expected finite numbers"),
        (b"1 0.5 0", b"1 here 0", "expected numbers"),
        (b'axis="1 0 0"', b'axis="0 0 0"', "an axis needs a length"),
        (b'class="knee"/>', b'class="elbow"/>', "the class 'elbow' has no <default>"),
        (b'name="a" axis', b'type="gear" axis', "type='gear': expected one of free, ball, hinge, slide"),
        (b'angle="degree"', b'eulerseq="abc"', "eulerseq='abc'"),
        (b"</mujoco>", b'<keyframe><key qpos="1 2"/></keyframe></mujoco>', "expected 17 numbers"),
    ],
)
def test_what_is_wrong_is_named(old: bytes, new: bytes, message: str) -> None:
    data = text()
    assert old in data
    with pytest.raises(FormatError, match=message):
        mjcf.parse(data.replace(old, new), Path("leg.xml"))


def test_other_xml_is_refused() -> None:
    with pytest.raises(FormatError, match="expected <mujoco> as the outermost element, got <svg>"):
        mjcf.parse(b"<svg/>", Path("picture.xml"))


def test_a_deep_chain_is_read(tmp_path: Path) -> None:
    deep = b"<mujoco><worldbody>" + b"<body>" * 3000 + b"</body>" * 3000 + b"</worldbody></mujoco>"
    assert len(mjcf.parse(deep, Path("deep.xml")).skeleton) == 3000


@given(st.integers(0, 10_000), st.binary(min_size=0, max_size=6), st.integers(0, 8))
def test_damaged_files_never_fail_otherwise(place: int, junk: bytes, gone: int) -> None:
    data = text(key='<keyframe><key qpos="0 0 0 1 0 0 0 0 0 5 1 0 0 0 0 0.5 -1"/></keyframe>')
    at = place % len(data)
    with contextlib.suppress(LocomoteError):
        mjcf.parse(data[:at] + junk + data[at + gone :], Path("leg.xml"))


# Bodies, and the height of the lowest tip above the floor in the pose of the file, in metres.
MODELS = {
    "a1": (13, 0.00), "anymal_c": (13, -0.01), "dm_ant": (13, 0.02), "dm_dog": (61, -0.01), "dm_fruitfly": (67, None),
    "dm_humanoid_CMU": (31, 0.1), "dm_quadruped": (17, 0.05), "dm_rodent": (65, 0.0), "go2": (13, -0.01),
    "spot": (13, 0.0),
}  # fmt: skip


@pytest.mark.data
@pytest.mark.parametrize("name", MODELS)
def test_real_models_stand_on_the_floor(data: Path, name: str) -> None:
    bodies, floor = MODELS[name]
    motion = load(data / "rigs" / "mjcf" / f"{name}.xml")
    assert len(motion.skeleton) == bodies
    if floor is not None:
        assert motion.end_positions()[..., 1].min() == pytest.approx(floor, abs=0.03)
