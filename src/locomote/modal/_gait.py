"""A gait as a few vibrations, each a sinusoid: which modes, how large, when; and the best ones for given steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from locomote.errors import LocomoteError
from locomote.modal._modes import Modes
from locomote.modal._rows import weighed
from locomote.rotations import ArrayLike, FloatArray

FREQUENCY = 2.0  # Hz, of a gait of which nothing else is known
SLOWEST, FASTEST = 0.3, 6.0  # Hz
CANDIDATES, EACH_LEG = 20, 4  # modes among which a fit chooses: so many, or so many a leg
FEWEST = 6  # modes that a fit keeps, at least
EXACT = np.radians(2.5)  # rad that the swing of any leg is off, above which modes are kept
SWING, LIFT = 0.2, 0.06  # of the length of the legs: half the way of a foot, and half of its rise
_STILL = 0.25  # of the weight of a wish: that feet do not go aside
_EASY = 1e-3  # of the square of the leg's length: the weight of a joint of mean stiffness that turns by 1 rad
_AWAKE = 0.3  # of the square of a frequency by which another may differ to answer half as strongly
_FAINT = 0.01  # share below which an answer is left out
_ROUNDS = 4  # in which wishes are corrected for what large turns make of them


class Channel(NamedTuple):
    """One vibration of a gait: ``amplitude sin(2 pi harmonic f t + phase) + offset`` times its shape."""

    mode: int
    amplitude: float  # rad, of the joint that turns most
    phase: float = 0.0  # rad
    harmonic: float = 1.0  # times the frequency of the gait
    offset: float = 0.0  # rad, of posture


@dataclass(frozen=True, eq=False)
class Gait:
    """A gait made of vibrations.

    Parameters
    ----------
    modes : of the body
    channels : which of them, how large and when
    frequency : Hz, of the gait
    """

    modes: Modes
    channels: tuple[Channel, ...]
    frequency: float = FREQUENCY

    def __post_init__(self) -> None:
        object.__setattr__(self, "channels", tuple(self.channels))
        if not 0.0 < self.frequency < np.inf:
            raise LocomoteError(f"frequency {self.frequency:g}: expected Hz above 0")
        for channel in self.channels:
            if not 0 <= channel.mode < len(self.modes):
                raise LocomoteError(f"no mode {channel.mode}; the body has modes 0 to {len(self.modes) - 1}")
            if not np.all(np.isfinite(channel)):
                raise LocomoteError(f"mode {channel.mode}: amplitude, phase and offset must be finite")

    @classmethod
    def fit(
        cls,
        modes: Modes,
        steps: ArrayLike,
        *,
        swing: float | None = None,
        lift: float | None = None,
        frequency: float = FREQUENCY,
        among: Sequence[int] | None = None,
    ) -> Gait:
        """The vibrations whose sum moves the feet as a gait does: forwards while they are up, each in its turn.

        As few modes are kept as bring the swing of every leg to within some degrees of where it should be.

        Parameters
        ----------
        modes : of a body with legs
        steps : (F,) turns of the cycle at which each foot is in the middle of its swing, legs as in its roles
        swing, lift : m, half the way of a foot and half of its rise; by the length of the legs unless given
        frequency : Hz
        among : numbers of the modes to use, all of them; the fewest that will do unless given
        """
        legs = modes.feet.shape[1]
        when = np.asarray(steps, dtype=np.float64)
        if when.shape != (legs,) or not np.all(np.isfinite(when)):
            raise LocomoteError(f"steps: expected {legs} turns of the cycle, one a leg; got {when.shape}")
        size = 1.0 if modes.body is None else modes.body.leg_length
        half = SWING * size if swing is None else swing
        rise = LIFT * size if lift is None else lift
        turned = np.exp(-2j * np.pi * when)
        wish = np.concatenate([half * turned, 1j * rise * turned, np.zeros(legs)])
        kept = _fewest(modes, wish) if among is None else list(among)
        told = wish.copy()
        for round_ in range(_ROUNDS + 1):
            amounts = _amounts(modes, kept, told)
            channels = tuple(Channel(i, float(abs(a)), float(np.angle(a))) for i, a in zip(kept, amounts, strict=True))
            gait = cls(modes, channels, frequency)
            if round_ < _ROUNDS:
                found = gait.strides()
                told[: 2 * legs] += (wish - np.concatenate([found[:, 2], found[:, 1], found[:, 0]]))[: 2 * legs]
        return gait

    def strides(self) -> FloatArray:
        """How its feet go, seen from the pelvis, in the first harmonic ``(F, 3)``: complex amplitudes of sines, m.

        By the poses themselves: large turns and limits of joints are in it.
        """
        from locomote.modal._crowd import cycle

        feet = cycle(self).feet
        return np.asarray(2j * np.fft.fft(feet, axis=0)[1] / len(feet))

    def scaled(self, amplitude: float) -> Gait:
        """The same gait with larger or smaller motions."""
        channels = tuple(c._replace(amplitude=amplitude * c.amplitude) for c in self.channels)
        return replace(self, channels=channels)

    def on(self, modes: Modes) -> Gait:
        """The same gait with the vibrations of a body that was changed: stiffened, hurt, or in another pose.

        Every vibration, driven as before, wakes those of the new body that are like it, the more the nearer their
        frequencies.

        Parameters
        ----------
        modes : of the same skeleton
        """
        if modes.moves.shape[1] != self.modes.moves.shape[1]:
            raise LocomoteError("the gait is of another body: as many bodies are needed")
        alike, old, new = _alike(self.modes, modes), self.modes.frequencies, modes.frequencies
        channels = []
        for channel in self.channels:
            near = alike[channel.mode]
            if channel.mode >= self.modes.rigid:
                off = (new / old[channel.mode]) ** 2 - 1.0
                near = np.where(new > 0.0, near / np.hypot(1.0, off / _AWAKE), 0.0)
            for mode in np.flatnonzero(np.abs(near) > _FAINT):
                share = float(near[mode])
                told = channel._replace(mode=int(mode), amplitude=share * channel.amplitude)
                channels.append(told._replace(offset=share * channel.offset))
        return replace(self, modes=modes, channels=tuple(channels))

    def hurt(self, factors: Mapping[str, float]) -> Gait:
        """The same gait of a body some of whose joints are stiffer: see `Modes.stiffened`.

        Parameters
        ----------
        factors : times as stiff, by groups ("spine", "legs", "arms", "tail"), names of joints or patterns
        """
        return self.on(self.modes.stiffened(factors))

    def with_channels(self, channels: Sequence[Channel]) -> Gait:
        """The same body with other channels."""
        return replace(self, channels=tuple(channels))


def _fewest(modes: Modes, wish: FloatArray) -> list[int]:
    """As few modes as bring the feet near enough to what is wished for: the least needed one goes first."""
    legs = modes.feet.shape[1]
    count = min(len(modes), modes.rigid + max(CANDIDATES, EACH_LEG * legs))
    kept = list(range(modes.rigid, count))
    while len(kept) > FEWEST:
        trials = [[i for i in kept if i != gone] for gone in kept]
        errors = [_error(modes, trial, wish) for trial in trials]
        best = int(np.argmin([error.cost for error in errors]))
        if errors[best].phase > EXACT:
            break
        kept = trials[best]
    return kept


class _Error(NamedTuple):
    phase: float  # rad, of the worst leg
    cost: float


def _amounts(modes: Modes, kept: Sequence[int], wish: FloatArray) -> FloatArray:
    """Complex amplitudes of some modes whose feet come nearest to what is wished for."""
    rows = _rows(modes, kept)
    return np.asarray(np.linalg.solve(rows.T @ rows + np.diag(_effort(modes, kept)), rows.T @ wish))


def _effort(modes: Modes, kept: Sequence[int]) -> FloatArray:
    """What an amplitude of 1 rad of some modes weighs, m2: the energy in the springs."""
    size = 1.0 if modes.body is None else modes.body.leg_length
    stiff = modes.linkage.stiffness
    energy = modes.rates[list(kept)] ** 2 @ (stiff / stiff.mean())
    return np.asarray(_EASY * size**2 * energy)


def _rows(modes: Modes, kept: Sequence[int]) -> FloatArray:
    feet = modes.feet[list(kept)]
    return np.concatenate([feet[:, :, 2].T, feet[:, :, 1].T, _STILL * feet[:, :, 0].T])


def _error(modes: Modes, kept: Sequence[int], wish: FloatArray) -> _Error:
    amounts = _amounts(modes, kept, wish)
    found = _rows(modes, kept) @ amounts
    legs = modes.feet.shape[1]
    off = np.abs(np.angle(found[:legs] / wish[:legs]))
    cost = (np.abs(found - wish) ** 2).sum() + (_effort(modes, kept) * np.abs(amounts) ** 2).sum()
    return _Error(float(off.max()), float(cost))


def _alike(old: Modes, new: Modes) -> FloatArray:
    """How much of each vibration of a body ``(M, M')`` is which of another with the same parts, weighed by mass."""
    momenta = weighed(new.linkage, new.moves.T)
    return np.asarray(old.moves @ momenta / np.einsum("bm,mb->m", momenta, new.moves))
