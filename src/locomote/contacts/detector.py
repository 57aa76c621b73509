"""Which foot touches the ground when, from the movement of heel, ball and toe."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from locomote.contacts import belts
from locomote.contacts.feet import ADULT_LEG, foot_points, resting_points, velocities
from locomote.contacts.floor import Floor, fit_floor
from locomote.contacts.records import Contacts
from locomote.contacts.rolling import frames_and_events, roll
from locomote.contacts.settings import Settings
from locomote.contacts.swings import Foot, InFlight, Span, contact_spans
from locomote.errors import LocomoteError
from locomote.formats.bvh import added_tpose
from locomote.motion import Motion, checked_motion
from locomote.rotations import FloatArray
from locomote.skeleton import Leg

_HEEL, _TOE = 0, 2
_GAITS = ("auto", "walk", "run")
_LOW_SHARE = 5.0  # per cent of the frames, the lowest, that show at which height a point touches
_HIGHEST_TOUCH = 0.08  # m over the floor; a point that never comes lower has not touched it


def detect(
    motion: Motion,
    *,
    gait: str = "auto",
    floor: Floor | None = None,
    settings: Settings | None = None,
    belt_velocity: npt.ArrayLike | None = None,
    keep_tpose: bool = False,
) -> Contacts:
    """The foot contacts of a motion.

    Parameters
    ----------
    motion : any with legs
    gait : "walk", "run", or "auto": by whether the other foot is on the ground as a foot lands and leaves
    floor : fitted to the motion unless given
    settings : thresholds of the detector
    belt_velocity : (3,) m/s of the ground: (0, 0, -3) for a run on the spot at 3 m/s towards +Z; found from the feet
        unless given
    keep_tpose : a T pose that was put before the recording is no part of it and touches nothing, unless kept
    """
    motion = checked_motion(motion, "detect")
    legs = motion.skeleton.roles.legs
    added = 0 if keep_tpose else added_tpose(motion)
    if added:
        rest = detect(motion[added:], gait=gait, floor=floor, settings=settings, belt_velocity=belt_velocity)
        return _behind(motion, added, rest)
    points = foot_points(motion)
    if belt_velocity is None:
        belt_velocity = belts.belt_velocity(points, motion.fps, motion.skeleton.leg_length() if legs else ADULT_LEG)
    if np.any(belt_velocity):
        points = foot_points(motion, belt_velocity)
    return detect_points(
        points,
        motion.fps,
        legs=legs,
        leg_length=motion.skeleton.leg_length() if legs else ADULT_LEG,
        gait=gait,
        floor=floor,
        settings=settings,
        belt_velocity=belt_velocity,
    )


def detect_points(
    points: npt.ArrayLike,
    fps: float,
    *,
    legs: Sequence[Leg] | None = None,
    leg_length: float = ADULT_LEG,
    gait: str = "auto",
    floor: Floor | None = None,
    settings: Settings | None = None,
    belt_velocity: npt.ArrayLike | None = None,
) -> Contacts:
    """The foot contacts of heels, balls and toes, such as markers.

    Parameters
    ----------
    points : (F, L, 3, 3) m, heel, ball and toe of every leg in the world
    fps : frames a second
    legs : whose they are; without them pairs, left before right, from the front
    leg_length : m
    gait, floor, settings, belt_velocity : as for `detect`
    """
    p = np.asarray(points, dtype=np.float64)
    if p.ndim != 4 or p.shape[2:] != (3, 3) or not len(p) or not np.all(np.isfinite(p)):
        raise LocomoteError(f"foot points: expected finite (frames, legs, 3, 3), got shape {p.shape}")
    if gait not in _GAITS:
        raise LocomoteError(f"gait {gait!r}: expected one of {', '.join(_GAITS)}")
    legs = _plain_legs(p.shape[1]) if legs is None else tuple(legs)
    s = settings or (Settings() if len(legs) <= 2 else Settings.for_quadrupeds())
    if belt_velocity is None:
        belt_velocity = belts.belt_velocity(p, fps, leg_length)
    belt = np.asarray(belt_velocity, dtype=np.float64)
    if floor is None:
        floor = fit_floor(resting_points(p, fps, leg_length, belt))
    size = leg_length / ADULT_LEG
    slowness = float(np.sqrt(size))
    heights = _over_touch(floor.heights(p), size)
    speeds = np.linalg.norm(velocities(p, fps, s.speed_window * slowness) - belt, axis=-1)
    steps = np.linalg.norm(np.diff(p, axis=0) * fps - belt, axis=-1)
    rates = velocities(_pitch(p), fps, s.speed_window * slowness)
    feet = [
        Foot(
            heights[:, i] / size,
            speeds[:, i] / slowness,
            steps[:, i] / slowness,
            rates[:, i] * slowness,
            fps * slowness,
        )
        for i in range(len(legs))
    ]
    rolls = [
        [roll(foot, span, s) for span in spans] for foot, spans in zip(feet, _spans(feet, legs, s, gait), strict=True)
    ]
    heel, toe, events = frames_and_events(rolls, len(p), float(fps))
    x, y, z = (float(v) for v in belt)
    return Contacts(float(fps), legs, p, heights, heel, toe, floor, events, belt_velocity=(x, y, z))


def _behind(motion: Motion, added: int, rest: Contacts) -> Contacts:
    """The contacts of a motion that begins with an added pose, which touches nothing."""
    front = foot_points(motion)[:added]
    nothing = np.zeros((added, len(rest.legs)), dtype=bool)
    touching = (rest.floor.heights(rest.points) - rest.heights)[:1]
    return replace(
        rest,
        points=np.concatenate([front, rest.points]),
        heights=np.concatenate([rest.floor.heights(front) - touching, rest.heights]),
        heel=np.concatenate([nothing, rest.heel]),
        toe=np.concatenate([nothing, rest.toe]),
        events=tuple(replace(e, frame=e.frame + added, time=e.time + added / rest.fps) for e in rest.events),
        tpose=added,
    )


def _over_touch(over_floor: FloatArray, size: float) -> FloatArray:
    """Heights ``(F, L, 3)`` over those at which each point touches: markers and joints lie above the sole."""
    if over_floor.size == 0:
        return over_floor
    touch = np.percentile(over_floor, _LOW_SHARE, axis=0)
    return over_floor - np.clip(touch, -_HIGHEST_TOUCH * size, _HIGHEST_TOUCH * size)


def _pitch(points: FloatArray) -> FloatArray:
    """By how much the heels are up against the toes, ``(F, L)`` rad."""
    line = points[:, :, _HEEL] - points[:, :, _TOE]
    out: FloatArray = np.arctan2(line[..., 1], np.hypot(line[..., 0], line[..., 2]))
    return out


def _spans(feet: list[Foot], legs: tuple[Leg, ...], s: Settings, gait: str) -> list[list[Span]]:
    """The contacts of every foot. For "auto" a first look, as if all ran, shows which come and go alone."""
    spans = [contact_spans(foot, s, lambda moment, peak: gait != "walk") for foot in feet]
    if gait != "auto":
        return spans
    return [
        contact_spans(foot, s, _in_flight([spans[i] for i in _partners(legs, leg)], s, foot.fps))
        for leg, foot in enumerate(feet)
    ]


def _in_flight(others: list[list[Span]], s: Settings, fps: float) -> InFlight:
    starts = [[span.start for span in spans] for spans in others]

    def in_flight(moment: float, peak: float) -> bool:
        least = s.double_support * fps if peak > s.run_peak else 0.0
        for spans, begun in zip(others, starts, strict=True):
            # Of the contacts that have begun by then, all but the last have ended, too.
            k = bisect_right(begun, moment - least) - 1
            if k >= 0 and moment < spans[k].stop - least:
                return False
        return True

    return in_flight


def _partners(legs: tuple[Leg, ...], leg: int) -> list[int]:
    """The other legs of the same pair, or all others of a leg that has none."""
    others = [i for i in range(len(legs)) if i != leg]
    return [i for i in others if legs[i].row == legs[leg].row] or others


def _plain_legs(count: int) -> tuple[Leg, ...]:
    """Legs without joints, for points that come from markers."""
    return tuple(Leg(("left", "right")[i % 2], i // 2, -1, -1, -1, -1, -1) for i in range(count))
