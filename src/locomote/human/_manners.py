"""What people do besides their style: how far their arms swing, how wide they step, how lively they are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.rotations import FloatArray

# Arms swing as far as those of the style, times a number: its median, and how much its logarithm varies from one
# person to the next and from arm to arm. Averages over cycles, of which styles are made, swing less than any of them.
ARM_SWING, PEOPLE_SWING, SIDES_SWING = 1.2, 0.2, 0.1
ELBOWS = np.radians([8.0, 12.0])  # by which elbows are bent more or less than those of the style: walk, run
# Steps of healthy people are 2 to 3 cm wider or narrower than one another, and their feet differ by 5 degrees.
WIDER = 0.012  # m, for each foot
TOES_OUT, SIDES_TOES_OUT = np.radians(4.0), np.radians(2.0)  # from person to person, and from foot to foot
LIVELY = 0.45  # of the logarithm
MOST_UNUSUAL = 1.7  # standard deviations from the mean, in any of these
# What age does: small children walk on a wide base with bent arms that hardly swing, and as grown people from 7 on
# (Sutherland et al. 1980); arms of old people swing less (Mirelman et al. 2015), and they step wider (Schrager et al.
# 2008). Rounded, between these years in straight lines.
_YEARS = (2.0, 4.0, 7.0, 60.0, 85.0)
_AGE_SWING = (0.4, 0.7, 1.0, 1.0, 0.65)
_AGE_ELBOWS = np.radians([25.0, 10.0, 0.0, 0.0, 5.0])
_AGE_WIDER = (0.02, 0.01, 0.0, 0.0, 0.01)  # m, for each foot


class Manners(NamedTuple):
    """What each of N people does besides its style."""

    arm_swing: FloatArray  # (N, 2) how far the left and the right arm swing, of what the style has
    elbows: FloatArray  # (N, 2) rad by which elbows are bent more than those of the style, walking and running
    wider: FloatArray  # (N,) m by which each foot is set down further from the middle
    toe_out: FloatArray  # (N, 2) rad by which the left and the right foot are turned outwards
    lively: FloatArray  # (N,) how much strides differ from one another, times that of the crowd

    def of(self, who: int) -> Manners:
        """Those of one person.

        Parameters
        ----------
        who : its number
        """
        return Manners(*(each[who : who + 1] for each in self))

    def aged(self, years: FloatArray) -> Manners:
        """The same of people so old.

        Parameters
        ----------
        years : (N,) of each of them
        """
        swing, elbows, wider = (np.interp(years, _YEARS, each) for each in (_AGE_SWING, _AGE_ELBOWS, _AGE_WIDER))
        return self._replace(
            arm_swing=swing[:, None] * self.arm_swing, elbows=self.elbows + elbows[:, None], wider=self.wider + wider
        )

    def check(self, count: int) -> None:
        """An error unless these are finite numbers for so many people."""
        for name, value, own in zip(self._fields, self, no_manners(count), strict=True):
            if np.shape(value) != own.shape or not np.isfinite(value).all():
                raise LocomoteError(f"manners: {name}: expected finite numbers of shape {own.shape}")


def no_manners(count: int) -> Manners:
    """Of people who are just as their style."""
    pairs = np.zeros((count, 2))
    return Manners(pairs + 1.0, pairs, np.zeros(count), pairs, np.ones(count))


def random_manners(count: int, seed: int = 0) -> Manners:
    """Manners of random people, who differ by them as recorded ones do.

    Parameters
    ----------
    count : N
    seed : of the random numbers
    """
    own = np.random.default_rng([seed, 2]).standard_normal((count, 9))
    own = np.clip(own, -MOST_UNUSUAL, MOST_UNUSUAL)
    return Manners(
        arm_swing=ARM_SWING * np.exp(PEOPLE_SWING * own[:, :1] + SIDES_SWING * own[:, 1:3]),
        elbows=ELBOWS * own[:, 4:5],
        wider=WIDER * own[:, 5],
        toe_out=TOES_OUT * own[:, 6:7] + SIDES_TOES_OUT * own[:, 7:],
        lively=np.exp(LIVELY * own[:, 3]),
    )
