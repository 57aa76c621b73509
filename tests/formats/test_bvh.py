from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pybvh
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import FormatError, LocomoteError
from locomote.formats import bvh, load, save
from locomote.formats._rest import rebased
from locomote.formats.units import CMU
from locomote.motion import Motion
from locomote.samples import performer
from locomote.skeleton import Arm, Leg, Roles, Skeleton
from tests.formats.bvh_samples import CHANNELS, FRAMES, HIERARCHY, bvh_text, frame


def read(text: str | bytes, **options: object) -> Motion:
    data = text.encode() if isinstance(text, str) else text
    return bvh.read(data, Path("clip.bvh"), **options)  # type: ignore[arg-type]


def read_again(motion: Motion, folder: Path, **options: object) -> Motion:
    save(motion, folder / "again.bvh", **options)
    return load(folder / "again.bvh", **{k: v for k, v in options.items() if k in ("unit", "up", "forward")})


def assert_same_in_world(a: Motion, b: Motion, atol: float = 1e-6) -> None:
    order = [b.skeleton.index(name) for name in a.skeleton.names]
    np.testing.assert_allclose(b.joint_positions()[:, order], a.joint_positions(), atol=atol)
    ends_a, ends_b = (np.sort(m.end_positions().round(4), axis=1) for m in (a, b))
    np.testing.assert_allclose(ends_b, ends_a, atol=2e-4)


def chain(channels: str, values: str, offset: str = "0 0 1", frames: int = 1) -> str:
    """A root and one joint in metres, with an end site."""
    return (
        f"HIERARCHY\nROOT a\n{{\nOFFSET 0 0 0\nCHANNELS 3 Zrotation Yrotation Xrotation\nJOINT b\n{{\n"
        f"OFFSET {offset}\nCHANNELS {channels}\nEnd Site\n{{\nOFFSET 0 1 0\n}}\n}}\n}}\n"
        f"MOTION\nFrames: {frames}\nFrame Time: 0.1\n{values}\n"
    )


# --- reading ---


def test_tree_and_channels() -> None:
    motion = read(bvh_text())
    skeleton = motion.skeleton
    assert skeleton.names[:4] == ("Hips", "LeftUpLeg", "LeftLeg", "LeftFoot")
    assert [skeleton.names[p] if p >= 0 else "" for p in skeleton.parents[:5]] == [
        "",
        "Hips",
        "LeftUpLeg",
        "LeftLeg",
        "Hips",
    ]
    assert [skeleton.names[p] for p in skeleton.end_parents] == [
        "LeftFoot",
        "RightFoot",
        "Head",
        "LeftHand",
        "RightHand",
    ]
    np.testing.assert_allclose(skeleton.offsets[2], [0.08, -0.42, 0.01])
    assert motion.fps == 30.0
    assert len(motion) == FRAMES
    assert motion.translations is None
    values = np.array(frame(1))
    np.testing.assert_allclose(motion.root_positions[1], 0.01 * values[:3])
    knee = rot.from_euler("xyz", np.radians(values[9:12]))
    np.testing.assert_allclose(rot.distance(motion.rotations[1, 2], knee), 0.0, atol=1e-7)
    right_foot = rot.from_euler("zx", np.radians(values[21:23]))
    np.testing.assert_allclose(rot.distance(motion.rotations[1, 6], right_foot), 0.0, atol=1e-7)


@given(st.permutations("xyz"), st.lists(st.floats(-400, 400), min_size=3, max_size=3))
def test_every_channel_order_is_the_product_as_written(order: list[str], angles: list[float]) -> None:
    names = " ".join(f"{axis.upper()}rotation" for axis in order)
    motion = read(chain(f"3 {names}", "0 0 0 " + " ".join(map(str, angles))), unit="m")
    expected = rot.from_euler("".join(order), np.radians(angles))
    assert rot.distance(motion.rotations[0, 1], expected) < 1e-6
    assert motion.rotations[0, 1, 0] >= 0.0


