"""Foot skate and ground penetration taken out of a recorded motion."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from locomote import rotations as rot
from locomote.cleaning._planting import plant_feet
from locomote.cleaning._sliding import slides_further, sound
from locomote.cleaning._soles import HEEL
from locomote.contacts import Contacts, Floor, detect, detect_points, foot_points
from locomote.contacts.belts import travelling
from locomote.contacts.records import BoolArray
from locomote.errors import LocomoteError, SkeletonError
from locomote.measures import FIGURES, Measures, measure
from locomote.measures.doubts import doubts
from locomote.measures.report import figures
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray

# Shares of its length between which a leg may be stretched as it was recorded; a straight leg shakes its knee once the
# foot no longer shakes with the hip. Tried in turn until nothing gets worse.
STRAIGHT = ((0.997, 0.9985), (0.989, 0.993), (0.98, 0.985), (0.97, 0.98))
# m, of an adult, by which a foot may stray in the air: further only where its joints would quicken too much.
STRAYS = (0.012, 0.02, 0.03, 0.045)
LEAST_WORSE = 1.0  # mm of drift or penetration that nobody sees
MOST_ACCELERATION = 1.5  # times that of the source
PLAIN_ACCELERATION = 200.0  # m/s^2, half of what unfiltered captures of walks reach; less is no fault
LEAST_FRAMES = 3  # fewer show no movement


@dataclass(frozen=True, eq=False)
class Cleaned:
    """The motion with clean feet, and what it was before; ``reason`` says why nothing was done, where so."""

    motion: Motion
    before: Measures
    after: Measures
    mean_change: float  # mm, of the joints' places over all frames
    max_change: float  # mm
    sink: float  # mm, the most by which the body was lowered
    reason: str = ""
    notes: tuple[str, ...] = ()  # what was taken for granted, and what is doubtful, one line each

    def as_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "before": self.before.as_dict(),
            "after": self.after.as_dict(),
            "mean_change": self.mean_change,
            "max_change": self.max_change,
            "sink": self.sink,
            "reason": self.reason,
            "notes": list(self.notes),
        }


def clean(
    motion: Motion,
    *,
    floor: Floor | None = None,
    contacts: Contacts | None = None,
    keep_tpose: bool = False,
) -> Cleaned:
    """The motion with feet that stand still where they touch the floor and never go through it.

    Legs and feet change, and the place of the body by a little: knees go on bending as recorded, and legs reach. All
    else stays as recorded.

    Parameters
    ----------
    motion : any with legs
    floor, contacts : found from the motion unless given
    keep_tpose : a T pose that was put before the recording is left out unless kept
    """
    motion = checked_motion(motion, "clean")
    if not motion.skeleton.roles.legs:
        raise SkeletonError("clean: no legs found; name the joints of the legs with roles")
    if contacts is None:
        contacts = detect(motion, floor=floor, keep_tpose=keep_tpose)
        if contacts.notes:
            return _on_the_move(motion, contacts, floor)
    elif floor is not None:
        raise LocomoteError("clean: contacts bring their own floor; give one of the two")
    if len(contacts) != len(motion):
        raise LocomoteError(f"clean: the contacts have {len(contacts)} frames, the motion {len(motion)}")
    before, doubtful = measure(motion, contacts), doubts(motion, contacts)
    if len(motion) < LEAST_FRAMES or not np.any(contacts.foot):
        short = len(motion) < LEAST_FRAMES
        reason = f"the clip has only {len(motion)} frames" if short else "no foot touches the floor"
        return Cleaned(motion, before, before, 0.0, 0.0, 0.0, reason, doubtful)
    worse: list[str] = []
    for straight in STRAIGHT:
        kept = sound(contacts)
        done = _planted(motion, contacts, kept, straight, STRAYS[0])
        worse = _worse(before, done.after)
        further = slides_further(done.judged, contacts) & ~kept
        if worse and np.any(further):
            kept = kept | further
            done = _planted(motion, contacts, kept, straight, STRAYS[0])
            worse = _worse(before, done.after)
        if not worse:
            done = _calmer(motion, contacts, kept, straight, before, done)
            break
    else:
        reason = f"feet that stand would make the clip worse: {', '.join(worse)}"
        return Cleaned(motion, before, before, 0.0, 0.0, 0.0, reason, doubtful)
    change = 1000.0 * np.linalg.norm(done.motion.joint_positions() - motion.joint_positions(), axis=-1)
    return Cleaned(
        done.motion,
        before,
        done.after,
        mean_change=float(np.mean(change)),
        max_change=float(np.max(change)),
        sink=1000.0 * float(np.max(done.sink)),
        notes=doubtful,
    )


def _on_the_move(motion: Motion, found: Contacts, floor: Floor | None) -> Cleaned:
    """The same of a clip without its T pose, and of somebody on a treadmill as if over ground."""
    belt = np.array(found.belt_velocity)
    source = travelling(motion[found.tpose :], belt)
    contacts = detect(source, floor=floor, belt_velocity=(0.0, 0.0, 0.0), keep_tpose=True)
    done = clean(source, contacts=contacts)
    return replace(done, motion=travelling(done.motion, -belt), notes=(*found.notes, *done.notes))


class _Planted(NamedTuple):
    """A motion with planted feet, how far it sank ``(F,)``, what it is judged by, and the verdict."""

    motion: Motion
    sink: FloatArray
    judged: Contacts
    after: Measures


def _planted(
    motion: Motion, contacts: Contacts, kept: BoolArray, straight: tuple[float, float], stray: float
) -> _Planted:
    result, sink = plant_feet(motion, contacts, kept, straight, stray)
    judged = _judged(motion, result, contacts)
    return _Planted(result, sink, judged, figures(result, judged))


def _calmer(
    motion: Motion,
    contacts: Contacts,
    kept: BoolArray,
    straight: tuple[float, float],
    before: Measures,
    done: _Planted,
) -> _Planted:
    """The same with feet that stray further in the air, if a joint quickens too much and that makes it less."""
    for stray in STRAYS[1:]:
        if done.after.peak_acceleration <= MOST_ACCELERATION * before.peak_acceleration:
            break
        tried = _planted(motion, contacts, kept, straight, stray)
        if tried.after.peak_acceleration < done.after.peak_acceleration and not _worse(before, tried.after):
            done = tried
    return done


def _judged(motion: Motion, result: Motion, contacts: Contacts) -> Contacts:
    """When feet stood before, and where the same points of them are now, over where they touch now.

    Contacts found anew would hide a slide that makes them shorter.
    """
    points = foot_points(result)
    (old, old_turns), (new, new_turns) = motion.world(), result.world()
    for i, leg in enumerate(contacts.legs):
        # The heel of a rig is guessed from how its feet stand: that of before stays the heel.
        turn = rot.multiply(new_turns[:, leg.ankle], rot.inverse(old_turns[:, leg.ankle]))
        points[:, i, HEEL] = new[:, leg.ankle] + rot.rotate(turn, contacts.points[:, i, HEEL] - old[:, leg.ankle])
    length = motion.skeleton.leg_length()
    found = detect_points(points, motion.fps, legs=contacts.legs, leg_length=length, floor=contacts.floor)
    return replace(contacts, points=points, heights=found.heights)


def _worse(before: Measures, after: Measures) -> list[str]:
    """What got worse, with its figures."""
    limits = {
        "drift_p95": before.drift_p95 + LEAST_WORSE,
        "penetration": before.penetration + LEAST_WORSE,
        "peak_acceleration": max(MOST_ACCELERATION * before.peak_acceleration, PLAIN_ACCELERATION),
    }
    out = []
    for name, limit in limits.items():
        was, now = getattr(before, name), getattr(after, name)
        if now > limit:
            out.append(f"{name} {was:.0f} to {now:.0f} {FIGURES[name][0]}")
    return out
