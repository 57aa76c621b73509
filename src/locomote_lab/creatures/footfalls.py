"""When the feet of an animal on four legs stand, found in any motion of it: recorded, or made here.

Feet are in the order left hind, left fore, right hind, right fore throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.ndimage import gaussian_filter1d

from locomote import rotations as rot
from locomote.creatures._morphology import LEFT, Morphology
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.rotations import FloatArray

BoolArray = npt.NDArray[np.bool_]

LEFT_HIND, LEFT_FORE, RIGHT_HIND, RIGHT_FORE = range(4)

# A foot stands that is slow, for itself or against the body, and low. Recorded paws drift while they stand, and the
# wider limit at speed is what finds the stances of a gallop.
SLOW = 0.30  # m/s
SLOW_SHARE = 0.45  # of the speed of the body
LOW = 0.16  # of the height of the hips, over the foot's own floor
FLOOR = 8.0  # percentile of a foot's heights that is its floor: those of one dog differ by up to 35 mm
BRIEF = 0.030  # s; contacts and gaps no longer than this are noise
SMOOTH = 0.05  # s, of the Gaussian that smooths the way of the body
END = "end of "


@dataclass(frozen=True, eq=False)
class PawTrack:
    """Where the feet, the tops of the legs and the spine of an animal are over time, in the world."""

    fps: float
    feet: FloatArray  # (T, 4, 3) left hind, left fore, right hind, right fore
    hips: FloatArray  # (T, 4, 3) the joint from which each leg hangs
    spine: FloatArray  # (T, S, 3) places along the trunk, from the pelvis to the withers, three or more
    height: float  # m, of the hind hips over the ground
    head: FloatArray | None = None  # (T, 3, 3) where the neck begins, the head, and the nose
    arms: FloatArray | None = None  # (T, 2, 3, 3) elbow, wrist and knuckles, left and right

    def __post_init__(self) -> None:
        if len(self.feet) < 2:
            raise LocomoteError(f"a track needs two frames or more, got {len(self.feet)}")
        gaps = ~np.isfinite(self.feet).all(axis=(1, 2)) | ~np.isfinite(self.hips).all(axis=(1, 2))
        if gaps.any():
            raise LocomoteError(f"a track has a gap at frame {int(np.argmax(gaps))}; cut it there into two")

    @classmethod
    def of(
        cls, motion: Motion, feet: Sequence[str], hips: Sequence[str], spine: Sequence[str], height: float
    ) -> PawTrack:
        """A track from a motion and the names of the joints."""
        if len(feet) != 4 or len(hips) != 4 or len(spine) < 3:
            raise LocomoteError("a track needs four feet, four hips and three places of the spine or more")
        places = motion.joint_positions()
        at = [[motion.skeleton.index(name) for name in names] for names in (feet, hips, spine)]
        return cls(motion.fps, places[:, at[0]], places[:, at[1]], places[:, at[2]], height)

    def with_parts(self, motion: Motion, head: Sequence[str], arms: Sequence[Sequence[str]]) -> PawTrack:
        """The same track with head and arms, by the names of their joints; "end of X" is where the bone of X ends."""
        places, turns = motion.world()
        skeleton = motion.skeleton

        def place(name: str) -> FloatArray:
            if not name.startswith(END):
                return np.asarray(places[:, skeleton.index(name)])
            joint = skeleton.index(name.removeprefix(END))
            end = skeleton.end_offsets[int(np.flatnonzero(skeleton.end_parents == joint)[0])]
            return places[:, joint] + rot.rotate(turns[:, joint], np.broadcast_to(end, (len(places), 3)))

        both = np.stack([np.stack([place(name) for name in arm], axis=1) for arm in arms], axis=1)
        return replace(self, head=np.stack([place(name) for name in head], axis=1), arms=both)

    @classmethod
    def of_creature(cls, motion: Motion, morphology: Morphology, spine: Sequence[str]) -> PawTrack:
        """A track of a creature on four legs, as it was recorded from a crowd."""
        legs = sorted(range(len(morphology.legs)), key=lambda k: -morphology.ranks[k])  # hind legs first
        left = [k for k in legs if morphology.sides[k] == LEFT]
        right = [k for k in legs if k not in left]
        if len(left) != 2 or len(right) != 2:
            raise LocomoteError(f"{morphology.name}: a track is for two pairs of legs")
        places, turns = motion.world()
        order = [morphology.legs[k] for k in (*left, *right)]
        last = [leg.joints[-1] for leg in order]
        feet = places[:, last] + rot.rotate(turns[:, last], np.array([leg.tip for leg in order]))
        hips = places[:, [leg.hip for leg in order]]
        along = places[:, [motion.skeleton.index(name) for name in spine]]
        return cls(motion.fps, feet, hips, along, float(morphology.hips[left[0], 1]))

    def __len__(self) -> int:
        return len(self.feet)

    @property
    def middle(self) -> FloatArray:
        """The middle of the trunk, between the four hips, ``(T, 3)``."""
        return np.asarray(self.hips.mean(axis=1), dtype=np.float64)

    @property
    def pelvis(self) -> FloatArray:
        """Between the hind hips, ``(T, 3)``."""
        return np.asarray(self.hips[:, [LEFT_HIND, RIGHT_HIND]].mean(axis=1), dtype=np.float64)

    @property
    def withers(self) -> FloatArray:
        """Between the tops of the fore legs, ``(T, 3)``."""
        return np.asarray(self.hips[:, [LEFT_FORE, RIGHT_FORE]].mean(axis=1), dtype=np.float64)

    def speeds(self) -> FloatArray:
        """How fast the body goes over the plan, ``(T,)`` m/s."""
        way = gaussian_filter1d(self.middle[:, [0, 2]], SMOOTH * self.fps, axis=0)
        return np.asarray(np.linalg.norm(np.gradient(way, axis=0), axis=1) * self.fps, dtype=np.float64)

    def floors(self) -> FloatArray:
        """The height of the floor as each foot knows it, ``(4,)``."""
        return np.asarray(np.percentile(self.feet[..., 1], FLOOR, axis=0), dtype=np.float64)


def standing(track: PawTrack, share: float = SLOW_SHARE) -> BoolArray:
    """Which feet stand in every frame, ``(T, 4)``: those that are slow and low."""
    pace = np.linalg.norm(np.gradient(track.feet[..., [0, 2]], axis=0), axis=2) * track.fps
    slow = pace < np.maximum(SLOW, share * track.speeds())[:, None]
    down: BoolArray = slow & (track.feet[..., 1] - track.floors() < LOW * track.height)
    for foot in range(4):
        _drop_brief(~down[:, foot], down[:, foot], True, BRIEF * track.fps)
        _drop_brief(down[:, foot], down[:, foot], False, BRIEF * track.fps)
    return down


def _drop_brief(mask: BoolArray, down: BoolArray, value: bool, most: float) -> None:
    """Give the frames of short runs of a mask another value, but for those at the ends of the clip."""
    for first, last in zip(*runs(mask), strict=True):
        if last - first <= most and first > 0 and last < len(mask):
            down[first:last] = value


def runs(mask: BoolArray) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Where a mask begins to hold and where it ceases to, frames."""
    edges = np.diff(np.concatenate([[0], mask.astype(np.int64), [0]]))
    return np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)


