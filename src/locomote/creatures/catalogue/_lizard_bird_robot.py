"""Built-in creatures of other kinds: a lizard with sprawled legs, a bird on two, a robot on five."""

from __future__ import annotations

import numpy as np

from locomote.creatures._morphology import Morphology
from locomote.creatures.catalogue._builder import SIDES, BodyBuilder
from locomote.creatures.mesh import ball, spike, tube


def lizard() -> Morphology:
    """A monitor lizard, 1.4 m long with its tail: upper arms and thighs point sideways."""
    s = BodyBuilder("lizard")
    s.chain(
        None,
        [
            ("pelvis", (0.0, 0.145, -0.22)),
            ("loin", (0.0, 0.145, -0.08)),
            ("back", (0.0, 0.145, 0.07)),
            ("chest", (0.0, 0.15, 0.22)),
            ("neck", (0.0, 0.165, 0.33)),
            ("head", (0.0, 0.18, 0.42)),
        ],
        end=(0.0, 0.165, 0.57),
    )
    tail = [(f"tail_{k + 1}", (0.0, 0.14 - 0.022 * k, -0.33 - 0.13 * k)) for k in range(5)]
    s.chain("pelvis", tail, end=(0.0, 0.02, -0.99))
    skin = [(0.0, 0.036, 0.034), (0.4, 0.036, 0.036), (0.9, 0.027, 0.027), (1.4, 0.026, 0.026), (1.9, 0.018, 0.018),
            (2.4, 0.022, 0.014), (2.75, 0.016, 0.01)]  # fmt: skip
    s.pair(
        "chest",
        ["upper_arm", "forearm", "hand"],
        [(0.065, 0.135, 0.21), (0.185, 0.155, 0.165), (0.215, 0.03, 0.225), (0.235, 0.0, 0.275)],
        hip=(55.0, 45.0),
        bends=[(70.0, 60.0), (50.0, 60.0)],
        foot=(0.03, 0.035),
        skin=skin,
    )
    s.pair(
        "pelvis",
        ["thigh", "shank", "foot"],
        [(0.06, 0.135, -0.22), (0.19, 0.165, -0.15), (0.225, 0.03, -0.235), (0.26, 0.0, -0.175)],
        hip=(55.0, 45.0),
        bends=[(70.0, 60.0), (50.0, 60.0)],
        foot=(0.03, 0.04),
        skin=[(at, 1.12 * wide, 1.12 * high) for at, wide, high in skin],
    )
    s.cover(
        [(0.0, 0.165, 0.57), "head", "neck", "chest", "back", "loin", "pelvis", *(name for name, _ in tail),
         (0.0, 0.02, -0.99)],
        [
            (0.04, 0.022, 0.016, 0.016),
            (0.4, 0.036, 0.026, 0.03),
            (0.75, 0.052, 0.04, 0.038),
            (1.0, 0.055, 0.04, 0.042),
            (1.5, 0.046, 0.038, 0.042),
            (2.2, 0.055, 0.042, 0.05),
            (3.0, 0.085, 0.05, 0.065),
            (4.0, 0.10, 0.055, 0.075),
            (5.0, 0.095, 0.052, 0.072),
            (6.0, 0.072, 0.048, 0.06),
            (7.0, 0.05, 0.045, 0.05),
            (8.0, 0.038, 0.04, 0.042),
            (10.0, 0.022, 0.026, 0.026),
            (12.0, 0.006, 0.008, 0.008),
        ],
        around=14,
    )  # fmt: skip
    head = s.index("head")
    s.both(ball(head, (0.038, 0.203, 0.455), (0.012, 0.012, 0.015), around=8))
    for mark, x in SIDES:
        for name, at, spread in (
            ("hand", (0.228, 0.012, 0.262), 20.0),
            ("foot", (0.252, 0.012, -0.19), 35.0),
        ):
            for k in range(5):
                turn = np.radians(spread + 26.0 * (k - 2))
                tip = (x * (at[0] + 0.06 * np.sin(turn)), 0.004, at[2] + 0.06 * np.cos(turn))
                toe = spike(s.index(f"{name}.{mark}"), (x * at[0], at[1], at[2]), tip, 0.009, (0.0, 1.0, 0.0))
                s.pieces.append(toe)
    return s.finish(head="head", tail="tail_1")


