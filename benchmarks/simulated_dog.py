"""The simulated dog: speeds, style, turns, pushes beside the source's, rough ground, other bodies, cost of a step."""

from __future__ import annotations

import itertools
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from _dog_postures import postures
from _page import renew_tables, write_page
from locomote.physics import LeapBook, Policy
from locomote.physics._animal import Animal
from locomote.physics._animal_build import load_mujoco
from locomote.physics._driving import Driver
from locomote.physics._gait_library import GaitLibrary
from locomote.physics._gait_trials import Trial, driven
from locomote.physics._leap_trials import tried
from locomote.physics._pushes import SOURCE, withstand
from locomote.physics._scenarios import Recorder, steps
from locomote.physics._simulation import Simulation
from locomote.physics._skill_scenarios import SCENARIOS
from locomote_lab.creatures import dog_markers

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
# Of dogs: period (s), duty, touch-downs of L1, R1, L2, R2 (turns).
DOGS = {"walk": (0.75, 0.59, (0.22, 0.72, 0.0, 0.5)), "trot": (0.49, 0.42, (0.48, 0.98, 0.0, 0.5))}
FAST_DOGS = {"pace": "0.58", "canter": "0.42", "gallop": "0.37", "rotary gallop": "0.40"}  # s
STYLED = (("walk", 0.8), ("walk", 1.0), ("trot", 1.4), ("trot", 2.2))  # m/s
COURSES = 10
METHOD = (
    "The dog of the package (34 kg, 30 links, 67 degrees of freedom) in MuJoCo at 1 kHz, with the parameters that "
    "ship; nothing is tuned here. *Tuned* and *policy* are its two controllers, without and with a learned network. "
    "**Style** is measured on the contacts of its paws over the second half of 60 s, from a stand; *dogs* are "
    "recorded ones. **Pushes**: the animal goes steadily and is pushed to the left, to the right, forward and back, "
    "at the shoulders and at the hips, at eight moments of a stride each; survived is who stays on its feet for 3 s, "
    "which is: neither hips nor shoulders ever below 0.43 of their height nor on their side; torques end at 100 N m. "
    "The source pushed at one moment. **Markers**: mean strides from the side beside those of a Labrador, from the "
    "pelvis, over the height of the hips and the length of the trunk."
)
Row = list[str]


CONTROLLERS = {"tuned": None, "policy": Policy.default()}


def told(done: Trial, seconds: float) -> str:
    """Whether it is on its feet at the end."""
    return f"{seconds:.0f} s" if done.survived else f"fell after {done.times[-1]:.1f} s"


def strays(done: Trial) -> str:
    """How far it is aside of its line at most, of its way."""
    way = done.middles[-1] - done.middles[0]
    return f"{100.0 * done.aside / max(float(np.hypot(way[0], way[2])), 0.1):.1f} %"


def style() -> list[Row]:
    """Walks and trots from a stand, under their driver."""
    rows = []
    for (gait, speed), (name, policy) in itertools.product(STYLED, CONTROLLERS.items()):
        driver = Driver(Simulation(Animal.of()), policy=policy)
        driver.command(speed, gait=gait)
        done = driven(driver, speed, 60.0)
        found = done.style()
        period, duty, lands = DOGS[gait]
        off = np.abs((found.lands - np.array(lands) + 0.5) % 1.0 - 0.5).max()
        rows.append([
            f"{gait} {speed:g} m/s, {name}", told(done, 60.0), f"{done.speed:.2f}", strays(done),
            f"{found.period:.2f} ({period})", f"{found.duty.min():.2f}-{found.duty.max():.2f} ({duty})", f"{off:.3f}",
            f"{found.lift.min() / 0.46:.2f}", f"{1000.0 * found.slip:.0f} mm",
        ])  # fmt: skip
    return rows


def pushed(phases: int = 8) -> list[Row]:
    """Every row of the source, by both controllers, and with a quarter more."""
    rows, library = [], GaitLibrary.default()
    for row, (name, policy) in itertools.product(SOURCE, CONTROLLERS.items()):
        speed, shares, beside = min(row.speed, fastest(library, row.gait)), [], ""
        for factor in (1.0, 1.25):
            done = withstand(row.gait, speed, factor * row.force, row.seconds, 8, phases, policy=policy)
            shares.append(f"{100.0 * done.share:.0f} %")
            if factor == 1.0:  # pushes to a side at the hips come fifth and sixth
                beside = f"{100.0 * done.survived[4:6].mean():.0f} %"
        asked = (f"{speed:.2g} ({row.speed:g})", f"{row.force:g} N, {row.seconds:g} s")
        rows.append([row.gait, *asked, name, *shares, beside])
        print(rows[-1], flush=True)
    return rows


