from __future__ import annotations

import contextlib
import gzip
from pathlib import Path

import hypothesis
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote.errors import FormatError, LocomoteError
from locomote.formats import load
from locomote.formats._acclaim_text import parse_amc, parse_asf

# Per bone: parent, direction, length, axis angles, axis order, degrees of freedom; no two alike.
BONES = {
    "lowerback": ("root", (0.0, 1.0, 0.0), 2.1, (0, 0, 0), "XYZ", "rx ry rz"),
    "head": ("lowerback", (0.0, 0.8, 0.6), 1.5, (10, -20, 5), "ZYX", "rz rx"),
    "lhip": ("root", (0.6, -0.8, 0.0), 2.4, (0, 0, 20), "XYZ", ""),
    "lfemur": ("lhip", (0.36, -0.48, 0.8), 7.0, (15, 25, 20), "XYZ", "rx ry rz"),
    "ltibia": ("lfemur", (0.0, -1.0, 0.0), 7.2, (30, 5, -20), "YZX", "rx"),
}
ROOT_ORDER = "TZ TX TY RY RX RZ"


def asf_text(units: str = "length 0.45", angle: str = "deg") -> str:
    lines = [
        "# made for a test",
        ":version 1.10",
        ":name body",
        ":units",
        "  mass 1.0",
        f"  {units}",
        f"  angle {angle}",
    ]
    lines += [
        ":root",
        f"  order {ROOT_ORDER}",
        "  axis XYZ",
        "  position 1 2 3",
        "  orientation 0 0 0",
        ":bonedata",
    ]
    factor = 1.0 if angle == "deg" else np.pi / 180
    for number, (name, (_, direction, length, axis, order, dof)) in enumerate(BONES.items(), start=1):
        lines += [
            "  begin",
            f"    id {number}",
            f"    name {name}",
            "    direction " + " ".join(map(str, direction)),
        ]
        lines += [
            f"    length {length}",
            "    axis " + " ".join(repr(factor * a) for a in axis) + f" {order}",
        ]
        if dof:
            lines += [f"    dof {dof}", "    limits (-160.0 20.0)", "      (-70.0 70.0)"]
        lines.append("  end")
    lines += [":hierarchy", "  begin"]
    for parent in ("root", *BONES):
        children = [name for name, bone in BONES.items() if bone[0] == parent]
        if children:
            lines.append(f"    {parent} {' '.join(children)}")
    return "\n".join([*lines, "  end", ""])


def frames(count: int = 3) -> list[dict[str, list[float]]]:
    rng = np.random.default_rng(4)
    sizes = {"root": 6} | {name: len(bone[5].split()) for name, bone in BONES.items() if bone[5]}
    return [{name: list(rng.uniform(-80, 80, size).round(3)) for name, size in sizes.items()} for _ in range(count)]


def amc_text(angle: str = "deg") -> str:
    lines = ["#!OML:ASF test", ":FULLY-SPECIFIED", ":DEGREES" if angle == "deg" else ":RADIANS"]
    factor = 1.0 if angle == "deg" else np.pi / 180
    for number, frame in enumerate(frames(), start=1):
        lines.append(str(number))
        for name, values in frame.items():
            scale = [1, 1, 1, factor, factor, factor] if name == "root" else [factor] * 3
            lines.append(" ".join([name, *(repr(float(v * s)) for v, s in zip(values, scale, strict=False))]))
    return "\n".join([*lines, ""])


def turn(axis: str, degrees: float) -> np.ndarray:
    """The plain 4x4 matrix of a turn about an axis, for row vectors."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    m = np.eye(4)
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis.lower()]
    m[i, i], m[i, j], m[j, i], m[j, j] = c, s, -s, c
    return m


def shift(vector: np.ndarray) -> np.ndarray:
    m = np.eye(4)
    m[3, :3] = vector
    return m


def definition(frame: dict[str, list[float]]) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Start and end of every bone in file units, by L = C^-1 M C B for row vectors, first angle leftmost."""
    world = {"root": np.eye(4)}
    start = {}
    root = dict(zip(ROOT_ORDER.lower().split(), frame["root"], strict=True))
    for dof in ("ry", "rx", "rz"):
        world["root"] = world["root"] @ turn(dof[1], root[dof])
    world["root"] = world["root"] @ shift(np.array([root["tx"] + 1, root["ty"] + 2, root["tz"] + 3]))
    ends = {"root": np.zeros(3)}
    for name, (parent, direction, length, axis, order, dof) in BONES.items():
        c, m = np.eye(4), np.eye(4)
        for letter in order:
            c = c @ turn(letter, axis["XYZ".index(letter)])
        for one, value in zip(dof.split(), frame.get(name, []), strict=True):
            m = m @ turn(one[1], value)
        world[name] = np.linalg.inv(c) @ m @ c @ shift(ends[parent]) @ world[parent]
        ends[name] = length * np.array(direction)
        start[name] = (
            (np.array([0, 0, 0, 1]) @ world[name])[:3],
            (np.array([*ends[name], 1]) @ world[name])[:3],
        )
    return start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "07.asf").write_text(asf_text())
    (tmp_path / "07_01.amc").write_text(amc_text())
    return tmp_path


