"""How the pelvis travels: sway, surge, turn, list and tilt by gait laws, at a height that fits the legs."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from locomote import rotations as rot
from locomote.human_skeleton import HIP_HALF_WIDTH, PELVIS_ABOVE_HIPS, SHANK, THIGH
from locomote.math.constants import GRAVITY
from locomote.rotations import FloatArray
from locomote.samples._feet import SIDES, planted_ankles, stride_clock, strike_time
from locomote.samples._gait import GaitLaws
from locomote.samples._path import ArcPath

_LEAST_KNEE = {"walk": 5.0, "run": 14.0}  # degrees of flexion, at the fullest stretch of a planted leg
_SAMPLES = 121  # of one stance, to fit the height
# Flexion of the stance knee of a walker, degrees, over the step from heel strike to the other heel strike.
_WALKING_KNEE = ((0.0, 0.10, 0.27, 0.5, 0.75, 0.9, 1.0), (5.0, 11.0, 19.0, 13.0, 6.0, 7.0, 12.0))
_SWELL = 1.25  # a livelier rise and fall than the knees alone ask for
_HEIGHT_HARMONICS = 2  # of the step, in the height of a walker


def bank_angle(path: ArcPath) -> float:
    """How far a body leans into its turn, radians, positive to the left."""
    return float(np.arctan2(path.speed * path.turn_rate, GRAVITY))


def pelvis_track(gait: GaitLaws, path: ArcPath, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """World positions ``(F, 3)`` and rotations ``(F, 4)`` of the pelvis."""
    positions, turns = _level_track(gait, path, times)
    positions[:, 1] = _height_law(gait, path)(stride_clock(gait, 0, times)[1])
    return positions, turns


def _level_track(gait: GaitLaws, path: ArcPath, times: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The track of the pelvis with its height left at 0."""
    _, phase = stride_clock(gait, 0, times)
    bank = bank_angle(path)
    along = times + _surge(gait, phase) / path.speed
    positions = path.point(along, _sway(gait, phase) + gait.hip_height * np.sin(bank))
    return positions, rot.multiply(rot.from_yaw(path.heading(along)), _lean(gait, phase, bank))


def hip_positions(gait: GaitLaws, leg: int, pelvis: FloatArray, turns: FloatArray) -> FloatArray:
    """World positions of one hip joint."""
    offset = gait.hip_height * np.array([SIDES[leg] * HIP_HALF_WIDTH, -PELVIS_ABOVE_HIPS, 0.0])
    return pelvis + rot.rotate(turns, offset)


def _lean(gait: GaitLaws, phase: FloatArray, bank: float) -> FloatArray:
    """Rotations of the pelvis against the path: turn to the leg in front, drop of the swing side, tilt."""
    pace = gait.pace
    if gait.running:
        turn, drop, tilt = 4.0 + 0.9 * pace, 4.0, 6.0 + 0.8 * pace
        rock = 1.5
    else:
        turn, drop, tilt = 2.0 + 2.4 * pace, 1.5 + 1.8 * pace, 2.0 + 1.2 * pace
        rock = 0.8
    cycle = 2.0 * np.pi * phase
    yaw = -np.radians(turn) * np.cos(cycle)
    roll = np.radians(drop) * np.cos(cycle - 2.0 * np.pi * 0.36 * gait.duty_factor)
    pitch = np.radians(tilt + rock * np.cos(2.0 * cycle - 0.6))
    return rot.from_euler("yzx", np.stack([yaw, roll - bank, pitch], axis=-1))


def _sway(gait: GaitLaws, phase: FloatArray) -> FloatArray:
    """Metres to the left: over the standing foot, less so the faster the steps follow each other."""
    amplitude = (0.012 if gait.running else 0.030 - 0.006 * gait.pace) * gait.size
    return amplitude * np.cos(2.0 * np.pi * (phase - 0.5 * gait.duty_factor))


