"""How a body on two legs walks or runs: arms, bob, trunk, head, knees, and how one stride differs from the next."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from scipy.ndimage import uniform_filter1d

from locomote import rotations as rot
from locomote.contacts import Contacts, detect
from locomote.measures.body import RATE
from locomote.measures.limits import bend_degrees
from locomote.motion import Motion
from locomote.rotations import FloatArray

PHASES = 50  # samples a stride
SHORTEST, LONGEST = 0.4, 2.0  # s, of a stride
SLOWEST = 0.25  # m/s; who is slower stands about
BALL = 1


class Manner(NamedTuple):
    """Medians over the strides of a motion; None where it has no stride, no second one to compare, or no such part."""

    strides: int
    arm_swing: float | None = None  # deg, of the upper arm forwards and back
    elbow_bend: float | None = None  # deg, in the mean over a stride
    wrist_behind: float | None = None  # cm that a wrist gets behind the pelvis
    pelvis_bob: float | None = None  # cm
    head_bob: float | None = None  # cm
    head_nod: float | None = None  # deg, of the look of the head up and down
    counter_rotation: float | None = None  # deg, of the shoulders against the hips
    stance_knee: float | None = None  # deg, least flexion in the middle of the stance
    swing_knee: float | None = None  # deg, most flexion
    arm_leg_phase: float | None = None  # deg by which an arm is after the leg of its side; 180 is opposite
    asymmetry: float | None = None  # %, between the ranges of left and right limbs
    stride_variation: float | None = None  # %, of the time from stride to stride
    length_variation: float | None = None  # %, of the length from stride to stride
    hand_variation: float | None = None  # cm, of the path of a hand from stride to stride
    lean: float | None = None  # deg, of the trunk into its turns (outwards below 0)
    turn_rate: float | None = None  # rad/s, of the same strides


class _Tracks(NamedTuple):
    """What is looked at, frame by frame, seen from the pelvis along the way that it faces."""

    places: FloatArray  # (F, J, 3) m from the pelvis: to the left, up, ahead
    world: FloatArray  # (F, J, 3)
    heading: FloatArray  # (F,) rad
    twist: FloatArray | None  # (F,) deg of shoulders against hips


def manner(motion: Motion, contacts: Contacts | None = None, speeds: tuple[float, float] = (SLOWEST, np.inf)) -> Manner:
    """How a motion on two legs goes, at 60 frames a second.

    Parameters
    ----------
    motion : of a body with a left and a right leg; of others only the number 0 is told
    contacts : of the motion at 60 frames a second; found unless given
    speeds : m/s between which strides count
    """
    roles = motion.skeleton.roles
    if len(roles.legs) != 2 or {leg.side for leg in roles.legs} != {"left", "right"}:
        return Manner(0)
    if abs(motion.fps - RATE) > 1e-6:
        motion, contacts = motion.resampled(RATE), None
    contacts = detect(motion) if contacts is None else contacts
    spans = _strides(motion, contacts, speeds)
    if not spans:
        return Manner(0)
    tracks = _tracks(motion)
    return Manner(len(spans), **_limbs(motion, tracks, spans, contacts), **_trunk(motion, tracks, spans))


def _strides(motion: Motion, contacts: Contacts, speeds: tuple[float, float]) -> list[tuple[int, int, int]]:
    """Foot, first and last frame of every stride, from strike to strike of one foot."""
    root = motion.root_positions[:, [0, 2]]
    return [
        (leg, a, b)
        for leg in range(2)
        for a, b in pairwise(int(start) for start, _ in contacts.intervals(leg) if start > 0)
        if SHORTEST <= (b - a) / RATE <= LONGEST
        and speeds[0] < np.hypot(*(root[b] - root[a])) * RATE / (b - a) <= speeds[1]
    ]


def _tracks(motion: Motion) -> _Tracks:
    world = motion.joint_positions()
    roles = motion.skeleton.roles
    left, right = roles.leg("left"), roles.leg("right")
    across = world[:, left.hip] - world[:, right.hip]
    yaw = np.unwrap(np.arctan2(-across[:, 2], across[:, 0]))
    heading = uniform_filter1d(yaw, round(RATE), mode="nearest")
    seen = world - 0.5 * (world[:, left.hip] + world[:, right.hip])[:, None]
    sine, cosine = np.sin(heading)[:, None], np.cos(heading)[:, None]
    x, z = cosine * seen[..., 0] - sine * seen[..., 2], sine * seen[..., 0] + cosine * seen[..., 2]
    twist = None
    if len(roles.arms) == 2:
        line = world[:, roles.arms[0].shoulder] - world[:, roles.arms[1].shoulder]
        if roles.arms[0].side == "right":
            line = -line
        twist = np.degrees(np.unwrap(np.arctan2(-line[:, 2], line[:, 0])) - yaw)
    return _Tracks(np.stack([x, seen[..., 1], z], axis=-1), world, heading, twist)


def _limbs(
    motion: Motion, tracks: _Tracks, spans: list[tuple[int, int, int]], contacts: Contacts
) -> dict[str, float | None]:
    roles, seen = motion.skeleton.roles, tracks.places
    ahead = {leg.side: seen[:, leg.ankle, 2] for leg in roles.legs}
    world = tracks.world
    knees = [bend_degrees(*(world[:, j] for j in (leg.hip, leg.knee, leg.ankle))) for leg in roles.legs]
    out: dict[str, float | None] = {
        "stance_knee": _stance_knee(knees, spans, contacts),
        "swing_knee": _median([max(knee[a:b].max() for knee in knees) for _, a, b in spans]),
        "asymmetry": _asymmetry([_ranges(knee, spans) for knee in knees]),
        "stride_variation": _variation(spans, [(b - a) / RATE for _, a, b in spans]),
        "length_variation": _variation(spans, [_stride_length(contacts, *span) for span in spans]),
    }
    if len(roles.arms) != 2:
        return out
    swings, bends, phases, hands = [], [], [], []
    behind: list[float] = []
    for arm in roles.arms:
        upper = seen[:, arm.elbow] - seen[:, arm.shoulder]
        swings.append(_ranges(np.degrees(np.unwrap(np.arctan2(upper[:, 2], -upper[:, 1]))), spans))
        bend = bend_degrees(*(world[:, j] for j in (arm.shoulder, arm.elbow, arm.wrist)))
        bends.append(float(np.mean([bend[a:b].mean() for _, a, b in spans])))
        behind += [-100.0 * float(seen[a:b, arm.wrist, 2].min()) for _, a, b in spans]
        if arm.side in ahead:
            pairs = [(_phase(seen[a:b, arm.wrist, 2]), _phase(ahead[arm.side][a:b])) for _, a, b in spans]
            phases += [np.exp(1j * (hand - foot)) for hand, foot in pairs]
        hands += _path_variation(seen[:, arm.wrist], spans)
    out["arm_swing"] = _median([float(np.median(each)) for each in swings])
    out["elbow_bend"] = float(np.mean(bends))
    out["wrist_behind"] = _median(behind)
    out["arm_leg_phase"] = float(np.degrees(np.angle(np.mean(phases))) % 360.0) if phases else None
    out["hand_variation"] = float(np.mean(hands)) if hands else None
    out["asymmetry"] = float(np.mean([out["asymmetry"] or 0.0, _asymmetry(swings)]))
    return out


def _trunk(motion: Motion, tracks: _Tracks, spans: list[tuple[int, int, int]]) -> dict[str, float | None]:
    roles, seen, world = motion.skeleton.roles, tracks.places, tracks.world
    out: dict[str, float | None] = {"pelvis_bob": _bob(world[:, roles.root, 1], spans)}
    turns = np.array([(tracks.heading[b] - tracks.heading[a]) * RATE / (b - a) for _, a, b in spans])
    out["turn_rate"] = float(np.median(np.abs(turns)))
    if roles.head is not None:
        out["head_bob"] = _bob(world[:, roles.head, 1], spans)
        out["head_nod"] = _median(_ranges(_looks_up(motion, roles.head), spans))
    if not roles.spine:
        return out
    chest = seen[:, roles.spine[-1]]
    # To the left is +x, and so is a turn to the left.
    leans = np.array([np.degrees(np.arctan2(chest[a:b, 0], chest[a:b, 1])).mean() for _, a, b in spans])
    out["lean"] = float(np.median(np.sign(turns) * leans))
    if tracks.twist is not None:
        out["counter_rotation"] = _median(_ranges(tracks.twist, spans))
    return out


def _looks_up(motion: Motion, head: int) -> FloatArray:
    """Degrees by which a head is turned up from where it faces at rest; wherever in it the joint is."""
    turned = rot.multiply(motion.world()[1][:, head], rot.inverse(motion.skeleton.rest_pose()[1][head]))
    look = rot.rotate(turned, np.asarray(motion.skeleton.roles.forward, dtype=np.float64))
    out: FloatArray = np.degrees(np.arcsin(np.clip(look[:, 1], -1.0, 1.0)))
    return out


def _ranges(values: FloatArray, spans: list[tuple[int, int, int]]) -> list[float]:
    return [float(np.ptp(values[a:b])) for _, a, b in spans]


def _bob(heights: FloatArray, spans: list[tuple[int, int, int]]) -> float | None:
    """Centimetres up and down within a stride, on slopes as on level ground."""
    out = []
    for _, a, b in spans:
        rise = np.linspace(heights[a], heights[b], b - a, endpoint=False)
        out.append(100.0 * float(np.ptp(heights[a:b] - rise)))
    return _median(out)


def _stance_knee(knees: list[FloatArray], spans: list[tuple[int, int, int]], contacts: Contacts) -> float | None:
    """The straightest that a knee is while its foot stands and carries, in the middle half of every contact."""
    found = []
    begun = {(leg, a) for leg, a, _ in spans}
    for leg, knee in enumerate(knees):
        for start, stop in contacts.intervals(leg):
            quarter = (stop - start) // 4
            if (leg, start) in begun and quarter > 0:
                found.append(float(knee[start + quarter : stop - quarter].min()))
    return _median(found)


def _stride_length(contacts: Contacts, leg: int, a: int, b: int) -> float:
    places = [contacts.points[frame, leg, BALL][[0, 2]] for frame in (a, b)]
    return float(np.hypot(*(places[1] - places[0])))


def _phase(values: FloatArray) -> float:
    """Of the first harmonic over one stride."""
    turn = np.exp(-2j * np.pi * np.arange(len(values)) / len(values))
    return float(np.angle(np.sum((values - values.mean()) * turn)))


def _resampled(path: FloatArray) -> FloatArray:
    at = np.linspace(0.0, len(path) - 1.0, PHASES)
    return np.stack([np.interp(at, np.arange(len(path)), path[:, i]) for i in range(3)], axis=-1)


def _asymmetry(sides: list[list[float]]) -> float:
    left, right = (float(np.median(side)) for side in sides)
    return 100.0 * abs(left - right) / max(0.5 * (left + right), 1e-6)


def _variation(spans: list[tuple[int, int, int]], values: list[float]) -> float | None:
    """Percent by which strides of the same foot differ from their mean, in the mean of both feet."""
    sides = [[value for (foot, _, _), value in zip(spans, values, strict=True) if foot == leg] for leg in range(2)]
    found = [100.0 * float(np.std(side, ddof=1) / np.mean(side)) for side in sides if len(side) > 1]
    return float(np.mean(found)) if found else None


def _path_variation(path: FloatArray, spans: list[tuple[int, int, int]]) -> list[float]:
    """Centimetres between the paths of strides of the same foot and their mean, for each foot that has two."""
    out = []
    for leg in range(2):
        paths = np.array([_resampled(path[a:b]) for foot, a, b in spans if foot == leg])
        if len(paths) > 1:
            out.append(100.0 * float(np.sqrt(np.mean(np.var(paths, axis=0, ddof=1).sum(axis=-1)))))
    return out


def _median(values: list[float]) -> float | None:
    return float(np.median(values)) if values else None
