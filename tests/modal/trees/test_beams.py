"""Beams and their modes against theory, against another way to compute them, and against quadrature."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import linalg

from locomote.errors import LocomoteError
from locomote.modal.trees._beams import Beams, Material, checked, line_integrals
from locomote.modal.trees._growth import grow
from locomote.modal.trees._modes import modes_of

WOOD = Material()


def rod(direction: tuple[float, float, float], count: int = 21, length: float = 4.0, radius: float = 0.05) -> Beams:
    way = np.array(direction) / np.linalg.norm(direction)
    nodes = np.linspace(0.0, length, count)[:, None] * way
    return checked(nodes, np.arange(count) - 1, np.full(count, radius))


def small_tree(count: int = 30, seed: int = 2) -> Beams:
    grown = grow("oak", count, seed)
    return checked(grown.nodes, grown.parents, grown.radii)


@pytest.mark.feature("WND-02")
@pytest.mark.parametrize("direction", [(0.0, 1.0, 0.0), (1.0, 0.0, 0.0), (0.3, -0.8, 0.5)])
def test_a_cantilever_has_the_frequencies_of_theory(direction: tuple[float, float, float]) -> None:
    length, radius = 4.0, 0.05
    found = modes_of(rod(direction, length=length, radius=radius), 4, WOOD).rates
    pace = math.sqrt(WOOD.young * math.pi * radius**4 / 4 / (WOOD.density * math.pi * radius**2 * length**4))
    # Roots of cos x cosh x = -1; every bending mode is there twice, for both directions across.
    np.testing.assert_allclose(found[:2], 1.8751040687**2 * pace, rtol=1e-4)
    np.testing.assert_allclose(found[2:], 4.6940911330**2 * pace, rtol=1e-3)


def test_a_crooked_frame_has_the_same_frequencies_whichever_way_it_is_turned() -> None:
    nodes = np.array([[0, 0, 0], [0, 1.0, 0], [0.7, 1.2, 0.1], [0.9, 1.9, 0.8], [-0.4, 1.6, 0.5]])
    parents, radii = np.array([-1, 0, 1, 2, 1]), np.array([0.05, 0.04, 0.03, 0.02, 0.02])
    plain = modes_of(checked(nodes, parents, radii), 8, WOOD).rates
    for seed in range(6):
        turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
        np.testing.assert_allclose(modes_of(checked(nodes @ turn.T, parents, radii), 8, WOOD).rates, plain, rtol=1e-8)


def test_a_heavy_load_bends_a_cantilever_as_theory_says() -> None:
    beams = rod((0.0, 1.0, 0.0))
    stiff, _ = beams.matrices(WOOD)
    load = np.zeros(stiff.shape[0])
    load[-6] = 100.0  # N along x, at the tip
    moved = linalg.solve(stiff.toarray(), load).reshape(-1, 6)
    bend = WOOD.young * math.pi * 0.05**4 / 4
    assert moved[-1, 0] == pytest.approx(100.0 * 4.0**3 / (3.0 * bend), rel=1e-6)
    assert moved[-1, 5] == pytest.approx(-100.0 * 4.0**2 / (2.0 * bend), rel=1e-6)  # it leans to +x: about -z


def test_twist_goes_by_the_shear_of_round_wood() -> None:
    beams = rod((0.0, 1.0, 0.0))
    stiff, _ = beams.matrices(WOOD)
    load = np.zeros(stiff.shape[0])
    load[-2] = 10.0  # N m about y, the axis
    moved = linalg.solve(stiff.toarray(), load)
    assert moved[-2] == pytest.approx(10.0 * 4.0 / (WOOD.shear * math.pi * 0.05**4 / 2), rel=1e-6)


def test_the_mass_of_a_tree_is_that_of_its_wood() -> None:
    beams = small_tree()
    _, mass = beams.matrices(WOOD)
    rise = np.tile([0.0, 1.0, 0.0, 0.0, 0.0, 0.0], len(beams.nodes) - 1)
    whole = float(np.sum(math.pi * beams.girths**2 * beams.lengths) * WOOD.density)
    first = beams.parents[1:] == 0  # the element at the clamped root keeps the share of its lower end for itself
    left = float(np.sum((math.pi * beams.girths**2 * beams.lengths)[first]) * WOOD.density)
    assert whole - left < rise @ (mass @ rise) < whole


@pytest.mark.parametrize("kind", ["birch", "bush"])
def test_forces_element_by_element_are_those_of_the_matrix(kind: str) -> None:
    grown = grow(kind, 300, 1)
    beams = checked(grown.nodes, grown.parents, grown.radii)
    for material in (WOOD, Material(kind="source")):
        stiff, _ = beams.matrices(material)
        moved = np.random.default_rng(0).normal(size=(stiff.shape[0], 3))
        force = stiff @ moved
        np.testing.assert_allclose(beams.forces(material, moved), force, atol=1e-13 * np.abs(force).max())


@pytest.mark.parametrize(("kind", "nodes"), [("birch", 10_000)])
def test_slender_trees_of_many_nodes_have_small_residuals_as_well(kind: str, nodes: int) -> None:
    grown = grow(kind, nodes, 0)
    beams = checked(grown.nodes, grown.parents, grown.radii)
    found = modes_of(beams, 8, WOOD)
    vectors = found.shapes[:, 1:].reshape(8, -1).T
    force, mass = beams.forces(WOOD, vectors), beams.matrices(WOOD)[1]
    off = np.linalg.norm(force - mass @ vectors * found.rates**2, axis=0) / np.linalg.norm(force, axis=0)
    assert off.max() <= 1e-8
    np.testing.assert_allclose(found.residual, off.max(), rtol=1e-6)


@pytest.mark.feature("WND-03")
@pytest.mark.parametrize(("kind", "nodes", "modes"), [("walnut", 485, 50), ("birch", 3000, 25)])
def test_residuals_of_modes_are_small(kind: str, nodes: int, modes: int) -> None:
    grown = grow(kind, nodes, 0)
    beams = checked(grown.nodes, grown.parents, grown.radii)
    found = modes_of(beams, modes, WOOD)
    stiff, mass = beams.matrices(WOOD)
    vectors = found.shapes[:, 1:].reshape(modes, -1).T
    force = stiff @ vectors
    off = np.linalg.norm(force - mass @ vectors * found.rates**2, axis=0) / np.linalg.norm(force, axis=0)
    assert off.max() <= 1e-8
    np.testing.assert_allclose(vectors.T @ (mass @ vectors), np.eye(modes), atol=1e-9)
    assert np.all(np.diff(found.rates) >= 0.0)


@pytest.mark.feature("WND-03")
def test_modes_are_the_lowest_of_all() -> None:
    beams = small_tree()
    found = modes_of(beams, 12, WOOD)
    stiff, mass = (each.toarray() for each in beams.matrices(WOOD))
    every = linalg.eigh(stiff, mass, eigvals_only=True)
    np.testing.assert_allclose(found.rates, np.sqrt(every[:12]), rtol=1e-7)


def test_wood_of_the_source_halves_frequencies() -> None:
    beams = small_tree()
    ratio = modes_of(beams, 6, Material(kind="source")).rates / modes_of(beams, 6, WOOD).rates
    assert np.all((ratio > 0.45) & (ratio < 0.65))


def quadrature(beams: Beams, shape: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """The same integral by four points of Gauss in each element, from the shape functions written out."""
    points, shares = np.polynomial.legendre.leggauss(4)
    total = np.zeros(3)
    frames = beams.frames()
    for e, (length, weight) in enumerate(zip(beams.lengths, weights, strict=True)):
        turn = frames[e]
        one, two = (shape[n].reshape(2, 3) @ turn for n in (beams.parents[e + 1], e + 1))
        for s, share in zip(0.5 * (points + 1.0), 0.5 * shares, strict=True):
            h1, h2 = 1 - 3 * s**2 + 2 * s**3, length * (s - 2 * s**2 + s**3)
            h3, h4 = 3 * s**2 - 2 * s**3, length * (s**3 - s**2)
            local = [
                (1 - s) * one[0, 0] + s * two[0, 0],
                h1 * one[0, 1] + h2 * one[1, 2] + h3 * two[0, 1] + h4 * two[1, 2],
                h1 * one[0, 2] - h2 * one[1, 1] + h3 * two[0, 2] - h4 * two[1, 1],
            ]
            total += weight * length * share * (turn @ np.array(local))
    return total


@pytest.mark.feature("WND-05")
def test_what_wind_drags_at_equals_quadrature() -> None:
    beams = small_tree(60)
    found = modes_of(beams, 8, WOOD)
    weights = 2.0 * beams.girths
    closed = line_integrals(beams, found.shapes, weights)
    for i in range(8):
        direct = quadrature(beams, found.shapes[i], weights)
        np.testing.assert_allclose(closed[i], direct, atol=1e-12 * np.abs(closed).max())


def test_more_modes_come_nearer_to_the_whole_answer() -> None:
    """A static wind load: sums of 5, 25 and 50 modes against the solution of all unknowns at once."""
    grown = grow("walnut", 485, 1)
    beams = checked(grown.nodes, grown.parents, grown.radii)
    found = modes_of(beams, 50, WOOD)
    stiff, _ = beams.matrices(WOOD)
    load = np.zeros((len(beams.nodes), 6))
    push = beams.girths * beams.lengths
    np.add.at(load, (beams.parents[1:], 0), push)
    load[1:, 0] += push
    from scipy.sparse.linalg import spsolve

    whole = spsolve(stiff, load[1:].ravel()).reshape(-1, 6)[:, :3]
    left = []
    for count in (5, 25, 50):
        shapes = found.shapes[:count, 1:]
        q = np.tensordot(shapes, load[1:], 2) / found.rates[:count] ** 2
        left.append(np.linalg.norm(np.tensordot(q, shapes[..., :3], 1) - whole) / np.linalg.norm(whole))
    assert left[0] > left[1] > left[2]
    assert left[1] < 0.05
    assert left[2] < 0.03


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"radii": [0.1, 0.0, 0.1]}, "radius of 0"),
        ({"parents": [-1, 0, 2]}, "node 2: its parent is 2"),
        ({"parents": [-1, -1, 0]}, "node 1: its parent is -1"),
        ({"parents": [0, 0, 1]}, "node 0"),
        ({"nodes": [[0, 0, 0], [0, 0, 0], [0, 1, 0]]}, "needs a length"),
        ({"nodes": [[0, 0, 0], [0, math.nan, 0], [0, 1, 0]]}, "node 1 has a place"),
        ({"radii": [0.1, 0.1]}, "as many parents and radii"),
        ({"nodes": [[0, 0, 0]]}, "two or more"),
    ],
)
def test_broken_trees_are_refused_in_one_line(change: dict[str, list], says: str) -> None:
    given = {"nodes": [[0, 0, 0], [0, 1, 0], [0, 2, 0]], "parents": [-1, 0, 1], "radii": [0.1, 0.1, 0.1], **change}
    with pytest.raises(LocomoteError, match=says) as error:
        checked(np.array(given["nodes"], float), np.array(given["parents"]), np.array(given["radii"]))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("wrong", [{"young": -1.0}, {"density": 0.0}, {"kind": "steel"}, {"young": math.nan}])
def test_broken_wood_is_refused(wrong: dict[str, float]) -> None:
    with pytest.raises(LocomoteError, match="material"):
        Material(**wrong)  # type: ignore[arg-type]