def check(path: Path, metres: float, **options: object) -> None:
    motion = load(path, **options)
    positions, ends = motion.joint_positions(), motion.end_positions()
    tips = [motion.skeleton.names[j] for j in motion.skeleton.end_parents]
    for f, frame in enumerate(frames()):
        for name, (start, end) in definition(frame).items():
            np.testing.assert_allclose(positions[f, motion.skeleton.index(name)], metres * start, atol=1e-9)
            if name in tips:
                np.testing.assert_allclose(ends[f, tips.index(name)], metres * end, atol=1e-9)
    assert sorted(tips) == ["head", "ltibia"]


def test_positions_follow_the_definition(folder: Path) -> None:
    check(folder / "07_01.amc", 0.0254 / 0.45)


def test_radians(folder: Path) -> None:
    (folder / "07.asf").write_text(asf_text(angle="rad"))
    check(folder / "07_01.amc", 0.0254 / 0.45)
    (folder / "07_01.amc").write_text(amc_text("rad"))
    check(folder / "07_01.amc", 0.0254 / 0.45)
    (folder / "07_01.amc").write_text(amc_text("rad").replace(":RADIANS\n", ""))
    check(folder / "07_01.amc", 0.0254 / 0.45)


def test_units(folder: Path) -> None:
    (folder / "07.asf").write_text(asf_text("length 1.0"))
    check(folder / "07_01.amc", 0.0254)
    check(folder / "07_01.amc", 0.01, unit="cm")


def test_rate_and_notes(folder: Path) -> None:
    motion = load(folder / "07_01.amc")
    assert motion.fps == 120.0
    assert motion.notes[0].startswith("unit: 0.0564444 m")
    assert "120 frames per second assumed" in motion.notes[1]
    slow = load(folder / "07_01.amc", fps=60)
    assert slow.fps == 60.0
    assert len(slow.notes) == 1
    with pytest.raises(LocomoteError, match="fps=0"):
        load(folder / "07_01.amc", fps=0)


def test_a_skeleton_alone_is_its_rest_pose(folder: Path) -> None:
    motion = load(folder / "07.asf")
    assert len(motion) == 1
    np.testing.assert_allclose(motion.root_positions[0], np.array([1, 2, 3]) * 0.0254 / 0.45)
    np.testing.assert_array_equal(motion.rotations[..., 0], 1.0)
    np.testing.assert_allclose(motion.skeleton.offsets[motion.skeleton.index("head")], [0, 2.1 * 0.0254 / 0.45, 0])


def test_a_skeleton_without_channels_in_the_frames_stays_still(folder: Path) -> None:
    text = "\n".join(line for line in amc_text().splitlines() if not line.startswith("head"))
    (folder / "07_01.amc").write_text(text)
    motion = load(folder / "07_01.amc")
    np.testing.assert_array_equal(motion.rotations[:, motion.skeleton.index("head")], [[1, 0, 0, 0]] * 3)


