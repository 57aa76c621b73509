from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from locomote import rotations as rot
from locomote.errors import FormatError, LocomoteError
from locomote.formats import opensim
from locomote.formats._opensim_model import REFERENCE_LEG_LENGTH, human_skeleton
from locomote.formats._opensim_table import parse_markers, parse_table
from locomote.motion import Motion

WALK = "human/walk/opencap_s5_walking1"
RUN = "human/run/treadmill_hamner_s02_run300"
COLUMNS = [
    "pelvis_tilt",
    "pelvis_list",
    "pelvis_rotation",
    "pelvis_tx",
    "pelvis_ty",
    "pelvis_tz",
    "hip_flexion_r",
    "hip_adduction_r",
    "hip_rotation_r",
    "knee_angle_r",
    "ankle_angle_r",
    "hip_flexion_l",
    "hip_adduction_l",
    "hip_rotation_l",
    "knee_angle_l",
    "ankle_angle_l",
    "lumbar_extension",
    "lumbar_bending",
    "lumbar_rotation",
    "arm_flex_r",
    "elbow_flex_r",
    "arm_flex_l",
    "elbow_flex_l",
]


def coordinates(rows: int = 3, header: str = "inDegrees=no", **values: float) -> bytes:
    """A coordinates file in which every row holds the same values, 0 where none is given."""
    row = [str(values.get(name, 0.0)) for name in COLUMNS]
    lines = ["Coordinates", "version=1", header, "", "endheader", "\t".join(["time", *COLUMNS])]
    return "\n".join(lines + ["\t".join([f"{0.01 * i:.2f}", *row]) for i in range(rows)]).encode()


def read(data: bytes, **options: float) -> Motion:
    return opensim.read(data, Path("walk.mot"), **options)


def at(motion: Motion, joint: str) -> np.ndarray:
    return motion.joint_positions()[0, motion.skeleton.index(joint)]


def test_the_rest_pose_stands_on_the_floor_and_faces_forward() -> None:
    motion = read(coordinates(pelvis_ty=0.9953), height=1.75)
    ends = motion.end_positions()[0]
    assert np.max(ends[:, 1]) == pytest.approx(1.75, abs=0.005)
    assert np.min(ends[:, 1]) == pytest.approx(0.0, abs=1e-3)
    hips = 0.5 * (at(motion, "femur_l") + at(motion, "femur_r"))
    assert at(motion, "talus_r")[1] / hips[1] == pytest.approx(0.075, abs=1e-3)
    assert at(motion, "toes_l")[2] > at(motion, "talus_l")[2] > at(motion, "calcn_l")[2]
    assert at(motion, "femur_l")[0] > 0.0 > at(motion, "femur_r")[0]
    assert motion.skeleton.leg_length() == pytest.approx(REFERENCE_LEG_LENGTH)


def test_each_coordinate_moves_its_joint_the_right_way() -> None:
    rest = read(coordinates(), height=1.75)

    def moved(joint: str, **values: float) -> np.ndarray:
        return at(read(coordinates(**values), height=1.75), joint) - at(rest, joint)

    for side, inward in (("r", 1.0), ("l", -1.0)):
        assert moved(f"talus_{side}", **{f"hip_flexion_{side}": 0.3})[2] > 0.2
        assert moved(f"talus_{side}", **{f"hip_adduction_{side}": 0.3})[0] * inward > 0.2
        assert moved(f"toes_{side}", **{f"hip_rotation_{side}": 0.3})[0] * inward > 0.03
        assert moved(f"talus_{side}", **{f"knee_angle_{side}": 0.3})[2] < -0.1
        assert moved(f"toes_{side}", **{f"ankle_angle_{side}": 0.3})[1] > 0.03
        assert moved(f"hand_{side}", **{f"arm_flex_{side}": 0.3})[2] > 0.15
        assert moved(f"hand_{side}", **{f"elbow_flex_{side}": 0.3})[2] > 0.06
    assert moved("head", pelvis_tilt=0.2)[2] < -0.1
    assert moved("head", pelvis_list=0.2)[0] < -0.1
    assert moved("femur_l", pelvis_rotation=0.2)[2] < -0.01
    assert moved("head", lumbar_extension=-0.3)[2] > 0.05


