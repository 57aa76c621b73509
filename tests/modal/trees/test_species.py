"""Trees that grow, what is known of them, and files of them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from locomote.errors import FormatError, LocomoteError
from locomote.modal.trees import NAMES, Forest, Species
from locomote.modal.trees._growth import HABITS, grow


@pytest.mark.feature("WND-01")
@pytest.mark.parametrize("kind", ["oak", "walnut", "birch"])
def test_large_trees_grow(kind: str) -> None:
    grown = grow(kind, 3000, 0)
    assert len(grown.nodes) == 3000
    assert grown.parents[0] == -1
    assert np.all((grown.parents[1:] >= 0) & (grown.parents[1:] < np.arange(1, 3000)))  # one tree, no part is apart
    lengths = np.linalg.norm(grown.nodes[1:] - grown.nodes[grown.parents[1:]], axis=1)
    assert np.all(lengths > 0.0)
    assert np.all(grown.radii[1:] <= grown.radii[grown.parents[1:]])  # branches get thinner
    # Cross-sections of children add up to no more than their parent's, by the exponent of the kind.
    pipe = HABITS[kind].pipe
    sums = np.bincount(grown.parents[1:], grown.radii[1:] ** pipe, 3000)
    assert np.all(sums <= grown.radii**pipe * (1.0 + 1e-9))
    assert HABITS[kind].height * 0.85 < grown.nodes[:, 1].max() < HABITS[kind].height * 1.1
    assert grown.radii[0] == pytest.approx(HABITS[kind].trunk * HABITS[kind].height)
    given = Species.from_skeleton(grown.nodes[:40], grown.parents[:40], grown.radii[:40], modes=4)
    np.testing.assert_array_equal(given.nodes, grown.nodes[given.given])


@pytest.mark.parametrize("kind", NAMES)
@pytest.mark.parametrize("nodes", [8, 60, 300])
def test_every_kind_grows_in_any_size(kind: str, nodes: int) -> None:
    species = Species.grow(kind, nodes, modes=10, seed=3)
    assert len(species) == nodes
    assert species.residual < 1e-8
    assert species.frequencies[0] == pytest.approx(HABITS[kind].pace)
    again = Species.grow(kind, nodes, modes=10, seed=3)
    np.testing.assert_array_equal(species.shapes, again.shapes)
    other = Species.grow(kind, nodes, modes=10, seed=4)
    assert not np.array_equal(species.nodes, other.nodes)


def test_the_first_nodes_of_any_number_are_a_tree() -> None:
    species = Species.grow("oak", 400)
    assert np.all(species.parents[1:] < np.arange(1, 400))
    assert np.all(np.diff(np.minimum.accumulate(species.radii)) <= 0.0)


def test_trees_sway_as_much_as_befits_them() -> None:
    for kind in ("oak", "birch"):
        species = Species.grow(kind, 300)
        forest = Forest(species, headings=0.0, correction="none").settle((0.0, 0.0, 10.0))
        crown = species.nodes[:, 1] > 0.8 * species.height
        moved = (forest.nodes()[0] - species.nodes)[crown, 2].mean()
        assert moved / species.height == pytest.approx(HABITS[kind].sway, rel=0.35)  # the mean over two winds is exact


@pytest.mark.feature("WND-04")
def test_a_released_mode_decays_as_its_damping_says() -> None:
    species = Species.grow("oak", 200, modes=20)
    assert species.dampings[0] == pytest.approx(0.1)
    assert species.dampings[-1] == pytest.approx(0.05)
    for mode in (0, 7, 19):
        forest = Forest(species)
        forest.amplitudes[0, mode] = 1.0
        seen = []
        for _ in range(4000):
            forest.step(1.0 / 200.0)
            seen.append(forest.amplitudes[0, mode])
        values = np.array(seen)
        peaks = np.flatnonzero((values[1:-1] > values[:-2]) & (values[1:-1] > values[2:]) & (values[1:-1] > 1e-6)) + 1
        decrement = np.polyfit(np.arange(len(peaks)), np.log(values[peaks]), 1)[0]
        ratio = -decrement / np.hypot(2.0 * np.pi, decrement)
        assert ratio == pytest.approx(species.dampings[mode], rel=0.02)


def test_air_that_brakes_can_be_added() -> None:
    species = Species.grow("oak", 100, modes=6)
    braked = species.braked(8.0)
    assert np.all(braked.dampings > species.dampings)
    # By mass alone: the same in 1/s for every mode, and twice as much for twice the wind.
    more = braked.gammas - species.gammas
    np.testing.assert_allclose(more, more[0])
    np.testing.assert_allclose(species.braked(16.0).gammas - species.gammas, 2.0 * more)


def test_a_file_brings_back_the_same_tree(tmp_path: Path) -> None:
    species = Species.grow("birch", 80, modes=8)
    species.save(tmp_path / "birch.npz")
    back = Species.load(tmp_path / "birch.npz")
    for name in ("nodes", "parents", "radii", "given", "rates", "gammas", "shapes", "drag", "inertia"):
        np.testing.assert_array_equal(getattr(back, name), getattr(species, name))
    assert (back.name, back.residual) == (species.name, species.residual)
    (tmp_path / "cut.npz").write_bytes((tmp_path / "birch.npz").read_bytes()[:500])
    with pytest.raises(FormatError, match=r"cut\.npz"):
        Species.load(tmp_path / "cut.npz")
    with pytest.raises(LocomoteError, match="no such file"):
        Species.load(tmp_path / "none.npz")


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: Species.grow("fern"), "no tree 'fern'"),
        (lambda: Species.grow("oak", 3), "8 to 100000"),
        (lambda: Species.grow("oak", 50, modes=0), "modes 0"),
        (lambda: Species.from_skeleton([[0, 0, 0], [0, 1, 0]], [-1, 0], [0.1, 0.1], modes=9), "modes 9"),
        (lambda: Species.from_skeleton([[0, 0, 0], [0, 1, 0]], [-1, 0], [0.1, 0.1], modes=2, sway=-1.0), "sway"),
    ],
)
def test_what_cannot_grow_is_refused(call: object, says: str) -> None:
    with pytest.raises(LocomoteError, match=says):
        call()  # type: ignore[operator]
