"""A new glTF file for a body from elsewhere, or for a plain one: nodes, skin, mesh and material."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.body import Body, vertex_normals
from locomote.formats._gltf_build import ARRAY_BUFFER, ELEMENT_ARRAY_BUFFER, Builder, floats
from locomote.formats._gltf_document import Array, Json
from locomote.mannequin import default_body
from locomote.motion import Motion
from locomote.rotations import FloatArray

_COLOUR = (0.60, 0.66, 0.74, 1.0)  # of a body without a material
_WHITE = (1.0, 1.0, 1.0, 1.0)


def plain_file(motion: Motion) -> Builder:
    """A new file with the skeleton as nodes 0, 1, ... and the body as one skinned mesh."""
    skeleton = motion.skeleton
    body = motion.body
    if body is None or not len(body.triangles) or len(body.bind_positions) != len(skeleton):
        body = default_body(skeleton)
    count = len(skeleton)
    nodes: list[Json] = [{"name": name} for name in skeleton.names]
    for j in range(count):
        if below := skeleton.children(j):
            nodes[j]["children"] = below
    # The mesh stands beside the joints: a skinned mesh is moved by them alone.
    nodes.append({"name": "body", "mesh": 0, "skin": 0})
    builder = Builder({"asset": {}, "scene": 0, "scenes": [{"nodes": [0, count]}], "nodes": nodes})
    # Inverted by parts, so that the last row is exactly (0, 0, 0, 1), as the format demands.
    inverse = np.tile(np.eye(4), (count, 1, 1))
    inverse[:, :3, :3] = rot.to_matrix(rot.inverse(body.bind_rotations))
    inverse[:, :3, 3] = -rot.rotate(rot.inverse(body.bind_rotations), body.bind_positions)
    columns = builder.accessor(floats(inverse.transpose(0, 2, 1).reshape(count, 16)))
    skin = {"joints": list(range(count)), "inverseBindMatrices": columns, "skeleton": 0}
    builder.append("skins", skin)
    own = body.colours is not None
    base = _WHITE if own else _COLOUR  # colours of vertices are multiplied by it
    surface = {"baseColorFactor": list(base), "metallicFactor": 0.0, "roughnessFactor": 0.8}
    # What brings colours may have leaves, which are seen from both sides.
    material = {"name": "body", "pbrMetallicRoughness": surface, **({"doubleSided": True} if own else {})}
    builder.append("materials", material)
    builder.append("meshes", {"name": "body", "primitives": [_primitive(builder, body)]})
    return builder


def _primitive(builder: Builder, body: Body) -> Json:
    joints, weights = _tidy_weights(body)
    attributes = {
        "POSITION": builder.accessor(floats(body.vertices), ARRAY_BUFFER, bounds=True),
        "NORMAL": builder.accessor(floats(vertex_normals(body.vertices, body.triangles)), ARRAY_BUFFER),
        "JOINTS_0": builder.accessor(joints.astype("u1" if joints.max() < 256 else "<u2"), ARRAY_BUFFER),
        "WEIGHTS_0": builder.accessor(floats(weights), ARRAY_BUFFER),
    }
    if body.colours is not None:
        attributes["COLOR_0"] = builder.accessor(floats(_linear(body.colours)), ARRAY_BUFFER)
    # The largest index of a type is reserved.
    corners = body.triangles.reshape(-1, 1).astype("<u2" if len(body.vertices) < 65535 else "<u4")
    return {
        "attributes": attributes,
        "indices": builder.accessor(corners, ELEMENT_ARRAY_BUFFER),
        "material": 0,
    }


def _tidy_weights(body: Body) -> tuple[Array, FloatArray]:
    """Joints and weights as the format demands: no joint twice at a vertex, joint 0 where the weight is 0."""
    joints, weights = body.joints.copy(), body.weights.copy()
    for k in range(1, joints.shape[1]):
        for i in range(k):
            same = joints[:, k] == joints[:, i]
            weights[same, i] += weights[same, k]
            weights[same, k] = 0.0
    weights = weights / weights.sum(axis=1, keepdims=True)
    weights[weights.astype("<f4") == 0.0] = 0.0
    joints[weights == 0.0] = 0
    return joints, weights


def _linear(colours: FloatArray) -> FloatArray:
    """Colours as amounts of light, which the format counts in; ours are as screens have them."""
    return np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
