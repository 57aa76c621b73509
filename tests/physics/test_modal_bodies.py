"""A loop and a worm driven by their vibrations in MuJoCo."""

from __future__ import annotations

import numpy as np
import pytest

from locomote.errors import LocomoteError
from locomote.modal import Modes
from locomote.physics import ModalCreature

pytest.importorskip("mujoco")


@pytest.fixture(scope="module")
def travelled() -> dict[str, float]:
    """Ways ahead of both in ten seconds, in one setting: in diameters, and in lengths."""
    ways = {}
    for name, size in (("ring", 0.1 / np.sin(np.pi / 16.0)), ("chain", 1.6)):
        body = ModalCreature.preset(name)
        start = body.centre
        body.step(10.0)
        ways[name] = float(body.centre[2] - start[2]) / size
    body = ModalCreature.preset("ring")
    body = ModalCreature(body.gait.with_channels([c._replace(amplitude=1.0) for c in body.gait.channels]))
    start = body.centre
    body.step(10.0)
    ways["ring as in the source"] = float(abs(body.centre[2] - start[2])) * np.sin(np.pi / 16.0) / 0.1
    return ways


@pytest.mark.feature("MOD-18")
def test_loop_and_worm_travel(travelled: dict[str, float]) -> None:
    assert travelled["ring"] >= 10.0
    assert travelled["ring as in the source"] >= 10.0
    assert travelled["chain"] >= 1.5


def test_the_loop_rolls_and_stays_a_loop() -> None:
    ring = ModalCreature.preset("ring")

    def area() -> float:
        y, z = ring.places[:, 1], ring.places[:, 2]
        return 0.5 * float(np.sum(z * np.roll(y, -1) - np.roll(z, -1) * y))

    first, least = area(), np.inf
    for _ in range(50):
        ring.step(0.05)
        least = min(least, area() / first)
    assert least > 0.3


def test_the_worm_has_no_side_of_its_own() -> None:
    """The other way round it goes as far back: what carries it is the wave, not how its model is built."""
    worm = ModalCreature.preset("chain")
    first, second = worm.gait.channels
    back = ModalCreature(worm.gait.with_channels([first, second._replace(amplitude=-second.amplitude)]))
    ways = []
    for each in (worm, back):
        start = each.centre[2]
        each.step(10.0)
        ways.append(each.centre[2] - start)
    assert ways[0] > 0.0 > ways[1]
    assert abs(ways[0] + ways[1]) < 0.25 * abs(ways[0])


@pytest.mark.feature("MOD-17")
def test_hinges_hold_and_energy_decays_without_drive() -> None:
    ring = ModalCreature.preset("ring")
    gaps = []
    for _ in range(30):
        ring.step(2.0)
        gaps.append(ring.gap)
    assert max(gaps) < 1e-3  # m, over 60 s
    ring.still()
    energies = []
    for _ in range(20):
        ring.step(0.25)
        energies.append(ring.energy)
    assert energies[-1] < energies[0]
    assert np.all(np.diff(energies) < 1e-4)


def test_what_does_not_fit_is_told() -> None:
    from locomote.human_skeleton import human_skeleton
    from locomote.modal import PRESETS

    with pytest.raises(LocomoteError, match="expected ring or chain"):
        ModalCreature.preset("dog")
    with pytest.raises(LocomoteError, match="hinges about \\+X alone"):
        ModalCreature(PRESETS["walk"].on(Modes.of(human_skeleton())))
    with pytest.raises(LocomoteError, match="0 or more"):
        ModalCreature.preset("ring").step(-1.0)
