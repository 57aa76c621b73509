"""Gaits of simulated animals with the parameters that ship: speeds, style, turns, other bodies, rough ground."""

from __future__ import annotations

import numpy as np
import pytest

from locomote import rotations as rot
from locomote.errors import LocomoteError
from locomote.physics import _gait_tuning as tuning
from locomote.physics import _reflex_tuning as reflex_tuning
from locomote.physics._animal import Animal
from locomote.physics._driving import Driver
from locomote.physics._gait_library import GaitLibrary, TunedGait
from locomote.physics._gait_parameters import reflex_knobs
from locomote.physics._gait_trials import trial
from locomote.physics._kernels import animal_legs as legs
from locomote.physics._kernels import animal_model as am
from locomote.physics._pushes import withstand
from locomote.physics._scenarios import Recorder, ramp, rope, steps
from locomote.physics._simulation import Simulation

pytest.importorskip("mujoco")

LIBRARY = GaitLibrary.default()
# Of dogs: period (s), duty of the feet, touch-downs after the left hind foot (L1, R1, L2, R2; turns).
DOGS = {
    ("walk", 0.8): (0.75, 0.59, (0.22, 0.72, 0.0, 0.5)),
    ("trot", 2.2): (0.49, 0.42, (0.48, 0.98, 0.0, 0.5)),
}


def driven(animal: Animal, gait: str, speed: float, seconds: float, **world) -> Driver:
    """An animal after some seconds of one gait."""
    driver = Driver(Simulation(animal, **world))
    driver.command(speed=speed, gait=gait)
    sim = driver.simulation
    while sim.time < seconds and not sim.fallen:
        driver.step(0.1)
    return driver


@pytest.mark.parametrize("braced", [False, True])  # a walk that keeps its speed is always braced
@pytest.mark.parametrize(("gait", "speed"), list(DOGS))
def test_a_gait_has_the_style_of_dogs(gait: str, speed: float, braced: bool) -> None:
    done = trial(Simulation(Animal.of()), LIBRARY[gait].at(speed, braced), speed, 8.0)
    assert done.survived
    period, duty, lands = DOGS[gait, speed]
    style = done.style()
    assert done.speed == pytest.approx(speed, rel=0.08)
    assert style.period == pytest.approx(period, rel=0.1)
    assert np.abs(style.duty - duty).max() < 0.06
    off = (style.lands - np.array(lands) + 0.5) % 1.0 - 0.5
    assert np.abs(off).max() < 0.05
    assert style.lift.min() > 0.08 * 0.46
    assert style.slip < 0.02


@pytest.mark.feature("QUA-03")
@pytest.mark.parametrize(("name", "mass"), [("wolf", 40.0), ("horse", None)])
def test_the_same_controller_moves_another_body_by_mapping_alone(name: str, mass: float | None) -> None:
    animal = Animal.of(name, mass)
    driver = driven(animal, "trot", 1.0 * animal.tempo, 6.0)
    assert not driver.simulation.fallen
    assert driver.simulation.frames[1, 2] > 3.5 * animal.length


@pytest.mark.feature("QUA-13")
@pytest.mark.parametrize("links", [2, 3, 6, 9, 12])
def test_any_number_of_links_of_the_back_will_do(links: int) -> None:
    driver = driven(Animal.dog(links), "trot", 1.2, 6.0)
    assert not driver.simulation.fallen
    assert driver.simulation.speed == pytest.approx(1.2, rel=0.25)


@pytest.mark.feature("QUA-17")
@pytest.mark.parametrize(("gait", "speed"), [("walk", 0.7), ("trot", 1.2)])
@pytest.mark.parametrize("side", [1.0, -1.0])
def test_a_quarter_turn(gait: str, speed: float, side: float) -> None:
    driver = driven(Animal.of(), gait, speed, 2.5)
    driver.command(turn_rate=0.5 * side)
    driver.step(np.pi)
    driver.command(turn_rate=0.0)
    driver.step(2.5)
    assert not driver.simulation.fallen
    assert driver.simulation.heading == pytest.approx(0.5 * np.pi * side, abs=0.3)


@pytest.mark.feature("QUA-23")
@pytest.mark.parametrize("gait", list(LIBRARY.gaits))
def test_every_gait_crosses_low_steps_that_it_does_not_see(gait: str) -> None:
    speed = float(LIBRARY[gait].speeds.mean())
    recorder = Recorder(ground=steps(0.03, seed=1, length=6.0))
    recorder.driver.command(speed=speed, gait=gait)
    recorder.run(12.0, lambda: recorder.simulation.frames[0, 2] > 6.0)
    assert not recorder.simulation.fallen
    assert recorder.simulation.frames[0, 2] > 6.0


def test_a_trot_on_slippery_ground() -> None:
    driver = driven(Animal.of(), "trot", 1.2, 6.0, friction=0.5)
    assert not driver.simulation.fallen


