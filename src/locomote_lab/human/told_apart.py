"""Can a classifier tell recorded people from generated ones? One gait cycle at a time, in folds by person."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.stats import rankdata

from locomote import rotations as rot
from locomote.contacts import Cycle, Settings, cycles, detect
from locomote.errors import LocomoteError
from locomote.human import Crowd, HumanModel
from locomote.human._model import REFERENCE_HIP_HEIGHT
from locomote.human.fitting._calibration import calibrated
from locomote.human.fitting._cycles import DURATION, FACING, OTHER_FOOT, PELVIS_TURN, SLOWEST, SPEED_CHANGE, Unit
from locomote.human.fitting._importing import import_motion
from locomote.human_skeleton import COMMON, SHANK, THIGH, human_skeleton
from locomote.motion import Motion
from locomote.rotations import FloatArray
from locomote.skeleton import IntArray

RATE = 60.0  # frames/s at which all people are looked at
PHASES = 64  # samples of a cycle
HARMONICS = 3
CYCLES = 3  # of one person, at most
SETTLED = 1.0  # s after which a generated person is looked at
FOLDS = 5
TRIES, NEXT_PERSON = 5, 100_000  # people who are drawn for a twin, and from the seed of one to the next
BY_SPEEDS = Settings(stillness=False)  # held feet, which stand exactly still, are taken for captured ones
# Few cycles and many features: trees that each see a few of them tell more here than histogram-based ones.
TREES = {"n_estimators": 200, "subsample": 0.7, "max_features": "sqrt"}
AXES = ("left", "up", "ahead")
TERMS = ("mean", *(f"{wave}, {often} a cycle" for often in ("once", "twice", "thrice") for wave in ("cosine", "sine")))

BoolArray = npt.NDArray[np.bool_]
Names = npt.NDArray[np.str_]

_SIDES = ("Left", "Right")
_WORDS = {
    **{"UpLeg": "hip", "Leg": "knee", "Foot": "ankle", "ToeBase": "ball of the foot"},
    **{"Shoulder": "collar bone", "Arm": "shoulder", "ForeArm": "elbow", "Hand": "wrist"},
    **{"Spine": "loins", "Spine1": "waist", "Spine2": "chest"},
}
PARTS = {  # of the body, by joints; shoulders are fixed to the chest in the common skeleton
    "whole body": COMMON.names[1:],
    "legs": tuple(side + name for side in _SIDES for name in ("UpLeg", "Leg", "Foot", "ToeBase")),
    "arms": tuple(side + name for side in _SIDES for name in ("ForeArm", "Hand")),
    "trunk and head": (
        *("Spine", "Spine1", "Spine2", "Neck", "Head"),
        *(side + name for side in _SIDES for name in ("Shoulder", "Arm")),
    ),
}


class Sides(NamedTuple):
    """Cycles of recorded and of generated people, row by row."""

    features: FloatArray  # (n, J - 1, 3, 1 + 2 HARMONICS) m
    persons: Names  # (n,)
    recorded: BoolArray  # (n,)


def cut(motion: Motion, person: str, clip: str, gait: str) -> list[Unit]:
    """The straight and steady cycles of a motion, recorded or generated, closed: from strike to strike of the right."""
    capture = import_motion(motion.resampled(RATE))
    height, turns = capture.hip_height, capture.rotations
    body = capture.motion()
    contacts = detect(body, gait=gait, settings=Settings(stillness=False))  # as captured feet, which never are still
    right = [leg.side for leg in contacts.legs].index("right")
    found = []
    for cycle in cycles(contacts, right):
        others = [cycle.phase_of(event.time) for event in cycle.others if event.kind == "heel_strike"]
        if len(others) != 1 or not OTHER_FOOT[0] <= others[0] <= OTHER_FOOT[1] or not _steady(body, cycle, gait):
            continue
        at = RATE * (cycle.start + cycle.duration * np.arange(PHASES + 1) / PHASES)
        before = np.minimum(at.astype(int), len(turns) - 2)
        mix = at - before
        root = (1.0 - mix[:, None]) * capture.root[before] + mix[:, None] * capture.root[before + 1]
        speed = float(np.hypot(*(root[-1] - root[0])[[0, 2]])) * height / cycle.duration
        pose = rot.slerp(turns[before], turns[before + 1], np.broadcast_to(mix[:, None], (len(at), len(COMMON))))
        pose = _closed(pose)
        found.append(Unit(person, clip, gait, speed, height, cycle.duration, root[:-1], pose[:-1]))
    return found


def _closed(pose: FloatArray) -> FloatArray:
    """Poses ``(PHASES + 1, J, 4)`` of a cycle whose ends meet: what they miss each other by is shared out evenly.

    Who speeds up within a cycle has no harmonics of it, and would be told by that alone.
    """
    gap = rot.log(rot.multiply(rot.inverse(pose[-1]), pose[0]))
    share = np.arange(len(pose)) / (len(pose) - 1) - 0.5
    return rot.multiply(pose, rot.exp(share[:, None, None] * gap))


def twin(model: HumanModel, unit: Unit, seed: int) -> Unit:
    """A cycle of a random person with legs as long, at the same speed; of another one if it is not steady."""
    leg_length = unit.hip_height * (THIGH + SHANK)
    for person in range(seed, seed + TRIES * NEXT_PERSON, NEXT_PERSON):
        crowd = Crowd(model, 1, seed=person, leg_length=leg_length, speed=unit.speed, gait=unit.gait)
        motion = crowd.record(SETTLED + 3.0 * unit.duration, RATE)[round(SETTLED * RATE) :]
        found = cut(motion, f"twin of {unit.subject}", unit.clip, unit.gait)
        if found:
            return found[0]
    raise LocomoteError(f"{unit.clip}: no twin at {unit.speed:.2f} m/s has a straight and steady cycle")


def sides(recorded: Sequence[Unit], generated: Sequence[Unit], *, level: bool = False) -> Sides:
    """The features of both; ``level`` takes the constants of marker placement out of every person first."""
    units = [*recorded, *generated]
    if level:
        people = dict.fromkeys(unit.subject for unit in units)
        own = {person: iter(calibrated([unit for unit in units if unit.subject == person])) for person in people}
        units = [next(own[unit.subject]) for unit in units]
    persons = np.array([unit.subject for unit in units])
    return Sides(np.array([features(unit) for unit in units]), persons, np.arange(len(units)) < len(recorded))


def features(unit: Unit) -> FloatArray:
    """Where the joints are from the pelvis, in a body of the reference size that faces +Z: means and harmonics."""
    facing = float(np.unwrap(rot.yaw(unit.rotations[:, 0])).mean())
    body = human_skeleton(REFERENCE_HIP_HEIGHT * (THIGH + SHANK))
    world = Motion(body, RATE, np.zeros((PHASES, 3)), unit.rotations).joint_positions()
    seen = rot.rotate(rot.from_yaw(-facing), world[:, 1:] - world[:, :1])
    waves = 2.0 * np.fft.rfft(seen, axis=0)[1 : HARMONICS + 1] / PHASES
    return np.stack([seen.mean(axis=0), *(each for wave in waves for each in (wave.real, -wave.imag))], axis=-1)


def _steady(body: Motion, cycle: Cycle, gait: str) -> bool:
    """Whether a cycle goes straight ahead at one speed, by the limits of the fit."""
    shortest, longest = DURATION[gait]
    first, last = round(cycle.start * RATE), round(cycle.stop * RATE)
    middle = (first + last) // 2
    path = body.root_positions[[first, middle, last]][:, [0, 2]]
    speeds = RATE * np.hypot(*np.diff(path, axis=0).T) / [middle - first, last - middle]
    facing = np.unwrap(rot.yaw(body.rotations[first : last + 1, 0]))
    aside = np.arctan2(*(path[2] - path[0])) - facing.mean()
    return bool(
        shortest <= cycle.duration <= longest
        and speeds.mean() > SLOWEST
        and abs(speeds[1] - speeds[0]) <= SPEED_CHANGE * speeds.mean()
        and abs(facing[-1] - facing[0]) <= PELVIS_TURN
        and abs((aside + np.pi) % (2.0 * np.pi) - np.pi) <= FACING
    )


def scores(seen: FloatArray, recorded: BoolArray, persons: Names, noise: float, seed: int) -> FloatArray:
    """How recorded every cycle looks to trees that have learnt from other people.

    Parameters
    ----------
    seen : (n, d) m, features
    recorded, persons : (n,) what is to be told, and who it is
    noise : m, standard deviation of what is added to the features
    seed : of noise, folds and trees
    """
    from sklearn.ensemble import GradientBoostingClassifier

    seen = seen + noise * np.random.default_rng(seed).standard_normal(seen.shape)
    out = np.empty(len(seen))
    for known, held in folds(recorded, persons, seed):
        trees = GradientBoostingClassifier(**TREES, random_state=seed)
        out[held] = trees.fit(seen[known], recorded[known]).decision_function(seen[held])
    return out


def folds(recorded: BoolArray, persons: Names, seed: int) -> list[tuple[IntArray, IntArray]]:
    """Rows to learn from and rows held back; nobody is in both, and both kinds are held back in like shares."""
    from sklearn.model_selection import StratifiedGroupKFold

    splitter = StratifiedGroupKFold(FOLDS, shuffle=True, random_state=seed)
    return list(splitter.split(persons, recorded, persons))


def area(values: FloatArray, recorded: BoolArray) -> float:
    """Under the ROC curve: how often the recorded one of a pair has the greater value; 0.5 is chance."""
    count = int(recorded.sum())
    ranks = float(rankdata(values)[recorded].sum())
    return (ranks - 0.5 * count * (count + 1)) / (count * (len(values) - count))


def betrayal(both: Sides, noise: float, seeds: Iterable[int]) -> FloatArray:
    """The area of each feature by itself, shaped as those of one cycle; below 0.5 where generated ones are greater."""
    draws = []
    for seed in seeds:
        seen = both.features + noise * np.random.default_rng(seed).standard_normal(both.features.shape)
        draws.append(np.apply_along_axis(area, 0, seen, both.recorded))
    out: FloatArray = np.mean(draws, axis=0)
    return out


def in_words(joint: int, axis: int, term: int) -> str:
    """A feature by its place in the array, such as "left knee, ahead: cosine, twice a cycle"."""
    name = COMMON.names[joint + 1]
    side = next((side for side in _SIDES if name.startswith(side)), "")
    bare = name.removeprefix(side)
    where = f"{side} {_WORDS.get(bare, bare)}".strip().lower()
    return f"{where}, {AXES[axis]}: {TERMS[term]}"


def part(seen: FloatArray, name: str) -> FloatArray:
    """The features of a part of the body, ``(n, d)``."""
    joints = [COMMON.index(joint) - 1 for joint in PARTS[name]]
    return seen[:, joints].reshape(len(seen), -1)


def split_in_two(persons: Names, seed: int) -> BoolArray:
    """Whether each row is of the first half of the people, drawn at random: two kinds with nothing to tell."""
    names = np.random.default_rng(seed).permutation(np.unique(persons))
    return np.isin(persons, names[: len(names) // 2])
