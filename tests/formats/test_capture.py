"""Files of capture: markers of C3D, and poses of AMASS."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote import load
from locomote.errors import FormatError, LocomoteError
from locomote.formats.c3d import read_markers


def poses(width: int, frames: int = 30) -> dict[str, np.ndarray]:
    """A body that stands in AMASS's way, Z up, and walks along -Y with its left knee bent by 30 degrees."""
    turns = np.zeros((frames, width))
    turns[:, 0] = np.pi / 2  # the model's own Y up becomes Z up
    turns[:, 12] = np.radians(30.0)  # left knee
    trans = np.zeros((frames, 3))
    trans[:, 1], trans[:, 2] = -np.linspace(0.0, 1.2, frames), 0.9
    return {"poses": turns, "trans": trans, "mocap_framerate": np.array(120.0), "gender": np.array("neutral")}


@pytest.mark.parametrize("width", [66, 72, 156, 165])
def test_poses_stand_upright_and_go_ahead(tmp_path: Path, width: int) -> None:
    np.savez(tmp_path / "walk.npz", **poses(width))
    motion = load(tmp_path / "walk.npz")
    assert motion.fps == 120.0
    assert len(motion.skeleton) == 22
    places, names = motion.joint_positions()[0], motion.skeleton.names
    assert places[names.index("Head"), 1] - places[names.index("R_Ankle"), 1] > 1.2
    assert places[names.index("L_Hip"), 0] > places[names.index("R_Hip"), 0]
    assert places[names.index("L_Foot"), 2] < places[names.index("R_Foot"), 2]  # its shank is bent back
    assert places[names.index("R_Foot"), 2] > places[names.index("R_Ankle"), 2]
    assert motion.root_positions[-1, 2] - motion.root_positions[0, 2] == pytest.approx(1.2)
    half = np.radians(15.0)
    assert np.allclose(motion.rotations[0, names.index("L_Knee")], [np.cos(half), np.sin(half), 0.0, 0.0])
    assert len(motion.skeleton.roles.legs) == 2
    assert any("usual lengths" in note for note in motion.notes)


def test_poses_that_are_none_are_refused(tmp_path: Path) -> None:
    wrong = poses(72)
    changes = ({"poses": np.zeros((3, 10))}, {"trans": np.zeros((2, 3))}, {"poses": np.full((30, 72), np.nan)})
    for bad in ({**wrong, **change} for change in (*changes, {"mocap_framerate": np.array(0.0)})):
        np.savez(tmp_path / "bad.npz", **bad)
        with pytest.raises(FormatError):
            load(tmp_path / "bad.npz")


def test_markers_of_c3d_come_in_metres_and_y_up(tmp_path: Path) -> None:
    ezc3d = pytest.importorskip("ezc3d")
    file = ezc3d.c3d()
    file["parameters"]["POINT"]["RATE"]["value"] = [100]
    file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    file["parameters"]["POINT"]["LABELS"]["value"] = ["LANK", "RANK"]
    seen = np.zeros((4, 2, 5))
    seen[0, 0], seen[1, 0], seen[2, 0] = 100.0, 200.0 + 10.0 * np.arange(5), 900.0
    file["data"]["points"] = seen
    residuals = np.zeros((1, 2, 5))
    residuals[0, 1, 2] = -1.0
    file["data"]["meta_points"]["residuals"] = residuals
    file.write(str(tmp_path / "walk.c3d"))
    markers = read_markers(tmp_path / "walk.c3d")
    assert markers.names == ("LANK", "RANK")
    assert markers.fps == 100.0
    ankle = markers.position("LANK")
    assert np.allclose(ankle[:, 1], 0.9)
    assert np.allclose(np.linalg.norm(np.diff(ankle, axis=0), axis=1), 0.01)
    assert np.isnan(markers.position("RANK")[2]).all()
    assert np.isfinite(markers.position("RANK")[[0, 1, 3, 4]]).all()
    assert np.allclose(read_markers(tmp_path / "walk.c3d", up="y").position("LANK")[:, 0], 0.1)
    with pytest.raises(LocomoteError, match="read_markers"):
        load(tmp_path / "walk.c3d")
    (tmp_path / "bad.c3d").write_bytes(b"nothing at all")
    with pytest.raises(FormatError):
        read_markers(tmp_path / "bad.c3d")