def fast() -> list[Row]:
    """Canter, gallops and pace over 20 s under the driver, from a steady stride on."""
    rows, library = [], GaitLibrary.default()
    for (gait, dogs), (name, policy) in itertools.product(FAST_DOGS.items(), CONTROLLERS.items()):
        driver, speed = Driver(Simulation(Animal.of()), library, policy), fastest(library, gait)
        driver.command(speed, gait=gait)
        driver.reach(speed)
        driver.step(2.0)
        done = driven(driver, speed, 20.0)
        found = done.style()
        rows.append([
            f"{gait}, {name}", told(done, 20.0), f"{speed:.2f}", f"{done.speed:.2f}", strays(done),
            f"{found.period:.3f} ({dogs})", f"{found.duty.min():.2f}-{found.duty.max():.2f}",
            ", ".join(f"{each:.2f}" for each in found.lands), f"{found.lift.min():.2f}-{found.lift.max():.2f}",
            f"{1000.0 * found.slip:.0f} mm",
        ])  # fmt: skip
    return rows


def fastest(library: GaitLibrary, gait: str) -> float:
    return float(library[gait].speeds[-1])


def bodies() -> list[Row]:
    """Ten seconds of a trot by bodies that nothing was tuned for."""
    rows = []
    animals = [(f"dog, back of {n} links", Animal.dog(n)) for n in (2, 4, 6, 9, 12)]
    animals += [("dog, fused back", Animal.dog(rigid_spine=True))]
    animals += [("wolf, 40 kg", Animal.of("wolf", 40.0)), ("horse, 453 kg", Animal.of("horse"))]
    for name, animal in animals:
        speed, reached = 1.2 * animal.tempo, []
        for policy in CONTROLLERS.values():
            driver = Driver(Simulation(animal), policy=policy)
            driver.command(speed=speed, gait="trot")
            done = driven(driver, speed, 10.0)
            reached.append(f"{done.speed:.2f}" if done.survived else f"fell after {done.times[-1]:.1f} s")
        rows.append([name, f"{speed:.2f}", *reached])
    return rows


def rough() -> list[Row]:
    """Courses of low steps, and a slippery floor at three speeds."""
    rows = []
    for (gait, tuned), (name, policy) in itertools.product(GaitLibrary.default().gaits.items(), CONTROLLERS.items()):
        row, slow, quick = [gait, name], max(float(tuned.speeds[0]), 0.6), float(tuned.speeds[-1])
        for high in (0.02, 0.04, 0.06):
            done = 0
            for seed in range(COURSES):
                r = Recorder(ground=steps(high, seed, 6.0))
                r.driver.policy = policy
                r.driver.command(speed=float(tuned.speeds.mean()), gait=gait)
                r.run(14.0, lambda r=r: r.simulation.frames[0, 2] > 6.0)
                done += int(not r.simulation.fallen and r.simulation.frames[0, 2] > 6.0)
            row.append(f"{done} of {COURSES}")
        for friction in (0.5, 0.6):
            done = 0
            for speed in np.linspace(slow, quick, 3):
                r = Recorder(friction=friction)
                r.driver.policy = policy
                r.driver.command(speed=float(speed), gait=gait)
                done += r.run(8.0)
            row.append(f"{done} of 3")
        rows.append(row)
    return rows


def cost() -> list[Row]:
    mujoco = load_mujoco()
    sim = Simulation(Animal.of())
    driver = Driver(sim)
    driver.command(speed=1.4, gait="trot")
    driver.step(2.0)
    kept = sim.remember()
    times: dict[str, list[float]] = {"all": [], "bare": []}
    for _ in range(7):
        sim.recall(kept)
        begun = time.perf_counter()
        driver.step(1.0)
        times["all"].append(time.perf_counter() - begun)
        sim.recall(kept)
        begun = time.perf_counter()
        for _ in range(1000):  # the body as it goes, with nobody to lead it: it falls slowly
            mujoco.mj_step(sim.model, sim.data)
        times["bare"].append(time.perf_counter() - begun)
    whole, bare = min(times["all"]), min(times["bare"])
    return [[f"{1000.0 * whole:.0f} us", f"{1.0 / whole:.1f}", f"{1000.0 * bare:.0f} us", f"{whole / bare:.2f}"]]


