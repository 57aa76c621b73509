"""The body of a person for the page: a skin over the bones of the walking engine's skeleton."""

from __future__ import annotations

import numpy as np

from locomote.body import Body
from locomote.creatures.mesh import SkinPiece, ball, body_of, tube
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton

# Stations of the skin, in hip heights: where along the joints, half width, half depth (front and back if they differ).
_TRUNK = (
    (0.0, 0.085, 0.075), (0.45, 0.158, 0.095, 0.112), (1.0, 0.168, 0.098, 0.118), (2.0, 0.142, 0.092, 0.090),
    (3.0, 0.158, 0.102, 0.100), (3.9, 0.176, 0.108, 0.106), (4.45, 0.172, 0.086, 0.096), (4.75, 0.128, 0.064, 0.080),
    (5.0, 0.068, 0.058, 0.066), (5.35, 0.052, 0.052, 0.058), (5.9, 0.050, 0.050, 0.056),
)  # fmt: skip
_LEG = (
    (0.0, 0.082, 0.092), (0.35, 0.090, 0.096), (0.75, 0.066, 0.072), (1.0, 0.056, 0.062), (1.3, 0.050, 0.066),
    (1.7, 0.036, 0.042), (2.0, 0.033, 0.038),
)  # fmt: skip
_ARM = (
    (0.3, 0.062, 0.066), (1.0, 0.058, 0.064), (1.35, 0.046, 0.050), (2.0, 0.037, 0.038), (2.25, 0.040, 0.038),
    (3.0, 0.024, 0.029), (3.4, 0.018, 0.042), (3.8, 0.014, 0.036), (4.0, 0.010, 0.022),
)  # fmt: skip
_FOOT = (
    (0.0, 0.036, 0.036, 0.030), (0.38, 0.040, 0.066, 0.030), (0.8, 0.046, 0.036, 0.030), (1.0, 0.049, 0.026, 0.030),
    (1.75, 0.040, 0.012, 0.028),
)  # fmt: skip
_SOLE = 0.03  # the middle line of a foot above its sole
_HEEL = 0.05  # the rear of the foot behind the ankle
_CROTCH = 0.11  # the lower end of the trunk below the pelvis
_SKULL = (0.076, 0.116, 0.090)  # half width, height and depth
_NOSE = (0.012, 0.014, 0.02)


def person_body(skeleton: Skeleton) -> Body:
    """A smooth skin for a skeleton of `locomote.human_skeleton.human_skeleton`."""
    at, places = skeleton.index, skeleton.rest_pose()[0]
    unit = float(places[at("LeftUpLeg"), 1])

    def sized(stations: tuple[tuple[float, ...], ...]) -> list[tuple[float, ...]]:
        return [(row[0], *(unit * size for size in row[1:])) for row in stations]

    def spot(joint: str, x: float = 0.0, y: float = 0.0, z: float = 0.0) -> FloatArray:
        return np.asarray(places[at(joint)] + unit * np.array([x, y, z]))

    middle = ["Hips", "Spine", "Spine1", "Spine2", "Neck", "Head"]
    line = [spot("Hips", y=-_CROTCH), *(spot(name) for name in middle)]
    bones = [at(name) for name in ("Hips", *middle[:-1])]
    pieces: list[SkinPiece] = [
        tube(line, bones, sized(_TRUNK), (1.0, 0.0, 0.0), around=14, rings=4, corner=0.25, blend=0.5)
    ]
    pieces.append(ball(at("Head"), spot("Head", y=0.082, z=0.02), unit * np.array(_SKULL), (0.0, 0.0, 1.0), 14))
    pieces.append(ball(at("Head"), spot("Head", y=0.066, z=0.108), unit * np.array(_NOSE), (0.0, 0.0, 1.0), 6))
    for side, sign in (("Left", 1.0), ("Right", -1.0)):
        arm = [f"{side}{part}" for part in ("Shoulder", "Arm", "ForeArm", "Hand")]
        line = [*(spot(name) for name in arm), spot(arm[-1], x=sign * 0.19)]
        pieces.append(tube(line, [at(name) for name in arm], sized(_ARM), (0.0, 0.0, 1.0), around=9, rings=4))
        leg = [f"{side}{part}" for part in ("UpLeg", "Leg")]
        line = [*(spot(name) for name in leg), spot(f"{side}Foot")]
        pieces.append(tube(line, [at(name) for name in leg], sized(_LEG), (1.0, 0.0, 0.0), around=10, rings=5))
        foot, toes = f"{side}Foot", f"{side}ToeBase"
        level = unit * _SOLE
        line = [spot(foot, z=-_HEEL), spot(toes), spot(toes, z=0.085)]
        for place in line:
            place[1] = level
        bones = [at(foot), at(toes)]
        pieces.append(tube(line, bones, sized(_FOOT), (-1.0, 0.0, 0.0), around=10, rings=5, corner=0.05))
    return body_of(skeleton, pieces)