def test_agrees_with_an_independent_reader(tmp_path: Path) -> None:
    three = HIERARCHY.replace("2 Zrotation Xrotation", "3 Zrotation Xrotation Yrotation")
    three = three.replace("CHANNELS 1 Yrotation", "CHANNELS 3 Yrotation Xrotation Zrotation")
    rows = "\n".join(" ".join(str(v) for v in [*frame(n), 5.0, 6.0, 7.0]) for n in range(3))
    path = tmp_path / "clip.bvh"
    path.write_text(f"{three}MOTION\nFrames: 3\nFrame Time: 0.0333333\n{rows}\n")
    judge = pybvh.read_bvh_file(str(path))
    ours = load(path, unit=1.0)
    assert list(judge.joint_names) == list(ours.skeleton.names)
    np.testing.assert_allclose(ours.joint_positions(), judge.joint_positions(), rtol=1e-4, atol=1e-3)


@pytest.mark.feature("PCA-001")
@pytest.mark.parametrize("speed", [1.3, 3.2])
def test_a_performed_walk_agrees_with_an_independent_reader(speed: float, tmp_path: Path) -> None:
    made = performer(speed, seconds=2.0, fps=60.0, turn_rate=0.3).motion
    path = tmp_path / "walk.bvh"
    save(made, path)
    ours, judge = load(path, unit=1.0), pybvh.read_bvh_file(str(path))
    assert list(judge.joint_names) == list(ours.skeleton.names)
    np.testing.assert_allclose(ours.joint_positions(), judge.joint_positions(), atol=1e-4)
    order = [made.skeleton.index(name) for name in ours.skeleton.names]  # the file goes limb by limb
    np.testing.assert_allclose(ours.joint_positions(), made.joint_positions()[:, order], atol=1e-4)


@pytest.mark.data
@pytest.mark.feature("PCA-001")
def test_a_walk_agrees_with_an_independent_reader(data: Path, tmp_path: Path) -> None:
    import lzma

    path = tmp_path / "walk.bvh"
    path.write_bytes(lzma.decompress((data / "human/walk/cmu_07_01.bvh.xz").read_bytes()))
    expected = CMU * pybvh.read_bvh_file(str(path)).joint_positions()
    np.testing.assert_allclose(load(path).joint_positions(), expected, atol=1e-4)


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.replace("\n", "\r\n"),
        lambda t: t.replace("\n", "\r"),
        lambda t: t.replace("  ", "\t"),
        lambda t: t.replace("\n", "\n\n"),
        lambda t: t.replace("End Site", "END SITE"),
        lambda t: t.replace("End Site", "end site tip"),
        lambda t: t.replace("OFFSET", "offset").replace("MOTION", "Motion").replace("rotation", "ROTATION"),
        lambda t: t.replace("{", "{ ").replace("\n{", " {"),
        lambda t: "\ufeff" + t,
        lambda t: t.rstrip("\n"),
        lambda t: t + "  \n\t\n",
        lambda t: t.replace("Frames: ", "Frames:\t").replace("Frame Time: ", "Frame Time:\t"),
        lambda t: t.split("0.0333333")[0] + "0.0333333\n" + "\n".join(t.split("0.0333333")[1].split()),
        lambda t: t.split("0.0333333")[0] + "0.0333333\n" + " ".join(t.split("0.0333333")[1].split()),
        lambda t: t.replace("OFFSET 8 -42 1", "OFFSET +8.0e0 -4.2E+01 .1e1"),
    ],
)
def test_ways_to_write_the_same(change) -> None:  # type: ignore[no-untyped-def]
    expected, got = read(bvh_text()), read(change(bvh_text()))
    assert got.skeleton.names == expected.skeleton.names
    np.testing.assert_array_equal(got.rotations, expected.rotations)
    np.testing.assert_array_equal(got.root_positions, expected.root_positions)