@dataclass(frozen=True, eq=False)
class Footfalls:
    """One cycle of all feet, from a landing of one hind foot to the next one of the same."""

    first: int  # frame of the landing with which it begins
    last: int  # frame of that with which it ends
    leader: int  # the hind foot: LEFT_HIND or RIGHT_HIND
    lands: FloatArray  # (4,) turns after the leader, in [0, 1)
    duty: FloatArray  # (4,) share of the cycle
    landing: npt.NDArray[np.int64]  # (4,) frames
    lifting: npt.NDArray[np.int64]  # (4,) frames: the first after the landing in which the foot is in the air


EARLY = 0.2  # turns before the leader that a foot may land and still count to its cycle
SHORTEST, LONGEST = 0.25, 1.2  # s, of a cycle


def footfalls(down: BoolArray, fps: float, leader: int = LEFT_HIND) -> list[Footfalls]:
    """All whole cycles in which every foot lands."""
    events = [runs(down[:, foot]) for foot in range(4)]
    out = []
    starts = events[leader][0]
    for first, last in pairwise(starts):
        length = int(last - first)
        if not SHORTEST * fps <= length <= LONGEST * fps or first == 0:
            continue
        landing, lifting = np.zeros(4, dtype=np.int64), np.zeros(4, dtype=np.int64)
        for foot in range(4):
            begins, ends = events[foot]
            since = (begins - first) / length
            fit = np.flatnonzero((since >= -EARLY) & (since < 1.0 - 1e-9) & (begins > 0) & (ends < len(down)))
            if foot == leader:
                fit = fit[begins[fit] == first]
            if not len(fit) or ends[fit[0]] - begins[fit[0]] >= length:
                break  # it does not land, or stands longer than the cycle lasts: the animal stops
            landing[foot], lifting[foot] = begins[fit[0]], ends[fit[0]]
        else:
            lands = ((landing - first) / length) % 1.0
            duty = (lifting - landing) / length
            out.append(Footfalls(int(first), int(last), leader, lands, duty, landing, lifting))
    return out
