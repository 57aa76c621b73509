"""Proximal policy optimisation of a small network, in numpy: what it takes from what befell those whom it led."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from locomote.physics._policy import ACTIONS, FARTHEST, SEEN, Network
from locomote.rotations import FloatArray

DISCOUNT, TRACE, CLIP, EPOCHS, BATCHES = 0.985, 0.95, 0.2, 4, 4
RATE, HIDDEN, SPREAD, LEAST_SPREAD = 3e-4, 128, -2.0, -3.0  # logarithms of deviations, at first and at least
FELL, OVER = 1, 2  # how a lesson ends
DRIFTS = 0.02  # divergence of an update from which it ends


class Told(NamedTuple):
    """What befell a dog, a row for each action: what it saw and did, rewards, how it ended if it did, what came."""

    seen: FloatArray
    acted: FloatArray
    rewards: FloatArray
    ends: FloatArray
    after: FloatArray
    lessons: list[tuple[str, bool, bool, float]]  # gait, pushed, fell, m/s off


def fresh(random: np.random.Generator, out: int = ACTIONS) -> Network:
    """A network that says nothing yet."""
    sizes = (SEEN, HIDDEN, HIDDEN, out)
    weights = [random.normal(size=pair) / np.sqrt(pair[0]) for pair in pairwise(sizes)]
    weights[-1] *= 0.0
    return Network(np.zeros(SEEN), np.ones(SEEN), tuple(weights), tuple(np.zeros(size) for size in sizes[1:]))


class Learner:
    """The network that acts and the one that foretells, as lists of float32 arrays, with their steps (Adam)."""

    def __init__(self, network: Network, random: np.random.Generator) -> None:
        self.mean, self.scale = network.mean.astype(np.float32), network.scale.astype(np.float32)
        critic = fresh(random, 1)
        self.actor = arrays_of(network)
        self.critic = arrays_of(critic)
        self.spread = np.full(ACTIONS, SPREAD, dtype=np.float32)
        self.smooth = [each.copy() for each in self.actor]
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self._all()]
        self.steps, self.rate, self.random = 0, RATE, random

    def _all(self) -> list[Any]:
        return [*self.actor, self.spread, *self.critic]

    def network(self, arrays: list[Any]) -> Network:
        """One of its networks that act, the one that tries or the smooth one."""
        weights, biases = tuple(arrays[0::2]), tuple(arrays[1::2])
        return Network(self.mean.astype(float), self.scale.astype(float), weights, biases)

    def inputs(self, seen: Any) -> Any:
        """What was seen, as networks take it."""
        return np.clip((seen.astype(np.float32) - self.mean) / self.scale, -FARTHEST, FARTHEST)

    def learn(self, told: list[Told]) -> float:
        """One update; how far it went, as a divergence."""
        parts = [(self.inputs(one.seen), one.acted.astype(np.float32), *self._gains(one)) for one in told]
        x, act, gain, back = (np.concatenate(column) for column in zip(*parts, strict=True))
        gain = np.clip((gain - gain.mean()) / (gain.std() + 1e-6), -5.0, 5.0)
        mean, spread = forward(self.actor, x)[-1], self.spread.copy()
        before = _likelihood(act, mean, spread)
        far = 0.0
        for _ in range(EPOCHS):
            order = self.random.permutation(len(x))
            for rows in np.array_split(order, BATCHES):
                self._step(x[rows], act[rows], gain[rows], back[rows], before[rows])
            now = forward(self.actor, x)[-1]
            ratio = np.exp(2.0 * (spread - self.spread))
            shift = ((now - mean) / np.exp(self.spread)) ** 2
            far = float(np.mean(np.sum(self.spread - spread + 0.5 * (ratio + shift) - 0.5, axis=1)))
            if far > DRIFTS:
                break
        self.rate = float(
            np.clip(self.rate * (0.7 if far > DRIFTS else 1.1 if far < 0.5 * DRIFTS else 1.0), 3e-5, 1e-3)
        )
        for mine, new in zip(self.smooth, self.actor, strict=True):
            mine += 0.05 * (new - mine)
        return far

    def _gains(self, told: Told) -> tuple[Any, Any]:
        """How much better than foretold each action was, and what was to be foretold."""
        count = len(told.rewards)
        values, then = (forward(self.critic, self.inputs(each))[-1][:, 0] for each in (told.seen, told.after))
        gains, running = np.zeros(count, dtype=np.float32), 0.0
        for t in range(count - 1, -1, -1):
            last = bool(told.ends[t]) or t == count - 1
            following = 0.0 if told.ends[t] == FELL else then[t] if last else values[t + 1]
            surprise = told.rewards[t] + DISCOUNT * following - values[t]
            running = surprise + (0.0 if last else DISCOUNT * TRACE * running)
            gains[t] = running
        return gains, gains + values

    def _step(self, x: Any, act: Any, gain: Any, back: Any, before: Any) -> None:
        count = len(x)
        layers = forward(self.actor, x)
        deviation = np.exp(self.spread)
        z = (act - layers[-1]) / deviation
        ratio = np.exp(np.clip(_likelihood(act, layers[-1], self.spread) - before, -5.0, 5.0))
        clipped = ((gain > 0.0) & (ratio > 1.0 + CLIP)) | ((gain < 0.0) & (ratio < 1.0 - CLIP))
        weight = np.where(clipped, 0.0, ratio * gain)[:, None] / count
        gradients = backward(self.actor, layers, -weight * z / deviation)
        gradients.append(np.sum(-weight * (z**2 - 1.0), axis=0))
        told = forward(self.critic, x)
        gradients += backward(self.critic, told, (told[-1] - back[:, None]) / count)
        norm = float(np.sqrt(sum(float(np.sum(each**2)) for each in gradients)))
        self.steps += 1
        for value, gradient, (first, second) in zip(self._all(), gradients, self.moments, strict=True):
            gradient = gradient * min(1.0, 1.0 / max(norm, 1e-9))
            first += 0.1 * (gradient - first)
            second += 0.001 * (gradient**2 - second)
            unbiased = first / (1.0 - 0.9**self.steps), second / (1.0 - 0.999**self.steps)
            value -= self.rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-8)
        np.maximum(self.spread, LEAST_SPREAD, out=self.spread)


def arrays_of(network: Network) -> list[Any]:
    """Weights and biases by turns."""
    pairs = zip(network.weights, network.biases, strict=True)
    return [np.ascontiguousarray(each, dtype=np.float32) for pair in pairs for each in pair]


def forward(arrays: list[Any], x: Any) -> list[Any]:
    """What every layer says, from what is seen on."""
    layers = [x]
    for k in range(0, len(arrays), 2):
        x = x @ arrays[k] + arrays[k + 1]
        if k < len(arrays) - 2:
            x = np.tanh(x)
        layers.append(x)
    return layers


def backward(arrays: list[Any], layers: list[Any], gradient: Any) -> list[Any]:
    """Gradients of weights and biases for one of what the last layer says."""
    out: list[Any] = []
    for k in range(len(arrays) - 2, -1, -2):
        below = layers[k // 2]
        out = [below.T @ gradient, gradient.sum(axis=0), *out]
        if k:
            gradient = (gradient @ arrays[k].T) * (1.0 - below**2)
    return out


def _likelihood(act: Any, mean: Any, spread: Any) -> Any:
    return -0.5 * np.sum(((act - mean) / np.exp(spread)) ** 2, axis=1) - np.sum(spread)