def test_names_with_spaces_and_foreign_letters() -> None:
    motion = read(bvh_text().replace("LeftLeg", "Linkes Knie ß"))
    assert motion.skeleton.names[2] == "Linkes Knie ß"
    assert read(bvh_text().replace("LeftLeg", "Fuß").encode("latin-1")).skeleton.names[2] == "Fuß"


def test_position_channels_replace_the_offset() -> None:
    six = "6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"
    moving = read(chain(six, "0 0 0 5 6 7 0 0 0\n0 0 0 5 6 8 0 0 0", frames=2), unit="m")
    assert moving.translations is not None
    np.testing.assert_array_equal(moving.joint_positions()[:, 1], [[5, 6, 7], [5, 6, 8]])
    repeated = read(chain(six, "0 0 0 0 0 1 0 0 0\n0 0 0 0 0 1 0 0 9", frames=2), unit="m")
    assert repeated.translations is None
    constant = read(chain(six, "0 0 0 5 6 7 0 0 0", offset="1 1 1"), unit="m")
    np.testing.assert_array_equal(constant.joint_positions()[0, 1], [5, 6, 7])


def test_some_position_channels_replace_some_of_the_offset() -> None:
    motion = read(chain("2 Zrotation Yposition", "0 0 0 90 6", offset="1 2 3"), unit="m")
    np.testing.assert_allclose(motion.joint_positions()[0, 1], [1, 6, 3])
    np.testing.assert_allclose(motion.end_positions()[0, 0], [0, 6, 3], atol=1e-12)


def test_a_root_without_positions_stands_at_its_offset() -> None:
    text = chain("3 Zrotation Yrotation Xrotation", "0 0 0 0 0 0").replace("OFFSET 0 0 0", "OFFSET 1 2 3", 1)
    np.testing.assert_array_equal(read(text, unit="m").root_positions, [[1, 2, 3]])


@pytest.mark.parametrize(
    ("written", "fps"),
    [
        (".0083333", 120),
        ("0.016666", 60),
        ("0.0333", 30),
        ("0.03336667", 1 / 0.03336667),
        ("0.3", 1 / 0.3),
        ("2", 0.5),
    ],
)
def test_rates(written: str, fps: float) -> None:
    assert read(bvh_text().replace("0.0333333", written)).fps == fps


# --- units and axes ---


@pytest.mark.parametrize(
    ("unit", "metres"),
    [("m", 1.0), ("cm", 0.01), ("mm", 0.001), ("inch", 0.0254), ("foot", 0.3048), ("cmu", CMU), (2, 2)],
)
def test_given_units(unit: str | float, metres: float) -> None:
    np.testing.assert_allclose(read(bvh_text(), unit=unit).skeleton.offsets[2], metres * np.array([8, -42, 1]))


@pytest.mark.parametrize("unit", ["m", "cm", "mm", "inch", "foot", "cmu"])
def test_a_persons_unit_is_found_again(unit: str, tmp_path: Path) -> None:
    motion = read(bvh_text())
    assert motion.notes[0].startswith("unit: cm (0.01 m) guessed")
    save(motion, tmp_path / "a.bvh", unit=unit)
    again = load(tmp_path / "a.bvh")
    assert again.notes[0].startswith(f"unit: {unit} ")
    assert_same_in_world(motion, again)


def test_a_strange_size_is_said_to_be_doubtful() -> None:
    assert "doubtful" in read(chain("1 Xrotation", "0 0 0 0", offset="0 0 .05").replace("0 1 0", "0 .1 0")).notes[0]
    bare = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n}\nMOTION\nFrames: 1\nFrame Time: 1\n0\n"
    assert read(bare).notes[0] == "unit: metres assumed, as the skeleton has no size"


@pytest.mark.parametrize("unit", ["parsec", 0, -1.0, float("nan"), float("inf")])
def test_units_that_are_none(unit: str | float) -> None:
    with pytest.raises(LocomoteError, match="unit"):
        read(bvh_text(), unit=unit)


