"""From a `Motion` to a glTF file: on the original mesh, on a given body, or on a body of capsules."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats._gltf_build import Builder, floats, generator
from locomote.formats._gltf_document import Json
from locomote.formats._gltf_matrix import world_rotation
from locomote.formats._gltf_note import write_note
from locomote.formats._gltf_plain import plain_file
from locomote.formats._gltf_read import Source
from locomote.formats._gltf_source import without_animations
from locomote.motion import Motion
from locomote.rotations import FloatArray

_MOVES = 1e-8  # of the length of all bones; a joint that strays further from its rest gets a translation track
_LARGEST = 1e30  # units; 32-bit floats end not far beyond
_NO_SCALE = 1e-9  # a joint scaled below this hides what hangs on it


def write_motion(motion: Motion, path: Path) -> None:
    """Write a motion with the mesh it came with, or with a plain one."""
    source = motion.body.source if motion.body is not None else None
    if isinstance(source, Source) and source.fits(motion.skeleton):
        builder, nodes = _original(source), list(source.nodes)
        try:
            with np.errstate(all="ignore"):
                pose = _pose_of_nodes(motion, source, builder)
        except np.linalg.LinAlgError:
            raise LocomoteError(f"{source.document.path}: its nodes scale the body to nothing") from None
    else:
        builder, nodes = plain_file(motion), list(range(len(motion.skeleton)))
        pose = _pose_of_joints(motion)
    if not np.all(np.abs(pose.translations) < _LARGEST):
        raise LocomoteError(f"a position is beyond {_LARGEST:g} and cannot be written as glTF")
    for j, n in enumerate(nodes):
        node = builder.tree["nodes"][n]
        node["translation"] = pose.translations[0, j].tolist()
        node["rotation"] = _xyzw(pose.rotations[0, j]).tolist()
    _animate(builder, motion, nodes, pose)
    builder.tree["asset"].update(version="2.0", generator=generator())
    write_note(builder.tree, motion.skeleton, nodes)
    builder.save(path)


@dataclass(frozen=True, eq=False)
class _Pose:
    """Where nodes are against their parents: first at rest, then in every frame."""

    translations: FloatArray  # (1 + F, J, 3)
    rotations: FloatArray  # (1 + F, J, 4)
    units: FloatArray  # (J,) metres that a unit of a translation is long in the world


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


def _original(source: Source) -> Builder:
    """The original file without its animations; its joints are ready to be moved."""
    document = source.document
    try:
        builder = without_animations(document)
    except (AttributeError, IndexError, KeyError, TypeError, ValueError):
        # The reader checks what a motion needs; other parts of the file may be anything.
        raise LocomoteError(f"{document.path}: its meshes or images are damaged, it cannot be written again") from None
    for n in source.nodes:
        node = builder.tree["nodes"][n]
        scale = document.node_parts(n)[2]
        node.pop("matrix", None)
        node["scale"] = np.where(np.abs(scale) < _NO_SCALE, 1.0, scale).tolist()
        if node["scale"] == [1.0, 1.0, 1.0]:
            del node["scale"]
    for skin in builder.tree.get("skins", []):
        if "skeleton" in skin:
            skin["skeleton"] = source.nodes[0]  # some exporters name a node that is not above all joints
    return builder


def _pose_of_nodes(motion: Motion, source: Source, builder: Builder) -> _Pose:
    """The pose that puts nodes, with their own scales and below others, where the joints are in the world."""
    document = source.document
    above = np.eye(4)
    for n in document.ancestors(source.nodes[0])[:0:-1]:
        above = above @ document.node_matrices[n]
    positions, turns = (
        np.concatenate([rest[None], frames])
        for rest, frames in zip(motion.skeleton.rest_pose(), motion.world(), strict=True)
    )
    local, local_turns = np.empty_like(positions), np.empty_like(turns)
    units = np.empty(len(source.nodes))
    linear: list[FloatArray] = []
    for j, (n, parent) in enumerate(zip(source.nodes, source.parents, strict=True)):
        scale = np.array(builder.tree["nodes"][n].get("scale", (1.0, 1.0, 1.0)))
        outer = np.broadcast_to(above[:3, :3], (len(positions), 3, 3)) if parent < 0 else linear[parent]
        origin = above[:3, 3] if parent < 0 else positions[:, parent]
        back = np.linalg.inv(outer)
        local[:, j] = np.einsum("fab,fb->fa", back, positions[:, j] - origin)
        # A mirrored node shows a rotation whose first axis is turned round; see `world_rotation`.
        mirrored = np.linalg.det(outer[0]) * np.prod(scale) < 0.0
        wanted = rot.to_matrix(turns[:, j]) * np.array([-1.0 if mirrored else 1.0, 1.0, 1.0])
        local_turns[:, j] = world_rotation(back @ wanted / scale)
        linear.append(outer @ (rot.to_matrix(local_turns[:, j]) * scale))
        units[j] = np.linalg.norm(outer[0], axis=0).max()
    return _Pose(local, local_turns, units)


def _animate(builder: Builder, motion: Motion, nodes: list[int], pose: _Pose) -> None:
    """One animation with a key on every frame."""
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

    smooth = rot.continuous(pose.rotations[1:])
    for j, node in enumerate(nodes):
        if moving[j]:
            add(node, "translation", local[:, j])
        add(node, "rotation", _xyzw(smooth[:, j]))
    name = motion.name or "motion"
    builder.append(
        "animations",
        {"name": name, "samplers": samplers, "channels": channels, "extras": {"fps": motion.fps}},
    )


def _xyzw(q: FloatArray) -> FloatArray:
    return q[..., [1, 2, 3, 0]]
