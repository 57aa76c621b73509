"""From recorded clips to canonical steps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from locomote import rotations as rot
from locomote.contacts import Contacts, detect
from locomote.contacts.belts import travelling
from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.human._model import REFERENCE_HIP_HEIGHT
from locomote.human.fitting._calibration import Calibration, sole_pitch
from locomote.human.fitting._denoising import cleaned, smoothed
from locomote.human.fitting._importing import Capture, import_motion
from locomote.human.fitting._material import Skipped, told
from locomote.human.jumps._units import mirrored_pose, sampled, sampled_rotations
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.steps._database import PLAIN, StepDatabase
from locomote.steps._detecting import stances
from locomote.steps._packing import LENGTH_STEP
from locomote.steps._plan import LEFT
from locomote.steps._timeline import FINAL, INITIAL, SWING
from locomote.steps.building._cutting import Cut, cut_steps
from locomote.steps.building._foot_cleanup import clean
from locomote.steps.building._postures import evened

CUTOFF = 12.0  # Hz
PELVIS_PITCH = np.radians(3.0)  # forwards, of people who walk
CLOSEST = 0.02 / 0.9  # hip heights between the balls; closer feet give the frame no direction
# What makes a recorded step usable; lengths in hip heights.
MOST_DRIFT = 0.03 / 0.9  # of the supporting ball during the swing
MOST_SHIFT = 0.10  # of a standing foot, by which its roll and the record's faults are taken out
MOST_LOWERING = 0.05
HIGHEST_SWING = 0.33  # of the ball
OFF_FLOOR = 0.05  # of a plant
FASTEST_ROLL = np.radians(12.0)  # of a knee about its limb from one sample to the next

CLOSE_FEET, DRIFT, SHIFTED, STRETCHED, HIGH, UNEVEN, TWISTED = (
    "feet too close", "supporting foot drifts", "standing foot moves", "legs do not reach", "swings too high",
    "stands off the floor", "knee turns at once",
)  # fmt: skip

_FEET = [COMMON.index(name) for name in ("LeftFoot", "RightFoot")]
_BALLS = [COMMON.index(name) for name in ("LeftToeBase", "RightToeBase")]
_LEVEL = np.array([1.0, 0.0, 1.0])
_UP = np.array([0.0, 1.0, 0.0])
_SHARES = np.concatenate(
    [np.arange(INITIAL) / INITIAL, 1.0 + np.arange(SWING) / SWING, 2.0 + np.arange(FINAL + 1) / FINAL]
)


@dataclass(frozen=True)
class StepClip:
    """A recorded clip of one performer and how it is walked."""

    path: Path
    performer: str
    style: str = PLAIN
    drop_tpose: bool = False  # the first frame is no part of the motion

    @property
    def name(self) -> str:
        """The file's name without its endings."""
        return self.path.name.split(".")[0]


@dataclass(frozen=True, eq=False)
class Built:
    """All usable steps of the clips, how many were left out for which reason, and clips that gave none."""

    steps: StepDatabase
    cut: int
    left_out: Counter[str] = field(default_factory=Counter)
    skipped: tuple[Skipped, ...] = ()  # clips that gave nothing


def build_steps(clips: Iterable[StepClip], about: str = "") -> Built:
    """Cut, clean, normalise and even out the steps of recorded clips, mirrored so that the right foot swings.

    Parameters
    ----------
    clips : files with their styles
    about : recordings, acknowledgements, licence
    """
    clips = list(clips)
    left_out: Counter[str] = Counter()
    parts: list[_Raw] = []
    skipped: list[Skipped] = []
    for performer in dict.fromkeys(clip.performer for clip in clips):
        mine = [k for k, clip in enumerate(clips) if clip.performer == performer]
        found, reasons, empty = _performer_steps(mine, [clips[k] for k in mine])
        parts += found
        left_out += reasons
        skipped += empty
    if not parts:
        why = f": {told(skipped)}" if skipped else ""
        raise LocomoteError(f"no step found in these clips, expected walks with double stances{why}")
    styles = tuple(dict.fromkeys([PLAIN, *(clip.style for clip in clips)]))
    fields, reasons = _canonical(parts, [styles.index(clip.style) for clip in clips])
    steps = StepDatabase(**fields, sources=tuple(clip.name for clip in clips), about=about, styles=styles)
    return Built(evened(steps), len(parts), left_out + reasons, tuple(skipped))


@dataclass(frozen=True, eq=False)
class _Take:
    """One clip on the common skeleton, and when its feet stand."""

    number: int  # of the clip
    name: str
    capture: Capture
    contacts: Contacts
    leg: float  # m, hip to ankle


