"""A rat and a mouse: crouched legs that fold under a long, arched back, and a tail that trails."""

from __future__ import annotations

from locomote.creatures._morphology import Morphology
from locomote.creatures.catalogue._builder import SIDES, Place, Stations
from locomote.creatures.catalogue._mammals import LegPair, Quadruped, built
from locomote.creatures.mesh import ball

MOUSE = 0.5  # times a rat, in length; an eighth of its weight

RAT = Quadruped(
    name="rat",
    trunk=[
        ("pelvis", (0.0, 0.069, -0.033)),
        ("loin_1", (0.0, 0.0728, -0.020)),
        ("loin_2", (0.0, 0.0752, -0.008)),
        ("back_1", (0.0, 0.0762, 0.005)),
        ("back_2", (0.0, 0.0755, 0.017)),
        ("chest", (0.0, 0.0733, 0.029)),
        ("neck_1", (0.0, 0.069, 0.055)),
        ("neck_2", (0.0, 0.0685, 0.065)),
        ("head", (0.0, 0.0695, 0.074)),
    ],
    nose=(0.0, 0.054, 0.123),
    tail=[
        ("tail_1", (0.0, 0.060, -0.048)),
        ("tail_2", (0.0, 0.043, -0.066)),
        ("tail_3", (0.0, 0.029, -0.090)),
        ("tail_4", (0.0, 0.019, -0.119)),
        ("tail_5", (0.0, 0.014, -0.150)),
    ],
    tail_end=(0.0, 0.012, -0.182),
    fore=LegPair(
        names=["scapula", "upper_arm", "forearm", "hand", "fingers"],
        places=[
            (0.009, 0.075, 0.035),
            (0.016, 0.0505, 0.063),
            (0.017, 0.0285, 0.044),
            (0.017, 0.0105, 0.066),
            (0.017, 0.0045, 0.0715),
            (0.017, 0.0, 0.079),
        ],
        hip=(60.0, 20.0),
        bends=[(60.0, 60.0), (70.0, 60.0), (60.0, 80.0), (50.0, 60.0)],
        foot=(0.005, 0.006),
        skin=[
            (0.2, 0.004, 0.008, 0.008),
            (0.8, 0.006, 0.013, 0.011),
            (1.2, 0.006, 0.012, 0.010),
            (1.8, 0.0055, 0.008, 0.008),
            (2.2, 0.0045, 0.0055, 0.005),
            (2.7, 0.0033, 0.0038, 0.0036),
            (3.1, 0.003, 0.003, 0.003),
            (3.6, 0.0035, 0.0025, 0.0027),
            (4.1, 0.0042, 0.0022, 0.0022),
            (4.8, 0.0035, 0.0014, 0.0014),
        ],
    ),
    hind=LegPair(
        names=["thigh", "shank", "foot", "toes"],
        places=[
            (0.0135, 0.057, -0.038),
            (0.020, 0.0315, -0.0175),
            (0.020, 0.0105, -0.0505),
            (0.020, 0.004, -0.029),
            (0.020, 0.0, -0.0165),
        ],
        hip=(65.0, 25.0),
        bends=[(60.0, 70.0), (70.0, 60.0), (45.0, 60.0)],
        foot=(0.005, 0.007),
        skin=[
            (0.0, 0.009, 0.022, 0.018),
            (0.4, 0.0105, 0.022, 0.016),
            (0.8, 0.009, 0.015, 0.012),
            (1.1, 0.007, 0.011, 0.009),
            (1.5, 0.005, 0.0065, 0.0055),
            (1.85, 0.0034, 0.004, 0.0034),
            (2.05, 0.0034, 0.004, 0.0032),
            (2.5, 0.0035, 0.003, 0.003),
            (3.1, 0.0042, 0.0024, 0.0024),
            (3.8, 0.0035, 0.0015, 0.0015),
        ],
    ),
    skin=[
        (0.05, 0.0035, 0.003, 0.003),
        (0.25, 0.0065, 0.006, 0.006),
        (0.6, 0.0105, 0.0095, 0.0105),
        (0.9, 0.0125, 0.0105, 0.0135),
        (1.5, 0.0125, 0.011, 0.016),
        (2.3, 0.0125, 0.010, 0.018),
        (3.2, 0.0132, 0.0095, 0.0227),
        (4.0, 0.017, 0.01, 0.0323),
        (4.6, 0.019, 0.0114, 0.0376),
        (5.3, 0.0211, 0.0128, 0.0428),
        (6.2, 0.0232, 0.0138, 0.0464),
        (7.0, 0.024, 0.0142, 0.0446),
        (7.7, 0.0236, 0.0141, 0.0385),
        (8.3, 0.0219, 0.0135, 0.0297),
        (9.0, 0.0174, 0.0114, 0.0262),
        (9.6, 0.0104, 0.0081, 0.014),
        (10.1, 0.0055, 0.005, 0.007),
        (11.0, 0.0036, 0.0036, 0.0036),
        (12.5, 0.0028, 0.0028, 0.0028),
        (14.0, 0.002, 0.002, 0.002),
        (14.95, 0.0007, 0.0007, 0.0007),
    ],
    corner=0.5,
)


