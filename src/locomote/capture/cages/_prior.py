"""What poses are likely: quads in a small latent space, by principal components or by a Gaussian process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from locomote.capture.cages._rig import CageRig, Quads
from locomote.capture.cages._states import States
from locomote.errors import LocomoteError
from locomote.math.components import principal_components
from locomote.motion import Motion
from locomote.retargeting import retarget
from locomote.rotations import FloatArray
from locomote.spaces.posing._latent import LatentModel

DIMENSIONS = 10
METHODS = ("linear", "process")
POSES = 1500  # that a prior is made from, at most
_INDUCING = 120
_ROUNDS = 60
_NOISE = 0.01  # m, that quads have at least about a Gaussian process
_SPEEDS = (0.6, 0.9, 1.2, 1.5, 1.8, 2.4, 3.2)  # m/s of the people from whom poses come unless motions are given
_TURNS = (-0.6, 0.0, 0.6)  # rad/s


class Latent(Protocol):
    """A latent space of states."""

    @property
    def points(self) -> FloatArray:
        """Those of the known poses, ``(N, q)``."""

    def state(self, x: FloatArray) -> FloatArray:
        """The state ``(D,)`` of a latent point ``(q,)``."""

    def ways(self, x: FloatArray) -> FloatArray:
        """How the state changes with every number of a latent point, ``(q, D)``."""

    def penalty(self, x: FloatArray) -> tuple[float, FloatArray]:
        """What an unlikely point costs, and its slope."""

    def place(self, state: FloatArray) -> FloatArray:
        """The latent point of a state."""


@dataclass(frozen=True, eq=False)
class Linear:
    """Principal components, scores with variance 1, and a Gaussian over them."""

    mean: FloatArray  # (D,)
    basis: FloatArray  # (q, D) m a standard deviation
    points: FloatArray

    @classmethod
    def fit(cls, states: FloatArray, count: int) -> Linear:
        """Of known poses ``(N, D)``."""
        found = principal_components(states, count=count, dual=False)
        scores = found.scores(states)
        spread = np.maximum(scores.std(axis=0), 1e-9)
        return cls(found.mean, found.basis * spread[:, None], scores / spread)

    def state(self, x: FloatArray) -> FloatArray:
        """The state of a latent point."""
        return np.asarray(self.mean + x @ self.basis)

    def ways(self, x: FloatArray) -> FloatArray:
        """How the state changes with every number of a latent point."""
        return self.basis

    def penalty(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Half the square of the standardised scores."""
        return 0.5 * float(x @ x), x

    def place(self, state: FloatArray) -> FloatArray:
        """By projection."""
        return np.asarray((self.basis @ (state - self.mean)) / np.sum(self.basis**2, axis=1))


@dataclass(frozen=True, eq=False)
class Process:
    """A Gaussian process over the latent space, whose variance says where poses are known (CAG-05)."""

    model: LatentModel
    spread: FloatArray  # (q,) of the latent points of the known poses
    points: FloatArray  # (N, q) over that spread

    @classmethod
    def fit(cls, states: FloatArray, count: int) -> Process:
        """Of known poses ``(N, D)``."""
        model = LatentModel.fit(states, latent=count, inducing=_INDUCING, rounds=_ROUNDS, noise=_NOISE, back=True)
        spread = np.maximum(model.latents.std(axis=0), 1e-9)
        return cls(model, spread, model.latents / spread)

    def state(self, x: FloatArray) -> FloatArray:
        """The mean of the process."""
        return self.model.predict(x * self.spread)[0]

    def ways(self, x: FloatArray) -> FloatArray:
        """How the state changes with every number of a latent point."""
        return np.ascontiguousarray((self.model.jacobian(x * self.spread)[0] * self.spread).T)

    def penalty(self, x: FloatArray) -> tuple[float, FloatArray]:
        """Half the logarithm of the variance over the noise, for every dimension."""
        variance = float(self.model.predict(x * self.spread)[1])
        slope = self.model.jacobian(x * self.spread)[1] * self.spread
        half = 0.5 * len(x)
        return half * float(np.log(variance / self.model.kernel.noise)), half * slope / variance

    def place(self, state: FloatArray) -> FloatArray:
        """The most likely point, from the nearest known pose."""
        return np.asarray(self.model.place(state) / self.spread)