@dataclass(frozen=True, eq=False)
class _Raw:
    """One step as recorded, on the common timeline, the right foot swinging."""

    clip: int
    side: int  # of the foot that swung in the record
    roots: FloatArray  # (T, 3)
    rotations: FloatArray  # (T, J, 4)
    places: FloatArray  # (3, 3) balls of the supporting foot, and of the swinging one before and after
    headings: FloatArray  # (3, 3) directions of the same feet when flat
    durations: FloatArray  # (3,) s at the reference hip height
    off_floor: float  # the largest height difference between these places


def _performer_steps(
    numbers: Sequence[int], clips: Sequence[StepClip]
) -> tuple[list[_Raw], Counter[str], list[Skipped]]:
    """The steps of all clips of one performer, for calibration is common to them, and the clips without any."""
    takes: list[_Take] = []
    skipped: list[Skipped] = []
    for number, clip in zip(numbers, clips, strict=True):
        try:
            takes.append(_take(number, clip))
        except LocomoteError as error:
            skipped.append(Skipped(f"clip {clip.name}", str(error)))
    out: list[_Raw] = []
    left_out: Counter[str] = Counter()
    if not takes:
        return out, left_out, skipped
    calibration = _calibration(takes)
    # All at once: the head is level on average over what a performer does, not in every mood.
    every = [np.concatenate([getattr(take.capture, name) for take in takes]) for name in ("root", "rotations")]
    roots, rotations = calibration.apply(every[0], every[1])
    ends = np.cumsum([len(take.capture) for take in takes])[:-1]
    for take, root, turns in zip(takes, np.split(roots, ends), np.split(rotations, ends), strict=True):
        cuts, reasons = cut_steps(take.contacts, take.leg)
        left_out += reasons
        if not cuts:
            why = (
                ", ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
                or "no foot comes down twice"
            )
            skipped.append(Skipped(f"clip {take.name}", f"no step: {why}"))
        positions = Motion(COMMON, 1.0, root, turns).joint_positions()
        out += [_raw(take.number, take.capture, root, turns, positions, cut) for cut in cuts]
    return out, left_out, skipped


def _take(number: int, clip: StepClip) -> _Take:
    motion = load(clip.path, drop_tpose=True) if clip.drop_tpose else load(clip.path)
    contacts = detect(motion)
    if any(contacts.belt_velocity):  # on a treadmill
        motion = travelling(motion, contacts.belt_velocity)
        contacts = detect(motion, belt_velocity=(0.0, 0.0, 0.0))
    capture = smoothed(cleaned(import_motion(motion))[0], CUTOFF)
    return _Take(number, clip.name, capture, contacts, motion.skeleton.leg_length())


def _calibration(takes: Sequence[_Take]) -> Calibration:
    """Pelvis, feet and toes of a performer set right: flat feet have level soles."""
    pelvis: list[FloatArray] = []
    feet: list[list[FloatArray]] = [[], []]
    toes: list[list[FloatArray]] = [[], []]
    for take in takes:
        _, world = Motion(COMMON, 1.0, take.capture.root, take.capture.rotations).world()
        pelvis.append(sole_pitch(world[:, 0]))
        for side, found in enumerate(stances(take.contacts, take.leg)):
            frames = np.concatenate([stance.flat for stance in found] or [np.zeros(0, dtype=np.int64)])
            feet[side].append(sole_pitch(world[frames, _FEET[side]]))
            toes[side].append(sole_pitch(world[frames, _BALLS[side]]))
    foot = [-_median(feet[side]) for side in (0, 1)]
    toe = [-_median(toes[side]) - foot[side] for side in (0, 1)]
    return Calibration(PELVIS_PITCH - _median(pelvis), (foot[0], foot[1]), (toe[0], toe[1]))


def _median(parts: list[FloatArray]) -> float:
    values = np.concatenate(parts)
    return float(np.median(values)) if len(values) else 0.0


