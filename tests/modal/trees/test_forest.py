"""Trees in the wind against closed forms and laws: steps, lengths, levels of detail, pushes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.linalg import expm

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.modal.trees import Detail, Forest, Species
from locomote.modal.trees._oscillators import transitions
from locomote.pendulums import Spring
from locomote.world import Wind

OAK = Species.grow("oak", 240, modes=20)


def branch_errors(species: Species, nodes: np.ndarray) -> np.ndarray:
    """Of the lengths of branches, over what they are at rest."""
    now = np.linalg.norm(nodes[..., 1:, :] - nodes[..., species.parents[1:], :], axis=-1)
    return np.abs(now / species.lengths[1:] - 1.0)


def test_steps_of_the_bank_are_those_of_springs_and_of_the_matrix_exponential() -> None:
    rates, dampings = np.array([0.7, 3.0, 40.0]), np.array([0.05, 0.3, 0.9])
    table = transitions(rates, 2.0 * dampings * rates, np.array([0.01, 0.4]))
    for r, dt in enumerate((0.01, 0.4)):
        for i, (rate, damping) in enumerate(zip(rates, dampings, strict=True)):
            spring = Spring(rate, damping).transition(dt)
            np.testing.assert_allclose(table[r, :, i], spring.ravel(), rtol=1e-12, atol=1e-14)
            exact = expm(dt * np.array([[0.0, 1.0], [-(rate**2), -2.0 * damping * rate]]))
            np.testing.assert_allclose(table[r, :, i], exact.ravel(), rtol=1e-9, atol=1e-12)


@pytest.mark.feature("WND-06")
@pytest.mark.parametrize("dt", [1.0 / 240.0, 1.0 / 60.0, 1.0 / 15.0])
def test_a_sudden_wind_swings_modes_as_the_closed_form_says(dt: float) -> None:
    wind = np.array([3.0, 0.0, 7.0])
    forest = Forest(OAK, headings=0.0)
    for k in range(1, round(4.0 / dt) + 1):
        forest.step(dt, wind)
        t, decay = k * dt, 0.5 * OAK.gammas
        swing = np.sqrt(OAK.rates**2 - decay**2)
        rest = np.linalg.norm(wind) * (OAK.drag @ wind) / OAK.rates**2
        there = rest * (1.0 - np.exp(-decay * t) * (np.cos(swing * t) + decay / swing * np.sin(swing * t)))
        np.testing.assert_allclose(forest.amplitudes[0], there, atol=1e-9 * np.abs(rest).max())


@pytest.mark.feature("WND-06")
@settings(max_examples=15, deadline=None)
@given(st.floats(0.001, 1.0 / 15.0), st.integers(0, 1000))
def test_any_wind_at_any_step_leaves_trees_where_wind_can_bring_them(dt: float, seed: int) -> None:
    random = np.random.default_rng(seed)
    forest = Forest(OAK, headings=0.0)
    strongest = 20.0
    most = strongest**2 * np.linalg.norm(OAK.drag, axis=1) / OAK.rates**2
    for _ in range(200):
        forest.step(dt, random.uniform(-1.0, 1.0, 3) * strongest / math.sqrt(3.0))
        # A driven oscillator of damping 0.05 and more swings at most so many times as far as a steady force.
        assert np.all(np.abs(forest.amplitudes[0]) <= most / np.tanh(0.5 * math.pi * 0.05))


def test_a_step_is_two_half_steps_for_a_wind_that_stays() -> None:
    one, two = Forest(OAK), Forest(OAK)
    for _ in range(20):
        one.step(0.05, (4.0, 0.0, 6.0))
        two.step(0.025, (4.0, 0.0, 6.0)).step(0.025, (4.0, 0.0, 6.0))
    np.testing.assert_allclose(one.amplitudes, two.amplitudes, rtol=1e-9, atol=1e-12)


def test_a_turned_tree_in_a_turned_wind_is_the_same_tree() -> None:
    wind, angle = np.array([2.0, 0.0, 9.0]), 0.7
    c, s = math.cos(angle), math.sin(angle)
    turned = np.array([c * wind[0] + s * wind[2], 0.0, c * wind[2] - s * wind[0]])
    one, other = Forest(OAK, headings=0.0), Forest(OAK, headings=angle)
    for _ in range(30):
        one.step(0.03, wind)
        other.step(0.03, turned)
    np.testing.assert_allclose(one.amplitudes, other.amplitudes, rtol=1e-9, atol=1e-12)
    there = one.nodes()[0]
    back = np.stack([c * there[:, 0] + s * there[:, 2], there[:, 1], c * there[:, 2] - s * there[:, 0]], axis=1)
    np.testing.assert_allclose(other.nodes()[0], back, atol=1e-5)


def test_a_larger_tree_is_one_made_of_larger_branches() -> None:
    """Geometry scaled by two, analysed anew, against a tree of size two."""
    rods = np.array([[0, 0, 0], [0, 1, 0], [0.2, 2, 0], [-0.3, 1.8, 0.4], [0.1, 3, 0.2]])
    parents, radii = [-1, 0, 1, 1, 2], np.array([0.05, 0.04, 0.03, 0.02, 0.015])
    small, large = (Species.from_skeleton(f * rods, parents, f * radii, modes=6) for f in (1.0, 2.0))
    large = small.__class__(**{**large.__dict__, "gammas": small.gammas / 2.0})
    one, other = Forest(small, headings=0.4, sizes=2.0), Forest(large, headings=0.4)
    for each in (one, other):
        each.push(0, 4, (3.0, 0.0, 1.0))
    for _ in range(40):
        one.step(0.02, (6.0, 0.0, 3.0), (0.5, 0.0, -1.0))
        other.step(0.02, (6.0, 0.0, 3.0), (0.5, 0.0, -1.0))
    moved = np.abs(one.nodes()[0] - 2.0 * Forest(small, headings=0.4).nodes()[0]).max()
    np.testing.assert_allclose(one.nodes()[0], other.nodes()[0], atol=1e-4 * moved + 1e-6)
    assert moved > 1e-4


@pytest.mark.feature("WND-07")
def test_some_nodes_of_some_trees_are_where_all_of_them_are() -> None:
    places = [(3.0 * k, 0.0) for k in range(70)]
    coarse = Detail(distances=(1.0,), modes=(20, 20), nodes=(1.0, 0.2), fade=0.5)
    for correction in ("none", "lengths", "source"):
        whole = Forest(OAK, places, correction=correction, seed=4)
        part = Forest(OAK, places, correction=correction, detail=coarse, seed=4).seen_from((0.0, 0.0, 1e4))
        for forest in (whole, part):
            for _ in range(20):
                forest.step(0.05, (2.0, 0.0, 9.0))
        all_nodes, few = whole.displaced()[0], part.displaced()[0]
        assert few.shape == (70, 48, 3)
        np.testing.assert_array_equal(all_nodes[:, :48], few)
        np.testing.assert_array_equal(whole.nodes([3, 40]), whole.nodes()[[3, 40]])
        if correction == "none":
            moved = np.einsum("km,mni->kni", whole.amplitudes, OAK.shapes)
            np.testing.assert_allclose(all_nodes - OAK.nodes, moved, atol=1e-5)


@pytest.mark.feature("WND-08")
def test_single_modes_keep_lengths_by_both_corrections() -> None:
    species = Species.grow("walnut", 400, modes=20)
    far = 1.5 / 7.0 * species.height
    for mode in (0, 1, 4):
        q = far / np.linalg.norm(species.shapes[mode], axis=1).max()
        errors = {}
        for correction in ("none", "source", "lengths"):
            forest = Forest(species, correction=correction)
            forest.amplitudes[0, mode] = q
            errors[correction] = branch_errors(species, forest.nodes()[0])
        assert errors["source"].mean() <= 0.01
        assert errors["source"].mean() < 0.6 * errors["none"].mean()
        assert errors["lengths"].max() <= 1e-4


@pytest.mark.feature("WND-08")
def test_sums_of_modes_keep_lengths_in_a_gale_only_by_the_walk() -> None:
    species = Species.grow("walnut", 400, modes=25)
    worst = {}
    for correction in ("none", "source", "lengths"):
        forest = Forest(species, correction=correction, headings=0.3)
        seen = 0.0
        for _ in range(60):
            forest.step(1.0 / 30.0, (14.0, 0.0, 0.0))
            seen = max(seen, float(branch_errors(species, forest.nodes()[0]).max()))
        worst[correction] = seen
    assert worst["lengths"] <= 1e-3
    assert worst["none"] > 0.03
    assert worst["source"] > 10.0 * worst["lengths"]


@pytest.mark.feature("WND-10")
def test_detail_fades_before_it_is_left_out() -> None:
    detail = Detail(distances=(30.0, 80.0), modes=(20, 12, 5), nodes=(1.0, 0.3, 0.08))
    forest = Forest(OAK, headings=0.0, detail=detail)
    for k in range(40):
        forest.step(0.05, (6.0 + 4.0 * math.sin(k), 0.0, 5.0))
    distances = np.concatenate([np.linspace(10.0, 100.0, 400), [30.0 - 1e-6, 30.0, 80.0 - 1e-6, 80.0]])
    distances.sort()
    seen = np.array([forest.seen_from((0.0, 0.0, d)).nodes()[0] for d in distances])
    moved = np.abs(seen[0] - OAK.nodes).max()
    jumps = np.abs(np.diff(seen, axis=0)).max(axis=(1, 2))
    pace = jumps / np.maximum(np.diff(distances), 1e-6)
    assert jumps[np.diff(distances) < 1e-5].max() < 1e-4 * moved  # over the very edges of levels
    assert pace[np.diff(distances) > 1e-5].max() < 0.5 * moved  # nowhere else more than half of all in a metre
    assert np.abs(seen[-1] - seen[0]).max() > 0.01 * moved  # and something is left out at last
    # What is worked out falls with modes and nodes.
    work = [sum(level.trees.size * level.nodes * level.modes for level in forest.seen_from((0, 0, d)).levels)
            for d in (10.0, 50.0, 200.0)]  # fmt: skip
    assert work == [240 * 20, 72 * 12, 20 * 5]
    assert [part.shape for part in forest.displaced()] == [(1, 20, 3)]


def test_detail_that_makes_no_sense_is_refused() -> None:
    for wrong in ({"modes": (5, 12, 5)}, {"distances": (30.0,)}, {"nodes": (1.0, 0.5, 0.0)}, {"fade": 0.0}):
        with pytest.raises(LocomoteError, match="detail"):
            Detail(**wrong)  # type: ignore[arg-type]


@pytest.mark.feature("WND-13")
def test_twigs_tremble_only_if_asked() -> None:
    still, again, trembling = (Forest(OAK, seed=2, flutter=f) for f in (0.0, 0.0, 0.05))
    far = 0.0
    for _ in range(40):
        for forest in (still, again, trembling):
            forest.step(0.04, (0.0, 0.0, 8.0))
        np.testing.assert_array_equal(still.amplitudes, trembling.amplitudes)
        np.testing.assert_array_equal(still.nodes(), again.nodes())
        off = np.linalg.norm(trembling.nodes()[0] - still.nodes()[0], axis=1)
        far = max(far, float(off[OAK.tips].max()))
        thick = OAK.radii > 0.5 * OAK.radii[0]
        assert off[thick].max() < 1e-6
    assert 0.01 < far < 0.15
    assert branch_errors(OAK, trembling.nodes()[0]).max() < 1e-4


@pytest.mark.feature("WND-14")
def test_a_push_excites_modes_by_their_shapes_at_the_node() -> None:
    angle, impulse = 0.9, np.array([4.0, -1.0, 2.0])
    places, headings, sizes = [(0, 0), (5, 0), (9, 0)], [0.0, angle, angle], np.array([1.0, 1.0, 1.5])
    forest = Forest(OAK, places, headings=headings, sizes=sizes)
    pushed = ((0, OAK.top), (1, int(OAK.tips[3])), (2, OAK.top))
    for tree, node in pushed:
        forest.push(tree, node, impulse)
        c, s = math.cos(forest.headings[tree]), math.sin(forest.headings[tree])
        own = np.array([c * impulse[0] - s * impulse[2], impulse[1], s * impulse[0] + c * impulse[2]])
        own /= sizes[tree] ** 3  # amplitudes are in sizes of the tree, and its mass grows with their cube
        np.testing.assert_allclose(forest.speeds[tree], OAK.shapes[:, node] @ own, rtol=1e-12, atol=1e-15)
    assert not np.any(forest.amplitudes)
    # In the world: the node sets out with the impulse over what the modes make of the mass, which grows with the cube.
    rest = Forest(OAK, places, headings=headings, sizes=sizes).nodes()
    forest.step(1e-3)
    for tree, node in pushed:
        shapes = OAK.shapes[:, node] @ rot.to_matrix(rot.from_yaw(headings[tree])).T
        begins = shapes.T @ (shapes @ impulse) / sizes[tree] ** 3
        np.testing.assert_allclose((forest.nodes() - rest)[tree, node] / 1e-3, begins, rtol=0.03, atol=2e-3)
    forest.step(0.1)
    assert np.all(np.linalg.norm((forest.nodes() - rest)[:, OAK.top], axis=1) > 1e-6)


def test_whoever_passes_pushes_branches_aside_and_they_swing_back() -> None:
    bush = Species.grow("bush", 300, modes=60)
    forest = Forest(bush, headings=0.0)
    rest = forest.nodes()[0]
    touched, deepest, without = 0, 0.0, 0.0
    for k in range(90):
        place = np.array([[-1.5 + 1.2 * k / 30.0, 0.6, 0.35]])
        touched += forest.brush(place, [(1.2, 0.0, 0.0)], 0.25)
        forest.step(1.0 / 30.0)
        nodes = forest.nodes()[0]
        deepest = max(deepest, float((0.25 - np.linalg.norm(nodes - place, axis=1)).max()))
        without = max(without, float((0.25 - np.linalg.norm(rest - place, axis=1)).max()))
    assert touched > 20
    assert without > 0.2  # it goes right through twigs
    assert deepest < 0.65 * without
    for _ in range(600):
        forest.step(1.0 / 30.0)
    np.testing.assert_allclose(forest.nodes()[0], rest, atol=1e-4)
    assert forest.brush(np.array([[30.0, 0.5, 0.0]]), [(1.0, 0.0, 0.0)]) == 0
    assert forest.brush(np.zeros((0, 3)), np.zeros((0, 3))) == 0


def test_nobody_shakes_a_trunk() -> None:
    forest = Forest(OAK, headings=0.0)
    for k in range(60):
        forest.brush([(-0.6 + 0.02 * k, 0.5, 0.0)], [(0.6, 0.0, 0.0)], 0.3)
        forest.step(1.0 / 30.0)
    assert np.abs(forest.nodes()[0] - OAK.nodes).max() < 0.1


@pytest.mark.feature("WND-15")
def test_a_base_that_is_shaken_bends_what_grows_on_it() -> None:
    """An antenna on something that speeds up: against the static solution of all its unknowns at once."""
    from scipy.sparse.linalg import spsolve

    from locomote.modal.trees._beams import Material, checked

    count, pull = 15, np.array([0.4, 0.0, 1.5])
    nodes = np.stack([np.zeros(count), np.linspace(0.0, 0.3, count), 0.1 * np.linspace(0.0, 1.0, count) ** 2], axis=1)
    radii = np.linspace(0.003, 0.001, count)
    antenna = Species.from_skeleton(nodes, np.arange(count) - 1, radii, modes=24)
    beams = checked(antenna.nodes, antenna.parents, antenna.radii)
    stiff, _ = beams.matrices(Material())
    # The consistent mass of everything, the root as well, which is what is carried along.
    longer = checked(np.vstack([nodes[0] - (0, 0.02, 0), nodes]), np.arange(count + 1) - 1, np.append(0.003, radii))
    whole = longer.matrices(Material())[1]
    lower = checked(longer.nodes[:2], np.array([-1, 0]), np.array([0.003, 0.003])).matrices(Material())[1]
    carried = np.tile([*pull, 0.0, 0.0, 0.0], count)
    load = (whole @ carried).reshape(count, 6)
    load[0] -= lower @ carried[:6]
    there = spsolve(stiff, -load[1:].ravel()).reshape(-1, 6)[:, :3]
    forest = Forest(antenna, headings=0.0, correction="none")
    for _ in range(3000):
        forest.step(0.02, None, pull)
    moved = forest.nodes()[0, 1:] - antenna.nodes[1:]
    np.testing.assert_allclose(moved, there, atol=0.01 * np.abs(there).max())
    # And carried by a body that moves, step by step: it lags behind what starts, and comes to rest.
    forest = Forest(antenna, headings=0.0, correction="none")
    place, speed = np.zeros(3), np.zeros(3)
    for k in range(120):
        push = pull if k < 30 else np.zeros(3)
        speed = speed + push / 60.0
        place = place + speed / 60.0
        forest.carry(place, 0.0)
        forest.step(1.0 / 60.0, None, push)
        if k == 5:
            assert (forest.nodes()[0, antenna.top] - antenna.nodes[antenna.top] - place) @ pull < 0.0


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"wind": (math.nan, 0.0, 0.0)}, "wind: nan at tree 0"),
        ({"wind": (1e5, 0.0, 0.0)}, "at most 60"),
        ({"wind": [[1.0, 2.0]]}, "wind: shape"),
        ({"wind": "gale"}, "wind"),
        ({"dt": math.nan}, "dt"),
        ({"dt": -1.0}, "dt"),
        ({"shaken": (0.0, math.inf, 0.0)}, "shaken: inf"),
    ],
)
def test_what_cannot_blow_is_refused_in_one_line(wrong: dict[str, object], says: str) -> None:
    forest = Forest(OAK)
    with pytest.raises(LocomoteError, match=says) as error:
        forest.step(**{"dt": 0.01, **wrong})  # type: ignore[arg-type]
    assert "\n" not in str(error.value)
    assert not np.any(forest.amplitudes)


def test_what_cannot_be_planted_is_refused() -> None:
    for wrong in ({"positions": [(math.nan, 0.0)]}, {"positions": []}, {"sizes": 0.0}, {"sizes": [1.0, 2.0]}):
        with pytest.raises(LocomoteError):
            Forest(OAK, **wrong)  # type: ignore[arg-type]
    for wrong in ({"correction": "magic"}, {"flutter": -1.0}, {"flutter": math.nan}):
        with pytest.raises(LocomoteError):
            Forest(OAK, **wrong)  # type: ignore[arg-type]
    forest = Forest(OAK)
    for call in (
        lambda: forest.push(1, 0, (0, 0, 0)),
        lambda: forest.push(0, 999, (0, 0, 0)),
        lambda: forest.push(0, 1, (0, math.nan, 0)),
        lambda: forest.brush([(0, 0, 0)], [(0, 0)]),
        lambda: forest.brush([(0, math.nan, 0)], [(0, 0, 0)]),
        lambda: forest.seen_from((0, 0)),
    ):
        with pytest.raises(LocomoteError):
            call()


def test_trees_of_one_forest_feel_their_own_wind_the_same_for_any_number() -> None:
    places = [(6.0 * k, 0.0) for k in range(40)]
    wind = Wind.gusty(6.0, math.pi / 2, gust=8.0, seed=1)
    many, few = Forest(OAK, places, headings=0.2), Forest(OAK, places[7:9], headings=0.2)
    for _ in range(60):
        many.step(1.0 / 30.0, wind)
        few.step(1.0 / 30.0, wind)
    np.testing.assert_array_equal(many.amplitudes[7:9], few.amplitudes)
    assert np.abs(many.amplitudes[0] - many.amplitudes[-1]).max() > 0.1 * np.abs(many.amplitudes).max()
