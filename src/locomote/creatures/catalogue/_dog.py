"""A shepherd dog of the size that is simulated: shoulders 0.47 m, hips 0.45 m above the ground, 30 joints."""

from __future__ import annotations

import numpy as np

from locomote.creatures._morphology import Morphology
from locomote.creatures.catalogue._builder import SIDES, Place
from locomote.creatures.catalogue._mammals import LegPair, Quadruped, built
from locomote.creatures.mesh import ball, spike
from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

DOG = Quadruped(
    name="dog",
    trunk=[
        ("pelvis", (0.0, 0.50, -0.28)),
        ("spine_1", (0.0, 0.505, -0.21)),
        ("spine_2", (0.0, 0.51, -0.10)),
        ("spine_3", (0.0, 0.515, 0.01)),
        ("spine_4", (0.0, 0.515, 0.12)),
        ("chest", (0.0, 0.51, 0.23)),
        ("neck_1", (0.0, 0.545, 0.375)),
        ("neck_2", (0.0, 0.598, 0.435)),
        ("neck_3", (0.0, 0.654, 0.492)),
        ("head", (0.0, 0.708, 0.551)),
    ],
    nose=(0.0, 0.652, 0.743),
    tail=[
        ("tail_1", (0.0, 0.505, -0.36)),
        ("tail_2", (0.0, 0.46, -0.426)),
        ("tail_3", (0.0, 0.398, -0.476)),
        ("tail_4", (0.0, 0.327, -0.512)),
    ],
    tail_end=(0.0, 0.25, -0.533),
    fore=LegPair(
        names=["upper_arm", "forearm", "hand", "fingers"],
        places=[
            (0.055, 0.47, 0.31),
            (0.055, 0.3088, 0.2094),
            (0.055, 0.1147, 0.2577),
            (0.055, 0.0275, 0.28),
            (0.055, 0.0, 0.333),
        ],
        hip=(75.0, 15.0),
        bends=[(45.0, 95.0), (40.0, 110.0), (50.0, 60.0)],
        foot=(0.028, 0.035),
        skin=[
            (0.0, 0.036, 0.065, 0.06),
            (0.2, 0.042, 0.07, 0.055),
            (0.6, 0.036, 0.05, 0.045),
            (1.0, 0.027, 0.034, 0.03),
            (1.5, 0.021, 0.025, 0.024),
            (2.0, 0.019, 0.02, 0.02),
            (2.5, 0.017, 0.018, 0.018),
            (3.0, 0.022, 0.02, 0.022),
            (3.6, 0.022, 0.016, 0.018),
        ],
    ),
    hind=LegPair(
        names=["thigh", "shank", "foot", "toes"],
        places=[
            (0.05, 0.45, -0.28),
            (0.05, 0.2866, -0.1647),
            (0.05, 0.1518, -0.3124),
            (0.05, 0.0246, -0.2855),
            (0.05, 0.0, -0.2308),
        ],
        hip=(75.0, 15.0),
        bends=[(50.0, 70.0), (55.0, 60.0), (50.0, 60.0)],
        foot=(0.028, 0.035),
        skin=[
            (0.0, 0.042, 0.088, 0.075),
            (0.35, 0.043, 0.085, 0.06),
            (0.75, 0.036, 0.06, 0.048),
            (1.0, 0.03, 0.045, 0.038),
            (1.4, 0.022, 0.03, 0.024),
            (1.8, 0.016, 0.019, 0.016),
            (2.0, 0.016, 0.022, 0.015),
            (2.5, 0.015, 0.016, 0.015),
            (3.0, 0.021, 0.018, 0.02),
            (3.6, 0.021, 0.015, 0.017),
        ],
    ),
    skin=[
        (0.06, 0.019, 0.017, 0.017),
        (0.3, 0.026, 0.023, 0.028),
        (0.55, 0.032, 0.03, 0.038),
        (0.8, 0.05, 0.048, 0.048),
        (1.0, 0.056, 0.05, 0.055),
        (1.6, 0.05, 0.048, 0.058),
        (3.0, 0.058, 0.05, 0.08),
        (4.0, 0.072, 0.055, 0.11),
        (4.6, 0.08, 0.055, 0.145),
        (5.0, 0.085, 0.055, 0.175),
        (6.0, 0.085, 0.052, 0.175),
        (7.0, 0.08, 0.05, 0.155),
        (8.0, 0.074, 0.046, 0.13),
        (9.0, 0.07, 0.042, 0.112),
        (10.0, 0.07, 0.042, 0.105),
        (10.6, 0.045, 0.036, 0.06),
        (11.1, 0.024, 0.024, 0.03),
        (12.0, 0.026, 0.026, 0.03),
        (13.0, 0.031, 0.031, 0.035),
        (14.0, 0.029, 0.029, 0.032),
        (14.9, 0.009, 0.009, 0.009),
    ],
)


LINKS = 6  # of the back, pelvis and chest included


def dog(links: int = LINKS) -> Morphology:
    """A German shepherd, 0.55 m high at the withers, with a back of so many links."""
    s = built(DOG if links == LINKS else _with_back(links))
    head = s.index("head")
    s.both(spike(head, (0.034, 0.745, 0.545), (0.045, 0.83, 0.54), 0.03, (1.0, -0.2, 0.3), 0.4))
    s.both(ball(head, (0.033, 0.725, 0.622), (0.009, 0.008, 0.009)))
    s.pieces.append(ball(head, (0.0, 0.664, 0.748), (0.012, 0.009, 0.011)))
    for mark, x in SIDES:
        s.pieces.append(ball(s.index(f"fingers.{mark}"), (0.055 * x, 0.019, 0.322), (0.028, 0.02, 0.042)))
        s.pieces.append(ball(s.index(f"toes.{mark}"), (0.05 * x, 0.019, -0.243), (0.027, 0.019, 0.04)))
    return s.finish(head="head", tail="tail_1")


def _place(at: FloatArray) -> Place:
    return float(at[0]), float(at[1]), float(at[2])


def _with_back(links: int) -> Quadruped:
    """The dog with another number of links between its hips and shoulders, the same back in all."""
    if not 2 <= links <= 40:
        raise LocomoteError(f"a back of {links} links: expected 2 (hips and shoulders alone) to 40")
    trunk = [joint for joint in DOG.trunk if not joint[0].startswith("spine")]
    ends = np.array([DOG.trunk[1][1], DOG.trunk[LINKS - 1][1]])
    steps = np.linspace(0.0, 1.0, links - 1)[:-1].tolist() if links > 2 else []
    between: list[tuple[str, Place]] = [
        (f"spine_{k + 1}", _place((1.0 - t) * ends[0] + t * ends[1])) for k, t in enumerate(steps)
    ]
    chest = LINKS - 1  # as a station of the skin
    more = links - LINKS
    skin = [
        (at if at <= chest else chest + (at - chest) * (links - 1) / chest if at <= 2 * chest else at + more, *rest)
        for at, *rest in DOG.skin
    ]
    return DOG._replace(trunk=[trunk[0], *between, *trunk[1:]], skin=skin)
