"""Bodies by sex, age and build: how tall they are, how long their legs, and what the other bones are beside them.

Rounded figures from published anthropometry, between which lines are straight. Statures are the medians of the CDC
growth charts of 2000 up to the age of 20; from 30 on bodies shrink as in the Baltimore Longitudinal Study of Aging
(Sorkin, Muller and Andres 1999), in the trunk alone. Shares of the sitting height go by the charts of Fredriks et al.
2005 and Hawkes et al. 2020, those of the head by the canon of Stratz 1909, arms, shoulders and hips by Snyder et al.
1977 (children), Malina et al. 1974 (school children) and ANSUR II (Gordon et al. 2014, grown people). Walking speeds
are those of Bohannon and Andrews 2011. The leg keeps its proportions of thigh, shank and foot.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from locomote.errors import LocomoteError
from locomote.human_skeleton import COMMON, HEAD_LENGTH, HIP_HALF_WIDTH, PELVIS_ABOVE_HIPS, SHANK, THIGH, Proportions
from locomote.skeleton import Girths

SEXES = ("female", "male")
AGES = (2.0, 90.0)  # years
BUILDS = (-2.0, 2.0)
STATURES = (0.85, 1.2)  # of the median

_Table = tuple[tuple[float, ...], tuple[float, ...]]  # years, values
_GROWING = tuple(range(2, 21, 2))  # years
_STATURE: dict[str, _Table] = {  # m
    "female": (_GROWING, (0.850, 1.007, 1.147, 1.276, 1.380, 1.512, 1.604, 1.626, 1.631, 1.633)),
    "male": (_GROWING, (0.865, 1.022, 1.154, 1.279, 1.386, 1.490, 1.638, 1.735, 1.762, 1.768)),
}
_SHRINKING: dict[str, _Table] = {  # m lost since the age of 30; after 80 at the rate of the years before
    "female": ((30, 70, 80, 90), (0.0, 0.05, 0.08, 0.11)),
    "male": ((30, 70, 80, 90), (0.0, 0.03, 0.05, 0.07)),
}
_SITTING: dict[str, _Table] = {  # sitting height, of the stature
    "female": ((2, 4, 6, 8, 10, 12, 16), (0.59, 0.565, 0.55, 0.54, 0.53, 0.523, 0.526)),
    "male": ((2, 4, 6, 8, 10, 12, 14, 18), (0.59, 0.565, 0.55, 0.54, 0.53, 0.523, 0.516, 0.52)),
}
_HEADS: _Table = ((2, 6, 12, 18), (5.0, 6.0, 7.0, 7.6))  # heights of the head in the stature
# Beside those of a grown man of the same stature.
_ARMS: dict[str, _Table] = {"female": ((2, 6, 12), (0.91, 0.95, 0.98)), "male": ((2, 6, 12), (0.91, 0.95, 1.0))}
_SHOULDERS: dict[str, _Table] = {"female": ((2,), (0.94,)), "male": ((12, 18), (0.94, 1.0))}
_HIPS: dict[str, _Table] = {"female": ((10, 16), (1.0, 1.07)), "male": ((2,), (1.0,))}
_SPEEDS: dict[str, _Table] = {  # m/s, of people who walk as they like
    "female": ((25, 35, 45, 55, 65, 75, 85), (1.34, 1.34, 1.39, 1.31, 1.24, 1.13, 0.94)),
    "male": ((25, 35, 45, 55, 65, 75, 85), (1.36, 1.43, 1.43, 1.43, 1.34, 1.26, 0.97)),
}
_GROWN = 20.0  # years
_GROWN_SITTING, _GROWN_HEADS = 0.52, 7.6  # of a man: the proportions of the common skeleton
_HIP_HEIGHT = 0.53  # of his stature
_TRUNK = float(COMMON.offsets[1:6, 1].sum())  # from pelvis to head, in hip heights
# A build of 1 is about the 90th, one of -1 the 10th percentile of the mass of grown people of one stature: a third more
# and a quarter less than the median (NHANES 2015-2018, Fryar et al. 2021), more of it on the belly than elsewhere.
_STOUT, _STOUT_BELLY = 0.12, 0.24  # of the girth
_SHOULDER, _REACH = 0.2, 0.6  # hip heights: from the middle to a shoulder, from there to the hand
_ARMS_OUT = 0.09  # rad that a build of 1 holds the arms away from the trunk
_PERCENTILE = 1.2816  # standard deviations to the 90th percentile
_STATURE_SPREAD = 0.041  # of the median, standard deviation
_STREET: _Table = ((0.0, 0.2, 0.83, 1.0), (3, 18, 65, 90))  # shares of people up to these ages: US census of 2020


@dataclass(frozen=True)
class Body:
    """Sex, age and build of a person, from which its size and proportions follow.

    >>> child, man = Body("female", age=4), Body("male", age=30)
    >>> round(child.height, 2), round(child.leg_length, 2), round(man.leg_length, 2)
    (1.01, 0.45, 0.87)
    """

    sex: str = "male"  # or "female"
    age: float = 30.0  # years, 2 to 90
    build: float = 0.0  # 0 is usual, -1 slender, 1 stout; -2 to 2
    stature: float | None = None  # m; the median of its sex and age without it

    def __post_init__(self) -> None:
        if self.sex not in SEXES:
            raise LocomoteError(f"sex {self.sex!r}: expected {' or '.join(SEXES)}")
        for name, (low, high), unit in (("age", AGES, " years"), ("build", BUILDS, "")):
            value = getattr(self, name)
            if not _is_number(value) or not low <= value <= high:
                raise LocomoteError(f"{name} {value!r}: expected {low:g} to {high:g}{unit}")
        if self.stature is not None:
            low, high = (share * median_stature(self.sex, self.age) for share in STATURES)
            if not _is_number(self.stature) or not low <= self.stature <= high:
                who = f"for a {self.sex} of {self.age:g}"
                raise LocomoteError(f"stature {self.stature!r}: expected {low:.2f} to {high:.2f} m {who}")

    @classmethod
    def random(cls, seed: int = 0) -> Body:
        """Anyone in a street; the same seed gives the same body."""
        return random_bodies(1, seed)[0]

    @property
    def height(self) -> float:
        """The stature, m."""
        return median_stature(self.sex, self.age) if self.stature is None else float(self.stature)

    @property
    def leg_length(self) -> float:
        """Hip to ankle, m."""
        return (THIGH + SHANK) * self._hip_height()

    @property
    def proportions(self) -> Proportions:
        """Of the bones, beside those of the common skeleton with legs of the same length."""
        hips = self._hip_height()
        tall = _HIP_HEIGHT * self._unshrunk() / hips  # beside a grown man with such legs
        head = _GROWN_HEADS / _at(_HEADS, self.age) * tall
        above = self.height / hips - 1.0 - PELVIS_ABOVE_HIPS - HEAD_LENGTH * head
        shoulders, width = _at(_SHOULDERS[self.sex], self.age) * tall, _at(_HIPS[self.sex], self.age) * tall
        wide = 0.5 * (shoulders + width)
        nearer = HIP_HALF_WIDTH * (width - 1.0) - _SHOULDER * (shoulders - 1.0)  # the hands are to the hips
        return Proportions(
            trunk=above / _TRUNK,
            head=head,
            shoulders=shoulders,
            hips=width,
            arms=_at(_ARMS[self.sex], self.age) * tall,
            spread=_ARMS_OUT * max(0.0, self.build) + max(0.0, nearer) / _REACH,
            girths=Girths(
                chest=wide * math.exp(_STOUT * self.build),
                belly=wide * math.exp(_STOUT_BELLY * self.build),
                limbs=tall * math.exp(_STOUT * self.build),
                head=head,
            ),
        )

    @property
    def walking_speed(self) -> float:
        """How fast such people walk when nothing hurries them, m/s; children as their legs are long."""
        speed = _at(_SPEEDS[self.sex], self.age)
        if self.age >= _GROWN:
            return speed
        return speed * math.sqrt(self.leg_length / Body(self.sex, _GROWN).leg_length)

    def _unshrunk(self) -> float:
        """The stature in the prime of life, m, or now for who still grows."""
        lost = _at(_SHRINKING[self.sex], self.age)
        return self.height * (1.0 + lost / median_stature(self.sex, self.age))

    def _hip_height(self) -> float:
        below = (1.0 - _at(_SITTING[self.sex], self.age)) / (1.0 - _GROWN_SITTING)
        return _HIP_HEIGHT * below * self._unshrunk()


def median_stature(sex: str, age: float) -> float:
    """How tall half of all people are at least, m.

    Parameters
    ----------
    sex : "female" or "male"
    age : years, 2 to 90
    """
    return _at(_STATURE[sex], age) - _at(_SHRINKING[sex], age)


def random_bodies(count: int, seed: int = 0) -> list[Body]:
    """People as in a street: of both sexes, all ages and builds, taller and smaller ones.

    Parameters
    ----------
    count : how many
    seed : the same one gives the same people
    """
    random = np.random.default_rng(seed)
    women, ages = random.random(count) < 0.5, np.interp(random.random(count), *_STREET)
    builds = np.clip(random.normal(0.0, 1.0 / _PERCENTILE, count), *BUILDS)
    sizes = np.clip(1.0 + _STATURE_SPREAD * random.normal(size=count), *STATURES)
    out = []
    for woman, age, build, size in zip(women, ages.tolist(), builds.tolist(), sizes.tolist(), strict=True):
        sex = SEXES[0] if woman else SEXES[1]
        out.append(Body(sex, age, build, size * median_stature(sex, age)))
    return out


def _at(table: _Table, age: float) -> float:
    return float(np.interp(age, *table))


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and math.isfinite(value)
