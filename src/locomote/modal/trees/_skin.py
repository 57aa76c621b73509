"""Bark and leaves on the branches of a tree: a skeleton with one joint a branch, and the mesh that follows it.

The joint of a branch stands where the branch begins, and turns it; so every branch keeps its length in any program.
"""

from __future__ import annotations

import math

import numpy as np

from locomote.body import Body
from locomote.modal.trees._growth import HABITS
from locomote.modal.trees._species import Species
from locomote.rotations import FloatArray, identity
from locomote.skeleton import IntArray, Roles, Skeleton

_SIDES = 6  # of a branch
_THIN = 0.06  # of the thickest: thinner branches have three sides
_TWIG = 4  # branches from a tip on which leaves grow
_FINE = 1500.0  # nodes of a tree whose leaves have their true size; those of a coarser tree stand for several
_LARGEST = 2.5  # times their true size
_BARK = (120, 100, 84)


def skeleton_of(species: Species) -> Skeleton:
    """Joint 0 is the root; joint j begins at the parent of node j and turns the branch that ends there."""
    starts = joint_places(species.nodes, species.parents)
    above = species.parents
    offsets = starts.copy()
    offsets[1:] -= starts[above[1:]]
    tips = species.tips
    digits = len(str(len(species)))
    return Skeleton(
        names=("root", *(f"branch_{n:0{digits}d}" for n in range(1, len(species)))),
        parents=above,
        offsets=offsets,
        end_parents=tips,
        end_offsets=species.nodes[tips] - starts[tips],
        given_roles=Roles(root=0),
    )


def joint_places(nodes: FloatArray, parents: IntArray) -> FloatArray:
    """Where joints are ``(..., N, 3)``: at the beginnings of the branches that end at nodes."""
    out: FloatArray = nodes[..., np.maximum(parents, 0), :]
    return out


def skin_of(species: Species, seed: int = 0) -> Body:
    """Tapered tubes along the branches, and leaves on the twigs of a species that has any."""
    return _joined(species, [part for part in (_bark(species), _leaves(species, seed)) if part is not None])


def skins_of(species: Species, seed: int = 0) -> tuple[Body, ...]:
    """The same in bodies of their own, for who paints whole pieces: bark, and leaves if there are any."""
    return tuple(_joined(species, [part]) for part in (_bark(species), _leaves(species, seed)) if part is not None)


def _joined(species: Species, parts: list[Part]) -> Body:
    starts = np.cumsum([0] + [len(vertices) for vertices, *_ in parts[:-1]])
    vertices, joints, weights, colours = (np.concatenate([part[i] for part in parts]) for i in (0, 2, 3, 4))
    return Body(
        vertices=vertices,
        triangles=np.concatenate([part[1] + start for part, start in zip(parts, starts, strict=True)]),
        joints=joints.astype(np.int64),
        weights=weights,
        bind_positions=joint_places(species.nodes, species.parents),
        bind_rotations=identity(len(species)),
        colours=colours,
    )


Part = tuple[FloatArray, IntArray, IntArray, FloatArray, FloatArray]  # vertices, triangles, joints, weights, colours