def _raw(number: int, capture: Capture, root: FloatArray, turns: FloatArray, positions: FloatArray, cut: Cut) -> _Raw:
    swing, support = cut.side, 1 - cut.side
    feet = ((support, cut.support), (swing, cut.before), (swing, cut.after))
    places = np.stack([np.median(positions[frames, _BALLS[side]], axis=0) for side, frames in feet])
    ahead = [positions[frames, _BALLS[side]] - positions[frames, _FEET[side]] for side, frames in feet]
    headings = np.stack([np.median(one, axis=0) for one in ahead]) * _LEVEL
    at = np.interp(_SHARES, np.arange(4.0), cut.times) * capture.fps
    at = np.clip(at, 0, len(root) - 1)
    sample_root, sample_turns = sampled(root, at), sampled_rotations(turns, at)
    if swing == LEFT:
        sample_root, sample_turns = mirrored_pose(sample_root, sample_turns)
        places, headings = places * [-1.0, 1.0, 1.0], headings * [-1.0, 1.0, 1.0]
    durations = np.diff(cut.times) * np.sqrt(REFERENCE_HIP_HEIGHT / capture.hip_height)
    return _Raw(
        number, swing, sample_root, rot.continuous(sample_turns), places, headings, durations,
        float(np.ptp(places[:, 1])),
    )  # fmt: skip


def supporting_frame(support: FloatArray, start: FloatArray, side: int) -> FloatArray:
    """The yaw ``(...)``, rad, of the turn from the world into the supporting frame.

    It brings the start of a right foot onto +x, that of a left one onto -x; the origin is the supporting ball.

    Parameters
    ----------
    support, start : (..., 3), balls of the feet in the world
    side : LEFT or RIGHT, that swings
    """
    away = np.asarray(start) - np.asarray(support)
    sign = -1.0 if side == LEFT else 1.0
    # A turn by yaw brings (x, z) to (x cos + z sin, z cos - x sin).
    return np.arctan2(sign * away[..., 2], sign * away[..., 0])


def parameters(support: FloatArray, start: FloatArray, landing: FloatArray, side: int) -> FloatArray:
    """The three numbers ``(..., 3)`` that describe a step, in the units of the places.

    Parameters
    ----------
    support, start, landing : (..., 3), balls of the feet in the world
    side : LEFT or RIGHT, that swings
    """
    turn = rot.from_yaw(supporting_frame(support, start, side))
    first, last = rot.rotate(turn, start - support), rot.rotate(turn, landing - support)
    return np.stack([first[..., 0], last[..., 0], last[..., 2]], axis=-1)


def _canonical(parts: Sequence[_Raw], tags: Sequence[int]) -> tuple[dict[str, Any], Counter[str]]:
    """The fields of a database, and how many steps were left out for which reason."""
    places = np.stack([part.places for part in parts])
    turn = rot.from_yaw(supporting_frame(places[:, 0], places[:, 1], 1))
    places = rot.rotate(turn[:, None], places - places[:, :1] * _LEVEL)
    places = LENGTH_STEP * np.round(places / LENGTH_STEP)
    headings = rot.rotate(turn[:, None], np.stack([part.headings for part in parts]))
    roots = np.stack([part.roots - part.places[0] * _LEVEL for part in parts])
    rotations = np.stack([part.rotations for part in parts])
    roots = rot.rotate(turn[:, None], roots)
    rotations[:, :, 0] = rot.multiply(turn[:, None], rotations[:, :, 0])
    done = clean(roots, rotations, places[:, 0], places[:, 1], places[:, 2])
    wrong = {
        CLOSE_FEET: np.minimum(*(np.hypot(p[:, 0], p[:, 2]) for p in (places[:, 1], places[:, 2]))) < CLOSEST,
        DRIFT: done.drift > MOST_DRIFT,
        SHIFTED: done.shift > MOST_SHIFT,
        STRETCHED: done.lowered > MOST_LOWERING,
        HIGH: done.limbs.feet[:, :, 1, 1, 1].max(axis=1) > HIGHEST_SWING,
        TWISTED: np.abs(np.diff(done.limbs.knee_rolls, axis=1)).max(axis=(1, 2)) > FASTEST_ROLL,
        UNEVEN: np.array([part.off_floor for part in parts]) > OFF_FLOOR,
    }
    good = np.ones(len(parts), dtype=bool)
    left_out: Counter[str] = Counter()
    for reason, bad in wrong.items():
        left_out[reason] += int(np.sum(good & bad))
        good &= ~bad
    clips = np.array([part.clip for part in parts], dtype=np.int64)
    everything = {
        "params": np.stack([places[:, 1, 0], places[:, 2, 0], places[:, 2, 2]], axis=1),
        "yaws": np.arctan2(headings[..., 0], headings[..., 2]),
        "durations": np.stack([part.durations for part in parts]),
        "roots": done.limbs.roots,
        "rotations": done.limbs.rotations,
        "feet": done.limbs.feet,
        "knee_rolls": done.limbs.knee_rolls,
        "clips": clips,
        "tags": np.asarray(tags, dtype=np.int64)[clips],
        "swung": np.array([part.side for part in parts], dtype=np.int64),
    }
    return {name: values[good] for name, values in everything.items()}, left_out