def markers() -> list[Row]:
    theirs = dog_markers.recorded(DATA)
    rows = []
    for gait, speed in (("walk", 1.0), ("trot", 1.8), ("gallop", 3.2)):
        if gait not in GaitLibrary.default().gaits:
            continue
        ours = [stride for stride in dog_markers.strides(dog_markers.simulated(gait, speed)) if gait in stride.gait]
        known = [stride for stride in theirs if gait in stride.gait and stride.speed > 0.0]
        if not ours or not known:
            rows.append([gait, f"{len(ours)} of ours, {len(known)} of theirs", *["-"] * 6])
            continue
        moves = dog_markers.differences(ours, known, moving=True)

        def of(*names: str, moves: dict[str, float] = moves) -> str:
            return f"{np.mean([moves[f'{side} {name}'] for side in ('left', 'right') for name in names]):.0f}"

        rows.append([
            gait, f"{len(ours)}, {len(known)}", of("hind paw", "fore paw"), of("hock", "wrist"), of("stifle", "elbow"),
            of("shoulder"), f"{moves['back']:.0f}", f"{moves['head']:.0f}",
        ])  # fmt: skip
    return rows


LATER = 8.0, 8.7  # s: approaches by which no leap of the book was chosen


def leaps() -> list[Row]:
    """Leaps of the book out of eight approaches each, measured by the centre of mass and the loads from outside."""
    book, rows = LeapBook.default(), []
    for k in range(len(book)):
        leap = book[k]
        takes = [take for later in LATER for take in tried(leap.launch, leap.speed, later)]
        near = sum(
            abs(take.height - leap.height) < 0.1 * leap.height
            and abs(take.distance - leap.distance) < max(0.1 * leap.distance, 0.05)
            for take in takes
        )
        high, far = np.mean([(take.height, take.distance) for take in takes], axis=0)
        landed = sum(not take.fell for take in takes)
        begun = f"trot {leap.speed:g} m/s" if leap.speed else "stand"
        rows.append([
            begun, f"{leap.height:.2f}, {leap.distance:.2f}", f"{high:.2f}, {far:.2f}", f"{near} of {len(takes)}",
            f"{landed} of {len(takes)}",
        ])  # fmt: skip
    return rows


def main() -> None:
    """All tables, or those of which a caption begins with a word that is given: the rest of the page stays then."""
    quick, asked = "--quick" in sys.argv, [word for word in sys.argv[1:] if not word.startswith("--")]
    joints = ["gait", "strides", "paws", "hocks, wrists", "stifles, elbows", "shoulders", "back", "head"]
    tables: list[tuple[str, list[str], Callable[[], list[Row]]]] = [
        ("Style", ["gait", "on its feet", "speed", "aside, of the way", "period (dogs), s", "duty (dogs)",
                   "touch-downs off by, turns", "lift, of the hips", "slip"], style),
        ("Pushes survived", ["gait", "m/s (source)", "push", "controller", "survived", "+ 25 %",
                             "of those to a side at the hips"], lambda: pushed(2 if quick else 8)),
        ("Fast gaits", ["gait", "on its feet", "asked m/s", "reached", "aside, of the way", "period (dogs), s", "duty",
                        "touch-downs of L1, R1, L2, R2", "lift, m", "slip"], fast),
        ("Other bodies, no retuning", ["body", "asked m/s", "reached, tuned", "policy"], bodies),
        ("Steps that it does not see, 6 m", ["gait", "controller", "up to 2 cm", "4 cm", "6 cm", "friction 0.5", "0.6"],
         rough),
        ("Postures", ["skill", "succeeds", "s"], lambda: postures(4 if quick else 20)),
        ("Leaps", ["out of", "height, distance asked for, m", "measured", "within 10 %", "lands on its feet"], leaps),
        ("Time for 1 ms", ["controller and MuJoCo", "times real time", "mj_step alone", "ratio"], cost),
        ("How joints move beside the Labrador, % of the hip height", joints, markers),
        ("Scenarios", ["", "what", "how it went"],
         lambda: [[name, scenario.title, scenario.play()] for name, scenario in SCENARIOS.items()]),
    ]  # fmt: skip
    chosen = [each for each in tables if not asked or any(each[0].startswith(word) for word in asked)]
    made = [(caption, head, measure()) for caption, head, measure in chosen]
    if asked:
        renew_tables("dog", made)
    else:
        write_page("dog", "A simulated dog", METHOD, made)


if __name__ == "__main__":
    main()
