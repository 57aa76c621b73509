"""What is drawn: tapered capsules and meshes in the world."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from locomote import rotations as rot
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

_NEAR = 0.2  # of the distance from a camera: in front of all bodies
_CLOSER = 10.0  # depths of a camera that sees no perspective, by which the same is done


@dataclass(frozen=True, eq=False)
class Mesh:
    """Triangles in the world. Corners of one place may have normals of their own: there is an edge between them."""

    vertices: FloatArray  # (V, 3)
    triangles: IntArray  # (T, 3)
    normals: FloatArray  # (N, 3) unit
    shading: IntArray  # (T, 3) the normal of each corner
    colours: FloatArray  # (T, 3) 0 to 1


def _no_mesh() -> Mesh:
    none, nobody = np.zeros((0, 3)), np.zeros((0, 3), dtype=np.int64)
    return Mesh(none, nobody, none, nobody, none)


@dataclass(frozen=True, eq=False)
class Shapes:
    """Capsules and a mesh in the world, ready to be drawn."""

    ends: FloatArray  # (C, 2, 3)
    radii: FloatArray  # (C, 2)
    flat_axes: FloatArray  # (C, 3) unit
    flats: FloatArray  # (C,) thickness along the flat axis, 1 for round
    colours: FloatArray  # (C, 3) 0 to 1
    mesh: Mesh = field(default_factory=_no_mesh)
    overlaid: int = 0  # so many of the capsules, the last ones, are drawn over everything that hides them

    @property
    def points(self) -> FloatArray:
        """Both ends of every capsule, then the vertices, ``(P, 3)``."""
        return np.concatenate([self.ends.reshape(-1, 3), self.mesh.vertices])

    @property
    def around(self) -> FloatArray:
        """How far the shapes reach around each of the points, ``(P,)``."""
        return np.concatenate([self.radii.ravel(), np.zeros(len(self.mesh.vertices))])

    @property
    def paints(self) -> FloatArray:
        """The colours of the capsules, then of the triangles."""
        return np.concatenate([self.colours, self.mesh.colours])

    def placed(self, place: Callable[[FloatArray], FloatArray]) -> Shapes:
        """The same shapes with every point ``(..., 3)`` put elsewhere, and directions as they are."""
        mesh = replace(self.mesh, vertices=place(self.mesh.vertices))
        return replace(self, ends=place(self.ends), mesh=mesh)

    def nearer(self, camera_eye: FloatArray, forward: FloatArray, perspective: bool) -> Shapes:
        """The same picture with the overlaid capsules so near to the camera that nothing hides them."""
        if not self.overlaid:
            return self
        ends, radii = self.ends.copy(), self.radii.copy()
        last = slice(len(ends) - self.overlaid, None)
        if perspective:
            ends[last] = camera_eye + _NEAR * (ends[last] - camera_eye)
            radii[last] *= _NEAR
        else:
            ends[last] -= _CLOSER * forward
        return replace(self, ends=ends, radii=radii)

    def moved(self, rotation: FloatArray, offset: FloatArray) -> Shapes:
        """The same shapes turned about the origin, then shifted."""
        turned = self.placed(lambda points: rot.rotate(rotation, points) + offset)
        mesh = replace(turned.mesh, normals=rot.rotate(rotation, self.mesh.normals))
        return replace(turned, flat_axes=rot.rotate(rotation, self.flat_axes), mesh=mesh)


def skinned(mesh: Mesh) -> Shapes:
    """A mesh alone."""
    none = np.zeros((0, 3))
    return Shapes(np.zeros((0, 2, 3)), np.zeros((0, 2)), none, np.zeros(0), none, mesh)


def joined(parts: list[Shapes]) -> Shapes:
    """Several sets of shapes as one; what is overlaid comes last."""
    count = sum(part.overlaid for part in parts)
    if count:
        under = [_capsules(part, slice(0, len(part.ends) - part.overlaid)) for part in parts]
        over = [_capsules(part, slice(len(part.ends) - part.overlaid, None)) for part in parts]
        return replace(joined([*under, *(replace(part, mesh=_no_mesh()) for part in over)]), overlaid=count)
    meshes = [part.mesh for part in parts]
    corners = np.cumsum([0] + [len(mesh.vertices) for mesh in meshes[:-1]])
    shades = np.cumsum([0] + [len(mesh.normals) for mesh in meshes[:-1]])
    return Shapes(
        ends=np.concatenate([part.ends for part in parts]),
        radii=np.concatenate([part.radii for part in parts]),
        flat_axes=np.concatenate([part.flat_axes for part in parts]),
        flats=np.concatenate([part.flats for part in parts]),
        colours=np.concatenate([part.colours for part in parts]),
        mesh=Mesh(
            vertices=np.concatenate([mesh.vertices for mesh in meshes]),
            triangles=np.concatenate([m.triangles + at for m, at in zip(meshes, corners, strict=True)]),
            normals=np.concatenate([mesh.normals for mesh in meshes]),
            shading=np.concatenate([m.shading + at for m, at in zip(meshes, shades, strict=True)]),
            colours=np.concatenate([mesh.colours for mesh in meshes]),
        ),
    )


def _capsules(shapes: Shapes, which: slice) -> Shapes:
    """Some of the capsules, none overlaid, and the mesh."""
    return replace(
        shapes,
        overlaid=0,
        ends=shapes.ends[which],
        radii=shapes.radii[which],
        flat_axes=shapes.flat_axes[which],
        flats=shapes.flats[which],
        colours=shapes.colours[which],
    )


def extent(shapes: Shapes, axis: FloatArray) -> tuple[float, float]:
    """From where to where shapes reach along an axis."""
    at, around = shapes.points @ axis, shapes.around
    return float(np.min(at - around)), float(np.max(at + around))
