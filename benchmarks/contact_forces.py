"""Forces under the feet: against force plates and a simulation, what our own motions need, and the costs."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import replace

import numpy as np

import locomote as lm
from _page import write_page
from locomote.contacts.records import runs
from locomote.human_skeleton import COMMON
from locomote.masses import Masses
from locomote.physics import ContactForces, climb, forces
from locomote.physics._climbing import LIMBS
from locomote.physics._forces import natural_cutoff
from locomote.physics._grips import grip_forces
from locomote.physics._newton import masses_by_flight, segment_motion
from locomote_lab.force_trials import DATA, ForceTrial, compare_strengths, read_trial, relative_error, trial_names
from locomote_lab.marker_trials import CHOSEN_ON, marker_trial
from locomote_lab.simulated_climb import FEET, HANDS, MOVES, START, simulate_climb
from locomote_lab.simulated_forces import simulate

METHOD = """From motion alone (`lm.physics.forces`), against 16 walks over force plates and 30 runs on an instrumented
treadmill (8 people each). Contacts are those of our own detector, masses those of the table for a person of the
stated mass; of runs corrected by what flights tell. *V, AP, ML*: root mean square of the error of one foot over its
stance, by the plate or by what was found, in per cent of the mean of both ranges; in brackets N/kg. *CP*: centre of
pressure, median. Torques about the main axis of hip, knee and ankle against inverse dynamics with the measured
forces. Of walks the double supports at either end are left out, where one foot stands beside the plates.

*By coordinates* flatters: the joint coordinates were fitted by their authors to agree with these very plates.
*By markers* uses the raw markers alone: a skeleton fitted to them without any forces (`locomote_lab.marker_fit`).

What was chosen on which trials: the weights of the share and of the pivot, the height of the pivot, the cut-offs and
how low a point must be to bear were chosen by looking at all of these trials by coordinates; the settings of the
marker fit, and the rule for the cut-off of runs, on half of the people (s2, s4, s7, s10; s01, s03, s10, s17). The
*least effort* is the method of the source, alone. Published by others, on their own data: inertial suit, walking V 5.3,
AP 9.4, ML 13.1 % (Karatsidis 2017); contact models calibrated on the person V 1.5, AP 4.4 to 6.1 % (2025), of which
others found V 14 to 23 %; a network on running 6.4 %.

Masses are told by flight: what trunk, arms, thighs, shanks and feet weigh is put right so that nothing seems to carry
a runner in the air. How much parts differ between people (10 %) was chosen after a look at all of them, those of the
rows *not chosen on* too; that flights which need more than 0.2 weights leave masses alone, by looking at all. *Not
told by*: missing in every other flight, with masses told by the flights between them, where a clip has two. *Table*:
with the masses of the table. The plates had no part in it; by markers V gains what ML and CP lose a little of (3.9,
22 % and 3.0 cm with the table). No cut-off does as much: at 5 m/s flights need 8.0 % at 20 and at 30 Hz.

Of the four-legged body *found* is what `forces` does without contacts: those of the detector, put right by how high
each foot is while it stands (chosen on this simulation of 10 s; on those of 6, 12 and 15 s 4 to 7 %, on one of 8 s, in
which it falls over, up to 13). Tried and left out: all other legs, not the one beside it, tell the detector whether a
foot lands out of a flight (7.1 to 9.2 %, but recorded dogs then stand longer than counted by hand); other thresholds of
height and speed in the detector (5 to 7 %, but those it has are for paws that sink); low feet that bear only where the
others do not suffice (4.4 to 5.6 %, but hooves of a galloping horse then bear in the air).