@pytest.mark.parametrize(
    ("up", "forward"), [("z", None), ("z", "x"), ("z", "-y"), ("x", "y"), ("-y", "-x"), ("y", "x")]
)
def test_axes_are_turned_whole(up: str, forward: str | None, tmp_path: Path) -> None:
    motion = read(bvh_text())
    assert_same_in_world(motion, read_again(motion, tmp_path, up=up, forward=forward))
    # The file itself has its own up: the first frame's hip height is in that column, and so is the rest pose.
    plain = load(tmp_path / "again.bvh", unit="m", up="y")
    axis, sign = "xyz".index(up[-1]), -1.0 if up[0] == "-" else 1.0
    np.testing.assert_allclose(sign * plain.root_positions[:, axis], motion.root_positions[:, 1], atol=1e-6)
    np.testing.assert_allclose(sign * plain.skeleton.offsets[2, axis], motion.skeleton.offsets[2, 1])


def test_axes_that_are_none() -> None:
    for options in ({"up": "w"}, {"forward": "up"}, {"up": "z", "forward": "-z"}):
        with pytest.raises(LocomoteError, match=r"up=|forward="):
            read(bvh_text(), **options)


# --- an added rest pose in front ---


def with_rest_frame(count: int) -> str:
    text = bvh_text(6)
    head, rows = text.split("0.0333333\n")
    zero = " ".join(["0"] * CHANNELS) + "\n"
    return head.replace("Frames: 6", f"Frames: {6 + count}") + "0.0333333\n" + zero * count + rows


@pytest.mark.parametrize("count", [1, 3])
def test_an_added_rest_pose_is_noted_and_left_out_on_request(count: int) -> None:
    kept = read(with_rest_frame(count))
    assert len(kept) == 6 + count
    assert "added rest pose, kept; drop_tpose=True" in kept.notes[1]
    dropped = read(with_rest_frame(count), drop_tpose=True)
    assert "left out" in dropped.notes[1]
    np.testing.assert_array_equal(dropped.rotations, read(bvh_text(6)).rotations)


def test_a_plain_start_is_kept() -> None:
    assert len(read(bvh_text(), drop_tpose=True)) == FRAMES
    still = bvh_text().split("0.0333333")[0] + "0.0333333\n" + ("0 " * CHANNELS + "\n") * FRAMES
    assert len(read(still, drop_tpose=True)) == FRAMES


# --- writing ---


@pytest.mark.parametrize("order", ["xyz", "xzy", "yxz", "yzx", "zxy", "zyx", "ZXY"])
def test_written_orders(order: str, tmp_path: Path) -> None:
    motion = read(bvh_text())
    assert_same_in_world(motion, read_again(motion, tmp_path, order=order))
    assert f"{order[0].upper()}rotation {order[1].upper()}rotation" in (tmp_path / "again.bvh").read_text()


def test_rates_survive(tmp_path: Path) -> None:
    for fps in (120.0, 60.0, 59.94, 30.0, 24.0, 1.0, 0.25):
        assert read_again(replace(read(bvh_text()), fps=fps), tmp_path).fps == pytest.approx(fps, rel=1e-15)


def test_moving_joints_are_written_with_six_channels(tmp_path: Path) -> None:
    motion = read(bvh_text())
    local = np.repeat(motion.skeleton.offsets[None], len(motion), axis=0)
    local[:, 0] = motion.root_positions
    local[2, 5] += [0.1, 0.2, 0.3]
    motion = replace(motion, translations=local)
    again = read_again(motion, tmp_path)
    assert again.translations is not None
    assert_same_in_world(motion, again)


