"""Robot descriptions: links, frames, ranges, tips."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import FormatError, LocomoteError
from locomote.formats import load, urdf

ROBOT = b"""<robot name="leg">
  <link name="foot"><collision><geometry><sphere radius="0.1"/></geometry></collision></link>
  <link name="trunk"/>
  <link name="thigh"/>
  <link name="shin"><visual><geometry><box size="9 9 9"/></geometry></visual></link>
  <joint name="knee" type="revolute">
    <parent link="thigh"/><child link="shin"/><origin xyz="0 0 -1" rpy="0 0 1.5707963267948966"/>
    <axis xyz="0 2 0"/><limit lower="-2" upper="0.5"/>
  </joint>
  <joint name="hip" type="continuous"><parent link="trunk"/><child link="thigh"/><origin xyz="1 0.5 0"/></joint>
  <joint name="weld" type="fixed"><parent link="shin"/><child link="foot"/><origin xyz="0 0 -0.5"/></joint>
</robot>"""


def test_links_become_joints_in_our_axes() -> None:
    model = urdf.parse(ROBOT, Path("leg.urdf"))
    assert model.skeleton.names == ("trunk", "thigh", "shin", "foot")
    assert np.allclose(model.skeleton.rest_pose()[0], [[0, 0, 0], [0.5, 0, 1], [0.5, -1, 1], [0.5, -1.5, 1]])
    assert rot.distance(model.skeleton.rest_rotations[2], rot.from_yaw(0.5 * np.pi)) < 1e-9
    assert model.skeleton.end_parents.tolist() == [3]
    assert np.allclose(model.skeleton.end_offsets, [[0, -0.1, 0]])


def test_joints_become_limits() -> None:
    model = urdf.parse(ROBOT, Path("leg.urdf"))
    assert np.allclose(model.axes[1], [0, 0, 1])  # about +X where nothing is said
    assert np.allclose(model.twist[1], [-np.pi, np.pi])
    assert np.allclose(model.axes[2], [1, 0, 0])
    assert np.allclose(model.twist[2], [-2.0, 0.5])
    assert np.allclose(model.twist[3], 0.0)
    assert np.all(model.swing == 0.0)


def test_angles_are_about_fixed_axes() -> None:
    data = ROBOT.replace(b"0 0 1.5707963267948966", b"1.5707963267948966 1.5707963267948966 0")
    turn = urdf.parse(data, Path("leg.urdf")).skeleton.rest_rotations[2]
    x, y = (rot.from_axis_angle(axis, 0.5 * np.pi) for axis in ([0.0, 0.0, 1.0], [1.0, 0.0, 0.0]))
    assert rot.distance(turn, rot.multiply(y, x)) < 1e-9


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            b'child link="shin"',
            b'child link="arm"',
            "its child 'arm' is not a link; the links are: foot, trunk",
        ),
        (b'child link="shin"', b'child link="thigh"', "already hangs on|hangs on"),
        (b'type="fixed"', b'type="glued"', "type='glued': expected one of revolute"),
        (b'upper="0.5"', b'upper="much"', "expected numbers"),
        (b'parent link="trunk"', b'parent link="foot"', "circle|one link"),
        (b"link", b"part", "has no <link>"),
        (b"<robot", b"<!ENTITY x><robot", "entities"),
        (b"</robot>", b"", "not whole XML"),
    ],
)
def test_what_is_wrong_is_named(old: bytes, new: bytes, message: str) -> None:
    data = ROBOT.replace(old, new)
    assert data != ROBOT
    if b'parent link="foot"' in data:
        data = data.replace(b'<link name="trunk"/>', b"")
    with pytest.raises(FormatError, match=message):
        urdf.parse(data, Path("leg.urdf"))


@given(st.integers(0, 10_000), st.binary(min_size=0, max_size=6), st.integers(0, 8))
def test_damaged_files_never_fail_otherwise(place: int, junk: bytes, gone: int) -> None:
    at = place % len(ROBOT)
    with contextlib.suppress(LocomoteError):
        urdf.parse(ROBOT[:at] + junk + ROBOT[at + gone :], Path("leg.urdf"))


@pytest.mark.data
def test_a_real_robot_is_read(data: Path) -> None:
    motion = load(data / "rigs" / "max_robot.urdf")
    assert len(motion.skeleton) == 23
    assert len(motion) == 1
    feet = [motion.skeleton.index(f"link_{leg}4") for leg in ("FL", "FR", "HL", "HR")]
    positions = motion.joint_positions()[0, feet]
    assert np.all(positions[:2, 2] > 0.1)  # the front legs are in front
    assert np.all(positions[::2, 0] > 0.1)  # the left legs are to the left
