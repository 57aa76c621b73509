"""From a clip to jump units: calibrated, on a level floor, heading +Z, warped onto the common timeline."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.formats import load
from locomote.human.fitting._calibration import Calibration, lowest_foot_points, sole_pitch
from locomote.human.fitting._denoising import cleaned, smoothed
from locomote.human.fitting._importing import Capture, import_motion
from locomote.human.fitting._jump_events import foot_events
from locomote.human.fitting._jump_planting import BALLS_AHEAD, creep, with_toes_above_floor
from locomote.human.fitting._jump_recordings import RECORDINGS, Recording
from locomote.human.fitting._material import Skipped
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._units import BALLS, JumpUnit, sampled, sampled_rotations
from locomote.human_skeleton import COMMON
from locomote.motion import Motion
from locomote.rotations import FloatArray

CUTOFF = 12.0  # Hz
# The deepest crouch before and after the flight lies at one place of every standing unit, so that deep knees are not
# averaged with rising ones; the shares are those of the recorded times.
U_CROUCH = 0.225
U_DEEP = 0.66
BOTTOM_SEARCH = 0.6  # s before toe-off and after touch-down in which the deepest point lies
STILL = 0.1  # of the fastest sinking or rising: slower is the beginning or the end
CROUCH_TIME = (0.25, 0.7)  # s from the start to the deepest point
RISE_TIME = (0.3, 0.8)  # s from the deepest point after landing to the end
MOVING_LANDING = 0.25  # s; the recorded landings on two feet are played no further than touch-down
STANDING_PITCH = np.radians(3.0)  # of the pelvis, forwards
QUIET = 0.15  # share of the support, and of the landing, next to their ends in which the feet stand flat
FLOOR_PERCENTILE = 30.0
STEEPEST = 2.5  # of the slope of a cubic to that of its chord; above 3 it would turn back
SAME_HEIGHT = 0.06  # hip heights; both feet land where their balls differ less at touch-down
FLAT = (0.3, 0.55)  # share of the support of one foot in which it is flat
SIDES = ("left", "right")

_FINE = np.linspace(0.0, 1.0, 20 * (timeline.SAMPLES - 1) + 1)  # places on the timeline
_FEET = [COMMON.index("LeftFoot"), COMMON.index("RightFoot")]


@dataclass(frozen=True)
class Phases:
    """Frames of a jump: start, deepest crouch, toe-off, touch-down, deepest landing, end."""

    start: float
    bottom: float
    toe_off: float
    touch_down: float
    deepest: float
    end: float


@dataclass(frozen=True, eq=False)
class JumpMaterial:
    """The jumps of some recordings, and those of which nothing came."""

    units: tuple[JumpUnit, ...]
    skipped: tuple[Skipped, ...]


def gather_jumps(root: Path, recordings: tuple[Recording, ...] = RECORDINGS) -> JumpMaterial:
    """All listed jumps of the clips under ``root``; one that cannot be read or cut does not stop the others."""
    captures: dict[str, Capture] = {}
    skipped: list[Skipped] = []
    for recording in {r.clip: r for r in recordings}.values():
        try:
            captures[recording.clip] = _capture(root / recording.file)
        except LocomoteError as error:
            skipped.append(Skipped(f"clip {recording.clip}", str(error)))
    usable = []
    for recording in (r for r in recordings if r.clip in captures):
        last = len(captures[recording.clip]) - 1
        if recording.touch_down < last:
            usable.append(recording)
        else:
            reason = f"it lands in frame {recording.touch_down}, the clip ends with frame {last}"
            skipped.append(Skipped(f"jump {recording.clip} at frame {recording.toe_off}", reason))
    units: list[JumpUnit] = []
    for subject in dict.fromkeys(r.subject for r in usable):
        mine = [(r, phases_of(captures[r.clip], r)) for r in usable if r.subject == subject]
        standing = [(captures[r.clip], p) for r, p in mine if r.kind == "standing"]
        if standing:
            calibration = _standing_calibration(standing)
        else:
            calibration = _support_calibration([(captures[r.clip], p) for r, p in mine], [r.side for r, _ in mine])
        units += [_unit(captures[r.clip], r, p, calibration) for r, p in mine]
    return JumpMaterial(tuple(units), tuple(skipped))


def phases_of(capture: Capture, recording: Recording) -> Phases:
    """The frames of a listed jump; those that the list does not give are found from the height of the pelvis."""
    fps = capture.fps
    off, down = recording.toe_off, recording.touch_down
    if recording.kind != "standing":
        end = min(len(capture) - 1, down + MOVING_LANDING * fps)
        plant = float(recording.plant)
        return Phases(plant, 0.5 * (plant + off), off, down, 0.5 * (down + end), end)
    height = capture.root[:, 1]
    rate = np.gradient(height)
    first = max(0, round(off - BOTTOM_SEARCH * fps))
    bottom = first + int(np.argmin(height[first : off + 1]))
    deepest = down + int(np.argmin(height[down : round(down + BOTTOM_SEARCH * fps)]))
    nearest, farthest = (round(bottom - t * fps) for t in CROUCH_TIME)
    start = _quiet(-rate, bottom, max(0, farthest), -1)
    start = int(np.clip(start, max(0, farthest), nearest))
    nearest, farthest = (round(deepest + t * fps) for t in RISE_TIME)
    end = _quiet(rate, deepest, min(len(rate) - 1, farthest), 1)
    end = int(np.clip(end, nearest, min(len(rate) - 1, farthest)))
    return Phases(start, bottom, off, down, deepest, end)


def _quiet(speed: FloatArray, begin: int, stop: int, step: int) -> int:
    """Where a movement that starts at frame ``begin`` has died away, seen in the direction of ``step``."""
    values = speed[begin:stop:step]
    if len(values) < 2:
        return stop
    top = int(np.argmax(values))
    slow = np.flatnonzero(values[top:] < STILL * values[top])
    return begin + step * (top + int(slow[0])) if len(slow) else stop


def _capture(path: Path) -> Capture:
    capture, _ = cleaned(import_motion(load(path, drop_tpose=True)))
    return smoothed(capture, CUTOFF)


def _standing_calibration(jumps: list[tuple[Capture, Phases]]) -> Calibration:
    """Pelvis and feet set right by the moments before and after the jumps, in which feet are flat and the body up."""
    pelvis, feet, toes = [], [], []
    for capture, p in jumps:
        early = slice(round(p.start), round(p.start + QUIET * (p.toe_off - p.start)) + 1)
        late = slice(round(p.end - QUIET * (p.end - p.touch_down)), round(p.end) + 1)
        for frames in (early, late):
            world = Motion(COMMON, 1.0, capture.root[frames], capture.rotations[frames]).world()[1]
            pelvis.append(sole_pitch(world[:, 0]).mean())
            feet.append(sole_pitch(world[:, _FEET]).mean(axis=0))
            toes.append(sole_pitch(world[:, BALLS]).mean(axis=0))
    foot = -np.median(feet, axis=0)
    toe = -np.median(toes, axis=0) - foot
    lean = float(STANDING_PITCH - np.median(pelvis))
    return Calibration(lean, (float(foot[0]), float(foot[1])), (float(toe[0]), float(toe[1])))


def _support_calibration(jumps: list[tuple[Capture, Phases]], sides: list[str]) -> Calibration:
    """Feet set right by the middle of the supports before one-foot jumps; such a pelvis leans as that of a runner."""
    feet: dict[str, list[float]] = {"left": [], "right": []}
    toes: dict[str, list[float]] = {"left": [], "right": []}
    for (capture, p), side in zip(jumps, sides, strict=True):
        first, last = (round(p.start + share * (p.toe_off - p.start)) for share in FLAT)
        frames = slice(first, last + 1)
        world = Motion(COMMON, 1.0, capture.root[frames], capture.rotations[frames]).world()[1]
        k = SIDES.index(side)
        feet[side].append(float(sole_pitch(world[:, _FEET[k]]).mean()))
        toes[side].append(float(sole_pitch(world[:, BALLS[k]]).mean()))
    foot = [-float(np.mean(feet[side])) for side in SIDES]
    toe = [-float(np.mean(toes[side])) - foot[k] for k, side in enumerate(SIDES)]
    return Calibration(0.0, (foot[0], foot[1]), (toe[0], toe[1]))


def _unit(capture: Capture, recording: Recording, p: Phases, calibration: Calibration) -> JumpUnit:
    around = slice(max(0, int(p.start - capture.fps)), min(len(capture), int(p.end + capture.fps)) + 1)
    shift = around.start
    path, turns = calibration.apply(capture.root[around], capture.rotations[around])
    p = Phases(*(getattr(p, name) - shift for name in Phases.__dataclass_fields__))
    path = _on_floor(path, turns, p)
    balls = Motion(COMMON, 1.0, path, turns).joint_positions()[:, BALLS]
    before, after = _standing_places(balls, p, recording)
    way = after - before
    if recording.kind != "standing":
        way = path[round(p.touch_down)] - path[round(p.start)]
    straight = rot.from_yaw(-float(np.arctan2(way[0], way[2])))
    path, balls = rot.rotate(straight, path), rot.rotate(straight, balls)
    before, after = rot.rotate(straight, np.stack([before, after]))
    turns = turns.copy()
    turns[:, 0] = rot.multiply(straight, turns[:, 0])

    second = capture.fps * timeline.time_unit(capture.hip_height)  # frames in a unit of time
    support, flight, landing = (
        float(t) / second for t in (p.toe_off - p.start, p.touch_down - p.toe_off, p.end - p.touch_down)
    )
    length = float(after[2] - before[2])
    standing = recording.kind == "standing"
    speed = timeline.standing_speed(length, flight)
    if not standing:
        speed = float(np.hypot(way[0], way[2]) / (support + flight))
    warp = _warp(p, standing)
    events = foot_events(path, turns, p.toe_off, p.touch_down, p.start, p.end, recording.side)
    places = {name: float(np.interp(frame, warp, _FINE)) for name, frame in events.items()}
    warp = np.interp(timeline.nodes(), _FINE, warp)
    t = (warp - p.start) / second
    samples = sampled(path, warp)
    turns = rot.continuous(sampled_rotations(turns, warp))
    trust = _trust(recording.joined)
    if standing:
        travelled = timeline.standing_travel(t, length, support, flight)
        samples[:, 2] -= before[2] - BALLS_AHEAD + travelled
        samples[:, 0] -= 0.5 * (before[0] + after[0])
        samples -= trust[:, None] * creep(samples, turns, travelled, length)
    else:
        samples[:, 2] -= speed * t
        flying = t <= support + flight
        samples[:, [0, 2]] -= samples[flying][:, [0, 2]].mean(axis=0)
    turns = rot.continuous(with_toes_above_floor(samples, turns))
    return JumpUnit(
        recording.subject, recording.clip, recording.kind, recording.side, capture.hip_height, length,
        support, flight, landing, speed, samples, turns, t, places, recording.weight, trust,
    )  # fmt: skip


def _trust(joined: str) -> FloatArray:
    """How far the poses of a unit belong to its jump: not where another movement runs into it."""
    u = timeline.nodes()
    out = np.ones(len(u))
    if joined in ("before", "both"):
        out *= np.clip(u / U_CROUCH, 0.0, 1.0)
    if joined in ("after", "both"):
        out *= np.clip((U_DEEP - u) / (U_DEEP - timeline.U_LAND), 0.0, 1.0)
    return out


def _warp(p: Phases, standing: bool) -> FloatArray:
    """The frames that lie at the places `_FINE` of the timeline.

    Between the events time runs evenly; through the deepest points of a standing jump it bends smoothly, and is even
    again at the events, so that a unit that is played evenly leaves and meets the floor at its true speed.
    """
    if not standing:
        places = [0.0, timeline.U_OFF, timeline.U_LAND, 1.0]
        return np.interp(_FINE, places, [p.start, p.toe_off, p.touch_down, p.end])
    support = _bent([0.0, U_CROUCH, timeline.U_OFF], [p.start, p.bottom, p.toe_off])
    flight = np.interp(_FINE, [timeline.U_OFF, timeline.U_LAND], [p.toe_off, p.touch_down])
    landing = _bent([timeline.U_LAND, U_DEEP, 1.0], [p.touch_down, p.deepest, p.end])
    return np.where(_FINE < timeline.U_OFF, support, np.where(_FINE < timeline.U_LAND, flight, landing))


def _bent(places: list[float], frames: list[float]) -> FloatArray:
    """Frames at `_FINE`, a rising cubic through three of them with the mean slope at both ends."""
    from scipy.interpolate import CubicHermiteSpline  # slow to import, needed offline only

    first, second = np.diff(frames) / np.diff(places)
    mean = (frames[2] - frames[0]) / (places[2] - places[0])
    through = 2.0 * first * second / (first + second)
    slopes = [min(mean, STEEPEST * first), through, min(mean, STEEPEST * second)]
    out: FloatArray = CubicHermiteSpline(places, frames, slopes)(np.clip(_FINE, places[0], places[2]))
    return out


def _on_floor(path: FloatArray, turns: FloatArray, p: Phases) -> FloatArray:
    """The path over a level floor at height 0: the floors of both supports are joined through the flight."""
    lowest = lowest_foot_points(path, turns)
    off, down = round(p.toe_off), round(p.touch_down)
    before = float(np.percentile(lowest[round(p.start) : off], FLOOR_PERCENTILE))
    after = float(np.percentile(lowest[down + 1 : round(p.end) + 1], FLOOR_PERCENTILE))
    floor = np.interp(np.arange(len(path)), [off, down], [before, after])
    return path - floor[:, None] * [0.0, 1.0, 0.0]


def _standing_places(balls: FloatArray, p: Phases, recording: Recording) -> tuple[FloatArray, FloatArray]:
    """Where the balls of the feet stand before and after the flight."""
    start, off, down, end = (round(f) for f in (p.start, p.toe_off, p.touch_down, p.end))
    feet = {"left": [0], "right": [1], "both": [0, 1]}[recording.side]
    quarter = (off - start) // 4
    early = balls[start + quarter : off - quarter][:, feet]
    before = np.median(early, axis=0).mean(axis=0)
    if recording.kind != "standing":  # who runs on does not stand where they land
        landing = balls[down]
        return before, landing[landing[:, 1] < landing[:, 1].min() + SAME_HEIGHT].mean(axis=0)
    stop = down + (end - down) // (2 if recording.joined in ("after", "both") else 1)
    late = balls[down + (end - down) // 4 : stop + 1]
    return before, np.median(late, axis=0).mean(axis=0)
