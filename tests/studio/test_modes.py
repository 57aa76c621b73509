"""Vibrations on the page: mixed, made into gaits, stiffened, put on the ground."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.masses import Masses
from locomote.modal import PRESETS
from locomote.studio import Studio
from locomote.studio._modes import BODIES, MIX, SHOWN, StudioModes
from locomote.studio._modes_panel import ModesPanel
from tests.studio.conftest import Visitor

FIRST = [0.3, *[0.0] * (SHOWN - 1)]


def _swing(world: StudioModes, seconds: float = 4.0) -> np.ndarray:
    """How far each joint turns about each axis in a while, ``(F, J, 3)``: vector parts of half turns."""
    frames = []
    for _ in range(round(60 * seconds)):
        world.advance(1 / 60)
        frames.append(world.poses.rotations[0, :, 1:].copy())
    return np.array(frames)


def test_every_body_shows_its_first_vibration_at_its_frequency() -> None:
    world = StudioModes()
    for name in BODIES:
        world.choose(name)
        first = world.modes.rigid
        hertz = float(world.modes.frequencies[first])
        period, start = 1.0 / hertz, world.seen().positions.copy()
        world.advance(0.25 * period)
        away = world.seen().positions.copy()
        assert np.abs(away - start).max() > 1e-3
        world.advance(0.75 * period)
        np.testing.assert_allclose(world.seen().positions, start, atol=1e-6 + 1e-4 * np.abs(away - start).max())


def test_a_body_four_times_as_stiff_is_twice_as_fast() -> None:
    world = StudioModes("spider")
    before = world.modes.frequencies[world.modes.rigid :].copy()
    world.stiffen(4.0)
    np.testing.assert_allclose(world.modes.frequencies[world.modes.rigid :], 2.0 * before, rtol=1e-6)


def test_a_change_of_the_mix_does_not_jump() -> None:
    world = StudioModes("wolf")
    world.mix([0.3, 0.2, *[0.0] * (SHOWN - 2)])
    world.advance(1.37)
    before = world.seen().positions.copy()
    world.mix([0.3, 0.2, 0.001, *[0.0] * (SHOWN - 3)])
    assert 0.0 < np.abs(world.seen().positions - before).max() < 0.005
    world.advance(0.5)
    before = world.seen().positions.copy()
    world.stiffen(2.0)
    np.testing.assert_allclose(world.seen().positions, before, atol=1e-6)


def test_a_stiff_leg_swings_less_than_the_other() -> None:
    world = StudioModes("dog")
    world.play("trot")
    left, right = (world.skeleton.index(f"thigh.{side}") for side in "LR")
    sound = np.ptp(_swing(world, 2.0), axis=0).max(axis=1)
    assert 0.8 < sound[left] / sound[right] < 1.25
    world.stiffen(leg="toes.L")
    lame = np.ptp(_swing(world, 2.0), axis=0).max(axis=1)
    assert lame[left] < 0.5 * lame[right]


@pytest.mark.parametrize(("body", "gait"), [("wolf", "trot"), ("spider", "ripple"), ("person", "run")])
def test_gaits_go_ahead_in_the_air_and_on_the_ground(body: str, gait: str) -> None:
    world = StudioModes(body)
    world.play(gait)
    _swing(world, 2.0)
    assert world.centre()[2] > 0.2
    np.testing.assert_allclose(world.poses.root_positions[0, 2], world.centre()[2], atol=0.3)
    world.put_down(True)
    assert world.ground is not None
    for _ in range(240):
        world.advance(1 / 60)
        world.ground.look_at_feet()
    own, preset = world.ground.crowd.creature.modes, PRESETS.get(gait)
    assert own is not None
    usual = world.modes if preset is None else preset.modes(world.skeleton, Masses.of(world.skeleton, body=world.body))
    np.testing.assert_allclose(own.frequencies, usual.frequencies)  # those of the gait's own pose and springs
    assert world.ground.crowd.gaits[0] == gait
    assert world.ground.crowd.speeds[0] > 0.2
    assert world.ground.meter.reading.speed < 1.0  # mm/s
    world.put_down(False)
    assert world.ground is None
    assert not world.seen().planted.any()


def test_what_is_wrong_is_refused() -> None:
    world = StudioModes("bird")
    for act in (
        lambda: world.choose("unicorn"),
        lambda: world.play("trot"),
        lambda: world.mix([0.1]),
        lambda: world.mix([float("nan")] * SHOWN),
        lambda: world.stiffen(100.0),
        lambda: world.stiffen(leg="fin"),
    ):
        with pytest.raises(LocomoteError, match="expected"):
            act()
    assert (world.name, world.gait) == ("bird", MIX)


def test_controls_follow_the_body() -> None:
    studio = Studio(port=0, people=1, shadows=False)
    try:
        studio.show("Modes")
        panel = studio.panel
        assert isinstance(panel, ModesPanel)
        for name in ("person", "spider"):
            panel._change(lambda world, name=name: world.choose(name))
            assert panel.world is not None
            assert panel.kind.value == name
            assert tuple(panel.gait.options) == panel.world.gaits
            hertz = panel.world.modes.frequencies[panel.world.modes.rigid]
            assert f"1. {hertz:.2f} Hz" in panel.table.content
            assert tuple(panel.leg.options) == ("none", *panel.world.legs)
        panel._change(lambda world: world.play("ripple"))
        assert panel.gait.value == "ripple"
        panel.amounts[2].value = 10
        panel._mix()
        assert (panel.gait.value, panel.world.amounts[2]) == (MIX, pytest.approx(np.radians(10)))
        for down in (True, False):
            panel._change(lambda world, down=down: world.put_down(down))
            panel.start_recording()
            for _ in range(8):
                studio.tick()
                panel.keep()
            assert ("skate" in panel.reading()) == down
            (motion,) = panel.recorded()
            assert len(motion) == 8
            assert np.abs(motion.rotations[-1] - motion.rotations[0]).max() > 1e-3
    finally:
        studio.stop()


def test_the_page_plays_a_preset_and_puts_it_down(visitor: Visitor, studio: Studio) -> None:
    visitor.press("Modes")
    visitor.wait(lambda: studio.panel.title == "Modes" and studio.panel.world is not None, "a wolf")
    panel = studio.panel
    visitor.choose("gait", "trot")
    visitor.wait(lambda: panel.world.gait == "trot", "a trot")
    visitor.set_until("mode 2 °", 15, lambda: panel.world.amounts[1] == pytest.approx(np.radians(15)), "a mix")
    assert panel.world.gait == MIX
    visitor.choose("body", "person")
    visitor.wait(lambda: panel.world.name == "person", "a person")
    visitor.choose("stiff leg", "LeftToeBase")
    visitor.wait(lambda: panel.world.leg == "LeftToeBase", "a stiff leg")
    visitor.row("on ground").locator("input").first.click()
    visitor.wait(lambda: panel.world.ground is not None, "a person on the ground")
    visitor.choose("body", "wolf")
    visitor.wait(lambda: panel.world.name == "wolf" and panel.leg.value == "none", "a wolf again")
    assert not studio.gate.refused
