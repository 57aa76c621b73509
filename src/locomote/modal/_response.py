"""Vibrations that ring down: kicks and pushes as motion of a body's own, laid over whatever it does."""

from __future__ import annotations

import math

import numpy as np

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.modal._modes import Modes
from locomote.modal._rows import weighed
from locomote.pendulums import Spring
from locomote.rotations import ArrayLike, FloatArray

DAMPING = 0.1  # ratio at the lowest frequency and at ten times it


class Response:
    """A body that rings after kicks, each of its modes by itself, by the exact law of a damped spring.

    Damping is Rayleigh's: in proportion to mass and to stiffness, the same at two frequencies and less between them.

    Parameters
    ----------
    modes : of a skeleton
    damping : ratio, 1 critical, at the lowest frequency and at ten times it
    """

    def __init__(self, modes: Modes, damping: float = DAMPING) -> None:
        if not 0.0 < damping <= 1.0:
            raise LocomoteError(f"damping {damping:g}: expected a ratio above 0 and at most 1")
        self.modes = modes
        rates = 2.0 * np.pi * modes.frequencies[modes.rigid :]
        low, high = rates[0], 10.0 * rates[0]
        by_mass, by_stiffness = 2.0 * damping * low * high / (low + high), 2.0 * damping / (low + high)
        self.damping: FloatArray = np.minimum(0.5 * (by_mass / rates + by_stiffness * rates), 1.0)
        self._springs = [Spring(float(r), float(d)) for r, d in zip(rates, self.damping, strict=True)]
        shapes = modes.moves[modes.rigid :]
        self._shapes, self._masses = shapes, np.einsum("mb,bm->m", shapes, weighed(modes.linkage, shapes.T))
        self._state = np.zeros((len(rates), 2))  # amplitude, rad, and its rate
        self._step: tuple[float, FloatArray] = (-1.0, np.zeros((0, 2, 2)))

    @property
    def amplitudes(self) -> FloatArray:
        """How far each mode is from rest ``(M,)`` rad, motions of the whole left out as 0."""
        return np.concatenate([np.zeros(self.modes.rigid), self._state[:, 0]])

    def kick(self, joint: str | int, impulse: ArrayLike) -> None:
        """Hit a part of the body at its centre.

        Parameters
        ----------
        joint : that carries it, name or number
        impulse : (3,) N s, in the axes of the rest pose
        """
        body = self.modes.body
        if body is None:
            raise LocomoteError("kick: the vibrations are those of a linkage, which has no joints by name")
        told = np.asarray(impulse, dtype=np.float64)
        if told.shape != (3,) or not np.all(np.isfinite(told)):
            raise LocomoteError("impulse: expected three finite numbers, N s")
        at = 6 * body.body(joint) + 3
        self._state[:, 1] += self._shapes[:, at : at + 3] @ told / self._masses

    def step(self, dt: float) -> FloatArray:
        """Advance by ``dt`` seconds; how the joints turn from where they would be ``(J, 3)``, rad, in their frames."""
        if not 0.0 <= dt < math.inf:
            raise LocomoteError(f"dt {dt}: expected seconds, 0 or more")
        if dt != self._step[0]:
            self._step = dt, np.stack([spring.transition(dt) for spring in self._springs])
        self._state = np.einsum("mij,mj->mi", self._step[1], self._state)
        return np.asarray(np.tensordot(self._state[:, 0], self.modes.shapes[self.modes.rigid :], axes=1))

    def on(self, rotations: ArrayLike) -> FloatArray:
        """Poses ``(..., J, 4)`` with the vibration of this moment laid over them.

        Parameters
        ----------
        rotations : (..., J, 4) local
        """
        turned = np.tensordot(self._state[:, 0], self.modes.shapes[self.modes.rigid :], axes=1)
        return rot.multiply(rotations, rot.exp(turned))
