"""Bodies built by hand under the names that common tools give."""

from __future__ import annotations

import numpy as np

from locomote.skeleton import Skeleton

# A human of 1.7 m who faces +Z: joint, parent, world position. L and R stand for the two sides.
_HUMAN = [
    ("pelvis", None, (0.0, 0.95, 0.0)),
    ("spine", "pelvis", (0.0, 1.10, 0.0)),
    ("chest", "spine", (0.0, 1.30, 0.0)),
    ("neck", "chest", (0.0, 1.45, 0.0)),
    ("head", "neck", (0.0, 1.55, 0.0)),
    ("thigh", "pelvis", (0.1, 0.90, 0.0)),
    ("shin", "thigh", (0.1, 0.50, 0.01)),
    ("foot", "shin", (0.1, 0.08, 0.0)),
    ("toe", "foot", (0.1, 0.02, 0.13)),
    ("clavicle", "chest", (0.03, 1.42, 0.0)),
    ("arm", "clavicle", (0.18, 1.42, 0.0)),
    ("forearm", "arm", (0.45, 1.42, 0.0)),
    ("hand", "forearm", (0.70, 1.42, 0.0)),
]  # fmt: skip
_SIDED = {"thigh", "shin", "foot", "toe", "clavicle", "arm", "forearm", "hand"}
_ARM_POSES = {
    "t": {},
    "a": {"forearm": (0.37, 1.23, 0.0), "hand": (0.55, 1.05, 0.0)},
    "hanging": {"forearm": (0.19, 1.15, 0.0), "hand": (0.19, 0.90, 0.0)},
}

HUMANS: dict[str, dict[str, tuple[str, str] | str]] = {
    "mixamo": {
        "pelvis": "mixamorig:Hips", "spine": "mixamorig:Spine", "chest": "mixamorig:Spine1",
        "neck": "mixamorig:Neck", "head": "mixamorig:Head",
        "thigh": ("mixamorig:LeftUpLeg", "mixamorig:RightUpLeg"),
        "shin": ("mixamorig:LeftLeg", "mixamorig:RightLeg"),
        "foot": ("mixamorig:LeftFoot", "mixamorig:RightFoot"),
        "toe": ("mixamorig:LeftToeBase", "mixamorig:RightToeBase"),
        "clavicle": ("mixamorig:LeftShoulder", "mixamorig:RightShoulder"),
        "arm": ("mixamorig:LeftArm", "mixamorig:RightArm"),
        "forearm": ("mixamorig:LeftForeArm", "mixamorig:RightForeArm"),
        "hand": ("mixamorig:LeftHand", "mixamorig:RightHand"),
    },
    "unreal": {
        "pelvis": "pelvis", "spine": "spine_01", "chest": "spine_02", "neck": "neck_01", "head": "head",
        "thigh": ("thigh_l", "thigh_r"), "shin": ("calf_l", "calf_r"), "foot": ("foot_l", "foot_r"),
        "toe": ("ball_l", "ball_r"), "clavicle": ("clavicle_l", "clavicle_r"),
        "arm": ("upperarm_l", "upperarm_r"), "forearm": ("lowerarm_l", "lowerarm_r"),
        "hand": ("hand_l", "hand_r"),
    },
    "rigify": {
        "pelvis": "DEF-spine", "spine": "DEF-spine.001", "chest": "DEF-spine.002", "neck": "DEF-neck",
        "head": "DEF-head", "thigh": ("DEF-thigh.L", "DEF-thigh.R"), "shin": ("DEF-shin.L", "DEF-shin.R"),
        "foot": ("DEF-foot.L", "DEF-foot.R"), "toe": ("DEF-toe.L", "DEF-toe.R"),
        "clavicle": ("DEF-shoulder.L", "DEF-shoulder.R"), "arm": ("DEF-upper_arm.L", "DEF-upper_arm.R"),
        "forearm": ("DEF-forearm.L", "DEF-forearm.R"), "hand": ("DEF-hand.L", "DEF-hand.R"),
    },
    "vrm": {
        "pelvis": "J_Bip_C_Hips", "spine": "J_Bip_C_Spine", "chest": "J_Bip_C_Chest", "neck": "J_Bip_C_Neck",
        "head": "J_Bip_C_Head", "thigh": ("J_Bip_L_UpperLeg", "J_Bip_R_UpperLeg"),
        "shin": ("J_Bip_L_LowerLeg", "J_Bip_R_LowerLeg"), "foot": ("J_Bip_L_Foot", "J_Bip_R_Foot"),
        "toe": ("J_Bip_L_ToeBase", "J_Bip_R_ToeBase"), "clavicle": ("J_Bip_L_Shoulder", "J_Bip_R_Shoulder"),
        "arm": ("J_Bip_L_UpperArm", "J_Bip_R_UpperArm"), "forearm": ("J_Bip_L_LowerArm", "J_Bip_R_LowerArm"),
        "hand": ("J_Bip_L_Hand", "J_Bip_R_Hand"),
    },
    "vrm1": {
        "pelvis": "hips", "spine": "spine", "chest": "chest", "neck": "neck", "head": "head",
        "thigh": ("leftUpperLeg", "rightUpperLeg"), "shin": ("leftLowerLeg", "rightLowerLeg"),
        "foot": ("leftFoot", "rightFoot"), "toe": ("leftToes", "rightToes"),
        "clavicle": ("leftShoulder", "rightShoulder"), "arm": ("leftUpperArm", "rightUpperArm"),
        "forearm": ("leftLowerArm", "rightLowerArm"), "hand": ("leftHand", "rightHand"),
    },
    "smpl": {
        "pelvis": "pelvis", "spine": "spine1", "chest": "spine2", "neck": "neck", "head": "head",
        "thigh": ("left_hip", "right_hip"), "shin": ("left_knee", "right_knee"),
        "foot": ("left_ankle", "right_ankle"), "toe": ("left_foot", "right_foot"),
        "clavicle": ("left_collar", "right_collar"), "arm": ("left_shoulder", "right_shoulder"),
        "forearm": ("left_elbow", "right_elbow"), "hand": ("left_wrist", "right_wrist"),
    },
    "acclaim": {
        "pelvis": "root", "spine": "lowerback", "chest": "thorax", "neck": "lowerneck", "head": "head",
        "thigh": ("lfemur", "rfemur"), "shin": ("ltibia", "rtibia"), "foot": ("lfoot", "rfoot"),
        "toe": ("ltoes", "rtoes"), "clavicle": ("lclavicle", "rclavicle"), "arm": ("lhumerus", "rhumerus"),
        "forearm": ("lradius", "rradius"), "hand": ("lhand", "rhand"),
    },
    "opensim": {
        "pelvis": "pelvis", "spine": "torso", "chest": "thorax", "neck": "cervical", "head": "skull",
        "thigh": ("femur_l", "femur_r"), "shin": ("tibia_l", "tibia_r"), "foot": ("talus_l", "talus_r"),
        "toe": ("toes_l", "toes_r"), "clavicle": ("scapula_l", "scapula_r"),
        "arm": ("humerus_l", "humerus_r"),
        "forearm": ("ulna_l", "ulna_r"), "hand": ("hand_l", "hand_r"),
    },
    "silent": {},
}  # fmt: skip


