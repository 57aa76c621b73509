"""What a joint's name says: its side, and the part of the body it moves."""

from __future__ import annotations

import re
from collections.abc import Iterable

# Lower case, without separators and without the side; matched anywhere inside a name.
THIGH = ("upleg", "upperleg", "legupper", "thigh", "femur")
SHIN = ("lowleg", "lowerleg", "leglower", "shin", "calf", "tibia", "knee", "shank")
FOOT = ("foot", "ankle", "talus", "paw", "hoof", "tarsus")
TOE = ("toe", "ball", "claw", "digit")
UPPER_ARM = ("uparm", "upperarm", "armupper", "humerus")
FOREARM = ("forearm", "lowerarm", "lowarm", "armlower", "elbow", "ulna", "radius")
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
        "mandible mouth pectoral pincer skirt tail tongue whisker wing",
    )
)
# Joints that steer a rig instead of carrying flesh, and decorations that hang on a body.
_HELPERS = frozenset(
    re.findall(
        r"\w+",
        "armor control ctrl dummy footsteps helper ik mch pole prop roll socket target twist weapon",
    )
)
_TIPS = frozenset(("effector", "end", "nub", "site", "tip"))

_LEFT = frozenset(("l", "left", "lft", "fl", "hl", "rl", "lf", "lh"))
_RIGHT = frozenset(("r", "right", "rgt", "fr", "hr", "rr", "rf", "rh"))
_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+")


def words(name: str) -> list[str]:
    """The words of a name in lower case, sides apart: ``LeftUpLeg`` and ``lfemur`` start with their side."""
    out: list[str] = []
    for word in (w.lower() for w in _WORD.findall(name.split(":")[-1])):
        out.extend(_split_side(word))
    return out


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


def bare(name: str) -> str:
    """The name in lower case without side, digits and separators."""
    return "".join(w for w in words(name) if w not in _LEFT and w not in _RIGHT and not w.isdigit())


def says(name: str, parts: Iterable[str]) -> bool:
    """Whether a name contains one of the body parts."""
    plain = bare(name)
    return any(part in plain for part in parts)


def is_helper(name: str) -> bool:
    """Whether the name is that of a control, a twist helper or a decoration."""
    return not _HELPERS.isdisjoint(words(name))


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