def rat() -> Morphology:
    """A brown rat of 0.2 kg, 0.17 m long without its tail."""
    return _rodent(RAT, 0.011, 1.0)


def mouse() -> Morphology:
    """A house mouse of 0.025 kg, half as long as the rat; its ears are larger."""
    return _rodent(_scaled(RAT, "mouse", MOUSE), 0.0085, MOUSE)


def _rodent(animal: Quadruped, ear: float, size: float) -> Morphology:
    """Bones and fur, then ears, eyes, a snout and paws; ``ear`` m is the height of an ear."""
    s = built(animal)
    head = s.index("head")
    s.both(ball(head, _times(size, (0.0125, 0.0765, 0.076)), (0.0035 * size, ear, 0.6 * ear)))
    s.both(ball(head, _times(size, (0.0092, 0.069, 0.099)), _times(size, (0.0025, 0.0028, 0.0028))))
    s.pieces.append(ball(head, _times(size, (0.0, 0.0545, 0.1235)), _times(size, (0.0022, 0.002, 0.0022))))
    for mark, x in SIDES:
        for joint, place, half in (
            (f"fingers.{mark}", (0.017 * x, 0.002, 0.076), (0.0045, 0.002, 0.006)),
            (f"toes.{mark}", (0.020 * x, 0.002, -0.021), (0.0048, 0.002, 0.0075)),
        ):
            s.pieces.append(ball(s.index(joint), _times(size, place), _times(size, half)))
    return s.finish(head="head", tail="tail_1")


def _times(size: float, place: Place) -> Place:
    x, y, z = place
    return size * x, size * y, size * z


def _scaled(animal: Quadruped, name: str, size: float) -> Quadruped:
    """The same animal, larger or smaller."""

    def chain(joints: list[tuple[str, Place]]) -> list[tuple[str, Place]]:
        return [(joint, _times(size, place)) for joint, place in joints]

    def skin(stations: Stations) -> Stations:
        return [(at, *(size * value for value in rest)) for at, *rest in stations]

    def pair(leg: LegPair) -> LegPair:
        wide, long = leg.foot
        places = [_times(size, place) for place in leg.places]
        return leg._replace(places=places, foot=(size * wide, size * long), skin=skin(leg.skin))

    return animal._replace(
        name=name,
        trunk=chain(animal.trunk),
        nose=_times(size, animal.nose),
        tail=chain(animal.tail),
        tail_end=_times(size, animal.tail_end),
        fore=pair(animal.fore),
        hind=pair(animal.hind),
        skin=skin(animal.skin),
    )
