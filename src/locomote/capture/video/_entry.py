"""A gait from a film, as it is kept: key poses, the course of its phase, and what its feet do (AGV-16)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np

from locomote.capture.video._cycles import Method, PoseCycle
from locomote.capture.video._feet import Steps, measure_steps
from locomote.capture.video._keys import choose_keys
from locomote.capture.video._poses import faced_ahead
from locomote.capture.video._rhythm import Rhythm
from locomote.creatures import Creature, Crowd, Gait
from locomote.errors import LocomoteError
from locomote.formats._archives import load_archive, save_archive
from locomote.formats.native import skeleton_of, skeleton_parts
from locomote.math.constants import GRAVITY
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

FORMAT = "locomote video gait"
VERSION = 1
NAME = "film"


@dataclass(frozen=True, eq=False)
class VideoGait:
    """A gait that was seen in a film and posed by an artist.

    Parameters
    ----------
    cycle : of the poses, facing +Z on a ground at height 0
    phase : (F,) turns of the cycle of the legs in every frame of the film
    fps : frames a second of the film
    name : of the gait
    """

    cycle: PoseCycle
    phase: FloatArray
    fps: float
    name: str = NAME

    @classmethod
    def of(
        cls,
        rhythm: Rhythm,
        poses: Motion,
        keys: IntArray | None = None,
        method: Method | None = None,
        name: str = NAME,
    ) -> VideoGait:
        """The gait of a film, from the poses of its key frames.

        Parameters
        ----------
        rhythm : of the film, which must be a gait
        poses : one frame for each key, of a rig with four legs
        keys : the key frames; those that `choose_keys` finds for so many poses unless given
        method : between the poses; by how many they are unless given
        name : of the gait
        """
        rhythm.usability.require()
        frames = choose_keys(rhythm, len(poses)) if keys is None else np.asarray(keys, dtype=np.int64)
        if len(frames) != len(poses):
            told = ", ".join(map(str, frames))
            raise LocomoteError(f"{len(poses)} poses for {len(frames)} keys: pose frames {told}, in this order")
        if frames.min() < 0 or frames.max() >= len(rhythm):
            raise LocomoteError(f"key frames {frames.min()} to {frames.max()}: the film has 0 to {len(rhythm) - 1}")
        cycle = PoseCycle.of(faced_ahead(poses), rhythm.phase[frames], method)
        return cls(cycle, rhythm.phase, rhythm.fps, name)

    @cached_property
    def steps(self) -> Steps:
        """What the feet do in a cycle."""
        return measure_steps(self.cycle)

    @cached_property
    def period(self) -> float:
        """How long a cycle lasts, s."""
        return float(1.0 / (np.polyfit(np.arange(len(self.phase)), self.phase, 1)[0] * self.fps))

    @property
    def speed(self) -> float:
        """How fast the rig of the poses goes, m/s: a stride in each cycle."""
        return self.steps.stride / self.period

    def motion(self, fps: float = 60.0, seconds: float | None = None) -> Motion:
        """The rig of the poses in this gait: as in the film, or on and on at its mean pace.

        Parameters
        ----------
        fps : frames a second
        seconds : how long, at the mean pace; as long as the film and at its own pace without it
        """
        lasts = (len(self.phase) - 1) / self.fps if seconds is None else float(seconds)
        if not (np.isfinite(fps) and fps > 0.0 and np.isfinite(lasts) and lasts > 0.0):
            raise LocomoteError(f"{lasts:g} s at {fps:g} frames a second: expected more than 0 of both")
        times = np.arange(int(lasts * fps + 1e-6) + 1) / fps
        phases = times / self.period
        if seconds is None:
            phases = np.interp(times, np.arange(len(self.phase)) / self.fps, self.phase)
        spot = self.cycle.motion(phases, fps)
        roots = spot.root_positions.copy()
        roots[:, 2] = self.steps.stride * (phases - phases[0])
        return replace(spot, root_positions=roots, name=self.name)

    def gait(self) -> Gait:
        """The gait for creatures: feet L1, R1, L2, R2, at any speed."""
        from locomote.capture.video._playing import gait_of

        return gait_of(self.steps, self.period, self.name)

    @property
    def froude_speed(self) -> float:
        """Its speed over sqrt(g h), by which animals of different size are alike."""
        return float(self.speed / np.sqrt(GRAVITY * self.steps.hip_height))

    def creature(self, target: Creature | str) -> Creature:
        """Another animal on four legs that has this gait, its trunk rising and falling as in the poses.

        Parameters
        ----------
        target : a creature, or the name of one that is built in
        """
        from locomote.capture.video._playing import creature_with

        return creature_with(target, self.gait(), self.steps.rise / self.steps.hip_height, self.froude_speed)

    def crowd(self, target: Creature | str, count: int = 1, speed: float | None = None) -> Crowd:
        """Animals that go in this gait, to be stepped and commanded like any others.

        Parameters
        ----------
        target : a creature, or the name of one that is built in
        count : how many
        speed : m/s; as in the film for their size without it
        """
        from locomote.capture.video._playing import crowd_of

        kind = self.creature(target)
        pace = self.froude_speed * float(np.sqrt(GRAVITY * kind.morphology.hip_height)) if speed is None else speed
        return crowd_of(kind, self.name, pace, count)

    def save(self, path: str | PathLike[str]) -> None:
        """Write the gait, .npz; without the skin of the rig."""
        told, bones = skeleton_parts(self.cycle.skeleton)
        header = {"format": FORMAT, "version": VERSION, "name": self.name, "fps": self.fps, **told}
        header["method"] = self.cycle.method
        arrays = {"phases": self.cycle.phases, "rotations": self.cycle.rotations, "heights": self.cycle.heights}
        save_archive(Path(path), header, {**bones, **arrays, "film_phase": self.phase})

    @classmethod
    def load(cls, path: str | PathLike[str]) -> VideoGait:
        """Read a gait that `save` wrote."""
        return load_archive(Path(path), FORMAT, VERSION, _entry, "a gait from a film")


def _entry(header: dict[str, Any], arrays: dict[str, Any]) -> VideoGait:
    phase = np.asarray(arrays["film_phase"], dtype=np.float64)
    if phase.ndim != 1 or len(phase) < 2 or not np.all(np.diff(phase) > 0.0):
        raise LocomoteError("film_phase: expected numbers that rise, one a frame")
    fps = float(header["fps"])
    if not (np.isfinite(fps) and fps > 0.0):
        raise LocomoteError(f"fps {fps}: expected frames a second, more than 0")
    cycle = PoseCycle(
        skeleton_of(header, arrays), arrays["phases"], arrays["rotations"], arrays["heights"], header["method"]
    )
    return VideoGait(cycle, phase, fps, str(header["name"]))
