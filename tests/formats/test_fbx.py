"""FBX files: what other programs write, through ufbx; made up here as text."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote import load
from locomote.errors import FormatError, LocomoteError

pytest.importorskip("ufbx")

SECOND = 46186158000  # ticks
BONES = (("Hips", "", (0.0, 100.0, 0.0)), ("UpLeg", "Hips", (10.0, -5.0, 0.0)), ("Leg", "UpLeg", (0.0, -45.0, 0.0)))


def fbx(unit: float = 1.0, z_up: bool = False) -> bytes:
    """A leg of three bones whose root goes 50 units ahead and whose knee bends by 90 degrees within a second."""
    ids = {name: 1000 + i for i, (name, _, _) in enumerate(BONES)}
    axes = (2, 1, 1, -1, 0, 1) if z_up else (1, 1, 2, 1, 0, 1)
    names = ("UpAxis", "UpAxisSign", "FrontAxis", "FrontAxisSign", "CoordAxis", "CoordAxisSign")
    lines = ["; FBX 7.4.0 project file", "FBXHeaderExtension:  {", "\tFBXVersion: 7400", "}", "GlobalSettings:  {",
             "\tVersion: 1000", "\tProperties70:  {"]  # fmt: skip
    lines += [f'\t\tP: "{name}", "int", "Integer", "",{value}' for name, value in zip(names, axes, strict=True)]
    lines += [f'\t\tP: "UnitScaleFactor", "double", "Number", "",{unit}',
              '\t\tP: "TimeMode", "enum", "", "",6', "\t}", "}", "Objects:  {"]  # fmt: skip
    for name, _, offset in BONES:
        at = ",".join(str(v) for v in (offset if not z_up else (offset[0], -offset[2], offset[1])))
        lines += [f'\tNodeAttribute: {ids[name] + 100}, "NodeAttribute::{name}", "LimbNode" {{',
                  '\t\tTypeFlags: "Skeleton"', "\t}",
                  f'\tModel: {ids[name]}, "Model::{name}", "LimbNode" {{', "\t\tVersion: 232", "\t\tProperties70:  {",
                  f'\t\t\tP: "Lcl Translation", "Lcl Translation", "", "A",{at}', "\t\t}", "\t}"]  # fmt: skip
    lines += ['\tAnimationStack: 1, "AnimStack::walk", "" {', "\t\tProperties70:  {",
              f'\t\t\tP: "LocalStop", "KTime", "Time", "",{SECOND}', "\t\t}", "\t}",
              '\tAnimationLayer: 2, "AnimLayer::base", "" {', "\t}",
              '\tAnimationCurveNode: 3, "AnimCurveNode::T", "" {', "\t\tProperties70:  {",
              '\t\t\tP: "d|X", "Number", "", "A",0', f'\t\t\tP: "d|{"Z" if z_up else "Y"}", "Number", "", "A",100',
              "\t\t}", "\t}", '\tAnimationCurveNode: 4, "AnimCurveNode::R", "" {', "\t}"]  # fmt: skip
    ahead = (0.0, -50.0) if z_up else (0.0, 50.0)
    for key, (first, last) in {5: ahead, 6: (0.0, 90.0)}.items():
        lines += [f'\tAnimationCurve: {key}, "AnimCurve::", "" {{', "\t\tDefault: 0", "\t\tKeyVer: 4008",
                  f"\t\tKeyTime: *2 {{\n\t\t\ta: 0,{SECOND}\n\t\t}}",
                  f"\t\tKeyValueFloat: *2 {{\n\t\t\ta: {first},{last}\n\t\t}}",
                  "\t\tKeyAttrFlags: *1 {\n\t\t\ta: 4\n\t\t}", "\t\tKeyAttrDataFloat: *4 {\n\t\t\ta: 0,0,0,0\n\t\t}",
                  "\t\tKeyAttrRefCount: *1 {\n\t\t\ta: 2\n\t\t}", "\t}"]  # fmt: skip
    lines += ["}", "Connections:  {"]
    for name, parent, _ in BONES:
        lines += [f'\tC: "OO",{ids[name]},{ids[parent] if parent else 0}', f'\tC: "OO",{ids[name] + 100},{ids[name]}']
    lines += ['\tC: "OO",2,1', '\tC: "OO",3,2', '\tC: "OO",4,2', f'\tC: "OP",3,{ids["Hips"]}, "Lcl Translation"',
              f'\tC: "OP",4,{ids["Leg"]}, "Lcl Rotation"', f'\tC: "OP",5,3, "d|{"Y" if z_up else "Z"}"',
              '\tC: "OP",6,4, "d|X"', "}"]  # fmt: skip
    return "\n".join(lines).encode()


@pytest.mark.parametrize("z_up", [False, True])
def test_bones_and_their_motion_come_in_metres_and_y_up(tmp_path: Path, z_up: bool) -> None:
    (tmp_path / "leg.fbx").write_bytes(fbx(z_up=z_up))
    motion = load(tmp_path / "leg.fbx")
    assert motion.skeleton.names == ("Hips", "UpLeg", "Leg")
    assert motion.name == "walk"
    assert motion.duration == pytest.approx(1.0, abs=0.05)
    places = motion.joint_positions()
    assert np.allclose(motion.skeleton.rest_pose()[0], [[0, 1, 0], [0.1, 0.95, 0], [0.1, 0.5, 0]], atol=1e-6)
    assert np.allclose(places[-1] - places[0], np.tile([0.0, 0.0, 0.5], (3, 1)), atol=1e-6)
    turned = motion.rotations[-1, 2] * np.sign(motion.rotations[-1, 2, 0])
    assert np.allclose(np.abs(turned[:2]), np.sqrt(0.5), atol=1e-6)


def test_unit_rate_and_animation_can_be_told(tmp_path: Path) -> None:
    (tmp_path / "leg.fbx").write_bytes(fbx(unit=100.0))  # it says metres
    assert load(tmp_path / "leg.fbx").skeleton.offsets[0, 1] == pytest.approx(100.0)
    assert load(tmp_path / "leg.fbx", unit="cm").skeleton.offsets[0, 1] == pytest.approx(1.0)
    assert len(load(tmp_path / "leg.fbx", fps=120.0, animation="walk")) == 121
    with pytest.raises(LocomoteError, match="no animation 'run'; there are: 0 walk"):
        load(tmp_path / "leg.fbx", animation="run")


def test_what_is_no_fbx_is_refused(tmp_path: Path) -> None:
    for content in (b"", b"nothing", fbx()[:700], b"Kaydara FBX Binary  \x00\x1a\x00" + bytes(40)):
        (tmp_path / "bad.fbx").write_bytes(content)
        with pytest.raises(FormatError):
            load(tmp_path / "bad.fbx")