def test_a_bent_knee_is_the_same_whichever_sign_the_model_gives_it() -> None:
    bent = {"knee_angle_r": 1.0, "knee_angle_l": 0.4}
    positive = read(coordinates(**bent), height=1.75)
    negative = read(coordinates(**{name: -value for name, value in bent.items()}), height=1.75)
    np.testing.assert_allclose(positive.rotations, negative.rotations, atol=1e-12)


def test_hips_lie_further_ahead_in_models_whose_bent_knees_are_positive() -> None:
    newer, older = (at(read(coordinates(knee_angle_r=sign), height=1.75), "femur_r") for sign in (1.0, -1.0))
    assert newer[2] - older[2] == pytest.approx(0.0144)


def test_degrees_and_radians_give_the_same_motion_and_leave_lengths_alone() -> None:
    angles = {"hip_flexion_r": 0.5, "knee_angle_r": 1.0, "knee_angle_l": 0.2, "pelvis_rotation": 0.3}
    degrees = {name: float(np.degrees(value)) for name, value in angles.items()}
    expected = read(coordinates(pelvis_ty=0.95, **angles), height=1.7)
    for header in ("inDegrees=yes", "name old"):
        got = read(coordinates(header=header, pelvis_ty=0.95, **degrees), height=1.7)
        np.testing.assert_allclose(got.joint_positions(), expected.joint_positions(), atol=1e-9)


def test_the_head_stays_level_when_the_trunk_leans() -> None:
    motion = read(coordinates(pelvis_tilt=-0.3, lumbar_extension=-0.2, lumbar_rotation=0.3), height=1.75)
    head = motion.world()[1][0, motion.skeleton.index("head")]
    np.testing.assert_allclose(rot.rotate(head, [0.0, 1.0, 0.0]), [0.0, 1.0, 0.0], atol=1e-9)


def test_leg_length_and_height_set_the_body() -> None:
    assert read(coordinates(), leg_length=0.9).skeleton.leg_length() == pytest.approx(0.9)
    assert read(coordinates(), height=1.0).skeleton.leg_length() == pytest.approx(REFERENCE_LEG_LENGTH / 1.75)
    with pytest.raises(LocomoteError, match="height: expected metres above 0"):
        read(coordinates(), height=-1.0)


def test_without_a_height_the_feet_meet_the_floor() -> None:
    motion = read(coordinates(pelvis_ty=0.9))
    assert np.min(motion.end_positions()[0, :, 1]) == pytest.approx(0.0, abs=1e-6)
    floating = read(coordinates(pelvis_ty=5.0))
    assert floating.skeleton.leg_length() == pytest.approx(REFERENCE_LEG_LENGTH)
    assert any("assumed" in note for note in floating.notes)


def test_uneven_times_are_made_even() -> None:
    text = coordinates(rows=3, pelvis_ty=0.9).decode().splitlines()
    text[-1] = text[-1].replace("0.02", "0.04", 1)
    motion = read("\n".join(text).encode())
    assert motion.fps == pytest.approx(50.0)
    assert len(motion) == 3


def test_the_roles_name_every_part() -> None:
    skeleton = human_skeleton(1.0)
    left = skeleton.roles.leg("left")
    assert [skeleton.names[j] for j in left.chain] == ["femur_l", "tibia_l", "talus_l", "calcn_l", "toes_l"]
    assert left.toe_offset[2] > 0.05
    assert [skeleton.names[arm.wrist] for arm in skeleton.roles.arms] == ["hand_l", "hand_r"]


