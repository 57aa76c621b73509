"""From a glTF document to a `Motion`: which nodes are joints, where they rest, how they move."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from locomote.formats._gltf_animation import Animation
from locomote.formats._gltf_document import Document
from locomote.formats._gltf_matrix import world_rotation
from locomote.formats._gltf_note import noted_order, noted_skeleton
from locomote.formats._gltf_sample import local_pose, sample
from locomote.formats._gltf_skin import Skin, bind_worlds, read_body, read_skins
from locomote.motion import Motion
from locomote.skeleton import Skeleton

_HUGE = 15.0  # metres; larger bodies are rare, files in centimetres are not
_MOVES = 5e-6  # of the body's size; a joint that strays further from its offset has a translation of its own


@dataclass(frozen=True, eq=False)
class Source:
    """The file behind a body: what is needed to write it again with another motion."""

    document: Document
    nodes: tuple[int, ...]  # the node of every joint
    names: tuple[str, ...]  # of the joints
    parents: tuple[int, ...]  # of the joints

    def fits(self, skeleton: Skeleton) -> bool:
        """Whether the joints of a skeleton are still those of the file."""
        return self.names == skeleton.names and self.parents == tuple(skeleton.parents.tolist())


def joint_nodes(document: Document, skins: list[Skin], animated: set[int]) -> list[int]:
    """The nodes that are joints, parents first; the first one is above all others.

    With skins: their joints, all between them, and what hangs below them without being a mesh. Without: the
    tree of the animated nodes, or else all nodes. Where no node is above all, a new one is made.
    """
    parents = document.parents
    if not parents:
        raise document.error("nodes", "there are none, so there is no skeleton")
    wanted = {node for skin in skins for node in skin.joints} or animated
    if not wanted:
        wanted = {n for n, parent in enumerate(parents) if parent < 0}
    top = _common_ancestor(document, wanted)
    chosen: set[int] = set()
    for node in wanted:
        while node not in chosen:
            chosen.add(node)
            if node != top:
                node = document.parents[node]
    order = []
    for node in document.depth_first([top]):
        # A skin says what its joints are; below them only bare nodes, such as ends of bones, belong to it.
        if node in chosen or (document.parents[node] in chosen and not (skins and _carries_something(document, node))):
            chosen.add(node)
            order.append(node)
    return order


def _common_ancestor(document: Document, nodes: set[int]) -> int:
    roots = sorted({document.ancestors(node)[-1] for node in nodes})
    if len(roots) > 1:
        return document.wrap(roots, {"name": "root"})
    # From the root down, as far as every wanted node is below.
    below: dict[int, int] = dict.fromkeys(document.depth_first(roots), 0)
    for node in reversed(list(below)):
        below[node] += node in nodes
        if document.parents[node] >= 0:
            below[document.parents[node]] += below[node]
    top = roots[0]
    while top not in nodes:
        inside = [child for child in document.children[top] if below[child]]
        if len(inside) != 1:
            break
        top = inside[0]
    return top


def _carries_something(document: Document, n: int) -> bool:
    node = document.items("nodes")[n]
    return "mesh" in node or "camera" in node or "extensions" in node


def joint_names(document: Document, nodes: list[int]) -> tuple[str, ...]:
    """Names of nodes, all different: ``node_12`` where there is none, ``Bone_2`` for a second ``Bone``."""
    taken: set[str] = set()
    uses: dict[str, int] = {}
    out = []
    for n in nodes:
        given = document.items("nodes")[n].get("name")
        base = name = given if isinstance(given, str) and given else f"node_{n}"
        while name in taken:
            uses[base] = uses.get(base, 1) + 1
            name = f"{base}_{uses[base]}"
        taken.add(name)
        out.append(name)
    return tuple(out)


def build_motion(document: Document, animation: Animation | None, fps: float, animated: set[int]) -> Motion:
    """The motion of a document's skeleton under one of its animations, or one frame of its rest."""
    skins = read_skins(document)
    nodes = noted_order(document, joint_nodes(document, skins, animated))
    index = {node: j for j, node in enumerate(nodes)}
    parents = np.array([-1] + [index[document.parents[node]] for node in nodes[1:]])
    rest = document.rest_worlds()
    bind = bind_worlds(document, skins, nodes, rest)
    moved, local = sample(document, nodes, parents, animation, fps)
    bind_positions, bind_turns = bind[nodes][:, :3, 3], world_rotation(bind[nodes][:, :3, :3])
    # Squares of the positions must exist too.
    if not all(np.isfinite(np.sum(x**2)) for x in (bind_positions, bind_turns, moved, local)):
        raise document.error("nodes", "their positions grow beyond all numbers")
    names = joint_names(document, nodes)
    skeleton = Skeleton(names, parents, *local_pose(parents, bind_positions, bind_turns))
    skeleton = noted_skeleton(document, skeleton, nodes, rest[nodes][:, :3, 3])
    size = max(float(np.ptp(bind_positions, axis=0).max()), 1e-9)
    stray = np.abs(moved[:, 1:] - skeleton.offsets[1:]).max(initial=0.0)
    body = read_body(document, skins, index, rest, bind)
    if body is not None:
        body = replace(body, source=Source(document, tuple(nodes), names, tuple(parents.tolist())))
    large = f"the body is {size:.3g} m large; if the file is in centimetres, load it with unit='cm'"
    return Motion(
        skeleton=skeleton,
        fps=fps,
        root_positions=moved[:, 0],
        rotations=local,
        translations=moved if stray > _MOVES * size else None,
        name="" if animation is None else animation.name,
        body=body,
        notes=(large,) if size > _HUGE else (),
    )