def _surge(gait: GaitLaws, phase: FloatArray) -> FloatArray:
    """Metres ahead of constant speed: slower over the standing foot, faster between the feet."""
    step = np.mod(2.0 * phase, 1.0)  # of a step, from heel strike to heel strike
    if not gait.running:
        change = 0.07 * gait.speed  # m/s
        swell = change * 0.5 * gait.stride_time / (2.0 * np.pi)
        return swell * np.sin(2.0 * np.pi * (step - 2.0 * gait.passing) + np.pi)
    # A braking and a driving half while on the floor, no force in the air.
    stance = 2.0 * gait.duty_factor
    change = 0.04 * gait.speed
    part = np.minimum(step / stance, 1.0)
    contact_time = gait.duty_factor * gait.stride_time
    lost = change * contact_time * (part - np.sin(2.0 * np.pi * part) / (2.0 * np.pi))
    mean = change * contact_time / (0.5 * gait.stride_time)
    surge: FloatArray = mean * step * 0.5 * gait.stride_time - lost
    return surge


class _Height:
    """The height of the pelvis over the stride phase of the left leg; both steps of a stride are alike."""

    def __init__(self, gait: GaitLaws, path: ArcPath) -> None:
        self.gait = gait
        self.weights = np.zeros(1 + 2 * _HEIGHT_HARMONICS)
        phase = np.linspace(0.0, gait.duty_factor, _SAMPLES)
        if not gait.running:
            step = phase < 0.5
            bent = np.radians(np.interp(2.0 * phase, *_WALKING_KNEE))
            wanted = np.mean([_fitting_height(gait, path, leg, phase, bent) for leg in (0, 1)], axis=0)
            self.weights = np.linalg.lstsq(_waves(phase[step]), wanted[step], rcond=None)[0]
            self.weights[1:] *= _SWELL
        # A knee that lands straight would have to give way in no time: the faster, the more it is bent.
        landing = 17.0 if gait.running else 4.0 + 4.5 * gait.pace
        least = np.radians(np.interp(phase, (0.0, gait.toe_strike), (landing, _LEAST_KNEE[gait.name])))
        highest = np.min([_fitting_height(gait, path, leg, phase, least) for leg in (0, 1)], axis=0)
        excess = float(np.max(self(phase) - highest))
        self.weights[0] -= excess if gait.running else max(excess, 0.0)

    def __call__(self, phase: FloatArray) -> FloatArray:
        height: FloatArray = _waves(phase) @ self.weights
        return height + _bounce(self.gait, phase) if self.gait.running else height


@lru_cache(maxsize=32)  # one performance asks for it several times
def _height_law(gait: GaitLaws, path: ArcPath) -> _Height:
    return _Height(gait, path)


def _fitting_height(gait: GaitLaws, path: ArcPath, leg: int, phase: FloatArray, knee: FloatArray) -> FloatArray:
    """The heights of the pelvis at which the knee of a planted leg bends so far, over that leg's phase."""
    number = np.zeros_like(phase)
    times = strike_time(gait, leg, number) + phase * gait.stride_time
    ankles = planted_ankles(gait, path, leg, number, phase)
    hips = hip_positions(gait, leg, *_level_track(gait, path, times))
    aside = np.sum((hips - ankles)[:, [0, 2]] ** 2, axis=-1)
    reach = gait.hip_height**2 * (THIGH**2 + SHANK**2 + 2.0 * THIGH * SHANK * np.cos(knee))
    height: FloatArray = ankles[:, 1] - hips[:, 1] + np.sqrt(np.maximum(reach - aside, 0.0))
    return height


def _waves(phase: FloatArray) -> FloatArray:
    step = 4.0 * np.pi * phase[:, None] * np.arange(1, _HEIGHT_HARMONICS + 1)
    return np.concatenate([np.ones((len(phase), 1)), np.cos(step), np.sin(step)], axis=-1)


def _bounce(gait: GaitLaws, phase: FloatArray) -> FloatArray:
    """The height of a runner against touchdown: a half sine of force on the floor, free fall in the air."""
    step_time = 0.5 * gait.stride_time
    contact = gait.duty_factor * gait.stride_time
    flight = step_time - contact
    t = np.mod(2.0 * phase, 1.0) * step_time
    push = 0.5 * np.pi * GRAVITY * step_time / contact  # peak, m/s^2: its mean over the step is gravity
    fall = -0.5 * GRAVITY * flight
    w = np.pi / contact
    down = fall * t - 0.5 * GRAVITY * t**2 + push * (t / w - np.sin(w * t) / w**2)
    air = t - contact
    up = -fall * air - 0.5 * GRAVITY * air**2
    bounce: FloatArray = np.where(t < contact, down, up)
    return bounce
