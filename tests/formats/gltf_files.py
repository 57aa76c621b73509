"""Small glTF documents and motions for the tests."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.formats import gltf
from locomote.motion import Motion
from locomote.skeleton import Skeleton

CODES = {"int8": 5120, "uint8": 5121, "int16": 5122, "uint16": 5123, "uint32": 5125, "float32": 5126}
KINDS = {1: "SCALAR", 2: "VEC2", 3: "VEC3", 4: "VEC4", 16: "MAT4"}


class Scene:
    """A glTF tree under construction, with one buffer in a data URI."""

    def __init__(self, nodes: list[dict[str, Any]]) -> None:
        roots = set(range(len(nodes))) - {c for node in nodes for c in node.get("children", [])}
        self.tree: dict[str, Any] = {
            "asset": {"version": "2.0"},
            "scene": 0,
            "scenes": [{"nodes": sorted(roots)}],
            "nodes": nodes,
            "accessors": [],
            "bufferViews": [],
        }
        self.data = b""

    def array(self, values: Any, dtype: str = "float32", **more: Any) -> int:
        values = np.ascontiguousarray(values, dtype=dtype)
        values = values[:, None] if values.ndim == 1 else values
        self.data += bytes(-len(self.data) % 4)
        view = {"buffer": 0, "byteOffset": len(self.data), "byteLength": values.nbytes}
        self.data += values.tobytes()
        self.tree["bufferViews"].append(view)
        self.tree["accessors"].append(
            {
                "bufferView": len(self.tree["bufferViews"]) - 1,
                "componentType": CODES[dtype],
                "count": len(values),
                "type": KINDS[values.shape[1]],
                **more,
            }
        )
        return len(self.tree["accessors"]) - 1

    def animate(self, name: str, *tracks: tuple[int, str, Any, Any], mode: str = "LINEAR") -> None:
        """Add an animation of tracks (node, path, times, values)."""
        samplers, channels = [], []
        for node, path, times, values in tracks:
            output = values if isinstance(values, int) else self.array(values)
            samplers.append({"input": self.array(times), "output": output, "interpolation": mode})
            channels.append({"sampler": len(samplers) - 1, "target": {"node": node, "path": path}})
        self.tree.setdefault("animations", []).append({"name": name, "samplers": samplers, "channels": channels})

    def skin(self, joints: list[int], inverse_binds: Any = None) -> None:
        item: dict[str, Any] = {"joints": joints}
        if inverse_binds is not None:
            flat = np.asarray(inverse_binds).transpose(0, 2, 1).reshape(len(joints), 16)
            item["inverseBindMatrices"] = self.array(flat)
        self.tree.setdefault("skins", []).append(item)

    def mesh(self, points: Any, joints: Any = None, **primitive: Any) -> None:
        attributes = {"POSITION": self.array(points)}
        if joints is not None:
            attributes["JOINTS_0"] = self.array([[j, 0, 0, 0] for j in joints], "uint8")
            attributes["WEIGHTS_0"] = self.array([[1, 0, 0, 0] for _ in joints])
        self.tree.setdefault("meshes", []).append({"primitives": [{"attributes": attributes, **primitive}]})

    def text(self, uri: str | None = None) -> bytes:
        inside = "data:application/octet-stream;base64," + base64.b64encode(self.data).decode()
        self.tree["buffers"] = [{"byteLength": len(self.data), "uri": uri or inside}]
        return json.dumps(self.tree).encode()

    def read(self, **options: Any) -> Motion:
        return gltf.read(self.text(), Path("scene.gltf"), **options)


def arm(bind_is_rest: bool = True) -> Scene:
    """Two joints and an end below an armature in centimetres and Z up, with a skin and animations."""
    quarter = np.sqrt(0.5)
    scene = Scene(
        [
            {"name": "Armature", "children": [1], "scale": [0.01] * 3, "rotation": [-quarter, 0, 0, quarter]},
            {"name": "upper", "children": [2], "translation": [0, 0, 100]},
            {"name": "lower", "children": [3], "translation": [0, 0, 30], "rotation": [0, 0, 0, 1]},
            {"name": "lower_end", "translation": [0, 0, 20]},
            {"name": "mesh", "mesh": 0, "skin": 0},
        ]
    )
    up, low = np.eye(4), np.eye(4)
    up[:3, 3], low[:3, 3] = (0, 0, 100), (0, 0, 130)
    outer = np.diag([0.01, 0.01, 0.01, 1.0])
    outer[:3, :3] = 0.01 * np.array([[1, 0, 0], [0, 0, 1], [0, -1, 0]])
    scene.skin([1, 2], np.linalg.inv(outer @ np.array([up, low])))
    scene.mesh([[0, 1.0, 0], [0.1, 1.3, 0], [0, 1.5, 0]], joints=[0, 1, 1])
    turns = [[0, 0, 0, 1], [0, quarter, 0, quarter]]
    scene.animate("wave", (2, "rotation", [0.0, 1.0], turns))
    scene.animate("still", (1, "translation", [0.0, 0.5], [[0, 0, 100], [0, 0, 100]]))
    if not bind_is_rest:
        scene.tree["nodes"][2]["rotation"] = [0, quarter, 0, quarter]
    return scene


def walker(frames: int = 40, moving_joints: bool = False, seed: int = 3, fps: float = 60.0) -> Motion:
    """A random motion of a body with a turned rest pose, end sites, and joints not in depth-first order."""
    random = np.random.default_rng(seed)
    parents = np.array([-1, 0, 0, 1, 2, 4, 3])
    rest = rot.normalize(random.normal(size=(7, 4)))
    skeleton = Skeleton(
        names=("hips", "left", "right", "left knee", "right knee", "right foot", "Fuß"),
        parents=parents,
        offsets=random.normal(scale=0.4, size=(7, 3)),
        rest_rotations=rest,
        end_parents=np.array([5, 6, 6]),
        end_offsets=random.normal(scale=0.1, size=(3, 3)),
    )
    swing = rot.exp(np.cumsum(random.normal(scale=0.1, size=(frames, 7, 3)), axis=0))
    roots = np.cumsum(random.normal(scale=0.05, size=(frames, 3)), axis=0)
    moved = None
    if moving_joints:
        moved = skeleton.offsets + random.normal(scale=0.02, size=(frames, 7, 3))
        moved[:, 0] = roots
    return Motion(skeleton, fps, roots, rot.multiply(rest, swing), moved, name="stroll")
