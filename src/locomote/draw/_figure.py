"""A body around the bones: which tapered capsules a skeleton is drawn with.

Everything is measured in units of the body itself (leg, trunk or size of the whole skeleton), so that a
child, a horse and a spider of any size come out in proportion.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from locomote import rotations as rot
from locomote.draw import _palette as palette
from locomote.draw._shapes import Shapes
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray, Skeleton

WHOLE, HEEL, TOE = 0, 1, 2  # the part of a foot that a capsule shows


@dataclass(frozen=True, eq=False)
class Figure:
    """The capsules of one skeleton, tied to points of its joints and feet.

    Points ``0 .. A-1`` are anchors: an offset in the frame of a joint. After them come heel, ball and toe of
    each leg.
    """

    anchor_joints: IntArray  # (A,)
    anchor_offsets: FloatArray  # (A, 3)
    points: IntArray  # (C, 2)
    radii: FloatArray  # (C, 2)
    flat_joints: IntArray  # (C,)
    flat_axes: FloatArray  # (C, 3) in the frame of the joint
    flats: FloatArray  # (C,)
    colours: FloatArray  # (C, 3)
    foot: IntArray  # (C, 2) leg and part of the foot, -1 elsewhere
    sole: float  # metres from the ball of a foot down to its sole
    size: float  # metres; roughly the height or length of the body

    def posed(
        self, positions: FloatArray, turns: FloatArray, feet: FloatArray, heel: FloatArray, toe: FloatArray
    ) -> Shapes:
        """The body in one frame: joints ``(J, 3)``, ``(J, 4)``, feet ``(L, 3, 3)``, what touches."""
        anchors = positions[self.anchor_joints] + rot.rotate(turns[self.anchor_joints], self.anchor_offsets)
        points = np.concatenate([anchors, feet.reshape(-1, 3)])
        planted = np.zeros(len(self.points), dtype=bool)
        for part, touching in ((HEEL, heel), (TOE, toe)):
            mine = self.foot[:, 1] == part
            planted[mine] = touching[self.foot[mine, 0]]
        green = np.array(palette.PLANTED) / 255.0
        return Shapes(
            points[self.points],
            self.radii,
            rot.rotate(turns[self.flat_joints], self.flat_axes),
            self.flats,
            np.where(planted[:, None], green, self.colours),
        )


class Modeller:
    """Collects the capsules of a figure."""

    def __init__(self, skeleton: Skeleton, positions: FloatArray, turns: FloatArray, yaws: FloatArray) -> None:
        """Poses ``(K, J, 3)``, ``(K, J, 4)`` in which the body stands as usual, and where it faces ``(K,)``.

        They stand in for the rest pose, which in some files is no pose that a body can take.
        """
        self.skeleton = skeleton
        self._positions = positions
        self._to_local = rot.inverse(turns)
        self._facing = rot.from_yaw(yaws)
        level = rot.rotate(rot.inverse(self._facing)[:, None], positions - positions[:, skeleton.roles.root, None])
        self.usual: FloatArray = level.mean(axis=0)  # (J, 3) the joints of the mean pose, facing +Z
        self._anchors: list[tuple[int, FloatArray]] = []
        self._rows: list[tuple[int, int, float, float, int, FloatArray, float, palette.Colour, int, int]] = []

    def at(self, joint: int, offset: rot.ArrayLike = (0.0, 0.0, 0.0)) -> int:
        """A point in the frame of a joint."""
        self._anchors.append((joint, np.asarray(offset, dtype=np.float64)))
        return len(self._anchors) - 1

    def beside(self, joint: int, shift: rot.ArrayLike) -> int:
        """A point that moves with a joint, from a shift in the axes of the body: left, up, ahead."""
        return self.at(joint, self.local(joint, shift))

    def local(self, joint: int, shift: rot.ArrayLike) -> FloatArray:
        """A shift in the axes of the body as it is in the frame of a joint, on average."""
        seen: FloatArray = rot.rotate(self._to_local[:, joint], rot.rotate(self._facing, shift)).mean(axis=0)
        length = float(np.linalg.norm(seen))
        return seen * (float(np.linalg.norm(shift)) / length) if length > 0.0 else seen

    def way(self, joint: int, start: int, stop: int) -> FloatArray:
        """The way from one joint to another in the frame of a third, on average."""
        between = self._positions[:, stop] - self._positions[:, start]
        out: FloatArray = rot.rotate(self._to_local[:, joint], between).mean(axis=0)
        return out

    def foot_point(self, leg: int, which: int) -> int:
        """Heel (0), ball (1) or toe (2) of a leg; numbered from the end until the anchors are counted."""
        return -1 - (3 * leg + which)

    def add(
        self,
        a: int,
        b: int,
        radius_a: float,
        radius_b: float,
        colour: palette.Colour = palette.BODY,
        flat: float = 1.0,
        flat_along: tuple[int, rot.ArrayLike] = (0, (1.0, 0.0, 0.0)),
        foot: tuple[int, int] = (-1, WHOLE),
    ) -> None:
        """A capsule between two points; ``flat_along`` is a joint and a direction in the axes of the body."""
        joint, direction = flat_along
        axis = self.local(joint, direction)
        axis = axis / max(float(np.linalg.norm(axis)), 1e-12)
        self._rows.append((a, b, radius_a, radius_b, joint, axis, flat, colour, *foot))

    @property
    def drawn(self) -> bool:
        """Whether anything was added."""
        return bool(self._rows)

    def figure(self, sole: float, size: float) -> Figure:
        """All that was added."""
        count = len(self._anchors)
        rows = list(zip(*self._rows, strict=True))
        points = np.array(rows[0:2], dtype=np.int64).T
        return Figure(
            anchor_joints=np.array([joint for joint, _ in self._anchors], dtype=np.int64),
            anchor_offsets=np.array([offset for _, offset in self._anchors]).reshape(-1, 3),
            points=np.where(points < 0, count - 1 - points, points),
            radii=np.array(rows[2:4]).T.copy(),
            flat_joints=np.array(rows[4], dtype=np.int64),
            flat_axes=np.array(rows[5]),
            flats=np.array(rows[6], dtype=np.float64),
            colours=np.array(rows[7]) / 255.0,
            foot=np.array(rows[8:10], dtype=np.int64).T,
            sole=sole,
            size=size,
        )
