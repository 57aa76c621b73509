"""Can a classifier tell recorded people from generated ones, and by what?

    python benchmarks/told_apart.py [--quick] [--seed SEED]

Writes docs/performance/told-apart.md. Needs the recorded motion in ../shared/data, scikit-learn, and some six
minutes. --quick prints the main figures at 10 mm in one (four uncompiled) and writes nothing.
"""

from __future__ import annotations

import argparse
import csv
import tomllib
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path

import numpy as np

import locomote as lm
from _page import table, write_page
from locomote.human.fitting._cycles import Unit
from locomote_lab.human.told_apart import (
    CYCLES,
    PARTS,
    Sides,
    area,
    betrayal,
    cut,
    in_words,
    part,
    scores,
    sides,
    split_in_two,
    twin,
)

ROOT = Path(__file__).resolve().parents[1]
DATA = ROOT.parent / "shared" / "data"
CORPUS = ROOT / "src" / "locomote" / "assets" / "corpus.toml"
GAITS = {"walk": "walking", "run": "running"}
NOISES = (0.010, 0.002)  # m
SEEDS = 5
NEXT_DRAW = 1000  # from the seed of the first twin of a draw to that of the next
LEAST_HELD = 5  # people who are not in the corpus, for a row of their own
# The walk folder has four people with usable cycles whom the model does not know. This is a fifth: on the way into
# turns there are cycles that are as straight as the others. Only the rows of unknown people have them.
FIFTH = "CMU 133", "human/turn"
TOP = 10

Pairs = tuple[list[Unit], list[Unit]]
METHOD = """
Recorded people are CMU clips ({people}),
seen on the common skeleton by `import_motion`, in gait cycles from strike to strike of the right foot at 60 frames a
second. Cycles count that are straight and steady (time, speed, turn and facing within the limits of the fit of the
model), at most {cycles} of a person, from as many clips as there are. Each has a generated twin: a random person
(`Crowd(model, 1, seed=…)`, no style given) with legs as long, at the same speed and gait, whose motion goes the same
way through import and cutting. Strikes are told by the speeds of the feet alone: held feet stand exactly still,
captured ones slow down first. What the ends of a cycle miss each other by is taken out, as in the fit: people in a
studio speed up and slow down, and harmonics are of what comes back.
That matters: with cycles left open running is 0.72 set right at 10 mm, and walking 0.67 (three draws). All cycles of a
person have the same twin.

What is seen of a cycle is where the joints are from the pelvis, on bones of one size (hip height 0.9 m), facing +Z:
mean, and cosine and sine of the first three harmonics of every coordinate, each with Gaussian noise of 10 mm or 2 mm.
Gradient-boosted trees (scikit-learn {sklearn}) learn on four fifths of the people and judge the others; nobody is in
both, and twins are people of their own. The figure is the area under the ROC curve, mean and standard deviation of
{seeds} draws of twins, noise and folds: 0.5 is chance, 1 means always told apart. What betrays most, and how much
people differ, is told of the first draw. Who limps is passed over, recorded or drawn.

*As imported* compares with the recordings as they are. The model is fitted from recordings that were *set right*:
pitch of pelvis, feet and head, which say how markers sat, are taken out. The columns of that name do this to both
kinds alike, so that such constants cannot betray. *People against people* are the recorded ones in two halves drawn at
random: what is to be had where there is nothing to tell. With few people it comes out below 0.5, because who is held
back is missing in their own half.

*Unknown* walkers are those of whom the corpus of the model has nothing; they and their twins are judged among all the
others. Four of them have usable cycles in the folder of walks; a fifth, {fifth}, walks straight before turns in
`{folder}`, and is only in these rows. Runners whom the model does not know are fewer than {least}.

Parts are not alone: all is seen from the pelvis, so arms carry the trunk's movement. Elbows and wrists are arms,
shoulders belong to the trunk.
""".strip()


