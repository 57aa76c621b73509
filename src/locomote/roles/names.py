"""What a joint's name says: its side, and the part of the body it moves."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

# Lower case, without separators and without the side; matched anywhere inside a name.
THIGH = ("upleg", "upperleg", "legupper", "uleg", "thigh", "femur")
SHIN = ("lowleg", "lowerleg", "leglower", "lleg", "shin", "calf", "tibia", "knee", "shank", "kfe")
FOOT = ("foot", "ankle", "talus", "paw", "hoof", "tarsus")
TOE = ("toe", "ball", "claw", "digit")
UPPER_ARM = ("uparm", "upperarm", "armupper", "uarm", "humerus")
FOREARM = ("forearm", "lowerarm", "lowarm", "armlower", "larm", "elbow", "ulna", "radius")
HAND = ("hand", "wrist", "palm")
FINGER = ("finger", "thumb", "index", "middle", "ring", "pinky", "little")
HEAD = ("head", "skull")
NECK = ("neck", "cervical")
TAIL = ("tail", "caudal")

_LEG = (*THIGH, *SHIN, *FOOT, *TOE, "leg", "hip", "coxa", "hock", "heel", "calcn")
_ARM = (*UPPER_ARM, *FOREARM, *HAND, *FINGER, "arm", "clav", "collar", "scapula", "shoulder")
# A limb whose first joint is one of these is neither leg nor arm. Whole words: "ear" is also in "rear".
_OTHER = frozenset(
    re.findall(
        r"\w+",
        "antenna breast brow cheek cloth ear eye eyebrow eyelid eyes feather fin hair haltere horn jaw lip "
        "mandible mouth pectoral pincer skirt tail tongue whisker wing caster propeller rotor wheel",
    )
)
# Joints that steer a rig instead of carrying flesh, and decorations that hang on a body.
_HELPERS = frozenset(
    re.findall(r"\w+", "armor control ctrl dummy footsteps helper ik mch pole prop socket target weapon")
)
# Frames of instruments on robots, and what drives on: no part of a body unless more of it hangs on them.
_INSTRUMENTS = frozenset(
    re.findall(
        r"\w+",
        "camera cameras ft gps gyro imu inertia kinect laser lidar optical radar realsense sensor sonar stereo "
        "ultra ultrasound velodyne",
    )
)
_WELDED = "fixed"  # a frame that bends nowhere, between or beside links that do
# Joints beside or within a bone that turn about it. On a robot, "roll" is one of the three axes of a joint.
_TWIST, _ROLL = "twist", "roll"
_AXES = frozenset(("pitch", "roll", "yaw"))
_PARTS_OF_ROBOTS = frozenset((*_AXES, "link"))  # say nothing of the part of the body
_CARRIES_THE_BODY = 0.5  # of all joints; what carries more is no helper, whatever its name
_TIPS = frozenset(("effector", "end", "nub", "site", "tip"))

_LEFT = frozenset(("l", "left", "lft", "fl", "hl", "rl", "bl", "lf", "lh"))
_RIGHT = frozenset(("r", "right", "rgt", "fr", "hr", "rr", "br", "rf", "rh"))
_FRONT = frozenset(("front", "fore", "f", "fl", "fr", "lf", "rf"))
_HIND = frozenset(("back", "hind", "rear", "h", "hl", "hr", "rl", "rr", "bl", "br", "lh", "rh"))
_VERTEBRA = re.compile(r"[LR]_?\d+")
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")

# Japanese and Chinese names of bones in the words used here; of two that fit, the longer one.
_IN_ENGLISH = {
    "左": "left", "右": "right", "下半身": "hips", "骨盤": "pelvis", "上半身": "spine", "背骨": "spine", "胸": "chest",
    "首": "neck", "頭": "head", "足首": "ankle", "つま先": "toe", "つまさき": "toe", "足先": "toe", "足指": "toe",
    "かかと": "heel", "踵": "heel", "足": "upleg", "太もも": "thigh", "もも": "thigh", "大腿": "thigh", "ひざ": "knee",
    "膝": "knee", "すね": "shin", "脛": "shin", "小腿": "shin", "脚": "foot", "肩": "shoulder", "鎖骨": "clavicle",
    "腕": "upperarm", "上腕": "upperarm", "前腕": "forearm", "上臂": "upperarm", "前臂": "forearm", "ひじ": "elbow",
    "肘": "elbow", "手首": "wrist", "手": "hand", "親指": "thumb", "指": "finger", "手捩": "forearm twist",
    "手捻": "forearm twist", "捩": "twist", "捻": "twist", "目": "eye", "耳": "ear", "髪": "hair", "舌": "tongue",
    "スカート": "skirt", "乳": "breast", "尻尾": "tail", "しっぽ": "tail", "尾": "tail", "羽": "wing", "翼": "wing",
    "先": "tip", "操作": "control",
}  # fmt: skip
_FOREIGN = re.compile("|".join(sorted(_IN_ENGLISH, key=len, reverse=True)))


def words(name: str) -> list[str]:
    """The words of a name in lower case, sides apart: ``LeftUpLeg`` and ``lfemur`` start with their side."""
    plain = name if name.isascii() else _FOREIGN.sub(_translated, unicodedata.normalize("NFKC", name))
    whole = [w.lower() for w in _WORD.findall(plain.split(":")[-1])]
    if any(word in _LEFT or word in _RIGHT for word in whole):
        return whole  # the first letter of "r_lleg" is not another side
    return [part for word in whole for part in _split_side(word)]


def _translated(found: re.Match[str]) -> str:
    return f" {_IN_ENGLISH[found.group()]} "


def _split_side(word: str) -> list[str]:
    for side in ("left", "right", "l", "r"):
        rest = word.removeprefix(side)
        if rest not in ("", word) and any(rest.startswith(part) for part in (*_LEG, *_ARM)):
            return [side, rest]
    return [word]


def side(name: str) -> str:
    """``left``, ``right``, or an empty string."""
    parts = words(name)
    if any(word in _LEFT for word in parts):
        return "left"
    return "right" if any(word in _RIGHT for word in parts) else ""


def sides(names: Sequence[str]) -> list[str]:
    """The sides of all joints of a body. A lone ``L3`` without an ``R3`` is a vertebra of the loins."""
    known = set(names)
    out = []
    for name in names:
        vertebra = _VERTEBRA.fullmatch(name) and name.translate(str.maketrans("LR", "RL")) not in known
        out.append("" if vertebra else side(name))
    return out


def row(name: str) -> str:
    """``front`` or ``hind``, for a joint of a leg whose name tells, else an empty string."""
    parts = words(name)
    if any(word in _FRONT for word in parts):
        return "front"
    return "hind" if any(word in _HIND for word in parts) else ""


def bare(name: str) -> str:
    """The name in lower case without side, digits, separators and the axes of a robot's joint."""
    dropped = _LEFT | _RIGHT | _PARTS_OF_ROBOTS
    return "".join(w for w in words(name) if w not in dropped and not w.isdigit())


