from __future__ import annotations

import numpy as np
import pytest

from locomote.human.fitting._pooling import cycle_weights, fit_pooled


def people(seed: int = 0, noise: float = 0.05) -> tuple[list[str], np.ndarray, np.ndarray, dict[str, np.ndarray]]:
    random = np.random.default_rng(seed)
    names, speeds, scores, truth = [], [], [], {}
    for k in range(12):
        offset, slope = random.normal(0.0, 0.5, 3), random.normal(0.0, 0.15, 3)
        own = random.uniform(0.7, 2.0, 10)
        truth[f"p{k}"] = np.stack([offset, slope])
        names += [f"p{k}"] * len(own)
        speeds.append(own)
        curve = np.stack([1.0 + 2.0 * own, 0.5 - own + np.sqrt(own), 0.2 * own], axis=1)
        scores.append(curve + offset + np.outer(own - 1.2, slope) + random.normal(0.0, noise, (10, 3)))
    return names, np.concatenate(speeds), np.concatenate(scores), truth


def test_the_parts_of_a_known_population_are_found() -> None:
    names, speeds, scores, truth = people()
    model = fit_pooled("walk", names, speeds, scores)
    np.testing.assert_allclose(np.sqrt(model.noise), 0.05, rtol=0.25)
    np.testing.assert_allclose(np.sqrt(model.effects[:, 0, 0]), 0.5, rtol=0.6)
    grid = np.linspace(0.7, 2.0, 5)
    for name, (offset, slope) in truth.items():
        mine = np.array(names) == name
        person = model.person(speeds[mine], scores[mine])
        curve = np.stack([1.0 + 2.0 * grid, 0.5 - grid + np.sqrt(grid), 0.2 * grid], axis=1)
        known = curve + offset + np.outer(grid - 1.2, slope)
        inside = (grid >= person.slowest) & (grid <= person.fastest)
        np.testing.assert_allclose(model.coordinates(person, grid)[inside], known[inside], atol=0.15)


def test_few_cycles_are_shrunk_and_many_are_believed() -> None:
    names, speeds, scores, _ = people(noise=0.4)
    model = fit_pooled("walk", names, speeds, scores)
    at = np.full(1, model.centre)
    far = model.population(at) + 1.0
    once = model.person(at, far)
    often = model.person(np.repeat(at, 50), np.repeat(far, 50, axis=0))
    assert np.all(once.offset < often.offset)
    np.testing.assert_allclose(often.offset, 1.0, atol=0.1)


def test_the_personal_slope_is_held_outside_the_own_range() -> None:
    names, speeds, scores, _ = people()
    model = fit_pooled("run", names, speeds, scores)
    person = model.person(np.array([1.0, 1.5]), scores[:2])
    for outside, edge in ((0.2, 1.0), (3.0, 1.5)):
        beyond = model.coordinates(person, outside) - model.population(outside)
        np.testing.assert_allclose(beyond, model.coordinates(person, edge) - model.population(edge))


def test_cycles_of_one_clip_count_less() -> None:
    weights = cycle_weights(["a", "b", "b", "b"])
    assert weights[0] == 1.0
    assert weights[1:] == pytest.approx([0.5, 0.5, 0.5])
