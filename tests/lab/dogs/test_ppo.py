"""Learning from what befell others: gradients against differences, and a problem whose answer is known."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from locomote.physics._policy import ACTIONS, SEEN
from locomote_lab.dogs.ppo import Learner, Told, arrays_of, backward, forward, fresh


def test_gradients_are_those_of_differences() -> None:
    random = np.random.default_rng(3)
    network = fresh(random, 2)
    last = random.normal(size=network.weights[-1].shape) * 0.2
    arrays = [each.astype(float) for each in arrays_of(replace(network, weights=(*network.weights[:-1], last)))]
    x, goal = random.normal(size=(5, SEEN)), random.normal(size=(5, 2))

    def loss() -> float:
        return float(0.5 * np.sum((forward(arrays, x)[-1] - goal) ** 2))

    layers = forward(arrays, x)
    for array, gradient in zip(arrays, backward(arrays, layers, layers[-1] - goal), strict=True):
        at = tuple(random.integers(size) for size in array.shape)
        before, step = array[at], 1e-5
        array[at] = before + step
        more = loss()
        array[at] = before - step
        less = loss()
        array[at] = before
        np.testing.assert_allclose(gradient[at], (more - less) / (2.0 * step), rtol=1e-4, atol=1e-7)


def test_it_learns_what_is_rewarded() -> None:
    """Actions are to be what one number that is seen says, by its sign; nothing that is done changes what is seen."""
    random = np.random.default_rng(5)
    learner = Learner(fresh(random), random)

    def round_of(count: int) -> tuple[Told, float]:
        seen = random.normal(size=(count, SEEN))
        mean = forward(learner.actor, learner.inputs(seen))[-1]
        acted = mean + np.exp(learner.spread) * random.normal(size=(count, ACTIONS))
        off = np.mean((acted[:, :3] - np.sign(seen[:, :1])) ** 2, axis=1)
        blank = np.zeros((count, SEEN))
        return Told(seen, acted, -off, np.ones(count), blank, []), float(off.mean())

    first = round_of(500)[1]
    for _ in range(150):
        learner.learn([round_of(500)[0]])
    assert round_of(500)[1] < 0.5 * first
