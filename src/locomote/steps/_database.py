"""A database of canonical steps: immutable, one file."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray
from locomote.steps._plan import LEFT, RIGHT
from locomote.steps._tetrahedra import Tetrahedra

PLAIN = "plain"  # the style of ordinary steps
# What counts as one unit of difference between two steps: about the size of a foot, on hips 0.9 m high.
PLACE_UNIT = 0.15 / 0.9  # hip heights
YAW_UNIT = float(np.radians(30.0))
TIME_UNIT = 0.20  # s
YAW_COLUMNS = slice(3, 6)  # of the features; a full turn is WHOLE_TURN of them
WHOLE_TURN = 2.0 * np.pi / YAW_UNIT

_MIRROR = np.array([-1.0, 1.0, 1.0])


@dataclass(frozen=True, eq=False)
class SideArrays:
    """The steps of one foot as plain arrays, with the tetrahedra between their parameters."""

    params: FloatArray  # (N, 3)
    yaws: FloatArray  # (N, 3)
    durations: FloatArray  # (N, 3)
    features: FloatArray  # (N, 9) parameters, yaws, durations in the units of difference above
    roots: FloatArray  # (N, T, 3)
    rotations: FloatArray  # (N, T, J, 4)
    feet: FloatArray  # (N, T, 2, 3, 3)
    knee_rolls: FloatArray  # (N, T, 2)
    simplices: IntArray  # (S, 4) steps at the corners
    neighbours: IntArray  # (S, 4) simplex across from each corner, -1 outside
    transforms: FloatArray  # (S, 4, 3): rows 0 to 2 turn ``q - row 3`` into the weights of the first three corners


@dataclass(frozen=True, eq=False)
class StepDatabase:
    """N steps of the right foot on the common skeleton (hip height 1), on the timeline of `timeline`: T samples.

    Everything is in the supporting frame: the ball of the left foot, which stands, is the origin, y is up, and the ball
    of the right foot starts on +x. Lengths are in hip heights. Steps of the left foot are the mirror images.
    """

    params: FloatArray  # (N, 3): x of the start, x and z of the landing, of the ball of the swinging foot
    yaws: FloatArray  # (N, 3) rad in the frame: supporting foot, swinging foot before and after
    durations: FloatArray  # (N, 3) s at hip height 0.9 m: initial double stance, swing, final double stance
    roots: FloatArray  # (N, T, 3) pelvis
    rotations: FloatArray  # (N, T, J, 4) local, joint 0 in the frame; those of the legs follow from the feet
    feet: FloatArray  # (N, T, 2, 3, 3) left and right; ankle, ball, tip of the toes
    knee_rolls: FloatArray  # (N, T, 2) rad, the turn of the plane of hip, knee and ankle about the line of the limb
    clips: IntArray  # (N,) index into `sources`
    sources: tuple[str, ...]  # recorded clips
    about: str = ""
    tags: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # (N,) index into `styles`
    styles: tuple[str, ...] = (PLAIN,)
    swung: IntArray = field(default_factory=lambda: np.zeros(0, dtype=np.int64))  # (N,) the foot in the record

    def __post_init__(self) -> None:
        for name, usual in (("tags", 0), ("swung", RIGHT)):
            if len(getattr(self, name)) != len(self.params):
                object.__setattr__(self, name, np.full(len(self.params), usual, dtype=np.int64))

    def __len__(self) -> int:
        return len(self.params)

    def taken(self, chosen: Any) -> StepDatabase:
        """Some of the steps, by index or mask."""
        names = [f.name for f in fields(self) if f.name not in ("sources", "about", "styles")]
        return replace(self, **{name: getattr(self, name)[chosen] for name in names})

    def only(self, style: str) -> StepDatabase:
        """The steps of one style."""
        if style not in self.styles:
            raise LocomoteError(f"no style {style!r}; there are: {', '.join(self.styles)}")
        return self.taken(self.tags == self.styles.index(style))

    @cached_property
    def features(self) -> FloatArray:
        """What tells steps apart, ``(N, 9)``: parameters, yaws and durations in their units of difference."""
        return features(self.params, self.yaws, self.durations)

    @cached_property
    def tetrahedra(self) -> Tetrahedra:
        """The tetrahedra between the parameters of right-foot steps."""
        return Tetrahedra.of(self.params)

    @cached_property
    def _sides(self) -> tuple[SideArrays, SideArrays]:
        return _mirrored(self), _plain(self)

    def arrays(self, side: int, images: bool = True) -> SideArrays:
        """The steps of one foot; row k is the same step (or its image) on both sides.

        Parameters
        ----------
        side : LEFT or RIGHT
        images : else only the steps that were recorded with this foot, in rows of their own
        """
        return self._sides[side] if images else self.taken(self.swung == side).arrays(side)

    def locate(self, query: FloatArray, side: int = RIGHT) -> tuple[IntArray, FloatArray]:
        """Corner steps ``(Q, 4)`` and weights ``(Q, 4)`` that make up given parameters; corners -1 outside.

        Parameters
        ----------
        query, side : (Q, 3) hip heights: x of the start, x and z of the landing; LEFT or RIGHT
        """
        q = np.atleast_2d(np.asarray(query, dtype=np.float64))
        simplex, weights = self.tetrahedra.locate(q * _signs(side))
        return np.where(simplex[:, None] >= 0, self.tetrahedra.simplices[simplex], -1), weights

    def nearest(self, query: FloatArray, side: int = RIGHT) -> IntArray:
        """The steps ``(Q,)`` whose parameters are nearest.

        Parameters
        ----------
        query, side : (Q, 3) hip heights: x of the start, x and z of the landing; LEFT or RIGHT
        """
        from scipy.spatial import cKDTree

        q = np.atleast_2d(np.asarray(query, dtype=np.float64))
        return np.asarray(cKDTree(self.params).query(q * _signs(side))[1], dtype=np.int64)

    def hull_volume(self) -> float:
        """The volume of the space that steps span, in cubic hip heights."""
        from scipy.spatial import ConvexHull

        return float(ConvexHull(self.params).volume)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the steps as one ``.npz`` file, lengths to a tenth of a millimetre."""
        from locomote.steps._packing import write

        write(self, path)

    @staticmethod
    def load(path: str | os.PathLike[str]) -> StepDatabase:
        """Read steps that `save` wrote."""
        from locomote.steps._packing import read

        return read(path)

    @staticmethod
    def default(style: str | None = PLAIN) -> StepDatabase:
        """The steps of one style that come with the package; with None those of all styles."""
        steps = StepDatabase.load(Path(__file__).parents[1] / "assets" / "steps.npz")
        return steps if style is None else steps.only(style)


