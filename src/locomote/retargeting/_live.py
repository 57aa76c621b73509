"""One body that follows another live: poses as they come, each by itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote.cleaning._pose import local_rotations
from locomote.contacts import Floor
from locomote.errors import LocomoteError
from locomote.motion import Motion
from locomote.retargeting._footless import off, on, with_ankles
from locomote.retargeting._ground import GroundFit, find_ground, leg_ratio
from locomote.retargeting._reference import with_flat_feet
from locomote.retargeting._retarget import LEAST_DURATION, Plan, check_leg_counts, side_of, with_detached_feet
from locomote.retargeting._transfer import followed_turns, same_feet
from locomote.rotations import FloatArray
from locomote.skeleton import Roles, Skeleton

LEVEL = Floor(0.0)  # the floor of a stream is not known; where both have one it drops out


class LiveRetarget:
    """Puts poses of one body onto another as they come, by the laws of `retarget` with ``feet=False``.

    Parameters
    ----------
    source : the body that poses come from. A motion of it, of half a second at least, shows how its feet stand on the
        floor; a skeleton alone is taken to stand as in its rest pose
    target : the body that follows, with as many legs
    scale : of the way over the ground; by the size of the legs unless given
    roles : of the target; found unless given
    """

    def __init__(
        self, source: Motion | Skeleton, target: Skeleton, *, scale: float | None = None, roles: Roles | None = None
    ) -> None:
        if scale is not None and not (np.isfinite(scale) and scale > 0.0):
            raise LocomoteError(f"scale must be a positive number, got {scale}")
        shown = isinstance(source, Motion) and source.duration >= LEAST_DURATION
        given = source if isinstance(source, Motion) else _at_rest(source)
        self.target = target if roles is None else target.with_roles(roles)
        self._given = given.skeleton
        self._skeleton, other_skeleton = with_ankles(given.skeleton), with_ankles(self.target)
        self._example = on(self._skeleton, given)
        check_leg_counts(self._skeleton, other_skeleton)
        side = side_of("source", self._skeleton, self._example)
        self._other = side_of("target", other_skeleton, None)
        self._grounds: tuple[GroundFit, GroundFit] = (find_ground(side, self._example), find_ground(self._other, None))
        self.scale = scale or leg_ratio(side, self._other)
        if shown and not same_feet(side, self._other):
            side = replace(side, reference=with_flat_feet(side.reference, self._example, side.roles))
        self._source = side

    def follow(self, root_positions: FloatArray, rotations: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Root positions ``(N, 3)`` m and local rotations ``(N, J, 4)`` of the target for poses of the source.

        Parameters
        ----------
        root_positions, rotations : (N, 3) m and (N, J, 4) of the source; joint 0 in the world
        """
        moved = self.motion(Motion(self._given, 1.0, root_positions, rotations))
        return moved.root_positions, moved.rotations

    def motion(self, motion: Motion) -> Motion:
        """A motion of the source on the target, every frame by itself.

        Parameters
        ----------
        motion : on the source's skeleton
        """
        if motion.skeleton.names != self._given.names:
            raise LocomoteError("the poses are not of the body that is followed: its joints have other names")
        motion = on(self._skeleton, motion)
        plan = Plan(motion, self._source, self._other, *self._grounds, LEVEL, LEVEL, self.scale, example=self._example)
        turns = followed_turns(self._source, self._other, motion.world()[1])
        skeleton = self._other.skeleton
        result = replace(
            motion,
            skeleton=skeleton,
            root_positions=np.zeros((len(motion), 3)),
            rotations=local_rotations(skeleton, turns),
            translations=None,
            body=None,
        )
        result = plan.folded(plan.placed(result))
        return off(self.target, with_detached_feet(result, self._other, turns))


def _at_rest(skeleton: Skeleton) -> Motion:
    return Motion(skeleton, 1.0, skeleton.offsets[:1], skeleton.rest_rotations[None])
