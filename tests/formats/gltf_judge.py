"""An independent reader of our files, on pygltflib and plain matrices: what other programs show."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from pygltflib import GLTF2, Animation

TYPES = {5121: np.uint8, 5123: np.uint16, 5125: np.uint32, 5126: np.float32}
WIDTHS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}


class Judge:
    """One file, with its accessors checked against its buffer."""

    def __init__(self, path: Path) -> None:
        self.file = GLTF2().load(str(path))
        assert self.file is not None
        buffer = self.file.buffers[0]
        self.data = self.file.binary_blob() if buffer.uri is None else self.file.get_data_from_buffer_uri(buffer.uri)
        assert len(self.data) >= buffer.byteLength
        self.parents = {c: n for n, node in enumerate(self.file.nodes) for c in node.children or []}
        self.animation = 0  # the one that is played

    def check_structure(self, animations: int = 1) -> None:
        """Every view in its buffer, every accessor in its view and aligned, every index in range."""
        file = self.file
        for view in file.bufferViews:
            assert view.buffer == 0
            assert (view.byteOffset or 0) + view.byteLength <= file.buffers[0].byteLength
        for accessor in file.accessors:
            size = np.dtype(TYPES[accessor.componentType]).itemsize
            view = file.bufferViews[accessor.bufferView]
            assert ((view.byteOffset or 0) + (accessor.byteOffset or 0)) % size == 0
            step = view.byteStride or size * WIDTHS[accessor.type]
            assert (accessor.byteOffset or 0) + step * (accessor.count - 1) < view.byteLength
        assert len(file.animations) == animations
        assert len({animation.name for animation in file.animations}) == animations
        for animation in file.animations:
            self._check_animation(animation)

    def _check_animation(self, animation: Animation) -> None:
        file = self.file
        targets = set()
        for channel in animation.channels:
            targets.add((channel.target.node, channel.target.path))
            assert file.nodes[channel.target.node].matrix is None
            sampler = animation.samplers[channel.sampler]
            times, values = file.accessors[sampler.input], file.accessors[sampler.output]
            assert times.count == values.count
            assert np.all(np.diff(self.array(sampler.input)[:, 0]) > 0.0)
            assert np.allclose(times.min, self.array(sampler.input).min(axis=0).tolist(), rtol=1e-6)
            assert np.allclose(times.max, self.array(sampler.input).max(axis=0).tolist(), rtol=1e-6)
            if channel.target.path == "rotation":
                assert np.allclose(np.linalg.norm(self.array(sampler.output), axis=1), 1.0, atol=1e-6)
        assert len(targets) == len(animation.channels)

    def array(self, a: int) -> np.ndarray:
        accessor = self.file.accessors[a]
        view = self.file.bufferViews[accessor.bufferView]
        kind = np.dtype(TYPES[accessor.componentType])
        width = WIDTHS[accessor.type]
        start = (view.byteOffset or 0) + (accessor.byteOffset or 0)
        step = view.byteStride or kind.itemsize * width
        return np.ndarray((accessor.count, width), kind, self.data, offset=start, strides=(step, kind.itemsize))

    def worlds(self, frame: int | None = None) -> list[np.ndarray]:
        """World matrices of all nodes at a key frame of the animation, or at rest."""
        moved: dict[tuple[int, str], np.ndarray] = {}
        if frame is not None:
            animation = self.file.animations[self.animation]
            for channel in animation.channels:
                values = self.array(animation.samplers[channel.sampler].output)
                moved[channel.target.node, channel.target.path] = values[frame].astype(float)
        local = [self._local(n, moved) for n in range(len(self.file.nodes))]
        out = []
        for n in range(len(local)):
            world, at = local[n], n
            while at in self.parents:
                at = self.parents[at]
                world = local[at] @ world
            out.append(world)
        return out

    def _local(self, n: int, moved: dict[tuple[int, str], np.ndarray]) -> np.ndarray:
        node = self.file.nodes[n]
        if node.matrix is not None:
            return np.array(node.matrix).reshape(4, 4).T
        x, y, z, w = moved.get((n, "rotation"), node.rotation or (0, 0, 0, 1))
        turn = np.array(
            [
                [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
            ]
        )
        out = np.eye(4)
        out[:3, :3] = turn * np.array(moved.get((n, "scale"), node.scale or (1, 1, 1)))
        out[:3, 3] = moved.get((n, "translation"), node.translation or (0, 0, 0))
        return out

    def skinned(self, frame: int | None) -> np.ndarray:
        """All skinned vertices at a key frame, as the format defines them."""
        worlds, out = self.worlds(frame), []
        for node in self.file.nodes:
            if node.mesh is None or node.skin is None:
                continue
            skin = self.file.skins[node.skin]
            binds = self.array(skin.inverseBindMatrices).astype(float).reshape(-1, 4, 4).transpose(0, 2, 1)
            matrices = np.array([worlds[j] for j in skin.joints]) @ binds
            for primitive in self.file.meshes[node.mesh].primitives:
                at = primitive.attributes
                points, joints = self.array(at.POSITION).astype(float), self.array(at.JOINTS_0)
                weights = np.nan_to_num(self.array(at.WEIGHTS_0).astype(float))
                mixed = np.einsum("vk,vkij->vij", weights, matrices[joints])
                out.append(np.einsum("vij,vj->vi", mixed[:, :3, :3], points) + mixed[:, :3, 3])
        return np.concatenate(out)