def features(params: FloatArray, yaws: FloatArray, durations: FloatArray) -> FloatArray:
    """Parameters, yaws and durations ``(..., 3)`` as one vector ``(..., 9)`` in units of difference."""
    return np.concatenate([params / PLACE_UNIT, yaws / YAW_UNIT, durations / TIME_UNIT], axis=-1)


def difference(a: FloatArray, b: FloatArray, weights: tuple[float, float, float] = (1.0, 1.0, 1.0)) -> FloatArray:
    """How different steps with features ``(..., 9)`` are; weights of place, foot yaw and timing."""
    away = np.abs(a - b)
    yaw = away[..., YAW_COLUMNS] % WHOLE_TURN
    away = np.concatenate([away[..., :3], np.minimum(yaw, WHOLE_TURN - yaw), away[..., 6:]], axis=-1)
    out: FloatArray = away @ np.repeat(np.asarray(weights, dtype=np.float64), 3)
    return out


def mirrored_rolls(knee_rolls: FloatArray) -> FloatArray:
    """Knee rolls ``(..., 2)`` of the mirror image."""
    return -knee_rolls[..., ::-1]


def _signs(side: int) -> FloatArray:
    return np.array([-1.0, -1.0, 1.0]) if side == LEFT else np.ones(3)


def _plain(steps: StepDatabase) -> SideArrays:
    return SideArrays(
        steps.params,
        steps.yaws,
        steps.durations,
        steps.features,
        steps.roots,
        steps.rotations,
        steps.feet,
        steps.knee_rolls,
        steps.tetrahedra.simplices,
        steps.tetrahedra.neighbours,
        steps.tetrahedra.transforms,
    )


def _mirrored(steps: StepDatabase) -> SideArrays:
    """The same steps in the mirror, x to -x: tetrahedra stay, and so do their neighbours."""
    from locomote.human.jumps._units import mirrored_pose

    right = _plain(steps)
    signs = _signs(LEFT)
    roots, rotations = mirrored_pose(steps.roots, steps.rotations)
    params, yaws = steps.params * signs, -steps.yaws
    return SideArrays(
        params,
        yaws,
        steps.durations,
        features(params, yaws, steps.durations),
        roots,
        rotations,
        np.ascontiguousarray(steps.feet[:, :, ::-1] * _MIRROR),
        np.ascontiguousarray(mirrored_rolls(steps.knee_rolls)),
        right.simplices,
        right.neighbours,
        right.transforms * signs,
    )