def test_a_states_file_names_coordinates_by_their_path() -> None:
    text = coordinates(pelvis_ty=0.95, hip_flexion_r=0.3, knee_angle_r=0.1).decode().splitlines()
    labels = ["time"] + [f"/jointset/some_joint/{name}/value" for name in COLUMNS]
    text[5] = "\t".join([*labels, "/jointset/hip_r/hip_flexion_r/speed"])
    got = read("\n".join(text[:6] + [line + "\t99" for line in text[6:]]).encode(), height=1.75)
    expected = read(coordinates(pelvis_ty=0.95, hip_flexion_r=0.3, knee_angle_r=0.1), height=1.75)
    np.testing.assert_allclose(got.joint_positions(), expected.joint_positions())


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"nonsense", "no line 'endheader'"),
        (b"endheader\n", "no column labels"),
        (b"endheader\nangle time\n1 2", "line 2: the first column must be 'time'"),
        (b"endheader\ntime a\n", "no rows of numbers"),
        (b"endheader\ntime a\n0 1 2", "line 3: expected 2 numbers, found 3"),
        (b"endheader\ntime a\n0 x", "line 3: expected a number, found 'x'"),
        (b"endheader\ntime a\n0 1\n0 1", "the times do not rise"),
        (b"endheader\ntime a\n0 1\n1 1", "not joint coordinates of a person: no column pelvis_tilt"),
        (coordinates().replace(b"0.01\t0.0", b"0.01\tnan"), "pelvis_tilt in row 2 is not a finite number"),
    ],
)
def test_a_damaged_table_says_what_is_wrong(data: bytes, message: str) -> None:
    with pytest.raises(FormatError, match=message):
        read(data)


@given(st.binary(max_size=300), st.integers(0, 400))
def test_damaged_bytes_never_raise_anything_else(noise: bytes, at_byte: int) -> None:
    good = coordinates(pelvis_ty=0.9)
    for parse in (parse_table, parse_markers):
        for data in (noise, good[:at_byte] + noise, good[:at_byte] + noise + good[at_byte:]):
            with contextlib.suppress(FormatError):
                parse(data, Path("x.mot"))


def test_markers_in_any_unit_with_gaps(tmp_path: Path) -> None:
    head = "PathFileType\t4\t(X/Y/Z)\tx.trc\nDataRate\tNumFrames\tNumMarkers\tUnits\n100\t2\t2\t{}\n"
    names = "Frame#\tTime\tHEEL\t\t\tTOE\t\t\n\t\tX1\tY1\tZ1\tX2\tY2\tZ2\n\n"
    rows = "1\t0.00\t1\t2\t3\t4\t5\t6\n2\t0.01\t\t\t\t0\t0\t0\n"
    for unit, metres in (("mm", 1e-3), ("m", 1.0)):
        path = tmp_path / "x.trc"
        path.write_text(head.format(unit) + names + rows)
        markers = opensim.read_markers(path)
        assert markers.names == ("HEEL", "TOE")
        assert markers.fps == 100.0
        np.testing.assert_allclose(markers.positions[0], metres * np.array([[-3, 2, 1], [-6, 5, 4]]))
        assert np.all(np.isnan(markers.positions[1]))
    path.write_text(head.format("miles") + names + rows)
    with pytest.raises(FormatError, match="unit 'miles'"):
        opensim.read_markers(path)
    with pytest.raises(LocomoteError, match="no marker 'NOSE'"):
        markers.position("NOSE")


def test_forces_are_found_under_their_usual_names(tmp_path: Path) -> None:
    path = tmp_path / "forces.mot"
    for right, left in (("R_ground_{}", "L_ground_{}"), ("ground_{}", "1_ground_{}")):
        labels = [
            side.format(kind) + "_" + column
            for side in (right, left)
            for kind, column in [("force", p + a) for p in "vp" for a in "xyz"] + [("torque", a) for a in "xyz"]
        ]
        path.write_text("name x\nendheader \ntime " + " ".join(labels) + "\n0.0 " + " ".join(map(str, range(1, 19))))
        forces = opensim.read_forces(path)
        np.testing.assert_allclose(forces.foot("right").force, [[-3, 2, 1]])
        np.testing.assert_allclose(forces.foot("left").centre, [[-15, 14, 13]])
        np.testing.assert_allclose(forces.foot("left").moment, [[-18, 17, 16]])
    with pytest.raises(LocomoteError, match="no foot 'up'"):
        forces.foot("up")
    path.write_text("endheader\ntime plate\n0 1")
    with pytest.raises(FormatError, match="no ground force of the right foot, such as R_ground_force_vx; found plate"):
        opensim.read_forces(path)


