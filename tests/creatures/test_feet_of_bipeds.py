"""Feet of two-legged bodies roll: down on the heel, flat, up over the ball; what touches the ground stays."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.creatures import Creature, Crowd, Morphology
from locomote.creatures._metrics import Watch
from locomote.human_skeleton import human_skeleton
from locomote.rotations import FloatArray
from locomote.skeleton import Skeleton
from locomote.world import Ground
from tests.creatures.walkers import errors, tips, world

DT = 1.0 / 60.0
WALK = 0.35  # of sqrt(g h)
RIGS = [
    "khronos_CesiumMan.glb",
    "khronos_RiggedFigure.glb",
    "mesh2motion_human_skeleton.glb",
    "mjcf/dm_humanoid_CMU.xml",
]


def person(knee: float = 0.02) -> Creature:
    """Two legs with ankles and toes, as people have them; ``knee`` is how far ahead of the hip it is at rest, m."""
    names, parents, offsets = ["hips", "head"], [-1, 0], [[0.0, 0.92, 0.0], [0.0, 0.65, 0.0]]
    for side, x in (("l", 0.1), ("r", -0.1)):
        names += [f"{name}_{side}" for name in ("thigh", "shank", "foot", "toes")]
        first = len(parents)
        parents += [0, first, first + 1, first + 2]
        offsets += [[x, -0.02, 0.0], [0.0, -0.42, knee], [0.0, -0.4, -0.03 - knee], [0.0, -0.06, 0.15]]
    skeleton = Skeleton(
        tuple(names),
        np.array(parents),
        np.array(offsets),
        end_parents=np.array([names.index("toes_l"), names.index("toes_r")]),
        end_offsets=np.array([[0.0, -0.02, 0.07], [0.0, -0.02, 0.07]]),
    )
    legs = [("thigh_l", "toes_l"), ("thigh_r", "toes_r")]
    return Creature.of(Morphology.from_names(skeleton, legs, head="head", name="person"))


@dataclass(frozen=True)
class Trace:
    """What was seen of two feet, frame by frame ``(T, 2)``: degrees and metres, by the rotations of the poses."""

    pitches: FloatArray  # toes up below 0, heel up above 0
    planted: np.ndarray
    shares: FloatArray  # of the stance that is over
    heels: FloatArray  # (T, 2, 3)
    balls: FloatArray
    knees: FloatArray  # from straight, those of people above 0
    slip: float  # mm
    tip_error: float  # m, of standing feet

    def at(self, lands: bool) -> FloatArray:
        """The pitches in the first or last frames of all stances."""
        on = self.planted
        edge = on[1:-1] & ~on[:-2] if lands else on[1:-1] & ~on[2:]
        return self.pitches[1:-1][edge]

    def within(self, first: float, last: float) -> FloatArray:
        """The pitches in a part of the stances."""
        return self.pitches[self.planted & (self.shares > first) & (self.shares < last)]


def walk(creature: Creature, speed: float, ground: Ground | None = None, seconds: float = 4.0) -> Trace:
    """A walk at a speed in units of sqrt(g h), seen from its second second on."""
    morphology, soles = creature.morphology, creature.soles
    pace = speed * math.sqrt(9.81 * morphology.hip_height)
    crowd = Crowd(creature, 1, speed=pace, ground=ground)
    watch = Watch(crowd)
    ankles = [leg.joints[2] for leg in morphology.legs]
    back = rot.inverse(morphology.rest_pose[1][ankles])
    rows: list[tuple[FloatArray, ...]] = []
    worst = 0.0
    for _ in range(round(seconds / DT)):
        crowd.step(DT)
        watch.look(DT)
        worst = max(worst, float(errors(crowd)[crowd.planted].max(initial=0.0)))
        places, turns = (each[0] for each in world(crowd))
        turned = rot.multiply(turns[ankles], back)
        ahead = rot.rotate(turned, np.broadcast_to([0.0, 0.0, 1.0], (2, 3)))
        heels = places[ankles] + rot.rotate(turned, soles.heels - soles.ankles)
        balls = places[ankles] + rot.rotate(turned, soles.balls - soles.ankles)
        knees = []
        for leg in morphology.legs:
            thigh, shank = np.diff(places[list(leg.joints[:3])], axis=0)
            across = np.cross(thigh, shank)
            bent = math.atan2(float(np.linalg.norm(across)), float(thigh @ shank))
            knees.append(math.copysign(bent, float(across[0])))  # it goes along z
        pitches = -np.degrees(np.arcsin(ahead[:, 1]))
        rows.append((pitches, crowd.planted[0].copy(), heels, balls, np.degrees(knees)))
    pitch, planted, heel, ball, knee = (np.array(each)[60:] for each in zip(*rows, strict=True))
    slip = watch.figures().stance_slip
    return Trace(pitch, planted, _shares(planted), heel, ball, knee, slip, worst)


def _shares(planted: np.ndarray) -> FloatArray:
    """How much of its stance each foot has behind it; of stances not seen whole, none."""
    out = np.full(planted.shape, np.nan)
    for foot in range(planted.shape[1]):
        edges = np.flatnonzero(np.diff(planted[:, foot].astype(int))) + 1
        for first, last in pairwise(edges):
            if planted[first, foot]:
                out[first:last, foot] = (np.arange(last - first) + 0.5) / (last - first)
    return out


@cache
def persons_walk(speed: float = WALK) -> Trace:
    return walk(person(), speed)


def check_roll(seen: Trace) -> None:
    """Heel-strike and toe-off in the trace, and a foot that lies flat between."""
    landing, leaving = seen.at(lands=True), seen.at(lands=False)
    assert len(landing) >= 4
    assert len(leaving) >= 4
    assert np.all((landing > -26.0) & (landing < -12.0))
    assert np.all(leaving > 25.0)
    assert np.abs(seen.within(0.25, 0.45)).max() < 3.0
    assert seen.slip < 1.0
    assert seen.tip_error < 1e-3
    assert min(seen.heels[..., 1].min(), seen.balls[..., 1].min()) > -1e-3


@pytest.mark.feature("LEG-65")
def test_a_foot_lands_on_its_heel_and_leaves_over_its_toes() -> None:
    check_roll(persons_walk())


@pytest.mark.data
@pytest.mark.feature("LEG-65")
@pytest.mark.parametrize("rig", RIGS)
def test_feet_of_rigs_roll(data: Path, rig: str) -> None:
    seen = walk(Creature.of(Morphology.from_rig(data / "rigs" / rig, height=1.0)), WALK)
    check_roll(seen)
    assert seen.knees.min() > -1.0


def test_shorter_steps_roll_less() -> None:
    slow = persons_walk(0.08)
    assert -18.0 < slow.at(lands=True).mean() < -3.0
    assert 5.0 < slow.at(lands=False).mean() < persons_walk().at(lands=False).mean()


def test_backwards_the_toes_land_first() -> None:
    seen = persons_walk(-0.25)
    assert np.all(seen.at(lands=True) > 12.0)
    assert np.all(seen.at(lands=False) < -5.0)
    assert seen.slip < 1.0
    assert min(seen.heels[..., 1].min(), seen.balls[..., 1].min()) > -1e-3


def test_who_stands_stands_flat() -> None:
    seen = walk(person(), 0.0, seconds=2.0)
    assert np.all(seen.planted)
    assert np.abs(seen.pitches).max() < 0.5


@pytest.mark.parametrize("angle", [-0.2, 0.2])
def test_feet_lie_on_slopes(angle: float) -> None:
    ground = Ground.from_function(lambda x, z: np.tan(angle) * z, (30.0, 30.0), 0.25, (-10.0, -10.0))
    seen = walk(person(), 0.25, ground)
    over = [points[..., 1] - math.tan(angle) * points[..., 2] for points in (seen.heels, seen.balls)]
    assert min(float(each[seen.planted].min()) for each in over) > -1e-3
    assert np.abs(seen.within(0.3, 0.45) + math.degrees(angle)).max() < 3.0
    assert seen.slip < 1.0


def test_toes_stay_flat_while_the_heel_rises() -> None:
    creature = person()
    crowd = Crowd(creature, 1, speed=WALK * math.sqrt(9.81 * creature.morphology.hip_height))
    morphology = creature.morphology
    joints = [leg.joints[k] for k in (2, 3) for leg in morphology.legs]  # both ankles, then the toes
    back = rot.inverse(morphology.rest_pose[1][joints])
    risen = 0
    for _ in range(180):
        crowd.step(DT)
        turned = rot.multiply(world(crowd)[1][0, joints], back)
        ahead = rot.rotate(turned, np.broadcast_to([0.0, 0.0, 1.0], (4, 3)))
        for foot in np.flatnonzero(crowd.planted[0] & (ahead[:2, 1] < -0.1)):
            assert abs(ahead[2 + foot, 1]) < 1e-6
            assert tips(crowd)[0, foot] == pytest.approx(crowd.feet[0, foot], abs=1e-6)
            risen += 1
    assert risen > 40


@pytest.mark.parametrize("knee", [0.02, -0.42 * 0.03 / 0.82])  # the second is straight at rest
def test_knees_bend_as_those_of_people(knee: float) -> None:
    creature = person(knee)
    thigh, shank = np.diff(creature.morphology.rest_pose[0][list(creature.morphology.legs[0].joints[:3])], axis=0)
    assert (abs(np.cross(thigh, shank)[0]) < 1e-12) == (knee < 0.0)
    knees = walk(creature, WALK).knees
    assert knees.min() > -1.0
    assert knees.max() > 20.0


def test_knees_of_a_person_at_rest_in_a_straight_pose_bend_as_those_of_people() -> None:
    legs = [(f"{side}UpLeg", f"{side}ToeBase") for side in ("Left", "Right")]
    creature = Creature.of(Morphology.from_names(human_skeleton(0.86), legs, head="Head"))
    assert walk(creature, WALK).knees.min() > -1.0


def test_knees_do_not_pop() -> None:
    """No more than half again the acceleration of legs that stand on tips, for the angle that they go through."""
    tipped = person()
    soles = tipped.soles
    vars(tipped)["soles"] = soles._replace(rolls=np.zeros_like(soles.rolls), legs=tipped.folds)
    found = []
    for seen in (persons_walk(), walk(tipped, WALK)):
        jerks = np.abs(np.diff(seen.knees, 2, axis=0)) / DT**2
        found.append((float(jerks.max()), float(np.ptp(seen.knees))))
    (rolled, wide), (plain, narrow) = found
    assert rolled / wide < 1.5 * plain / narrow
    assert wide < 90.0


def test_feet_without_ankles_near_the_ground_stay_tips() -> None:
    for name in ("bird", "wolf", "spider"):
        creature = Creature.build(name)
        assert not np.any(creature.soles.rolls)
        assert creature.soles.legs is creature.folds
