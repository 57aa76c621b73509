"""Examples of what laboratories give: joint coordinates and forces of OpenSim, markers."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np

import locomote as lm
from locomote.capture import stage
from locomote.formats.markers import Markers, write_markers
from locomote.motion import Motion
from locomote.rotations import FloatArray

MASS = 70.0  # kg
FPS = 100.0
NOISE = 0.0005  # m

Columns = dict[str, FloatArray]


def coordinates(path: Path) -> None:
    """Joint coordinates of a walk."""
    _write_table(path, "Coordinates", _coordinates(_person(1.3)))


def ground_forces(path: Path) -> None:
    """What the floor does to the feet of the same walk."""
    walk = _person(1.3)
    found = lm.physics.forces(walk, mass=MASS)
    columns: Columns = {}
    for k, side in enumerate("lr"):
        for letter, values in (("v", found.force[:, k]), ("p", found.centre[:, k])):
            for axis, numbers in zip("xyz", (values[:, 2], values[:, 1], -values[:, 0]), strict=True):
                columns[f"ground_force_{side}_{letter}{axis}"] = np.nan_to_num(numbers)
    _write_table(path, "Forces", columns)


def walk_markers(path: Path) -> None:
    """Markers on the same walker."""
    write_markers(_on_person(1.3), path)


def run_c3d(path: Path) -> None:
    """Markers on somebody who runs."""
    _write_c3d(_on_person(3.0), path)


def range_c3d(path: Path) -> None:
    """Markers on the same person, who walks."""
    _write_c3d(_on_person(1.2), path)


def rat_markers(path: Path) -> None:
    """Markers of the built-in table on a rat."""
    rat = lm.creature("rat", None, 1.0)
    write_markers(stage.markers(rat, noise=0.5 * NOISE).markers, path)


def wolf_markers(path: Path) -> None:
    """Markers of a table of one's own on a wolf."""
    from locomote.capture.markers import MarkerTable
    from locomote.samples._files import FOLDER

    table = MarkerTable.load(FOLDER / "my-markers.toml")
    write_markers(stage.markers(lm.creature("wolf", 1.2, 1.0), on=table, noise=NOISE).markers, path)


def _person(speed: float) -> Motion:
    return lm.samples.performer(speed=speed, seconds=2.0, fps=FPS).motion


def _on_person(speed: float) -> Markers:
    """Markers on the body that OpenSim's coordinates belong to."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "person.mot"
        _write_table(file, "Coordinates", _coordinates(_person(speed)))
        return stage.markers(lm.load(file, height=1.75), noise=NOISE).markers


def _coordinates(motion: Motion) -> Columns:
    """Of somebody who goes along +Z: metres, and degrees in the plane of the way."""
    roots, nothing = motion.root_positions, np.zeros(len(motion))
    angles: Columns = dict.fromkeys(("pelvis_tilt", "pelvis_list", "pelvis_rotation"), nothing)
    for side, word in (("r", "Right"), ("l", "Left")):
        thigh, shank = _pitch(motion, word, "UpLeg", "Leg"), _pitch(motion, word, "Leg", "Foot")
        flat = motion.skeleton.offsets[motion.skeleton.index(f"{word}ToeBase")]
        foot = _pitch(motion, word, "Foot", "ToeBase") - np.arctan2(flat[2], -flat[1])
        upper, lower = _pitch(motion, word, "Arm", "ForeArm"), _pitch(motion, word, "ForeArm", "Hand")
        angles |= {f"hip_flexion_{side}": thigh, f"knee_angle_{side}": thigh - shank}
        angles |= {f"ankle_angle_{side}": foot - shank}
        angles |= {f"arm_flex_{side}": upper, f"elbow_flex_{side}": lower - upper}
    places = {"pelvis_tx": roots[:, 2], "pelvis_ty": roots[:, 1], "pelvis_tz": -roots[:, 0]}
    return places | {name: np.degrees(values) for name, values in angles.items()}


def _pitch(motion: Motion, side: str, upper: str, lower: str) -> FloatArray:
    """How far forward of straight down a bone points, rad."""
    places = motion.joint_positions()
    bone = places[:, motion.skeleton.index(side + lower)] - places[:, motion.skeleton.index(side + upper)]
    return np.asarray(np.arctan2(bone[:, 2], -bone[:, 1]))


def _write_table(path: Path, name: str, columns: Columns) -> None:
    values = np.stack(list(columns.values()), axis=1)
    rows = np.column_stack([np.arange(len(values)) / FPS, values])
    head = [name, "version=1", f"nRows={len(rows)}", f"nColumns={rows.shape[1]}", "inDegrees=yes", "endheader"]
    lines = ["\t".join(["time", *columns]), *("\t".join(f"{value:.6f}" for value in row) for row in rows)]
    path.write_text("\n".join([*head, *lines]) + "\n", encoding="utf-8")


def _write_c3d(markers: Markers, path: Path) -> None:
    """As laboratories do: millimetres, Z up, where X is ahead."""
    import ezc3d

    file = ezc3d.c3d()
    x, y, z = np.moveaxis(1000.0 * markers.positions, -1, 0)  # (F, M)
    file["parameters"]["POINT"]["RATE"]["value"] = [markers.fps]
    file["parameters"]["POINT"]["UNITS"]["value"] = ["mm"]
    file["parameters"]["POINT"]["LABELS"]["value"] = list(markers.names)
    file["data"]["points"] = np.stack([z.T, x.T, y.T, np.ones_like(x.T)])
    file.write(str(path))
