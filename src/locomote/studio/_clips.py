"""Recorded clips on the page: opened, measured, cleaned, put on another body, compared."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np

from locomote.body import Body
from locomote.cleaning import clean
from locomote.contacts import Contacts, detect
from locomote.draw import Arrows
from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.mannequin import default_body
from locomote.measures import Measures, measure
from locomote.measures.plants import PlantDrift, plant_drifts
from locomote.measures.skate import contact_skate
from locomote.motion import Motion
from locomote.physics import forces
from locomote.retargeting import retarget
from locomote.rotations import FloatArray
from locomote.samples._performance import performer
from locomote.studio._feet import WINDOW, Skating
from locomote.studio._frames import PageFrame
from locomote.studio._pieces import Look, look_of

ENDINGS = (".bvh", ".glb", ".npz", ".usda", ".usdc")  # files that stand alone
MOST_POSES = 4_000_000  # frames times joints
APART = 1.6  # m between two clips that are compared
SKATE, DRIFT = "skate_contact", "drift_max"  # the figures that are also said of the moment that is seen
SHOWN = (
    "duration", "speed", "cadence", "step_length", "double_support", SKATE, "drift_p95", DRIFT,
    "penetration", "floating", "pops", "limit_violations", "ankle_drop", "knee_step", "trunk_jolt", "knee_peak",
    "head_peak", "arm_swing", "stance_knee", "stride_variation",
)  # fmt: skip


@dataclass(frozen=True, eq=False)
class OpenClip:
    """One motion with all that is to be seen of it."""

    motion: Motion
    contacts: Contacts
    measures: Measures
    positions: FloatArray  # (F, J, 3)
    turns: FloatArray  # (F, J, 4)
    look: Look

    @classmethod
    def of(cls, motion: Motion) -> OpenClip:
        """Measure a motion and give it a body if it has none."""
        if len(motion) * len(motion.skeleton) > MOST_POSES:
            raise LocomoteError(f"{motion.name}: {len(motion)} frames; too long for the page")
        body = body_of_clip(motion)
        contacts = detect(motion)
        positions, turns = motion.world()
        look = look_of(motion.skeleton, body)
        return cls(motion, contacts, measure(motion, contacts), positions, turns, look)

    @cached_property
    def arrows(self) -> Arrows | None:
        """The forces under the feet; none for a body without legs, or too short a clip."""
        try:
            return forces(self.motion, None, self.contacts).arrows()
        except LocomoteError:
            return None

    @cached_property
    def _drifts(self) -> list[PlantDrift]:
        return plant_drifts(self.contacts)

    def reading(self, time: float) -> Skating:
        """Feet at a time, by the definitions of the table: its skate of the last second, its drift of these plants."""
        k = self.frame(time)
        now = [plant.drift for plant in self._drifts if plant.start <= k < plant.stop]
        standing = int(np.count_nonzero(self.contacts.foot[k]))
        return Skating(standing, 1000.0 * contact_skate(self.contacts, k, WINDOW), max(now, default=0.0))

    def frame(self, time: float) -> int:
        """The number of the frame at a time; the clip begins again at its end."""
        return int(time * self.motion.fps) % len(self.motion)


class Clips:
    """Two clips, side by side."""

    def __init__(self) -> None:
        self.slots: list[OpenClip | None] = [None, None]
        self.time = 0.0  # s

    def open(self, slot: int, name: str, content: bytes) -> None:
        """Show what is in a file that somebody gave."""
        self.put(slot, read_clip(name, content))

    def put(self, slot: int, motion: Motion) -> None:
        """Show a motion."""
        self.slots[slot] = OpenClip.of(motion)
        self.time = 0.0

    def sample(self) -> None:
        """A clip to begin with: a performer whose feet skate a little."""
        motion = performer(speed=1.4, seconds=6.0).motion
        slide = 0.05 * np.sin(5.0 * motion.times)[:, None] * np.array([0.4, 0.0, 1.0])
        self.put(0, replace(motion, root_positions=motion.root_positions + slide, name="sample"))

    def clean(self) -> str:
        """The first clip with clean feet, beside it."""
        made = clean(self._first().motion)
        self.put(1, replace(made.motion, name=f"{made.motion.name} cleaned"))
        if made.reason:
            return made.reason
        return f"drift {made.before.drift_p95:.1f} to {made.after.drift_p95:.1f} mm"

    def retarget(self) -> None:
        """The first clip on the body of the second."""
        first, second = self._first(), self.slots[1]
        if second is None:
            raise LocomoteError("retarget: open a second clip, whose body is to be used")
        made = retarget(first.motion, second.motion)
        self.put(1, replace(made, name=f"{first.motion.name} on {second.motion.name}"))

    def _first(self) -> OpenClip:
        if self.slots[0] is None:
            raise LocomoteError("clips: open one first")
        return self.slots[0]

    @property
    def duration(self) -> float:
        """Of the longer clip, seconds."""
        return max((clip.motion.duration for clip in self.slots if clip is not None), default=0.0)

    def advance(self, dt: float) -> None:
        """Play on; from the end it goes back to the beginning."""
        self.time += dt
        if self.time > self.duration:
            self.time = 0.0

    def seek(self, time: float) -> None:
        """Go to a time."""
        self.time = float(np.clip(time, 0.0, self.duration))

    def frame(self, slot: int) -> PageFrame | None:
        """What is to be seen of one clip; two of them stand apart."""
        clip = self.slots[slot]
        if clip is None:
            return None
        k = clip.frame(self.time)
        shift = self._shift(slot)
        points = clip.contacts.points[k : k + 1, :, :2] + shift
        standing = np.stack([clip.contacts.heel[k : k + 1], clip.contacts.toe[k : k + 1]], axis=-1)
        return PageFrame(clip.positions[k : k + 1] + shift, clip.turns[k : k + 1], np.ones(1), points, standing)

    def arrows(self) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Forces under the feet of both as they are seen: places and vectors ``(M, 3)`` m, and warnings ``(M,)``."""
        places, vectors, warned = [np.zeros((0, 3))], [np.zeros((0, 3))], [np.zeros(0)]
        for slot, clip in enumerate(self.slots):
            if clip is not None and clip.arrows is not None:
                k = clip.frame(self.time)
                places.append(clip.arrows.starts[k] + self._shift(slot))
                vectors.append(clip.arrows.vectors[k])
                warned.append(np.zeros(len(places[-1])) if clip.arrows.warned is None else clip.arrows.warned[k])
        return np.concatenate(places), np.concatenate(vectors), np.concatenate(warned)

    def _shift(self, slot: int) -> FloatArray:
        """Where a clip is put: on the floor, and two of them apart."""
        clip = self.slots[slot]
        aside = 0.5 * APART * (1.0 if slot == 0 else -1.0) if None not in self.slots else 0.0
        return np.array([aside, 0.0 if clip is None else -clip.contacts.floor.height, 0.0])

    def table(self) -> str:
        """The figures of both, as a table."""
        from locomote.measures.report import FIGURES

        clips = [clip for clip in self.slots if clip is not None]
        if not clips:
            return "Open a clip, or begin with the sample."
        head = "| |" + "".join(f" {clip.motion.name[:18]} |" for clip in clips)
        lines = [head, "|---|" + "--:|" * len(clips)]
        for name in SHOWN:
            unit, factor = ("mm/s", 1000.0) if name == SKATE else (FIGURES[name][0], 1.0)
            values = [None if v is None else factor * v for v in (getattr(clip.measures, name) for clip in clips)]
            cells = "".join(f" &ensp;{_short(value)} |" for value in values)
            lines.append(f"| {name.replace('_', ' ')} {unit} |{cells}")
        return "\n".join(lines)


def _short(value: float | None) -> str:
    """A figure of three digits, or all that are before its point."""
    if value is None:
        return "-"
    return f"{value:.0f}" if abs(value) >= 100.0 else f"{round(value, 3):.3g}"


def read_clip(name: str, content: bytes) -> Motion:
    """Read a file that somebody gave; only its ending is believed."""
    ending = Path(name).suffix.lower()
    if ending not in ENDINGS:
        raise LocomoteError(f"file: expected {', '.join(ENDINGS)}, got {ending or 'none'}")
    title = "".join(ch for ch in Path(name).stem if ch.isalnum() or ch in " -_")[:40] or "clip"
    with tempfile.TemporaryDirectory(prefix="locomote-studio-") as aside:
        path = Path(aside) / f"clip{ending}"
        path.write_bytes(content)
        try:
            motion = load(path, isolated=True) if ending == ".usdc" else load(path)
        except LocomoteError as error:
            raise LocomoteError(str(error).replace(str(path), title)) from None
    return replace(motion, name=title)


def body_of_clip(motion: Motion) -> Body:
    """The body that a clip brings; without one a skin where the bones are the walking engine's, else rounded limbs."""
    return default_body(motion.skeleton) if motion.body is None else motion.body
