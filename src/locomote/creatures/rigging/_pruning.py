"""One tree of joints that carry flesh: controls dropped, feet that hang elsewhere put back on their legs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.creatures.rigging._soles import dominant_joints
from locomote.roles import names as say
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

SAME_PLACE = 0.02  # of the body's size; a foot that hangs elsewhere begins so near to the end of its leg
TOUCHED = 1e-3  # weight; a vertex counts for a joint from here on


def pruned(skeleton: Skeleton, body: Body | None) -> tuple[Skeleton, Body | None]:
    """The joints that carry flesh, as one tree; where there is no body, those not named as controls."""
    count = len(skeleton)
    if body is None:
        return _without_controls(skeleton), None
    weighted = np.zeros(count, dtype=bool)
    weighted[np.unique(body.joints[body.weights > TOUCHED])] = True
    carries = weighted.copy()
    for j in range(count - 1, 0, -1):
        carries[skeleton.parents[j]] |= carries[j]
    positions = skeleton.rest_pose()[0]
    ends = _bone_ends(skeleton, carries, positions)
    parents = _with_feet(skeleton, body, weighted, carries, ends, positions)
    keep = carries.copy()
    root = 0
    leads = np.isin(np.arange(count), dominant_joints(body))
    while not leads[root]:  # a node above the body that carries next to nothing itself is not part of it
        below = [j for j in range(count) if parents[j] == root and keep[j]]
        if len(below) != 1:
            break
        keep[root] = False
        root = below[0]
        parents[root] = -1
    size = float(np.linalg.norm(np.ptp(positions[carries], axis=0)))
    for j in range(count):  # a control at the very place of its bone bends nothing
        parent = parents[j]
        at_parent = parent >= 0 and np.linalg.norm(positions[j] - positions[parent]) < 1e-4 * size
        below = [k for k in range(count) if parents[k] == j and keep[k]]
        at_child = len(below) == 1 and np.linalg.norm(positions[j] - positions[below[0]]) < 1e-4 * size
        if keep[j] and not weighted[j] and j != root and (at_parent or at_child):
            keep[j] = False
    new, body, order = rebuilt(skeleton, body, parents, keep, ends)
    return (new, body) if weighted[order[0]] or body is None else _root_amid(new, body)


def _without_controls(skeleton: Skeleton) -> Skeleton:
    """The skeleton without joints whose names say that they steer or decorate, and all below them."""
    keep = np.ones(len(skeleton), dtype=bool)
    helpers = say.helpers(skeleton.names, skeleton.parents.tolist())
    for j in range(1, len(skeleton)):
        keep[j] = keep[skeleton.parents[j]] and not helpers[j]
    if keep.all():
        return skeleton
    positions, turns = skeleton.rest_pose()
    ends = {
        int(j): positions[j] + rot.rotate(turns[j], offset)
        for j, offset in zip(skeleton.end_parents, skeleton.end_offsets, strict=True)
        if keep[j]
    }
    return rebuilt(skeleton, None, skeleton.parents.tolist(), keep, ends)[0]


def _root_amid(skeleton: Skeleton, body: Body) -> tuple[Skeleton, Body]:
    """An empty root moved amid the joints that hang on it: rigs put it anywhere, and a trunk turns about it."""
    positions, turns = skeleton.rest_pose()
    offsets = skeleton.offsets.copy()
    below = skeleton.children(0)
    offsets[0] = positions[below].mean(axis=0)
    offsets[below] = rot.rotate(rot.inverse(turns[0]), positions[below] - offsets[0])
    bound = body.bind_positions.copy()
    bound[0] = offsets[0]
    return replace(skeleton, offsets=offsets), replace(body, bind_positions=bound)


def _bone_ends(skeleton: Skeleton, carries: np.ndarray, positions: FloatArray) -> dict[int, FloatArray]:
    """Where the last bones end: an empty joint that hangs on one marks it."""
    ends = {}
    for j in range(1, len(skeleton)):
        parent = int(skeleton.parents[j])
        if carries[parent] and not carries[j] and not any(carries[c] for c in skeleton.children(parent)):
            ends[parent] = positions[j]
    at, turns = skeleton.end_parents, skeleton.rest_pose()[1]
    for e, parent in enumerate(at):
        ends[int(parent)] = positions[parent] + rot.rotate(turns[parent], skeleton.end_offsets[e])
    return ends


def _with_feet(
    skeleton: Skeleton,
    body: Body,
    weighted: np.ndarray,
    carries: np.ndarray,
    ends: dict[int, FloatArray],
    positions: FloatArray,
) -> list[int]:
    """The parents of all joints, with every foot that hangs beside the body put on the leg whose end it meets."""
    parents = [int(p) for p in skeleton.parents]
    size = float(np.linalg.norm(np.ptp(body.vertices, axis=0)))
    empty = {j for j in range(len(skeleton)) if not any(weighted[k] for k in skeleton.ancestors(j))} | {0}
    tops = [j for j in range(1, len(skeleton)) if carries[j] and parents[j] in empty]
    for top in tops:
        own = {j for j in range(len(skeleton)) if top in skeleton.ancestors(j)}
        others = [j for j in ends if j not in own and carries[j]]
        near = min(others, key=lambda j: float(np.linalg.norm(ends[j] - positions[top])), default=None)
        if near is not None and np.linalg.norm(ends[near] - positions[top]) <= SAME_PLACE * size:
            parents[top] = near
            ends.pop(near)
    return parents


def rebuilt(
    skeleton: Skeleton,
    body: Body | None,
    parents: Sequence[int],
    keep: np.ndarray,
    ends: dict[int, FloatArray],
) -> tuple[Skeleton, Body | None, list[int]]:
    """The kept joints under new parents, where they were in the rest pose, and which ones they are.

    ``ends`` are in the world.
    """
    positions, turns = skeleton.rest_pose()

    def kept(j: int) -> int:
        while j >= 0 and not keep[j]:
            j = parents[j]
        return j

    above = {j: kept(parents[j]) for j in range(len(skeleton)) if keep[j]}
    order: list[int] = []
    waiting = [j for j in sorted(above, reverse=True) if above[j] < 0]
    while waiting:
        j = waiting.pop()
        order.append(j)
        waiting += [c for c in sorted(above, reverse=True) if above[c] == j]
    index = {j: i for i, j in enumerate(order)}
    new_parents = np.array([index.get(above[j], -1) for j in order])
    offsets, rests = positions[order].copy(), turns[order].copy()
    for i, parent in enumerate(new_parents):
        if parent >= 0:
            back = rot.inverse(turns[order[parent]])
            offsets[i] = rot.rotate(back, positions[order[i]] - positions[order[parent]])
            rests[i] = rot.canonical(rot.multiply(back, turns[order[i]]))
    tips = [(kept(j), point) for j, point in ends.items() if kept(j) >= 0]
    new = Skeleton(
        names=tuple(skeleton.names[j] for j in order),
        parents=new_parents,
        offsets=offsets,
        rest_rotations=rests,
        end_parents=np.array([index[j] for j, _ in tips], dtype=np.int64),
        end_offsets=np.array([rot.rotate(rot.inverse(turns[j]), point - positions[j]) for j, point in tips]).reshape(
            -1, 3
        ),
    )
    if body is not None:
        followed = np.array([index.get(kept(j), 0) for j in range(len(skeleton))])
        body = replace(
            body,
            joints=followed[body.joints],
            bind_positions=body.bind_positions[order],
            bind_rotations=body.bind_rotations[order],
            source=None,
        )
    return new, body, order
