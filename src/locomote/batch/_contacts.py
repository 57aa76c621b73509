"""The foot contacts of a clip as a file: intervals, events and the phase of the gait, in JSON or as plain arrays."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from locomote.errors import LocomoteError

if TYPE_CHECKING:
    from locomote.contacts import Contacts
    from locomote.motion import Motion

EXTENSIONS = (".json", ".npz")
GAITS = ("auto", "walk", "run")
DIGITS = 6  # of seconds and of phases in JSON


def contacts_of(
    motion: Motion, target: Path | None, gait: str, floor: float | None, keep_tpose: bool
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Find the contacts of a clip, write them, and tell of them.

    Parameters
    ----------
    motion : the clip
    target : a .json or .npz file to write, or none
    gait : "auto", "walk" or "run"
    floor : m, the height of a level floor; found without it
    keep_tpose : keep a T pose that was put before the recording
    """
    from locomote.contacts import Floor, detect

    known_gait({"gait": gait})
    found = detect(motion, gait=gait, floor=None if floor is None else Floor(floor), keep_tpose=keep_tpose)
    report = _summary(found)
    if target is not None and target.suffix.lower() == ".npz":
        _write_arrays(found, target)
    elif target is not None:
        from locomote.batch._verbs import write_json

        write_json({**report, **_details(found)}, target)
    return report, found.notes


def known_gait(options: dict[str, Any]) -> dict[str, Any]:
    """The options, whose gait is one that there is."""
    if options.get("gait", GAITS[0]) not in GAITS:
        raise LocomoteError(f"gait {options['gait']!r}: expected one of {', '.join(GAITS)}")
    return options


def feet_names(contacts: Contacts) -> list[str]:
    """A name for every foot, such as "left", or "right 1" for that of the second pair of legs."""
    several = max((leg.row for leg in contacts.legs), default=0) > 0
    return [f"{leg.side or 'middle'} {leg.row}" if several else leg.side or "middle" for leg in contacts.legs]


def _summary(contacts: Contacts) -> dict[str, Any]:
    """Single figures, also for the table of a batch."""
    feet, frames = len(contacts.legs), len(contacts)
    touching = contacts.foot
    kinds = [event.kind for event in contacts.events]
    return {
        "frames": frames,
        "fps": contacts.fps,
        "feet": feet,
        "strikes": kinds.count("heel_strike"),
        "lifts": kinds.count("toe_off"),
        "on_the_ground": float(touching.mean()) if feet else 0.0,  # share of the frames, over all feet
        "flight": float((contacts.support == 0).mean()) if feet else 0.0,
        "floor": {
            "height": contacts.floor.height,
            "slope_x": contacts.floor.slope_x,
            "slope_z": contacts.floor.slope_z,
        },
        "tpose": contacts.tpose,
    }


def _details(contacts: Contacts) -> dict[str, Any]:
    names = feet_names(contacts)
    return {
        "names": names,
        "intervals": {name: contacts.intervals(leg).tolist() for leg, name in enumerate(names)},
        "events": [
            {"kind": each.kind, "foot": names[each.leg], "frame": each.frame, "time": round(each.time, DIGITS)}
            for each in contacts.events
        ],
        "phase": [None if np.isnan(value) else round(float(value), DIGITS) for value in _phase(contacts)],
        "belt_velocity": list(contacts.belt_velocity),
    }


def _write_arrays(contacts: Contacts, target: Path) -> None:
    """The same as plain arrays, which NumPy reads by itself."""
    from locomote.contacts.records import EVENT_KINDS
    from locomote.formats._files import atomic_path

    events = [(each.leg, each.frame, EVENT_KINDS.index(each.kind)) for each in contacts.events]
    arrays: dict[str, Any] = {
        "fps": contacts.fps,
        "feet": np.array(feet_names(contacts), dtype="U16"),
        "heel": contacts.heel,
        "toe": contacts.toe,
        "heights": contacts.heights.astype(np.float32),
        "phase": _phase(contacts).astype(np.float32),
        "events": np.array(events, dtype=np.int64).reshape(-1, 3),
        "event_times": np.array([each.time for each in contacts.events]),
        "event_kinds": np.array(EVENT_KINDS),
        "floor": np.array([contacts.floor.height, contacts.floor.slope_x, contacts.floor.slope_z]),
    }
    with atomic_path(target) as temporary, open(temporary, "wb") as file:
        np.savez_compressed(file, **arrays)


def _phase(contacts: Contacts) -> np.ndarray[Any, np.dtype[np.float64]]:
    from locomote.contacts import phase

    return phase(contacts) if contacts.legs else np.full(len(contacts), np.nan)