@dataclass(frozen=True, eq=False)
class PosePrior:
    """Which poses of a rig's quads are likely; made by `PosePrior.of`."""

    states: States
    latent: Latent
    known: FloatArray  # (N, D) the poses it was made from
    heights: FloatArray  # (N,) m, of the pelvis quad over the lowest corner of the cage

    @classmethod
    def of(
        cls,
        rig: CageRig,
        motions: Sequence[Motion] | None = None,
        *,
        method: str = "process",
        dimensions: int = DIMENSIONS,
        poses: int = POSES,
        progress: Callable[[int, int], None] | None = None,
    ) -> PosePrior:
        """A prior from motions, put onto the rig's skeleton.

        Parameters
        ----------
        rig : whose quads
        motions : of people who move as the one to be tracked may; without it walks and runs of the walking engine
        method : "process" (a Gaussian process) or "linear" (principal components and a Gaussian)
        dimensions : of the latent space
        poses : kept at most, evenly over all motions
        progress : called with how many motions are done, and of how many
        """
        if method not in METHODS:
            raise LocomoteError(f"method {method!r}: expected one of {', '.join(METHODS)}")
        given = _walks() if motions is None else list(motions)
        if not given:
            raise LocomoteError("a prior needs at least one motion")
        parts = []
        for done, motion in enumerate(given):
            own = motion if motion.skeleton is rig.skeleton else retarget(motion, _target(rig), feet=False)
            parts.append(rig.quads_of(own))
            if progress is not None:
                progress(done + 1, len(given))
        quads = Quads(*(np.concatenate([getattr(part, name) for part in parts]) for name in Quads._fields))
        rows = np.unique(np.linspace(0, len(quads.places) - 1, poses).astype(int))
        quads = Quads(quads.places[rows], quads.turns[rows])
        states = States.of(rig, quads)
        known = states.rows(quads)
        most = min(len(known) - 1, known.shape[1])
        if not 1 <= dimensions <= most:
            raise LocomoteError(f"dimensions {dimensions}: {len(known)} poses allow 1 to {most}")
        latent = Linear.fit(known, dimensions) if method == "linear" else Process.fit(known, dimensions)
        corners = rig.cage_of(quads)
        return cls(states, latent, known, quads.places[:, 0, 1] - corners[..., 1].min(axis=1))

    def starts(self, count: int) -> list[int]:
        """Rows of known poses that are far from each other, the first nearest to the middle."""
        points = self.latent.points
        chosen = [int(np.argmin(np.sum((points - points.mean(axis=0)) ** 2, axis=1)))]
        while len(chosen) < min(count, len(points)):
            away = np.min(np.sum((points[:, None] - points[None, chosen]) ** 2, axis=2), axis=1)
            chosen.append(int(np.argmax(away)))
        return chosen


def _target(rig: CageRig) -> Motion:
    """The rig's skeleton, standing as its cage was made."""
    from locomote import rotations as rot

    skeleton, stance = rig.skeleton, rig.stance
    local = stance.turns.copy()
    inner = skeleton.parents >= 0
    local[inner] = rot.multiply(rot.inverse(stance.turns[skeleton.parents[inner]]), stance.turns[inner])
    return Motion(skeleton, 30.0, stance.positions[:1], local[None], body=rig.body)


def _walks() -> list[Motion]:
    """People of the walking engine who walk and run, straight on and in curves."""
    from locomote.human import Crowd, HumanModel

    model = HumanModel.default()
    out: list[Motion] = []
    for speed in _SPEEDS:
        for turn in _TURNS:
            crowd = Crowd(model, 1, seed=len(out), speed=speed)
            crowd.command(turn_rate=turn)
            out.append(crowd.record(seconds=4.0, fps=30)[15:])
    return out
