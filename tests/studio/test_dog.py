"""A simulated dog on the page, without and with a browser."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.studio import Studio
from tests.studio.conftest import Visitor

pytest.importorskip("mujoco")


@pytest.fixture
def world():
    from locomote.studio._dog import StudioDog

    return StudioDog()


def go(world, seconds: float) -> None:
    for _ in range(round(60 * seconds)):
        world.advance(1 / 60)


def test_it_goes_as_told_and_is_kept(world) -> None:
    world.dog.command(speed=1.0)
    world.take.clear()
    for _ in range(60):
        world.advance(1 / 60)
        world.take.keep(world.dog.poses)
    assert world.dog.positions[0, 2] > 0.15
    assert "m/s**, trot" in world.reading() or "m/s**, walk" in world.reading()
    (motion,) = world.recorded()
    assert len(motion) == 60
    assert motion.body is not None
    assert world.planted().shape == (1, 4)


def test_pushes_have_an_arrow_and_a_hard_one_throws_it(world) -> None:
    world.newtons, world.seconds = 60.0, 0.1
    world.push("left")
    places, vectors, _ = world.arrows()
    assert places.shape == (1, 3)
    assert vectors[0] == pytest.approx([1.2 * 60.0 / (34.0 * 9.81), 0.0, 0.0], abs=1e-3)
    go(world, 0.1)
    assert world.dog._dogs[0].simulation.state.speeds[1, 0] > 0.01
    go(world, 0.8)
    assert len(world.arrows()[0]) == 0
    world.newtons, world.seconds = 600.0, 0.5
    world.push("right")
    go(world, 2.0)
    assert "**fallen**" in world.reading()
    world.begin()
    go(world, 0.2)
    assert "fallen" not in world.reading()


def test_a_click_pushes_it_away_at_what_is_nearest(world) -> None:
    hips, shoulders = (world.world()[0][0, world.joints[at]] for at in ("hips", "shoulders"))
    for place, at in ((hips, "hips"), (shoulders, "shoulders")):
        eye = place + np.array([-3.0, 1.0, 0.0])
        assert world.click(eye, place - eye)
        assert world._shown[1] == at
        assert world._shown[0] == pytest.approx([150.0, 0.0, 0.0])
    assert not world.click(hips + np.array([-3.0, 1.0, 0.0]), np.array([1.0, 0.0, 0.0]))  # over its back
    with pytest.raises(LocomoteError, match="from the side"):
        world.click(hips + np.array([0.0, 3.0, 0.0]), np.array([0.0, -1.0, 0.0]))


def test_a_handle_that_is_dragged_pulls_no_harder_than_a_push(world) -> None:
    joint = world.joints["hips"]
    place = world.world()[0][0, joint]
    world.drag(joint, place + np.array([0.1, 0.0, 0.0]))
    assert world.pull() == pytest.approx([40.0, 0.0, 0.0])
    world.drag(joint, place + np.array([0.0, 0.0, -5.0]))
    assert world.pull() == pytest.approx([0.0, 0.0, -150.0])
    go(world, 0.2)
    assert world.dog._dogs[0].simulation.state.speeds[0, 2] < -0.02
    world.release()
    assert not np.any(world.pull())


def test_without_mujoco_the_tab_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    studio = Studio(port=0, people=1, shadows=False)
    try:
        studio.show("Dog")
        studio.tick()
        assert "pip install 'locomote[physics]'" in studio.panel.reading()
    finally:
        studio.stop()


def test_the_tab_in_a_browser(visitor: Visitor, studio: Studio) -> None:
    visitor.press("Dog")
    visitor.wait(lambda: studio.panel.title == "Dog" and studio.panel.world is not None, "the tab")
    world = studio.panel.world
    visitor.set_number("speed m/s", 0)
    visitor.press("start again")
    visitor.wait(lambda: world.dog.states == ["standing"], "it stands")
    visitor.set_number("push N", 600)
    visitor.set_number("push s", 0.5)
    visitor.wait(lambda: (world.newtons, world.seconds) == (600.0, 0.5), "the sliders")
    visitor.row("push to").get_by_role("button", name="left", exact=True).click()
    visitor.wait(lambda: world.dog.fallen[0], "the fall")
    visitor.press("start again")
    visitor.wait(lambda: not world.dog.fallen[0], "on its feet")
    visitor.set_number("speed m/s", 1)
    visitor.wait(lambda: world.dog.positions[0, 2] > 0.1, "it goes")