def loaded(data: Path, clip: str) -> tuple[Motion, opensim.Table, opensim.Markers]:
    path = data / f"{clip}.ik.mot.xz"
    from locomote.formats import load

    return load(path), opensim.read_table(path), opensim.read_markers(data / f"{clip}.trc.xz")


@pytest.mark.data
@pytest.mark.parametrize(("clip", "markers"), [(WALK, "r_calc r_toe L_calc L_toe"), (RUN, "RCAL RTOE LCAL LTOE")])
def test_the_feet_follow_the_markers(data: Path, clip: str, markers: str) -> None:
    motion, table, seen = loaded(data, clip)
    frames = np.argmin(np.abs(seen.times[None] - table.times[:, None]), axis=1)
    names = motion.skeleton.names
    ends = dict(
        zip(
            [names[j] for j in motion.skeleton.end_parents],
            motion.end_positions().swapaxes(0, 1),
            strict=True,
        )
    )
    for marker, joint in zip(markers.split(), ("calcn_r", "toes_r", "calcn_l", "toes_l"), strict=True):
        off = seen.position(marker)[frames] - ends[joint]
        assert np.all(np.std(off, axis=0) < 0.045), marker
        assert np.all(np.abs(np.mean(off, axis=0)) < 0.09), marker


@pytest.mark.data
@pytest.mark.parametrize("clip", [WALK, RUN])
def test_a_recorded_trial_is_a_person_moving_forward(data: Path, clip: str) -> None:
    motion, table, _ = loaded(data, clip)
    names, positions = motion.skeleton.names, motion.joint_positions()
    for side in "lr":
        knee = rot.log(motion.rotations[:, names.index(f"tibia_{side}")])[:, 0]
        assert np.min(knee) > np.radians(-8)
        assert np.radians(55) < np.max(knee) < np.radians(140)
    step = (positions[:, names.index("talus_l")] - positions[:, names.index("talus_r")])[:, 2]
    thighs = [table.column(f"hip_flexion_{side}") for side in "lr"]
    assert np.corrcoef(*thighs)[0, 1] < -0.5
    assert np.min(step) < -0.3
    assert np.max(step) > 0.3
    toes = positions[:, names.index("toes_l")] - positions[:, names.index("calcn_l")]
    assert np.mean(toes[:, 2]) > 0.05
    lowest = np.min(motion.end_positions()[..., 1], axis=1)
    assert np.min(lowest) > -0.04
    assert abs(np.percentile(lowest, 30)) < 0.03
    if clip == WALK:
        assert motion.root_positions[-1, 2] - motion.root_positions[0, 2] > 1.0


@pytest.mark.data
@pytest.mark.parametrize(("clip", "weight"), [(WALK, 79.4 * 9.81), (RUN, 76.48 * 9.81)])
def test_the_ground_carries_the_person(data: Path, clip: str, weight: float) -> None:
    forces = opensim.read_forces(data / f"{clip}.grf.mot.xz")
    motion, table, _ = loaded(data, clip)
    for side in ("right", "left"):
        foot = forces.foot(side)
        assert 1.0 < np.max(foot.force[:, 1]) / weight < 3.0
        # While the foot carries the body, it is over its centre of pressure.
        standing = np.flatnonzero(foot.force[:, 1] > 0.9 * weight)
        frames = np.clip(np.searchsorted(table.times, forces.times[standing]), 0, len(motion) - 1)
        ankle = motion.joint_positions()[frames, motion.skeleton.index(f"calcn_{side[0]}")]
        assert np.median(np.linalg.norm((foot.centre[standing] - ankle)[:, [0, 2]], axis=1)) < 0.25


@pytest.mark.data
def test_body_heights_come_out_of_the_file(data: Path) -> None:
    from locomote.formats import load

    for subject, height in (("s10", 1.60), ("s2", 1.96), ("s7", 1.68)):
        motion = load(data / f"human/walk/opencap_{subject}_walking2.ik.mot.xz")
        assert motion.skeleton.leg_length() / REFERENCE_LEG_LENGTH * 1.75 == pytest.approx(height, abs=0.03)
