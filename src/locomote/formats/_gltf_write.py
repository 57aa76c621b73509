"""From motions to a glTF file: on the original mesh, on a given body, or on a plain one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats._gltf_animation import animation_names
from locomote.formats._gltf_build import Builder, floats, generator
from locomote.formats._gltf_document import Json
from locomote.formats._gltf_matrix import split_matrix, world_rotation
from locomote.formats._gltf_note import write_note
from locomote.formats._gltf_plain import plain_file
from locomote.formats._gltf_read import Source
from locomote.formats._gltf_source import copied
from locomote.formats._own_rig import OwnRig
from locomote.motion import Motion
from locomote.rotations import FloatArray

_MOVES = 1e-8  # of the length of all bones; a joint that strays further from its rest gets a translation track
_LARGEST = 1e30  # units; 32-bit floats end not far beyond
_NO_SCALE = 1e-9  # a joint scaled below this hides what hangs on it


Way = tuple[FloatArray, FloatArray]  # (F, 3), (F, 4)


@dataclass(frozen=True, eq=False)
class Take:
    """One animation of a file."""

    motion: Motion
    extras: Json = field(default_factory=dict)  # what is told of it beside its frame rate
    travel: Way | None = None  # of the node above the joints, if there is one


def write_takes(takes: Sequence[Take], path: Path, keep: bool | None = None) -> None:
    """Write motions of one skeleton with the mesh they came with, or with a plain one.

    ``keep`` leaves the original file as it was, all but animations of the same names; without it that is done for
    bodies whose joints are not those of the file any more, such as creatures.
    """
    body = takes[0].motion.body
    source = None if body is None else body.source
    if isinstance(source, OwnRig):
        takes = [replace(take, motion=source.restored(take.motion)) for take in takes]
        keep, source = keep is None or keep, source.body.source
    if isinstance(source, Source) and source.fits(takes[0].motion.skeleton):
        _write_original(takes, source, path, bool(keep))
        return
    builder, nodes = plain_file(takes[0].motion), list(range(len(takes[0].motion.skeleton)))
    poses = [_pose_of_joints(take.motion) for take in takes]
    _rest(builder, nodes, poses[0])
    for take, pose in zip(takes, poses, strict=True):
        _animate(builder, take, nodes, pose)
    _sign(builder, takes[0].motion, nodes, path)


def _write_original(takes: Sequence[Take], source: Source, path: Path, keep: bool) -> None:
    document, nodes = source.document, list(source.nodes)
    known = animation_names(document)
    taken = {take.motion.name for take in takes}
    builder = _original(source, {a for a, name in enumerate(known) if not keep or name in taken}, keep)
    above = [n for n in document.ancestors(nodes[0])[1:2] if not keep or n not in document.wrappers]
    try:
        with np.errstate(all="ignore"):
            poses = [_pose_of_nodes(take, source, builder, keep) for take in takes]
    except np.linalg.LinAlgError:
        raise LocomoteError(f"{document.path}: its nodes scale the body to nothing") from None
    if not keep:
        _rest(builder, nodes, poses[0])
    for take, pose in zip(takes, poses, strict=True):
        if keep:  # what has no track stands where the file has it
            now = np.array([document.node_parts(n)[0] for n in nodes])
            pose = replace(pose, translations=np.concatenate([now[None], pose.translations[1:]]))
        _animate(builder, take, nodes, pose, above[0] if above else None)
    if keep:
        _unwrap(builder, source)
        builder.save(path)
    else:
        _sign(builder, takes[0].motion, nodes, path)


def _unwrap(builder: Builder, source: Source) -> None:
    """Take nodes out again that the reader put above all others, with their tracks."""
    tree = builder.tree
    for top in source.document.wrappers[::-1]:
        below = tree["nodes"].pop()["children"]
        for scene in tree.get("scenes", []):
            if top in scene.get("nodes", []):
                scene["nodes"] = sorted([n for n in scene["nodes"] if n != top] + below)
        for animation in tree["animations"]:
            animation["channels"] = [one for one in animation["channels"] if one["target"].get("node") != top]


def _rest(builder: Builder, nodes: list[int], pose: _Pose) -> None:
    """Let the nodes rest in the bind pose."""
    for j, n in enumerate(nodes):
        node = builder.tree["nodes"][n]
        node["translation"] = pose.translations[0, j].tolist()
        node["rotation"] = _xyzw(pose.rotations[0, j]).tolist()


def _sign(builder: Builder, motion: Motion, nodes: list[int], path: Path) -> None:
    builder.tree["asset"].update(version="2.0", generator=generator())
    write_note(builder.tree, motion.skeleton, nodes)
    builder.save(path)


@dataclass(frozen=True, eq=False)
class _Pose:
    """Where nodes are against their parents: first at rest, then in every frame."""

    translations: FloatArray  # (1 + F, J, 3)
    rotations: FloatArray  # (1 + F, J, 4)
    units: FloatArray  # (J,) metres that a unit of a translation is long in the world
    lead: Way | None = None  # of the node above the joints


def _pose_of_joints(motion: Motion) -> _Pose:
    """The pose of nodes that are the joints themselves."""
    skeleton = motion.skeleton
    local = motion.translations
    if local is None:
        local = np.tile(skeleton.offsets, (len(motion), 1, 1))
        local[:, 0] = motion.root_positions
    return _Pose(
        np.concatenate([skeleton.offsets[None], local]),
        rot.normalize(np.concatenate([skeleton.rest_rotations[None], motion.rotations])),
        np.ones(len(skeleton)),
    )


def _original(source: Source, dropped: set[int], keep: bool) -> Builder:
    """The original file without some of its animations; its joints are ready to be moved."""
    document = source.document
    try:
        builder = copied(document, dropped)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        # The reader checks what a motion needs; other parts of the file may be anything.
        raise LocomoteError(f"{document.path}: its meshes or images are damaged, it cannot be written again") from None
    for n in source.nodes:
        node = builder.tree["nodes"][n]
        if keep and "matrix" not in node:
            continue
        _by_parts(node)
        scale = document.node_parts(n)[2]
        node["scale"] = np.where(np.abs(scale) < _NO_SCALE, 1.0, scale).tolist()
        if node["scale"] == [1.0, 1.0, 1.0]:
            del node["scale"]
    for skin in [] if keep else builder.tree.get("skins", []):
        if "skeleton" in skin:
            skin["skeleton"] = source.nodes[0]  # some exporters name a node that is not above all joints
    return builder


def _pose_of_nodes(take: Take, source: Source, builder: Builder, keep: bool) -> _Pose:
    """The pose that puts nodes, with their own scales and below others, where the joints are in the world."""
    motion = take.motion
    positions, turns = (
        np.concatenate([rest[None], frames])
        for rest, frames in zip(motion.skeleton.rest_pose(), motion.world(), strict=True)
    )
    if keep and source.nodes[0] in source.document.wrappers:  # it is not in the file: those below carry the motion
        positions[1:, 0], turns[1:, 0] = positions[0, 0], turns[0, 0]
    above, lead = _above(take, source, len(positions), keep)
    local, local_turns = np.empty_like(positions), np.empty_like(turns)
    units = np.empty(len(source.nodes))
    linear: list[FloatArray] = []
    for j, (n, parent) in enumerate(zip(source.nodes, source.parents, strict=True)):
        scale = np.array(builder.tree["nodes"][n].get("scale", (1.0, 1.0, 1.0)))
        scale = np.where(np.abs(scale) < _NO_SCALE, 1.0, scale)
        outer = above[:, :3, :3] if parent < 0 else linear[parent]
        origin = above[:, :3, 3] if parent < 0 else positions[:, parent]
        back = np.linalg.inv(outer)
        local[:, j] = np.einsum("fab,fb->fa", back, positions[:, j] - origin)
        # A mirrored node shows a rotation whose first axis is turned round; see `world_rotation`.
        mirrored = np.linalg.det(outer[0]) * np.prod(scale) < 0.0
        wanted = rot.to_matrix(turns[:, j]) * np.array([-1.0 if mirrored else 1.0, 1.0, 1.0])
        local_turns[:, j] = world_rotation(back @ wanted / scale)
        linear.append(outer @ (rot.to_matrix(local_turns[:, j]) * scale))
        units[j] = np.linalg.norm(outer[0], axis=0).max()
    return _Pose(local, local_turns, units, lead)


def _above(
    take: Take, source: Source, count: int, keep: bool
) -> tuple[FloatArray, tuple[FloatArray, FloatArray] | None]:
    """Where the node above all joints is in the world ``(count, 4, 4)``, and how it travels if it shall."""
    document = source.document
    up = document.ancestors(source.nodes[0])[1:]
    outer = np.eye(4)
    for n in up[:0:-1]:
        outer = outer @ document.node_matrices[n]
    own = outer @ document.node_matrices[up[0]] if up else outer
    above = np.tile(own, (count, 1, 1))
    if take.travel is None or not up or (keep and up[0] in document.wrappers):
        return above, None
    places, turns = take.travel
    moved = np.tile(np.eye(4), (len(places), 1, 1))
    moved[:, :3, :3], moved[:, :3, 3] = rot.to_matrix(turns), places
    above[1:] = moved @ own
    inside = np.linalg.inv(outer) @ above[1:]
    around = world_rotation(outer[None, :3, :3])[0]
    turned = rot.multiply(rot.multiply(rot.inverse(around), turns), around)
    return above, (inside[:, :3, 3], rot.multiply(turned, document.node_parts(up[0])[1]))


def _animate(builder: Builder, take: Take, nodes: list[int], pose: _Pose, above: int | None = None) -> None:
    """One animation with a key on every frame."""
    motion = take.motion
    if not np.all(np.abs(pose.translations) < _LARGEST):
        raise LocomoteError(f"a position is beyond {_LARGEST:g} and cannot be written as glTF")
    size = float(np.linalg.norm(motion.skeleton.offsets[1:], axis=1).sum())
    local = pose.translations[1:]
    moving = np.abs(local - pose.translations[0]).max(axis=(0, 2)) * pose.units > _MOVES * size
    moving[0] = True  # the root always gets its track
    times = builder.accessor(floats(motion.times[:, None]), bounds=True)
    samplers: list[Json] = []
    channels: list[Json] = []

    def add(node: int, path: str, values: FloatArray) -> None:
        samplers.append({"input": times, "output": builder.accessor(floats(values)), "interpolation": "LINEAR"})
        channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})

    if pose.lead is not None and above is not None:
        _by_parts(builder.tree["nodes"][above])
        add(above, "translation", pose.lead[0])
        add(above, "rotation", _xyzw(rot.continuous(pose.lead[1][:, None])[:, 0]))
    smooth = rot.continuous(pose.rotations[1:])
    for j, node in enumerate(nodes):
        if moving[j]:
            add(node, "translation", local[:, j])
        add(node, "rotation", _xyzw(smooth[:, j]))
    name = motion.name or "motion"
    builder.append(
        "animations",
        {"name": name, "samplers": samplers, "channels": channels, "extras": {"fps": motion.fps, **take.extras}},
    )


def _by_parts(node: Json) -> None:
    """A node told by a matrix told by its parts, as those that are animated must be."""
    if "matrix" in node:
        matrix = np.array(node.pop("matrix"), dtype=np.float64).reshape(4, 4).T
        translation, rotation, scale = split_matrix(matrix)
        node.update(translation=translation.tolist(), rotation=_xyzw(rotation).tolist(), scale=scale.tolist())


def _xyzw(q: FloatArray) -> FloatArray:
    return q[..., [1, 2, 3, 0]]