@given(st.integers(0, 2**32 - 1))
def test_any_tree_comes_back(seed: int) -> None:
    """Random bodies with rest rotations, joints in any order of the tree, joints that move, gimbal lock."""
    import tempfile

    rng = np.random.default_rng(seed)
    count = int(rng.integers(1, 12))
    parents = [-1] + [int(rng.integers(0, j)) for j in range(1, count)]
    ends = rng.integers(0, count, size=3)
    skeleton = Skeleton(
        tuple(f"joint {j}" for j in range(count)),
        np.array(parents),
        rng.normal(size=(count, 3)),
        rest_rotations=rot.normalize(rng.normal(size=(count, 4))),
        end_parents=ends,
        end_offsets=rng.normal(size=(3, 3)),
    )
    turns = rot.normalize(rng.normal(size=(5, count, 4)))
    turns[1] = rot.from_euler("zyx", rng.choice([0, 90, -90, 180], size=(count, 3)) * np.pi / 180)
    motion = Motion(skeleton, 50.0, rng.normal(size=(5, 3)), turns)
    if seed % 2:
        motion = replace(motion, translations=rng.normal(size=(5, count, 3)))
    with tempfile.TemporaryDirectory() as folder:
        again = read_again(motion, Path(folder), unit="m")
    order = [again.skeleton.index(name.replace(" ", "_")) for name in skeleton.names]
    np.testing.assert_allclose(again.joint_positions()[:, order], motion.joint_positions(), atol=2e-6)
    tips = again.end_positions()
    for e, end in enumerate(motion.end_positions().swapaxes(0, 1)):
        assert np.min(np.max(np.abs(tips.swapaxes(0, 1) - end), axis=(1, 2))) < 2e-6, e


def test_written_rest_pose_is_the_rest_pose(tmp_path: Path) -> None:
    motion = read(bvh_text())
    rest = rot.normalize(np.random.default_rng(0).normal(size=(len(motion.skeleton), 4)))
    motion = replace(motion, skeleton=replace(motion.skeleton, rest_rotations=rest))
    again = read_again(motion, tmp_path)
    np.testing.assert_allclose(again.skeleton.rest_pose()[0], motion.skeleton.rest_pose()[0], atol=1e-6)


def test_names_are_made_safe_and_stay_different(tmp_path: Path) -> None:
    motion = read(bvh_text())
    names = ["the hip", "the_hip", "the\thip", "{", " ", *motion.skeleton.names[5:]]
    motion = replace(motion, skeleton=replace(motion.skeleton, names=tuple(names)))
    again = read_again(motion, tmp_path)
    assert again.skeleton.names[:5] == ("the_hip", "the_hip_2", "the_hip_3", "_", "joint")


def test_files_are_read_by_an_independent_reader(tmp_path: Path) -> None:
    motion = read(bvh_text())
    save(motion, tmp_path / "a.bvh")
    judge = pybvh.read_bvh_file(str(tmp_path / "a.bvh"))
    np.testing.assert_allclose(judge.joint_positions(), motion.joint_positions(), atol=1e-5)


def test_options_that_are_wrong(tmp_path: Path) -> None:
    motion = read(bvh_text())
    for options in ({"order": "zyz"}, {"rest": "apose"}, {"unit": "auto"}):
        with pytest.raises(LocomoteError, match=next(iter(options))):
            save(motion, tmp_path / "a.bvh", **options)
    assert not list(tmp_path.iterdir())


# --- a T-pose as rest pose ---


def person_roles(skeleton: Skeleton) -> Roles:
    i = skeleton.index
    legs, arms = [], []
    for side in ("Left", "Right"):
        foot = i(f"{side}Foot")
        tip = tuple(skeleton.end_offsets[list(skeleton.end_parents).index(foot)])
        hip, knee = i(f"{side}UpLeg"), i(f"{side}Leg")
        legs.append(Leg(side.lower(), 0, hip, knee, foot, foot, foot, tip, (hip, knee, foot)))
        arms.append(Arm(side.lower(), i(f"{side}Arm"), i(f"{side}ForeArm"), i(f"{side}Hand")))
    return Roles(i("Hips"), (i("Spine"),), (), i("Head"), tuple(legs), tuple(arms))


