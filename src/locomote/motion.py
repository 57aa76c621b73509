"""Motion: one body over time.  Poses: many bodies of one kind at one instant."""

from __future__ import annotations

import importlib
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.body import Body
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

SHOWN, SHOWN_FPS = 30, 30.0  # how many of a crowd a player shows unless told, and frames a second


@dataclass(frozen=True, eq=False)
class Motion:
    """A skeleton in movement: ``rotations`` are local, joint 0 is the root and in the world.

    ``translations`` are only there when joints other than the root move against their parents (six-channel files,
    detached feet); otherwise every joint keeps the skeleton's offset. ``notes`` say what a reader assumed.
    """

    skeleton: Skeleton
    fps: float
    root_positions: FloatArray  # (F, 3) metres
    rotations: FloatArray  # (F, J, 4) wxyz
    translations: FloatArray | None = None  # (F, J, 3) metres, in the parent's frame; [:, 0] is the root's position
    name: str = ""
    body: Body | None = None  # the skinned mesh that came with it
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        frames, joints = len(self.root_positions), len(self.skeleton)
        set_field(self, "fps", float(self.fps))
        if not (np.isfinite(self.fps) and self.fps > 0.0):
            raise LocomoteError(f"a motion's frame rate must be positive, got {self.fps}")
        if frames == 0:
            raise LocomoteError("a motion needs at least one frame")
        for field, shape in (
            ("root_positions", (frames, 3)),
            ("rotations", (frames, joints, 4)),
            ("translations", (frames, joints, 3)),
        ):
            if getattr(self, field) is None:
                continue
            values = np.ascontiguousarray(getattr(self, field), dtype=np.float64)
            if values.shape != shape:
                raise LocomoteError(f"{field}: expected shape {shape}, got {values.shape}")
            if not np.all(np.isfinite(values)):
                raise LocomoteError(f"{field}: frame {int(np.argwhere(~np.isfinite(values))[0][0])} is not finite")
            set_field(self, field, values)

    def __repr__(self) -> str:
        named, body = f" {self.name!r}" if self.name else "", ", with a body" if self.body is not None else ""
        what = (
            f"{len(self)} frames at {self.fps:g} per second ({self.duration:.2f} s), {len(self.skeleton)} joints{body}"
        )
        return f"<Motion{named}: {what}>"

    def __len__(self) -> int:
        return len(self.root_positions)

    def __getitem__(self, frames: slice) -> Motion:
        """Some of the frames: ``motion[10:50]``."""
        if not isinstance(frames, slice):
            raise TypeError("a motion is cut by a slice of frames, such as motion[10:50]")
        return self._take(np.arange(len(self))[frames])

    def _take(self, frames: Sequence[int] | np.ndarray[tuple[int], np.dtype[np.int64]]) -> Motion:
        moved = None if self.translations is None else self.translations[frames]
        return replace(
            self,
            root_positions=self.root_positions[frames],
            rotations=self.rotations[frames],
            translations=moved,
        )

    @property
    def duration(self) -> float:
        """Seconds from the first frame to the last."""
        return (len(self) - 1) / self.fps

    @property
    def times(self) -> FloatArray:
        """The time of every frame, seconds, from 0."""
        return np.arange(len(self)) / self.fps

    def world(self) -> tuple[FloatArray, FloatArray]:
        """World positions ``(F, J, 3)`` and rotations ``(F, J, 4)`` of the joints."""
        return _world(self.skeleton, self.root_positions, self.rotations, self.translations)

    def joint_positions(self) -> FloatArray:
        """World positions of the joints, ``(F, J, 3)``."""
        return self.world()[0]

    def end_positions(self) -> FloatArray:
        """World positions of the end sites, ``(F, E, 3)``."""
        positions, turns = self.world()
        at = self.skeleton.end_parents
        return positions[:, at] + rot.rotate(turns[:, at], self.skeleton.end_offsets)

    def resampled(self, fps: float) -> Motion:
        """The same motion at another rate: positions linear, rotations on the short way between frames."""
        count = max(1, int(np.floor(self.duration * fps + 1e-6)) + 1)
        return replace(self.sampled(np.arange(count) / fps * self.fps), fps=float(fps))

    def sampled(self, frames: rot.ArrayLike) -> Motion:
        """The poses at frames ``(N,)``, also between them: positions linear, rotations on the short way."""
        at = np.clip(np.asarray(frames, dtype=np.float64), 0.0, len(self) - 1)
        before = np.minimum(at.astype(int), max(len(self) - 2, 0))
        after = np.minimum(before + 1, len(self) - 1)
        t = at - before
        mix = t[:, None]
        moved = None
        if self.translations is not None:
            moved = (1 - mix[..., None]) * self.translations[before] + mix[..., None] * self.translations[after]
        return replace(
            self,
            root_positions=(1 - mix) * self.root_positions[before] + mix * self.root_positions[after],
            rotations=rot.slerp(
                self.rotations[before],
                self.rotations[after],
                np.broadcast_to(mix, (*before.shape, len(self.skeleton))),
            ),
            translations=moved,
        )

    def scaled(self, factor: float) -> Motion:
        """The same motion of a larger or smaller body: all lengths times ``factor``, times unchanged."""
        moved = None if self.translations is None else self.translations * factor
        return replace(
            self,
            skeleton=self.skeleton.scaled(factor),
            root_positions=self.root_positions * factor,
            translations=moved,
            body=None if self.body is None else self.body.scaled(factor),
        )

    def show(self, path: str | os.PathLike[str] | None = None) -> None:
        """Play it: in the notebook or the browser, or as a page of its own that is written to ``path`` (.html)."""
        _player().show(self, path)

    def _repr_html_(self) -> str:
        """What a notebook shows for it."""
        page: str = _player().player_frame(self)
        return page

    def moved(self, rotation: rot.ArrayLike = rot.IDENTITY, offset: rot.ArrayLike = (0.0, 0.0, 0.0)) -> Motion:
        """The whole motion turned about the world's origin, then shifted.

        Parameters
        ----------
        rotation, offset : (4,) and (3,) m
        """
        turns = self.rotations.copy()
        turns[:, 0] = rot.multiply(rotation, turns[:, 0])
        positions = rot.rotate(rotation, self.root_positions) + np.asarray(offset, dtype=np.float64)
        moved = self.translations
        if moved is not None:
            moved = moved.copy()
            moved[:, 0] = positions
        return replace(self, root_positions=positions, rotations=turns, translations=moved)


