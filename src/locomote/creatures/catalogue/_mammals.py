"""Built-in mammals: a wolf and a horse. Elbows and hocks point back, knees forward."""

from __future__ import annotations

from typing import NamedTuple

from locomote.creatures._morphology import Morphology
from locomote.creatures.catalogue._builder import SIDES, BodyBuilder, Place, Stations
from locomote.creatures.mesh import ball, spike, tube

UPRIGHT = (1.0, 0.0, 0.0)  # legs that swing fore and aft: their tubes are flat sideways


class LegPair(NamedTuple):
    """A pair of legs, by that of the left side; see `BodyBuilder.pair`."""

    names: list[str]  # of the joints, from the trunk down
    places: list[Place]  # m, of the joints and the tip
    hip: tuple[float, float]  # degrees that the first joint swings and twists
    bends: list[tuple[float, float]]  # degrees that the others bend less and more than at rest
    foot: tuple[float, float]  # m, half the width and length
    skin: Stations


class Quadruped(NamedTuple):
    """The measures of an animal on four upright legs; places in metres as it stands."""

    name: str
    trunk: list[tuple[str, Place]]  # joints from the pelvis to the head
    nose: Place  # at which the head ends
    tail: list[tuple[str, Place]]
    tail_end: Place
    fore: LegPair  # on the chest
    hind: LegPair  # on the pelvis
    skin: Stations  # along nose, trunk and tail
    corner: float = 0.4  # how far bends of the skin are rounded


WOLF = Quadruped(
    name="wolf",
    trunk=[
        ("pelvis", (0.0, 0.69, -0.27)),
        ("loin", (0.0, 0.71, -0.11)),
        ("back", (0.0, 0.715, 0.06)),
        ("chest", (0.0, 0.71, 0.22)),
        ("neck_1", (0.0, 0.75, 0.37)),
        ("neck_2", (0.0, 0.815, 0.48)),
        ("head", (0.0, 0.87, 0.585)),
    ],
    nose=(0.0, 0.795, 0.83),
    tail=[
        ("tail_1", (0.0, 0.69, -0.38)),
        ("tail_2", (0.0, 0.62, -0.47)),
        ("tail_3", (0.0, 0.51, -0.53)),
        ("tail_4", (0.0, 0.40, -0.56)),
    ],
    tail_end=(0.0, 0.29, -0.58),
    fore=LegPair(
        names=["scapula", "upper_arm", "forearm", "hand", "fingers"],
        places=[
            (0.06, 0.77, 0.235),
            (0.085, 0.59, 0.385),
            (0.085, 0.425, 0.195),
            (0.08, 0.18, 0.185),
            (0.08, 0.055, 0.195),
            (0.08, 0.0, 0.232),
        ],
        hip=(70.0, 12.0),
        bends=[(55.0, 50.0), (60.0, 75.0), (12.0, 100.0), (50.0, 60.0)],
        foot=(0.035, 0.045),
        skin=[
            (0.15, 0.025, 0.03, 0.03),
            (0.7, 0.05, 0.075, 0.055),
            (1.2, 0.058, 0.085, 0.06),
            (1.8, 0.05, 0.06, 0.055),
            (2.15, 0.036, 0.045, 0.038),
            (2.55, 0.028, 0.032, 0.03),
            (3.0, 0.026, 0.026, 0.027),
            (3.5, 0.023, 0.023, 0.023),
            (4.0, 0.03, 0.026, 0.028),
            (4.4, 0.03, 0.022, 0.025),
        ],
    ),
    hind=LegPair(
        names=["thigh", "shank", "foot", "toes"],
        places=[
            (0.075, 0.66, -0.30),
            (0.09, 0.405, -0.185),
            (0.085, 0.205, -0.40),
            (0.085, 0.055, -0.305),
            (0.085, 0.0, -0.262),
        ],
        hip=(70.0, 15.0),
        bends=[(60.0, 60.0), (70.0, 55.0), (50.0, 60.0)],
        foot=(0.035, 0.045),
        skin=[
            (-0.0, 0.055, 0.12, 0.10),
            (0.35, 0.06, 0.12, 0.085),
            (0.75, 0.052, 0.085, 0.07),
            (1.0, 0.045, 0.065, 0.055),
            (1.4, 0.034, 0.045, 0.035),
            (1.75, 0.022, 0.026, 0.022),
            (2.0, 0.022, 0.03, 0.02),
            (2.5, 0.021, 0.022, 0.021),
            (3.0, 0.03, 0.024, 0.028),
            (3.4, 0.03, 0.022, 0.025),
        ],
    ),
    skin=[
        (0.06, 0.027, 0.024, 0.024),
        (0.3, 0.036, 0.032, 0.04),
        (0.5, 0.042, 0.04, 0.055),
        (0.7, 0.075, 0.07, 0.07),
        (0.95, 0.09, 0.078, 0.085),
        (1.4, 0.088, 0.08, 0.10),
        (2.0, 0.104, 0.08, 0.15),
        (3.0, 0.122, 0.082, 0.20),
        (4.0, 0.125, 0.085, 0.255),
        (5.0, 0.125, 0.065, 0.265),
        (6.0, 0.098, 0.055, 0.195),
        (7.0, 0.098, 0.06, 0.165),
        (7.6, 0.06, 0.05, 0.085),
        (8.1, 0.034, 0.034, 0.042),
        (9.0, 0.04, 0.04, 0.045),
        (10.0, 0.05, 0.05, 0.055),
        (11.0, 0.046, 0.046, 0.05),
        (11.9, 0.014, 0.014, 0.014),
    ],
)

