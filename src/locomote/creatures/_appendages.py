"""What swings on a creature while it goes: its tail, antennae, ears, abdomen and arms, found once in its skeleton."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from locomote._arguments import Who, rows_of
from locomote.creatures._morphology import Morphology
from locomote.errors import LocomoteError
from locomote.math._compile import prepared
from locomote.motion import Poses
from locomote.pendulums import Spring, SwingingJoints, Tree
from locomote.pendulums._tree import bone_offsets
from locomote.roles import names as say
from locomote.skeleton import Skeleton
from locomote.world import Maps

FADE = 0.3  # s in which a part begins or ceases to swing
LEVER = 0.6  # of what a joint carries, from it to the end: where the mass of a rod seems to be when it is shaken
CLEARANCE = 0.04  # of its length: how far a tail stays above the ground
RISE = 0.4  # of its length above the root of the body: what is higher is a wall, on which no tail is laid
CALM = 0.5  # s at the beginning, in which a body finds its height: its jerks swing nothing


@dataclass(frozen=True)
class AppendageKind:
    """How a part swings that is a metre long; shorter ones are quicker by the root of their length."""

    settling: float  # s
    damping: float
    drag: float  # share of the air's speed that it feels
    limit: float  # rad, for each joint


KINDS = {
    "tail": AppendageKind(0.8, 0.6, 0.3, 1.2),
    "hair": AppendageKind(0.7, 0.5, 0.3, 1.0),
    "antenna": AppendageKind(0.9, 0.2, 0.1, 0.6),
    "ear": AppendageKind(0.5, 0.35, 0.1, 0.6),
    "abdomen": AppendageKind(0.45, 0.5, 0.0, 0.2),
    "arm": AppendageKind(0.5, 0.7, 0.05, 0.3),
}
# Words in names of joints, for each kind; what none of them fits moves like an arm.
_WORDS = {
    "tail": say.TAIL,
    "hair": ("hair", "mane", "feather", "cloth", "cape", "skirt", "beard"),
    "antenna": ("antenna", "feeler", "whisker"),
    "abdomen": ("abdomen", "gaster", "petiole"),
}
_STIFF = (
    *say.FINGER,
    "jaw",
    "eye",
    "lip",
    "lid",
    "brow",
    "tongue",
    "mouth",
    "cheek",
    "nose",
    "face",
    "teeth",
    "fang",
)


class Appendages:
    """The parts of N creatures that swing behind their bodies. All knobs may be turned at any time."""

    def __init__(self, morphology: Morphology, count: int, moved: npt.ArrayLike = ()) -> None:
        """Those of ``count`` creatures; joints that are ``moved`` by something else do not swing."""
        from locomote.creatures._kernels.appendages import Lying
        from locomote.pendulums._kernels.step import FOUND

        others = set(np.asarray(moved, dtype=np.int64).tolist())
        found = _parts(morphology)
        self._parts = {j: name for j, name in found.items() if j not in others}  # the part of each pendulum, by joint
        self.kinds = {name: KINDS[_kind(name)] for name in self.names}
        self._joints: SwingingJoints | None = None
        if not self._parts:
            return
        self._skeleton = morphology.skeleton
        self._carried = _carried(self._skeleton, self._parts)
        tree = self._tree()
        self._joints = SwingingJoints(self._skeleton, tree, count)
        self._shown = np.ones((count, len(tree)))  # what the shares fade to
        tails = np.array([_kind(self._parts[j]) == "tail" for j in tree.joints.tolist()])
        self._lying = Lying(RISE * max(self._carried.values()), np.where(tails, CLEARANCE * tree.lengths, -1.0))
        self._lie = bool(np.any(tails))
        self._fading, self._on = False, True
        self._age = 0.0  # s
        self._found = FOUND
        self._kernel: Callable[..., None] | None = None  # prepared by the first step

    @property
    def names(self) -> tuple[str, ...]:
        """The parts that swing, such as ``tail``."""
        return tuple(dict.fromkeys(self._parts.values()))

    @property
    def joints(self) -> tuple[int, ...]:
        """The joints of the skeleton that swing."""
        return tuple(self._parts)

    def set(
        self,
        part: str,
        *,
        settling: float | None = None,
        damping: float | None = None,
        drag: float | None = None,
        limit: float | None = None,
    ) -> None:
        """Change how a part swings: `AppendageKind` says in which units, for a metre of length; the rest stays."""
        joints = self._known(part)
        told = {"settling": settling, "damping": damping, "drag": drag, "limit": limit}
        kind = replace(self.kinds[part], **{k: float(v) for k, v in told.items() if v is not None})
        before, self.kinds = self.kinds, {**self.kinds, part: kind}
        try:
            joints.pendulums.tree = self._tree()
        except LocomoteError:
            self.kinds = before
            raise

    def switch(self, on: bool, part: str | None = None, who: Who = None) -> None:
        """Let a part swing, or all of them, or let it be carried stiffly; either comes about within `FADE` seconds."""
        if self._joints is None:
            return
        if part is not None:
            self._known(part)
        columns = [b for b, j in enumerate(self._parts) if part in (None, self._parts[j])]
        rows = rows_of(who, len(self._shown))
        self._shown[np.ix_(rows, np.array(columns))] = float(on)
        self._fading = True

    def step(self, dt: float, poses: Poses, maps: Maps) -> None:
        """Bring all parts on by ``dt`` and turn their joints in the poses of the bodies; 0 takes them along."""
        if self.begin(dt):
            self.swing(dt, poses, maps, (0, len(self._shown)))

    def begin(self, dt: float) -> bool:
        """Make all ready for a step of ``dt``; whether anything swings."""
        joints = self._joints
        if joints is None:
            return False
        if self._fading:
            self._fade(dt, joints)
        elif not self._on:
            return False
        if self._age < CALM:
            np.maximum(joints.pendulums.calm, self._found, out=joints.pendulums.calm)
            self._age += dt
        joints.arrays(dt)  # the settings for this length of a step, before threads share the work
        return True

    def swing(self, dt: float, poses: Poses, maps: Maps, rows: tuple[int, int]) -> None:
        """Do a step that was begun, for the rows from the first to the one behind the last; threads may share them."""
        joints = self._joints
        if joints is None:
            return
        if not self._lie:
            joints.step(dt, poses, rows=rows)
            return
        some = slice(*rows)
        arguments = (
            float(dt),
            poses.root_positions[some],
            poses.rotations[some],
            self._lying,
            joints.rig,
            *joints.arrays(dt, rows),
            maps.arrays,
        )
        if self._kernel is None:
            from locomote.creatures._kernels.appendages import swing_appendages

            self._kernel = prepared(swing_appendages, *arguments)
        self._kernel(*arguments)

    def _fade(self, dt: float, joints: SwingingJoints) -> None:
        """Bring what is shown of the swings nearer to what was asked for."""
        shares, most = joints.shares, dt / FADE
        if not np.any(shares):
            joints.reset()
        shares += np.clip(self._shown - shares, -most, most)
        self._fading = not np.array_equal(shares, self._shown)
        self._on = bool(np.any(shares))

    def _known(self, part: str) -> SwingingJoints:
        if self._joints is None or part not in self.kinds:
            raise LocomoteError(f"no part {part!r} swings; those that do: {', '.join(self.names) or 'none'}")
        return self._joints

    def _tree(self) -> Tree:
        kinds = [self.kinds[part] for part in self._parts.values()]
        carried = np.array([self._carried[j] for j in self._parts])
        tree = Tree.from_skeleton(self._skeleton, self._parts)
        springs = [
            Spring.settling(k.settling * math.sqrt(far), k.damping) for k, far in zip(kinds, carried, strict=True)
        ]
        return Tree.build(
            tree.parents,
            tree.lengths,
            springs,
            drag=[k.drag for k in kinds],
            cone=[k.limit for k in kinds],
            levers=np.maximum(LEVER * carried, tree.lengths),
            joints=tree.joints,
            bar_rotations=tree.bar_rotations,
        )


def _parts(morphology: Morphology) -> dict[int, str]:
    """The joints that swing, in order, each with the name of its part."""
    skeleton = morphology.skeleton
    trunk = {a for leg in morphology.legs for a in skeleton.ancestors(leg.hip)} | set(morphology.spine)
    if morphology.head is not None:
        trunk |= set(skeleton.ancestors(morphology.head))
    legs = {j for leg in morphology.legs for j in leg.joints}
    bones = bone_offsets(skeleton)
    parts: dict[int, str] = {}
    stiff: set[int] = set()
    for j in range(len(skeleton)):
        parent = int(skeleton.parents[j])
        if j in legs or j in trunk or parent < 0 or parent in legs:
            if j not in trunk:
                legs.add(j)
            continue
        name = skeleton.names[j]
        if parent in stiff or say.says(name, _STIFF) or say.is_helper(name):
            stiff.add(j)
        elif j in bones:
            parts[j] = parts.get(parent) or _name(name, j in morphology.tail)
    return parts


def _name(joint: str, in_tail: bool) -> str:
    """What the part is called that a joint belongs to."""
    if "ear" in say.words(joint):  # as a whole word: it is also in "rear"
        return "ear"
    for kind, words in _WORDS.items():
        if say.says(joint, words):
            return kind
    return "tail" if in_tail else say.bare(joint) or "arm"


def _kind(part: str) -> str:
    return part if part in KINDS else "arm"


def _carried(skeleton: Skeleton, parts: dict[int, str]) -> dict[int, float]:
    """How far from each joint its part goes on, metres along the bones."""
    bones = bone_offsets(skeleton)
    far: dict[int, float] = {}
    for j in sorted(parts, reverse=True):
        beyond = max((far[c] for c in skeleton.children(j) if c in far), default=0.0)
        far[j] = float(np.linalg.norm(bones[j])) + beyond
    return far