def clips(folder: str) -> dict[str, list[str]]:
    """Files of a folder by person, without those that are marked as broken."""
    with (DATA / "index.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    found = defaultdict(list)
    for row in rows:
        name, sound = row["file"], "DEFECT" not in row["note"]
        if sound and str(Path(name).parent) == folder and "cmu_" in name and name.endswith(".bvh.xz"):
            found[row["subject"]].append(name)
    return dict(sorted(found.items()))


def of_person(person: str, files: list[str], gait: str) -> list[Unit]:
    """Up to three usable cycles, from different clips where there are as many."""
    found: list[list[Unit]] = []
    for k in np.random.default_rng(0).permutation(len(files)):
        own = cut(lm.load(DATA / files[k])[1:], person, files[k], gait)  # the first frame is a T pose
        found += [own] if own else []
        if len(found) == CYCLES:
            break
    return [own[k] for k in range(CYCLES) for own in found if k < len(own)][:CYCLES]


def pairs(people: dict[str, list[str]], gait: str, seed: int, draws: int) -> list[Pairs]:
    """Recorded cycles and those of their twins, as often as twins are drawn."""
    model = lm.human.HumanModel.default()
    recorded = [of_person(person, files, gait) for person, files in people.items()]
    out = []
    for draw in range(draws):
        first = seed + NEXT_DRAW * draw
        generated = [twin(model, unit, first + k) for k, own in enumerate(recorded) for unit in own]
        out.append(([unit for own in recorded for unit in own], generated))
    return out


def told(draws: list[Sides], name: str, noise: float, *groups: frozenset[str]) -> list[str]:
    """The area of a part of the body over draws: of all, or of each group of people with their twins."""
    seen = draws[0]  # the same people are in all of them
    found = [
        scores(part(draw.features, name), draw.recorded, draw.persons, noise, seed) for seed, draw in enumerate(draws)
    ]
    rows = [np.isin([person.removeprefix("twin of ") for person in seen.persons], list(group)) for group in groups]
    rows = rows or [np.full(len(seen.persons), True)]
    return [_spread([area(draw[row], seen.recorded[row]) for draw in found]) for row in rows]


def people_against_people(seen: Sides, name: str, noise: float) -> str:
    features, persons = part(seen.features, name)[seen.recorded], seen.persons[seen.recorded]
    found = []
    for seed in range(SEEDS):
        half = split_in_two(persons, seed)
        found.append(area(scores(features, half, persons, noise, seed), half))
    return _spread(found)


def _spread(values: list[float]) -> str:
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}"


def betrayers(seen: Sides) -> list[list[str]]:
    """The features that tell most by themselves, with means and standard deviations."""
    areas = betrayal(seen, NOISES[0], range(SEEDS))
    order = np.argsort(-np.abs(areas - 0.5), axis=None)[:TOP]
    rows = []
    for joint, axis, term in zip(*np.unravel_index(order, areas.shape), strict=True):
        sets = [100.0 * seen.features[kind, joint, axis, term] for kind in (seen.recorded, ~seen.recorded)]
        figure = 0.5 + abs(float(areas[joint, axis, term]) - 0.5)
        means = [f"{values.mean():.1f} ± {values.std():.1f}" for values in sets]
        rows.append([in_words(joint, axis, term), f"{figure:.3f}", *means])
    return rows


