"""Built-in creatures with many legs: a spider, an ant, a crab and a centipede. Knees are above the body."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from locomote.creatures._morphology import Morphology
from locomote.creatures.catalogue._builder import SIDES, BodyBuilder, Place, Stations
from locomote.creatures.mesh import ball, spike, tube


def _outwards(origin: Place, azimuth: float, profile: Sequence[tuple[float, float]]) -> np.ndarray:
    """Places of a leg that goes out from the body: (distance, height) along a direction, 0 to the left, 90 forward."""
    turn = np.radians(azimuth)
    away = np.array([np.cos(turn), 0.0, np.sin(turn)])
    foot = np.array([origin[0], 0.0, origin[2]])
    return np.array([foot + far * away + np.array([0.0, high, 0.0]) for far, high in profile])


def _jointed(thick: float, shares: Sequence[tuple[float, float]]) -> Stations:
    """A leg as thick as ``thick`` times the share at each place."""
    return [(at, share * thick, share * thick) for at, share in shares]


def spider() -> Morphology:
    """A spider with a span of 1.6 m."""
    s = BodyBuilder("spider")
    s.chain(None, [("thorax", (0.0, 0.26, 0.0)), ("head", (0.0, 0.26, 0.10))], end=(0.0, 0.25, 0.22))
    s.chain("thorax", [("abdomen", (0.0, 0.275, -0.12))], end=(0.0, 0.27, -0.55))
    skin = _jointed(
        0.03,
        [(0.0, 0.95), (0.5, 1.0), (1.0, 0.9), (1.5, 1.1), (1.9, 0.8), (2.05, 0.85), (2.5, 0.75), (2.95, 0.5),
         (3.1, 0.5), (3.5, 0.38), (4.0, 0.14)],
    )  # fmt: skip
    for row, (z, azimuth, size) in enumerate(
        [(0.085, 52.0, 1.08), (0.03, 17.0, 0.92), (-0.03, -17.0, 0.88), (-0.085, -50.0, 1.10)], start=1
    ):
        profile = [(0.0, 0.25), (0.075, 0.27), (0.36 * size, 0.27 + 0.27 * size), (0.66 * size, 0.25),
                   (0.78 * size, 0.0)]  # fmt: skip
        s.pair(
            "thorax",
            [f"coxa_{row}", f"femur_{row}", f"tibia_{row}", f"tarsus_{row}"],
            _outwards((0.085, 0.0, z), azimuth, profile),
            hip=(50.0, 30.0),
            bends=[(60.0, 50.0), (75.0, 60.0), (40.0, 60.0)],
            foot=(0.02, 0.02),
            skin=skin,
        )
    s.cover(
        [(0.0, 0.25, 0.22), "head", "thorax", (0.0, 0.27, -0.13)],
        [(0.05, 0.055, 0.05, 0.03), (0.6, 0.085, 0.07, 0.05), (1.4, 0.115, 0.065, 0.06), (2.1, 0.135, 0.06, 0.06),
         (2.7, 0.085, 0.045, 0.045), (3.0, 0.035, 0.03, 0.03)],
    )  # fmt: skip
    s.cover(
        ["abdomen", (0.0, 0.27, -0.55)],
        [(-0.0, 0.03, 0.03, 0.03), (0.12, 0.10, 0.09, 0.07), (0.4, 0.175, 0.16, 0.11), (0.62, 0.18, 0.165, 0.12),
         (0.85, 0.12, 0.11, 0.09), (1.0, 0.045, 0.045, 0.04)],
        rings=14, corner=0.0,
    )  # fmt: skip
    head, abdomen = s.index("head"), s.index("abdomen")
    s.both(ball(head, (0.026, 0.225, 0.225), (0.024, 0.045, 0.028)))
    s.both(spike(head, (0.026, 0.20, 0.24), (0.018, 0.15, 0.225), 0.011, (1.0, 0.0, 0.0)))
    for x, y, z, r in [
        (0.016, 0.292, 0.215, 0.013),
        (0.042, 0.288, 0.205, 0.010),
        (0.055, 0.30, 0.17, 0.008),
    ]:
        s.both(ball(head, (x, y, z), (r, r, r), around=8))
    for mark, x in SIDES:
        palp = f"palp.{mark}"
        s.chain("head", [(palp, (0.06 * x, 0.24, 0.18))], end=(0.06 * x, 0.15, 0.36))
        s.cover(
            [palp, (0.075 * x, 0.29, 0.28), (0.07 * x, 0.16, 0.345)],
            [(0.0, 0.018, 0.018), (1.0, 0.016, 0.016), (1.7, 0.017, 0.017), (2.0, 0.012, 0.012)],
            around=8, corner=0.2,
        )  # fmt: skip
    s.both(spike(abdomen, (0.018, 0.27, -0.55), (0.02, 0.25, -0.61), 0.012, (1.0, 0.0, 0.0)))
    return s.finish(head="head", tail="abdomen", box=(0.15, 0.24))


def ant() -> Morphology:
    """An ant, 0.9 m long."""
    s = BodyBuilder("ant")
    s.chain(
        None,
        [("thorax", (0.0, 0.27, 0.0)), ("prothorax", (0.0, 0.29, 0.12)), ("head", (0.0, 0.30, 0.22))],
        end=(0.0, 0.25, 0.42),
    )
    s.chain("thorax", [("petiole", (0.0, 0.25, -0.13)), ("gaster", (0.0, 0.27, -0.21))], end=(0.0, 0.26, -0.54))
    skin = _jointed(
        0.02,
        [(0.0, 1.3), (0.6, 1.2), (1.0, 0.85), (1.5, 1.1), (1.9, 0.75), (2.1, 0.8), (2.5, 0.75), (2.95, 0.5),
         (3.5, 0.36), (4.0, 0.2)],
    )  # fmt: skip
    for row, (z, azimuth, size) in enumerate([(0.10, 48.0, 0.95), (0.02, -6.0, 1.0), (-0.06, -48.0, 1.22)], start=1):
        profile = [
            (0.0, 0.245),
            (0.06, 0.20),
            (0.25 * size, 0.23 + 0.16 * size),
            (0.42 * size, 0.12),
            (0.5 * size, 0.0),
        ]
        s.pair(
            "prothorax" if row == 1 else "thorax",
            [f"coxa_{row}", f"femur_{row}", f"tibia_{row}", f"tarsus_{row}"],
            _outwards((0.045, 0.0, z), azimuth, profile),
            hip=(50.0, 30.0),
            bends=[(45.0, 50.0), (75.0, 55.0), (40.0, 60.0)],
            foot=(0.02, 0.02),
            skin=skin,
        )
    s.cover(
        [(0.0, 0.295, 0.19), "prothorax", "thorax", "petiole", (0.0, 0.265, -0.22)],
        [(0.0, 0.022, 0.022, 0.022), (0.5, 0.05, 0.05, 0.045), (1.0, 0.066, 0.06, 0.06), (1.55, 0.055, 0.05, 0.055),
         (2.0, 0.06, 0.055, 0.06), (2.6, 0.045, 0.04, 0.045), (2.9, 0.02, 0.022, 0.02), (3.25, 0.024, 0.05, 0.024),
         (3.6, 0.018, 0.018, 0.018), (4.0, 0.018, 0.018, 0.018)],
        rings=7, corner=0.25,
    )  # fmt: skip
    s.cover(
        ["gaster", (0.0, 0.255, -0.54)],
        [(0.0, 0.035, 0.035, 0.03), (0.2, 0.10, 0.095, 0.075), (0.5, 0.135, 0.125, 0.10), (0.8, 0.09, 0.085, 0.07),
         (1.0, 0.025, 0.025, 0.025)],
        rings=14, corner=0.0,
    )  # fmt: skip
    _ant_head(s)
    return s.finish(head="head", tail="petiole", box=(0.1, 0.2))


def _ant_head(s: BodyBuilder) -> None:
    """A heart-shaped head with jaws and antennae."""
    s.cover(
        ["head", (0.0, 0.245, 0.43)],
        [(0.0, 0.06, 0.04, 0.045), (0.25, 0.10, 0.065, 0.065), (0.5, 0.10, 0.065, 0.065), (0.8, 0.075, 0.05, 0.05),
         (1.0, 0.05, 0.03, 0.03)],
        rings=12, corner=0.0,
    )  # fmt: skip
    head = s.index("head")
    s.both(ball(head, (0.085, 0.305, 0.33), (0.016, 0.026, 0.028), along=(0.2, -0.25, 1.0)))
    s.both(spike(head, (0.038, 0.235, 0.43), (0.012, 0.205, 0.52), 0.018, (1.0, 0.0, 0.3), 0.6))
    for mark, x in SIDES:
        s.chain(
            "head",
            [(f"antenna_1.{mark}", (0.035 * x, 0.295, 0.40)), (f"antenna_2.{mark}", (0.17 * x, 0.37, 0.48))],
            end=(0.20 * x, 0.27, 0.66),
        )
        s.cover(
            [f"antenna_1.{mark}", f"antenna_2.{mark}", (0.20 * x, 0.27, 0.66)],
            [(0.0, 0.009, 0.009), (1.0, 0.009, 0.009), (1.7, 0.011, 0.011), (2.0, 0.007, 0.007)],
            side=(0.0, 1.0, 0.0), around=6, corner=0.1, blend=0.2,
        )  # fmt: skip


def crab() -> Morphology:
    """A crab with a span of 1.1 m. It goes sideways: its left side is ahead, and it faces to the right of its way."""
    s = BodyBuilder("crab")
    s.chain(None, [("carapace", (0.0, 0.20, 0.0)), ("head", (0.0, 0.215, 0.10))], end=(0.0, 0.21, 0.18))
    skin = _jointed(
        0.028,
        [(0.0, 1.1), (0.7, 1.0), (1.0, 0.9), (1.4, 1.25), (1.9, 0.85), (2.1, 0.9), (2.5, 0.8), (2.9, 0.65), (3.1, 0.6),
         (3.6, 0.4), (4.0, 0.08)],
    )  # fmt: skip
    for row, (z, azimuth, size) in enumerate(
        [(0.06, 26.0, 0.95), (0.005, 5.0, 1.05), (-0.05, -17.0, 1.05), (-0.10, -42.0, 0.95)], start=1
    ):
        profile = [
            (0.0, 0.17),
            (0.06, 0.165),
            (0.23 * size, 0.17 + 0.13 * size),
            (0.36 * size, 0.16),
            (0.42 * size, 0.0),
        ]
        s.pair(
            "carapace",
            [f"coxa_{row}", f"merus_{row}", f"carpus_{row}", f"dactyl_{row}"],
            _outwards((0.13, 0.0, z), azimuth, profile),
            hip=(45.0, 25.0),
            bends=[(45.0, 50.0), (70.0, 55.0), (45.0, 55.0)],
            foot=(0.015, 0.015),
            skin=skin,
        )
    s.cover(
        [(0.0, 0.215, 0.17), "carapace", (0.0, 0.19, -0.17)],
        [(0.0, 0.13, 0.025, 0.03), (0.25, 0.20, 0.05, 0.05), (0.6, 0.245, 0.07, 0.06), (1.0, 0.235, 0.078, 0.065),
         (1.5, 0.17, 0.06, 0.055), (2.0, 0.09, 0.03, 0.03)],
        around=20, rings=8, corner=0.3,
    )  # fmt: skip
    head = s.index("head")
    for mark, x in SIDES:
        stalk = [(0.045 * x, 0.225, 0.17), (0.055 * x, 0.275, 0.195)]
        s.pieces.append(tube(stalk, [head], [(0.0, 0.009, 0.009), (1.0, 0.008, 0.008)], around=6, corner=0.0))
        s.pieces.append(ball(head, (0.056 * x, 0.28, 0.197), (0.016, 0.018, 0.016), around=8))
        _claw(s, mark, x)
    return s.finish(head="head", box=(0.24, 0.17), leads="left")


def _claw(s: BodyBuilder, mark: str, x: float) -> None:
    """An arm with a hand that is all pincer, held in front of the mouth."""
    names = [f"claw_{part}.{mark}" for part in ("arm", "wrist", "hand")]
    s.chain(
        "carapace",
        [
            (names[0], (0.14 * x, 0.175, 0.10)),
            (names[1], (0.30 * x, 0.20, 0.20)),
            (names[2], (0.26 * x, 0.185, 0.30)),
        ],
        end=(0.09 * x, 0.16, 0.40),
    )
    s.cover(
        [*names, (0.16 * x, 0.17, 0.365)],
        [(0.0, 0.026, 0.026), (0.6, 0.034, 0.034), (1.0, 0.028, 0.028), (1.3, 0.034, 0.034), (1.7, 0.03, 0.03),
         (2.0, 0.035, 0.035), (2.4, 0.062, 0.045), (2.8, 0.055, 0.042), (3.0, 0.045, 0.035)],
        side=(0.0, 1.0, 0.0), around=10, corner=0.2, blend=0.25,
    )  # fmt: skip
    hand = s.index(names[2])
    s.pieces.append(spike(hand, (0.165 * x, 0.195, 0.365), (0.07 * x, 0.175, 0.41), 0.03, (0.0, 1.0, 0.0), 0.8))
    s.pieces.append(spike(hand, (0.165 * x, 0.14, 0.36), (0.075 * x, 0.155, 0.405), 0.022, (0.0, 1.0, 0.0), 0.8))


SEGMENTS = 15
_SEGMENT = 0.075  # m


def centipede() -> Morphology:
    """A centipede of fifteen segments, 1.3 m long."""
    s = BodyBuilder("centipede")
    high = 0.085
    front = 0.5 * SEGMENTS * _SEGMENT
    names = [f"segment_{k}" for k in range(1, SEGMENTS + 1)]
    s.chain(None, [(name, (0.0, high, front - k * _SEGMENT)) for k, name in enumerate(names)],
            end=(0.0, high, front - SEGMENTS * _SEGMENT))  # fmt: skip
    s.chain(names[0], [("head", (0.0, high, front + 0.05))], end=(0.0, high - 0.01, front + 0.14))
    for k, name in enumerate(names):
        z = front - (k + 0.5) * _SEGMENT
        lean = 28.0 - 62.0 * k / (SEGMENTS - 1)
        size = 1.0 + 0.12 * np.sin(np.pi * k / (SEGMENTS - 1)) + (0.25 if k == SEGMENTS - 1 else 0.0)
        profile = [
            (0.0, high - 0.012),
            (0.085 * size, high + 0.045),
            (0.165 * size, 0.045),
            (0.19 * size, 0.0),
        ]
        s.pair(
            name,
            [f"leg_{k + 1}", f"shin_{k + 1}", f"claw_{k + 1}"],
            _outwards((0.045, 0.0, z), lean, profile),
            hip=(50.0, 25.0),
            bends=[(70.0, 55.0), (40.0, 55.0)],
            foot=(0.012, 0.012),
            skin=_jointed(0.012, [(0.0, 1.1), (0.6, 1.0), (1.0, 0.8), (1.5, 0.75), (2.0, 0.5), (3.0, 0.12)]),
            around=6,
        )
    plates: list[tuple[float, ...]] = [
        (0.1, 0.035, 0.02, 0.015),
        (0.5, 0.058, 0.032, 0.024),
        (0.9, 0.05, 0.03, 0.022),
    ]
    for k in range(1, SEGMENTS + 2):
        wide = 0.062 * (1.0 if k < SEGMENTS - 2 else 1.0 - 0.1 * (k - SEGMENTS + 3))
        plates += [(k + 0.05, 0.78 * wide, 0.026, 0.022), (k + 0.5, wide, 0.034, 0.026)]
    last = SEGMENTS + 1.95
    s.cover([(0.0, high - 0.01, front + 0.14), "head", *names, (0.0, high, front - SEGMENTS * _SEGMENT)],
            [*plates, (last, 0.022, 0.02, 0.018)], rings=5, corner=0.3, around=14)  # fmt: skip
    head = s.index("head")
    s.both(
        spike(
            head,
            (0.04, high - 0.018, front + 0.08),
            (0.012, high - 0.03, front + 0.17),
            0.014,
            (0.0, 1.0, 0.0),
        )
    )
    s.both(ball(head, (0.035, high + 0.018, front + 0.11), (0.008, 0.008, 0.008), around=8))
    for mark, x in SIDES:
        bases = [(f"antenna_1.{mark}", (0.02 * x, high + 0.005, front + 0.14)),
                 (f"antenna_2.{mark}", (0.09 * x, high + 0.05, front + 0.25))]  # fmt: skip
        end = (0.15 * x, high + 0.03, front + 0.38)
        s.chain("head", bases, end=end)
        s.cover([bases[0][0], bases[1][0], end], [(0.0, 0.008, 0.008), (1.0, 0.006, 0.006), (2.0, 0.003, 0.003)],
                side=(0.0, 1.0, 0.0), around=6, corner=0.2)  # fmt: skip
    return s.finish(head="head", box=(0.06, front))
