"""Characters of one kind on the page: a whole crowd in one batch a joint, the nearest ones with a true skin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from locomote import rotations as rot
from locomote.draw import _palette as palette
from locomote.rotations import FloatArray
from locomote.studio._pieces import Look

if TYPE_CHECKING:
    import viser

BoolArray = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Floats32 = npt.NDArray[np.float32]
UNTURNED: Floats32 = np.array(rot.IDENTITY, dtype=np.float32)
HIDDEN = 1e-4  # the scale of an instance that is not to be seen; at 0 it would have no normals


class CrowdView:
    """Shows poses of N characters. ``skinned`` of them at most bend smoothly; the others are stiff between joints.

    A frame is one update of places and one of rotations for each joint that carries skin, whatever the number of
    characters.
    """

    def __init__(self, scene: viser.SceneApi, name: str, look: Look, count: int, shadows: bool = True) -> None:
        self.look, self.count = look, count
        self._joints = np.array([piece.joint for piece in look.pieces])
        self._nodes = []
        self._scales = np.ones(count, dtype=np.float32)
        self._green = np.zeros((count, len(look.skeleton.roles.legs)), dtype=bool)
        self._scene, self._name, self._shadows = scene, name, shadows
        self._skins: list[list[viser.MeshHandle]] = []
        self._skin_green: list[BoolArray] = []
        for k, piece in enumerate(look.pieces):
            self._nodes.append(
                scene.add_batched_meshes_simple(
                    f"{name}/piece{k}",
                    piece.vertices.astype(np.float32),
                    piece.triangles.astype(np.uint32),
                    batched_wxyzs=np.tile(UNTURNED, (count, 1)),
                    batched_positions=np.zeros((count, 3), dtype=np.float32),
                    batched_scales=self._scales,
                    batched_colors=np.tile(linear(piece.colour), (count, 1)),
                    lod="off",
                    cast_shadow=shadows,
                    receive_shadow=False,
                )
            )

    def show(
        self,
        positions: FloatArray | Floats32,
        turns: FloatArray,
        scales: FloatArray | None = None,
        planted: BoolArray | None = None,
        skinned: tuple[int, ...] = (),
    ) -> None:
        """One frame: joints ``(N, J, 3)`` and ``(N, J, 4)`` as they are seen, which feet stand ``(N, L)``."""
        sizes = np.ones(self.count) if scales is None else scales
        places, wxyzs = positions.astype(np.float32), turns.astype(np.float32)
        for node, joint in zip(self._nodes, self._joints, strict=True):
            node.batched_positions = places[:, joint]
            node.batched_wxyzs = wxyzs[:, joint]
        hidden = sizes.astype(np.float32)
        hidden[list(skinned)] = HIDDEN
        if not np.array_equal(hidden, self._scales):
            self._scales = hidden
            for node in self._nodes:
                node.batched_scales = hidden
        if planted is not None:
            self._colour_feet(planted)
        self._show_skins(positions.astype(np.float64), turns, sizes, planted, skinned)

    def _colour_feet(self, planted: BoolArray) -> None:
        """Feet that stand are green."""
        changed = np.any(planted != self._green, axis=0)
        self._green = planted.copy()
        for node, piece in zip(self._nodes, self.look.pieces, strict=True):
            if piece.foot >= 0 and changed[piece.foot]:
                green = planted[:, piece.foot, None]
                node.batched_colors = np.where(green, linear(palette.PLANTED), linear(piece.colour))

    def _show_skins(
        self,
        positions: FloatArray,
        turns: FloatArray,
        sizes: FloatArray,
        planted: BoolArray | None,
        who: tuple[int, ...],
    ) -> None:
        while len(self._skins) < len(who):
            self._add_skin()
        for slot, nodes in enumerate(self._skins):
            seen = slot < len(who)
            for node in nodes:
                node.visible = seen
            if not seen:
                continue
            n = who[slot]
            # A larger body is the same one seen from nearer: posed at the size of the look, then scaled about the root.
            root = positions[n, 0]
            vertices = self.look.body.posed((positions[n] - root) / sizes[n] + root, turns[n])
            vertices = ((vertices - root) * sizes[n] + root).astype(np.float32)
            feet = np.zeros(self._green.shape[1], dtype=bool) if planted is None else planted[n]
            for node, part in zip(nodes, self.look.parts, strict=True):
                node.vertices = vertices[part.vertices]
                if part.foot >= 0:
                    node.color = palette.PLANTED if feet[part.foot] else part.colour

    def _add_skin(self) -> None:
        slot = len(self._skins)
        self._skins.append(
            [
                self._scene.add_mesh_simple(
                    f"{self._name}/skin{slot}/part{k}",
                    self.look.body.vertices[part.vertices].astype(np.float32),
                    part.triangles.astype(np.uint32),
                    color=part.colour,
                    cast_shadow=self._shadows,
                    receive_shadow=False,
                )
                for k, part in enumerate(self.look.parts)
            ]
        )

    def remove(self) -> None:
        """Take them off the page."""
        for node in [*self._nodes, *(node for nodes in self._skins for node in nodes)]:
            node.remove()


def linear(colour: palette.Colour) -> Bytes:
    """A colour of the palette as instances take it: in even steps of light."""
    share = np.array(colour) / 255.0
    light = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return np.round(255.0 * light).astype(np.uint8)