@pytest.mark.parametrize("name", ["07_01.asf", "07.asf", "07.ASF", "anybody.asf", "07.asf.gz"])
def test_the_skeleton_is_found(folder: Path, name: str) -> None:
    (folder / "07.asf").unlink()
    text = asf_text().encode()
    (folder / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    assert len(load(folder / "07_01.amc")) == 3


def test_the_skeleton_is_not_found(folder: Path) -> None:
    (folder / "07.asf").rename(folder / "other.asf")
    (folder / "another.asf").write_text(asf_text())
    with pytest.raises(FormatError, match=r"give skeleton=; .asf files beside it: another\.asf, other\.asf"):
        load(folder / "07_01.amc")
    assert len(load(folder / "07_01.amc", skeleton=folder / "other.asf")) == 3
    with pytest.raises(LocomoteError, match=r"nobody\.asf: no such file"):
        load(folder / "07_01.amc", skeleton=folder / "nobody.asf")
    for path in folder.glob("*.asf"):
        path.unlink()
    with pytest.raises(FormatError, match="beside it: none"):
        load(folder / "07_01.amc")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("\nlfemur ", "\nrfemur ", "line 8: unknown bone 'rfemur'; the bones: root, lowerback"),
        ("\nltibia ", "\nltibia 3 ", "line 9: bone 'ltibia': expected 1 numbers, found 2"),
        ("\nltibia ", "\nltibia x", "line 9: bone 'ltibia': expected a number"),
        ("\nltibia ", "\nltibia 1e999#", "line 9: bone 'ltibia': expected a number"),
        ("\n2\n", "\n4\n", "line 10: frame 4 follows frame 1"),
        ("\n2\n", "\n", "line 10: the bone 'root' is given twice"),
        ("\n1\n", "\n", "line 4: expected the number of the first frame, found 'root'"),
    ],
)
def test_damaged_frames(folder: Path, old: str, new: str, message: str) -> None:
    (folder / "07_01.amc").write_text(amc_text().replace(old, new, 1))
    with pytest.raises(FormatError, match=rf"07_01\.amc, {message}"):
        load(folder / "07_01.amc")


def test_frames_that_end_too_early(folder: Path) -> None:
    text = amc_text()
    (folder / "07_01.amc").write_text(text[: text.rindex("ltibia")])
    with pytest.raises(FormatError, match=r"line 20: .* lacks the bone 'ltibia'"):
        load(folder / "07_01.amc")
    (folder / "07_01.amc").write_text(":DEGREES\n")
    with pytest.raises(FormatError, match="no frames"):
        load(folder / "07_01.amc")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    lhip lfemur", "    lhip lfoot", "unknown bone 'lfoot'; the bones: lowerback"),
        ("    lhip lfemur", "", "the bone 'lfemur' is not in the :hierarchy"),
        ("    lhip lfemur", "    ltibia lfemur", "does not join these bones to the root: lfemur, ltibia"),
        ("    lhip lfemur", "    lhip lfemur head", "'head' already has its place"),
        ("length 2.1", "length", "length: expected 1 numbers, found 0"),
        ("length 2.1", "length long", "length: expected a number, found 'long'"),
        ("direction 0.0 1.0 0.0", "direction 0 nan 0", "direction: expected a number, found 'nan'"),
        ("length 0.45", "length 0", "the length unit must be positive"),
        ("angle deg", "angle turns", "angle: expected deg or rad"),
        ("dof rz rx", "dof rz l", "dof of 'head': only the rotations"),
        (" ZYX", " ZYY", "axis order: expected such as XYZ, found 'zyy'"),
        (ROOT_ORDER, "TX TX", "order: expected the names TX"),
        ("name head", "name lowerback", "its name 'lowerback' is missing or used twice"),
        ("    name head\n", "", "its name '' is missing"),
        ("  end\n  begin\n    id 2", "  begin\n    id 2", "'begin' inside the bone from line 14"),
        ("  end\n:hierarchy", ":hierarchy", "has no 'end'"),
        ("  begin\n    id 1", "    id 1", "expected 'begin', found 'id'"),
    ],
)
def test_damaged_skeletons(folder: Path, old: str, new: str, message: str) -> None:
    assert old in asf_text()
    (folder / "07.asf").write_text(asf_text().replace(old, new, 1))
    with pytest.raises(FormatError, match=rf"07\.asf.*: .*{message}"):
        load(folder / "07_01.amc")


def test_something_else(folder: Path) -> None:
    (folder / "07.asf").write_text("hello\n")
    with pytest.raises(FormatError, match="not an Acclaim skeleton"):
        load(folder / "07.asf")


flips = st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.integers(0, 255)), min_size=1, max_size=6)


@given(flips, st.booleans())
@hypothesis.settings(max_examples=200)
def test_flipped_bytes(flips: list[tuple[float, int]], in_skeleton: bool) -> None:
    files = [bytearray(asf_text().encode()), bytearray(amc_text().encode())]
    data = files[0] if in_skeleton else files[1]
    for where, value in flips:
        data[int(where * len(data))] = value
    with contextlib.suppress(LocomoteError):
        parse_amc(bytes(files[1]), Path("a.amc"), parse_asf(bytes(files[0]), Path("a.asf")))
