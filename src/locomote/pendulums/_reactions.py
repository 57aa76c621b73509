"""Pendulums on recorded or made motion: hits that a body takes and recovers from, and parts that swing behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.motion import Motion, checked_motion
from locomote.pendulums._springs import Spring
from locomote.pendulums._state import Pendulums, resting_tips
from locomote.pendulums._tree import Joints, Tree, bone_offsets
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton, checked_skeleton

HIT_SECONDS = 0.08  # s; how long a blow pushes
BODY_SPRING = Spring.settling(0.6, 0.6)
TRUNK_CONE = 0.4  # rad; how far each joint of trunk, neck, head and collar may give way
ARM_CONE = 1.2  # rad; how far each joint of an arm may


@dataclass(frozen=True)
class Hit:
    """A blow: the end of a joint's bone is pushed by ``displacement``, metres in the world, within ``seconds``."""

    time: float
    joint: str
    displacement: tuple[float, float, float]
    seconds: float = HIT_SECONDS

    def share(self, begin: float, end: float) -> float:
        """The share of the push between two times.

        Parameters
        ----------
        begin, end : s
        """
        return self._done(end) - self._done(begin)

    def _done(self, time: float) -> float:
        if self.seconds <= 0.0:
            return float(time > self.time)
        t = min(max((time - self.time) / self.seconds, 0.0), 1.0)
        return t * t * (3.0 - 2.0 * t)


def overlay(
    motion: Motion,
    hits: Sequence[Hit] = (),
    joints: Joints | None = None,
    *,
    tree: Tree | None = None,
    spring: Spring | None = None,
    merge: str = "sum",
) -> Motion:
    """The motion with the body's reaction to hits, which returns to what the motion shows by then.

    Without hits the motion is the same, bit for bit; there is no lag.

    Parameters
    ----------
    motion : of a body
    hits : when, where and how far
    joints : that may react; without them trunk, neck, head and arms, so that feet stay where they are planted
    tree : pendulums of your own, in place of joints
    spring : of all of them
    merge : how pushes of several sons meet in their father: "sum", "mean", "mass" or "priority"
    """
    motion = checked_motion(motion, "overlay")
    if tree is None:
        tree = reacting(motion.skeleton, joints, spring)
    nodes = {int(j): b for b, j in enumerate(tree.joints)}
    where = []
    for hit in hits:
        joint = motion.skeleton.index(hit.joint)
        if joint not in nodes:
            able = ", ".join(motion.skeleton.names[j] for j in tree.joints)
            raise LocomoteError(f"{hit.joint} cannot be hit, it is no pendulum; those that are: {able}")
        where.append(nodes[joint])
    anchors, frames = tree.targets(*motion.world())
    pendulums = Pendulums(tree, anchors[:1], frames[:1], merge=merge, overlay=True)
    pushes = np.zeros((len(motion), len(tree), 3))
    for hit, b in zip(hits, where, strict=True):
        for frame in range(1, len(motion)):
            share = hit.share((frame - 1) / motion.fps, frame / motion.fps)
            pushes[frame, b] += share * np.array(hit.displacement)
    return _deflected(motion, tree, _run(motion, pendulums, anchors, frames, pushes))


def follow(
    motion: Motion, joints: Joints | None = None, *, tree: Tree | None = None, spring: Spring | None = None
) -> Motion:
    """The motion with some joints, a tail, ears or antennae, swinging behind what carries them.

    Parameters
    ----------
    motion : of what carries them
    joints : names or numbers of those that swing
    tree : pendulums of your own, in place of joints
    spring : of all of them
    """
    if tree is None:
        if joints is None:
            raise LocomoteError("follow needs the joints that swing, or a tree of them")
        tree = Tree.from_skeleton(motion.skeleton, joints, spring)
    anchors, frames = tree.targets(*motion.world())
    tips = resting_tips(tree, anchors, frames)
    velocities = None if len(motion) < 2 else motion.fps * (tips[1:2] - tips[:1])
    pendulums = Pendulums(tree, anchors[:1], frames[:1], velocities=velocities)
    return _deflected(motion, tree, _run(motion, pendulums, anchors, frames, None))


def reacting(skeleton: Skeleton, joints: Joints | None = None, spring: Spring | None = None) -> Tree:
    """The tree of a body that takes hits: every bone seeks where the motion points it, not where its father leans.

    Parameters
    ----------
    skeleton : of the body
    joints : names or numbers; trunk, neck, head and arms without them
    spring : of all of them
    """
    skeleton = checked_skeleton(skeleton, "reacting")
    tree = Tree.from_skeleton(
        skeleton, upper_body(skeleton) if joints is None else joints, spring or BODY_SPRING, inherit=0.0
    )
    if joints is not None:
        return tree
    arms = {j for arm in skeleton.roles.arms for j in (arm.shoulder, arm.elbow, arm.wrist)}
    return replace(tree, cone=np.array([ARM_CONE if j in arms else TRUNK_CONE for j in tree.joints.tolist()]))


def upper_body(skeleton: Skeleton) -> list[int]:
    """The joints of the trunk, neck, head and arms that carry bones."""
    roles, bones = skeleton.roles, bone_offsets(skeleton)
    joints = [*roles.spine, *roles.neck, *(() if roles.head is None else (roles.head,))]
    for arm in roles.arms:
        joints += [j for j in (arm.clavicle, arm.shoulder, arm.elbow, arm.wrist) if j is not None]
    picked = sorted({j for j in joints if j in bones})
    if not picked:
        raise LocomoteError("this skeleton has no trunk or arms known by role: say which joints may react")
    return picked


def _run(
    motion: Motion, pendulums: Pendulums, anchors: FloatArray, frames: FloatArray, pushes: FloatArray | None
) -> FloatArray:
    """The deflections of every frame, ``(F, P, 4)``."""
    out = rot.identity(len(motion), anchors.shape[1])
    for f in range(1, len(motion)):
        pushed = pushes[f : f + 1] if pushes is not None and np.any(pushes[f]) else None
        pendulums.step(1.0 / motion.fps, anchors[f : f + 1], frames[f : f + 1], pushed)
        out[f] = pendulums.deflections[0]
    return out


def _deflected(motion: Motion, tree: Tree, deflections: FloatArray) -> Motion:
    """The motion whose joints stand turned, in the world, by the deflections of their pendulums."""
    world = motion.world()[1]
    turns = motion.rotations.copy()
    for b, joint in enumerate(tree.joints):
        mine = deflections[:, b]
        father = tree.parents[b]
        carried = rot.identity(len(motion)) if father < 0 else deflections[:, father]
        extra = rot.multiply(rot.inverse(carried), mine)
        new = rot.multiply(extra, world[:, joint])
        if joint > 0:
            new = rot.multiply(rot.inverse(world[:, motion.skeleton.parents[joint]]), new)
        bent = np.any(mine != carried, axis=-1)
        turns[bent, joint] = rot.normalize(new[bent])
    return replace(motion, rotations=turns)
