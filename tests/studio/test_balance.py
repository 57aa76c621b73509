"""Somebody who balances on the page, without and with a browser."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.studio import Studio
from tests.studio.conftest import Visitor

pytest.importorskip("proxsuite")


@pytest.fixture(scope="module")
def world():
    from locomote.studio._balance import StudioBalance

    return StudioBalance()


def go(world, seconds: float) -> None:
    for _ in range(round(60 * seconds)):
        world.advance(1 / 60)


def test_a_hand_that_is_dragged_comes_and_the_feet_stay(world) -> None:
    world.begin()
    go(world, 0.5)
    hand = world.grips[0].joint
    feet = [leg.ankle for leg in world.skeleton.roles.legs]
    before = world.world()[0][0]
    goal = before[hand] + np.array([0.2, 0.3, 0.2])
    world.drag(hand, goal)
    go(world, 2.0)
    after = world.world()[0][0]
    assert np.linalg.norm(after[hand] - goal) < 0.08
    assert np.abs(after[feet] - before[feet]).max() < 0.005
    assert world.held == hand
    world.release()
    assert world.held is None


def test_pushes_feet_jumps_and_what_is_kept(world) -> None:
    world.begin()
    world.person.stand("right")
    go(world, 3.0)
    assert world.person.support == ("right",)
    assert "**right**" in world.reading()
    places, vectors, _ = world.arrows()
    assert len(places) == 1
    assert vectors[0, 1] == pytest.approx(0.8, abs=0.05)  # m of arrow for the whole weight
    assert np.abs(places[:, 1]).max() < 0.02
    world.push("left")
    world.take.clear()
    for _ in range(30):
        world.advance(1 / 60)
        world.take.keep(world.person.poses)
    (motion,) = world.recorded()
    assert len(motion) == 30
    assert np.ptp(motion.root_positions[:, 0]) > 0.001
    for calm in (False, True):
        world.set_calm(calm)
        assert len(world.person.support) == 2


def test_the_tab_in_a_browser(visitor: Visitor, studio: Studio) -> None:
    visitor.press("Balance")
    visitor.wait(lambda: studio.panel.title == "Balance" and studio.panel.world is not None, "the tab", 180.0)
    world = studio.panel.world
    visitor.row("stand on").get_by_role("button", name="left", exact=True).click()
    visitor.wait(lambda: world.person.support == ("left",), "one foot", 60.0)
    visitor.press("jump")
    visitor.wait(lambda: len(world.person.support) == 0, "flight", 30.0)
    visitor.press("start again")
    visitor.wait(lambda: len(world.person.support) == 2, "both feet", 30.0)
