"""Which joint of a quadruped is what: leg frames, legs, spine, neck and tail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from locomote.creatures import Morphology
from locomote.errors import SkeletonError
from locomote.rotations import FloatArray


@dataclass(frozen=True)
class Parts:
    """Joints of a quadruped by their use; numbers of the skeleton's joints."""

    frames: tuple[int, int]  # pelvis, shoulders
    legs: tuple[tuple[int, int, int, int], ...]  # thigh, shank, metapodium, paw (-1: none) of L1, R1, L2, R2
    order: tuple[int, ...]  # which leg of the morphology each is
    spine: tuple[int, ...]  # joints that bend between the frames, rear to front
    neck: tuple[int, ...]
    tail: tuple[int, ...]

    @classmethod
    def of(cls, creature: Morphology) -> Parts:
        name, parents = creature.name or "this rig", creature.skeleton.parents
        by_place = {(leg.rank, leg.side): i for i, leg in enumerate(creature.legs)}
        places = [(rank, side) for rank in (0, 1) for side in (1, -1)]
        if len(creature.legs) != 4 or any(place not in by_place for place in places):
            raise SkeletonError(f"{name}: a simulated animal has two pairs of legs, this one has {len(creature.legs)}")
        order = tuple(by_place[place] for place in places)
        frames = creature.girdles[order[2]], creature.girdles[order[0]]
        if frames[0] == frames[1]:
            raise SkeletonError(
                f"{name}: its legs hang on one rigid trunk; expected a spine between hips and shoulders"
            )
        legs = []
        for i in order:
            joints = creature.legs[i].joints
            if len(joints) < 3:
                raise SkeletonError(f"{name}: leg {creature.legs[i].name!r} has {len(joints)} joints; expected 3 to 5")
            below = list(joints[-4:]) if len(joints) >= 4 else list(joints)
            legs.append(tuple([*below, -1][:4]))
        up, down = creature.skeleton.ancestors(frames[1]), creature.skeleton.ancestors(frames[0])
        shared = next(j for j in up if j in down)
        rear = [j for j in down if j not in up]
        front = [j for j in up if j not in down]
        neck = _chain_to(creature, creature.head, [frames[1], shared, *rear, *front])
        tail = tuple(j for j in creature.tail if parents[j] >= 0)
        return cls(frames, tuple(legs), order, tuple(rear + front[::-1]), neck, tail)  # type: ignore[arg-type]


def _chain_to(creature: Morphology, head: int | None, trunk: Sequence[int]) -> tuple[int, ...]:
    """Joints from the trunk up to the head."""
    if head is None:
        return ()
    chain = []
    for j in creature.skeleton.ancestors(head):
        if j in trunk:
            break
        chain.append(j)
    return tuple(chain[::-1])


def bone_of(creature: Morphology, joint: int) -> FloatArray:
    """From a joint to the end of its link, in its own frame."""
    skeleton = creature.skeleton
    for leg in creature.legs:
        if joint == leg.joints[-1]:
            return np.asarray(leg.tip)
    children = [j for j in skeleton.children(joint)]
    main = [j for j in children if j in creature.spine or j in creature.tail] or children
    for leg in creature.legs:
        main = [j for j in main if j in leg.joints] if joint in leg.joints else main
    if main and not (joint == 0 and main[0] in creature.tail and len(main) > 1):
        return np.asarray(skeleton.offsets[main[0]])
    ends = skeleton.end_offsets[skeleton.end_parents == joint]
    if len(main) > 1:
        return np.asarray(skeleton.offsets[main[1]])
    return np.asarray(ends[0]) if len(ends) else np.array([0.0, 0.0, 0.05])
