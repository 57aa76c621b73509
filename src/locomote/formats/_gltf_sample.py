"""How the joints of a glTF file move: local positions and rotations over the frames of an animation."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.formats._gltf_animation import Animation, Track, on_frames
from locomote.formats._gltf_document import Document
from locomote.formats._gltf_matrix import join_matrix, world_rotation
from locomote.rotations import FloatArray

_FRAMES_AT_ONCE = 1024  # bounds the memory for world matrices
_MAX_JOINT_FRAMES = 30_000_000  # over an hour of a full body; far more is a damaged key time
_EVEN = 2.5e-7  # relative; scales that differ by two steps of float32 along the axes are one scale, rounded
_PARTS = ("translation", "rotation", "scale")

Tracks = dict[tuple[int, str], Track]


def local_pose(parents: np.ndarray, positions: FloatArray, turns: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Local positions and rotations of joints ``(..., J, 3)`` and ``(..., J, 4)`` from those in the world."""
    offsets, local = positions.copy(), turns.copy()
    above = parents[1:]
    back = rot.inverse(turns[..., above, :])
    offsets[..., 1:, :] = rot.rotate(back, positions[..., 1:, :] - positions[..., above, :])
    local[..., 1:, :] = rot.multiply(back, turns[..., 1:, :])
    return offsets, rot.canonical(rot.normalize(local))


def sample(
    document: Document, nodes: list[int], parents: np.ndarray, animation: Animation | None, fps: float
) -> tuple[FloatArray, FloatArray]:
    """Positions ``(F, J, 3)`` and rotations ``(F, J, 4)`` of joints in their parents' frames, the first in the world.

    ``nodes`` are theirs, a whole tree, and ``parents (J,)`` the place of each one's parent among them.
    """
    tracks = {} if animation is None else animation.tracks
    tracks = {key: track.in_frames(fps) for key, track in tracks.items()}
    start, end = on_frames(np.array([0.0, 0.0] if animation is None else [animation.start, animation.end]), fps)
    count = np.floor(end - start + 1e-6) + 1.0
    if count * len(nodes) > _MAX_JOINT_FRAMES:
        raise document.error(
            f"animation {animation.name if animation else ''!r}",
            f"{end / fps:.6g} s at {fps:.6g} frames per second of {len(nodes)} joints are too much to hold",
        )
    frames: FloatArray = start + np.arange(int(count), dtype=np.float64)
    above = document.ancestors(nodes[0])[:0:-1]
    scales = {node: _even_scale(document, node, tracks) for node in above + nodes}
    if all(scale is not None for scale in scales.values()):
        return _from_parts(document, (above, nodes), {n: s or 0.0 for n, s in scales.items()}, tracks, frames)
    return local_pose(parents, *_in_world(document, above, nodes, tracks, frames))


def _even_scale(document: Document, n: int, tracks: Tracks) -> float | None:
    """The scale of a node where it is one positive number at all times."""
    if "matrix" in document.items("nodes")[n]:
        return None  # it may have a shear
    values = document.node_parts(n)[2]
    if track := tracks.get((n, "scale")):
        if track.mode == "CUBICSPLINE":
            return None
        values = track.values
    least, most = float(values.min()), float(values.max())
    return least if least > 0.0 and most - least <= _EVEN * most else None


def _from_parts(
    document: Document, chain: tuple[list[int], list[int]], scales: dict[int, float], tracks: Tracks, frames: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Where every scale is even and stays, keys are already what is wanted, but for the sizes of those above."""
    above, nodes = chain
    place, turn, size = np.zeros(3), rot.IDENTITY, 1.0
    sizes = {}  # of the frame in which a node's children are
    for node in above:
        shift, own = _parts(document, node, tracks, frames)
        place, turn = place + rot.rotate(turn, size * shift), rot.multiply(turn, own)
        size *= scales[node]
        sizes[node] = size
    positions, turns = np.empty((len(frames), len(nodes), 3)), np.empty((len(frames), len(nodes), 4))
    for j, node in enumerate(nodes):
        size = sizes.get(document.parents[node], 1.0)
        shift, turns[:, j] = _parts(document, node, tracks, frames)
        positions[:, j] = shift if size == 1.0 else size * shift
        sizes[node] = size * scales[node]
    if above:
        positions[:, 0] = place + rot.rotate(turn, positions[:, 0])
        turns[:, 0] = rot.multiply(turn, turns[:, 0])
    return positions, rot.canonical(turns)


def _parts(document: Document, n: int, tracks: Tracks, frames: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Translation and rotation of a node, over the frames where it has keys."""
    given = document.node_parts(n)
    place, turn = (tracks[n, path].at(frames) if (n, path) in tracks else given[i] for i, path in enumerate(_PARTS[:2]))
    return place, turn


def _in_world(
    document: Document, above: list[int], nodes: list[int], tracks: Tracks, frames: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """World positions and rotations of nodes by their matrices, whatever scales and shears these have."""
    positions, turns = np.empty((len(frames), len(nodes), 3)), np.empty((len(frames), len(nodes), 4))
    for first in range(0, len(frames), _FRAMES_AT_ONCE):
        part = slice(first, first + _FRAMES_AT_ONCE)
        worlds: dict[int, FloatArray] = {}
        for node in above + nodes:
            local = _local_matrices(document, node, tracks, frames[part])
            parent = document.parents[node]
            worlds[node] = worlds[parent] @ local if parent in worlds else local
        linear = np.empty((*turns[part].shape[:2], 3, 3))
        for j, node in enumerate(nodes):
            positions[part, j] = worlds[node][..., :3, 3]
            linear[:, j] = worlds[node][..., :3, :3]
        turns[part] = world_rotation(linear)
    return positions, turns


def _local_matrices(document: Document, n: int, tracks: Tracks, frames: FloatArray) -> FloatArray:
    if not any((n, path) in tracks for path in _PARTS):
        return document.node_matrices[n : n + 1]
    parts = list(document.node_parts(n))
    for i, path in enumerate(_PARTS):
        if (n, path) in tracks:
            parts[i] = tracks[n, path].at(frames)
    return join_matrix(*parts)