def says(name: str, parts: Iterable[str]) -> bool:
    """Whether a name contains one of the body parts."""
    plain = bare(name)
    return any(part in plain for part in parts)


def is_helper(name: str) -> bool:
    """Whether the name is that of a control, a twist helper or a decoration; `helpers` judges a whole body."""
    return not (_HELPERS | {_TWIST, _ROLL}).isdisjoint(words(name))


def twists(names: Sequence[str]) -> list[bool]:
    """Which joints of a body turn about the bone they lie on, or not at all.

    What says ``roll`` does so unless others ``pitch`` or ``yaw``; what says ``fixed`` is welded.
    """
    spoken = [set(words(name)) for name in names]
    robot = any(not one.isdisjoint(_AXES - {_ROLL}) for one in spoken)
    return [_TWIST in one or _WELDED in one or (_ROLL in one and not robot) for one in spoken]


def helpers(names: Sequence[str], parents: Sequence[int]) -> list[bool]:
    """Which joints of a body are controls, twist helpers, instruments or decorations.

    A twist joint or a sensor within a limb, which carries the rest of it, is none, nor is what carries most of the
    body.
    """
    spoken = [set(words(name)) for name in names]
    twisting = [turns or not _INSTRUMENTS.isdisjoint(one) for turns, one in zip(twists(names), spoken, strict=True)]
    steering = [not _HELPERS.isdisjoint(one) for one in spoken]
    carries = [
        not (twist or steer or is_tip(name)) for twist, steer, name in zip(twisting, steering, names, strict=True)
    ]
    below = [1] * len(names)
    for j in range(len(names) - 1, 0, -1):
        below[parents[j]] += below[j]
        carries[parents[j]] |= carries[j] and not steering[j]
    return [
        (steering[j] and below[j] <= _CARRIES_THE_BODY * len(names)) or (twisting[j] and not carries[j])
        for j in range(len(names))
    ]


def is_tip(name: str) -> bool:
    """Whether the name marks the end of a bone and not a joint that bends."""
    return not _TIPS.isdisjoint(words(name))


def kind_of_limb(names: list[str]) -> str:
    """``leg``, ``arm``, ``other``, or an empty string; the first name is that of the limb's top."""
    if not _OTHER.isdisjoint(words(names[0])):
        return "other"
    leg = sum(says(name, _LEG) for name in names)
    arm = sum(says(name, _ARM) for name in names)
    if leg == arm == 0:
        return ""
    return "leg" if leg >= arm else "arm"