@pytest.mark.parametrize("scrambled", [False, True])
@pytest.mark.parametrize("floor", [False, True])
def test_tpose(scrambled: bool, floor: bool, tmp_path: Path) -> None:
    text = bvh_text()
    if floor:  # a joint on the floor above the body in the tree
        text = text.replace("ROOT Hips", "ROOT Floor\n{\nOFFSET 0 0 0\nCHANNELS 0\nJOINT Hips")
        text = text.replace("MOTION", "}\nMOTION")
    motion = read(text)
    motion = replace(motion, skeleton=motion.skeleton.with_roles(person_roles(motion.skeleton)))
    if scrambled:  # a rest pose turned about and with rotations of its own, as some rigs have
        motion = rebased(motion, motion.moved(rot.from_euler("xyz", [1.0, 0.4, 2.0])).world()[1][0])
        motion = replace(motion, skeleton=motion.skeleton.with_roles(person_roles(motion.skeleton)))
    again = read_again(motion, tmp_path, rest="tpose")
    assert_same_in_world(motion, again)
    at = dict(zip(again.skeleton.names, again.skeleton.rest_pose()[0], strict=True))
    for side, out in (("Left", 1.0), ("Right", -1.0)):
        for upper, lower, direction in (
            ("UpLeg", "Leg", [0, -1, 0]),
            ("Leg", "Foot", [0, -1, 0]),
            ("Arm", "ForeArm", [out, 0, 0]),
            ("ForeArm", "Hand", [out, 0, 0]),
        ):
            bone = at[side + lower] - at[side + upper]
            np.testing.assert_allclose(bone / np.linalg.norm(bone), direction, atol=1e-6)
        foot = again.skeleton.index(f"{side}Foot")
        tip = again.skeleton.end_offsets[list(again.skeleton.end_parents).index(foot)]
        assert abs(tip[0]) < 1e-6
        assert tip[2] > 0.1
    assert at["LeftUpLeg"][0] > at["RightUpLeg"][0]
    assert at["Head"][1] > at["Hips"][1] + 0.4


def test_tpose_needs_legs(tmp_path: Path) -> None:
    motion = read(chain("1 Xrotation", "0 0 0 0"))
    motion = replace(motion, skeleton=motion.skeleton.with_roles(Roles(0)))
    with pytest.raises(LocomoteError, match="no legs"):
        save(motion, tmp_path / "a.bvh", rest="tpose")


# --- damage ---