*Missing* is what a motion needs and no contact can give, in body weights: of recordings noise, of animation what is
impossible. Times are of one thread, best of several."""


def summary(trials: Iterable[ForceTrial], find: Callable[[ForceTrial], ContactForces]) -> list[str]:
    errors, centres, torques = [], [], {"hip": [], "knee": [], "ankle": []}
    for trial in trials:
        found = find(trial)
        for each in trial.errors(found):
            errors.append(each[:5])
            centres += list(each.centre)
        for joint, values in trial.torque_errors(found).items():
            torques[joint] += values
    v, ap, ml, v_kg, ap_kg = np.mean(errors, axis=0)
    legs = " / ".join(f"{np.mean(torques[joint]):.1f}" for joint in ("hip", "knee", "ankle"))
    return [f"{v:.1f} ({v_kg:.2f})", f"{ap:.1f} ({ap_kg:.2f})", f"{ml:.0f}", f"{100 * np.median(centres):.1f}", legs]


def plain(trial: ForceTrial) -> ContactForces:
    return forces(trial.motion, trial.mass, trial.contacts)


def least_effort(trial: ForceTrial) -> ContactForces:
    return forces(trial.motion, trial.mass, trial.contacts, prior="effort")


def plates(of: dict[str, list[ForceTrial]]) -> list[list[str]]:
    rows = []
    for gait, trials in of.items():
        fitted = [marker_trial(trial.name) for trial in trials]
        others = [trial for trial in fitted if not any(one in trial.name for one in CHOSEN_ON[gait])]
        for source, chosen, name, find in (
            ("coordinates", trials, "ours", plain),
            ("coordinates", trials, "least effort alone", least_effort),
            ("markers", fitted, "ours", plain),
            ("markers", others, "ours, people not chosen on", plain),
            ("markers", fitted, "least effort alone", least_effort),
        ):
            if gait == "walk" or find is plain:  # one foot at a time leaves nothing to share
                rows.append([gait, f"by {source}", name, *summary(chosen, find)])
                print(rows[-1], flush=True)
    return rows


def weight_sets(walks: list[ForceTrial]) -> list[list[str]]:
    """Least effort with several sets of weights, and whether they differ from uniform ones (Wilcoxon, by foot)."""
    rows = []
    for name, each in compare_strengths(walks).items():
        shown = ["" if p is None else f"{p:.2g}" for p in each.differs]
        rows.append([name, f"{each.vertical:.1f}", shown[0], f"{each.fore_aft:.1f}", shown[1], f"{each.newtons:.0f}"])
    return rows


def by_speed(runs: list[ForceTrial]) -> list[list[str]]:
    rows = []
    for speed in ("200", "300", "400", "500"):
        some = [trial for trial in runs if trial.name.endswith(f"run{speed}")]
        flight = np.mean([plain(trial).plausibility().flight_residual for trial in some])
        table = np.mean([by_table(trial).plausibility().flight_residual for trial in some])
        unseen = np.nanmean([other_flights(trial) for trial in some])
        left = [f"{100 * each:.1f}" for each in (flight, unseen, table)]
        rows.append([f"{int(speed) / 100:g} m/s", str(len(some)), *summary(some, plain)[:4], *left])
    return rows


def by_table(trial: ForceTrial) -> ContactForces:
    return forces(trial.motion, Masses.of(trial.motion.skeleton, trial.mass), trial.contacts)


def other_flights(trial: ForceTrial) -> float:
    """What is missing in every other flight, weights, with masses told by those between them."""
    masses = Masses.of(trial.motion.skeleton, trial.mass)
    cutoff = natural_cutoff(trial.motion, trial.contacts, masses)
    moving = segment_motion(trial.motion, masses, cutoff)
    inner = trial.contacts.support == 0
    inner[:5] = inner[-5:] = False
    left = []
    for first in range(2):
        flights = list(runs(inner))
        told, unseen = (np.zeros(len(inner), dtype=bool) for _ in range(2))
        for k, (start, stop) in enumerate(flights):
            (told if k % 2 == first else unseen)[start:stop] = True
        if told.any() and unseen.any():
            fitted = masses_by_flight(trial.motion.skeleton, masses, moving, told)
            found = forces(trial.motion, fitted, trial.contacts, cutoff=cutoff)
            left.append(np.linalg.norm(found.residual[unseen, :3], axis=1).mean() / found.weight)
    return float(np.mean(left)) if left else np.nan


def simulated() -> list[list[str]]:
    run = simulate(10.0)
    touches = run.force[..., 1] > 5.0
    detected = lm.contacts.detect(run.motion)
    rows = []
    known = replace(detected, heel=touches, toe=touches)
    for name, contacts in (("known", known), ("found", None), ("the detector's alone", detected)):
        found = forces(run.motion, run.masses, contacts, cutoff=20.0)
        for part, (a, b) in {"all": (60, 990), "stands and sways": (60, 300), "lifts legs": (300, 700)}.items():
            legs = [relative_error(found.force[a:b, leg, 1], run.force[a:b, leg, 1]) for leg in range(4)]
            rows.append([name, part, *(f"{each:.1f}" for each in legs)])
    return rows


def simulated_climber() -> list[list[str]]:
    run = simulate_climb()
    force, _ = grip_forces(run.motion, run.masses, run.grips, segment_motion(run.motion, run.masses, 6.0))
    inner, weight = slice(30, -10), run.masses.total * 9.81
    rows = []
    for limb, name in enumerate(LIMBS):
        on = np.asarray(run.grips.holds[inner, limb], dtype=bool)
        mine, truth = force[inner, limb][on], run.force[inner, limb][on]
        off = np.linalg.norm(mine - truth, axis=1).mean()
        vertical = relative_error(mine[:, 1], truth[:, 1])
        load = np.linalg.norm(truth, axis=1).mean()
        rows.append([name, f"{load:.0f}", f"{off:.0f}", f"{100 * off / weight:.0f}", f"{vertical:.1f}"])
    return rows


def recorded(name: str, pattern: str) -> lm.Motion | None:
    files = sorted((DATA / "human" / name).glob(pattern))
    return lm.load(files[0]) if files else None


def own_motions() -> list[tuple[str, lm.Motion, lm.world.Ground | None]]:
    """Motions of every engine, and recorded ones beside them."""
    model = lm.human.HumanModel.default()
    out: list[tuple[str, lm.Motion, lm.world.Ground | None]] = []
    for caption, folder, pattern in (("walk", "walk", "cmu_*"), ("run", "run", "cmu_*"), ("jump", "jump", "cmu_*")):
        clip = recorded(folder, pattern)
        if clip is not None:
            out.append((f"recorded {caption} ({clip.name})", clip, None))
    for speed in (0.8, 1.4, 2.0, 3.5, 5.0):
        person = lm.human.Crowd(model, 1, seed=3, speed=speed)
        person.record(seconds=3, fps=60)
        out.append((f"person at {speed} m/s", person.record(seconds=6, fps=60), None))
    turning = lm.human.Crowd(model, 1, seed=3, speed=1.4)
    turning.command(turn_rate=0.8)
    turning.record(seconds=2, fps=60)
    out.append(("person in a curve", turning.record(seconds=6, fps=60), None))
    starting = lm.human.Crowd(model, 1, seed=3, speed=0.0)
    starting.command(speed=1.6)
    out.append(("person who starts", starting.record(seconds=3, fps=60), None))
    for caption, speed in (("walking", 1.4), ("running", 3.5)):
        jumper = lm.human.Crowd(model, 1, seed=3, speed=speed)
        jumper.record(seconds=2, fps=60)
        jumper.jump(1.2)
        out.append((f"{caption} jump", jumper.record(seconds=3, fps=60), None))
    stairs = lm.world.Ground()
    stairs.add_stairs((0, 1.2), count=5, rise=0.17, tread=0.29, landing=1.5)
    climber = lm.human.Crowd(model, 1, seed=3, speed=0.6, ground=stairs)
    out.append(("person on stairs", climber.record(seconds=8, fps=60), stairs))
    performer = lm.samples.performer(speed=1.4).motion
    out.append(("synthetic performer", performer, None))
    for name, speed in (
        *(("wolf", 0.8), ("wolf", 2.0), ("wolf", 5.0), ("horse", 1.5), ("horse", 7.0), ("spider", 0.5)),
        *(
            ("ant", 0.4),
            ("crab", 0.4),
            ("centipede", 0.4),
            ("lizard", 0.5),
            ("bird", 0.6),
            ("robot", 0.6),
            ("frog", 0.4),
        ),
    ):
        creature = lm.creatures.Crowd(name, 1, seed=3)
        creature.command(speed=speed)
        creature.record(seconds=3, fps=60)
        out.append((f"{name} at {speed} m/s", creature.record(seconds=5, fps=60), None))
    return out


def own() -> list[list[str]]:
    rows = []
    for name, motion, ground in own_motions():
        try:
            each = forces(motion, ground=ground).plausibility()
        except lm.LocomoteError as error:
            rows.append([name, str(error), *[""] * 7])
            continue
        figures = (each.residual, each.residual_peak, each.flight_residual, each.force_peak)
        rows.append(
            [
                name,
                *(f"{value:.2f}" for value in figures),
                f"{each.friction_peak:.2f}",
                f"{100 * each.slipping:.0f}",
                f"{each.torque_peak:.1f} {each.strained}",
                f"{each.effort:.1f}",
            ]
        )
        print(rows[-1], flush=True)
    return rows


def best(run: Callable[[], object], rounds: int = 5) -> float:
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def costs(walk: ForceTrial, run: ForceTrial) -> list[list[str]]:
    rows = []
    for name, trial in (("walk", walk), ("run", run)):
        contacts = trial.contacts
        seconds = best(lambda t=trial, c=contacts: forces(t.motion, t.mass, c))
        rows.append([f"{name} of {len(trial.motion)} frames", f"{1e6 * seconds / len(trial.motion):.0f}", "us a frame"])
    wolf = lm.creatures.Crowd("wolf", 1)
    wolf.command(speed=2.0)
    motion = wolf.record(seconds=10, fps=60)
    contacts = lm.contacts.detect(motion)
    seconds = best(lambda: forces(motion, None, contacts))
    rows.append([f"wolf, {len(motion)} frames", f"{1e6 * seconds / len(motion):.0f}", "us a frame"])
    body, holds = COMMON.scaled(0.93), [*FEET, *HANDS]
    made = climb(body, holds, START, MOVES, mass=70.0)
    seconds = best(lambda: climb(body, holds, START, MOVES, mass=70.0), 2)
    rows.append(["a climb of 8 moves, posed and timed", f"{seconds:.1f}", "s (5 wanted)"])
    share = made.effort / made.uniform_effort
    rows.append(["its effort, of that of moves of one second each", f"{share:.2f}", "of the squares of torques"])
    return rows


def main() -> None:
    names = {gait: trial_names(gait) for gait in ("walk", "run")}
    if "--quick" in sys.argv:
        names = {gait: some[::5] for gait, some in names.items()}
    trials = {gait: [read_trial(name) for name in some] for gait, some in names.items()}
    head = ["", "from", "method", "V %", "AP %", "ML %", "CP cm", "hip / knee / ankle %"]
    legs = ["left fore", "right fore", "left hind", "right hind"]
    write_page(
        "forces",
        "Forces under the feet",
        METHOD,
        [
            ("Against force plates", head, plates(trials)),
            (
                "Sets of weights for the least effort: walks by coordinates; p against uniform ones",
                ["weights", "V %", "p", "AP %", "p", "V, N"],
                weight_sets(trials["walk"]),
            ),
            (
                "Runs by speed, by coordinates",
                [
                    "",
                    "trials",
                    "V %",
                    "AP %",
                    "ML %",
                    "CP cm",
                    "missing in flight, % of the weight",
                    "not told by",
                    "table",
                ],
                by_speed(trials["run"]),
            ),
            (
                "A simulated four-legged body, two to four feet on the ground: vertical force, %",
                ["contacts", "", *legs],
                simulated(),
            ),
            (
                "A simulated climber of 80 kg, eight moves: known forces at its holds (the source: 25 %, 50 to 200 N)",
                ["", "borne, N", "off by, N", "of the weight, %", "vertical, %"],
                simulated_climber(),
            ),
            (
                "What motions need: body weights missing, peaks of force, friction and torque, and the mean effort",
                [
                    *("motion", "missing", "its peak", "in flight", "force", "friction", "slipping %"),
                    *("torque, N m/kg", "effort, N m/kg"),
                ],
                own(),
            ),
            ("Costs", ["", "", ""], costs(trials["walk"][0], trials["run"][0])),
        ],
    )


if __name__ == "__main__":
    main()
