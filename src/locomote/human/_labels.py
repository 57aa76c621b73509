"""Many people recorded at once, with labels: what their feet touch, events, phase and speed, in one file."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from locomote._arguments import Who, rows_of
from locomote.errors import FormatError, LocomoteError
from locomote.human._recording import character_motion, check_seconds
from locomote.human_skeleton import COMMON, bone_offsets, hip_height
from locomote.motion import Motion
from locomote.rotations import FloatArray

if TYPE_CHECKING:
    from locomote.human._crowd import Crowd

Floats32 = npt.NDArray[np.float32]
VERSION = 1
EVENTS = ("strike", "lift")
FEET = ("left", "right")


@dataclass(frozen=True, eq=False)
class Recording:
    """What some people of a crowd did: frames ``F``, people ``N``; metres, seconds, radians, world axes."""

    fps: float
    who: npt.NDArray[np.int64]  # (N,) their numbers in the crowd
    offsets: Floats32  # (N, J, 3) their bones at the start
    root_positions: npt.NDArray[np.float64]  # (N, F, 3)
    rotations: Floats32  # (N, F, J, 4) local, that of the root in the world
    leg_lengths: Floats32  # (N, F)
    contacts: npt.NDArray[np.bool_]  # (N, F, 2, 3) left and right; heel, ball, tip of the toes
    phases: Floats32  # (N, F) 0 to 1, 0 is a strike of the right heel
    speeds: Floats32  # (N, F) m/s
    turn_rates: Floats32  # (N, F) rad/s
    running: Floats32  # (N, F) the share of running
    events: npt.NDArray[np.int64]  # (E, 4) row of the person, frame, 0 left or 1 right, 0 strike or 1 lift

    def __len__(self) -> int:
        return len(self.who)

    def motion(self, row: int) -> Motion:
        """What one of them did, as a motion; ``row`` counts those who were recorded."""
        if not -len(self) <= row < len(self):
            raise LocomoteError(f"row {row}: there are {len(self)} recorded people")
        legs = self.leg_lengths[row].astype(np.float64)
        turns = self.rotations[row].astype(np.float64)
        turns /= np.linalg.norm(turns, axis=-1, keepdims=True)
        made = character_motion(self.fps, self.root_positions[row], turns, legs)
        offsets = self.offsets[row].astype(np.float64)
        moved = None
        if made.translations is not None:
            moved = offsets * (legs / legs[0])[:, None, None]
            moved[:, 0] = self.root_positions[row]
        skeleton = type(made.skeleton)(
            names=COMMON.names,
            parents=COMMON.parents,
            offsets=offsets,
            end_parents=made.skeleton.end_parents,
            end_offsets=made.skeleton.end_offsets,
            given_roles=made.skeleton.given_roles,
        )
        return Motion(skeleton, self.fps, made.root_positions, made.rotations, moved, name=f"person {self.who[row]}")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write one ``.npz`` file that NumPy reads by itself; every array is under its name here."""
        from locomote.formats._files import atomic_path

        path = Path(path)
        if path.suffix.lower() != ".npz":
            raise LocomoteError(f"{path}: recordings are written as .npz")
        with atomic_path(path) as temporary, open(temporary, "wb") as file:
            np.savez_compressed(file, **self.arrays())

    def arrays(self) -> dict[str, Any]:
        """Everything by name, as it is written: besides what is here the names of joints, feet and kinds of events."""
        arrays: dict[str, Any] = {field.name: getattr(self, field.name) for field in fields(self)}
        arrays |= {"joint_names": np.array(COMMON.names), "parents": COMMON.parents, "recording": VERSION}
        return arrays | {"feet": np.array(FEET), "event_kinds": np.array(EVENTS)}

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Recording:
        """Read what `save` wrote."""
        path = Path(path)
        try:
            with np.load(path, allow_pickle=False) as held:
                if "recording" not in held:
                    raise FormatError(path, "is no recording of a crowd")
                values = {field.name: held[field.name] for field in fields(cls)}
        except (OSError, ValueError, KeyError, EOFError) as error:
            raise FormatError(path, f"cannot be read as a recording: {error}") from None
        return cls(**{**values, "fps": float(values["fps"])})


def record_labelled(
    crowd: Crowd,
    seconds: float,
    fps: float = 60.0,
    who: Who = None,
    before: Callable[[float], None] | None = None,
) -> Recording:
    """Step a crowd for so long and keep poses and labels of some people, or of all.

    Parameters
    ----------
    crowd : it is stepped, and the world with it
    seconds, fps : how long, and steps and frames a second
    who : all, one, a slice, indices or a mask
    before : called with the time (s) ahead of every step, to tell them something else
    """
    check_seconds(seconds, fps)
    rows = rows_of(who, len(crowd))
    frames, count = int(np.floor(seconds * fps + 1e-6)) + 1, len(rows)
    roots = np.empty((count, frames, 3))
    turns = np.empty((count, frames, len(COMMON), 4), dtype=np.float32)
    contacts = np.empty((count, frames, 2, 3), dtype=bool)
    values = {
        name: np.empty((count, frames), dtype=np.float32)
        for name in ("leg_lengths", "phases", "speeds", "turn_rates", "running")
    }
    for frame in range(frames):
        if frame > 0:
            if before is not None:
                before((frame - 1) / fps)
            crowd.ground.advance(1.0 / fps)
            crowd.obstacles.advance(1.0 / fps)
            crowd.step(1.0 / fps)
        roots[:, frame], turns[:, frame] = crowd.poses.root_positions[rows], crowd.poses.rotations[rows]
        contacts[:, frame] = crowd.touching[rows]
        now: dict[str, FloatArray] = {
            "leg_lengths": crowd.leg_lengths,
            "phases": crowd.phases,
            "speeds": crowd.speeds,
            "turn_rates": crowd.turn_rates,
            "running": crowd.gaits,
        }
        for name, kept in values.items():
            kept[:, frame] = now[name][rows]
    bones = np.array([bone_offsets(crowd.proportions[row]) for row in rows])
    offsets = hip_height(1.0) * values["leg_lengths"][:, 0, None, None] * bones
    return Recording(
        fps=fps,
        who=np.asarray(rows, dtype=np.int64),
        offsets=offsets.astype(np.float32),
        root_positions=roots,
        rotations=turns,
        contacts=contacts,
        events=_events(contacts),
        **values,
    )


def _events(contacts: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Who strikes and lifts which foot when ``(E, 4)``, from which points of the feet stand ``(N, F, 2, 3)``."""
    stands = np.asarray(contacts.any(axis=-1))
    changed = np.argwhere(stands[:, 1:] != stands[:, :-1])
    changed[:, 1] += 1
    lifts = ~stands[changed[:, 0], changed[:, 1], changed[:, 2]]
    return np.column_stack([changed, lifts]).astype(np.int64)
