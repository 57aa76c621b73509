"""A wood on the page: wind that is set, people who brush bushes and go round trunks."""

from __future__ import annotations

import numpy as np

from locomote.human import HumanModel
from locomote.mannequin import is_walker
from locomote.studio import Studio
from locomote.studio._wood import StudioWood
from tests.studio.conftest import Visitor


def test_wind_sways_the_wood_and_people_touch_it() -> None:
    wood = StudioWood(HumanModel.default())
    wood.speed, wood.gust = 0.0, 0.0
    rest = wood.forests[0].nodes()
    touched = 0
    wood.start_recording()
    for frame in range(600):
        wood.advance(1 / 60)
        touched += wood.touched
        if frame < 30:
            wood.keep()
    assert touched > 0
    still = np.abs(wood.forests[0].nodes() - rest).max()
    wood.speed = 12.0
    for _ in range(120):
        wood.advance(1 / 60)
    assert np.abs(wood.forests[0].nodes() - rest).max() > 0.2 + still
    assert "m/s**" in wood.reading()
    walker, tree = wood.recorded()
    assert len(walker) == len(tree) == 30
    assert is_walker(walker.skeleton)
    away = np.linalg.norm(
        wood.people.crowd.positions[:, None, [0, 2]] - wood.forests[0].positions[None, :, [0, 2]], axis=2
    )
    assert away.min() > 0.2  # nobody stands in a trunk


def test_what_is_shown_is_where_the_forest_has_it() -> None:
    wood = StudioWood(HumanModel.default(), people=2)
    for _ in range(60):
        wood.advance(1 / 60)
    for k, forest in enumerate(wood.forests):
        places, turns, sizes = wood.world(k)
        nodes = forest.nodes()
        species = forest.species
        np.testing.assert_allclose(places[:, 1:], nodes[:, species.parents[1:]])
        # A branch turned as the page turns it ends at its node.
        from locomote import rotations as rot

        span = species.nodes[1:] - species.nodes[species.parents[1:]]
        ends = places[:, 1:] + sizes[:, None, None] * rot.rotate(turns[:, 1:], span)
        np.testing.assert_allclose(ends, nodes[:, 1:], atol=1e-4)


def test_the_slider_sets_the_wind(visitor: Visitor, studio: Studio) -> None:
    visitor.press("Wind")
    visitor.wait(lambda: studio.panel.title == "Wind" and studio.panel.world is not None, "the wood")
    visitor.set_until("wind m/s", 15, lambda: studio.panel.world.speed == 15.0, "a strong wind")
    visitor.wait(lambda: np.abs(studio.panel.world.forests[0].amplitudes).max() > 0.0, "trees that sway")