def _bark(species: Species) -> Part:
    """Two rings for each branch; where a line goes on, both branches carry the ring between them."""
    nodes, parents, radii = species.nodes, species.parents, species.radii
    count = len(nodes)
    order = np.lexsort((np.arange(count), -radii))
    order = order[order > 0]
    onward = np.full(count, -1)
    above, first = np.unique(parents[order], return_index=True)
    onward[above] = order[first]  # the thickest child
    is_main = np.zeros(count, dtype=bool)
    is_main[onward[onward >= 0]] = True
    rings = _rings(nodes, parents)
    vertices, triangles, joints, weights = [], [], [], []
    size = 0
    for n in range(1, count):
        p = int(parents[n])
        sides = _SIDES if radii[n] > _THIN * radii[0] else 3
        goes_on, follows = onward[n] >= 0, bool(is_main[n]) and p > 0
        begin = radii[p] if is_main[n] else min(radii[p], 1.15 * radii[n])
        end = radii[n] if goes_on else 0.4 * radii[n]
        # Where one branch goes on with another, the ring between them is the same for both.
        for at, radius, ring, other in (
            (p, begin, p if follows else n, p if follows else n),
            (n, end, n, onward[n] if goes_on else n),
        ):
            angle = 2.0 * math.pi * np.arange(sides)[:, None] / sides
            vertices.append(nodes[at] + radius * (np.cos(angle) * rings[ring, 0] + np.sin(angle) * rings[ring, 1]))
            joints.append(np.tile([n, other, 0, 0], (sides, 1)))
            weights.append(np.tile([0.5, 0.5, 0.0, 0.0] if other != n else [1.0, 0.0, 0.0, 0.0], (sides, 1)))
        i = np.arange(sides)
        a, b = size + i, size + (i + 1) % sides
        triangles.append(np.concatenate([np.stack([a, b, b + sides], 1), np.stack([a, b + sides, a + sides], 1)]))
        size += 2 * sides
    habit = HABITS.get(species.name)
    colour = np.array(_BARK if habit is None else habit.bark) / 255.0
    joined = [np.concatenate(each) for each in (vertices, triangles, joints, weights)]
    return joined[0], joined[1], joined[2], joined[3], np.tile(colour, (size, 1))


def _rings(nodes: FloatArray, parents: IntArray) -> FloatArray:
    """Two unit vectors ``(N, 2, 3)`` across every branch, which turn as little as can be from one to the next."""
    out = np.zeros((len(nodes), 2, 3))
    out[0, 0] = (1.0, 0.0, 0.0)
    for n, p in enumerate(parents[1:], start=1):
        axis = nodes[n] - nodes[p]
        axis = axis / np.linalg.norm(axis)
        aside = out[p, 0] - (out[p, 0] @ axis) * axis
        if aside @ aside < 1e-6:  # it goes on the way that the ring of its parent began
            aside = np.cross(axis, np.eye(3)[np.argmin(np.abs(axis))])
        out[n, 0] = aside / np.linalg.norm(aside)
        out[n, 1] = np.cross(axis, out[n, 0])
    return out


def _leaves(species: Species, seed: int) -> Part | None:
    """Lozenges that stand off their twigs; each follows one branch as it is (WND-11)."""
    habit, random = HABITS.get(species.name), np.random.Generator(np.random.PCG64(seed))
    if habit is None:
        return None
    near = np.zeros(len(species), dtype=bool)
    near[species.tips] = True
    for _ in range(_TWIG - 1):
        near[species.parents[near & (species.parents > 0)]] = True
    twigs = np.repeat(np.flatnonzero(near), habit.leaves)
    count = len(twigs)
    start, end = species.nodes[species.parents[twigs]], species.nodes[twigs]
    base = start + random.uniform(0.2, 1.05, (count, 1)) * (end - start)
    along = (end - start) / np.linalg.norm(end - start, axis=1, keepdims=True)
    way = 0.6 * along + random.normal(0.0, 0.7, (count, 3)) + np.array([0.0, -0.2, 0.0])
    way /= np.linalg.norm(way, axis=1, keepdims=True)
    flat = np.cross(way, random.normal(size=(count, 3)))
    flat /= np.linalg.norm(flat, axis=1, keepdims=True)
    size = habit.leaf * min(max(1.0, (_FINE / len(species)) ** 0.5), _LARGEST) * random.uniform(0.7, 1.2, (count, 1))
    corners = np.stack([base, base + 0.5 * size * way + 0.28 * size * flat, base + size * way,
                        base + 0.5 * size * way - 0.28 * size * flat], axis=1)  # fmt: skip
    at = 4 * np.arange(count)[:, None]
    triangles = np.concatenate([at + np.array(half) for half in ([0, 1, 2], [0, 2, 3])])
    green = np.array(habit.green) / 255.0 * random.uniform(0.82, 1.15, (count, 1))
    joints = np.zeros((4 * count, 4), dtype=np.int64)
    joints[:, 0] = np.repeat(twigs, 4)
    weights = np.tile([1.0, 0.0, 0.0, 0.0], (4 * count, 1))
    return corners.reshape(-1, 3), triangles, joints, weights, np.repeat(np.clip(green, 0.0, 1.0), 4, axis=0)