@pytest.mark.feature("QUA-14")
def test_the_head_is_held_in_a_trot() -> None:
    driver = driven(Animal.of(), "trot", 1.4, 3.0)
    sim, head = driver.simulation, int(driver.simulation.body.neck[-1])
    pitches = []
    for _ in range(200):
        driver.step(0.01)
        nose = rot.rotate(sim.data.xquat[head], np.array([0.0, 0.0, 1.0]))
        want = driver.now[1][am.NECK + 6 : am.NECK + 12].mean()
        pitches.append(np.degrees(np.arcsin(nose[1]) - want))
    assert np.sqrt(np.mean(np.square(pitches))) < 5.0


@pytest.mark.feature("QUA-09")
@pytest.mark.parametrize(("gait", "speed"), [("walk", 0.8), ("trot", 1.4)])
def test_feet_land_where_they_were_led(gait: str, speed: float) -> None:
    driver = driven(Animal.of(), gait, speed, 2.5)
    sim, misses = driver.simulation, []
    before = sim.state.modes[:, 0].copy()
    for _ in range(2000):
        driver.step(0.001)
        for leg in range(4):
            if sim.state.modes[leg, 0] == 1 and before[leg] == 0:
                foot = legs.foot_place(sim.body, sim.views, leg)
                goal = sim.state.legs[leg, am.LANDS : am.LANDS + 2]
                misses.append(np.hypot(foot[0] - goal[0], foot[2] - goal[1]))
        before = sim.state.modes[:, 0].copy()
    assert len(misses) > 10
    assert np.median(misses) < 0.03


@pytest.mark.feature("QUA-18")
def test_it_goes_through_its_gaits_up_and_down() -> None:
    recorder, told = ramp()
    assert not recorder.simulation.fallen, told
    natural = [name for name in ("walk", "trot", "canter", "gallop") if name in LIBRARY.gaits]
    seen = told.split(",")[0].split(" - ")
    assert seen == natural + natural[-2::-1]


@pytest.mark.feature("QUA-32")
def test_held_back_it_changes_to_slower_gaits() -> None:
    recorder, told = rope()
    assert not recorder.simulation.fallen, told
    seen = told.split(" by ")[0].split(" - ")
    assert seen[0] == max(LIBRARY.gaits.values(), key=lambda gait: gait.speeds[-1]).name
    assert seen[-1] in ("walk", "trot")
    assert len(seen) > 1


def test_a_search_keeps_what_it_found_and_the_same_seed_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "POPULATION", 4)
    told: list[tuple[int, float]] = []
    found = [
        tuning.tune("trot", 1.0, LIBRARY, 1, seed=3, processes=2, progress=lambda *now: told.append(now))
        for _ in range(2)
    ]
    assert [generation for generation, _ in told] == [0, 1, 0, 1]
    notes = found[0].notes["trot 1"]
    assert notes["score"] == pytest.approx(told[1][1])
    assert told[1][1] <= told[0][1]
    assert notes["seed"] == 3
    first, again = (library["trot"].at(1.0)[1] for library in found)
    assert np.array_equal(first, again)
    for braced in (False, True):
        assert np.array_equal(found[0]["trot"].at(2.2, braced)[1], LIBRARY["trot"].at(2.2, braced)[1])
    assert found[0]["trot"].braced is not None
    assert found[0]["walk"] is LIBRARY["walk"]
    with pytest.raises(LocomoteError, match="no gait 'hop'"):
        tuning.tune("hop", 1.0)


def test_who_braces_itself_withstands_more_pushes_aside() -> None:
    trot = LIBRARY["trot"]
    limp = LIBRARY.with_gait(TunedGait("trot", trot.speeds, trot.graphs, trot.params))
    shares = []
    for library in (LIBRARY, limp):
        found = withstand("trot", 2.2, 100.0, 0.35, 6, 4, library, processes=1)
        shares.append(found.survived[4:].mean())  # to either side, at the hips
    assert shares[0] >= 0.75
    assert shares[0] > shares[1]


def test_a_search_for_reflexes_changes_nothing_else_and_is_never_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "POPULATION", 2)
    monkeypatch.setattr(reflex_tuning, "SIDES", (0, 5))
    told: list[float] = []
    found = tuning.tune_reflexes("trot", 1.4, 60.0, LIBRARY, 1, 3, 2, lambda _, least: told.append(least))
    assert found.notes["trot pushed"]["score"] == pytest.approx(told[-1])
    assert told[-1] <= told[0]
    free = np.setdiff1d(np.arange(am.PARAMETERS), [at for knob in reflex_knobs() for at in knob.where])
    assert np.array_equal(found["trot"].params[:, free], LIBRARY["trot"].params[:, free])
    assert np.array_equal(found["walk"].params, LIBRARY["walk"].params)
    with pytest.raises(LocomoteError, match="expected newtons above 0"):
        tuning.tune_reflexes("trot", 1.4, 0.0)
