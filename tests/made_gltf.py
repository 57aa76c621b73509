"""glTF files as many programs write them: armatures and mesh nodes that are scaled and turned, other units and axes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.formats.units import basis
from locomote.motion import Motion
from tests.formats.gltf_files import Scene

QUARTER = rot.from_axis_angle(np.array([1.0, 0.0, 0.0]), -0.5 * np.pi)


@dataclass(frozen=True)
class Trait:
    """How a file differs from one in metres with Y up whose nodes are where its mesh is."""

    up: str = "y"
    unit: float = 1.0  # m
    armature_scale: float = 1.0
    armature_turn: bool = False  # by a quarter about X
    mesh_scale: float = 1.0  # of the node that holds the mesh, which means nothing
    mesh_turn: bool = False
    bound_in_armature: bool = True  # else in the world
    posed: bool = True  # nodes stand in a frame of the motion, not where the mesh was bound


def scene_of(motion: Motion, trait: Trait) -> Scene:
    """A scene with one skin and one animation."""
    skeleton = motion.skeleton
    into = basis(trait.up, None).T / trait.unit  # from our axes to the file's
    turn = rot.from_matrix(basis(trait.up, None).T)
    armature = np.eye(4)
    tilt = QUARTER if trait.armature_turn else rot.identity()
    armature[:3, :3] = trait.armature_scale * rot.to_matrix(tilt)

    def inside(positions: rot.FloatArray, turns: rot.FloatArray) -> tuple[rot.FloatArray, rot.FloatArray]:
        """Places and rotations of all joints in the space of the armature."""
        placed = positions @ into.T @ np.linalg.inv(armature[:3, :3]).T
        return placed, rot.multiply(rot.inverse(tilt), rot.multiply(turn, turns))

    def local(positions: rot.FloatArray, turns: rot.FloatArray) -> tuple[rot.FloatArray, rot.FloatArray]:
        places, spins = positions.copy(), turns.copy()
        above = skeleton.parents[1:]
        back = rot.inverse(turns[..., above, :])
        places[..., 1:, :] = rot.rotate(back, positions[..., 1:, :] - positions[..., above, :])
        spins[..., 1:, :] = rot.multiply(back, turns[..., 1:, :])
        return places, spins

    rest, frames = inside(*skeleton.rest_pose()), inside(*motion.world())
    local_frames = local(*frames)
    shown = (local_frames[0][0], local_frames[1][0]) if trait.posed else local(*rest)
    nodes: list[dict[str, Any]] = [{"name": "Armature", "children": [1], "scale": [trait.armature_scale] * 3}]
    nodes[0]["rotation"] = tilt[[1, 2, 3, 0]].tolist()
    for j, name in enumerate(skeleton.names):
        below = [k + 1 for k in skeleton.children(j)]
        nodes.append(
            {"name": name, "translation": shown[0][j].tolist(), "rotation": shown[1][j][[1, 2, 3, 0]].tolist()}
        )
        if below:
            nodes[-1]["children"] = below
    held = QUARTER if trait.mesh_turn else rot.identity()
    nodes.append(
        {"name": "Mesh", "mesh": 0, "skin": 0, "scale": [trait.mesh_scale] * 3, "rotation": held[[1, 2, 3, 0]].tolist()}
    )
    scene = Scene(nodes)
    bound = np.zeros((len(skeleton), 4, 4))
    bound[:, :3, :3], bound[:, :3, 3], bound[:, 3, 3] = rot.to_matrix(rest[1]), rest[0], 1.0
    bound = bound if trait.bound_in_armature else armature @ bound
    scene.skin([j + 1 for j in range(len(skeleton))], np.linalg.inv(bound))
    # A flat piece of skin around every joint, of the same shape in the world whatever the file's axes.
    corners = skeleton.rest_pose()[0][:, None] + 0.03 * np.array([[-1.0, 0, -1], [1, 0, -1], [0, 0, 1]])
    corners = inside(corners.reshape(-1, 3), rot.identity(3 * len(skeleton)))[0]
    corners = corners if trait.bound_in_armature else corners @ armature[:3, :3].T
    scene.mesh(corners, joints=np.repeat(np.arange(len(skeleton)), 3))
    tracks: list[tuple[int, str, Any, Any]] = [(1, "translation", motion.times, local_frames[0][:, 0])]
    for j in range(len(skeleton)):
        tracks.append((j + 1, "rotation", motion.times, rot.continuous(local_frames[1][:, j])[:, [1, 2, 3, 0]]))
    scene.animate("walk", *tracks)
    return scene