HORSE = Quadruped(
    name="horse",
    trunk=[
        ("pelvis", (0.0, 1.40, -0.50)),
        ("loin", (0.0, 1.43, -0.22)),
        ("back", (0.0, 1.40, 0.08)),
        ("chest", (0.0, 1.35, 0.40)),
        ("neck_1", (0.0, 1.40, 0.66)),
        ("neck_2", (0.0, 1.62, 0.84)),
        ("neck_3", (0.0, 1.82, 0.96)),
        ("head", (0.0, 1.94, 1.05)),
    ],
    nose=(0.0, 1.50, 1.42),
    tail=[
        ("tail_1", (0.0, 1.44, -0.80)),
        ("tail_2", (0.0, 1.30, -0.91)),
        ("tail_3", (0.0, 1.03, -0.95)),
    ],
    tail_end=(0.0, 0.60, -0.94),
    fore=LegPair(
        names=["scapula", "upper_arm", "forearm", "hand", "pastern"],
        places=[
            (0.10, 1.46, 0.37),
            (0.16, 1.10, 0.65),
            (0.16, 0.92, 0.31),
            (0.155, 0.50, 0.335),
            (0.15, 0.19, 0.31),
            (0.15, 0.0, 0.38),
        ],
        hip=(60.0, 10.0),
        bends=[(50.0, 45.0), (60.0, 75.0), (6.0, 110.0), (35.0, 70.0)],
        foot=(0.065, 0.075),
        skin=[
            (0.2, 0.05, 0.06, 0.06),
            (0.7, 0.085, 0.13, 0.10),
            (1.2, 0.09, 0.12, 0.10),
            (1.8, 0.082, 0.10, 0.095),
            (2.2, 0.068, 0.085, 0.075),
            (2.6, 0.048, 0.055, 0.052),
            (2.95, 0.05, 0.045, 0.05),
            (3.1, 0.045, 0.04, 0.045),
            (3.5, 0.032, 0.034, 0.034),
            (3.95, 0.042, 0.042, 0.042),
            (4.45, 0.038, 0.036, 0.038),
            (4.75, 0.05, 0.045, 0.05),
        ],
    ),
    hind=LegPair(
        names=["thigh", "shank", "foot", "hind_pastern"],
        places=[
            (0.15, 1.25, -0.53),
            (0.19, 0.94, -0.32),
            (0.16, 0.58, -0.74),
            (0.15, 0.20, -0.64),
            (0.15, 0.0, -0.57),
        ],
        hip=(65.0, 12.0),
        bends=[(55.0, 60.0), (55.0, 60.0), (35.0, 70.0)],
        foot=(0.065, 0.075),
        skin=[
            (0.0, 0.11, 0.25, 0.20),
            (0.4, 0.12, 0.25, 0.17),
            (0.85, 0.10, 0.16, 0.12),
            (1.15, 0.08, 0.115, 0.10),
            (1.5, 0.06, 0.075, 0.06),
            (1.85, 0.042, 0.05, 0.042),
            (2.0, 0.044, 0.062, 0.042),
            (2.25, 0.038, 0.044, 0.038),
            (2.6, 0.033, 0.036, 0.035),
            (2.95, 0.043, 0.042, 0.042),
            (3.45, 0.038, 0.036, 0.038),
            (3.75, 0.05, 0.045, 0.05),
        ],
    ),
    skin=[
        (0.03, 0.058, 0.06, 0.05),
        (0.2, 0.066, 0.064, 0.068),
        (0.5, 0.072, 0.072, 0.095),
        (0.75, 0.10, 0.085, 0.13),
        (1.0, 0.095, 0.085, 0.15),
        (1.6, 0.085, 0.10, 0.14),
        (2.3, 0.095, 0.13, 0.17),
        (3.2, 0.125, 0.17, 0.22),
        (4.0, 0.17, 0.19, 0.29),
        (4.6, 0.21, 0.19, 0.38),
        (5.2, 0.25, 0.17, 0.48),
        (6.0, 0.28, 0.11, 0.56),
        (7.0, 0.26, 0.10, 0.46),
        (8.0, 0.25, 0.13, 0.36),
        (8.6, 0.17, 0.12, 0.26),
        (8.95, 0.08, 0.07, 0.12),
        (9.2, 0.055, 0.055, 0.07),
        (10.0, 0.062, 0.06, 0.065),
        (11.0, 0.075, 0.07, 0.075),
        (11.95, 0.025, 0.025, 0.025),
    ],
    corner=0.5,
)


