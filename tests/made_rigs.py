"""Bodies with the traits of rigs from many makers: robots, twist bones, foreign or silent names, copies of legs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.formats._rest import rebased
from locomote.motion import Motion
from locomote.samples import performer
from locomote.skeleton import Skeleton

Point = tuple[float, float, float]
Row = tuple[str, str, Point]  # name, parent, place in the world; "*" stands for the side

MIDDLE: tuple[Row, ...] = (
    ("pelvis", "", (0.0, 0.95, 0.0)), ("spine", "pelvis", (0.0, 1.10, 0.0)), ("chest", "spine", (0.0, 1.30, 0.0)),
    ("neck", "chest", (0.0, 1.45, 0.0)), ("head", "neck", (0.0, 1.55, 0.0)),
)  # fmt: skip
LEG: tuple[Row, ...] = (
    ("thigh_*", "pelvis", (0.1, 0.90, 0.0)), ("shin_*", "thigh_*", (0.1, 0.50, 0.02)),
    ("foot_*", "shin_*", (0.1, 0.08, 0.0)), ("toe_*", "foot_*", (0.1, 0.02, 0.13)),
)  # fmt: skip
ARM: tuple[Row, ...] = (
    ("clavicle_*", "chest", (0.03, 1.42, 0.0)), ("upperarm_*", "clavicle_*", (0.18, 1.42, 0.0)),
    ("forearm_*", "upperarm_*", (0.45, 1.42, 0.0)), ("hand_*", "forearm_*", (0.70, 1.42, 0.0)),
)  # fmt: skip
TOES: dict[str, Point] = {"toe_*": (0.0, 0.0, 0.06)}


class Expected(NamedTuple):
    """The joints that must be found on the left side: hip may be any of several links."""

    hips: tuple[str, ...]
    knee: str
    ankle: str
    arm: tuple[str, str, str] | None = None  # shoulder, elbow, wrist


def built(rows: tuple[Row, ...], ends: dict[str, Point] | None = None, sides: tuple[str, str] = ("l", "r")) -> Skeleton:
    """A skeleton from a table; rows with a star come once for each side."""
    names: list[str] = []
    parents: list[int] = []
    places: list[Point] = []
    for name, parent, place in rows:
        for word, sign in zip(sides, (1.0, -1.0), strict=True) if "*" in name else ((sides[0], 1.0),):
            above = parent.replace("*", word)
            names.append(name.replace("*", word))
            parents.append(names.index(above) if above else -1)
            places.append((sign * place[0], place[1], place[2]))
    positions, order = np.array(places), np.array(parents)
    offsets = positions - np.where(order[:, None] >= 0, positions[order], 0.0)
    tips = [
        (names.index(name.replace("*", word)), (sign * x, y, z))
        for name, (x, y, z) in (ends or {}).items()
        for word, sign in (zip(sides, (1.0, -1.0), strict=True) if "*" in name else ((sides[0], 1.0),))
    ]
    return Skeleton(
        tuple(names),
        order,
        offsets,
        end_parents=np.array([j for j, _ in tips], dtype=np.int64),
        end_offsets=np.array([offset for _, offset in tips]).reshape(-1, 3),
    )


def linked(hip: tuple[str, str, str], knee: str, ankle: tuple[str, ...], shoulder: tuple[str, ...]) -> Skeleton:
    """A humanoid robot: three links for each hip, several for ankles and shoulders."""
    leg: list[Row] = [
        (hip[0], "pelvis", (0.06, 0.70, 0.0)),
        (hip[1], hip[0], (0.11, 0.69, 0.0)),
        (hip[2], hip[1], (0.11, 0.60, 0.02)),
        (knee, hip[2], (0.11, 0.39, -0.02)),
    ]
    for k, name in enumerate(ankle):
        leg.append((name, leg[-1][0], (0.11, 0.09 - 0.017 * k, -0.02)))
    arm: list[Row] = []
    reach = ((0.10, 1.02), (0.14, 1.01), (0.15, 0.92), (0.15, 0.83), (0.15, 0.73), (0.15, 0.71), (0.15, 0.69))
    for name, (x, y) in zip(shoulder, reach, strict=False):
        arm.append((name, arm[-1][0] if arm else "torso_link", (x, y, 0.0)))
    middle: tuple[Row, ...] = (
        ("pelvis", "", (0.0, 0.79, 0.0)), ("waist_yaw_link", "pelvis", (0.0, 0.82, 0.0)),
        ("torso_link", "waist_yaw_link", (0.0, 0.84, 0.0)), ("head_link", "torso_link", (0.0, 1.2, 0.0)),
    )  # fmt: skip
    return built((*middle, *leg, *arm), {ankle[-1]: (0.0, -0.03, 0.12)}, ("left", "right"))


def _robots() -> dict[str, tuple[Skeleton, Expected]]:
    arm = tuple(f"*_shoulder_{axis}_link" for axis in ("pitch", "roll", "yaw"))
    long_arm = (*arm, "*_elbow_link", "*_wrist_roll_link", "*_wrist_pitch_link", "*_wrist_yaw_link")
    hips = tuple(f"left_hip_{axis}_link" for axis in ("pitch", "roll", "yaw"))
    out = {
        "links": (
            linked(
                tuple(f"*_hip_{axis}_link" for axis in ("pitch", "roll", "yaw")),  # type: ignore[arg-type]
                "*_knee_link",
                ("*_ankle_pitch_link", "*_ankle_roll_link"),
                long_arm,
            ),
            Expected(hips, "left_knee_link", "left_ankle_pitch_link"),
        ),
        "one ankle": (
            linked(
                tuple(f"*_hip_{axis}_link" for axis in ("yaw", "roll", "pitch")),  # type: ignore[arg-type]
                "*_knee_link",
                ("*_ankle_link",),
                (*arm, "*_elbow_link"),
            ),
            Expected(hips, "left_knee_link", "left_ankle_link"),
        ),
        "camel": (
            linked(
                ("hipPitch*", "hipRoll*", "hipYaw*"),
                "kneePitch*",
                ("anklePitch*", "ankleRoll*"),
                ("shoulderPitch*", "shoulderRoll*", "shoulderYaw*", "elbow*", "wristYaw*"),
            ),
            Expected(("hipPitchleft", "hipRollleft", "hipYawleft"), "kneePitchleft", "anklePitchleft"),
        ),
        "thighs": (
            linked(
                ("*_thigh_pitch_link", "*_thigh_roll_link", "*_thigh_yaw_link"),
                "*_shank_pitch_link",
                ("*_foot_pitch_link", "*_foot_roll_link"),
                ("*_upper_arm_pitch_link", "*_upper_arm_roll_link", "*_lower_arm_pitch_link", "*_hand_yaw_link"),
            ),
            Expected(
                tuple(f"left_thigh_{axis}_link" for axis in ("pitch", "roll", "yaw")),
                "left_shank_pitch_link",
                "left_foot_pitch_link",
            ),
        ),
        "shank": (
            linked(
                ("Hip_Pitch_*", "Hip_Roll_*", "Hip_Yaw_*"),
                "Shank_*",
                ("Ankle_Cross_*", "*_foot_link"),
                ("A*1", "A*2", "A*3", "*_hand_link"),
            ),
            Expected(("Hip_Pitch_left", "Hip_Roll_left", "Hip_Yaw_left"), "Shank_left", "Ankle_Cross_left"),
        ),
        "numbers": (
            linked(
                ("leg_*_1_link", "leg_*_2_link", "leg_*_3_link"),
                "leg_*_4_link",
                ("leg_*_5_link", "leg_*_6_link"),
                tuple(f"arm_*_{k}_link" for k in range(1, 8)),
            ),
            Expected(("leg_left_1_link", "leg_left_2_link", "leg_left_3_link"), "leg_left_4_link", "leg_left_5_link"),
        ),
        "letters": (
            linked(("*_uglut", "*_lglut", "*_uleg"), "*_lleg", ("*_talus", "*_foot"), ("*_clav", "*_scap", "*_uarm")),
            Expected(("left_uglut", "left_lglut", "left_uleg"), "left_lleg", "left_talus"),
        ),
        "axes in capitals": (
            linked(
                ("*_HIP_P_S", "*_HIP_R_S", "*_HIP_Y_S"),
                "*_KNEE_S",
                ("*_ANKLE_R_S", "*_ANKLE_P_S"),
                ("*_SHOULDER_P_S", "*_SHOULDER_R_S", "*_SHOULDER_Y_S", "*_ELBOW_P_S", "*_WRIST_R_S"),
            ),
            Expected(("left_HIP_P_S", "left_HIP_R_S", "left_HIP_Y_S"), "left_KNEE_S", "left_ANKLE_R_S"),
        ),
    }
    return out


def robot_dog(names: tuple[str, ...], fold: float = 0.0, feet: bool = False) -> Skeleton:
    """A robot with four legs: hip, thigh and shank; ``fold`` turns the legs up to their sides, rad."""
    rows: list[Row] = [("base", "", (0.0, 0.5, 0.0)), ("radar", "base", (0.0, 0.62, 0.0))]
    down, out = np.cos(fold), np.sin(fold)
    joints = (*names, "FOOT") if feet else names
    for row, z in (("F", 0.3), ("H", -0.3)):
        lengths = (0.0, 0.0, 0.25, 0.5)
        for k, name in enumerate(joints):
            x = 0.08 + (0.1 if k else 0.0) + lengths[k] * out
            place = (x, 0.5 - lengths[k] * down, z)
            rows.append((f"*{row}_{name}", f"*{row}_{joints[k - 1]}" if k else "base", place))
    last = {f"*{row}_{joints[-1]}": (0.25 * out, -0.25 * down, 0.0) for row in "FH"}
    return built(tuple(rows), None if feet else last, ("L", "R"))


_MMD_MIDDLE: tuple[Row, ...] = (
    ("全ての親", "", (0.0, 0.0, 0.0)), ("センター", "全ての親", (0.0, 0.7, 0.0)),
    ("下半身", "センター", (0.0, 1.0, 0.0)),
    ("上半身", "センター", (0.0, 1.02, 0.0)), ("上半身2", "上半身", (0.0, 1.2, 0.0)),
    ("首", "上半身2", (0.0, 1.42, 0.0)),
    ("頭", "首", (0.0, 1.5, 0.0)), ("*目", "頭", (0.03, 1.56, 0.05)),
)  # fmt: skip
_MMD_LIMBS: tuple[Row, ...] = (
    ("*足", "下半身", (0.09, 0.9, 0.0)), ("*ひざ", "*足", (0.09, 0.5, 0.01)), ("*足首", "*ひざ", (0.09, 0.09, 0.0)),
    ("*つま先", "*足首", (0.09, 0.0, 0.13)), ("*足ＩＫ", "全ての親", (0.09, 0.09, 0.0)),
    ("*つま先ＩＫ", "*足ＩＫ", (0.09, 0.0, 0.13)), ("*肩", "上半身2", (0.03, 1.38, 0.0)),
    ("*腕", "*肩", (0.13, 1.38, 0.0)), ("*腕捩", "*腕", (0.25, 1.3, 0.0)), ("*腕捩1", "*腕捩", (0.25, 1.3, 0.0)),
    ("*ひじ", "*腕捩", (0.36, 1.2, 0.0)), ("*手捩", "*ひじ", (0.45, 1.12, 0.0)), ("*手首", "*手捩", (0.55, 1.05, 0.0)),
    ("*親指１", "*手首", (0.57, 1.03, 0.03)), ("*人指１", "*手首", (0.6, 1.0, 0.0)),
    ("*人指２", "*人指１", (0.62, 0.98, 0.0)),
)  # fmt: skip


def _people() -> dict[str, tuple[Skeleton, Expected]]:
    plain = Expected(("thigh_l",), "shin_l", "foot_l", ("upperarm_l", "forearm_l", "hand_l"))
    leaves: tuple[Row, ...] = (
        ("thigh_twist_*", "thigh_*", (0.1, 0.7, 0.0)), ("shin_twist_*", "shin_*", (0.1, 0.3, 0.0)),
        ("upperarm_roll_*", "upperarm_*", (0.3, 1.42, 0.0)), ("forearm_roll_*", "forearm_*", (0.6, 1.42, 0.0)),
    )  # fmt: skip
    within: tuple[Row, ...] = (
        ("thigh_*", "pelvis", (0.1, 0.90, 0.0)), ("thigh_roll_*", "thigh_*", (0.1, 0.70, 0.01)),
        ("shin_*", "thigh_roll_*", (0.1, 0.50, 0.02)), ("shin_roll_*", "shin_*", (0.1, 0.3, 0.01)),
        ("foot_*", "shin_roll_*", (0.1, 0.08, 0.0)), ("toe_*", "foot_*", (0.1, 0.02, 0.13)),
        ("clavicle_*", "chest", (0.03, 1.42, 0.0)), ("upperarm_*", "clavicle_*", (0.18, 1.42, 0.0)),
        ("upperarm_roll_*", "upperarm_*", (0.32, 1.42, 0.0)), ("forearm_*", "upperarm_roll_*", (0.45, 1.42, 0.0)),
        ("forearm_roll_*", "forearm_*", (0.57, 1.42, 0.0)), ("hand_*", "forearm_roll_*", (0.70, 1.42, 0.0)),
    )  # fmt: skip
    copies = tuple(("d_" + name, "pelvis" if "thigh" in name else "d_" + above, at) for name, above, at in LEG)
    under = (("Dummy01", "", (0.0, 0.0, 0.0)), ("pelvis", "Dummy01", (0.0, 0.95, 0.0)), *MIDDLE[1:], *LEG, *ARM)
    mmd = Expected(("左足",), "左ひざ", "左足首", ("左腕", "左ひじ", "左手首"))
    return {
        "twist leaves": (built((*MIDDLE, *LEG, *ARM, *leaves), TOES), plain),
        "twist within": (built((*MIDDLE, *within), TOES), plain),
        "copies": (built((*MIDDLE, *LEG, *copies, *ARM), TOES), plain),
        "dummy on top": (built(under, TOES), plain),
        "japanese": (built((*_MMD_MIDDLE, *_MMD_LIMBS), {"*つま先": (0.0, 0.0, 0.05)}, ("左", "右")), mmd),
    }


def silent(rows: tuple[Row, ...], ends: dict[str, Point]) -> tuple[Skeleton, dict[str, int]]:
    """The same body with names that say nothing, and the numbers of its joints by their real names."""
    spoken = built(rows, ends)
    names = tuple(f"Bone.{j:03d}" for j in range(len(spoken)))
    quiet = Skeleton(
        names, spoken.parents, spoken.offsets, end_parents=spoken.end_parents, end_offsets=spoken.end_offsets
    )
    return quiet, {name: j for j, name in enumerate(spoken.names)}


FINGERS: tuple[Row, ...] = tuple(
    (f"{finger}{k}_*", f"{finger}{k - 1}_*" if k > 1 else "hand_*", (0.72 + 0.03 * k, 1.42, z))
    for finger, z in (("index", 0.02), ("ring", -0.02))
    for k in (1, 2, 3)
)

ROBOTS = _robots()
PEOPLE = _people()


def along_one_axis(motion: Motion, axis: Point = (1.0, 0.0, 0.0)) -> Motion:
    """The same motion of a body whose bones lie along one axis when unrotated, those of the right side backwards."""
    skeleton = motion.skeleton
    rest_positions, rest = skeleton.rest_pose()
    turns = rest.copy()
    for j in range(len(skeleton)):
        below = skeleton.children(j)
        if not below or j == skeleton.roles.root:
            if skeleton.parents[j] >= 0:
                parent = int(skeleton.parents[j])
                turns[j] = rot.multiply(turns[parent], rot.multiply(rot.inverse(rest[parent]), rest[j]))
            continue
        back = -1.0 if skeleton.names[j].lower().startswith("right") else 1.0
        bone = rest_positions[below[0]] - rest_positions[j]
        if np.linalg.norm(bone) > 1e-9:
            turns[j] = rot.multiply(rot.between(bone, back * np.array(axis)), rest[j])
    return rebased(motion, turns)


def walker(seconds: float = 2.0) -> Motion:
    """A plain walk of the synthetic performer."""
    return performer(speed=1.3).motion[: round(120 * seconds)]


def trotting(seconds: float = 2.0) -> Motion:
    """A dog whose legs swing in diagonal pairs."""
    rows: list[Row] = [
        ("hips", "", (0.0, 0.5, -0.3)),
        ("spine", "hips", (0.0, 0.52, 0.0)),
        ("head", "spine", (0.0, 0.6, 0.5)),
    ]
    for name, above, z in (("fore", "spine", 0.3), ("hind", "hips", -0.3)):
        rows += [
            (f"{name}_thigh_*", above, (0.1, 0.48, z)), (f"{name}_shin_*", f"{name}_thigh_*", (0.1, 0.26, z + 0.04)),
            (f"{name}_foot_*", f"{name}_shin_*", (0.1, 0.06, z - 0.02)),
            (f"{name}_toe_*", f"{name}_foot_*", (0.1, 0.0, z + 0.02)),
        ]  # fmt: skip
    skeleton = built(tuple(rows))
    times = np.arange(round(60 * seconds)) / 60.0
    turns = np.tile(skeleton.rest_rotations, (len(times), 1, 1))
    for leg in skeleton.roles.legs:
        phase = 2.0 * np.pi * (2.0 * times + 0.5 * ((leg.side == "left") == (leg.row == 0)))
        for joint, most in ((leg.hip, 0.35), (leg.knee, -0.3)):
            turns[:, joint] = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), most * np.sin(phase + (joint == leg.knee)))
    roots = skeleton.offsets[0] + np.stack([0.0 * times, 0.0 * times, 1.2 * times], axis=1)
    return Motion(skeleton, 60.0, roots, turns)


def placed(motion: Motion, names: tuple[str, ...]) -> rot.FloatArray:
    """World positions of the joints in the order of some names: files list them depth first."""
    return motion.joint_positions()[:, [motion.skeleton.index(name) for name in names]]