def human(
    style: str, arms: str = "t", turn: float = 0.0, toe_end: bool = True, empty_roots: int = 0
) -> tuple[Skeleton, dict[str, int]]:
    """A human under the names of one tool, and its joints by part: ``thigh.left`` and so on."""
    places, parts, parents = [], [], []
    names: list[str] = []
    for k in range(empty_roots):
        names.append(f"Armature{k}")
        parts.append(f"empty{k}")
        parents.append(k - 1)
        places.append((0.0, 0.0, 0.0))
    for part, above, place in _HUMAN:
        place = _ARM_POSES[arms].get(part, place)
        for side, sign in (("left", 1.0), ("right", -1.0)) if part in _SIDED else (("", 1.0),):
            key = f"{part}.{side}" if side else part
            parent = above if above not in _SIDED else f"{above}.{side}"
            given = HUMANS[style].get(part, f"b{len(names)}")
            names.append(given if isinstance(given, str) else given[side == "right"])
            if style == "silent":
                names[-1] = f"b{len(names)}"
            parents.append(parts.index(parent) if parent else empty_roots - 1)
            parts.append(key)
            places.append((sign * place[0], place[1], place[2]))
    positions = np.array(places)
    cosine, sine = np.cos(turn), np.sin(turn)
    positions = positions @ np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]]).T
    offsets = positions.copy()
    for j, parent in enumerate(parents):
        if parent >= 0:
            offsets[j] = positions[j] - positions[parent]
    toes = [parts.index("toe.left"), parts.index("toe.right")] if toe_end else []
    ends = np.array([[0.06 * sine, 0.0, 0.06 * cosine]] * len(toes)).reshape(-1, 3)
    skeleton = Skeleton(tuple(names), parents, offsets, end_parents=toes, end_offsets=ends)
    return skeleton, {part: j for j, part in enumerate(parts)}


def many_legs(pairs: int) -> Skeleton:
    """An insect without telling names: a long body, a head in front, and pairs of legs of three bones."""
    names, parents, places = ["b0", "head"], [-1, 0], [(0.0, 0.3, 0.0), (0.0, 0.3, 0.1 * pairs)]
    for row in range(pairs):
        z = 0.12 * (0.5 * (pairs - 1) - row)
        for sign in (1.0, -1.0):
            top = len(names)
            for k, (x, y) in enumerate([(0.05, 0.3), (0.2, 0.45), (0.35, 0.2), (0.45, 0.0)]):
                names.append(f"b{len(names)}")
                parents.append(0 if k == 0 else top + k - 1)
                places.append((sign * x, y, z))
    positions = np.array(places)
    offsets = positions - np.where(np.array(parents)[:, None] >= 0, positions[parents], 0.0)
    return Skeleton(tuple(names), parents, offsets)