def bird() -> Morphology:
    """A running bird, 1.5 m high: the knee is hidden in the feathers, what bends back is the hock."""
    s = BodyBuilder("bird")
    s.chain(
        None,
        [
            ("pelvis", (0.0, 0.90, 0.0)),
            ("chest", (0.0, 0.90, 0.20)),
            ("neck_1", (0.0, 0.96, 0.34)),
            ("neck_2", (0.0, 1.08, 0.50)),
            ("neck_3", (0.0, 1.26, 0.39)),
            ("head", (0.0, 1.42, 0.41)),
        ],
        end=(0.0, 1.40, 0.54),
    )
    s.chain("pelvis", [("tail_1", (0.0, 0.91, -0.24))], end=(0.0, 0.86, -0.46))
    s.pair(
        "pelvis",
        ["thigh", "shank", "foot", "toes"],
        [
            (0.09, 0.83, -0.03),
            (0.125, 0.68, 0.13),
            (0.115, 0.395, -0.12),
            (0.11, 0.05, 0.0),
            (0.11, 0.0, 0.065),
        ],
        hip=(50.0, 15.0),
        bends=[(50.0, 60.0), (65.0, 70.0), (55.0, 60.0)],
        foot=(0.05, 0.07),
        skin=[
            (0.0, 0.065, 0.10, 0.09),
            (0.5, 0.07, 0.10, 0.08),
            (1.0, 0.06, 0.075, 0.06),
            (1.4, 0.045, 0.055, 0.045),
            (1.85, 0.022, 0.024, 0.022),
            (2.05, 0.024, 0.026, 0.022),
            (2.3, 0.017, 0.017, 0.017),
            (2.85, 0.016, 0.016, 0.016),
            (3.0, 0.02, 0.018, 0.02),
            (3.4, 0.017, 0.013, 0.015),
        ],
        side=(1.0, 0.0, 0.0),
    )
    s.cover(
        [
            (0.0, 1.405, 0.47),
            "head",
            "neck_3",
            "neck_2",
            "neck_1",
            "chest",
            "pelvis",
            "tail_1",
            (0.0, 0.86, -0.46),
        ],
        [
            (0.15, 0.026, 0.024, 0.024),
            (0.7, 0.044, 0.042, 0.042),
            (1.0, 0.045, 0.045, 0.042),
            (1.4, 0.034, 0.034, 0.034),
            (2.0, 0.033, 0.034, 0.034),
            (3.0, 0.042, 0.045, 0.045),
            (3.7, 0.062, 0.07, 0.07),
            (4.3, 0.12, 0.11, 0.13),
            (5.0, 0.19, 0.15, 0.21),
            (5.6, 0.215, 0.17, 0.23),
            (6.0, 0.21, 0.165, 0.21),
            (6.6, 0.16, 0.125, 0.14),
            (7.0, 0.11, 0.075, 0.085),
            (7.6, 0.085, 0.035, 0.05),
            (8.0, 0.05, 0.015, 0.02),
        ],
        rings=6,
    )
    head, chest = s.index("head"), s.index("chest")
    s.pieces.append(spike(head, (0.0, 1.41, 0.46), (0.0, 1.385, 0.58), 0.026, (1.0, 0.0, 0.0), 0.8))
    s.both(ball(head, (0.033, 1.432, 0.44), (0.012, 0.012, 0.012), around=8))
    wing = [(0.15, 0.96, 0.22), (0.205, 0.90, 0.05), (0.165, 0.82, -0.22)]
    feathers = [
        (0.0, 0.03, 0.05, 0.05),
        (0.5, 0.035, 0.10, 0.10),
        (1.1, 0.035, 0.115, 0.12),
        (2.0, 0.012, 0.03, 0.03),
    ]
    s.both(tube(wing, [chest, chest], feathers, corner=0.4))
    for mark, x in SIDES:
        toes = s.index(f"toes.{mark}")
        for turn, long in ((-0.5, 0.115), (0.0, 0.15), (0.5, 0.115)):
            tip = (0.11 * x + long * np.sin(turn), 0.008, 0.005 + long * np.cos(turn))
            s.pieces.append(spike(toes, (0.11 * x, 0.02, 0.005), tip, 0.017, (0.0, 1.0, 0.0)))
    return s.finish(head="head", tail="tail_1")


_ROBOT_LEGS = (("front", 90.0), ("left_1", 18.0), ("left_2", -54.0), ("right_2", -126.0), ("right_1", 162.0))


def robot() -> Morphology:
    """A robot with five legs around a round body."""
    s = BodyBuilder("robot")
    s.chain(None, [("core", (0.0, 0.50, 0.0)), ("head", (0.0, 0.60, 0.0))], end=(0.0, 0.72, 0.0))
    for name, azimuth in _ROBOT_LEGS:
        turn = np.radians(azimuth)
        away = np.array([np.cos(turn), 0.0, np.sin(turn)])
        line = np.array([far * away + [0.0, high, 0.0] for far, high in
                         [(0.22, 0.50), (0.30, 0.50), (0.52, 0.72), (0.68, 0.0)]])  # fmt: skip
        side = np.cross(away, [0.0, 1.0, 0.0])
        joints = [f"{name}_hip", f"{name}_thigh", f"{name}_shank"]
        s.leg(
            "core",
            joints,
            line,
            hip=(50.0, 50.0),
            bends=[(60.0, 60.0), (60.0, 50.0)],
            foot=(0.03, 0.03),
            skin=[(0.0, 0.045, 0.045), (0.9, 0.045, 0.045), (1.15, 0.038, 0.045), (1.85, 0.03, 0.036),
                  (2.05, 0.026, 0.034), (2.75, 0.016, 0.018), (2.97, 0.012, 0.012)],
            side=side,
            around=8,
        )  # fmt: skip
        for joint, place, r in zip(joints, line, (0.06, 0.055, 0.048), strict=False):
            axle = [place - 1.15 * r * side, place + 1.15 * r * side]
            s.pieces.append(tube(axle, [s.index(joint)], [(0.0, r, r), (1.0, r, r)], side=(0.0, 1.0, 0.0), around=14,
                                 corner=0.0, dome=0.12))  # fmt: skip
        s.pieces.append(ball(s.index(joints[-1]), line[-1] + [0.0, 0.022, 0.0], (0.024, 0.022, 0.024), around=10))
    core, head = s.index("core"), s.index("head")
    hull = [(0.0, 0.10), (0.12, 0.19), (0.3, 0.235), (0.7, 0.235), (0.88, 0.20), (1.0, 0.13)]
    s.pieces.append(tube([(0.0, 0.40, 0.0), (0.0, 0.60, 0.0)], [core], [(at, r, r) for at, r in hull],
                         around=24, rings=12, corner=0.0, dome=0.1))  # fmt: skip
    s.pieces.append(ball(head, (0.0, 0.62, 0.0), (0.10, 0.075, 0.10), around=16))
    s.pieces.append(tube([(0.0, 0.645, 0.06), (0.0, 0.65, 0.125)], [head], [(0.0, 0.034, 0.034), (1.0, 0.04, 0.04)],
                         around=14, corner=0.0, dome=0.3))  # fmt: skip
    return s.finish(head="head", box=(0.25, 0.25))
