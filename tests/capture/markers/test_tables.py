"""Tables of marker sets: names of files, sides, sizes; own tables; what is wrong with one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import locomote as lm
from locomote.capture import markers
from locomote.errors import FormatError

OWN = """
size = 1.0
[[marker]]
names = ["tip"]
joint = "b"
place = [0.0, 0.1, 0.0]
stiffness = 0.7
"""


@pytest.mark.parametrize(
    ("name", "joint", "side"),
    [
        ("r_knee", "femur", "right"),
        ("L.ASIS", "pelvis", "left"),
        ("RASI", "pelvis", "right"),
        ("Anna:LANK", "tibia", "left"),
        ("C7", "torso", ""),
        ("R_Shoulder", "torso", "right"),
    ],
)
def test_names_of_usual_sets_are_known(name: str, joint: str, side: str) -> None:
    found = markers.MarkerTable.load("human").find(name)
    assert found is not None
    assert (found[0].joint, found[1]) == (joint, side)


def test_names_that_are_none_are_left_out() -> None:
    table = markers.MarkerTable.load("human")
    assert table.find("R_HJC_reg") is None
    assert table.find("*12") is None
    with pytest.raises(lm.LocomoteError, match="among \\*12"):
        markers.place_markers(["*12"], markers.human(), table)


@pytest.mark.feature("ROD-05")
def test_stiffness_is_a_file_and_paws_are_stiffer_than_skin(tmp_path: Path) -> None:
    subject = markers.subject("rat")
    table = markers.MarkerTable.load("rat")
    wanted = {"L_hindpaw": 1.0, "knee_bone": 1.0, "skull_front": 0.8, "R_ankle": 0.3, "loin": 0.15, "L_knee": 0.05}
    wanted |= {"L_hip": 0.05, "R_shoulder": 0.05, "tail_base": 0.3}
    names = [name if name != "knee_bone" else "L_knee_bone" for name in wanted]
    attached = markers.place_markers(names, subject, table)
    np.testing.assert_allclose(attached.stiffness, list(wanted.values()))
    (tmp_path / "own.toml").write_text(OWN)
    assert markers.MarkerTable.load(tmp_path / "own.toml").spots[0].stiffness == 0.7
    softer = attached.with_stiffness({"loin": 0.01})
    assert softer.stiffness[softer.index("loin")] == 0.01
    assert softer.stiffness[0] == 1.0


def test_sides_are_mirrored_and_places_grow_with_the_body() -> None:
    table = markers.MarkerTable.load("human")
    small, large = (markers.place_markers(["LKNE", "RKNE"], markers.human(h), table) for h in (1.5, 1.8))
    np.testing.assert_allclose(small.points[0], small.points[1] * [-1, 1, 1])
    np.testing.assert_allclose(large.points / small.points, 1.2, rtol=1e-9)
    mouse = markers.place_markers(["loin"], markers.subject("mouse"), markers.MarkerTable.load("rat"))
    rat = markers.place_markers(["loin"], markers.subject("rat"), markers.MarkerTable.load("rat"))
    np.testing.assert_allclose(2.0 * mouse.points, rat.points, atol=2e-5)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("nonsense", "not a TOML"),
        ("size = 0\n" + OWN.split("\n", 2)[2], "size"),
        ("size = 1", "marker"),
        (OWN.replace("0.1, 0.0]", "0.1]"), "place"),
        (OWN.replace("stiffness = 0.7", 'stiffness = "soft"'), "stiffness"),
        (OWN.replace("stiffness", "stifness"), "stifness"),
        (OWN.replace('joint = "b"', ""), "joint"),
    ],
)
def test_a_wrong_table_is_one_line(tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "bad.toml").write_text(text)
    with pytest.raises(FormatError, match=words) as told:
        markers.MarkerTable.load(tmp_path / "bad.toml")
    assert "\n" not in str(told.value)
    with pytest.raises(lm.LocomoteError, match="built in are human, rat"):
        markers.MarkerTable.load(tmp_path / "none.toml")
