"""Made-up one-foot jumps with a known line in length: a body in free fall between two planted feet."""

from __future__ import annotations

import numpy as np

from locomote import rotations as rot
from locomote.human.jumps import _timeline as timeline
from locomote.human.jumps._units import JumpUnit
from locomote.human_skeleton import ANKLE_HEIGHT, BALL_AHEAD_OF_ANKLE, COMMON, PELVIS_ABOVE_HIPS, SHANK, THIGH
from locomote.rotations import FloatArray

LENGTHS = {"walking": (0.5, 1.3), "running": (0.9, 1.8)}  # hip heights
SUPPORT = {"walking": 0.7, "running": 0.6}
LANDING = {"walking": 0.8, "running": 0.7}
FLIGHT = {"walking": (0.5, 0.3), "running": (0.5, 0.6)}  # offset and slope over the length
PLANT_AHEAD = 0.25  # hip heights of the foot before the pelvis at plant and at touch-down
X = np.array([1.0, 0.0, 0.0])


def jump(kind: str, subject: int, length: float, side: str, noise: float = 0.0, seed: int = 0) -> JumpUnit:
    """A jump of a made-up performer; ``noise`` in radians."""
    rng = np.random.default_rng(seed)
    support = SUPPORT[kind] + 0.05 * length + 0.02 * subject
    landing = LANDING[kind] + 0.02 * subject
    flight = FLIGHT[kind][0] + FLIGHT[kind][1] * length - 0.03 * subject
    # Both feet come down `PLANT_AHEAD` before the pelvis, so that the jump is as long as the way of the body.
    speed = length / (support + flight)
    u = timeline.nodes()
    t = timeline.times(u, support, flight, landing)
    root = np.zeros((len(u), 3))
    fly = np.clip(t - support, 0.0, flight)
    root[:, 1] = 0.93 + PELVIS_ABOVE_HIPS + 0.5 * fly * (flight - fly) - 0.05 * np.sin(np.pi * np.clip(u / 0.35, 0, 1))
    turns = rot.identity(len(u), len(COMMON))
    lean = 0.1 + 0.05 * subject + 0.05 * length
    turns[:, COMMON.index("Spine")] = rot.from_axis_angle(X, np.full(len(u), lean))
    names = ("Left", "Right") if side == "left" else ("Right", "Left")
    stays = np.where(t < support, PLANT_AHEAD - speed * t, 0.0)
    last = PLANT_AHEAD - speed * support
    back = last + (0.1 - last) * _ease((t - support) / (flight + landing))
    lands = PLANT_AHEAD - speed * (t - support - flight)
    swing = -0.4 + (PLANT_AHEAD + 0.4) * _ease(t / (support + flight))
    _leg(
        turns,
        names[0],
        np.where(t < support, stays, back),
        root[:, 1],
        0.25 * _bump((t - support) / (flight + landing)),
    )
    _leg(
        turns,
        names[1],
        np.where(t < support + flight, swing, lands),
        root[:, 1],
        0.2 * _bump(t / (support + flight)),
    )
    for k, name in enumerate(names):
        down = rot.from_axis_angle([0.0, 0.0, 1.0], (-1.35 if name == "Left" else 1.35))
        swung = rot.from_axis_angle(X, (0.5 + 0.2 * length) * np.sin(2 * np.pi * u + np.pi * k + 0.2 * subject))
        turns[:, COMMON.index(f"{name}Arm")] = rot.multiply(swung, down)
    turns[:, 1:] = rot.multiply(turns[:, 1:], rot.exp(noise * rng.standard_normal((1, len(COMMON) - 1, 3))))
    return JumpUnit(
        f"performer {subject}", f"{kind}{length:.2f}", kind, side, 0.9, length, support, flight, landing, speed,
        root, rot.continuous(turns), t,
    )  # fmt: skip


def jumps(kind: str, performers: int = 4, each: int = 8, noise: float = 0.0) -> list[JumpUnit]:
    """Jumps of all performers over the range of lengths, with both feet."""
    out = []
    for subject in range(performers):
        for k, length in enumerate(np.linspace(*LENGTHS[kind], each)):
            side = ("left", "right")[k % 2]
            out.append(jump(kind, subject, float(length), side, noise, seed=100 * subject + k))
    return out


def _ease(x: FloatArray) -> FloatArray:
    x = np.clip(x, 0.0, 1.0)
    return x * x * (3.0 - 2.0 * x)


def _bump(x: FloatArray) -> FloatArray:
    return np.sin(np.pi * np.clip(x, 0.0, 1.0)) ** 2


def _leg(turns: FloatArray, side: str, ball: FloatArray, root_height: FloatArray, lift: FloatArray) -> None:
    """Bend a leg in the sagittal plane so that the ball is ``ball`` ahead of the pelvis on a flat foot."""
    ahead = ball - BALL_AHEAD_OF_ANKLE
    down = root_height - PELVIS_ABOVE_HIPS - ANKLE_HEIGHT - lift
    reach = np.minimum(np.hypot(ahead, down), 0.999 * (THIGH + SHANK))
    knee = np.pi - np.arccos((THIGH**2 + SHANK**2 - reach**2) / (2 * THIGH * SHANK))
    hip = -np.arctan2(ahead, down) - 0.5 * knee  # thigh and shank are equally long
    turns[:, COMMON.index(f"{side}UpLeg")] = rot.from_axis_angle(X, hip)
    turns[:, COMMON.index(f"{side}Leg")] = rot.from_axis_angle(X, knee)
    turns[:, COMMON.index(f"{side}Foot")] = rot.from_axis_angle(X, -hip - knee)