@dataclass(frozen=True, eq=False)
class Poses:
    """Many characters on the same skeleton at one instant; ``scales`` say how large each is beside it.

    Bodies whose proportions differ have ``offsets`` in place of those of the skeleton.

    Who makes poses frame by frame may own the arrays and overwrite them with the next frame: `copy` keeps them.
    """

    skeleton: Skeleton
    root_positions: FloatArray  # (N, 3)
    rotations: FloatArray  # (N, J, 4)
    scales: FloatArray | None = None  # (N,), 1 without them
    known_positions: FloatArray | None = None  # (N, J, 3) world positions of the joints, where already computed
    offsets: FloatArray | None = None  # (N, J, 3) metres at scale 1, of bodies with bones of their own

    def __repr__(self) -> str:
        return f"<Poses of {len(self.root_positions)}, {len(self.skeleton)} joints>"

    def __len__(self) -> int:
        return len(self.root_positions)

    def joint_positions(self) -> FloatArray:
        """World positions of the joints, ``(N, J, 3)``."""
        if self.known_positions is not None:
            return self.known_positions
        local = self.offsets
        if self.scales is not None:
            local = self.scales[:, None, None] * (self.skeleton.offsets if local is None else local)
        return _world(self.skeleton, self.root_positions, self.rotations, local)[0]

    def copy(self) -> Poses:
        """The same poses in arrays of their own."""
        return replace(
            self,
            root_positions=self.root_positions.copy(),
            rotations=self.rotations.copy(),
            scales=None if self.scales is None else self.scales.copy(),
            known_positions=None if self.known_positions is None else self.known_positions.copy(),
            offsets=None if self.offsets is None else self.offsets.copy(),
        )


def checked_motion(value: object, verb: str) -> Motion:
    """The value, if it is a motion."""
    if isinstance(value, Motion):
        return value
    hint = "load the file first" if isinstance(value, (str, os.PathLike)) else f"got {type(value).__name__}"
    raise LocomoteError(f"{verb} takes a Motion: {hint}")


def checked_motions(values: object, verb: str) -> list[Motion]:
    """The values, if they are motions."""
    if isinstance(values, Motion) or not isinstance(values, Iterable) or isinstance(values, (str, os.PathLike)):
        raise LocomoteError(f"{verb} takes a list of Motions: got {type(values).__name__}")
    return [checked_motion(value, verb) for value in values]


def show_together(motions: Sequence[Motion], path: str | os.PathLike[str] | None = None) -> None:
    """Play several motions where they are: in the notebook or the browser, or as a page that is written to ``path``."""
    _player().show(list(motions), path)


def _player() -> Any:
    """Pictures are made by a room above this one, which is only looked up when somebody asks for one."""
    return importlib.import_module("locomote.draw._player")


def _world(
    skeleton: Skeleton, root_positions: FloatArray, rotations: FloatArray, translations: FloatArray | None
) -> tuple[FloatArray, FloatArray]:
    from locomote.math.fk import forward_kinematics  # imports Numba: only when a pose is really needed

    local = skeleton.offsets[None] if translations is None else translations
    positions = np.empty((len(rotations), len(skeleton), 3))
    turns = np.empty((len(rotations), len(skeleton), 4))
    forward_kinematics(skeleton.parents, local, root_positions, rotations, positions, turns)
    return positions, turns