def variety(seen: Sides, name: str) -> list[str]:
    """How much people differ from one another, recorded and generated, cm."""
    features = part(seen.features, name)
    return [f"{100.0 * np.sqrt(features[kind].var(axis=0).mean()):.2f}" for kind in (seen.recorded, ~seen.recorded)]


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--quick", action="store_true", help="10 mm and two draws only; prints and writes nothing")
    options.add_argument("--seed", type=int, default=0, help="of the first generated person")
    arguments = options.parse_args()
    noises, seeds = (NOISES[:1], 2) if arguments.quick else (NOISES, SEEDS)
    units = {gait: pairs(clips(f"human/{gait}"), gait, arguments.seed, seeds) for gait in GAITS}
    seen = {
        (gait, level): [sides(*draw, level=level) for draw in units[gait]] for gait in GAITS for level in (False, True)
    }
    head = ["", *(f"{way}, {1000 * noise:.0f} mm" for way in ("as imported", "set right") for noise in noises)]
    reference = [] if arguments.quick else [f"people against people, {1000 * noise:.0f} mm" for noise in noises]
    rows = []
    print(*head, *reference, sep=" | ", flush=True)
    for gait, word in GAITS.items():
        for name in PARTS:
            row = [told(seen[gait, level], name, noise)[0] for level in (False, True) for noise in noises]
            row += [people_against_people(seen[gait, False][0], name, noise) for noise in noises] if reference else []
            rows.append([f"{word}, {name}", *row])
            print(*rows[-1], sep=" | ", flush=True)
    tables = [("Recorded against generated", head + reference, rows)]
    if not arguments.quick:
        tables.append(unknown_people(units["walk"], arguments.seed))
    for (gait, level), each in seen.items():
        way = "set right" if level else "as imported"
        columns = ["feature", "area by itself", "recorded, cm", "generated, cm"]
        tables.append((f"What betrays most: {GAITS[gait]}, {way}, 10 mm", columns, betrayers(each[0])))
    both = [[f"{GAITS[gait]}, {name}", *variety(seen[gait, True][0], name)] for gait in GAITS for name in PARTS]
    caption = "How much people differ from one another, set right"
    tables.append((caption, ["root mean square over features", "recorded, cm", "generated, cm"], both))
    if arguments.quick:
        print(*(f"\n{caption}\n{table(columns, rows)}" for caption, columns, rows in tables[1:]), sep="\n")
        return
    counts = [
        f"{word}: {len({u.subject for u in units[g][0][0]})} people, {len(units[g][0][0])} cycles"
        for g, word in GAITS.items()
    ]
    method = METHOD.format(
        **{"people": "; ".join(counts), "cycles": CYCLES, "seeds": SEEDS, "sklearn": version("scikit-learn")},
        **{"fifth": FIFTH[0], "folder": FIFTH[1], "least": LEAST_HELD},
    )
    write_page("told-apart", "Recorded people and generated people, told apart", method, tables)


def unknown_people(known: list[Pairs], seed: int) -> tuple[str, list[str], list[list[str]]]:
    """Walkers of whom nothing is in the corpus, and their twins, judged among all the others."""
    performers = tomllib.loads(CORPUS.read_text(encoding="utf-8"))["performer"]
    corpus = {performer["name"].lower() for performer in performers}
    person, folder = FIFTH
    extra = pairs({person: clips(folder)[person]}, "walk", seed + NEXT_DRAW // 2, len(known))
    draws = [(mine[0] + more[0], mine[1] + more[1]) for mine, more in zip(known, extra, strict=True)]
    recorded = draws[0][0]
    unknown = frozenset(unit.subject for unit in recorded if unit.subject.lower() not in corpus)
    groups = unknown, frozenset(unit.subject for unit in known[0][0]) - unknown
    rows = []
    if len(unknown) >= LEAST_HELD:
        both = [[sides(*draw, level=level) for draw in draws] for level in (False, True)]
        for name in PARTS:
            columns = [told(seen, name, noise, *groups) for seen in both for noise in NOISES]
            for who, row in zip(("unknown", "known"), zip(*columns, strict=True), strict=True):
                rows.append([f"{name}, {who}", *row])
    ways = [f"{way}, {1000 * noise:.0f} mm" for way in ("as imported", "set right") for noise in NOISES]
    count = sum(unit.subject in unknown for unit in recorded)
    caption = f"Walkers whom the model does not know ({', '.join(sorted(unknown))}; {count} cycles) and whom it knows"
    return caption, ["", *ways], rows


if __name__ == "__main__":
    main()
