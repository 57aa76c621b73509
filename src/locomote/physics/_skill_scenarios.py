"""Scenarios of what a simulated dog does besides going, and the list of all."""

from __future__ import annotations

import numpy as np

from locomote.physics._gait_tuning import tune
from locomote.physics._getting_up import Recover
from locomote.physics._leap_book import LeapBook
from locomote.physics._leaps import Leap
from locomote.physics._scenarios import Recorder, Scenario, blind, eight, pushes, ramp, rope, spines, verdict
from locomote.world import Ground

WITHIN = 0.05  # m of the height that a posture is to have
SITS, LIES, STANDS = (0.16, 0.46), (0.12, 0.15), (0.45, 0.47)  # m of hips and shoulders
ROUNDS = 16  # of the search of S11
DECK, BARRIER, PLATFORM = 0.3, 0.2, 0.25  # m high, of S5
FINISH, LONGEST = 25.0, 60.0  # m and s of S5


def _is(r: Recorder, heights: tuple[float, float]) -> bool:
    return bool(np.all(np.abs(r.simulation.heights - heights) < WITHIN))


def parcours() -> Ground:
    """A deck with a gap, an edge down, a barrier and a platform, one after the other."""
    ground = Ground()
    ground.add_box((0.0, 2.0), (4.0, 8.0), DECK)
    ground.add_box((0.0, 8.4), (4.0, 4.0), DECK)
    ground.add_box((0.0, 15.0), (4.0, 0.1), BARRIER)
    ground.add_box((0.0, 21.0), (4.0, 4.0), PLATFORM)
    return ground


def course() -> tuple[Recorder, str]:
    """S5: over gaps, barriers, platforms and edges, told nothing but how fast to go."""
    r = Recorder(ground=parcours())
    r.dog.heed(True)
    r.dog.heading = 0.0
    r.run(0.5)
    r.driver.command(speed=1.2)
    leaps, was = 0, ""
    while r.simulation.time < LONGEST and not r.fell and r.simulation.frames[1, 2] < FINISH:
        r.frame()
        leaps += r.dog.skill_name == "leap" != was
        was = r.dog.skill_name
    return r, f"{r.simulation.frames[1, 2]:.1f} m of {FINISH:g} by {leaps} leaps: {verdict(r)}"


def target() -> tuple[Recorder, str]:
    """S6: leap at something that hangs in the air: how near the head comes to it."""
    r, book = Recorder(), LeapBook.default().at(0.0)
    r.run(1.0)
    leap = book[int(np.argmax(book.heights))]
    head = int(r.simulation.body.neck[-1])
    hangs = np.array([0.0, leap.height + 0.1, r.simulation.data.xpos[head, 2] + 0.5 * leap.distance])
    r.dog.do("leap", Leap(leap.launch))
    near = np.inf
    for _ in range(150):
        r.frame()
        near = min(near, float(np.linalg.norm(r.simulation.data.xpos[head] - hangs)))
    return r, f"its head comes within {near:.2f} m of a thing {hangs[1]:.2f} m high: {verdict(r)}"


def postures() -> tuple[Recorder, str]:
    """S7: stand, sit, stand, lie, stand."""
    r = Recorder()
    r.run(0.5)
    told = []
    for name, seconds, heights in (
        ("sit", 2.0, SITS), ("stand", 3.0, STANDS), ("lie", 3.5, LIES), ("stand", 3.0, STANDS)
    ):  # fmt: skip
        r.do(name, seconds)
        told.append(f"{name} {'done' if _is(r, heights) else 'missed'}")
    return r, f"{', '.join(told)}: {verdict(r)}"


def gets_up() -> tuple[Recorder, str]:
    """S8: thrown on its left and on its right side, it gets up."""
    r, told = Recorder(), []
    for side, name in ((1.0, "left"), (-1.0, "right")):
        r.run(1.0)
        r.simulation.push(np.array([900.0 * side, 0.0, 0.0]), 0.25)
        began = r.simulation.time
        while r.simulation.time < began + 15.0:
            r.frame()
            if r.simulation.time > began + 1.0 and not isinstance(r.dog.skill, Recover):
                break
        up = not r.simulation.fallen
        told.append(f"from its {name} side {f'in {r.simulation.time - began:.1f} s' if up else 'not'}")
        r.dog.falls = 0
    return r, f"gets up {' and '.join(told)}: {verdict(r)}"


def sits_and_trots() -> tuple[Recorder, str]:
    """S9: out of sitting into a trot."""
    r = Recorder()
    r.run(0.5)
    r.do("sit", 2.0)
    sat = _is(r, SITS)
    r.driver.command(speed=1.2, gait="trot")
    r.do("stand", 2.0)
    r.run(4.0)
    return r, f"{'sat' if sat else 'did not sit'}, then {r.simulation.speed:.1f} m/s: {verdict(r)}"


def starts() -> tuple[Recorder, str]:
    """S11: a trot at 1 m/s tuned from three starts, a few rounds each."""
    costs = []
    for seed in range(3):
        found = tune("trot", 1.0, None, ROUNDS, seed)
        costs.append(float(found.notes["trot 1"]["score"]))
    r = Recorder()
    r.driver.command(speed=1.0, gait="trot")
    r.run(4.0)
    return r, f"costs after {ROUNDS} rounds: {', '.join(f'{cost:.2f}' for cost in costs)}"


SCENARIOS: dict[str, Scenario] = {
    "S1": Scenario("speed ramp through the gaits", ramp),
    "S2": Scenario("eight pushes", pushes),
    "S3": Scenario("held back by a rope", rope),
    "S4": Scenario("random steps, blind", blind),
    "S5": Scenario("gaps, barriers, platforms and edges", course),
    "S6": Scenario("a leap at a target", target),
    "S7": Scenario("sit, stand, lie, stand", postures),
    "S8": Scenario("getting up from both sides", gets_up),
    "S9": Scenario("from sitting into a trot", sits_and_trots),
    "S10": Scenario("a flexible and a fused back", spines),
    "S11": Scenario("a gait tuned from three starts", starts),
    "S12": Scenario("a figure of eight", eight),
}