def wolf() -> Morphology:
    """A grey wolf, 0.8 m high at the withers."""
    s = built(WOLF)
    head = s.index("head")
    s.both(spike(head, (0.05, 0.91, 0.58), (0.07, 1.015, 0.57), 0.043, (1.0, -0.2, 0.3), 0.4))
    s.both(ball(head, (0.046, 0.885, 0.683), (0.012, 0.011, 0.012)))
    s.pieces.append(ball(head, (0.0, 0.81, 0.84), (0.017, 0.013, 0.015)))
    for mark, x in SIDES:
        s.pieces.append(ball(s.index(f"fingers.{mark}"), (0.08 * x, 0.03, 0.222), (0.042, 0.03, 0.06)))
        s.pieces.append(ball(s.index(f"toes.{mark}"), (0.085 * x, 0.028, -0.272), (0.04, 0.028, 0.057)))
    return s.finish(head="head", tail="tail_1")


def horse() -> Morphology:
    """A riding horse, 1.55 m high at the withers."""
    s = built(HORSE)
    head, neck = s.index("head"), ["neck_3", "neck_2", "neck_1"]
    s.both(spike(head, (0.055, 2.0, 1.04), (0.075, 2.17, 1.06), 0.042, (1.0, 0.0, 0.5), 0.5))
    s.both(ball(head, (0.08, 1.83, 1.195), (0.018, 0.022, 0.022)))
    s.cover(
        [(0.0, 2.04, 1.09), *neck, (0.0, 1.50, 0.45)],
        [
            (0.0, 0.03, 0.05, 0.0),
            (0.6, 0.03, 0.13, 0.0),
            (2.0, 0.032, 0.19, 0.0),
            (3.2, 0.032, 0.21, 0.0),
            (4.0, 0.02, 0.07, 0.0),
        ],
        around=10,
    )  # the mane
    for mark, x in SIDES:
        for name, z in (("pastern", 0.38), ("hind_pastern", -0.57)):
            hoof = [(0.15 * x, 0.095, z - 0.02), (0.15 * x, 0.0, z - 0.02)]
            wall = [(0.0, 0.05, 0.048, 0.058), (1.0, 0.066, 0.055, 0.1)]
            s.pieces.append(tube(hoof, [s.index(f"{name}.{mark}")], wall, UPRIGHT, dome=0.0))
    return s.finish(head="head", tail="tail_1")


def built(animal: Quadruped) -> BodyBuilder:
    """Joints, legs and skin by the measures of an animal; what it has alone is still to come."""
    s = BodyBuilder(animal.name)
    s.chain(None, animal.trunk, end=animal.nose)
    s.chain("pelvis", animal.tail, end=animal.tail_end)
    for parent, leg in (("chest", animal.fore), ("pelvis", animal.hind)):
        s.pair(parent, *leg, side=UPRIGHT)
    trunk, tail = ([name for name, _ in joints] for joints in (animal.trunk, animal.tail))
    s.cover([animal.nose, *reversed(trunk), *tail, animal.tail_end], animal.skin, corner=animal.corner)
    return s