TEXT = bvh_text()
ROWS = len(TEXT.splitlines()) - FRAMES  # lines before the first frame


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("what is this", "no MOTION section"),
        (HIERARCHY, "no MOTION section"),
        ("MOTION\n" + TEXT, "line 1: .*ends too early"),
        (TEXT.replace("HIERARCHY", "HIERARCH", 1), "line 1: .*begins with HIERARCHY"),
        (TEXT.replace("ROOT", "JOINT"), "line 2: expected ROOT"),
        (TEXT.replace("ROOT Hips", "ROOT"), "line 2: a joint without a name"),
        (TEXT.replace("{", "", 1), "line 4: expected '{'"),
        (TEXT.replace("}\nMOTION", "MOTION"), "ends too early"),
        (TEXT.replace("MOTION", "}\nMOTION"), "expected MOTION after the hierarchy"),
        (TEXT.replace("MOTION", "ROOT b\n{\nOFFSET 0 0 0\nCHANNELS 0\n}\nMOTION"), "a second ROOT"),
        (TEXT.replace("OFFSET 10 -4 0", "OFFSET 10 -4"), "expected a number, found 'CHANNELS'"),
        (TEXT.replace("OFFSET 10 -4 0", "OFFSET 10 -4 nan"), "line 8: expected a number, found 'nan'"),
        (TEXT.replace("OFFSET 10 -4 0", "OFFSET 10 -4 1e400"), "line 8: .*absurdly large"),
        (TEXT.replace("OFFSET 10 -4 0", "OFFSET 10 -4,5 0"), "line 8: expected a number, found '-4,5'"),
        (TEXT.replace("    OFFSET 10 -4 0\n", ""), "'LeftUpLeg' has no OFFSET"),
        (TEXT.replace("    CHANNELS 2 Zrotation Xrotation\n", ""), "'RightFoot' has no CHANNELS"),
        (TEXT.replace("CHANNELS 1 Y", "CHANNELS 7 Y"), "number of channels, 0 to 6, found '7'"),
        (
            TEXT.replace("CHANNELS 1 Y", "CHANNELS 2 Y"),
            "channel 2 of 2: expected a name such as Xposition, got 'End'",
        ),
        (TEXT.replace("CHANNELS 1 Yr", "CHANNELS 1 Qr"), "got 'Qrotation'"),
        (TEXT.replace("CHANNELS 2 Zrotation X", "CHANNELS 2 Zrotation Z"), "Zrotation is given twice"),
        (TEXT.replace("CHANNELS 2 Zrotation X", "CHANNELS 1 Zrotation X"), "unexpected 'Xrotation'"),
        (TEXT.replace("LeftForeArm", "LeftLeg"), "'LeftLeg' is already used in line 10"),
        (TEXT.replace("End Site\n        {\n", "End Site\n"), "expected '{' after End Site"),
        (TEXT.replace("Frames: 4", "Frames: 0"), f"line {ROWS - 1}: the file has no frames"),
        (TEXT.replace("Frames: 4", "Frames: -4"), "expected 'Frames:' and a whole number"),
        (TEXT.replace("Frames: 4", "Frames: 4.5"), "expected 'Frames:' and a whole number"),
        (TEXT.replace("Frames: 4", "Frames: 999999999999"), "need 44999999999955 values, found 180"),
        (TEXT.replace("Frames: 4", "Frames: 5"), "5 frames of 45 channels need 225 values, found 180"),
        (TEXT.replace("Frames: 4", "Frames: 3"), "3 frames of 45 channels need 135 values, found 180"),
        (TEXT.replace("Frames: 4\n", ""), "expected 'Frames:'"),
        (TEXT.replace("0.0333333", "0"), f"line {ROWS}: the frame time must be positive, got '0'"),
        (TEXT.replace("0.0333333", "-0.1"), "must be positive"),
        (TEXT.replace("0.0333333", "1e-320"), "must be positive"),
        (TEXT.replace("0.0333333", "soon"), "expected 'Frame Time:'"),
        (TEXT.replace("Frame Time", "Fame Time"), "expected 'Frame Time:'"),
        (TEXT[: TEXT.index("0.0333333") + 9], "need 180 values, found 0"),
        (TEXT[:-60], "need 180 values, found 1"),
        (TEXT + "1 2 3\n", "need 180 values, found 183"),
        (TEXT.replace("\n-30 ", "\n-30x ", 1), f"line {ROWS + 1}: expected a number, found '-30x'"),
        (TEXT.replace("\n-30 ", "\nnan ", 1), f"line {ROWS + 1}: frame 0: nan is not a usable number"),
        (TEXT.replace("\n-30 ", "\n-inf ", 1), "-inf is not a usable number"),
        (TEXT.replace("\n-30 ", "\n-1e308 ", 1), "-1e308 is not a usable number"),
        (TEXT.replace("\n-30 ", "\n-3_0 ", 1), "found '-3_0'"),
        (
            chain("0", "0 0 0").replace("CHANNELS 3 Zrotation Yrotation Xrotation", "CHANNELS 0"),
            "no joint has a channel",
        ),
    ],
)
def test_damage_is_named_with_its_line(text: str, message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        read(text)
    assert str(caught.value).startswith("clip.bvh")
    assert "\n" not in str(caught.value)


def test_a_very_deep_tree_is_just_a_deep_tree(tmp_path: Path) -> None:
    depth = 1500  # more than Python's calls can nest
    inside = "".join(f"JOINT j{i}\n{{\nOFFSET 0 .001 0\nCHANNELS 0\n" for i in range(depth)) + "}\n" * depth
    root = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Xrotation\n"
    text = root + inside + "}\nMOTION\nFrames: 1\nFrame Time: 1\n0\n"
    motion = read(text)
    assert len(motion.skeleton) == depth + 1
    assert len(read_again(motion, tmp_path).skeleton) == depth + 1
